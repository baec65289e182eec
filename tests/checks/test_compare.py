"""Bills are compared in words of the field, and causes are proven by recomputing (A29, A56)."""

from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    BillingPolicy,
    BillingResult,
    LeaseTerms,
    PendingBill,
    compare_bills,
    dumps,
    loads,
    pending_bills,
)
from rentbilling.checks import Comparison, PortfolioComparison, compare_portfolio
from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.testing import a_bill, a_lease, a_line, a_rent, an_item
from tests.support.rents import amount, day

QUARTER = "Exclusive 0.25"
RENT = a_line()
PARKING = a_line(product_key="key:parking", amount="100.00", vat=QUARTER)
PER_LINE = BillingPolicy(vat_rounding="per_line")
FEBRUARY = "2026-02-01/2026-02-28"
OF = f"of key:parking {FEBRUARY}"
# Two lines of 0.10 at 25 percent: 0.05 for the rate, 0.03 for each line.
SMALL = tuple(a_line(product_key=key, amount="0.10", vat=QUARTER) for key in ("a", "b"))


def told(expected: Any, actual: Any, **options: Any) -> list[str]:  # noqa: ANN401
    return [str(each) for each in compare_bills(expected, actual, **options)]


class TestFigures:
    """Every figure of the interface is compared."""

    def test_equal_bills_have_no_difference(self) -> None:
        found = compare_bills(a_bill(RENT, PARKING), a_bill(PARKING, RENT))

        assert (True, 1, "1 bill, no difference") == (found.is_equal, found.bills, str(found))

    @pytest.mark.parametrize(
        ("changed", "code", "sentence"),
        [
            (
                {"amount": "100.01", "unit_net_price": "100.00", "net_price": "100.00"},
                "amount",
                f"price {OF}: expected 100.00 DKK, actual 100.01 DKK, 0.01 higher",
            ),
            (
                {"unit_net_price": "99.99", "net_price": "100.00"},
                "unit_net_price",
                f"unit price without VAT {OF}: expected 100.00 DKK, actual 99.99 DKK, 0.01 lower",
            ),
            (
                {"net_price": "99.00"},
                "net_price",
                f"net price {OF}: expected 100.00 DKK, actual 99.00 DKK, 1.00 lower",
            ),
            (
                {"quantity": 2, "net_price": "100.00"},
                "quantity",
                f"quantity {OF}: expected 1, actual 2",
            ),
            (
                {"vat": "Exclusive 0.125"},
                "vat",
                f"VAT {OF}: expected Exclusive 25 %, actual Exclusive 12.5 %",
            ),
            (
                {"period": "2026-02-01/2026-02-27"},
                "accounting_period",
                f"accounting period {OF}: expected {FEBRUARY}, actual 2026-02-01/2026-02-27",
            ),
        ],
        ids=str,
    )
    def test_a_figure_of_a_line(self, changed: dict[str, Any], code: str, sentence: str) -> None:
        other = a_line(
            **{"product_key": "key:parking", "amount": "100.00", "vat": QUARTER, **changed}
        )
        found = {each.code: each for each in compare_bills(a_bill(PARKING), a_bill(other))}

        assert f"2026-02-01 {sentence}" == str(found[code])
        assert found[code].path.startswith("pendingBillLineItems[0].")

    def test_a_vat_total(self) -> None:
        wrong = a_bill(PARKING, vat_totals={QUARTER: "25.01"})

        assert [
            "2026-02-01 VAT of Exclusive 25 %: expected 25.00 DKK, actual 25.01 DKK, 0.01 higher",
            "2026-02-01 total: expected 125.00 DKK, actual 125.01 DKK, 0.01 higher",
        ] == told(a_bill(PARKING), wrong)

    def test_vat_totals_that_only_one_side_has(self) -> None:
        theirs = a_bill(PARKING, vat_totals={"Exclusive 0.5": "9.00"}, total="125.00")
        mine = a_bill(PARKING)

        assert [
            ("missing_vat_total", "VAT of Exclusive 25 %", "25.00 DKK", "no VAT total"),
            ("extra_vat_total", "VAT of Exclusive 50 %", "no VAT total", "9.00 DKK"),
        ] == [
            (each.code, each.label, each.expected, each.actual)
            for each in compare_bills(mine, theirs)
        ]

    def test_lines_that_only_one_side_has(self) -> None:
        heating = a_line(product_key="key:heating", amount="500.00")
        parking = a_line(product_key="key:parking", amount="600.00")
        found = compare_bills(a_bill(RENT, heating), a_bill(RENT, parking))

        assert [
            ("missing_line", "pendingBillLineItems[1]", amount("-500.00")),
            ("extra_line", "pendingBillLineItems[1]", amount("600.00")),
        ] == [(each.code, each.path, each.by) for each in found][:2]
        assert ["subtotal", "total"] == [each.code for each in found][2:]

    def test_sums_are_compared_by_themselves(self) -> None:
        assert ["2026-02-01 subtotal: expected 8500.00 DKK, actual 8500.01 DKK, 0.01 higher"] == (
            told(a_bill(), a_bill(subtotal="8500.01", total="8500.00"))
        )

    def test_cash_rounding_is_compared_where_both_state_it(self) -> None:
        """A service that does not state it says nothing about it (A52)."""
        stated = [a_bill(cash_rounding=cash) for cash in ("0.20", "0.10")]

        assert ["2026-02-01 cash rounding: expected 0.20 DKK, actual 0.10 DKK, 0.10 lower"] == told(
            *stated
        )
        assert [] == told(stated[0], a_bill())


