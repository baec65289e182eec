"""What is sent about products and payouts: recorded, changed, and asked for.

Law: the key of a product never changes, because items name it; a product always has a name.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from rentbilling.errors import InvalidAmountError, InvalidRecordError, Problem, shown
from rentbilling.interface.request_bounds import SentRecord
from rentbilling.interface.request_parts import Change
from rentbilling.interface.resources import ProductName
from rentbilling.records.bounds import InSchema
from rentbilling.records.fields import (
    AmountField,
    DateField,
    FlagField,
    IdField,
    Listed,
    TextField,
    WholeField,
)
from rentbilling.records.record import Problems
from rentbilling.terms.item_parts import currency_mismatch

_SOME_NAME: Final = InSchema(
    {
        "anyOf": [
            {"properties": {language: {"type": "string", "minLength": 1}}, "required": [language]}
            for language in ("en", "da", "nl", "de")
        ]
    }
)


class ProductRequest(SentRecord):
    """Which product is asked for: by its key, by which items name it."""

    # Ours
    product_key: IdField
    """Its key."""


class PayoutRequest(SentRecord):
    """Which payout is asked for."""

    # Ours
    payout_id: IdField
    """Its identifier."""


class RecordProduct(SentRecord):
    """A product that is offered from now on."""

    # Ours
    product_key: IdField
    """Key, by which items name it; one of its own among the owner's products."""
    product_name: Annotated[ProductName, _SOME_NAME]
    """Names by language, at least one."""
    archived: FlagField | None = None
    """Whether it is no longer offered; absent: no."""
    custom: FlagField | None = None
    """Whether the owner made it; absent: yes."""
    position: WholeField | None = None
    """Place in a list; absent: it has none."""
    is_default_product: FlagField | None = None
    """Whether it is a default product; absent: no."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a product without a name."""
        return _nameless(parts.get("product_name"))


class ChangeProduct(Change):
    """What changes of a product; what is absent stays.

    Its key stays for good. One that is archived is no longer offered; items that name it are
    billed on.

    Examples:
        >>> ChangeProduct(product_key="key:sauna", archived=True, clear=["position"]).changes()
        {'archived': True, 'position': None}
    """

    subject: ClassVar[str] = "product_key"

    # Ours
    product_key: IdField
    """The key of the product."""
    product_name: Annotated[ProductName, _SOME_NAME] | None = None
    """Other names by language, at least one, whole."""
    archived: FlagField | None = None
    """Whether it is no longer offered."""
    position: WholeField | None = None
    """Another place in a list."""
    is_default_product: FlagField | None = None
    """Whether it is a default product."""
    clear: Annotated[tuple[Literal["position"], ...], Listed] = ()
    """Fields that have no value from now on."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a product without a name, and fields set and cleared at once."""
        yield from _nameless(parts.get("product_name"))
        yield from super().cross_field_problems(parts)


def _nameless(name: ProductName | None) -> Problems:
    """Find names that say nothing in any language."""
    if name is not None and not any(text for _, text in name):
        said, expected = "has no name", "a name in en, da, nl or de"
        problem = Problem("productName", "says_nothing", said, "no text", expected)
        yield InvalidRecordError, problem


class RecordPayout(SentRecord):
    """A payout that was made."""

    # Ours
    payout_reason: Literal["Payment", "Refund"]
    """Why."""
    payout_date: DateField
    """Day on which it was made."""
    net: AmountField
    """What was paid out: gross less fees."""
    fees: AmountField
    """What was kept of it."""
    gross: AmountField
    """What came in."""
    bank_statement: TextField | None = None
    """Reference on the bank statement."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find several currencies, and a net amount that is not gross less fees."""
        gross, fees, net = parts.get("gross"), parts.get("fees"), parts.get("net")
        if gross is None:
            return
        others = [(name, each) for name, each in (("fees", fees), ("net", net)) if each is not None]
        strangers = [(name, each) for name, each in others if each.currency != gross.currency]
        for name, each in strangers:
            yield currency_mismatch(f"{name}.currency", each.currency, gross.currency)
        if not strangers and fees is not None and net is not None:
            due = gross.amount - fees.amount
            if due != net.amount:
                expected = f"{due:f}"
                problem = Problem(
                    "net.amount", "wrong_sum", "is not gross less fees", shown(net.amount), expected
                )
                yield InvalidAmountError, problem
