"""Bills in any form that a caller has: a result, bills, a JSON text, or the data of one.

Laws: bills of a service are read as by `loads`, without unknown fields (A50); each bill has
the path of its place in the input.
"""

from collections.abc import Iterable, Mapping, Sequence
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
    other_currency,
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

_PARTS: Final = frozenset(["pendingBillLineItems", "subtotal", "vatTotals"])
"""Fields of which bills of the interface have at least one."""
_OTHERS: Final = frozenset(
    ["dueDate", "total", "cashRounding", "payable", "taxSum", "leaseId", "number"]
)
"""Fields that do not show which form it is."""
_FEW: Final = 3
_FORM: Final = (
    "dueDate, pendingBillLineItems, subtotal, vatTotals and total; tables are read by a BillTable,"
    " or `verify --map`"
)
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

    def units(self, name: str, policy: BillingPolicy, currency: str) -> int | None:
        """Return minor units of a sum that plain data may state, `payable` or `taxSum`, or None.

        Raises:
            InvalidInputError: It is no amount, or not in the bill's `currency`.
        """
        if isinstance(self.bill, PendingBill):
            return None
        stated = cast("Any", self.bill).get(name)
        if stated is None:
            return None
        place = f"{self.path}.{name}" if self.path else name
        with paths_under(place):
            amount = amount_from(stated, policy.currencies, lenient=True)
            if amount.currency != currency:
                raise other_currency("currency", amount.currency, currency)
            return units_of(amount, policy.currencies)


def given_bills(given: AnyBills) -> list[Given]:
    """Return bills one by one, from any of their forms.

    Raises:
        InvalidInputError: A text is not JSON, or the input has no bills, or those of another form;
            every problem with its path.

    Examples:
        >>> given_bills('{"bills": [{"dueDate": "2026-02-01"}]}')
        [Given(path='bills[0]', bill={'dueDate': '2026-02-01'})]
    """
    found = _given_bills(given)
    refuse_other_form([each.bill for each in found])
    return found


def refuse_other_form(bills: Sequence[object]) -> None:
    """Refuse data none of which have the parts of a bill, and of which some have other fields.

    Raises:
        InvalidRecordError: They are of another form.

    Examples:
        >>> refuse_other_form([{"number": "17", "dueOn": "2026-02-01"}])
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: bills: are not those of the interface \
(met 'number', 'dueOn'; expected dueDate, pendingBillLineItems, subtotal, vatTotals and total; \
tables are read by a BillTable, or `verify --map`)
    """
    data = [each for each in bills if isinstance(each, Mapping)]
    if any(not _PARTS.isdisjoint(each) for each in data):
        return
    fields = dict.fromkeys(key for each in data for key in each)
    if not _OTHERS.issuperset(fields):
        met = ", ".join([*map(shown, fields)][:_FEW]) + (", …" if len(fields) > _FEW else "")
        said = "are not those of the interface"
        raise InvalidRecordError([Problem("bills", NOT_BILLS, said, met, _FORM)])


def _given_bills(given: AnyBills) -> list[Given]:
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
