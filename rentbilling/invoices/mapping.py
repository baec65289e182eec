"""A bill as the business terms (BT) and groups (BG) of EN 16931-1.

Laws: lines, allowances, VAT and totals add up as the standard's rules say (BR-CO-10 to 17); prices
are never negative (BR-27): a credit has a negative quantity, and a bill below 0 is a credit note.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from rentbilling.billing import LineFigures, PendingBill, RawLine, gross_units
from rentbilling.errors import InvalidRecordError, UnsupportedCaseError, paths_under, shown
from rentbilling.invoices.parties import Party
from rentbilling.invoices.ubl import ubl_text
from rentbilling.values import TAXED, UnknownVat, Vat, day_of, decimal_of, padded

INVOICE: Final = "380"
CREDIT_NOTE: Final = "381"
_MOST_PLACES: Final = 2
_PIECE: Final = "C62"
"""One, a unit of UN/ECE Recommendation 20."""
_DISCOUNT: Final = "95"
"""A discount, in UNTDID 5189."""
_SELLER: Final = MappingProxyType(
    {
        "name": "BT-27",
        "legal_id": "BT-30",
        "vat_id": "BT-31",
        "tax_id": "BT-32",
        "endpoint": "BT-34",
        "endpoint_scheme": "BT-34-1",
        "street": "BT-35",
        "city": "BT-37",
        "postal_code": "BT-38",
        "country": "BT-40",
    }
)
_BUYER: Final = MappingProxyType(
    {
        "name": "BT-44",
        "legal_id": "BT-47",
        "vat_id": "BT-48",
        "endpoint": "BT-49",
        "endpoint_scheme": "BT-49-1",
        "street": "BT-50",
        "city": "BT-52",
        "postal_code": "BT-53",
        "country": "BT-55",
    }
)
_CATEGORIES: Final = MappingProxyType({"Exempt": "E", "ReverseCharge": "AE"})

_Terms = Mapping[str, Any]
_Category = tuple[str, Decimal]
"""Code and percent (BT-151, BT-152)."""


class Invoice:
    """An invoice or credit note; `invoice_of` makes it."""

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[str, Any]) -> None:
        self._terms = dict(terms)

    @property
    def terms(self) -> dict[str, Any]:
        """Its business terms by number, in groups by number; amounts are Decimal, days dates."""
        return self._terms

    @property
    def is_credit_note(self) -> bool:
        """Whether its type is 381."""
        return bool(self._terms["BT-3"] == CREDIT_NOTE)

    def ubl(self) -> str:
        """Return it as UBL 2.1: an Invoice, or a CreditNote."""
        return ubl_text(self._terms, is_credit=self.is_credit_note)


class _Signed(NamedTuple):
    """A bill, and the sign that its figures have on the invoice."""

    bill: PendingBill
    sign: int
    reason: str

    def money(self, units: int) -> Decimal:
        return decimal_of(self.sign * units, self.bill.places)


def invoice_of(
    bill: PendingBill,
    *,
    number: str,
    issued: date | str,
    seller: Party | Mapping[str, Any],
    buyer: Party | Mapping[str, Any],
    buyer_reference: str | None = None,
    payment_reference: str | None = None,
    account: str | None = None,
    corrects: Sequence[str] = (),
    exemption_reason: str = "Exempt from VAT",
    customization: str = "urn:cen.eu:en16931:2017",
    process: str | None = None,
) -> Invoice:
    """Return a bill as an invoice of EN 16931, one below 0 as a credit note (381, A105).

    Lines have their periods (BG-26) and discounts (BG-27); lines of `discount_bill` are allowances
    of the document (BG-20). Inclusive lines are stated without VAT.

    Args:
        bill: The bill.
        number: Number of the invoice (BT-1).
        issued: Its date (BT-2).
        seller: Who sells; with a `vat_id` or `tax_id`.
        buyer: Who buys; with a `vat_id` or `legal_id` where the VAT is reverse charged.
        buyer_reference: BT-10.
        payment_reference: BT-83, such as `payment_reference` of `rentbilling.values` makes.
        account: Account to pay to, such as an IBAN (BT-84).
        corrects: Numbers of preceding invoices (BT-25).
        exemption_reason: Why nothing is charged on Exempt lines (BT-120).
        customization: BT-24.
        process: BT-23.

    Raises:
        TypeError: It is no bill, or `corrects` is one text.
        InvalidInputError: A party lacks what the rules ask for, or the number is empty.
        UnsupportedCaseError: The bill has no lines, a VAT that no category is for, or a currency of
            more than two decimals (BR-DEC-01 and others).

    Examples:
        >>> from rentbilling.testing import a_bill
        >>> party = {"name": "Havn ApS", "country": "DK", "vat_id": "DK12345678"}
        >>> made = invoice_of(
        ...     a_bill(), number="2026-17", issued="2026-01-20", seller=party, buyer=party
        ... )
        >>> made.terms["BT-3"], made.terms["BG-22"]["BT-115"]
        ('380', Decimal('8500.00'))
    """
    if not isinstance(bill, PendingBill):
        raise TypeError(f"invoice_of takes a PendingBill, not {shown(bill)}")
    if isinstance(corrects, str):
        raise TypeError(f"corrects takes a list of numbers, not {shown(corrects)}")
    if not isinstance(number, str) or not number.strip():
        raise InvalidRecordError.of(
            "number", "missing", "is no text, or empty", number, "a number (BR-02)"
        )
    sells, buys = _party(seller, "seller"), _party(buyer, "buyer")
    signed = _Signed(bill, -1 if bill.payable.amount < 0 else 1, exemption_reason)
    groups = [*_vat_groups(signed)]
    _check_parties(sells, buys, {group["BT-118"] for group in groups})
    _check_bill(bill)
    lines = [*_lines(signed)]
    allowances, charges = _document_allowances(signed)
    issue_day = date.fromordinal(day_of(issued, "issued"))
    terms = {
        "BT-1": number,
        "BT-2": issue_day,
        "BT-3": CREDIT_NOTE if signed.sign < 0 else INVOICE,
        "BT-5": bill.currency,
        "BT-9": bill.due_date,
        "BT-10": buyer_reference,
        "BG-2": _known({"BT-23": process, "BT-24": customization}),
        "BG-3": [{"BT-25": each} for each in corrects],
        "BG-4": sells.terms(_SELLER),
        "BG-7": buys.terms(_BUYER),
        "BG-14": _days(bill.raw_lines, "BT-73", "BT-74"),
        "BG-16": _known({"BT-81": _means(account), "BT-83": payment_reference, "BT-84": account}),
        "BG-20": allowances,
        "BG-21": charges,
        "BG-22": _totals(signed, lines, allowances, charges),
        "BG-23": groups,
        "BG-25": lines,
    }
    return Invoice({term: value for term, value in terms.items() if value not in (None, [], {})})


def _means(account: str | None) -> str:
    """Return the code of UNTDID 4461: a credit transfer, or one that is not stated."""
    return "1" if account is None else "30"


def _days(lines: Sequence[RawLine], first: str, last: str) -> dict[str, date]:
    """Return the first and the last day of lines, by two terms."""
    days = min(line[1] for line in lines), max(line[2] for line in lines)
    return {first: date.fromordinal(days[0]), last: date.fromordinal(days[1])}


def _totals(
    signed: _Signed,
    lines: Sequence[_Terms],
    allowances: Sequence[_Terms],
    charges: Sequence[_Terms],
) -> dict[str, Any]:
    subtotal, total, cash = signed.bill.sums

    def added(terms: Sequence[_Terms], number: str) -> Decimal:
        return sum((each[number] for each in terms), Decimal(0))

    return _known(
        {
            "BT-106": added(lines, "BT-131"),
            "BT-107": added(allowances, "BT-92") if allowances else None,
            "BT-108": added(charges, "BT-99") if charges else None,
            "BT-109": signed.money(subtotal),
            "BT-110": signed.money(total - subtotal),
            "BT-112": signed.money(total),
            "BT-114": signed.money(cash) if cash else None,
            "BT-115": signed.money(total + (cash or 0)),
        }
    )


def _known(terms: Mapping[str, Any]) -> dict[str, Any]:
    return {term: value for term, value in terms.items() if value is not None}


def _party(given: Party | Mapping[str, Any], name: str) -> Party:
    with paths_under(name):
        return Party.model_validate(given)


def _check_parties(seller: Party, buyer: Party, categories: Iterable[str]) -> None:
    """Refuse parties without the numbers that the rules of their VAT ask for."""
    said = "is needed"
    if seller.vat_id is None and seller.tax_id is None:
        expected = "vatId or taxId (BR-S-02, BR-E-02 and others)"
        raise InvalidRecordError.of("seller.vatId", "missing", said, None, expected)
    if seller.vat_id is None and seller.legal_id is None:
        expected = "vatId or legalId (BR-CO-26)"
        raise InvalidRecordError.of("seller.legalId", "missing", said, None, expected)
    if "AE" in categories and buyer.vat_id is None and buyer.legal_id is None:
        expected = "vatId or legalId (BR-AE-02)"
        raise InvalidRecordError.of("buyer.vatId", "missing", said, None, expected)


def _check_bill(bill: PendingBill) -> None:
    if bill.places > _MOST_PLACES:
        case = f"an invoice in {bill.currency}, because EN 16931 has at most two decimals"
        raise UnsupportedCaseError("unsupported", case=case)
    if all(figures.kind == "discount" for figures, _, _ in bill.raw_lines):
        raise UnsupportedCaseError("unsupported", case="an invoice without lines (BR-16)")


def _category(vat: Vat) -> _Category:
    if isinstance(vat, UnknownVat):
        case = f"an invoice with the tax mode {vat.tax_mode}, which has no category"
        raise UnsupportedCaseError("unsupported", case=case)
    mode, rate = vat.category
    if mode not in TAXED:
        return _CATEGORIES[mode], Decimal(0)
    percent = padded((rate * 100).normalize(), 0)
    return "S" if percent else "Z", percent


def _vat_groups(signed: _Signed) -> Iterator[dict[str, Any]]:
    """Give the VAT breakdown (BG-23); modes that differ only in where VAT is are one group."""
    sums: dict[_Category, tuple[int, int]] = {}
    for vat, units, base in signed.bill.raw_totals:
        category = _category(vat)
        so_far = sums.get(category, (0, 0))
        sums[category] = so_far[0] + base, so_far[1] + units
    reasons = {"E": signed.reason, "AE": "Reverse charge"}
    for (code, percent), (base, units) in sums.items():
        yield _known(
            {
                "BT-116": signed.money(base),
                "BT-117": signed.money(units),
                "BT-118": code,
                "BT-119": percent,
                "BT-120": reasons.get(code),
            }
        )


def _document_allowances(signed: _Signed) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the discounts of the whole bill (BG-20), and those that add to a credit (BG-21)."""
    allowances, charges = [], []
    for figures, _, _ in signed.bill.raw_lines:
        if figures.kind == "discount":
            (code, percent), off = _category(figures.vat), -signed.money(figures.net)
            text = figures.description or figures.product_key
            if off >= 0:
                allowances.append({"BT-92": off, "BT-95": code, "BT-96": percent, "BT-97": text})
            else:
                charges.append({"BT-99": -off, "BT-102": code, "BT-103": percent, "BT-104": text})
    return allowances, charges


