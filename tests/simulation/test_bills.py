"""Bills on many paths: lines, splits, VAT and sums, each as the scalar engine bills it (A42)."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import rentbilling as rb
from rentbilling.errors import RentBillingError, UnsupportedCaseError
from rentbilling.simulation import IndexPaths, simulate
from rentbilling.simulation.bills import BillSums
from rentbilling.simulation.ledger import Ledger
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_item
from tests.simulation.futures_of import differing
from tests.support.rents import amount
from tests.support.rows import rows

NPI = rb.IndexSeries("NPI", {"2024-10": "98.0", "2025-10": "100.0", "2026-10": "103.0"})
PATHS = IndexPaths.of_array(
    NPI, [[1060, 1090], [1081, 1030], [1030, 1030], [990, 1000]], points=("2027-10", "2028-10")
)
DAYS = "2026-01-01/2029-12-31"
PER_LINE = rb.BillingPolicy(vat_rounding="per_line")
BY_START = rb.BillingPolicy(select="accounting_period")
FEBRUARY = (a_plan(month=2),)


def off(end: str | None = None, **fields: Any) -> rb.Discount:  # noqa: ANN401 - amount or percentage
    return rb.Discount(end_date=None if end is None else date.fromisoformat(end), **fields)


def quarters(**fields: Any) -> rb.RecurringBillItem:  # noqa: ANN401 - whatever the item takes
    """Return a rent of quarters, adjusted in February: in the middle of one."""
    return a_rent(**{"amount": "8540.25", "vat": "Exclusive 0.25", "months": 3, **fields})


ITEMS: Mapping[str, rb.RecurringBillItem] = {
    "plain": quarters(),
    "daily": quarters(months=1, billing_cycle=rb.BillingCycle(time_unit="Day", period_length=10)),
    "before_any_adjustment": quarters(
        amounts={"2026-02-15": "8000.00", "2026-05-15": 9000}, quantities={"2026-03-01": 2}
    ),
    "vat_changes": quarters(vats={"2028-02-10": "Inclusive 0.12", "2028-03-05": "Exempt"}),
    "percentage_off": quarters(discount=off("2028-03-10", percentage=Decimal("0.15"))),
    "amount_off": quarters(discount=off("2028-08-10", amount=amount("333.33"))),
    "more_off_than_there_is": quarters(discount=off(amount=amount("8540.00"))),
    "credit": quarters(amount="-8540.25", discount=off(percentage=Decimal("0.1"))),
    "free_month": quarters(
        discounts=[
            rb.Discount(percentage=Decimal(1), start_date="2028-03-01", end_date="2028-03-31"),
            rb.Discount(percentage=Decimal("0.1"), start_date="2028-02-10", of="list"),
            rb.Discount(percentage=Decimal("0.95"), of="list"),
        ]
    ),
    "nothing": quarters(amount="0.00"),
    "third_of_a_unit": quarters(quantity="0.3333", quantities={"2028-02-20": "0.6667"}),
    "ended": quarters(ended_on="2028-11-20"),
}


@rows("item", ITEMS.values(), ids=ITEMS)
def test_the_parts_of_a_period_are_those_of_the_scalar_engine(item: rb.RecurringBillItem) -> None:
    """Splits by records, discounts and VAT, next to the one by the adjustment (A19, A21)."""
    assert [] == differing(a_lease(item, plans=FEBRUARY), PATHS, DAYS)


def test_several_discounts_with_an_amount_go_through_the_scalar_engine() -> None:
    """Whether 333.33 and four percent are the same, and split nothing, is known on a path (A61)."""
    discounts = [off("2028-03-10", amount=amount("333.33")), off(percentage=Decimal("0.04"))]
    item = quarters(discounts=discounts)

    assert [] == differing(a_lease(item, plans=FEBRUARY), PATHS, DAYS, scalar_runs=4)


def test_an_amount_off_what_became_a_credit_is_not_taken() -> None:
    """Less a hundred percent each time: where the index falls, the rent turns negative (A22)."""
    rent = quarters(amount="8540.25", discount=off(amount=amount("333.33")))
    clause = rb.IndexClause(surcharge=Decimal(-1))

    assert [] == differing(a_lease(rent, plans=[a_plan(clause=clause)]), PATHS, DAYS)


POLICIES: Mapping[str, rb.BillingPolicy] = {
    "next_period": rb.BillingPolicy(mid_period_change="next_period", vat_rounding="per_line"),
    "next_period_by_start": rb.BillingPolicy(
        mid_period_change="next_period", select="accounting_period"
    ),
    "whole_period": rb.BillingPolicy(discount_end="whole_period"),
    "whole_period_unsplit": rb.BillingPolicy(
        discount_end="whole_period", mid_period_change="next_period"
    ),
    "half_down": rb.BillingPolicy(rounding="half_down"),
    "half_even": rb.BillingPolicy(rounding="half_even", cash_rounding={"DKK": Decimal("0.25")}),
    "up": rb.BillingPolicy(rounding="up"),
    "down": rb.BillingPolicy(rounding="down", part_period="thirty_day"),
}


@rows("policy", POLICIES.values(), ids=POLICIES)
def test_a_policy_is_followed_in_arrays(policy: rb.BillingPolicy) -> None:
    """A discount that ends in a split quarter, and parking whose VAT is in its price.

    The rent ends in the middle of a quarter, so that it has a part in every case.
    """
    rent = quarters(discount=off("2028-01-20", percentage=Decimal("0.15")), ended_on="2029-02-20")
    parking = an_item(product_key="key:parking", amount="333.33", vat="Inclusive 0.25")
    terms = a_lease(rent, parking, plans=[a_plan(month=2, adjustee_ref="recurring-1")])

    assert [] == differing(terms, PATHS, DAYS, policy)


@rows("policy", [PER_LINE, BY_START], ids=("per_line", "by_start"))
def test_a_path_without_a_change_is_not_split(policy: rb.BillingPolicy) -> None:
    """Path 2 has none in 2028 and 2029, so that the scalar engine bills whole quarters there."""
    terms = a_lease(quarters(vat="Exempt"), plans=FEBRUARY)

    assert [] == differing(terms, PATHS, "2028-01-01/2029-12-31", policy, scalar_runs=1)


def test_part_of_a_split_is_asked_for_by_its_start() -> None:
    """February to April 2028 hold the later part of the first quarter, and the second quarter.

    Of 10,300.00 a quarter in January, 103/100 of 10,000, path 0 has 10,600.00 from February on. A
    third of the one is 3,433.33 (3,433.333...), two thirds of the other 7,066.67, and both together
    are 10,500.00: the later part is 10,500.00 − 3,433.33. It is due on 1 January.
    """
    terms = a_lease(quarters(amount=10_000, vat="Exempt"), plans=FEBRUARY)
    futures = simulate(terms, PATHS, "2028-02-01/2028-04-30", policy=BY_START)

    assert [10_500_00 - 3_433_33, 0, 0, 10_600_00] == futures.gross[0].tolist()
    assert [] == differing(terms, PATHS, "2028-02-01/2028-04-30", BY_START, scalar_runs=1)


def test_vat_of_lines_and_of_rates_worked_by_hand() -> None:
    """Two lines of 0.50 with 25 percent VAT on top: 0.13 each by line, 0.25 together (A29).

    The rent of 0.50 rises by 4 percent on path 1: 0.52, whose VAT is 0.13; with 0.50 it is 0.26 by
    line, and of 1.02 together 0.26 (0.255).
    """
    series = rb.IndexSeries("NPI", {"2025-10": "100.0"})
    paths = IndexPaths.of_array(series, [[1000], [1040]], points=["2026-10"])
    items = (
        a_rent(amount="0.50", vat="Exclusive 0.25"),
        an_item(amount="0.50", vat="Exclusive 0.25"),
    )
    terms = a_lease(*items, plans=[a_plan(adjustee_ref="recurring-1")])
    found = {
        rounding: simulate(
            terms, paths, "2027-01-01/2027-01-31", policy=rb.BillingPolicy(vat_rounding=rounding)
        )
        for rounding in ("per_line", "per_rate")
    }

    assert [[100], [102]] == found["per_line"].net.tolist() == found["per_rate"].net.tolist()
    assert [[26], [26]] == found["per_line"].vat.tolist()
    assert [[25], [26]] == found["per_rate"].vat.tolist()


@rows(("code", "price"), [("JPY", "85400"), ("KWD", "854.125")])
def test_currencies_have_their_own_minor_units(code: str, price: str) -> None:
    terms = a_lease(a_rent(amount=price, currency=code, vat="Inclusive 0.05"), plans=FEBRUARY)

    assert {"JPY": 0, "KWD": 3}[code] == simulate(terms, PATHS, "2026-01-01/2026-01-31").places
    assert [] == differing(terms, PATHS, DAYS)


class TestTheMonthsOfBills:
    """Bills may fall due outside of the asked months where those are chosen by their start."""

    TERMS = a_lease(a_rent(amount=10_000, due_day=-3), plans=[a_plan()])
    """Due on the last day but two of the month before."""

    def test_they_have_columns_of_their_own(self) -> None:
        """January to March 2028 are due on 29 December, 29 January and 27 February.

        2027 has one bill of the three, 10,600 on the first path, and no rent: none of it is asked.
        """
        futures = simulate(self.TERMS, PATHS, "2028-01-01/2028-03-31", policy=BY_START)

        assert ["2027-12", "2028-01", "2028-02", "2028-03"] == [*map(str, futures.months)]
        assert [[10_600_00] * 3 + [0], [10_810_00] * 3 + [0]] == futures.gross[:2].tolist()
        assert (2027, 2028) == futures.years
        assert [10_600_00, 21_200_00] == futures.yearly()[0].tolist()
        assert [31_800_00] == futures.figures(by="total")[0].tolist()
        assert [0, 127_200_00] == futures.yearly("rent")[0].tolist()
        assert [2028] == [row["year"] for row in futures.rows(of="rent")]
        assert [[False, False]] == futures.limited[:1].tolist()
        assert [] == differing(self.TERMS, PATHS, "2028-01-01/2028-03-31", BY_START)

    def test_there_is_no_gap_between_them(self) -> None:
        """Years asked by their start and billed at the end: December 2028 is asked, 2029 is due."""
        terms = a_lease(
            a_rent(amount=10_000, due_day=40, months=1), a_one_time_item(), plans=[a_plan()]
        )
        assert [] == differing(terms, PATHS, "2028-01-01/2028-12-31", BY_START)


class TestLargeFigures:
    """What arrays do not hold goes through the scalar engine, which refuses what has no digits."""

    @staticmethod
    def grown(price: str, factor: int, **fields: Any) -> tuple[rb.LeaseTerms, IndexPaths]:  # noqa: ANN401
        """Return a lease of one rent, and two paths: as it was, and so many times as much."""
        series = rb.IndexSeries("NPI", {"2025-10": "100.0"})
        paths = IndexPaths.of_array(series, [[1000], [1000 * factor]], points=["2026-10"])
        return a_lease(a_rent(amount=price, **fields), plans=[a_plan()]), paths

    @staticmethod
    def refused(terms: rb.LeaseTerms, paths: IndexPaths) -> tuple[str, str]:
        """Return the code of the refusal of a simulation, and that of its second path alone."""
        period, codes = "2027-01-01/2027-03-31", []
        for bill in (
            lambda: simulate(terms, paths, period),
            lambda: rb.bill_period(terms, period, indices=paths.series(1)),
        ):
            with pytest.raises(RentBillingError) as refusal:
                bill()
            codes.append(refusal.value.code)
        return codes[0], codes[1]

    def test_a_bill_of_too_many_digits(self) -> None:
        """10¹¹ kroner a month, a thousandfold: 10¹⁶ minor units (A1)."""
        assert ("amount_too_large", "amount_too_large") == self.refused(
            *self.grown("100000000000", 1000)
        )

    def test_a_year_of_too_many_digits(self) -> None:
        """5 × 10¹¹ kroner a month, twice as much: 10¹⁴ minor units, but 1.2 × 10¹⁵ a year (A38)."""
        assert ("amount_too_large", "amount_too_large") == self.refused(
            *self.grown("500000000000", 2)
        )

    def test_an_amount_of_too_many_digits_before_its_discount(self) -> None:
        """Of 10¹⁶ minor units a month, 99.9 percent are taken off."""
        tenth = rb.Discount(percentage=Decimal("0.999"))

        assert ("amount_too_large", "amount_too_large") == self.refused(
            *self.grown("100000000000", 1000, discount=tenth)
        )

    def test_sums_of_all_bills_that_64_bits_do_not_hold(self) -> None:
        """Once 4 × 10¹⁸ minor units are held, and a second time they are refused."""
        ledger = Ledger(rb.Period.parse("2027-01-01/2027-03-31"), 2, keeps_adjustments=False)
        day, sums = date(2027, 2, 1).toordinal(), BillSums(4 * 10**18, np.array([0, 7]), 0)
        ledger.enter_bill(day, sums)

        with pytest.raises(UnsupportedCaseError) as refused:
            ledger.enter_bill(day, sums)
        assert "amount_too_large" == refused.value.code
        net, vat, _ = ledger.flows()
        assert [[0, 0], [4 * 10**18] * 2, [0, 0]] == net.tolist()
        assert [[0, 0], [0, 7], [0, 0]] == vat.tolist()


def test_earlier_adjustments_are_not_those_of_the_period() -> None:
    """Asked for 2028 alone: the ones of 2027 count, and are not told, path by path too."""
    rent = a_rent(amount=10_000, amounts={"2028-01-01": 10_400})
    asked = rb.Period.parse("2028-01-01/2028-12-31")
    terms = a_lease(rent, plans=[a_plan()])
    made = rb.bill_period(terms, DAYS, indices=PATHS.series(0)).adjustments
    listed = a_lease(rent, plans=[a_plan(adjustments=made)])
    for lease, runs in ((terms, 0), (listed, 4)):
        futures = simulate(lease, PATHS, asked)

        assert [date(2028, 1, 1)] == [each.adjusted_on for each in futures.adjustments]
        assert [] == differing(lease, PATHS, str(asked), scalar_runs=runs)
