"""Due dates as a calendar: which days are marked, and what is written on them."""

from datetime import date

from rentbilling import pending_bills
from rentbilling.adapters.money_texts import first_weekday, month_text
from rentbilling.adapters.plots import due_date_calendar
from tests.adapters.plots.written import money, only_axes, texts_of
from tests.support.rents import YEAR, fee, rent, vat

BILLS = pending_bills([rent(vat=vat("Exclusive", "0.25"))], YEAR)


def test_due_days_are_marked_and_their_totals_written() -> None:
    """4,661.29 and 8,500.00 with 25 % of VAT, in the first two months."""
    picture = due_date_calendar(BILLS.bills[:2], locale="da")
    marked = [
        gid for artist in picture.findobj() if (gid := str(artist.get_gid())).startswith("2026-")
    ]

    assert ["2026-01-15", "2026-02-01"] == sorted(marked)
    first, second = (month_text(date(2026, month, 1), "da") for month in (1, 2))
    said = " ".join(" ".join(texts_of(picture)).split())
    assert f"Due dates from {first} to {second}" in said
    assert {f"{each[0].upper()}{each[1:]}" for each in (first, second)} <= set(texts_of(picture))
    assert {money("5826.61 DKK"), money("10625.00 DKK")} <= set(texts_of(picture))


def test_bills_of_a_day_are_summed_by_currency() -> None:
    items = [fee("100.00"), fee("99.00 EUR")]
    bills = [*pending_bills(items, YEAR), *pending_bills(fee("0.50"), YEAR)]

    texts = texts_of(due_date_calendar(bills, locale="da"))
    assert {money("100.50 DKK"), money("99.00 EUR")} <= set(texts)


def test_totals_without_room_are_counted() -> None:
    bills = pending_bills([fee(due=f"2026-02-{day:02d}") for day in range(1, 7)], YEAR)

    assert "and 3 more" in texts_of(due_date_calendar(bills))


def test_weeks_begin_as_in_the_country() -> None:
    """1 February 2026 is a Sunday (weekday 6): the last day of a week that begins on Monday."""
    for locale in ("da", "en_US"):
        picture = due_date_calendar(BILLS.bills[1:2], locale=locale)
        assert (6 - first_weekday(locale)) % 7 == only_axes(picture).texts[7].get_position()[0]
