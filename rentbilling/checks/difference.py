"""Differences between expected and actual bills.

Law: a comparison without differences means that every figure and day of the interface is equal.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from rentbilling.checks.causes import Causes
from rentbilling.checks.finding import WithoutTruth
from rentbilling.errors import RentBillingError
from rentbilling.layout import html_table
from rentbilling.tables import Column, ResultSequence, Row, Tabular, beginning, columns, counted
from rentbilling.values import Amount, amounts_by_currency, plain_data

_OF_TOTALS: Final = ("total", "missing_bill", "extra_bill")
"""Differences that change what a tenant pays."""
_FIGURES: Final = MappingProxyType(
    {"unit_net_price": "unit price without VAT", "net_price": "net price"}
)
"""Figures of a line in short."""
_PERIOD: Final = re.compile(r" [0-9]{4}-[0-9]{2}-[0-9]{2}/[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COLUMNS: Final = (
    *columns(date="due_date", text="code path label expected actual"),
    *columns(money="by", text="currency cause number", flag="follows"),
)


class Difference(NamedTuple):
    """One figure or text in which the actual bill differs from the expected one.

    Examples:
        >>> print(Difference("total", date(2026, 2, 1), "total", "total", "125.00", "125.01"))
        2026-02-01 total: expected 125.00, actual 125.01
    """

    code: str
    """A stable code; the limits page lists all of them."""
    due_date: date
    """Due date of the expected bill; of the actual one if no bill was expected."""
    path: str
    """The field of the actual bill, or of the expected one if the actual bill lacks it."""
    label: str
    """The field in words: `net price of key:rent 2026-02-01/2026-02-28`."""
    expected: str
    actual: str
    by: Amount | None = None
    """The actual amount less the expected one."""
    cause: str | None = None
    """The reason, if it was verified by recomputing."""
    number: str | None = None
    """The number of the actual bill, or of the expected one alone, if its data have one."""

    @property
    def bill(self) -> str:
        """Which bill it is in: its due date, and its number if it has one."""
        return (
            f"{self.due_date}" if self.number is None else f"{self.due_date}, number {self.number}"
        )

    def sentence(self, names: tuple[str, str] = ("expected", "actual")) -> str:
        """Return the difference without the day, with names for the two sides.

        Examples:
            >>> found = Difference("total", date(2026, 2, 1), "total", "total", "125.00", "125.01")
            >>> found.sentence(("ours", "theirs"))
            'total: ours 125.00, theirs 125.01'
        """
        text = f"{self.label}: {names[0]} {self.expected}, {names[1]} {self.actual}"
        text += self.offset(names[1])
        return text if self.cause is None else f"{text}: {self.cause}"

    def offset(self, actual: str = "actual") -> str:
        """Return which side is higher and by how much; nothing where no amounts differ."""
        if self.by is None or not self.by.amount:
            return ""
        size = f"{self.by.amount:f}".removeprefix("-")
        return f", {actual} is {size} {'higher' if self.by.amount > 0 else 'lower'}"

    def __str__(self) -> str:
        return f"{self.bill}{'' if self.number is None else ','} {self.sentence()}"


class DifferenceGroup(NamedTuple):
    """The differences of one bill: causes, and the figures that differ because of them.

    Examples:
        >>> group = DifferenceGroup((), ())
        >>> len(group.causes), len(group.consequences)
        (0, 0)
    """

    causes: tuple[Difference, ...]
    """Differences that follow from no other one, such as a price."""
    consequences: tuple[Difference, ...]
    """Differences that follow from the causes, such as the total."""
    places: tuple[int | None, int | None] = (None, None)
    """The places of the expected and of the actual bill, None on a side without one."""

    def explained_by(self, cause: str | None) -> "DifferenceGroup":
        """Return the group with what explains the bill as the cause of the first difference."""
        first = next((each for each in self.causes if each.cause is None), None)
        if first is None or cause is None:
            return self
        known = first._replace(cause=cause)
        return self._replace(causes=tuple(known if each is first else each for each in self.causes))

    def __str__(self) -> str:
        """Return a line for each cause, and one for all that follows from them."""
        lines = [str(each) for each in self.causes]
        return "\n".join([*lines, self.following()] if self.consequences else lines)

    @property
    def without_days(self) -> tuple[object, ...]:
        """What differs, whatever the bill's days: equal in bills with the same differences."""
        return (
            *(_without_days(each) for each in self.causes),
            *((*_without_days(each)[:2], each.by) for each in self.consequences),
        )

    def following(self, actual: str = "actual") -> str:
        """Return what follows from the causes, in one line."""
        names = dict.fromkeys(_FIGURES.get(each.code, each.label) for each in self.consequences)
        last = self.consequences[-1]
        offset = last.offset(actual).removeprefix(", ")
        count = counted(len(self.consequences), "consequence")
        return f"  {count}: {', '.join(names)}{offset and f' ({offset})'}"


