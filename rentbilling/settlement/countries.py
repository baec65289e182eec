"""What countries say of settlements: deadlines, habits and sources, as data.

Law: a country refuses nothing that a contract may say; it gives defaults, deadlines and notices.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from rentbilling.errors import UnknownWordError, UnsupportedCaseError
from rentbilling.settlement.policy import SettlementPolicy
from rentbilling.values import (
    LAST_DAY,
    MONTHS_PER_YEAR,
    AnyPeriod,
    day_in_month,
    day_of,
    month_index,
    month_start,
    period_of,
)

_FIRST_DAY: Final = 1
_DECEMBER: Final = 30
"""Days after its first."""
_DEFAULT: Final = SettlementPolicy()
_DROPS: Final = SettlementPolicy(late="drop_extra_charge")
_SECOND_RENT: Final = SettlementPolicy(due_rents=2)
_AFTER_A_MONTH: Final = _DROPS.evolve(due_months=1, due_rents=1, refund_waits=False, items="group")
_BY_AREA: Final = _DROPS.evolve(estimate_limit=Decimal("0.25"))


class Deadlines(NamedTuple):
    """The days of a settlement; None where the law names none (assumption A84)."""

    settled_by: date | None = None
    """The last day on which a statement is in time."""
    lapsed_on: date | None = None
    """The first day on which the claim is gone."""
    objection_until: date | None = None
    """The last day on which the tenant may object, where the day of receipt is known."""
    instalments_from: date | None = None
    """The first day of a statement whose extra charge the tenant may pay by months (A120)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementPreset:
    """The usual settlement of a country for one kind of lease.

    Examples:
        >>> settlement_preset("AT").deadlines("2022").lapsed_on
        datetime.date(2026, 1, 1)
    """

    country: str
    """Code of two letters, ISO 3166."""
    name: str
    """The kind of lease."""
    policy: SettlementPolicy = _DEFAULT
    """The policy that fits."""
    counts_from: Literal["period", "year"] = "period"
    """Whether deadlines count from the end of the period or of its calendar year."""
    settled_after: int | None = None
    """Months until the statement is due."""
    lapses_after: int | None = None
    """Months until the claim is gone."""
    objection_months: int | None = None
    """Months from receipt in which the tenant may object."""
    objection_days: int | None = None
    """Days from receipt in which the tenant may object."""
    supplier_months: int | None = None
    """Months from a supplier's last bill until the statement is due, where that is later."""
    lapses_by_cost: bool = False
    """Whether the months until a claim is gone count from each cost, not from the period's end."""
    instalments: int | None = None
    """Months in which an extra charge may be paid after the year that follows the period's."""
    compares_lump_sums: bool = False
    """Whether a lump sum must be in proportion to the costs (A115)."""
    source: str
    """Statute or practice."""
    says: str
    """What it is about."""

    def deadlines(
        self,
        period: AnyPeriod,
        *,
        received_on: date | str | None = None,
        supplier_bill: date | str | None = None,
    ) -> Deadlines:
        """Return the days of a settlement of a period (A84).

        `received_on` is the day on which the tenant has the statement, `supplier_bill` that of a
        supplier's last bill.

        Raises:
            UnsupportedCaseError: A deadline would be after 9999-12-31.
        """
        end = period_of(period).last
        index = month_index(end)
        year_end = month_start(index - index % MONTHS_PER_YEAR + MONTHS_PER_YEAR - 1) + _DECEMBER
        if self.counts_from == "year":
            end = year_end
        settled = _later(end, self.settled_after)
        if settled is not None and supplier_bill is not None and self.supplier_months is not None:
            billed = day_of(supplier_bill, "supplier_bill")
            settled = max(settled, _since(billed, self.supplier_months) or 0)
        lapsed = _later(end, self.lapses_after)
        if self.policy.late == "drop_extra_charge":
            lapsed = settled
        objection = None
        if received_on is not None:
            received = day_of(received_on, "received_on")
            objection = _since(received, self.objection_months)
            if self.objection_days is not None:
                objection = received + self.objection_days
        late = _later(year_end, MONTHS_PER_YEAR) if self.instalments else None
        return Deadlines(_date(settled), _next(lapsed), _date(objection), _next(late))


def _later(day: int, months: int | None) -> int | None:
    """Return the last day of so many months after a period; months that end with one stay whole."""
    if months is None:
        return None
    index = month_index(day)
    there = _month(index + months + 1)
    if day == LAST_DAY or day + 1 == month_start(index + 1):
        return month_start(there) - 1
    return day_in_month(there - 1, day - month_start(index) + 1)


