"""A portfolio as administrators have them, and what its features cost beside one without them.

The mix, drawn for each lease from its own number, so that any lease can be made alone:

- **ideal**: 1 to 4 items, two on average; DKK, EUR and SEK 70, 20 and 10 %; moved in 2015 to 2025,
  35 % within a month; 45 % with 25 % VAT on top, else exempt; cycles of 1, 3, 6 and 12 months 70,
  22, 5 and 3 %; later prices on 25 % of items, of which 5 % begin within a month; discounts on
  10 %; ended 8 %.
- **realistic**: also plans on 30 %, of which 70 % follow one index of October, half of them between
  0 and 4 %, and 30 % rise by 2 % a year, in January or, half of them, in any month; one-time items
  on 3 %; VAT records and quantity records on 1 % each; cycles of weeks or days 2 %; arrears 3 %;
  cancelled items 3 %; every text of the items on a tenth; 0.1 % that no record takes.
- **indexed**: the ideal leases, each with a plan of the index alone for its first item, which is
  one unit without later prices.
- **deposits**: the ideal leases, 60 % of them with a balance.
- **adjusted**: the realistic leases as a service keeps them: what their plans made to the end of
  2025, or on 1 January 2026 too, is listed, most often with an amount record each; 5 % of those
  with a plan have another one for the same item.
"""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
from dateutil.relativedelta import relativedelta

from rentbilling import (
    Amount,
    AmountRecord,
    Balance,
    BillingCycle,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    IndexSeries,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    QuantityRecord,
    RecurringBillItem,
    RentAdjustmentPlan,
    Vat,
    VatRecord,
    adjusted_terms,
    rent_adjustments,
)
from rentbilling.errors import RentBillingError
from rentbilling.portfolio import leases_to_arrow
from rentbilling.testing import a_one_time_item, a_plan
from rentbilling.testing.strategies.choices import texts_of

OCTOBERS: Final[Mapping[int, Decimal]] = MappingProxyType(
    {year: Decimal(1000 + 23 * (year - 2013)) / 10 for year in range(2013, 2027)}
)
"""An index by year, which rises by 1.8 to 2.3 percent."""
INDEX: Final = IndexSeries("CPI", {f"{year}-10": level for year, level in OCTOBERS.items()})

_EXCLUSIVE: Final = Vat("Exclusive", Decimal("0.25"))
_BAD_ROW: Final = 1000
_PRODUCTS: Final = ("key:rent", "key:heating", "key:parking", "key:storage")
_DAY: Final = timedelta(days=1)


def _first(year: int, month: int) -> date:
    return date(year, month, 1)


