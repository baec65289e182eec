"""From which day a scenario acts: the first day of the asked period, another one, or the start.

A rent of 10,000 follows an index that rises by 6 % a year: 10,600 in 2027, 11,236 in 2028.
"""

import pickle
from decimal import Decimal

import pytest

import rentbilling as rb
from rentbilling import whatif
from rentbilling.errors import InvalidPeriodError
from rentbilling.terms import Balance
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.support.rows import rows

INDEX = an_index({"2025-10": 100, "2026-10": 106, "2027-10": "112.36"})
LEASE = a_lease(a_rent(amount=10_000), plans=[a_plan()])
JANUARY = "2028-01"
ON_TOP = rb.Vat("Exclusive", Decimal("0.25"))


def total(scenario: whatif.Scenario, period: str = JANUARY) -> str:
    """Return the total of the bills of a period under a scenario."""
    answer = rb.what_if(LEASE, scenario, period=period, indices=INDEX)
    bills = answer.variants[0].results[0]
    return str(sum(bill.total.amount for bill in bills))


@rows(
    ("scenario", "expected"),
    [
        (whatif.as_it_is().named("same"), "11236.00"),
        # 10,600 × 1.04; from the start 10,000 × 1.04 × 1.04; a day later nothing.
        (whatif.cap(0.04), "11024.00"),
        (whatif.cap(0.04, on="2028-01-01"), "11024.00"),
        (whatif.cap(0.04, on="start"), "10816.00"),
        (whatif.cap(0.04, on="2028-01-02"), "11236.00"),
        # 10,600 × 1.08, and 10,000 × 1.08 × 1.08.
        (whatif.floor(0.08), "11448.00"),
        (whatif.floor(0.08, on="start"), "11664.00"),
        # The price of 2027, and that of 2026.
        (whatif.without_adjustments(), "10600.00"),
        (whatif.without_adjustments(on="start"), "10000.00"),
        # 11,236 + 100, and (10,000 + 100) × 1.06 × 1.06.
        (whatif.raise_rent(rb.Amount(100, "DKK")), "11336.00"),
        (whatif.raise_rent(rb.Amount(100, "DKK"), on="start"), "11348.36"),
        # 9,000, and 9,000 × 1.06 × 1.06.
        (whatif.set_rent(rb.Amount(9000, "DKK")), "9000.00"),
        (whatif.set_rent(rb.Amount(9000, "DKK"), on="start"), "10112.40"),
        # 11,236 × 0.9, × 1.25, × 3; quarters from the start begin in February.
        (whatif.give_discount("10%"), "10112.40"),
        (whatif.give_discount("10%", on="start"), "10112.40"),
        (whatif.use_vat(ON_TOP), "14045.00"),
        (whatif.switch_to_quarterly(), "33708.00"),
        (whatif.switch_to_quarterly(on="start"), "0"),
        # The raise counts from the capped 11,024.
        (whatif.raise_rent(rb.Amount(100, "DKK")) | whatif.cap(0.04), "11124.00"),
    ],
)
def test_a_scenario_acts_from_its_day(scenario: whatif.Scenario, expected: str) -> None:
    assert expected == total(scenario)


def test_what_was_billed_before_the_asked_period_stays() -> None:
    """A quarterly cycle from 2028 has the months of 2027 behind it."""
    answer = rb.what_if(LEASE, whatif.switch_to_quarterly(), period=JANUARY, indices=INDEX)

    items = answer.variants[0].inputs[0].terms.recurring_bill_items
    assert [1, 3] == [each.billing_cycle.period_length for each in items]


