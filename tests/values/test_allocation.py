"""What is shared out sums to the whole, and printed unit prices add up."""

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, cast

import pytest

from rentbilling.errors import InvalidAmountError, UnknownWordError
from rentbilling.values import Amount, Rounding, divide_rounded, share_out, unit_price

Method = Literal["running_total", "largest_remainder", "first"]
METHODS: tuple[Method, ...] = ("running_total", "largest_remainder", "first")


def figures(shares: tuple[Amount, ...]) -> list[str]:
    return [f"{share.amount:f}" for share in shares]


class TestSharingOut:
    """An amount over weights, without losing a minor unit (A21)."""

    @pytest.mark.parametrize(
        ("method", "expected"),
        [
            # 33.333, 66.667 and 100 as running totals: 33.33, 66.67, 100.00.
            ("running_total", ["33.33", "33.34", "33.33"]),
            # Cut to 33.33 each; equal remainders, so the cent left goes to the first.
            ("largest_remainder", ["33.34", "33.33", "33.33"]),
            ("first", ["33.34", "33.33", "33.33"]),
        ],
    )
    def test_three_equal_parts_of_a_hundred(self, method: Method, expected: list[str]) -> None:
        shares = share_out(Amount(100, "DKK"), [1, 1, 1], method=method)

        assert expected == figures(shares)

    @pytest.mark.parametrize(
        ("method", "expected"),
        [
            # 1.00 by 1 : 2 : 3 is 0.1667, 0.3333, 0.5; running totals 0.17, 0.50, 1.00.
            ("running_total", ["0.17", "0.33", "0.50"]),
            # Cut to 0.16, 0.33, 0.50; the first has lost 0.67 of a cent, the second 0.33.
            ("largest_remainder", ["0.17", "0.33", "0.50"]),
            ("first", ["0.17", "0.33", "0.50"]),
        ],
    )
    def test_weights_count_as_they_are(self, method: Method, expected: list[str]) -> None:
        shares = share_out(Amount(1, "DKK"), [1, 2, 3], method=method)

        assert expected == figures(shares)

    def test_the_largest_remainder_need_not_be_the_first(self) -> None:
        """0.05 by 4 : 4 : 1 is 2.22, 2.22 and 0.56 cents, so the odd cent is for the last."""
        shares = share_out(Amount(Decimal("0.05"), "DKK"), [4, 4, 1], method="largest_remainder")

        assert ["0.02", "0.02", "0.01"] == figures(shares)

    def test_what_is_left_goes_to_the_first_parts_that_have_a_weight(self) -> None:
        """A weight of 0 is nobody's share, also of the odd cent."""
        shares = share_out(Amount(Decimal("0.05"), "DKK"), [0, 4, 4, 1], method="first")

        # Cut to 0, 2, 2, 0; one cent is left.
        assert ["0.00", "0.03", "0.02", "0.00"] == figures(shares)

    @pytest.mark.parametrize("method", METHODS)
    def test_a_credit_is_shared_like_the_charge_it_takes_back(self, method: Method) -> None:
        """The same figures with the other sign (A26)."""
        weights = [3, 0, 5, 7]
        charge = share_out(Amount(Decimal("99.99"), "DKK"), weights, method=method)

        credit = share_out(Amount(Decimal("-99.99"), "DKK"), weights, method=method)

        assert list(charge) == [-share for share in credit]

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize(
        "weights",
        [
            [Decimal("0.1"), Decimal("0.25"), 3],
            [Fraction(1, 3), Fraction(1, 7), 0],
            [10**30, 1, 1],
            [5],
        ],
        ids=["decimals", "fractions", "huge", "one"],
    )
    def test_the_shares_sum_to_the_whole(
        self, method: Method, weights: list[Decimal | Fraction | int]
    ) -> None:
        whole = Amount(Decimal("1000.01"), "DKK")

        shares = share_out(whole, weights, method=method)

        assert (whole.amount, len(weights)) == (sum(share.amount for share in shares), len(shares))

    def test_running_totals_follow_the_rounding(self) -> None:
        """Two halves of 0.01: 0.005 rounds up to 0.01, or down to nothing."""
        cent = Amount(Decimal("0.01"), "DKK")

        assert (["0.01", "0.00"], ["0.00", "0.01"]) == (
            figures(share_out(cent, [1, 1])),
            figures(share_out(cent, [1, 1], rounding="down")),
        )

    @pytest.mark.parametrize(
        ("whole", "expected"), [("100 JPY", ["33", "34", "33"]), ("1 KWD", ["0.333", "0.334"])]
    )
    def test_shares_are_whole_minor_units_of_the_currency(
        self, whole: str, expected: list[str]
    ) -> None:
        shares = share_out(Amount.parse(whole), [1, 1, 1])

        assert expected == figures(shares)[: len(expected)]

    def test_private_minor_units_count(self) -> None:
        points = Amount(1, "PTS", currencies={"PTS": 1})

        assert ["0.3", "0.4", "0.3"] == figures(share_out(points, [1, 1, 1], currencies={"PTS": 1}))

    def test_nothing_over_nobody_is_nothing(self) -> None:
        assert () == share_out(Amount(0, "DKK"), [])

    def test_nothing_over_somebody_is_nothing_each(self) -> None:
        assert ["0.00", "0.00"] == figures(share_out(Amount(0, "DKK"), [1, 2]))

    @pytest.mark.parametrize("weights", [[], [0, 0], [2, -1], [-1]], ids=str)
    def test_weights_that_share_nothing_are_refused(self, weights: list[int]) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            share_out(Amount(100, "DKK"), weights)

        assert "bad_weights" == caught.value.code

    def test_an_unknown_method_is_refused(self) -> None:
        with pytest.raises(UnknownWordError, match="running_total, largest_remainder, first"):
            share_out(Amount(100, "DKK"), [1], method=cast("Any", "fair"))

    @pytest.mark.parametrize("method", METHODS)
    def test_an_unknown_rounding_is_refused(self, method: Method) -> None:
        with pytest.raises(UnknownWordError):
            share_out(Amount(100, "DKK"), [1, 1], method=method, rounding=cast("Any", "bankers"))

    @pytest.mark.parametrize("words", [{"method": "fair"}, {"rounding": "bankers"}], ids=str)
    def test_a_word_is_judged_where_there_is_nothing_to_share(self, words: dict[str, Any]) -> None:
        with pytest.raises(UnknownWordError):
            share_out(Amount(0, "DKK"), [], **words)

    def test_weights_come_from_anything_that_gives_them(self) -> None:
        weights = {"anna": 1, "bo": 1}

        assert ["50.00", "50.00"] == figures(share_out(Amount(100, "DKK"), weights.values()))

    @pytest.mark.parametrize("weight", [1.5, True, "1", None], ids=repr)
    def test_a_weight_is_an_exact_number(self, weight: object) -> None:
        """0.1 of a binary number is a little more than a tenth."""
        with pytest.raises(TypeError, match="an exact number is needed"):
            share_out(Amount(100, "DKK"), cast("Any", [1, weight]))

    @pytest.mark.parametrize(
        ("weight", "code"),
        [
            (Decimal("NaN"), "not_finite"),
            (Decimal("Infinity"), "not_finite"),
            (Decimal("1e99999999"), "too_many_digits"),
            (Decimal("1e-99999999"), "too_many_digits"),
        ],
        ids=str,
    )
    def test_a_weight_that_cannot_be_computed_with_is_refused_at_its_place(
        self, weight: Decimal, code: str
    ) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            share_out(Amount(100, "DKK"), [1, weight])

        (problem,) = caught.value.problems
        assert ("weights[1]", code) == (problem.path, problem.code)

    @pytest.mark.parametrize("weights", [None, 3, "123", b"123", {1: 2}], ids=repr)
    def test_weights_are_a_list(self, weights: object) -> None:
        with pytest.raises(TypeError, match="share_out takes a list of weights, not"):
            share_out(Amount(100, "DKK"), cast("Any", weights))

    @pytest.mark.parametrize("whole", [100, Decimal(100), "100 DKK", None], ids=repr)
    def test_only_an_amount_is_shared_out(self, whole: object) -> None:
        with pytest.raises(TypeError, match="share_out takes an Amount, not"):
            share_out(cast("Any", whole), [1, 1])

    def test_an_amount_finer_than_its_currency_is_refused(self) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            share_out(Amount(Decimal("0.005"), "DKK"), [1])

        assert "too_many_decimals" == caught.value.code


