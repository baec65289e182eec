"""Writing: the bills of the kernel as rows of an Arrow table, column by column.

Law: a row equals the one that the scalar engine writes for the same bill, in every digit and text.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.indices import NO_SERIES, IndexSeries
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.portfolio.arrow.arrays import (
    Column,
    Mask,
    day_column,
    largest,
    list_column,
    offsets_of,
    period_column,
    struct_column,
    words_at,
)
from rentbilling.portfolio.arrow.column_types import (
    BILL_SCHEMA,
    LINE,
    NUMBER,
    TAKEN_OFF,
    VAT,
    VAT_TOTAL,
    functions,
)
from rentbilling.portfolio.arrow.decimals import numbers_of
from rentbilling.portfolio.kernel.bills import FlatBills, bill_flat
from rentbilling.portfolio.kernel.items import EXEMPT, INCLUSIVE, MODES, FlatItems
from rentbilling.portfolio.kernel.lines import KINDS, PART
from rentbilling.portfolio.kernel.reading import KernelLeases, read_flat
from rentbilling.portfolio.kernel.unit_prices import Exact, unit_prices
from rentbilling.portfolio.plans.made import NONE_MADE, Made
from rentbilling.portfolio.plans.plan_items import Followed
from rentbilling.schedule import counted_words
from rentbilling.terms import BillingCycle
from rentbilling.values import Period, minor_units


class KernelBatch(NamedTuple):
    """What the kernel made of a batch of leases."""

    bills: Any
    """A record batch of `BILL_SCHEMA` whose rows count from 0."""
    done: Mask
    """For each lease of the batch whether the kernel billed it, or found nothing due."""
    made: Made = NONE_MADE
    """The adjustments of these leases in the asked days."""


def bill_batch(
    leases: Any,  # noqa: ANN401 - a record batch
    period: Period,
    policy: BillingPolicy,
    indices: Mapping[str, IndexSeries] = NO_SERIES,
    left: dict[str, Mask] | None = None,
) -> KernelBatch | None:
    """Return the bills that the kernel makes of a batch of leases.

    In `left` it puts for which features it leaves leases, as in `KernelLeases.left`.

    Examples:
        >>> from rentbilling.policy import DEFAULT
        >>> from rentbilling.portfolio.leases.batches import leases_to_arrow
        >>> from rentbilling.testing import a_lease
        >>> found = bill_batch(
        ...     leases_to_arrow([a_lease()]), Period.parse("2026-02-01/2026-03-31"), DEFAULT
        ... )
        >>> found.bills.num_rows, found.done.tolist()
        (2, [True])
    """
    read = read_flat(leases, policy, Followed(indices, policy, period, period.first, period.last))
    if read is None:
        return None
    flat = bill_flat(read.items, period, policy=policy)
    if left is not None:
        left.update(read.left, notices=flat.noticed)
    if not flat.eligible.any():
        return None
    made = read.made_of(flat.eligible)
    return KernelBatch(bills_to_arrow(flat, read, policy), flat.eligible, made)


def bills_to_arrow(flat: FlatBills, leases: KernelLeases, policy: BillingPolicy) -> Any:  # noqa: ANN401 - a record batch
    """Return the bills of the kernel as a record batch of `BILL_SCHEMA`."""
    codes = leases.items.currencies
    places = np.array([minor_units(code, policy.currencies) for code in codes], dtype=np.int64)
    own = places[flat.bill_currency]
    bill = pa.array(flat.bill_lease)
    totals, line_vat = _total_column(flat, leases.items, own)
    lines = _LineColumns(flat, leases, own[flat.line_bill]).column(line_vat)
    columns = (
        bill,
        leases.names.lease_id.take(bill),
        day_column(flat.bill_due),
        words_at(codes, flat.bill_currency),
        _money(flat.bill_subtotal, own),
        _money(flat.bill_total, own),
        pa.nulls(len(bill), NUMBER),
        _lists(flat.line_bill, lines, len(bill), "lines"),
        _lists(flat.total_bill, totals, len(bill), "vat_totals"),
    )
    return pa.RecordBatch.from_arrays(list(columns), schema=BILL_SCHEMA)


class _LineColumns:
    """Makes the columns of lines."""

    __slots__ = ("_at", "_flat", "_items", "_names", "_places")

    def __init__(self, flat: FlatBills, leases: KernelLeases, places: Column) -> None:
        self._flat, self._items, self._names = flat, leases.items, leases.names
        self._at = pa.array(flat.line_item)
        self._places = places

    def column(self, vat: Any) -> Any:  # noqa: ANN401 - Arrow arrays
        """Return all lines, one after another, with their VAT."""
        flat, items, names = self._flat, self._items, self._names
        quantity = np.where(items.priced_units, items.priced_units, items.quantity)
        quantity = quantity[flat.line_item]
        amount, unit_net = self._unit_prices(quantity)
        columns = {
            "item_id": self._item_ids(),
            "product_key": names.product_key.take(self._at),
            "description": self._descriptions(),
            "discount_text": names.discount_text.take(
                pa.array(flat.line_item, mask=flat.line_discounted == 0)
            ),
            "kind": words_at(KINDS, flat.line_kind),
            "accounting_period": period_column(flat.line_start, flat.line_end),
            "regular_period": period_column(
                flat.line_regular_start, flat.line_regular_end, flat.line_regular_start == 0
            ),
            "share": self._shares(),
            "counted": self._counted(),
            "quantity": numbers_of(quantity, items.quantity_scale),
            "amount": amount,
            "unit_net_price": unit_net,
            "net_price": _money(flat.line_net, self._places),
            "vat": vat,
            "discounts": self._discounts(),
        }
        return struct_column(LINE, [columns[field.name] for field in LINE])

    def _descriptions(self) -> Any:  # noqa: ANN401 - an Arrow array
        """Return for each line the description of its period's first day (A19)."""
        flat, names = self._flat, self._names
        own = names.description.take(self._at)
        if names.later is None:
            return own
        regular = flat.line_regular_start
        first = np.where(regular > 0, regular, flat.line_start)
        return names.later.on(flat.line_item, first, own)

    def _discounts(self) -> Any:  # noqa: ANN401 - an Arrow array
        """Return for each line its discount, if one is in force (A61)."""
        flat, items, names = self._flat, self._items, self._names
        rows = np.flatnonzero(flat.line_discounted)
        item = flat.line_item[rows]
        by_amount = pa.array(items.discount_amount[item] > 0)
        rates = numbers_of(items.discount_percentage[item], items.percentage_scale)
        columns = (
            names.discount_text.take(pa.array(item)),
            functions.if_else(by_amount, pa.scalar(None, NUMBER), rates),
            _money(flat.line_taken[rows], self._places[rows]),
        )
        discounts = struct_column(TAKEN_OFF, columns)
        return list_column(
            offsets_of(flat.line_discounted), discounts, LINE.field("discounts").type
        )

    def _item_ids(self) -> Any:  # noqa: ANN401 - an Arrow array
        """Return the ids of items, by position where absent (A57)."""
        given = self._names.item_id
        if not given.null_count:
            return given.take(self._at)
        flat, offsets, once = self._flat, self._items.lease_offsets, self._items.once
        first, texts = offsets[flat.line_lease], []
        place = flat.line_item - first
        if once.any():
            # Items that are billed once are numbered by themselves, after the others.
            before = offsets_of(once.astype(np.int64))
            own = once[flat.line_item]
            place = np.where(own, before[flat.line_item] - before[first], place)
            texts = [f"one-time-{at + 1}" for at in range(largest(place[own], -1) + 1)]
            place[~own] += len(texts)
        texts += [f"recurring-{at + 1}" for at in range(largest(place) + 1 - len(texts))]
        by_place = words_at(texts, place)
        if given.null_count == len(given):
            return by_place
        return functions.coalesce(given.take(self._at), by_place)

    def _shares(self) -> Any:  # noqa: ANN401 - an Arrow array
        """Return the exact shares of regular periods as texts."""
        flat = self._flat
        parts = np.flatnonzero(flat.line_kind == PART)
        pairs = np.stack([flat.line_share[parts], flat.line_whole[parts]])
        distinct, places = np.unique(pairs, axis=1, return_inverse=True)
        texts = ["1", *(str(Fraction(*pair)) for pair in distinct.T.tolist())]
        at = np.zeros(len(flat.line_kind), dtype=np.int64)
        at[parts] = places.reshape(-1) + 1
        return words_at(texts, at)

    def _counted(self) -> Any:  # noqa: ANN401 - an Arrow array
        """Return for each part in words what was counted for it (A157)."""
        flat, items = self._flat, self._items
        parts = np.flatnonzero(flat.line_kind == PART)
        item, first, last = (
            each[parts] for each in (flat.line_item, flat.line_regular_start, flat.line_regular_end)
        )
        # The parts of a period follow each other.
        opens = np.append(True, (item[1:] != item[:-1]) | (first[1:] != first[:-1]))[: len(parts)]
        end, of = flat.line_end[parts], np.cumsum(opens) - 1
        reached = end[np.append(opens[1:], True)[: len(parts)]]
        rows = np.stack(
            [
                *(flat.line_start[parts], end, first, last, items.months[item]),
                *(items.days[item], items.start_day[item]),
                *(flat.line_share[parts], flat.line_whole[parts]),
                *((np.bincount(of) > 1)[of], reached[of] < last),
            ]
        )
        distinct, places = np.unique(rows, axis=1, return_inverse=True)
        at = np.zeros(len(flat.line_kind), dtype=np.int64)
        at[parts] = places.reshape(-1)
        texts = pa.array([_counted_words(*each) for each in distinct.T.tolist()], pa.string())
        return texts.take(pa.array(at, mask=flat.line_kind != PART))

    def _unit_prices(self, quantity: Column) -> tuple[Any, Any]:
        """Return the prices of one unit in the lines' own tax mode, and without VAT (A21)."""
        flat, items, places = self._flat, self._items, self._places
        scale, one = items.quantity_scale, 10**items.rate_scale
        below = np.full(len(places), 10 ** (items.amount_scale + items.percentage_scale))
        share, units = flat.line_share, items.priced_units[flat.line_item]
        if units.any():
            share = share * np.where(units > 0, 10**scale, 1)
            below *= np.maximum(units, 1)
        exact = Exact(flat.line_unit, share, below, flat.line_whole)
        amount = unit_prices(flat.line_base, quantity, scale, exact, places)
        rate = items.tax_rate[flat.line_item]
        rows = np.flatnonzero(items.tax_mode[flat.line_item] == INCLUSIVE)
        if not len(rows):
            return amount, amount
        over, times, below, parts = (column[rows] for column in exact)
        net = Exact(over, times * one, below, parts * (one + rate[rows]))
        own = unit_prices(flat.line_net[rows], quantity[rows], scale, net, places[rows])
        mask = np.zeros(len(places), dtype=np.bool_)
        mask[rows] = True
        return amount, functions.replace_with_mask(amount, pa.array(mask), own)


