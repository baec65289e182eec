"""What a UBL document states, in the form of the outside corpora, which the checks judge.

The reader knows nothing of the writer: it finds elements by their names in the schema.
"""

from decimal import Decimal
from typing import Any
from xml.etree import ElementTree as ET

from rentbilling import BillingPolicy, Finding
from tests.outside.checks.documents import errors_of

CBC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2}"
CAC = "{urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2}"
_TOTALS = {
    "line_net_sum": "LineExtensionAmount",
    "tax_exclusive": "TaxExclusiveAmount",
    "tax_inclusive": "TaxInclusiveAmount",
    "allowance_total": "AllowanceTotalAmount",
    "charge_total": "ChargeTotalAmount",
    "rounding": "PayableRoundingAmount",
    "payable": "PayableAmount",
}


def text_at(node: ET.Element, *path: str) -> str | None:
    """Return the text at a path of local names, the last one of a basic component."""
    *groups, last = path
    found = node.find("/".join([*(f"{CAC}{group}" for group in groups), f"{CBC}{last}"]))
    return None if found is None else found.text


def facts_of(text: str) -> dict[str, Any]:
    root = ET.fromstring(text)  # noqa: S314 - our own text
    kind = root.tag.rpartition("}")[2]
    quantity = "CreditedQuantity" if kind == "CreditNote" else "InvoicedQuantity"
    tax, totals = root.find(f"{CAC}TaxTotal"), root.find(f"{CAC}LegalMonetaryTotal")
    assert tax is not None
    assert totals is not None
    found = {name: text_at(totals, element) for name, element in _TOTALS.items()}
    return {
        "syntax": f"UBL-{kind}",
        "currency": text_at(root, "DocumentCurrencyCode"),
        "doc_type": text_at(root, f"{kind}TypeCode"),
        "lines": [_line(line, quantity) for line in root.findall(f"{CAC}{kind}Line")],
        "document_allowances": [*_allowances(root, "allowance")],
        "document_charges": [*_allowances(root, "charge")],
        "vat_breakdown": [
            {
                **_category(group, "TaxCategory"),
                "taxable": text_at(group, "TaxableAmount"),
                "tax": text_at(group, "TaxAmount"),
            }
            for group in tax.findall(f"{CAC}TaxSubtotal")
        ],
        "totals": {**found, "tax_total": text_at(tax, "TaxAmount")},
    }


def _category(node: ET.Element, name: str) -> dict[str, Any]:
    return {"category": text_at(node, name, "ID"), "rate": text_at(node, name, "Percent")}


def _allowances(node: ET.Element, kind: str) -> list[dict[str, Any]]:
    wanted = {"allowance": "false", "charge": "true"}[kind]
    return [
        {"kind": kind, "amount": text_at(each, "Amount"), **_category(each, "TaxCategory")}
        for each in node.findall(f"{CAC}AllowanceCharge")
        if text_at(each, "ChargeIndicator") == wanted
    ]


def _line(line: ET.Element, quantity: str) -> dict[str, Any]:
    sums = {
        kind: str(sum((Decimal(each["amount"]) for each in _allowances(line, kind)), Decimal(0)))
        for kind in ("allowance", "charge")
    }
    item = line.find(f"{CAC}Item")
    assert item is not None
    return {
        **sums,
        **_category(item, "ClassifiedTaxCategory"),
        "quantity": text_at(line, quantity),
        "unit_net_price": text_at(line, "Price", "PriceAmount"),
        "base_quantity": text_at(line, "Price", "BaseQuantity"),
        "line_net": text_at(line, "LineExtensionAmount"),
    }


def broken_rules(text: str) -> list[Finding]:
    """Return what the rules about figures find wrong, with the slack that they grant."""
    return errors_of(facts_of(text), BillingPolicy(), tolerant=True)
