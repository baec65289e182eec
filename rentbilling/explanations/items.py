"""How the lines of a recurring item come about before VAT, and the steps that all lines share.

Laws: a line is rounded once, and the parts of a split are differences of running totals (A21); a
working is checked against the price in force, the period, the due date and the figure.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from typing import Final, Generic, NamedTuple, TypeVar

from rentbilling.billing import CompiledItem, CorrectionFigures, LineFigures, RawLine, discounted
from rentbilling.explanations.adjustments import LeaseAdjustments
from rentbilling.explanations.operations import (
    Coin,
    NamedInput,
    difference,
    limited,
    number_of,
    product,
    selected,
    stated,
    total,
    value_of,
)
from rentbilling.explanations.periods import (
    due_date,
    part_of_period,
    regular_period,
    share_of_cut,
    share_of_part,
)
from rentbilling.explanations.working import Working, agreed
from rentbilling.policy import BillingPolicy
from rentbilling.terms import Discount
from rentbilling.values import Amount, Period, Vat


class LineFacts(NamedTuple):
    """What leads to a line, before its VAT."""

    base: Working
    """The line in its own tax mode: gross if Inclusive, else net."""
    exact: Working | None
    """The exact price of one unit after discount and share, where it is known."""
    days: Working
    """Its accounting period."""
    due: Working
    """Its due date."""
    quantity: Working
    vat: Working


def vat_text(vat: Vat) -> str:
    """Return a VAT in words.

    Examples:
        >>> from decimal import Decimal
        >>> vat_text(Vat("Exclusive", Decimal("0.25")))
        'Exclusive, 25 %'
    """
    mode, rate = vat.category
    if not rate:
        return mode
    return f"{mode}, {(rate * 100).normalize():f} %"


def line_coin(figures: LineFigures) -> Coin:
    """Return the currency of a line."""
    return Coin(figures.currency, figures.places)


def read_line(raw: RawLine, due: date, why: str, policy: BillingPolicy) -> LineFacts:
    """Return what leads to a line by its own figures, where its terms are not known."""
    figures, first, last = raw
    quantity = stated("quantity", figures.quantity, "A21")
    price = stated("unit price", Amount.unchecked(figures.amount, figures.currency), "A21", why)
    return LineFacts(
        _read_amount(figures, quantity, price, policy.for_product(figures.product_key)),
        None,
        stated("accounting period", Period.unchecked(first, last), "A4"),
        stated("due date", due, "A16"),
        quantity,
        stated("vat", vat_text(figures.vat), "A27"),
    )


def _read_amount(
    figures: LineFigures, quantity: Working, price: Working, policy: BillingPolicy
) -> Working:
    """Return the amount of a read line in its own tax mode."""
    coin, label = line_coin(figures), _label(figures)
    exact = price
    if figures.quantity != 1:
        exact = exact_line(quantity, price, None, "exact line")
    found = coin.rounded(label, "A21", policy.rounding, line=exact)
    figure = coin.of_units(figures.base)
    if found.result == figure:
        return found
    note = f"as the bill states it; quantity × price is {found.told}"
    times: NamedInput = "quantity × price", replace(found, label="quantity × price")
    return stated(label, figure, "A21", note, times)


def correction_facts(figures: CorrectionFigures, raw: RawLine, due: date) -> LineFacts:
    """Return what leads to a correction: what is due now, less what was billed before (A53)."""
    coin, (_, first, last) = line_coin(figures), raw
    now = stated("due now", coin.of_units(figures.owed), "A53", "by the terms as they are now")
    note = "on earlier bills, corrections included"
    before = stated("billed before", coin.of_units(figures.billed), "A53", note)
    base = difference(_label(figures), "A53", now=now, before=before)
    return LineFacts(
        agreed(base, coin.of_units(figures.base), "a correction"),
        None,
        stated("accounting period", Period.unchecked(first, last), "A53", "the days concerned"),
        stated("due date", due, "A53", "the first bill after it was due"),
        stated("quantity", figures.quantity, "A53"),
        stated("vat", vat_text(figures.vat), "A53", "as the line that is corrected"),
    )


def exact_line(quantity: Working, price: Working, share: Working | None, label: str) -> Working:
    """Return the exact line: quantity × unit price × share (A21)."""
    factors: list[NamedInput] = []
    if value_of(quantity) != 1:
        factors.append(("quantity", quantity))
    factors.append(("unit price", price))
    if share is not None:
        factors.append(("share", share))
    return product(label, "A21", *factors)


def _label(figures: LineFigures) -> str:
    return "gross price" if figures.group.inclusive else "net price"


def whole_line(
    figures: LineFigures,
    policy: BillingPolicy,
    price: Working,
    quantity: Working,
    share: Working | None,
) -> Working:
    """Return a line that is not part of a split: rounded once (A21)."""
    coin = line_coin(figures)
    exact = price
    if share is not None or value_of(quantity) != 1:
        exact = exact_line(quantity, price, share, "exact line")
    found = coin.rounded(_label(figures), "A21", policy.rounding, line=exact)
    return agreed(found, coin.of_units(figures.base), "a line")


def running_part(figures: LineFigures, policy: BillingPolicy, exact: Sequence[Working]) -> Working:
    """Return a part of a split: the difference of two rounded running totals (A21)."""
    coin, mode, label = line_coin(figures), policy.rounding, _label(figures)
    *earlier, own = exact
    if not earlier:
        return coin.rounded(label, "A21", mode, part=own)
    before = earlier[0]
    if len(earlier) > 1:
        named = [(f"part {at}", each) for at, each in enumerate(earlier, 1)]
        before = total("exact parts before", "A21", *named)
    now = total("exact parts so far", "A21", before=before, this_part=own)
    reached = coin.rounded("running total", "A21", mode, parts=now)
    start = coin.rounded("running total before", "A21", mode, parts=before)
    return difference(label, "A21", running_total=reached, before=start)


T = TypeVar("T")

_ALWAYS: Final = 0
_ONE: Final = Decimal(1)


class ItemExplainer:
    """Explains the lines of one recurring item."""

    __slots__ = (
        "_adjustments",
        "_amounts",
        "_at",
        "_billed",
        "_coin",
        "_item",
        "_policy",
        "_quantities",
        "_vats",
    )

    def __init__(
        self, billed: CompiledItem, at: int, adjustments: LeaseAdjustments | None, coin: Coin
    ) -> None:
        self._billed = billed
        item = self._item = billed.item
        self._policy = billed.policy
        self._at = at
        self._adjustments = adjustments
        self._coin = coin
        one = _ONE if item.quantity is None else item.quantity
        self._amounts = _Dated(
            item.amount, [(each.start, each.value) for each in item.amount_records]
        )
        self._quantities = _Dated(one, [(each.start, each.value) for each in item.quantity_records])
        self._vats = _Dated(item.vat, [(each.start, each.value) for each in item.vat_records])

    def opening(self, figures: LineFigures) -> LineFacts:
        """Return what leads to the opening line: it is taken as given (A12, A24)."""
        opening = self._item.first_billing_period_bill_item
        day = opening.accounting_period.first
        price = stated("unit price", opening.amount, "A12", "agreed for the opening period")
        discount = self._billed.prices.price_on(day).discount
        if self._policy.discount_opening and discount is not None:
            price = self._discounted(price, discount, rule="A24")
        quantity = self._quantity(day)
        return LineFacts(
            whole_line(figures, self._policy, price, quantity, None),
            price,
            stated("accounting period", opening.accounting_period, "A12", "the opening period"),
            stated("due date", opening.due_date, "A12", "agreed for the opening period"),
            quantity,
            self._vat(day),
        )

    def regular(self, figures: LineFigures, days: tuple[int, int], due: date) -> LineFacts:
        """Return what leads to the line of a whole period."""
        first = days[0]
        price = self._price_after_discount(first, first)
        quantity = self._quantity(first)
        period, there = self._when(days, due, "accounting period")
        base = whole_line(figures, self._policy, price, quantity, None)
        return LineFacts(base, price, period, there, quantity, self._vat(first))

    def part(self, raw: RawLine, due: date) -> LineFacts:
        """Return what leads to a part of a period that an end cuts or a change splits (A19)."""
        figures, start, last = raw
        assert figures.regular is not None  # noqa: S101 - parts know their period
        first, end = figures.regular
        cut = min(end, self._billed.end)
        inside = self._billed.prices.split_days_between(first + 1, cut)
        parts = list(zip((first, *inside), (*(day - 1 for day in inside), cut), strict=True))
        at = parts.index((start, last))
        period, there = self._when((first, end), due, "regular period")
        whole = None
        cycle = self._item.billing_cycle
        if cut != end:
            whole = share_of_cut((first, cut), (first, end), cycle, self._policy)
        inclusive = figures.group.inclusive
        exact: list[Working] = []
        for place in range(at + 1):
            on = self._day_of_price(parts[place][0], first)
            taxed = self._billed.prices.price_on(on).vat.tax_mode == "Inclusive"
            if taxed == inclusive:
                exact.append(self._exact_part(place, parts, whole, first))
        base = running_part(figures, self._policy, exact)
        day = self._day_of_price(start, first)
        days = part_of_period(period, (start, last), None if cut == end else cut, self._end())
        share = self._share(at, parts, whole)
        price = self._price_after_discount(day, self._day_of_discount(start, first))
        unit = product("exact unit price", "A21", price=price, share=share)
        return LineFacts(
            agreed(base, self._coin.of_units(figures.base), "a part of a period"),
            unit,
            days,
            there,
            self._quantity(day),
            self._vat(day),
        )

    def _end(self) -> str:
        """Return why billing ends on the last day paid for: the item or the contract ends."""
        own = self._item.ended_on
        if own is not None and own.toordinal() == self._billed.end:
            return "the item ends"
        return "the contract ends"

    def _when(self, days: tuple[int, int], due: date, label: str) -> tuple[Working, Working]:
        schedule = self._billed.schedule
        there = regular_period(self._item, schedule, Period.unchecked(*days), label)
        return there, due_date(self._item, there, schedule, self._policy, due)

    def _day_of_price(self, start: int, first: int) -> int:
        """Return the day whose price a part has (A19)."""
        return first if self._policy.mid_period_change == "next_period" else start

    def _day_of_discount(self, start: int, first: int) -> int:
        """Return the day whose discount a part has (A23)."""
        if self._policy.discount_end == "whole_period":
            return first
        return self._day_of_price(start, first)

    def _share(self, at: int, parts: Sequence[tuple[int, int]], whole: Working | None) -> Working:
        if len(parts) == 1 and whole is not None:
            return whole
        return share_of_part(at, parts, whole, self._item.billing_cycle, self._policy)

    def _exact_part(
        self, at: int, parts: Sequence[tuple[int, int]], whole: Working | None, first: int
    ) -> Working:
        start, last = parts[at]
        day = self._day_of_price(start, first)
        price = self._price_after_discount(day, self._day_of_discount(start, first))
        share = self._share(at, parts, whole)
        days = str(Period.unchecked(start, last))
        return exact_line(self._quantity(day), price, share, f"exact part {days}")

    def _quantity(self, day: int) -> Working:
        """Return the quantity in force on a day (A18)."""
        value, since, until = self._quantities.on(day)
        return _chosen("quantity", stated("quantity", value, "A21"), day, since, until)

    def _vat(self, day: int) -> Working:
        """Return the VAT in force on a day (A18)."""
        value, since, until = self._vats.on(day)
        return _chosen("vat", stated("vat", vat_text(value), "A27"), day, since, until)

    def _price(self, day: int) -> Working:
        """Return the unit price in force on a day, before discount (A18, A42)."""
        amount, since, until = self._amounts.on(day)
        note = "the item's own amount" if since == _ALWAYS else "an amount record"
        value = stated("unit price", amount, "A18", note)
        made = None if self._adjustments is None else self._adjustments.unit_price(self._at, day)
        # An adjustment applies from its day on, after a record of the same day (A42).
        if made is not None and made[0] >= since:
            since, value = made
        found = _chosen("unit price", value, day, since, until)
        return agreed(found, self._billed.prices.price_on(day).amount, "a price in force")

    def _price_after_discount(self, day: int, day_of_discount: int) -> Working:
        """Return the unit price after the discount in force (A22)."""
        price = self._price(day)
        in_force = self._billed.prices.price_on(day_of_discount)
        if in_force.discount is None:
            return price
        return self._discounted(price, in_force.discount, rule="A22")

    def _discounted(self, price: Working, discount: Discount, *, rule: str) -> Working:
        """Return a price with a discount taken off (A22, A23)."""
        label, named = "price after discount", discount.description
        note = None if named is None else f"{named}"
        if discount.end_date is not None:
            until = f"to {discount.end_date.isoformat()} included"
            note = until if note is None else f"{note}, {until}"
        if discount.percentage is not None:
            off = stated("discount percentage", discount.percentage, "A22", note)
            left = difference("what is left", "A22", whole=1, discount_percentage=off)
            found = product(label, rule, price=price, left=left)
        else:
            assert discount.amount is not None  # noqa: S101 - one of the two is given
            taken = stated("discount", discount.amount, "A22", note)
            found = _less(label, rule, price, taken)
        over, below, _ = discounted(number_of(price), discount)
        return agreed(found, Fraction(over, below), "a price after discount")


def _less(label: str, rule: str, price: Working, taken: Working) -> Working:
    """Return a price less a discount by amount, which never turns the sign (A22)."""
    worth = number_of(price)
    if worth < 0:
        note = "a discount by amount takes nothing off a credit"
        return product(label, rule, price=price, left=1, note=note)
    found = difference(label, rule, price=price, discount=taken)
    if number_of(found) < 0:
        less = difference("price less discount", rule, price=price, discount=taken)
        note = "the discount is larger than the price and stops at zero"
        return limited(label, rule, price=less, minimum=("minimum", 0), note=note)
    return found


class _Dated(Generic[T]):
    """A value of an item, and its records in order of days."""

    __slots__ = ("_days", "_values")

    def __init__(self, own: T, records: Sequence[tuple[date, T]]) -> None:
        self._days, self._values = [_ALWAYS], [own]
        for start, value in sorted(records, key=itemgetter(0)) if records else ():
            self._days.append(start.toordinal())
            self._values.append(value)

    def on(self, day: int) -> tuple[T, int, int | None]:
        """Return the value in force on a day, since when, and until when if another follows."""
        after = bisect_right(self._days, day)
        until = self._days[after] - 1 if after < len(self._days) else None
        return self._values[after - 1], self._days[after - 1], until


def _chosen(label: str, value: Working, day: int, since: int, until: int | None) -> Working:
    """Return the value in force on a day; a value without records is a plain fact."""
    if since == _ALWAYS and until is None:
        return value
    # A fact is one line, with the days on which it is in force.
    given = (value.result, value.note) if value.operation == "stated" else (value, None)
    return selected(
        label,
        given[0],
        date.fromordinal(day),
        "A18",
        since=None if since == _ALWAYS else date.fromordinal(since),
        until=None if until is None else date.fromordinal(until),
        note=given[1],
    )
