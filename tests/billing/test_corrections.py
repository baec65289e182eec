"""Corrections: what a bookkeeper would write beside the bills that are out already (A53).

The rent is 8,500 DKK a month; January 2026 (from the 15th) and February are billed.
"""

import pickle
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import CorrectionFigures
from rentbilling.billing.corrections import overlaps
from tests.support.billed import APRIL, FEBRUARY, JANUARY, MARCH, TWO, Told, after, sent, told_of
from tests.support.explained import check
from tests.support.plans import GOES_ON, by_index, deposit, lease, octobers, plan
from tests.support.rents import (
    amount,
    day,
    fee,
    opening,
    period,
    price_from,
    quarterly,
    rent,
    vat,
)
from tests.support.rows import rows

NEXT_PERIOD = rb.BillingPolicy(mid_period_change="next_period")
PER_LINE = rb.BillingPolicy(vat_rounding="per_line")
MOVING = "following", "preceding", "modified_following"
CLOSED = rb.BillingPolicy(business_day="preceding", holidays=[day("2026-05-01")])
DAYS_OF_A_YEAR = [day("2027-01-01") + timedelta(each) for each in range(365)]
QUARTER = "2026-01-01/2026-03-31"
JANUARY_2021, FEBRUARY_2021 = "2021-01-01/2021-01-31", "2021-02-01/2021-02-28"


def corrected(days: str, net: str, due: str = "2026-03-01") -> Told:
    return (due, "correction", days, net)


def month(net: str, days: str = MARCH, due: str = "2026-03-01") -> Told:
    return (due, "regular", days, net)


def since(price: str) -> rb.RecurringBillItem:
    """Return a rent from 1 January on, whose opening is December."""
    return rent(first_billing_period_bill_item=opening("2025-12-01/2025-12-31", price=price))


def taxed(rate: str = "0.25", mode: str = "Exclusive") -> rb.RecurringBillItem:
    """Return a parking space at 1,000 a month with VAT."""
    return since("1000.00").evolve(amount=amount("1000.00"), vat=vat(mode, rate))


def inside(price: str) -> rb.RecurringBillItem:
    return taxed(mode="Inclusive").evolve(amount=amount(price))


def due_on(item: rb.RecurringBillItem, number: int) -> rb.RecurringBillItem:
    return item.evolve(due_date_rule=item.due_date_rule.evolve(day_of_period=number))


def in_arrears(item: rb.RecurringBillItem) -> rb.RecurringBillItem:
    return item.evolve(due_date_rule=item.due_date_rule.evolve(relative_to="end"))


PLAIN, DEARER = rent(), rent("8600.00")
HALF = rent(ended_on=day("2026-02-14"))
WITHOUT_MARCH = rent(ended_on=day("2026-02-28"))
CELLAR = rent(
    "400.00", first_billing_period_bill_item=opening("2026-02-01/2026-02-28", price="400.00")
)
HOME = rb.LeaseTerms(recurring_bill_items=(rent(id="rent"),))
HOME_AND_CELLAR = rb.LeaseTerms(recurring_bill_items=(rent(id="rent"), rent("400.00", id="cellar")))
MOVED_FEE = fee(due="2026-04-01", days="2026-02-01/2026-02-01")

