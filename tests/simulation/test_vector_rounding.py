"""Vector rounding: arrays are rounded like single numbers, and never wrap (A3)."""

from fractions import Fraction
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, strategies as st

from rentbilling.adjustments.rules.limits import Limits
from rentbilling.errors import UnknownWordError
from rentbilling.simulation.ratios import Ratios, mask_of
from rentbilling.simulation.vector_rounding import (
    Array,
    Whole,
    chosen,
    divide_rounded,
    largest,
    minus,
    narrowed,
    plus,
    times,
)
from rentbilling.values import Rounding, divide_rounded as divided_alone
from tests.support.rows import rows

SIZES = st.sampled_from((10, 10**6, 2**62, 2**63 - 1, 2**80))
MODES: st.SearchStrategy[Rounding] = st.sampled_from(get_args(Rounding))


@st.composite
def numbers(draw: st.DrawFn, least: int | None = None) -> list[int]:
    """Draw four whole numbers of about one size, small ones and some that 64 bits do not hold."""
    most = draw(SIZES)
    low = -most if least is None else least
    return draw(st.lists(st.integers(low, most), min_size=4, max_size=4))


def array(values: list[int]) -> Array:
    """Return whole numbers as an array, in 64 bits where they fit."""
    wide = any(not -(2**63) <= value < 2**63 for value in values)
    return np.array(values, dtype=object if wide else np.int64)


def units(found: Whole) -> Any:  # noqa: ANN401 - lists of whole numbers
    return np.asarray(found).tolist()


def kind(found: Whole) -> np.dtype[Any]:
    return np.asarray(found).dtype


@given(numbers(), numbers(1), MODES)
def test_an_array_is_rounded_like_each_of_its_numbers(
    over: list[int], below: list[int], mode: Rounding
) -> None:
    expected = [divided_alone(a, b, mode) for a, b in zip(over, below, strict=True)]

    assert expected == units(divide_rounded(array(over), array(below), mode))


@given(numbers(), st.integers(1, 60), MODES)
def test_an_array_is_rounded_over_one_divisor_for_all(
    over: list[int], below: int, mode: Rounding
) -> None:
    """Small divisors, so that ties are common."""
    expected = [divided_alone(a, below, mode) for a in over]

    assert expected == units(divide_rounded(array(over), below, mode))


@given(numbers(), numbers())
def test_arithmetic_is_that_of_whole_numbers(left: list[int], right: list[int]) -> None:
    pairs = list(zip(left, right, strict=True))

    assert [a * b for a, b in pairs] == units(times(array(left), array(right)))
    assert [a + b for a, b in pairs] == units(plus(array(left), array(right)))
    assert [a - b for a, b in pairs] == units(minus(array(left), array(right)))


def test_numbers_at_the_edge_of_64_bits_do_not_wrap() -> None:
    """The smallest number of 64 bits has no opposite there; a half of the range doubled is out."""
    edge = np.array([-(2**63), 2**63 - 1])

    assert 2**63 == largest(edge)
    assert [2 * -(2**63), 2**64 - 2] == units(plus(edge, edge))
    assert [2**63, 1 - 2**63] == units(minus(0, edge))
    assert [-(2**62), 2**62] == units(divide_rounded(edge, 2))


def test_what_fits_in_64_bits_goes_back_to_them() -> None:
    wide = times(np.array([10**12]), 10**12)

    assert np.dtype(object) == kind(wide)
    assert np.dtype(np.int64) == kind(divide_rounded(wide, 10**12))
    assert np.dtype(object) == kind(narrowed(np.array([2**70], dtype=object)))


def test_a_choice_keeps_wide_numbers() -> None:
    """2⁷⁰ beside 1."""
    assert [2**70, 1] == chosen(np.array([True, False]), 2**70, 1).tolist()


def test_an_unknown_mode_is_refused() -> None:
    other: Any = "bankers"

    with pytest.raises(UnknownWordError):
        divide_rounded(np.array([1]), 2, other)


def _fractions(drawn: int) -> list[Fraction]:
    """Return the four fractions in the digits of a number, or one for all paths."""
    values: list[Fraction] = []
    for _ in range(4):
        drawn, over = divmod(drawn, 2 * 10**6 + 1)
        drawn, below = divmod(drawn, 10**3)
        values.append(Fraction(over - 10**6, below + 1))
    return values if drawn % 2 else values[:1] * 4


def fractions() -> st.SearchStrategy[list[Fraction]]:
    return st.integers(0, 10**39).map(_fractions)


def ratios(values: list[Fraction]) -> Ratios:
    if len(set(values)) == 1:
        return Ratios.of(values[0])
    over = np.array([each.numerator for each in values])
    return Ratios(over, 1, np.array([each.denominator for each in values]))


def listed(found: Ratios) -> list[Fraction]:
    one = found.fractions()
    return one * 4 if len(one) == 1 else one


def answers(found: object) -> list[bool]:
    """Return the answers of a comparison on four paths."""
    return [bool(each) for each in np.broadcast_to(mask_of(found), (4,))]


