"""Lines: one item in one accounting period becomes one line, or one for each part of a split.

Laws: a line is rounded once, from the exact product of quantity, unit price, discount and share;
the parts of a split sum to the rounded whole (A21).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from rentbilling.billing.discounts import discounted
from rentbilling.billing.figures import (
    Discounted,
    Kind,
    LineFigures,
    RawLine,
    VatGroup,
    shown_unit,
    shown_unit_net,
)
from rentbilling.billing.items.opening import opening_by_rule
from rentbilling.billing.prices import UNIT, PriceInForce, dated_prices
from rentbilling.billing.running_totals import Part, RunningTotals
from rentbilling.errors import UnsupportedCaseError
from rentbilling.policy import BillingPolicy
from rentbilling.schedule import (
    WHOLE,
    Share,
    VatDays,
    counted_words,
    opening_share,
    part_periods_of,
    share_of,
    shares_of_parts,
)
from rentbilling.terms import (
    Discount,
    OneTimeBillItem,
    PartPeriodEnds,
    RecurringBillItem,
    prices_in_a_cycle,
)
from rentbilling.values import NEVER, TAXED, TOO_LARGE, Notice, Vat, divide_rounded, minor_units

_NONE: Final[frozenset[tuple[str, int]]] = frozenset()

_SAID: Final = MappingProxyType(
    {
        "discount_stopped_at_zero": "the discount is larger than the price and stops at zero",
        "discount_on_negative_ignored": "a discount by amount takes nothing off a credit",
        "rate_without_tax": "a tax rate given with an untaxed mode charges nothing",
        "credit_quantity": "a negative quantity makes a credit",
        "opening_by_another_rule": "the opening period costs what the default policy gives, and "
        "not what this one gives",
    }
)


class VatGroups:
    """The VAT groups of a lease, one object for each category, so that bills can sum by it."""

    __slots__ = ("_groups", "large", "noticed")

    def __init__(self) -> None:
        self._groups: dict[tuple[str, Decimal], VatGroup] = {}
        self.noticed = False
        """Whether any line made so far has a notice, so that most bills need not look."""
        self.large = False
        """Whether any line made so far is so large that sums of lines may be too large (A1)."""

    def of(self, vat: Vat) -> VatGroup:
        category = vat.category
        group = self._groups.get(category)
        if group is None:
            group = self._groups[category] = VatGroup(vat)
        return group


@lru_cache(maxsize=64)
def _scale_of(
    currency: str, most_lines: int, private: frozenset[tuple[str, int]]
) -> tuple[int, int, int]:
    """Return the minor units of a currency, how many a main unit has, and the most of a line.

    As many lines as an answer may have, doubled by VAT, have no more than 15 digits then.
    """
    places = minor_units(currency, dict(private))
    return places, 10**places, (TOO_LARGE - 1) // (4 * most_lines)


class LineMaker:
    """Makes the figures of one item's lines from a price in force and a share."""

    __slots__ = (
        "_charges",
        "_currency",
        "_group",
        "_groups",
        "_item_id",
        "_most",
        "_places",
        "_policy",
        "_product_key",
        "_scale",
        "_totals",
        "_vat",
    )

    def __init__(
        self,
        product_key: str,
        item_id: str,
        currency: str,
        groups: VatGroups,
        policy: BillingPolicy,
        totals: BillingPolicy,
    ) -> None:
        self._product_key = product_key
        self._item_id = item_id
        self._currency = currency
        private = frozenset(totals.currencies.items()) if totals.currencies else _NONE
        self._places, self._scale, self._most = _scale_of(currency, totals.max_lines, private)
        self._groups = groups
        # Most prices of an item have the VAT of the one before.
        self._vat: Vat | None = None
        self._group: VatGroup | None = None
        self._charges = True
        """Whether that VAT charges the rate that it states."""
        self._policy = policy
        self._totals = totals

    def exact_units(self, price: PriceInForce, share: Share) -> tuple[int, int]:
        """Return the exact line in minor units: quantity × unit price × discount × share."""
        over, below, _ = discounted(price.amount, price.discounts)
        times, parts = price.quantity.as_integer_ratio()
        return over * times * share[0] * self._scale, below * parts * share[1]

    def figures(
        self,
        price: PriceInForce,
        kind: Kind,
        share: Share = WHOLE,
        units: int | None = None,
        regular: tuple[int, int] | None = None,
        cycles: Share = WHOLE,
    ) -> LineFigures:
        """Return the figures of a line, whose price is for some cycles."""
        discounts = price.discounts
        over, below, warning = discounted(price.amount, discounts, cycles)
        exact = (over, below) if share is WHOLE else (over * share[0], below * share[1])
        quantity, places, mode = price.quantity, self._places, self._policy.rounding
        if units is None:
            times, parts = (1, 1) if quantity == 1 else quantity.as_integer_ratio()
            units = divide_rounded(exact[0] * times * self._scale, exact[1] * parts, mode)
        if not -self._most <= units <= self._most:
            self._check_size(units)
        vat, group = price.vat, self._group
        if group is None or vat is not self._vat:
            self._vat, self._group = vat, (group := self._groups.of(vat))
            self._charges = vat.tax_rate is None or vat.tax_mode in TAXED
        amount = unit_net = shown_unit(units, quantity, *exact, places, mode)
        net = units
        if group.inclusive:
            net = self._net(group, units)
            unit_net = shown_unit_net(net, quantity, exact, group, places, mode)
        notices: tuple[Notice, ...] = ()
        if not self._charges or warning is not None or quantity < 0:
            self._groups.noticed = True
            notices = self._notices(price, warning)
        return LineFigures(
            self._product_key,
            self._item_id,
            kind,
            price.description,
            _text_of(discounts) if discounts else None,
            self._currency,
            places,
            quantity,
            vat,
            group,
            share,
            amount,
            unit_net,
            net,
            units,
            exact,
            regular,
            notices,
            self._discounted(price, share, cycles) if discounts else (),
        )

    def _discounted(self, price: PriceInForce, share: Share, cycles: Share) -> Discounted:
        """Return the discounts of a line, with what they are taken off."""
        over, below = price.quantity.as_integer_ratio()
        times = over * share[0] * self._scale, below * share[1]
        return Discounted(price.discounts, price.amount, cycles, times, self._policy.rounding)

    def _check_size(self, units: int) -> None:
        """Note that sums of lines may be too large, and refuse a line that is too large itself."""
        if not -TOO_LARGE < units < TOO_LARGE:
            raise UnsupportedCaseError(
                "amount_too_large", item=self._item_id, case="a line of more than 15 digits"
            )
        self._groups.large = True

    def _net(self, group: VatGroup, gross: int) -> int:
        """Return an Inclusive line's net: what its own VAT leaves, or a first guess at it (A29)."""
        totals = self._totals
        if totals.vat_rounding == "per_line":
            return gross - group.vat_in_gross(gross, totals.rounding)
        return group.net_in_gross(gross, totals.rounding)

    def _notices(self, price: PriceInForce, warning: str | None) -> tuple[Notice, ...]:
        """Return the notices of such a line (A21, A22, A28)."""
        notices: list[Notice] = []
        if warning is not None:
            off = ", ".join(each.size for each in price.discounts)
            facts = {"amount": _written(price.amount), "discount": off}
            notices.append(self._notice(warning, **facts))
        if price.vat.tax_rate and price.vat.tax_mode not in TAXED:
            facts = {"taxMode": price.vat.tax_mode, "taxRate": f"{price.vat.tax_rate:f}"}
            notices.append(self._notice("rate_without_tax", **facts))
        if price.quantity < 0:
            notices.append(self._notice("credit_quantity", quantity=f"{price.quantity:f}"))
        return tuple(notices)

    def note_opening(self, figures: LineFigures, item: RecurringBillItem, end: int) -> None:
        """Add the notice of an opening that the default prices, and the policy otherwise (A154)."""
        if PartPeriodEnds.of(item.part_period).first is not None:
            return
        stated, totals = item.first_billing_period_bill_item.amount, self._totals
        by_policy = opening_by_rule(item, totals, contract_end=end)
        if by_policy is None or by_policy == stated:
            return
        by_default = opening_by_rule(
            item, BillingPolicy(currencies=totals.currencies), contract_end=end
        )
        if by_default is not None and by_default == stated:
            facts = {"amount": f"{by_default.amount:f}", "byThePolicy": f"{by_policy.amount:f}"}
            self._groups.noticed = True
            figures.notices += (self._notice("opening_by_another_rule", **facts),)

    def _notice(self, code: str, **facts: str) -> Notice:
        return Notice(code, _SAID[code], self._item_id, tuple(facts.items()))


