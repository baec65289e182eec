"""Leases by row: the rows of one lease, put together cell by cell.

Law: a value or a row that cannot be read is a problem of its lease, with row, column and value.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa

from rentbilling.billing import priced_opening
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    RentBillingError,
    UnknownWordError,
    paths_under,
    shown,
)
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.leases.csv_lines import Line, TornLine
from rentbilling.portfolio.leases.problems import UnreadLease
from rentbilling.portfolio.leases.row_rules import UnknownWord
from rentbilling.portfolio.leases.table_mapping import (
    ITEMS,
    LEASE_ID,
    MOVED_IN,
    OPENING,
    PLANS,
    Step,
    TableMapping,
    Target,
)
from rentbilling.tables import Notation, is_absent, names_totals
from rentbilling.terms import LeaseTerms, reading_context
from rentbilling.values import Period, minor_units

_EXPECTED: Final = MappingProxyType(
    {"whole": "a whole number such as 1", "money": "a number", "number": "a number"}
)
"""What a cell has that fills a part which is missing without it."""
AS_WRITTEN: Final = Notation()
"""How constants are written that are texts."""
EXEMPT: Final = "Exempt"
"""The tax mode of a row without the rate that others have (A143)."""


class RowReader:
    """What a mapping says of each row, worked out once."""

    __slots__ = (
        *("amounts", "columns", "defaults", "fixed", "id_at", "joins", "makers", "notation"),
        *("expected", "made_by", "rated", "titles"),
    )

    def __init__(self, mapping: TableMapping) -> None:
        headers = mapping.headers
        names = [*mapping.lease.values(), *mapping.item.values()]
        targets = mapping.columns
        self.columns = [
            (each, headers.index(header)) for each, header in zip(targets, names, strict=True)
        ]
        self.makers = _makers([*zip(targets, names, strict=True)])
        # What makes no part of a row is read where others have made it.
        self.columns.sort(key=lambda each: not self.makes(each[0]))
        self.titles = {each.path: each.name for each in mapping.fixed}
        self.titles |= zip((each.path for each in targets), names, strict=True)
        self.notation = mapping.notation
        known = {**_EXPECTED, "day": f"a date as {mapping.date}"}
        self.expected = {each.path: known.get(str(each.word)) for each in targets}
        self.fixed = [*zip(mapping.fixed, mapping.constants.values(), strict=True)]
        self.defaults = [*mapping.defaults]
        every = [*targets, *mapping.fixed]
        self.joins = not all(each.has_places for each in every)
        own = [at for each, at in self.columns if each.steps == LEASE_ID]
        self.id_at = own[0] if own else None
        own_parts = {each.part for each in targets if each.path in self.makers}
        parts = {each.part for each in (*every, *(each for each, _ in self.defaults))}
        self.made_by = {each: _made_by(each, own_parts, parts) for each in parts}
        rates = {each.steps[:-1]: at for each, at in self.columns if each.steps[-1] == "tax_rate"}
        self.rated = {
            each.path: rates[each.steps[:-1]]
            for each in mapping.fixed
            if each.steps[-1] == "tax_mode" and each.steps[:-1] in rates
        }
        amounts = [each.steps[:-1] for each in every if each.word == "money"]
        stated = [each.steps[:-1] for each in every if each.steps[-1] == "currency"]
        self.amounts = [each for each in amounts if each not in stated]

    def makes(self, target: Target) -> bool:
        """Return whether a row has a part because it has this field."""
        return target.part == () or target.path in self.makers

    def has(self, target: Target, filled: Collection[tuple[Step, ...]]) -> bool:
        """Return whether a row has the part of a field, of which these parts have columns."""
        made_by = self.made_by[target.part]
        return made_by is None or not made_by.isdisjoint(filled)

    def lease_ids(self, columns: Sequence[Any], count: int) -> list[str | None]:
        """Return the ids of the leases of so many rows, None for those without one."""
        if self.id_at is None:
            return [None] * count
        cells = columns[self.id_at]
        cells = cells.to_pylist() if isinstance(cells, pa.Array) else cells
        return [*map(self.lease_id, cells)]

    def starts(self, ids: Sequence[str | None], before: str | None) -> list[int]:
        """Return the rows in which a lease begins, behind a row of a lease."""
        if not self.joins:
            return [*range(len(ids))]
        pairs = zip(ids, [before, *ids], strict=False)
        return [at for at, (own, last) in enumerate(pairs) if own is None or own != last]

    def lease_id(self, cell: object) -> str | None:
        """Return the id of a lease by its cell."""
        if type(cell) is str:
            return cell.strip() or None
        if is_absent(cell):
            return None
        found = self.notation.read("text", cell)
        return found if isinstance(found, str) else _as_text(found, str)


class _Items(dict[Step, Any]):
    """The values of a list by their places."""


class _Ends(dict[Step, Any]):
    """The ends of a period."""


_KINDS: Final = MappingProxyType({"list": _Items, "period": _Ends})


class LeaseRows:
    """The rows of one lease, put together."""

    __slots__ = (
        *("_known", "_lease", "_places", "_problems", "_reader", "_unsure"),
        *("joined_by", "lease_id"),
    )

    def __init__(self, lease_id: str | None, reader: RowReader) -> None:
        self.lease_id = lease_id
        # The id by which other rows are its own; None where a row is a lease.
        self.joined_by = lease_id if reader.joins else None
        self._reader = reader
        self._lease: dict[Step, Any] = {}
        self._problems: list[Problem] = []
        self._places: list[str] = []
        self._known: dict[str, str] = {}
        # Amounts that may have thousands apart: where, with what is around them, and as written.
        self._unsure: list[tuple[str, dict[Step, Any], str]] = []

    def add(self, line: Line) -> None:
        """Add a row."""
        reader, at = self._reader, len(self._places)
        self._places.append(line.place)
        self._refuse_again(line)
        filled: set[tuple[Step, ...]] = set()
        for target, place in reader.columns:
            cell, makes = line.cells[place], reader.makes(target)
            if not _is_blank(cell) and (makes or reader.has(target, filled)):
                self._put(target, cell, at, reader.notation)
                if makes:
                    filled.add(target.part)
        self._refuse_blank(line, filled, at)
        for target, value in reader.fixed:
            if reader.has(target, filled):
                rate = reader.rated.get(target.path)
                is_exempt = rate is not None and is_absent(line.cells[rate])
                self._put(target, EXEMPT if is_exempt else value, at, AS_WRITTEN)
        for target, value in reader.defaults:
            if reader.has(target, filled):
                self._put(target, value, at, AS_WRITTEN)
        self._add_currencies(at)

    def _refuse_blank(self, line: Line, filled: Collection[tuple[Step, ...]], at: int) -> None:
        """Note blank cells that need a meaning, of the parts that the row has."""
        columns = self._reader.columns
        amounts = [line.cells[place] for target, place in columns if target.word == "money"]
        if amounts and all(map(_is_blank, amounts)):
            # Such as a vacant unit: its amount is missing first.
            return
        for target, place in columns:
            cell = line.cells[place]
            has_part = target.part == () or target.part in filled
            if has_part and isinstance(cell, UnknownWord) and not cell.text:
                self.refuse(cell.problem(self._named(target, at)))

    def _refuse_again(self, line: Line) -> None:
        """Note a row that is the same as one before it (A141)."""
        cells = [each.strip() if isinstance(each, str) else each for each in line.cells]
        first = self._known.setdefault(repr([*map(_as_text, cells)]), line.place)
        if first != line.place:
            said = f"is the same as {first}, and would be billed twice"
            expected = "each row once; of two alike a quantity, or a mapped column that differs"
            met = shown(self.lease_id)
            self.refuse(Problem(line.place, "duplicate_row", said, met, expected))

    def _put(self, target: Target, cell: Any, at: int, notation: Notation) -> None:  # noqa: ANN401
        """Write what a cell says into the lease, or note what is wrong with it."""
        if isinstance(cell, UnknownWord):
            self.refuse(cell.problem(self._named(target, at)))
            return
        try:
            value = notation.read(str(target.word), cell, is_rate=target.is_rate)
        except InvalidInputError as error:
            self._problems += (each.under(self._named(target, at)) for each in error.problems)
            return
        is_fraction = target.is_rate and notation.rates == "fraction" and notation is not AS_WRITTEN
        if is_fraction and isinstance(value, Decimal) and value > 1:
            expected = 'a fraction such as 0.25, or 25 %; rates = "percent" reads this one'
            met = Problem(
                self._named(target, at), "out_of_range", "is above 1", shown(cell), expected
            )
            self.refuse(met)
            return
        *before, last = (at if step is None else step for step in target.steps)
        place = self._lease
        for step, kind in zip(before, target.kinds, strict=False):
            place = place.setdefault(step, _KINDS.get(kind, dict)())
        is_cell = notation is not AS_WRITTEN
        if is_cell and target.word == "money" and notation.may_be_thousands(cell):
            self._unsure.append((self._named(target, at), place, cell))
        known = place.setdefault(last, value)
        if known != value:
            said, expected = "is said otherwise by another row of the lease", shown(known)
            where = self._named(target, at)
            self._problems.append(Problem(where, "contradiction", said, shown(value), expected))

    def _add_currencies(self, at: int) -> None:
        """Give amounts without a currency that of their item, or of the lease."""
        for steps in self._reader.amounts:
            item = self._lease.get(steps[0], {}).get(at if steps[1] is None else steps[1], {})
            own = item.get("amount", {}).get("currency", self._lease.get("currency"))
            place: Any = self._lease
            for step in steps:
                place = place.get(at if step is None else step, {})
            if place and own is not None:
                place.setdefault("currency", own)

    def _named(self, target: Target, at: int) -> str:
        """Return where a value is: the row and the column, or the constant."""
        return f"{self._places[at]}, {self._reader.titles.get(target.path, target.name)}"

    def refuse(self, problem: Problem) -> None:
        """Note a problem, because of which the lease is not billed."""
        self._problems.append(problem)

    def read(self, policy: BillingPolicy) -> LeaseTerms | UnreadLease:
        """Return the lease, or its refusal."""
        if self.lease_id is None and self._reader.id_at is not None and self._places:
            header = self._reader.titles["lease_id"]
            where = f"{self._places[0]}, {header}"
            expected = (
                "the id of its lease in each row; where such rows are none, such as totals,"
                f' skip = {{ "{header}" = [""] }} in [rows]; where they go on the row above,'
                f' fill_down = ["{header}"]'
            )
            self.refuse(Problem(where, "missing", "is required", "nothing", expected))
        if names_totals(self.lease_id) and self._places:
            header, said = self._reader.titles["lease_id"], "names a row of totals, and no lease"
            entry = f'skip = {{ "{header}" = ["{self.lease_id}"] }} in [rows]'
            where, met = f"{self._places[0]}, {header}", shown(self.lease_id)
            self.refuse(Problem(where, "total_row", said, met, f"the id of a lease, or {entry}"))
        self._refuse_thousands(policy)
        if self._problems:
            return UnreadLease(self.lease_id, InvalidRecordError(self._problems))
        try:
            return self._terms(policy)
        except InvalidInputError as error:
            found = dict.fromkeys(self._translated(error.problems))
            return UnreadLease(self.lease_id, type(error)(found))
        except RentBillingError as error:
            return UnreadLease(self.lease_id, error)

    def _refuse_thousands(self, policy: BillingPolicy) -> None:
        for where, around, cell in self._unsure:
            try:
                places = minor_units(str(around.get("currency")), policy.currencies)
                self._reader.notation.refuse_thousands(cell, places)
            except UnknownWordError:
                continue  # The lease is refused for its currency.
            except InvalidRecordError as error:
                self._problems += (each.under(where) for each in error.problems)

    def _terms(self, policy: BillingPolicy) -> LeaseTerms:
        """Return the lease, with the opening periods that follow from moving in (A14)."""
        moved_in: dict[int, date] = {}
        items = self._lease.get(ITEMS, {})
        for at, (place, item) in enumerate(sorted(items.items(), key=_place)):
            if MOVED_IN in item:
                moved_in[at] = day = item[MOVED_IN]
                own = item.get("amount", {}).get("currency")
                items[place] = {**_until_known(day, own), **item}
                del items[place][MOVED_IN]
        lease = LeaseTerms.model_validate(_plain(self._lease), context=reading_context(policy))
        if not moved_in:
            return lease
        made = [*lease.recurring_bill_items]
        for at, day in moved_in.items():
            item = made[at]
            # Of a contract that ended before, billing has a notice (A158).
            own, contract = item.ended_on, lease.contract_end
            ends = [contract] if contract is not None and contract >= day else []
            ends += [] if own is None else [own]
            with paths_under(f"{ITEMS}[{at}]"):
                opening = priced_opening(item, day.toordinal(), min(ends, default=None), policy)
            made[at] = item.evolve(first_billing_period_bill_item=opening)
        return lease.evolve(recurring_bill_items=tuple(made))

    def _translated(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Give problems of the lease with row and column in place of their paths."""
        titles, places = self._reader.titles, sorted(self._lease.get(ITEMS, {}))
        for each in problems:
            path = _UPPER.sub(r"_\1", each.path).lower()
            found = _OF_ITEM.fullmatch(path)
            row, name, item = 0, path, ITEMS
            if found is not None:
                place = places[int(found[1])]
                row, item = (place, ITEMS) if self._reader.joins else (0, f"{ITEMS}[{place}]")
                name = f"{item}{found[2]}"
            moved_in = titles.get(f"{item}.{MOVED_IN}")
            following = f"{item}.{OPENING}", f"{item}.started_on"
            if moved_in is not None and name not in titles and name.startswith(following):
                # What follows from the day of moving in is wrong only where that is not there.
                if each.code == "missing" and name in following:
                    expected = f"the first day to pay for, as {self._reader.notation.date}"
                    where = f"{self._places[row]}, {moved_in}"
                    yield Problem(where, "missing", "is required", "nothing", expected)
                continue
            inside = (known for known in titles if f"{known}.".startswith(f"{name}."))
            own = next(inside, "")
            where = f"{self._places[row]}, {titles.get(own, each.path)}"
            is_part = each.code == "missing" and own != name
            cell = self._reader.expected.get(own) if is_part else None
            yield each._replace(path=where, expected=cell or each.expected)