ROWS: dict[str, tuple[Callable[[], list[Told]], list[Told]]] = {
    # A price that was another one.
    "a rise that came late is charged: 8,600 − 8,500": (
        lambda: after(DEARER, sent(PLAIN)),
        [corrected(FEBRUARY, "100.00"), month("8600.00")],
    ),
    "the days are those at the new price: 14 of 28 days at 500 more a month": (
        lambda: after(rent(amount_records=(price_from("2026-02-15", "9000.00"),)), sent(PLAIN)),
        [corrected("2026-02-15/2026-02-28", "250.00"), month("9000.00")],
    ),
    # 36,000 from March on instead of 30,000: a third of the quarter is 2,000 dearer.
    "a quarter is corrected for the month that changed": (
        lambda: after(
            quarterly(amount_records=(price_from("2026-03-01", "36000.00"),)), sent(quarterly())
        ),
        [corrected(MARCH, "2000.00")],
    ),
    # 36,000 until the end of January and 30,000 again: the first third is 2,000 dearer.
    "days before a change that ended are corrected": (
        lambda: after(
            quarterly(
                "36000.00",
                first_billing_period_bill_item=opening("2025-10-01/2025-12-31", price="36000.00"),
                amount_records=(price_from("2026-02-01", "30000.00"),),
            ),
            sent(quarterly()),
        ),
        [corrected(JANUARY, "2000.00")],
    ),
    # 10 % off until 14 February: half a month, 4,250, is 425 cheaper; the opening stays.
    "a discount that was forgotten is given back": (
        lambda: after(
            rent(discount=rb.Discount(percentage=Decimal("0.10"), end_date=day("2026-02-14"))),
            sent(PLAIN),
        ),
        [corrected("2026-02-01/2026-02-14", "-425.00"), month("8500.00")],
    ),
    "an opening period is corrected too: 4,500 − 4,661.29": (
        lambda: after(rent(first_billing_period_bill_item=opening(price="4500.00")), sent(PLAIN)),
        [corrected("2026-01-15/2026-01-31", "-161.29"), month("8500.00")],
    ),
    "two prices that cancel out are no correction: 10,000 + 11,000 + 9,000": (
        lambda: after(
            quarterly(
                amount_records=(
                    price_from("2026-02-01", "33000.00"),
                    price_from("2026-03-01", "27000.00"),
                )
            ),
            sent(quarterly()),
        ),
        [],
    ),
    "a text that changed is no correction": (
        lambda: after(rent(description="Rent"), sent(PLAIN), FEBRUARY),
        [],
    ),
    # Items, days and bills that should not have been, or should go on.
    "days after an end are credited: 14 of 28 days; March is not billed": (
        lambda: after(HALF, sent(PLAIN)),
        [corrected("2026-02-15/2026-02-28", "-4250.00")],
    ),
    "an item that is gone is credited": (
        lambda: after(HOME, sent(HOME_AND_CELLAR, FEBRUARY)),
        [month("8500.00"), corrected(FEBRUARY, "-400.00")],
    ),
    # Cancelled on 1 February nothing falls due from then on, and February is taken back.
    "a bill after a cancellation is credited": (
        lambda: after(rent(cancelled_on=day("2026-02-01")), sent(PLAIN)),
        [corrected(FEBRUARY, "-8500.00")],
    ),
    # March was billed ahead and is not owed.
    "a bill that falls due later is not credited before": (
        lambda: after(WITHOUT_MARCH, sent(PLAIN, QUARTER), FEBRUARY),
        [],
    ),
    "it is credited in its own period": (
        lambda: after(WITHOUT_MARCH, sent(PLAIN, QUARTER)),
        [corrected(MARCH, "-8500.00")],
    ),
    # −4,250 for the second half of February, and +4,250 when the tenant stays after all.
    "an end that is taken back is charged again": (
        lambda: after(PLAIN, [sent(PLAIN), sent(HALF, MARCH, already_billed=sent(PLAIN))], APRIL),
        [
            corrected("2026-02-15/2026-02-28", "4250.00", "2026-04-01"),
            month("8500.00", MARCH, "2026-04-01"),
            month("8500.00", APRIL, "2026-04-01"),
        ],
    ),
    "what was billed twice is credited once": (
        lambda: after(PLAIN, [sent(PLAIN, FEBRUARY), sent(PLAIN, FEBRUARY)], FEBRUARY),
        [corrected(FEBRUARY, "-8500.00", "2026-02-01")],
    ),
    # February was billed for the 1st and for the 10th: it is credited on the 10th.
    **{
        f"of two bills the later one is too much, {order}": (
            partial(
                after,
                [PLAIN],
                [sent(PLAIN, FEBRUARY), sent(due_on(PLAIN, 10), FEBRUARY)][::step],
                FEBRUARY,
            ),
            [corrected(FEBRUARY, "-8500.00", "2026-02-10")],
        )
        for order, step in (("in order", 1), ("in the other order", -1))
    },
    # Bills that were never sent.
    "a month that was missed is made up": (
        lambda: after(PLAIN, sent(PLAIN, JANUARY)),
        [month("8500.00", FEBRUARY), month("8500.00")],
    ),
    # The cellar, 400 a month from 1 February, is billed for February and March.
    "an item that was forgotten is made up": (
        lambda: after([PLAIN, CELLAR], sent(PLAIN)),
        [month("8500.00"), ("2026-03-01", "opening", FEBRUARY, "400.00"), month("400.00")],
    ),
    "a fee that was forgotten is made up": (
        lambda: after([PLAIN, fee(due="2026-02-02")], sent(PLAIN)),
        [month("8500.00"), ("2026-03-01", "one_time", "2026-02-02/2026-02-02", "100.00")],
    ),
    # One-time items (A55). 100 was billed for 1 February; it is 120 for 20 March: 20 are missing.
    "a fee that was another is corrected whatever its days": (
        lambda: after(fee("120.00", days="2026-03-20/2026-03-20"), sent(fee())),
        [corrected("2026-02-01/2026-03-20", "20.00")],
    ),
    # It was billed on 1 February, and is due on 1 April now.
    "a fee whose due date moved is not billed again in March": (
        lambda: after(MOVED_FEE, sent(fee())),
        [],
    ),
    "a fee whose due date moved is not billed again in April": (
        lambda: after(MOVED_FEE, sent(fee()), APRIL),
        [],
    ),
    # A VAT that was another one: 1,000 and 250 of VAT go back, 1,000 without VAT come instead.
    "another mode takes back the old line": (
        lambda: after(taxed().evolve(vat=vat("Exempt")), sent(taxed(), TWO)),
        [
            corrected(JANUARY, "-1000.00"),
            corrected(JANUARY, "1000.00"),
            corrected(FEBRUARY, "-1000.00"),
            corrected(FEBRUARY, "1000.00"),
            month("1000.00"),
        ],
    ),
    "a rate that is written otherwise is the same: 0.25 is 0.250 (A30)": (
        lambda: after(taxed("0.250"), sent(taxed("0.25")), FEBRUARY),
        [],
    ),
    # VAT for each line: 100.01 × 0.25 / 1.25 = 20.002, so 20.00 VAT and 80.01 net (A29).
    "the gross is right for each line too": (
        lambda: after(
            inside("101.01").evolve(ended_on=day("2026-02-28")),
            sent(inside("1.00"), FEBRUARY, policy=PER_LINE),
            policy=PER_LINE,
        ),
        [corrected(FEBRUARY, "80.01")],
    ),
    # Cycles that are others than before: days that overlap belong together.
    "months that became a quarter count against it: 25,000 − 2 × 8,500": (
        lambda: after(quarterly("25000.00"), sent(since("8500.00"))),
        [corrected(QUARTER, "8000.00")],
    ),
    # Two months were billed; the quarter, 25,000, is due on 1 April: the rest comes then.
    "a quarter in arrears is not billed before it is due": (
        lambda: after(in_arrears(quarterly("25000.00")), sent(since("8500.00"))),
        [],
    ),
    "a quarter in arrears is billed when it is due": (
        lambda: after(in_arrears(quarterly("25000.00")), sent(since("8500.00")), APRIL),
        [corrected(QUARTER, "8000.00", "2026-04-01")],
    ),
    "more than a later bill will ask for is credited at once: 12,000 − 17,000": (
        lambda: after(in_arrears(quarterly("12000.00")), sent(since("8500.00"))),
        [corrected(QUARTER, "-5000.00")],
    ),
    # Three months, 25,500, are billed ahead, and the quarter in arrears costs 20,000. Asked for
    # February: the bill of March falls due later, and pays for the same quarter.
    "a bill for later days of the same quarter counts too: 20,000 − 25,500": (
        lambda: after(in_arrears(quarterly("20000.00")), sent(since("8500.00"), QUARTER), FEBRUARY),
        [corrected(QUARTER, "-5500.00", "2026-02-01")],
    ),
    # March was billed on 28 February; on the first of March it is not billed again.
    "a due date that moved bills nothing twice": (
        lambda: after(PLAIN, sent(due_on(PLAIN, -1))),
        [],
    ),
    # March was billed for 1 March, and is due on the 15th: asked before that, nothing.
    "a period that is due later now is not credited": (
        lambda: after(due_on(PLAIN, 15), sent(PLAIN, MARCH), "2026-03-01/2026-03-10"),
        [],
    ),
    # Rent adjustments that were found out later (A41, A42): 10,000 × 102 / 100 from January 2021.
    "an index that comes late is charged: 200 for each month that was billed without": (
        lambda: after(
            lease(by_index()),
            sent(
                lease(by_index()),
                "2021-01-01/2021-02-28",
                indices=octobers(100),
                policy=GOES_ON,
            ),
            "2021-03-01/2021-03-31",
            indices=octobers(100, 102),
        ),
        [
            corrected(JANUARY_2021, "200.00", "2021-03-01"),
            corrected(FEBRUARY_2021, "200.00", "2021-03-01"),
            month("10200.00", "2021-03-01/2021-03-31", "2021-03-01"),
        ],
    ),
}


