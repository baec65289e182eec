"""The figures of a lease on a day, worked by hand: rent of a month, deposits, contract states.

The rent is that of `rents`: 8,500 DKK a month, moved in on 15 January 2026; where a plan adjusts
it, that of `plans`: 10,000 DKK a month, whose opening period is January 2020.
"""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    Discount,
    DueDateRule,
    LeaseTerms,
    QuantityRecord,
    RecurringBillItem,
    VatRecord,
)
from rentbilling.indices import AnyIndices
from rentbilling.service import LeaseFigures, contract_period_state, lease_figures_on
from tests.support.plans import GOES_ON, TENTHS, by_index, deposit, home, lease, octobers, plan
from tests.support.rents import amount, day, opening, price_from, rent, vat

TODAY = "2026-03-15"
ARREARS = DueDateRule(relative_to="end")


def figures(
    terms: LeaseTerms,
    on: str = TODAY,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
) -> tuple[str | None, str | None, str | None]:
    """Return the rent of a month, the deposit and the prepaid rent on a day."""
    found = lease_figures_on(terms, day(on), indices=indices, policy=policy)
    return tuple(None if each is None else f"{each.amount:f}" for each in found)  # type: ignore[return-value]


def level(*items: RecurringBillItem, on: str = TODAY, **changes: Any) -> str | None:  # noqa: ANN401
    return figures(LeaseTerms(recurring_bill_items=items, **changes), on)[0]


# ------------------------------------------------------------------------------- contract states


@pytest.mark.parametrize(
    ("start", "end", "state"),
    [
        ("2026-03-15", None, "Active"),
        ("2026-03-16", None, "Upcoming"),
        ("2026-03-14", "2026-03-15", "Active"),
        ("2026-03-15", "2026-03-15", "Active"),
        ("2026-01-01", "2026-03-14", "Expired"),
        (None, None, "Upcoming"),
        (None, "2026-03-15", "Upcoming"),
        (None, "2026-03-14", "Expired"),
    ],
)
def test_first_and_last_day_belong_to_the_contract(
    start: str | None, end: str | None, state: str
) -> None:
    """A48 on 15 March 2026: both days count, and without a first day nothing has begun."""
    first = None if start is None else day(start)
    last = None if end is None else day(end)

    assert state == contract_period_state(first, last, date(2026, 3, 15))


# ------------------------------------------------------------------------------- rent of a month


@pytest.mark.parametrize(
    ("cycle", "price", "monthly"),
    [
        # 8,500 a month.
        ({}, "8500.00", "8500.00"),
        # 30,000 a quarter: 30,000 x 4 / 12.
        ({"period_length": 3}, "30000.00", "10000.00"),
        # 100 a quarter: 400 / 12 = 33.333…
        ({"period_length": 3}, "100.00", "33.33"),
        # 10,000 for five months: 10,000 x 12/5 / 12.
        ({"period_length": 5}, "10000.00", "2000.00"),
        # 100,000 a year: 8,333.33…
        ({"time_unit": "Year"}, "100000.00", "8333.33"),
        # 2,000 a week: 52 x 2,000 / 12 = 8,666.66…
        ({"time_unit": "Week"}, "2000.00", "8666.67"),
        # 100 a day: 365 x 100 / 12 = 3,041.66…
        ({"time_unit": "Day"}, "100.00", "3041.67"),
    ],
)
def test_a_month_is_a_twelfth_of_a_year(cycle: dict[str, Any], price: str, monthly: str) -> None:
    """A38, A39: other cycles count by the periods that a year has."""
    assert monthly == level(rent(price, billing_cycle=BillingCycle(**cycle)))


def test_what_is_added_is_rounded_once() -> None:
    """Two rents of 100 a quarter are 66.666… a month, not twice 33.33."""
    quarterly = rent("100.00", billing_cycle=BillingCycle(period_length=3))

    assert "66.67" == level(quarterly, quarterly)


