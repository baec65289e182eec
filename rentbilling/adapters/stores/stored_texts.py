"""What stores share: the kinds of objects, their texts and their ids.

Laws: a record is read from its text as it was, digit for digit; an id is written and read back
whatever characters it has; a store and its caller share no object that can change.
"""

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

from rentbilling.codec import dumps
from rentbilling.errors import InvalidRecordError, shown
from rentbilling.interface import Tenancy
from rentbilling.records import Record, read_json
from rentbilling.service import KINDS, Stored

R = TypeVar("R", bound=Record)

_MOST_BYTES: Final = 1_000
"""Bytes of an id: the index of a database takes some 2,700 in one entry."""
_ESCAPE: Final = re.compile(r"\\(\\|0|u[0-9a-f]{4})")


def known_kind(kind: type[Any]) -> type[Any]:
    """Return a kind of object that stores have.

    Raises:
        TypeError: It is another.
    """
    if kind not in KINDS:
        known = ", ".join(each.__name__ for each in KINDS)
        raise TypeError(f"a store keeps {known}, not {shown(kind)}")
    return kind


class _Ends(Protocol):
    def end(self, *, commit: bool) -> None: ...


S = TypeVar("S", bound=_Ends)


@contextmanager
def until_end(store: S) -> Generator[S]:
    """Give the store of a transaction, and commit what was changed if nothing is raised."""
    ended_well = False
    try:
        yield store
        ended_well = True
    finally:
        store.end(commit=ended_well)


def own_copy(record: R) -> R:
    """Return a record that shares nothing with the given one that could be changed.

    Records are frozen; only the groups of a tenancy are a mapping, which can change.
    """
    if isinstance(record, Tenancy) and record.group_id is not None:
        return record.model_copy(update={"group_id": dict(record.group_id)})
    return record


def text_of(record: Record) -> str:
    """Return the text that a record is stored as: its JSON in the interface, in full (A56).

    Amounts are exact numbers in it, and U+0000, which PostgreSQL has in no text, is an escape.
    """
    return dumps(record, full=True)


class _AnyCurrency(dict[str, int]):
    """Knows every currency: amounts were checked, with private codes, when they were stored."""

    def get(self, key: str, default: object = None) -> int:
        """Return a number of decimals, which reading has no use for."""
        del key, default
        return 0


_CONTEXT: Final = MappingProxyType({"currencies": _AnyCurrency()})


def record_of(kind: type[R], text: str) -> R:
    return kind.model_validate(read_json(text), context=_CONTEXT)


def columns_of(stored: Stored[Any]) -> tuple[str, str | None, str]:
    """Return an object as a table has it: its id, that of what it belongs to, and its text.

    Returns:
        Three texts that any database can store; the second is None if it belongs to nothing.

    Raises:
        InvalidRecordError: The id of what it belongs to is empty or too long.

    Examples:
        >>> from rentbilling.interface import Payout
        >>> columns_of(Stored(Payout(id="payout-1"), "payout-1"))
        ('payout-1', None, '{"id": "payout-1"}')
    """
    above = stored.belongs_to
    column = None if above is None else column_text(short_enough(above))
    return column_text(stored.id), column, text_of(stored.record)


def stored_of(
    kind: type[R], columns: Sequence[Any], read: Callable[[type[R], str], R] = record_of
) -> Stored[R]:
    """Return the object of a kind that a table has.

    Args:
        kind: Its class, one of `rentbilling.service.KINDS`.
        columns: The three columns that `columns_of` returned for it.
        read: Returns the record of a text.

    Returns:
        The object as it was stored, with every digit.

    Examples:
        >>> from rentbilling.interface import Payout
        >>> stored_of(Payout, ("payout-1", None, '{"id": "payout-1"}')).record.id
        'payout-1'
    """
    name, above, text = columns
    belongs_to = None if above is None else id_of_column(above)
    return Stored(read(kind, text), id_of_column(name), belongs_to)


def column_text(object_id: str) -> str:
    r"""Return an id as a database keeps it: with U+0000 and half characters as escapes.

    Args:
        object_id: The id of an object, or the name of an owner.

    Returns:
        The id itself, unless it has such characters or a backslash.

    Examples:
        >>> column_text("lease-1"), column_text("a" + chr(0) + "b")
        ('lease-1', 'a\\0b')
    """
    if object_id.isascii() and "\\" not in object_id and "\0" not in object_id:
        return object_id
    plain = object_id.replace("\\", "\\\\").replace("\0", "\\0")
    return plain.encode("utf-8", "backslashreplace").decode()


def id_of_column(text: str) -> str:
    r"""Return the id that a database keeps.

    Examples:
        >>> id_of_column(column_text("a\\0" + chr(0))) == "a\\0" + chr(0)
        True
    """
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(found: re.Match[str]) -> str:
    escape = found[1]
    if escape.startswith("u"):
        return chr(int(escape[1:], 16))
    return "\0" if escape == "0" else escape


def short_enough(object_id: str) -> str:
    """Return an id that can be stored.

    Raises:
        InvalidRecordError: It is empty, or longer than every index takes.
    """
    if not object_id or len(column_text(object_id).encode()) > _MOST_BYTES:
        expected = f"1 to {_MOST_BYTES} bytes"
        said = "is empty or too long to be kept"
        raise InvalidRecordError.of("id", "out_of_range", said, object_id, expected)
    return object_id
