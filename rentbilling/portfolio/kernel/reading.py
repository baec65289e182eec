"""Reading: leases of an Arrow batch as the columns of the kernel, column by column.

Law: a lease with anything that the columns do not have, or that its records would refuse, is marked
in `rare`; the scalar engine then bills it, or refuses it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.policy import DEFAULT, BillingPolicy
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
    list_lengths,
    lists,
    offsets_of,
    there,
    true,
)
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.kernel.eligibility import follows
from rentbilling.portfolio.kernel.item_fields import (
    ItemFields,
    cycles_of,
    dates_of,
    discount_of,
    money_of,
    names_of,
    own_part_periods,
    vat_of,
)
from rentbilling.portfolio.kernel.item_records import (
    BilledDays,
    LaterTexts,
    changed_between,
    price_together,
    with_records,
)
from rentbilling.portfolio.kernel.items import PER_ITEM, PER_PRICE, FlatItems
from rentbilling.portfolio.leases.batches import LeaseForm, lease_form
from rentbilling.portfolio.plans.made import NONE_MADE, Made
from rentbilling.portfolio.plans.plan_items import Followed, LaterPrices, PlanItems
from rentbilling.portfolio.plans.prices import plan_prices
from rentbilling.values import CURRENCIES, MONTHS_PER_YEAR, minor_units

_CENTS: Final = 2
_RECORDS: Final = ("vat_records", "quantity_records")
_ANY: Final = ("EUR",)
"""A currency for a batch without a known one, none of whose items is billed."""
_SCALED: Final = MappingProxyType(
    {
        "amount_scale": ("amount", "opening_amount", "discount_amount", "price_amount"),
        "quantity_scale": ("quantity", "priced_units"),
    }
)
_PLACE: Final = "^(recurring|one-time)-[0-9]+$"
_DISCOUNTS: Final = ("discount_amount", "discount_percentage", "discount_start", "discount_end")


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
    left: Mapping[str, Mask]
    """Features, each with the leases that are rare for it; some are for none that has a name."""
    made: Made = NONE_MADE
    """Adjustments of the asked days."""

    def made_of(self, done: Mask) -> Made:
        """Return the adjustments of some leases."""
        return self.made.only(done[self.made.place])


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
    rare, end = _rare_leases(leases)
    left = dict(rows.left)
    if len(leases["balances"].values):
        rare |= left.setdefault("balances", _with_odd_balances(leases, policy))
    plans, reasons, made = _with_plans(leases, rows, (codes, end), followed)
    for name, own in reasons.items():
        left[name] = own | left.get(name, own)
    rare |= form.lost | ~rows.sound | plans
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
    return KernelLeases(flat, names, left, made)


def _with_plans(
    leases: Mapping[str, Any],
    rows: "_Rows",
    known: tuple[Sequence[str], Column],
    followed: Followed | None,
) -> tuple[Mask, Mapping[str, Mask], Made]:
    """Add the prices that plans make of items; return which leases have a plan that does not.

    Then those of them by what it does not for, unless its item is odd, and the adjustments of the
    others in the asked days. `known` are the currencies, and the last day of each lease.
    """
    listed = leases["rent_adjustment_plans"]
    if followed is None or not len(listed.values):
        offsets, _, sound = lists(listed)
        planned = ~sound | (np.diff(offsets) > 0)
        return planned, {"rent_adjustment_plans": planned}, NONE_MADE
    columns, recurring = rows.columns, np.flatnonzero(~rows.columns["once"])
    offsets, starts = columns["price_offsets"], columns["price_start"]
    counts = np.diff(offsets)
    owner = np.repeat(np.arange(len(counts)), counts)
    planned = (list_lengths(listed) > 0)[rows.owner] & ~columns["once"]
    price_together(columns, planned, (followed.first, followed.last))
    fits = (columns["quantity"] == 10**FINEST) & ~rows.odd
    fits[owner[1:][(starts[1:] <= starts[:-1]) & (owner[1:] == owner[:-1])]] = False
    quantities = _with_other_quantities(leases, columns, recurring, followed)
    fits[recurring] &= ~quantities
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
        odd=rows.odd[recurring],
        last=np.minimum(last, ends[rows.owner])[recurring],
        records=LaterPrices(np.searchsorted(recurring, owner), starts, columns["price_amount"]),
        currencies=codes,
        **{name: columns[name][recurring] for name in names},
    )
    left, own, prices, made = plan_prices(leases, items, followed)
    item = recurring[prices.item]
    days = np.concatenate([starts, prices.start])
    order = np.lexsort((days, np.concatenate([owner, item])))
    columns["price_offsets"] = offsets_of(counts + np.bincount(item, minlength=len(counts)))
    for name, added in (("price_start", prices.start), ("price_amount", prices.amount)):
        columns[name] = np.concatenate([columns[name], added])[order]
    quantities = own & _owners(items.owner[quantities], len(left))
    return left, {"rent_adjustment_plans": own, "quantity_records": quantities}, made


def _with_other_quantities(
    leases: Mapping[str, Any], columns: dict[str, Any], recurring: Column, followed: Followed
) -> Mask:
    """Return which recurring items have other quantities on days that a price may follow (A38)."""
    listed = Struct(lists(leases["recurring_bill_items"])[1]).of("quantity_records")
    if not followed.bills:
        # Those in force were read for the days of bills.
        given: Mask = list_lengths(listed) > 0
        return given
    if not len(listed.values):
        return np.zeros(len(recurring), dtype=np.bool_)
    billed = BilledDays.of(followed.first, followed.last, columns).last
    opened = columns["opening_end"] + 1
    found: Mask = changed_between(listed, opened[recurring], billed[recurring])
    return found


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
    left: Mapping[str, Mask]
    """Features, each with the leases that have an item which is odd for it."""
    later: LaterTexts | None = None
    """Later descriptions of recurring items, by their places among these."""


def _recurring(listed: Any, followed: Followed | None) -> _Rows:  # noqa: ANN401 - an Arrow array
    offsets, array, sound = lists(listed)
    items = ItemFields(array)
    fields = items.fields
    once = np.zeros(len(array), dtype=np.bool_)
    discount = discount_of(items)
    columns = {"once": once, **vat_of(items), **cycles_of(items), **dates_of(items)}
    columns |= money_of(items, discount)
    months = columns["months"]
    left = {
        "part_period": own_part_periods(fields),
        # A price of a month or a year is billed by running totals (A65).
        "price_per": coded(fields.of("price_per"), lambda word: int(word != "cycle"), 0) > 0,
        "billing_cycle": (months == 0) | (months > MONTHS_PER_YEAR),
        "discounts": list_lengths(fields.of("discounts")) > 1,
    }
    if followed is None:
        left |= {name: list_lengths(fields.of(name)) > 0 for name in _RECORDS}
    else:
        asked = followed.first, followed.last
        left |= with_records(fields, columns, BilledDays.of(*asked, columns), asked)
    for each in left.values():
        items.odd |= each
    names = (*names_of(items), discount.of("description"))
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    later = LaterTexts.of(fields.of("description_records"), items.odd)
    of_leases = {name: _owners(owner[each], len(sound)) for name, each in left.items()}
    return _Rows(columns, names, items.currency, owner, items.odd, sound, of_leases, later)


def _one_time(listed: Any) -> _Rows:  # noqa: ANN401 - an Arrow array
    """Return the items that are billed once: what is due is their opening period (A55)."""
    offsets, array, sound = lists(listed)
    items, count = ItemFields(array), len(array)
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
        **vat_of(items),
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
    names = (*names_of(items), pa.nulls(count, pa.string()))
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    left = {"one_time_bill_items": _owners(owner[items.odd], len(sound))}
    return _Rows(columns, names, items.currency, owner, items.odd, sound, left)


def _owners(rows: Column, count: int) -> Mask:
    found = np.zeros(count, dtype=np.bool_)
    found[rows] = True
    return found


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
        {**recurring.left, **once.left},
        recurring.later,
    )


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


def _rare_leases(leases: Mapping[str, Any]) -> tuple[Mask, Column]:
    """Return which leases have odd facts; and their ends."""
    starts, ends = (days_of(leases[name], NEVER) for name in ("contract_start", "contract_end"))
    rare = empty_texts(leases["lease_id"]) | ~in_calendar(starts) | ~in_calendar(ends)
    rare |= (starts > ends) & (starts != NEVER)
    return rare, ends


def _with_odd_balances(leases: Mapping[str, Any], policy: BillingPolicy) -> Mask:
    """Return which leases have a balance that its record might refuse, or that follows the rent.

    Any other one stays as it is where no plan moves it (A39), and is on no bill.
    """
    offsets, array, sound = lists(leases["balances"])
    owner = np.repeat(np.arange(len(sound)), np.diff(offsets))
    items = ItemFields(array)
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
