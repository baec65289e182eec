"""The pytest plugin: bills that differ side by side, golden files, and a service.

Law: pytest loads this module in every run of everyone who has the package installed, so it imports
nothing but pytest itself; the work is done in `pytest_assertions` and `service_in_memory`, which
are imported when they are needed.
"""

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from rentbilling.adapters.client import RentalClient
    from rentbilling.testing.service_in_memory import ServiceInMemory

_ALL_IS_SHOWN = 2
"""The verbosity from which pytest cuts nothing off."""
_RUNNING: Final[list[pytest.Item]] = []
"""The test that runs, last; several where a test runs pytest itself."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the option that writes golden files anew."""
    _leave_imports_alone(pluginmanager)
    parser.getgroup("rentbilling").addoption(
        "--update-golden",
        action="store_true",
        default=False,
        help="write the golden files of bills anew from what is computed now",
    )


def _leave_imports_alone(pluginmanager: pytest.PytestPluginManager) -> None:
    """Take the package off the list of those whose asserts pytest rewrites.

    Every distribution with a plugin is put on it, whole. The package has no asserts, and where no
    bytecode can be written, compiling it anew would cost each run nearly half a second. Where
    pytest keeps its list elsewhere, the imports are only slower.
    """
    hook = pluginmanager.rewrite_hook
    for name in ("_must_rewrite", "_marked_for_rewrite_cache"):
        listed = getattr(hook, name, None)
        if isinstance(listed, (set, dict)):
            for module in [each for each in listed if each.partition(".")[0] == "rentbilling"]:
                listed.remove(module) if isinstance(listed, set) else listed.pop(module)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note the test that runs, for `assert_matches_golden`."""
    _RUNNING.append(item)
    try:
        return (yield)
    finally:
        _RUNNING.pop()


def running_test() -> pytest.Item | None:
    """Return the test that runs, None outside of pytest."""
    return _RUNNING[-1] if _RUNNING else None


def pytest_assertrepr_compare(
    config: pytest.Config, op: str, left: object, right: object
) -> list[str] | None:
    """Return bills that are not equal side by side; nothing for values of other packages."""
    if op != "==" or not (_may_hold_bills(left) or _may_hold_bills(right)):
        return None
    from rentbilling.testing.pytest_assertions import compared  # noqa: PLC0415 - when it is needed

    # Below -vv pytest shows eight lines, so that what matters must come first.
    brief = config.get_verbosity(pytest.Config.VERBOSITY_ASSERTIONS) < _ALL_IS_SHOWN
    return compared(left, right, brief=brief)


def _may_hold_bills(value: object) -> bool:
    """Return whether a value is of this package, or begins with one that is."""
    first = next(iter(value.values()), None) if isinstance(value, dict) else value
    first = first[0] if isinstance(first, (list, tuple)) and first else first
    return type(first).__module__.startswith("rentbilling.")


@pytest.fixture
def golden_bills(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Return what compares bills with the golden file of this test.

    It is called with the bills, as `assert_matches_golden` takes them, and perhaps with a file name
    next to the test; otherwise the file is `golden/MODULE/TEST.json` there, with the class and the
    parameters of the test in its name. With `--update-golden` the files are written anew.
    """
    from rentbilling.testing.pytest_assertions import golden_comparison  # noqa: PLC0415 - as above

    return golden_comparison(request)


@pytest.fixture
def rental_service() -> "Iterator[ServiceInMemory]":
    """Give a service in memory to one test: no socket, ids from 1, noon of 1 January 2026.

    A fixture of the same name in a `conftest.py` that returns `a_service(moment=…, indices=…)` is
    used in its place, by `rental_client` as well. It needs the extra `client`.
    """
    from rentbilling.testing.service_in_memory import a_service  # noqa: PLC0415 - as above

    service = a_service()
    with service:
        yield service


@pytest.fixture
def rental_client(rental_service: "ServiceInMemory") -> "RentalClient":
    """Return a client of `rental_service` that may do everything."""
    return rental_service.client