@rows(("act", "lines"), ROWS.values(), ids=ROWS)
def test_only_the_difference_is_billed(act: Callable[[], list[Told]], lines: list[Told]) -> None:
    """What the terms give now, less what was billed, or what was never billed."""
    assert lines == act()


@rows(
    ("days", "policy", "due"),
    [
        # 1 May 2026 is a holiday, 2 and 3 May are a weekend (A159).
        *(("2026-05", {"business_day": way}, "2026-05-04") for way in MOVING),
        ("2026-05-02/2026-05-31", {"business_day": "preceding"}, "2026-05-04"),
        ("2026-05-01/2026-05-03", {"business_day": "preceding"}, "2026-05-01"),
        ("2026-05-04/2026-05-31", {"business_day": "preceding"}, "2026-05-04"),
        # Where no due date moves; and where that of the product moves (A54).
        ("2026-05", {}, "2026-05-01"),
        ("2026-05", {"by_product": {"key:rent": CLOSED}}, "2026-05-04"),
        # More than forty days, of which the first are closed.
        ("2026-05-02/2026-12-31", {"business_day": "following"}, "2026-05-04"),
    ],
)
def test_a_credit_is_due_on_a_business_day(days: str, policy: dict[str, Any], due: str) -> None:
    """May, due on 30 April, comes back whole, and of April 18 of 30 days: −11,025 − 6,615."""
    rules = rb.BillingPolicy(**{"holidays": [day("2026-05-01")], **policy})
    item = rb.monthly_rent("11025 SEK", "2026-02-17", due_day=-1, id="r")
    billed = rb.pending_bills(item, "2026-03-01/2026-04-30", policy=rules)
    left = item.evolve(ended_on=day("2026-04-12"))
    (bill,) = rb.pending_bills(left, days, policy=rules, already_billed=billed)

    assert (due, "-17640.00 SEK") == (str(bill.due_date), str(bill.total))


