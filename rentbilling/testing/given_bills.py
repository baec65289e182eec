"""Bills in whatever form a test has them: computed, made by hand, as JSON, or as plain data.

Law: what a service returned is read as `rentbilling.loads` reads it, fields that we do not know
passed over (A50).
What does not live here: how bills are compared (`side_by_side`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rentbilling import BillingPolicy, BillingResult, PendingBill
from rentbilling.bill_reading import bill_of, bills_of
from rentbilling.json_text import read_json
from rentbilling.policy import policy_of

AnyBills = BillingResult | PendingBill | Iterable[Any] | Mapping[str, Any] | str | bytes
"""A result, a bill, several, a JSON text, or the data that one holds."""


def bills_in(given: AnyBills, *, policy: BillingPolicy | None = None) -> tuple[PendingBill, ...]:
    """Return the bills that a test has in some form.

    Args:
        given: A result, a bill, several, a JSON text, or its data: an object with the key `bills`,
            one bill, or a list of bills.
        policy: For half-open periods and private currencies; a computed result needs none.

    Returns:
        The bills in the order in which they stand there.

    Raises:
        InvalidInputError: The text or the data cannot be read; every problem with its path.
        TypeError: It is none of these.

    Examples:
        >>> bills_in('{"bills": []}')
        ()
    """
    if isinstance(given, PendingBill):
        return (given,)
    if isinstance(given, BillingResult):
        return given.bills
    rules = policy_of(policy)
    data: Any = read_json(given) if isinstance(given, (str, bytes)) else given
    if isinstance(data, Mapping):
        return bills_of(data, rules).bills if "bills" in data else (bill_of(data, rules),)
    if not isinstance(data, Iterable):
        kinds = "a BillingResult, PendingBills, a JSON text or its data"
        raise TypeError(f"bills are {kinds}, not {type(given).__name__}")
    several = list(data)
    if all(isinstance(each, PendingBill) for each in several):
        return tuple(several)
    return bills_of({"bills": several}, rules).bills
