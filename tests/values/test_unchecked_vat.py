"""VATs of a mode or a rate that nobody here charges, as a service tells them.

The bill is that of a rent of 8,500.00 with 25 %: 2,125.00 of VAT, together 10,625.00 DKK.
"""

import copy
import json
import pickle
from decimal import Decimal

import rentbilling as rb
from rentbilling.errors import UnknownTaxModeError
from rentbilling.testing import a_lease, a_rent
from rentbilling.values import UnknownVat
from tests.support.bad_plans import LEASE
from tests.support.received import places, refused_by, with_index
from tests.support.rows import rows

MARGIN = {"taxMode": 'Margin"s', "taxRate": 0.25}


def test_a_vat_of_an_unknown_mode_is_none_that_records_are_made_with() -> None:
    """Refused by name, as the same words would be (A27)."""
    item = rb.loads(json.dumps(LEASE)).recurring_bill_items[0]
    error = refused_by(lambda: item.evolve(vat=UnknownVat('Margin"s', Decimal("0.25"))))

    assert isinstance(error, UnknownTaxModeError)
    assert [("vat.tax_mode", "unknown_tax_mode")] == places(error)
    assert isinstance(item, rb.RecurringBillItem)


def test_a_vat_that_a_service_told_is_a_value() -> None:
    margin, other = UnknownVat("Margin", Decimal("0.25")), UnknownVat("Margin", Decimal("0.20"))

    assert margin == pickle.loads(pickle.dumps(margin)) == copy.copy(margin)
    assert hash(margin) == hash(UnknownVat("Margin", Decimal("0.250")))
    assert margin not in {other, rb.Vat("Exclusive", Decimal("0.25")), "Margin"}
    assert rb.Vat("Exempt") != UnknownVat("Exempt")
    assert "UnknownVat('Margin', Decimal('0.25'))" == repr(margin)
    assert "UnknownVat('Margin')" == repr(UnknownVat("Margin"))


@rows(
    ("vat", "rate"),
    [
        (UnknownVat("Margin", Decimal("0.25")), "0.25"),
        (UnknownVat("Margin", 1), "1"),
        (UnknownVat("Margin"), "0"),
        (UnknownVat("Exempt", Decimal(25)), "0"),
        (UnknownVat("Exclusive", Decimal(25)), "25"),
    ],
)
def test_a_vat_that_a_service_told_is_grouped_by_what_it_says(vat: UnknownVat, rate: str) -> None:
    """By its word and its rate, which the untaxed modes do not charge (A28, A30)."""
    assert (vat.tax_mode, Decimal(rate)) == vat.category


def test_the_vat_of_a_plan_is_judged_with_the_plan() -> None:
    """A balance may be billed with it (A39)."""
    data = {**LEASE, "rentAdjustmentPlans": [{**with_index(), "vat": MARGIN}]}
    error = refused_by(lambda: rb.loads(json.dumps(data), from_service=True))

    assert [("rentAdjustmentPlans[0].vat.taxMode", "unknown_tax_mode")] == places(error)


# --------------------------------------------------------------------------------- bills with them

FEBRUARY = "2026-02-01/2026-02-28"
TERMS = a_lease(a_rent(amount="8500.00", vat=rb.Vat("Exclusive", Decimal("0.25"))))


def told_bills(**vat: object) -> str:
    """Return our own bills of February with another VAT, as a service would write them."""
    data = json.loads(rb.dumps(rb.pending_bills(TERMS, FEBRUARY)))
    for bill in data["bills"]:
        for part in (*bill["pendingBillLineItems"], *bill["vatTotals"]):
            part["vat"] = vat
    return json.dumps(data)


@rows("vat", [MARGIN, {**MARGIN, "taxRate": 25}, {"taxMode": 'Margin"s'}])
def test_a_bill_of_an_unknown_tax_mode_is_kept_as_it_came(vat: dict[str, object]) -> None:
    """Read, written again to the same JSON, pickled, and in rows, letters escaped (A27)."""
    text = told_bills(**vat)
    read = rb.loads(text, rb.BillingResult)
    (bill,) = read.bills
    line, total = bill.lines[0], bill.vat_totals[0]

    assert json.loads(text) == json.loads(rb.dumps(read))
    assert read == pickle.loads(pickle.dumps(read))
    assert 'Margin"s' == line.vat.tax_mode == total.vat.tax_mode
    assert 'Margin"s' == read.rows()[0]["tax_mode"]


def test_a_bill_of_an_unknown_tax_mode_is_told_as_a_difference() -> None:
    """The line's VAT and both totals, with the words and figures of either side (A27)."""
    actual = rb.loads(told_bills(**MARGIN), rb.BillingResult)
    found = rb.compare_bills(rb.pending_bills(TERMS, FEBRUARY), actual)

    assert not found.is_equal
    assert [
        (
            "2026-02-01 VAT of key:rent 2026-02-01/2026-02-28: expected Exclusive 25 %, "
            'actual Margin"s 25 %'
        ),
        (
            "2026-02-01 VAT of Exclusive 25 %: expected 2125.00 DKK, actual no VAT total, "
            "actual is 2125.00 lower"
        ),
        (
            '2026-02-01 VAT of Margin"s 25 %: expected no VAT total, actual 2125.00 DKK, '
            "actual is 2125.00 higher"
        ),
    ] == str(found).splitlines()


def test_nobody_judges_the_vat_of_an_unknown_tax_mode() -> None:
    """Whether 2,125.00 of VAT are right, nobody here knows; all sums are judged as ever (A27)."""
    (finding,) = rb.check_bill(told_bills(**MARGIN)).findings
    wrong = told_bills(**MARGIN).replace("10625.0", "10626.0")

    assert ("unknown_tax_mode", "warning", "bills[0].vatTotals[0].vat.taxMode") == (
        finding.code,
        finding.severity,
        finding.path,
    )
    assert {"unknown_tax_mode", "total"} == {each.code for each in rb.check_bill(wrong).findings}


def test_nothing_is_billed_beside_an_unknown_tax_mode() -> None:
    """What was billed in it cannot be credited in it (A27, A53)."""
    earlier = rb.loads(told_bills(**MARGIN), rb.BillingResult)
    error = refused_by(lambda: rb.pending_bills(TERMS, FEBRUARY, already_billed=earlier))

    assert isinstance(error, UnknownTaxModeError)
    assert [
        ("already_billed.bills[0].pendingBillLineItems[0].vat.taxMode", "unknown_tax_mode")
    ] == places(error)


@rows(
    ("vat", "code"),
    [
        ({"taxMode": 1, "taxRate": 0.25}, "unknown_tax_mode"),
        ({"taxMode": "Margin", "taxRate": "a quarter"}, "unknown_tax_mode"),
        ({"taxMode": "Exclusive", "taxRate": 25}, "out_of_range"),
        ({"taxRate": 0.25}, "missing"),
    ],
)
def test_a_vat_that_cannot_be_read_is_refused_in_a_bill(vat: dict[str, object], code: str) -> None:
    """A mode that is no text, a rate that is none, and 25 where 25 percent are 0.25 (A5, A27)."""
    error = refused_by(lambda: rb.loads(told_bills(**vat), rb.BillingResult))

    assert code in {each.code for each in error.problems}
