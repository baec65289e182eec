"""Plans, adjustments, effects and balances: what is refused, what is equal, what they tell."""

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidRecordError
from rentbilling.terms import EXTENSIONS, plan_ids
from tests.support.bad_items import refusal
from tests.support.bad_plans import (
    DKK,
    INDEX,
    WRONG_ADJUSTMENTS,
    WRONG_PLANS,
    WrongRecord,
    assert_refused,
)
from tests.support.plans import by_index, deposit, plan
from tests.support.rents import amount, day
from tests.support.rows import rows


@rows("wrong", WRONG_PLANS)
def test_a_plan_that_cannot_be_followed_is_refused(wrong: WrongRecord) -> None:
    """One that adjusts nothing, has twins, or dates that nobody can read (A37, A57, A58)."""
    assert_refused(wrong)


@rows("wrong", WRONG_ADJUSTMENTS)
def test_adjustments_effects_and_balances_are_judged_alone(wrong: WrongRecord) -> None:
    """Each field says what it says, or is refused (A2, A31, A39)."""
    assert_refused(wrong)


def test_all_that_is_wrong_with_a_plan_is_told_at_once() -> None:
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.RentAdjustmentPlan.model_validate(
            {
                "created": "2026-01-31",
                "adjustsRecurringBillItem": False,
                "rentAdjustmentRules": [INDEX, {**INDEX, "adjustmentMonth": 13}],
                "adjustments": [{"adjustedOn": "2027-01-01"}, {"adjustedOn": "2027-01-01"}],
            }
        )

    assert [
        ("created", "not_a_date_time"),
        ("rentAdjustmentRules[1].adjustmentMonth", "out_of_range"),
        ("adjustsRecurringBillItem", "says_nothing"),
        ("adjustments[1].adjustedOn", "equal_days"),
    ] == [each[:2] for each in refusal(caught.value)]


@rows(
    ("item", "balance", "adjusts"),
    [
        (None, None, (True, False)),
        (None, False, (True, False)),
        (None, True, (False, True)),
        (True, None, (True, False)),
        (True, True, (True, True)),
        (False, True, (False, True)),
    ],
)
def test_a_plan_adjusts_an_item_unless_it_says_otherwise(
    item: bool | None, balance: bool | None, adjusts: tuple[bool, bool]
) -> None:
    """A balance where it says so, then no item unless it says that too (A39)."""
    found = plan(by_index(), adjusts_recurring_bill_item=item, adjusts_balance=balance)

    assert adjusts == (found.adjusts_items, found.adjusts_balances)


def test_rules_and_plans_without_an_id_are_known_by_their_place() -> None:
    """Counted from 1, always the same (A57)."""
    own = plan(by_index(), by_index(id="own"), by_index())

    assert ("rule-1", "own", "rule-3") == own.rule_ids
    assert ("plan-1", "p", "plan-3") == plan_ids((own, own.evolve(id="p"), own))


MOMENTS = {
    "2026-01-31T12:00:00Z": datetime(2026, 1, 31, 12, tzinfo=UTC),
    "2026-01-31T12:00Z": datetime(2026, 1, 31, 12, tzinfo=UTC),
    "2026-01-31T12:00:00.25+01:00": datetime(
        2026, 1, 31, 12, 0, 0, 250_000, tzinfo=timezone(timedelta(hours=1))
    ),
    "2026-01-31T12:00:00-0330": datetime(
        2026, 1, 31, 12, tzinfo=timezone(-timedelta(hours=3, minutes=30))
    ),
    "2026-01-31T12:00:00+01": datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(hours=1))),
}


@rows("text", MOMENTS)
def test_a_date_time_has_an_offset(text: str) -> None:
    """It is kept as it was written (A58)."""
    read = rb.loads(f'{{"created": "{text}"}}', rb.RentAdjustmentPlan)

    assert MOMENTS[text] == read.created
    assert read.created is not None
    assert MOMENTS[text].utcoffset() == read.created.utcoffset()
    assert read == rb.loads(rb.dumps(read), rb.RentAdjustmentPlan)


def test_a_date_time_of_a_zone_keeps_its_offset() -> None:
    """Also in the hour that a clock shows twice: the first 2:30 of 25 October 2026 is +02:00 (A58).

    Python holds a time in such an hour unequal to any of another zone, so the zone is left behind.
    """
    twice = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Copenhagen"))
    made = plan(by_index(), created=twice)

    assert '"created": "2026-10-25T02:30:00+02:00"' in rb.dumps(made)
    assert made == rb.loads(rb.dumps(made), rb.RentAdjustmentPlan)


