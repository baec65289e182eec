r"""Due dates as a calendar: iCalendar (RFC 5545), one all-day event for each bill.

Laws: the same bills give the same bytes; the event of a bill has the same UID in every run.

Examples:
    >>> from rentbilling import pending_bills
    >>> from rentbilling.testing import a_lease
    >>> text = calendar_of(pending_bills(a_lease(lease_id="lease-1"), "2026-02-01/2026-02-28"))
    >>> [line for line in text.split("\r\n") if line.startswith(("DTSTART", "SUMMARY"))]
    ['DTSTART;VALUE=DATE:20260201', 'SUMMARY:8500.00 DKK due\\, lease-1']
"""

import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Final

from rentbilling.billing import BillingResult, PendingBill
from rentbilling.errors import UnsupportedCaseError

HEAD: Final = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//rentbilling//due dates//EN\r\n"
    "CALSCALE:GREGORIAN\r\n"
)
NO_EVENTS: Final = (
    "BEGIN:VTIMEZONE\r\nTZID:Etc/UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
    "TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
)
"""A component, because RFC 5545 (3.6) asks for one at least."""

TAIL: Final = "END:VCALENDAR\r\n"
_WIDTH: Final = 75
_KIND: Final = 0b1100_0000
_WITHIN: Final = 0b1000_0000
"""Bytes within a character are 10xxxxxx."""


def calendar_of(result: BillingResult, *, stamp: datetime | None = None) -> str:
    r"""Return the due dates of a lease's bills as a calendar, to be written as UTF-8.

    Without a `stamp` (DTSTAMP, with its offset) events have midnight UTC of their due dates.

    Raises:
        TypeError: `stamp` has no offset.
        UnsupportedCaseError: In UTC it lies outside the years 1 to 9999.

    Examples:
        >>> calendar_of(BillingResult(())).split("\r\n")[4]
        'BEGIN:VTIMEZONE'
    """
    events = "".join(_event(bill, result.lease_id, stamp) for bill in result)
    return f"{HEAD}{events or NO_EVENTS}{TAIL}"


def _event(bill: PendingBill, lease_id: str | None, stamp: datetime | None) -> str:
    """Return the lines of the event for a bill's due date.

    The event of a bill of zero is cancelled, so that calendars remove it.
    """
    day, key = bill.due_date, "row 0" if lease_id is None else f"lease {lease_id}"
    summary, about = _words(bill)
    named = "" if lease_id is None else f", {lease_id}"
    lines = [
        f"{line.description or line.product_key}: {line.net_price.amount:f}" for line in bill.lines
    ]
    written = day.isoformat().replace("-", "")
    content = (
        "BEGIN:VEVENT",
        f"UID:{_uid(key, day, bill.currency)}",
        f"DTSTAMP:{_stamp(stamp, written)}",
        f"DTSTART;VALUE=DATE:{written}",
        f"SUMMARY:{escaped(summary + named)}",
        f"DESCRIPTION:{escaped(chr(10).join((about, *lines)))}",
        *(() if bill.payable.amount else ("STATUS:CANCELLED",)),
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    )
    return "".join(map(folded, content))


def _words(bill: PendingBill) -> tuple[str, str]:
    payable, vat = bill.payable.amount, (bill.total - bill.subtotal).amount
    currency = bill.currency
    if not payable:
        return f"Nothing to pay in {currency}", f"Nothing to pay, of which VAT {vat:f}"
    if payable < 0:
        back = f"{-payable:f} {currency}"
        return f"{back} credit", f"Credit of {back}, of which VAT {-vat:f}"
    return f"{payable:f} {currency} due", f"To pay {payable:f} {currency}, of which VAT {vat:f}"


def _uid(key: str, day: date, currency: str) -> str:
    named = f"{key}\n{day.isoformat()}\n{currency}"
    return f"{sha256(named.encode('utf-8', 'backslashreplace')).hexdigest()[:32]}@rentbilling"


def _stamp(stamp: datetime | None, day: str) -> str:
    if stamp is None:
        return f"{day}T000000Z"
    if stamp.tzinfo is None:
        raise TypeError(f"a stamp has an offset, such as +00:00, not {stamp.isoformat()}")
    try:
        there = stamp.astimezone(UTC)
    except OverflowError:
        case = "a stamp that lies outside the years 1 to 9999 in UTC"
        raise UnsupportedCaseError("unsupported", case=case) from None
    return f"{there.year:04d}{there:%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    r"""Return a text as a value of a calendar (RFC 5545, 3.3.11); controls become blanks.

    Examples:
        >>> print(escaped("Nørregade 1; 2, 1. tv\nkeys"))
        Nørregade 1\; 2\, 1. tv\nkeys
    """
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
    return "".join(" " if unicodedata.category(each) == "Cc" else each for each in text)


def folded(line: str) -> str:
    r"""Return a content line with its end, folded where it is longer than 75 bytes.

    Examples:
        >>> folded("SUMMARY:" + "x" * 80).split("\r\n")[1]
        ' xxxxxxxxxxxxx'
    """
    data = line.encode("utf-8", "backslashreplace")
    return "\r\n ".join(_pieces(data)) + "\r\n"


def _pieces(data: bytes) -> Iterator[str]:
    # All but the first begin with a blank, which counts.
    width = _WIDTH
    while len(data) > width:
        at = width
        while data[at] & _KIND == _WITHIN:
            at -= 1
        yield data[:at].decode()
        data, width = data[at:], _WIDTH - 1
    yield data.decode()
