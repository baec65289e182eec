"""Who had which unit when: units, occupancies, persons, readings, advances, ceilings.

Laws: a settlement is facts alone; it is complete and fits together, or it is refused. The stays of
a unit cover each day once; days without an occupancy are vacant only where the policy says so, or
where a unit has no occupancy at all (A75).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, Final, Literal

from rentbilling.errors import (
    InvalidPeriodError,
    InvalidRecordError,
    Problem,
    UnknownWordError,
    shown,
)
from rentbilling.records import (
    A_FRACTION,
    ABSENT,
    NOT_BELOW_ZERO,
    AmountField,
    AskedPeriodField,
    CheckedRecord,
    CurrencyField,
    DateField,
    FlagField,
    IdField,
    Listed,
    NumberField,
    OptionalDateField,
    OptionalRateField,
    Problems,
    SilentRecord,
    VatField,
    Within,
)
from rentbilling.settlement.countries import SettlementPreset, settlement_preset
from rentbilling.settlement.policy import (
    DEFAULT,
    ONE,
    CountField,
    Measure,
    SettlementPolicy,
    Share,
    ShareField,
    YearsField,
)
from rentbilling.settlement.pools import CONSUMPTION, DIRECT, LANDLORD, PERSONS, UNITS, CostPool
from rentbilling.terms import AmountRecord, VatRecord, currency_mismatch, value_on
from rentbilling.values import Notice, Period, Vat, months_later


class SettlementUnit(SilentRecord):
    """A unit of the house and what the keys need to know of it."""

    id: IdField
    """Identifier."""
    values: dict[str, Measure] | None = None
    """Values by the names of keys: {"area": 90, "permille": 150}."""
    takes_part: FlagField = True
    """Whether it takes part in pools whose parts do not name their units."""
    first_day: OptionalDateField = ABSENT
    """First day on which the unit is there; its values count by its part of the period (A77)."""
    last_day: OptionalDateField = ABSENT
    """Last day on which it is there."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return values out of their bounds, and a last day before the first."""
        yield from cls.bound_problems(parts)
        yield from _reversed(parts)
        yield from _wrong_values(parts, "values", NOT_BELOW_ZERO)


class PersonsRecord(CheckedRecord):
    """Persons from a day until the next record."""

    value: CountField
    """How many."""
    start: DateField
    """First day."""


class Reading(SilentRecord):
    """What a meter shows at the end of a day (assumption A78).

    A replaced meter has its last reading as `removed`, and the new one its first as `installed`.
    """

    unit: IdField
    """The unit whose consumption it measures."""
    meter: IdField = CONSUMPTION
    """The key that it is for."""
    day: DateField
    """The day; of two on one day the one that is listed first comes first."""
    value: NumberField
    """What it shows."""
    event: Literal["read", "removed", "installed"] = "read"
    """Whether a meter begins or ends with it."""


class _LeaseLimit(SilentRecord):
    """An amount of some pools in the period, which may grow by a rate."""

    amount: AmountField
    """The limit, or what it grows from."""
    rate: OptionalRateField = ABSENT
    """Growth of a year, as a fraction."""
    years: YearsField = 1
    """Years since the amount."""
    kind: Literal["cumulative", "simple"] = "cumulative"
    """Whether growth compounds."""
    pools: Annotated[tuple[IdField, ...], Listed] = ()
    """The pools that it is for together; absent: all."""
    of: Literal["lease", "occupancy"] = "lease"
    """Whether it is for all occupancies of the lease together, or for this one alone (A89)."""

    @property
    def growth(self) -> Fraction:
        """What the amount is multiplied by."""
        rate = Fraction(self.rate or 0)
        return (1 + rate) ** self.years if self.kind == "cumulative" else 1 + rate * self.years


class LeaseBase(_LeaseLimit):
    """What the landlord bears of a lease's share of some pools, not below 0 (assumption A89).

    It is the share of the lease's own base year, or an expense stop, where leases differ.
    """


class LeaseFloor(_LeaseLimit):
    """The least that a lease bears of some pools in the period (assumption A89)."""


