"""Table leases: the rows of a flat table as leases, by a mapping from columns to fields.

Laws: a value or a row that cannot be read is a problem of its lease, with row, column and value; no
lease is billed of which a row may be missing, and none twice.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import compress, islice
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

from rentbilling.billing import first_billing_period
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    RentBillingError,
    shown,
)
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.leases.csv_lines import Line, TornLine, csv_lines
from rentbilling.portfolio.leases.ids import LeaseIds
from rentbilling.portfolio.leases.problems import UnreadLease
from rentbilling.portfolio.leases.table_mapping import (
    ITEMS,
    LEASE_ID,
    MOVED_IN,
    OPENING,
    Step,
    TableMapping,
    Target,
)
from rentbilling.portfolio.leases.table_rows import lines_of, refuse_other_file, rows_of
from rentbilling.tables import Notation, is_absent
from rentbilling.terms import LeaseTerms, reading_context
from rentbilling.values import Period

_AT_ONCE: Final = 4096
"""Leases whose ids are looked up together."""
_PLAIN: Final = Notation()
"""How constants are written that are texts."""


@dataclass(frozen=True)
class TableLeases:
    """The leases of a flat table; made by `TableMapping.leases`.

    A row with too few or too many fields, in CSV, is the problem of the lease whose id it has: as
    its first field, or in its place where the row before or after has the same. Where the id is not
    certain, the row is a problem of its own, and so are the leases before and after, of which it
    may be a part.
    """

    source: Any = field(repr=False)
    """The path of a CSV file, a data frame, an Arrow table, or a tuple of dicts by column."""
    mapping: TableMapping
    """Which columns have which fields."""

    @classmethod
    def of(cls, source: Any, mapping: TableMapping) -> Self:  # noqa: ANN401 - whatever holds rows
        """Return the leases of a table; columns of a file are looked for when it is read.

        Raises:
            InvalidRecordError: It is no table, or a column is missing.
        """
        if isinstance(source, (str, PathLike)):
            refuse_other_file(Path(source))
            return cls(source, mapping)
        rows = rows_of(source)
        next(lines_of(rows, mapping.headers), None)
        return cls(rows, mapping)

    def __iter__(self) -> Iterator[LeaseTerms]:
        """Give the leases.

        Raises:
            RentBillingError: A lease cannot be read; with all of its problems.
        """
        for batch in self.batches(_AT_ONCE):
            for lease in batch:
                if isinstance(lease, UnreadLease):
                    raise lease.error
                yield lease

    def batches(
        self, batch_size: int, policy: BillingPolicy | None = None
    ) -> Iterator[list[LeaseTerms | UnreadLease]]:
        """Give the leases of the table in lists.

        Args:
            batch_size: Leases of a list at most.
            policy: The billing policy, which opening periods follow (A14).

        Yields:
            Leases, or the refusals of those whose rows cannot be read, contradict each other, or do
            not follow each other.

        Raises:
            InvalidRecordError: The file is no CSV with these columns, see `csv_lines`.
            OSError: There is no such file.
        """
        rules = policy_of(policy)
        scattered = self._scattered()
        leases = self._leases()
        while group := list(islice(leases, batch_size)):
            yield [each.read(rules, is_scattered=each.joined_by in scattered) for each in group]

    def _scattered(self) -> set[str | None]:
        """Return the ids of leases whose rows are not together.

        The table is gone through for them first: billed as far as it was read, a lease would lack
        what comes later.
        """
        seen = LeaseIds()
        scattered: set[str | None] = set()
        leases = self._leases(ids_alone=True)
        while ids := [each.joined_by for each in islice(leases, _AT_ONCE)]:
            scattered.update(compress(ids, seen.again(ids)))
        return scattered

    def _rows(self) -> Iterator[Line | TornLine]:
        """Give the rows, from the first one."""
        mapping = self.mapping
        if not isinstance(self.source, (str, PathLike)):
            return lines_of(self.source, mapping.headers)
        path = Path(self.source)
        if path.exists() and not (path.is_file() or path.is_dir()):
            said, expected = "cannot be gone through twice", "a file, not a pipe or device"
            raise InvalidRecordError.of("source", "not_a_source", said, str(path), expected)
        return csv_lines(
            path, mapping.headers, delimiter=mapping.delimiter, encoding=mapping.encoding
        )

    def _leases(self, *, ids_alone: bool = False) -> Iterator["_Rows"]:
        """Give the rows of lease after lease, or only whose they are."""
        reader = _Reader(self.mapping)
        lease: _Rows | None = None
        torn: list[TornLine] = []
        for line in self._rows():
            if isinstance(line, TornLine):
                torn.append(line)
                continue
            lease_id = reader.lease_id(line)
            goes_on = reader.joins and lease_id is not None
            if lease is not None and goes_on and lease_id == lease.lease_id:
                following = lease
            else:
                following = _Rows(lease_id, reader)
            alone = _placed(torn, lease, following, reader) if torn else ()
            torn = []
            if lease is not None and following is not lease:
                yield lease
            yield from alone
            lease = following
            if not ids_alone:
                lease.add(line)
        alone = _placed(torn, lease, None, reader)
        if lease is not None:
            yield lease
        yield from alone


class _Reader:
    """What a mapping says of each row, worked out once."""

    __slots__ = (
        *("amounts", "columns", "defaults", "fixed", "id_at", "joins", "notation", "parts"),
        "titles",
    )

    def __init__(self, mapping: TableMapping) -> None:
        headers = mapping.headers
        names = [*mapping.lease.values(), *mapping.item.values()]
        targets = mapping.columns
        self.columns = [
            (each, headers.index(header)) for each, header in zip(targets, names, strict=True)
        ]
        # An item of a place is there by its other columns: a lease has one day for all of them.
        self.columns.sort(key=lambda each: _is_start_of_place(each[0]))
        self.titles = {each.path: each.name for each in mapping.fixed}
        self.titles |= zip((each.path for each in targets), names, strict=True)
        self.notation = mapping.notation
        self.fixed = [*zip(mapping.fixed, mapping.constants.values(), strict=True)]
        self.defaults = [*mapping.defaults]
        every = [*targets, *mapping.fixed]
        self.joins = not all(each.has_places for each in every)
        own = [at for each, at in self.columns if each.steps == LEASE_ID]
        self.id_at = own[0] if own else None
        self.parts = {each.part for each in targets if not _is_start_of_place(each)} - {()}
        amounts = [each.steps[:-1] for each in every if each.word == "money"]
        stated = [each.steps[:-1] for each in every if each.steps[-1] == "currency"]
        self.amounts = [each for each in amounts if each[:1] == (ITEMS,) and each not in stated]

    def has(self, target: Target, filled: Collection[tuple[Step, ...]]) -> bool:
        """Return whether a row has the part of a field, of which these parts have columns."""
        return target.part in filled or target.part not in self.parts

    def lease_id(self, line: Line) -> str | None:
        """Return the id of a row's lease, None where it has none."""
        cell = None if self.id_at is None else line.cells[self.id_at]
        if is_absent(cell):
            return None
        found = self.notation.read("text", cell)
        return found if isinstance(found, str) else str(found)


