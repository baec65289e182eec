"""Electronic invoices of EN 16931, in UBL or CII, as data of bills (lxml, extra `einvoices`).

Laws: figures are passed on as they are stated, also where they are wrong; a document type, an
entity, or a document that is too large or too deep is refused before anything of it is used.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import InvalidAmountError, InvalidInputError, InvalidRecordError, shown
from rentbilling.values import minor_units, number, parse_date, rounded, unit_price

_MOST_BYTES: Final = 16 << 20
_MOST_LINES: Final = 10_000
_DECIMAL: Final = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})")
_CREDIT_NOTE: Final = "381"
_MODES: Final = MappingProxyType(
    {"S": "Exclusive", "Z": "Exclusive", "E": "Exempt", "AE": "ReverseCharge"}
)

_UBL: Final = MappingProxyType(
    {
        "number": "ID",
        "currency": "DocumentCurrencyCode",
        "issued": "IssueDate",
        "due": "DueDate|PaymentMeans/PaymentDueDate",
        "type": "InvoiceTypeCode|CreditNoteTypeCode",
        "start": "InvoicePeriod/StartDate",
        "end": "InvoicePeriod/EndDate",
        "lines": "InvoiceLine|CreditNoteLine",
        "quantity": "InvoicedQuantity|CreditedQuantity",
        "net": "LineExtensionAmount",
        "price": "Price/PriceAmount",
        "per": "Price/BaseQuantity",
        "product": "Item/SellersItemIdentification/ID|Item/Name",
        "name": "Item/Name",
        "item": "DocumentReference/ID",
        "line_code": "Item/ClassifiedTaxCategory/ID",
        "line_rate": "Item/ClassifiedTaxCategory/Percent",
        "line_start": "InvoicePeriod/StartDate",
        "line_end": "InvoicePeriod/EndDate",
        "line_allowances": "AllowanceCharge",
        "allowances": "AllowanceCharge",
        "is_charge": "ChargeIndicator",
        "amount": "Amount",
        "reason": "AllowanceChargeReason",
        "code": "TaxCategory/ID",
        "rate": "TaxCategory/Percent",
        "groups": "TaxTotal/TaxSubtotal",
        "tax": "TaxAmount",
        "base": "TaxableAmount",
        "subtotal": "LegalMonetaryTotal/TaxExclusiveAmount",
        "total": "LegalMonetaryTotal/TaxInclusiveAmount",
        "rounding": "LegalMonetaryTotal/PayableRoundingAmount",
        "prepaid": "LegalMonetaryTotal/PrepaidAmount",
        "payable": "LegalMonetaryTotal/PayableAmount",
    }
)
_HEAD: Final = "SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement"
_SUMS: Final = f"{_HEAD}/SpecifiedTradeSettlementHeaderMonetarySummation"
_OF_LINE: Final = "SpecifiedLineTradeSettlement"
_CII: Final = MappingProxyType(
    {
        "number": "ExchangedDocument/ID",
        "currency": f"{_HEAD}/InvoiceCurrencyCode",
        "issued": "ExchangedDocument/IssueDateTime/DateTimeString",
        "due": f"{_HEAD}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString",
        "type": "ExchangedDocument/TypeCode",
        "start": f"{_HEAD}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
        "end": f"{_HEAD}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
        "lines": "SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem",
        "quantity": "SpecifiedLineTradeDelivery/BilledQuantity",
        "net": f"{_OF_LINE}/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
        "price": "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount",
        "per": "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/BasisQuantity",
        "product": "SpecifiedTradeProduct/SellerAssignedID|SpecifiedTradeProduct/Name",
        "name": "SpecifiedTradeProduct/Name",
        "item": f"{_OF_LINE}/AdditionalReferencedDocument/IssuerAssignedID",
        "line_code": f"{_OF_LINE}/ApplicableTradeTax/CategoryCode",
        "line_rate": f"{_OF_LINE}/ApplicableTradeTax/RateApplicablePercent",
        "line_start": f"{_OF_LINE}/BillingSpecifiedPeriod/StartDateTime/DateTimeString",
        "line_end": f"{_OF_LINE}/BillingSpecifiedPeriod/EndDateTime/DateTimeString",
        "line_allowances": f"{_OF_LINE}/SpecifiedTradeAllowanceCharge",
        "allowances": f"{_HEAD}/SpecifiedTradeAllowanceCharge",
        "is_charge": "ChargeIndicator/Indicator",
        "amount": "ActualAmount",
        "reason": "Reason",
        "code": "CategoryTradeTax/CategoryCode|CategoryCode",
        "rate": "CategoryTradeTax/RateApplicablePercent|RateApplicablePercent",
        "groups": f"{_HEAD}/ApplicableTradeTax",
        "tax": "CalculatedAmount",
        "base": "BasisAmount",
        "subtotal": f"{_SUMS}/TaxBasisTotalAmount",
        "total": f"{_SUMS}/GrandTotalAmount",
        "rounding": f"{_SUMS}/RoundingAmount",
        "prepaid": f"{_SUMS}/TotalPrepaidAmount",
        "payable": f"{_SUMS}/DuePayableAmount",
    }
)
_SYNTAXES: Final = MappingProxyType(
    {"Invoice": _UBL, "CreditNote": _UBL, "CrossIndustryInvoice": _CII}
)


def read_einvoice(given: bytes) -> dict[str, Any]:
    """Return an invoice as data of a bill, which `check_bill` and `compare_bills` take (A107).

    Allowances and charges of the document are lines. A credit note has its signs turned back, and a
    negative quantity is a negative price. Without a due date the day of issue counts, without
    periods of lines those of the document, or the day of issue. `number` is that of the invoice.

    Args:
        given: UBL 2.1 (Invoice, CreditNote) or CII (CrossIndustryInvoice).

    Raises:
        ImportError: lxml is not installed.
        InvalidInputError: It is no such document, something is missing or cannot be read, or it
            declares a document type or entities, or has more than 16 MiB or 10,000 lines.
        TypeError: It is no bytes.
    """
    if not isinstance(given, bytes):
        raise TypeError(f"read_einvoice takes bytes, as of ubl().encode(), not {shown(given)}")
    root = _root(given)
    syntax = _SYNTAXES.get(_local(root))
    if syntax is None:
        expected = "an Invoice or CreditNote of UBL, or a CrossIndustryInvoice of CII"
        raise _refused(f"is a {_local(root)}", given[:20], expected)
    return _Reader(root, syntax).bill()


def _root(given: bytes) -> Any:  # noqa: ANN401 - lxml may be absent
    try:
        etree = import_module("lxml.etree")
    except ImportError as missing:
        how = "pip install 'rentbilling[einvoices]'"
        raise ImportError(f"An e-invoice needs lxml: {how}", name=missing.name) from missing
    if len(given) > _MOST_BYTES:
        raise _refused("has more than 16 MiB", f"{len(given)} bytes")
    # A document may be UTF-16.
    plain = given.replace(b"\0", b"").upper()
    if b"<!DOCTYPE" in plain or b"<!ENTITY" in plain:
        raise _refused("declares a document type or entities", given[:20])
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(given, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _refused(f"cannot be read: {error}", given[:20]) from None


def _refused(said: str, met: object, expected: str = "XML without them") -> InvalidRecordError:
    return InvalidRecordError.of("", "unreadable", said, met, expected)


def _local(node: Any) -> str:  # noqa: ANN401 - an element of lxml
    return str(node.tag).rpartition("}")[2]


class _Reader:
    """Reads one document of a syntax."""

    def __init__(self, root: Any, syntax: Mapping[str, str]) -> None:  # noqa: ANN401
        self._root, self._syntax = root, syntax
        self._currency = self._text(root, "currency")
        code = self._optional(root, "type")
        self._sign = -1 if code == _CREDIT_NOTE or _local(root) == "CreditNote" else 1

    def bill(self) -> dict[str, Any]:
        root = self._root
        lines = self._all(root, "lines")
        if len(lines) > _MOST_LINES:
            raise _refused(f"has more than {_MOST_LINES} lines", len(lines))
        issued = self._read(root, "issued", _day)
        days = self._days(root, "", (issued, issued))
        found = {
            "number": self._read(root, "number", str, None),
            "dueDate": self._read(root, "due", _day, issued),
            "pendingBillLineItems": [
                *(self._line(line, days) for line in lines),
                *(self._allowance(each, days) for each in self._all(root, "allowances")),
            ],
            "subtotal": self._money(root, "subtotal"),
            "vatTotals": [
                {
                    "vat": self._vat(group, ""),
                    "amount": self._money(group, "tax"),
                    "base": self._money(group, "base"),
                }
                for group in self._all(root, "groups")
            ],
            "total": self._money(root, "total"),
        }
        payable = self._read(root, "payable", _number, None)
        if payable is not None:
            prepaid = self._read(root, "prepaid", _number, Decimal(0))
            found["payable"] = self._amount(payable + prepaid)
        if self._optional(root, "rounding") is not None:
            found["cashRounding"] = self._money(root, "rounding")
        return found

    # ------------------------------------------------------------------------------------ elements

    def _all(self, node: Any, name: str) -> list[Any]:  # noqa: ANN401
        paths = (_path(each) for each in self._syntax[name].split("|"))
        return [found for path in paths for found in node.findall(path)]

    def _optional(self, node: Any, name: str) -> str | None:  # noqa: ANN401
        return next((text for each in self._all(node, name) if (text := each.text)), None)

    def _text(self, node: Any, name: str) -> str:  # noqa: ANN401
        text: str = self._read(node, name, str)
        return text

    def _read(
        self,
        node: Any,  # noqa: ANN401
        name: str,
        read: Callable[[str], Any],
        *absent: Any,  # noqa: ANN401 - one value, where it may be absent
    ) -> Any:  # noqa: ANN401
        """Return what an element says, or another value where it is absent."""
        text = self._optional(node, name)
        path = self._syntax[name].partition("|")[0].replace("/", ".")
        if text is None:
            if absent:
                return absent[0]
            said, expected = "is missing", "this element"
            raise InvalidRecordError.of(path, "missing", said, "nothing", expected)
        try:
            return read(text.strip())
        except InvalidInputError as error:
            raise error.under(path) from None

    # ------------------------------------------------------------------------------------- figures

    def _amount(self, exact: Decimal) -> dict[str, Any]:
        return {"amount": self._sign * exact, "currency": self._currency}

    def _money(self, node: Any, name: str) -> dict[str, Any]:  # noqa: ANN401
        return self._amount(self._read(node, name, _number))

    def _vat(self, node: Any, prefix: str) -> dict[str, Any]:  # noqa: ANN401
        code = self._text(node, f"{prefix}code")
        rate = self._read(node, f"{prefix}rate", _number, Decimal(0)).scaleb(-2)
        mode = _MODES.get(code, f"category {code}")
        return {"taxMode": mode} if mode in _UNTAXED else {"taxMode": mode, "taxRate": rate}

    def _days(self, node: Any, prefix: str, absent: tuple[str, str]) -> tuple[str, str]:  # noqa: ANN401
        start = self._read(node, f"{prefix}start", _day, absent[0])
        return start, self._read(node, f"{prefix}end", _day, max(start, absent[1]))

    def _line(self, line: Any, days: tuple[str, str]) -> dict[str, Any]:  # noqa: ANN401
        quantity = self._read(line, "quantity", _number)
        net = self._read(line, "net", _number)
        per = self._read(line, "per", _number, Decimal(1)) or Decimal(1)
        price, extras = self._read(line, "price", _number), [*self._signed(line, "line_allowances")]
        unit = price if quantity > 0 else -price
        if extras or per != 1:
            listed = Fraction(price) * Fraction(quantity) / Fraction(per)
            unit = self._unit(listed + sum(map(Fraction, extras)), abs(quantity))
        first, last = self._days(line, "line_", days)
        item = self._optional(line, "item")
        found = {
            "productKey": self._text(line, "product"),
            "itemId": item,
            "description": self._optional(line, "name"),
            "amount": self._amount(unit),
            "unitNetPrice": self._amount(unit),
            "quantity": abs(quantity),
            "netPrice": self._amount(net),
            "vat": self._vat(line, "line_"),
            "accountingPeriod": f"{first}/{last}",
        }
        return {name: value for name, value in found.items() if value is not None}

    def _unit(self, stated: Fraction, quantity: Decimal) -> Decimal:
        """Return the price of one unit, after allowances, that gives what a line comes to."""
        places = minor_units(self._currency)
        line = rounded(stated, places)
        if quantity in (0, 1):
            return line
        exact, units = stated / Fraction(quantity), int(line.scaleb(places))
        ratios = quantity.as_integer_ratio(), exact.as_integer_ratio()
        return unit_price(units, *ratios, places, "half_up")

    def _signed(self, node: Any, name: str) -> Iterator[Decimal]:  # noqa: ANN401
        """Give charges, and allowances below 0."""
        for each in self._all(node, name):
            sign = 1 if self._text(each, "is_charge").lower() in ("true", "1") else -1
            yield sign * self._read(each, "amount", _number)

    def _allowance(self, node: Any, days: tuple[str, str]) -> dict[str, Any]:  # noqa: ANN401
        sign = 1 if self._text(node, "is_charge").lower() in ("true", "1") else -1
        amount = self._amount(sign * self._read(node, "amount", _number))
        return {
            "productKey": "key:discount" if sign < 0 else "key:charge",
            "kind": "discount" if sign < 0 else "one_time",
            "description": self._optional(node, "reason") or "Discount",
            "amount": amount,
            "quantity": Decimal(1),
            "unitNetPrice": amount,
            "netPrice": amount,
            "vat": self._vat(node, ""),
            "accountingPeriod": "/".join(days),
        }


_UNTAXED: Final = ("Exempt", "ReverseCharge")


def _path(path: str) -> str:
    return "/".join(f"{{*}}{step}" for step in path.split("/"))


def _number(text: str) -> Decimal:
    if not _DECIMAL.fullmatch(text):
        said, expected = "is not a number", "a decimal number such as 8500.00"
        raise InvalidAmountError.of("", "not_a_number", said, text, expected)
    return number(Decimal(text))


def _day(text: str) -> str:
    """Return a day as ISO 8601 has it, also of the digits that CII writes."""
    digits = len(text) == 8 and text.isdecimal()  # noqa: PLR2004 - YYYYMMDD
    return parse_date(f"{text[:4]}-{text[4:6]}-{text[6:]}" if digits else text[:10]).isoformat()