class LeaseCeiling(_LeaseLimit):
    """The most that a lease bears of some pools, without input VAT (assumptions A80, A89).

    The ceiling is the amount; with `rate` it grows from the amount by the rate: over one year from
    last year's share, cumulative or simple over `years` from the base.

    Examples:
        >>> from rentbilling import Amount
        >>> LeaseCeiling(amount=Amount(100, "USD"), rate="5%", years=2).growth
        Fraction(441, 400)
    """

    carried: AmountField | None = None
    """What earlier years left below their ceilings, added to this one."""
    without_fee: FlagField = False
    """Whether it limits the share without the pool's last fee, which follows what is left."""


_NO_VALUES: Final = frozenset({UNITS, PERSONS, CONSUMPTION, DIRECT, LANDLORD})


class Occupancy(SilentRecord):
    """Days on which a unit was let, vacant, or the owner's own."""

    id: IdField
    """Identifier; without a lease that of the statement too."""
    unit: IdField
    """The unit."""
    lease: IdField | None = None
    """The lease; one statement is made for all its occupancies."""
    who: Literal["tenant", "vacant", "owner"] = "tenant"
    """Who bears its costs; of both others it is the landlord."""
    first_day: OptionalDateField = ABSENT
    """First day; absent: that of the period."""
    last_day: OptionalDateField = ABSENT
    """Last day, included; absent: that of the period."""
    persons: CountField | None = None
    """Persons who live there."""
    person_records: Annotated[tuple[PersonsRecord, ...], Listed] = ()
    """Later numbers of persons."""
    values: dict[str, Measure] | None = None
    """Values of keys that the lease states, in the place of the unit's: {"percent": 30} (A123)."""
    consumption: dict[str, Measure] | None = None
    """Consumption by key, where no readings are given: {"consumption": 40}."""
    estimated: FlagField = False
    """Whether consumption is an estimate, which the statement says."""
    vat: VatField | None = None
    """VAT of the settlement's item; absent: pools with their input VAT, item without VAT (A81)."""
    vat_records: Annotated[tuple[VatRecord, ...], Listed] = ()
    """Later rates of it (A91)."""
    factor: ShareField = ONE
    """Share of its costs that the lease bears."""
    factors: dict[str, Share] | None = None
    """The same by pool: {"heating": 0.85}; with 0 it bears nothing of the pool (A89)."""
    bases: Annotated[tuple[LeaseBase, ...], Listed] = ()
    """What of its share is not charged."""
    floors: Annotated[tuple[LeaseFloor, ...], Listed] = ()
    """Lower limits of what this lease pays."""
    ceilings: Annotated[tuple[LeaseCeiling, ...], Listed] = ()
    """Upper limits of what this lease pays."""

    @property
    def limits(self) -> Iterator[tuple[str, int, LeaseBase | LeaseFloor | LeaseCeiling]]:
        """Bases, floors and ceilings, each with the name of its list and its place there."""
        for name in ("bases", "floors", "ceilings"):
            for at, each in enumerate(getattr(self, name)):
                yield name, at, each

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return values out of their bounds, and a last day before the first."""
        yield from cls.bound_problems(parts)
        yield from _reversed(parts)
        yield from _wrong_values(parts, "values", NOT_BELOW_ZERO)
        for key in _NO_VALUES & (parts.get("values") or {}).keys():
            said, expected = "is no value of a lease", "a key of the units, such as area or percent"
            problem = Problem(f"values.{key}", "wrong_value", said, shown(key), expected)
            yield InvalidRecordError, problem
        yield from _wrong_values(parts, "consumption", NOT_BELOW_ZERO)
        yield from _wrong_values(parts, "factors", A_FRACTION)


class Advance(SilentRecord):
    """What a lease paid in advance, for all pools or for one group (assumption A82)."""

    occupancy: IdField
    """The occupancy whose lease paid."""
    group: IdField | None = None
    """The group of pools; absent: all pools without a group of their own advances."""
    total: AmountField | None = None
    """All that was paid."""
    monthly: AmountField | None = None
    """Amount of a month."""
    yearly: AmountField | None = None
    """Amount of a year."""
    months: CountField | None = None
    """How many months of the amount; absent: as `counted` says."""
    records: Annotated[tuple[AmountRecord, ...], Listed] = ()
    """Later amounts, in the place of `monthly` or `yearly` from their days on."""
    counted: Literal["months", "begun_months", "days"] = "months"
    """Whether whole months count, begun ones too, or days."""
    vat: VatField | None = None
    """The VAT under which it was paid, where that decides the rate of the balance (A91)."""
    lump_sum: FlagField = False
    """Whether it pays its group of pools whatever they come to: nothing is settled (A115)."""


class Settlement(CheckedRecord):
    """The costs of a house or a group of units for a period, and who had the units."""

    id: IdField | None = None
    """Identifier."""
    period: AskedPeriodField
    """The settled days: two days, a month or a year."""
    currency: CurrencyField
    """The currency of all amounts."""
    pools: Annotated[tuple[CostPool, ...], Listed]
    """The costs."""
    units: Annotated[tuple[SettlementUnit, ...], Listed]
    """The units."""
    occupancies: Annotated[tuple[Occupancy, ...], Listed] = ()
    """Who had the units; a unit that takes part and has none is vacant."""
    readings: Annotated[tuple[Reading, ...], Listed] = ()
    """Readings of meters."""
    advances: Annotated[tuple[Advance, ...], Listed] = ()
    """What was paid in advance."""
    known_on: OptionalDateField = ABSENT
    """The day on which the statements are made."""
    settled_by: OptionalDateField = ABSENT
    """The last day on which they are in time; absent: that of the preset (A84)."""
    preset: IdField | None = None
    """The country, perhaps with a kind of lease: `DE`, or `DE commercial` (A93)."""
    policy: SettlementPolicy | None = None
    """Choices, in the place of those of the preset or of the defaults."""

    @property
    def country(self) -> SettlementPreset | None:
        """The preset that it names."""
        return None if self.preset is None else _country(self.preset)

    @property
    def rules(self) -> SettlementPolicy:
        """The policy by which it is settled, if no other one is passed."""
        return self.policy or (self.country.policy if self.country else DEFAULT)

    @property
    def deadline(self) -> date | None:
        """The last day on which statements are in time, stated or of the preset."""
        if self.settled_by is None and self.country is not None:
            return self.country.deadlines(self.period).settled_by
        return self.settled_by

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return unknown or repeated ids, other currencies, and a period that is too long."""
        yield from cls.bound_problems(parts)
        ids = {name: [each.id for each in parts.get(name, ())] for name in _WITH_IDS}
        for name, found in ids.items():
            yield from _twins(name, found)
        units, occupancies = set(ids["units"]), set(ids["occupancies"])
        for problem in (
            *_unknown("occupancies", "unit", parts, units),
            *_unknown("readings", "unit", parts, units),
            *_unknown("advances", "occupancy", parts, occupancies),
        ):
            yield InvalidRecordError, problem
        yield from _unknown_pools(parts)
        for at, pool in enumerate(parts.get("pools", ())):
            for place, part in enumerate(pool.parts):
                for name in set(part.units) - units:
                    path = f"pools[{at}].parts[{place}].units"
                    yield InvalidRecordError, _no_id(path, name)
            if "currency" in parts and pool.amount.currency != parts["currency"]:
                path = f"pools[{at}].amount.currency"
                yield currency_mismatch(path, pool.amount.currency, parts["currency"])
        try:
            country = parts.get("preset") and _country(parts["preset"])
        except UnknownWordError as error:
            country = None
            yield UnknownWordError, error.problems[0]._replace(path="preset")
        longest = (parts.get("policy") or (country.policy if country else DEFAULT)).longest
        period = parts.get("period")
        if period is not None and period.last >= months_later(period.first, longest):
            said, expected = "is too long", f"at most {longest} months"
            problem = Problem("period", "period_too_long", said, str(period), expected)
            yield InvalidPeriodError, problem


