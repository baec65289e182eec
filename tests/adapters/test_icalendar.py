"""Due dates as iCalendar: RFC 5545, with no clock and the same UIDs in every run."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given

from rentbilling import BillingResult, RentBillingError, UnsupportedCaseError, pending_bills
from rentbilling.adapters.icalendar import HEAD, NO_EVENTS, TAIL, calendar_of, escaped, folded
from rentbilling.testing import a_lease, a_rent, an_item
from tests.support.calendar_ends import Case, cases
from tests.support.rows import rows

FEBRUARY = "2026-02-01/2026-02-28"
NAMED = "lease-1"


def bills(rent: str = "8500.00", lease_id: str | None = NAMED) -> BillingResult:
    """Return the bill of February: rent, and heating of 500 with 25 % VAT on top."""
    lease = a_lease(a_rent(amount=rent), an_item(description="Heating"), lease_id=lease_id)
    return pending_bills(lease, FEBRUARY)


def test_a_bill_is_an_all_day_event() -> None:
    """8,500 + 500 + 125 VAT = 9,125 on 1 February, line by line as RFC 5545 has it."""
    expected = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//rentbilling//due dates//EN",
        "CALSCALE:GREGORIAN",
        "BEGIN:VEVENT",
        "UID:",
        "DTSTAMP:20260201T000000Z",
        "DTSTART;VALUE=DATE:20260201",
        r"SUMMARY:9125.00 DKK due\, lease-1",
        r"DESCRIPTION:To pay 9125.00 DKK\, of which VAT 125.00\nkey:rent: 8500.00\nHe",
        " ating: 500.00",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    found = calendar_of(bills()).split("\r\n")
    uid = found[5]

    assert uid.endswith("@rentbilling")
    assert [*expected[:5], uid, *expected[6:]] == found


def uids(text: str) -> list[str]:
    return [line for line in text.split("\r\n") if line.startswith("UID:")]


def test_an_event_keeps_its_uid_when_its_figures_change() -> None:
    march = pending_bills(a_lease(lease_id=NAMED), "2026-03-01/2026-03-31")

    assert uids(calendar_of(bills())) == uids(calendar_of(bills("9000.00")))
    assert uids(calendar_of(bills())) != uids(calendar_of(bills(lease_id="lease-2")))
    assert uids(calendar_of(bills())) != uids(calendar_of(march))


def test_a_lease_without_an_id_is_not_named() -> None:
    assert "SUMMARY:9125.00 DKK due" in calendar_of(bills(lease_id=None)).split("\r\n")


def test_a_given_stamp_is_written_in_utc() -> None:
    """Noon at +02:00 is ten o'clock."""
    noon = datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(hours=2)))

    assert "DTSTAMP:20260131T100000Z" in calendar_of(bills(), stamp=noon)
    assert calendar_of(bills(), stamp=noon) == calendar_of(bills(), stamp=noon.astimezone(UTC))


def test_a_stamp_without_an_offset_is_refused() -> None:
    with pytest.raises(TypeError, match="has an offset"):
        calendar_of(bills(), stamp=datetime(2026, 1, 31))  # noqa: DTZ001 - what is refused


def test_no_bills_are_a_calendar_without_events() -> None:
    """RFC 5545, 3.6: a component at least, which is a time zone; 3.6.5 has what is in it."""
    found = calendar_of(BillingResult(()))
    zone = (
        *("BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"),
        *("TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"),
    )

    assert HEAD + NO_EVENTS + TAIL == found
    assert [*zone, "END:VCALENDAR", ""] == found.split("\r\n")[4:]


def lines_of(result: BillingResult) -> list[str]:
    return calendar_of(result).replace("\r\n ", "").split("\r\n")


def test_a_credit_reads_as_one() -> None:
    """500 back with 25 % on top is 625, of which 125 is VAT: no sign to overlook."""
    credit = pending_bills(a_lease(an_item(amount=-500), lease_id=NAMED), FEBRUARY)
    found = lines_of(credit)

    assert r"SUMMARY:625.00 DKK credit\, lease-1" in found
    about = r"DESCRIPTION:Credit of 625.00 DKK\, of which VAT 125.00\nkey:heating: -500.00"
    assert about in found
    assert "STATUS:CANCELLED" not in found


def test_a_bill_of_zero_is_no_payment() -> None:
    """Its event is cancelled (RFC 5545, 3.8.1.11), with the UID that it had when it was one."""
    nothing = pending_bills(a_lease(a_rent(), a_rent(amount=-8500), lease_id=NAMED), FEBRUARY)
    found = lines_of(nothing)

    assert "STATUS:CANCELLED" in found
    assert r"SUMMARY:Nothing to pay in DKK\, lease-1" in found
    assert uids(calendar_of(bills())) == uids(calendar_of(nothing))
    assert "STATUS:CANCELLED" not in lines_of(bills())


@rows(
    ("text", "expected"),
    [
        ("a;b,c", r"a\;b\,c"),
        ("back\\slash", r"back\\slash"),
        ("one\ntwo\r\nthree\rfour", r"one\ntwo\nthree\nfour"),
        ("bell\x07tab\t", "bell tab "),
        ("END:VEVENT", "END:VEVENT"),
    ],
)
def test_a_text_cannot_leave_its_line(text: str, expected: str) -> None:
    """RFC 5545, 3.3.11: backslash, semicolon, comma and the end of a line are escaped."""
    assert expected == escaped(text)


@rows("line", ["x" * 74, "x" * 75])
def test_a_line_of_75_bytes_is_not_folded(line: str) -> None:
    """RFC 5545, 3.1: 75 bytes, without the end."""
    assert f"{line}\r\n" == folded(line)


@rows(
    "line", ["x" * 76, "x" * 149, "x" * 150, "ø" * 90, "x" + "ø" * 90, "xx" + "€" * 90, "🏠" * 60]
)
def test_folded_lines_are_short_and_unfold_to_what_they_were(line: str) -> None:
    """Each piece is UTF-8 by itself and has 75 bytes at most; all but the last are full.

    Full means that the next character, of 4 bytes at most, would not have fitted: 72 and more.
    """
    pieces = folded(line).encode().split(b"\r\n")
    *full, last, end = pieces

    assert b"" == end
    assert line == folded(line).replace("\r\n ", "").removesuffix("\r\n")
    assert all(each.decode() for each in pieces[:-1])
    assert all(72 <= len(each) <= 75 for each in full)
    assert 1 < len(last) <= 75


def test_half_characters_are_written_as_escapes() -> None:
    """A surrogate alone is no UTF-8, and would end the run."""
    assert "SUMMARY:\\udc80\r\n" == folded("SUMMARY:\udc80")


@rows(
    "stamp",
    [
        datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-14))),
    ],
)
def test_a_stamp_outside_the_calendar_is_refused(stamp: datetime) -> None:
    """In UTC it would lie in the year 0 or 10000."""
    with pytest.raises(UnsupportedCaseError, match="a stamp that lies outside the years 1 to 9999"):
        calendar_of(pending_bills(a_rent(), "2026-02-01/2026-02-28"), stamp=stamp)


@given(cases())
def test_due_dates_at_the_ends_of_the_calendar_are_written(case: Case) -> None:
    """Years have four digits, the year 1 too."""
    with suppress(RentBillingError):
        made = case.bills
        days = [f"DATE:{bill.due_date.isoformat().replace('-', '')}" for bill in made]
        text = calendar_of(made)
        assert all(each in text for each in days)
