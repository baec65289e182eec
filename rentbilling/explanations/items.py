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
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from rentbilling.billing import (
    CompiledItem,
    CorrectionFigures,
    LineFigures,
    RawLine,
    discounted,
    discounts_in_price,
)
from rentbilling.explanations import operations as op
from rentbilling.explanations.adjustments import LeaseAdjustments
from rentbilling.explanations.formatting import as_fraction
from rentbilling.explanations.openings import opening_amount
from rentbilling.explanations.periods import (
    due_date,
    part_of_period,
    regular_period,
    share_of_cut,
    share_of_part,
)
from rentbilling.explanations.working import Input, Working, agreed
from rentbilling.policy import BillingPolicy, PartPeriods
from rentbilling.schedule import WHOLE, opening_share, part_periods_of
from rentbilling.terms import Discount, discounts_in_force, prices_in_a_cycle
from rentbilling.values import Amount, Period, Vat, percent_words

UNIT_PRICE: Final = "exact unit price"
"""The label of a price after discount times its share."""
DISCOUNTED: Final = ("price after discount", "price less discount")
"""The labels of a price after a discount; the second of one that its limit has not yet met."""


class LineFacts(NamedTuple):
    """The steps that lead to a line, before its VAT."""

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
    return f"{mode}, {percent(rate)}" if rate else mode


percent: Final = lru_cache(maxsize=64)(percent_words)


def line_coin(figures: LineFigures) -> op.Coin:
    return _coin(figures.currency, figures.places)


_coin: Final = lru_cache(maxsize=64)(op.Coin)


def read_line(raw: RawLine, due: date, why: str, policy: BillingPolicy) -> LineFacts:
    """Return what leads to a line by its own figures, where its terms are not known."""
    figures, first, last = raw
    quantity = op.stated("quantity", figures.quantity, "A21")
    price = op.stated("unit price", Amount.unchecked(figures.amount, figures.currency), "A21", why)
    return LineFacts(
        _read_amount(figures, quantity, price, policy.for_product(figures.product_key)),
        None,
        op.stated("accounting period", Period.unchecked(first, last), "A4", figures.counted),
        op.stated("due date", due, "A16"),
        quantity,
        op.stated("vat", vat_text(figures.vat), "A27"),
    )


def _read_amount(
    figures: LineFigures, quantity: Working, price: Working, policy: BillingPolicy
) -> Working:
    coin, label = line_coin(figures), _label(figures)
    exact = price
    if figures.quantity != 1:
        exact = exact_line(quantity, price, None, "exact line")
    found = coin.rounded(label, "A21", policy.rounding, line=exact)
    figure = coin.of_units(figures.base)
    if found.result == figure:
        return found
    note = f"as the bill states it; quantity × price is {found.result_text}"
    times: op.NamedInput = "quantity × price", replace(found, label="quantity × price")
    return op.stated(label, figure, "A21", note, times)


def correction_facts(
    figures: CorrectionFigures, raw: RawLine, due: date, parts: Sequence[Working]
) -> LineFacts:
    """Return what leads to a correction: what is due now, less what was billed before (A53).

    What is due now is worked out where the lines that are due are passed.
    """
    coin, (_, first, last) = line_coin(figures), raw
    owed, said = coin.of_units(figures.owed), "by the terms as they are now"
    now = op.stated("due now", owed, "A53", said)
    if parts:
        named = [(f"line {at}", each) for at, each in enumerate(parts, 1)]
        now = agreed(op.total("due now", "A53", *named, note=said), owed, "what is due now")
    note = "on earlier bills, corrections included"
    before = op.stated("billed before", coin.of_units(figures.billed), "A53", note)
    base = op.difference(_label(figures), "A53", now=now, before=before)
    return LineFacts(
        agreed(base, coin.of_units(figures.base), "a correction"),
        None,
        op.stated("accounting period", Period.unchecked(first, last), "A53", "the days concerned"),
        op.stated("due date", due, "A53", "the first bill after it was due"),
        op.stated("quantity", figures.quantity, "A53"),
        op.stated("vat", vat_text(figures.vat), "A53", "as the line that is corrected"),
    )


