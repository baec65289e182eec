"""Presets of the European mainland, from the Netherlands to Portugal.

Law: rows are data; a figure that no source states is not in a row, and the row says so.
"""

from datetime import date
from decimal import Decimal
from typing import Final

from rentbilling.presets.clause_preset import ClausePreset
from rentbilling.terms import IndexClause

_BE: Final = "old Civil Code art. 1728bis and the regional decrees; 2747.com, vlaanderen.be"
_CBS: Final = "CBS, Stappen indexeringsmodule; tables 83136NED, 70145NED"
_COEFFICIENT: Final = "CPI without housing, INE, published changes of twelve months"
_CPI_NL: Final = "CPI all households, CBS"
_DE_COMMERCIAL: Final = "Destatis, Wertsicherungsklauseln; ihk.de; finanztip.de"
_FOI: Final = "FOI without tobacco, ISTAT, published changes"
_HEALTH: Final = "health index (gezondheidsindex, indice santé), Statbel"
_LIK: Final = "LIK, Landesindex der Konsumentenpreise"
_MIEWEG: Final = "MieWeG; derstandard.at, lukasthekid/austria-rent-indexation-tool"
_VPI: Final = "VPI, Verbraucherpreisindex, Destatis"
_VPI_AT: Final = "VPI, Statistik Austria"
_MIEWEG_CLAUSE: Final = IndexClause(
    reference="year_mean",
    excess_over=Decimal("0.03"),
    excess_share=Decimal("0.5"),
    pro_rata="first_year",
    amount_rounding="half_down",
)

