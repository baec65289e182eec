"""Line items made by hand say what was written, and compare as the interface's fields (A56)."""

import pickle
import re
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, cast

import pytest

from rentbilling.billing import PendingBillLineItem
from rentbilling.errors import CurrencyMismatchError, InvalidAmountError, InvalidInputError, shown
from rentbilling.policy import BillingPolicy
from rentbilling.values import Amount, Period, Vat

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


class TestByHand:
    """An engineer writes down what a bill should say."""

    @pytest.mark.parametrize(
        "wrong",
        [{"amount": 8500}, {"vat": "Exempt"}, {"share": 0.5}, {"unit_net_price": Decimal(1)}],
        ids=repr,
    )
    def test_arguments_of_another_kind_are_a_mistake_in_the_program(
        self, wrong: dict[str, Any]
    ) -> None:
        ((name, value),) = wrong.items()

        with pytest.raises(TypeError, match=re.escape(f"a line's {name} cannot be {shown(value)}")):
            made(**wrong)

    def test_an_inclusive_line_shows_the_unit_price_that_gives_its_net(self) -> None:
        """10.00 with 25 % inside is 8.00 net (A21)."""
        ten, eight = Amount(10, "EUR"), Amount(8, "EUR")
        line = made(amount=ten, quantity=1, net_price=eight, unit_net_price=None, vat=INCLUSIVE)

        assert eight == line.unit_net_price

    @pytest.mark.parametrize("name", PLAIN)
    def test_every_field_reads_as_it_was_written(self, name: str) -> None:
        assert PLAIN[name] == getattr(made(), name)

    @pytest.mark.parametrize("name", EXTRAS)
    def test_what_only_we_know_reads_as_it_was_written(self, name: str) -> None:
        """Item, kind, texts, share and regular period (A56)."""
        assert EXTRAS[name] == getattr(made(**EXTRAS), name)

    def test_the_net_price_has_the_decimals_of_its_currency(self) -> None:
        """8500 kroner read as 8500.00."""
        line = made(net_price=Amount(8500, "DKK"))

        assert "8500.00 DKK" == str(line.net_price)

    def test_what_is_left_out_is_the_common_case(self) -> None:
        line = PendingBillLineItem(
            product_key="key:rent",
            amount=Amount(8500, "DKK"),
            net_price=Amount(8500, "DKK"),
            vat=Vat("Exempt"),
            accounting_period=JANUARY,
        )

        assert (Amount(8500, "DKK"), None, "regular", None, None) == (
            line.unit_net_price,
            line.item_id,
            line.kind,
            line.description,
            line.discount_text,
        )
        assert line.quantity == line.share == 1

    @pytest.mark.parametrize(
        ("kind", "expected"),
        [("regular", JANUARY), ("part", None), ("opening", None), ("one_time", None)],
    )
    def test_a_regular_line_is_its_own_regular_period(
        self, kind: str, expected: Period | None
    ) -> None:
        """A part belongs to one that is given, the other kinds to none (A56)."""
        assert expected == made(kind=kind).regular_period

    @pytest.mark.parametrize("name", ["net_price", "unit_net_price"])
    def test_a_line_has_one_currency(self, name: str) -> None:
        """The path says which amount is the odd one (A2)."""
        with pytest.raises(CurrencyMismatchError) as caught:
            made(**{name: Amount(8500, "EUR")})

        (problem,) = caught.value.problems
        assert (f"{name}.currency", "currency_mismatch") == (problem.path, problem.code)

    def test_a_net_price_is_whole_minor_units(self) -> None:
        """The line is rounded, the unit price need not be (A21)."""
        with pytest.raises(InvalidAmountError) as caught:
            made(net_price=Amount(Decimal("8500.001"), "DKK"))

        assert "too_many_decimals" == caught.value.code

    def test_a_unit_price_may_be_finer_than_its_currency(self) -> None:
        """100 m² at 4.6613 make 466.13 (A21)."""
        line = made(
            amount=Amount(Decimal("4.6613"), "DKK"),
            unit_net_price=Amount(Decimal("4.6613"), "DKK"),
            net_price=Amount(Decimal("466.13"), "DKK"),
        )

        assert "4.6613 DKK" == str(line.amount)

    @pytest.mark.parametrize("quantity", [1.5, "2", None, True, Decimal("NaN")], ids=repr)
    def test_a_quantity_is_an_exact_number(self, quantity: object) -> None:
        with pytest.raises(InvalidInputError):
            made(quantity=cast("Any", quantity))

    def test_a_private_currency_comes_with_the_policy(self) -> None:
        """The line has its minor units (A2)."""
        policy = BillingPolicy(currencies={"PTS": 1})
        points = Amount(5, "PTS", currencies=policy.currencies)

        line = made(amount=points, unit_net_price=points, net_price=points, policy=policy)

        assert "5.0 PTS" == str(line.net_price)


