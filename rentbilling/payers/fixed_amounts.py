"""Fixed amounts: single units are moved between lines until net and VAT make the amount (A68).

Law: a unit goes from one payer to another within a line, so that the parts of the line add up.
"""

from collections.abc import Hashable, Sequence

from rentbilling.billing import RawLine, VatGroup
from rentbilling.payers.consistent import tax_on
from rentbilling.policy import BillingPolicy


class FixedPart:
    """What a payer of a fixed amount has of each line, and the other one units come from."""

    __slots__ = ("_lines", "_other", "_per_line", "_policy", "_ring", "_sums", "bases", "total")

    def __init__(
        self, lines: Sequence[RawLine], bases: list[int], other: list[int], policy: BillingPolicy
    ) -> None:
        """Keep the parts of both in minor units, in each line's own tax mode; `meet` moves them."""
        self.bases = bases
        self._other = other
        self._lines = lines
        self._policy = policy
        self._per_line = policy.vat_rounding == "per_line"
        self._ring = _ring_of(lines, policy)
        self._sums: dict[Hashable, int] = {}
        groups: dict[Hashable, VatGroup] = {}
        for at, base in enumerate(bases):
            key = self._key(at)
            self._sums[key] = self._sums.get(key, 0) + base
            groups[key] = lines[at][0].group
        self.total = sum(
            units if groups[key].inclusive else units + tax_on(groups[key], [units], policy)
            for key, units in self._sums.items()
        )

    def meet(self, wanted: int) -> int:
        """Move units until the total is the wanted one, and return what it still lacks.

        What no net and VAT make is missed by the nearest total below it, in size.
        """
        way = 1 if wanted > self.total else -1
        before: int | None = None
        while self.total not in {wanted, before}:
            before = self.total
            for at in self._ring:
                change = self._change(at, way)
                if change and abs(change) <= (wanted - self.total) * way:
                    self._move(at, way)
        missing = wanted - self.total
        if missing and not self._met_by_two(missing, way) and missing * wanted < 0:
            self._move(next(at for at in self._ring if self._change(at, way)), way)
        return wanted - self.total

    def _met_by_two(self, missing: int, way: int) -> bool:
        """Move one unit there and one of another group back, if both together fit."""
        back: dict[int, list[int]] = {}
        for at in self._ring:
            change = self._change(at, -way)
            found = back.setdefault(change, [])
            if change and len({*map(self._key, found), self._key(at)}) > len(found):
                found.append(at)
        for at in self._ring:
            change = self._change(at, way)
            for other in back.get(missing - change, ()) if change else ():
                if self._key(other) != self._key(at):
                    self._move(at, way)
                    self._move(other, -way)
                    return True
        return False

    def _key(self, at: int) -> Hashable:
        """Return what the VAT of a line is rounded with: its group, or the line alone."""
        return at if self._per_line else self._lines[at][0].group

    def _change(self, at: int, way: int) -> int:
        """Return what a unit of a line changes the total by; 0 if the line has none to give."""
        figures = self._lines[at][0]
        sign = 1 if figures.base > 0 else -1
        if (self.bases[at] + way) * sign < 0 or (self._other[at] - way) * sign < 0:
            return 0
        group, units = figures.group, self._sums[self._key(at)]
        if group.inclusive:
            return way
        before, after = (tax_on(group, [each], self._policy) for each in (units, units + way))
        return way + after - before

    def _move(self, at: int, way: int) -> None:
        self.total += self._change(at, way)
        self.bases[at] += way
        self._other[at] -= way
        self._sums[self._key(at)] += way


def _ring_of(lines: Sequence[RawLine], policy: BillingPolicy) -> Sequence[int]:
    """Return the places of the lines from the first one of the largest group on."""
    bases: dict[VatGroup, list[int]] = {}
    for figures, _, _ in lines:
        bases.setdefault(figures.group, []).append(figures.base)
    sizes = {
        group: abs(sum(own) + (0 if group.inclusive else tax_on(group, own, policy)))
        for group, own in bases.items()
    }
    largest = max(sizes, key=sizes.__getitem__)
    start = next(at for at, line in enumerate(lines) if line[0].group is largest)
    return (*range(start, len(lines)), *range(start))
