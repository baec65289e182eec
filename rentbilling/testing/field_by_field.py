"""Records field by field: where two of one kind differ, each field with both sides.

Law: the fields are those that equality compares.
"""

from collections.abc import Iterator
from typing import Final

from rentbilling import VatTotal
from rentbilling.records import Record
from rentbilling.tables import ResultSequence, counted

_SEQUENCES: Final = (ResultSequence, list, tuple)


def fields_that_differ(left: object, right: object) -> list[str] | None:
    """Return the fields in which two records of one kind differ, or lists of them.

    Examples:
        >>> from rentbilling import DueDateRule
        >>> fields_that_differ(DueDateRule(day_of_period=1), DueDateRule(day_of_period=2))
        ['the records differ: 1 field', 'day_of_period: left 1, right 2']
        >>> fields_that_differ(1, 2)
    """
    if not _is_ours(left) or not _is_ours(right):
        return None
    sentences = list(_differing("", left, right))
    return [f"the records differ: {counted(len(sentences), 'field')}", *sentences]


def _is_ours(value: object) -> bool:
    """Return whether something is a record, or holds nothing but records."""
    if isinstance(value, (Record, VatTotal)):
        return True
    if isinstance(value, _SEQUENCES):
        return bool(value) and all(isinstance(each, (Record, VatTotal)) for each in value)
    return False


def _differing(path: str, left: object, right: object) -> Iterator[str]:
    """Give each field in which two values differ, the innermost one."""
    if left == right:
        return
    if type(left) is type(right) and isinstance(left, (Record, VatTotal)):
        for name in _names(left):
            inside = f"{path}.{name}" if path else name
            yield from _differing(inside, getattr(left, name), getattr(right, name))
        return
    if isinstance(left, _SEQUENCES) and isinstance(right, _SEQUENCES):
        if len(left) == len(right):
            for at, (one, other) in enumerate(zip(left, right, strict=True)):
                yield from _differing(f"{path}[{at}]", one, other)
            return
        yield f"{path or 'all'}: left has {len(left)}, right {len(right)}"
        return
    yield f"{path or 'all'}: left {left!r}, right {right!r}"


def _names(record: Record | VatTotal) -> tuple[str, ...]:
    return ("vat", "amount") if isinstance(record, VatTotal) else tuple(type(record).model_fields)