class TestFiguresBehindIt:
    """VAT totals are computed from the whole numbers of a line made by hand (A29)."""

    @pytest.mark.parametrize(
        ("vat", "base"),
        [(EXCLUSIVE, 1000), (INCLUSIVE, 1001), (Vat("Exempt"), 1000), (Vat("ReverseCharge"), 1000)],
        ids=repr,
    )
    def test_vat_is_on_the_net_or_inside_the_gross(self, vat: Vat, base: int) -> None:
        """3 at 3.335 are 10.005, 10.01 gross; the net of 10.00 is by hand."""
        figures = made(
            amount=Amount(Decimal("3.335"), "DKK"),
            quantity=Decimal(3),
            net_price=Amount(Decimal("10.00"), "DKK"),
            vat=vat,
        ).figures

        assert (base, 1000) == (figures.base, figures.net)

    def test_the_gross_follows_the_rounding_of_the_policy(self) -> None:
        """10.005 rounded down is 10.00 (A3)."""
        figures = made(
            amount=Amount(Decimal("3.335"), "DKK"),
            quantity=Decimal(3),
            vat=INCLUSIVE,
            policy=BillingPolicy(rounding="down"),
        ).figures

        assert 1000 == figures.base

    def test_a_line_is_made_of_its_figures_and_days(self) -> None:
        line = made()

        assert (line, JANUARY.start.toordinal()) == (PendingBillLineItem.of(line.raw), line.raw[1])


class TestEquality:
    """Lines are equal when the interface's fields are, wherever they were made (A56)."""

    def test_what_only_we_know_is_no_part_of_it(self) -> None:
        """A service's line has no kind and no share (A56)."""
        line, read = made(**EXTRAS), made()

        assert (True, hash(line)) == (line == read, hash(read))

    def test_numbers_compare_as_numbers(self) -> None:
        """8500 kroner are 8500.00, one unit is 1.0."""
        line = made(
            amount=Amount(85, "DKK"),
            unit_net_price=Amount(85, "DKK"),
            net_price=Amount(8500, "DKK"),
            quantity=Decimal("100.0"),
            vat=Vat("Exclusive", Decimal("0.250")),
        )

        assert (True, hash(line)) == (line == made(), hash(made()))

    @pytest.mark.parametrize(
        "changes",
        [
            {"product_key": "key:parking"},
            {"amount": Amount(Decimal("85.01"), "DKK")},
            {"quantity": Decimal(101)},
            {"unit_net_price": Amount(Decimal("85.01"), "DKK")},
            {"net_price": Amount(Decimal("8500.01"), "DKK")},
            {"vat": INCLUSIVE},
            {"accounting_period": Period(date(2026, 1, 1), date(2026, 1, 30))},
            {"accounting_period": Period(date(2026, 1, 2), date(2026, 1, 31))},
            {
                "amount": Amount(85, "EUR"),
                "unit_net_price": Amount(85, "EUR"),
                "net_price": Amount(8500, "EUR"),
            },
        ],
        ids=lambda changes: next(iter(changes)),
    )
    def test_every_field_of_the_interface_is(self, changes: dict[str, Any]) -> None:
        assert made() != made(**changes)

    def test_a_line_is_nothing_else(self) -> None:
        assert made() != made().raw


class TestLinesAreValues:
    """Frozen, picklable, short in a log."""

    @pytest.mark.parametrize("name", [*PLAIN, *EXTRAS, "figures", "note"])
    def test_a_line_cannot_be_changed(self, name: str) -> None:
        line = made()

        with pytest.raises(AttributeError):
            setattr(line, name, None)

    @pytest.mark.parametrize("extras", [{}, EXTRAS], ids=["plain", "full"])
    def test_a_line_pickles(self, extras: dict[str, Any]) -> None:
        line = made(**extras)

        again = pickle.loads(pickle.dumps(line))

        assert [getattr(line, name) for name in (*PLAIN, *EXTRAS)] == [
            getattr(again, name) for name in (*PLAIN, *EXTRAS)
        ]

    def test_a_pickled_line_can_still_be_taxed(self) -> None:
        again = pickle.loads(pickle.dumps(made()))

        assert 212_500 == again.figures.group.vat_on_net(again.figures.net, "half_up")

    def test_a_line_shows_what_a_reader_looks_for(self) -> None:
        """Product, days, sum and VAT, so that lines that differ look different."""
        expected = (
            "<PendingBillLineItem key:rent 2026-01-01/2026-01-31 "
            "100 × 85.00 = 8500.00 DKK Exclusive 0.25>"
        )

        assert expected == repr(made())