def _lines(signed: _Signed) -> Iterator[dict[str, Any]]:
    lines = [line for line in signed.bill.raw_lines if line[0].kind != "discount"]
    for number, line in enumerate(lines, 1):
        yield _line(signed, number, line)


def _line(signed: _Signed, number: int, line: RawLine) -> dict[str, Any]:
    """Return a line (BG-25): quantity × price less allowances is its net (R120)."""
    figures = line[0]
    steps = [*_steps(figures)]
    listed = figures.net + sum(units for _, units in steps)
    price, per = _price(figures, abs(listed))
    code, percent = _category(figures.vat)
    quantity = abs(figures.quantity)
    allowances = [(text, signed.money(units)) for text, units in steps if units]
    return _known(
        {
            "BT-126": str(number),
            "BT-128": figures.item_id,
            "BT-129": -quantity if signed.sign * listed < 0 else quantity,
            "BT-130": _PIECE,
            "BT-131": signed.money(figures.net),
            "BG-26": _days([line], "BT-134", "BT-135"),
            "BG-27": [
                {"BT-136": off, "BT-139": text, "BT-140": _DISCOUNT}
                for text, off in allowances
                if off > 0
            ]
            or None,
            "BG-28": [{"BT-141": -off, "BT-144": text} for text, off in allowances if off < 0]
            or None,
            "BG-29": _known({"BT-146": price, "BT-149": per}),
            "BG-30": {"BT-151": code, "BT-152": percent},
            "BG-31": {
                "BT-153": figures.description or figures.product_key,
                "BT-155": figures.product_key,
            },
        }
    )


def _steps(figures: LineFigures) -> Iterator[tuple[str, int]]:
    """Give what each discount takes off a line without VAT, in minor units."""
    taken = figures.taken
    left = figures.base + sum(each.units for each in taken)
    before = _net(figures, left)
    for at, each in enumerate(taken, 1):
        left -= each.units
        after = figures.net if at == len(taken) else _net(figures, left)
        yield each.description or "Discount", before - after
        before = after


def _net(figures: LineFigures, units: int) -> int:
    return figures.group.net_in_gross(units, "half_up") if figures.group.inclusive else units


def _price(figures: LineFigures, units: int) -> tuple[Decimal, Decimal | None]:
    """Return a price that gives minor units: of one, or of the whole quantity (BT-149)."""
    quantity, total = abs(figures.quantity), decimal_of(units, figures.places)
    if quantity == 1:
        return total, None
    price = abs(figures.unit_net)
    if gross_units(price.as_integer_ratio(), quantity, figures.places, "half_up") == units:
        return price, None
    return total, quantity
