"""Scenarios of the price: another rent, a discount, another VAT.

Laws: the policy rounds amounts as a contract states them; earlier days do not change.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache

from rentbilling.adjustments import LeaseHistories
from rentbilling.errors import InvalidPeriodError, Problem, UnsupportedCaseError
from rentbilling.terms import (
    AmountRecord,
    Discount,
    LeaseTerms,
    RecurringBillItem,
    RentAdjustment,
    RentAdjustmentPlan,
    VatRecord,
    item_at,
    value_on,
)
from rentbilling.values import (
    NEVER,
    Amount,
    Rate,
    Vat,
    day_of,
    minor_units,
    percent_words,
    rate_of,
    rounded,
    vat_words,
)
from rentbilling.whatif.scenario import (
    RENT,
    BillingInputs,
    Chosen,
    FromDay,
    ItemChange,
    Scenario,
    chooses,
    chosen_words,
    of_items,
    ordinal_of,
    refuse_unless,
    since_words,
)

Histories = Callable[[], LeaseHistories]
Repriced = Callable[[Fraction], Fraction]
"""Returns the new unit price for an exact old one."""


def raise_rent(by: Rate | Amount, *, on: FromDay = None, of: Chosen = RENT) -> Scenario:
    """Return the scenario of a rent that is higher by a fraction or by an amount for each unit.

    From a day on, the new amount is an amount record of that day (A18), from which later
    adjustments continue; later amount records and listed adjustments rise by the same. Amounts in a
    clause do not change.

    Args:
        by: 0.03 or "3%" is three percent more, -0.03 less; an `Amount` is added to the unit price.
        on: From this day on, counted from the amount then in force, adjustments included; by
            default from the first day of the asked period. With "start", or a day up to the first
            one paid for, all amounts of the item change, the opening period's too.
        of: Product keys or item ids; the rent by default.

    Raises:
        InvalidAmountError: `by` is no rate.
        InvalidPeriodError: The day is malformed.

    Examples:
        >>> raise_rent(0.03, on="2027-01-01")
        <Scenario key:rent +3 % from 2027-01-01>
    """
    if isinstance(by, Amount):
        said = f"+{by}" if by.amount >= 0 else str(by)
        more = Fraction(by.amount)
        return _repriced(said, lambda unit: unit + more, on, of, by.currency)
    rate = rate_of(by, "by")
    factor = 1 + Fraction(rate)
    said = ("+" if rate >= 0 else "") + percent_words(rate)
    return _repriced(said, lambda unit: unit * factor, on, of)


def set_rent(amount: Amount | str, *, on: FromDay = None, of: Chosen = RENT) -> Scenario:
    """Return the scenario of another rent for each unit and billing period.

    Args:
        amount: The new price of one unit, or its text such as "9000 DKK".
        on: From this day on, with no later amounts; by default from the first day of the asked
            period, with "start" from the beginning. The stated amount of the opening period does
            not change.
        of: Product keys or item ids; the rent by default.

    Raises:
        InvalidInputError: It is not an amount, or the day is malformed.
        UnsupportedCaseError: When it runs: a plan lists an adjustment of the item on that day or
            later, whose amount would be another one.

    Examples:
        >>> set_rent("9000 DKK")
        <Scenario key:rent 9000 DKK>
    """
    price = Amount.parse(amount.strip()) if isinstance(amount, str) else amount
    refuse_unless(Amount, price, "amount", 'an Amount or a text such as "8500 DKK"')
    asked = ordinal_of(on)

    def change(inputs: BillingInputs, at: int) -> RecurringBillItem:
        item = inputs.terms.recurring_bill_items[at]
        if item.amount.currency != price.currency:
            return item
        day = inputs.first_day(asked)
        _refuse_listed(inputs, at, day)
        if day is None:
            return item.evolve(amount=price, amount_records=())
        if day > _last_day(inputs, item):
            return item
        kept = [each for each in item.amount_records if each.start.toordinal() < day]
        start = date.fromordinal(day)
        return item.evolve(amount_records=(*kept, AmountRecord(value=price, start=start)))

    return _priced(of, str(price), asked, change)


def _refuse_listed(inputs: BillingInputs, at: int, day: int | None) -> None:
    terms = inputs.terms
    ids = terms.item_ids[: len(terms.recurring_bill_items)]
    for plan in terms.rent_adjustment_plans:
        if plan.adjusts_items and item_at(plan, ids) == at:
            days = [each.adjusted_on.toordinal() for each in plan.adjustments]
            if days and (day is None or max(days) >= day):
                last = date.fromordinal(max(days))
                case = f"another amount before the listed adjustment of {last}: give a later day"
                product = terms.recurring_bill_items[at].product_key
                raise UnsupportedCaseError("unsupported", case=case, product=product)


def _repriced(
    said: str, reprice: Repriced, on: FromDay, of: Chosen, currency: str | None = None
) -> Scenario:
    asked = ordinal_of(on)

    def change(
        inputs: BillingInputs, at: int, day: int | None, histories: Histories
    ) -> RecurringBillItem:
        item = inputs.terms.recurring_bill_items[at]

        def new(unit: Fraction) -> Amount:
            return _stated(inputs, at, reprice(unit))

        if day is None or day <= item.first_billing_period_bill_item.accounting_period.first:
            return repriced_item(item, new)
        start = date.fromordinal(day)
        now = AmountRecord(value=new(unit_price(inputs, at, day, histories)), start=start)
        before = [each for each in item.amount_records if each.start < start]
        after = [
            each.evolve(value=new(Fraction(each.value.amount)))
            for each in item.amount_records
            if each.start > start
        ]
        return item.evolve(amount_records=(*before, now, *after))

    def changed(inputs: BillingInputs) -> BillingInputs:
        day, terms = inputs.first_day(asked), inputs.terms
        items, plans = [*terms.recurring_bill_items], [*terms.rent_adjustment_plans]
        places = _listing_plans(terms)
        # An item's price follows from its own plans, so that all are taken from the same terms.
        histories = cache(lambda: LeaseHistories(terms, inputs.indices, inputs.policy))
        for at in _meant(inputs, of):
            item = items[at]
            other = currency is not None and item.amount.currency != currency
            if other or (day is not None and day > _last_day(inputs, item)):
                continue
            for place in places.get(at, ()):
                plans[place] = _relisted(inputs, at, plans[place], reprice, day)
            items[at] = change(inputs, at, day, histories)
        if items == [*terms.recurring_bill_items] and plans == [*terms.rent_adjustment_plans]:
            return inputs
        terms = terms.evolve(recurring_bill_items=items, rent_adjustment_plans=plans)
        return inputs.evolve(terms=terms)

    return Scenario(_name(of, said, asked), changed, turn="prices", from_period=asked is None)


def _meant(inputs: BillingInputs, of: Chosen) -> list[int]:
    items = zip(inputs.terms.recurring_bill_items, inputs.terms.item_ids, strict=False)
    return [at for at, (item, item_id) in enumerate(items) if chooses(of, item, item_id)]


def _listing_plans(terms: LeaseTerms) -> dict[int, list[int]]:
    """Return the places of plans that list adjustments, by the place of their item."""
    found: dict[int, list[int]] = {}
    ids = terms.item_ids[: len(terms.recurring_bill_items)]
    for place, plan in enumerate(terms.rent_adjustment_plans):
        at = item_at(plan, ids) if plan.adjustments and plan.adjusts_items else None
        if at is not None:
            found.setdefault(at, []).append(place)
    return found


def _relisted(
    inputs: BillingInputs, at: int, plan: RentAdjustmentPlan, reprice: Repriced, day: int | None
) -> RentAdjustmentPlan:
    item = inputs.terms.recurring_bill_items[at]

    def other(amount: Amount | None, when: date) -> Amount | None:
        # A listed adjustment may lack its earlier amount.
        if amount is None:
            return None
        quantity = Fraction(quantity_on(item, when.toordinal()) or 1)
        return _stated(inputs, at, reprice(Fraction(amount.amount) / quantity) * quantity)

    def again(each: RentAdjustment) -> RentAdjustment:
        when = each.adjusted_on
        if day is not None and when.toordinal() < day:
            return each
        before, after = each.from_period_amount, other(each.to_period_amount, when)
        if day is None or when.toordinal() > day:
            before = other(before, when)
        return RentAdjustment(
            id=each.id, adjusted_on=when, from_period_amount=before, to_period_amount=after
        )

    if plan.adjusts_balances or any(e.to_period_amount is None for e in plan.adjustments):
        case = "another price with listed adjustments of a balance or of a year alone"
        raise UnsupportedCaseError("unsupported", case=case, product=item.product_key)
    return plan.evolve(adjustments=tuple(map(again, plan.adjustments)))


def repriced_item(item: RecurringBillItem, new: Callable[[Fraction], Amount]) -> RecurringBillItem:
    """Return an item with all its amounts repriced, the opening period's too."""
    opening = item.first_billing_period_bill_item
    return item.evolve(
        amount=new(Fraction(item.amount.amount)),
        first_billing_period_bill_item=opening.evolve(amount=new(Fraction(opening.amount.amount))),
        amount_records=tuple(
            each.evolve(value=new(Fraction(each.value.amount))) for each in item.amount_records
        ),
    )