class TestBills:
    """Bills find each other by due date and currency, then by what they are for."""

    def test_a_bill_that_moved(self) -> None:
        found = compare_bills(a_bill(), a_bill(due="2026-02-02"))

        assert ["due_date"] == [each.code for each in found]
        assert "2026-02-01 due date: expected 2026-02-01, actual 2026-02-02" == str(found)

    def test_a_bill_that_moved_and_changed(self) -> None:
        found = compare_bills(a_bill(), a_bill(a_line(amount="8600.00"), due="2026-02-02"))

        assert ["due_date", "amount", "unit_net_price", "net_price", "subtotal", "total"] == [
            each.code for each in found
        ]

    def test_bills_that_only_one_side_has(self) -> None:
        """Of other things; what is missing counts below 0."""
        march = a_line(period="2026-03-01/2026-03-31")
        found = compare_bills([a_bill()], [a_bill(march, due="2026-03-01")])

        assert [
            "2026-02-01 bill: expected 8500.00 DKK, 1 line, actual no bill, 8500.00 lower",
            "2026-03-01 bill: expected no bill, actual 8500.00 DKK, 1 line, 8500.00 higher",
        ] == [str(each) for each in found]
        assert ["missing_bill", "extra_bill"] == [each.code for each in found]

    def test_another_currency_is_another_bill(self) -> None:
        euro = a_bill(a_line(currency="EUR"))

        assert {"missing_bill", "extra_bill"} == {
            each.code for each in compare_bills(a_bill(), euro)
        }

    def test_differences_come_in_order_of_days(self) -> None:
        bills = [a_bill(due=f"2026-{month:02d}-01") for month in (3, 1, 2)]

        assert [day("2026-01-01"), day("2026-02-01"), day("2026-03-01")] == [
            each.due_date for each in compare_bills(bills, ())
        ]


class TestMatching:
    """How lines find each other can be chosen."""

    HALVES = tuple(
        a_line(amount="4250.00", period=days)
        for days in ("2026-02-01/2026-02-14", "2026-02-15/2026-02-28")
    )

    @pytest.mark.parametrize(
        ("match", "codes"),
        [
            ("product", {"accounting_period"}),
            ("period", {"missing_line", "extra_line"}),
            ("order", {"accounting_period"}),
        ],
    )
    def test_by_product_by_period_or_by_order(self, match: str, codes: set[str]) -> None:
        moved = a_line(amount="4250.00", period="2026-03-01/2026-03-14")
        mine, theirs = a_bill(*self.HALVES), a_bill(self.HALVES[0], moved)

        assert codes == {each.code for each in compare_bills(mine, theirs, match=match)}  # type: ignore[arg-type]

    def test_by_order_products_may_differ(self) -> None:
        other = a_line(product_key="key:lease")
        (found,) = compare_bills(a_bill(), a_bill(other), match="order")

        assert ("product", "key:rent", "key:lease") == (found.code, found.expected, found.actual)

    def test_another_word_is_refused(self) -> None:
        with pytest.raises(UnknownWordError) as caught:
            compare_bills((), (), match="luck")  # type: ignore[arg-type]

        assert "one of product, period, order" == caught.value.problems[0].expected

    @pytest.mark.parametrize("given", [None, ["bill"], LeaseTerms()], ids=repr)
    def test_what_is_no_bill_is_refused(self, given: Any) -> None:  # noqa: ANN401
        with pytest.raises(InvalidRecordError, match=r"^expected[^\n]*is no bill|holds no bills"):
            compare_bills(given, ())
        with pytest.raises(InvalidRecordError, match=r"^actual[^\n]*is no bill|holds no bills"):
            compare_bills((), given)


