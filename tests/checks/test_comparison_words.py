"""A difference says all of it: its code, the field, both sides, and by how much (A29, A56)."""

from typing import Any

import pytest

from rentbilling import BillingPolicy, PendingBill, compare_bills, pending_bills
from rentbilling.checks import compare_portfolio
from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.testing import a_bill, a_lease, a_line, an_item
from tests.support.plans import TENTHS, by_index, home, lease
from tests.support.rents import amount

QUARTER = "Exclusive 0.25"
HALF = "Exclusive 0.5"
FEBRUARY = "2026-02-01/2026-02-28"
PER_LINE = BillingPolicy(vat_rounding="per_line")
RENT = a_line()
PARKING = a_line(product_key="key:parking", amount="100.00", vat=QUARTER)
OF_RENT = f"key:rent {FEBRUARY}"


def places(expected: Any, actual: Any, **options: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    return [(each.code, each.path) for each in compare_bills(expected, actual, **options)]


def tenths(count: int, **options: Any) -> PendingBill:  # noqa: ANN401
    """Return a bill of so many lines of 0.10 at 25 percent."""
    lines = [a_line(product_key=f"key:{at}", amount="0.10", vat=QUARTER) for at in range(count)]
    return a_bill(*lines, **options)


class TestFigures:
    """Every difference names its field in the interface's spelling."""

    def test_all_of_a_line_and_the_sums(self) -> None:
        """2 × 90 with 12.5 percent for another product and other days, instead of 100 with 25."""
        other = a_line(
            product_key="key:garage",
            amount="90.00",
            quantity=2,
            vat="Exclusive 0.125",
            period="2026-03-01/2026-03-31",
        )
        found = compare_bills(a_bill(RENT, PARKING), a_bill(RENT, other), match="order")

        assert [
            ("product", "pendingBillLineItems[1].productKey", "product"),
            ("accounting_period", "pendingBillLineItems[1].accountingPeriod", "accounting period"),
            ("vat", "pendingBillLineItems[1].vat", "VAT"),
            ("quantity", "pendingBillLineItems[1].quantity", "quantity"),
            ("amount", "pendingBillLineItems[1].amount", "price"),
            ("unit_net_price", "pendingBillLineItems[1].unitNetPrice", "unit price without VAT"),
            ("net_price", "pendingBillLineItems[1].netPrice", "net price"),
        ] == [
            (each.code, each.path, each.label.removesuffix(f" of key:parking {FEBRUARY}"))
            for each in found[:7]
        ]
        # 25.00 at 25 percent is missing, 22.50 at 12.5 percent is too much.
        assert [
            ("missing_vat_total", "vatTotals[1]"),
            ("extra_vat_total", "vatTotals[1]"),
            ("subtotal", "subtotal"),
            ("total", "total"),
        ] == [(each.code, each.path) for each in found[7:]]

    def test_a_moved_bill_and_its_cash_rounding(self) -> None:
        """A day later, and 0.10 instead of 0.20."""
        mine, theirs = (
            a_bill(due=due, cash_rounding=cash)
            for due, cash in (("2026-02-01", "0.20"), ("2026-02-02", "0.10"))
        )

        assert [("due_date", "dueDate"), ("cash_rounding", "cashRounding")] == places(mine, theirs)

    def test_cash_rounding_that_only_the_actual_bill_states(self) -> None:
        """Where none was expected, nothing is said about it (A52)."""
        assert [] == places(a_bill(), a_bill(cash_rounding="0.10"))

    def test_a_vat_total(self) -> None:
        mine = a_bill(RENT, PARKING, vat_totals={"Exempt": "0.00", QUARTER: "25.00"})
        theirs = a_bill(RENT, PARKING, vat_totals={QUARTER: "26.00", "Exempt": "0.00"})

        assert [("vat_amount", "vatTotals[0].amount"), ("total", "total")] == places(mine, theirs)

    def test_vat_totals_that_only_one_side_has(self) -> None:
        """25 percent is missing and counts below 0; 50 percent is too much."""
        mine, theirs = (
            a_bill(RENT, PARKING, vat_totals={"Exempt": "0.00", rate: tax}, total="8625.00")
            for rate, tax in ((QUARTER, "25.00"), (HALF, "9.00"))
        )

        assert [
            ("missing_vat_total", "vatTotals[1]", "25.00 DKK", "no VAT total", amount("-25.00")),
            ("extra_vat_total", "vatTotals[1]", "no VAT total", "9.00 DKK", amount("9.00")),
        ] == [
            (each.code, each.path, each.expected, each.actual, each.by)
            for each in compare_bills(mine, theirs)
        ]
        assert ["vatTotals[0]"] == [
            each.path
            for each in compare_bills(
                a_bill(PARKING, vat_totals=[]), a_bill(PARKING, total="100.00")
            )
        ]

    @pytest.mark.parametrize("at", [0, 1])
    def test_lines_that_only_one_side_has(self, at: int) -> None:
        lines = [PARKING]
        lines.insert(at, RENT)
        both, alone = a_bill(*lines), a_bill(PARKING)
        missing, extra = compare_bills(both, alone)[0], compare_bills(alone, both)[0]
        path = f"pendingBillLineItems[{at}]"

        assert ("missing_line", path) == (missing.code, missing.path)
        assert ("extra_line", path) == (extra.code, extra.path)
        assert f"line {OF_RENT}: expected 8500.00 DKK, actual no line, 8500.00 lower" == (
            missing.sentence()
        )
        assert f"line {OF_RENT}: expected no line, actual 8500.00 DKK, 8500.00 higher" == (
            extra.sentence()
        )


class TestBills:
    """A bill that stands alone is told in a few words."""

    def test_bills_that_only_one_side_has(self) -> None:
        march = a_bill(
            a_line(period="2026-03-01/2026-03-31"),
            a_line(product_key="key:fee", amount="1.00"),
            due="2026-03-01",
        )
        (missing,) = compare_bills([a_bill(), march], [a_bill()])
        (extra,) = compare_bills([a_bill()], [a_bill(), march])

        assert (
            "2026-03-01 bill: expected 8501.00 DKK, 2 lines, actual no bill, 8501.00 lower"
        ) == str(missing)
        assert (
            "2026-03-01 bill: expected no bill, actual 8501.00 DKK, 2 lines, 8501.00 higher"
        ) == str(extra)
        assert ("", "") == (missing.path, extra.path)


class TestRefusals:
    """What cannot be compared is refused in full."""

    def test_a_word(self) -> None:
        with pytest.raises(UnknownWordError) as caught:
            compare_bills((), (), match="luck")  # type: ignore[arg-type]
        known = "one of product, period, order"

        assert ("match", "unknown_word", "is not a known word", "'luck'", known) == (
            caught.value.problems[0]
        )

    def test_terms_that_say_nothing(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            compare_bills(a_bill(), a_bill(), terms=a_lease())
        (problem,) = caught.value.problems

        assert ("terms", "says_nothing", "diagnose=True, or none") == (
            problem.path,
            problem.code,
            problem.expected,
        )
        assert problem.met.startswith("LeaseTerms(")

    def test_what_is_no_bill(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            compare_bills((), ["bill"])

        kinds = "a PendingBill, or its data"
        assert f"actual.bills[0]: is no bill (met 'bill'; expected {kinds})" == str(caught.value)


class TestPoliciesThatGive:
    """The bills are recomputed under policies that differ in one field or two (A60)."""

    def test_with_the_index_that_the_bills_come_from(self) -> None:
        """11,000 from January 2021 on; 15 of 28 days, or, as more than half, all of it."""
        terms = lease(by_index(), item=home(ended_on="2021-02-15"))
        half = BillingPolicy(part_period="half_month")
        mine, theirs = (
            pending_bills(terms, "2021-02-01/2021-02-28", indices=TENTHS, policy=each)
            for each in (None, half)
        )
        found = compare_bills(mine, theirs, diagnose=True)

        assert "the policy with part_period='half_month' gives the actual bills" in found.causes

    def test_three_fields_are_never_tried(self) -> None:
        """A whole month, for each line, and cut down: 0.07 twice are 0.14."""
        items = [
            an_item(product_key=key, amount="0.30", vat=QUARTER, ended_on="2026-02-10")
            for key in ("key:a", "key:b")
        ]
        other = PER_LINE.evolve(part_period="full", rounding="down")
        mine, theirs = (
            pending_bills(a_lease(*items), FEBRUARY, policy=each) for each in (None, other)
        )

        assert () == compare_bills(mine, theirs, diagnose=True).causes


class TestPortfolios:
    """What is asked of a portfolio is asked of each lease."""

    def test_causes_are_looked_for_on_demand_only(self) -> None:
        """0.06 instead of 0.05."""
        leases = [("one", tenths(2), tenths(2, policy=PER_LINE))]
        ((_, found),) = compare_portfolio(leases)
        ((_, diagnosed),) = compare_portfolio(leases, diagnose=True)

        assert found[0].cause is None
        assert diagnosed[0].cause is not None

    def test_lines_find_each_other_as_is_said(self) -> None:
        halves, moved = (
            a_bill(a_line(amount="4250.00", period=days))
            for days in ("2026-02-15/2026-02-28", "2026-03-01/2026-03-14")
        )
        leases = [("one", halves, moved)]

        assert {"accounting_period": 1} == compare_portfolio(leases, match="order").counts
        assert {"missing_line": 1, "extra_line": 1} == (
            compare_portfolio(leases, match="period").counts
        )
