"""Rent adjustments as CSV.

The CSV is a row for what each rule did, as RFC 4180 has it. Its columns, in this order:

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

Law: the amount after one row of an adjustment is the one before the next.
"""

from collections.abc import Iterable

from rentbilling.adjustments import ADJUSTMENT_COLUMNS, adjustment_rows
from rentbilling.codec import csv_text
from rentbilling.terms import RentAdjustment


def adjustments_csv(adjustments: Iterable[RentAdjustment]) -> str:
    r"""Return adjustments as CSV, with a row of names first.

    Examples:
        >>> adjustments_csv(())[:24]
        'adjusted_on,adjustee_id,'
    """
    names = [column.name for column in ADJUSTMENT_COLUMNS]
    return csv_text([names, *(row.values() for row in adjustment_rows(adjustments))])