class TestCauses:
    """A cause is told where recomputing proves it."""

    def test_vat_that_was_rounded_for_each_line(self) -> None:
        """0.03 + 0.03 instead of 0.05."""
        actual = a_bill(*SMALL, policy=PER_LINE)
        found = compare_bills(a_bill(*SMALL), actual, diagnose=True, policy=BillingPolicy())

        assert (
            "2026-02-01 VAT of Exclusive 25 %: expected 0.05 DKK, actual 0.06 DKK, 0.01 higher: "
            "rounded for each line instead of once for the rate"
        ) == str(found[0])

    def test_vat_that_was_rounded_in_another_mode(self) -> None:
        """25 percent of 0.10 are 0.025: cut down 0.02, and to the even digit as well."""
        actual = a_bill(SMALL[0], policy=BillingPolicy(rounding="down"))
        found = compare_bills(a_bill(SMALL[0]), actual, diagnose=True, policy=BillingPolicy())

        assert "rounded half_even or half_down or down instead of half_up" == found[0].cause

    def test_a_vat_that_nothing_explains_has_no_cause(self) -> None:
        """0.09 is 0.05 under no rounding."""
        found = compare_bills(
            a_bill(*SMALL), a_bill(*SMALL, vat_totals={QUARTER: "0.09"}), diagnose=True
        )

        assert {None} == {each.cause for each in found}

    def test_untaxed_vat_has_no_cause(self) -> None:
        found = compare_bills(a_bill(), a_bill(vat_totals={"Exempt": "1.00"}), diagnose=True)

        assert {None} == {each.cause for each in found}

    def test_the_policy_that_gives_the_actual_bills_is_named(self) -> None:
        """A rent that ends on 15 February: 15 of 28 days, or, as more than half, all of it."""
        terms = a_lease(a_rent(ended_on="2026-02-15"))
        half = BillingPolicy(part_period="half_month")
        mine, theirs = (pending_bills(terms, FEBRUARY, policy=each) for each in (None, half))
        found = compare_bills(mine, theirs, diagnose=True)

        assert "the policy with part_period='half_month' gives the actual bills" in found.causes
        assert str(found).splitlines()[-1].startswith("all of it: the policy with part_period=")

    def test_two_fields_are_tried_where_one_is_not_enough(self) -> None:
        items = [
            an_item(product_key=key, amount="0.30", vat=QUARTER, ended_on="2026-02-10")
            for key in ("key:a", "key:b")
        ]
        other = BillingPolicy(part_period="full", vat_rounding="per_line")
        terms = a_lease(*items)
        mine, theirs = (pending_bills(terms, FEBRUARY, policy=each) for each in (None, other))
        found = compare_bills(mine, theirs, diagnose=True)

        assert (
            "the policy with part_period='full', vat_rounding='per_line' gives the actual bills"
            in found.causes
        )

    def test_other_terms_are_no_matter_of_policy(self) -> None:
        """No rounding turns 8,500 into 8,600."""
        mine, theirs = (
            pending_bills(a_rent(amount=price), FEBRUARY) for price in ("8500.00", "8600.00")
        )

        assert () == compare_bills(mine, theirs, diagnose=True).causes

    def test_bills_that_were_read_need_their_terms(self) -> None:
        terms = a_lease(a_rent(ended_on="2026-02-15"))
        mine = pending_bills(terms, FEBRUARY)
        theirs = pending_bills(terms, FEBRUARY, policy=BillingPolicy(part_period="half_month"))
        read = loads(dumps(mine, full=True), BillingResult)

        assert () == compare_bills(read, theirs, diagnose=True).causes
        assert compare_bills(read, theirs, diagnose=True, terms=terms).causes

    def test_a_policy_that_cannot_be_followed_is_none(self) -> None:
        class Always:
            def __contains__(self, _day: object) -> bool:
                return True

        closed = BillingPolicy(holidays=Always())
        mine = pending_bills(a_lease(), FEBRUARY, policy=closed)

        assert () == compare_bills(mine, [a_bill(PARKING)], diagnose=True).causes

    def test_terms_that_say_nothing_are_refused(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            compare_bills(pending_bills(a_lease(), FEBRUARY), [a_bill()], terms=a_lease())

        assert ("terms", "says_nothing") == caught.value.problems[0][:2]

    def test_causes_are_looked_for_on_demand_only(self) -> None:
        found = compare_bills(a_bill(*SMALL), a_bill(*SMALL, policy=PER_LINE))

        assert ({None}, ()) == ({each.cause for each in found}, found.causes)


class TestPortfolios:
    """Many leases have one summary."""

    def test_a_summary_counts_leases_codes_causes_and_amounts(self) -> None:
        terms = a_lease(a_rent(ended_on="2026-02-15"))
        half = BillingPolicy(part_period="half_month")
        mine, theirs = (pending_bills(terms, FEBRUARY, policy=each) for each in (None, half))
        found = compare_portfolio(
            [("one", mine, mine), ("two", mine, theirs), ("three", [a_bill()], [])], diagnose=True
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

    def test_leases_are_read_one_by_one(self) -> None:
        bill: PendingBill = a_bill()
        found = compare_portfolio((f"lease-{at}", bill, bill) for at in range(5))

        assert ((), 5) == (found.parts, found.leases)
        assert found == PortfolioComparison([])


class TestResults:
    """Comparisons compare and print."""

    def test_a_comparison_shows_what_a_reader_looks_for(self) -> None:
        found = compare_bills([a_bill(), a_bill(due="2026-03-01")], [a_bill()])

        assert f"<Comparison 2 bills, 1 difference: {found[0]}>" == repr(found)
        assert Comparison(found.differences) == found
        assert "2 bills, no difference" == str(Comparison((), bills=2))
        assert Decimal(-8500) == found[0].by.amount if found[0].by else None
