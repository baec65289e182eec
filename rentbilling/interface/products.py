"""Products: as they are listed, requested, recorded and changed, each with one key for good."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from rentbilling.errors import InvalidRecordError, Problem
from rentbilling.interface.request import Change, SentRecord
from rentbilling.records import (
    CheckedRecord,
    FlagField,
    IdField,
    InSchema,
    Listed,
    Problems,
    TextField,
    WholeField,
)
from rentbilling.tables import PageRecord, TabularRecord


class ProductName(CheckedRecord):
    """A product's name in the languages of the interface, for texts of lines (A70)."""

    # Interface: productName
    en: TextField | None = None
    """English."""
    da: TextField | None = None
    """Danish."""
    nl: TextField | None = None
    """Dutch."""
    de: TextField | None = None
    """German."""


class Product(TabularRecord):
    """What can be billed: its key and its names."""

    # Interface: product
    product_key: IdField
    """Key, by which items name it."""
    product_id: IdField | None = None
    """Identifier, if applicable."""
    product_name: ProductName | None = None
    """Names by language."""
    archived: FlagField | None = None
    """Whether it is no longer offered."""
    custom: FlagField | None = None
    """Whether the owner made it."""
    position: WholeField | None = None
    """Place in a list."""
    is_default_product: FlagField | None = None
    """Whether it is a default product."""


class ProductPage(PageRecord):
    """A page of products."""

    # Interface: products
    products: Annotated[tuple[Product, ...], Listed]
    """The products, in order of creation."""


class ProductRequest(SentRecord):
    """A request about one product, by the key that items name."""

    # Ours
    product_key: IdField
    """Its key."""


_SOME_NAME: Final = InSchema(
    {
        "anyOf": [
            {"properties": {language: {"type": "string", "minLength": 1}}, "required": [language]}
            for language in ("en", "da", "nl", "de")
        ]
    }
)


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
        return _nameless(parts.get("product_name"))


class ProductRecorded(CheckedRecord):
    """A product was recorded."""

    # Ours
    product_id: IdField
    """The product."""


class ChangeProduct(Change):
    """A change of a product, but not of its key; a field that is absent stays.

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
    """Whether it is no longer offered; items that name it are still billed."""
    position: WholeField | None = None
    """Another place in a list."""
    is_default_product: FlagField | None = None
    """Whether it is a default product."""
    clear: Annotated[tuple[Literal["position"], ...], Listed] = ()
    """Fields that have no value from now on."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        yield from _nameless(parts.get("product_name"))
        yield from super().cross_field_problems(parts)


def _nameless(name: ProductName | None) -> Problems:
    if name is not None and not any(text for _, text in name):
        said, expected = "has no name", "a name in en, da, nl or de"
        problem = Problem("productName", "says_nothing", said, "no text", expected)
        yield InvalidRecordError, problem
