"""Legal caps: limits of the law on rises of rents, with their dates.

Law: a cap is a dated row; it becomes a rule that only limits, for the years whose adjustment day is
between its days (A35, A37).
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.presets.catalogue import country_code, day_or_none
from rentbilling.presets.clause_preset import adjustment_years, holds_between
from rentbilling.terms import IndexClause, RentAdjustmentRule

_SEPARATOR: Final = "; "


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalCap:
    """A limit of the law on rises of rents, with its dates.

    Examples:
        >>> cap = legal_caps("DK", on="2023-01-01")[0]
        >>> str(cap.maximum), str(cap.first_day), cap.scope
        ('0.04', '2022-09-30', 'residential')
    """

    country: str
    """Code of two letters, ISO 3166."""
    region: str | None = None
    """Part of the country with its own law."""
    name: str
    """Name of the law or the cap."""
    first_day: date
    """First day on which an adjustment is capped."""
    last_day: date | None = None
    """Last day; None if no end is known."""
    minimum: Decimal | None = None
    """The lowest percentage under the law, as a fraction."""
    maximum: Decimal | None = None
    """Greatest percentage that it allows, as a fraction: 0.04 is four percent."""
    per: Literal["adjustment", "year_simple"] = "adjustment"
    """Whether it applies to an adjustment, or to each year since the rent was last set (simple)."""
    scope: str
    """The kind of leases."""
    in_index: bool = False
    """Whether the published index already respects it, so that a rule has nothing to limit."""
    source: str
    """Statute, publisher or page of the cap."""
    says: str
    """A description, with facts to check in the lease."""

    def holds_on(self, day: date | None) -> bool:
        """Return whether an adjustment on a day is capped; without a day, always."""
        return holds_between(day, self.first_day, self.last_day)

    def rule(self, adjustment_month: int) -> RentAdjustmentRule | None:
        """Return the rule that limits the ones listed before it to the cap, never above it (A140).

        Args:
            adjustment_month: Calendar month on whose first day it adjusts, 1-12.

        Returns:
            The rule; None if no such day is between the cap's days, or the index respects the cap.
        """
        first, last = adjustment_years(adjustment_month, self.first_day, self.last_day)
        if self.in_index or (first is not None and last is not None and last < first):
            return None
        return RentAdjustmentRule(
            adjustment_type="Index",
            adjustment_month=adjustment_month,
            first_year=first,
            last_year=last,
            minimum_percentage=self.minimum,
            maximum_percentage=self.maximum,
            index_clause=IndexClause(
                combine="limit",
                limit_per=self.per,
                amount_rounding=None if self.maximum is None else "down",
            ),
        )


_NL_2025: Final = "rijksoverheid.nl, 17 December 2024"
_NL_FREE: Final = "Wet maximering huurprijsverhogingen geliberaliseerde huurovereenkomsten"
_NL_SAYS: Final = (
    "The lower of inflation and wages, plus a percentage point; capped since 1 May 2021"
)
_RDL: Final = "Real Decreto-ley 6/2022 art. 46"

LEGAL_CAPS: Final = (
    LegalCap(
        country="DK",
        name="4 percent rent cap",
        first_day=date(2022, 9, 30),
        last_day=date(2024, 9, 29),
        maximum=Decimal("0.04"),
        scope="residential",
        source="lejeloven 53, law of 22 September 2022 (L 210); sapu.dk, digura.dk",
        says="For two years, rises by the net price index of at most 4 percent, and never more "
        "than the index; the law speaks of the index of 2022 and 2023, taxes are outside it, and "
        "higher costs that are proven may go past it.",
    ),
    LegalCap(
        country="FR",
        name="bouclier loyer",
        first_day=date(2022, 7, 1),
        last_day=date(2024, 3, 31),
        maximum=Decimal("0.035"),
        scope="residential",
        in_index=True,
        source="law 2022-1158 of 16 August 2022 art. 12; INSEE",
        says="The IRL from the third quarter of 2022 to the first of 2024 was published with at "
        "most 3.5 percent (2.5 overseas, 2 in Corsica), so that no rule is needed.",
    ),
    LegalCap(
        country="FR",
        name="ILC cap",
        first_day=date(2022, 10, 1),
        last_day=date(2024, 9, 30),
        maximum=Decimal("0.035"),
        scope="commercial, small and medium firms",
        source="law 2022-1158 of 16 August 2022 art. 14, law 2023-568; legifiscal.fr",
        says="The ILC of the second quarter of 2022 to the first of 2024 counts with at most 3.5 "
        "percent a year; the days are those on which the newest quarter that is out is one of "
        "them.",
    ),
    LegalCap(
        country="ES",
        name="2 percent cap",
        first_day=date(2022, 3, 31),
        last_day=date(2023, 12, 31),
        maximum=Decimal("0.02"),
        scope="residential",
        source=f"{_RDL}, Real Decreto-ley 11/2022 and 20/2022",
        says="At most 2 percent, unless a landlord who is not a large one agrees on more.",
    ),
    LegalCap(
        country="ES",
        name="3 percent cap",
        first_day=date(2024, 1, 1),
        last_day=date(2024, 12, 31),
        maximum=Decimal("0.03"),
        scope="residential",
        source=f"{_RDL}, Ley 12/2023",
        says="At most 3 percent in 2024; since 2025 the IRAV takes its place in newer leases.",
    ),
    LegalCap(
        country="IE",
        name="4 percent a year",
        first_day=date(2016, 12, 24),
        last_day=date(2021, 7, 15),
        maximum=Decimal("0.04"),
        per="year_simple",
        scope="residential",
        source="irishlandlord.com; moneyguideireland.com",
        says="In rent pressure zones 4 percent times the months since the rent was last set over "
        "12 (over 24 the first time for a tenant who was there before: limit_months).",
    ),
    LegalCap(
        country="IE",
        name="2 percent a year",
        first_day=date(2021, 12, 11),
        maximum=Decimal("0.02"),
        per="year_simple",
        scope="residential",
        source="hopkinsward.ie; rtb.ie; christiespmp.ie; tenure.ie",
        says="The lower of the HICP and 2 percent a year, not compounded, in rent pressure zones; "
        "in the whole country since 20 June 2025, and against the CPI since 1 March 2026 except "
        "for new buildings; from 16 July to 10 December 2021 the HICP alone counted.",
    ),
    LegalCap(
        country="AT",
        name="1 percent for 2026",
        first_day=date(2026, 1, 1),
        last_day=date(2026, 12, 31),
        maximum=Decimal("0.01"),
        scope="residential, price-protected",
        source="MieWeG; kurier.at, derstandard.at",
        says="At most 1 percent on 1 April 2026; it comes before the part for the first year, "
        "which the preset for price-protected rents does and a rule that only limits does not.",
    ),
    LegalCap(
        country="AT",
        name="2 percent for 2027",
        first_day=date(2027, 1, 1),
        last_day=date(2027, 12, 31),
        maximum=Decimal("0.02"),
        scope="residential, price-protected",
        source="MieWeG; kurier.at, derstandard.at",
        says="At most 2 percent on 1 April 2027; as the year before.",
    ),
    LegalCap(
        country="PT",
        name="coefficient of 2023",
        first_day=date(2023, 1, 1),
        last_day=date(2023, 12, 31),
        maximum=Decimal("0.02"),
        scope="all leases",
        source="Lei 19/2022 art. 2",
        says="The coefficient of 2023 was fixed at 1.02 instead of 1.0543, for every kind of lease "
        "that follows it, unless the lease says otherwise.",
    ),
    LegalCap(
        country="NL",
        name="maximum of 2022",
        first_day=date(2022, 1, 1),
        last_day=date(2022, 12, 31),
        maximum=Decimal("0.033"),
        scope="residential, free sector",
        source=f"{_NL_FREE}; nul20.nl, 17 December 2021",
        says="Inflation of 2.3 percent plus a percentage point; of 2021, capped from 1 May on, no "
        "source states the figure.",
    ),
    LegalCap(
        country="NL",
        name="maximum of 2023",
        first_day=date(2023, 1, 1),
        last_day=date(2023, 12, 31),
        maximum=Decimal("0.041"),
        scope="residential, free sector",
        source=f"{_NL_FREE}; huurcommissie.nl, 31 December 2022",
        says=f"{_NL_SAYS}; wages 3.1 percent.",
    ),
    LegalCap(
        country="NL",
        name="maximum of 2024",
        first_day=date(2024, 1, 1),
        last_day=date(2024, 12, 31),
        maximum=Decimal("0.055"),
        scope="residential, free sector",
        source=f"{_NL_FREE}; nieuws.nl, 15 December 2023",
        says=f"{_NL_SAYS}; CPI 4.5 percent.",
    ),
    LegalCap(
        country="NL",
        name="maximum of 2025",
        first_day=date(2025, 1, 1),
        last_day=date(2025, 12, 31),
        maximum=Decimal("0.041"),
        scope="residential, free sector",
        source=f"{_NL_FREE}; {_NL_2025}",
        says=f"{_NL_SAYS}; CPI 3.1 percent.",
    ),
    LegalCap(
        country="NL",
        name="maximum of 2026",
        first_day=date(2026, 1, 1),
        last_day=date(2026, 12, 31),
        maximum=Decimal("0.044"),
        scope="residential, free sector",
        source=f"{_NL_FREE}; overwaardevastgoed.nl",
        says=f"{_NL_SAYS}.",
    ),
    LegalCap(
        country="NL",
        name="mid-segment maximum of 2025",
        first_day=date(2025, 1, 1),
        last_day=date(2025, 12, 31),
        maximum=Decimal("0.077"),
        scope="residential, mid-segment",
        source=f"Wet betaalbare huur; {_NL_2025}",
        says="Wages of 6.7 percent plus a percentage point, in leases since 1 July 2024.",
    ),
    LegalCap(
        country="NL",
        name="mid-segment maximum of 2026",
        first_day=date(2026, 1, 1),
        last_day=date(2026, 12, 31),
        maximum=Decimal("0.061"),
        scope="residential, mid-segment",
        source="Wet betaalbare huur; overwaardevastgoed.nl",
        says="Wages plus a percentage point, in leases since 1 July 2024.",
    ),
)
"""All caps, country by country, and by their days."""


def legal_caps(country: str, *, on: date | str | None = None) -> tuple[LegalCap, ...]:
    """Return the recorded caps of a country.

    Args:
        country: Code of two letters, in any case.
        on: Only those that apply to an adjustment on this day.

    Returns:
        The caps; an empty result means that none is recorded, not that the law has none.

    Raises:
        UnknownWordError: The country is not known here.
        InvalidPeriodError: The day is malformed.

    Examples:
        >>> [each.name for each in legal_caps("ES", on="2024-05-01")]
        ['3 percent cap']
        >>> legal_caps("SE")
        ()
    """
    code, day = country_code(country), day_or_none(on)
    return tuple(each for each in LEGAL_CAPS if each.country == code and each.holds_on(day))


def cap_rules(
    country: str, adjustment_month: int, *, scope: str | None = None
) -> tuple[RentAdjustmentRule, ...]:
    """Return a country's caps as rules, to be listed after the rule that they limit.

    Args:
        country: Code of two letters, in any case.
        adjustment_month: Calendar month on whose first day the rent is adjusted, 1-12.
        scope: The kind of leases, as in the rows; may be left out if all rows have the same one,
            and it is that of the lease.

    Returns:
        Rules that only limit, each for the years whose adjustment day is between its days.

    Raises:
        UnknownWordError: The country is not known here, or no row has this scope.
        InvalidRecordError: The rows have several scopes, and none is given.
        InvalidInputError: There is no such month.

    Examples:
        The Danish cap of two years applied to rises in January 2023 and 2024:

        >>> [(each.first_year, each.last_year) for each in cap_rules("DK", 1)]
        [('2023', '2024')]
    """
    caps = legal_caps(country)
    scopes = tuple(dict.fromkeys(each.scope for each in caps))
    if scope is None and len(scopes) > 1:
        said = "is not given, and the caps are for different leases"
        expected = f"one of: {_SEPARATOR.join(scopes)}"
        raise InvalidRecordError.of("scope", "scope_needed", said, scope, expected)
    if scope is not None and scope not in scopes:
        known = _SEPARATOR.join(scopes) or "none"
        said = "has no cap"
        raise UnknownWordError.of("scope", "unknown_scope", said, scope, f"one of: {known}")
    found = (each.rule(adjustment_month) for each in caps if scope in (None, each.scope))
    return tuple(rule for rule in found if rule is not None)
