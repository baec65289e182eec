"""How much of a line is earned by the end of a day?

Law: what is earned by the end of the line's days is the whole line, whatever the days are cut into.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rentbilling.schedule import month_parts
from rentbilling.values import divide_rounded, month_index, month_start


class Span(NamedTuple):
    """Minor units of an amount, and the ordinals of the first and the last day that it is for."""

    units: int
    first: int
    last: int

    def earned_by(self, day: int) -> int:
        """Return what is earned by the end of a day: a running total, half up (A20, A21)."""
        if day < self.first:
            return 0
        if day >= self.last:
            return self.units
        part, whole = month_parts(self.first, day, 1), month_parts(self.first, self.last, 1)
        return divide_rounded(self.units * part, whole)

    def within(self, first: int, last: int) -> int:
        """Return what is earned on these days; days that follow each other add up."""
        return self.earned_by(last) - self.earned_by(first - 1)

    def by_month(self) -> Iterator[tuple[int, int]]:
        """Give the index of each calendar month of its days, and what is earned by its end."""
        for month in range(month_index(self.first), month_index(self.last) + 1):
            yield month, self.earned_by(month_start(month + 1) - 1)