def exact_line(quantity: Working, price: Working, share: Working | None, label: str) -> Working:
    """Return the exact line: quantity × unit price × share (A21)."""
    factors: list[op.NamedInput] = []
    if op.value_of(quantity) != 1:
        factors.append(("quantity", quantity))
    factors.append(("unit price", price))
    if share is not None:
        factors.append(("share", share))
    return op.product(label, "A21", *factors)


def _label(figures: LineFigures) -> str:
    return "gross price" if figures.group.inclusive else "net price"


def whole_line(
    figures: LineFigures, policy: BillingPolicy, price: Working, quantity: Working
) -> Working:
    """Return a line that is not part of a split: rounded once (A21)."""
    coin = line_coin(figures)
    exact = price
    if op.value_of(quantity) != 1:
        exact = exact_line(quantity, price, None, "exact line")
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
        before = op.total("exact parts before", "A21", *named)
    now = op.total("exact parts so far", "A21", before=before, this_part=own)
    reached = coin.rounded("running total", "A21", mode, parts=now)
    start = coin.rounded("running total before", "A21", mode, parts=before)
    return op.difference(label, "A21", running_total=reached, before=start)


def exact_of(quantity: Working, price: Working) -> Working:
    """Return the exact price of a whole period for all units."""
    if op.number_of(quantity) == 1:
        return price
    return op.product("exact price of a period", "A21", quantity=quantity, unit_price=price)


def running_line(
    figures: LineFigures,
    policy: BillingPolicy,
    price: Working,
    share: Working | None,
    before: Fraction,
) -> Working:
    """Return a line of a price of a month or year: a step of its running total (A65)."""
    coin, mode, label = line_coin(figures), policy.rounding, _label(figures)
    if not before:
        # The first line of a total is not a difference.
        exact = (
            price if share is None else op.product("exact line", "A65", price=price, share=share)
        )
        first = coin.rounded(label, "A21", mode, line=exact)
        return agreed(first, coin.of_units(figures.base), "a line")
    passed = op.stated("periods before", before, "A65", "since the price began or changed")
    now = op.total("periods so far", "A65", before=passed, this_one=1 if share is None else share)
    reached, start = (
        coin.rounded(
            said, "A21", mode, exact=op.product(f"{said}, exact", "A65", price=price, periods=of)
        )
        for said, of in (("running total", now), ("running total before", passed))
    )
    base = op.difference(label, "A65", running_total=reached, before=start)
    return agreed(base, coin.of_units(figures.base), "a line")


T = TypeVar("T")