@given(fractions(), fractions(), fractions())
def test_ratios_compute_like_fractions(
    left: list[Fraction], right: list[Fraction], more: list[Fraction]
) -> None:
    a, b, c = ratios(left), ratios(right), ratios(more)
    three = list(zip(left, right, more, strict=True))

    assert [x + y for x, y, _ in three] == listed(a + b)
    assert [x - y for x, y, _ in three] == listed(a - b)
    assert [(x * y + z) * x for x, y, z in three] == listed((a * b + c) * a)
    if all(right):
        assert [x / y for x, y, _ in three] == listed(a / b)


@given(fractions(), fractions())
def test_ratios_compare_like_fractions(left: list[Fraction], right: list[Fraction]) -> None:
    a, b = ratios(left), ratios(right)
    pairs = list(zip(left, right, strict=True))

    assert [x < y for x, y in pairs] == answers(a < b)
    assert [x > y for x, y in pairs] == answers(a > b)
    assert [x >= y for x, y in pairs] == answers(a >= b)
    assert [x == y for x, y in pairs] == answers(a == b)
    assert [x != y for x, y in pairs] == answers(a != b)
    assert [x < y or x == 0 for x, y in pairs] == answers((a < b) | (a == 0))
    assert [min(pair) for pair in pairs] == listed(a.where(mask_of(a < b), b))


@given(fractions(), st.integers(-9, 9))
def test_ratios_and_single_fractions_compute_and_compare(values: list[Fraction], over: int) -> None:
    """A single fraction may stand on either side, as in the rules that run on both."""
    many, one = ratios(values), Fraction(over, 7)

    assert [one + x for x in values] == listed(one + many)
    assert [one - x for x in values] == listed(one - many)
    assert [one * x for x in values] == listed(one * many)
    assert [one < x for x in values] == answers(one < many)
    assert [one == x for x in values] == answers(one == many)
    if all(values):
        assert [one / x for x in values] == listed(one / many)


@given(fractions(), st.integers(-9, 9), st.integers(0, 9))
def test_ratios_are_held_within_limits(values: list[Fraction], low: int, more: int) -> None:
    """As one fraction is, and where one was reached."""
    limits = Limits(Fraction(low, 7), Fraction(low + more, 7))
    found, reached = ratios(values).within(*limits)
    expected = [limits.hold(each) for each in values]

    assert [value for value, _ in expected] == listed(found)
    assert [word is not None for _, word in expected] == answers(reached is not None and reached)


@given(fractions(), st.sampled_from((1, 5, 25, 100)), MODES)
def test_ratios_are_rounded_to_steps_like_fractions(
    values: list[Fraction], steps: int, mode: Rounding
) -> None:
    """To the step 1 / steps."""
    units = [divided_alone(x.numerator * steps, x.denominator, mode) for x in values]

    assert [Fraction(each, steps) for each in units] == listed(
        ratios(values).rounded(Fraction(1, steps), mode)
    )


@given(fractions(), fractions())
def test_ratios_beside_each_other_keep_their_places(
    left: list[Fraction], right: list[Fraction]
) -> None:
    both = ratios(left).joined_with(ratios(right), (4, 4))
    found = both.fractions()

    assert left + right == (found * 8 if len(found) == 1 else found)
    assert [left[2], right[1]] == (both.only(np.array([2, 5])).fractions() * 2)[:2]


EDGES = (0, 1, 2, 3, 4, 5, 6, 7, -1, -2, -3, -5, -6, 10**25 + 5, -(10**25) - 7)
"""Over 2, 4, and 3: ties, what lies beside them, and numbers beyond 64 bits."""


@rows("mode", get_args(Rounding))
@rows("below", [1, 2, 3, 4, 10**24])
def test_ties_go_where_single_numbers_go(mode: Rounding, below: int) -> None:
    """Every mode, with numbers of 64 bits and with larger ones (A3)."""
    small, all_of_them = EDGES[:13], EDGES
    for numerators in (small, all_of_them):
        expected = [divided_alone(each, below, mode) for each in numerators]

        assert expected == units(divide_rounded(array([*numerators]), below, mode))


def test_ties_worked_by_hand() -> None:
    """5/2, 7/2 and −5/2 in every mode."""
    numerators = np.array([5, 7, -5])
    found = {mode: units(divide_rounded(numerators, 2, mode)) for mode in get_args(Rounding)}

    assert {
        "half_up": [3, 4, -3],
        "half_even": [2, 4, -2],
        "half_down": [2, 3, -2],
        "up": [3, 4, -3],
        "down": [2, 3, -2],
    } == found


def test_no_numbers_at_all_stay_none() -> None:
    assert [] == units(divide_rounded(np.zeros((0,), dtype=np.int64), 2, "half_even"))


def test_large_fractions_are_reduced_and_stay_exact() -> None:
    """(2⁶⁰ + 1)/3 times itself, as one number for all paths and as two."""
    alone = Ratios(2**60 + 1, 3)
    both = Ratios(np.array([2**60 + 1, 6]), 1, np.array([3, 4]))

    assert [Fraction(2**60 + 1, 3) ** 2] == (alone * alone).fractions()
    assert [Fraction(2**60 + 1, 3) ** 3, Fraction(3, 2) * Fraction(2**60 + 1, 3) ** 2] == (
        both * alone * alone
    ).fractions()
