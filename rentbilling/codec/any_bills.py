"""Given bills: what a caller has bills in, as a result, as bills, as a JSON text or as its data.

Laws: a bill that a service returned is read as `loads` reads it, fields that we do not know passed
over (A50); each bill keeps the place where it was given.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

from rentbilling.billing.bill import BillingResult, PendingBill
from rentbilling.codec.bill_reader import bill_of
from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, error_of, shown
from rentbilling.policy import BillingPolicy
from rentbilling.records.fields import amount_from
from rentbilling.records.json_text import read_json
from rentbilling.records.record import Record
from rentbilling.values.money import units_of

AnyBills = BillingResult | PendingBill | Iterable[Any] | Mapping[str, Any] | str | bytes
"""What bills may be given in: a result, a bill, several, a JSON text, or the data that one holds:
an object with the key `bills`, one bill, or a list of bills."""

NOT_BILLS: Final = "not_bills"
"""Code of what is nothing that holds bills, or none among them."""
_EXPECTED: Final = "a BillingResult, a PendingBill, several, a JSON text, or its data"

_ENOUGH: Final = 1000
"""Problems after which no more are looked for: what has so many is no list of bills."""


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
        try:
            return bill_of(cast("Any", self.bill), policy)
        except InvalidInputError as error:
            raise error.under(self.path) from None

    def payable(self, policy: BillingPolicy) -> int | None:
        """Return what plain data that can be read says is to be paid."""
        if isinstance(self.bill, PendingBill):
            return None
        stated = cast("Any", self.bill).get("payable")
        currencies = policy.currencies
        if stated is None:
            return None
        return units_of(amount_from(stated, currencies, lenient=True), currencies)


def given_bills(given: AnyBills) -> list[Given]:
    """Return bills one by one, whatever they are given in.

    Raises:
        InvalidInputError: A text is not JSON, it or the data holds no bills, or it is nothing that
            holds bills; every problem with its path.

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
        raise InvalidRecordError.of("", NOT_BILLS, "holds no bills", given, _EXPECTED)
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
    """Return the bills of a JSON text or its data; what is none of them is found by reading it."""
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
    problems: list[Problem] = []
    kinds: list[type[InvalidInputError]] = []
    for each in given:
        try:
            read.append(each.read(policy))
        except InvalidInputError as error:
            problems += error.problems
            kinds.append(type(error))
            if len(problems) >= _ENOUGH:
                break
    if problems:
        raise error_of(problems, kinds)
    return read


def paid_as(bill: PendingBill, payable: int | None) -> PendingBill:
    """Return a bill with the rounding that its payable amount shows, where it tells none (A52)."""
    subtotal, total, cash = bill.sums
    if cash is not None or payable is None:
        return bill
    parts = bill.due, bill.currency, bill.places, bill.raw_lines, bill.raw_totals
    return PendingBill(*parts, (subtotal, total, payable - total))
