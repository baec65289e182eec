"""Line items made by hand say what was written, and compare as the interface's fields (A56)."""

import pickle
import re
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import pytest

from rentbilling.billing import LineFigures, PendingBillLineItem
from rentbilling.errors import shown
from rentbilling.policy import BillingPolicy
from rentbilling.values import Amount, Period, Vat
from tests.support.refusals import refusal_text
from tests.support.rows import rows

JANUARY: Final = Period.parse("2026-01-01/2026-01-31")
EXCLUSIVE: Final = Vat("Exclusive", Decimal("0.25"))
INCLUSIVE: Final = Vat("Inclusive", Decimal("0.25"))
PLAIN: Final[dict[str, Any]] = {
    "product_key": "key:rent",
    "amount": Amount(Decimal("85.00"), "DKK"),
    "quantity": Decimal(100),
    "unit_net_price": Amount(Decimal("85.00"), "DKK"),
    "net_price": Amount(Decimal("8500.00"), "DKK"),
    "vat": EXCLUSIVE,
    "accounting_period": JANUARY,
}
EXTRAS: Final[dict[str, Any]] = {
    "item_id": "item-1",
    "kind": "part",
    "description": "Rent",
    "discount_text": "Loyal tenant",
    "share": Fraction(17, 31),
    "regular_period": Period.parse("2026-01-01/2026-03-31"),
}


def made(**changes: Any) -> PendingBillLineItem:  # noqa: ANN401
    return PendingBillLineItem(**{**PLAIN, **changes})


EIGHT_THOUSAND: Final = Amount(8500, "DKK")
SHORT: Final = PendingBillLineItem(
    product_key="key:rent",
    amount=EIGHT_THOUSAND,
    net_price=EIGHT_THOUSAND,
    vat=Vat("Exempt"),
    accounting_period=JANUARY,
)
UNIT: Final = Amount(Decimal("4.6613"), "DKK")
POINTS: Final = BillingPolicy(currencies={"PTS": 1})
FIVE: Final = Amount(5, "PTS", currencies=POINTS.currencies)


def decimal_amount(text: str) -> Amount:
    return Amount(Decimal(text), "DKK")


def of_three(vat: Vat, policy: BillingPolicy | None = None) -> LineFigures:
    """Return the figures of 3 at 3.335: 10.005, 10.01 gross; the net of 10.00 is by hand."""
    given = {"amount": decimal_amount("3.335"), "quantity": Decimal(3), "vat": vat}
    rules = {} if policy is None else {"policy": policy}
    return made(net_price=decimal_amount("10.00"), **given, **rules).figures


ROWS: dict[str, tuple[object, object]] = {
    # Every field reads as it was written, also those that only this library has (A56).
    **{name: (getattr(made(), name), value) for name, value in PLAIN.items()},
    **{name: (getattr(made(**EXTRAS), name), value) for name, value in EXTRAS.items()},
    # 10.00 with 25 % inside is 8.00 net (A21).
    "the unit net price of an inclusive line": (
        made(
            amount=Amount(10, "EUR"),
            quantity=1,
            net_price=Amount(8, "EUR"),
            unit_net_price=None,
            vat=INCLUSIVE,
        ).unit_net_price,
        Amount(8, "EUR"),
    ),
    "the net price has the decimals of its currency": (
        str(made(net_price=EIGHT_THOUSAND).net_price),
        "8500.00 DKK",
    ),
    "defaults": (
        (SHORT.unit_net_price, SHORT.item_id, SHORT.kind, SHORT.description, SHORT.discount_text),
        (EIGHT_THOUSAND, None, "regular", None, None),
    ),
    "one unit, the whole period": ((SHORT.quantity, SHORT.share), (1, 1)),
    # A regular line is its own regular period; a part belongs to one that is given (A56).
    **{
        f"the regular period of a {kind} line": (made(kind=kind).regular_period, expected)
        for kind, expected in (
            ("regular", JANUARY),
            ("part", None),
            ("opening", None),
            ("one_time", None),
        )
    },
    # 100 m² at 4.6613 make 466.13 (A21).
    "a unit price may be finer than its currency": (
        str(made(amount=UNIT, unit_net_price=UNIT, net_price=decimal_amount("466.13")).amount),
        "4.6613 DKK",
    ),
    # The line has the minor units of the policy (A2).
    "a private currency": (
        str(made(amount=FIVE, unit_net_price=FIVE, net_price=FIVE, policy=POINTS).net_price),
        "5.0 PTS",
    ),
    # VAT is on the net or inside the gross (A29), which follows the rounding of the policy (A3).
    **{
        str(vat): ((of_three(vat).base, of_three(vat).net), (base, 1000))
        for vat, base in (
            (EXCLUSIVE, 1000),
            (INCLUSIVE, 1001),
            (Vat("Exempt"), 1000),
            (Vat("ReverseCharge"), 1000),
        )
    },
    "the gross rounded down": (of_three(INCLUSIVE, BillingPolicy(rounding="down")).base, 1000),
    "figures and days": (
        (PendingBillLineItem.of(made().raw), made().raw[1]),
        (made(), JANUARY.start.toordinal()),
    ),
    # Product, days, sum and VAT, so that lines that differ look different.
    "as it shows": (
        repr(made()),
        (
            "<PendingBillLineItem key:rent 2026-01-01/2026-01-31 "
            "100 × 85.00 = 8500.00 DKK Exclusive 0.25>"
        ),
    ),
}