def _without_days(each: Difference) -> tuple[str, str, str, str, str | None]:
    return each.code, _PERIOD.sub("", each.label), each.expected, each.actual, each.cause


class Comparison(WithoutTruth, ResultSequence[Difference], Tabular):
    """The differences between actual and expected bills.

    Examples:
        >>> print(Comparison((), bills=3))
        3 bills, no difference
    """

    __slots__ = ("_bills", "_causes", "_differences", "_groups", "_pairs", "_tried")
    asked = "comparison.is_equal"

    def __init__(
        self,
        differences: Iterable[Difference],
        *,
        bills: int = 0,
        causes: Iterable[str] = (),
        groups: Iterable[DifferenceGroup] | None = None,
        tried: int = 0,
        pairs: Iterable[tuple[int | None, int | None]] = (),
    ) -> None:
        """Store the parts.

        Args:
            differences: In order of due dates, then of the bill's fields.
            bills: The number of expected bills.
            causes: Verified explanations of all differences together.
            groups: The differences by bill, causes apart from consequences; absent: each alone.
            tried: The number of conventions that were tried to find the causes.
            pairs: The places of the bills that were compared with each other.
        """
        self._differences = tuple(differences)
        self._bills = bills
        self._causes = tuple(causes)
        alone = (DifferenceGroup((each,), ()) for each in self._differences)
        self._groups = tuple(alone if groups is None else groups)
        self._tried = tried
        self._pairs = tuple(pairs)

    def explained_by(self, found: Causes, *, turned: bool) -> "Comparison":
        """Return the comparison with causes, of the actual bills or turned of the expected ones."""
        groups = [
            group.explained_by(found.of_bills.get(cast("int", group.places[not turned])))
            for group in self._groups
        ]
        known = {
            id(old): new
            for one, other in zip(self._groups, groups, strict=True)
            for old, new in zip(one.causes, other.causes, strict=True)
        }
        return Comparison(
            (known.get(id(each), each) for each in self._differences),
            bills=self._bills,
            causes=found.of_all,
            groups=groups,
            tried=self._tried + found.tried,
            pairs=self._pairs,
        )

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The differences, in order of due dates, then of the bill's fields."""
        return self._differences

    @property
    def parts(self) -> tuple[Difference, ...]:
        return self._differences

    @property
    def bills(self) -> int:
        """The number of expected bills."""
        return self._bills

    @property
    def causes(self) -> tuple[str, ...]:
        """Explanations of all differences together: policies that give the actual bills (A60)."""
        return self._causes

    @property
    def pairs(self) -> tuple[tuple[int | None, int | None], ...]:
        """The places of expected and actual bills, None on a side without a counterpart."""
        return self._pairs

    @property
    def groups(self) -> tuple[DifferenceGroup, ...]:
        """The differences by bill: causes, and the figures that follow from them."""
        return self._groups

    @property
    def folded(self) -> tuple[tuple[DifferenceGroup, str], ...]:
        """The first of all bills that differ in the same way, and which other ones do.

        A wrong price is wrong on every bill: the text is "the same in 11 more bills, 2026-02-01 to
        2026-12-01", or empty.
        """
        alike: dict[object, list[DifferenceGroup]] = {}
        for group in self._groups:
            alike.setdefault(group.without_days, []).append(group)
        return tuple((first, _again(more)) for first, *more in alike.values())

    @property
    def tried(self) -> int:
        """The number of conventions tried to find causes; 0 without `diagnose=True`."""
        return self._tried

    @property
    def is_equal(self) -> bool:
        """Whether all figures and days are as expected."""
        return not self._differences

    @property
    def columns(self) -> Sequence[Column]:
        return _COLUMNS

    def rows(self) -> list[Row]:
        """Return a row for each difference; `follows` where it follows from a cause above it."""
        return [
            _row(each, follows=follows)
            for group in self._groups
            for follows, differences in ((False, group.causes), (True, group.consequences))
            for each in differences
        ]

    @property
    def remarks(self) -> Sequence[str]:
        """How many causes there are, and what explains all of them."""
        return [self.summary, *self.explained()]

    def _repr_html_(self) -> str:
        """Return a row for each cause, and one for what follows, as a notebook shows them."""
        rows = [row for group, again in self.folded for row in _html_rows(group, again)]
        heads = [("Due date", False), ("Difference", False)]
        heads += [(name, True) for name in ("Expected", "Actual", "Change")]
        return html_table(heads, rows, note="; ".join(self.remarks))

    @property
    def summary(self) -> str:
        """The number of causes, of those that are explained, of bills and of consequences.

        Examples:
            >>> Comparison((), bills=1).summary
            '1 bill, no difference'
        """
        if not self._differences:
            return f"{counted(self._bills, 'bill')}, no difference"
        found = [each for group in self._groups for each in group.causes]
        # One change explains all differences that have it as their cause.
        own = {_without_days(each) if each.cause is None else each.cause for each in found}
        known = len({each.cause for each in found} - {None})
        bills = "" if len(own) == len(found) else f" in {counted(len(self._groups), 'bill')}"
        said = f"{counted(len(own), 'cause')}{bills}"
        said += f" ({known} explained)" if known else ""
        return f"{said}, {counted(len(self) - len(found), 'consequence')}"

    def _to_wire(self) -> Any:  # noqa: ANN401
        return plain_data(
            {"bills": self._bills, "differences": self._differences, "causes": self._causes}
        )

    def __str__(self) -> str:
        """Return a line for each cause and for what follows, then what explains all of them."""
        lines = [text for each in self.folded for text in map(str, each) if text]
        if not lines or self.is_folded:
            lines.append(self.summary)
        return "\n".join([*lines, *self.explained()])

    @property
    def is_folded(self) -> bool:
        """Whether some differences follow from other ones, or are the same in several bills."""
        return any(group.consequences or again for group, again in self.folded)

    def explained(self) -> Iterator[str]:
        """Yield what explains all differences, or that a diagnosis found nothing."""
        yield from (f"all of it: {cause}" for cause in self._causes)
        found = self._causes or any(each.cause for each in self._differences)
        if self._differences and self._tried and not found:
            yield f"no cause found among {counted(self._tried, 'convention')}"

    def __repr__(self) -> str:
        """Return the number of differences, and the first of them."""
        counts = f"{counted(self._bills, 'bill')}, {counted(len(self), 'difference')}"
        said = [(*group.causes, again.strip()) for group, again in self.folded]
        return beginning(f"Comparison {counts}", [each for one in said for each in one if each])


