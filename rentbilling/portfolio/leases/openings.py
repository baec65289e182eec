"""Openings: the opening periods of many items of which the day of moving in is known (A14).

Law: days and share are computed once for each cycle and day, and are those of
`first_billing_period`.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from rentbilling.billing import cut_opening, first_billing_period, opening_days
from rentbilling.errors import RentBillingError
from rentbilling.policy import BillingPolicy, PartPeriod
from rentbilling.portfolio.arrow.decimals import FINEST
from rentbilling.portfolio.leases.table_mapping import Step
from rentbilling.schedule import opening_share
from rentbilling.terms import (
    AmountRecord,
    BillingCycle,
    Discount,
    PartPeriodEnds,
    QuantityRecord,
    reading_context,
    value_on,
)
from rentbilling.values import CURRENCIES, Amount, Period, minor_units


class Openings:
    """Computes opening periods under a policy."""

    def __init__(self, policy: BillingPolicy) -> None:
        """Take the policy."""
        self.policy = policy
        self._known: dict[Any, tuple[int, int, int] | None] = {}
        self._context = reading_context(policy)
        self._method: PartPeriod = PartPeriodEnds.of(None).over(policy.part_periods).first

    def price(
        self,
        amount: Amount,
        cycle: Mapping[str, Any],
        day: date,
        ended_on: date | None,
        given: Mapping[tuple[Step, ...], Any],
    ) -> Decimal | None:
        """Return the amount of the opening of an item with more fields, None where it is refused.

        The day is the first one to pay for, `ended_on` the last one; others are given by paths.
        """
        fields: dict[Step, Any] = {}
        for path, value in given.items():
            place = fields
            for step in path[:-1]:
                place = place.setdefault(step, {})
            place[path[-1]] = value
        one, several = fields.pop("discount", None), fields.pop("discounts", {})
        records = fields.pop("amount_records", {}).values()
        units = fields.pop("quantity_records", {}).values()
        quantity = fields.pop("quantity", None)
        listed = [*([] if one is None else [one]), *(several[at] for at in sorted(several))]
        try:
            opening = first_billing_period(
                amount,
                BillingCycle.model_validate(cycle, context=self._context),
                day,
                ended_on=ended_on,
                discounts=[Discount.model_validate(each, context=self._context) for each in listed],
                amount_records=[
                    AmountRecord.model_validate(each, context=self._context) for each in records
                ],
                quantity=value_on(
                    [QuantityRecord.model_validate(each, context=self._context) for each in units],
                    day.toordinal(),
                    quantity,
                ),
                policy=self.policy,
                **{str(name): value for name, value in fields.items()},
            )
        except RentBillingError:
            return None
        return opening.amount.amount

    def places(self, currency: str | None) -> int:
        """Return the decimals of a currency; too many of one that is not known."""
        own = self.policy.currencies
        is_known = currency is not None and (currency in CURRENCIES or currency in own)
        return minor_units(str(currency), own) if is_known else FINEST + 1

    def days(
        self, cycle: Mapping[str, Any], day: date, ended_on: date | None
    ) -> tuple[int, int, int] | None:
        """Return the last day of an opening period, and its share: so many parts, of so many.

        None where the opening is refused, or a product may have a policy of its own (A54).
        """
        if self.policy.by_product:
            return None
        key = (day, ended_on, *cycle.values())
        if key not in self._known:
            try:
                made = BillingCycle.model_validate(cycle, context=self._context)
                uncut = opening_days(day.toordinal(), made)
                days = uncut if ended_on is None else cut_opening(uncut, ended_on.toordinal())
                periods = Period.unchecked(*days), Period.unchecked(*uncut)
                share = opening_share(periods[0], made, self._method, periods[1])
                self._known[key] = days[1], *share.as_integer_ratio()
            except RentBillingError:
                self._known[key] = None
        return self._known[key]
