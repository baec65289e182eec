"""The steps behind two pictures: of a bill, and of a rent; and the waterfall that shows them."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from hypothesis import given
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation

import rentbilling as rb
from rentbilling.adapters.plots import (
    Picture,
    bill_steps,
    bill_waterfall,
    rent_over_time,
    rent_steps,
    statement_waterfall,
)
from rentbilling.adapters.plots.bill_steps import By
from rentbilling.adapters.plots.rent_steps import per_text
from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.testing.strategies import BillingRun, billing_runs
from tests.adapters.plots.written import day as day_text, money, percent, plain
from tests.support.rents import YEAR, amount, day, fee, rent, vat
from tests.support.rows import rows
from tests.support.sentences import assert_said
from tests.support.settlements import Advance, occupancies, pool, settled, units

TENTH: Any = rb.Discount(percentage=Decimal("0.1"))
LESS = rent("1000.00", discount=TENTH)
ENDED = rent("1000.00", vat=vat("Exclusive", "0.25"), discount=TENTH, ended_on=day("2026-06-17"))
INSIDE = rb.LeaseTerms(
    recurring_bill_items=(rent("1250.00", vat=vat("Inclusive", "0.25")),),
    one_time_bill_items=(fee("0.10"),),
)


def bills(terms: Any, **choices: Any) -> rb.BillingResult:  # noqa: ANN401
    return rb.pending_bills(terms, YEAR, **choices)


def dearer(price: str, start: str) -> tuple[rb.AmountRecord, ...]:
    return (rb.AmountRecord(value=amount(price), start=day(start)),)


CASH = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
STEPS: Mapping[str, tuple[rb.BillingResult, str | None]] = {
    "a plain rent": (bills(rent()), "2026-02-01"),
    # 1,000 less 10 %: 900 × 17/30 = 510, VAT of 25 % on it 127.50.
    "a rent less a tenth that ended on 17 June": (bills(ENDED), "2026-06-01"),
    # 1,250 with 25 % inside is 1,000 and 250 of VAT; cash rounding follows the total.
    "VAT inside, and cash": (bills(INSIDE, policy=CASH), "2026-02-01"),
    # 1,000 × 10/30 + 1,300 × 20/30 = 333.333… + 866.666… = 1,200, of which nothing is shared.
    "1,000 for 10 days and 1,300 for 20": (
        bills(rent("1000.00", amount_records=dearer("1300.00", "2026-06-11"))),
        "2026-06-01",
    ),
    # 0.33 each are 0.99, where their exact sum 0.999 is 1.00.
    "three lines of 0.333": (bills([fee("0.333")] * 3), None),
    # It stops at zero (A22).
    "a discount of 150 on a price of 100": (
        bills(
            rent(
                "200.00",
                discount=rb.Discount(amount=amount("150.00")),
                amount_records=dearer("100.00", "2026-02-01"),
            )
        ),
        "2026-02-01",
    ),
    # It does not know its discounts.
    "a bill that was read": (rb.loads(rb.dumps(bills(LESS)), rb.BillingResult), "2026-02-01"),
}


def test_steps_lead_to_the_total_of_a_bill(request: pytest.FixtureRequest) -> None:
    def said(name: str) -> list[str]:
        steps = bill_steps(*STEPS[name], by="prices")
        return [", ".join(f"{step.name} {step.amount.amount:f}" for step in steps)]

    assert_said(request, Path(__file__), {name: partial(said, name) for name in STEPS})


@given(billing_runs())
def test_steps_add_up_to_what_is_payable(run: BillingRun) -> None:
    result = rb.pending_bills(run.terms, run.period, policy=run.policy, indices=run.indices)
    for bill, by in product(result.bills[:6], get_args(By)):
        reached = Decimal(0)
        for step in bill_steps(result, bill, by=by):
            if step.kind == "sum":
                assert reached == step.amount.amount
            else:
                reached += step.amount.amount
        assert bill.payable.amount == reached


@rows("bill", [None, 99, -99, "2026-02-02", date(2030, 1, 1)])
def test_a_bill_that_is_not_there_is_refused(bill: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidRecordError, match="the position of a bill, or its due date"):
        bill_steps(bills(rent()), bill)


def test_every_bar_begins_where_the_one_before_it_ended() -> None:
    """1,000, down to 900, down to 510; the sums stand on the ground."""
    picture = bill_waterfall(bills(ENDED), "2026-06-01", by="prices", locale="da")
    ends = {
        bar.get_gid(): (bar.get_y(), bar.get_y() + bar.get_height())
        for bar in picture.axes[0].patches
        if isinstance(bar, Rectangle)
    }
    written = [
        *(money("1000.00 DKK"), f"−{money('100.00 DKK')}", f"−{money('390.00 DKK')}"),
        *(money("510.00 DKK"), f"+{money('127.50 DKK')}", money("637.50 DKK")),
    ]

    assert {
        "list_price": (0, 1000),
        "discount": (1000, 900),
        "share": (900, 510),
        "subtotal": (0, 510),
        "vat": (510, 637.5),
        "total": (0, 637.5),
    } == ends
    assert written == [plain(text.get_text()) for text in picture.axes[0].texts]
    vat_text = f"VAT {percent('0.25')}"
    assert ["List price", "Discount", "Share of the period", "Subtotal", vat_text, "Total"] == [
        plain(label.get_text()) for label in picture.axes[0].get_xticklabels()
    ]
    due = day_text("2026-06-01", length="long")
    assert f"Bill due {due}" == picture.axes[0].get_title(loc="left")


def bars_of(picture: Picture) -> list[tuple[str, str]]:
    """Return the names and the amounts of the bars of a waterfall."""
    (axes,) = picture.axes
    names = [" ".join(label.get_text().split()) for label in axes.get_xticklabels()]
    return list(zip(names, (" ".join(text.get_text().split()) for text in axes.texts), strict=True))


def test_a_bill_is_drawn_line_by_line() -> None:
    """8,500 and 425 less 300; VAT of 25 % on the parking alone: 106.25. What is zero is no bar."""
    items = rb.LeaseTerms(
        lease_id="Vestergade 7",
        recurring_bill_items=(
            rent(description="Flat"),
            rent("425.00", product_key="key:parking", vat=vat("Exclusive", "0.25")),
            rent("0.00", description="Cellar"),
            rent("-300.00", description="Building works"),
        ),
    )
    picture = bill_waterfall(bills(items), "2026-02-01")

    assert [
        ("Flat", "DKK 8,500.00"),
        ("key:parking", "DKK 425.00"),
        ("Building works", "−DKK 300.00"),
        ("VAT 25%", "+DKK 106.25"),
        ("Total", "DKK 8,731.25"),
    ] == bars_of(picture)
    assert "Bill due February 1, 2026, Vestergade 7" == picture.axes[0].get_title(loc="left")


@rows(
    ("terms", "due", "bars"),
    [
        (fee("0.00"), None, [("Total", "DKK 0.00")]),
        # Lines of one text are one bar: a month with a new price from the 11th, 8,500 × 10/28 +
        # 9,000 × 18/28 = 8,821.43.
        (
            rent(amount_records=dearer("9000.00", "2026-02-11"), description="Flat"),
            "2026-02-01",
            [("Flat", "DKK 8,821.43"), ("Total", "DKK 8,821.43")],
        ),
        # 1 to 12, of which nine are drawn: 4 to 12, and 1 + 2 + 3 = 6 in one bar.
        (
            [fee(f"{at}.00", description=f"Fee {at}") for at in range(1, 13)],
            None,
            [
                *((f"Fee {at}", f"DKK {at}.00") for at in range(4, 13)),
                *(("3 other lines", "DKK 6.00"), ("Total", "DKK 78.00")),
            ],
        ),
    ],
)
def test_equal_and_small_lines_share_a_bar(
    terms: Any,  # noqa: ANN401
    due: str | None,
    bars: list[tuple[str, str]],
) -> None:
    assert bars == bars_of(bill_waterfall(bills(terms), due))


def test_an_amount_below_zero_stands_below_its_bar() -> None:
    """4,309.20 × 1.25 = 5,386.50, to be paid back."""
    picture = bill_waterfall(bills(fee("-4309.20", vat=vat("Exclusive", "0.25"))))
    texts = [text for text in picture.axes[0].texts if isinstance(text, Annotation)]

    assert ["−DKK 4,309.20", "−DKK 1,077.30", "−DKK 5,386.50"] == [
        amount for _, amount in bars_of(picture)
    ]
    assert [("top", -4309.2), ("top", -5386.5), ("top", -5386.5)] == [
        (text.get_verticalalignment(), text.xy[1]) for text in texts
    ]


def test_an_unknown_way_to_draw_a_bill_is_refused() -> None:
    with pytest.raises(UnknownWordError, match="by: is not a known word"):
        bill_waterfall(bills(fee("1.00")), by=cast("Any", "items"))


def test_two_modes_of_one_rate_are_told_apart() -> None:
    """25 % inside the rent, and 25 % on top of the fee."""
    inside, on_top = vat("Inclusive", "0.25"), vat("Exclusive", "0.25")
    terms = rb.LeaseTerms(
        recurring_bill_items=(rent(vat=inside),), one_time_bill_items=(fee(vat=on_top),)
    )
    picture = bill_waterfall(bills(terms), "2026-02-01")

    assert {"VAT 25% inclusive", "VAT 25% exclusive"} <= {
        label.get_text() for label in picture.axes[0].get_xticklabels()
    }


def test_a_bill_alone_says_that_it_starts_after_discounts() -> None:
    picture = bill_waterfall(bills(rent()).bills[1], by="prices")

    assert "Price after discount" == picture.axes[0].get_xticklabels()[0].get_text()


ASSUMED = rb.IndexSeries(
    "NPI", {"2025-10": "100.0", "2026-10": "102.0", "2027-10": "105.06"}, assumed=["2027-10"]
)


def adjusted(**changes: Any) -> rb.LeaseTerms:  # noqa: ANN401
    rule = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,))
    return rb.LeaseTerms(
        recurring_bill_items=(rent(id="rent", description="Flat", **changes),),
        rent_adjustment_plans=(plan,),
    )


def test_a_result_becomes_steps_with_what_led_to_them() -> None:
    """8,500 × 102/100 = 8,670 from January 2027; × 1.03 = 8,930.10 on an assumed index in 2028.

    102 × 1.03 = 105.06.
    """
    result = rb.bill_period(adjusted(), "2026-01-01/2028-12-31", indices=ASSUMED)
    names = ("from_date", "amount", "change", "assumed", "text")
    known = {"item_id": "rent", "product_key": "key:rent", "name": "Flat"}
    known |= {"currency": "DKK", "per": "month"}

    assert [
        {**known, **dict(zip(names, row, strict=True))}
        for row in (
            (date(2026, 1, 15), Decimal("8500.00"), None, False, ""),
            (date(2027, 1, 1), Decimal("8670.00"), Decimal("0.0200"), False, "100,0 → 102,0"),
            (date(2028, 1, 1), Decimal("8930.10"), Decimal("0.0300"), True, ""),
        )
    ] == rent_steps(result, "da")


def test_records_and_ends_are_steps_too() -> None:
    records = dearer("9000.00", "2026-06-15")
    result = bills(rent(amount_records=records, ended_on=day("2026-09-30")))

    assert [
        (date(2026, 1, 15), Decimal("8500.00"), None),
        (date(2026, 6, 15), Decimal("9000.00"), None),
        (date(2026, 10, 1), None, None),
    ] == [(row["from_date"], row["amount"], row["change"]) for row in rent_steps(result)]


def test_a_result_is_drawn_to_the_end_of_its_period() -> None:
    """The last step reaches 31 December 2028, 21,549 days after 1970 began."""
    result = rb.bill_period(adjusted(), "2026-01-01/2028-12-31", indices=ASSUMED)
    (axes,) = rent_over_time(result).axes
    lines: list[Any] = [line for line in axes.lines if line.get_gid() == "assumed"]
    ends = [max(line.get_xdata()) for line in lines]

    assert [21549.0] == ends


def test_bills_that_were_read_have_no_steps() -> None:
    read = rb.loads(rb.dumps(bills(rent())), rb.BillingResult)

    with pytest.raises(InvalidRecordError, match="result: was not computed here"):
        rent_steps(read)


@rows(
    ("unit", "length", "text"),
    [
        ("Month", 1, "month"),
        ("Month", 3, "quarter"),
        ("Month", 6, "half-year"),
        ("Month", 12, "year"),
        ("Year", 1, "year"),
        ("Month", 2, "2 months"),
        ("Year", 2, "24 months"),
        ("Week", 1, "week"),
        ("Week", 4, "4 weeks"),
        ("Day", 1, "day"),
    ],
)
def test_billing_periods_have_names(unit: str, length: int, text: str) -> None:
    assert text == per_text(rb.BillingCycle(time_unit=unit, period_length=length))


def test_what_is_no_row_is_refused() -> None:
    with pytest.raises(
        InvalidRecordError, match=r"rows\[0\]: is no row \(met 'now'; expected a res"
    ):
        rent_over_time({"now": rb.forecast(rent(), years=1)})  # type: ignore[dict-item]


def test_the_title_of_a_statement_has_the_days_of_the_lease() -> None:
    result = settled(
        [pool(100, "area")],
        units("u1 area=60"),
        occupancies("t1 u1 2025-01-01/2025-08-14", "t2 u1 2025-08-15/2025-12-31"),
    )
    axes = statement_waterfall(result.of("t1")).axes[0]

    assert "Statement of t1, Jan 1, 2025 to Aug 14, 2025" == axes.get_title(loc="left")


def test_a_statement_is_drawn_from_its_costs_to_the_balance() -> None:
    """60 of 100 m2: 60.00 of 100.00, of the credit 6.00; 70.00 were paid, 16.00 too much."""
    result = settled(
        [pool(100, "area", id="tax", description="Property tax"), pool(-10, "area", id="credit")],
        units("u1 area=60", "u2 area=40"),
        occupancies("t1 u1", "t2 u2"),
        advances=[Advance(occupancy="t1", total={"amount": 70, "currency": "EUR"})],
    )
    axes = statement_waterfall(result.of("t1")).axes[0]
    bars = [each for each in axes.patches if isinstance(each, Rectangle)]

    assert "Statement of t1, Jan 1, 2025 to Dec 31, 2025" == axes.get_title(loc="left")
    assert ["Property tax", "credit", "Share of the costs", "Advances paid", "To be paid back"] == [
        each.get_text().replace("\n", " ") for each in axes.get_xticklabels()
    ]
    assert [(0, 60), (60, -6), (0, 54), (54, -70), (0, -16)] == [
        (round(each.get_y()), round(each.get_height())) for each in bars
    ]
    other = statement_waterfall(result.of("t2")).axes[0]
    assert ["Property tax", "credit", "Share of the costs", "To pay"] == [
        each.get_text().replace("\n", " ") for each in other.get_xticklabels()
    ]


def test_an_opening_of_several_units_has_no_share_of_its_rounding() -> None:
    """Each line is 3 × 90 × 47/84 = 151.07…, rounded up to 151.08: three lines are 453.24."""
    up = rb.BillingPolicy(rounding="up")
    known: Any = {"months": 3, "quantity": 3, "policy": up}
    items = [rb.recurring_item("key:shop", "90 DKK", "2026-02-10", **known) for _ in range(3)]
    steps = bill_steps(rb.pending_bills(items, "2026-02", policy=up), by="prices")

    assert ["453.24", "0.00", "0.00"] == [str(each.amount.amount) for each in steps[:3]]
