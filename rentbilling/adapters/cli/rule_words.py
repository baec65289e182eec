"""What the rules of a working are about, in a few words: the legend below an outline.

Law: every rule that a working can name is told.
"""

import re
from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

RULE_WORDS: Final = MappingProxyType(
    {
        "A4": "accounting periods",
        "A8": "billing cycles",
        "A9": "cycles that begin inside a month",
        "A10": "due dates",
        "A11": "weekends and holidays",
        "A12": "the opening period",
        "A16": "what makes one bill",
        "A17": "when an item stops",
        "A18": "price, quantity and VAT over time",
        "A19": "a change inside a period",
        "A20": "the share of a part period",
        "A21": "the figures of a line",
        "A22": "discounts",
        "A24": "discount on the opening period",
        "A27": "tax modes",
        "A28": "tax rates",
        "A29": "where VAT is rounded",
        "A30": "VAT totals",
        "A32": "when rent is adjusted",
        "A33": "index values",
        "A34": "what an index acts on",
        "A35": "limits of an adjustment",
        "A36": "increments",
        "A37": "several rules in one month",
        "A38": "amounts of an adjustment",
        "A39": "deposits and other balances",
        "A40": "conventions of countries and contracts",
        "A51": "billing in arrears",
        "A52": "cash rounding",
        "A53": "what was billed before",
        "A55": "one-time items",
    }
)
"""By the number of the assumption."""

_NUMBER: Final = re.compile(r"A([0-9]+)")
_STANDARD: Final = "EN 16931"


def legend(rules: Iterable[str]) -> str:
    """Return what the rules in brackets are about, in one paragraph.

    Examples:
        >>> print(legend(["A21", "EN 16931 BR-CO-15", "A8", "A21"]))
        In brackets, the assumptions of the guide: A8 billing cycles, A21 the figures of a line; \
and rules of EN 16931, the European standard for invoices.
    """
    named = set(rules)
    numbers = sorted(int(found[1]) for each in named if (found := _NUMBER.fullmatch(each)))
    words = ", ".join(f"A{each} {RULE_WORDS.get(f'A{each}', '')}".rstrip() for each in numbers)
    told = [f"the assumptions of the guide: {words}"] if words else []
    if any(each.startswith(_STANDARD) for each in named):
        told.append(f"rules of {_STANDARD}, the European standard for invoices")
    return f"In brackets, {'; and '.join(told)}." if told else ""
