"""Line amounts: the steps that all lines share, whatever they are for.

Law: a line is rounded once, and the parts of a split are differences of running totals (A21).
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from rentbilling.billing import CorrectionFigures, LineFigures, RawLine
from rentbilling.explanations.operations import (
    Coin,
    Inputs,
    difference,
    number_of,
    product,
    rounded,
    stated,
    total,
)
from rentbilling.explanations.working import Working, agreed
from rentbilling.policy import BillingPolicy
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
    """Return what a line alone tells, where nobody knows the terms behind it."""
    figures, first, last = raw
    quantity = stated("quantity", figures.quantity, "A21")
    price = stated("unit price", Amount.of(figures.amount, figures.currency), "A21", why)
    return LineFacts(
        _read_amount(figures, quantity, price, policy.for_product(figures.product_key)),
        None,
        stated("accounting period", Period.of(first, last), "A4"),
        stated("due date", due, "A16"),
        quantity,
        stated("vat", vat_text(figures.vat), "A27"),
    )


def _read_amount(
    figures: LineFigures, quantity: Working, price: Working, policy: BillingPolicy
) -> Working:
    """Return what a line that was read amounts to in its own tax mode."""
    coin, label = line_coin(figures), _label(figures)
    exact = price
    if figures.quantity != 1:
        exact = exact_line(quantity, price, None, "exact line")
    found = rounded(label, ("line", exact), coin.step, policy.rounding, "A21", of=coin)
    figure = coin.of_units(figures.base)
    if found.result == figure:
        return found
    note = f"as the bill states it; quantity × price is {found.told}"
    times: Inputs = "quantity × price", replace(found, label="quantity × price")
    return stated(label, figure, "A21", note, times)


def correction_facts(figures: CorrectionFigures, raw: RawLine, due: date) -> LineFacts:
    """Return what leads to a correction: what is due now, less what was billed before (A53)."""
    coin, (_, first, last) = line_coin(figures), raw
    now = stated("due now", coin.of_units(figures.owed), "A53", "by the terms as they are now")
    note = "on earlier bills, corrections included"
    before = stated("billed before", coin.of_units(figures.billed), "A53", note)
    base = difference(_label(figures), "A53", ("now", now), ("before", before))
    return LineFacts(
        agreed(base, coin.of_units(figures.base), "a correction"),
        None,
        stated("accounting period", Period.of(first, last), "A53", "the days concerned"),
        stated("due date", due, "A53", "the first bill after it was due"),
        stated("quantity", figures.quantity, "A53"),
        stated("vat", vat_text(figures.vat), "A53", "as the line that is corrected"),
    )


def exact_line(quantity: Working, price: Working, share: Working | None, label: str) -> Working:
    """Return the exact line: quantity × unit price × share (A21)."""
    factors: list[Inputs] = []
    if number_of(quantity) != 1:
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
    """Return a line that is no part of a split: rounded once (A21)."""
    coin = line_coin(figures)
    exact = price
    if share is not None or number_of(quantity) != 1:
        exact = exact_line(quantity, price, share, "exact line")
    found = rounded(_label(figures), ("line", exact), coin.step, policy.rounding, "A21", of=coin)
    return agreed(found, coin.of_units(figures.base), "a line")


def running_part(figures: LineFigures, policy: BillingPolicy, exact: Sequence[Working]) -> Working:
    """Return a part of a split: the difference of two rounded running totals (A21)."""
    coin, mode, label = line_coin(figures), policy.rounding, _label(figures)
    *earlier, own = exact
    if not earlier:
        return rounded(label, ("part", own), coin.step, mode, "A21", of=coin)
    before = earlier[0]
    if len(earlier) > 1:
        named = [(f"part {at}", each) for at, each in enumerate(earlier, 1)]
        before = total("exact parts before", "A21", *named)
    now = total("exact parts so far", "A21", ("before", before), ("this part", own))
    reached = rounded("running total", ("parts", now), coin.step, mode, "A21", of=coin)
    start = rounded("running total before", ("parts", before), coin.step, mode, "A21", of=coin)
    return difference(label, "A21", ("running total", reached), ("before", start))
