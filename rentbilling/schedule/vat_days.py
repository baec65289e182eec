"""The day that decides the VAT of a period (A67).

Law: with a `vat_day` other than `split` a new rate never splits a period. A new tax mode does,
unless changes wait for the next period (A19); then the mode of the first day holds.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rentbilling.policy import BillingPolicy
from rentbilling.values import Vat


class _Stretch(NamedTuple):
    """Days in a row of a billed period with one VAT."""

    first: int
    last: int
    vat: Vat

    @property
    def mode(self) -> str:
        return self.vat.tax_mode

    def nearest(self, day: int) -> int:
        return max(self.first, min(day, self.last))


class VatDays:
    """The dated VATs of an item, and those that the lines of a period have."""

    __slots__ = ("_days", "_policy", "_vats")

    def __init__(self, days: Sequence[int], vats: Sequence[Vat], policy: BillingPolicy) -> None:
        self._days, self._vats = days, vats
        self._policy = policy

    def on(self, day: int) -> Vat:
        """Return the VAT in force on a day (A18)."""
        return self._vats[bisect_right(self._days, day) - 1]

    def of_opening(self, first: int, last: int, due: int) -> Vat:
        """Return the VAT of an opening period, which is never split."""
        return self.on({"period_end": last, "due_date": due}.get(self._policy.vat_day, first))

    def deciding_day(self, first: int, last: int, due: int, day: int) -> int:
        """Return the day whose VAT a day of a billed period has."""
        return next(each for _, end, each in self._sides(first, last, due) if day <= end)

    def starts(self, first: int, last: int, due: int) -> dict[int, Vat]:
        """Return the first days of the parts that VAT makes of a billed period, and their VAT."""
        found: dict[int, Vat] = {}
        old: Vat | None = None
        for start, _, deciding in self._sides(first, last, due):
            new = self.on(deciding)
            if old is None or new.category != old.category:
                found[start] = old = new
        return found

    def _sides(self, first: int, last: int, due: int) -> Iterator[tuple[int, int, int]]:
        """Give first and last day of each side of a billed period, and the day that decides it."""
        word, waits = self._policy.vat_day, self._policy.mid_period_change == "next_period"
        inside = [day for day in self._days if first < day <= last]
        starts, ends = (first, *inside), (*(day - 1 for day in inside), last)
        stretches = [
            _Stretch(start, end, self.on(start)) for start, end in zip(starts, ends, strict=True)
        ]
        mode = stretches[0].mode
        modes = groupby(stretches, key=lambda each: mode if waits else each.mode)
        for held, same in ((held, list(same)) for held, same in modes):
            in_force = [each for each in same if each.mode == held]
            begins, ends_on = same[0].first, same[-1].last
            if word == "split":
                later = (*(each.first - 1 for each in in_force[1:]), ends_on)
                for each, end in zip(in_force, later, strict=True):
                    yield each.first, end, each.first
                continue
            asked = {"period_start": begins, "period_end": ends_on}.get(word, due)
            nearest = min((each.nearest(asked) for each in in_force), key=lambda d: abs(d - asked))
            yield begins, ends_on, asked if self.on(asked).tax_mode == held else nearest
