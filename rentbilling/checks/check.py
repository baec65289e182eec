"""Checks whether a bill is consistent in itself.

Laws: a bill that was computed here has no errors under its own policy; a value that does not follow
from others is not checked.
"""

from collections.abc import Hashable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from rentbilling.billing import BillingResult, PendingBill, PendingBillLineItem
from rentbilling.checks.bill_rules import BillChecker, line_findings, payable_findings, sum_findings
from rentbilling.checks.finding import CheckResult, Finding
from rentbilling.checks.plain_bills import are_different_items, is_plainly_right
from rentbilling.checks.stated_bill import StatedBill, stated_bill
from rentbilling.checks.vat_rules import vat_findings
from rentbilling.codec import AnyBills, Given, given_bills
from rentbilling.errors import (
    NOT_BILLS,
    InvalidAmountError,
    InvalidInputError,
    Problem,
    paths_under,
)
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.values import Period, exact_number

_OF_ANY_DAYS: Final = ("balance", "correction", "discount")
"""Kinds of lines that may repeat days of an item."""

_SUMS: Final = MappingProxyType({"payable": "payable", "tax_sum": "taxSum"})
"""Fields of plain data by those of a stated bill."""

_Line = tuple[str | None, PendingBillLineItem]
"""A line with the id of its item, which equality ignores."""

_Item = tuple[str | None, str, object, str | None]
"""The key of an item: its id; or else product, VAT and description."""

_Days = tuple[Period, int]
"""The days of a line, and its place."""


def check_bill(
    bill: AnyBills,
    *,
    policy: BillingPolicy | None = None,
    tolerance: Decimal | int = 0,
) -> CheckResult:
    """Return the errors of a bill that its own figures show.

    Several bills are checked one by one, and each path begins with the place of the bill:
    `bills[1].total`.

    Net prices are compared with quantity and price, VAT totals with the lines of their rate,
    subtotal, total and payable amount with their parts. Lines that seem to bill the same twice give
    a warning.

    Args:
        bill: A bill computed here, read by `loads`, or created by hand; several; a JSON text, or
            plain data as from `json.loads`, whose unreadable parts are findings too.
        policy: Its `rounding`, `vat_rounding` and `cash_rounding` are expected. A result that was
            computed here has its own policy.
        tolerance: Deviation of the VAT of a rate, or its base, that is no error, in the main unit.

    Returns:
        Findings in the order of the rules; none for a correct bill.

    Raises:
        InvalidRecordError: The argument is not a bill, or one of several is not; each with its
            path.
        TypeError: `policy` is not a BillingPolicy.
        InvalidAmountError: The tolerance is not an exact number, or below 0.

    Examples:
        A service adds 25 % VAT to 100.00 and gets 25.01:

        >>> found = check_bill(
        ...     {
        ...         "dueDate": "2026-02-01",
        ...         "pendingBillLineItems": [
        ...             {
        ...                 "productKey": "key:parking",
        ...                 "amount": {"amount": Decimal(100), "currency": "DKK"},
        ...                 "quantity": 1,
        ...                 "unitNetPrice": {"amount": Decimal(100), "currency": "DKK"},
        ...                 "netPrice": {"amount": Decimal(100), "currency": "DKK"},
        ...                 "vat": {"taxMode": "Exclusive", "taxRate": Decimal("0.25")},
        ...                 "accountingPeriod": "2026-02-01/2026-02-28",
        ...             }
        ...         ],
        ...         "subtotal": {"amount": Decimal(100), "currency": "DKK"},
        ...         "vatTotals": [
        ...             {
        ...                 "vat": {"taxMode": "Exclusive", "taxRate": Decimal("0.25")},
        ...                 "amount": {"amount": Decimal("25.01"), "currency": "DKK"},
        ...             }
        ...         ],
        ...         "total": {"amount": Decimal("125.01"), "currency": "DKK"},
        ...     }
        ... )
        >>> print(found)
        error: vatTotals[0].amount is not base × rate (met 25.01; expected 25.00) \
[EN 16931 BR-CO-17, BR-S-09]
    """
    if policy is None and isinstance(bill, BillingResult):
        policy = bill.policy
    rules, slack = policy_of(policy), _slack(tolerance)
    try:
        given = given_bills(bill)
    except InvalidInputError as error:
        if error.code == NOT_BILLS:
            raise error.under("" if error.problems[0].path else "bill") from None
        return CheckResult(map(_unreadable, error.problems))
    return CheckResult(found for each in given for found in _findings(each, rules, slack))


