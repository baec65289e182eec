"""Rent adjustments as CSV: one row for what each rule did, as RFC 4180 has it.

The columns, in this order:

    adjusted_on             day from which the new amount holds, YYYY-MM-DD
    adjustee_id             the item or balance adjusted
    plan_id                 the plan
    rule_id                 the rule; empty where an adjustment was listed without its rules
    currency                of all amounts in the row
    from_period_amount      amount of a billing period before, of the whole line, before discount
    to_period_amount        the same after
    period_amount_change    after less before
    from_yearly_amount      amount of a year before
    to_yearly_amount        the same after
    yearly_amount_change    after less before
    from_balance_amount     balance before, where one is adjusted
    to_balance_amount       the same after
    balance_amount_change   after less before
    calculated_percentage   the raw change, a fraction: 0.04 is 4 percent; empty without one
    applied_percentage      the percentage applied, a fraction
    minimum_percentage      the rule's minimum
    maximum_percentage      the rule's maximum
    from_index              index value compared with
    to_index                index value used
    from_point              its month, quarter or year: 2021-06, 2021-Q2 or 2021
    to_point                that of the value used
    reasons                 what changed percentage or amount on the way, words with blanks between

Law: the rows of an adjustment are a chain: the amount after one is that before the next.
What does not live here: how cells are made safe (`rows`), how the text gets out (`streams`).
"""

import csv
import io
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from rentbilling.adapters.cli.rows import safe
from rentbilling.plans import AdjustmentEffect, RentAdjustment

if TYPE_CHECKING:
    from rentbilling.money import Amount

_AMOUNTS: Final = (
    *("from_period_amount", "to_period_amount", "period_amount_change"),
    *("from_yearly_amount", "to_yearly_amount", "yearly_amount_change"),
    *("from_balance_amount", "to_balance_amount", "balance_amount_change"),
)
_FIGURES: Final = (
    *("calculated_percentage", "applied_percentage", "minimum_percentage", "maximum_percentage"),
    *("from_index", "to_index"),
)
ADJUSTMENT_COLUMNS: Final = (
    *("adjusted_on", "adjustee_id", "plan_id", "rule_id", "currency"),
    *_AMOUNTS,
    *_FIGURES,
    *("from_point", "to_point", "reasons"),
)


def adjustments_csv(adjustments: Iterable[RentAdjustment]) -> str:
    r"""Return adjustments as CSV, with a row of names first.

    Args:
        adjustments: In the order of the rows.

    Returns:
        The text; rows end with CR LF.

    Examples:
        >>> adjustments_csv(())[:24]
        'adjusted_on,adjustee_id,'
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(ADJUSTMENT_COLUMNS)
    for adjustment in adjustments:
        # One that was listed without its rules has a row of its own amounts.
        outcomes = adjustment.adjustment_rules_effects or (adjustment,)
        writer.writerows([*_cells(adjustment, outcome)] for outcome in outcomes)
    return text.getvalue()


def _cells(adjustment: RentAdjustment, outcome: RentAdjustment | AdjustmentEffect) -> Iterator[str]:
    """Give the cells of a row, in the order of the columns."""
    effect = outcome if isinstance(outcome, AdjustmentEffect) else AdjustmentEffect()
    amounts: list[Amount | None] = [getattr(outcome, name) for name in _AMOUNTS]
    yield adjustment.adjusted_on.isoformat()
    yield safe(adjustment.adjustee_id)
    yield safe(adjustment.plan_id)
    yield safe(effect.rent_adjustment_rule_id)
    yield next((each.currency for each in amounts if each is not None), "")
    for amount in amounts:
        yield _written(None if amount is None else amount.amount)
    for name in _FIGURES:
        yield _written(getattr(effect, name))
    for point in (
        effect.from_point or effect.from_year_month,
        effect.to_point or effect.to_year_month,
    ):
        yield "" if point is None else str(point)
    yield safe(" ".join(effect.reasons))


def _written(number: Decimal | None) -> str:
    """Return a number with all its digits, or an empty cell."""
    return "" if number is None else f"{number:f}"
