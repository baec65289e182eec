"""Arithmetic of rules that works alike for one lease and for an item on many paths.

For one lease a number is a `Fraction`. `simulation` passes arrays, which add, multiply, divide and
compare like a fraction. An `if` on a figure decides how a rule goes on: arrays raise an error where
the answer is not the same on all paths, and the paths are computed apart. A choice between figures
is `where`, which arrays make path by path.

Law: a number is exact until a named step rounds it.
"""

from fractions import Fraction
from typing import Any, Final, Protocol

from rentbilling.values import Rounding, divide_rounded

Number = Fraction
"""A number of one lease; annotated as what it is there, and on paths an array that acts alike."""
Where = bool
"""Whether something is true of a number; on paths an array with an answer for each."""
Reason = str
"""A word for what changed a figure; on paths the places at which a limit was reached."""

ONE: Final = Fraction(1)


class Array(Protocol):
    """Methods that arrays of numbers have and fractions have not."""

    def rounded(self, step: Fraction, mode: Rounding) -> Any:  # noqa: ANN401 - arrays again
        """Return the numbers rounded to whole steps."""

    def within(self, least: Fraction | None, most: Fraction | None) -> Any:  # noqa: ANN401
        """Return the numbers within limits, and where one was reached; None if nowhere."""


class Mask(Protocol):
    """Methods that the answers of arrays have and `bool` has not."""

    def choose(self, yes: object, no: object) -> Any:  # noqa: ANN401 - arrays
        """Return the one number where the answer is yes, and the other elsewhere."""


def rounded(value: Number | Array, step: Fraction, mode: Rounding = "half_up") -> Number:
    """Return a number rounded to whole steps.

    Examples:
        >>> rounded(Fraction(27, 1066), Fraction(1, 1000))
        Fraction(1, 40)
    """
    if not isinstance(value, Fraction):
        found: Number = value.rounded(step, mode)
        return found
    (over, below), (units, of) = value.as_integer_ratio(), step.as_integer_ratio()
    return Fraction(divide_rounded(over * of, below * units, mode) * units, of)


def where(mask: Where | Mask | Reason | None, yes: Number, no: Number) -> Number:
    """Return the one number where something is true, and the other elsewhere."""
    if mask is None or isinstance(mask, (bool, str)):
        return yes if mask else no
    found: Number = mask.choose(yes, no)
    return found