def test_forty_closed_days_are_refused() -> None:
    closed = rb.BillingPolicy(business_day="following", holidays=DAYS_OF_A_YEAR)
    item = rb.monthly_rent("11025 SEK", "2026-02-17", id="r")
    billed = rb.pending_bills(item, "2026-03-01/2026-04-30")
    with pytest.raises(rb.UnsupportedCaseError, match="no business day within 40 days"):
        rb.pending_bills([], "2027", policy=closed, already_billed=billed)
    (bill,) = rb.pending_bills([], "2027-01", policy=closed, already_billed=billed)
    assert "2027-01-01" == str(bill.due_date)


def test_a_quantity_that_was_wrong_is_corrected_in_money() -> None:
    """3 keys at 100 instead of 2: one unit of the difference, 100."""
    two, three = (rent("100.00", quantity=Decimal(count)) for count in (2, 3))
    line = rb.pending_bills(three, MARCH, already_billed=sent(two, FEBRUARY))[0].lines[0]

    assert ("correction", Decimal(1), amount("100.00")) == (line.kind, line.quantity, line.amount)


def test_another_rate_takes_back_the_old_line() -> None:
    """1,000 at 25 % go back, with 250 of VAT, and come again at 21 %, with 210."""
    records = (rb.VatRecord(value=vat("Exclusive", "0.21"), start=day("2026-02-01")),)
    now = taxed().evolve(vat_records=records)
    bill = rb.pending_bills(now, MARCH, already_billed=sent(taxed(), TWO))[0]

    assert [
        ("correction", "-1000.00", Decimal("0.25")),
        ("correction", "1000.00", Decimal("0.21")),
        ("regular", "1000.00", Decimal("0.21")),
    ] == [(each.kind, f"{each.net_price.amount:f}", each.vat.tax_rate) for each in bill.lines]
    # 21 % of the correction's 1,000 and of March's 1,000.
    assert ["-250.00", "420.00"] == [f"{each.amount.amount:f}" for each in bill.vat_totals]


