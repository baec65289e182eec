"""Series of changes against the month before: multiplied, as levels that begin with 1 (A152)."""

from decimal import Decimal
from itertools import accumulate
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidAdjustmentRuleError
from tests.support.plans import by_index, lease, made, ruled, series
from tests.support.rows import rows

# fmt: off
IPCA = ("0.0016 0.0131 0.0056 0.0043 0.0026 0.0024 0.0026 -0.0011 0.0048 0.0009 0.0018 0.0033")
INPC = ("0.0083 0.0011 0.0062 0.004 0.0002 0.0035 0.0027 0.0051 -0.001 0.0044 0.0038 0.0029")
IGPM = "-0.0049 -0.0108 0.0001 0.0088 0.0126 0.0092 0.0045 0.008 0.004 -0.0067 -0.0001 0.0068"
# fmt: on


def monthly(text: str, first: str = "2025-01", **changes: Any) -> rb.IndexSeries:  # noqa: ANN401
    """Return the changes of months that follow each other."""
    start = rb.IndexPoint.parse(first)
    values = {str(start.shifted(at)): each for at, each in enumerate(text.split())}
    return series(values, "M", base=None, kind="monthly_change", **changes)


def adjusted(
    price: str,
    days: str,
    values: rb.IndexSeries,
    month: int = 1,
    **clause: Any,  # noqa: ANN401
) -> list[tuple[str, str]]:
    rule = by_index(adjustment_month=month, first_year=days[:4], **clause)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,))
    found = rb.rent_adjustments(plan, days, indices=values, amount=rb.Amount(Decimal(price), "BRL"))
    return [(f"{each.adjusted_on}", f"{_amount(each)}") for each in found]


def _amount(each: rb.RentAdjustment) -> Decimal:
    assert each.to_period_amount is not None
    return each.to_period_amount.amount


class TestByHand:
    """Twelve changes of a month make that of the year."""

    @rows(
        ("expected", "asked"),
        [
            # 1.0016 × … × 1.0033 = 1.0426438490; × 2,000 = 2,085.2877; by 4.26 %: 2,085.20.
            ([("2026-01-01", "2085.29")], ("2000", "2026", monthly(IPCA), 1, {})),
            ([("2026-01-01", "2085.20")],
             ("2000", "2026", monthly(IPCA), 1, {"percentage_decimals": 2})),
            # 1.0235038518 and 1.0180223268, six changes each.
            ([("2026-07-01", "1842.31"), ("2027-01-01", "1875.51")],
             ("1800", "2026-07-01/2027-01-31", monthly(INPC, "2026-01"), 7,
              {"interval_months": 6})),
            # The product less 1 is 0.031665, 3.17 %; × 1,500.
            ([("2019-11-01", "1547.55")],
             ("1500", "2019", monthly(IGPM, "2018-11"), 11, {"percentage_decimals": 2})),
        ],
    )  # fmt: skip
    def test_changes_are_multiplied(self, expected: list[tuple[str, str]], asked: Any) -> None:  # noqa: ANN401
        price, days, values, month, clause = asked

        assert expected == adjusted(price, days, values, month, lag_months=1, **clause)

    def test_a_missing_month_is_named(self) -> None:
        values = {str(each): value for each, value in monthly(IPCA).values.items()}
        values.pop("2025-06")
        holed = rb.IndexSeries("IPCA", values, kind="monthly_change")

        with pytest.raises(rb.MissingIndexError, match="series IPCA has no value at 2025-06"):
            adjusted("2000", "2026", holed, lag_months=1)

    def test_the_effect_has_the_months_and_the_explanation_the_factors(self) -> None:
        rule = by_index(lag_months=1, first_year="2026")
        found = rb.rent_adjustments(lease(rule), "2026", indices=monthly(IPCA))
        (effect,) = found[0].adjustment_rules_effects
        factors = next(
            step for step in rb.explain(found).steps() if step.label == "product of the changes"
        )

        assert (None, None) == (effect.from_index, effect.to_index)
        assert ("2024-12", "2025-12") == (f"{effect.from_year_month}", f"{effect.to_year_month}")
        assert "index 2024-12 to 2025-12: 4.2644 %" in str(found)
        assert [f"2025-{month:02}" for month in range(1, 13)] == [
            name for name, _ in factors.inputs
        ]

    def test_the_explanation_of_a_bill_says_the_months_of_earlier_adjustments(self) -> None:
        rule = by_index(lag_months=1, interval_months=6, first_year="2025")
        bills = rb.bill_period(
            lease(rule), "2027-02", indices=monthly(f"0 0 0 0 0 0 {IPCA} {INPC}", "2024-07")
        )

        assert "changes of months of M up to 2025-06" in str(rb.explain(bills))


