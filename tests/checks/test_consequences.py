"""Which differences follow from others: only where both bills compute that figure from their own.

Also what a comparison and a check say in print, in rows, and where a truth value is asked of them.
"""

from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import recurring_item
from rentbilling.checks import Comparison, DifferenceGroup, PortfolioComparison, compare_portfolio
from rentbilling.testing import a_bill, a_lease, a_line, a_rent, assert_bills_equal
from tests.support.rows import rows


def parking(amount: int = 100, vat: str = "Exclusive 0.25", **fields: Any) -> rb.PendingBill:  # noqa: ANN401
    return a_bill(a_line(product_key="key:parking", amount=amount, vat=vat), **fields)


def both(rent: int = 8500, amount: int = 100) -> rb.PendingBill:
    return a_bill(a_line(amount=rent), *parking(amount).lines)


def rent(amount: int = 8500, **fields: Any) -> rb.PendingBill:  # noqa: ANN401
    return a_bill(a_line(amount=amount), **fields)


def days(count: int, amount: str) -> rb.PendingBill:
    return a_bill(a_line(amount=amount, period=f"2026-02-01/2026-02-{count}"))


PRICE = "unit_net_price net_price"
CASES = {
    "a price": (parking(), parking(120), "amount", f"{PRICE} vat_amount subtotal total"),
    "a price and lines in another order": (
        both(),
        a_bill(*reversed(both(amount=120).lines)),
        "amount",
        f"{PRICE} vat_amount subtotal total",
    ),
    # The VAT of parking is as it was.
    "a price without VAT": (both(), both(8600), "amount", f"{PRICE} subtotal total"),
    "a line too many": (rent(), both(), "extra_line", "extra_vat_total subtotal total"),
    "a line missing": (both(), rent(), "missing_line", "missing_vat_total subtotal total"),
    "another VAT": (
        *(parking(), parking(vat="Exclusive 0.10")),
        *("vat", "missing_vat_total extra_vat_total total"),
    ),
    # 25.01 is no 25 % of 100: it follows from nothing, and the total follows from it.
    "a VAT total": (
        *(parking(), parking(vat_totals={"Exclusive 0.25": "25.01"}, total="125.01")),
        *("vat_amount", "total"),
    ),
    "a total that contradicts its bill": (
        *(rent(), rent(8600, total=8700)),
        *("amount total", f"{PRICE} subtotal"),
    ),
    "an expected total that contradicts its bill": (
        *(rent(total=8400), rent(8600)),
        *("amount total", f"{PRICE} subtotal"),
    ),
    # 8,500 × 12 / 28 are 3,642.86, of 11 days 3,339.29: 303.57 a day. 300.00 a day are less.
    "a day too few": (
        days(12, "3642.86"),
        days(11, "3339.29"),
        "accounting_period",
        f"amount {PRICE} subtotal total",
    ),
    "a day too few, and a price": (
        days(12, "3642.86"),
        days(11, "3300.00"),
        "accounting_period amount",
        f"{PRICE} subtotal total",
    ),
    "a day": (rent(), rent(due="2026-02-02"), "due_date", ""),
}


@rows(("expected", "actual", "causes", "follow"), CASES.values(), ids=CASES)
def test_what_follows_is_apart(
    expected: rb.PendingBill, actual: rb.PendingBill, causes: str, follow: str
) -> None:
    found = rb.compare_bills(expected, actual)
    (group,) = found.groups

    assert causes.split() == [each.code for each in group.causes]
    assert follow.split() == [each.code for each in group.consequences]
    assert {*found} == {*group.causes, *group.consequences}


def test_a_bill_on_one_side_is_a_cause() -> None:
    found = rb.compare_bills([rent(), rent(due="2026-03-01")], [rent()])

    assert ["missing_bill"] == [each.code for group in found.groups for each in group.causes]
    assert not found.is_folded


def test_one_price_is_one_cause_in_print() -> None:
    """Parking of 120 in place of 100: 20 and 5 of VAT."""
    lines = str(rb.compare_bills(parking(), parking(120))).splitlines()

    assert lines[0].endswith("expected 100 DKK, actual 120 DKK, actual is 20 higher")
    assert lines[1] == (
        "  5 consequences: unit price without VAT, net price, VAT of Exclusive 25 %, subtotal,"
        " total (actual is 25.00 higher)"
    )
    assert "1 cause, 5 consequences" == lines[2]
    # A total of VAT that one side lacks, and no VAT in it: nothing is higher.
    group = DifferenceGroup((), tuple(rb.compare_bills(rent(), rent(due="2026-02-02"))))
    assert "  1 consequence: due date" == str(group)


