"""Figures of rules asked alone: rounded amounts, applied percentages, limits (A35, A38, A40)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling import UnsupportedCaseError
from rentbilling.adjustments import AmountScale
from rentbilling.adjustments.rules.amounts import floored, rounded_amount
from rentbilling.adjustments.rules.limits import NO_LIMITS, Limits, limits_over
from rentbilling.adjustments.rules.percentages import Elapsed, applied_percentage, passes
from rentbilling.values import Rounding
from tests.support.plans import clause
from tests.support.refusals import refused
from tests.support.rows import rows

MONTHLY = AmountScale("DKK", 2, "half_up", Fraction(12))
YEARLY = AmountScale("DKK", 2, "half_up", Fraction(1))


def scale(code: str, places: int, mode: Rounding = "half_up") -> AmountScale:
    return AmountScale(code, places, mode, Fraction(12))


def rounded(
    exact: str,
    scale: AmountScale = MONTHLY,
    old: str = "0",
    **fields: Any,  # noqa: ANN401
) -> str:
    found = rounded_amount(Fraction(exact), Fraction(old), clause(**fields), scale)
    return f"{scale.shown(found).amount:f}"


def part(text: str) -> Fraction:
    return Fraction(text) / 100


def most(rate: str, months: int, **fields: Any) -> Fraction | None:  # noqa: ANN401
    return limits_over(Limits(None, part(rate)), clause(**fields), months).maximum


def applied(
    change: str,
    least: str | None = None,
    elapsed: Elapsed | None = None,
    **fields: Any,  # noqa: ANN401
) -> Fraction:
    held = NO_LIMITS if least is None else Limits(part(least), None)
    found = applied_percentage(part(change), clause(**fields), held, elapsed or Elapsed())
    return found.applied * 100


# fmt: off
FOUND: list[tuple[object, object]] = [
    # A currency has its own minor units: 1,101.5 yen are 1,102, 1.0005 dinars 1.001.
    ("1102 JPY", str(scale("JPY", 0).shown(Fraction(2203, 2)))),
    ("1.001 KWD", str(scale("KWD", 3).shown(Fraction("1.0005")))),
    ([1, 0, 1, 0], [scale("DKK", 2, mode).units(Fraction(1, 200))
                    for mode in ("half_up", "half_even", "up", "down")]),
    # 9,999,999,999,999.99 is the last amount that can be written (A1).
    ([Decimal("9999999999999.99"), Decimal("-9999999999999.99")],
     [MONTHLY.amount(sign * (10**15 - 1)).amount for sign in (1, -1)]),
    # A month of a yearly rent: 60,057.92 / 12 = 5,004.83, so 5,005 and 12 times that.
    ("60060.00", rounded("60057.92", YEARLY, amount_quantum="1", amount_per="month")),
    ("60058.00", rounded("60057.92", YEARLY, amount_quantum="1", amount_per="year")),
    ("60058.00", rounded("60057.92", YEARLY, amount_quantum="1")),
    # A year of a monthly rent: 5,004.83 × 12 = 60,057.96, so 60,058; in sixes 60,054.
    ("5004.83", rounded("5004.83", amount_quantum="1", amount_per="year")),
    ("5004.50", rounded("5004.45", amount_quantum="6", amount_per="year")),
    # The Swedish supplement on 100,000.50: 2,810.34, so 2,810; the base keeps its öre.
    ("102810.50", rounded("102810.84", YEARLY, "100000.50", amount_quantum="1",
                          amount_rounded="change")),
    # By the mode of the policy where the clause has none; a credit alike (A26).
    (["847.47", "847.46", "-847.47"], [
        rounded("847.461", scale("DKK", 2, "up")),
        rounded("847.461", scale("DKK", 2, "up"), amount_rounding="half_up"), rounded("-847.465")]),
    *((found, rounded(exact, MONTHLY, **fields)) for exact, fields, found in (
        ("2549.0677", {"amount_quantum": "0.10"}, "2549.10"),
        ("1.005", {"amount_rounding": "half_down"}, "1.00"),
        ("505.751", {"amount_rounding": "up"}, "505.76"),
        ("704.368", {"amount_rounding": "down"}, "704.36"),
        ("101.26", {"amount_quantum": "0.50", "amount_rounding": "up"}, "101.50"))),
    # The highest floor counts; a floor does not turn a credit into a charge.
    *((least, floored(Fraction(9000), Fraction(10_000), clause(**fields))) for fields, least in (
        ({}, 9000), ({"floor_at_start": True}, 10_000), ({"floor_amount": "8000 DKK"}, 9000),
        ({"floor_at_start": True, "floor_amount": "10500 DKK"}, 10_500))),
    ([-9500, -9500], [floored(Fraction(-9000), Fraction(-10_000), clause(floor_amount=floor))
                      for floor in ("9500 DKK", "-9500 DKK")]),
    # 1.55 percent in one decimal, by mode.
    (["1.6", "1.5", "1.6", "1.6"], [
        f"{float(applied('1.55', percentage_decimals=1, percentage_rounding=mode))}"
        for mode in ("half_up", "half_down", "half_even", "up")]),
    # A fall is not damped, and a share of it passes; limits may be below zero; a share may be 0.
    (["-5", "-4/5", "-2", "0"], [str(each) for each in (
        applied("-5", excess_over="0.03", excess_share="0.5"), applied("-2", share="0.4"),
        applied("-10", "-2"), applied("5", share="0"))]),
    # 7 / 12, and none at all; 30 months of 24 (A40).
    ([Fraction("1.52425"), 0], [
        applied("2.613", None, Elapsed(12, each), pro_rata="first_year") for each in (7, 0)]),
    (5, applied("4", None, Elapsed(30), pro_rata="elapsed", pro_rata_months=24)),
    # A threshold counts falls alike, and points where it says so.
    ([False, True, True, False], [passes(part(each), None, clause(threshold="0.05"))
                                  for each in ("4.99", "5", "-5", "-4.99")]),
    ([True, False, True], [
        passes(part("4"), Fraction(each), clause(threshold="10", threshold_unit="points"))
        for each in ("10", "9.9", "-10")]),
    (True, passes(part("-3"), None, clause())),
    # A limit grows with the months: 4 % × 63 / 12, 4 % × 30 / 24, 4 % × 0; 1.02^5, 1.04².
    ([part("21"), part("5"), 0], [most("4", months, limit_per="year_simple", limit_months=year)
                                  for months, year in ((63, 12), (30, 24), (0, 12))]),
    ([part("10.40808032"), part("8.16")], [most(rate, months, limit_per="year_compound")
                                           for rate, months in (("2", 60), ("4", 24))]),
    ([part("4"), 0], [most("4", 60), most("0", 6, limit_per="year_compound")]),
    ([NO_LIMITS] * 2, [limits_over(NO_LIMITS, clause(limit_per=unit), 60)
                       for unit in ("year_simple", "year_compound")]),
    # The square of 1.04^2.5 is 1.04^5, to forty digits and more.
    (True, abs((1 + (most("4", 30, limit_per="year_compound") or 0)) ** 2 - Fraction("1.04") ** 5)
     < Fraction(1, 10**40)),
]
# fmt: on


@rows(("expected", "found"), FOUND)
def test_a_figure_is_found(expected: object, found: object) -> None:
    assert expected == found


@rows("sign", [1, -1])
def test_an_amount_of_sixteen_digits_is_refused(sign: int) -> None:
    error = refused(lambda: MONTHLY.amount(sign * 10**15), UnsupportedCaseError)

    case = "an adjusted amount of over 15 digits"
    assert UnsupportedCaseError("amount_too_large", case=case) == error