def _since(event: int, months: int | None) -> int | None:
    """Return the last day of so many months after an event: the day of the same number."""
    if months is None:
        return None
    index = month_index(event)
    return day_in_month(_month(index + months), event - month_start(index) + 1)


def _month(index: int) -> int:
    if index > month_index(LAST_DAY):
        raise UnsupportedCaseError("unsupported", case="a deadline after 9999-12-31")
    return index


def _date(day: int | None) -> date | None:
    return None if day is None else date.fromordinal(day)


def _next(day: int | None) -> date | None:
    return None if day is None else _date(day + 1)


SETTLEMENT_PRESETS: Final = (
    SettlementPreset(
        country="DE",
        name="residential",
        policy=_BY_AREA,
        settled_after=12,
        objection_months=12,
        source="BGB §§ 556, 556a, 560; BetrKV § 2; HeizkostenV §§ 6-12",
        says="Twelve months at most; after twelve months an extra charge is lost, a refund stays.",
    ),
    SettlementPreset(
        country="DE",
        name="commercial",
        settled_after=12,
        source="case law on BGB §§ 535, 556; not in the statute",
        says="By contract; the statement is due after twelve months, and a late one is not lost.",
    ),
    SettlementPreset(
        country="AT",
        name="residential",
        policy=_SECOND_RENT,
        counts_from="year",
        settled_after=6,
        lapses_after=36,
        source="MRG § 21(3), (4); HeizKG § 10",
        says="Calendar year, due on 30 June; claims lapse three years after the year.",
    ),
    SettlementPreset(
        country="DK",
        name="residential",
        policy=_AFTER_A_MONTH,
        settled_after=4,
        objection_days=42,
        supplier_months=3,
        source="lejeloven (2022), heat, cooling and water accounts",
        says="Four months, or three from the supplier's last bill; heat and water by themselves.",
    ),
    SettlementPreset(
        country="DK",
        name="commercial",
        policy=_AFTER_A_MONTH,
        settled_after=4,
        supplier_months=3,
        source="erhvervslejeloven; by contract, and where it is silent as for dwellings",
        says="By contract; kinds of costs and a yearly estimate are stated when it is signed.",
    ),
    SettlementPreset(
        country="NL",
        name="residential",
        counts_from="year",
        settled_after=6,
        compares_lump_sums=True,
        source="BW 7:259; HR 2020:808",
        says="Calendar year, due on 30 June; nothing is lost by delay.",
    ),
    SettlementPreset(
        country="FR",
        name="residential",
        lapses_after=36,
        instalments=12,
        source="loi 89-462, arts. 7-1, 22, 23",
        says="Once a year, with its account a month before; three years; late ones in twelfths.",
    ),
    SettlementPreset(
        country="BE",
        name="any",
        lapses_after=60,
        source="old Civil Code art. 1728ter; the five years are general law",
        says="Actual costs with their documents, unless a lump sum is agreed.",
    ),
    SettlementPreset(
        country="FI",
        name="residential",
        source="by contract and the housing company's articles; no statute sets days",
        says="Metered water and heat are settled, a fee for each person is not.",
    ),
    SettlementPreset(
        country="GR",
        name="residential",
        source="by the building's table of thousandths and its study of heat",
        says="Month by month; a vacant flat bears its fixed part of the heat.",
    ),
    SettlementPreset(
        country="GB",
        name="dwellings",
        lapses_after=18,
        lapses_by_cost=True,
        source="Landlord and Tenant Act 1985, ss. 18-20B",
        says="A cost is demanded or notified within eighteen months of it; s. 20B.",
    ),
    SettlementPreset(
        country="US",
        name="commercial",
        source="by lease",
        says="Pro rata shares of stated denominators; base year, stop, ceilings and gross-up.",
    ),
)
"""All presets, country by country."""


def months_before(day: date, months: int) -> date:
    """Return the first day that is not more than so many months before another one."""
    index = month_index(day.toordinal()) - months
    return date.fromordinal(day_in_month(max(index, month_index(_FIRST_DAY)), day.day))


def settlement_preset(country: str, name: str | None = None) -> SettlementPreset:
    """Return the preset of a country; the first one of it where no name is given.

    Raises:
        UnknownWordError: There is none.

    Examples:
        >>> settlement_preset("DE").policy.late
        'drop_extra_charge'
    """
    for each in SETTLEMENT_PRESETS:
        if each.country == country.upper() and name in (None, each.name):
            return each
    known = "; ".join(f"{each.country} {each.name}" for each in SETTLEMENT_PRESETS)
    said, met = "has no settlement preset", f"{country} {name or ''}".strip()
    raise UnknownWordError.of("country", "unknown_preset", said, met, known)
