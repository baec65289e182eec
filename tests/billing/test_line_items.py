"""Line items made by hand say what was written, and compare as the interface's fields (A56)."""

import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import pytest

import rentbilling as rb
from rentbilling.errors import CurrencyMismatchError
from rentbilling.testing import a_bill
from tests.support.refusals import refusal_text, refused
from tests.support.rents import EXEMPT, amount, fee, period, vat
from tests.support.rows import rows

ON_TOP, INSIDE = vat("Exclusive", "0.25"), vat("Inclusive", "0.25")
JANUARY = period("2026-01-01/2026-01-31")
PLAIN: Final[dict[str, Any]] = {
    "product_key": "key:rent",
    "amount": amount("85.00"),
    "quantity": Decimal(100),
    "unit_net_price": amount("85.00"),
    "net_price": amount("8500.00"),
    "vat": ON_TOP,
    "accounting_period": JANUARY,
}
EXTRAS: Final[dict[str, Any]] = {
    "item_id": "item-1",
    "kind": "part",
    "description": "Rent",
    "discount_text": "Loyal tenant",
    "share": Fraction(17, 31),
    "regular_period": period("2026-01-01/2026-03-31"),
}


def made(**changes: Any) -> rb.PendingBillLineItem:  # noqa: ANN401
    return rb.PendingBillLineItem(**{**PLAIN, **changes})


def line(price: str, net: str, tax: rb.Vat, **changes: Any) -> rb.PendingBillLineItem:  # noqa: ANN401
    fields = {"amount": amount(price), "net_price": amount(net), "unit_net_price": None, "vat": tax}
    return made(**{**fields, "quantity": 1, **changes})


SHORT = rb.PendingBillLineItem(
    product_key="key:rent",
    amount=amount("8500"),
    net_price=amount("8500"),
    vat=EXEMPT,
    accounting_period="2026-01",
)
POINTS = rb.BillingPolicy(currencies={"PTS": 1})
FIVE = rb.Amount(5, "PTS", currencies=POINTS.currencies)


@rows(
    ("found", "expected"),
    [
        *((getattr(made(), name), value) for name, value in PLAIN.items()),
        *((getattr(made(**EXTRAS), name), value) for name, value in EXTRAS.items()),
        # A line of one unit, for a whole period, as most lines are.
        ((SHORT.unit_net_price, str(SHORT.net_price)), (amount("8500"), "8500.00 DKK")),
        ((SHORT.quantity, SHORT.share, SHORT.kind, SHORT.item_id), (1, 1, "regular", None)),
        ((SHORT.description, SHORT.discount_text, SHORT.discounts), (None, None, ())),
        # A regular line is its own regular period; a part belongs to one that is given.
        (
            [made(kind=kind).regular_period for kind in ("regular", "part", "opening", "one_time")],
            [JANUARY, None, None, None],
        ),
        # 10.00 with 25 % inside is 8.00 net; 100 m² at 4.6613 make 466.13 (A21).
        (line("10", "8", INSIDE).unit_net_price, amount("8")),
        (str(line("4.6613", "466.13", ON_TOP, quantity=100).amount), "4.6613 DKK"),
        # The line has the minor units of the policy (A2).
        (
            str(made(amount=FIVE, unit_net_price=FIVE, net_price=FIVE, policy=POINTS).net_price),
            "5.0 PTS",
        ),
        (
            repr(made()).removeprefix("<PendingBillLineItem "),
            "key:rent 2026-01-01/2026-01-31 100 × 85.00 = 8500.00 DKK Exclusive 0.25>",
        ),
        (repr(SHORT).rpartition(" ")[2], "Exempt>"),
    ],
)
def test_a_line_made_by_hand_has(found: object, expected: object) -> None:
    assert expected == found


REFUSED: dict[str, list[dict[str, Any]]] = {
    # A line has one currency; the path says which amount has another (A2).
    "CurrencyMismatchError: net_price.currency currency_mismatch": [
        {"net_price": amount("8500 EUR")}
    ],
    "CurrencyMismatchError: unit_net_price.currency currency_mismatch": [
        {"unit_net_price": amount("85 EUR")}
    ],
    # A net price is whole minor units: the line is rounded, the unit price need not be (A21).
    "InvalidAmountError: too_many_decimals": [{"net_price": amount("8500.001")}],
    "InvalidAmountError: quantity not_exact": [
        {"quantity": quantity} for quantity in (1.5, "two", None, True)
    ],
    "InvalidAmountError: quantity not_finite": [{"quantity": Decimal("NaN")}],
}


@rows("found", REFUSED)
def test_a_wrong_value_is_refused_at_its_place(found: str) -> None:
    for changes in REFUSED[found]:
        assert found == refusal_text(lambda changes=changes: made(**changes))  # type: ignore[misc]
    for name, value in (
        ("amount", 8500),
        ("vat", "Exempt"),
        ("share", 0.5),
        ("unit_net_price", Decimal(1)),
    ):
        with pytest.raises(TypeError, match=f"a line's {name} cannot be "):
            made(**{name: value})