LEVELS = "0.0025 0.01 -0.004 0.0125 0.002 -0.0015 0.03 0.0005 0 -0.02 0.0125 0.004"
"""Changes whose products are near those of levels with eleven decimals."""
CHANGES = monthly(" ".join([LEVELS] * 5), "2019-01")
LIKE = series(
    {
        str(point): f"{level:.11f}"
        for point, level in zip(
            [rb.IndexPoint.parse("2018-12"), *CHANGES.points],
            accumulate(CHANGES.values.values(), lambda so_far, by: so_far * (1 + by),
                       initial=Decimal(100)),
            strict=True,
        )
    },
    "M",
)  # fmt: skip
OTHER = series({f"{year}-{month:02}": 100 + year - 2018 for year in range(2018, 2025)
                for month in range(1, 13)}, "OTHER")  # fmt: skip


class TestAsLevels:
    """They behave as levels that begin with 1."""

    @rows(
        "clause",
        [
            {},
            {"lag_months": 1},
            {"interval_months": 5, "lag_months": 1},
            {"basis": "anchored"},
            {"basis": "anchored", "start_point": "2019-02"},
            {"basis": "anchored", "start_point": rb.IndexPoint.parse("2019")},
            {"basis": "last_indexed"},
            {"basis": "mixed"},
            {"from_lag_months": 15, "lag_months": 2},
            {"mean_of": 3},
            {"mean_of": 4, "mean_of_what": "changes"},
            {"reference": "quarter", "lag_months": 2},
            {"reference": "year_mean"},
            {"lower_of": ("OTHER",), "series": "M"},
            {"threshold": "0.055"},
            {"threshold": "0.04", "basis": "anchored"},
            {"increase_only": True, "interval_months": 3, "lag_months": 1},
            {"pro_rata": "first_year"},
        ],
    )
    def test_amounts_are_those_of_levels(self, clause: dict[str, Any]) -> None:
        terms = lease(ruled(**clause))
        ways = [(each, OTHER) if "lower_of" in clause else each for each in (CHANGES, LIKE)]

        assert made(terms, ways[0], "2020-02-01/2023-12-31") == made(
            terms, ways[1], "2020-02-01/2023-12-31"
        )
        rb.explain(rb.rent_adjustments(terms, "2020-02-01/2023-12-31", indices=ways[0]))

    def test_the_quick_way_leaves_them_to_the_steps(self) -> None:
        terms = lease(by_index(most="0.02"))

        assert [bill.total for bill in rb.pending_bills(terms, "2023-05", indices=LIKE)] == [
            bill.total for bill in rb.pending_bills(terms, "2023-05", indices=CHANGES)
        ]

    def test_a_month_that_is_not_out_is_not_filled_later(self) -> None:
        """June is out after the adjustment in July, which waits, and January needs it as well.

        With all months 1.01 × 1.02 = 1.0302, and 1.0302 × 1.03 = 1.061106.
        """
        values = monthly("0.01 0 0 0 0 0.02 0 0 0 0 0 0.03", known={"2025-06": "2025-08-10"})
        rule = by_index(lag_months=1, interval_months=6, first_year="2025", adjustment_month=7)
        asked, goes_on = "2025-07-01/2026-01-31", rb.BillingPolicy(missing_index="notice")
        early = values.known_on("2025-07-01")
        found = rb.rent_adjustments(lease(rule), asked, indices=early, policy=goes_on)

        assert [("missing_index", "2025-06")] * 2 == [
            (each.code, dict(each.facts)["at"]) for each in found.notices
        ]
        assert [("2025-07-01", "10302.00"), ("2026-01-01", "10611.06")] == made(
            lease(rule), values, asked
        )


class TestMarks:
    """A provisional or assumed value of any of the months has a notice."""

    @pytest.mark.parametrize("mark", ["provisional", "assumed"])
    def test_any_month_counts(self, mark: str) -> None:
        marked: dict[str, Any] = {mark: ["2025-03", "2025-12"]}
        values = monthly(IPCA, **marked)
        rule = by_index(lag_months=1, first_year="2026")
        found = rb.rent_adjustments(lease(rule), "2026", indices=values)

        assert [(f"{mark}_index", "2025-03"), (f"{mark}_index", "2025-12")] == [
            (each.code, dict(each.facts)["at"]) for each in found.notices
        ]
        assert f"2025-03, {mark}" in [
            name for step in rb.explain(found).steps() for name, _ in step.inputs
        ]


@rows(
    ("clause", "path"),
    [
        ({"start_point": "2024-12", "start_index": 100, "base": "B"}, "startIndex"),
        ({"mean_of": 3, "mean_decimals": 1}, "meanDecimals"),
        ({"reference": "year_mean", "mean_decimals": 1}, "meanDecimals"),
        ({"threshold": 5, "threshold_unit": "points"}, "thresholdUnit"),
        ({"threshold": 5, "threshold_unit": "points", "series": "OTHER", "lower_of": ("M",)},
         "thresholdUnit"),
    ],
)  # fmt: skip
def test_what_is_about_levels_is_refused(clause: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidAdjustmentRuleError, match=path):
        rb.rent_adjustments(
            lease(ruled(**{"series": "M", **clause})), "2026", indices=(CHANGES, OTHER)
        )