@rows(
    "given",
    [datetime(2026, 1, 31, 12), date(2026, 1, 31), "2026-02-30T12:00:00Z", "2026-01-31T12:00+99"],  # noqa: DTZ001
)
def test_a_day_or_a_time_somewhere_is_no_date_time(given: Any) -> None:  # noqa: ANN401
    """Nobody knows when it is (A58)."""
    with pytest.raises(rb.InvalidInputError) as caught:
        plan(by_index(), created=given)

    assert [("created", "not_a_date_time", repr(given), "such as 2026-01-31T12:00:00Z")] == refusal(
        caught.value
    )


def test_the_year_of_an_adjustment_is_that_of_its_day_unless_told() -> None:
    """It is a text, and follows the day (A31)."""
    made = rb.RentAdjustment(adjusted_on=day("2027-01-01"))

    assert "2027" == made.year
    assert "2028" == made.evolve(adjusted_on=day("2028-01-01")).year
    assert "2026" == made.evolve(year=2026).year
    assert "0999" == rb.RentAdjustment(adjusted_on=day("0999-01-01")).year


OTHERS: dict[str, Any] = {
    "applied_percentage": Decimal("0.01"),
    "unlimited_amount": amount("8700"),
    "from_point": rb.IndexPoint.parse("2019-Q2"),
    "to_point": rb.IndexPoint.parse("2020-Q2"),
    "reasons": ("maximum", "share"),
    "plan_id": "p",
    "adjustee_id": "rent",
}


def full_effect() -> rb.AdjustmentEffect:
    ours = {
        name: value for name, value in OTHERS.items() if name in rb.AdjustmentEffect.model_fields
    }
    return rb.AdjustmentEffect(
        rent_adjustment_rule_id="r",
        calculated_percentage=Decimal("0.019802"),
        from_index=Decimal("101.0"),
        to_index=Decimal(103),
        from_year_month=rb.YearMonth(2019, 6),
        to_year_month=rb.YearMonth(2020, 6),
        from_yearly_amount=amount("102000.00"),
        to_yearly_amount=amount("103020.00"),
        yearly_amount_change=amount("1020.00"),
        from_period_amount=amount("8500.00"),
        to_period_amount=amount("8585.00"),
        period_amount_change=amount("85.00"),
        minimum_percentage=Decimal(0),
        maximum_percentage=Decimal("0.01"),
        **ours,
    )


def full_adjustment() -> rb.RentAdjustment:
    return rb.RentAdjustment(
        id="a",
        adjusted_on=day("2021-01-01"),
        from_balance_amount=amount("25500.00"),
        to_balance_amount=amount("25755.00"),
        balance_amount_change=amount("255.00"),
        adjustment_rules_effects=(full_effect(),),
        plan_id="p",
        adjustee_id="rent",
    )


def test_what_is_ours_is_no_part_of_equality() -> None:
    """An adjustment is the same whether a service listed it or it was computed here (A56)."""
    made = full_adjustment()
    (effect,) = made.adjustment_rules_effects
    bare_effect = rb.AdjustmentEffect(
        **{
            name: getattr(effect, name)
            for name in effect.model_fields_set
            if name not in EXTENSIONS
        }
    )
    bare = made.evolve(plan_id=None, adjustee_id=None, adjustment_rules_effects=(bare_effect,))

    assert set(EXTENSIONS) == OTHERS.keys()
    assert (made, effect) == (bare, bare_effect)
    assert (hash(made), hash(effect)) == (hash(bare), hash(bare_effect))
    assert (None, ()) == (bare_effect.from_point, bare_effect.reasons)


def test_what_the_interface_has_is_all_of_it_part_of_equality() -> None:
    made = full_adjustment()

    assert made != made.evolve(to_balance_amount=amount("25755.01"))
    assert made != made.evolve(id=None)
    assert full_effect() != full_effect().evolve(calculated_percentage=Decimal("0.019803"))
    assert full_effect() != made
    assert made != "2021"


def test_an_adjustment_is_written_as_the_interface_has_it() -> None:
    """In full with what is ours, which is read again as well (A56)."""
    made = full_adjustment()
    plain, full = rb.dumps(made), rb.dumps(made, full=True)
    again = rb.loads(full, rb.RentAdjustment)
    (effect,) = again.adjustment_rules_effects
    written = {name: getattr(effect, name) for name in EXTENSIONS if hasattr(effect, name)}

    assert (
        '{"id": "a", "adjustedOn": "2021-01-01", "year": "2021", '
        '"fromBalanceAmount": {"currency": "DKK", "amount": 25500.00}, '
        '"toBalanceAmount": {"currency": "DKK", "amount": 25755.00}, '
        '"balanceAmountChange": {"currency": "DKK", "amount": 255.00}, '
        '"adjustmentRulesEffects": [{"rentAdjustmentRuleId": "r", '
        '"calculatedPercentage": 0.019802, "fromIndex": 101.0, "toIndex": 103, '
        '"fromYearMonth": "2019-06", "toYearMonth": "2020-06", '
        '"fromYearlyAmount": {"currency": "DKK", "amount": 102000.00}, '
        '"toYearlyAmount": {"currency": "DKK", "amount": 103020.00}, '
        '"yearlyAmountChange": {"currency": "DKK", "amount": 1020.00}, '
        '"fromPeriodAmount": {"currency": "DKK", "amount": 8500.00}, '
        '"toPeriodAmount": {"currency": "DKK", "amount": 8585.00}, '
        '"periodAmountChange": {"currency": "DKK", "amount": 85.00}, '
        '"minimumPercentage": 0, "maximumPercentage": 0.01}]}'
    ) == plain
    assert (
        '"maximumPercentage": 0.01, "appliedPercentage": 0.01, '
        '"unlimitedAmount": {"currency": "DKK", "amount": 8700.00}, '
        '"fromPoint": "2019-Q2", "toPoint": "2020-Q2", "reasons": ["maximum", "share"]}], '
        '"planId": "p", "adjusteeId": "rent"}'
    ) in full
    assert made == rb.loads(plain, rb.RentAdjustment) == again
    assert OTHERS == {**written, "plan_id": again.plan_id, "adjustee_id": again.adjustee_id}
    assert (plain, full) == (rb.dumps(again), rb.dumps(again, full=True))


