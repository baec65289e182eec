"""Rounding and unit prices, worked out on exact fractions by trying candidates.

Law: no knowledge of how the library rounds; only the five words of the policy and their meaning.
"""

from fractions import Fraction
from math import floor

from rentbilling import BillingPolicy

MINOR_UNITS = {"DKK": 2, "EUR": 2, "SEK": 2, "JPY": 0, "KWD": 3}
"""Minor units of the currencies that the tests use."""

HALF = Fraction(1, 2)
MOST_DIGITS = 15


def minor_units(currency: str, policy: BillingPolicy) -> int:
    """Return the number of decimals of a currency, the policy's own word first (A2)."""
    return dict(policy.currencies).get(currency, MINOR_UNITS.get(currency, 2))


def rounded(value: Fraction, quantum: Fraction, mode: str) -> Fraction:
    """Return the multiple of a quantum that a value is rounded to (A3)."""
    size = abs(value) / quantum
    whole = floor(size)
    rest = size - whole
    goes_up = {
        "half_up": rest >= HALF,
        "half_even": rest > HALF or (rest == HALF and whole % 2 == 1),
        "half_down": rest > HALF,
        "up": rest > 0,
        "down": False,
    }[mode]
    result = (whole + 1 if goes_up else whole) * quantum
    return -result if value < 0 else result


def shown_unit_price(
    exact: Fraction, quantity: Fraction, line: Fraction, places: int, mode: str
) -> Fraction | None:
    """Return the unit price to print: it reproduces the line when multiplied (A21).

    For each number of decimals, beginning with the currency's, every price near the exact one and
    near the two ends of the prices that could reproduce the line is tried; the product grows
    steadily with the price, so the nearest price that works is always among them.

    Returns:
        The unit price, or None where fifteen digits are not enough for any.
    """
    quantum = Fraction(1, 10**places)
    half = quantum * HALF
    edges = (line - quantum, line - half, line, line + half, line + quantum)
    ends = [exact, *(edge / quantity for edge in edges)]
    for decimals in range(places, MOST_DIGITS + 1):
        scale = 10**decimals
        tried = {floor(end * scale) + near for end in ends for near in (-1, 0, 1, 2)}
        good = [
            price
            for price in (Fraction(count, scale) for count in tried)
            if rounded(price * quantity, quantum, mode) == line and _digits(price) <= MOST_DIGITS
        ]
        if good:
            return min(good, key=lambda price: (abs(price - exact), -abs(price)))
    return None


def _digits(price: Fraction) -> int:
    count = abs(price.numerator)
    while count % price.denominator:
        count *= 10
    return len(str(count // price.denominator).rstrip("0"))