def test_the_policy_says_how_it_is_rounded() -> None:
    """66.666… rounded down is 66.66; the rent's own policy decides (A3, A54)."""
    quarterly = rent("200.00", billing_cycle=BillingCycle(period_length=3))
    own = BillingPolicy(by_product={"key:rent": BillingPolicy(rounding="down")})
    terms = LeaseTerms(recurring_bill_items=(quarterly,))

    assert "66.66" == figures(terms, policy=own)[0]


def test_units_count_and_a_discount_does_not() -> None:
    """100 m2 at 85.005 are 8,500.50, before a discount of a tenth (A21, A25)."""
    tenth = Discount(percentage=Decimal("0.10"))

    assert "8500.50" == level(rent("85.005", quantity=Decimal(100), discount=tenth))


def test_a_rent_stands_in_its_own_tax_mode() -> None:
    """10,000 with VAT inside stays 10,000, and so does 10,000 without it."""
    assert "10000.00" == level(rent("10000.00", vat=vat("Inclusive", "0.25")))
    assert "10000.00" == level(rent("10000.00", vat=vat("Exclusive", "0.25")))


def test_a_record_holds_from_its_day_on() -> None:
    """8,500 until 31 March, 9,000 from 1 April, twice that from 1 May; order is no matter (A18)."""
    item = rent(
        amount_records=(price_from("2026-07-01", "9500.00"), price_from("2026-04-01", "9000.00")),
        quantity_records=(QuantityRecord(value=Decimal(2), start=day("2026-05-01")),),
    )

    assert ["8500.00", "9000.00", "18000.00", "19000.00"] == [
        level(item, on=each) for each in ("2026-03-31", "2026-04-01", "2026-05-01", "2026-07-01")
    ]


def test_only_the_rent_is_the_rent() -> None:
    water = rent("300.00", product_key="key:water")

    assert "8500.00" == level(water, rent())
    assert level(water) is None
    assert level() is None


def test_two_currencies_have_no_sum() -> None:
    """8,500 DKK and 100 EUR are no amount (A2)."""
    euros = rent("100 EUR", first_billing_period_bill_item=opening(price="50 EUR"))

    assert level(rent(), euros) is None


def test_a_rent_counts_to_its_last_day() -> None:
    """It ends on 31 March, and the next one begins on 1 April: never both, never none (A17)."""
    old = rent(ended_on=day("2026-03-31"))
    new = rent("9000.00", first_billing_period_bill_item=opening("2026-04-01/2026-04-30"))

    assert ["8500.00", "8500.00", "9000.00"] == [
        level(old, new, on=each) for each in ("2026-03-15", "2026-03-31", "2026-04-01")
    ]


@pytest.mark.parametrize(
    ("cancelled", "changes", "last"),
    [
        # April falls due on the 1st, which is the day of the cancellation: March is the last.
        ("2026-04-01", {}, "2026-03-31"),
        # April was due the day before.
        ("2026-04-02", {}, "2026-04-30"),
        # May fell due on 29 April, three days before it, and the opening period on 15 January.
        ("2026-04-30", {"due_date_rule": DueDateRule(day_of_period=-3)}, "2026-05-31"),
        ("2026-01-16", {}, "2026-01-31"),
        # In arrears what began is billed (A51).
        ("2026-04-01", {"due_date_rule": ARREARS}, "2026-03-31"),
        ("2026-04-02", {"due_date_rule": ARREARS}, "2026-04-30"),
        ("2026-04-02", {"due_date_rule": ARREARS, "ended_on": day("2026-04-20")}, "2026-04-20"),
    ],
)
def test_a_cancelled_rent_counts_to_the_end_of_what_is_billed(
    cancelled: str, changes: dict[str, Any], last: str
) -> None:
    """A cancellation stops bills and not days (A17)."""
    item = rent(cancelled_on=day(cancelled), **changes)
    after = str(day(last) + timedelta(days=1))

    assert ("8500.00", None) == (level(item, on=last), level(item, on=after))