class TestUnitPrice:
    """The price beside a line gives the line when it is multiplied and rounded (A21)."""

    @pytest.mark.parametrize(
        ("line", "quantity", "exact", "expected"),
        [
            # 3 at 33.333…: 33.33 makes 99.99; of three decimals 33.333 makes 99.999, so 100.00.
            (10_000, (3, 1), (100, 3), "33.333"),
            # 4 at 25.00 is 100.00 at once.
            (10_000, (4, 1), (25, 1), "25.00"),
            # 100 m² at 4.66129: 4.66 makes 466.00, 4.661 makes 466.10, 4.6613 makes 466.13.
            (46_613, (100, 1), (289, 62), "4.6613"),
            # Half a unit at 10.01 is 5.005, rounded 5.01; 10.01 stands.
            (501, (1, 2), (1001, 100), "10.01"),
            # The exact price is 0.10, but the line is one cent more (the last of three parts):
            # 0.10 makes 0.30, 0.11 makes 0.33, 0.103 makes 0.309, so 0.31; 0.102 only 0.306,
            # so 0.31 too, and it is nearer to 0.10.
            (31, (3, 1), (1, 10), "0.102"),
            # One cent less: 0.098 makes 0.294, so 0.29.
            (29, (3, 1), (1, 10), "0.098"),
            # A line of nothing from an exact price of nothing.
            (0, (7, 1), (0, 1), "0.00"),
        ],
    )
    def test_the_fewest_decimals_that_reproduce_the_line_are_shown(
        self, line: int, quantity: tuple[int, int], exact: tuple[int, int], expected: str
    ) -> None:
        price = unit_price(line, quantity, exact, 2, "half_up")

        assert expected == str(price)

    @pytest.mark.parametrize(
        ("line", "quantity", "exact"),
        [(46_613, (100, 1), (289, 62)), (31, (3, 1), (1, 10)), (29, (3, 1), (1, 10))],
    )
    def test_the_price_of_a_credit_mirrors_that_of_the_charge(
        self, line: int, quantity: tuple[int, int], exact: tuple[int, int]
    ) -> None:
        """Whether the price or the quantity has the sign (A26)."""
        charge = unit_price(line, quantity, exact, 2, "half_up")
        times, parts = quantity
        over, below = exact

        assert (-charge, charge) == (
            unit_price(-line, quantity, (-over, below), 2, "half_up"),
            unit_price(-line, (-times, parts), exact, 2, "half_up"),
        )

    @pytest.mark.parametrize("mode", ["half_up", "half_even", "half_down", "up", "down"])
    def test_the_price_follows_the_rounding_of_the_line(self, mode: Rounding) -> None:
        """7 at 1/3 is 2.3333: 2.34 where cents are rounded up, else 2.33."""
        line = divide_rounded(700, 3, mode)

        price = unit_price(line, (7, 1), (1, 3), 2, mode)

        over, below = (price * 100 * 7).as_integer_ratio()
        assert line == divide_rounded(over, below, mode)

    def test_where_no_short_price_gives_the_line_the_nearest_of_15_digits_stands(self) -> None:
        """10^9 units at 123456.7890123 make more digits than a price may have."""
        # The line is one cent more than 10^9 × 123456.789012345; the price for it has 17 digits.
        price = unit_price(
            12_345_678_901_234_501, (10**9, 1), (123_456_789_012_345, 10**9), 2, "half_up"
        )

        assert "123456.789012345" == str(price)

    def test_where_the_quantity_is_beyond_all_prices_the_exact_price_stands(self) -> None:
        """10^17 units for one cent: no price of 17 decimals is low enough."""
        price = unit_price(1, (10**17, 1), (0, 1), 2, "half_up")

        assert Decimal(0) == price
