"""Workings in full: each outline is a file of `outlines`, its figures worked out by hand here.

The whole text is compared, so that each step that is lost, added or worded otherwise shows.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import pytest

import rentbilling as rb
from rentbilling.explanations import Explanation, Working
from rentbilling.testing import a_bill, a_line
from tests.oracle.workings import all_replayed
from tests.support.explained import Outlined
from tests.support.plans import (
    TENTHS,
    by_index,
    by_steps,
    clause,
    deposit,
    home,
    lease,
    octobers,
    plan,
    ruled,
    series,
    step,
    with_listed,
)
from tests.support.rents import YEAR, Terms, amount, day, fee, price_from, quarterly, rent, vat

NET_PRICES = octobers("103.4", "106.9", "108.3")
"""106.9 over 103.4 is 1.033849…, a rise of 3.3849… %."""
ON_TOP, INSIDE = vat("Exclusive", "0.25"), vat("Inclusive", "0.25")


def billed(items: Terms, days: str = YEAR, indices: Any = None, **policy: Any) -> rb.BillingResult:  # noqa: ANN401
    return rb.pending_bills(items, days, indices=indices, policy=rb.BillingPolicy(**policy))


def adjusted(terms: rb.LeaseTerms, year: int, indices: Any = TENTHS) -> Working:  # noqa: ANN401
    """Return the working of the adjustment of 1 January of a year."""
    made = rb.rent_adjustments(terms, f"2020-02-01/{year}-12-31", indices=indices)
    return rb.explain(made, adjustment=f"{year}-01-01")


def amount_before(terms: rb.LeaseTerms, year: int, indices: Any = TENTHS) -> Working:  # noqa: ANN401
    return adjusted(terms, year, indices).find("amount before")


def listed(when: str, price: str) -> rb.RentAdjustment:
    return rb.RentAdjustment(adjusted_on=day(when), to_period_amount=amount(price))


def reduced() -> rb.RecurringBillItem:
    """Return a quarterly 7,812.50 with ten percent off, which ends inside a quarter."""
    off = rb.Discount(percentage=Decimal("0.10"), end_date=day("2026-06-30"), description="Rabat")
    return quarterly("7812.50", discount=off, vat=ON_TOP, ended_on=day("2026-05-17"))


def units(count: int, *records: tuple[str, int], price: str = "100.00") -> rb.RecurringBillItem:
    """Return an item of so many units, whose number changes on some days."""
    later = [rb.QuantityRecord(value=Decimal(value), start=day(start)) for start, value in records]
    return home(price, quantity=Decimal(count), quantity_records=later)


def due(day_of_period: int, bill: str, relative_to: Any = "start", **policy: Any) -> Working:  # noqa: ANN401
    rule = rb.DueDateRule(day_of_period=day_of_period, relative_to=relative_to)
    found = rb.explain(billed(rent(due_date_rule=rule), **policy), bill=bill, line=0)
    return found.find("due date")


def with_deposit() -> rb.LeaseTerms:
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
    return lease(both, balances=(deposit(months="3"),))


def as_listed() -> Explanation:
    made = rb.rent_adjustments(lease(by_index()), "2020-02-01/2021-12-31", indices=NET_PRICES)
    terms = rb.adjusted_terms(lease(by_index()), made)
    return rb.explain(rb.rent_adjustments(terms, "2020-02-01/2021-12-31", indices=NET_PRICES))


LINES: Final[dict[str, Callable[[], Working | Explanation]]] = {
    # The opening amount is agreed, and nothing is computed (A12).
    "opening line": lambda: rb.explain(billed(rent()), bill="2026-01-15", line=0),
    # A quarter at 300 that becomes 600 after a month: 300 × 1/3 = 100, 600 × 2/3 = 400 (A21).
    "part of a split as the difference of two running totals": lambda: rb.explain(
        billed(quarterly("300.00", amount_records=(price_from("2026-02-01", "600.00"),))),
        bill=0,
        line=1,
    ),
    # 100 × 8.50 × 17/31 = 466.129…; 4.66, 4.661 give 466.00 and 466.10 (A21).
    "unit price that gives the line": lambda: rb.explain(
        billed(rent("8.50", quantity=Decimal(100), ended_on=day("2026-05-17"))),
        bill="2026-05-01",
        line=0,
    ).find("unit price as printed"),
    # The day before 1 March 2026 is Saturday 28 February (A10, A11).
    "due date moved back from a saturday": lambda: due(-1, "2026-02-27", business_day="preceding"),
    # The 31st day after February 2026 is 31 March (A51).
    "due date in arrears": lambda: due(31, "2026-03-31", "end"),
    # Three times 0.11: VAT 0.066 → 0.07, net 0.26; each first net is 0.088 → 0.09, together 0.27
    # (A29).
    "net inside a gross corrected by one oere": lambda: rb.explain(
        billed([fee("0.11", vat=INSIDE)] * 3), bill=0, line=0
    ).find("net price"),
    # 10,000 × 1.03 = 10,300 for 100 units: 103 each (A38, A42).
    "line whose price was adjusted": lambda: rb.explain(
        billed(lease(by_index(most="0.03"), item=units(100)), "2021-02-01/2021-02-28", NET_PRICES),
        bill=0,
        line=0,
    ).find("net price"),
    # 3 × 10,338.49 = 31,015.47, a change of 1,015.47 in three months (A39).
    "instalment of a deposit": lambda: rb.explain(
        billed(with_deposit(), "2021-01-01/2021-03-31", NET_PRICES, balance_change="instalments"),
        bill="2021-02-01",
        line=1,
    ),
}

BILLS: Final[dict[str, Callable[[], Working | Explanation]]] = {
    # 7,812.50 × 0.9 = 7,031.25; April and 17 of 31 days of May are 48/31 months, 16/31 of the
    # quarter; 7,031.25 × 16/31 = 3,629.032…; a quarter of 3,629.03 is 907.2575.
    "quarter with a discount and a share": lambda: rb.explain(billed(reduced()), bill="2026-04-01"),
    # 10,000 − 1,000 = 9,000; − 500 = 8,500; − 20 % of 10,000 = 6,500; − 7,000 stops at zero (A61).
    "four discounts in order": lambda: rb.explain(
        billed(
            rent(
                "10000.00",
                discounts=(
                    rb.Discount(percentage=Decimal("0.1"), description="Loyal tenant"),
                    rb.Discount(amount=amount("500")),
                    rb.Discount(percentage=Decimal("0.2"), of="list", start_date=day("2026-02-01")),
                    rb.Discount(amount=amount("7000"), end_date=day("2026-02-28")),
                ),
            )
        ),
        bill="2026-02-01",
    ),
    # 3.33 × 25 % = 0.8325, three times 0.83 (A29).
    "vat rounded per line": lambda: rb.explain(
        billed([fee("3.33", vat=ON_TOP)] * 3, vat_rounding="per_line"), bill=0, vat=0
    ),
    # 100.30 is nearer to 100.50 than to 100.00 (A52).
    "cash rounded to half a krone": lambda: rb.explain(
        billed(fee("100.30"), cash_rounding={"DKK": Decimal("0.50")}), bill=0
    ),
    "bill that was sent": lambda: rb.explain(
        rb.loads(rb.dumps(billed(fee("80.00", vat=ON_TOP)), full=True), rb.BillingResult)
    ),
}

ADJUSTMENTS: Final[dict[str, Callable[[], Working | Explanation]]] = {
    # 3.3849… % is limited to 3 %: 10,300 a month, 123,600 a year (A35, A38).
    "danish net price index within limits": lambda: adjusted(
        lease(by_index(least="0", most="0.03")), 2021, NET_PRICES
    ),
    # 1,000 / 12 = 83.33… on 5,000 (A36, A38).
    "increment of a year spread over its periods": lambda: adjusted(
        lease(by_steps(step(2021, "1000.00")), item=home("5000.00")), 2021, None
    ).find("new amount"),
    # 2 % of 10,000 against 3.3849… % (A37).
    "lower one of two rules": lambda: adjusted(
        lease(
            plan(by_index(), by_steps(step(2021, "2 %"), index_clause=clause(combine="lower_of")))
        ),
        2021,
        NET_PRICES,
    ).find("amount after rule-2"),
    # 3.3849… % → 3.4 %; × 0.75 = 2.55 %; + 1 % = 3.55 %; 10,355 × 12 = 124,260, a multiple of 10
    # (A40).
    "every step of a clause": lambda: adjusted(
        lease(
            ruled(
                percentage_decimals=1,
                share="0.75",
                surcharge="0.01",
                amount_quantum="10",
                amount_per="year",
            )
        ),
        2021,
        NET_PRICES,
    ).find("new amount"),
    # The rules lead to the same amount, which is given too (A38).
    "listed adjustment": as_listed,
}

EARLIER: Final[dict[str, Callable[[], Working | Explanation]]] = {
    # 10,000 × 1.1 = 11,000, × 1.1 = 12,100, × 1.1 = 13,310 (A34, A38).
    "two earlier adjustments": lambda: adjusted(lease(by_index()), 2023).find("new amount"),
    # 12,000 agreed from July 2021 on: nothing before it counts any more (A18).
    "amount record since when adjustments count": lambda: amount_before(
        lease(by_index(), item=home(amount_records=(price_from("2021-07-01", "12000.00"),))), 2023
    ),
    # 100 units at 100.00 became 110.00 in 2021; 50 of them in 2022 are 5,500 (A38).
    "price of a unit under another quantity": lambda: amount_before(
        lease(by_index(), item=units(100, ("2021-07-01", 50))), 2022
    ),
    # 10,500 agreed for the day on which the index would have led to 11,000 (A18, A38).
    "amount record of the day of an adjustment": lambda: amount_before(
        lease(by_index(), item=home(amount_records=(price_from("2021-01-01", "10500.00"),))), 2022
    ),
    # A series of changes has no values to compare: 10,000 and 2 % are 10,200 (A33, A38).
    "published change": lambda: amount_before(
        lease(ruled(reference="year_mean")),
        2022,
        series({"2020": "0.02", "2021": "0.05"}, kind="change"),
    ),
    # 12,000 a year more is 1,000 a month more, and no index is named (A36, A38).
    "increment by its rule": lambda: amount_before(
        lease(by_steps(step(2021, "12000.00"), step(2022, "12000.00"))), 2022, None
    ),
    # 10,777 was listed for 2021, where the index would have led to 11,000 (A38).
    "earlier adjustment that was listed": lambda: amount_before(
        with_listed(lease(by_index()), [listed("2021-01-01", "10777.00")]), 2022
    ),
    # 10,000 × 301 / 300 = 10,033.3333…, billed as 10,033.33 and carried on exactly (A40).
    "carried amount and the billed one": lambda: amount_before(
        lease(ruled(carried="exact")), 2022, octobers(300, 301, 302, 303)
    ),
}

ALL = LINES | BILLS | ADJUSTMENTS | EARLIER


@pytest.mark.parametrize("name", ALL)
def test_an_outline(name: str, outlined: Outlined) -> None:
    found = ALL[name]()
    workings = [found] if isinstance(found, Working) else [*found]

    outlined(name, found)
    assert [each.result for each in workings] == all_replayed(workings)


def test_what_another_plan_listed_for_the_same_day_is_no_earlier_adjustment() -> None:
    """The index starts from 11,000, listed by another plan for its own day, not from the 10,500.

    A line for 2021 would end at 10,500 and not explain 11,000: so only the amount is given (A38).
    """
    given = listed("2021-01-01", "10500.00"), listed("2022-01-01", "11000.00")
    terms = lease(plan(by_index(), adjustments=given), by_index(first_year="2022"))
    made = rb.rent_adjustments(terms, "2020-02-01/2022-12-31", indices=TENTHS)
    working = rb.explain(made, adjustment=-1)
    found = str(working.find("amount before"))

    assert [working.result] == all_replayed([working])
    assert found.startswith("amount before: 11,000.00 DKK; in force before 2022-01-01: ")
    assert found.endswith("what this adjustment began with [A18]")
    assert "adjustment of 2021-01-01" not in found


def test_forty_years_are_forty_lines() -> None:
    indices = octobers(*range(100, 142))
    found = rb.explain(billed(lease(by_index()), "2060-03-01/2060-03-31", indices), bill=0, line=0)

    assert 39 == str(found).count("adjustment of ")


def test_a_contract_that_ends_before_its_item_is_named() -> None:
    """A rent that ends with the contract on 20 February (A17)."""
    terms = rb.LeaseTerms(recurring_bill_items=(rent(),), contract_end=day("2026-02-20"))
    found = rb.explain(billed(terms), bill="2026-02-01", line=0)

    assert "last day paid for: 2026-02-20; the contract ends [A17]" in str(found)


def test_a_control_in_a_text_is_shown_and_moves_nothing() -> None:
    bill = a_bill(a_line(product_key="key:rent\ntotal: 1.00 DKK", description="\x1b[31mRent"))
    lines = str(rb.explain(bill)).splitlines()

    assert not [line for line in lines if line.startswith("total: 1.00")]
    assert [line for line in lines if r"\x1b[31mRent (key:rent\ntotal: 1.00 DKK)" in line]


def test_a_notebook_shows_the_lines_of_an_outline() -> None:
    step = Working("a & b", "stated", (), 5, "A30")

    assert "<pre" in step._repr_html_()
    assert "a &amp; b: 5 [A30]" in step._repr_html_()
    assert "a &amp; b: 5 [A30]" in Explanation([step])._repr_html_()


def test_an_explanation_has_a_row_for_each_step() -> None:
    inner = Working(
        "share", "quotient", (("days", 17), ("days of the month", 31)), Fraction(17, 31), "A20"
    )
    whole = Working(
        "exact line", "product", (("price", 62), ("share", inner)), 34, "A21", note="all"
    )
    found = Explanation([whole, Working("total", "stated", (), 34, "A30", step_id="t")])

    assert [[*row.values()] for row in found.rows()] == [
        [1, 0, "exact line", "34", "62 × (17/31)", "A21", "all", None],
        [1, 1, "share", "17/31", "17 / 31", "A20", None, None],
        [2, 0, "total", "34", None, "A30", None, "t"],
    ]
    assert [*found.rows()[0]] == [column.name for column in found.columns]
    assert found.rows() == [
        {**row, "figure": at} for at, each in enumerate(found, 1) for row in each.rows()
    ]
    assert found.columns == found[0].columns
    assert "share: 17/31 (0.5483…) = 17 / 31 [A20]" in found._repr_html_()