CONTINENTAL: Final = (
    ClausePreset(
        country="NL",
        name="year on year",
        clause=IndexClause(lag_months=4),
        index=_CPI_NL,
        source=_CBS,
        says="The rent in force times the index of the month four months before over that of a "
        "year earlier; the CBS tool multiplies by the ratio.",
    ),
    ClausePreset(
        country="NL",
        name="fixed denominator",
        clause=IndexClause(basis="anchored", lag_months=4),
        index=_CPI_NL,
        needs=("start_point",),
        source=_CBS,
        says="The first rent times the index of the month four months before over that of four "
        "months before the start.",
    ),
    ClausePreset(
        country="NL",
        name="ROZ, never down",
        clause=IndexClause(lag_months=4, increase_only=True),
        index=_CPI_NL,
        source="bossers-fitters.nl, with CBS table 83136NED",
        says="Month -4 over month -16; a fallen index leaves the rent as it is until the index "
        "passes the one last applied, as in most leases on the ROZ model.",
    ),
    ClausePreset(
        country="NL",
        name="CPI plus 1 point",
        clause=IndexClause(lag_months=4, surcharge=Decimal("0.01")),
        index=_CPI_NL,
        source="nieuws.nl, 15 December 2023; nos.nl",
        says="The change of the CPI plus a percentage point; another surcharge, up to 3 points in "
        "some leases, is the lease's; in the free sector the law's maximum is a cap of its own.",
    ),
    ClausePreset(
        country="BE",
        region="Flanders",
        name="residential",
        clause=IndexClause(basis="anchored", lag_months=1),
        index=_HEALTH,
        needs=("start_point",),
        source=_BE,
        says="The first rent times the index of the month before the anniversary over that of the "
        "month before the entry into force, in leases since 2019; energy labels D to F of 2022-23 "
        "leave a correction_factor, of which no worked example is known.",
    ),
    ClausePreset(
        country="BE",
        region="Brussels",
        name="residential",
        clause=IndexClause(basis="anchored", lag_months=1),
        index=_HEALTH,
        needs=("start_point",),
        source=f"{_BE}; logement.brussels",
        says="The first rent times the index of the month before the anniversary over that of the "
        "month before the signing; energy labels E to G of 2022-23 leave a correction_factor, of "
        "which no worked example is known.",
    ),
    ClausePreset(
        country="BE",
        region="Wallonia",
        name="residential",
        clause=IndexClause(basis="anchored", lag_months=1),
        index=_HEALTH,
        needs=("start_point",),
        source=f"{_BE}; energieinfowallonie.be, immoks.be",
        says="The first rent times the index of the month before the anniversary over that of the "
        "month before the signing; after the partial year 2022-23 of labels D to G, rent and index "
        "of that year are the new base_amount and start_point.",
    ),
    ClausePreset(
        country="LU",
        name="residential",
        clause=IndexClause(interval_years=2),
        index="CPI or wage index, STATEC",
        needs=("index_month",),
        source="agigest.lu; virgule.lu",
        says="The rent of a home may change only every two years; index clauses are contestable, "
        "and no worked example is known.",
    ),
    ClausePreset(
        country="FR",
        name="residential",
        clause=IndexClause(reference="quarter"),
        index="IRL, INSEE",
        needs=("index_quarter",),
        source="INSEE; notaires-lisieux-pontleveque.com, lawperationnel.com",
        says="The rent in force times the quarter that the lease names over that of a year before; "
        "the shield of 3.5 percent is in the published values, and what is not asked for within a "
        "year is lost.",
    ),
    ClausePreset(
        country="FR",
        name="shops",
        clause=IndexClause(reference="quarter"),
        index="ILC, INSEE",
        needs=("index_quarter",),
        source="INSEE; perfia.fr, livv.eu",
        says="The same with the index of shop rents, in a sliding-scale clause; a clause that can "
        "only rise is void.",
    ),
    ClausePreset(
        country="FR",
        name="offices",
        clause=IndexClause(reference="quarter"),
        index="ILAT, INSEE",
        needs=("index_quarter",),
        source="INSEE; cabinet-cec.fr",
        says="The same with the index of office rents; a clause that can only rise is void.",
    ),
    ClausePreset(
        country="DE",
        name="index rent",
        clause=IndexClause(),
        index=_VPI,
        needs=("index_month",),
        source="BGB 557b; destatis.de",
        says="The rent in force times new over old index, both ways, at least a year after the "
        "last change; both values are of the current base.",
    ),
    ClausePreset(
        country="DE",
        name="index rent, one decimal",
        clause=IndexClause(percentage_decimals=1),
        index=_VPI,
        needs=("index_month",),
        source="BGB 557b; frag-einen-anwalt.de",
        says="The percentage has one decimal before it is applied, as many pages compute it.",
    ),
    ClausePreset(
        country="DE",
        name="commercial, 10 percent reached",
        clause=IndexClause(threshold=Decimal("0.1")),
        index=_VPI,
        needs=("index_month", "start_point"),
        source=_DE_COMMERCIAL,
        says="Nothing happens until the index has moved by at least 10 percent since the last "
        "change; then all of it counts.",
    ),
    ClausePreset(
        country="DE",
        name="commercial, more than 10 percent",
        clause=IndexClause(threshold=Decimal("0.1"), threshold_inclusive=False),
        index=_VPI,
        needs=("index_month", "start_point"),
        source=_DE_COMMERCIAL,
        says="The same where the clause says more than 10 percent.",
    ),
    ClausePreset(
        country="DE",
        name="commercial, 10 points",
        clause=IndexClause(threshold=Decimal(10), threshold_unit="points"),
        index=_VPI,
        needs=("index_month", "start_point", "base"),
        source=_DE_COMMERCIAL,
        says="The same in points of the index, which depend on the base year; the statistics "
        "office no longer supports old bases.",
    ),
    ClausePreset(
        country="AT",
        name="contract, 5 percent",
        clause=IndexClause(threshold=Decimal("0.05"), threshold_inclusive=False),
        index=_VPI_AT,
        needs=("index_month", "start_point"),
        source="konsument.at",
        says="Nothing happens until the index exceeds the last one used times 1.05; then all of "
        "it counts; a clause that is looked at every month has interval_months 1.",
    ),
    ClausePreset(
        country="AT",
        name="residential",
        clause=_MIEWEG_CLAUSE,
        index=f"{_VPI_AT}, means of calendar years",
        valid_from=date(2026, 4, 1),
        source=_MIEWEG,
        says="On 1 April, the change of the yearly mean, what lies over 3 percent counting half, "
        "the first time for the full months left in the year of signing, whichever year that first "
        "time falls in; half a cent is dropped.",
    ),
    ClausePreset(
        country="AT",
        name="residential, beside a contract",
        clause=_MIEWEG_CLAUSE.evolve(combine="lower_of", after_limit="carry"),
        index=f"{_VPI_AT}, means of calendar years",
        valid_from=date(2026, 4, 1),
        source=_MIEWEG,
        says="The same, listed after the contract's own rule, which needs after_limit carry: both "
        "go on side by side, and the lower rent is due.",
    ),
    ClausePreset(
        country="AT",
        name="residential, price-protected",
        clause=_MIEWEG_CLAUSE,
        maximum_percentage=Decimal("0.01"),
        index=f"{_VPI_AT}, means of calendar years",
        valid_from=date(2026, 4, 1),
        valid_until=date(2026, 12, 31),
        source=_MIEWEG,
        says="The same with at most 1 percent in 2026, held before the part for the first year.",
    ),
    ClausePreset(
        country="AT",
        name="residential, price-protected",
        clause=_MIEWEG_CLAUSE,
        maximum_percentage=Decimal("0.02"),
        index=f"{_VPI_AT}, means of calendar years",
        valid_from=date(2027, 1, 1),
        valid_until=date(2027, 12, 31),
        source=_MIEWEG,
        says="The same with at most 2 percent in 2027; from 2028 there is no maximum.",
    ),
    ClausePreset(
        country="CH",
        name="index rent",
        clause=IndexClause(amount_quantum=Decimal("0.05")),
        index=_LIK,
        needs=("index_month",),
        source="OR 269b; mietrecht.ch, immoscout24.ch",
        says="All of the change, down too, to 5 rappen; leases of five years or more; one example "
        "fits 10 rappen alone.",
    ),
    ClausePreset(
        country="CH",
        name="index rent before August 1996",
        clause=IndexClause(share=Decimal("0.8"), amount_quantum=Decimal("0.05")),
        index=_LIK,
        needs=("index_month",),
        source="OR 269b; mieterverband.ch",
        says="In leases made before August 1996, 80 percent of the change count.",
    ),
    ClausePreset(
        country="CH",
        name="cost increase",
        clause=IndexClause(
            share=Decimal("0.4"), percentage_decimals=2, amount_quantum=Decimal("0.05")
        ),
        index=_LIK,
        needs=("index_month", "start_point"),
        source="mietrecht.ch; hausinfo.ch",
        says="40 percent of the inflation since the rent was last set, in two decimals; the steps "
        "of the reference rate and general costs are further rules that add up (combine sum).",
    ),
    ClausePreset(
        country="PL",
        name="yearly mean",
        clause=IndexClause(reference="year_mean"),
        index="CPI of the last calendar year, GUS",
        source="rp.pl",
        says="The inflation of the last calendar year, announced in January, usually applied in "
        "February.",
    ),
    ClausePreset(
        country="ES",
        name="IPC",
        clause=IndexClause(percentage_decimals=1),
        index="IPC, INE",
        needs=("index_month",),
        source="INE, cid=1436",
        says="The same month of whole years; the change is rounded to three decimals, one of the "
        "percentage, before it is applied.",
    ),
    ClausePreset(
        country="ES",
        name="IRAV",
        clause=IndexClause(lag_months=2),
        index="IRAV, INE, published changes",
        valid_from=date(2025, 1, 1),
        source="INE",
        says="In leases since 25 May 2023, the published change of the month two months before: "
        "the lowest of several rates.",
    ),
    ClausePreset(
        country="IT",
        name="75 percent",
        clause=IndexClause(share=Decimal("0.75")),
        minimum_percentage=Decimal(0),
        index=_FOI,
        needs=("index_month",),
        source="studioavvocatolandi.it; piazzapitagora.it",
        says="75 percent of the published change of the month that the lease names, in regulated "
        "leases; a fall does not lower the rent, and there is none under the flat tax.",
    ),
    ClausePreset(
        country="IT",
        name="75 percent, cut",
        clause=IndexClause(
            share=Decimal("0.75"),
            percentage_decimals=2,
            percentage_rounding="down",
            percentage_rounded="applied",
        ),
        minimum_percentage=Decimal(0),
        index=_FOI,
        needs=("index_month",),
        source="affittasubito.com; progetto-immobiliare.it",
        says="The same with two decimals of the percentage, the rest cut: one source prints 1.57 "
        "for 75 percent of 2.1.",
    ),
    ClausePreset(
        country="IT",
        name="100 percent",
        clause=IndexClause(),
        minimum_percentage=Decimal(0),
        index=_FOI,
        needs=("index_month",),
        source="studioavvocatolandi.it; progetto-immobiliare.it",
        says="All of the published change, where the lease agrees on it; a fall does not lower "
        "the rent.",
    ),
    ClausePreset(
        country="PT",
        name="coefficient",
        clause=IndexClause(year_offset=1, amount_quantum=Decimal("0.01"), amount_rounding="up"),
        index=_COEFFICIENT,
        index_month=8,
        valid_from=date(2012, 11, 1),
        source="NRAU art. 24 and 25; santander.pt, economiafinancas.com (2012)",
        says="The published change at August of the year before (2.16 percent at 2024-08 for 2025) "
        "on the rent in force, always up to the next cent.",
    ),
    ClausePreset(
        country="PT",
        name="coefficient, whole euro",
        clause=IndexClause(year_offset=1, amount_quantum=Decimal(1), amount_rounding="up"),
        index=_COEFFICIENT,
        index_month=8,
        valid_until=date(2012, 10, 31),
        source="NRAU art. 24 and 25; economiafinancas.com (2011, 2012)",
        says="Before November 2012 the new rent went up to the next whole euro.",
    ),
)
"""The rows, country by country."""