def unit_price(
    inputs: BillingInputs, at: int, day: int, histories: Histories | None = None
) -> Fraction:
    """Return the exact unit price of an item on a day, after its adjustments (A42)."""
    terms = inputs.terms
    item = terms.recurring_bill_items[at]
    if terms.rent_adjustment_plans:
        found = histories() if histories else LeaseHistories(terms, inputs.indices, inputs.policy)
        history = found.items.get(at)
        if history is not None:
            return history.amount_on(day) / history.adjustee.quantities.on(day)
    return Fraction(value_on(item.amount_records, day, item.amount).amount)


def stated_price(inputs: BillingInputs, at: int, day: int, times: Fraction = Fraction(1)) -> Amount:
    return _stated(inputs, at, unit_price(inputs, at, day) * times)


def scaled_price(inputs: BillingInputs, at: int, amount: Amount, times: Fraction) -> Amount:
    return _stated(inputs, at, Fraction(amount.amount) * times)


def _stated(inputs: BillingInputs, at: int, exact: Fraction) -> Amount:
    item = inputs.terms.recurring_bill_items[at]
    places = minor_units(item.amount.currency, inputs.policy.currencies)
    mode = inputs.policy.for_product(item.product_key).rounding
    return Amount.unchecked(rounded(exact, places, mode), item.amount.currency)


