"""Words for what is no record: amounts, bills, VAT; those of records are their docstrings.

Law: the document says what the sources say.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Amount": {"amount": "How much."},
        "BillingResult": {"bills": "The bills, in order of due date."},
        "PendingBill": {
            "dueDate": "When the bill falls due.",
            "pendingBillLineItems": "The line items: by item, then by accounting period.",
            "subtotal": "Sum of the net prices.",
            "total": "Subtotal and VAT together.",
            "vatTotals": "The VAT by tax mode and rate.",
            "cashRounding": "What is added so that the sum can be paid in cash.",
            "payable": "What is to be paid: the total, rounded for cash.",
            "payer": "The payer, where it is one payer's part of another bill.",
            "corrections": "Units that make the parts of payers add up, by the path of the figure.",
        },
        "PendingBillLineItem": {
            "productKey": "Key of what is billed.",
            "amount": "What the line costs, in the tax mode of its item.",
            "quantity": "Quantity on the bill.",
            "unitNetPrice": "Net price of one unit.",
            "netPrice": "Net price of the line.",
            "vat": "VAT of the line.",
            "accountingPeriod": "The days that the line is for, both ends included.",
        },
        "Problem": {"problems": "What is wrong, one by one."},
        "Vat": {
            "": "How VAT is charged, and at which rate.",
            "taxMode": "Whether VAT is on top, within, or not charged.",
        },
        "VatTotal": {"vat": "Tax mode and rate.", "amount": "The VAT."},
    }
)
"""Words of fields whose sources have none below them; under the empty name, of the whole."""
