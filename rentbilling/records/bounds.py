"""Bounds of single fields: each annotates the type of its field, for the reader and the schema.

Law: what a bound refuses, the schema of its field refuses as well.
"""

import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from rentbilling.errors import Problem, shown
from rentbilling.values import Amount


class Bound:
    """What a field may be beyond its type."""

    __slots__ = ()

    def problem(self, path: str, value: Any) -> Problem | None:  # noqa: ANN401 - as the field's type
        """Return what is wrong with a value, None where nothing is."""
        del path, value
        return None

    @abstractmethod
    def schema(self, kind: type) -> Mapping[str, Any]:
        """Return what a JSON schema adds to that of the type."""


@dataclass(frozen=True, slots=True)
class Within(Bound):
    """The least and the most that a number, or the number of an amount, may be.

    Examples:
        >>> print(Within(1, 4).problem("indexQuarter", 5))
        indexQuarter: is out of range (met 5; expected a whole number from 1 to 4)
        >>> Within(0, above=True).schema(Decimal)
        {'exclusiveMinimum': 0}
    """

    least: int
    most: int | None = None
    above: bool = False
    """Whether the least itself is out of range."""
    hint: str = ""
    """What follows the range in a refusal, such as an example."""
    expected: str = ""
    """What a refusal says in place of the range."""
    by_side: bool = False
    """Whether a refusal says which of the two was passed."""

    def problem(self, path: str, value: Any) -> Problem | None:  # noqa: ANN401 - a number or an amount
        """Return the problem of a number that is out of range."""
        number = value.amount if isinstance(value, Amount) else value
        below = number <= self.least if self.above else number < self.least
        if not below and (self.most is None or number <= self.most):
            return None
        message = "is out of range"
        if self.above and self.most is None:
            message = f"is not above {self.least}"
        elif self.by_side:
            message = f"is below {self.least}" if below else f"is above {self.most}"
        expected = self.expected or self._range(whole=isinstance(number, int)) + self.hint
        return Problem(path, "out_of_range", message, shown(number), expected)

    def _range(self, *, whole: bool) -> str:
        if self.above:
            above = f"above {self.least}"
            return above if self.most is None else f"a number {above}, up to {self.most}"
        if self.most is None:
            return f"{self.least} or more"
        return f"a {'whole ' if whole else ''}number from {self.least} to {self.most}"

    def schema(self, kind: type) -> Mapping[str, Any]:
        """Return minimum and maximum, of an amount those of its number."""
        facts: dict[str, Any] = {"exclusiveMinimum" if self.above else "minimum": self.least}
        if self.most is not None:
            facts["maximum"] = self.most
        return {"properties": {"amount": facts}} if kind is Amount else facts


@dataclass(frozen=True, slots=True)
class NotZero(Bound):
    """A number that is anything but 0."""

    code: str
    message: str
    expected: str

    def problem(self, path: str, value: int | Decimal) -> Problem | None:
        """Return the problem of 0."""
        return (
            None if value else Problem(path, self.code, self.message, shown(value), self.expected)
        )

    def schema(self, kind: type) -> Mapping[str, Any]:
        """Return that 0 is refused."""
        del kind
        return {"not": {"const": 0}}


@dataclass(frozen=True, slots=True)
class Matching(Bound):
    """A text that matches a regular expression as a whole."""

    pattern: str
    code: str
    message: str
    expected: str

    def problem(self, path: str, value: str) -> Problem | None:
        """Return the problem of another text."""
        if re.fullmatch(self.pattern, value):
            return None
        return Problem(path, self.code, self.message, shown(value), self.expected)

    def schema(self, kind: type) -> Mapping[str, Any]:
        del kind
        return {"pattern": f"^{self.pattern}$"}


@dataclass(frozen=True, slots=True, eq=False)
class InSchema(Bound):
    """What the schema of a field says besides, where its reader or its record refuses it."""

    facts: Mapping[str, Any]

    def schema(self, kind: type) -> Mapping[str, Any]:
        del kind
        return self.facts


@dataclass(frozen=True, slots=True, eq=False)
class OrWord(Bound):
    """Words that are read in place of an object."""

    words: tuple[str, ...]

    def schema(self, kind: type) -> Mapping[str, Any]:
        """Return nothing: the schema of the object lists the words."""
        del kind
        return {}


LIMIT: Final = Within(-1, 1, expected="a fraction from -1 to 1: 0.04 means four percent")
PERCENTAGE: Final = Within(-1, 10, expected="a fraction from -1 to 10: 0.04 means four percent")
"""A percentage as a fraction: one that was written in percent is out of range (A5)."""
A_FRACTION: Final = Within(0, 1, by_side=True, expected="a fraction: 0.30 means thirty percent")
"""A share."""
NOT_BELOW_ZERO: Final = Within(0, by_side=True)
"""A count or a measure."""
MORE_THAN_NONE: Final = NotZero("zero_quantity", "bills nothing", "any other number")
"""A quantity (A21)."""