def paid_until(inputs: BillingInputs, at: int) -> date | None:
    """Return the last day that an item of the lease is paid for (A17), None without an end."""
    ends = inputs.terms.recurring_bill_items[at].ended_on, inputs.terms.contract_end
    return min((end for end in ends if end is not None), default=None)


def quantity_on(item: RecurringBillItem, day: int) -> Decimal | None:
    found: Decimal | None = value_on(item.quantity_records, day, item.quantity)
    return found


def _last_day(inputs: BillingInputs, item: RecurringBillItem) -> int:
    ends = [inputs.terms.contract_end, item.ended_on, item.cancelled_on]
    return min((end.toordinal() for end in ends if end is not None), default=NEVER)


def give_discount(
    by: Rate | Amount,
    *,
    on: FromDay = None,
    until: date | str | None = None,
    of: Chosen = RENT,
) -> Scenario:
    """Return the scenario of a discount, which replaces all others from its first day on (A61).

    The stated amount of the opening period stays unless the policy says otherwise (A24).

    Args:
        by: 0.10 or "10%" is ten percent off; an `Amount` is taken off each unit.
        on: First day with it; by default that of the asked period, or "start".
        until: The last day with it, included; without end by default.
        of: Product keys or item ids; the rent by default.

    Raises:
        InvalidInputError: It is above the price, `by` is no rate, or `until` is before `on`.

    Examples:
        >>> give_discount(0.10, until="2027-06-30")
        <Scenario key:rent 10 % off until 2027-06-30>
    """
    end = None if until is None else date.fromordinal(day_of(until, "until"))
    if isinstance(by, Amount):
        discount, said = Discount(amount=by, end_date=end), str(by)
    else:
        share = rate_of(by, "by")
        discount, said = Discount(percentage=share, end_date=end), percent_words(share)
    ending = "" if end is None else f" until {end}"
    asked = ordinal_of(on)
    if asked is not None and end is not None and end.toordinal() < asked:
        said, expected = "is before the first day with it", f"{date.fromordinal(asked)} or later"
        raise InvalidPeriodError((Problem("until", "reversed_period", said, str(end), expected),))

    # Nearly all items get it on the same day.
    @lru_cache(maxsize=1)
    def since(day: int) -> Discount:
        return discount.evolve(start_date=date.fromordinal(day))

    def change(inputs: BillingInputs, at: int) -> RecurringBillItem:
        item = inputs.terms.recurring_bill_items[at]
        if discount.amount is not None and discount.amount.currency != item.amount.currency:
            return item
        day = inputs.first_day(asked)
        opens = item.first_billing_period_bill_item.accounting_period.first
        if day is None or day <= opens:
            return item.evolve(discount=discount, discounts=())
        before = date.fromordinal(day - 1)
        discounts = [
            each if each.days[1] < day else each.evolve(end_date=before)
            for each in item.all_discounts
            if each.days[0] < day
        ]
        if end is None or end > before:
            discounts.append(since(day))
        # A discount that is not there need not be checked again.
        single = {} if item.discount is None else {"discount": None}
        return item.evolve(discounts=tuple(discounts), **single)

    return _priced(of, f"{said} off{ending}", asked, change)


