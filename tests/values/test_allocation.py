"""What is shared out sums to the whole, and printed unit prices add up."""

from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

import pytest

from rentbilling import values
from tests.support.refusals import Call, refusal_text, refused
from tests.support.rows import rows

Method = Literal["running_total", "largest_remainder", "first"]
METHODS: tuple[Method, ...] = ("running_total", "largest_remainder", "first")


ANY: Any = values.share_out
"""Without its types, for what no type checker lets through."""
HUNDRED = values.Amount(100, "DKK")


def shared(whole: str, weights: Any, **options: Any) -> str:  # noqa: ANN401
    """Return the shares of a whole, in DKK unless a currency follows."""
    amount = values.Amount.parse(whole if " " in whole else f"{whole} DKK")
    return " ".join(f"{share.amount:f}" for share in values.share_out(amount, weights, **options))


# An amount over weights, without losing a minor unit (A21).
SHARED: list[tuple[str, Any, dict[str, Any], str]] = [
    # 33.333, 66.667 and 100 as running totals: 33.33, 66.67, 100.00.
    ("100.00", [1, 1, 1], {"method": "running_total"}, "33.33 33.34 33.33"),
    # Cut to 33.33 each; equal remainders, so the cent left goes to the first.
    ("100.00", [1, 1, 1], {"method": "largest_remainder"}, "33.34 33.33 33.33"),
    ("100.00", [1, 1, 1], {"method": "first"}, "33.34 33.33 33.33"),
    # 1.00 by 1 : 2 : 3 is 0.1667, 0.3333, 0.5; running totals 0.17, 0.50, 1.00.
    ("1.00", [1, 2, 3], {"method": "running_total"}, "0.17 0.33 0.50"),
    # Cut to 0.16, 0.33, 0.50; the first has lost 0.67 of a cent, the second 0.33.
    ("1.00", [1, 2, 3], {"method": "largest_remainder"}, "0.17 0.33 0.50"),
    ("1.00", [1, 2, 3], {"method": "first"}, "0.17 0.33 0.50"),
    # 0.05 by 4 : 4 : 1 is 2.22, 2.22 and 0.56 cents, so the odd cent is for the last.
    ("0.05", [4, 4, 1], {"method": "largest_remainder"}, "0.02 0.02 0.01"),
    # Cut to 0, 2, 2, 0, and one cent is left for the first part that has a weight.
    ("0.05", [0, 4, 4, 1], {"method": "first"}, "0.00 0.03 0.02 0.00"),
    # Running totals follow the rounding: 0.005 rounds up to 0.01, or down to nothing.
    ("0.01", [1, 1], {"method": "running_total"}, "0.01 0.00"),
    ("0.01", [1, 1], {"method": "running_total", "rounding": "down"}, "0.00 0.01"),
    # By largest remainders where nothing else is asked (A64): 2.5 and 7.5 cents are cut to 2 and 7,
    # and of equal remainders the earlier gets the cent that is left.
    ("0.10", [1, 3], {}, "0.03 0.07"),
    # 3.333, 3.333 and 3.334: the largest weight has most.
    ("10.00", [Decimal("33.33"), Decimal("33.33"), Decimal("33.34")], {}, "3.33 3.33 3.34"),
    ("-0.05", [0, 1, 1], {}, "0.00 -0.03 -0.02"),
    # Shares are whole minor units of the currency.
    ("100 JPY", [1, 1, 1], {}, "34 33 33"),
    ("1 KWD", [1, 1, 1], {}, "0.334 0.333 0.333"),
    # Nothing is shared out.
    ("0.00", [], {}, ""),
    ("0.00", [1, 2], {}, "0.00 0.00"),
    # Weights come from anything that gives them.
    ("100.00", {"anna": 1, "bo": 1}.values(), {}, "50.00 50.00"),
]


@rows(("whole", "weights", "options", "expected"), SHARED)
def test_an_amount_is_shared_out_by_weights(
    whole: str,
    weights: Any,  # noqa: ANN401
    options: dict[str, Any],
    expected: str,
) -> None:
    assert expected == shared(whole, weights, **options)


def test_private_minor_units_count() -> None:
    points = values.Amount(1, "PTS", currencies={"PTS": 1})

    assert ["0.4", "0.3", "0.3"] == [
        f"{share.amount:f}" for share in values.share_out(points, [1, 1, 1], currencies={"PTS": 1})
    ]


@rows("method", METHODS)
@rows(
    "weights",
    [
        [Decimal("0.1"), Decimal("0.25"), 3],
        [Fraction(1, 3), Fraction(1, 7), 0],
        [10**30, 1, 1],
        [5],
        [3, 0, 5, 7],
    ],
    ids=["decimals", "fractions", "huge", "one", "whole numbers"],
)
def test_the_shares_sum_to_the_whole(method: Method, weights: list[Any]) -> None:
    """And those of a credit are the same figures with the other sign (A26)."""
    whole = values.Amount(Decimal("1000.01"), "DKK")

    shares = values.share_out(whole, weights, method=method)

    assert (whole.amount, len(weights)) == (sum(share.amount for share in shares), len(shares))
    assert list(shares) == [-share for share in values.share_out(-whole, weights, method=method)]


