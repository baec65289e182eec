"""Short ways to say how a call is refused; tables of refusals are in `tests/refusals`."""

from collections.abc import Callable
from typing import Any, TypeVar, overload

import pytest

from rentbilling import InvalidInputError, RentBillingError

Call = Callable[[], object]
Refusal = TypeVar("Refusal", bound=RentBillingError)


@overload
def refused(call: Call) -> InvalidInputError: ...
@overload
def refused(call: Call, kind: type[Refusal]) -> Refusal: ...
def refused(call: Call, kind: type[RentBillingError] = InvalidInputError) -> RentBillingError:
    """Return the error with which a call is refused."""
    with pytest.raises(kind) as caught:
        call()
    return caught.value


def refusal_text(call: Call) -> str:
    """Return the kind of the error with which a call is refused: path and code of each problem.

    For example "InvalidRecordError: name empty_text, values missing"; of an error without problems
    its own code, "UnsupportedCaseError: too_many_lines".
    """
    error = refused(call, RentBillingError)
    if not isinstance(error, InvalidInputError):
        return f"{type(error).__name__}: {error.code}"
    found = (" ".join(filter(None, (each.path, each.code))) for each in error.problems)
    return f"{type(error).__name__}: {', '.join(found)}"


def faults(
    call: Call, kind: type[InvalidInputError] = InvalidInputError, fields: str = "path code"
) -> list[Any]:
    """Return of each problem of a refused call the fields that are named, in their order."""
    return [
        tuple(getattr(each, field) for field in fields.split())
        for each in refused(call, kind).problems
    ]


def refusal(error: InvalidInputError) -> list[tuple[str, str, str, str]]:
    """Return path, code, value met and what would be right of each problem."""
    assert all(each.message for each in error.problems)
    return [(each.path, each.code, each.met, each.expected) for each in error.problems]


def refusing(call: Call) -> Callable[[], list[str]]:
    """Return a function that gives the error of a refused call, and code and sentence of each."""

    def sentences() -> list[str]:
        error = refused(call)
        return [type(error).__name__, *(f"{each.code}: {each}" for each in error.problems)]

    return sentences
