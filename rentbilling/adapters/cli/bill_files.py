"""Bills as a file holds them: an object with `bills`, a list of bills, or one bill.

Laws: what is no list of bills is refused with the name of its file; a bill of which something
cannot be read is left to the check, which says what.
What does not live here: reading bytes (`streams`), what a bill consists of (the core).
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from rentbilling.adapters.cli.streams import Refusal, read_bytes, refusing
from rentbilling.errors import InvalidInputError, InvalidRecordError

if TYPE_CHECKING:
    from datetime import date

    from rentbilling.json_text import JsonData
    from rentbilling.money import Amount
    from rentbilling.policy import BillingPolicy
    from rentbilling.results import BillingResult, PendingBill

T = TypeVar("T")

_BILLS: Final = "bills"
_OF_A_BILL: Final = ("dueDate", "pendingBillLineItems", "subtotal", "vatTotals", "total")
"""Fields by which an object is a bill; any of them will do."""


class GivenBill(NamedTuple):
    """A bill of a file."""

    data: Mapping[str, Any]
    """As the file has it."""
    bill: "PendingBill | None"
    """As it was read; None where something of it cannot be read."""
    due_date: "date | None"
    """When it falls due; None where that cannot be read."""
    total: "Amount | None"
    """What it comes to; None where that cannot be read."""


def given_bills(name: str, policy: "BillingPolicy") -> list[GivenBill]:
    """Return the bills of a file, also those of which something cannot be read.

    Args:
        name: Of the file, or `-` for standard input.
        policy: For half-open periods and private currencies.

    Returns:
        The bills in order.

    Raises:
        Refusal: The file cannot be read, or holds no bills.
    """
    given = read_bytes(name)
    with refusing(name):
        return [_given(data, policy) for data in _each(_bills_data(given))]


def _given(data: Mapping[str, Any], policy: "BillingPolicy") -> GivenBill:
    """Return a bill, as far as it can be read; what is wrong with it, the check says."""
    from rentbilling.bill_reading import bill_of
    from rentbilling.periods import parse_date
    from rentbilling.reading import amount_from

    def total(value: object) -> "Amount":
        return amount_from(value, policy.currencies, lenient=True)

    bill = _unless_wrong(data, lambda fields: bill_of(fields, policy))
    if bill is not None:
        return GivenBill(data, bill, bill.due_date, bill.total)
    due = _unless_wrong(data.get("dueDate"), parse_date)
    return GivenBill(data, None, due, _unless_wrong(data.get("total"), total))


def _unless_wrong(data: "JsonData", read: Callable[[Any], T]) -> "T | None":
    """Return what data holds; None where it is absent or wrong."""
    try:
        return None if data is None else read(data)
    except InvalidInputError:
        return None


def read_bills(name: str, policy: "BillingPolicy") -> "Sequence[PendingBill]":
    """Return the bills of a file, every one of them well formed.

    Args:
        name: Of the file, or `-` for standard input.
        policy: For half-open periods and private currencies.

    Returns:
        The bills in order.

    Raises:
        Refusal: The file cannot be read, holds no bills, or something of a bill cannot be read.
    """
    given = read_bytes(name)
    with refusing(name):
        return _result(_bills_data(given), policy).bills


def _result(
    data: "Mapping[str, JsonData] | list[JsonData]", policy: "BillingPolicy"
) -> "BillingResult":
    """Return what data holds as a result; of a list of bills, or one, nothing else is known."""
    from rentbilling.bill_reading import bill_of, bills_of
    from rentbilling.results import BillingResult

    if isinstance(data, list):
        try:
            return bills_of({_BILLS: data}, policy)
        except InvalidInputError as error:
            raise error.within(_BILLS) from None
    return bills_of(data, policy) if _BILLS in data else BillingResult([bill_of(data, policy)])


def earlier_bills(name: str, policy: "BillingPolicy | None") -> "BillingResult":
    """Return the earlier bills that a file holds, every one of them well formed.

    Args:
        name: Of the file, or `-` for standard input.
        policy: For half-open periods and private currencies.

    Returns:
        The bills, with their lease where the file tells it.

    Raises:
        Refusal: The file cannot be read, holds no bills, or something of a bill cannot be read.
    """
    from rentbilling.policy import policy_of

    given = read_bytes(name)
    with refusing(name):
        return _result(_bills_data(given), policy_of(policy))


@contextmanager
def refusing_earlier(names: "Sequence[str]") -> "Generator[None]":
    """Turn what the library refuses of earlier bills into a refusal of the file they came from.

    Args:
        names: Of the files, in the order in which their bills are given.

    Yields:
        Nothing.

    Raises:
        Refusal: The library refused bills of a file; the first such file is named.
    """
    try:
        yield
    except InvalidInputError as error:
        for at, name in enumerate(names):
            place = f"already_billed[{at}]"
            own = [each for each in error.problems if each.path.startswith(f"{place}.")]
            if own:
                shown = type(error)(own).within(place)
                raise Refusal(name, map(str, shown.problems)) from None
        raise


def _bills_data(given: bytes) -> "Mapping[str, JsonData] | list[JsonData]":
    """Return what a JSON text holds: a list, or an object that is bills or a bill."""
    from rentbilling.json_text import read_json

    data = read_json(given)
    if isinstance(data, list):
        return data
    expected = "an object with bills, a list of bills, or one bill"
    if not isinstance(data, Mapping):
        raise InvalidRecordError.of("", "not_an_object", "holds no bills", data, expected)
    if _BILLS not in data and not any(each in data for each in _OF_A_BILL):
        raise InvalidRecordError.of(_BILLS, "missing", "is required", data, expected)
    return data


def _each(data: "Mapping[str, JsonData] | list[JsonData]") -> list[Mapping[str, Any]]:
    """Return the data of each bill."""
    prefix, bills = "", data
    if isinstance(data, Mapping):
        if _BILLS not in data:
            return [data]
        prefix, bills = _BILLS, data[_BILLS]
        if not isinstance(bills, list):
            said, expected = "is not a list", "a list"
            raise InvalidRecordError.of(prefix, "not_a_list", said, bills, expected)
    found: list[Mapping[str, Any]] = []
    for at, each in enumerate(bills):
        if not isinstance(each, Mapping):
            path, said, expected = f"{prefix}[{at}]", "is not an object", "an object"
            raise InvalidRecordError.of(path, "not_an_object", said, each, expected)
        found.append(each)
    return found
