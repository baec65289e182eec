"""The steps behind two pictures: of a bill, and of a rent; and the waterfall that shows them."""

from datetime import date
from decimal import Decimal
from itertools import product
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
from tests.support.rents import YEAR, amount, day, fee, rent, vat
from tests.support.settlements import Advance, occupancies, pool, settled, units


def told(result: Any, bill: Any = None, last: int | None = None) -> str:  # noqa: ANN401
    """Return the steps of a bill, by default all, with their amounts."""
    found = bill_steps(result, bill, by="prices")
    steps = [f"{step.name} {step.amount.amount:f}" for step in found]
    return ", ".join(steps[:last])


def test_a_plain_rent_has_its_list_price_and_total() -> None:
    assert (
        "list_price 8500.00, discount 0.00, share 0.00, subtotal 8500.00, vat 0.00, total 8500.00"
    ) == told(rb.pending_bills(rent(), YEAR), "2026-02-01")


def test_discount_share_and_vat_follow_each_other() -> None:
    """Ended on 17 June at 1,000 less 10 %: 900 × 17/30 = 510, VAT of 25 % on it 127.50."""
    item = rent(
        "1000.00",
        vat=vat("Exclusive", "0.25"),
        discount=rb.Discount(percentage=Decimal("0.1")),
        ended_on=day("2026-06-17"),
    )

    assert (
        "list_price 1000.00, discount -100.00, share -390.00, subtotal 510.00, vat 127.50, "
        "total 637.50"
    ) == told(rb.pending_bills(item, YEAR), "2026-06-01")


def test_prices_with_vat_inside_lose_it_before_the_subtotal() -> None:
    """1,250 with 25 % inside is 1,000 and 250 of VAT; cash rounding follows the total."""
    items = rb.LeaseTerms(
        recurring_bill_items=(rent("1250.00", vat=vat("Inclusive", "0.25")),),
        one_time_bill_items=(fee("0.10"),),
    )
    policy = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})

    assert (
        "list_price 1250.10, discount 0.00, share 0.00, vat_inside -250.00, "
        "subtotal 1000.10, vat 250.00, total 1250.10, cash_rounding -0.10, payable 1250.00"
    ) == told(rb.pending_bills(items, YEAR, policy=policy), "2026-02-01")


def test_parts_of_a_split_period_make_one_list_price() -> None:
    """1,000 for 10 days of June and 1,300 for 20: the list price is 1,200, and nothing is shared.

    1,000 × 10/30 + 1,300 × 20/30 = 333.333… + 866.666… = 1,200.
    """
    records = (rb.AmountRecord(value=amount("1300.00"), start=day("2026-06-11")),)

    assert "list_price 1200.00, discount 0.00, share 0.00" == told(
        rb.pending_bills(rent("1000.00", amount_records=records), YEAR), "2026-06-01", last=3
    )


def test_what_rounding_lines_adds_is_a_step_of_its_own() -> None:
    """Three lines of 0.333 round to 0.33 each: 0.99, where their exact sum 0.999 rounds to 1.00."""
    items = [fee("0.333"), fee("0.333"), fee("0.333")]

    assert "list_price 1.00, discount 0.00, share 0.00, rounding -0.01, subtotal 0.99" == told(
        rb.pending_bills(items, YEAR), last=5
    )


def test_a_discount_larger_than_the_price_takes_the_price() -> None:
    """It stops at zero (A22)."""
    lower = (rb.AmountRecord(value=amount("100.00"), start=day("2026-02-01")),)
    item = rent("200.00", discount=rb.Discount(amount=amount("150.00")), amount_records=lower)

    assert "list_price 100.00, discount -100.00" == told(
        rb.pending_bills(item, YEAR), "2026-02-01", last=2
    )


def test_a_bill_that_was_read_does_not_know_its_discounts() -> None:
    item = rent("1000.00", discount=rb.Discount(percentage=Decimal("0.1")))
    read = rb.loads(rb.dumps(rb.pending_bills(item, YEAR)), rb.BillingResult)

    assert "list_price 900.00, share 0.00, subtotal 900.00" == told(read, "2026-02-01", last=3)


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


@pytest.mark.parametrize("bill", [None, 99, -99, "2026-02-02", date(2030, 1, 1)])
def test_a_bill_that_is_not_there_is_refused(bill: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidRecordError, match="the position of a bill, or its due date"):
        bill_steps(rb.pending_bills(rent(), YEAR), bill)


