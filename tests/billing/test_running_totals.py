"""Prices of a year or a month, whatever the cycle (A65), each case worked out by hand."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import first_billing_period, recurring_item
from rentbilling.values import period_of
from tests.oracle import bills_by_oracle, bills_told_by
from tests.support.explained import check
from tests.support.rents import day, opening, quantity_from, vat
from tests.support.rows import rows

EUR = "EUR"


def yearly(
    amount: str = "10000.00",
    months: int = 12,
    **changes: Any,  # noqa: ANN401
) -> rb.RecurringBillItem:
    """Return an item with a price of a year, whose regular periods begin in January 2026."""
    fields: dict[str, Any] = {
        "price_per": "year",
        "first_billing_period_bill_item": opening("2025-12-01/2025-12-31", price="1 EUR"),
    }
    return recurring_item(
        "key:rent", f"{amount} EUR", "2025-12-01", months=months, **{**fields, **changes}
    )


def totals(
    item: rb.RecurringBillItem, days: str, policy: rb.BillingPolicy | None = None
) -> list[str]:
    """Return the totals of the bills; the oracle agrees, and their explanations replay."""
    result = rb.pending_bills(item, days, policy=policy)
    asked = period_of(days)

    assert bills_by_oracle([item], asked, policy) == bills_told_by(result.bills)
    check(result)
    assert all(rb.check_bill(bill, policy=policy).is_consistent for bill in result)
    return [f"{bill.total.amount:f}" for bill in result]


def summed(found: Sequence[str]) -> str:
    return f"{sum(map(Decimal, found)):f}"


@pytest.mark.parametrize(
    ("months", "first", "years", "whole"),
    [
        # 833.333…, 1,666.666… − 833.33, 2,500 − 1,666.67
        (1, ["833.33", "833.34", "833.33"], 1, "10000.00"),
        # 2,500 each.
        (3, ["2500.00", "2500.00"], 1, "10000.00"),
        # 3,333.333…, 6,666.666… − 3,333.33, 10,000 − 6,666.67
        (4, ["3333.33", "3333.34", "3333.33"], 1, "10000.00"),
        # 4,166.666…, 8,333.333… − 4,166.67, 12,500 − 8,333.33; five years are twelve periods.
        (5, ["4166.67", "4166.66", "4166.67"], 5, "50000.00"),
        (12, ["10000.00"], 1, "10000.00"),
        (24, ["20000.00"], 2, "20000.00"),
    ],
)
def test_the_bills_of_whole_years_add_up_to_the_price(
    months: int, first: list[str], years: int, whole: str
) -> None:
    found = totals(yearly(months=months), f"2026-01-01/{2025 + years}-12-31")

    assert first == found[: len(first)]
    assert whole == summed(found)


@pytest.mark.parametrize(
    ("cycle", "price_per", "count", "first", "whole"),
    [
        # 52 weeks make a year: 10,000 / 52 = 192.3076…
        (rb.BillingCycle(time_unit="Week"), "year", 52, "192.31", "10000.00"),
        # 365 days make a year: 73 periods of five days; 10,000 / 73 = 136.986…
        (rb.BillingCycle(time_unit="Day", period_length=5), "year", 73, "136.99", "10000.00"),
        # 833.33 a month is 2,499.99 a quarter, and 9,999.96 a year.
        (rb.BillingCycle(period_length=3), "month", 4, "208333.33", "833333.32"),
    ],
)
def test_years_have_52_weeks_or_365_days(
    cycle: rb.BillingCycle, price_per: str, count: int, first: str, whole: str
) -> None:
    amount = "10000.00" if price_per == "year" else "69444.4433333333"
    item = yearly(amount, billing_cycle=cycle, price_per=price_per)
    found = totals(item, "2026-01-01/2027-02-28")[:count]

    assert (first, whole) == (found[0], summed(found))


def test_splitting_the_asked_period_changes_nothing() -> None:
    item = yearly(months=5)
    whole = rb.pending_bills(item, "2026-01-01/2031-12-31").bills

    assert [*whole] == [
        bill for year in range(2026, 2032) for bill in rb.pending_bills(item, str(year))
    ]


def record(start: str, amount: str) -> rb.AmountRecord:
    return rb.AmountRecord(value=rb.Amount(amount, EUR), start=day(start))


@rows(
    ("item", "choices", "days", "expected"),
    [
        # An end on 10 March: 10/31 of 833.33… more: 1,666.66… + 268.81… = 1,935.48…, − 1,666.67
        (yearly(months=1, ended_on="2026-03-10"), {}, "2026-01/03", ["833.33", "833.34", "268.81"]),
        # 20,000 from 1 February: 833.33 ends, 1,666.666…, 3,333.333… − 1,666.67 begin anew.
        (
            yearly(months=1, amount_records=[record("2026-02-01", "20000")]),
            {},
            "2026-01/03",
            ["833.33", "1666.67", "1666.66"],
        ),
        # 20,000 from 15 February: 833.333… × 1½ = 1,250 − 833.33 = 416.67 to the 14th, then half of
        # 1,666.666… = 833.33; with March 2,500 − 833.33.
        (
            yearly(months=1, amount_records=[record("2026-02-15", "20000")]),
            {},
            "2026-01/03",
            ["833.33", "1250.00", "1666.67"],
        ),
        # The same change waits for 1 March, which begins anew: 833.34 and 1,666.67.
        (
            yearly(months=1, amount_records=[record("2026-02-15", "20000")]),
            {"mid_period_change": "next_period"},
            "2026-01/03",
            ["833.33", "833.34", "1666.67"],
        ),
        # Two units from 1 February are a change: 833.33, 1,666.67, 1,666.66.
        (
            yearly(
                months=1,
                quantity_records=[quantity_from("2026-02-01", "2")],
            ),
            {},
            "2026-01/03",
            ["833.33", "1666.67", "1666.66"],
        ),
        # A new text and an equal price are none.
        (
            yearly(months=1, amount_records=[record("2026-02-01", "10000.00")]),
            {},
            "2026-01/03",
            ["833.33", "833.34", "833.33"],
        ),
        # 100 off each month until 28 February: 733.333…, 1,466.666… − 733.33; then 833.33 anew.
        (
            yearly(
                months=1,
                discount=rb.Discount(amount=rb.Amount(100, EUR), end_date=day("2026-02-28")),
            ),
            {},
            "2026-01/03",
            ["733.33", "733.34", "833.33"],
        ),
        # Twice 10 % on a unit of 2,500 a quarter: 2,250 each.
        (
            yearly(months=3, discount=rb.Discount(percentage=Decimal("0.1"))),
            {},
            "2026-01/06",
            ["2250.00", "2250.00"],
        ),
    ],
)
def test_a_change_begins_a_new_running_total(
    item: rb.RecurringBillItem, choices: dict[str, Any], days: str, expected: list[str]
) -> None:
    first, last = days.split("/")
    asked = rb.Period.parse(f"{first}-01/2026-{last}-28")

    assert expected == totals(item, str(asked), rb.BillingPolicy(**choices))


def test_a_change_of_the_vat_rate_alone_goes_on() -> None:
    """833.33 and 833.34 go on; a change of mode on 1 March begins anew with 833.33."""
    dated = [("2026-02-01", vat("Exclusive", "0.255")), ("2026-03-01", vat("Exempt"))]
    records = [rb.VatRecord(value=each, start=day(start)) for start, each in dated]
    item = yearly(months=1, vat="Exclusive 24%", vat_records=records)
    bills = rb.pending_bills(item, "2026-01-01/2026-04-30")

    assert totals(item, "2026-01-01/2026-04-30")[2:] == ["833.33", "833.34"]
    assert ["833.33", "833.34"] == [f"{bill.subtotal.amount:f}" for bill in bills[:2]]


def test_vat_inside_adds_up_as_gross() -> None:
    found = totals(yearly(months=1, vat="Inclusive 25.5%"), "2026")

    assert "10000.00" == summed(found)


def test_an_opening_is_priced_by_its_share_of_a_cycle() -> None:
    """17 of January's 31 days of 10,000 / 12 are 456.989."""
    price = first_billing_period(
        rb.Amount(10000, EUR), rb.BillingCycle(), "2026-01-15", price_per="year"
    ).amount

    assert rb.Amount("456.99", EUR) == price
    with pytest.raises(rb.InvalidInputError, match="price_per: is not a known word"):
        first_billing_period(rb.Amount(1, EUR), rb.BillingCycle(), "2026-01-15", price_per="week")  # type: ignore[arg-type]


