"""The figures of a lease on a day, worked by hand: rent of a month, deposits, contract states.

The rent is that of `rents`: 8,500 DKK a month, moved in on 15 January 2026; where a plan adjusts
it, that of `plans`: 10,000 DKK a month, whose opening period is January 2020.
"""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.indices import AnyIndices
from rentbilling.service import LeaseFigures, contract_period_state, lease_figures_on
from tests.support.plans import GOES_ON, TENTHS, by_index, deposit, home, lease, octobers, plan
from tests.support.rents import amount, day, opening, price_from, rent, vat

TODAY = "2026-03-15"
D = Decimal
ARREARS = rb.DueDateRule(relative_to="end")


def figures(
    terms: rb.LeaseTerms,
    on: str = TODAY,
    indices: AnyIndices = None,
    policy: rb.BillingPolicy | None = None,
) -> tuple[str | None, str | None, str | None]:
    found = lease_figures_on(terms, day(on), indices=indices, policy=policy)
    return tuple(None if each is None else f"{each.amount:f}" for each in found)  # type: ignore[return-value]


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


def level(terms: rb.LeaseTerms, on: str) -> str | None:
    return figures(terms, on)[0]


def of(*items: rb.RecurringBillItem, **changes: Any) -> rb.LeaseTerms:  # noqa: ANN401
    return rb.LeaseTerms(recurring_bill_items=items, **changes)