class _Drawn:
    """The draws of one lease."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)  # noqa: S311 - a portfolio, no secret

    def under(self, percent: float) -> bool:
        return self._random.random() * 100 < percent

    def below(self, limit: int) -> int:
        return int(self._random.random() * limit)

    def one_of(self, *shares: tuple[float, Any]) -> Any:  # noqa: ANN401 - whatever is shared out
        place = self._random.random() * 100
        for percent, value in shares:
            place -= percent
            if place < 0:
                return value
        return shares[-1][1]


def ideal(number: int, *, whole: bool = False) -> LeaseTerms:
    """Return a lease that columns have always billed.

    Args:
        number: Its number.
        whole: Whether all that changes does so on the first of a January, and nothing ends, as the
            loop in plain Python knows it.
    """
    drawn = _Drawn(number)
    currency = drawn.one_of((70, "DKK"), (20, "EUR"), (10, "SEK"))
    vat = _EXCLUSIVE if drawn.under(45) else Vat("Exempt")
    moved_in = _first(2015 + drawn.below(11), 1 + drawn.below(12))
    if drawn.under(35):
        moved_in += drawn.below(28) * _DAY
    count = drawn.one_of((35, 1), (35, 2), (20, 3), (10, 4))
    return LeaseTerms(
        lease_id=f"lease-{number:07d}",
        recurring_bill_items=tuple(
            _item(drawn, (place, currency, vat), moved_in, whole=whole) for place in range(count)
        ),
    )


def _item(
    drawn: _Drawn, about: tuple[int, str, Vat], moved_in: date, *, whole: bool
) -> RecurringBillItem:
    place, currency, vat = about
    months = drawn.one_of((70, 1), (22, 3), (5, 6), (3, 12))
    if whole and not place:
        months = min(months, 3)
    start = 1 + drawn.below(months)
    cents = (500_000 if not place else 20_000) + drawn.below(1_000_000 if not place else 80_000)
    following = _first(moved_in.year, moved_in.month) + relativedelta(months=1)
    regular = following + relativedelta(months=(start - following.month) % months)
    price = Amount(Decimal(cents) / 100, currency)
    records: tuple[AmountRecord, ...] = ()
    if drawn.under(25):
        day = _first(moved_in.year + 1, 1)
        if not whole:
            day += relativedelta(months=drawn.below(60))
            day += drawn.below(28) * _DAY if drawn.under(5) else 0 * _DAY
        later = Amount(price.amount + 1 + drawn.below(200), currency)
        records = (AmountRecord(value=later, start=day),)
    discount = None
    if drawn.under(10):
        end = date(2025 + 2 * drawn.below(2), 12, 31)
        discount = Discount(percentage=Decimal(1 + drawn.below(30)) / 100, end_date=end)
    ended = drawn.under(8)
    last = _first(2024 + drawn.below(4), 1 + drawn.below(12)) + drawn.below(28) * _DAY
    return RecurringBillItem(
        product_key=_PRODUCTS[place],
        description=_PRODUCTS[place].partition(":")[2].title(),
        amount=price,
        vat=vat,
        due_date_rule=DueDateRule(),
        billing_cycle=BillingCycle(period_length=months, start=start),
        started_on=moved_in,
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=price,
            due_date=moved_in,
            accounting_period=Period(moved_in, max(regular - _DAY, moved_in)),
        ),
        amount_records=records,
        discount=discount,
        ended_on=last if ended and not whole and last > regular else None,
    )


def plan(*, limited: bool, month: int = 1) -> RentAdjustmentPlan:
    """Return a plan of the index of October for the first item."""
    return a_plan(
        adjustee_ref="recurring-1",
        month=month,
        minimum=0 if limited else None,
        maximum="0.04" if limited else None,
    )


def indexed(number: int, *, whole: bool = False) -> LeaseTerms:
    """Return an ideal lease with a plain index plan for its first item."""
    terms = ideal(number, whole=whole)
    rent, *others = terms.recurring_bill_items
    items = (rent.evolve(amount_records=()), *others)
    own = (plan(limited=number % 2 == 0),)
    return terms.evolve(recurring_bill_items=items, rent_adjustment_plans=own)


def deposits(number: int) -> LeaseTerms:
    """Return an ideal lease, most often with a balance."""
    terms = ideal(number)
    rent = terms.recurring_bill_items[0].amount
    held = Balance(balance_charge_type="deposit", amount=Amount(3 * rent.amount, rent.currency))
    return terms.evolve(balances=(held,)) if _Drawn(-number).under(60) else terms


def realistic(number: int) -> LeaseTerms:
    """Return a lease of the mix; those that no record takes are made by `lease_batch`."""
    terms, drawn = ideal(number), _Drawn(-1 - number)
    items = [_rare(item, drawn) for item in terms.recurring_bill_items]
    plans: tuple[RentAdjustmentPlan, ...] = ()
    if drawn.under(30):
        month = 1 if drawn.under(50) else 1 + drawn.below(12)
        plans = (plan(limited=drawn.under(50), month=month),)
        if drawn.under(30):
            plans = (_rising(items[0].started_on.year + 1, month),)
    once: tuple[OneTimeBillItem, ...] = ()
    if drawn.under(3):
        due = _first(2026, 1 + drawn.below(12))
        price = Amount(100 + drawn.below(900), items[0].amount.currency)
        fee = a_one_time_item(
            product_key="key:repair", amount=price, due_date=due, vat=items[0].vat
        )
        once = (fee,)
    if number % 10 == 0:
        items, once = [*map(_told, items)], tuple(map(_told, once))
    return terms.evolve(
        recurring_bill_items=tuple(items), rent_adjustment_plans=plans, one_time_bill_items=once
    )


def _told(item: Any) -> Any:  # noqa: ANN401 - an item of either kind
    """Return an item with every text that it may have, but the id by which plans find it."""
    told = {name: f"{name} of {item.product_key}" for name in texts_of(type(item)) if name != "id"}
    discount = getattr(item, "discount", None)
    if discount is not None:
        told["discount"] = discount.evolve(**{name: name for name in texts_of(Discount)})
    return item.evolve(**told)


def adjusted(number: int) -> LeaseTerms:
    """Return a realistic lease with the adjustments so far as a service keeps them."""
    terms, drawn = realistic(number), _Drawn(-1_000_000_000 - number)
    plans = terms.rent_adjustment_plans
    if not plans:
        return terms
    if drawn.under(5):
        plans = (*plans, plan(limited=False, month=1 + drawn.below(12)))
        terms = terms.evolve(rent_adjustment_plans=plans)
    kept = Period("2010-01-01", drawn.one_of((50, "2025-12-31"), (50, "2026-01-01")))
    form = drawn.one_of((80, "both"), (10, "lists"), (10, "records"))
    try:
        made = rent_adjustments(terms, kept, indices=INDEX)
    except RentBillingError:
        # Both plans act in one month.
        return terms
    found = adjusted_terms(terms, made, records=form != "lists", indices=INDEX)
    return found.evolve(rent_adjustment_plans=plans) if form == "records" else found


def _rising(year: int, month: int) -> RentAdjustmentPlan:
    """Return a plan that adds two percent every year."""
    return a_plan(adjustee_ref="recurring-1", percent="0.02", first_year=year, month=month)


def _rare(item: RecurringBillItem, drawn: _Drawn) -> RecurringBillItem:
    """Return an item with what few have."""
    changes: dict[str, Any] = {}
    opening = item.first_billing_period_bill_item.accounting_period.end
    day = opening + (1 + drawn.below(2000)) * _DAY
    if drawn.under(1):
        changed = Vat("Exempt") if item.vat == _EXCLUSIVE else _EXCLUSIVE
        changes["vat_records"] = (VatRecord(value=changed, start=day),)
    if drawn.under(1):
        more = Decimal(2 + drawn.below(3))
        changes["quantity_records"] = (QuantityRecord(value=more, start=day),)
    if drawn.under(2):
        unit, length = drawn.one_of((50, ("Week", 4)), (50, ("Day", 28)))
        changes["billing_cycle"] = BillingCycle(time_unit=unit, period_length=length)
    if drawn.under(3):
        changes["due_date_rule"] = DueDateRule(relative_to="end")
    if drawn.under(3):
        changes["cancelled_on"] = day
    return item.evolve(**changes) if changes else item


MAKERS: Final[Mapping[str, Callable[[int], LeaseTerms]]] = MappingProxyType(
    {"ideal": ideal, "realistic": realistic, "indexed": indexed, "deposits": deposits}
    | {"adjusted": adjusted}
)


def lease_batch(kind: str, count: int, first: int = 0) -> Any:  # noqa: ANN401 - a record batch
    """Return so many leases of a kind; each thousandth realistic one contradicts its items."""
    batch = leases_to_arrow(map(MAKERS[kind], range(first, first + count)))
    if kind not in {"realistic", "adjusted"}:
        return batch
    place = batch.schema.get_field_index("currency")
    wrong = ["NOK" if at % _BAD_ROW == _BAD_ROW - 1 else None for at in range(first, first + count)]
    return batch.set_column(place, batch.schema.field(place), pa.array(wrong, pa.string()))
