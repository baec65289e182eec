"""Bills are compared in words of the field, and causes are proven by recomputing (A29, A56)."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.checks import Comparison, PortfolioComparison, compare_portfolio
from rentbilling.testing import a_bill, a_lease, a_line, a_rent, an_item
from tests.support.plans import TENTHS, by_index, home, lease
from tests.support.rents import amount, day
from tests.support.sentences import Said, assert_said

QUARTER = "Exclusive 0.25"
FEBRUARY = "2026-02-01/2026-02-28"
MARCH = "2026-03-01/2026-03-31"
DEFAULT = rb.BillingPolicy()
PER_LINE = rb.BillingPolicy(vat_rounding="per_line")
HALF_MONTH = rb.BillingPolicy(part_period="half_month")
RENT = a_line()
PARKING = a_line(product_key="key:parking", amount="100.00", vat=QUARTER)
# Two lines of 0.10 at 25 percent: 0.05 for the rate, 0.03 for each line.
SMALL = tuple(a_line(product_key=key, amount="0.10", vat=QUARTER) for key in ("a", "b"))
TWO_SMALL, TWO_SMALL_PER_LINE = a_bill(*SMALL), a_bill(*SMALL, policy=PER_LINE)
HALVES = tuple(
    a_line(amount="4250.00", period=days)
    for days in ("2026-02-01/2026-02-14", "2026-02-15/2026-02-28")
)
MOVED = a_line(amount="4250.00", period="2026-03-01/2026-03-14")
# A rent that ends on 15 February: 15 of 28 days, or, as more than half, all of it.
ENDED = a_lease(a_rent(ended_on="2026-02-15"))
BY_DAYS, AS_HALF_MONTH = (
    rb.pending_bills(ENDED, FEBRUARY, policy=each) for each in (None, HALF_MONTH)
)
CENTS = [
    an_item(product_key=key, amount="0.30", vat=QUARTER, ended_on="2026-02-10")
    for key in ("key:a", "key:b")
]


class Always:
    """Holidays without a business day between them."""

    def __contains__(self, _day: object) -> bool:
        return True


def of(expected: Any, actual: Any, **options: Any) -> Said:  # noqa: ANN401
    """Return what prints the differences of two bills, with code and path, and their causes."""

    def said() -> list[str]:
        found = rb.compare_bills(expected, actual, **options)
        causes = [f"all of it: {each}" for each in found.causes]
        return [f"{each.code} {each.path}: {each}" for each in found] + causes

    return said


def billed(terms: Any, other: rb.BillingPolicy, days: str = FEBRUARY, **options: Any) -> Said:  # noqa: ANN401
    """Return what finds the causes between the bills of two policies."""
    mine, theirs = (rb.pending_bills(terms, days, policy=each, **options) for each in (None, other))
    return lambda: rb.compare_bills(mine, theirs, diagnose=True).causes


def read(**given: Any) -> Said:  # noqa: ANN401
    """Return what finds the causes where the expected bills were read from a text."""
    expected = rb.loads(rb.dumps(BY_DAYS, full=True), rb.BillingResult)
    return lambda: rb.compare_bills(expected, AS_HALF_MONTH, diagnose=True, **given).causes


COMPARED: dict[str, Said] = {
    "equal bills": of(a_bill(RENT, PARKING), a_bill(PARKING, RENT)),
    # Every figure of the interface is compared.
    **{
        f"a line with other {', '.join(changed)}": of(
            a_bill(PARKING),
            a_bill(
                a_line(
                    **{"product_key": "key:parking", "amount": "100.00", "vat": QUARTER} | changed  # pyright: ignore[reportArgumentType]
                )
            ),
        )
        for changed in (
            {"amount": "100.01", "unit_net_price": "100.00", "net_price": "100.00"},
            {"unit_net_price": "99.99", "net_price": "100.00"},
            {"net_price": "99.00"},
            {"quantity": 2, "net_price": "100.00"},
            {"vat": "Exclusive 0.125"},
            {"period": "2026-02-01/2026-02-27"},
        )
    },
    # 2 × 90 with 12.5 percent for another product and other days, instead of 100 with 25: then
    # 25.00 at 25 percent is missing, 22.50 at 12.5 percent is too much.
    "all of a line and the sums": of(
        a_bill(RENT, PARKING),
        a_bill(
            RENT,
            a_line(
                product_key="key:garage",
                amount="90.00",
                quantity=2,
                vat="Exclusive 0.125",
                period=MARCH,
            ),
        ),
        match="order",
    ),
    "a VAT total": of(a_bill(PARKING), a_bill(PARKING, vat_totals={QUARTER: "25.01"})),
    "a VAT total in another order": of(
        a_bill(RENT, PARKING, vat_totals={"Exempt": "0.00", QUARTER: "25.00"}),
        a_bill(RENT, PARKING, vat_totals={QUARTER: "26.00", "Exempt": "0.00"}),
    ),
    # 25 percent is missing and counts below 0; 50 percent is too much.
    "VAT totals that only one side has": of(
        *(
            a_bill(RENT, PARKING, vat_totals={"Exempt": "0.00", rate: tax}, total="8625.00")
            for rate, tax in ((QUARTER, "25.00"), ("Exclusive 0.5", "9.00"))
        )
    ),
    "a VAT total that the expected bill has not": of(
        a_bill(PARKING, vat_totals=[]), a_bill(PARKING, total="100.00")
    ),
    "lines that only one side has": of(
        a_bill(RENT, a_line(product_key="key:heating", amount="500.00")),
        a_bill(RENT, a_line(product_key="key:parking", amount="600.00")),
    ),
    **{
        f"a line that is {name}, at {at}": of(*sides)
        for at, both in ((0, a_bill(RENT, PARKING)), (1, a_bill(PARKING, RENT)))
        for name, sides in (
            ("missing", (both, a_bill(PARKING))),
            ("too many", (a_bill(PARKING), both)),
        )
    },
    "sums are compared by themselves": of(
        a_bill(), a_bill(a_line(), subtotal="8500.01", total="8500.00")
    ),
    # A bill that does not state cash rounding says nothing about it (A52).
    **{
        f"cash rounding of {mine} and {theirs}": of(
            a_bill(cash_rounding=mine), a_bill(cash_rounding=theirs)
        )
        for mine, theirs in (("0.20", "0.10"), ("0.20", None), (None, "0.10"))
    },
    # Bills are matched by due date and currency, then by what they are for.
    "a bill that moved": of(a_bill(), a_bill(due="2026-02-02")),
    "a bill that moved and changed": of(
        a_bill(), a_bill(a_line(amount="8600.00"), due="2026-02-02")
    ),
    # A day later, and 0.10 instead of 0.20.
    "a bill that moved and its cash rounding": of(
        a_bill(due="2026-02-01", cash_rounding="0.20"),
        a_bill(due="2026-02-02", cash_rounding="0.10"),
    ),
    # Of other things; what is missing counts below 0.
    "bills that only one side has": of(
        [a_bill()],
        [
            a_bill(
                a_line(period=MARCH),
                a_line(product_key="key:fee", amount="1.00"),
                due="2026-03-01",
            )
        ],
    ),
    "a bill that only the actual side has": of(
        [a_bill()], [a_bill(), a_bill(a_line(period=MARCH), due="2026-03-01")]
    ),
    "another currency is another bill": of(a_bill(), a_bill(a_line(currency="EUR"))),
    "differences in the order of days": of(
        [a_bill(due=f"2026-{month:02d}-01") for month in (3, 1, 2)], ()
    ),
    # How lines are matched can be chosen.
    **{
        f"lines matched by {match}": of(a_bill(*HALVES), a_bill(HALVES[0], MOVED), match=match)
        for match in ("product", "period", "order")
    },
    "matched by order products may differ": of(
        a_bill(), a_bill(a_line(product_key="key:lease")), match="order"
    ),
    # A cause is named where recomputing proves it: 0.03 + 0.03 instead of 0.05.
    "VAT that was rounded for each line": of(
        TWO_SMALL, TWO_SMALL_PER_LINE, diagnose=True, policy=DEFAULT
    ),
    "causes are looked for on demand only": of(TWO_SMALL, TWO_SMALL_PER_LINE),
    # 25 percent of 0.10 are 0.025: cut down 0.02, and to the even digit as well.
    "VAT that was rounded in another mode": of(
        a_bill(SMALL[0]),
        a_bill(SMALL[0], policy=rb.BillingPolicy(rounding="down")),
        diagnose=True,
        policy=DEFAULT,
    ),
    # 0.09 is 0.05 under no rounding.
    "a VAT that nothing explains": of(
        TWO_SMALL, a_bill(*SMALL, vat_totals={QUARTER: "0.09"}), diagnose=True
    ),
    "untaxed VAT": of(a_bill(), a_bill(vat_totals={"Exempt": "1.00"}), diagnose=True),
    # The bills are recomputed under policies that differ in one field or two (A60).
    "the policy that gives the actual bills": of(BY_DAYS, AS_HALF_MONTH, diagnose=True),
    # 11,000 from January 2021 on; 15 of 28 days, or, as more than half, all of it.
    "with the index that the bills come from": billed(
        lease(by_index(), item=home(ended_on="2021-02-15")),
        HALF_MONTH,
        "2021-02-01/2021-02-28",
        indices=TENTHS,
    ),
    "two fields are tried where one is not enough": billed(
        a_lease(*CENTS), PER_LINE.evolve(part_period="full")
    ),
    # A whole month, for each line, and cut down: 0.07 twice are 0.14.
    "three fields are never tried": billed(
        a_lease(*CENTS), PER_LINE.evolve(part_period="full", rounding="down")
    ),
    # No rounding turns 8,500 into 8,600.
    "other terms are no matter of policy": lambda: (
        rb.compare_bills(
            *(rb.pending_bills(a_rent(amount=price), FEBRUARY) for price in ("8500.00", "8600.00")),
            diagnose=True,
        ).causes
    ),
    **{
        f"bills that were read, with {name}": read(**given)
        for name, given in (("no terms", dict[str, Any]()), ("their terms", {"terms": ENDED}))
    },
    "a policy that cannot be followed": lambda: (
        rb.compare_bills(
            rb.pending_bills(a_lease(), FEBRUARY, policy=rb.BillingPolicy(holidays=Always())),
            [a_bill(PARKING)],
            diagnose=True,
        ).causes
    ),
}


def test_differences_name_code_path_figures_and_causes(request: pytest.FixtureRequest) -> None:
    assert_said(request, Path(__file__), COMPARED)


def test_a_difference_has_its_amount_and_label() -> None:
    """What is missing counts below 0, what is too much above."""
    missing, extra, *_ = rb.compare_bills(a_bill(PARKING), a_bill(RENT))

    assert [("line key:parking", amount("-100.00")), ("line key:rent", amount("8500.00"))] == [
        (each.label.removesuffix(f" {FEBRUARY}"), each.by) for each in (missing, extra)
    ]
    assert (
        f"line key:parking {FEBRUARY}: expected 100.00 DKK, actual no line, actual is 100.00 lower"
        == (missing.sentence())
    )


def test_a_difference_of_vat_totals_has_both_sides() -> None:
    theirs = a_bill(PARKING, vat_totals={"Exclusive 0.5": "9.00"}, total="125.00")

    assert [
        ("VAT of Exclusive 25 %", "25.00 DKK", "no VAT total", amount("-25.00")),
        ("VAT of Exclusive 50 %", "no VAT total", "9.00 DKK", amount("9.00")),
    ] == [
        (each.label, each.expected, each.actual, each.by)
        for each in rb.compare_bills(a_bill(PARKING), theirs)
    ]


def test_a_summary_counts_leases_codes_causes_and_amounts() -> None:
    found = compare_portfolio(
        [("one", BY_DAYS, BY_DAYS), ("two", BY_DAYS, AS_HALF_MONTH), ("three", [a_bill()], [])],
        diagnose=True,
    )

    assert (3, 3, ["two", "three"]) == (found.leases, found.bills, [name for name, _ in found])
    assert 1 == found.counts["missing_bill"]
    assert {"the policy with part_period='half_month' gives the actual bills": 1} == {
        cause: count for cause, count in found.causes.items() if "half" in cause
    }
    # 8,500 instead of 15/28 of it, 4,553.57: 3,946.43 too much; and 8,500 are missing.
    assert {"DKK": amount("-4553.57")} == found.totals
    assert "1 of 3 leases equal, 3 bills" == str(found).splitlines()[0]
    assert ["  totals too high: 3946.43 DKK", "  totals too low: 8500.00 DKK"] == (
        str(found).splitlines()[-2:]
    )
    assert "<PortfolioComparison 3 leases, 2 with differences: two; three>" == repr(found)


def test_leases_of_a_portfolio_are_read_one_by_one() -> None:
    bill: rb.PendingBill = a_bill()
    found = compare_portfolio((f"lease-{at}", bill, bill) for at in range(5))

    assert ((), 5) == (found.parts, found.leases)
    assert found == PortfolioComparison([])


def test_causes_of_a_portfolio_are_looked_for_on_demand_only() -> None:
    """0.06 instead of 0.05."""
    leases = [("one", TWO_SMALL, TWO_SMALL_PER_LINE)]
    ((_, found),) = compare_portfolio(leases)
    ((_, diagnosed),) = compare_portfolio(leases, diagnose=True)

    assert found[0].cause is None
    assert diagnosed[0].cause is not None


def test_lines_of_a_portfolio_are_matched_as_asked() -> None:
    leases = [("one", a_bill(HALVES[1]), a_bill(MOVED))]

    assert {"accounting_period": 1} == compare_portfolio(leases, match="order").counts
    assert {"missing_line": 1, "extra_line": 1} == (
        compare_portfolio(leases, match="period").counts
    )


def test_a_comparison_compares_and_prints() -> None:
    found = rb.compare_bills([a_bill(), a_bill(due="2026-03-01")], [a_bill()])
    equal = rb.compare_bills(a_bill(RENT, PARKING), a_bill(PARKING, RENT))

    assert f"<Comparison 2 bills, 1 difference: {found[0]}>" == repr(found)
    assert Comparison(found.differences) == found
    assert ("", day("2026-03-01")) == (found[0].path, found[0].due_date)
    assert found[0].by
    assert Decimal(-8500) == found[0].by.amount
    assert "2 bills, no difference" == str(Comparison((), bills=2))
    assert (True, 1, "1 bill, no difference") == (equal.is_equal, equal.bills, str(equal))
    assert "2026-02-01 due date: expected 2026-02-01, actual 2026-02-02" == str(
        rb.compare_bills(a_bill(), a_bill(due="2026-02-02"))
    )
    # The last line of a comparison is the cause of all of it.
    caused = str(rb.compare_bills(BY_DAYS, AS_HALF_MONTH, diagnose=True)).splitlines()[-1]
    assert caused.startswith("all of it: the policy with part_period=")
