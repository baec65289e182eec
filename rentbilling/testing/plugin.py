"""What the pytest plugin does once it is needed: compare bills, find the golden file of a test.

Law: what are no bills or line items is left to pytest.
What does not live here: the hooks (`pytest_plugin`), which must not import this before.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from rentbilling import BillingResult, PendingBill, PendingBillLineItem
from rentbilling.testing.assertions import assert_matches_golden
from rentbilling.testing.given_bills import AnyBills
from rentbilling.testing.side_by_side import bill_table, line_table

T = TypeVar("T")

_SIDES: Final = ("left", "right")
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_.-]+")


def compared(left: object, right: object) -> list[str] | None:
    """Return the explanation of `assert left == right` for bills and line items, line by line.

    Args:
        left: What stands left of `==`; which side is the expected one, a project decides.
        right: What stands right of it.

    Returns:
        The explanation; None for anything else.

    Examples:
        >>> from rentbilling.testing import a_bill
        >>> compared(a_bill(), a_bill(due="2026-02-02"))[0]
        'the bills differ: 1 difference'
        >>> compared([a_bill()], (a_bill(),))
        ['the bills are equal, but the left side is a list, the right one a tuple']
        >>> compared("8500.00", a_bill())
    """
    wanted, found = _all_of(PendingBill, left), _all_of(PendingBill, right)
    if wanted is not None and found is not None:
        what = "bills"
        text = bill_table(left if isinstance(left, BillingResult) else wanted, found, _SIDES)
    else:
        lines = _all_of(PendingBillLineItem, left), _all_of(PendingBillLineItem, right)
        if lines[0] is None or lines[1] is None:
            return None
        what, text = "line items", line_table(lines[0], lines[1], _SIDES)
    if text:
        return f"the {what} differ: {text}".splitlines()
    if type(left) is type(right):
        return [f"the {what} are equal but for the order in which they stand"]
    kinds = type(left).__name__, type(right).__name__
    return [f"the {what} are equal, but the left side is a {kinds[0]}, the right one a {kinds[1]}"]


def _all_of(kind: type[T], value: object) -> tuple[T, ...] | None:
    """Return a value's parts of one kind, itself where it is one, None for anything else."""
    if isinstance(value, kind):
        return (value,)
    if not isinstance(value, (BillingResult, list, tuple)):
        return None
    parts = tuple(each for each in value if isinstance(each, kind))
    return parts if len(parts) == len(value) else None


def golden_comparison(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Return what compares bills with the golden file of a test; see the fixture `golden_bills`.

    Args:
        request: Of the test.

    Returns:
        A function of the bills and perhaps a file name; other options are those of
        `assert_matches_golden`.
    """

    def compare(result: AnyBills, name: str | None = None, **options: Any) -> None:  # noqa: ANN401
        __tracebackhide__ = True
        options.setdefault("update", request.config.getoption("--update-golden", default=False))
        assert_matches_golden(result, golden_path(request, name), **options)

    return compare


def golden_path(request: pytest.FixtureRequest, name: str | None) -> Path:
    """Return the golden file of a test: as named beside it, or `golden/MODULE/TEST.json` there.

    Args:
        request: Of the test.
        name: A file name, relative to the folder of the test file.

    Returns:
        The path.
    """
    if name is None:
        test = _NOT_IN_A_NAME.sub("_", request.node.name).strip("_")
        name = f"golden/{request.path.stem}/{test}.json"
    return request.path.parent / name
