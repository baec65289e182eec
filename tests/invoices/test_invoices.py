"""Bills as invoices of EN 16931: worked out by hand, and accepted by the rules of validators."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from rentbilling import BillingPolicy, Discount, PendingBill, Vat, pending_bills
from rentbilling.errors import InvalidInputError, UnsupportedCaseError
from rentbilling.invoices import Invoice, Party, invoice_of
from rentbilling.payers import BillDiscount, discount_bill
from rentbilling.testing import a_bill, a_lease, a_line, a_one_time_item, a_rent
from rentbilling.testing.strategies import BillingRun, billing_runs
from rentbilling.values import UnknownVat
from tests.support.rows import rows
from tests.support.ubl_facts import broken_rules, facts_of

SELLER = {
    "name": "Havn & Søn ApS",
    "country": "DK",
    "vatId": "DK12345678",
    "street": "Havnegade 1",
    "city": "Aarhus",
    "postalCode": "8000",
    "endpoint": "5798000000001",
    "endpointScheme": "0088",
}
BUYER = Party(name="Shop <1>", country="SE", vat_id="SE556677889901")
VAT = Vat("Exclusive", "0.25")
SHOP = a_lease(
    a_rent(
        id="shop",
        amount=30_000,
        months=3,
        vat=VAT,
        description="Shop",
        discount=Discount(percentage=Decimal("0.1"), description="First year"),
    ),
    a_rent(id="flat", amount=-500, description="Flat", quantity=Decimal("1.5")),
)


def made(bill: PendingBill, **more: Any) -> Invoice:  # noqa: ANN401
    given: dict[str, Any] = {
        "number": "2026-17",
        "issued": "2026-01-05",
        "seller": SELLER,
        "buyer": BUYER,
    }
    return invoice_of(bill, **{**given, **more})


def test_a_quarter_with_a_discount_and_a_credit() -> None:
    """30,000 less 3,000 is 27,000, and −500 × 1.5 = −750: 26,250 net, 6,750 VAT, 33,000.00."""
    (bill,) = pending_bills(SHOP, "2026-04")
    invoice = made(bill, payment_reference="RF18539007547034", account="DK5000400440116243")

    shop, flat = invoice.terms["BG-25"]
    assert shop == {
        "BT-126": "1",
        "BT-128": "shop",
        "BT-129": 1,
        "BT-130": "C62",
        "BT-131": Decimal("27000.00"),
        "BG-26": {"BT-134": date(2026, 4, 1), "BT-135": date(2026, 6, 30)},
        "BG-27": [{"BT-136": Decimal("3000.00"), "BT-139": "First year", "BT-140": "95"}],
        "BG-29": {"BT-146": Decimal("30000.00")},
        "BG-30": {"BT-151": "S", "BT-152": 25},
        "BG-31": {"BT-153": "Shop", "BT-155": "key:rent"},
    }
    # A price is never below zero (BR-27): the quantity is.
    assert (flat["BT-129"], flat["BG-29"]["BT-146"]) == (Decimal("-1.5"), 500)
    assert [str(each) for each in invoice.terms["BG-22"].values()] == [
        *("26250.00", "26250.00", "6750.00", "33000.00", "33000.00")
    ]
    assert [each["BT-118"] for each in invoice.terms["BG-23"]] == ["S", "E"]
    text = invoice.ubl()
    assert broken_rules(text) == []
    for part in (
        "<cbc:InvoiceTypeCode>380<",
        "<cbc:RegistrationName>Havn &amp; Søn ApS<",
        '<cbc:EndpointID schemeID="0088">5798000000001<',
        "<cbc:RegistrationName>Shop &lt;1&gt;<",
        "<cbc:PaymentID>RF18539007547034<",
        "<cbc:EndDate>2026-06-30<",
        "<cbc:DueDate>2026-04-01<",
        "<cbc:TaxExemptionReason>Exempt from VAT<",
    ):
        assert part in text
    # A payable amount that is one cent off is refused by its rule.
    wrong = text.replace(">33000.00</cbc:PayableAmount", ">33000.01</cbc:PayableAmount")
    assert ["BR-CO-16" in each.rule for each in broken_rules(wrong)] == [True]


def test_a_bill_below_zero_is_a_credit_note() -> None:
    """−1,000 and 25 % are −1,250: a credit note (381) of 1,250, with the signs turned."""
    invoice = made(a_bill(a_line(amount=-1000, vat=VAT)), corrects=["2025-99"])

    assert (invoice.is_credit_note, invoice.terms["BT-3"]) == (True, "381")
    assert invoice.terms["BG-22"]["BT-115"] == 1250
    text = invoice.ubl()
    facts = facts_of(text)
    assert (facts["syntax"], facts["lines"][0]["quantity"]) == ("UBL-CreditNote", "1")
    assert "<cbc:PaymentDueDate>" in text
    assert "<cbc:DueDate>" not in text
    assert "<cac:InvoiceDocumentReference>\n<cbc:ID>2025-99<" in text
    assert broken_rules(text) == []


def test_discounts_of_the_whole_bill_are_allowances_of_the_document() -> None:
    """10 % off 1,000 is 100 (BG-20): 900 and 25 % are 1,125."""
    (bill,) = discount_bill(
        a_bill(a_line(amount=1000, vat=VAT)),
        [BillDiscount(percentage=Decimal("0.1"), description="Welcome")],
    )
    invoice = made(bill)

    assert invoice.terms["BG-20"] == [
        {"BT-92": 100, "BT-95": "S", "BT-96": 25, "BT-97": "Welcome"},
    ]
    totals = invoice.terms["BG-22"]
    assert [totals[f"BT-{number}"] for number in (106, 107, 109, 115)] == [1000, 100, 900, 1125]
    assert broken_rules(invoice.ubl()) == []


def test_modes_of_one_rate_are_one_group_and_cash_is_rounded() -> None:
    """100 on top and 100 with VAT inside (80 + 20): 180 net, 45 VAT (A105, A52)."""
    bill = a_bill(a_line(amount=100, vat=VAT), a_line(amount=100, vat=Vat("Inclusive", "0.25")))
    assert [(each["BT-116"], each["BT-117"]) for each in made(bill).terms["BG-23"]] == [(180, 45)]
    zero = made(a_bill(a_line(amount=100, vat=Vat("Exclusive", "0"))))
    assert zero.terms["BG-23"][0]["BT-118"] == "Z"
    cash = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    item = a_one_time_item(amount="10.20", due_date="2026-02-01")
    (rounded,) = pending_bills(item, "2026-02", policy=cash)
    assert made(rounded).terms["BG-22"]["BT-114"] == Decimal("-0.20")
    assert broken_rules(made(rounded).ubl()) == []


def test_what_no_text_may_carry() -> None:
    text = made(a_bill(a_line(amount=1, description="a\x07]]>&")), buyer_reference="\x1b").ubl()

    assert "<cbc:Name>a\\x07]]&gt;&amp;<" in text
    assert facts_of(text)["currency"] == "DKK"


ANYONE = {"name": "Anyone", "country": "DK"}
REVERSED = a_bill(a_line(amount=1, vat=Vat("ReverseCharge")))


@rows(
    ("bill", "more", "said"),
    [
        (a_bill(), {"number": " "}, "number: is no text, or empty"),
        (a_bill(), {"number": 17}, "number: is no text, or empty"),
        (a_bill(), {"issued": "soon"}, "issued"),
        (a_bill(), {"seller": ANYONE}, r"seller.vatId: is needed .*BR-S-02"),
        (a_bill(), {"seller": {**ANYONE, "taxId": "1"}}, "seller.legalId: .*BR-CO-26"),
        (REVERSED, {"buyer": ANYONE}, "buyer.vatId: .*BR-AE-02"),
        (a_bill(), {"seller": {**ANYONE, "country": "Denmark"}}, "seller.country: .*BR-09"),
        (a_bill(), {"seller": {**ANYONE, "vatId": "1234"}}, "seller.vatId: .*BR-CO-09"),
        (a_bill(), {"buyer": {**ANYONE, "endpoint": "1"}}, "buyer.endpoint: needs"),
        (a_bill(), {"buyer": {"country": "DK"}}, "buyer.name"),
        (a_bill(a_line(amount=1, currency="KWD")), {}, "KWD"),
        (a_bill(a_line(amount=1, kind="discount")), {}, "BR-16"),
        (a_bill(a_line(amount=1, vat=UnknownVat("Margin", None))), {}, "Margin"),
    ],
)
def test_what_the_standard_does_not_have_is_refused(
    bill: PendingBill, more: dict[str, Any], said: str
) -> None:
    with pytest.raises((InvalidInputError, UnsupportedCaseError), match=said):
        made(bill, **more)


def test_parties_without_a_vat_id() -> None:
    seller = {**ANYONE, "taxId": "T1", "legalId": "L1"}
    text = made(REVERSED, seller=seller, buyer={**ANYONE, "legalId": "L2"}).ubl()

    assert "<cbc:CompanyID>T1</cbc:CompanyID>\n<cac:TaxScheme>\n<cbc:ID>TAX<" in text
    assert "Reverse charge" in text
    # A discount that adds to a credit note is a charge of it.
    lines = a_line(amount=-100, vat=VAT), a_line(amount=-10, vat=VAT, kind="discount")
    credit = made(a_bill(*lines))
    assert credit.terms["BG-21"][0]["BT-99"] == 10
    assert broken_rules(credit.ubl()) == []


def test_discounts_of_units_and_of_credits() -> None:
    """2 × 100 less a tenth is 200 for both (BT-149) less 20; −50 less a tenth is −50 and 5 more."""
    tenth = Discount(percentage=Decimal("0.1"))
    items = (
        a_rent(id="two", amount=100, quantity=Decimal(2), discount=tenth),
        a_rent(id="back", amount=-50, discount=tenth),
    )
    (bill,) = pending_bills(a_lease(*items), "2026-02")
    two, back = made(bill).terms["BG-25"]

    assert (two["BG-29"], two["BG-27"][0]["BT-136"]) == ({"BT-146": 200, "BT-149": 2}, 20)
    assert (back["BT-129"], back["BG-29"], back["BT-131"]) == (-1, {"BT-146": 50}, -45)
    assert back["BG-28"] == [{"BT-141": 5, "BT-144": "Discount"}]
    assert broken_rules(made(bill).ubl()) == []


def test_a_result_is_invoiced_bill_by_bill() -> None:
    with pytest.raises(TypeError, match="takes a PendingBill"):
        made(pending_bills(SHOP, "2026"))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_one_text_is_no_list_of_corrected_invoices() -> None:
    """Each letter was the number of an invoice."""
    assert made(a_bill(), corrects=["2026-1"]).terms["BG-3"] == [{"BT-25": "2026-1"}]
    with pytest.raises(TypeError, match="corrects takes a list of numbers"):
        made(a_bill(), corrects="2026-1")


@given(billing_runs())
def test_every_bill_is_accepted_by_the_rules(run: BillingRun) -> None:
    """Whatever is billed: figures follow from each other within what the standards grant (A29)."""
    bills = pending_bills(run.terms, run.period, policy=run.policy, indices=run.indices)
    for bill in list(bills)[:4]:
        if bill.places == 2:
            invoice = made(bill)
            assert broken_rules(invoice.ubl()) == [], invoice.ubl()
            assert invoice.terms["BG-22"]["BT-115"] == abs(bill.payable.amount)
            assert all(line["BG-29"]["BT-146"] >= 0 for line in invoice.terms["BG-25"])
