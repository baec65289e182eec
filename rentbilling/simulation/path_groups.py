"""Paths that remember the same points, and are adjusted together as one band.

Law: parting and joining change the places of paths, and no figure.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from rentbilling.adjustments import State
from rentbilling.simulation.ratios import Ratios
from rentbilling.simulation.vector_rounding import Array

_AMOUNTS: Final = ("anchor_amount", "last_amount", "own", "part")
"""What a rule remembers that differs from path to path."""


class Band(NamedTuple):
    """Paths that are adjusted together."""

    places: Array | None
    """Which paths; None for all of them."""
    state: State
    """What the next adjustment goes on from, amounts for each path."""

    @property
    def key(self) -> tuple[object, ...]:
        """What paths must share to be adjusted together."""
        state, points = self.state, []
        for each in self.state.states:
            has: Any = {name: getattr(each, name) is not None for name in _AMOUNTS}
            points.append(each._replace(**has))
        days = (each and each[0] for each in (state.last, state.first))
        return *points, *days, state.exact is None, state.taken_until

    def amounts(self) -> list[Any]:
        """Return all amounts of the state, None where there is none."""
        state = self.state
        found = [getattr(each, name) for each in state.states for name in _AMOUNTS]
        return [state.exact, *(each and each[1] for each in (state.last, state.first)), *found]

    def with_amounts(self, places: Array, amounts: Iterable[Any]) -> "Band":
        """Return other paths of the same points, whose amounts come in the same order."""
        state, each = self.state, iter(amounts)
        exact, last, first = next(each), next(each), next(each)
        return Band(
            places,
            replace(
                state,
                exact=exact,
                last=state.last and (state.last[0], last),
                first=state.first and (state.first[0], first),
                states=[
                    one._replace(**{name: next(each) for name in _AMOUNTS}) for one in state.states
                ],
            ),
        )

    def only(self, places: Array) -> "Band":
        """Return some of the paths, by their places in the band."""
        whole = places if self.places is None else self.places[places]
        amounts = (a.only(places) if isinstance(a, Ratios) else a for a in self.amounts())
        return self.with_amounts(whole, amounts)

    def joined_with(self, other: "Band") -> "Band":
        """Return these paths and others that remember the same points."""
        # A band of all paths is alone: both are parts.
        mine, theirs = np.asarray(self.places), np.asarray(other.places)
        counts = len(mine), len(theirs)
        amounts = (
            None if a is None else Ratios.of(a).joined_with(Ratios.of(b), counts)
            for a, b in zip(self.amounts(), other.amounts(), strict=True)
        )
        return self.with_amounts(np.concatenate((mine, theirs)), amounts)


def joined(bands: Iterable[Band]) -> list[Band]:
    """Return the bands with those that remember the same points as one."""
    found: dict[tuple[object, ...], Band] = {}
    for band in bands:
        there = found.get(band.key)
        found[band.key] = band if there is None else there.joined_with(band)
    bands = list(found.values())
    if len(bands) == 1 and bands[0].places is not None:
        # In the order of the paths again.
        return [bands[0].only(np.argsort(bands[0].places))._replace(places=None)]
    return bands