def _again(more: Sequence[DifferenceGroup]) -> str:
    """Return which later bills differ in the same way; nothing where none does."""
    if not more:
        return ""
    firsts = [(*group.causes, *group.consequences)[0] for group in more]
    days = [each.due_date.isoformat() for each in firsts]
    to = f" to {days[-1]}" if days[1:] else ""
    numbers = ", ".join(each.number for each in firsts if each.number is not None)
    said = f"  the same in {counted(len(days), 'more bill')}, {days[0]}{to}"
    return f"{said} (number{'s' if days[1:] else ''} {numbers})" if numbers else said


def _html_rows(group: DifferenceGroup, again: str) -> Iterator[list[str]]:
    for each in group.causes:
        label = each.label if each.cause is None else f"{each.label}: {each.cause}"
        by = "" if each.by is None else str(each.by)
        yield [each.bill, label, each.expected, each.actual, by]
    if group.consequences:
        yield ["", group.following().strip(), "", "", ""]
    if again:
        yield ["", again.strip(), "", "", ""]


def _row(each: Difference, *, follows: bool) -> Row:
    by, currency = (None, None) if each.by is None else (each.by.amount, each.by.currency)
    values = each._asdict() | {"by": by, "currency": currency, "follows": follows}
    return {column.name: values[column.name] for column in _COLUMNS}