def test_an_inclusive_line_is_corrected_by_its_gross() -> None:
    """1,000 and 1,100 with 25 % VAT inside: 100 more to pay, 80.00 net and 20.00 VAT."""
    dearer = inside("1100.00").evolve(ended_on=day("2026-02-28"))
    bill = rb.pending_bills(dearer, MARCH, already_billed=sent(inside("1000.00"), FEBRUARY))[0]
    (line,) = bill.lines

    assert (amount("100.00"), amount("80.00")) == (line.amount, line.net_price)
    assert (amount("100.00"), amount("20.00")) == (bill.total, bill.vat_totals[0].amount)


@rows(("policy", "price"), [(rb.BillingPolicy(), "30400.00"), (NEXT_PERIOD, "30000.00")])
def test_a_quarter_that_is_due_later_now_keeps_its_adjusted_price(
    policy: rb.BillingPolicy, price: str
) -> None:
    """30,000 and from February 30,600: 10,000 + 20,400, or 30,000 where a change waits (A19).

    It was billed on 1 January; by the terms as they are now it is due on 1 April.
    """
    first = opening("2020-10-01/2020-12-31", price="30000.00")
    item = quarterly(first_billing_period_bill_item=first)
    february = by_index(adjustment_month=2)
    terms, moved = (lease(february, item=each) for each in (item, in_arrears(item)))
    options: dict[str, Any] = {"indices": octobers(100, 102), "policy": policy}
    earlier = sent(terms, JANUARY_2021, **options)

    assert amount(price) == earlier[0].total
    assert [] == after(moved, earlier, "2021-01-01/2021-02-28", **options)


def test_a_change_of_a_deposit_is_made_up_and_corrected() -> None:
    """Three months' rent: 3 × 200 = 600 are made up, and 3 × 100 more when the index is 103.

    The rent of January was billed at 10,000; it is 10,200, and 10,300 by the revised index.
    """
    none, first, revised = (octobers(100, *more) for more in ((), (102,), (103,)))
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
    terms = lease(both, balances=(deposit(months="3"),))
    policy = rb.BillingPolicy(balance_change="once", missing_index="notice")
    sent_first = sent(terms, JANUARY_2021, indices=none, policy=policy)
    second = rb.pending_bills(
        terms, FEBRUARY_2021, indices=first, policy=policy, already_billed=sent_first
    )

    assert [
        corrected(JANUARY_2021, "200.00", "2021-02-01"),
        month("10200.00", FEBRUARY_2021, "2021-02-01"),
        ("2021-02-01", "balance", JANUARY_2021, "600.00"),
    ] == told_of(second)
    assert "due date: 2021-01-01; the day of the adjustment" in str(
        rb.explain(second, bill=0, line=2)
    )
    assert [
        corrected(JANUARY_2021, "100.00", "2021-02-01"),
        corrected(FEBRUARY_2021, "100.00", "2021-02-01"),
        corrected(JANUARY_2021, "300.00", "2021-02-01"),
    ] == after(terms, [sent_first, second], FEBRUARY_2021, indices=revised, policy=policy)


def beside(terms: Any, **options: Any) -> rb.BillingResult:  # noqa: ANN401
    """Return the bills of March beside those of January and February of the plain rent."""
    return rb.pending_bills(terms, MARCH, already_billed=sent(PLAIN), **options)


def test_compiled_terms_and_adjustments_are_billed_beside_earlier_bills_alike() -> None:
    assert beside(DEARER) == beside(rb.compile_terms(DEARER))
    assert told_of(beside(DEARER)) == told_of(
        rb.bill_period(DEARER, MARCH, already_billed=sent(PLAIN))
    )


def test_several_currencies_have_bills_of_their_own() -> None:
    first = opening("2026-01-15/2026-01-31", price="600.00 EUR")
    euro = rent("1100.00 EUR", first_billing_period_bill_item=first, ended_on=day("2026-02-28"))
    result = rb.pending_bills(euro, MARCH, already_billed=sent(PLAIN, FEBRUARY))

    assert [("DKK", "-8500.00"), ("EUR", "1100.00")] == [
        (bill.currency, f"{bill.total.amount:f}") for bill in result
    ]


def test_cash_is_rounded_on_the_bill_of_the_correction() -> None:
    """161.29 goes back: −161.29 is −161.50 in steps of 0.50 (A52)."""
    first = opening(price="4500.00")
    cheaper = rent(first_billing_period_bill_item=first, ended_on=day("2026-02-28"))
    (bill,) = beside(cheaper, policy=rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}))

    assert (amount("-161.29"), amount("-161.50")) == (bill.total, bill.payable)


