"""Leases by column: the rows of many leases put together at once, a column at a time.

Laws: a cell is read by the notation of its table, each distinct one once; a lease with anything
that is not certain here is put together row by row, and only there it is refused.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property, reduce
from operator import or_
from types import MappingProxyType, NoneType
from typing import Any, Final, NamedTuple, cast

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidInputError, RentBillingError
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import (
    NEVER,
    Column,
    Mask,
    day_column,
    days_of,
    equal_rows,
    list_column,
    offsets_of,
    struct_column,
    there,
    true,
)
from rentbilling.portfolio.arrow.column_types import (
    LEASE_SCHEMA,
    PLAIN,
    Shape,
    Word,
    functions,
    shape_of,
)
from rentbilling.portfolio.arrow.decimals import FINEST, numbers_of, units_of
from rentbilling.portfolio.leases.batches import LeaseForm
from rentbilling.portfolio.leases.leases_by_row import (
    AS_WRITTEN,
    EXEMPT,
    RowReader,
)
from rentbilling.portfolio.leases.openings import Openings
from rentbilling.portfolio.leases.problems import UnreadLease
from rentbilling.portfolio.leases.table_mapping import MOVED_IN, OPENING, Step, Target
from rentbilling.tables import Notation, is_absent
from rentbilling.terms import LeaseTerms
from rentbilling.values import Amount, divide_rounded

Steps = tuple[Step, ...]

_MOST_CELLS: Final = 200_000
"""Distinct cells whose values are remembered."""
_KINDS: Final[Mapping[str, type]] = MappingProxyType(
    {"money": Decimal, "number": Decimal, "whole": int, "flag": bool, "day": date}
)
"""What the fields of a kind have as values; others have texts."""
_PRICED_ALONE: Final = (
    *("quantity", "discount", "discounts", "price_per", "part_period"),
    *("amount_records", "quantity_records"),
)
"""Fields of an item with which its opening is priced for it alone."""


class _Odd:
    """A cell that is not certain."""


class _Values(dict[Any, Any]):
    """What the cells of one kind of field say; None is absent."""

    def __init__(self, target: Target, notation: Notation, *, is_paired: bool = False) -> None:
        self._word, self._is_rate = str(target.word), target.is_rate
        self._notation, self._is_paired = notation, is_paired
        self.odd: set[Any] = set()

    def __missing__(self, cell: Any) -> Any:  # noqa: ANN401 - a cell, or its type and itself
        self[cell] = value = self.read(cell[1] if self._is_paired else cell)
        if value is _Odd:
            self.odd.add(cell)
        return value

    def read(self, cell: Any) -> Any:  # noqa: ANN401
        """Return what a cell says."""
        if type(cell) is str and self._word == "text":
            return cell.strip() or None
        if is_absent(cell):
            return None
        is_cell = self._notation is not AS_WRITTEN
        if is_cell and self._word == "money" and self._notation.may_be_thousands(cell):
            return _Odd
        try:
            value = self._notation.read(self._word, cell, is_rate=self._is_rate)
        except InvalidInputError:
            return _Odd
        return value if type(value) is _KINDS.get(self._word, str) else _Odd


class _Leaf(NamedTuple):
    """A field of each row as a column."""

    array: Any
    there: Mask

    def only(self, where: Mask) -> "_Leaf":
        """Return it in some rows, absent in the others."""
        if where.all():
            return self
        array = functions.if_else(pa.array(where), self.array, pa.scalar(None, self.array.type))
        return _Leaf(array, self.there & where)


class ColumnLeases(Sequence[LeaseTerms | UnreadLease]):
    """Leases of a flat table as columns; those that are not certain there are read already."""

    def __init__(
        self,
        batch: Any,  # noqa: ANN401 - a record batch
        lost: Mask,
        read: Callable[[int], LeaseTerms | UnreadLease],
    ) -> None:
        """Take the columns of leases, which of them are not certain, and what reads one alone."""
        self._read = read
        self.alone = {at: read(at) for at in np.flatnonzero(lost).tolist()}
        """Those that are not certain, by their places."""
        self.form = LeaseForm(batch, lost, {})

    def __len__(self) -> int:
        """Return how many there are."""
        return int(self.form.batch.num_rows)

    def __getitem__(self, place: Any) -> Any:  # noqa: ANN401 - as of any sequence
        """Return a lease as its record, or its refusal."""
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        found = self.alone.get(range(len(self))[place])
        return self._read(place) if found is None else found

    @cached_property
    def ids(self) -> list[str | None]:
        """The ids of the leases, None for those without and those that cannot be read."""
        found: list[str | None] = self.form.batch.column("lease_id").to_pylist()
        for place, lease in self.alone.items():
            found[place] = None if isinstance(lease, UnreadLease) else lease.lease_id
        return found


class ColumnReader:
    """Puts the rows of leases together by the columns of a mapping."""

    def __init__(self, reader: RowReader, policy: BillingPolicy) -> None:
        """Take what a mapping says of rows, and the policy that opening periods follow."""
        self.reader, self.policy = reader, policy
        self._values: dict[tuple[str | None, bool, type], _Values] = {}
        self.openings = Openings(policy)
        self.constants = [
            (target, _constant(target, value))
            for target, value in (*reader.fixed, *reader.defaults)
        ]

    def leases(
        self,
        columns: Sequence[Sequence[Any]],
        first: Sequence[int],
        count: int,
        lost: Collection[int],
        read: Callable[[int], LeaseTerms | UnreadLease],
    ) -> ColumnLeases:
        """Return the leases of rows, which are all rows of these.

        Args:
            columns: Their cells: each column in pieces, which are arrays of texts or sequences.
            first: The first row of each lease.
            count: How many rows there are.
            lost: The places of leases that are to be read alone.
            read: Reads a lease alone.
        """
        try:
            batch, odd = _Table(self, columns, np.array(first, np.int64), count).batch()
        except (pa.ArrowException, RentBillingError, TypeError, ValueError, OverflowError):
            # Such as a text that is no Unicode.
            nothing = [pa.nulls(len(first), each.type) for each in LEASE_SCHEMA]
            batch = pa.RecordBatch.from_arrays(nothing, schema=LEASE_SCHEMA)
            odd = np.ones(len(first), np.bool_)
        odd[[*lost]] = True
        return ColumnLeases(batch, odd, read)

    def leaf(self, target: Target, pieces: Sequence[Any], odd: Mask) -> _Leaf:
        """Return a field of each row by its cells; rows whose cell is not certain are noted."""
        found = [
            self._of_texts(target, each) if isinstance(each, pa.Array) else self._of(target, each)
            for each in pieces
        ]
        odd |= np.concatenate([wrong for _, wrong in found])
        array = pa.concat_arrays([made for made, _ in found])
        return _Leaf(array, there(array))

    def _of_texts(self, target: Target, texts: Any) -> tuple[Any, Mask]:  # noqa: ANN401 - an Arrow array
        """Return the values of texts, and which are not certain; each distinct one is read once."""
        encoded = texts.dictionary_encode()
        distinct = encoded.dictionary
        if target.word in ("money", "number"):
            made, wrong = self._numbers(target, distinct)
        else:
            made, wrong = self._of(target, distinct.to_pylist())
        places = encoded.indices
        return made.take(places), wrong[places.to_numpy()]

    def _numbers(self, target: Target, texts: Any) -> tuple[Any, Mask]:  # noqa: ANN401 - an Arrow array
        """Return the numbers of texts: the usual ones at once, others one by one."""
        notation = self.reader.notation
        decimal, mark = (re.escape(each) for each in (notation.decimal, notation.thousands))
        groups = rf"[0-9]{{1,3}}(?:{mark}[0-9]{{3}}){{1,2}}|" if mark and mark.isascii() else ""
        usual = rf"^(?:{groups}[0-9]{{1,9}})(?:{decimal}[0-9]{{1,6}})?$"
        is_usual = functions.match_substring_regex(texts, usual)
        if target.is_rate and notation.rates == "percent":
            is_usual = pa.repeat(pa.scalar(value=False), len(texts))
        if target.word == "money" and not notation.thousands:
            grouped = functions.match_substring_regex(
                texts, rf"^[1-9][0-9]{{0,2}}{decimal}[0-9]{{3}}$"
            )
            is_usual = functions.and_not(is_usual, grouped)
        plain = functions.if_else(is_usual, texts, pa.scalar(None, pa.string()))
        if notation.thousands:
            plain = functions.replace_substring(plain, notation.thousands, "")
        made = functions.replace_substring(plain, notation.decimal, ".").cast(PLAIN["number"])
        others = np.flatnonzero(~true(is_usual))
        wrong = np.zeros(len(texts), np.bool_)
        if len(others):
            rest, wrong[others] = self._of(target, texts.take(pa.array(others)).to_pylist())
            made = functions.replace_with_mask(made, functions.invert(is_usual), rest)
        return made, wrong

    def _of(self, target: Target, cells: Sequence[Any]) -> tuple[Any, Mask]:
        kinds = {*map(type, cells)} - {NoneType}
        # Of several types, values are equal that are not written alike, such as 1 and True.
        is_paired = len(kinds) > 1
        key = target.word, target.is_rate, object if is_paired else next(iter(kinds), NoneType)
        values = self._values.get(key)
        if values is None or len(values) > _MOST_CELLS:
            values = _Values(target, self.reader.notation, is_paired=is_paired)
            self._values[key] = values
        given = [*zip(map(type, cells), cells, strict=True)] if is_paired else cells
        found = [*map(values.__getitem__, given)]
        wrong = np.zeros(len(found), np.bool_)
        if not values.odd.isdisjoint(given):
            wrong = np.array([each is _Odd for each in found], np.bool_)
            found = [None if each is _Odd else each for each in found]
        return pa.array(found, _type_of(target)), wrong


def _constant(target: Target, value: object) -> Any:  # noqa: ANN401 - of its kind
    """Return the value that a constant says; that of a blank one is not certain."""
    found = _Values(target, AS_WRITTEN).read(value)
    return _Odd if found is None else found


def _type_of(target: Target) -> Any:  # noqa: ANN401 - an Arrow type
    kind: Word = cast("Word", target.word)
    return PLAIN[kind]


class _Table:
    """The rows of some leases, field by field."""

    def __init__(
        self, by: ColumnReader, columns: Sequence[Sequence[Any]], first: Column, count: int
    ) -> None:
        self._by, self._first, self._count = by, first, count
        self._owner = np.repeat(np.arange(len(first)), np.diff([*first, count]))
        self._odd = np.zeros(count, np.bool_)
        self._leaves: dict[Steps, _Leaf] = {}
        self._filled: dict[Steps, Mask] = {}
        self._read_cells(columns)
        self._add_constants()
        self._add_currencies()
        for steps in [each for each in self._leaves if each[-1] == MOVED_IN]:
            self._add_opening(steps[:-1], self._leaves.pop(steps))
        self._note_contradictions()

    def batch(self) -> tuple[Any, Mask]:
        """Return the leases as a record batch, and which of them are not certain."""
        columns = [self._column(shape, (name,)) for name, shape in shape_of(LeaseTerms).parts]
        batch = pa.RecordBatch.from_arrays(columns, schema=LEASE_SCHEMA)
        return batch, np.bincount(self._owner[self._odd], minlength=len(self._first)) > 0

    def _has(self, target: Target) -> Mask:
        """Return which rows have the part of a field."""
        made_by = self._by.reader.made_by[target.part]
        if made_by is None:
            return np.ones(self._count, np.bool_)
        return reduce(or_, [self._filled[each] for each in made_by])

    def _read_cells(self, columns: Sequence[Sequence[Any]]) -> None:
        for target, place in self._by.reader.columns:
            leaf = self._by.leaf(target, columns[place], self._odd)
            if not self._by.reader.makes(target):
                leaf = leaf.only(self._has(target))
            self._leaves[target.steps] = leaf
            if target.path in self._by.reader.makers:
                known = self._filled.get(target.part)
                self._filled[target.part] = leaf.there if known is None else known | leaf.there

    def _add_constants(self) -> None:
        for target, value in self._by.constants:
            where = self._has(target)
            if value is _Odd:
                self._odd |= where
            else:
                array = pa.repeat(pa.scalar(value, _type_of(target)), self._count)
                if target.path in self._by.reader.rated:
                    rate = self._leaves[*target.steps[:-1], "tax_rate"]
                    array = functions.if_else(pa.array(rate.there), array, EXEMPT)
                ones = np.ones(self._count, np.bool_)
                self._leaves[target.steps] = _Leaf(array, ones).only(where)

    def _add_currencies(self) -> None:
        """Give amounts without a currency that of their item, or of the lease."""
        of_lease: _Leaf | None = self._leaves.get(("currency",))
        for steps in self._by.reader.amounts:
            amount = self._leaves.get((*steps, "amount"))
            own = self._leaves.get((*steps[:2], "amount", "currency"))
            if own is None:
                own = of_lease
            elif of_lease is not None and not own.there.all():
                array = functions.coalesce(own.array, of_lease.array)
                own = _Leaf(array, own.there | of_lease.there)
            if amount is not None and own is not None:
                self._leaves[*steps, "currency"] = own.only(amount.there)

    def _add_opening(self, item: Steps, moved_in: _Leaf) -> None:
        """Add the opening periods that follow from moving in (A14)."""
        leaves = self._leaves
        currency = leaves[*item, "amount", "currency"]
        amounts, lasts = self._opening_figures(item, moved_in, currency.array.to_pylist())
        where = moved_in.there
        opening_at = (*item, OPENING)
        leaves[*opening_at, "amount", "amount"] = _made(amounts, where)
        leaves[*opening_at, "amount", "currency"] = currency.only(where)
        leaves[*opening_at, "due_date"] = moved_in
        leaves[*opening_at, "accounting_period", "start"] = moved_in
        leaves[*opening_at, "accounting_period", "end"] = _made(day_column(lasts), where)
        stated = leaves.get((*item, "started_on"))
        if stated is not None:
            array = functions.coalesce(stated.array, moved_in.array)
            moved_in = _Leaf(array, stated.there | where)
        leaves[*item, "started_on"] = moved_in

    def _opening_figures(
        self, item: Steps, moved_in: _Leaf, currency: Sequence[str | None]
    ) -> tuple[Any, Column]:
        """Return the amounts of openings, and their last days."""
        cycles, days = self._cycles(item), moved_in.array.to_pylist()
        ends = self._ends(item)
        units, right = units_of(self._leaves[*item, "amount", "amount"].array)
        found = np.zeros((2, self._count), np.int64)
        given = zip(days, ends, currency, units.tolist(), right.tolist(), cycles, strict=True)
        for row, (day, end, code, price, is_right, cycle) in enumerate(given):
            if day is None:
                continue
            reversed_end = end is not None and end < day
            opening = None if reversed_end else self._by.openings.days(cycle, day, end)
            places = self._by.openings.places(code)
            if opening is None or not is_right or places > FINEST:
                self._odd[row] = True
                continue
            last, over, below = opening
            # An amount of so few digits leaves room for a whole number of 64 bits.
            line = price * over * 10**places
            whole = divide_rounded(line, below * 10**FINEST, self._by.policy.rounding)
            found[:, row] = whole * 10 ** (FINEST - places), last
        amounts = numbers_of(found[0], FINEST)
        where, own = self._priced_alone(item, moved_in, ends, found[1], currency, cycles)
        if own:
            values = pa.array(own, amounts.type)
            amounts = functions.replace_with_mask(amounts, pa.array(where), values)
        return amounts, found[1]

    def _priced_alone(
        self,
        item: Steps,
        moved_in: _Leaf,
        ends: Sequence[date | None],
        lasts: Column,
        currency: Sequence[str | None],
        cycles: Sequence[Mapping[str, Any]],
    ) -> tuple[Mask, list[Decimal | None]]:
        """Return the rows whose opening has a quantity, a discount or the like, and its amounts."""
        more = {
            steps[2:]: leaf
            for steps, leaf in self._leaves.items()
            if steps[:2] == item and steps[2] in _PRICED_ALONE
        }
        where = np.zeros(self._count, np.bool_)
        for path, leaf in more.items():
            if path[0] in {"amount_records", "quantity_records"}:
                # A record has a part in the opening if it starts there or before.
                if path[-1] == "start":
                    where |= moved_in.there & ~self._odd & (days_of(leaf.array, NEVER) <= lasts)
            else:
                where |= leaf.there & moved_in.there & ~self._odd
        prices, own = self._leaves[*item, "amount", "amount"].array, list[Decimal | None]()
        for row in np.flatnonzero(where).tolist():
            amount = Amount.unchecked(prices[row].as_py(), str(currency[row]))
            fields = {
                path: each.array[row].as_py() for path, each in more.items() if each.there[row]
            }
            day = moved_in.array[row].as_py()
            own.append(self._by.openings.price(amount, cycles[row], day, ends[row], fields))
            self._odd[row] |= own[-1] is None
        return where, own

    def _ends(self, item: Steps) -> list[date | None]:
        """Return the last day to pay for of each row, of the item or of the contract (A17)."""
        known = [
            self._leaves[steps].array
            for steps in ((*item, "ended_on"), ("contract_end",))
            if steps in self._leaves
        ]
        return functions.min_element_wise(*known).to_pylist() if known else [None] * self._count

    def _cycles(self, item: Steps) -> list[dict[str, Any]]:
        """Return the fields of the billing cycle of an item, for each row."""
        cells = {
            str(steps[3]): leaf.array.to_pylist()
            for steps, leaf in self._leaves.items()
            if steps[:3] == (*item, "billing_cycle")
        }
        rows = [*zip(*cells.values(), strict=True)]
        known = {
            values: {
                name: each for name, each in zip(cells, values, strict=True) if each is not None
            }
            for values in {*rows}
        }
        return [known[values] for values in rows]

    def _note_contradictions(self) -> None:
        """Note rows that say something else of their lease than the row before."""
        if len(self._first) == self._count:
            return
        same = self._owner[1:] == self._owner[:-1]
        for steps, (array, _) in self._leaves.items():
            if None not in steps:
                rows = array.slice(1), array.slice(0, self._count - 1)
                self._odd[1:] |= same & ~equal_rows(*rows)

    def _column(self, shape: Shape, steps: Steps) -> Any:  # noqa: ANN401 - an Arrow array
        """Return a field of the leases."""
        if any(known[:2] == (*steps, None) for known in self._leaves):
            leaf = self._built(shape.parts[0][1], (*steps, None))
            counts = np.bincount(self._owner[leaf.there], minlength=len(self._first))
            values = leaf.array.filter(pa.array(leaf.there))
            return list_column(offsets_of(counts), values, shape.arrow)
        return self._built(shape, steps).array.take(pa.array(self._first))

    def _built(self, shape: Shape, steps: Steps) -> _Leaf:
        """Return a field with everything that is inside of it, for each row."""
        known = self._leaves.get(steps)
        if known is not None:
            return known
        inside = {each[len(steps)]: None for each in self._leaves if each[: len(steps)] == steps}
        if not inside:
            return _Leaf(pa.nulls(self._count, shape.arrow), np.zeros(self._count, np.bool_))
        if shape.word == "list":
            return self._of_places(shape, steps, sorted(inside, key=lambda each: int(each or 0)))
        leaves = [self._built(part, (*steps, name)) for name, part in shape.parts]
        where: Mask = reduce(or_, [each.there for each in leaves])
        return _Leaf(struct_column(shape.arrow, (each.array for each in leaves), ~where), where)

    def _of_places(self, shape: Shape, steps: Steps, places: Sequence[Step]) -> _Leaf:
        """Return lists of the values in some places, those that each row has."""
        leaves = [self._built(shape.parts[0][1], (*steps, place)) for place in places]
        where = np.stack([each.there for each in leaves], axis=1)
        # The rows of one place after another; taken row by row.
        rows = np.arange(where.size).reshape(len(leaves), self._count).T
        values = pa.concat_arrays([each.array for each in leaves]).take(pa.array(rows[where]))
        counts = where.sum(axis=1)
        return _Leaf(list_column(offsets_of(counts), values, shape.arrow), counts > 0)


def _made(array: Any, where: Mask) -> _Leaf:  # noqa: ANN401 - an Arrow array
    return _Leaf(array, np.ones(len(where), np.bool_)).only(where)
