"""Bills are compared in whatever form they come, and what cannot be compared is refused by name."""

import json
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.checks import Comparison, PortfolioComparison, compare_portfolio
from rentbilling.testing import a_bill, a_lease, a_line, a_rent, an_item
from tests.support.refusals import faults, refusing
from tests.support.rents import amount
from tests.support.rows import rows
from tests.support.sentences import Said, assert_said

FEBRUARY = "2026-02-01/2026-02-28"
HALVES = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
EXPECTED = a_bill(a_line(amount="8500.01"))
NOTHING: Any = None
OFF = "8500.01 DKK, actual 8500.00 DKK, actual is 0.01 lower"


def told(expected: Any, actual: Any, **options: Any) -> list[str]:  # noqa: ANN401
    return [each.sentence() for each in rb.compare_bills(expected, actual, **options)]


def data_of(*bills: rb.PendingBill) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(rb.dumps(rb.BillingResult(bills)))
    return data


BILL = data_of(a_bill())["bills"][0]


class TestForms:
    """Either side takes a result, bills, a JSON text, or its data."""

    @rows(
        "given",
        [
            a_bill(),
            [a_bill()],
            rb.BillingResult([a_bill()]),
            data_of(a_bill()),
            data_of(a_bill())["bills"],
            data_of(a_bill())["bills"][0],
            json.dumps(data_of(a_bill())),
            rb.dumps(a_bill()).encode(),
            [data_of(a_bill())["bills"][0]],
        ],
        ids=["bill", "list", "result", "data", "list of data", "one", "text", "bytes", "in a list"],
    )
    def test_on_either_side(self, given: object) -> None:
        """8,500.01 instead of 8,500."""
        assert f"total: expected {OFF}" == told(EXPECTED, given)[-1]
        assert (
            "total: expected 8500.00 DKK, actual 8500.01 DKK, actual is 0.01 higher"
            == (told(given, EXPECTED)[-1])
        )

    def test_bills_and_data_in_one_list(self) -> None:
        mixed = [a_bill(), data_of(a_bill(due="2026-03-01"))["bills"][0]]

        assert rb.compare_bills(mixed, iter([a_bill(), a_bill(due="2026-03-01")])).is_equal

    def test_a_list_of_nonsense_is_not_read_to_its_end(self) -> None:
        """After 1,000 problems it is no list of bills."""
        with pytest.raises(rb.InvalidInputError) as caught:
            rb.compare_bills((), [{}] * 500)

        # Five fields are missing in each.
        assert 1000 == len(caught.value.problems)

    def test_a_policy_says_how_data_are_read(self) -> None:
        """A half-open service ends February on 1 March (A4); a result keeps its own policy."""
        half_open = rb.BillingPolicy(period_end="excluded")
        data = json.loads(rb.dumps(rb.BillingResult([a_bill()]), policy=half_open))

        assert ["accounting_period"] == [each.code for each in rb.compare_bills(a_bill(), data)]
        assert [] == told(a_bill(), data, policy=half_open)
        assert [] == told(rb.pending_bills(a_rent(), FEBRUARY, policy=half_open), data)
        assert [] == told(rb.pending_bills(a_rent(), FEBRUARY), data, policy=half_open)