class PortfolioComparison(WithoutTruth, ResultSequence[tuple[str, Comparison]], Tabular):
    """The comparisons of many leases, those with differences, and a summary of all.

    Examples:
        >>> run = PortfolioComparison([("lease-1", Comparison((), bills=12))])
        >>> print(run)
        1 of 1 leases equal, 12 bills
    """

    __slots__ = ("_bills", "_differing", "_leases", "_refused")
    asked = "comparison.is_equal"

    def __init__(self, comparisons: Iterable[tuple[str, Comparison | RentBillingError]]) -> None:
        """Read the comparisons one by one; equal leases are only counted.

        Args:
            comparisons: Each with the id of its lease; an error if the lease was refused.
        """
        self._leases = self._bills = 0
        differing: list[tuple[str, Comparison]] = []
        refused: list[tuple[str, RentBillingError]] = []
        for lease_id, found in comparisons:
            self._leases += 1
            if isinstance(found, RentBillingError):
                refused.append((lease_id, found))
                continue
            self._bills += found.bills
            if not found.is_equal:
                differing.append((lease_id, found))
        self._differing = tuple(differing)
        self._refused = tuple(refused)

    @property
    def parts(self) -> tuple[tuple[str, Comparison], ...]:
        """The leases with differences, each with its comparison."""
        return self._differing

    @property
    def columns(self) -> Sequence[Column]:
        return (*columns(text="lease_id"), *_COLUMNS)

    def rows(self) -> list[Row]:
        """Return a row for each difference, as `Comparison.rows`, with the id of its lease."""
        return [{"lease_id": name} | row for name, found in self._differing for row in found.rows()]

    @property
    def remarks(self) -> Sequence[str]:
        """The summary, and the leases that could not be compared."""
        return str(self).splitlines()

    @property
    def refused(self) -> tuple[tuple[str, RentBillingError], ...]:
        """The leases that could not be compared, each with the reason."""
        return self._refused

    @property
    def is_equal(self) -> bool:
        """Whether all leases were compared, and none differs."""
        return not self._differing and not self._refused

    @property
    def leases(self) -> int:
        """The number of leases."""
        return self._leases

    @property
    def bills(self) -> int:
        """The number of expected bills."""
        return self._bills

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of differences of each code, the most frequent first."""
        found = Counter(each.code for _, comparison in self._differing for each in comparison)
        return dict(found.most_common())

    @property
    def causes(self) -> Mapping[str, int]:
        """The number of leases that each cause explains, the most frequent first."""
        found = Counter(cause for _, comparison in self._differing for cause in comparison.causes)
        return dict(found.most_common())

    @property
    def totals(self) -> Mapping[str, Amount]:
        """The sum of the totals of actual bills less that of the expected ones, by currency."""
        return amounts_by_currency(self._off())

    @property
    def higher(self) -> Mapping[str, Amount]:
        """The sum of the excess of totals that are too high, by currency."""
        return amounts_by_currency(off for off in self._off() if off.amount > 0)

    @property
    def lower(self) -> Mapping[str, Amount]:
        """The sum of the shortfall of totals that are too low, by currency; above 0."""
        return amounts_by_currency(-off for off in self._off() if off.amount < 0)

    def _off(self) -> Iterator[Amount]:
        """Yield the deviation of each total that differs."""
        for _, comparison in self._differing:
            for each in comparison:
                if each.code in _OF_TOTALS and each.by is not None:
                    yield each.by

    def _to_wire(self) -> Any:  # noqa: ANN401
        differing = [{"lease_id": name, "comparison": each} for name, each in self._differing]
        refused = [{"lease_id": name, "message": str(error)} for name, error in self._refused]
        counted_ones = {"leases": self._leases, "bills": self._bills}
        return plain_data({**counted_ones, "differing": differing, "refused": refused})

    def __str__(self) -> str:
        """Return the summary, a line for each kind of difference, each cause and each refusal."""
        equal = self._leases - len(self._differing) - len(self._refused)
        lines = [f"{equal} of {self._leases} leases equal, {counted(self._bills, 'bill')}"]
        lines += [f"  {count} × {code}" for code, count in self.counts.items()]
        lines += [f"  {counted(count, 'lease')}: {cause}" for cause, count in self.causes.items()]
        for said, sums in (("high", self.higher), ("low", self.lower)):
            lines += [f"  totals too {said}: {off}" for off in sums.values()]
        for lease_id, error in self._refused:
            first, *more = str(error).splitlines()
            rest = f"; and {len(more)} more" if more else ""
            lines.append(f"  not compared: {lease_id}: {first}{rest}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return the number of leases that differ, and the first of them."""
        counts = f"{counted(self._leases, 'lease')}, {len(self)} with differences"
        if self._refused:
            counts += f", {len(self._refused)} not compared"
        return beginning(f"PortfolioComparison {counts}", [name for name, _ in self._differing])
