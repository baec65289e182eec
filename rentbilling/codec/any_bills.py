"""Bills in any form that a caller has: a result, bills, a JSON text, or the data of one.

Laws: bills of a service are read as by `loads`, without unknown fields (A50); each bill has
the path of its place in the input.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

from rentbilling.billing import BillingResult, PendingBill
from rentbilling.billing.wire import bill_of
from rentbilling.errors import (
    NOT_BILLS,
    InvalidInputError,
    InvalidRecordError,
    Problem,
    Refusals,
    no_bills,
    paths_under,
    shown,
)
from rentbilling.policy import BillingPolicy
from rentbilling.records import Record, amount_from, read_json
from rentbilling.values import units_of

AnyBills = BillingResult | PendingBill | Iterable[Any] | Mapping[str, Any] | str | bytes
"""The forms of bills: a result, a bill, several, a JSON text, or the data of one:
an object with the key `bills`, one bill, or a list of bills."""

_EXPECTED: Final = "a BillingResult, a PendingBill, several, a JSON text, or its data"

_ENOUGH: Final = 1000
"""Reading stops after so many problems: such input is no list of bills."""


class Given(NamedTuple):
    """A bill as it was given."""

    path: str
    """Its place among several; empty where one was given alone."""
    bill: object
    """A PendingBill, or plain data."""

    def read(self, policy: BillingPolicy) -> PendingBill:
        """Return the bill.

        Raises:
            InvalidInputError: The data cannot be read; every problem with its path.
        """
        if isinstance(self.bill, PendingBill):
            return self.bill
        with paths_under(self.path):
            return bill_of(cast("Any", self.bill), policy)

    @property
    def number(self) -> str | None:
        """The bill's own number, where plain data have one."""
        found = None if isinstance(self.bill, PendingBill) else cast("Any", self.bill).get("number")
        return found if isinstance(found, str) else None

    def units(self, name: str, policy: BillingPolicy) -> int | None:
        """Return minor units of a sum that plain data may state, `payable` or `taxSum`, or None."""
        if isinstance(self.bill, PendingBill):
            return None
        stated = cast("Any", self.bill).get(name)
        currencies = policy.currencies
        if stated is None:
            return None
        return units_of(amount_from(stated, currencies, lenient=True), currencies)


def given_bills(given: AnyBills) -> list[Given]:
    """Return bills one by one, from any of their forms.

    Raises:
        InvalidInputError: A text is not JSON, or the input has no bills; every problem with its
            path.

    Examples:
        >>> given_bills('{"bills": [{"dueDate": "2026-02-01"}]}')
        [Given(path='bills[0]', bill={'dueDate': '2026-02-01'})]
    """
    if isinstance(given, PendingBill):
        return [Given("", given)]
    if isinstance(given, (str, bytes, Mapping)):
        return _given_data(read_json(given) if isinstance(given, (str, bytes)) else given)
    # A record gives its fields where it is iterated, which are no bills.
    if not isinstance(given, Iterable) or isinstance(given, Record):
        raise no_bills("", given, _EXPECTED)
    found: list[Given] = []
    problems: list[Problem] = []
    for at, bill in enumerate(given):
        path = f"bills[{at}]"
        if isinstance(bill, (PendingBill, Mapping)):
            found.append(Given(path, bill))
        elif len(problems) < _ENOUGH:
            expected = "a PendingBill, or its data"
            problems.append(Problem(path, NOT_BILLS, "is no bill", shown(bill), expected))
    if problems:
        raise InvalidRecordError(problems)
    return found


def _given_data(data: Any) -> list[Given]:  # noqa: ANN401
    if isinstance(data, Mapping) and "bills" in data:
        data = data["bills"]
        if not isinstance(data, list):
            raise InvalidRecordError.of("bills", "not_a_list", "is not a list", data, "a list")
    elif not isinstance(data, list):
        return [Given("", data)]
    return [Given(f"bills[{at}]", bill) for at, bill in enumerate(data)]


def read_all(given: Iterable[Given], policy: BillingPolicy) -> list[PendingBill]:
    """Return bills that were given in whatever form.

    Raises:
        InvalidInputError: Something cannot be read; every problem with its path.
    """
    read: list[PendingBill] = []
    refused = Refusals(_ENOUGH)
    for each in given:
        try:
            read.append(each.read(policy))
        except InvalidInputError as error:
            refused.add(error)
    refused.finish()
    return read


def paid_as(bill: PendingBill, payable: int | None) -> PendingBill:
    """Return a bill with the cash rounding that its payable amount implies (A52)."""
    subtotal, total, cash = bill.sums
    if cash is not None or payable is None:
        return bill
    parts = bill.due, bill.currency, bill.places, bill.raw_lines, bill.raw_totals
    return PendingBill(*parts, (subtotal, total, payable - total))