def test_a_correction_is_written_and_read() -> None:
    """The full form keeps its kind and the regular period that it is about (A56)."""
    result = beside(HALF)
    (line,) = rb.loads(rb.dumps(result, full=True), rb.BillingResult)[0].lines

    assert ("correction", period(FEBRUARY)) == (line.kind, line.regular_period)
    assert result[0].lines[0] == line


def test_a_bill_with_a_correction_passes_the_check() -> None:
    ahead = sent(PLAIN, MARCH)
    both = rb.pending_bills([DEARER, fee(due="2026-03-01")], MARCH, already_billed=ahead)

    assert [] == [*rb.check_bill(both)]


def test_a_correction_says_what_it_is_the_difference_of() -> None:
    """8,600 is due now, less the 8,500 that were billed."""
    text = str(rb.explain(beside(DEARER), bill=0, line=0))

    assert "net price: 100.00 DKK = 8,600.00 − 8,500.00 [A53]" in text
    assert "key:rent, difference to what was billed" in text


@rows(
    ("terms", "said"),
    [
        (DEARER, ["8,600.00 DKK; by the terms", "net price: 8,600.00 DKK; the item's own amount"]),
        (HALF, ["4,250.00 DKK; by the terms", "net price: 4,250.00 DKK = 8,500.00 × 0.5"]),
        # February is no longer paid for, or no longer billed; the opening is as it is stated.
        (rent(ended_on=day("2026-01-31")), ["0.00 DKK; by the terms", "billed before"]),
        (rent(cancelled_on=day("2026-02-01")), ["0.00 DKK; by the terms", "billed before"]),
        (
            rent(first_billing_period_bill_item=opening(price="5000.00")),
            ["5,000.00 DKK; by the terms", "billed before"],
        ),
        (fee("1.00", due="2026-03-01"), ["0.00 DKK; by the terms", "billed before"]),
    ],
)
def test_what_is_due_now_is_worked_out_by_the_terms(terms: Any, said: list[str]) -> None:  # noqa: ANN401
    result = beside(terms)
    check(result)
    lines = str(rb.explain(result, bill=0)).splitlines()
    (at, *_) = [place for place, line in enumerate(lines) if "due now: " in line]

    assert f"due now: {said[0]}" in lines[at]
    assert said[1] in lines[at + 1]


@rows(
    ("item", "own"),
    [
        (PLAIN, "the first day of the period"),
        (
            rent(
                first_billing_period_bill_item=opening("2026-02-01/2026-02-28"),
                ended_on=day("2026-02-28"),
            ),
            "stated for the opening period",
        ),
        (fee(), "stated by the item"),
        (HALF, "the first day of the period"),
    ],
    ids=["a month", "an opening", "a fee", "a part"],
)
def test_a_line_that_is_made_up_says_when_it_was_due(item: object, own: str) -> None:
    """It is on the bill of 1 March, and was due on 1 February."""
    # Bills are known from 20 January on, when the opening period was due already.
    known = fee("1.00", due="2026-01-20", id="known")
    result = rb.pending_bills([known, item], MARCH, already_billed=sent(known, JANUARY))  # type: ignore[list-item]
    text = str(rb.explain(result, bill=0, line=0))

    assert "due date: 2026-03-01; made up on the first bill after it was due [A53]" in text
    assert f"due date: 2026-02-01; {own}" in text


def test_a_correction_pickles() -> None:
    result = beside(DEARER)
    again = pickle.loads(pickle.dumps(result))
    figures = again[0].lines[0].figures

    assert result == again
    assert isinstance(figures, CorrectionFigures)
    assert (860_000, 850_000) == (figures.owed, figures.billed)


def test_bills_with_corrections_compare_as_others_do() -> None:
    result = beside(DEARER)

    assert rb.compare_bills(result, rb.loads(rb.dumps(result), rb.BillingResult)).is_equal
    assert ["extra_line", "subtotal", "total"] == [
        each.code for each in rb.compare_bills(rb.pending_bills(DEARER, MARCH), result)
    ]


def test_days_overlap_by_one() -> None:
    assert overlaps((1, 31), (31, 59))
    assert not overlaps((32, 59), (1, 31))
