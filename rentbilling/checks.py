"""Checks: is a bill consistent in itself, whoever made it?

Laws: a bill that was computed here has no errors under the policy that it was computed under; what
no other figure of the bill determines is not judged.
What does not live here: the rules (`bill_checks`, `vat_checks`), comparing a bill with the one that
is expected (`comparisons`).
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rentbilling.bill_checks import Judge, line_findings, payable_findings, sum_findings
from rentbilling.bill_reading import bill_of
from rentbilling.errors import InvalidAmountError, InvalidInputError, Problem, shown
from rentbilling.findings import CheckResult, Finding
from rentbilling.line_items import PendingBillLineItem
from rentbilling.money import exact_number
from rentbilling.periods import Period
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.results import PendingBill
from rentbilling.stated_bills import StatedBill, stated_bill
from rentbilling.vat_checks import vat_findings

_Line = tuple[str | None, PendingBillLineItem]
"""A line with the id of its item, which is no part of its equality."""

_Days = tuple[Period, int]
"""The days of a line, and its place."""


def check_bill(
    bill: PendingBill | Mapping[str, Any],
    *,
    policy: BillingPolicy | None = None,
    tolerance: Decimal | int = 0,
) -> CheckResult:
    """Return what is wrong with a bill as far as its own figures tell.

    Net prices against quantity and price, VAT totals against the lines of their rate, subtotal,
    total and payable amount against their parts, and lines that look like the same thing twice.

    Args:
        bill: A bill computed here, read by `loads`, or made by hand; or plain data, as `json.loads`
            gives it, of which what cannot be read is found too.
        policy: How it should be rounded: `rounding`, `vat_rounding` and `cash_rounding` count.
        tolerance: By how much the VAT of a rate, or its base, may be off and be no error, in the
            main unit.

    Returns:
        Findings in the order of the rules; none of a bill that is right.

    Raises:
        TypeError: It is no bill, or the policy no policy.
        InvalidAmountError: The tolerance is no number, or below 0.

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
    rules = policy_of(policy)
    slack = Fraction(exact_number(tolerance, "an amount such as 0.05"))
    if slack < 0:
        said, expected = "is below 0", "0 or more"
        raise InvalidAmountError.of("tolerance", "out_of_range", said, tolerance, expected)
    payable: Fraction | None = None
    if isinstance(bill, Mapping):
        try:
            read = bill_of(dict(bill), rules)
        except InvalidInputError as error:
            return CheckResult(map(_unreadable, error.problems))
        payable = _payable(bill)
    elif isinstance(bill, PendingBill):
        read = bill
    else:
        raise TypeError(f"check_bill takes a PendingBill or plain data, not {shown(bill)}")
    stated = stated_bill(read)._replace(payable=payable)
    return CheckResult((*stated_findings(stated, rules, slack), *_odd_lines(read)))


def stated_findings(
    bill: StatedBill, policy: BillingPolicy, tolerance: Fraction = Fraction(0)
) -> Iterator[Finding]:
    """Give what is wrong with the figures of a bill, whatever it was read from.

    Args:
        bill: The figures.
        policy: How they should be rounded.
        tolerance: By how much a VAT or its base may be off.

    Yields:
        The findings.
    """
    judge = Judge(bill, policy)
    yield from line_findings(judge)
    yield from vat_findings(judge, policy, tolerance)
    yield from sum_findings(judge)
    yield from payable_findings(judge, policy)


def _unreadable(problem: Problem) -> Finding:
    """Return what is wrong with plain data as a finding: a code of reading, and the field."""
    return Finding(
        problem.code,
        "error",
        problem.path or "bill",
        problem.message,
        problem.met,
        problem.expected,
        "interface: pending bills",
    )


def _payable(data: Mapping[str, Any]) -> Fraction | None:
    """Return what plain data says is to be paid; its form has been judged."""
    stated = data.get("payable")
    return None if stated is None else Fraction(stated["amount"])


def _odd_lines(bill: PendingBill) -> Iterator[Finding]:
    """Give lines that bill the same thing twice: equal ones, and days of one item that overlap."""
    seen: dict[_Line, int] = {}
    days: dict[str, list[_Days]] = {}
    for at, line in enumerate(bill.pending_bill_line_items):
        # Changes of a balance are billed for whatever months they are paid in (A39).
        if line.kind == "balance":
            continue
        period = line.accounting_period
        first = seen.setdefault((line.item_id, line), at)
        if first != at:
            said = f"repeats {_path(first)}"
            met, expected = f"{line.product_key} {period}", "one line, or two items by their ids"
            yield Finding("duplicate_line", "warning", _path(at), said, met, expected, "A16")
        elif line.item_id is not None:
            days.setdefault(line.item_id, []).append((period, at))
    for periods in days.values():
        periods.sort(key=lambda each: each[0].first)
        for (one, first), (other, at) in pairwise(periods):
            if one.overlaps(other):
                said = f"bills days of {_path(first)} again"
                path, expected = f"{_path(at)}.accountingPeriod", f"no day of {one}"
                code = "overlapping_periods"
                yield Finding(code, "warning", path, said, str(other), expected, "A19")


def _path(at: int) -> str:
    """Return where a line stands."""
    return f"pendingBillLineItems[{at}]"