def test_a_plan_is_written_as_the_interface_has_it() -> None:
    """With every field, in its order; null is absent (A6), and empty lists are there (A72)."""
    made = rb.RentAdjustmentPlan(
        id="p",
        lease_id="lease-1",
        created=datetime(2026, 1, 31, 12, tzinfo=UTC),
        modified=datetime(2026, 2, 1, 0, 0, 0, 500_000, tzinfo=UTC),
        adjustee_ref="rent",
        balance_charge_type="deposit",
        next_adjustment_date=day("2028-01-01"),
        cancelled_on=day("2030-06-30"),
        ended_on=day("2031-06-30"),
        cancelled_or_ended_on=day("2030-06-30"),
        adjusts_recurring_bill_item=True,
        adjusts_balance=False,
        vat=rb.Vat("Exempt"),
        rent_adjustment_rules=(by_index(most="0.04"),),
        adjustments=(
            rb.RentAdjustment(adjusted_on=day("2027-01-01"), to_period_amount=amount("1")),
        ),
    )

    assert (
        '{"id": "p", "leaseId": "lease-1", "created": "2026-01-31T12:00:00+00:00", '
        '"modified": "2026-02-01T00:00:00.500000+00:00", "adjusteeRef": "rent", '
        '"balanceChargeType": "deposit", "nextAdjustmentDate": "2028-01-01", '
        '"cancelledOn": "2030-06-30", "endedOn": "2031-06-30", '
        '"cancelledOrEndedOn": "2030-06-30", "adjustsRecurringBillItem": true, '
        '"adjustsBalance": false, "vat": {"taxMode": "Exempt"}, "rentAdjustmentRules": '
        '[{"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10, '
        '"maximumPercentage": 0.04, "increments": []}], '
        '"adjustments": [{"adjustedOn": "2027-01-01", '
        '"year": "2027", "toPeriodAmount": {"currency": "DKK", "amount": 1.00}, '
        '"adjustmentRulesEffects": []}]}'
    ) == rb.dumps(made)
    assert made == rb.loads(rb.dumps(made), rb.RentAdjustmentPlan)
    assert '{"rentAdjustmentRules": [], "adjustments": []}' == rb.dumps(rb.RentAdjustmentPlan())


def test_a_balance_says_its_type_on_the_wire() -> None:
    """In Python it is a deposit unless told otherwise (A39)."""
    with pytest.raises(InvalidRecordError) as caught:
        rb.Balance.model_validate({"amount": DKK})

    assert [("balanceChargeType", "missing", "nothing", "a text")] == refusal(caught.value)
    assert (
        '{"balanceChargeType": "deposit", "amount": {"currency": "DKK", "amount": 30000.00}, '
        '"months": 3}'
    ) == rb.dumps(deposit(months="3"))
    assert deposit(months="2.5", product_key="key:deposit", id="b") == rb.loads(
        rb.dumps(deposit(months="2.5", product_key="key:deposit", id="b")), rb.Balance
    )


def test_an_adjustment_shows_what_a_reader_looks_for_first() -> None:
    found = rb.RentAdjustment(
        adjusted_on=date(2027, 1, 1),
        from_period_amount=rb.Amount(8500, "DKK"),
        to_period_amount=rb.Amount(8670, "DKK"),
        adjustment_rules_effects=(rb.AdjustmentEffect(),),
    )
    assert "<RentAdjustment 2027-01-01 8500 DKK to 8670 DKK, 1 effect>" == repr(found)
    assert "1 Jan 2027" in f"{found}"
    balance = rb.RentAdjustment(
        adjusted_on=date(2027, 1, 1), to_balance_amount=rb.Amount(26_010, "DKK")
    )
    assert "<RentAdjustment 2027-01-01 None to 26010 DKK, 0 effects>" == repr(balance)
