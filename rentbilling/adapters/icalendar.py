r"""Due dates as a calendar: iCalendar (RFC 5545), one all-day event for each bill.

Laws: no clock is asked, so that the same bills give the same bytes; the event of a bill has the
same UID in every run, by whichever way the calendar is made, and a calendar that reads a later run
changes the event instead of adding one; lines end with CR LF and are folded at 75 bytes, never
within a character.

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
"""What a calendar begins with."""

NO_EVENTS: Final = (
    "BEGIN:VTIMEZONE\r\nTZID:Etc/UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
    "TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
)
"""What stands between where there is no bill: RFC 5545, 3.6, asks for a component at least."""

TAIL: Final = "END:VCALENDAR\r\n"
"""What it ends with."""

_WIDTH: Final = 75
"""Bytes of a line at most, without its end."""

_KIND: Final = 0b1100_0000
_WITHIN: Final = 0b1000_0000
"""Bytes within a character are 10xxxxxx."""


def calendar_of(result: BillingResult, *, stamp: datetime | None = None) -> str:
    r"""Return the due dates of a lease's bills as a calendar.

    Args:
        result: The bills.
        stamp: When the bills were made (DTSTAMP), with its offset; where absent, midnight UTC of
            each due date, because no clock is asked.

    Returns:
        The calendar, to be written as UTF-8. Without bills it has no event: a time zone, which
        nobody is shown, is the component that a calendar has at least (RFC 5545, 3.6).

    Raises:
        TypeError: `stamp` has no offset.
        UnsupportedCaseError: In UTC it lies outside the years 1 to 9999.

    Examples:
        >>> calendar_of(BillingResult(())).split("\r\n")[4]
        'BEGIN:VTIMEZONE'
    """
    events = "".join(event_of(bill, result.lease_id, stamp=stamp) for bill in result)
    return f"{HEAD}{events or NO_EVENTS}{TAIL}"


def event_of(
    bill: PendingBill, lease_id: str | None, *, row: int = 0, stamp: datetime | None = None
) -> str:
    """Return the due date of a bill as an event.

    A bill below zero is a credit, and reads as one. A bill of zero is no payment: its event is
    cancelled, so that calendars do not show it, and one that they have from an earlier run goes.

    Args:
        bill: The bill.
        lease_id: The lease that it is of, where it has an id.
        row: Where it has none, the number of the lease tells it from others.
        stamp: See `calendar_of`.

    Returns:
        The event's lines.

    Raises:
        TypeError: `stamp` has no offset.
    """
    day, key = bill.due_date, f"row {row}" if lease_id is None else f"lease {lease_id}"
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
    """Return what is to be done about a bill, short and long."""
    payable, vat = bill.payable.amount, (bill.total - bill.subtotal).amount
    currency = bill.currency
    if not payable:
        return f"Nothing to pay in {currency}", f"Nothing to pay, of which VAT {vat:f}"
    if payable < 0:
        back = f"{-payable:f} {currency}"
        return f"{back} credit", f"Credit of {back}, of which VAT {-vat:f}"
    return f"{payable:f} {currency} due", f"To pay {payable:f} {currency}, of which VAT {vat:f}"


def _uid(key: str, day: date, currency: str) -> str:
    """Return what names an event; a lease has one bill of a currency on a day."""
    named = f"{key}\n{day.isoformat()}\n{currency}"
    return f"{sha256(named.encode('utf-8', 'backslashreplace')).hexdigest()[:32]}@rentbilling"


def _stamp(stamp: datetime | None, day: str) -> str:
    """Return a moment in UTC, midnight of the day where none is given."""
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
    r"""Return a text as a value of a calendar: RFC 5545, 3.3.11.

    Controls, which no calendar may hold, become blanks.

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
    """Give UTF-8 in pieces, none of which begins or ends within a character."""
    # All but the first leave room for the blank before them.
    width = _WIDTH
    while len(data) > width:
        at = width
        while data[at] & _KIND == _WITHIN:
            at -= 1
        yield data[:at].decode()
        data, width = data[at:], _WIDTH - 1
    yield data.decode()
