"""What was found as data for machines: every field of a finding or difference by its name.

Laws: every field is there, absent values as null; names are camelCase, as on the wire; figures keep
all their digits.
"""

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from rentbilling.checks.finding import CheckResult, Severity
from rentbilling.values.money import Amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rentbilling.adapters.cli.bill_files import GivenBill
    from rentbilling.billing.bill import PendingBill
    from rentbilling.checks.difference import Comparison


def check_report(checked: "Sequence[tuple[GivenBill, CheckResult]]") -> dict[str, Any]:
    """Return what a check found, bill by bill, and how much of it there is."""
    found = Counter(each.severity for _, result in checked for each in result)
    consistent = sum(result.is_consistent for _, result in checked)
    return {
        "bills": [
            {
                "leaseId": given.lease_id,
                "dueDate": _plain(given.due_date),
                "total": _plain(given.total),
                "isConsistent": result.is_consistent,
                "findings": [*map(_fields, result)],
            }
            for given, result in checked
        ],
        "counts": {
            "bills": len(checked),
            "consistent": consistent,
            **{each: found[each] for each in get_args(Severity)},
        },
    }


def comparison_report(
    comparison: "Comparison", actual: "Sequence[PendingBill]", equal: int
) -> dict[str, Any]:
    """Return what a comparison found, and how much of it there is."""
    return {
        "isEqual": comparison.is_equal,
        "differences": [*map(_fields, comparison)],
        "causes": [*comparison.causes],
        "counts": {
            "expected": comparison.bills,
            "actual": len(actual),
            "equal": equal,
            "differences": len(comparison),
            "byCode": dict(Counter(each.code for each in comparison).most_common()),
        },
    }


def _fields(found: NamedTuple) -> dict[str, Any]:
    return {_camel(name): _plain(value) for name, value in found._asdict().items()}


def _camel(name: str) -> str:
    """Return the name of a field as it is on the wire."""
    first, *more = name.split("_")
    return first + "".join(map(str.capitalize, more))


def _plain(value: Amount | date | str | None) -> dict[str, Any] | str | None:
    """Return a value as plain data."""
    if isinstance(value, Amount):
        return {"currency": value.currency, "amount": value.amount}
    return value.isoformat() if isinstance(value, date) else value