class ItemPrices:
    """The dated prices of a recurring item, and the lines of its regular periods."""

    __slots__ = (
        "_end",
        "_item",
        "_limits",
        "_maker",
        "_policy",
        "_prices",
        "_ready",
        "_splits",
        "_starts",
        "running",
        "vat_days",
    )

    def __init__(
        self,
        item: RecurringBillItem,
        maker: LineMaker,
        policy: BillingPolicy,
        end: int,
        adjusted: Sequence[tuple[int, Decimal | Fraction]] = (),
    ) -> None:
        self._maker = maker
        self._policy = policy
        self._item = item
        self._end = end
        self._starts, self._prices = dated_prices(item, adjusted)
        starts = self._starts
        self.running: RunningTotals | None = None
        if vars(item)["price_per"] != "cycle":
            times = prices_in_a_cycle(item.billing_cycle, item.price_per)
            self._prices = tuple([price.times(times) for price in self._prices])
            self.running = RunningTotals(item, policy, self)
        self.vat_days: VatDays | None = None
        """The rule that decides the VAT of a period, where that of each day does not (A67)."""
        by_days = policy.vat_day == "split" == policy.mid_period_change
        if not by_days and vars(item)["vat_records"]:
            self.vat_days = VatDays(starts, [price.vat for price in self._prices], policy)
        self._splits = splits = self._split_days()
        # For each price: the first day after it on which a period is split or cut.
        limits: Sequence[int] = (*splits, NEVER)
        if len(splits) < len(starts) - 1:
            limits = [limits[bisect_right(splits, start)] for start in starts]
        self._limits = limits if end == NEVER else [min(day, end + 1) for day in limits]
        if self.vat_days is not None or self.running is not None:
            # No period is known by its first day alone.
            self._limits = [0] * len(starts)
        self._ready: list[LineFigures | None] = [None] * len(starts)

    @property
    def table(self) -> tuple[Sequence[int], Sequence[int], Sequence[LineFigures | None]]:
        """The price of a whole period, by the day it starts on.

        The days from which each price holds; for each price the first day of a period's days that
        is split or cut; and its figures, None until a period first needs them.
        """
        return self._starts, self._limits, self._ready

    @property
    def changes(self) -> int:
        """Days on which a period that they lie in may be split (A19)."""
        return len(self._splits if self.vat_days is None else self._starts)

    def split_days_between(self, first: int, last: int) -> Sequence[int]:
        """Return the days between two days on which a period that they lie in is split (A19).

        Without those on which VAT alone splits it by the days of `vat_days`.
        """
        last = min(last, self._end)
        return self._splits[bisect_left(self._splits, first) : bisect_right(self._splits, last)]

    def _split_days(self) -> tuple[int, ...]:
        """Return the days on which a change splits a period (A19, A23)."""
        if self._policy.mid_period_change == "next_period" or len(self._starts) == 1:
            return ()
        by_day, by_vat = self._policy.discount_end == "last_day", self.vat_days is None
        found, old = [], self._prices[0]
        for day, new in zip(self._starts[1:], self._prices[1:], strict=True):
            if new.differs(old, vat=by_vat) or (by_day and not new.is_discounted_as(old)):
                found.append(day)
            old = new
        return tuple(found)

    def price_on(self, day: int) -> PriceInForce:
        """Return the price in force on a day (A18, A42)."""
        return self._prices[bisect_right(self._starts, day) - 1]

    def add_lines(self, first: int, last: int, due: int, lines: list[RawLine]) -> None:
        """Append the lines of a regular period."""
        at = bisect_right(self._starts, first) - 1
        if last < self._limits[at]:
            figures = self._ready[at]
            if figures is None:
                figures = self._ready[at] = self._maker.figures(self._prices[at], "regular")
            lines.append((figures, first, last))
        else:
            lines += self._parts(first, last, due)

    @property
    def days_of_change(self) -> Sequence[int]:
        return self._starts[1:]

    def parts(self, first: int, last: int, due: int) -> list[Part]:
        """Return the parts of the billed days of a period, with their prices (A19, A23, A67)."""
        opening, vats = self.price_on(first), dict[int, Vat]()
        inside = [day for day in self._splits if first < day <= last]
        if self.vat_days is not None:
            vats = self.vat_days.starts(first, last, due)
            inside = sorted({*inside, *vats} - {first})
        found, vat = [], vats.get(first)
        for start, after in zip((first, *inside), (*inside, last + 1), strict=True):
            price, vat = self._part_price(start, opening), vats.get(start, vat)
            found.append((start, after - 1, price if vat is None else price._replace(vat=vat)))
        return found

    def _parts(self, first: int, last: int, due: int) -> Iterable[RawLine]:
        """Give the lines of a period that an end cuts or a change splits (A17, A19, A20, A21)."""
        cycle, method = self._item.billing_cycle, part_periods_of(self._item, self._policy).last
        cut = min(last, self._end)
        share = WHOLE
        if cut != last:
            share = share_of((first, cut), (first, last), cycle, method).as_integer_ratio()
        parts = self.parts(first, cut, due)
        days, one = [part[:2] for part in parts], len(parts) == 1
        shares = [share] if one else shares_of_parts(days, share, cycle, method)
        units = self._units_of(first, parts, shares)
        whole = one and cut == last
        for (start, end, price), part, each in zip(parts, shares, units, strict=True):
            if whole:
                yield self._maker.figures(price, "regular", units=each), start, end
            else:
                figures = self._maker.figures(price, "part", part, each, (first, last))
                about = (start, end), (first, last), cycle, method, part
                figures.counted = counted_words(*about, split=not one, cut=cut != last)
                yield figures, start, end

    def _units_of(
        self, first: int, parts: Sequence[Part], shares: Sequence[Share]
    ) -> Iterable[int]:
        """Give the minor units of the parts of a period: differences of running totals (A21)."""
        # Of gross for Inclusive parts, and of net for the others.
        totals = {True: (0, 1, 0), False: (0, 1, 0)}
        if self.running is not None:
            before = self.running.cycles_before(first, [part[0] for part in parts], shares)
            for (_, _, price), share, cycles in zip(parts, shares, before, strict=True):
                now = cycles + Fraction(*share)
                yield self._rounded(price, now) - self._rounded(price, cycles)
            return
        for (_, _, price), share in zip(parts, shares, strict=True):
            inclusive = price.vat.tax_mode == "Inclusive"
            over, below, reached = totals[inclusive]
            more, of = self._maker.exact_units(price, share)
            over, below = over * of + more * below, below * of
            total = divide_rounded(over, below, self._policy.rounding)
            totals[inclusive] = over, below, total
            yield total - reached

    def _rounded(self, price: PriceInForce, cycles: Fraction) -> int:
        exact = self._maker.exact_units(price, cycles.as_integer_ratio())
        return divide_rounded(*exact, self._policy.rounding)

    def effective_on(self, day: int, first: int) -> PriceInForce:
        """Return the price that a day of the period from a first day on is billed by (A19, A23)."""
        return self._part_price(day, self.price_on(first))

    def _part_price(self, day: int, opening: PriceInForce) -> PriceInForce:
        """Return the price of a part that begins on a day, with the text of the whole (A19)."""
        price = self.price_on(day)
        if self._policy.mid_period_change == "next_period":
            price = opening
        discounts = price.discounts
        if self._policy.discount_end == "whole_period":
            discounts = opening.discounts
        if price.description is opening.description and price.discounts is discounts:
            return price
        return price._replace(description=opening.description, discounts=discounts)