def test_one_price_on_many_bills_is_one_cause() -> None:
    """Parking of 120 in place of 100 from January to April, the rent of April 8,600 too."""
    rent = rb.monthly_rent("8500 DKK", "2026-02-01", id="rent")
    dearer = rent.evolve(amount_records=[{"start": "2026-04-01", "value": rb.Amount(8600, "DKK")}])
    parking = [recurring_item("key:parking", f"{each} DKK", "2026-02-01") for each in (100, 120)]
    expected, actual = (
        rb.pending_bills(rb.LeaseTerms.of(*items), "2026-02-01/2026-04-30")
        for items in zip((rent, dearer), parking, strict=True)
    )
    found = rb.compare_bills(expected, actual)

    lines = str(found).splitlines()
    assert lines[0].startswith(
        "2026-02-01 price of key:parking 2026-02-01/2026-02-28: expected 100"
    )
    assert "  the same in 1 more bill, 2026-03-01" == lines[2]
    # Three bills: parking has one cause with four consequences each, and April the rent's.
    assert "2 causes in 3 bills" == lines[-1].partition(",")[0]
    assert len(found) == len(found.rows())
    assert found._repr_html_().count("the same in 1 more bill") == 1
    with pytest.raises(AssertionError, match="the same in 1 more bill"):
        assert_bills_equal(expected, actual)
    run = compare_portfolio([("lease-1", expected, actual), ("lease-2", expected, expected)])
    assert [{"lease_id": "lease-1", **row} for row in found.rows()] == run.rows()
    assert "1 of 2 leases equal" in run._repr_html_()


def test_one_error_on_many_bills_is_one_line() -> None:
    bills = [rent(due=f"2026-0{month}-01", total=1) for month in (2, 3, 4)]

    first, again, *others = str(rb.check_bill(bills)).splitlines()

    assert ["  the same in 2 more bills, up to bills[2]", []] == [again, others]
    assert first.startswith("error: bills[0].total ")


def test_a_search_without_a_cause_says_how_much_was_tried() -> None:
    """Without terms VAT alone is recomputed: in two ways and five modes of rounding."""
    expected = rb.pending_bills(a_lease(a_rent(amount=8500)), "2026-02")

    assert str(rb.compare_bills(parking(), parking(120), diagnose=True)).endswith(
        "no cause found among 10 conventions"
    )
    found = rb.compare_bills(expected, rent(8600), diagnose=True)
    assert found.tried > 10
    assert str(found).endswith(f"no cause found among {found.tried} conventions")
    assert 0 == rb.compare_bills(expected, rent(8600)).tried
    assert 10 == rb.compare_bills(expected, rent(), diagnose=True).tried


def test_differences_and_findings_have_rows() -> None:
    found, check = rb.compare_bills(parking(), parking(120)), rb.check_bill(rent(total=1))

    for each in (found, check):
        assert len(each) == len(each.rows())
        assert all([*row] == [column.name for column in each.columns] for row in each.rows())
    assert [False, *[True] * 5] == [row["follows"] for row in found.rows()]
    assert ["20", "25.00"] == [str(found.rows()[at]["by"]) for at in (0, -1)]
    page = found._repr_html_()
    assert [1, 1, 1] == [page.count(text) for text in ("price of", "5 consequences:", "1 cause,")]
    rounded = parking(vat_totals={"Exclusive 0.25": "25.01"}, total="125.01")
    assert "25.01 DKK" in rb.compare_bills(parking(), rounded)._repr_html_()
    assert "2026-02-02" in rb.compare_bills(rent(), rent(due="2026-02-02"))._repr_html_()
    assert "total" == check.rows()[0]["code"]
    assert "no contradiction" in rb.check_bill(rent())._repr_html_()
    day = rb.compare_bills(rent(), rent(due="2026-02-02")).rows()[0]
    assert (None, None) == (day["by"], day["currency"])


@rows(
    ("result", "advice"),
    [
        (rb.check_bill(rent()), "write check.is_consistent"),
        (rb.compare_bills(rent(), rent()), "write comparison.is_equal"),
        (PortfolioComparison([("a", Comparison(()))]), "write comparison.is_equal"),
    ],
)
def test_no_result_of_a_check_has_a_truth_value(result: object, advice: str) -> None:
    """An empty result is the good one, and would be false."""
    with pytest.raises(TypeError, match=f"has no truth value: {advice}"):
        assert result
    with pytest.raises(TypeError, match=advice):
        assert not result


def test_a_portfolio_is_equal_where_every_lease_is() -> None:
    other = rb.compare_bills(rent(), rent(8600))

    assert PortfolioComparison([("a", Comparison(()))]).is_equal
    assert not PortfolioComparison([("a", other)]).is_equal
