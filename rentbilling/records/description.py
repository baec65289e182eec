"""What the fields of a record class are: its annotations, read once for all uses.

Law: a description follows from the class alone; the words of a field are the docstring below it.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from types import MappingProxyType, ModuleType, NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

wire_name: Final = to_camel
"""Returns the name on the wire of a field that has this name in Python."""


class FieldType(NamedTuple):
    """The type of a field, or of an entry of its list."""

    kind: Any
    """The class, without how it is read and without None; `tuple` and `dict` of a list and a
    dictionary; of words, the Literal."""
    nullable: bool = False
    notes: tuple[object, ...] = ()
    """What annotates the type, such as a bound or a reader."""
    entries: "FieldType | None" = None
    """What the entries of a list or dictionary are."""

    @property
    def is_list(self) -> bool:
        return self.kind is tuple

    @property
    def innermost(self) -> Any:  # noqa: ANN401 - what annotations are
        """The class of the value, or of the entries where there are several."""
        return self.kind if self.entries is None else self.entries.innermost


class RecordField(NamedTuple):
    """A field of a record."""

    name: str
    wire: str
    """Its name on the wire."""
    type: FieldType
    required: bool
    """Whether it has no default in Python."""
    default: Any


def type_of(annotation: Any) -> FieldType:  # noqa: ANN401 - what annotations are
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        inner = type_of(arguments[0])
        return inner._replace(notes=(*_notes(arguments[1:]), *inner.notes))
    if origin in (Union, UnionType):
        (known,) = (each for each in arguments if each is not NoneType)
        return type_of(known)._replace(nullable=True)
    if origin in (tuple, dict):
        return FieldType(origin, entries=type_of(arguments[origin is dict]))
    return FieldType(annotation)


def _notes(stated: Iterable[object]) -> Iterator[object]:
    """Give what annotates a type; what pydantic bundles, one by one."""
    for each in stated:
        yield from each.metadata if isinstance(each, FieldInfo) else (each,)


@cache
def fields_of(record: type[BaseModel]) -> tuple[RecordField, ...]:
    # Older versions of pydantic give a field its alias only when they build the validator.
    made = to_camel if record.model_config.get("alias_generator") else str
    return tuple(
        RecordField(
            name,
            field.alias or made(name),
            type_of(Annotated[field.annotation, field]),
            field.is_required(),
            field.default,
        )
        for name, field in record.model_fields.items()
    )


@cache
def wire_names(record: type[BaseModel]) -> Mapping[str, str]:
    """Return the name on the wire for each name that a record reads, in both spellings."""
    names = {each.name: each.wire for each in fields_of(record)}
    return MappingProxyType({**names, **{wire: wire for wire in names.values()}})


def records_in(*roots: object) -> Mapping[str, type[BaseModel]]:
    """Return records with every record inside them, by name; what is no record is passed over."""
    found: dict[str, type[BaseModel]] = {}
    left = [*reversed(roots)]
    while left:
        each = left.pop()
        if isinstance(each, type) and issubclass(each, BaseModel) and each.__name__ not in found:
            found[each.__name__] = each
            left += (field.type.innermost for field in reversed(fields_of(each)))
    return MappingProxyType(found)


# ------------------------------------------------------------------------------- words of fields

_REFERENCES: Final = re.compile(
    r"\s*\((?:assumptions? |ours, )?A\d+(?:(?:, |-| to )A\d+)*\)|, A\d+(?=[,)])"
)
_SECTION: Final = re.compile(r"^(Examples|Args|Returns|Raises|Attributes|Yields):$", re.MULTILINE)


def sentences(docstring: str | None) -> str:
    r"""Return a docstring on one line for each paragraph, without sections and assumptions.

    Examples:
        >>> sentences("A page\n    of a list (A43).\n\n    Examples:\n        >>> PageRequest()")
        'A page of a list.'
    """
    text = _SECTION.split(inspect.cleandoc(docstring or ""))[0]
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return "\n\n".join(_REFERENCES.sub("", part) for part in paragraphs if part)


@cache
def words_of(record: type[BaseModel]) -> Mapping[str, str]:
    """Return the docstrings below the fields of a record, by their names on the wire.

    They are read from the sources when a schema first needs them, because pydantic would read those
    of every record on import; where the sources are not at hand, there are none.
    """
    found: dict[str, str] = {}
    for each in reversed(record.__mro__):
        if issubclass(each, BaseModel) and each is not BaseModel:
            found |= _classes(inspect.getmodule(each)).get(each.__name__, {})
    return MappingProxyType(
        {each.wire: found[each.name] for each in fields_of(record) if each.name in found}
    )


@cache
def _classes(module: ModuleType | None) -> Mapping[str, Mapping[str, str]]:
    try:
        source = inspect.getsource(module)  # type: ignore[arg-type]
    except (OSError, TypeError):
        source = ""
    classes = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    return {each.name: dict(_below_fields(each.body)) for each in classes}


def _below_fields(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for field, below in pairwise(body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                yield name, sentences(text)
            case _:
                pass
