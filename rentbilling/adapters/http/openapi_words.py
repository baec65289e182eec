"""What a caller is told in words: of records and their fields, as their docstrings say it.

Law: the document says what the sources say, without their examples and their references to the
register of assumptions.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, get_args

from rentbilling.interface.endpoints import ENDPOINTS
from rentbilling.records.record import Record

_REFERENCES: Final = re.compile(r"\s*\((?:assumptions? )?A\d+(?:, A\d+)*\)|, A\d+(?=[,)])")
_SECTION: Final = re.compile(r"^(Examples|Args|Returns|Raises|Attributes|Yields):$", re.MULTILINE)


def told(docstring: str | None) -> str:
    r"""Return what a docstring says, on one line for each of its paragraphs.

    Examples:
        >>> told("A page\n    of a list (A43).\n\n    Examples:\n        >>> PageRequest()")
        'A page of a list.'
    """
    text = _SECTION.split(inspect.cleandoc(docstring or ""))[0]
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return "\n\n".join(_REFERENCES.sub("", part) for part in paragraphs if part)


@cache
def words_of(kind: type[Record]) -> Mapping[str, str]:
    """Return what the fields of a record are, by their names on the wire."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if issubclass(each, Record) and each is not Record:
            found |= _below_fields(each)
    fields = kind.model_fields
    return MappingProxyType(
        {fields[name].alias or name: said for name, said in found.items() if name in fields}
    )


def _below_fields(kind: type[Record]) -> Mapping[str, str]:
    """Return the texts that stand below the fields of a class."""
    return _classes(kind.__module__).get(kind.__name__, {})


@cache
def _classes(module: str) -> Mapping[str, Mapping[str, str]]:
    """Return the texts below the fields of each class of a module."""
    try:
        source = inspect.getsource(sys.modules[module])
    except OSError:
        return {}
    classes = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    return {each.name: dict(_pairs(each.body)) for each in classes}


def _pairs(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Give the name of each field with the text below it."""
    for field, below in pairwise(body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                yield name, told(text)
            case _:
                pass


_OF_A_RECORD: Final = MappingProxyType(
    {
        "id": "Identifier.",
        "value": "What holds from that day.",
        "start": "First day on which it holds.",
    }
)
_OTHERS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("AmountRecord", "DescriptionRecord", "QuantityRecord", "VatRecord"), _OF_A_RECORD
        ),
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


def words_for(name: str) -> Mapping[str, str]:
    """Return what the fields of a schema of the document are.

    Examples:
        >>> words_for("VatTotal")["amount"]
        'The VAT.'
    """
    kind = records().get(name)
    found = {} if kind is None else words_of(kind)
    return {**found, **_OTHERS.get(name, {})}


@cache
def records() -> Mapping[str, type[Record]]:
    """Return every record that stands in a request or an answer, by its name."""
    found: dict[str, type[Record]] = {}
    left: list[Any] = [kind for each in ENDPOINTS.values() for kind in (each.request, each.answer)]
    while left:
        each = left.pop()
        left += _inner(each)
        if isinstance(each, type) and issubclass(each, Record) and each.__name__ not in found:
            found[each.__name__] = each
            left += [field.annotation for field in each.model_fields.values()]
    return MappingProxyType(found)


def _inner(annotation: object) -> Iterable[object]:
    return get_args(annotation)
