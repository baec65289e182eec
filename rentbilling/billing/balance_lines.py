"""Balance lines: what a change of a deposit or prepaid rent is billed with, where the policy says.

Law: the instalments of a change sum to it, to the last minor unit (assumption A39).
"""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Final

from rentbilling.adjustments.balances import BalanceHistory, Moved
from rentbilling.adjustments.lease_history import LeaseHistories
from rentbilling.billing.figures import RawLine
from rentbilling.billing.lines import LineMaker, PriceInForce, VatGroups
from rentbilling.policy import BillingPolicy
from rentbilling.values.allocation import share_out
from rentbilling.values.money import Amount, decimal_of
from rentbilling.values.periods import month_index, month_start
from rentbilling.values.vat import Vat

_EXEMPT: Final = Vat("Exempt")
_UNIT: Final = Decimal(1)


class BalanceLines:
    """The lines that bill the changes of a lease's balances."""

    __slots__ = ("_groups", "_histories", "_policy")

    def __init__(self, histories: LeaseHistories, groups: VatGroups, policy: BillingPolicy) -> None:
        self._histories = histories
        self._groups = groups
        self._policy = policy

    def between(self, first: int, last: int) -> Iterator[tuple[int, RawLine]]:
        """Give the lines that fall due between two days, each with its due date.

        A change is due on the day of its adjustment, further instalments on the first days of the
        following months, each for the month of its due date; none after the contract's end.
        """
        last = min(last, self._histories.last_day)
        for history in self._histories.balances.values():
            # The last instalment of a change before is due so many months later.
            months = 1 if history.balance.months is None else ceil(history.balance.months)
            earliest = month_index(first) - months
            for moved in history.until(last):
                if moved.after != moved.before and month_index(moved.day) >= earliest:
                    yield from self._of_change(history, moved, first, last)

    def _of_change(
        self, history: BalanceHistory, moved: Moved, first: int, last: int
    ) -> Iterator[tuple[int, RawLine]]:
        month = month_index(moved.day)
        for at, part in enumerate(self._parts(history, moved)):
            due = moved.day if at == 0 else month_start(month + at)
            if first <= due <= last and part.amount != 0:
                yield due, self._line(history, moved, part, due)

    def _parts(self, history: BalanceHistory, moved: Moved) -> tuple[Amount, ...]:
        scale, months = history.scale, history.balance.months
        change = Amount.of(
            decimal_of(scale.units(moved.after - moved.before), scale.places), scale.currency
        )
        if self._policy.balance_change == "once" or months is None:
            return (change,)
        return share_out(
            change, [1] * ceil(months), rounding=scale.mode, currencies=self._policy.currencies
        )

    def _line(self, history: BalanceHistory, moved: Moved, part: Amount, due: int) -> RawLine:
        balance, plan = history.balance, self._histories.plan(moved.plan)
        key = balance.product_key or balance.balance_charge_type
        own = self._policy.for_product(key)
        maker = LineMaker(key, history.balance_id, part.currency, self._groups, own, self._policy)
        price = PriceInForce(Fraction(part.amount), plan.vat or _EXEMPT, _UNIT, None, None)
        month = month_index(due)
        return maker.figures(price, "balance"), due, month_start(month + 1) - 1
