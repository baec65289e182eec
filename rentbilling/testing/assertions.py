"""Assertions about bills: equal to others or to those of a golden file, consistent in themselves.

Law: an assertion that fails shows both sides and says of each difference where it is and how large.
"""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final

from rentbilling import BillingPolicy, BillingResult, InvalidInputError, PendingBill, check_bill
from rentbilling.checks import Ignored
from rentbilling.tables import counted
from rentbilling.testing.given_bills import AnyBills, bills_in
from rentbilling.testing.golden import golden_text
from rentbilling.testing.pytest_plugin import running_test
from rentbilling.testing.side_by_side import bill_table

_HOW: Final = "run pytest --update-golden, or pass update=True,"


def bill_diff(
    expected: AnyBills,
    actual: AnyBills,
    *,
    ignore: tuple[Ignored, ...] = (),
    policy: BillingPolicy | None = None,
) -> str:
    """Return the differences of bills as an aligned table with a sentence for each.

    What counts as a difference, `rentbilling.compare_bills` says; where the expected side is a
    result that was computed here, it also looks for the cause.

    Args:
        expected: The bills as they should be: a result, bills, a JSON text or plain data.
        actual: The bills as they are, in any of these forms.
        ignore: What is not compared, such as `("due_date",)`; see `rentbilling.compare_bills`.
        policy: How the expected bills were computed, where they do not know it themselves; and for
            reading half-open periods and private currencies.

    Returns:
        The text; empty where the bills are equal.

    Raises:
        InvalidInputError: One side cannot be read; the message says which.

    Examples:
        >>> from rentbilling.testing import a_bill, a_line
        >>> print(bill_diff(a_bill(), a_bill(a_line(), total="8500.01")))
        1 difference
        <BLANKLINE>
                                          expected                      actual
          due 2026-02-01 in DKK
          key:rent 2026-02-01/2026-02-28  1 × 8500.00 = 8500.00 Exempt  1 × 8500.00 = 8500.00 Exempt
          VAT Exempt                      0.00                          0.00
          subtotal                        8500.00                       8500.00
        * total                           8500.00                       8500.01
        <BLANKLINE>
        due 2026-02-01, total: expected 8500.00 DKK, actual 8500.01 DKK, actual is 0.01 higher
    """
    return bill_table(expected, actual, ignore=ignore, policy=policy)


def assert_bills_equal(
    expected: AnyBills,
    actual: AnyBills,
    *,
    ignore: tuple[Ignored, ...] = (),
    policy: BillingPolicy | None = None,
) -> None:
    """Fail unless bills are equal, with a message that shows both sides and each difference.

    Args:
        expected: The bills as they should be: a result, bills, a JSON text or plain data.
        actual: The bills as they are, in any of these forms.
        ignore: What is not compared, such as `("due_date",)`; see `rentbilling.compare_bills`.
        policy: How the expected bills were computed, where they do not know it themselves; and for
            reading half-open periods and private currencies.

    Raises:
        AssertionError: They differ; see `bill_diff`.
        InvalidInputError: One side cannot be read; the message says which.

    Examples:
        >>> from rentbilling import pending_bills
        >>> from rentbilling.testing import a_bill, a_rent
        >>> assert_bills_equal(a_bill(), pending_bills(a_rent(), "2026-02-01/2026-02-28"))
    """
    # pytest shows the frame that is not hidden: the caller's.
    __tracebackhide__ = True
    if different := bill_diff(expected, actual, ignore=ignore, policy=policy):
        raise AssertionError(f"the bills differ: {different}")


def assert_bill_consistent(
    bill: AnyBills, *, policy: BillingPolicy | None = None, tolerance: Decimal | int = 0
) -> None:
    """Fail unless bills are consistent in themselves, with a message that shows every finding.

    Args:
        bill: A bill, several, a result, a JSON text or plain data.
        policy: How it should be rounded, as for `rentbilling.check_bill`.
        tolerance: By how much the VAT of a rate may be off and be no error, in the main unit.

    Raises:
        AssertionError: There are errors; warnings and information are listed with them, and alone
            fail nothing.

    Examples:
        >>> from rentbilling.testing import a_bill, a_line
        >>> assert_bill_consistent(a_bill())
        >>> assert_bill_consistent(a_bill(a_line(), total="8500.01"))
        Traceback (most recent call last):
        AssertionError: the bill contradicts itself: 1 error
        <BLANKLINE>
        error: total is not subtotal + VAT totals (met 8500.01; expected 8500.00) \
[EN 16931 BR-CO-14, BR-CO-15]
    """
    __tracebackhide__ = True
    found = check_bill(bill, policy=policy, tolerance=tolerance)
    if not found.is_consistent:
        errors = counted(len(found.errors), "error")
        raise AssertionError(f"the bill contradicts itself: {errors}\n\n{found}")


def assert_matches_golden(
    result: AnyBills,
    path: Path | str,
    *,
    update: bool | None = None,
    policy: BillingPolicy | None = None,
) -> None:
    """Fail unless bills are those of a golden file, which is written only when one asks for it.

    Args:
        result: The bills as they are: a result, bills, a JSON text or plain data.
        path: The golden file; within a test of pytest, a relative path begins at the folder of the
            test file.
        update: Whether to write the file anew where the bills are others, instead of failing; by
            default if pytest was called with `--update-golden`.
        policy: For half-open periods and private currencies; a computed result has its own.

    Raises:
        AssertionError: The file is missing, cannot be read, or has other bills; the message says
            how to write it.
        InvalidInputError: The given text or data cannot be read.

    Examples:
        >>> from rentbilling.testing import a_bill, a_line
        >>> assert_matches_golden(a_bill(), "no/such/file.json")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        AssertionError: there is no golden file ...no/such/file.json; run pytest \
--update-golden, or pass update=True, to write it
    """
    __tracebackhide__ = True
    file, test = Path(path), running_test()
    if test is not None:
        file = test.path.parent / file
        if update is None:
            update = test.config.getoption("--update-golden", default=False)
    if policy is None and isinstance(result, BillingResult):
        policy = result.policy
    found = bills_in(result, policy=policy, side="actual")
    wrong = _wrong_with(file, found, policy)
    if wrong is None:
        return
    if not update:
        raise AssertionError(wrong)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(golden_text(found, policy=policy), encoding="utf-8")


def _wrong_with(
    file: Path, found: Sequence[PendingBill], policy: BillingPolicy | None
) -> str | None:
    """Return how a golden file differs from the bills; None if it does not."""
    name = file.as_posix()
    if not file.exists():
        return f"there is no golden file {name}; {_HOW} to write it"
    try:
        expected = bills_in(file.read_bytes(), policy=policy)
    except InvalidInputError as error:
        return f"the golden file {name} cannot be read; {_HOW} to write it anew\n\n{error}"
    different = bill_diff(expected, found, policy=policy)
    if not different:
        return None
    said = f"the bills are not those of {name}: {different}"
    return f"{said}\n\nIf they are right, {_HOW} to write the file anew."