def _country(named: str) -> SettlementPreset:
    country, _, name = named.partition(" ")
    return settlement_preset(country, name or None)


_WITH_IDS: Final = ("pools", "units", "occupancies")


def _reversed(parts: Mapping[str, Any]) -> Problems:
    first, last = parts.get("first_day"), parts.get("last_day")
    if first is not None and last is not None and last < first:
        said, expected = "lies before firstDay", f"{first} or later"
        problem = Problem("lastDay", "reversed_period", said, str(last), expected)
        yield InvalidPeriodError, problem


def _wrong_values(parts: Mapping[str, Any], name: str, bound: Within) -> Problems:
    for key, value in (parts.get(name) or {}).items():
        problem = bound.problem(f"{name}.{key}", value)
        if problem is not None:
            yield InvalidRecordError, problem


def _twins(name: str, ids: Sequence[str]) -> Problems:
    for each, count in Counter(ids).items():
        if count > 1:
            said, expected = "is used twice", "ids that differ"
            problem = Problem(name, "duplicate_id", said, shown(each), expected)
            yield InvalidRecordError, problem


def _unknown(
    name: str, field: str, parts: Mapping[str, Any], known: Collection[str]
) -> Iterator[Problem]:
    """Return the entries of a list that name what is not there."""
    for at, each in enumerate(parts.get(name, ())):
        if getattr(each, field) not in known:
            yield _no_id(f"{name}[{at}].{field}", getattr(each, field))


