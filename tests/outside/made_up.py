"""A made-up invoice for the tests of the scoreboard."""

from typing import Any


def invoice(**changes: object) -> dict[str, Any]:
    line = {
        "id": "1",
        "quantity": "90",
        "unit_net_price": "1460",
        "base_quantity": "365",
        "allowance": "10",
        "charge": "0",
        "line_net": "350.00",
        "category": "S",
        "rate": "25",
    }
    stated: dict[str, Any] = {
        "id": "made-up/1",
        "nominal": "valid",
        "family": "en16931",
        "currency": "DKK",
        "lines": [line],
        "document_allowances": [],
        "document_charges": [{"kind": "charge", "amount": "40", "category": "E", "rate": "0"}],
        "vat_breakdown": [
            {"category": "S", "rate": "25.0", "taxable": "350.00", "tax": "87.50"},
            {"category": "E", "rate": "0", "taxable": "40.00", "tax": "0"},
        ],
        "totals": {
            "line_net_sum": "350.00",
            "charge_total": "40.00",
            "tax_exclusive": "390.00",
            "tax_total": "87.50",
            "tax_inclusive": "477.50",
            "prepaid": "77.50",
            "payable": "400.00",
        },
        "check": {
            "verdict": "exact",
            "oracle": {"lines": True, "groups": True, "totals": True},
            "exceptions": [],
        },
    }
    return stated | changes
