"""What a call is refused for, as short tuples that a test compares."""

from collections.abc import Callable
from typing import Any

import pytest

from rentbilling import InvalidInputError


def faults(
    call: Callable[[], object],
    kind: type[InvalidInputError] = InvalidInputError,
    fields: str = "path code",
) -> list[Any]:
    """Return of each problem of a refused call the fields that are named, in their order."""
    with pytest.raises(kind) as caught:
        call()
    return [
        tuple(getattr(each, field) for field in fields.split()) for each in caught.value.problems
    ]


def refusing(call: Callable[[], object]) -> Callable[[], list[str]]:
    """Return what gives the error of a refused call, and code and sentence of each problem."""

    def said() -> list[str]:
        with pytest.raises(InvalidInputError) as caught:
            call()
        problems = caught.value.problems
        return [type(caught.value).__name__, *(f"{each.code}: {each}" for each in problems)]

    return said