class _Items(dict[Step, Any]):
    """The values of a list by their places."""


class _Ends(dict[Step, Any]):
    """The ends of a period."""


_KINDS: Final = MappingProxyType({"list": _Items, "period": _Ends})


class _Rows:
    """The rows of one lease, put together."""

    __slots__ = ("_lease", "_places", "_problems", "_reader", "joined_by", "lease_id")

    def __init__(self, lease_id: str | None, reader: _Reader) -> None:
        self.lease_id = lease_id
        # The id by which other rows are its own; None where a row is a lease.
        self.joined_by = lease_id if reader.joins else None
        self._reader = reader
        self._lease: dict[Step, Any] = {}
        self._problems: list[Problem] = []
        self._places: list[str] = []

    def add(self, line: Line) -> None:
        """Add a row."""
        reader, at = self._reader, len(self._places)
        self._places.append(line.place)
        filled: set[tuple[Step, ...]] = set()
        for target, place in reader.columns:
            cell = line.cells[place]
            is_there = not _is_start_of_place(target) or reader.has(target, filled)
            if is_there and not is_absent(cell):
                self._put(target, cell, at, reader.notation)
                filled.add(target.part)
        for target, value in reader.fixed:
            if reader.has(target, filled):
                self._put(target, value, at, _PLAIN)
        for target, value in reader.defaults:
            if reader.has(target, filled):
                self._put(target, value, at, _PLAIN)
        self._add_currencies(at)

    def _put(self, target: Target, cell: Any, at: int, notation: Notation) -> None:  # noqa: ANN401
        """Write what a cell says into the lease, or note what is wrong with it."""
        try:
            value = notation.read(str(target.word), cell, is_rate=target.is_rate)
        except InvalidInputError as error:
            self._problems += (each.under(self._named(target, at)) for each in error.problems)
            return
        *before, last = (at if step is None else step for step in target.steps)
        place = self._lease
        for step, kind in zip(before, target.kinds, strict=False):
            place = place.setdefault(step, _KINDS.get(kind, dict)())
        known = place.setdefault(last, value)
        if known != value:
            said, expected = "is said otherwise by another row of the lease", shown(known)
            where = self._named(target, at)
            self._problems.append(Problem(where, "contradiction", said, shown(value), expected))

    def _add_currencies(self, at: int) -> None:
        """Give amounts without a currency that of their item, or of the lease."""
        items = self._lease.get(ITEMS, {})
        for steps in self._reader.amounts:
            item = items.get(at if steps[1] is None else steps[1], {})
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

    def read(self, policy: BillingPolicy, *, is_scattered: bool) -> LeaseTerms | UnreadLease:
        """Return the lease, or its refusal, also of one of which this is a part."""
        if is_scattered:
            said = "is in several places of the table, and would be billed in parts"
            expected = "rows of a lease that follow each other: sort the table by it"
            self.refuse(Problem("lease_id", "duplicate_id", said, shown(self.lease_id), expected))
        if self._problems:
            return UnreadLease(self.lease_id, InvalidRecordError(self._problems))
        try:
            return self._terms(policy)
        except InvalidInputError as error:
            found = dict.fromkeys(self._translated(error.problems))
            return UnreadLease(self.lease_id, type(error)(found))
        except RentBillingError as error:
            return UnreadLease(self.lease_id, error)

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
            made[at] = item.evolve(
                first_billing_period_bill_item=first_billing_period(
                    item.amount,
                    item.billing_cycle,
                    day,
                    quantity=item.quantity,
                    discounts=item.all_discounts,
                    price_per=item.price_per,
                    part_period=item.part_period,
                    policy=policy,
                )
            )
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
            inside = (
                title for known, title in titles.items() if f"{known}.".startswith(f"{name}.")
            )
            yield each._replace(path=f"{self._places[row]}, {next(inside, each.path)}")


