"""Presets of Denmark, Sweden, Norway and Finland.

Law: rows are data; a figure that no source states is not in a row, and the row says so.
"""

from decimal import Decimal
from typing import Final

from rentbilling.presets.clause_preset import ClausePreset
from rentbilling.terms import IndexClause

_NPI: Final = "net price index (nettoprisindeks), Danmarks Statistik PRIS116"

NORDIC: Final = (
    ClausePreset(
        country="DK",
        name="residential",
        clause=IndexClause(),
        index=_NPI,
        index_month=10,
        source="dst.dk; bolius.dk with LLO",
        says="The rent in force times new over old net price index, the exact ratio to the øre; "
        "the month is the one in section 11 of the lease, October for 1 January being usual.",
    ),
    ClausePreset(
        country="DK",
        name="commercial",
        clause=IndexClause(),
        index=f"{_NPI}, or the consumer price index",
        index_month=10,
        source="dst.dk; sapu.dk",
        says="As for homes; a lease may agree on any minimum and maximum, such as 2 and 4 percent.",
    ),
    ClausePreset(
        country="DK",
        name="notice template",
        clause=IndexClause(percentage_decimals=4),
        index=_NPI,
        index_month=10,
        source="sapu.dk, 2022 and 2023",
        says="The percentage has four decimals before it is applied, as in the SAPU template of "
        "a notice, whose text claims unlimited decimals.",
    ),
    ClausePreset(
        country="DK",
        name="whole krone",
        clause=IndexClause(amount_quantum=Decimal(1), amount_per="month"),
        index=_NPI,
        index_month=10,
        source="artikler.danskeudlejere.dk, id=603",
        says="The monthly rent is rounded to the whole krone, and the rent of a year is twelve "
        "times that.",
    ),
    ClausePreset(
        country="SE",
        name="commercial",
        clause=IndexClause(
            basis="anchored", amount_quantum=Decimal(1), amount_rounded="change", amount_per="year"
        ),
        index="KPI 1980=100, SCB",
        index_month=10,
        needs=("start_point",),
        source="fastighetsagarna.se; tecta.se",
        says="Base rent plus a supplement in whole kronor a year, from the October of the lease to "
        "the last one, on 1 January; the part of the rent that follows is agreed (indexed_share), "
        "and some landlords let it fall.",
    ),
    ClausePreset(
        country="SE",
        name="commercial, never down",
        clause=IndexClause(
            basis="anchored",
            amount_quantum=Decimal(1),
            amount_rounded="change",
            amount_per="year",
            after_limit="carry",
        ),
        minimum_percentage=Decimal(0),
        index="KPI 1980=100, SCB",
        index_month=10,
        needs=("start_point",),
        source="castor.se",
        says="As the other one, but a fallen index leaves the rent as it is until the index is "
        "above the level that the rent has.",
    ),
    ClausePreset(
        country="NO",
        name="commercial",
        clause=IndexClause(basis="anchored", lag_months=2, floor_at_start=True),
        index="KPI, SSB",
        needs=("start_point",),
        source="ne.no; wr.no",
        says="The first rent times the last known index over that of the lease, each 1 January, "
        "never below the first rent; the November figure is out on 10 December, and no worked "
        "example is known.",
    ),
    ClausePreset(
        country="NO",
        name="residential",
        clause=IndexClause(),
        index="KPI, SSB",
        needs=("index_month",),
        source="husleieloven 4-2; ssb.no/husleiekalkulator",
        says="Once a year, at most by the change of the index since the rent was last set, upon "
        "either party's notice of a month; which months are compared is not in the sources, and "
        "no worked example is known.",
    ),
    ClausePreset(
        country="FI",
        name="residential",
        clause=IndexClause(basis="anchored", lag_months=2, amount_rounding="down"),
        index="cost-of-living index 1951:10=100, Statistics Finland",
        needs=("start_point",),
        source="vuokralaiset.fi; tilastokoulu.stat.fi",
        says="The first rent times the latest known index over that of the lease, cut to the cent "
        "as in the example of the tenants' association, which takes February for April.",
    ),
    ClausePreset(
        country="FI",
        name="land lease",
        clause=IndexClause(
            basis="anchored", reference="year_mean", mean_decimals=0, amount_rounding="half_up"
        ),
        index="cost-of-living index 1951:10=100, Statistics Finland",
        needs=("start_point",),
        source="City-of-Helsinki/mvj",
        says="The first rent times the mean of the last calendar year, a whole number, over the "
        "month of signing; each line is rounded to the cent.",
    ),
)
"""The rows, country by country."""