def _counted_words(
    start: int,
    end: int,
    first: int,
    last: int,
    months: int,
    days: int,
    start_day: int,
    share: int,
    whole: int,
    split: int,
    cut: int,
) -> str | None:
    cycle = BillingCycle(start_day=start_day, period_length=months)
    if days:
        cycle = BillingCycle(time_unit="Day", period_length=days)
    about = (start, end), (first, last), cycle, DEFAULT.part_periods.last, (share, whole)
    return counted_words(*about, split=bool(split), cut=bool(cut))


def _total_column(flat: FlatBills, items: FlatItems, places: Column) -> tuple[Any, Any]:
    """Return all VAT totals, one after another, and the VAT of each line."""
    one = 10**items.rate_scale
    groups, at = np.unique(flat.total_mode * (one + 1) + flat.total_rate, return_inverse=True)
    modes, rates = groups // (one + 1), groups % (one + 1)
    untaxed = modes >= EXEMPT
    shown = functions.if_else(
        pa.array(untaxed), pa.scalar(None, NUMBER), numbers_of(rates, items.rate_scale)
    )
    vats = struct_column(VAT, (words_at(MODES, modes), shown))
    own = places[flat.total_bill]
    money = _money(flat.total_vat, own), _money(flat.total_base, own)
    totals = struct_column(VAT_TOTAL, (vats.take(pa.array(at)), *money))
    return totals, vats.take(pa.array(at[flat.line_total]))


def _money(units: Column, places: Column) -> Any:  # noqa: ANN401 - an Arrow array
    """Return minor units as numbers of the main unit."""
    most = largest(places)
    if (places != most).any():
        units = units * 10 ** (most - places)
    return numbers_of(units, most)


def _lists(owner: Column, values: Any, count: int, name: str) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return lists of values, each of an owner; owners rise."""
    offsets = offsets_of(np.bincount(owner, minlength=count))
    return list_column(offsets, values, BILL_SCHEMA.field(name).type)