_UPPER: Final = re.compile("([A-Z])")
_OF_ITEM: Final = re.compile(rf"{ITEMS}\[([0-9]+)\](.*)")


def _is_start_of_place(target: Target) -> bool:
    return target.has_places and target.steps[-1] == MOVED_IN


def _until_known(day: date, currency: object) -> dict[Step, Any]:
    """Return the fields that follow from moving in; the opening period is replaced later."""
    there = Period(day, day)
    amount = {"amount": 0, "currency": currency}
    opening = {"amount": amount, "due_date": day, "accounting_period": there}
    return {"started_on": day, OPENING: opening}


def _placed(
    torn: Sequence[TornLine],
    before: _Rows | None,
    after: _Rows | None,
    reader: _Reader,
) -> list[_Rows]:
    """Give lines that cannot be read to the leases before and after; return those of neither."""
    id_at = reader.id_at
    nearby = [each for each in (before, after) if each is not None]
    alone: list[_Rows] = []
    for line in torn:
        own_id = None if id_at is None else line.texts[id_at] or None
        own = [each for each in nearby if own_id is not None and each.joined_by == own_id]
        if own:
            own[0].refuse(line.problem)
            continue
        # A field that is missing or one too many moves those after it, and none before.
        sure = own_id if id_at is not None and line.first == id_at else None
        if not alone or sure is None or alone[-1].joined_by != sure:
            alone.append(_Rows(sure, reader))
        alone[-1].refuse(line.problem)
        if sure is None:
            for each in {id(each): each for each in nearby if each.joined_by}.values():
                each.refuse(_perhaps_its_own(line))
    return alone


def _perhaps_its_own(line: TornLine) -> Problem:
    """Return the problem of a lease next to a line that may belong to it."""
    said = f"may go on in {line.place}, which cannot be read and does not name its lease"
    return Problem("", "may_be_incomplete", said, line.problem.met, "a line that can be read")


def _place(item: tuple[Step, Any]) -> int:
    return int(item[0] or 0)


def _plain(value: Any) -> Any:  # noqa: ANN401 - part of a payload
    """Return part of a payload as records read it."""
    if isinstance(value, _Items):
        return [_plain(each) for _, each in sorted(value.items(), key=_place)]
    if isinstance(value, _Ends):
        text = f"{value.get('start', '')}/{value.get('end', '')}"
        try:
            return Period.parse(text)
        except InvalidInputError:
            return text
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value
