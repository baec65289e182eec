"""Electronic invoices as bills: exported and read back equal, and hostile ones refused."""

import sys
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given

pytest.importorskip("lxml", reason="the extra einvoices is not installed")

from rentbilling import PendingBill, Vat, check_bill, compare_bills, pending_bills
from rentbilling.adapters.einvoices import read_einvoice
from rentbilling.errors import InvalidInputError
from rentbilling.invoices import invoice_of
from rentbilling.payers import BillDiscount, discount_bill
from rentbilling.testing import a_bill, a_lease, a_line, a_rent
from rentbilling.testing.strategies import BillingRun, billing_runs
from rentbilling.values import TAXED, decimal_of, divide_rounded
from tests.support import command_line
from tests.support.rows import rows

PARTY = {"name": "Havn", "country": "DK", "vatId": "DK12345678"}
VAT = Vat("Exclusive", "0.25")
ISSUED = "2026-01-05"


def written(bill: PendingBill) -> bytes:
    made = invoice_of(bill, number="1", issued=ISSUED, seller=PARTY, buyer=PARTY)
    return made.ubl().encode()


CII = """<rsm:CrossIndustryInvoice xmlns:rsm="urn:a" xmlns:ram="urn:b" xmlns:udt="urn:c">
<rsm:ExchangedDocument><ram:ID>7</ram:ID><ram:TypeCode>{code}</ram:TypeCode>
<ram:IssueDateTime><udt:DateTimeString format="102">20260105</udt:DateTimeString>
</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction><ram:IncludedSupplyChainTradeLineItem>
<ram:SpecifiedTradeProduct><ram:Name>Rent</ram:Name></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>
<ram:ChargeAmount>1000.00</ram:ChargeAmount><ram:BasisQuantity>2</ram:BasisQuantity>
</ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity>4</ram:BilledQuantity>
</ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement>
<ram:ApplicableTradeTax><ram:CategoryCode>S</ram:CategoryCode>
<ram:RateApplicablePercent>25.00</ram:RateApplicablePercent></ram:ApplicableTradeTax>
<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator>
</ram:ChargeIndicator><ram:ActualAmount>{off}</ram:ActualAmount></ram:SpecifiedTradeAllowanceCharge>
<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>1900</ram:LineTotalAmount>
</ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem><ram:ApplicableHeaderTradeSettlement>
<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
<ram:ApplicableTradeTax><ram:CalculatedAmount>500.00</ram:CalculatedAmount>
<ram:BasisAmount>2000.00</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode>
<ram:RateApplicablePercent>25</ram:RateApplicablePercent></ram:ApplicableTradeTax>
<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>true</udt:Indicator>
</ram:ChargeIndicator><ram:ActualAmount>100</ram:ActualAmount><ram:Reason>Key</ram:Reason>
<ram:CategoryTradeTax><ram:CategoryCode>S</ram:CategoryCode>
<ram:RateApplicablePercent>25</ram:RateApplicablePercent></ram:CategoryTradeTax>
</ram:SpecifiedTradeAllowanceCharge>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation>
<ram:TaxBasisTotalAmount>2000.00</ram:TaxBasisTotalAmount><ram:GrandTotalAmount>2500.00
</ram:GrandTotalAmount><ram:TotalPrepaidAmount>500</ram:TotalPrepaidAmount>
<ram:DuePayableAmount>2000.00</ram:DuePayableAmount>
</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"""


def errors(data: dict[str, Any]) -> list[str]:
    return [each.code for each in check_bill(data) if each.severity == "error"]


def test_cii_with_an_allowance_a_charge_and_a_payment() -> None:
    """4 × 1,000 / 2 less 100 is 1,900; 100 more are 2,000, 25 % are 500; 500 are paid already."""
    data = read_einvoice(CII.format(code=380, off=100).encode())

    line, charge = data["pendingBillLineItems"]
    assert (data["dueDate"], line["amount"]["amount"], line["quantity"]) == (ISSUED, 475, 4)
    assert (data["number"], read_einvoice(PLAIN)["number"]) == ("7", "1")
    assert (charge["productKey"], charge["netPrice"]["amount"]) == ("key:charge", 100)
    assert data["payable"]["amount"] == 2500
    assert errors(data) == []
    # An allowance that does not give the net, and a credit note, whose signs are turned back.
    assert errors(read_einvoice(CII.format(code=380, off=99).encode())) == ["net_price"]
    credit = read_einvoice(CII.format(code=381, off=100).encode())
    assert (credit["total"]["amount"], errors(credit)) == (-2500, [])


@rows(
    "bill",
    [
        a_bill(a_line(amount=8500)),
        a_bill(a_line(amount=-1000, vat=VAT)),
        a_bill(a_line(amount=100, vat=Vat("ReverseCharge")), a_line(amount=-40, vat=VAT)),
        discount_bill(
            a_bill(a_line(amount=1000, vat=VAT)), [BillDiscount(percentage=Decimal("0.1"))]
        ).bills[0],
    ],
)
def test_kinds_of_bills_read_back_equal(bill: PendingBill) -> None:
    read = read_einvoice(written(bill))

    assert compare_bills(bill, read).is_equal, str(compare_bills(bill, read))
    assert errors(read) == []


_Group = tuple[str, Decimal | None]


def group_of(vat: Vat) -> _Group:
    """Return the VAT as an invoice states it: nothing is inside prices."""
    mode, rate = vat.category
    return ("Exclusive", rate) if mode in TAXED else (mode, None)


def read_group(data: dict[str, Any]) -> _Group:
    return data["taxMode"], data.get("taxRate")


