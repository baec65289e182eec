"""Reading: leases of an Arrow batch as the columns of the kernel, column by column.

Law: a lease with anything that the columns do not have, or that its records would refuse, is marked
in `rare`; the scalar engine then bills it, or refuses it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

import numpy as np
import pyarrow as pa

from rentbilling.policy import DEFAULT, BillingPolicy, PartPeriod
from rentbilling.portfolio.arrow.arrays import (
    NEVER,
    Column,
    Mask,
    Struct,
    again,
    coded,
    days_of,
    empty_texts,
    in_calendar,
    largest,
    list_lengths,
    lists,
    smallest,
    there,
    true,
    whole_of,
)
from rentbilling.portfolio.arrow.calendar import SHORTEST_MONTH
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.arrow.decimals import FINEST, units_of
from rentbilling.portfolio.kernel.eligibility import follows
from rentbilling.portfolio.kernel.item_records import (
    BilledDays,
    LaterTexts,
    changed_between,
    price_together,
    vat_columns,
    with_records,
)
from rentbilling.portfolio.kernel.items import (
    PER_ITEM,
    PER_PRICE,
    FlatItems,
    offsets_of,
)
from rentbilling.portfolio.leases.batches import LeaseForm, lease_form
from rentbilling.portfolio.plans.made import NONE_MADE, Made
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, PlanItems
from rentbilling.portfolio.plans.prices import plan_prices
from rentbilling.values import CURRENCIES, LAST_DAY, MONTHS_PER_YEAR, minor_units

_CENTS: Final = 2
_UNITS: Final = MappingProxyType({"month": 1, "year": MONTHS_PER_YEAR, "week": -7, "day": -1})
"""Months of a unit, or its days below 0."""
_WEEK: Final = 7
_LONGEST: Final = 400
"""Units of a cycle: more than columns have of any."""
_FROM: Final = MappingProxyType({"start": 0, "end": 1})
_ANY: Final = ("EUR",)
"""A currency for a batch without a known one, none of whose items is billed."""
_SCALED: Final = MappingProxyType(
    {
        "amount_scale": ("amount", "opening_amount", "discount_amount", "price_amount"),
        "quantity_scale": ("quantity", "priced_units"),
    }
)
_BASES: Final = ("rest", "list")
"""What a percentage may be of (A61); of one discount both are the same."""
_PLACE: Final = "^(recurring|one-time)-[0-9]+$"
_DISCOUNTS: Final = ("discount_amount", "discount_percentage", "discount_start", "discount_end")
_PART_PERIODS: Final = get_args(PartPeriod)


class ItemNames(NamedTuple):
    """The texts of leases and items as arrays of Arrow, as long as the columns of the kernel."""

    lease_id: Any
    item_id: Any
    """Null where the item has none, so that it is named by its place (A57)."""
    product_key: Any
    description: Any
    discount_text: Any
    later: LaterTexts | None = None
    """Descriptions that begin later."""


class KernelLeases(NamedTuple):
    """A batch of leases for the kernel."""

    items: FlatItems
    names: ItemNames
    made: Made = NONE_MADE
    """Adjustments of the asked days."""

    def made_of(self, done: Mask) -> Made:
        """Return the adjustments of some leases."""
        return self.made.only(done[self.made.place])


class _Items:
    """Reads the items of a batch; what is odd about one makes its lease rare."""

    __slots__ = ("currency", "fields", "odd")

    def __init__(self, array: Any) -> None:  # noqa: ANN401 - an Arrow array
        self.fields = Struct(array)
        self.odd: Mask = ~there(array)
        self.currency = self.needed(self.fields.struct("amount").of("currency"))

    def needed(self, array: Any) -> Any:  # noqa: ANN401 - an Arrow array
        """Return an array; an item for which it is null is odd."""
        if array.null_count:
            self.odd |= ~there(array)
        return array

    def text(self, array: Any) -> Any:  # noqa: ANN401 - an Arrow array
        """Return texts; an item for which one is empty is odd."""
        self.odd |= empty_texts(array)
        return array

    def number(self, array: Any) -> Column:  # noqa: ANN401 - an Arrow array
        """Return numbers in units of the finest decimal; an item without one is odd."""
        units, right = units_of(array)
        self.odd |= ~right
        return units * right

    def number_if_any(self, array: Any, absent: int) -> Column:  # noqa: ANN401 - an Arrow array
        """Return the same, with a number in place of those that are not there."""
        if array.null_count == len(array):
            return np.full(len(array), absent)
        units, right = units_of(array)
        given = there(array)
        self.odd |= given & ~right
        return np.where(given, units * right, absent)

    def same(self, currency: Any, of: Column | None = None) -> None:  # noqa: ANN401 - an Arrow array
        """Note items with an amount of another currency."""
        own = self.currency if of is None else self.currency.take(pa.array(of))
        other = ~true(functions.equal(currency, own))
        if of is None:
            self.odd |= other
        else:
            self.odd[of[other]] = True

    def day(self, array: Any, absent: int | None = None) -> Column:  # noqa: ANN401 - an Arrow array
        """Return days; an item with one that no calendar has is odd."""
        if absent is None:
            self.needed(array)
        elif array.null_count == len(array):
            return np.full(len(array), absent)
        days = days_of(array, NEVER if absent is None else absent)
        if smallest(days, 1) < 1 or largest(days) > LAST_DAY:
            self.odd |= ~in_calendar(days) & (days != absent)
        return days


def read_flat(
    leases: Any,  # noqa: ANN401 - a record batch
    policy: BillingPolicy = DEFAULT,
    followed: Followed | None = None,
) -> KernelLeases | None:
    """Return the leases of a batch as columns of the kernel; plans as far as they are followed.

    None where a column has another type, or the kernel does not follow the policy.

    Examples:
        >>> from rentbilling.portfolio.leases.batches import leases_to_arrow
        >>> from rentbilling.testing import a_lease
        >>> read_flat(leases_to_arrow([a_lease()])).items.amount.tolist()
        [850000]
    """
    form = leases if isinstance(leases, LeaseForm) else lease_form(leases)
    if form is None or not follows(policy):
        return None
    try:
        # Also that texts are Unicode.
        form.batch.validate(full=True)
    except pa.ArrowInvalid:
        return None
    columns = dict(zip(form.batch.schema.names, form.batch.columns, strict=True))
    return _leases_of(columns, form, policy, followed)


def _leases_of(
    leases: Mapping[str, Any],
    form: LeaseForm,
    policy: BillingPolicy,
    followed: Followed | None,
) -> KernelLeases:
    """Return the leases of columns that are all there and of their types."""
    rows = _recurring(leases["recurring_bill_items"], followed)
    if len(leases["one_time_bill_items"].values):
        rows = _joined(rows, _one_time(leases["one_time_bill_items"]))
    owner, odd = rows.owner, rows.odd
    codes, rows.columns["currency"] = _currencies(rows.currency, odd, policy)
    rare, end = _rare_leases(leases, policy)
    left, made = _with_plans(leases, rows, (codes, end), followed)
    rare |= form.lost | ~rows.sound | left
    counts = np.bincount(owner, minlength=len(rare))
    # Without items there is no currency to compare that of the lease with.
    rare |= there(leases["currency"]) & (counts == 0)
    wanted = leases["currency"].take(pa.array(owner))
    odd |= there(wanted) & ~true(functions.equal(wanted, rows.currency))
    _note_equal_ids(rows)
    rare[owner[odd]] = True
    flat = FlatItems(
        lease_offsets=offsets_of(counts),
        contract_end=end,
        rare=rare,
        currencies=codes,
        **_in_cents(rows.columns),
    )
    later = rows.later
    if later is not None:
        later = later._replace(item=np.flatnonzero(~rows.columns["once"])[later.item])
    names = ItemNames(leases["lease_id"], *rows.names)._replace(later=later)
    return KernelLeases(flat, names, made)


def _with_plans(
    leases: Mapping[str, Any],
    rows: "_Rows",
    known: tuple[Sequence[str], Column],
    followed: Followed | None,
) -> tuple[Mask, Made]:
    """Add the prices that plans make of items; return which leases have a plan that does not.

    And the adjustments of the others in the asked days. `known` are the currencies, and the last
    day of each lease.
    """
    listed = leases["rent_adjustment_plans"]
    if followed is None or not len(listed.values):
        offsets, _, sound = lists(listed)
        return ~sound | (np.diff(offsets) > 0), NONE_MADE
    columns, recurring = rows.columns, np.flatnonzero(~rows.columns["once"])
    offsets, starts = columns["price_offsets"], columns["price_start"]
    counts = np.diff(offsets)
    owner = np.repeat(np.arange(len(counts)), counts)
    planned = (list_lengths(listed) > 0)[rows.owner] & ~columns["once"]
    price_together(columns, planned, (followed.first, followed.last))
    fits = (columns["quantity"] == 10**FINEST) & ~rows.odd
    fits[owner[1:][(starts[1:] <= starts[:-1]) & (owner[1:] == owner[:-1])]] = False
    # The prices of an item follow its quantities (A38).
    listed = Struct(lists(leases["recurring_bill_items"])[1]).of("quantity_records")
    if len(listed.values):
        billed = BilledDays.of(followed.first, followed.last, columns).last
        opened = columns["opening_end"] + 1
        fits[recurring] &= ~changed_between(listed, opened[recurring], billed[recurring])
    codes, ends = known
    policy = followed.policy
    fine = [minor_units(each, policy.currencies) <= FINEST for each in codes]
    fits &= np.array(fine)[columns["currency"]]
    last = np.minimum(columns["ended_on"], columns["cancelled_on"] - 1)
    names = (
        *("currency", "amount", "opening_end", "due_day"),
        *("months", "days", "start_month", "start_day"),
    )
    items = PlanItems(
        owner=rows.owner[recurring],
        item_id=rows.names[0].take(pa.array(recurring)),
        fits=fits[recurring],
        last=np.minimum(last, ends[rows.owner])[recurring],
        records=LaterPrices(np.searchsorted(recurring, owner), starts, columns["price_amount"]),
        currencies=codes,
        **{name: columns[name][recurring] for name in names},
    )
    left, prices, made = plan_prices(leases, items, followed)
    item = recurring[prices.item]
    days = np.concatenate([starts, prices.start])
    order = np.lexsort((days, np.concatenate([owner, item])))
    columns["price_offsets"] = offsets_of(counts + np.bincount(item, minlength=len(counts)))
    for name, added in (("price_start", prices.start), ("price_amount", prices.amount)):
        columns[name] = np.concatenate([columns[name], added])[order]
    return left, made


class _Rows(NamedTuple):
    """Items of all leases, a row each, lease by lease."""

    columns: dict[str, Any]
    """Columns of `FlatItems`."""
    names: tuple[Any, ...]
    """Id, product key, description and text of the discount, as arrays of Arrow."""
    currency: Any
    owner: Column
    """The place of the lease."""
    odd: Mask
    sound: Mask
    """For each lease, whether its list is one."""
    later: LaterTexts | None = None
    """Later descriptions of recurring items, by their places among these."""


def _recurring(listed: Any, followed: Followed | None) -> _Rows:  # noqa: ANN401 - an Arrow array
    """Return the items that are billed in cycles."""
    offsets, array, sound = lists(listed)
    items = _Items(array)
    fields = items.fields
    once = np.zeros(len(array), dtype=np.bool_)
    discount = _discount(items)
    columns = {"once": once, **_vat(items), **_cycles(items), **_dates(items)}
    columns |= _money(items, discount)
    items.odd |= own_part_periods(fields)
    # A price of a month or a year is billed by running totals (A65).
    items.odd |= coded(fields.of("price_per"), lambda word: int(word != "cycle"), 0) > 0
    known = () if followed is None else ("vat_records", "quantity_records")
    for name in {"vat_records", "quantity_records"} - {*known}:
        items.odd |= list_lengths(fields.of(name)) > 0
    if followed is not None:
        asked = followed.first, followed.last
        with_records(fields, columns, items.odd, BilledDays.of(*asked, columns), asked)
    names = (*_names(items), discount.of("description"))
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    later = LaterTexts.of(fields.of("description_records"), items.odd)
    return _Rows(columns, names, items.currency, owner, items.odd, sound, later)


def _one_time(listed: Any) -> _Rows:  # noqa: ANN401 - an Arrow array
    """Return the items that are billed once: what is due is their opening period (A55)."""
    offsets, array, sound = lists(listed)
    items, count = _Items(array), len(array)
    fields = items.fields
    period = fields.struct("accounting_period")
    due, amount = (
        items.day(fields.of("due_date")),
        items.number(fields.struct("amount").of("amount")),
    )
    columns: dict[str, Any] = {
        "once": np.ones(count, dtype=np.bool_),
        "arrears": np.zeros(count, dtype=np.bool_),
        "amount": amount,
        "quantity": items.number_if_any(fields.of("quantity"), 10**FINEST),
        **_vat(items),
        # Cycles that no line comes of.
        "months": np.full(count, MONTHS_PER_YEAR),
        "days": np.zeros(count, dtype=np.int64),
        **{
            name: np.ones(count, dtype=np.int64) for name in ("start_month", "start_day", "due_day")
        },
        **dict.fromkeys(("started_on", "opening_due"), due),
        "opening_amount": amount,
        "opening_start": items.day(period.of("start")),
        "opening_end": items.day(period.of("end")),
        **dict.fromkeys(_DISCOUNTS, np.zeros(count, dtype=np.int64)),
        **dict.fromkeys(("ended_on", "cancelled_on"), np.full(count, NEVER)),
        "price_offsets": np.zeros(count + 1, dtype=np.int64),
        **dict.fromkeys(PER_PRICE, np.zeros(0, dtype=np.int64)),
    }
    names = (*_names(items), pa.nulls(count, pa.string()))
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    return _Rows(columns, names, items.currency, owner, items.odd, sound)


def _names(items: _Items) -> tuple[Any, Any, Any]:
    """Return ids, product keys and descriptions."""
    fields = items.fields
    key = items.needed(items.text(fields.of("product_key")))
    return items.text(fields.of("id")), key, fields.of("description")


def _joined(recurring: _Rows, once: _Rows) -> _Rows:
    """Return the items of both, lease by lease, those that are billed once last."""
    order = np.argsort(np.concatenate([recurring.owner, once.owner]), kind="stable")
    columns = {
        name: np.concatenate([recurring.columns[name], once.columns[name]])[order]
        for name in recurring.columns.keys() & {*PER_ITEM}
    }
    prices = [np.diff(each.columns["price_offsets"]) for each in (recurring, once)]
    columns["price_offsets"] = offsets_of(np.concatenate(prices)[order])
    for name in PER_PRICE:
        # Only recurring items have later prices, and they stay in their order.
        columns[name] = recurring.columns[name]

    def arrow(one: Any, other: Any) -> Any:  # noqa: ANN401 - Arrow arrays
        return pa.concat_arrays([one, other]).take(pa.array(order))

    return _Rows(
        columns,
        tuple(map(arrow, recurring.names, once.names)),
        arrow(recurring.currency, once.currency),
        np.concatenate([recurring.owner, once.owner])[order],
        np.concatenate([recurring.odd, once.odd])[order],
        recurring.sound & once.sound,
        recurring.later,
    )


def _vat(items: _Items) -> dict[str, Column]:
    """Return tax modes and rates; a rate that charges nothing, or above 1, is odd (A28)."""
    mode, rate = vat_columns(items.fields.struct("vat"))
    items.odd |= (mode < 0) | (rate < 0) | (rate > 10**FINEST)
    return {"tax_mode": mode, "tax_rate": rate}


def own_part_periods(fields: Struct) -> Mask:
    """Return which items count part periods otherwise than the policy; no word counts openings."""
    ends = fields.struct("part_period")
    first = coded(ends.of("first"), lambda word: int(word not in _PART_PERIODS), 0)
    last = coded(ends.of("last"), lambda word: int(word != DEFAULT.part_period), 0)
    return (first > 0) | (last > 0)


def cycle_columns(cycle: Struct) -> tuple[Column, Column, Column]:
    """Return the units of cycles as in _UNITS, their months, and the days of those of days.

    Months of a cycle that columns have not are none, or more than a year's; of a cycle of days they
    are those that it may reach over.
    """
    unit = coded(cycle.of("time_unit"), lambda word: _UNITS.get(word.lower(), 0), 0)
    # A long one is cut, so that the product stays small.
    length = np.clip(whole_of(cycle.of("period_length"), 0), 0, _LONGEST)
    days = np.maximum(-unit, 0) * length
    return unit, np.maximum(unit * length, -(-days // SHORTEST_MONTH)), days


def _cycles(items: _Items) -> dict[str, Any]:
    """Return cycles and due days."""
    cycle, rule = items.fields.struct("billing_cycle"), items.fields.struct("due_date_rule")
    unit, months, days = cycle_columns(cycle)
    # An absent number becomes one that no item may have.
    start = whole_of(items.needed(cycle.of("start")), 0)
    start_day = whole_of(cycle.of("start_day"), 1)
    if days.any():
        late = (start < 1) | (start > np.where(unit < -1, _WEEK, 1))
        items.odd |= (days > 0) & ((start_day != 1) | late)
        start = start + (unit == -1) * _WEEK
    # These words are read in small letters alone.
    since = coded(rule.of("relative_to"), lambda word: _FROM.get(word, len(_FROM)), 0)
    items.odd |= since == len(_FROM)
    return {
        "months": months,
        "days": days,
        "start_month": start,
        "start_day": start_day,
        "due_day": whole_of(items.needed(rule.of("day_of_period")), 0),
        "arrears": since == 1,
    }


def _dates(items: _Items) -> dict[str, Column]:
    fields = items.fields
    opening = fields.struct("first_billing_period_bill_item")
    period = opening.struct("accounting_period")
    return {
        "started_on": items.day(fields.of("started_on")),
        "opening_due": items.day(opening.of("due_date")),
        "opening_start": items.day(period.of("start")),
        "opening_end": items.day(period.of("end")),
        "ended_on": items.day(fields.of("ended_on"), NEVER),
        "cancelled_on": items.day(fields.of("cancelled_on"), NEVER),
    }


def _discount(items: _Items) -> Struct:
    """Return the discount of each item: its own, or the only one of its list (A61)."""
    own, listed = items.fields.of("discount"), items.fields.of("discounts")
    if not len(listed.values):
        return Struct(own)
    offsets, values, sound = lists(listed)
    counts = np.diff(offsets)
    items.odd |= ~sound | (counts > 1) | ((counts > 0) & there(own))
    only = np.flatnonzero(counts == 1)
    items.odd[only[~there(values)[offsets[only]]]] = True
    place = np.arange(len(counts))
    place[only] = len(counts) + offsets[only]
    return Struct(pa.concat_arrays([own, values]).take(pa.array(place)))


def _money(items: _Items, discount: Struct) -> dict[str, Column]:
    """Return prices, quantities and discounts, in units of the finest decimal."""
    fields = items.fields
    opening = fields.struct("first_billing_period_bill_item").struct("amount")
    items.same(opening.of("currency"))
    given = there(discount.array)
    off = discount.struct("amount")
    by_amount, by_share = there(discount.of("amount")), there(discount.of("percentage"))
    # One of both, and an amount that takes something off, in the currency of the item.
    items.odd |= given & (by_amount == by_share)
    if by_amount.any():
        items.odd |= by_amount & ~true(functions.equal(off.of("currency"), items.currency))
    amount = items.number_if_any(off.of("amount"), 0)
    items.odd |= by_amount & (amount <= 0)
    of = coded(discount.of("of"), lambda word: int(word in _BASES), -1)
    items.odd |= (of == 0) | (by_amount & (of >= 0))
    start, end = items.day(discount.of("start_date"), 0), items.day(discount.of("end_date"), NEVER)
    items.odd |= start > end
    return {
        "amount": items.number(fields.struct("amount").of("amount")),
        "quantity": items.number_if_any(fields.of("quantity"), 10**FINEST),
        "opening_amount": items.number(opening.of("amount")),
        "discount_amount": np.where(given, amount, 0),
        "discount_percentage": items.number_if_any(discount.of("percentage"), 0),
        "discount_start": start,
        "discount_end": np.where(given, end, 0),
        **_prices(items),
    }


def _prices(items: _Items) -> dict[str, Column]:
    """Return later prices in the order of their days; equal ones are left to `flat_eligibility`."""
    listed = items.fields.of("amount_records")
    offsets, array, sound = lists(listed)
    items.odd |= ~sound
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    records = Struct(array)
    value = records.struct("value")
    amounts, right = units_of(value.of("amount"))
    starts = days_of(records.of("start"), NEVER)
    # A day that is not there, like one that no calendar has, is odd.
    wrong = ~right | empty_texts(records.of("id")) | (starts < 1) | (starts > LAST_DAY)
    items.odd[owner[wrong]] = True
    items.same(value.of("currency"), owner)
    amounts *= right
    if ((starts[1:] < starts[:-1]) & (owner[1:] == owner[:-1])).any():
        # A service adds a record for each adjustment at the end.
        order = np.lexsort((starts, owner))
        starts, amounts = starts[order], amounts[order]
    return {"price_offsets": offsets, "price_start": starts, "price_amount": amounts}


def _currencies(
    currency: Any,  # noqa: ANN401 - an Arrow array
    odd: Mask,
    policy: BillingPolicy,
) -> tuple[tuple[str, ...], Column]:
    """Return the known currencies, and for each item the number of its own."""
    known: dict[str, int] = {}

    def number(code: str) -> int:
        if code not in CURRENCIES and code not in policy.currencies:
            return -1
        return known.setdefault(code, len(known))

    found = coded(currency, number, -1)
    odd |= found < 0
    return tuple(known) or _ANY, np.maximum(found, 0)


def _rare_leases(leases: Mapping[str, Any], policy: BillingPolicy) -> tuple[Mask, Column]:
    """Return which leases have odd facts; and their ends."""
    starts, ends = (days_of(leases[name], NEVER) for name in ("contract_start", "contract_end"))
    rare = empty_texts(leases["lease_id"]) | ~in_calendar(starts) | ~in_calendar(ends)
    rare |= (starts > ends) & (starts != NEVER)
    if len(leases["balances"].values):
        rare |= _with_odd_balances(leases, policy)
    return rare, ends


def _with_odd_balances(leases: Mapping[str, Any], policy: BillingPolicy) -> Mask:
    """Return which leases have a balance that its record might refuse, or that follows the rent.

    Any other one stays as it is where no plan moves it (A39), and is on no bill.
    """
    offsets, array, sound = lists(leases["balances"])
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    items = _Items(array)
    fields = items.fields
    items.needed(items.text(fields.of("balance_charge_type")))
    items.text(fields.of("product_key"))
    # What can be read so has no more than fourteen digits, so that no record refuses it (A1).
    items.number(fields.struct("amount").of("amount"))
    items.odd |= there(fields.of("months"))
    _currencies(items.currency, items.odd, policy)
    wanted = leases["currency"].take(pa.array(owner))
    items.odd |= there(wanted) & ~true(functions.equal(wanted, items.currency))
    # The id of one balance may be that of another one.
    several = np.bincount(owner, minlength=len(sound))[owner] > 1
    items.odd |= there(items.text(fields.of("id"))) & several
    found = ~sound
    found[owner[items.odd]] = True
    return found


def _note_equal_ids(rows: _Rows) -> None:
    """Note leases with items of the same id, and those where it might be that of a place (A57)."""
    ids = rows.names[0]
    if ids.null_count == len(ids):
        return
    np.logical_or(rows.odd, again(rows.owner, ids), out=rows.odd)
    if ids.null_count:
        # An item without an id is named by its place, which may be the id of another one.
        like = functions.match_substring_regex(ids, _PLACE)
        named = np.bincount(rows.owner, true(like), minlength=1)
        np.logical_or(rows.odd, ~there(ids) & (named[rows.owner] > 0), out=rows.odd)


def _in_cents(columns: Mapping[str, Column]) -> dict[str, Any]:
    """Return money and quantities in hundredths where all of them are whole ones."""
    found: dict[str, Any] = dict(columns)
    step = 10 ** (FINEST - _CENTS)
    for scale, names in _SCALED.items():
        fine = FINEST
        shorter = {name: columns[name] // step for name in names if name in columns}
        if all(np.array_equal(shorter[name] * step, columns[name]) for name in shorter):
            found, fine = {**found, **shorter}, _CENTS
        found[scale] = fine
    return {**found, "percentage_scale": FINEST, "rate_scale": FINEST}
