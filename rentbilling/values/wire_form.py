"""How pydantic reads, writes and describes a class that is none of its models.

Laws: pydantic is not loaded here and nothing is built before pydantic asks; JSON numbers keep the
value digit for digit, or the value is refused.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any, Self

from rentbilling.errors import InvalidRecordError, UnsupportedCaseError
from rentbilling.values.schemas import Definitions, Schema

SchemaHandler = Callable[[Any], dict[str, Any]]
"""Takes a schema of pydantic, and gives the JSON schema of it."""


class WireForm:
    """A value with a form in JSON, which pydantic takes from these three methods."""

    __slots__ = ()

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        """Return the value that JSON data describe; their numbers are exact."""
        expected = f"a {cls.__name__}: it is written as JSON, and not read"
        raise InvalidRecordError.of("", "wrong_value", "cannot be read", data, expected)

    @abstractmethod
    def _to_wire(self) -> Any:  # noqa: ANN401
        """Return the value as JSON data with exact numbers, as `dumps` writes it."""

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        """Return the JSON schema of that data; any, where no other program relies on it."""
        del parts
        return {"description": sentence_of(cls)}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any, /) -> Any:  # noqa: ANN401
        """Tell pydantic to take a value as it is, to read JSON data, and to write them."""
        del source, handler
        return value_schema(cls, cls._from_wire, cls._to_wire)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any, /) -> Any:  # noqa: ANN401
        del core
        return cls._wire_schema(PydanticDefinitions(handler))


def value_schema(
    kind: type, read: Callable[[Any], Any], write: Callable[[Any], Any]
) -> dict[str, Any]:
    """Return what pydantic needs to read and write a class, without importing it, which is slow."""

    def taken(value: object) -> object:
        return value if isinstance(value, kind) else read(exact_numbers(value))

    def written(value: object) -> object:
        return json_numbers(write(value))

    writer = {"type": "function-plain", "function": written, "when_used": "json"}
    reader = {"type": "no-info", "function": taken}
    return {"type": "function-plain", "function": reader, "serialization": writer}


class PydanticDefinitions(Definitions):
    """Definitions that pydantic collects, so that a part is named once in a whole document."""

    def __init__(
        self, handler: SchemaHandler, *, bounded: bool = False, answered: bool = False
    ) -> None:
        super().__init__(bounded=bounded, answered=answered)
        self._handler = handler

    def defined(self, name: str, make: Callable[[], Schema]) -> Schema:
        return self._placed(name, make)

    def record(self, kind: Any, name: str, make: Callable[[], Schema]) -> Schema:  # noqa: ANN401
        """Return pydantic's reference to a record, in the form in which it is used here."""
        del name
        if self.bounded and not getattr(kind, "bounded", False):
            return self._placed(f"Sent{kind.__name__}", make)
        # Elsewhere a record has one form, so that its name in a document is short.
        kind.model_rebuild()
        return self._apart(kind.__pydantic_core_schema__)

    def _placed(self, name: str, make: Callable[[], Schema]) -> Schema:
        def described(core: object, handler: object) -> Schema:
            del core, handler
            return make()

        # A name like that of a class, which pydantic shortens to its last word.
        known = {"pydantic_js_functions": [described]}
        return self._apart({"type": "any", "ref": f"rentbilling.{name}:1", "metadata": known})

    def _apart(self, core: Any) -> Schema:  # noqa: ANN401
        # The handler would take it for the schema that it is at; inside definitions it is another.
        return self._handler({"type": "definitions", "schema": core, "definitions": []})


def sentence_of(kind: type) -> str:
    """Return the first sentence of a class's docstring."""
    return (kind.__doc__ or kind.__name__).partition("\n")[0]


def plain_data(value: Any) -> Any:  # noqa: ANN401
    """Return a value of a result as JSON data: light tuples by their fields, days as texts.

    Examples:
        >>> from datetime import date
        >>> from rentbilling.values import Amount
        >>> plain_data({"by": Amount.parse("5.00 DKK"), "due_date": date(2026, 2, 1)})
        {'by': {'currency': 'DKK', 'amount': Decimal('5.00')}, 'dueDate': '2026-02-01'}
    """
    if isinstance(value, WireForm):
        return value._to_wire()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {_camel(key): plain_data(each) for key, each in value.items() if each is not None}
    if hasattr(value, "_asdict"):
        return plain_data(value._asdict())
    if isinstance(value, (list, tuple)):
        return [plain_data(each) for each in value]
    return value


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def exact_numbers(data: Any) -> Any:  # noqa: ANN401
    """Return JSON data whose binary numbers are the decimals that they print as (A1).

    Examples:
        >>> exact_numbers({"amount": 0.1, "parts": [1, True]})
        {'amount': Decimal('0.1'), 'parts': [1, True]}
    """
    if isinstance(data, Mapping):
        return {key: exact_numbers(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [exact_numbers(each) for each in data]
    if isinstance(data, Real) and not isinstance(data, (int, Decimal)):
        return Decimal(str(data))
    return data


def json_numbers(data: Any) -> Any:  # noqa: ANN401
    """Return JSON data whose decimals are numbers that any JSON writer prints with their digits.

    A decimal without places is whole; any other is the binary number that prints as the same value.
    Closing zeros are lost: 8500.00 is printed as 8500.0.

    Raises:
        UnsupportedCaseError: No binary number prints as this value; `dumps` writes it.

    Examples:
        >>> json_numbers({"amount": Decimal("8500.10"), "quantity": Decimal(2)})
        {'amount': 8500.1, 'quantity': 2}
    """
    if isinstance(data, Mapping):
        return {key: json_numbers(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [json_numbers(each) for each in data]
    if not isinstance(data, Decimal):
        return data
    if int(data.as_tuple().exponent) >= 0:
        return int(data)
    over, below = data.as_integer_ratio()
    with suppress(OverflowError):
        near = over / below
        if Decimal(repr(near)) == data:
            return near
    case = f"the number {data:f} in JSON of pydantic, instead of `dumps`"
    raise UnsupportedCaseError("unsupported", case=case)