def _unknown_pools(parts: Mapping[str, Any]) -> Problems:
    """Return the limits and advances that name pools or groups of pools that are not there."""
    if "pools" not in parts:
        return
    pools = {each.id for each in parts["pools"]}
    groups = {None, *(each.group for each in parts["pools"])}
    for at, each in enumerate(parts.get("occupancies", ())):
        paths = {f"{kind}[{place}].pools": limit.pools for kind, place, limit in each.limits}
        for path, names in (*paths.items(), ("factors", each.factors or ())):
            for name in names:
                if name not in pools:
                    yield InvalidRecordError, _no_id(f"occupancies[{at}].{path}", name)
    for at, each in enumerate(parts.get("advances", ())):
        if each.group not in groups:
            yield InvalidRecordError, _no_id(f"advances[{at}].group", each.group)


def _no_id(path: str, met: str) -> Problem:
    return Problem(path, "unknown_id", "is unknown", shown(met), "an id of the settlement")


# ------------------------------------------------------------------------------- stays

EXEMPT: Final = Vat("Exempt")
_FIRST: Final = date.min
_LAST: Final = date.max


@dataclass(frozen=True, slots=True)
class Stay:
    """An occupancy, and its days in the settled period."""

    at: int
    """Its place among all stays."""
    occupancy: Occupancy
    period: Period

    @property
    def reason(self) -> str | None:
        """Why the landlord bears its costs; None for a tenant's."""
        return {"tenant": None, "vacant": "vacant", "owner": "own_use"}[self.occupancy.who]

    @property
    def vats(self) -> Sequence[tuple[Vat, Period]]:
        """The VAT of its days, each with its days."""
        own, records = self.occupancy.vat or EXEMPT, self.occupancy.vat_records
        runs = self.period.split_at(*(each.start for each in records))
        return [(value_on(records, run.first, own), run) for run in runs]

    @property
    def is_taxed(self) -> bool:
        """Whether the lease is charged with VAT, so that its share is net (A81)."""
        return self.vats[-1][0].tax_mode != "Exempt"