_UPPER: Final = re.compile("([A-Z])")
_OF_ITEM: Final = re.compile(rf"{ITEMS}\[([0-9]+)\](.*)")


def _makers(columns: Sequence[tuple[Target, str]]) -> set[str]:
    """Return the fields that make an optional part of a row, by their paths.

    In a part of which a column has an amount, a quantity or a percentage, a currency makes none,
    nor a column that also says something outside of the part, unless it is an amount. The day on
    which a lease begins makes none at all.
    """
    optional = [
        (each, header)
        for each, header in columns
        if each.part and not (each.has_places and each.steps[-1] == MOVED_IN)
    ]
    valued = {each.part for each, _ in optional if _has_value(each)}
    own = {
        each.path: each.part
        for each, header in optional
        if each.word == "money"
        or not (each.steps[-1] == "currency" or _is_shared(each, header, columns))
    }
    sure = valued & {*own.values()}
    return {each.path for each, _ in optional if each.part not in sure or each.path in own}


def _made_by(
    part: tuple[Step, ...], own: Collection[tuple[Step, ...]], parts: Collection[tuple[Step, ...]]
) -> set[tuple[Step, ...]] | None:
    """Return the parts of which one makes a part of a row, None where each row has it.

    Those with columns of their own make themselves. A plan of constants is made by what columns
    make in it, because without a rule it adjusts nothing.
    """
    if part in own:
        return {part}
    inside = [each for each in parts if len(each) > len(part) and each[: len(part)] == part]
    if part[:1] != (PLANS,) or not inside:
        return None
    found = [_made_by(each, own, parts) for each in inside]
    return {one for each in found for one in each or ()} if None not in found else None


