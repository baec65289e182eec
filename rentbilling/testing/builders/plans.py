"""Builders of rent adjustments: plans, and the index series that they follow.

Laws: as those of `builders`; percentages are fractions as in the records, 0.03 for three percent
(A5), and what looks like a percentage in percent is refused; so is an argument that another one
leaves without a meaning.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import rentbilling as rb
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.testing.builders.plain_values import (
    AnyAmount,
    AnyNumber,
    number_of,
    one_by_one,
    price_of,
    refuse_unused,
)
from rentbilling.values import fraction_of, rounded

_DECIMALS: Final = 4
_OCTOBER: Final = 10
_FIRST_YEAR: Final = 2027


def a_plan(
    *rules: rb.RentAdjustmentRule,
    percent: AnyNumber | None = None,
    amount: AnyAmount | None = None,
    currency: str | None = None,
    minimum: AnyNumber | None = None,
    maximum: AnyNumber | None = None,
    month: int | None = None,
    index_month: int | None = None,
    first_year: int | str | None = None,
    clause: rb.IndexClause | None = None,
    **fields: Any,  # noqa: ANN401 - whatever the record takes
) -> rb.RentAdjustmentPlan:
    """Return a plan: by the index of October each January, or by a percentage or amount a year.

    Args:
        *rules: The rules themselves, instead of everything up to `clause`.
        percent: Added each year instead of following an index: 0.03 or "3%" is three percent.
        amount: Added to the amount of a year, each year, instead of following an index.
        currency: Currency of an amount given as a number; DKK where none is given.
        minimum: Least percentage of an adjustment: 0 is never down.
        maximum: Most of one: 0.04 or "4%" is four percent.
        month: Calendar month of the adjustment; January where none is given.
        index_month: Calendar month of the index; October where none is given, unless the clause
            finds the points.
        first_year: The first year with an adjustment; without it, a percentage or an amount is
            added from 2027 on.
        clause: Conventions of a country or contract.
        **fields: Every other field of `RentAdjustmentPlan`, such as `id` or `adjustee_ref`.

    Raises:
        InvalidAdjustmentRuleError: The rule cannot be followed, or a percentage is 1 or more.
        TypeError: An argument has no meaning with the others, such as `percent` with rules.

    Examples:
        >>> a_plan(maximum="0.04").rent_adjustment_rules[0].maximum_percentage
        Decimal('0.04')
        >>> a_plan(percent="0.03").rent_adjustment_rules[0].increments[0].recurrence
        'Recurring'
        >>> a_plan(percent=3)
        Traceback (most recent call last):
        rentbilling.errors.InvalidAdjustmentRuleError: percent: looks like percent (met 3; \
expected a fraction below 1: 0.03 is three percent)
    """
    if rules:
        one_by_one(rules, (rb.RentAdjustmentRule,), "a_plan(*rules)")
        refuse_unused(
            "a_plan with rules",
            {"percent": percent, "amount": amount, "currency": currency, "minimum": minimum},
            {"maximum": maximum, "month": month, "index_month": index_month},
            {"first_year": first_year, "clause": clause},
        )
        return rb.RentAdjustmentPlan(rent_adjustment_rules=rules, **fields)
    known: dict[str, Any] = {
        "adjustment_month": 1 if month is None else month,
        "minimum_percentage": _fraction("minimum", minimum),
        "maximum_percentage": _fraction("maximum", maximum),
        "index_clause": clause,
    }
    if amount is None:
        refuse_unused("a_plan without an amount", {"currency": currency})
    if percent is None and amount is None:
        finds = clause is not None and clause.finds_points
        known["adjustment_type"] = "Index"
        known["index_month"] = _OCTOBER if index_month is None and not finds else index_month
        known["first_year"] = None if first_year is None else f"{first_year}"
    else:
        refuse_unused("a_plan without an index", {"index_month": index_month})
        known["adjustment_type"] = "Increment"
        known["increments"] = (
            rb.Increment(
                year=f"{_FIRST_YEAR if first_year is None else first_year}",
                percentage=_fraction("percent", percent),
                amount=None if amount is None else price_of(amount, currency),
                recurrence="Recurring",
            ),
        )
    return rb.RentAdjustmentPlan(rent_adjustment_rules=(rb.RentAdjustmentRule(**known),), **fields)


def _fraction(name: str, given: AnyNumber | None) -> Decimal | None:
    """Return a percentage as a fraction; 3 for three percent is refused (A5)."""
    if isinstance(given, str) and given.strip().endswith("%"):
        return fraction_of(given, name)
    value = None if given is None else number_of(given)
    if value is not None and abs(value) >= 1:
        said, expected = "looks like percent", "a fraction below 1: 0.03 is three percent"
        raise InvalidAdjustmentRuleError.of(name, "out_of_range", said, value, expected)
    return value


def an_index(
    values: Mapping[str, AnyNumber] | None = None,
    *,
    name: str = "INDEX",
    base: str | None = None,
    start: str | None = None,
    first: AnyNumber | None = None,
    yearly: AnyNumber | None = None,
    years: int | None = None,
    **fields: Any,  # noqa: ANN401 - whatever the series takes
) -> rb.IndexSeries:
    """Return an index series of stated values, or one that grows by the same percentage a year.

    Args:
        values: Values by point: 2025-10, 2025-Q4 or 2025.
        name: Name of the series.
        base: Its base, such as 2015=100.
        start: Without values: the first point; 2025-10 where none is given.
        first: The value there; 100 where none is given.
        yearly: Growth of a year as a fraction, 0.02 where none is given; each value is rounded from
            the exact one to four decimals.
        years: So many years from the first point to the last; 10 where none are given.
        **fields: Everything else that `IndexSeries` takes, such as `known` or `provisional`.

    Raises:
        InvalidInputError: A value or a point cannot be read.
        TypeError: Values are given, and how they grow, too.

    Examples:
        >>> an_index({"2025-10": 100, "2026-10": "102.5"})
        <IndexSeries INDEX, 2 months 2025-10 to 2026-10>
        >>> grown = an_index(start="2020-10", yearly="0.02", years=3)
        >>> [str(each) for each in grown.values.values()]
        ['100.0000', '102.0000', '104.0400', '106.1208']
    """
    if values is not None:
        unused = {"start": start, "first": first, "yearly": yearly, "years": years}
        refuse_unused("an_index with values", unused)
        exact = {point: number_of(value) for point, value in values.items()}
        return rb.IndexSeries(name, exact, base=base, **fields)
    point = rb.IndexPoint.parse("2025-10" if start is None else start)
    value = Fraction(number_of(100 if first is None else first))
    growth = 1 + Fraction(number_of("0.02" if yearly is None else yearly))
    grown = {
        point.years_earlier(-after): rounded(value * growth**after, _DECIMALS)
        for after in range((10 if years is None else years) + 1)
    }
    return rb.IndexSeries(name, grown, base=base, **fields)
