"""Presets of the British Isles and of countries outside Europe.

Law: rows are data; a figure that no source states is not in a row, and the row says so.
"""

from datetime import date
from decimal import Decimal
from typing import Final

from rentbilling.presets.clause_preset import ClausePreset
from rentbilling.terms import IndexClause

_CPI_U: Final = "CPI-U 1982-84=100, BLS"

OVERSEAS: Final = (
    ClausePreset(
        country="GB",
        name="yearly review",
        clause=IndexClause(lag_months=2),
        index="CPI or RPI, ONS",
        source="footanstey.com; brownejacobson.com",
        says="The passing rent times the index of two months before over the one used last time; "
        "collar and cap, if any, are the lease's.",
    ),
    ClausePreset(
        country="GB",
        name="five-yearly review",
        clause=IndexClause(lag_months=2, interval_years=5, limit_per="year_compound"),
        index="CPI or RPI, ONS",
        needs=("minimum_percentage", "maximum_percentage"),
        source="osborneclarke.com; gateleyplc.com; wfw.com",
        says="Every five years, with a collar and a cap a year that compound: 2 percent become "
        "10.4.",
    ),
    ClausePreset(
        country="GB",
        region="England",
        name="maximum fair rent, first registration",
        clause=IndexClause(
            reference="last_published",
            surcharge=Decimal("0.075"),
            amount_quantum=Decimal("0.5"),
            amount_rounding="up",
        ),
        index="RPI, ONS",
        needs=("start_point",),
        source="manuals.voa.gov.uk",
        says="The last registered rent times one plus the change of the last published index plus "
        "7.5 percent, up to the next 50 pence: a maximum, not a claim.",
    ),
    ClausePreset(
        country="GB",
        region="England",
        name="maximum fair rent",
        clause=IndexClause(
            reference="last_published",
            surcharge=Decimal("0.05"),
            amount_quantum=Decimal("0.5"),
            amount_rounding="up",
        ),
        index="RPI, ONS",
        needs=("start_point",),
        source="manuals.voa.gov.uk",
        says="As the first time, but with 5 percent; how often a rent is registered is the "
        "lease's interval_years.",
    ),
    ClausePreset(
        country="IE",
        name="residential",
        clause=IndexClause(
            reference="last_published",
            increase_only=True,
            limit_per="year_simple",
            amount_rounding="down",
        ),
        maximum_percentage=Decimal("0.02"),
        index="HICP, RTB table",
        needs=("start_point",),
        valid_from=date(2021, 12, 11),
        source="hopkinsward.ie; rtb.ie; tenure.ie",
        says="The lower of the HICP since the rent was last set and 2 percent a year, not "
        "compounded, on the index published by then; since March 2026 it is the CPI.",
    ),
    ClausePreset(
        country="US",
        name="CPI-U",
        clause=IndexClause(percentage_decimals=1),
        index=_CPI_U,
        needs=("index_month",),
        source="bls.gov; lawinsider.com",
        says="The change in percent with one decimal, as the statistics office lays it out; which "
        "month, and limits if any, are the lease's.",
    ),
    ClausePreset(
        country="US",
        name="greater of CPI-U and 3 percent",
        clause=IndexClause(percentage_decimals=1),
        minimum_percentage=Decimal("0.03"),
        index=_CPI_U,
        needs=("index_month",),
        source="getdealdesk.co; lawinsider.com",
        says="The same, and never less than 3 percent.",
    ),
    ClausePreset(
        country="CA",
        region="Ontario",
        name="guideline",
        clause=IndexClause(reference="year_mean", year_offset=0, amount_rounding="down"),
        minimum_percentage=Decimal(0),
        maximum_percentage=Decimal("0.025"),
        index="rent increase guideline, published changes by year",
        source="ontario.ca; rentseeker.ca",
        says="The guideline published for the year of the increase, between 0 and 2.5 percent, "
        "never rounded up, twelve months after the last one.",
    ),
    ClausePreset(
        country="AU",
        name="CPI review",
        clause=IndexClause(reference="quarter", lag_months=1),
        index="CPI, ABS",
        source="eveproperty.com.au; investchat.com.au",
        says="The index of the quarter right before the review over that before the last one; the "
        "index is monthly since November 2025.",
    ),
    ClausePreset(
        country="IL",
        name="known index",
        clause=IndexClause(lag_months=2, amount_quantum=Decimal(1)),
        index="CPI, CBS of Israel",
        source="seen in peer programs",
        says="The last index known on the first of the month, which is out on the 15th of the one "
        "before, to the whole shekel; whether the first rent or the one in force is multiplied is "
        "not in the sources.",
    ),
    ClausePreset(
        country="IL",
        name="known index, no drop",
        clause=IndexClause(lag_months=2, amount_quantum=Decimal(1)),
        minimum_percentage=Decimal(0),
        index="CPI, CBS of Israel",
        source="seen in peer programs",
        says="The same, but a fallen index leaves the rent as it is.",
    ),
)
"""The rows, country by country."""
