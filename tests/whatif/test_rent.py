"""Scenarios of the price, worked out by hand."""

from decimal import Decimal

import pytest

import rentbilling as rb
from rentbilling import errors
from rentbilling.testing import a_lease, a_plan, a_rent, an_index, an_item
from rentbilling.whatif import BillingInputs, Scenario, give_discount, raise_rent, set_rent, use_vat
from tests.support.refusals import Call
from tests.support.rows import rows
from tests.whatif.billed import totals

FIRST_HALF = "2026-01-01/2026-06-30"
RENT = a_lease(a_rent(amount=1000))
TWO = a_lease(a_rent(amount=1000, quantity=2))
AFTER_MARCH = a_lease(a_rent(amount=1000, amounts={"2026-03-01": 1200}))
PART_OF_JANUARY = a_lease(a_rent(amount=1000, moved_in="2026-01-15", amounts={"2026-03-01": 2000}))
UNTIL_MAY = a_lease(a_rent(amount=1000, moved_in="2026-01-15", amounts={"2026-05-01": 1500}))
DISCOUNTED = a_lease(a_rent(amount=1000, discount=rb.Discount(amount=rb.Amount(500, "DKK"))))
TAXED = a_lease(a_rent(amount=100, vats={"2026-05-01": "Exclusive 0.1"}))
HEATED = a_lease(a_rent(amount=100), an_item(amount=10, vat="Exempt", id="heat"))
HEATING_ALONE = a_lease(
    a_rent(amount=1000),
    an_item(amount=100, vat="Exempt"),
    plans=[a_plan(percent="0.03", adjustee_ref="recurring-1")],
)
INDEXED = a_lease(a_rent(amount=10_000), plans=[a_plan()])
QUARTER = rb.Vat("Exclusive", Decimal("0.25"))


def dkk(amount: int) -> rb.Amount:
    return rb.Amount(amount, "DKK")


@rows(
    ("lease", "scenario", "expected"),
    [
        # 8,500 × 1.03 = 8,755 from April.
        (
            *(a_lease(a_rent(amount=8500)), raise_rent(0.03, on="2026-04-01")),
            ["8500.00"] * 3 + ["8755.00"] * 3,
        ),
        # 1,000 × 17 / 31 = 548.39, and 548.39 × 1.5 = 822.585.
        (PART_OF_JANUARY, Scenario.of(lambda it: it), ["548.39", "1000.00", *["2000.00"] * 4]),
        (PART_OF_JANUARY, raise_rent("0.5"), ["822.59", "1500.00", *["3000.00"] * 4]),
        (
            a_lease(a_rent(amount=1000, amounts={"2026-02-01": 1200, "2026-05-01": 1500})),
            raise_rent(0.1, on="2026-03-01"),
            ["1000.00", "1200.00", "1320.00", "1320.00", "1650.00", "1650.00"],
        ),
        # On the first day as from the beginning.
        (RENT, raise_rent(0.1, on="2026-01-01"), ["1100.00"] * 6),
        # 8,500.55 × 1.03 = 8,755.5665.
        (a_lease(a_rent(amount="8500.55")), raise_rent(0.03), ["8755.57"] * 6),
        # On the day of an amount, of that amount: 1,200 × 1.1.
        (
            *(AFTER_MARCH, raise_rent(0.1, on="2026-03-01")),
            ["1000.00", "1000.00", *["1320.00"] * 4],
        ),
        # By an amount, up or down.
        (RENT, raise_rent(dkk(200), on="2026-06-01"), ["1000.00"] * 5 + ["1200.00"]),
        (RENT, raise_rent(dkk(-50)), ["950.00"] * 6),
        # Only the rent, unless others are named.
        *(
            (HEATED, scenario, [total] * 5)
            for scenario, total in (
                (raise_rent(0.1), "120.00"),
                *((raise_rent(1, of=of), "120.00") for of in ("heat", "key:heating", ["heat"])),
                (raise_rent(1, of=None), "220.00"),
                (raise_rent(0.1, of="key:none"), "110.00"),
            )
        ),
        # A plan of the rent leaves the heating alone: 100 rises to 110.
        (
            *(HEATING_ALONE, raise_rent(0.1, on="2026-04-01", of="key:heating")),
            ["1100.00"] * 2 + ["1110.00"] * 3,
        ),
        # Another rent replaces what comes later, but not the first period.
        (UNTIL_MAY, set_rent(dkk(900)), ["548.39", *["900.00"] * 5]),
        (UNTIL_MAY, set_rent(dkk(900), on="2026-03-01"), ["548.39", "1000.00", *["900.00"] * 4]),
        # A discount takes the place of another; by amount it is off each unit.
        (
            *(DISCOUNTED, give_discount(0.1, until="2026-04-30")),
            ["900.00"] * 3 + ["1000.00"] * 2,
        ),
        (TWO, give_discount(dkk(50)), ["1900.00"] * 5),
        # 100 plus 25 % from April; later VATs are replaced.
        (TAXED, use_vat(QUARTER, on="2026-04-01"), ["100.00"] * 3 + ["125.00"] * 3),
        (TAXED, use_vat(QUARTER), ["125.00"] * 5),
    ],
)
def test_bills_with_another_price(
    lease: rb.LeaseTerms, scenario: Scenario, expected: list[str]
) -> None:
    assert expected == totals(lease, scenario, FIRST_HALF)[-len(expected) :]