@dataclass(frozen=True)
class House:
    """The units of a settlement by id, with their stays by day."""

    settlement: Settlement
    policy: SettlementPolicy
    units: Mapping[str, SettlementUnit]
    stays: Sequence[Stay]
    stays_of: Mapping[str, Sequence[Stay]]
    spans: Mapping[str, Period]
    """The days of the period on which each unit is there; others are in no pool."""
    problems: Mapping[str, Problem]
    """What is wrong with the days of a unit, which stops every pool that it takes part in."""
    notices: tuple[Notice, ...]

    @cached_property
    def readings(self) -> Mapping[tuple[str, str], Sequence[Reading]]:
        """The readings by unit and meter."""
        found: dict[tuple[str, str], list[Reading]] = {}
        for each in self.settlement.readings:
            found.setdefault((each.unit, each.meter), []).append(each)
        return found

    @cached_property
    def advances(self) -> Mapping[str, Sequence[tuple[str, Advance]]]:
        """The advances of each occupancy, with their paths."""
        found: dict[str, list[tuple[str, Advance]]] = {}
        for at, each in enumerate(self.settlement.advances):
            found.setdefault(each.occupancy, []).append((f"advances[{at}]", each))
        return found

    def advances_of(self, stay: Stay) -> Sequence[Advance]:
        return [each for _, each in self.advances.get(stay.occupancy.id, ())]

    @property
    def is_late(self) -> bool:
        """Whether the statements are made after the last day on which they are in time (A84)."""
        known, until = self.settlement.known_on, self.settlement.deadline
        return known is not None and until is not None and known > until


def house_of(settlement: Settlement, policy: SettlementPolicy) -> House:
    """Return the stays of each unit; a unit without an occupancy is vacant."""
    asked, notices = settlement.period, list[Notice]()
    units = {each.id: each for each in sorted(settlement.units, key=lambda each: each.id)}
    there = {name: _days_in(each, asked) for name, each in units.items()}
    spans = {name: span for name, span in there.items() if span is not None}
    named: dict[str, list[tuple[Period, Occupancy]]] = {each: [] for each in units}
    for each in settlement.occupancies:
        span = spans.get(each.unit)
        run = None if span is None else _days_in(each, span)
        if run is None:
            notices.append(Notice("outside_period", f"has no day in {span or asked}", each.id))
        else:
            named[each.unit].append((run, each))
    stays: list[Stay] = []
    stays_of: dict[str, list[Stay]] = {}
    problems: dict[str, Problem] = {}
    for unit, span in spans.items():
        runs = sorted(named[unit], key=lambda pair: pair[0])
        gaps = span.minus(*(run for run, _ in runs))
        if sum(run.days for run, _ in runs) + sum(gap.days for gap in gaps) > span.days:
            pairs = [pair for pair in pairwise(runs) if pair[0][0].overlaps(pair[1][0])]
            (days, one), (others, other) = pairs[0]
            said = f"has both {one.id} and {other.id}"
            both = Period(others.start, min(days.end, others.end))
            problems[unit] = _day_problem(unit, "unit_overlap", said, both)
        elif runs and gaps and policy.gaps == "refuse":
            said = "has no occupancy on some days"
            problems[unit] = _day_problem(unit, "unit_gap", said, gaps[0])
        elif runs and gaps:
            said = f"vacant in {', '.join(map(str, gaps))}"
            notices.append(Notice("vacant_gap", said, unit))
        runs += [(gap, _vacant_stay(unit, gap)) for gap in gaps]
        stays_of[unit] = []
        for run, occupancy in sorted(runs, key=lambda pair: pair[0]):
            stays.append(Stay(len(stays), occupancy, run))
            stays_of[unit].append(stays[-1])
    return House(settlement, policy, units, stays, stays_of, spans, problems, tuple(notices))


def _days_in(stated: SettlementUnit | Occupancy, asked: Period) -> Period | None:
    """Return the days of a unit or an occupancy in a period."""
    return Period(stated.first_day or _FIRST, stated.last_day or _LAST).intersection(asked)


def _vacant_stay(unit: str, gap: Period) -> Occupancy:
    name = f"vacant:{unit}:{gap.start}"
    return Occupancy(id=name, unit=unit, who="vacant", first_day=gap.start, last_day=gap.end)


def _day_problem(unit: str, code: str, said: str, where: Period) -> Problem:
    expected = "each day once: who=vacant for days without a tenant"
    return Problem(f"occupancies of {unit}", code, said, str(where), expected)
