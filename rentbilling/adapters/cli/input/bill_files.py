"""Bills of files: JSON with `bills`, a list of bills or one, JSON lines, Parquet, or a table.

Laws: a file without bills is refused by its name; a bill that cannot be read completely is left to
the check, which reports it.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.streams import Refusal, read_as, read_bytes, refusing
from rentbilling.billing import BillingResult, PendingBill
from rentbilling.billing.wire import bill_of, bills_of
from rentbilling.codec import dumps, refuse_other_form
from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.records import JsonData, amount_from, read_json
from rentbilling.values import Amount, parse_date

if TYPE_CHECKING:
    from rentbilling.checks import BillTable, TableBills, UnreadableBill

T = TypeVar("T")

_MOST_PROBLEMS: Final = 100
_BILLS: Final = "bills"
_LEASE_ID: Final = "leaseId"
_PARQUET: Final = b"PAR1"
"""The first bytes of a Parquet file."""
_WORKBOOK: Final = b"PK\x03\x04"
"""The first bytes of a workbook."""
_OF_A_BILL: Final = ("dueDate", "pendingBillLineItems", "subtotal", "vatTotals", "total")
"""An object with any of these fields is a bill."""


class GivenBill(NamedTuple):
    """A bill of a file."""

    data: Mapping[str, Any]
    """As the file has it."""
    bill: PendingBill | None
    """As it was read; None where something of it cannot be read."""
    due_date: date | None
    """When it falls due; None where that cannot be read."""
    total: Amount | None
    """Its total; None where that cannot be read."""
    lease_id: str | None = None
    """Its lease, where the file names one for each bill."""
    number: str | None = None
    """Its own number, where a table or an invoice has one."""
    unreadable: "UnreadableBill | None" = None
    """Why a table has no data of it."""


def given_bills(
    name: str, policy: BillingPolicy, table: "BillTable | None" = None
) -> list[GivenBill]:
    """Return the bills of a file, also those of which something cannot be read."""
    given = read_bytes(name)
    with refusing(name):
        data, unreadable = _data_of(name, given, policy, table)
        found = [_given(each, policy) for each in _each(data)]
        lost = (
            GivenBill({}, None, None, None, each.lease_id, each.number, each) for each in unreadable
        )
        return [*lost, *found]


def bill_table_in(name: str | None) -> "BillTable | None":
    """Return the mapping of a table of bills; None without a file."""
    if name is None:
        return None
    from rentbilling.checks import BillTable

    return read_as(name, BillTable.from_toml)


_Unreadable = Sequence["UnreadableBill"]


def _data_of(
    name: str, given: bytes, policy: BillingPolicy, table: "BillTable | None"
) -> tuple[Mapping[str, JsonData] | list[JsonData], _Unreadable]:
    """Return the bills of a file, and those of a table that cannot be read."""
    if given.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        from rentbilling.adapters.einvoices import read_einvoice

        with extras():
            return [read_einvoice(given)], ()
    if table is None and not (given.startswith(_WORKBOOK) or _is_csv(given)):
        data = _bills_data(name, given, policy)
        refuse_other_form(_each(data))
        return data, ()
    bills, unreadable = _table_data(given, table, policy)
    if not (bills or unreadable):
        raise InvalidRecordError.of(
            "", "no_lines", "has no rows", 0, "a row for each line of a bill"
        )
    if not bills:
        # Most likely the notation is another one.
        problems = [problem for each in unreadable for problem in each.problems]
        raise InvalidRecordError(problems[:_MOST_PROBLEMS])
    return [*bills], unreadable


def _table_data(given: bytes, table: "BillTable | None", policy: BillingPolicy) -> "TableBills":
    from rentbilling.adapters.workbooks import numbered_rows
    from rentbilling.checks import BillTable

    chosen = table or BillTable()
    if given.startswith(_WORKBOOK):
        with extras():
            rows = numbered_rows(given)
        places = [f"row {number}" for number, _ in rows]
        return chosen.read([row for _, row in rows], policy=policy, places=places)
    try:
        return chosen.read_csv(given.decode("utf-8-sig"), policy=policy)
    except UnicodeDecodeError as error:
        said, expected = f"is not UTF-8: {error}", "a table in UTF-8"
        raise InvalidRecordError.of("", "unreadable", said, given[:20], expected) from None


def _is_csv(given: bytes) -> bool:
    first = given.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0]
    has_marks = any(mark in first for mark in (b",", b";", b"\t"))
    return first[:1].isalpha() and has_marks and not given.startswith(_PARQUET)


def _given(data: Mapping[str, Any], policy: BillingPolicy) -> GivenBill:
    """Return a bill as far as it can be read; the check reports what is wrong."""

    def total(value: object) -> Amount:
        return amount_from(value, policy.currencies, lenient=True)

    bill = _unless_wrong(data, lambda fields: bill_of(fields, policy))
    named = (data.get(_LEASE_ID), data.get("number"))
    lease_id, number = (each if isinstance(each, str) else None for each in named)
    if bill is not None:
        return GivenBill(data, bill, bill.due_date, bill.total, lease_id, number)
    due = _unless_wrong(data.get("dueDate"), parse_date)
    return GivenBill(data, None, due, _unless_wrong(data.get("total"), total), lease_id, number)


def _unless_wrong(data: JsonData, read: Callable[[Any], T]) -> T | None:
    """Return data as it is read; None where it is absent or wrong."""
    try:
        return None if data is None else read(data)
    except InvalidInputError:
        return None


def read_bills(name: str, policy: BillingPolicy) -> Sequence[PendingBill]:
    """Return the bills of a file, every one of them well formed."""
    return stated_bills(name, policy)[1]


def stated_bills(
    name: str,
    policy: BillingPolicy,
    lease_id: str | None = None,
    table: "BillTable | None" = None,
) -> tuple[Sequence[Mapping[str, Any]], Sequence[PendingBill]]:
    """Return the bills of a file, every one well formed: as the file states them, and as read."""
    given = read_bytes(name)
    with refusing(name):
        data, unreadable = _data_of(name, given, policy, table)
        for each in unreadable:
            if lease_id is None or each.lease_id in (None, lease_id):
                raise InvalidRecordError(each.problems)
        # A table without leases has bills of whichever lease is asked about.
        if isinstance(data, list) and any(each.get(_LEASE_ID) for each in _each(data)):
            bills = _of_lease(_each(data), policy, lease_id)
            return [each for each in data if lease_id in (None, each.get(_LEASE_ID))], bills
        found = _result(data, policy).bills
        return _each(data), found


def _of_lease(
    data: Sequence[Mapping[str, Any]], policy: BillingPolicy, lease_id: str | None
) -> list[PendingBill]:
    found = {each.get(_LEASE_ID) for each in data}
    if lease_id is None and len(found) > 1:
        said, met = "holds bills of several leases", f"{len(found)} leases"
        problem = Problem("", "several_leases", said, met, "the id of one in the lease to compare")
        raise InvalidRecordError([problem])
    bills: list[PendingBill] = []
    for at, each in enumerate(data):
        if lease_id in (None, each.get(_LEASE_ID)):
            try:
                bills.append(bill_of(each, policy))
            except InvalidInputError as error:
                raise error.under(f"[{at}]") from None
    return bills


def _result(data: Mapping[str, JsonData] | list[JsonData], policy: BillingPolicy) -> BillingResult:
    """Return bills as a result; a list of bills, or one bill, has no other fields of a result."""
    if isinstance(data, list):
        try:
            return bills_of({_BILLS: data}, policy)
        except InvalidInputError as error:
            raise error.within(_BILLS) from None
    return bills_of(data, policy) if _BILLS in data else BillingResult([bill_of(data, policy)])


def earlier_bills(name: str, policy: BillingPolicy | None) -> BillingResult:
    """Return the earlier bills that a file holds, every one of them well formed."""
    given = read_bytes(name)
    with refusing(name):
        return _result(_bills_data(name, given, policy_of(policy)), policy_of(policy))


@contextmanager
def refusing_earlier(names: Sequence[str]) -> Generator[None]:
    """Turn what the library refuses of earlier bills into a refusal of the file they came from.

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


