"""Path bands: paths that remember the same points, and are adjusted together.

Law: parting and joining change the places of paths, and no figure.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rentbilling.simulation.path_steps import Kept
from rentbilling.simulation.ratios import Ratios
from rentbilling.simulation.vector_rounding import Array


class Band(NamedTuple):
    """Paths that remember the same points."""

    places: Array | None
    """Which paths; None for all of them."""
    kept: tuple[Kept, ...]
    exact: Ratios | None
    """The exact amounts that go on, where a clause carries them."""
    met: int
    """Up to which day records of amount and quantity are remembered."""
    unit: Ratios | None
    """Price of a unit after the last adjustment; None before the first."""
    last_day: int
    first_before: Ratios | None
    first_day: int

    @property
    def key(self) -> tuple[object, ...]:
        """What paths must share to be adjusted as one."""
        kinds = tuple(
            (each.points, *(amount is None for amount in each.amounts)) for each in self.kept
        )
        return kinds, self.exact is None, self.met, self.last_day, self.first_day

    def only(self, places: Array) -> "Band":
        """Return some of the paths, by their places in the band."""
        kept = tuple(
            Kept(each.points, *(_only(amount, places) for amount in each.amounts))
            for each in self.kept
        )
        whole = places if self.places is None else self.places[places]
        exact, unit = _only(self.exact, places), _only(self.unit, places)
        first = _only(self.first_before, places)
        return self._replace(places=whole, kept=kept, exact=exact, unit=unit, first_before=first)

    def beside(self, other: "Band") -> "Band":
        """Return these paths and others that remember the same points."""
        # Who has all paths is beside nobody: both are parts.
        mine, theirs = np.asarray(self.places), np.asarray(other.places)
        counts = len(mine), len(theirs)
        kept = tuple(
            Kept(
                each.points,
                *(_beside(a, b, counts) for a, b in zip(each.amounts, its.amounts, strict=True)),
            )
            for each, its in zip(self.kept, other.kept, strict=True)
        )
        return self._replace(
            places=np.concatenate((mine, theirs)),
            kept=kept,
            exact=_beside(self.exact, other.exact, counts),
            unit=_beside(self.unit, other.unit, counts),
            first_before=_beside(self.first_before, other.first_before, counts),
        )


def joined(bands: Iterable[Band]) -> list[Band]:
    """Return the bands with those that remember the same points as one."""
    found: dict[tuple[object, ...], Band] = {}
    for band in bands:
        there = found.get(band.key)
        found[band.key] = band if there is None else there.beside(band)
    together = list(found.values())
    if len(together) == 1 and together[0].places is not None:
        # In the order of the paths again.
        return [together[0].only(np.argsort(together[0].places))._replace(places=None)]
    return together


def _only(amount: Ratios | None, places: Array) -> Ratios | None:
    """Return the amounts of some paths, where there are any."""
    return None if amount is None else amount.only(places)


def _beside(left: Ratios | None, right: Ratios | None, counts: tuple[int, int]) -> Ratios | None:
    """Return the amounts of so many paths, followed by those of others."""
    return None if left is None or right is None else left.beside(right, counts)
