"""How is an amount shared out without a rest, and which unit price fits the line's amount?"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Any, Literal

from rentbilling.errors import InvalidAmountError, InvalidInputError, check_word, shown
from rentbilling.values.currencies import NO_CURRENCIES, minor_units
from rentbilling.values.money import (
    MAX_DIGITS,
    Amount,
    Rounding,
    check_rounding,
    decimal_of,
    divide_rounded,
    exact_ratio,
    units_of,
)

_METHODS = ("running_total", "largest_remainder", "first")


def share_out(
    amount: Amount,
    weights: Iterable[Decimal | Fraction | int],
    *,
    method: Literal["running_total", "largest_remainder", "first"] = "largest_remainder",
    rounding: Rounding = "half_up",
    currencies: Mapping[str, int] = NO_CURRENCIES,
) -> tuple[Amount, ...]:
    """Return an amount shared out by weights, without losing a minor unit.

    Every share is cut down, and the units that are left go to the largest remainders, of equal ones
    to the earlier, so that a larger weight never gets less (A64); with `first`, to the first parts.
    With `running_total`, for parts in time, part k is the rounded running total to k less that to
    k−1 (A21), and `rounding` counts.

    Raises:
        InvalidAmountError: A weight is negative, not finite or too long, none is above 0, or the
            amount is finer than its currency.
        UnknownWordError: The method or the rounding is not a known word, or the currency neither
            in ISO 4217 nor among the private ones.

    Examples:
        >>> [str(part) for part in share_out(Amount(100, "DKK"), [1, 1, 1])]
        ['33.34 DKK', '33.33 DKK', '33.33 DKK']
    """
    if not isinstance(amount, Amount):
        raise TypeError(f"share_out takes an Amount, not {shown(amount)}")
    check_word("method", method, _METHODS, "is not a method")
    check_rounding(rounding)
    given = _listed(weights)
    parts = _ratios(given)
    if not parts and not amount.amount:
        return ()
    if not parts or min(parts) < 0 or not sum(parts):
        raise InvalidAmountError.of(
            "weights", "bad_weights", "cannot share out", given, "weights of 0 or more"
        )
    places = minor_units(amount.currency, currencies)
    units = units_of(amount, currencies)
    whole = sum(parts)
    if method == "running_total":
        shares = _by_running_total([units * part / whole for part in parts], rounding)
    elif method == "first":
        shares = _cut_down(units, parts, sorted(range(len(parts)), key=lambda at: not parts[at]))
    else:
        shares = share_units(units, parts)
    return tuple(Amount.unchecked(decimal_of(share, places), amount.currency) for share in shares)


def _listed(weights: object) -> list[Any]:
    if not isinstance(weights, Iterable) or isinstance(weights, (str, bytes, bytearray, Mapping)):
        raise TypeError(f"share_out takes a list of weights, not {shown(weights)}")
    return list(weights)


def _ratios(weights: Sequence[Decimal | Fraction | int]) -> list[Fraction]:
    ratios: list[Fraction] = []
    for at, weight in enumerate(weights):
        try:
            ratios.append(Fraction(*exact_ratio(weight)))
        except InvalidInputError as error:
            raise error.under(f"weights[{at}]") from None
    return ratios


def _by_running_total(exact: Sequence[Fraction], rounding: Rounding) -> list[int]:
    shares: list[int] = []
    total, so_far = Fraction(0), 0
    for part in exact:
        total += part
        reached = divide_rounded(total.numerator, total.denominator, rounding)
        shares.append(reached - so_far)
        so_far = reached
    return shares


def share_units(units: int, weights: Sequence[Fraction | int]) -> list[int]:
    """Return minor units shared out by weights of 0 or more, not all 0 (A64)."""
    # In whole numbers, because a house has thousands of them. What is left goes to the largest
    # remainders, of equal ones to the earlier; units below 0 are shared as their mirror image.
    below = lcm(*(weight.denominator for weight in weights))
    whole = [weight.numerator * (below // weight.denominator) for weight in weights]
    total, size = sum(whole), abs(units)
    shares, rests = map(list, zip(*(divmod(size * weight, total) for weight in whole), strict=True))
    left = size - sum(shares)
    if left:
        for at in sorted(range(len(rests)), key=rests.__getitem__, reverse=True)[:left]:
            shares[at] += 1
    return shares if units >= 0 else [-share for share in shares]


def _cut_down(units: int, weights: Sequence[Fraction], order: Sequence[int]) -> list[int]:
    """Return shares cut down, with a unit more for the first in order until none is left."""
    whole = sum(weights)
    shares = [int(units * weight / whole) for weight in weights]
    step = -1 if units < 0 else 1
    for at in order[: abs(units - sum(shares))]:
        shares[at] += step
    return shares


def unit_price(
    line: int, quantity: tuple[int, int], exact: tuple[int, int], places: int, mode: Rounding
) -> Decimal:
    """Return the unit price to print on a line: times the quantity it rounds to the line (A21).

    It has the fewest decimals that do so, at least the currency's, and is the one nearest to the
    exact price; of two equally near, the one further from zero. If no price of at most 15
    significant digits does so, it is the nearest with 15 digits.

    Examples:
        100 m² at 8.50 for 17 of 31 days make 466.13, which no price of two or three decimals gives:

        >>> unit_price(46613, (100, 1), (17 * 17, 2 * 31), 2, "half_up")
        Decimal('4.6613')
    """
    times, parts = quantity
    over, below = exact
    if times < 0:
        line, times = -line, -times
    nearest = decimal_of(divide_rounded(over * 10**places, below), places)
    for decimals in range(places, places + MAX_DIGITS + 1):
        units = divide_rounded(over * 10**decimals, below)
        step = times, parts * 10 ** (decimals - places)
        fitting = _nearest_fitting(units, line, step, mode)
        if len(str(abs(units if fitting is None else fitting))) > MAX_DIGITS:
            break
        if fitting is not None:
            return decimal_of(fitting, decimals)
        nearest = decimal_of(units, decimals)
    return nearest


def _nearest_fitting(units: int, line: int, step: tuple[int, int], mode: Rounding) -> int | None:
    """Return the whole number nearest to `units` whose product with `step` rounds to `line`."""
    over, below = step
    met = divide_rounded(units * over, below, mode)
    if met == line:
        return units
    # The product rises with the count, so the first count that reaches the line is found by
    # halving between one that does not reach it and one that passes it.
    toward = 1 if met < line else -1
    beyond = (line + toward) * below // over + 2 * toward
    short = units
    while abs(beyond - short) > 1:
        middle = (beyond + short) // 2
        if (divide_rounded(middle * over, below, mode) - line) * toward >= 0:
            beyond = middle
        else:
            short = middle
    return beyond if divide_rounded(beyond * over, below, mode) == line else None