def _bills_data(
    name: str, given: bytes, policy: BillingPolicy
) -> Mapping[str, JsonData] | list[JsonData]:
    """Return the data of a file: a list, or an object that is bills or a bill."""
    if given.startswith(_PARQUET):
        return _of_parquet(name, given, policy)
    lines = given.splitlines()
    if len(lines) > 1 and all(map(_is_object, lines)):
        return _of_lines(lines)
    if _is_csv(given):
        met, expected = lines[0].decode(errors="replace"), "JSON, as bills --format json prints it"
        raise InvalidRecordError.of("", "unreadable", "is CSV", met, expected)
    data = read_json(given)
    if isinstance(data, list):
        return data
    expected = "an object with bills, a list of bills, or one bill"
    if not isinstance(data, Mapping):
        raise InvalidRecordError.of("", "not_an_object", "contains no bills", data, expected)
    if _BILLS not in data and not any(each in data for each in _OF_A_BILL):
        raise InvalidRecordError.of(_BILLS, "missing", "is required", data, expected)
    return data


def _is_object(line: bytes) -> bool:
    """Return whether a line of JSON lines is an object, or empty."""
    text = line.strip()
    return not text or (text.startswith(b"{") and text.endswith(b"}"))


def _of_lines(lines: Sequence[bytes]) -> list[JsonData]:
    """Return the bills of JSON lines, as `bill-run` writes them."""
    found: list[JsonData] = []
    for at, line in enumerate(filter(bytes.strip, lines)):
        try:
            found.append(read_json(line))
        except InvalidInputError as error:
            raise error.under(f"[{at}]") from None
    return found


def _of_parquet(name: str, given: bytes, policy: BillingPolicy) -> list[JsonData]:
    """Return the bills of a Parquet file, as `bill-run` writes it, as their JSON has them."""
    found: list[JsonData] = []
    with extras():
        from rentbilling.portfolio import bills_from_arrow
        from rentbilling.portfolio.runs.bill_results import parquet_table

        table = parquet_table(given, Path(name))
    for result in bills_from_arrow(table, policy=policy):
        for bill in result:
            data = read_json(dumps(bill, full=True, policy=policy))
            found.append({_LEASE_ID: result.lease_id, **data})
    return found


def _each(data: Mapping[str, JsonData] | list[JsonData]) -> list[Mapping[str, Any]]:
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
