"""What `print` and a notebook show of rent adjustments: what changed, by how much, and why."""

from datetime import date
from decimal import Decimal

from rentbilling import AdjustmentEffect, Amount, Notice, RentAdjustment
from rentbilling.adjustments import AdjustmentResult
from rentbilling.terms import adjustment_table

OLD, NEW, BY = (Amount(each, "DKK") for each in (8500, 8670, 170))
EFFECT = AdjustmentEffect(
    rent_adjustment_rule_id="rule-1",
    from_period_amount=OLD,
    to_period_amount=NEW,
    period_amount_change=BY,
    applied_percentage=Decimal("0.02"),
)
RISE = RentAdjustment(
    adjusted_on=date(2027, 1, 1),
    plan_id="plan-1",
    adjustee_id="rent",
    from_period_amount=OLD,
    to_period_amount=NEW,
    period_amount_change=BY,
    adjustment_rules_effects=(EFFECT,),
)
TEXT = """\
Day         Item  From DKK  To DKK  Change  Applied
───────────────────────────────────────────────────
1 Jan 2027  rent     8,500   8,670     170      2 %
  plan plan-1, rule rule-1"""
NOTICE = Notice("gap", "has a gap", "rent")


def test_an_adjustment_prints_as_a_table() -> None:
    assert TEXT == str(RISE) == str(AdjustmentResult([RISE]))
    assert f"{TEXT}\n\nNotice: rent: has a gap [gap]" == str(AdjustmentResult([RISE], [NOTICE]))
    assert "No adjustments" == str(AdjustmentResult([]))
    assert f"{TEXT}\n" == adjustment_table([RISE], full=True)


def test_a_notebook_shows_adjustments_as_a_table() -> None:
    page = AdjustmentResult([RISE], [NOTICE])._repr_html_()

    for text in ("Applied", "8,670", "plan plan-1, rule rule-1", "rent: has a gap"):
        assert text in page
        assert (text in RISE._repr_html_()) == ("gap" not in text)


def test_the_full_table_says_what_was_compared_and_the_year() -> None:
    effect = EFFECT.evolve(to_point="2026-10", calculated_percentage=Decimal("0.05"))
    limited = effect.evolve(unlimited_amount=Amount(8925, "DKK"))
    of_the_year = limited.evolve(
        from_yearly_amount=Amount(102_000, "DKK"),
        to_yearly_amount=Amount(104_040, "DKK"),
        yearly_amount_change=Amount(2_040, "DKK"),
    )
    rise = RISE.evolve(adjustment_rules_effects=(of_the_year,))
    text = adjustment_table([rise], full=True)

    for words in (
        "in a year 102,000 to 104,040, change 2,040",
        "index of 2026-10: 5 %",
        "the next one goes on from 8,925",
    ):
        assert words in text
