"""Pictures near the ends of the calendar, where an axis has no room for its margins."""

from datetime import date

import pytest

from rentbilling import UnsupportedCaseError, pending_bills, what_if
from rentbilling.adapters.plots import (
    against_baseline,
    fan_chart,
    rent_over_time,
)
from rentbilling.errors import InvalidPeriodError
from rentbilling.testing import a_lease, a_rent
from rentbilling.whatif import raise_rent

ENDS = ["0001-01-01/0001-06-30", "9999-07-01/9999-12-31"]
NO_ROOM = "with margins outside the years 1 to 9999"


@pytest.mark.parametrize("period", ENDS)
def test_a_picture_without_room_is_refused(period: str) -> None:
    lease = a_lease(a_rent(moved_in=period[:10]))
    compared = what_if(lease, raise_rent("0.1"), period=period)
    quantiles = [{"year": int(period[:4]), "currency": "DKK", "q50": 1}]

    with pytest.raises(UnsupportedCaseError, match=NO_ROOM):
        rent_over_time(pending_bills(lease, period))
    with pytest.raises(UnsupportedCaseError, match=NO_ROOM):
        against_baseline(compared)
    with pytest.raises(UnsupportedCaseError, match=NO_ROOM):
        fan_chart(quantiles)


def test_steps_to_the_end_of_the_calendar_are_refused() -> None:
    """A rent that is drawn from 2026 to 9999."""
    bills = pending_bills(a_rent(), "2026-02-01/2026-02-28")

    with pytest.raises(UnsupportedCaseError, match=NO_ROOM):
        rent_over_time(bills, until=date.max)


@pytest.mark.parametrize("month", ["10000", "0", "2027-13", "May"])
def test_a_month_that_is_none_is_refused(month: str) -> None:
    rows = [{"month": month, "currency": "DKK", "q50": 1}]

    with pytest.raises(InvalidPeriodError) as caught:
        fan_chart(rows)

    assert "not_a_year_month" == caught.value.code
