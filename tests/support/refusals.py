"""Short ways to say how a call is refused."""

from collections.abc import Callable

import pytest

from rentbilling.errors import InvalidInputError

Call = Callable[[], object]


def refused(call: Call) -> InvalidInputError:
    """Return the error with which a call is refused."""
    with pytest.raises(InvalidInputError) as caught:
        call()
    return caught.value


def faults(call: Call) -> str:
    """Return the kind of the error with which a call is refused: path and code of each problem.

    For example "InvalidRecordError: name empty_text, values missing".
    """
    error = refused(call)
    found = (" ".join(filter(None, (each.path, each.code))) for each in error.problems)
    return f"{type(error).__name__}: {', '.join(found)}"
