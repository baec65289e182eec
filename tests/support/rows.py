"""A table of rows as one test, which tries them all and names each that fails.

A test of each row (`pytest.mark.parametrize`) is for rows that take long, need a fixture anew or
are skipped: to begin, to report and to send a test takes longer than most rows do.
"""

from collections.abc import Callable, Iterable, Sequence
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]


def rows(
    names: str | Sequence[str],
    values: Iterable[Any],
    *,
    ids: Iterable[object] | None = None,
) -> Callable[[Test], Test]:
    """Give a test each row in turn.

    Args:
        names: The arguments of the test that are in the table, as for `pytest.mark.parametrize`.
        values: The rows.
        ids: What they are called where they fail; otherwise they are shown themselves.
    """
    called = [each.strip() for each in names.split(",")] if isinstance(names, str) else [*names]
    table = [(value,) if len(called) == 1 else tuple(value) for value in values]
    shown = None if ids is None else [str(each) for each in ids]

    def of(test: Test) -> Test:
        def tried(*self: object, **given: object) -> None:
            failed: list[BaseException] = []
            for at, row in enumerate(table):
                try:
                    test(*self, **dict(zip(called, row, strict=True)), **given)
                except pytest.skip.Exception:
                    raise TypeError("a row cannot be skipped") from None
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - all are told
                    name = ", ".join(map(repr, row)) if shown is None else shown[at]
                    error.add_note(f"in the row {name}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"of {len(table)} rows {len(failed)} fail", failed)

        rest = [each for name, each in signature(test).parameters.items() if name not in called]
        for name, value in {
            "__name__": test.__name__,
            "__qualname__": test.__qualname__,
            "__module__": test.__module__,
            "__doc__": test.__doc__,
            "__signature__": signature(test).replace(parameters=rest),
            "pytestmark": getattr(test, "pytestmark", []),
            # Where pytest says that the test is.
            "place_as": getattr(test, "place_as", test),
        }.items():
            setattr(tried, name, value)
        return tried

    return of
