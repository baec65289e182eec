"""The day that decides the VAT of a period (A67), each case worked out by hand.

A Finnish quarter, 1 July to 30 September 2024, of 3,000 without VAT; 24 % until 31 August, then
25.5 %. Two of its three months are 2,000, one is 1,000.
"""

from collections.abc import Sequence
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.policy import VatDay
from rentbilling.schedule import VatDays
from tests.oracle import bills_by_oracle, bills_told_by
from tests.support.explained import check
from tests.support.rents import day, opening, price_from, quarterly, vat
from tests.support.rows import rows

DUE, ADVANCED = "2024-08-25/2024-10-15", "2024-07-01/2024-07-31"
ARREARS = rb.DueDateRule(day_of_period=1, relative_to="end")
ADVANCE = rb.DueDateRule(day_of_period=1)
OLD, NEW, NONE = vat("Exclusive", "0.24"), vat("Exclusive", "0.255"), vat("Exempt")
GROSS = vat("Inclusive", "0.24")
WAITS: dict[str, Any] = {"mid_period_change": "next_period"}


def finnish(*dated: tuple[str, rb.Vat], **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return the item, billed in arrears; its VAT rises on 1 September unless others are dated."""
    records = dated or (("2024-09-01", NEW),)
    fields = {
        "vat": OLD,
        "vat_records": tuple(rb.VatRecord(value=each, start=day(on)) for on, each in records),
        "first_billing_period_bill_item": opening("2024-04-01/2024-06-30", price="3000 DKK"),
        "due_date_rule": ARREARS,
    }
    return quarterly("3000.00", **{**fields, **changes})


def figures(
    item: rb.RecurringBillItem, rules: rb.BillingPolicy, days: str | None = None
) -> tuple[list[tuple[str, str]], str]:
    """Return days and VAT of the lines of the bill, and its total; the oracle agrees with them."""
    if days is None:
        days = ADVANCED if item.due_date_rule == ADVANCE else DUE
    result = rb.pending_bills(item, days, policy=rules)
    [bill] = result.bills

    assert bills_by_oracle([item], rb.Period.parse(days), rules) == bills_told_by(result.bills)
    check(result)
    lines = [(str(line.accounting_period)[5:], _said(line.vat)) for line in bill.lines]
    return [(f"{each[:5]} {each[-5:]}", said) for each, said in lines], f"{bill.total.amount:f}"


def _said(each: rb.Vat) -> str:
    rate = "" if not each.tax_rate else f" {each.tax_rate * 100:.1f}"
    return f"{each.tax_mode}{rate}"


ONE = "07-01 09-30"
CASES: Sequence[tuple[str, VatDay, rb.RecurringBillItem, dict[str, Any], list[str], str]] = [
    # 2,000 × 1.24 + 1,000 × 1.255 = 2,480 + 1,255
    (
        "each part has its own rate",
        "split",
        finnish(),
        {},
        ["07-01 08-31 Exclusive 24.0", "09-01 09-30 Exclusive 25.5"],
        "3735.00",
    ),
    # A rate never waits (A19).
    (
        "a rate does not wait",
        "split",
        finnish(),
        WAITS,
        ["07-01 08-31 Exclusive 24.0", "09-01 09-30 Exclusive 25.5"],
        "3735.00",
    ),
    # 3,000 × 1.24
    ("the first day", "period_start", finnish(), {}, [f"{ONE} Exclusive 24.0"], "3720.00"),
    # 3,000 × 1.255
    ("the last day", "period_end", finnish(), {}, [f"{ONE} Exclusive 25.5"], "3765.00"),
    (
        "also where changes wait",
        "period_end",
        finnish(),
        WAITS,
        [f"{ONE} Exclusive 25.5"],
        "3765.00",
    ),
    # Due on 1 October.
    ("due in arrears", "due_date", finnish(), {}, [f"{ONE} Exclusive 25.5"], "3765.00"),
    # Due on 1 July.
    (
        "due in advance",
        "due_date",
        finnish(due_date_rule=ADVANCE),
        {},
        [f"{ONE} Exclusive 24.0"],
        "3720.00",
    ),
    # The last day paid for is 31 August: 3,000 × 2/3 × 1.24
    (
        "an end moves the last day",
        "period_end",
        finnish(ended_on=day("2024-08-31")),
        {},
        ["07-01 08-31 Exclusive 24.0"],
        "2480.00",
    ),
    # (3,000 × 1/3 + 3,600 × 2/3) × 1.255 = 3,400 × 1.255
    (
        "parts of a price take the VAT of their period",
        "period_end",
        finnish(amount_records=(price_from("2024-08-01", "3600.00"),)),
        {},
        ["07-01 07-31 Exclusive 25.5", "08-01 09-30 Exclusive 25.5"],
        "4267.00",
    ),
    # Exempt from 16 September: (2 + 15/30) / 3 = 5/6 before it, 2,500 × 1.255 + 500
    *(
        (
            "a mode splits, and each side has its own last day",
            word,
            finnish(("2024-09-01", NEW), ("2024-09-16", NONE)),
            {},
            ["07-01 09-15 Exclusive 25.5", "09-16 09-30 Exempt"],
            "3637.50",
        )
        # Due on 1 October, when Exempt is in force: the side nearest to it ends on 15 September.
        for word in ("period_end", "due_date")
    ),
    # Due on 1 July: 2,500 × 1.24 + 500
    (
        "a side without its mode on the due date takes its nearest day",
        "due_date",
        finnish(("2024-09-01", NEW), ("2024-09-16", NONE), due_date_rule=ADVANCE),
        {},
        ["07-01 09-15 Exclusive 24.0", "09-16 09-30 Exempt"],
        "3600.00",
    ),
    # The mode of 1 July is that of the quarter, with its last rate: 3,000 × 1.255
    (
        "a mode waits where changes wait",
        "period_end",
        finnish(("2024-09-01", NEW), ("2024-09-16", NONE)),
        WAITS,
        [f"{ONE} Exclusive 25.5"],
        "3765.00",
    ),
    # 2,000 × 1.24 + 1,000 × 1.255: what would be Exempt has the rate before it.
    (
        "and each part has the last rate of the mode",
        "split",
        finnish(("2024-09-01", NEW), ("2024-09-16", NONE)),
        WAITS,
        ["07-01 08-31 Exclusive 24.0", "09-01 09-30 Exclusive 25.5"],
        "3735.00",
    ),
    # The gross is agreed: 3,000 with 24 % or 25.5 % in it.
    (
        "a gross price stays what it is",
        "period_end",
        finnish(("2024-09-01", vat("Inclusive", "0.255")), vat=GROSS),
        {},
        [f"{ONE} Inclusive 25.5"],
        "3000.00",
    ),
]


@pytest.mark.parametrize(
    ("word", "item", "choices", "lines", "total"),
    [pytest.param(*case[1:], id=f"{case[0]}, {case[1]}") for case in CASES],
)
def test_the_vat_of_a_quarter_over_a_change_of_rate(
    word: VatDay, item: rb.RecurringBillItem, choices: dict[str, Any], lines: list[str], total: str
) -> None:
    found, sum_of_all = figures(item, rb.BillingPolicy(vat_day=word, **choices))

    assert (lines, total) == ([" ".join(each) for each in found], sum_of_all)


@rows(
    ("word", "total"),
    [
        # 1,500 × 1.24
        ("split", "1860.00"),
        ("period_start", "1860.00"),
        ("due_date", "1860.00"),
        # 1,500 × 1.255
        ("period_end", "1882.50"),
    ],
)
def test_an_opening_takes_the_day_of_its_own_period(word: VatDay, total: str) -> None:
    """15 August to 30 September, due on 15 August: never split (A12, A67)."""
    own = opening("2024-08-15/2024-09-30", price="1500 DKK")
    item = finnish(first_billing_period_bill_item=own)

    assert total == figures(item, rb.BillingPolicy(vat_day=word), "2024-08-15/2024-08-15")[1]


def test_a_business_day_decides_where_the_due_date_moves_to_it() -> None:
    """Due on Sunday 1 September 2024, or on Friday 30 August: × 1.255 or × 1.24 (A11)."""
    item = finnish(due_date_rule=rb.DueDateRule(day_of_period=63))
    rules = rb.BillingPolicy(vat_day="due_date")
    moved = rules.evolve(business_day="preceding")

    assert ["3765.00", "3720.00"] == [figures(item, each)[1] for each in (rules, moved)]


def test_a_correction_is_reckoned_with_the_day_of_its_own_period() -> None:
    """Billed at 24 % before the new rate was recorded: −3,720 + 3,765 in the next bill (A53)."""
    rules = rb.BillingPolicy(vat_day="period_end")
    before = finnish(("2030-01-01", NEW))
    billed = rb.pending_bills(before, "2024-10-01/2024-10-01", policy=rules)

    [bill] = rb.pending_bills(
        finnish(), "2025-01-01/2025-01-31", policy=rules, already_billed=billed
    )

    assert ["-3000", "3000", "3000"] == [f"{each.net_price.amount:.0f}" for each in bill.lines]
    assert "3810.00" == f"{bill.total.amount:f}"


def test_an_item_of_one_vat_needs_no_day() -> None:
    """The same figures, made once as before."""
    item = quarterly("3000.00", vat=OLD)
    first = rb.pending_bills(item, "2026")

    assert (
        first.bills
        == rb.pending_bills(item, "2026", policy=rb.BillingPolicy(vat_day="due_date")).bills
    )


def test_of_two_days_with_its_mode_the_nearest_decides() -> None:
    """A mode that waits and comes back: the due date, 20 days in, lies nearer to the return."""
    days = VatDays([0, 11, 22], [OLD, NONE, NEW], rb.BillingPolicy(vat_day="due_date", **WAITS))

    assert {1: NEW} == days.starts(1, 30, 20)
    assert {1: OLD} == days.starts(1, 30, 13)