def test_a_rent_that_is_never_billed_is_no_rent() -> None:
    item = rent(cancelled_on=day("2026-01-15"))

    assert level(item, on="2026-01-14") is None
    assert level(item, on="2026-01-15") is None


def test_a_cancellation_follows_the_due_dates_of_the_policy() -> None:
    """February falls due on Monday 2 February 2026, and is not billed: none from then on (A11)."""
    terms = LeaseTerms(recurring_bill_items=(rent(cancelled_on=day("2026-02-02")),))
    following = BillingPolicy(business_day="following")

    assert "8500.00" == figures(terms, "2026-02-28")[0]
    assert "8500.00" == figures(terms, "2026-01-31", policy=following)[0]
    assert figures(terms, "2026-02-01", policy=following)[0] is None


def test_a_cancelled_rent_ends_with_the_contract() -> None:
    item = rent(cancelled_on=day("2026-06-02"))
    end = {"contract_end": day("2026-05-20")}

    assert ["8500.00", None] == [
        level(item, on=each, **end) for each in ("2026-05-20", "2026-05-21")
    ]
    assert "8500.00" == level(rent(cancelled_on=day("9999-12-31")))


def test_rents_with_and_without_vat_inside_have_no_sum() -> None:
    """10,000 with VAT inside and 8,500 without are no amount, also by a record (A18)."""
    inside = VatRecord(value=vat("Inclusive", "0.25"), start=day("2026-03-15"))

    assert level(rent("10000.00", vat=vat("Inclusive", "0.25")), rent()) is None
    assert "18500.00" == level(rent("10000.00", vat=vat("Exclusive", "0.25")), rent())
    mixed = (rent(vat_records=(inside,)), rent())
    assert ["17000.00", None] == [level(*mixed, on=each) for each in ("2026-03-14", "2026-03-15")]


def test_a_contract_that_has_ended_has_no_rent() -> None:
    end = {"contract_end": day("2026-06-30")}

    assert "8500.00" == level(rent(), on="2026-06-30", **end)
    assert level(rent(), on="2026-07-01", **end) is None


def test_before_a_lease_begins_it_has_the_rent_it_begins_with() -> None:
    first = rent(amount_records=(price_from("2026-01-15", "8600.00"),))
    later = rent("9000.00", first_billing_period_bill_item=opening("2026-04-01/2026-04-30"))

    assert "8600.00" == level(later, first, on="2025-12-01")


# ------------------------------------------------------------------------------------ with a plan


def test_a_rent_level_follows_its_plan() -> None:
    """10,000 becomes 11,000 on 1 January 2021, and 12,100 a year later."""
    terms = lease(by_index())
    days = ("2020-12-31", "2021-01-01", "2021-12-31", "2022-01-01")

    assert ["10000.00", "11000.00", "11000.00", "12100.00"] == [
        figures(terms, each, TENTHS)[0] for each in days
    ]


def test_before_an_adjusted_lease_begins_it_has_the_rent_it_begins_with() -> None:
    assert "10000.00" == figures(lease(by_index()), "2019-06-01", TENTHS)[0]


def test_an_adjusted_rent_of_a_quarter_is_a_third_a_month() -> None:
    """30,000 a quarter becomes 33,000, which is 11,000 a month."""
    item = home("30000.00", billing_cycle=BillingCycle(period_length=3))

    assert "11000.00" == figures(lease(by_index(), item=item), "2021-01-01", TENTHS)[0]


def test_a_deposit_of_three_months_follows_the_rent() -> None:
    """3 x 10,000 on 31 December 2020, 3 x 11,000 the day after (A39)."""
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
    terms = lease(both, balances=(deposit(months="3"),))

    assert ("10000.00", "30000.00", None) == figures(terms, "2020-12-31", TENTHS)
    assert ("11000.00", "33000.00", None) == figures(terms, "2021-01-01", TENTHS)


