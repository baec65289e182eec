"""The terms of an invoice as UBL 2.1: text alone, in the order of its schema.

Law: a text is escaped once; characters that no XML has are written as escapes of Python. The text
is read back as A107 says, by `rentbilling.adapters.einvoices`.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from html import escape
from typing import Any, Final

from rentbilling.errors import printable

_SPACE: Final = "urn:oasis:names:specification:ubl:schema:xsd"
_Terms = Mapping[str, Any]
_Lines = Iterator[str]


def ubl_text(terms: _Terms, *, is_credit: bool) -> str:
    root = "CreditNote" if is_credit else "Invoice"
    head = (
        f'<{root} xmlns="{_SPACE}:{root}-2"'
        f' xmlns:cac="{_SPACE}:CommonAggregateComponents-2"'
        f' xmlns:cbc="{_SPACE}:CommonBasicComponents-2">'
    )
    body = _document(terms, root)
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *body, f"</{root}>", ""])


def _document(terms: _Terms, root: str) -> _Lines:
    currency, process = terms["BT-5"], terms["BG-2"]
    is_credit = root == "CreditNote"
    yield from _element("CustomizationID", process["BT-24"])
    yield from _element("ProfileID", process.get("BT-23"))
    yield from _element("ID", terms["BT-1"])
    yield from _element("IssueDate", terms["BT-2"])
    # A credit note has no due date of its own.
    yield from () if is_credit else _element("DueDate", terms["BT-9"])
    yield from _element(f"{root}TypeCode", terms["BT-3"])
    yield from _element("DocumentCurrencyCode", currency)
    yield from _element("BuyerReference", terms.get("BT-10"))
    yield from _period(terms["BG-14"], "BT-73", "BT-74")
    for each in terms.get("BG-3", ()):
        reference = _group("InvoiceDocumentReference", _element("ID", each["BT-25"]))
        yield from _group("BillingReference", reference)
    yield from _group("AccountingSupplierParty", _party(terms["BG-4"], _SELLER))
    yield from _group("AccountingCustomerParty", _party(terms["BG-7"], _BUYER))
    yield from _group("PaymentMeans", _payment(terms, is_credit=is_credit))
    for each in terms.get("BG-20", ()):
        yield from _allowance(each, ("BT-92", "BT-97", "BT-95", "BT-96"), currency)
    for each in terms.get("BG-21", ()):
        yield from _allowance(each, ("BT-99", "BT-104", "BT-102", "BT-103"), currency, added=True)
    yield from _group("TaxTotal", _taxes(terms, currency))
    yield from _group("LegalMonetaryTotal", _totals(terms["BG-22"], currency))
    for line in terms["BG-25"]:
        yield from _group(f"{root}Line", _line(line, currency, is_credit=is_credit))


_SELLER: Final = ("BT-27", "BT-30", "BT-31", "BT-32", "BT-34", "BT-35", "BT-37", "BT-38", "BT-40")
_BUYER: Final = ("BT-44", "BT-47", "BT-48", "", "BT-49", "BT-50", "BT-52", "BT-53", "BT-55")


def _party(terms: _Terms, numbers: tuple[str, ...]) -> _Lines:
    name, legal, vat, tax, endpoint, street, city, code, country = numbers
    scheme = {"schemeID": terms.get(f"{endpoint}-1")}
    inside = [*_element("EndpointID", terms.get(endpoint), scheme)]
    address = [
        *_element("StreetName", terms.get(street)),
        *_element("CityName", terms.get(city)),
        *_element("PostalZone", terms.get(code)),
        *_group("Country", _element("IdentificationCode", terms[country])),
    ]
    inside += _group("PostalAddress", address)
    for number, word in ((vat, "VAT"), (tax, "TAX")):
        if number in terms:
            scheme_of = _group("TaxScheme", _element("ID", word))
            inside += _group("PartyTaxScheme", [*_element("CompanyID", terms[number]), *scheme_of])
    entity = [*_element("RegistrationName", terms[name]), *_element("CompanyID", terms.get(legal))]
    inside += _group("PartyLegalEntity", entity)
    return _group("Party", inside)


def _payment(terms: _Terms, *, is_credit: bool) -> _Lines:
    paid = terms["BG-16"]
    yield from _element("PaymentMeansCode", paid["BT-81"])
    yield from _element("PaymentDueDate", terms["BT-9"]) if is_credit else ()
    yield from _element("PaymentID", paid.get("BT-83"))
    if "BT-84" in paid:
        yield from _group("PayeeFinancialAccount", _element("ID", paid["BT-84"]))


def _taxes(terms: _Terms, currency: str) -> _Lines:
    yield from _money("TaxAmount", terms["BG-22"]["BT-110"], currency)
    for group in terms["BG-23"]:
        inside = [
            *_money("TaxableAmount", group["BT-116"], currency),
            *_money("TaxAmount", group["BT-117"], currency),
            *_category(group["BT-118"], group["BT-119"], group.get("BT-120")),
        ]
        yield from _group("TaxSubtotal", inside)


def _totals(terms: _Terms, currency: str) -> _Lines:
    for name, number in (
        ("LineExtensionAmount", "BT-106"),
        ("TaxExclusiveAmount", "BT-109"),
        ("TaxInclusiveAmount", "BT-112"),
        ("AllowanceTotalAmount", "BT-107"),
        ("ChargeTotalAmount", "BT-108"),
        ("PayableRoundingAmount", "BT-114"),
        ("PayableAmount", "BT-115"),
    ):
        yield from _money(name, terms.get(number), currency)


def _line(terms: _Terms, currency: str, *, is_credit: bool) -> _Lines:
    item, price, vat = terms["BG-31"], terms["BG-29"], terms["BG-30"]
    unit = {"unitCode": terms["BT-130"]}
    yield from _element("ID", terms["BT-126"])
    quantity = "CreditedQuantity" if is_credit else "InvoicedQuantity"
    yield from _element(quantity, terms["BT-129"], unit)
    yield from _money("LineExtensionAmount", terms["BT-131"], currency)
    yield from _period(terms["BG-26"], "BT-134", "BT-135")
    if "BT-128" in terms:
        reference = [*_element("ID", terms["BT-128"]), *_element("DocumentTypeCode", "130")]
        yield from _group("DocumentReference", reference)
    for each in terms.get("BG-27", ()):
        yield from _allowance(each, ("BT-136", "BT-139"), currency, reason_code=each["BT-140"])
    for each in terms.get("BG-28", ()):
        yield from _allowance(each, ("BT-141", "BT-144"), currency, added=True)
    inside = [
        *_element("Name", item["BT-153"]),
        *_group("SellersItemIdentification", _element("ID", item["BT-155"])),
        *_category(vat["BT-151"], vat["BT-152"], name="ClassifiedTaxCategory"),
    ]
    yield from _group("Item", inside)
    of = [*_money("PriceAmount", price["BT-146"], currency)]
    of += _element("BaseQuantity", price.get("BT-149"), unit)
    yield from _group("Price", of)


def _allowance(
    terms: _Terms,
    numbers: tuple[str, ...],
    currency: str,
    *,
    added: bool = False,
    reason_code: str | None = None,
) -> _Lines:
    amount, reason, *vat = numbers
    inside = [
        *_element("ChargeIndicator", "true" if added else "false"),
        *_element("AllowanceChargeReasonCode", reason_code),
        *_element("AllowanceChargeReason", terms[reason]),
        *_money("Amount", terms[amount], currency),
    ]
    if vat:
        inside += _category(*(terms[number] for number in vat))
    return _group("AllowanceCharge", inside)


def _category(
    code: str, percent: Decimal, reason: str | None = None, *, name: str = "TaxCategory"
) -> _Lines:
    inside = [
        *_element("ID", code),
        *_element("Percent", percent),
        *_element("TaxExemptionReason", reason),
        *_group("TaxScheme", _element("ID", "VAT")),
    ]
    return _group(name, inside)


def _period(terms: _Terms, first: str, last: str) -> _Lines:
    inside = [*_element("StartDate", terms[first]), *_element("EndDate", terms[last])]
    return _group("InvoicePeriod", inside)


def _money(name: str, amount: Decimal | None, currency: str) -> _Lines:
    return _element(name, amount, {"currencyID": currency})


def _group(name: str, inside: Iterable[str]) -> _Lines:
    yield f"<cac:{name}>"
    yield from inside
    yield f"</cac:{name}>"


def _element(
    name: str, value: object, attributes: Mapping[str, str | None] | None = None
) -> _Lines:
    """Give an element; none of a value that is absent."""
    if value is None:
        return
    text = f"{value:f}" if isinstance(value, Decimal) else str(value)
    own = "".join(
        f' {key}="{escape(printable(each))}"' for key, each in (attributes or {}).items() if each
    )
    yield f"<cbc:{name}{own}>{escape(printable(text))}</cbc:{name}>"