@rows(("found", "expected"), ROWS.values(), ids=ROWS)
def test_a_line_made_by_hand_has(found: object, expected: object) -> None:
    assert expected == found


@rows(
    "wrong",
    [{"amount": 8500}, {"vat": "Exempt"}, {"share": 0.5}, {"unit_net_price": Decimal(1)}],
)
def test_arguments_of_another_kind_are_a_mistake_in_the_program(wrong: dict[str, Any]) -> None:
    ((name, value),) = wrong.items()

    with pytest.raises(TypeError, match=re.escape(f"a line's {name} cannot be {shown(value)}")):
        made(**wrong)


REFUSED: dict[str, list[dict[str, Any]]] = {
    # A line has one currency; the path says which amount has another (A2).
    "CurrencyMismatchError: net_price.currency currency_mismatch": [
        {"net_price": Amount(8500, "EUR")}
    ],
    "CurrencyMismatchError: unit_net_price.currency currency_mismatch": [
        {"unit_net_price": Amount(8500, "EUR")}
    ],
    # A net price is whole minor units: the line is rounded, the unit price need not be (A21).
    "InvalidAmountError: too_many_decimals": [{"net_price": decimal_amount("8500.001")}],
    # A quantity is an exact number.
    "InvalidAmountError: quantity not_exact": [
        {"quantity": quantity} for quantity in (1.5, "two", None, True)
    ],
    "InvalidAmountError: quantity not_finite": [{"quantity": Decimal("NaN")}],
}


@rows("found", REFUSED)
def test_a_wrong_value_is_refused_at_its_place(found: str) -> None:
    for changes in REFUSED[found]:
        assert found == refusal_text(lambda changes=changes: made(**changes))  # type: ignore[misc]


def test_lines_are_equal_when_the_interface_s_fields_are() -> None:
    """Wherever they were made: a service's line has no kind and no share (A56)."""
    line = made(
        amount=Amount(85, "DKK"),
        unit_net_price=Amount(85, "DKK"),
        net_price=EIGHT_THOUSAND,
        quantity=Decimal("100.0"),
        vat=Vat("Exclusive", Decimal("0.250")),
    )

    # Numbers compare as numbers: 8500 kroner are 8500.00.
    assert {made()} == {made(**EXTRAS), line}
    assert made() != made().raw


@rows(
    "changes",
    [
        {"product_key": "key:parking"},
        {"amount": decimal_amount("85.01")},
        {"quantity": Decimal(101)},
        {"unit_net_price": decimal_amount("85.01")},
        {"net_price": decimal_amount("8500.01")},
        {"vat": INCLUSIVE},
        {"accounting_period": Period(date(2026, 1, 1), date(2026, 1, 30))},
        {"accounting_period": Period(date(2026, 1, 2), date(2026, 1, 31))},
        {
            "amount": Amount(85, "EUR"),
            "unit_net_price": Amount(85, "EUR"),
            "net_price": Amount(8500, "EUR"),
        },
    ],
)
def test_every_field_of_the_interface_is_compared(changes: dict[str, Any]) -> None:
    assert made() != made(**changes)


@rows("name", [*PLAIN, *EXTRAS, "figures", "note"])
def test_a_line_cannot_be_changed(name: str) -> None:
    line = made()

    with pytest.raises(AttributeError):
        setattr(line, name, None)


@rows("extras", [{}, EXTRAS], ids=["plain", "full"])
def test_a_line_pickles(extras: dict[str, Any]) -> None:
    """It can still be taxed: 25 % of 8500.00 are 2125.00."""
    line = made(**extras)

    again = pickle.loads(pickle.dumps(line))

    assert [getattr(line, name) for name in (*PLAIN, *EXTRAS)] == [
        getattr(again, name) for name in (*PLAIN, *EXTRAS)
    ]
    assert 212_500 == again.figures.group.vat_on_net(again.figures.net, "half_up")