def _slack(tolerance: object) -> Fraction:
    """Return a tolerance, which is exact and not below 0."""
    with paths_under("tolerance"):
        slack = Fraction(exact_number(tolerance, "0.05"))
    if slack < 0:
        said, expected = "is below 0", "0 or more"
        raise InvalidAmountError.of("tolerance", "out_of_range", said, tolerance, expected)
    return slack


def _findings(given: Given, rules: BillingPolicy, slack: Fraction) -> Iterator[Finding]:
    """Yield the findings of one bill, each with the bill's place in its path."""
    try:
        bill = given.read(rules)
        # Sums that plain data may state, and a bill has not.
        sums = {name: given.units(path, rules, bill.currency) for name, path in _SUMS.items()}
    except InvalidInputError as error:
        yield from map(_unreadable, error.problems)
        return
    found: dict[str, Any] = {
        name: Fraction(units, 10**bill.places) for name, units in sums.items() if units is not None
    }
    findings: list[Finding] = []
    if found or not is_plainly_right(bill, rules):
        stated = stated_bill(bill)._replace(**found)
        findings += stated_findings(stated, rules, slack)
    if not are_different_items(bill):
        findings += odd_lines(bill)
    place = f"{given.path}." if given.path else ""
    for each in findings:
        yield each._replace(path=place + each.path)


def stated_findings(
    bill: StatedBill, policy: BillingPolicy, tolerance: Fraction = Fraction(0)
) -> Iterator[Finding]:
    """Yield the findings of a bill's figures."""
    checker = BillChecker(bill, policy)
    yield from line_findings(checker)
    yield from vat_findings(checker, policy, tolerance)
    yield from sum_findings(checker)
    yield from payable_findings(checker, policy)


def _unreadable(problem: Problem) -> Finding:
    """Return a problem of plain data as a finding, with the same code and field."""
    path, rule = problem.path or "bill", "interface: pending bills"
    return Finding(problem.code, "error", path, *problem[2:], rule)


def odd_lines(bill: PendingBill) -> Iterator[Finding]:
    """Yield lines that bill the same twice: equal ones, and overlapping days of one item."""
    lines = bill.pending_bill_line_items
    seen: dict[_Line, int] = {}
    days: dict[tuple[_Item, bool], list[_Days]] = {}
    for at in _uncorrected(lines):
        line = lines[at]
        first = seen.setdefault((line.item_id, line), at)
        if first != at:
            said = f"repeats {_path(first)}"
            met = f"{line.product_key} {line.accounting_period}"
            expected = "one line, or two items by their ids"
            yield Finding("duplicate_line", "warning", _path(at), said, met, expected, "A16")
        else:
            # A credit reduces a charge for the same days, and does not bill them again.
            of = _item(line), line.net_price.amount < 0
            days.setdefault(of, []).append((line.accounting_period, at))
    for (item, _), periods in days.items():
        yield from _overlaps(periods, has_id=item[0] is not None)


def _uncorrected(lines: Sequence[PendingBillLineItem]) -> list[int]:
    """Return the places of lines that no other line credits, except balances and corrections."""
    kept: dict[int, None] = {}
    waiting: dict[Hashable, list[int]] = {}
    for at, line in enumerate(lines):
        # Changes of a balance are billed for the months of their instalments (A39), corrections
        # for days that were billed before (A53), discounts for all days of the bill (A73).
        if line.kind in _OF_ANY_DAYS:
            continue
        of, net = (_item(line), line.accounting_period), line.net_price.amount
        if opposite := waiting.get((of, -net)):
            del kept[opposite.pop()]
        else:
            kept[at] = None
            waiting.setdefault((of, net), []).append(at)
    return list(kept)


def _item(line: PendingBillLineItem) -> _Item:
    """Return the key of an item: its id, or else product, VAT and description."""
    if line.item_id is not None:
        return line.item_id, "", None, None
    return None, line.product_key, line.vat.category, line.description


def _overlaps(periods: list[_Days], *, has_id: bool) -> Iterator[Finding]:
    """Yield the lines of one item that bill days again."""
    periods.sort(key=lambda each: each[0].first)
    (furthest, by), *rest = periods
    for period, at in rest:
        # Lines without ids for the same days may belong to two items, such as two garages.
        if furthest.overlaps(period) and (has_id or period != furthest):
            said, expected = f"bills days of {_path(by)} again", f"no day of {furthest}"
            path, code = f"{_path(at)}.accountingPeriod", "overlapping_periods"
            yield Finding(code, "warning", path, said, str(period), expected, "A19")
        if period.last > furthest.last:
            furthest, by = period, at


def _path(at: int) -> str:
    return f"pendingBillLineItems[{at}]"
