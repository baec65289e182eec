"""Path histories: the adjustments of one item on every path, computed together.

Laws: up to the first value that is simulated, all paths share the scalar engine's own history; from
there on paths that remember the same points are adjusted as one band, which parts where a rule goes
on differently, and is joined again where its parts remember the same.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from rentbilling.adjustments.adjustee import Adjusted, Subject
from rentbilling.adjustments.history import History, first_made
from rentbilling.adjustments.notices import Notices
from rentbilling.adjustments.percentages import AT_ONCE, Elapsed
from rentbilling.adjustments.plan import Event, PlannedRules, PlanRules
from rentbilling.adjustments.rule import CompiledRule
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.policy import BillingPolicy
from rentbilling.simulation.path_bands import Band, joined
from rentbilling.simulation.path_runs import PathRun, scaled_by
from rentbilling.simulation.path_steps import (
    NOWHERE,
    by_change,
    by_increment,
    kept_of,
    passing,
    rounded_changes,
)
from rentbilling.simulation.path_values import (
    BeyondArraysError,
    DivergedError,
    PathChange,
    PathValues,
    on_all,
)
from rentbilling.simulation.ratios import Ratios
from rentbilling.simulation.vector_rounding import Mask
from rentbilling.terms.plans import RentAdjustmentPlan
from rentbilling.values.periods import month_index

_YEAR: Final = 12
Plans = Sequence[tuple[int, str, RentAdjustmentPlan]]


class Moment(NamedTuple):
    """One adjustment of an item on all paths: the amounts of a billing period."""

    day: int
    """Ordinal of the day from which the new amounts hold."""
    plan: int
    """Place of the plan in the lease."""
    before: Ratios
    after: Ratios
    unit: Ratios
    """Price of one unit from then on; what is in force anyway where nothing was adjusted."""
    made: Mask
    """On which paths there is an adjustment."""
    limited: Mask
    """On which of them a limit was met."""


class _Act(NamedTuple):
    """What an event made of a band."""

    band: Band
    before: Ratios
    after: Ratios
    made: bool
    limited: Mask


class _SharedHistory(History):
    """A history of which only what all paths share is asked."""

    def bands_until(self, day: int) -> tuple[Band, tuple[Adjusted, ...]]:
        """Return what all paths remember after a day, and the adjustments up to it."""
        state = self._reached(day)
        done = tuple(state.done)
        kept = tuple(kept_of(memory) for memory in state.memories)
        exact = None if state.exact is None else Ratios.of(state.exact)
        unit = Ratios.of(done[-1].unit) if done else None
        first = first_made(done)
        before = None if first is None else Ratios.of(first.before)
        days = done[-1].day if done else 0, 0 if first is None else first.day
        return Band(None, kept, exact, state.met, unit, days[0], before, days[1]), done

    def _reached(self, day: int):  # type: ignore[no-untyped-def]  # noqa: ANN202 - the state is the history's own
        return super()._reached(day)


class PathHistory:
    """The adjustments of one item on all paths."""

    __slots__ = ("_plans", "_policy", "_rules", "_single", "_values", "subject")

    def __init__(
        self, subject: Subject, plans: Plans, values: PathValues, policy: BillingPolicy
    ) -> None:
        """Make the rules ready on the first path: it has the points of all others."""
        self.subject = subject
        self._plans = plans
        self._values = values
        self._policy = policy
        notices = Notices(subject.subject_id)
        self._rules = PlannedRules(subject, plans, values.pilot, notices)
        self._single = len(subject.quantities.days) == 1 and subject.quantities.values[0] == 1

    def until(self, day: int) -> list[Moment]:
        """Return all adjustments up to a day, oldest first.

        Raises:
            BeyondArraysError: Arrays do not do it.
        """
        after = self.subject.bounds.after
        events = self._rules.events(after, day)
        fork = next((when for when, plan, _ in events if self._is_simulated(when, plan)), day + 1)
        shared = _SharedHistory(self.subject, self._plans, self._values.pilot, self._policy)
        band, done = shared.bands_until(max(after, fork - 1))
        moments = [_moment_of(each) for each in done]
        bands = [band]
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
        amounts = self.subject.amounts
        done = [each for each in moments if each.day <= day]
        if done and not amounts.since(done[-1].day, day):
            return done[-1].unit
        return Ratios.of(amounts.on(day))

    def amount_on(self, moments: Sequence[Moment], day: int) -> Ratios:
        """Return the exact amounts of a billing period on a day (A42)."""
        return self.price_on(moments, day) * self.subject.quantities.on(day)

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
        """Refuse what follows no rule once values are simulated."""
        day, plan, listed = event
        if listed is not None or day <= plan.listed_until:
            raise BeyondArraysError("listed_later")
        if self.subject.amounts.begins(day):
            raise BeyondArraysError("recorded_later")

    # -------------------------------------------------------------------------- one event

    def _acts(self, band: Band, day: int, plan: PlanRules) -> Iterator[_Act]:
        """Give what an event makes of a band, in parts where its paths part."""
        try:
            yield self._act(band, day, plan)
        except DivergedError as error:
            yield from self._acts(band.only(np.flatnonzero(error.mask)), day, plan)
            yield from self._acts(band.only(np.flatnonzero(~error.mask)), day, plan)

    def _act(self, band: Band, day: int, plan: PlanRules) -> _Act:
        """Return what an event makes of a band; see `adjusting`."""
        band = self._met(band, day)
        in_force = self._price(band, day) * self.subject.quantities.on(day)
        before = in_force if band.exact is None else band.exact
        elapsed = self._elapsed(band, day) if plan.by_time else AT_ONCE
        month = month_index(day)
        due = plan.due(month)
        competing = [at for at, rule in due if rule.clause.combine in ("sum", "lower_of")]
        run = PathRun(before, self._start(band, day, before), elapsed, [*band.kept], competing)
        for at, rule in due:
            self._let(run, band, at, rule, month)
        band = band._replace(kept=tuple(run.kept), met=day)
        if not run.made:
            return _Act(band, in_force, in_force, made=False, limited=NOWHERE)
        unit = run.amount
        if not self._single:
            unit = run.amount * (1 / self.subject.quantities.on(day))
        if band.first_before is None:
            band = band._replace(first_before=in_force, first_day=day)
        band = band._replace(unit=unit, last_day=day, exact=run.carried if run.carries else None)
        return _Act(band, in_force, run.amount, made=True, limited=run.limited)

    def _let(self, run: PathRun, band: Band, at: int, rule: CompiledRule, month: int) -> None:
        if rule.only_limits:
            run.limit(at, rule)
            return
        if rule.is_index:
            self._let_index(run, band, at, rule, month)
            return
        increment = rule.increment_of(month // _YEAR)
        per_year = self._policy.increment_amount == "per_year"
        kept = run.kept[at]
        step = by_increment(rule, increment, kept, run.standing(), per_year=per_year)
        run.take(at, rule, step)

    def _let_index(self, run: PathRun, band: Band, at: int, rule: CompiledRule, month: int) -> None:
        """Let an Index rule act; see `rule_steps.CompiledRule.by_index`."""
        clause, kept, reference = rule.clause, run.kept[at], rule.reference
        if reference is None:
            raise BeyondArraysError("missing_series")
        changes = PathChange(reference.series.name, clause, self._values, band.places)
        points = kept.points
        to = reference.to_point(month)
        start = rule.compared_with(month, points, to)
        counted = rule.counted(points, start, to)
        if counted is not None:
            run.leave(at, kept._replace(points=counted.memory))
            return
        stated = points.last_point is None or clause.basis in ("anchored", "mixed")
        change, moved = changes.between(to, start, stated=stated)
        if clause.threshold is not None or clause.increase_only:
            passed = change, moved
            if clause.basis in ("anchored", "mixed") and points.last_point:
                passed = changes.between(to, points.last_point, stated=False)
            falls = clause.increase_only and on_all(passed[0] < 0)
            if falls or not on_all(passing(rounded_changes(passed[0], clause), passed[1], clause)):
                run.leave(at, kept._replace(points=points.waiting(start)))
                return
        compared = start if changes.compares_points() or not rule.is_plain else None
        points = points._replace(
            anchor_point=points.anchor_point or compared,
            last_point=to,
            tried_point=None,
            other_point=None,
            waits=False,
        )
        run.take(at, rule, by_change(rule, change, kept._replace(points=points), run.standing()))
        self._count(run, at)

    def _count(self, run: PathRun, at: int) -> None:
        """Let the other rules of a series know which point one of them has applied (A33)."""
        memories = [each.points for each in run.kept]
        self._rules.count(memories, at)
        for other, points in enumerate(memories):
            run.kept[other] = run.kept[other]._replace(points=points)

    # ----------------------------------------------------------------- what a rule meets

    def _met(self, band: Band, day: int) -> Band:
        """Take in what was agreed since the last adjustment (A18, A38)."""
        subject, since, kept, exact = self.subject, band.met, band.kept, band.exact
        if subject.amounts.since(since, day):
            amount = subject.amounts.on(day) * subject.quantities.on(since)
            kept, exact = tuple(each.agreed_anew(amount) for each in kept), None
        if not self._single and subject.quantities.since(since, day):
            factor = subject.quantities.on(day) / subject.quantities.on(since)
            kept = tuple(each.of_quantity(factor) for each in kept)
            exact = None if exact is None else exact * factor
        return band._replace(kept=kept, exact=exact, met=day)

    def _price(self, band: Band, day: int) -> Ratios:
        """Return the exact prices of one unit on a day."""
        amounts = self.subject.amounts
        if band.unit is not None and not amounts.since(band.last_day, day):
            return band.unit
        return Ratios.of(amounts.on(day))

    def _start(self, band: Band, day: int, before: Ratios) -> Ratios:
        """Return the amounts before the first adjustment, of the quantity of a day."""
        if band.first_before is None:
            return before
        quantities = self.subject.quantities
        if self._single or not quantities.since(band.first_day, day):
            return band.first_before
        return scaled_by(band.first_before, quantities.on(day), quantities.on(band.first_day))

    def _elapsed(self, band: Band, day: int) -> Elapsed:
        """Return how long ago the amount was set (A40)."""
        subject = self.subject
        records = [each for each in subject.amounts.days if subject.start < each < day]
        last = [] if band.unit is None else [band.last_day]
        since = max([subject.start, *records, *last])
        left = _YEAR - 1 - month_index(subject.contract_start) % _YEAR
        return Elapsed(month_index(day) - month_index(since), left)

    # ------------------------------------------------------------------- all bands together

    def _moment(self, day: int, plan: int, acts: Sequence[_Act]) -> Moment:
        """Return an adjustment on all paths, put together from the bands."""
        count = self._values.count
        each_unit = 1 / self.subject.quantities.on(day)
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
        met = np.concatenate([np.broadcast_to(act.limited, (size,)) for act, size in sized])[back]
        return Moment(day, plan, before, after, after * each_unit, made, made & met)


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
    reasons = {reason for effect in done.effects for reason in effect.reasons}
    met = NOWHERE if reasons.isdisjoint(("minimum", "maximum")) else ~NOWHERE
    return Moment(done.day, done.plan, before, after, unit, ~NOWHERE, met)


def _together(amounts: list[Ratios], sizes: list[int]) -> Ratios:
    """Return the amounts of all bands, one after the other."""
    found, count = amounts[0], sizes[0]
    for each, size in zip(amounts[1:], sizes[1:], strict=True):
        found, count = found.beside(each, (count, size)), count + size
    return found