def test_a_discount_by_amount_is_held_against_the_price_of_a_cycle() -> None:
    """834 off each month of 833.33 is too much; 833 is not (A22)."""
    with pytest.raises(
        rb.InvalidInputError, match=r"larger than the price of a cycle.*at most 833.33"
    ):
        yearly(months=1, discount=rb.Discount(amount=rb.Amount(834, EUR)))

    free = yearly(months=1, discount=rb.Discount(amount=rb.Amount(833, EUR)))
    assert ["0.33", "0.34"] == totals(free, "2026-01-01/2026-02-28")


def test_the_field_is_written_where_it_is_not_a_cycle() -> None:
    written = rb.dumps(yearly())

    assert '"pricePer": "year"' in written
    assert yearly() == rb.loads(written, rb.RecurringBillItem)
    assert "pricePer" not in rb.dumps(yearly(price_per="cycle"))
    with pytest.raises(rb.InvalidInputError, match="pricePer: is not a known word"):
        rb.loads(written.replace('"year"', '"week"'), rb.RecurringBillItem)
    assert "10,000.00 EUR a year" in str(rb.LeaseTerms.of(yearly()))


def test_one_period_of_a_long_lease_costs_what_one_of_a_short_one_does() -> None:
    """The periods before are counted, and not billed."""
    item = yearly(months=1)
    far = rb.pending_bills(item, "2525-02-01/2525-02-28")

    assert "833.34" == f"{far[0].total.amount:f}"
    assert Fraction(499 * 12 + 1) == rb.explain(far).parts[0].find("periods before").result
