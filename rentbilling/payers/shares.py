"""What part of a bill each payer takes over: fractions, fixed amounts, or the rest (A68).

Law: the parts are the whole bill, or nothing is split.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, NoReturn

from rentbilling.billing import PendingBill
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    other_currency,
    paths_under,
    shown,
)
from rentbilling.policy import BillingPolicy
from rentbilling.values import Amount, decimal_of, exact_ratio, fraction_of, units_of

AnyShare = Fraction | Decimal | int | Amount | Literal["rest"] | str
"""A fraction of the bill, a fixed amount with VAT, or the rest; also as a text such as "1/3", "25%"
or "500.00 EUR"."""

_RATIO: Final = re.compile(r"[0-9]{1,15}/[0-9]{1,15}", re.ASCII)
_KINDS: Final = 'a fraction such as "1/3", a fixed Amount such as "500.00 EUR", or "rest"'
_MOST_PAYERS: Final = 1000
_PARTS: Final = "fractions that sum to 1, such as 1/3 and 2/3, or 25% and 75%"


class Shares(NamedTuple):
    """The payers of a bill, in order."""

    names: tuple[str, ...]
    weights: tuple[Fraction, ...]
    """The part of the total that each takes over; they sum to 1."""
    fixed: Mapping[int, int]
    """Fixed amounts in minor units, by the place of the payer."""
    rest: int | None
    """The place of the payer who takes the rest."""

    @property
    def taker(self) -> int:
        """The payer who takes units that make the parts add up: the rest, or the largest share."""
        if self.rest is not None:
            return self.rest
        return max(range(len(self.names)), key=self.weights.__getitem__)


def shares_of(given: object, bill: PendingBill, policy: BillingPolicy) -> Shares:
    """Return the shares of a bill's payers.

    Raises:
        InvalidInputError: A share is none, kinds are mixed, or they do not add up to the bill.
        TypeError: They are no mapping of names to shares.
    """
    if not isinstance(given, Mapping):
        raise TypeError(f"split_bill takes a mapping of payers to shares, not {shown(given)}")
    if not 0 < len(given) <= _MOST_PAYERS:
        met, expected = f"{len(given)} payers", f"1 to {_MOST_PAYERS} payers"
        _refuse("", "wrong_number", "names too few or too many payers", met, expected)
    for name in given:
        if not isinstance(name, str) or not name:
            _refuse("", "empty_text", "has a payer without a name", name, "a name")
    names = tuple(given)
    read = [_share(share, path_of(name)) for name, share in given.items()]
    fixed = {at: _fixed(each, bill, names[at], policy) for at, each in _amounts(read)}
    rests = [at for at, each in enumerate(read) if each is None]
    if len(rests) > 1:
        met = ", ".join(names[at] for at in rests)
        _refuse("", "several_rests", "gives the rest to several payers", met, "one rest")
    if not fixed and not rests:
        fractions: Any = read
        if sum(fractions) != 1:
            met = str(sum(fractions))
            _refuse("", "shares_do_not_add_up", "do not sum to 1", met, _PARTS)
        return Shares(names, tuple(fractions), fixed, None)
    if len(fixed) + len(rests) < len(read) or not fixed:
        said, expected = "mixes kinds of shares", "fractions alone, or fixed amounts and one rest"
        _refuse("", "mixed_shares", said, ", ".join(names), expected)
    return _by_amounts(names, fixed, rests[0] if rests else None, bill)


def _share(given: object, path: str) -> Fraction | Amount | None:
    """Return a fraction or an amount; None for the rest."""
    if given == "rest":
        return None
    if isinstance(given, Amount):
        return given
    try:
        share = _fraction(given)
    except (InvalidInputError, TypeError):
        _refuse(path, "not_a_share", "is no share", given, _KINDS)
    if isinstance(share, Fraction) and share < 0:
        _refuse(path, "out_of_range", "is below 0", given, "0 or more")
    return share


def _fraction(given: Any) -> Fraction | Amount:  # noqa: ANN401
    if not isinstance(given, str):
        return Fraction(*exact_ratio(given))
    if _RATIO.fullmatch(given):
        over, _, below = given.partition("/")
        if not int(below):
            raise TypeError
        return Fraction(int(over), int(below))
    return Amount.parse(given) if given[-1:].isalpha() else Fraction(fraction_of(given))


def _amounts(read: list[Fraction | Amount | None]) -> Iterator[tuple[int, Amount]]:
    for at, each in enumerate(read):
        if isinstance(each, Amount):
            yield at, each


def _fixed(amount: Amount, bill: PendingBill, name: str, policy: BillingPolicy) -> int:
    """Return a fixed amount in minor units, of the bill's currency and sign."""
    path = path_of(name)
    if amount.currency != bill.currency:
        raise other_currency(f"{path}.currency", amount.currency, bill.currency)
    with paths_under(path):
        units = units_of(amount, policy.currencies)
    total = bill.sums[1]
    if units and units * total <= 0:
        said, expected = "has the opposite sign to the bill's total", f"a part of {bill.total}"
        _refuse(path, "out_of_range", said, amount, expected)
    return units


def _by_amounts(
    names: tuple[str, ...], fixed: dict[int, int], rest: int | None, bill: PendingBill
) -> Shares:
    """Return shares by fixed amounts, which weigh as their parts of the total."""
    total, sum_of_fixed = bill.sums[1], sum(fixed.values())
    is_whole = sum_of_fixed == total
    if abs(sum_of_fixed) > abs(total) or (rest is None and not is_whole):
        said = "are not the total of the bill together"
        expected = f"{bill.total}" if rest is None else f"at most {bill.total}"
        met = Amount.unchecked(decimal_of(sum_of_fixed, bill.places), bill.currency)
        _refuse("", "shares_do_not_add_up", said, met, expected)
    if not total and rest is None:
        said, expected = "share a total of 0 by amounts", "fractions, or one rest"
        _refuse("", "shares_do_not_add_up", said, bill.total, expected)
    parts = {at: Fraction(units, total) if total else Fraction(0) for at, units in fixed.items()}
    if rest is not None:
        parts[rest] = 1 - sum(parts.values(), Fraction(0))
    return Shares(names, tuple(parts[at] for at in range(len(names))), fixed, rest)


def path_of(name: str) -> str:
    return f"shares[{shown(name)}]"


def _refuse(path: str, code: str, said: str, met: object, expected: str) -> NoReturn:
    raise InvalidRecordError.of(path or "shares", code, said, met, expected)