def test_lines_are_equal_when_the_interface_s_fields_are() -> None:
    """As numbers, wherever they were made: a service's line has no kind and no share (A56)."""
    same = made(amount=amount("85"), net_price=amount("8500"), quantity=Decimal("100.0"))

    assert {made()} == {made(**EXTRAS), same, made(vat=vat("exclusive", "0.250"))}
    for changes in (
        {"product_key": "key:parking"},
        {"amount": amount("85.01")},
        {"quantity": Decimal(101)},
        {"unit_net_price": amount("85.01")},
        {"net_price": amount("8500.01")},
        {"vat": INSIDE},
        {"accounting_period": period("2026-01-01/2026-01-30")},
        {"accounting_period": period("2026-01-02/2026-01-31")},
        dict.fromkeys(("amount", "unit_net_price", "net_price"), amount("85 EUR")),
    ):
        assert made() != made(**changes)
    assert made() != made().raw


@rows("extras", [{}, EXTRAS])
def test_a_line_pickles_and_cannot_be_changed(extras: dict[str, Any]) -> None:
    """A copy can still be taxed: 25 % of 8500.00 are 2125.00."""
    one = made(**extras)
    again = pickle.loads(pickle.dumps(one))

    for name in (*PLAIN, *EXTRAS, "note"):
        with pytest.raises(AttributeError):
            setattr(one, name, None)
    assert [getattr(one, name) for name in (*PLAIN, *EXTRAS)] == [
        getattr(again, name) for name in (*PLAIN, *EXTRAS)
    ]
    assert ["2125.00 DKK"] == [str(each.amount) for each in rb.vat_totals([again])]


def shown(totals: tuple[rb.VatTotal, ...]) -> list[tuple[str, str, str]]:
    return [
        (str(each.vat.tax_rate), f"{each.amount.amount:f}", f"{each.base.amount:f}")
        for each in totals
    ]


# Lines that were computed, of which each had its VAT rounded by itself.
COMPUTED = [
    rb.pending_bills(
        fee("0.10", vat=tax), "2026", policy=rb.BillingPolicy(vat_rounding="per_line")
    )[0].lines[0]
    for tax in (ON_TOP, vat("Exclusive", "0.250"))
]
BELOW = rb.BillingPolicy(rounding="down")
HUNDRED = ("0.25", "25.00", "100.01")
EIGHT = ("0.25", "2.00", "8.00")
THREE = [("0.12", "24.00", "200.00"), ("0.25", "25.00", "100.00"), ("None", "0.00", "1.00")]
IN_ORDER = [
    line("200", "200", vat("Exclusive", "0.12")),
    line("100", "100", ON_TOP),
    line("1", "1", vat("Exempt", "0.25")),
]


@rows(
    ("lines", "per_rate", "per_line"),
    [
        # 25 % of 9.99 is 2.4975; for each line 3 × 0.83 (A29).
        (
            [line("3.33", "3.33", ON_TOP)] * 3,
            [("0.25", "2.50", "9.99")],
            [("0.25", "2.49", "9.99")],
        ),
        # 3 × 41.67 = 125.01, a fifth of it 25.002, so 25.00 of VAT on 100.01 (A29).
        ([line("41.67", "100.01", INSIDE, quantity=3)], [HUNDRED], [HUNDRED]),
        # 3 × 3.335 = 10.005: 10.00 by the policy, and a fifth of it 2.00 (A3, A29).
        ([line("3.335", "8", INSIDE, quantity=3, policy=BELOW)], [EIGHT], [EIGHT]),
        # Lines of several bills: rates count as numbers, 0.05 on top of 0.20; each has 0.03 (A30).
        (COMPUTED, [("0.25", "0.05", "0.20")], [("0.25", "0.06", "0.20")]),
        # In the order in which they come; a rate of a mode without VAT is not named (A28, A30).
        (IN_ORDER, THREE, THREE),
        ([], [], []),
    ],
)
def test_vat_can_be_totalled_for_lines_made_by_hand_or_computed(
    lines: list[rb.PendingBillLineItem], per_rate: list[Any], per_line: list[Any]
) -> None:
    own = rb.BillingPolicy(vat_rounding="per_line")

    assert (per_rate, per_line) == (
        shown(rb.vat_totals(lines)),
        shown(rb.vat_totals(lines, policy=own)),
    )


def test_lines_without_one_total_are_refused() -> None:
    """Of two currencies, of more than 15 digits, and what is no line (A1, A2)."""
    most = line("9999999999999.99", "9999999999999.99", EXEMPT)
    euros = line("1.00 EUR", "1.00 EUR", ON_TOP)

    assert "UnsupportedCaseError: amount_too_large" == refusal_text(
        lambda: rb.vat_totals([most, most])
    )
    (problem,) = refused(lambda: rb.vat_totals([SHORT, euros]), CurrencyMismatchError).problems
    assert ("lines", "currency_mismatch", "['DKK', 'EUR']") == (
        problem.path,
        problem.code,
        problem.met,
    )
    with pytest.raises(TypeError, match=r"^vat_totals takes line items, not PendingBill$"):
        rb.vat_totals([a_bill()])  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