def test_every_bar_begins_where_the_one_before_it_ended() -> None:
    """1,000, down to 900, down to 510; the sums stand on the ground."""
    item = rent(
        "1000.00",
        vat=vat("Exclusive", "0.25"),
        discount=rb.Discount(percentage=Decimal("0.1")),
        ended_on=day("2026-06-17"),
    )
    picture = bill_waterfall(rb.pending_bills(item, YEAR), "2026-06-01", by="prices", locale="da")
    ends = {
        bar.get_gid(): (bar.get_y(), bar.get_y() + bar.get_height())
        for bar in picture.axes[0].patches
        if isinstance(bar, Rectangle)
    }
    texts = [text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text in picture.axes[0].texts]

    assert {
        "list_price": (0, 1000),
        "discount": (1000, 900),
        "share": (900, 510),
        "subtotal": (0, 510),
        "vat": (510, 637.5),
        "total": (0, 637.5),
    } == ends
    assert [
        "1.000,00 kr.",
        "−100,00 kr.",
        "−390,00 kr.",
        "510,00 kr.",
        "+127,50 kr.",
        "637,50 kr.",
    ] == texts
    assert ["List price", "Discount", "Share of the period", "Subtotal", "VAT 25 %", "Total"] == [
        label.get_text().replace("\N{NO-BREAK SPACE}", " ")
        for label in picture.axes[0].get_xticklabels()
    ]
    assert "Bill due 1. juni 2026" == picture.axes[0].get_title(loc="left")


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
    picture = bill_waterfall(rb.pending_bills(items, YEAR), "2026-02-01")

    assert [
        ("Flat", "DKK 8,500.00"),
        ("key:parking", "DKK 425.00"),
        ("Building works", "−DKK 300.00"),
        ("VAT 25%", "+DKK 106.25"),
        ("Total", "DKK 8,731.25"),
    ] == bars_of(picture)
    assert "Bill due February 1, 2026, Vestergade 7" == picture.axes[0].get_title(loc="left")


def test_a_bill_of_nothing_has_its_total() -> None:
    assert [("Total", "DKK 0.00")] == bars_of(bill_waterfall(rb.pending_bills(fee("0.00"), YEAR)))


def test_lines_of_one_text_are_one_bar() -> None:
    """A month with a new price from the 11th: 8,500 × 10/28 + 9,000 × 18/28 = 8,821.43."""
    records = (rb.AmountRecord(value=amount("9000.00"), start=day("2026-02-11")),)
    item = rent(amount_records=records, description="Flat")

    assert [("Flat", "DKK 8,821.43"), ("Total", "DKK 8,821.43")] == bars_of(
        bill_waterfall(rb.pending_bills(item, YEAR), "2026-02-01")
    )


def test_of_many_lines_the_smallest_are_one_bar() -> None:
    """1 to 12, of which nine are drawn: 4 to 12, and 1 + 2 + 3 = 6 in one bar."""
    fees = [fee(f"{at}.00", description=f"Fee {at}") for at in range(1, 13)]
    bars = bars_of(bill_waterfall(rb.pending_bills(fees, YEAR)))

    assert [f"Fee {at}" for at in range(4, 13)] == [name for name, _ in bars[:9]]
    assert [("3 other lines", "DKK 6.00"), ("Total", "DKK 78.00")] == bars[9:]


def test_an_amount_below_zero_stands_below_its_bar() -> None:
    """4,309.20 × 1.25 = 5,386.50, to be paid back."""
    picture = bill_waterfall(rb.pending_bills(fee("-4309.20", vat=vat("Exclusive", "0.25")), YEAR))
    texts = [text for text in picture.axes[0].texts if isinstance(text, Annotation)]

    assert ["−DKK 4,309.20", "−DKK 1,077.30", "−DKK 5,386.50"] == [
        amount for _, amount in bars_of(picture)
    ]
    assert [("top", -4309.2), ("top", -5386.5), ("top", -5386.5)] == [
        (text.get_verticalalignment(), text.xy[1]) for text in texts
    ]


def test_an_unknown_way_to_draw_a_bill_is_refused() -> None:
    with pytest.raises(UnknownWordError, match="by: is not a known word"):
        bill_waterfall(rb.pending_bills(fee("1.00"), YEAR), by=cast("Any", "items"))


def test_two_modes_of_one_rate_are_told_apart() -> None:
    """25 % inside the rent, and 25 % on top of the fee."""
    inside, on_top = vat("Inclusive", "0.25"), vat("Exclusive", "0.25")
    terms = rb.LeaseTerms(
        recurring_bill_items=(rent(vat=inside),), one_time_bill_items=(fee(vat=on_top),)
    )
    picture = bill_waterfall(rb.pending_bills(terms, YEAR), "2026-02-01")

    assert {"VAT 25% inclusive", "VAT 25% exclusive"} <= {
        label.get_text() for label in picture.axes[0].get_xticklabels()
    }


def test_a_bill_alone_says_that_it_starts_after_discounts() -> None:
    picture = bill_waterfall(rb.pending_bills(rent(), YEAR).bills[1], by="prices")

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
    records = (rb.AmountRecord(value=amount("9000.00"), start=day("2026-06-15")),)
    result = rb.pending_bills(rent(amount_records=records, ended_on=day("2026-09-30")), YEAR)

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
    read = rb.loads(rb.dumps(rb.pending_bills(rent(), YEAR)), rb.BillingResult)

    with pytest.raises(InvalidRecordError, match="result: was not computed here"):
        rent_steps(read)


@pytest.mark.parametrize(
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
