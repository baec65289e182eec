"""Seller and buyer of an invoice (EN 16931 BG-4, BG-7)."""

import re
from collections.abc import Mapping
from typing import Any, Final

from rentbilling.errors import InvalidRecordError, Problem
from rentbilling.records import CheckedRecord, IdField, Problems, TextField

_COUNTRY: Final = re.compile(r"[A-Z]{2}")
_VAT_ID: Final = re.compile(r"[A-Z]{2}\S+")


class Party(CheckedRecord):
    """A seller or a buyer.

    Raises:
        InvalidInputError: The name or country is missing, or a code is malformed.

    Examples:
        >>> Party(name="Havn Ejendomme ApS", country="DK", vat_id="DK12345678").country
        'DK'
    """

    name: TextField
    """Its registered name (BT-27, BT-44)."""
    country: TextField
    """Two letters of ISO 3166-1 (BT-40, BT-55)."""
    street: TextField | None = None
    """Street and number (BT-35, BT-50)."""
    city: TextField | None = None
    """City (BT-37, BT-52)."""
    postal_code: TextField | None = None
    """Postal code (BT-38, BT-53)."""
    vat_id: IdField | None = None
    """VAT identifier, with the letters of its country first (BT-31, BT-48)."""
    tax_id: IdField | None = None
    """Another tax registration of a seller (BT-32)."""
    legal_id: IdField | None = None
    """Number in a register of companies (BT-30, BT-47)."""
    endpoint: IdField | None = None
    """Electronic address (BT-34, BT-49)."""
    endpoint_scheme: IdField | None = None
    """Its scheme, such as 0184 (EAS)."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return codes that are malformed, and an address without its scheme."""
        country, vat_id = parts.get("country"), parts.get("vat_id")
        said = "has another form"
        if country is not None and not _COUNTRY.fullmatch(country):
            expected = "two letters, such as DK (BR-09, BR-11)"
            yield InvalidRecordError, Problem("country", "wrong_value", said, country, expected)
        if vat_id is not None and not _VAT_ID.fullmatch(vat_id):
            expected = "the letters of its country first, such as DK12345678 (BR-CO-09)"
            yield InvalidRecordError, Problem("vatId", "wrong_value", said, vat_id, expected)
        if (parts.get("endpoint") is None) != (parts.get("endpoint_scheme") is None):
            said, expected = "needs the other one", "endpoint and endpointScheme, or none of them"
            yield InvalidRecordError, Problem("endpoint", "contradiction", said, "one", expected)

    def terms(self, numbers: Mapping[str, str]) -> dict[str, Any]:
        """Return what is known of it by the numbers of its business terms."""
        found = {term: getattr(self, name) for name, term in numbers.items()}
        return {term: value for term, value in found.items() if value is not None}