def use_vat(vat: Vat | str, *, on: FromDay = None, of: Chosen = None) -> Scenario:
    """Return the scenario of another tax mode or rate; stated amounts do not change.

    Args:
        vat: The new VAT, or its text such as "Exclusive 25%".
        on: From this day on, with no later VATs; by default from the first day of the asked
            period, with "start" from the beginning.
        of: Product keys or item ids; every recurring item by default.

    Raises:
        InvalidInputError: It is not a VAT.

    Examples:
        >>> use_vat("Exclusive 25%", of="key:rent")
        <Scenario key:rent VAT Exclusive 25 %>
    """
    tax = Vat.parse(vat) if isinstance(vat, str) else vat
    refuse_unless(Vat, tax, "vat", 'a Vat or a text such as "Exclusive 25%"')
    asked = ordinal_of(on)

    def change(inputs: BillingInputs, at: int) -> RecurringBillItem:
        item, day = inputs.terms.recurring_bill_items[at], inputs.first_day(asked)
        if day is None:
            return item.evolve(vat=tax, vat_records=())
        start = date.fromordinal(day)
        kept = [each for each in item.vat_records if each.start < start]
        return item.evolve(vat_records=(*kept, VatRecord(value=tax, start=start)))

    return _priced(of, f"VAT {vat_words(tax)}", asked, change)


def _priced(of: Chosen, said: str, asked: int | None, change: ItemChange) -> Scenario:
    return of_items(_name(of, said, asked), of, change, from_period=asked is None)


def _name(of: Chosen, said: str, asked: int | None) -> str:
    return f"{chosen_words(of)} {said}{since_words(asked)}"