def test_a_raise_is_rounded_by_the_policy() -> None:
    """0.50 × 1.01 = 0.505, to the even unit."""
    half_even = rb.BillingPolicy(rounding="half_even")
    inputs = BillingInputs.of(a_lease(a_rent(amount="0.50")), policy=half_even)
    changed = raise_rent(0.01)(inputs).terms.recurring_bill_items[0]

    assert rb.Amount(Decimal("0.50"), "DKK") == changed.amount


def test_a_raise_counts_from_what_is_in_force_after_adjustments() -> None:
    """10,000 × 1.02 = 10,200 from January by the index, × 1.10 = 11,220 from March.

    The adjustment of the next January goes on from there: 11,220 × 1.02 = 11,444.40.
    """
    index = an_index({"2025-10": 100, "2026-10": 102, "2027-10": "104.04"})

    changed = raise_rent(0.1, on="2027-03-01")(BillingInputs.of(INDEXED, index)).terms

    bills = rb.pending_bills(changed, "2026-12-01/2028-01-31", indices=index)
    assert ["10000.00", "10200.00", "10200.00", "11220.00"] == [
        str(bill.total.amount) for bill in bills[:4]
    ]
    assert "11444.40" == str(bills[-1].total.amount)


def test_an_adjusted_price_is_of_one_unit() -> None:
    """Two garages at 500 are 1,000; 2 % by the index make 1,020, ten percent more 561 each."""
    lease = a_lease(a_rent(amount=500, quantity=2), plans=[a_plan()])
    index = an_index({"2025-10": 100, "2026-10": 102})

    changed = raise_rent(0.1, on="2027-03-01")(BillingInputs.of(lease, index)).terms

    (record,) = changed.recurring_bill_items[0].amount_records
    assert rb.Amount(Decimal("561.00"), "DKK") == record.value


@rows("ended", [{"ended_on": "2026-03-31"}, {"cancelled_on": "2026-03-31"}])
def test_what_has_ended_is_not_raised(ended: dict[str, str]) -> None:
    inputs = BillingInputs.of(a_lease(a_rent(**ended)))

    assert inputs is raise_rent(0.1, on="2026-04-01")(inputs)
    assert inputs is set_rent(dkk(1), on="2026-04-01")(inputs)
    assert inputs is not raise_rent(0.1, on="2026-03-31")(inputs)


def test_amounts_of_another_currency_change_nothing() -> None:
    inputs = BillingInputs.of(a_lease(a_rent(currency="EUR")))

    for scenario in (raise_rent(dkk(200)), set_rent(dkk(1)), give_discount(dkk(1))):
        assert inputs is scenario(inputs)


def test_scenarios_of_the_price_have_names() -> None:
    assert [
        "key:rent -50 DKK",
        "key:rent 900 DKK from 2026-03-01",
        "key:rent 10 % off until 2026-04-30",
        "key:rent 50 DKK off",
        "all items VAT Exclusive 25 % from 2026-04-01",
        "all items VAT Exempt",
    ] == [
        raise_rent(dkk(-50)).name,
        set_rent(dkk(900), on="2026-03-01").name,
        give_discount(0.1, until="2026-04-30").name,
        give_discount(dkk(50)).name,
        use_vat(QUARTER, on="2026-04-01").name,
        use_vat(rb.Vat("Exempt")).name,
    ]


REFUSED: list[tuple[type[Exception], Call]] = [
    (errors.InvalidAmountError, lambda: raise_rent("much")),
    (errors.InvalidPeriodError, lambda: raise_rent(0.1, on="tomorrow")),
    (errors.InvalidAmountError, lambda: give_discount(2)),
    (errors.InvalidRecordError, lambda: set_rent(100)),  # type: ignore[arg-type]
    (errors.InvalidAmountError, lambda: set_rent("9000")),
    (errors.InvalidVatError, lambda: use_vat("25%")),
    (errors.InvalidRecordError, lambda: use_vat(0.25)),  # type: ignore[arg-type]
    (
        rb.MissingIndexError,
        lambda: raise_rent(0.1, on="2027-03-01")(
            BillingInputs.of(INDEXED, an_index({"2025-10": 100}))
        ),
    ),
]


@rows(("error", "call"), REFUSED)
def test_what_no_price_can_be_made_of_is_refused(error: type[Exception], call: Call) -> None:
    with pytest.raises(error):
        call()