@rows(
    ("scenario", "name", "remarks"),
    [
        (whatif.cap(0.04), "cap 4 %", ["cap 4 %: from 2028-01-01, the first day of the period"]),
        (whatif.cap(0.04, on="start"), "cap 4 % since the beginning", []),
        (whatif.cap(0.04, on="2028-01-01"), "cap 4 % from 2028-01-01", []),
        (
            whatif.raise_rent(0.03, on="start"),
            "key:rent +3 % since the beginning",
            [],
        ),
        (
            whatif.give_discount("10%", until="2028-06-30"),
            "key:rent 10 % off until 2028-06-30",
            [
                "key:rent 10 % off until 2028-06-30: from 2028-01-01, the first day of the period",
            ],
        ),
        (whatif.switch_to_quarterly(on="start"), "all items quarterly since the beginning", []),
        (
            (whatif.raise_rent(0.03) | whatif.cap(0.04, on="2028-01-01")).named("both"),
            "both",
            ["both: from 2028-01-01, the first day of the period"],
        ),
    ],
)
def test_the_answer_says_from_which_day(
    scenario: whatif.Scenario, name: str, remarks: list[str]
) -> None:
    answer = rb.what_if(LEASE, scenario, period=JANUARY, indices=INDEX)

    assert [name] == [run.name for run in answer.variants]
    assert remarks == list(answer.effects)
    assert bool(remarks) is answer.variants[0].from_period
    assert "\n".join([str(answer.differences()), *remarks]) == str(answer)


def test_a_lease_that_begins_in_the_period_has_no_past() -> None:
    """The opening period, too, has the raised rent: 1,030 × 17 / 31 = 564.84, then 1,030."""
    lease = a_lease(a_rent(amount=1000, moved_in="2026-01-15"))
    answer = rb.what_if(lease, whatif.raise_rent(0.03), period="2026-01-01/2026-02-28")

    bills = answer.variants[0].results[0]
    assert ["564.84 DKK", "1030.00 DKK"] == [str(bill.total) for bill in bills]


def test_a_deposit_may_be_older_than_the_items() -> None:
    lease = a_lease(a_rent(), balances=[Balance(amount=rb.Amount(1, "DKK"))])
    inputs = whatif.BillingInputs.of(lease).evolve(asked_from=a_rent().started_on)

    assert a_rent().started_on.toordinal() == inputs.first_day(None)
    assert inputs == pickle.loads(pickle.dumps(inputs))


def test_inputs_without_a_period_are_changed_from_the_beginning() -> None:
    assert whatif.cap(0.04)(whatif.BillingInputs.of(LEASE)) == whatif.cap(0.04, on="start")(
        whatif.BillingInputs.of(LEASE)
    )


ARREARS = a_rent(amount=10_000, moved_in="2025-12-01").evolve(
    due_date_rule=rb.DueDateRule(day_of_period=1, relative_to="end")
)
OPENING = a_rent(amount=10_000, moved_in="2025-12-15").evolve(
    first_billing_period_bill_item=a_rent(
        moved_in="2025-12-15"
    ).first_billing_period_bill_item.evolve(due_date="2026-01-02")
)
BY_START = rb.BillingPolicy(select="accounting_period")
DISCOUNTS_OPENINGS = rb.BillingPolicy(discount_opening=True)


@rows(
    ("item", "policy", "on", "totals"),
    [
        # The bill due on 1 February pays for January, that of 1 March for February.
        (ARREARS, None, None, ["10000.00", "9000.00"]),
        (a_rent(moved_in="2025-12-01"), None, "2026-03-01", ["8500.00", "8500.00", "7650.00"]),
        # The opening period began before.
        (OPENING, DISCOUNTS_OPENINGS, None, ["9000.00", "4661.29", "9000.00", "9000.00"]),
        (a_rent(moved_in="2025-12-01"), BY_START, "2026-03-01", ["8500.00", "8500.00", "7650.00"]),
        # 31 March: 30 of 31 days at 9,300, and one at 8,370.
        (
            a_rent(amount=9300, moved_in="2025-12-01"),
            None,
            "2026-03-31",
            ["9300.00", "9300.00", "9270.00"],
        ),
    ],
)
def test_a_discount_begins_on_its_day(
    item: object, policy: rb.BillingPolicy | None, on: str | None, totals: list[str]
) -> None:
    """Days before it stay as they are, also in a bill of the asked period (A61)."""
    period = "2026-02-01/2026-03-01" if item is ARREARS else "2026-01-01/2026-03-01"
    answer = rb.what_if(item, whatif.give_discount("10%", on=on), period=period, policy=policy)  # type: ignore[arg-type]

    assert totals == [str(bill.total.amount) for bill in answer.variants[0].results[0]]