class TestPayable:
    """Where both sides know what is to be paid, it is compared (A52)."""

    RENT = a_rent(amount="8500.30")
    COMPUTED = rb.pending_bills(RENT, FEBRUARY)
    ROUNDED = rb.pending_bills(RENT, FEBRUARY, policy=HALVES)

    @rows(
        ("expected", "actual", "figures"),
        [
            (ROUNDED, COMPUTED, "expected 0.20 DKK, actual 0.00 DKK, actual is 0.20 lower"),
            (COMPUTED, ROUNDED, "expected 0.00 DKK, actual 0.20 DKK, actual is 0.20 higher"),
            (COMPUTED, ROUNDED[0], "expected 0.00 DKK, actual 0.20 DKK, actual is 0.20 higher"),
        ],
        ids=["not rounded", "rounded", "rounded, as a bill"],
    )
    def test_a_result_that_was_computed_knows_it(
        self,
        expected: rb.BillingResult,
        actual: rb.BillingResult | rb.PendingBill,
        figures: str,
    ) -> None:
        """8,500.30 is paid as such, or as 8,500.50."""
        assert [f"cash rounding: {figures}"] == told(expected, actual)

    @rows("payable", [Decimal("8500.30"), 8500.30])
    def test_data_know_it_where_they_state_it(self, payable: object) -> None:
        """A service that states 8,500.30 rounds nothing; one that states nothing may."""
        (bill,) = data_of(*self.COMPUTED)["bills"]
        stated = {**bill, "payable": {"amount": payable, "currency": "DKK"}}

        assert ["cash rounding: expected 0.20 DKK, actual 0.00 DKK, actual is 0.20 lower"] == told(
            self.ROUNDED, stated
        )
        assert [] == told(self.COMPUTED, stated)
        assert [] == told(self.ROUNDED, bill)

    def test_bills_that_say_nothing_of_it_may_be_rounded(self) -> None:
        read = rb.loads(rb.dumps(self.COMPUTED), rb.BillingResult)

        assert [] == told(self.ROUNDED, read)
        assert [] == told(self.ROUNDED, self.COMPUTED[0])

    def test_a_cause_explains_it_too(self) -> None:
        rent = a_rent(amount="8500.30", ended_on="2026-02-10")
        mine = rb.pending_bills(rent, FEBRUARY)
        full = rb.BillingPolicy(part_period="full")
        theirs, rounded = (
            rb.pending_bills(rent, FEBRUARY, policy=each)
            for each in (full, full.evolve(cash_rounding=HALVES.cash_rounding))
        )

        assert ("the policy with part_period='full' gives the actual bills",) == (
            rb.compare_bills(mine, theirs, diagnose=True).causes
        )
        assert () == rb.compare_bills(mine, rounded, diagnose=True).causes


untyped_compare: Any = rb.compare_bills
untyped_portfolio: Any = compare_portfolio
REFUSED: dict[str, Said] = {
    # What is for causes alone has no effect without a diagnosis, and what is for terms alone none
    # without terms.
    **{
        f"{name} without diagnose": refusing(
            partial(untyped_compare, a_bill(), a_bill(), **{name: value})
        )
        for name, value in (("terms", a_lease()), ("period", FEBRUARY), ("indices", ()))
    },
    **{
        f"{name} without terms": refusing(
            partial(untyped_compare, a_bill(), a_bill(), diagnose=True, **{name: value})
        )
        for name, value in (("period", FEBRUARY), ("indices", ()))
    },
    "terms without a period": refusing(
        lambda: untyped_compare(a_bill(), EXPECTED, diagnose=True, terms=a_lease())
    ),
    **{
        f"terms that are none, of {name} bills": refusing(
            partial(
                untyped_compare,
                rb.pending_bills(a_rent(), FEBRUARY),
                actual,
                diagnose=True,
                terms="x",
            )
        )
        for name, actual in (("different", EXPECTED), ("equal", a_bill()))
    },
    "terms beside a result": refusing(
        lambda: untyped_compare(
            rb.pending_bills(a_rent(), FEBRUARY), [EXPECTED], terms=rb.LeaseTerms()
        )
    ),
    "a word for the match": refusing(partial(untyped_compare, (), (), match="luck")),
    "data that cannot be read": refusing(
        lambda: untyped_compare(a_bill(), {"bills": [BILL, 5, {**BILL, "total": None}]})
    ),
    **{
        f"{given!r} for bills": refusing(partial(untyped_compare, (), given))
        for given in (NOTHING, 5, ["x"], rb.LeaseTerms())
    },
    **{
        f"{given!r} for expected bills": refusing(partial(untyped_compare, given, ()))
        for given in (NOTHING, ["x"], rb.LeaseTerms())
    },
    **{
        f"{lease} for a lease": refusing(partial(untyped_portfolio, [("b", (), ()), lease]))
        for lease in (("a", ()), "abc", 5)
    },
    "5 for a portfolio": refusing(partial(untyped_portfolio, 5)),
    "a word for the match of a portfolio": refusing(partial(untyped_portfolio, [], match="luck")),
}


