"""Choices by bytes: one draw of a long number gives every field of a record.

Laws: bytes of zero, and bytes that are missing, choose the first option, so that examples shrink
towards it.

A record has up to fifty fields. A draw for each would take ten times as long as the record.
"""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from rentbilling.records import Record, TextBound, fields_of

T = TypeVar("T")
R = TypeVar("R", bound=Record)

EPOCH: Final = date(2023, 12, 1)
"""Days are chosen as days after this one, so that 29 February 2024 lies well within reach."""

EDGE_DAYS: Final = tuple(
    map(
        date.fromisoformat,
        ("2024-02-29", "2024-01-31", "2024-02-28", "2024-04-30", "2024-12-31", "2025-02-28"),
    )
)
"""Ends of months and of a year, 29 February first."""


class Choices:
    """Choices among options, each by three bytes.

    Examples:
        >>> [Choices(bytes([0, 0, n])).pick(("plain", "odd")) for n in (0, 1)]
        ['plain', 'odd']
    """

    def __init__(self, cards: bytes) -> None:
        self._cards = iter(cards)

    def below(self, count: int) -> int:
        """Return a whole number from 0 to count − 1."""
        following = self._cards
        high, middle, low = next(following, 0), next(following, 0), next(following, 0)
        return ((high << 16) + (middle << 8) + low) % count

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def number(self, options: Sequence[str]) -> Decimal:
        """Return one of some numbers that are written as texts."""
        return Decimal(self.pick(options))

    def rarely(self, once_in: int) -> bool:
        """Return True once in so many times."""
        return self.below(once_in) == once_in - 1

    def day(self, latest: int = 500) -> date:
        """Return a day within reach of the epoch, often the end of a month."""
        if self.rarely(6):
            return self.pick(EDGE_DAYS)
        return EPOCH + timedelta(days=self.below(latest))


def texts_of(kind: type[Record]) -> dict[str, str | None]:
    """Return the texts of a record that need not be given, whatever their names, with defaults."""
    return {
        each.name: each.default
        for each in fields_of(kind)
        if not (each.required or each.type.entries)
        and any(isinstance(note, TextBound) for note in each.type.notes)
    }


def with_texts(choices: Choices, kind: type[R], **given: Any) -> R:  # noqa: ANN401 - fields
    """Make a record of what is given, in which every other text is chosen, whatever its name."""
    for name, default in texts_of(kind).items():
        if name not in given:
            given[name] = choices.pick((default, f"{name} 1", f"{name} 2"))
    return kind(**given)


def chosen(make: Callable[[Choices], T], size: int = 60) -> st.SearchStrategy[T]:
    """Return the strategy of the values that a function makes by choices."""
    # One long number is drawn in half the time of so many bytes.
    cards = st.integers(0, 256**size - 1)

    # A composite strategy, unlike a mapped one, shows in a failure what was made.
    @st.composite
    def choose(draw: st.DrawFn) -> T:
        return make(Choices(draw(cards).to_bytes(size, "little")))

    return choose()
