"""Expiries by year: the bars are the sums of the rent roll, with gaps and without an end."""

from decimal import Decimal

import pytest

from rentbilling.adapters.plots import Picture, expiries_by_year
from rentbilling.errors import CurrencyMismatchError, InvalidRecordError, UnsupportedCaseError
from rentbilling.reports import rent_roll
from rentbilling.testing import a_lease, a_rent

ENDS = {"2027-06-30": 8000, "2027-12-31": 9500, "2030-03-31": 24000, None: 7000}
LEASES = [
    a_lease(a_rent(amount=amount), lease_id=str(at), contract_end=end)
    for at, (end, amount) in enumerate(ENDS.items())
]


def bars(picture: Picture) -> list[float]:
    return [bar.get_height() for bar in picture.axes[0].patches]  # type: ignore[attr-defined]


def texts(picture: Picture) -> list[str]:
    return [each.get_text() for each in picture.axes[0].texts if each.get_visible()]


def test_a_bar_for_each_year_and_one_without_an_end() -> None:
    """8,000 × 12 + 9,500 × 12 = 210,000 in 2027; none in 2028 and 2029."""
    picture = expiries_by_year(rent_roll(LEASES, on="2026-05-01"))

    assert bars(picture) == [210_000, 0, 0, 288_000, 84_000]
    names = [each.get_text() for each in picture.axes[0].get_xticklabels()]
    assert names == ["2027", "2028", "2029", "2030", "no end"]
    assert picture.axes[0].get_title(loc="left") == (
        "Rents by the year in which 3 leases end; 1 without an end"
    )
    assert picture.axes[0].spines["bottom"].get_visible()
    assert [each.split("\n")[-1] for each in texts(picture)] == ["2 leases", "1 lease", "1 lease"]


def test_large_amounts_have_no_cents_and_zero_is_one_line() -> None:
    """123,456.50 is 123,457, half up; a credit below zero makes zero a line of its own."""
    rows = [
        {"year": 2026, "currency": "NOK", "leases": 1, "yearly": Decimal("123456.50")},
        {"year": 2027, "currency": "NOK", "leases": 1, "yearly": Decimal("-0.25")},
    ]
    (large, _), (small,) = (texts(expiries_by_year(some)) for some in (rows, rows[1:]))

    assert "123,457\n1 lease" in large
    assert "0.25\n1 lease" in small
    axes = expiries_by_year(rows).axes[0]
    assert (1, False) == (len(axes.lines), axes.spines["bottom"].get_visible())


def test_many_years_are_named_with_steps() -> None:
    rows = [
        {"year": year, "currency": "DKK", "leases": 1, "yearly": Decimal(1000)}
        for year in [*range(2026, 2090), None]
    ]

    names = [each.get_text() for each in expiries_by_year(rows).axes[0].get_xticklabels()]

    assert names[:2] + names[-1:] == ["2026", "2031", "no end"]
    only_open = expiries_by_year(rows[-1:], dark=True)
    assert bars(only_open) == [1000]


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([], InvalidRecordError),
        ([{"year": 2026, "currency": "DKK", "yearly": Decimal(1)}], InvalidRecordError),
        (
            [
                {"year": year, "currency": "DKK", "leases": 1, "yearly": Decimal(1)}
                for year in (2026, 9999)
            ],
            UnsupportedCaseError,
        ),
        (
            [
                {"year": 2026, "currency": code, "leases": 1, "yearly": Decimal(1)}
                for code in ("DKK", "EUR")
            ],
            CurrencyMismatchError,
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    rows: list[dict[str, object]], error: type[Exception]
) -> None:
    with pytest.raises(error):
        expiries_by_year(rows)