def test_a_discount_from_a_day_ends_all_others() -> None:
    """Half until January, then a tenth of February and March, then nothing (A61)."""
    half, third = rb.Discount(percentage=Decimal("0.5")), rb.Discount(amount=rb.Amount(300, "DKK"))
    item = a_rent(
        amount=10_000,
        moved_in="2025-12-01",
        discounts=[half, third.evolve(start_date="2026-03-01")],
    )
    scenario = whatif.give_discount("10%", on="2026-02-01", until="2026-03-31")
    answer = rb.what_if(item, scenario, period="2026-01-01/2026-04-30")

    assert ["5000.00", "9000.00", "9000.00", "10000.00"] == [
        str(bill.total.amount) for bill in answer.variants[0].results[0]
    ]


def test_a_discount_that_ends_before_its_day_is_none() -> None:
    """It takes the place of others all the same; before a stated day it is refused (A158)."""
    with pytest.raises(InvalidPeriodError, match="until: is before the first day with it"):
        whatif.give_discount("10%", on="2026-01-01", until="2025-12-31")
    item = a_rent(moved_in="2025-12-01", discount=rb.Discount(percentage=Decimal("0.5")))
    answer = rb.what_if(item, whatif.give_discount("10%", until="2025-12-31"), period="2026-01")

    assert ["8500.00"] == [str(bill.total.amount) for bill in answer.variants[0].results[0]]


@rows(
    ("item", "policy", "expected"),
    [
        (ARREARS, BY_START, ["9000.00"]),
        # The opening keeps its stated amount: 8,500 × 17 / 31.
        (OPENING, None, ["9000.00", "4661.29"]),
        (a_rent(amount=10_000, moved_in="2025-12-01"), None, ["9000.00"]),
        (
            a_rent(
                amount=10_000,
                moved_in="2025-12-01",
                discount=rb.Discount(percentage=Decimal("0.5")),
            ),
            None,
            ["9000.00"],
        ),
    ],
)
def test_a_discount_of_all_days_of_the_bills_is_given(
    item: object, policy: rb.BillingPolicy | None, expected: list[str]
) -> None:
    answer = rb.what_if(item, whatif.give_discount("10%"), period="2026-01", policy=policy)  # type: ignore[arg-type]

    assert expected == [str(bill.total.amount) for bill in answer.variants[0].results[0]]


def test_an_item_that_has_ended_has_no_bill_to_discount() -> None:
    ended = ARREARS.evolve(ended_on="2026-01-10")
    answer = rb.what_if(ended, whatif.give_discount("10%"), period="2026-03")

    assert 0 == len(answer.variants[0].results[0])


@rows("on", ["Start", "2026-13-01"])
def test_a_day_that_is_none_is_refused(on: str) -> None:
    with pytest.raises(InvalidPeriodError, match="on: "):
        whatif.cap(0.04, on=on)


def test_a_start_after_the_end_of_an_item_has_a_notice() -> None:
    """The garage ended in 2026 and is never billed; the rent begins in 2027 (A158)."""
    garage = a_rent(moved_in="2026-01-01", ended_on="2026-05-31", id="garage")
    lease = a_lease(a_rent(moved_in="2026-01-01", id="rent"), garage)
    answer = rb.what_if(lease, whatif.start_on("2027-01-15"), period="2027")
    (notice,) = answer.variants[0].results[0].notices

    assert ("ends_before_it_begins", "garage") == (notice.code, notice.item_id)
