"""Which differences of a bill follow from its other ones: one wrong price changes five figures.

Law: a difference follows from others only if both bills compute that figure from their own parts,
and a part of it differs; a price follows from other days only if both are as their days.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from rentbilling.billing import PendingBill
from rentbilling.checks.check import stated_findings
from rentbilling.checks.difference import Difference, DifferenceGroup
from rentbilling.checks.matching import Pair
from rentbilling.checks.stated_bill import stated_bill
from rentbilling.policy import BillingPolicy
from rentbilling.values import Period

_PLACE: Final = re.compile(r"\[[0-9]+\]")
_NETS: Final = frozenset({"net_price", "missing_line", "extra_line"})
_TAXES: Final = frozenset({"vat_amount", "missing_vat_total", "extra_vat_total"})
_PARTS: Final = MappingProxyType(
    {
        "unit_net_price": frozenset({"amount", "vat"}),
        "net_price": frozenset({"amount", "unit_net_price", "quantity", "vat"}),
        **dict.fromkeys(_TAXES, _NETS | {"vat"}),
        "subtotal": _NETS,
        "total": frozenset({"subtotal", *_TAXES}),
        "cash_rounding": frozenset({"total"}),
    }
)
"""By the code of a computed figure, the codes of what it is computed from."""
_OF_LINES: Final = frozenset({"unit_net_price", "net_price"})


def folded(
    found: Sequence[Difference],
    expected: PendingBill | None,
    actual: PendingBill | None,
    policy: BillingPolicy,
    places: Pair = (None, None),
) -> DifferenceGroup:
    """Return the differences of two bills, causes apart from what follows from them."""
    if expected is None or actual is None:
        return DifferenceGroup(tuple(found), (), places)
    fold = _Fold(expected, actual, policy)
    follow = [each for each in found if fold.follows(each, found)]
    causes = tuple(each for each in found if each not in follow)
    return DifferenceGroup(causes, tuple(follow), places)


class _Fold:
    """Decides which differences between two bills follow from other ones."""

    def __init__(self, expected: PendingBill, actual: PendingBill, policy: BillingPolicy) -> None:
        self._bills = expected, actual
        self._wrong = frozenset(map(_figure, _wrong_paths(actual, policy)))
        # The expected bill may have its lines in another order: kinds of figures are compared.
        self._odd = frozenset(_kind(_figure(path)) for path in _wrong_paths(expected, policy))

    def follows(self, each: Difference, found: Sequence[Difference]) -> bool:
        """Return whether a difference follows from others of the same bill."""
        figure, parts = _figure(each.path), _PARTS.get(each.code, ())
        if not self._wrong.isdisjoint((figure, _kind(figure))) or _kind(figure) in self._odd:
            return False
        line = f"{each.path.rpartition('.')[0]}." if each.code in _OF_LINES else ""
        if each.code == "amount":
            return self._is_by_days(each, found)
        return (each.code not in _TAXES or self._is_of_other_nets(each)) and any(
            other.code in parts and other.path.startswith(line) for other in found
        )

    def _is_by_days(self, each: Difference, found: Sequence[Difference]) -> bool:
        """Return whether a line has other days, and both prices are the same for a day."""
        place = each.path.removesuffix(".amount")
        days = next((other for other in found if other.path == f"{place}.accountingPeriod"), None)
        if days is None or each.by is None:
            return False
        _, actual = self._bills
        mine, theirs = (Period.parse(text).days for text in (days.expected, days.actual))
        price = Fraction(actual.lines[int(place.partition("[")[2].rstrip("]"))].amount.amount)
        off = price * mine - (price - Fraction(each.by.amount)) * theirs
        # Each of them is rounded by less than a minor unit.
        return abs(off) < Fraction(mine + theirs, 10**actual.places)

    def _is_of_other_nets(self, each: Difference) -> bool:
        """Return whether the bills differ in the nets of the rate of a VAT total."""
        bill = self._bills[each.code != "missing_vat_total"]
        at = int(each.path.partition("[")[2].partition("]")[0])
        category = bill.vat_totals[at].vat.category
        mine, theirs = (_nets_of(bill, category) for bill in self._bills)
        return mine != theirs


def _nets_of(bill: PendingBill, category: tuple[str, object]) -> list[int]:
    return sorted(line.net for line, _, _ in bill.raw_lines if line.vat.category == category)


def _wrong_paths(bill: PendingBill, policy: BillingPolicy) -> Iterator[str]:
    """Yield the figures that do not follow from the other figures of a bill."""
    for found in stated_findings(stated_bill(bill), policy):
        if found.severity != "information":
            yield found.path


def _figure(path: str) -> str:
    """Return the path of a figure: a VAT total with its parts is one."""
    return path.partition(".")[0] if path.startswith("vatTotals") else path


def _kind(figure: str) -> str:
    return _PLACE.sub("", figure)
