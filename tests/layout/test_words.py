"""How VAT is said in words."""

from rentbilling import Amount, Vat
from rentbilling.layout import vat_total_words


def test_a_vat_total_without_vat_says_why() -> None:
    base = Amount(9450, "DKK")

    assert "No VAT (exempt) on 9,450" == vat_total_words(Vat("Exempt"), base)
    assert "No VAT (reverse charge) on 9,450" == vat_total_words(Vat("ReverseCharge"), base)