def test_a_deposit_without_months_follows_by_the_same_factor() -> None:
    """20,000 x 110 / 100 = 22,000 (A39)."""
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
    terms = lease(both, balances=(deposit("20000.00"),))

    assert "22000.00" == figures(terms, "2021-01-01", TENTHS)[1]


def test_deposit_and_prepaid_rent_are_told_apart() -> None:
    kinds = ("Deposit", "PREPAIDRENT", "key:keys")
    prices = ("25500.00", "8500.00", "200.00")
    balances = tuple(
        deposit(price, balance_charge_type=kind) for kind, price in zip(kinds, prices, strict=True)
    )

    assert (None, "25500.00", "8500.00") == figures(LeaseTerms(balances=balances))


def test_two_deposits_are_one_figure() -> None:
    """25,500 and 1,000.50 for the keys are 26,500.50; of two currencies there is none (A2)."""
    one, other = deposit("25500.00"), deposit("1000.50")
    euros = deposit("100.00 EUR")

    assert "26500.50" == figures(LeaseTerms(balances=(one, other)))[1]
    assert figures(LeaseTerms(balances=(one, euros)))[1] is None


# ----------------------------------------------------------------------------- what cannot be told


def test_a_figure_that_needs_a_missing_value_is_left_out() -> None:
    """Nobody guesses the rent of 2023 without the index of October 2022; what needs none is told.

    The prepaid rent follows nothing, the deposit follows the rent (A39, A41).
    """
    both = plan(
        by_index(),
        adjusts_recurring_bill_item=True,
        adjusts_balance=True,
        balance_charge_type="deposit",
    )
    balances = (deposit(months="3"), deposit("8500.00", balance_charge_type="prepaidRent"))
    terms = lease(both, balances=balances)
    index = octobers(100, 110, 121)

    assert ("12100.00", "36300.00", "8500.00") == figures(terms, "2022-12-31", index)
    assert (None, None, "8500.00") == figures(terms, "2023-01-01", index)


def test_a_policy_that_goes_on_has_its_figure() -> None:
    """`missing_index = notice` keeps 12,100 (A41)."""
    index = octobers(100, 110, 121)

    assert "12100.00" == figures(lease(by_index()), "2023-01-01", index, GOES_ON)[0]


def test_a_balance_without_a_beginning_leaves_the_figures_out() -> None:
    """Its plan needs a day to begin with, which neither contract nor rent tells (A39)."""
    own = plan(by_index(), adjusts_recurring_bill_item=False, adjusts_balance=True)
    terms = LeaseTerms(rent_adjustment_plans=(own,), balances=(deposit(),))

    assert LeaseFigures() == lease_figures_on(terms, day(TODAY), indices=TENTHS)


def test_a_rent_that_nobody_can_write_is_left_out() -> None:
    """Fifteen digits a day have seventeen a month (A1)."""
    assert level(rent("9999999999999.99", billing_cycle=BillingCycle(time_unit="Day"))) is None


def test_figures_are_amounts() -> None:
    found = lease_figures_on(LeaseTerms(recurring_bill_items=(rent(),)), day(TODAY))

    assert LeaseFigures(monthly_rent_level=Amount(Decimal("8500.00"), "DKK")) == found


def test_a_policy_is_a_policy() -> None:
    with pytest.raises(TypeError, match="BillingPolicy"):
        lease_figures_on(LeaseTerms(), day(TODAY), policy={"rounding": "down"})  # type: ignore[arg-type]


def test_amounts_of_a_lease_are_those_of_its_currency() -> None:
    """100,000 yen a quarter are 33,333 a month: a yen has no parts (A2)."""
    first = opening(price="50000 JPY")
    yen = rent(
        "100000 JPY",
        billing_cycle=BillingCycle(period_length=3),
        first_billing_period_bill_item=first,
    )

    assert (
        amount("33333 JPY")
        == lease_figures_on(LeaseTerms(recurring_bill_items=(yen,)), day(TODAY)).monthly_rent_level
    )