def of_weights(*weights: Any) -> list[Call]:  # noqa: ANN401
    return [lambda each=each: values.share_out(HUNDRED, each) for each in weights]  # type: ignore[misc]


REFUSED: dict[str, list[Call]] = {
    "InvalidAmountError: weights bad_weights": of_weights([], [0, 0], [2, -1], [-1]),
    "InvalidAmountError: weights[1] not_finite": of_weights(
        [1, Decimal("NaN")], [1, Decimal("Infinity")]
    ),
    "InvalidAmountError: weights[1] too_many_digits": of_weights(
        [1, Decimal("1e99999999")], [1, Decimal("1e-99999999")]
    ),
    # An amount finer than its currency.
    "InvalidAmountError: too_many_decimals": [
        lambda: values.share_out(values.Amount(Decimal("0.005"), "DKK"), [1])
    ],
    # A word is checked also where there is nothing to share.
    "UnknownWordError: method unknown_word": [
        lambda: ANY(HUNDRED, [1], method="fair"),
        lambda: ANY(values.Amount(0, "DKK"), [], method="fair"),
    ],
    "UnknownWordError: unknown_word": [
        *(
            lambda method=method: ANY(HUNDRED, [1, 1], method=method, rounding="bankers")
            for method in METHODS
        ),
        lambda: ANY(values.Amount(0, "DKK"), [], rounding="bankers"),
    ],
}


@rows("found", REFUSED)
def test_what_cannot_be_shared_is_refused_at_its_place(found: str) -> None:
    for call in REFUSED[found]:
        assert found == refusal_text(call)


def test_an_unknown_method_is_refused_with_the_known_ones() -> None:
    error = refused(REFUSED["UnknownWordError: method unknown_word"][0])

    assert "running_total, largest_remainder, first" in str(error)


MISUSED: list[tuple[Call, str]] = [
    # 0.1 of a binary number is a little more than a tenth.
    *(
        (lambda weight=weight: ANY(HUNDRED, [1, weight]), "an exact number is needed")
        for weight in (1.5, True, "1", None)
    ),
    *(
        (lambda each=each: ANY(HUNDRED, each), "share_out takes a list of weights, not")
        for each in (None, 3, "123", b"123", {1: 2})
    ),
    *(
        (lambda whole=whole: ANY(whole, [1, 1]), "share_out takes an Amount, not")
        for whole in (100, Decimal(100), "100 DKK", None)
    ),
]


@rows(("call", "sentence"), MISUSED)
def test_misuse_is_a_type_error(call: Call, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        call()


# The price printed on a line gives the line when it is multiplied and rounded (A21).


@rows(
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
    line: int, quantity: tuple[int, int], exact: tuple[int, int], expected: str
) -> None:
    price = values.unit_price(line, quantity, exact, 2, "half_up")

    assert expected == str(price)


@rows(
    ("line", "quantity", "exact"),
    [(46_613, (100, 1), (289, 62)), (31, (3, 1), (1, 10)), (29, (3, 1), (1, 10))],
)
def test_the_price_of_a_credit_mirrors_that_of_the_charge(
    line: int, quantity: tuple[int, int], exact: tuple[int, int]
) -> None:
    """Whether the price or the quantity has the sign (A26)."""
    charge = values.unit_price(line, quantity, exact, 2, "half_up")
    times, parts = quantity
    over, below = exact

    assert (-charge, charge) == (
        values.unit_price(-line, quantity, (-over, below), 2, "half_up"),
        values.unit_price(-line, (-times, parts), exact, 2, "half_up"),
    )


@rows("mode", ["half_up", "half_even", "half_down", "up", "down"])
def test_the_price_follows_the_rounding_of_the_line(mode: values.Rounding) -> None:
    """7 at 1/3 is 2.3333: 2.34 where cents are rounded up, else 2.33."""
    line = values.divide_rounded(700, 3, mode)

    price = values.unit_price(line, (7, 1), (1, 3), 2, mode)

    over, below = (price * 100 * 7).as_integer_ratio()
    assert line == values.divide_rounded(over, below, mode)


def test_where_no_short_price_gives_the_line_the_nearest_of_15_digits_stands() -> None:
    """10^9 units at 123456.7890123 make more digits than a price may have."""
    # The line is one cent more than 10^9 × 123456.789012345; the price for it has 17 digits.
    price = values.unit_price(
        12_345_678_901_234_501, (10**9, 1), (123_456_789_012_345, 10**9), 2, "half_up"
    )

    assert "123456.789012345" == str(price)


def test_where_the_quantity_is_beyond_all_prices_the_exact_price_stands() -> None:
    """10^17 units for one cent: no price of 17 decimals is low enough."""
    price = values.unit_price(1, (10**17, 1), (0, 1), 2, "half_up")

    assert Decimal(0) == price


def test_a_larger_weight_never_gets_less() -> None:
    """Exact shares 2.5 and 7.5 tie, and the earlier has the unit; a credit is the mirror image."""
    assert [3, 7] == values.share_units(10, (1, 3))
    assert [-3, -7, 0] == values.share_units(-10, (Fraction(1, 2), Fraction(3, 2), 0))
