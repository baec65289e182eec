"""Who had each unit on each day of the settled period.

Law: the stays of a unit cover each day once; days without an occupancy are vacant only where the
policy says so, or where a unit has no occupancy at all (A75).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from rentbilling.errors import Problem
from rentbilling.settlement.occupancies import Occupancy, Reading, Settlement, SettlementUnit
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.values import Notice, Period

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


@dataclass(frozen=True)
class House:
    """The units of a settlement by id, with their stays by day."""

    settlement: Settlement
    policy: SettlementPolicy
    units: Mapping[str, SettlementUnit]
    stays: Sequence[Stay]
    stays_of: Mapping[str, Sequence[Stay]]
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


def house_of(settlement: Settlement, policy: SettlementPolicy) -> House:
    """Return the stays of each unit; a unit without an occupancy is vacant."""
    asked, notices = settlement.period, list[Notice]()
    named: dict[str, list[tuple[Period, Occupancy]]] = {each.id: [] for each in settlement.units}
    problems: dict[str, Problem] = {}
    for each in settlement.occupancies:
        first, last = each.first_day or _FIRST, each.last_day or _LAST
        there = Period(first, last).intersection(asked)
        if there is None:
            said = f"{each.id} has no day in {asked}"
            notices.append(Notice("outside_period", said, each.id))
        else:
            named[each.unit].append((there, each))
    stays: list[Stay] = []
    stays_of: dict[str, list[Stay]] = {}
    for unit in sorted(named):
        runs = sorted(named[unit], key=lambda pair: pair[0])
        gaps = asked.minus(*(run for run, _ in runs))
        if sum(run.days for run, _ in runs) + sum(gap.days for gap in gaps) > asked.days:
            problems[unit] = _problem(unit, "unit_overlap", "has two occupancies on a day", asked)
        elif runs and gaps and policy.gaps == "refuse":
            problems[unit] = _problem(unit, "unit_gap", "has no occupancy on some days", gaps[0])
        elif runs and gaps:
            said = f"{unit} is vacant in {', '.join(map(str, gaps))}"
            notices.append(Notice("vacant_gap", said, unit))
        runs += [(gap, _vacant(unit, gap)) for gap in gaps]
        stays_of[unit] = []
        for run, occupancy in sorted(runs, key=lambda pair: pair[0]):
            stays.append(Stay(len(stays), occupancy, run))
            stays_of[unit].append(stays[-1])
    units = {each.id: each for each in sorted(settlement.units, key=lambda each: each.id)}
    return House(settlement, policy, units, stays, stays_of, problems, tuple(notices))


def _vacant(unit: str, gap: Period) -> Occupancy:
    name = f"vacant:{unit}:{gap.start}"
    return Occupancy(id=name, unit=unit, who="vacant", first_day=gap.start, last_day=gap.end)


def _problem(unit: str, code: str, said: str, where: Period) -> Problem:
    expected = "each day once: who=vacant for days without a tenant"
    return Problem(f"occupancies of {unit}", code, said, str(where), expected)
