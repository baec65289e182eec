"""The words for how VAT is charged."""

from typing import Final, Literal, get_args

TaxMode = Literal["Exclusive", "Inclusive", "Exempt", "ReverseCharge"]
TAX_MODES: Final[tuple[str, ...]] = get_args(TaxMode)

TAXED: Final = frozenset({"Exclusive", "Inclusive"})
"""The modes that charge VAT."""
