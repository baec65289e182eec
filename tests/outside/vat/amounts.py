"""Judging plain arithmetic: rounding modes, amounts shared out, minor units of currencies.

*Rounding.* Our modes are symmetric around zero (A3, A26). A mode that rounds towards +∞ or −∞ is
one of ours on either side of zero: `halfUp` takes −1.5 to −1, which is `half_down` there. Without
an exact half every half mode says the same, so only the halves of a mode that we do not have
(`halfOdd`) are not expressible.
*Sharing out.* The words for the remainder name our methods. Modes that leave the remainder out,
give it to the largest ratio, or round to a step above the minor unit are not expressible.
*Minor units.* A code without any (gold, test codes) is no currency and must be refused (A2).
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Literal

from rentbilling import Amount, RentBillingError
from rentbilling.errors import UnknownWordError
from rentbilling.values import Rounding, divide_rounded, minor_units, share_out
from tests.outside.board import PASSED, Case, Head, Verdict, failed, held_against, not_expressible

_HALF: Final = Fraction(1, 2)
_MODES: Final[Mapping[str, tuple[Rounding, Rounding]]] = MappingProxyType(
    {
        "halfUp": ("half_up", "half_down"),
        "halfDown": ("half_down", "half_up"),
        "halfEven": ("half_even", "half_even"),
        "halfAwayFromZero": ("half_up", "half_up"),
        "halfTowardsZero": ("half_down", "half_down"),
        "up": ("up", "down"),
        "down": ("down", "up"),
    }
)
"""Our mode above zero and below it."""


def judge_rounding(case: Case, _head: Head) -> Verdict:
    exact = Fraction(case["dividend"]) / Fraction(case["divisor"])
    mode = str(case["mode"])
    if mode in _MODES:
        ours: Rounding = _MODES[mode][exact < 0]
    elif mode.startswith("half") and abs(exact) % 1 != _HALF:
        ours = "half_up"
    else:
        return not_expressible(f"rounding mode {mode}")
    return held_against(
        Decimal(case["expected"]),
        Decimal(divide_rounded(exact.numerator, exact.denominator, ours)),
        what="quotient",
    )


Method = Literal["running_total", "largest_remainder", "first"]
_METHODS: tuple[tuple[str, Method], ...] = (
    ("FloorToFirst", "first"),
    ("SplitToFirst", "first"),
    ("remainder one unit each to the first", "first"),
    ("ruby money allocate", "first"),
    ("FloorToLargestRemainder", "largest_remainder"),
    ("largest remainder", "largest_remainder"),
    ("largest fraction", "largest_remainder"),
)
_EQUAL_WHEN_ZERO = "all-zero weights split equally"


def judge_sharing(case: Case, _head: Head) -> Verdict:
    mode = str(case["mode"])
    if case.get("step"):
        return not_expressible(f"shares in steps of {case['step']}")
    weights = [Fraction(text) for text in case.get("ratios", ())] or [Fraction(1)] * case.get(
        "parts", 0
    )
    if _EQUAL_WHEN_ZERO in mode and not any(weights):
        weights = [Fraction(1)] * len(weights)
    if "expected_error" in case:
        return _refused(_amount(case), weights)
    methods: list[Method] = [ours for words, ours in _METHODS if words in mode]
    if not methods:
        return not_expressible(f"sharing mode {mode}")
    shares = [part.amount for part in share_out(_amount(case), weights, method=methods[0])]
    if "expected_any_order" in case:
        expected = sorted(Decimal(text) for text in case["expected_any_order"])
        return held_against(expected, sorted(shares), what="shares")
    texts: Sequence[str] = case["expected" if "expected" in case else "expected_minor"]
    return held_against([Decimal(text) for text in texts], shares, what="shares")


def _amount(case: Case) -> Amount:
    """Return the amount of a case; minor units alone are those of a currency without any."""
    if "amount_minor" in case:
        return Amount(Decimal(case["amount_minor"]), "JPY")
    return Amount(Decimal(case["amount"]), case.get("currency", "EUR"))


def _refused(amount: Amount, weights: Sequence[Fraction]) -> Verdict:
    try:
        share_out(amount, weights)
    except RentBillingError:
        return PASSED
    return failed("accepted weights that must be refused")


def judge_currency(case: Case, _head: Head) -> Verdict:
    expected: int | None = case["minor_units"]
    try:
        places: int | None = minor_units(case["id"])
    except UnknownWordError:
        places = None
    return held_against(expected, places, what="minor units")
