"""Differences: what two bills for the same thing say otherwise, in words of the field.

Law: a comparison without differences means that every figure and day of the interface is equal.
What does not live here: how bills and lines are matched (`comparisons`), why they differ
(`diagnoses`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final, NamedTuple

from rentbilling.answers import Answer
from rentbilling.money import Amount

_OF_TOTALS: Final = ("total", "missing_bill", "extra_bill")
"""Differences that change what a tenant pays."""


class Difference(NamedTuple):
    """One thing that the actual bill says otherwise than the expected one.

    Examples:
        >>> print(Difference("total", date(2026, 2, 1), "total", "total", "125.00", "125.01"))
        2026-02-01 total: expected 125.00, actual 125.01
    """

    code: str
    """What it is, as a stable word; the limits page lists all of them."""
    due_date: date
    """Due date of the expected bill, of the actual one where none was expected."""
    path: str
    """The field of the actual bill, of the expected one where that has none."""
    label: str
    """The field in words: `net price of key:rent 2026-02-01/2026-02-28`."""
    expected: str
    actual: str
    by: Amount | None = None
    """By how much the actual amount is higher; below 0 where it is lower."""
    cause: str | None = None
    """Why, where recomputing proves it."""

    def sentence(self, names: tuple[str, str] = ("expected", "actual")) -> str:
        """Return all of it but the day, with the names of the two sides.

        Examples:
            >>> found = Difference("total", date(2026, 2, 1), "total", "total", "125.00", "125.01")
            >>> found.sentence(("ours", "theirs"))
            'total: ours 125.00, theirs 125.01'
        """
        text = f"{self.label}: {names[0]} {self.expected}, {names[1]} {self.actual}"
        if self.by is not None:
            size = f"{self.by.amount:f}".removeprefix("-")
            text += f", {size} {'higher' if self.by.amount > 0 else 'lower'}"
        return text if self.cause is None else f"{text}: {self.cause}"

    def __str__(self) -> str:
        """Return all of it in one line."""
        return f"{self.due_date} {self.sentence()}"


class Comparison(Answer[Difference]):
    """What actual bills say otherwise than the expected ones.

    Examples:
        >>> print(Comparison((), bills=3))
        3 bills, no difference
    """

    __slots__ = ("_bills", "_causes", "_differences")

    def __init__(
        self, differences: Iterable[Difference], *, bills: int = 0, causes: Iterable[str] = ()
    ) -> None:
        """Keep the parts.

        Args:
            differences: In order of due dates, then of the bill's fields.
            bills: How many bills were expected.
            causes: What explains all differences at once, where it was proven.
        """
        self._differences = tuple(differences)
        self._bills = bills
        self._causes = tuple(causes)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The differences, in order of due dates, then of the bill's fields."""
        return self._differences

    @property
    def parts(self) -> tuple[Difference, ...]:
        """The differences, as what the answer consists of."""
        return self._differences

    @property
    def bills(self) -> int:
        """How many bills were expected."""
        return self._bills

    @property
    def causes(self) -> tuple[str, ...]:
        """What explains all differences at once: policies that give the actual bills (A60)."""
        return self._causes

    @property
    def is_equal(self) -> bool:
        """Whether every figure and day is as expected."""
        return not self._differences

    def __str__(self) -> str:
        """Return one difference a line, and what explains all of them."""
        count = f"{self._bills} bill" + ("" if self._bills == 1 else "s")
        if not self._differences:
            return f"{count}, no difference"
        lines = [str(each) for each in self._differences]
        lines += [f"all of it: {cause}" for cause in self._causes]
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        return f"<Comparison {self._bills} bills, {len(self)} differences>"


class PortfolioComparison(Answer[tuple[str, Comparison]]):
    """The comparisons of many leases, those with differences, and a summary of all.

    Examples:
        >>> run = PortfolioComparison([("lease-1", Comparison((), bills=12))])
        >>> print(run)
        1 of 1 leases equal, 12 bills
    """

    __slots__ = ("_bills", "_differing", "_leases")

    def __init__(self, comparisons: Iterable[tuple[str, Comparison]]) -> None:
        """Take in the comparisons, one by one; of equal leases only the count is kept.

        Args:
            comparisons: Each with the id of its lease.
        """
        self._leases = self._bills = 0
        differing: list[tuple[str, Comparison]] = []
        for lease_id, comparison in comparisons:
            self._leases += 1
            self._bills += comparison.bills
            if not comparison.is_equal:
                differing.append((lease_id, comparison))
        self._differing = tuple(differing)

    @property
    def parts(self) -> tuple[tuple[str, Comparison], ...]:
        """The leases with differences, each with its comparison."""
        return self._differing

    @property
    def leases(self) -> int:
        """How many leases were compared."""
        return self._leases

    @property
    def bills(self) -> int:
        """How many bills were expected."""
        return self._bills

    @property
    def counts(self) -> Mapping[str, int]:
        """How many differences there are of each code, the most frequent first."""
        found = Counter(each.code for _, comparison in self._differing for each in comparison)
        return dict(found.most_common())

    @property
    def causes(self) -> Mapping[str, int]:
        """How many leases each cause explains, the most frequent first."""
        found = Counter(cause for _, comparison in self._differing for cause in comparison.causes)
        return dict(found.most_common())

    @property
    def totals(self) -> Mapping[str, Amount]:
        """By how much the totals of actual bills are higher, by currency."""
        sums: dict[str, Amount] = {}
        for _, comparison in self._differing:
            for each in comparison:
                if each.code in _OF_TOTALS and each.by is not None:
                    so_far = sums.get(each.by.currency)
                    sums[each.by.currency] = each.by if so_far is None else so_far + each.by
        return sums

    def __str__(self) -> str:
        """Return the summary, a line for each kind of difference and each cause."""
        equal = self._leases - len(self._differing)
        lines = [f"{equal} of {self._leases} leases equal, {self._bills} bills"]
        lines += [f"  {count} × {code}" for code, count in self.counts.items()]
        for cause, count in self.causes.items():
            lines.append(f"  {count} lease{'' if count == 1 else 's'}: {cause}")
        lines += [f"  totals off by {off}" for off in self.totals.values()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        return f"<PortfolioComparison {self._leases} leases, {len(self)} with differences>"