def stated(bill: PendingBill) -> dict[str, Any]:
    """Return what a bill says of everything that an invoice states."""
    totals: dict[_Group, Decimal] = {}
    for total in bill.vat_totals:
        group = group_of(total.vat)
        totals[group] = totals.get(group, Decimal(0)) + total.amount.amount
    return {
        "dueDate": bill.due_date.isoformat(),
        "lines": [
            (
                figures.product_key,
                figures.item_id,
                decimal_of(figures.net, figures.places),
                group_of(figures.vat),
                abs(figures.quantity),
                f"{date.fromordinal(first)}/{date.fromordinal(last)}",
            )
            for figures, first, last in bill.raw_lines
        ],
        "vatTotals": totals,
        "sums": [bill.subtotal.amount, bill.total.amount, bill.payable.amount],
    }


def read_back(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "dueDate": data["dueDate"],
        "lines": [
            (
                line["productKey"],
                line.get("itemId"),
                line["netPrice"]["amount"],
                read_group(line["vat"]),
                line["quantity"],
                line["accountingPeriod"],
            )
            for line in data["pendingBillLineItems"]
        ],
        "vatTotals": {
            read_group(each["vat"]): each["amount"]["amount"] for each in data["vatTotals"]
        },
        "sums": [data[name]["amount"] for name in ("subtotal", "total", "payable")],
    }


def half_up(units: Fraction) -> int:
    return divide_rounded(units.numerator, units.denominator)


@given(billing_runs())
def test_every_figure_that_is_exported_reads_back_equal(run: BillingRun) -> None:
    """A105, A107: of every bill; VAT is no longer inside, and what is below 0 is so by its price.

    A price is the bill's wherever it gives the line by rounding half up, and gives the line always.
    """
    result = pending_bills(run.terms, run.period, policy=run.policy, indices=run.indices)
    for bill in [each for each in result if each.places <= 2][:3]:
        data = read_einvoice(written(bill))
        assert read_back(data) == stated(bill)
        for line, (figures, _, _) in zip(data["pendingBillLineItems"], bill.raw_lines, strict=True):
            price, scale = line["amount"]["amount"], 10**figures.places
            assert half_up(Fraction(price) * Fraction(line["quantity"]) * scale) == figures.net
            own = abs(Fraction(figures.unit_net) * Fraction(figures.quantity)) * scale
            if not figures.taken and half_up(own) == abs(figures.net) and figures.quantity != 1:
                assert abs(price) == abs(figures.unit_net)
        plain = all(each.vat.tax_mode != "Inclusive" for each, _, _ in bill.raw_lines)
        if plain and all(each.quantity > 0 and not each.taken for each, _, _ in bill.raw_lines):
            same = run.policy.evolve(rounding="half_up")
            if run.policy == same and not run.policy.by_product:
                assert compare_bills(bill, data, policy=run.policy).is_equal


PLAIN = written(a_bill(a_line(amount=8500)))


REFUSED = {
    "is a a ": b"<a/>",
    "cannot be read": b"<a>",
    "declares a document type or entities": b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
    "a document type": "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>".encode("utf-16"),
    "cannot be read: .*depth": b"<a>" * 300 + b"</a>" * 300,
    "has more than 16 MiB": b" " * ((16 << 20) + 1),
    "DueDate: ": PLAIN.replace(b"DueDate>2026", b"DueDate>x"),
    "is not a number": PLAIN.replace(b">8500.00<", b">NaN<"),
    "IssueDate: is missing": PLAIN.replace(b"cbc:IssueDate", b"cbc:Issued"),
    "10000 lines": PLAIN.replace(b"</Invoice>", b"<InvoiceLine/>" * 10_000 + b"</Invoice>"),
}


def test_vat_inside_may_be_a_minor_unit_beside_the_rate() -> None:
    """10.02 with 25 % inside: VAT 2.004, so 2.00; net 8.02, of which 25 % are 2.005, so 2.01."""
    data = read_einvoice(written(a_bill(a_line(amount="10.02", vat="Inclusive 0.25"))))

    (total,) = data["vatTotals"]
    assert (total["amount"]["amount"], data["total"]["amount"]) == (2, Decimal("10.02"))
    assert errors(data) == ["vat_amount"]
    assert check_bill(data, tolerance=Decimal("0.01")).is_consistent


def test_what_is_refused() -> None:
    for said, came in REFUSED.items():
        with pytest.raises(InvalidInputError, match=said):
            read_einvoice(came)


def test_a_text_is_no_file() -> None:
    with pytest.raises(TypeError, match=r"read_einvoice takes bytes, as of ubl\(\)\.encode\(\)"):
        read_einvoice(PLAIN.decode())  # type: ignore[arg-type]


def test_a_line_of_nothing_is_found() -> None:
    data = read_einvoice(PLAIN.replace(b'unitCode="C62">1<', b'unitCode="C62">0<'))

    assert "zero_quantity" in errors(data)


def test_categories_that_no_tax_mode_is_for() -> None:
    """An export (G) is no tax mode of the interface, and is reported as the word that came."""
    data = read_einvoice(PLAIN.replace(b"<cbc:ID>E<", b"<cbc:ID>G<"))

    assert data["vatTotals"][0]["vat"]["taxMode"] == "category G"


def test_an_invoice_is_verified_in_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    (bill,) = pending_bills(a_lease(a_rent()), "2026-02")
    wrong = written(bill).replace(b">8500.00</cbc:TaxInclusive", b">8500.01</cbc:TaxInclusive")

    def verified(came: bytes) -> Result:
        return command_line.run("verify", "-", given=came)

    assert [0, 3] == [verified(came).exit_code for came in (written(bill), wrong)]
    assert "document type" in command_line.refused(verified(b"<!DOCTYPE a><a/>"))
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    assert "rentbilling[einvoices]" in command_line.refused(verified(b"<a/>"))
