"""The parts of a result in order; results of one class are equal when their parts are."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Final, Generic, TypeVar, overload

Part = TypeVar("Part")

_SHOWN: Final = 2
"""Parts that are shown of an answer in short."""


class ResultSequence(Sequence[Part], Generic[Part]):
    """A result that is a sequence of its parts, such as the bills of a period."""

    __slots__ = ()

    @property
    @abstractmethod
    def parts(self) -> tuple[Part, ...]:
        """The parts in order."""

    @overload
    def __getitem__(self, at: int) -> Part: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Part, ...]: ...
    def __getitem__(self, at: int | slice) -> Part | tuple[Part, ...]:
        return self.parts[at]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __eq__(self, other: object) -> bool:
        """Results of one class are equal when their parts are, whatever their origin (A56)."""
        if not isinstance(other, ResultSequence) or type(other) is not type(self):
            return NotImplemented
        return self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)


def counted(count: int, noun: str) -> str:
    """Return so many of something.

    Examples:
        >>> counted(1, "bill"), counted(2, "bill")
        ('1 bill', '2 bills')
    """
    return f"{count} {noun}" + ("" if count == 1 else "s")


def beginning(head: str, parts: Sequence[object]) -> str:
    """Return what a reader looks for first: the head, the first parts, and how many more there are.

    Examples:
        >>> beginning("Comparison 1 bill, 3 differences", ["a", "b", "c"])
        '<Comparison 1 bill, 3 differences: a; b; and 1 more>'
    """
    said = [str(part) for part in parts[:_SHOWN]]
    if len(parts) > _SHOWN:
        said.append(f"and {len(parts) - _SHOWN} more")
    return f"<{head}: {'; '.join(said)}>" if said else f"<{head}>"