def test_what_cannot_be_compared_is_refused(request: pytest.FixtureRequest) -> None:
    """What says nothing, or is no terms, is refused before anything is tried."""
    assert_said(request, Path(__file__), REFUSED)
    assert [("expected", "not_json")] == faults(lambda: rb.compare_bills("{", a_bill()))


class TestArguments:
    """Terms and period are read as the policy says, and a period is one."""

    def test_terms_with_a_period(self) -> None:
        assert rb.compare_bills(
            a_bill(), a_bill(), diagnose=True, terms=a_lease(), period=FEBRUARY
        ).is_equal

    def test_a_period_or_a_policy_of_another_type(self) -> None:
        other: Any = 5
        with pytest.raises(TypeError, match="period= takes a Period, its text or two days, not 5"):
            rb.compare_bills(a_bill(), EXPECTED, diagnose=True, terms=a_lease(), period=other)
        with pytest.raises(TypeError, match="a policy is a BillingPolicy or None, not 5"):
            rb.compare_bills(a_bill(), a_bill(), policy=other)

    @rows(
        ("policy", "currency", "days"),
        [
            (rb.BillingPolicy(period_end="excluded"), "DKK", "2026-02-01/2026-03-01"),
            (rb.BillingPolicy(currencies={"PTS": 2}), "PTS", FEBRUARY),
        ],
        ids=["half-open", "private currency"],
    )
    def test_terms_and_period_are_read_as_the_policy_says(
        self, policy: rb.BillingPolicy, currency: str, days: str
    ) -> None:
        """1 March is not asked for where periods end before it (A4); points are known (A2).

        25 % of 433.30 and of 121.90 are 108.33 + 30.48 by the line, and 138.80 for the rate.
        """
        lease = a_lease(
            *(
                an_item(
                    product_key=key,
                    amount=rb.Amount(Decimal(price), currency, currencies=policy.currencies),
                    policy=policy,
                )
                for key, price in (("key:heating", "433.30"), ("key:water", "121.90"))
            )
        )
        per_line = policy.evolve(vat_rounding="per_line")
        mine, theirs = (rb.pending_bills(lease, days, policy=each) for each in (policy, per_line))
        found = rb.compare_bills(
            list(mine), list(theirs), diagnose=True, policy=policy, terms=lease, period=days
        )

        assert ("the policy with vat_rounding='per_line' gives the actual bills",) == found.causes

    def test_lines_find_each_other_as_asked_with_causes_too(self) -> None:
        other = a_bill(a_line(product_key="key:lease", amount="8000.00"))

        assert ["product", "amount", "unit_net_price", "net_price"] == [
            each.code for each in rb.compare_bills(a_bill(), other, match="order", diagnose=True)
        ][:4]


class TestTexts:
    """Differences read as sentences."""

    def test_a_vat_total_of_nothing_is_not_lower(self) -> None:
        bare = a_bill(vat_totals=[])

        assert ["VAT of Exempt: expected 0.00 DKK, actual no VAT total"] == told(a_bill(), bare)
        assert ["VAT of Exempt: expected no VAT total, actual 0.00 DKK"] == told(bare, a_bill())

    @rows(
        ("months", "text"),
        [
            ((), "<Comparison 0 bills, 0 differences>"),
            ((1,), "<Comparison 1 bill, 1 difference: {0}>"),
            ((1, 2), "<Comparison 2 bills, 2 differences: {0}; the same in 1 more bill, {1}>"),
            (
                (1, 2, 3),
                "<Comparison 3 bills, 3 differences: {0}; the same in 2 more bills, {1} to {2}>",
            ),
        ],
    )
    def test_a_comparison_in_short(self, months: tuple[int, ...], text: str) -> None:
        found = rb.compare_bills([a_bill(due=f"2026-{month:02d}-01") for month in months], ())

        said = [*map(str, found[:1]), *(str(each.due_date) for each in found[1:])]
        assert text.format(*said) == repr(found)