def _text_of(discounts: Sequence[Discount]) -> str | None:
    texts = [each.description for each in discounts if each.description is not None]
    return ", ".join(texts) if texts else None


def _written(amount: Decimal | Fraction) -> str:
    """Return a price as a text; one that no decimal number is stays a fraction."""
    return f"{amount:f}" if isinstance(amount, Decimal) else str(amount)


def opening_figures(
    item: RecurringBillItem, prices: ItemPrices, maker: LineMaker, policy: BillingPolicy
) -> LineFigures:
    """Return the figures of the opening line: taken as given (assumptions A12, A24)."""
    opening = item.first_billing_period_bill_item
    period = opening.accounting_period
    price = prices.price_on(period.first)
    if prices.vat_days is not None:
        due = opening.due_date.toordinal()
        price = price._replace(vat=prices.vat_days.of_opening(period.first, period.last, due))
    discounts, cycles = price.discounts if policy.discount_opening else (), WHOLE
    if discounts:
        method = part_periods_of(item, policy).first
        cycles = opening_share(period, item.billing_cycle, method).as_integer_ratio()
    price = price._replace(amount=opening.amount.amount, discounts=discounts)
    return maker.figures(price, "opening", cycles=cycles)


def one_time_figures(item: OneTimeBillItem, maker: LineMaker) -> LineFigures:
    """Return the figures of a one-time line (assumption A55)."""
    quantity = UNIT if item.quantity is None else item.quantity
    price = PriceInForce(item.amount.amount, item.vat, quantity, (), item.description)
    return maker.figures(price, "one_time")