def every(price: str, **cycle: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    return rent(price, billing_cycle=rb.BillingCycle(**cycle))


INSIDE, OUTSIDE = vat("Inclusive", "0.25"), vat("Exclusive", "0.25")
QUARTERLY = every("100.00", period_length=3)
WATER = rent("300.00", product_key="key:water")
SPRING = rent("9000.00", first_billing_period_bill_item=opening("2026-04-01/2026-04-30"))
EUROS = rent("100 EUR", first_billing_period_bill_item=opening(price="50 EUR"))
INSIDE_LATER = rent(vat_records=(rb.VatRecord(value=INSIDE, start=day(TODAY)),))
RISING = rent(
    amount_records=(price_from("2026-07-01", "9500.00"), price_from("2026-04-01", "9000.00")),
    quantity_records=(rb.QuantityRecord(value=Decimal(2), start=day("2026-05-01")),),
)

LEVELS: dict[str, tuple[rb.LeaseTerms, dict[str, str | None]]] = {
    # A month is a twelfth of a year; other cycles count by the periods of a year (A38, A39).
    "8,500 a month": (of(rent()), {TODAY: "8500.00"}),
    "30,000 x 4 / 12": (of(every("30000.00", period_length=3)), {TODAY: "10000.00"}),
    "100 x 4 / 12 = 33.333…": (of(QUARTERLY), {TODAY: "33.33"}),
    "10,000 x 12/5 / 12": (of(every("10000.00", period_length=5)), {TODAY: "2000.00"}),
    "100,000 / 12 = 8,333.33…": (of(every("100000.00", time_unit="Year")), {TODAY: "8333.33"}),
    "52 x 2,000 / 12 = 8,666.66…": (of(every("2000.00", time_unit="Week")), {TODAY: "8666.67"}),
    "365 x 100 / 12 = 3,041.66…": (of(every("100.00", time_unit="Day")), {TODAY: "3041.67"}),
    # The sum is rounded, not each of the two 33.33.
    "2 x 33.333… = 66.666…": (of(QUARTERLY, QUARTERLY), {TODAY: "66.67"}),
    # Seventeen digits a month are more than fifteen (A1).
    "9999999999999.99 a day": (of(every("9999999999999.99", time_unit="Day")), {TODAY: None}),
    # 100 m2 at 85.005, before a discount of a tenth (A21, A25).
    "units count, a discount does not": (
        of(rent("85.005", quantity=D(100), discount=rb.Discount(percentage=D("0.10")))),
        {TODAY: "8500.50"},
    ),
    "an amount with VAT inside": (of(rent("10000.00", vat=INSIDE)), {TODAY: "10000.00"}),
    "an amount without its VAT": (of(rent("10000.00", vat=OUTSIDE)), {TODAY: "10000.00"}),
    # In whatever order the records are listed (A18).
    "a record counts from its day on": (
        of(RISING),
        {
            "2026-03-31": "8500.00",
            "2026-04-01": "9000.00",
            "2026-05-01": "18000.00",
            "2026-07-01": "19000.00",
        },
    ),
    "rent alone, not water": (of(WATER, rent()), {TODAY: "8500.00"}),
    "water alone": (of(WATER), {TODAY: None}),
    "no items": (of(), {TODAY: None}),
    # Amounts of two currencies (A2), and of two tax modes, also by a record (A18), have no sum.
    "two currencies": (of(rent(), EUROS), {TODAY: None}),
    "VAT inside and none": (of(rent("10000.00", vat=INSIDE), rent()), {TODAY: None}),
    "VAT on top and none": (of(rent("10000.00", vat=OUTSIDE), rent()), {TODAY: "18500.00"}),
    "VAT inside by a record": (
        of(INSIDE_LATER, rent()),
        {"2026-03-14": "17000.00", "2026-03-15": None},
    ),
    # The first rent ends on 31 March, the next one begins on 1 April: never both, never none (A17).
    "a rent counts to its last day": (
        of(rent(ended_on=day("2026-03-31")), SPRING),
        {TODAY: "8500.00", "2026-03-31": "8500.00", "2026-04-01": "9000.00"},
    ),
    "a contract that has ended": (
        of(rent(), contract_end=day("2026-06-30")),
        {"2026-06-30": "8500.00", "2026-07-01": None},
    ),
    "a cancelled rent ends with the contract": (
        of(rent(cancelled_on=day("2026-06-02")), contract_end=day("2026-05-20")),
        {"2026-05-20": "8500.00", "2026-05-21": None},
    ),
    "cancelled at the end of the calendar": (
        of(rent(cancelled_on=day("9999-12-31"))),
        {TODAY: "8500.00"},
    ),
    "a rent that is never billed": (
        of(rent(cancelled_on=day("2026-01-15"))),
        {"2026-01-14": None, "2026-01-15": None},
    ),
    "before a lease begins: what it begins with": (
        of(SPRING, rent(amount_records=(price_from("2026-01-15", "8600.00"),))),
        {"2025-12-01": "8600.00"},
    ),
}


@pytest.mark.parametrize("case", LEVELS)
def test_the_rent_of_a_month(case: str) -> None:
    terms, expected = LEVELS[case]

    assert expected == {on: level(terms, on) for on in expected}


@pytest.mark.parametrize(
    ("cancelled", "changes", "last"),
    [
        # April falls due on the 1st, which is the day of the cancellation: March is the last.
        ("2026-04-01", {}, "2026-03-31"),
        # April was due the day before.
        ("2026-04-02", {}, "2026-04-30"),
        # May fell due on 29 April, three days before it, and the opening period on 15 January.
        ("2026-04-30", {"due_date_rule": rb.DueDateRule(day_of_period=-3)}, "2026-05-31"),
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
    terms = of(rent(cancelled_on=day(cancelled), **changes))
    after = str(day(last) + timedelta(days=1))

    assert ("8500.00", None) == (level(terms, last), level(terms, after))


def test_the_policy_says_how_it_is_rounded() -> None:
    """66.666… rounded down is 66.66; the rent's own policy decides (A3, A54)."""
    own = rb.BillingPolicy(by_product={"key:rent": rb.BillingPolicy(rounding="down")})

    assert "66.66" == figures(of(QUARTERLY, QUARTERLY), policy=own)[0]


def test_a_cancellation_follows_the_due_dates_of_the_policy() -> None:
    """February falls due on Monday 2 February 2026, and is not billed: none from then on (A11).

    Also where the product alone has such a policy (A54).
    """
    terms = of(rent(cancelled_on=day("2026-02-02")))
    following = rb.BillingPolicy(business_day="following")

    assert "8500.00" == level(terms, "2026-02-28")
    for policy in (following, rb.BillingPolicy(by_product={"key:rent": following})):
        assert ["8500.00", None] == [
            figures(terms, on, policy=policy)[0] for on in ("2026-01-31", "2026-02-01")
        ]


BOTH = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
BALANCE = plan(by_index(), adjusts_recurring_bill_item=False, adjusts_balance=True)
KINDS = {"Deposit": "25500.00", "PREPAIDRENT": "8500.00", "key:keys": "200.00"}
KNOWN = octobers(100, 110, 121)
Figures = tuple[str | None, str | None, str | None]

FIGURES: dict[str, tuple[rb.LeaseTerms, AnyIndices, dict[str, Figures]]] = {
    # 10,000 becomes 11,000 on 1 January 2021, and 12,100 a year later.
    "a rent follows its plan": (
        lease(by_index()),
        TENTHS,
        {
            # Before the lease begins: what it begins with.
            "2019-06-01": ("10000.00", None, None),
            "2020-12-31": ("10000.00", None, None),
            "2021-01-01": ("11000.00", None, None),
            "2021-12-31": ("11000.00", None, None),
            "2022-01-01": ("12100.00", None, None),
        },
    ),
    "30,000 a quarter x 1.1 = 33,000, which is 11,000 a month": (
        lease(by_index(), item=home("30000.00", billing_cycle=rb.BillingCycle(period_length=3))),
        TENTHS,
        {"2021-01-01": ("11000.00", None, None)},
    ),
    # 3 x 10,000 on 31 December 2020, 3 x 11,000 the day after (A39).
    "a deposit of three months": (
        lease(BOTH, balances=(deposit(months="3"),)),
        TENTHS,
        {
            "2020-12-31": ("10000.00", "30000.00", None),
            "2021-01-01": ("11000.00", "33000.00", None),
        },
    ),
    # A deposit without months follows by the same factor (A39).
    "20,000 x 110 / 100": (
        lease(BOTH, balances=(deposit("20000.00"),)),
        TENTHS,
        {"2021-01-01": ("11000.00", "22000.00", None)},
    ),
    "deposit and prepaid rent are told apart": (
        rb.LeaseTerms(
            balances=tuple(deposit(KINDS[kind], balance_charge_type=kind) for kind in KINDS)
        ),
        None,
        {TODAY: (None, "25500.00", "8500.00")},
    ),
    "25,500 and 1,000.50": (
        rb.LeaseTerms(balances=(deposit("25500.00"), deposit("1000.50"))),
        None,
        {TODAY: (None, "26500.50", None)},
    ),
    # Two currencies have no sum (A2).
    "25,500 DKK and 100 EUR": (
        rb.LeaseTerms(balances=(deposit("25500.00"), deposit("100.00 EUR"))),
        None,
        {TODAY: (None, None, None)},
    ),
    # The rent of 2023 needs the index of October 2022, and the deposit follows the rent; the
    # prepaid rent follows nothing (A39, A41).
    "a figure that needs a missing value is left out": (
        lease(
            BOTH.evolve(balance_charge_type="deposit"),
            balances=(deposit(months="3"), deposit("8500.00", balance_charge_type="prepaidRent")),
        ),
        KNOWN,
        {"2022-12-31": ("12100.00", "36300.00", "8500.00"), "2023-01-01": (None, None, "8500.00")},
    ),
    # Its plan needs a day to begin with, which neither contract nor rent has (A39).
    "a balance without a beginning": (
        rb.LeaseTerms(rent_adjustment_plans=(BALANCE,), balances=(deposit(),)),
        TENTHS,
        {TODAY: (None, None, None)},
    ),
}


@pytest.mark.parametrize("case", FIGURES)
def test_the_figures_of_a_lease(case: str) -> None:
    terms, indices, expected = FIGURES[case]

    assert expected == {on: figures(terms, on, indices) for on in expected}


def test_a_policy_that_goes_on_has_its_figure() -> None:
    """`missing_index = notice` keeps 12,100 (A41)."""
    assert "12100.00" == figures(lease(by_index()), "2023-01-01", KNOWN, GOES_ON)[0]


def test_figures_are_amounts() -> None:
    found = lease_figures_on(of(rent()), day(TODAY))

    assert LeaseFigures(monthly_rent_level=rb.Amount(Decimal("8500.00"), "DKK")) == found


def test_a_policy_is_a_policy() -> None:
    with pytest.raises(TypeError, match="BillingPolicy"):
        lease_figures_on(rb.LeaseTerms(), day(TODAY), policy={"rounding": "down"})  # type: ignore[arg-type]


def test_amounts_of_a_lease_are_those_of_its_currency() -> None:
    """100,000 yen a quarter are 33,333 a month: a yen has no parts (A2)."""
    first = opening(price="50000 JPY")
    yen = rent(
        "100000 JPY",
        billing_cycle=rb.BillingCycle(period_length=3),
        first_billing_period_bill_item=first,
    )

    assert amount("33333 JPY") == lease_figures_on(of(yen), day(TODAY)).monthly_rent_level