class TestPortfolios:
    """A run over many leases goes on, and says what it could not do."""

    def test_a_lease_that_cannot_be_read_is_named(self) -> None:
        bill = a_bill()
        found = compare_portfolio([("a", bill, [{}]), ("b", bill, bill), ("c", bill, ())])

        assert (3, ["c"], ["a"]) == (
            found.leases,
            [name for name, _ in found],
            [name for name, _ in found.refused],
        )
        (_, error), *_ = found.refused
        assert "actual.bills[0].dueDate" == error.problems[0].path  # type: ignore[attr-defined]
        assert [
            "1 of 3 leases equal, 2 bills",
            "  1 × missing_bill",
            "  totals too low: 8500.00 DKK",
            (
                "  not compared: a: actual.bills[0].dueDate: is required "
                "(met nothing; expected a value); and 4 more"
            ),
        ] == str(found).splitlines()
        assert "<PortfolioComparison 3 leases, 1 with differences, 1 not compared: c>" == (
            repr(found)
        )

    def test_one_problem_is_told_alone(self) -> None:
        found = compare_portfolio([("a", a_bill(), "{")])

        assert str(found).endswith("expected a JSON text)")
        assert "0 of 1 leases equal, 0 bills" == str(found).splitlines()[0]

    def test_amounts_that_are_too_high_and_too_low_do_not_cancel(self) -> None:
        """100 for 200, and 200 for 100; 5 euros are told apart."""
        low, high = (a_bill(a_line(amount=price)) for price in ("100.00", "200.00"))
        one, other = (a_bill(a_line(amount=price, currency="EUR")) for price in ("1.00", "6.00"))
        found = compare_portfolio([("x", low, high), ("y", high, low), ("z", one, other)])

        assert {"DKK": amount("100.00"), "EUR": other.total - one.total} == found.higher
        assert {"DKK": amount("100.00")} == found.lower
        assert {"DKK": amount("0.00"), "EUR": other.total - one.total} == found.totals
        assert [
            "  totals too high: 100.00 DKK",
            "  totals too high: 5.00 EUR",
            "  totals too low: 100.00 DKK",
        ] == str(found).splitlines()[-3:]

    def test_a_lease_with_what_is_no_bills_is_told(self) -> None:
        found = compare_portfolio([("a", a_bill(), NOTHING), ("b", a_bill(), a_bill())])

        ((lease_id, error),) = found.refused
        assert ("a", "not_bills") == (lease_id, error.code)
        assert str(error).startswith(
            "actual: contains no bills (met None; expected a BillingResult"
        )
        assert 2 == found.leases

    def test_a_policy_is_passed_on(self) -> None:
        lines = [a_line(product_key=key, amount="0.10", vat="Exclusive 0.25") for key in ("a", "b")]
        mine, theirs = (
            a_bill(*lines, policy=rb.BillingPolicy(vat_rounding=way))
            for way in ("per_rate", "per_line")
        )
        found = compare_portfolio([("a", mine, theirs)], diagnose=True, policy=rb.BillingPolicy())

        assert "rounded for each line instead of once for the rate" == found[0][1][0].cause

    def test_a_portfolio_in_short(self) -> None:
        off = Comparison(rb.compare_bills(a_bill(), ()), bills=1)
        found = PortfolioComparison((name, off) for name in "abc")

        assert "<PortfolioComparison 3 leases, 3 with differences: a; b; and 1 more>" == repr(found)
        assert "<PortfolioComparison 1 lease, 0 with differences>" == repr(
            PortfolioComparison([("a", Comparison(()))])
        )