def _has_value(target: Target) -> bool:
    return target.word in ("money", "number") and target.steps[-1] != "tax_rate"


def _is_shared(target: Target, header: str, columns: Iterable[tuple[Target, str]]) -> bool:
    """Return whether a column also says something outside of the part that a field is in."""
    inside = len(target.part)
    return any(header == other and each.steps[:inside] != target.part for each, other in columns)


def _as_text(cell: object, form: Callable[[object], str] = repr) -> str:
    """Return a cell as a text; a number may be too long for one."""
    try:
        return form(cell)
    except ValueError:
        return shown(cell)


def _until_known(day: date, currency: object) -> dict[Step, Any]:
    """Return the fields that follow from moving in; the opening period is replaced later."""
    there = Period(day, day)
    amount = {"amount": 0, "currency": currency}
    opening = {"amount": amount, "due_date": day, "accounting_period": there}
    return {"started_on": day, OPENING: opening}


def placed(
    torn: Sequence[TornLine],
    before: LeaseRows | None,
    after: LeaseRows | None,
    reader: RowReader,
) -> list[LeaseRows]:
    """Give lines that cannot be read to the leases before and after; return those of neither."""
    id_at = reader.id_at
    nearby = [each for each in (before, after) if each is not None]
    alone: list[LeaseRows] = []
    for line in torn:
        own_id = None if id_at is None else line.texts[id_at] or None
        own = [each for each in nearby if own_id is not None and each.joined_by == own_id]
        if own:
            own[0].refuse(line.problem)
            continue
        # A field that is missing or one too many moves those after it, and none before.
        sure = own_id if id_at is not None and line.first == id_at else None
        if not alone or sure is None or alone[-1].joined_by != sure:
            alone.append(LeaseRows(sure, reader))
        alone[-1].refuse(line.problem)
        # One field alone, of a column that has none of a lease, is no row of those nearby.
        says_nothing = line.is_one_field and line.first not in [at for _, at in reader.columns]
        if sure is None and not says_nothing:
            for each in {id(each): each for each in nearby if each.joined_by}.values():
                each.refuse(_perhaps_its_own(line))
    return alone


def _perhaps_its_own(line: TornLine) -> Problem:
    """Return the problem of a lease next to a line that may belong to it."""
    said = f"may go on in {line.place}, which cannot be read and does not name its lease"
    return Problem("", "may_be_incomplete", said, line.problem.met, "a line that can be read")


def _is_blank(cell: object) -> bool:
    return is_absent(cell) or (isinstance(cell, UnknownWord) and not cell.text)


def _place(item: tuple[Step, Any]) -> int:
    return int(item[0] or 0)


def _plain(value: Any) -> Any:  # noqa: ANN401 - part of a payload
    """Return part of a payload as records read it."""
    if isinstance(value, _Items):
        return [_plain(each) for _, each in sorted(value.items(), key=_place)]
    if isinstance(value, _Ends):
        text = f"{value.get('start', '')}/{value.get('end', '')}"
        try:
            return Period.parse_days(text)
        except InvalidInputError:
            return text
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value
