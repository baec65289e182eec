"""The adjustments of one item on every path, computed together.

Laws: up to the first value that is simulated, all paths share the history of the first one; from
there on, paths that remember the same points are adjusted as one band, which parts where a rule
goes on differently, and is joined again where its parts remember the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from rentbilling.adjustments import (
    Adjusted,
    Adjustee,
    CompiledRule,
    Effect,
    Event,
    History,
    PlanRules,
    State,
    limit_reached,
)
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.policy import BillingPolicy
from rentbilling.simulation.path_groups import Band, joined
from rentbilling.simulation.ratios import NOWHERE, DivergedError, Ratios, mask_of
from rentbilling.simulation.values import BeyondArraysError, PathValues, refuse_too_large
from rentbilling.simulation.vector_rounding import Mask
from rentbilling.terms import RentAdjustmentPlan
from rentbilling.values import month_index


class Moment(NamedTuple):
    """One adjustment of an item on all paths: the amounts of a billing period."""

    day: int
    """Ordinal of the day from which the new amounts are in force."""
    plan: int
    """Place of the plan in the lease."""
    before: Ratios
    after: Ratios
    unit: Ratios
    """Price of one unit from then on; what is in force anyway where nothing was adjusted."""
    made: Mask
    """On which paths there is an adjustment."""
    limited: Mask
    """On which of them a limit was reached."""


class _Act(NamedTuple):
    """What an event made of a band."""

    band: Band
    before: Ratios
    after: Ratios
    made: bool
    limited: Mask


class PathHistory(History):
    """The adjustments of one item on all paths; the rules are compiled for the first of them."""

    __slots__ = ("_values",)

    def __init__(
        self,
        adjustee: Adjustee,
        plans: Sequence[tuple[int, str, RentAdjustmentPlan]],
        values: PathValues,
        policy: BillingPolicy,
    ) -> None:
        """Compile the rules of the plans, each of which comes with its place and its id."""
        super().__init__(adjustee, plans, values.pilot, policy)
        self._values = values

    def moments(self, day: int) -> list[Moment]:
        """Return all adjustments up to a day, oldest first.

        Raises:
            BeyondArraysError: Arrays do not cover it.
        """
        after = self.adjustee.bounds.after
        events = self.planned.events(after, day)
        fork = next((when for when, plan, _ in events if self._is_simulated(when, plan)), day + 1)
        shared = self.reached(max(after, fork - 1))
        moments = [_moment_of(each) for each in shared.done]
        bands = [Band(None, shared)]
        for event in (each for each in events if each[0] >= fork):
            self._refuse(event)
            when, plan, _ = event
            acts = [act for each in bands for act in self._acts(each, when, plan)]
            if any(act.made for act in acts):
                moments.append(self._moment(when, plan.at, acts))
            bands = joined([act.band for act in acts])
        return moments

    def price_on(self, moments: Sequence[Moment], day: int) -> Ratios:
        """Return the prices of one unit on a day (A18, A42)."""
        done: list[Any] = [(each.day, each.unit) for each in moments if each.day <= day]
        return Ratios.of(self.price(done[-1] if done else None, day))

    def amounts_on(self, moments: Sequence[Moment], day: int) -> Ratios:
        """Return the exact amounts of a billing period on a day (A42)."""
        return self.price_on(moments, day) * self.adjustee.quantities.on(day)

    def _is_simulated(self, day: int, plan: PlanRules) -> bool:
        """Return whether a plan's rules may need a simulated value on a day."""
        month, first = month_index(day), self._values.first_month
        for _, rule, _ in plan.rules:
            start = rule.clause.start_point
            if start is not None and start.last_month >= first:
                return True
            for point in _points_of(rule, month):
                if point is None or point >= first:
                    return True
        return False

    def _refuse(self, event: Event) -> None:
        """Refuse an adjustment that is listed once values are simulated."""
        day, plan, listed = event
        if listed is not None or day <= plan.listed_until:
            raise BeyondArraysError("listed_later")

    # -------------------------------------------------------------------------- one event

    def _acts(self, band: Band, day: int, plan: PlanRules) -> Iterator[_Act]:
        """Give what an event makes of a band, in parts where its paths part."""
        try:
            yield self._act_on(band, day, plan)
        except DivergedError as error:
            yield from self._acts(band.only(np.flatnonzero(error.paths)), day, plan)
            yield from self._acts(band.only(np.flatnonzero(~error.paths)), day, plan)

    def _act_on(self, band: Band, day: int, plan: PlanRules) -> _Act:
        """Return what an event makes of a band."""
        state, value_at = band.state.copy(), self._values.value_at(band.places)
        if self.adjustee.amounts.begins(day):
            self.take(state, day, plan, value_at=value_at)
            taken = _moment_of(state.done[-1])
            band = Band(band.places, state)
            return _Act(band, taken.before, taken.after, made=True, limited=taken.limited)
        self.take_agreed(state, day)
        in_force = self.in_force(state.last, day)
        before = in_force if state.exact is None else state.exact
        month = month_index(day)
        due = plan.due(month)
        run = self.begin_run(state, day, plan, before, due, value_at)
        for at, rule in due:
            self.act(run, at, rule, month)
        state.states = run.states
        if run.effects:
            self.go_on(state, day, run, in_force)
        return _Act(
            Band(band.places, state),
            Ratios.of(in_force),
            Ratios.of(run.amount if run.effects else in_force),
            made=bool(run.effects),
            limited=limited_by(run.effects),
        )

    def note_difference(self, state: State, day: int, taken: Fraction, made: Fraction) -> None:
        """Refuse what the notice of a path could not show; there is no notice on paths.

        Raises:
            BeyondArraysError: An amount has more than 15 digits.
        """
        del state, day, taken
        scale = self.adjustee.scale
        refuse_too_large(Ratios.of(made).rounded_to(10**scale.places, scale.mode))

    # ------------------------------------------------------------------- all bands together

    def _moment(self, day: int, plan: int, acts: Sequence[_Act]) -> Moment:
        """Return an adjustment on all paths, put together from the bands."""
        count = self._values.count
        each_unit = 1 / self.adjustee.quantities.on(day)
        if len(acts) == 1:
            act = acts[0]
            made, unit = np.full((count,), act.made), act.after * each_unit
            return Moment(day, plan, act.before, act.after, unit, made, made & act.limited)
        places = [np.asarray(act.band.places) for act in acts]
        back, sizes = np.argsort(np.concatenate(places)), [len(each) for each in places]
        before = _together([act.before for act in acts], sizes).only(back)
        after = _together([act.after for act in acts], sizes).only(back)
        sized = list(zip(acts, sizes, strict=True))
        made = np.concatenate([np.full((size,), act.made) for act, size in sized])[back]
        limited = [np.broadcast_to(act.limited, (size,)) for act, size in sized]
        reached = np.concatenate(limited)[back]
        return Moment(day, plan, before, after, after * each_unit, made, made & reached)


def _points_of(rule: CompiledRule, month: int) -> Iterator[int | None]:
    """Give the last months of the points that a rule compares by itself; None where unknown."""
    if rule.reference is None:
        return
    try:
        to = rule.reference.to_point(month)
        yield to.last_month
        yield rule.reference.from_point(to, month).last_month
    except InvalidAdjustmentRuleError:
        return
    except MissingIndexError:
        yield None


def _moment_of(done: Adjusted) -> Moment:
    """Return an adjustment that all paths share."""
    before, after, unit = (Ratios.of(each) for each in (done.before, done.after, done.unit))
    limited = limited_by(done.effects)
    return Moment(done.day, done.plan, before, after, unit, ~NOWHERE, limited)


def limited_by(effects: Iterable[Effect]) -> Mask:
    """Return on which paths a limit was reached by what rules did."""
    reasons = [each for effect in effects for each in effect.reasons]
    return mask_of(limit_reached(reasons))


def _together(amounts: list[Ratios], sizes: list[int]) -> Ratios:
    found, count = amounts[0], sizes[0]
    for each, size in zip(amounts[1:], sizes[1:], strict=True):
        found, count = found.joined_with(each, (count, size)), count + size
    return found
