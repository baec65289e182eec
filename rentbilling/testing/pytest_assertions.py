"""What the pytest plugin does once it is needed: compare bills, find the golden file of a test.

Laws: what is not ours is left to pytest; two tests of a run never share a golden file unless they
name it.
"""

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from rentbilling import BillingResult, PendingBill, PendingBillLineItem
from rentbilling.testing.assertions import assert_matches_golden
from rentbilling.testing.field_by_field import fields_that_differ
from rentbilling.testing.given_bills import AnyBills
from rentbilling.testing.side_by_side import bill_table, line_table

T = TypeVar("T")

_SIDES: Final = ("left", "right")
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_.-]+")
_OWNERS: Final = pytest.StashKey[dict[str, str]]()
"""Which test has which golden file in this run."""


def compared(left: object, right: object, *, brief: bool = False) -> list[str] | None:
    """Return the explanation of `assert left == right` for what is ours, line by line.

    Bills and line items are shown side by side, records field by field, dicts of them key by
    key.

    Examples:
        >>> from rentbilling.testing import a_bill
        >>> compared(a_bill(), a_bill(due="2026-02-02"))[0]
        'the bills differ: 1 difference'
        >>> compared([a_bill()], (a_bill(),))
        ['the bills are equal, but the left side is a list, the right one a tuple']
        >>> compared("8500.00", a_bill())
    """
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return _by_key(left, right, brief=brief)
    wanted, found = _all_of(PendingBill, left), _all_of(PendingBill, right)
    if wanted is not None and found is not None:
        what = "bills"
        first = left if isinstance(left, BillingResult) else wanted
        text = bill_table(first, found, _SIDES, brief=brief)
    else:
        lines = _all_of(PendingBillLineItem, left), _all_of(PendingBillLineItem, right)
        if lines[0] is None or lines[1] is None:
            return fields_that_differ(left, right)
        what, text = "line items", line_table(lines[0], lines[1], _SIDES, brief=brief)
    if text:
        return f"the {what} differ: {text}".splitlines()
    if type(left) is type(right):
        return [f"the {what} are equal except for their order"]
    kinds = type(left).__name__, type(right).__name__
    return [f"the {what} are equal, but the left side is a {kinds[0]}, the right one a {kinds[1]}"]


def _by_key(
    left: Mapping[Any, object], right: Mapping[Any, object], *, brief: bool
) -> list[str] | None:
    """Return the explanation of two dicts, None if no figures of this package differ in them."""
    listed: list[str] = []
    ours = False
    for key in dict.fromkeys((*left, *right)):
        if key not in left or key not in right:
            listed.append(f"{key!r}: only the {_SIDES[key in right]} side has it")
        elif left[key] != right[key]:
            inner = compared(left[key], right[key], brief=brief)
            ours = ours or inner is not None
            first, *more = inner or [f"left {left[key]!r}, right {right[key]!r}"]
            listed += [f"{key!r}: {first}", *more]
    return listed if ours else None


def _all_of(kind: type[T], value: object) -> tuple[T, ...] | None:
    """Return a value's parts of one kind, itself where it is one, None for anything else."""
    if isinstance(value, kind):
        return (value,)
    if not isinstance(value, (BillingResult, list, tuple)):
        return None
    parts = tuple(each for each in value if isinstance(each, kind))
    return parts if len(parts) == len(value) else None


def golden_comparison(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Return what compares bills with the golden file of a test; see the fixture `golden_bills`."""
    calls = count(1)

    def compare(result: AnyBills, name: str | None = None, **options: Any) -> None:  # noqa: ANN401
        __tracebackhide__ = True
        options.setdefault("update", request.config.getoption("--update-golden", default=False))
        folder = request.path.parent
        if name is None:
            path = folder / golden_name(request, next(calls))
            _refuse_shared(request, path)
        else:
            path = folder / name
        assert_matches_golden(result, path, **options)

    return compare


def golden_name(request: pytest.FixtureRequest, call: int) -> str:
    """Return the golden file of a test: `golden/MODULE/CLASS/TEST-PARAMETERS.json`.

    What a file name cannot hold becomes an underscore, and a mark that keeps such names apart
    follows it; so does the number of a later call in one test.
    """
    node = request.node
    classes = [each.name for each in node.listchain() if isinstance(each, pytest.Class)]
    test = getattr(node, "originalname", None) or node.name
    parameters = node.name.removeprefix(test).removeprefix("[").removesuffix("]")
    if parameters:
        safe = _NOT_IN_A_NAME.sub("_", parameters)
        mark = "" if safe == parameters else f"-{sha256(parameters.encode()).hexdigest()[:8]}"
        test = f"{test}-{safe}{mark}"
    if call > 1:
        test = f"{test}.{call}"
    return "/".join(("golden", request.path.stem, *classes, f"{test}.json"))


def _refuse_shared(request: pytest.FixtureRequest, path: Path) -> None:
    """Refuse a golden file that another test of the run already has."""
    owners = request.config.stash.setdefault(_OWNERS, {})
    # Some file systems do not tell letters of two cases apart.
    test = request.node.nodeid
    owner = owners.setdefault(str(path).casefold(), test)
    if owner != test:
        said = f"the golden file {path.as_posix()} is that of {owner}"
        raise AssertionError(f"{said}; give one of the two a name: golden_bills(bills, name)")