_DECIDES: Final = MappingProxyType(
    {
        "period_start": "the period's first day decides (A67)",
        "period_end": "the period's last day decides (A67)",
        "due_date": "the due date decides (A67)",
    }
)
_ALWAYS: Final = 0
_ONE: Final = Decimal(1)
_ONE_UNIT: Final = op.stated("quantity", _ONE, "A21")
"""Not shown: only other quantities are."""


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
        self, billed: CompiledItem, at: int, adjustments: LeaseAdjustments | None, coin: op.Coin
    ) -> None:
        self._billed = billed
        item = self._item = billed.item
        self._policy = billed.policy
        self._at = at
        self._adjustments = adjustments
        self._coin = coin
        one = _ONE if item.quantity is None else item.quantity
        self._amounts = _Dated(item.amount, item.amount_records)
        self._quantities = _Dated(one, item.quantity_records)
        self._vats = _Dated(item.vat, item.vat_records)

    @property
    def _methods(self) -> PartPeriods:
        """How its part periods are counted (A66)."""
        return part_periods_of(self._item, self._policy)

    def opening(self, figures: LineFigures, policy: BillingPolicy) -> LineFacts:
        """Return what leads to the opening line under the policy of the bills (A12, A24, A154)."""
        opening = self._item.first_billing_period_bill_item
        day = opening.accounting_period.first
        quantity, decides = self._quantity(day), opening.accounting_period.last
        discounts = self._billed.prices.price_on(day).discounts
        is_off = self._policy.discount_opening and bool(discounts)
        given = self._billed.end, self._listed_price, quantity, self._coin
        price = opening_amount(self._item, policy, *given, rounded=is_off)
        if is_off:
            price = self._after_opening_discounts(price, discounts)
        decides = {"period_end": decides, "due_date": opening.due_date.toordinal()}.get(
            self._policy.vat_day, day
        )
        return LineFacts(
            whole_line(figures, self._policy, price, quantity),
            price,
            op.stated("accounting period", opening.accounting_period, "A12", "the opening period"),
            op.stated("due date", opening.due_date, "A12", "stated for the opening period"),
            quantity,
            self._vat(decides, figures),
        )

    def regular(self, figures: LineFigures, days: tuple[int, int], due: date) -> LineFacts:
        """Return what leads to the line of a whole period."""
        first = days[0]
        price = self._price_after_discount(first, first)
        quantity = self._quantity(first)
        period, there = self._when(days, due, "accounting period")
        running = self._billed.prices.running
        if running is None:
            base = whole_line(figures, self._policy, price, quantity)
        else:
            (before,) = running.cycles_before(first, (first,), (WHOLE,))
            base = running_line(figures, self._policy, exact_of(quantity, price), None, before)
        vat = self._vat(self._day_of_vat(first, *days, due), figures)
        return LineFacts(base, price, period, there, quantity, vat)

    def part(self, raw: RawLine, due: date) -> LineFacts:
        """Return what leads to a part of a period that an end cuts or a change splits (A19)."""
        figures, start, last = raw
        assert figures.regular is not None  # noqa: S101 - parts know their period
        first, end = figures.regular
        cut = min(end, self._billed.end)
        found = self._billed.prices.parts(first, cut, due.toordinal())
        parts = [part[:2] for part in found]
        at = parts.index((start, last))
        period, there = self._when((first, end), due, "regular period")
        whole = None
        cycle = self._item.billing_cycle
        if cut != end:
            whole = share_of_cut((first, cut), (first, end), cycle, self._methods.last)
        inclusive = figures.group.inclusive
        modes = [price.vat.tax_mode for _, _, price in found[: at + 1]]
        exact = [
            self._exact_part(place, parts, whole, first)
            for place, mode in enumerate(modes)
            if (mode == "Inclusive") == inclusive
        ]
        base = running_part(figures, self._policy, exact)
        day = self._day_of_price(start, first)
        running = self._billed.prices.running
        days = part_of_period(period, (start, last), None if cut == end else cut, self._end())
        share = self._share(at, parts, whole)
        price = self._price_after_discount(day, self._day_of_discount(start, first))
        unit = op.product(UNIT_PRICE, "A21", price=price, share=share)
        if running is not None:
            shares = [
                as_fraction(self._share(place, parts, whole).result).as_integer_ratio()
                for place in range(at + 1)
            ]
            starts = [part[0] for part in parts[: at + 1]]
            before = running.cycles_before(first, starts, shares)[-1]
            line = exact_of(self._quantity(day), price)
            base = running_line(figures, self._policy, line, share, before)
        return LineFacts(
            agreed(base, self._coin.of_units(figures.base), "a part of a period"),
            unit,
            days,
            there,
            self._quantity(day),
            self._vat(self._day_of_vat(start, first, cut, due), figures),
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
        return share_of_part(at, parts, whole, self._item.billing_cycle, self._methods.last)

    def _exact_part(
        self, at: int, parts: Sequence[tuple[int, int]], whole: Working | None, first: int
    ) -> Working:
        start, last = parts[at]
        day = self._day_of_price(start, first)
        price = self._price_after_discount(day, self._day_of_discount(start, first))
        share = self._share(at, parts, whole)
        days = str(Period.unchecked(start, last))
        exact = exact_line(self._quantity(day), price, share, f"exact part {days}")
        return self._coin.exact_step(exact)

    def _quantity(self, day: int) -> Working:
        """Return the quantity in force on a day (A18)."""
        value, since, until = self._quantities.on(day)
        if value == 1 and since == _ALWAYS and until is None:
            return _ONE_UNIT
        return _in_force("quantity", value, "A21", None, (day, since, until))

    def _day_of_vat(self, start: int, first: int, cut: int, due: date) -> int:
        """Return the day whose VAT a part has that begins on a day of some billed days (A67)."""
        vat_days = self._billed.prices.vat_days
        if vat_days is None:
            return start
        return vat_days.deciding_day(first, cut, due.toordinal(), start)

    def _vat(self, day: int, figures: LineFigures) -> Working:
        """Return the VAT in force on the day that decides it (A18, A67)."""
        value, since, until = self._vats.on(day)
        decides = None if self._policy.vat_day == "split" else _DECIDES[self._policy.vat_day]
        found = _in_force("vat", vat_text(value), "A27", decides, (day, since, until))
        return agreed(found, vat_text(figures.vat), "a VAT")

    def _price(self, day: int) -> Working:
        """Return the unit price in force on a day, before discount (A18, A42)."""
        amount, since, until = self._amounts.on(day)
        value: Input = amount
        note: str | None = "the item's own amount" if since == _ALWAYS else "an amount record"
        made = None if self._adjustments is None else self._adjustments.unit_price(self._at, day)
        # An adjustment applies from its day on, after a record of the same day (A42).
        if made is not None and made[0] >= since:
            since, price = made
            # A fact is one line, with the days on which it is in force.
            is_fact = price.operation == "stated"
            value, note = (price.result, price.note) if is_fact else (price, None)
        found = self._of_a_period(_in_force("unit price", value, "A18", note, (day, since, until)))
        return agreed(found, self._billed.prices.price_on(day).amount, "a price in force")

    def _of_a_period(self, price: Working) -> Working:
        """Return the price of a period, where the price is of a year or a month (A65)."""
        item = self._item
        if item.price_per == "cycle":
            return price
        times = prices_in_a_cycle(item.billing_cycle, item.price_per)
        in_one = op.stated("prices in a period", times, "A38", f"of a {item.price_per} in a period")
        return self._coin.exact_step(
            op.product("price of a period", "A65", price=price, prices=in_one)
        )

    def _listed_price(self, day: int) -> Working:
        """Return the price after discount that a part of the opening has, without plans (A14)."""
        first, policy = (
            self._item.first_billing_period_bill_item.accounting_period.first,
            self._policy,
        )
        of_price = day if policy.mid_period_change == "split" else first
        of_discount = first if policy.discount_end == "whole_period" else day
        amount, since, until = self._amounts.on(of_price)
        note = "the item's own amount" if since == _ALWAYS else "an amount record"
        in_force = _in_force("unit price", amount, "A18", note, (of_price, since, until))
        listed = discounts_in_price(self._item.all_discounts, first, policy)
        discounts = discounts_in_force(listed, of_discount)
        price = self._of_a_period(in_force)
        return _discounted(price, discounts, "A22", self._coin) if discounts else price

    def _price_after_discount(self, day: int, day_of_discount: int) -> Working:
        """Return the unit price after the discount in force (A22)."""
        price = self._price(day)
        discounts = self._billed.prices.price_on(day_of_discount).discounts
        return _discounted(price, discounts, "A22", self._coin) if discounts else price

    def _after_opening_discounts(self, price: Working, discounts: Sequence[Discount]) -> Working:
        """Return the stated opening price after the discounts of its first day (A24)."""
        period = self._item.first_billing_period_bill_item.accounting_period
        share = opening_share(period, self._item.billing_cycle, self._methods.first)
        note = "of the opening period, as part periods are counted"
        cycles = None if share == 1 else op.stated("share of a cycle", share, "A20", note)
        return _discounted(price, discounts, "A24", self._coin, cycles)


def _discounted(
    price: Working,
    discounts: Sequence[Discount],
    rule: str,
    coin: op.Coin,
    cycles: Working | None = None,
) -> Working:
    """Return a price for some cycles after its discounts, one after another (A22, A23, A61)."""
    left = price
    for each in discounts:
        left = _less(left, price, each, rule, coin, cycles)
    share = WHOLE if cycles is None else op.number_of(cycles).as_integer_ratio()
    over, below, _ = discounted(op.number_of(price), discounts, share)
    return agreed(left, Fraction(over, below), "a price after discount")


def _less(
    left: Working,
    price: Working,
    discount: Discount,
    rule: str,
    coin: op.Coin,
    cycles: Working | None,
) -> Working:
    """Return what one discount leaves of a price; it never turns the sign (A22)."""
    label, sign = DISCOUNTED[0], -1 if op.number_of(price) < 0 else 1
    start, end = discount.start_date, discount.end_date
    parts = (
        discount.description,
        None if start is None else f"from {start}",
        None if end is None else f"to {end} included",
    )
    note = ", ".join(filter(None, parts)) or None
    if discount.percentage is not None:
        rate = op.stated("discount percentage", discount.percentage, "A22", note)
        by_list = discount.of == "list"
        of: op.NamedInput = (
            "list price" if by_list else "price",
            op.value_of(price if by_list else left),
        )
        taken = coin.exact_step(op.product("discount", "A22", of, ("discount percentage", rate)))
    elif sign < 0:
        note = "a discount by amount takes nothing off a credit"
        return op.product(label, rule, price=left, left=1, note=note)
    else:
        assert discount.amount is not None  # noqa: S101 - one of the two is given
        taken = op.stated("discount", discount.amount, "A22", note)
        if cycles is not None:
            taken = op.product("discount of the share", "A24", discount=taken, share=cycles)
            taken = coin.exact_step(taken)
    found = op.difference(label, rule, price=left, discount=taken)
    if op.number_of(found) * sign >= 0:
        return found
    less = op.difference(DISCOUNTED[1], rule, price=left, discount=taken)
    note = "the discount is larger than the price and stops at zero"
    if sign < 0:
        return op.limited(label, rule, price=less, maximum=("maximum", 0), note=note)
    return op.limited(label, rule, price=less, minimum=("minimum", 0), note=note)


_start_of = attrgetter("start")


class _Dated(Generic[T]):
    """A value of an item, and its records in order of days."""

    __slots__ = ("_days", "_values")

    def __init__(self, own: T, records: Sequence[Any]) -> None:
        self._days, self._values = [_ALWAYS], [own]
        for each in sorted(records, key=_start_of) if records else ():
            self._days.append(each.start.toordinal())
            self._values.append(each.value)

    def on(self, day: int) -> tuple[T, int, int | None]:
        """Return the value in force on a day, since when, and until when if another follows."""
        after = bisect_right(self._days, day)
        until = self._days[after] - 1 if after < len(self._days) else None
        return self._values[after - 1], self._days[after - 1], until


def _in_force(
    label: str, value: Input, rule: str, note: str | None, days: tuple[int, int, int | None]
) -> Working:
    """Return the value in force on a day, since and until others; without them a plain fact."""
    day, since, until = days
    if since == _ALWAYS and until is None:
        return value if isinstance(value, Working) else op.stated(label, value, rule, note)
    return op.selected(
        label,
        value,
        date.fromordinal(day),
        "A18",
        since=None if since == _ALWAYS else date.fromordinal(since),
        until=None if until is None else date.fromordinal(until),
        note=note,
    )
