"""Bill steps: one bill from its lines or its list prices to the amount to pay.

Laws: the steps sum to what is payable, to the minor unit; each is the difference of two running
totals that are rounded as the bill is, so that no step hides a remainder.
"""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple, get_args

from rentbilling.billing import BillingResult, CompiledTerms, PendingBill, RawLine
from rentbilling.errors import InvalidRecordError, check_word
from rentbilling.explanations import (
    DISCOUNTED,
    OPENING_PRICE,
    UNIT_PRICE,
    LeaseAdjustments,
    LineExplainer,
    Working,
)
from rentbilling.values import Amount, Vat, day_of, decimal_of, rounded

StepKind = Literal["start", "change", "sum"]
By = Literal["lines", "prices"]


class BillStep(NamedTuple):
    """One step of a bill."""

    name: str
    """What it is: `line`, `list_price`, `discount`, `share`, `rounding`, `vat_inside`, `subtotal`,
    `vat`, `total`, `cash_rounding` or `payable`."""
    kind: StepKind
    """Where it starts, what is added (or taken off), or what has come together so far."""
    amount: Amount
    """The amount; that of a change has its sign."""
    vat: Vat | None = None
    """Tax mode and rate of a VAT."""
    text: str = ""
    """The description of a line, else its product."""


class _Line(NamedTuple):
    """A line by its prices: exact, for the whole quantity, in its own tax mode."""

    listed: Fraction
    discounted: Fraction
    shared: Fraction


def bill_at(
    bills: BillingResult | PendingBill, bill: int | str | date | PendingBill | None
) -> PendingBill:
    """Return one bill of a result: by its position, its due date, or itself; or its only one.

    Raises:
        InvalidRecordError: The result has no such bill, or several and none was chosen.
    """
    if isinstance(bills, PendingBill):
        return bills
    if isinstance(bill, PendingBill):
        return bill
    found = list(bills.bills)
    if isinstance(bill, int):
        found = [found[bill]] if -len(found) <= bill < len(found) else []
    elif bill is not None:
        day = date.fromordinal(day_of(bill, "bill"))
        found = [each for each in found if each.due_date == day]
    if len(found) != 1:
        days = ", ".join(str(each.due_date) for each in bills.bills[:6])
        said = "is not there" if not found else "is not one bill"
        expected = f"the position of a bill, or its due date, of {days or 'none'}"
        raise InvalidRecordError.of("bill", "not_there", said, bill, expected)
    return found[0]


def bill_steps(
    bills: BillingResult | PendingBill,
    bill: int | str | date | PendingBill | None = None,
    *,
    by: By = "lines",
) -> list[BillStep]:
    """Return the steps from the lines of a bill, or from its list prices, to what is payable.

    A list price is that of a whole period, times the quantity, before discount; of a period that
    is split, it is that of its parts by their days. The list prices of Inclusive lines have their
    VAT inside, which is taken off before the subtotal.

    Args:
        bills: A computed result, or a bill alone: then its lines begin with what is left after
            their discounts, because a bill does not say what was taken off.
        bill: Which bill of a result, where it has several.
        by: `lines` for a step a line, without VAT; `prices` for the prices of all lines together.

    Returns:
        By lines: a `line` for each, those of one text together. By prices: `list_price`, `discount`
        (of a computed result), `share`, `rounding` and `vat_inside`, `subtotal`. Then `vat` for
        each rate, `total`, `cash_rounding` and `payable`; steps may be zero.

    Raises:
        InvalidRecordError: The result has no such bill, or several and none was chosen.
        UnknownWordError: `by` is neither of its words.
    """
    one = bill_at(bills, bill)
    check_word("by", by, get_args(By), expected=" or ".join(get_args(By)))
    if by == "lines":
        return [*_by_lines(one), *_after_subtotal(one)]
    source = bills.source if isinstance(bills, BillingResult) else None
    lines = _lines(one, source if isinstance(source, CompiledTerms) else None)
    mode = source.policy.rounding if isinstance(source, CompiledTerms) else "half_up"

    def units(exact: Fraction) -> int:
        return int(rounded(exact * 10**one.places, 0, mode))

    listed = units(sum((line.listed for line in lines), Fraction(0)))
    discounted = units(sum((line.discounted for line in lines), Fraction(0)))
    shared = units(sum((line.shared for line in lines), Fraction(0)))
    base = sum(figures.base for figures, _, _ in one.raw_lines)
    subtotal = one.sums[0]
    found = [_step(one, "list_price", "start", listed)]
    if isinstance(source, CompiledTerms):
        found.append(_step(one, "discount", "change", discounted - listed))
    found.append(_step(one, "share", "change", shared - discounted))
    if base != shared:
        found.append(_step(one, "rounding", "change", base - shared))
    if subtotal != base:
        found.append(_step(one, "vat_inside", "change", subtotal - base))
    found.append(_step(one, "subtotal", "sum", subtotal))
    return [*found, *_after_subtotal(one)]


def _by_lines(bill: PendingBill) -> Iterable[BillStep]:
    """Give a step for the lines of each text, in the order of the bill."""
    sums: dict[str, int] = {}
    for figures, _, _ in bill.raw_lines:
        text = figures.description or figures.product_key
        sums[text] = sums.get(text, 0) + figures.net
    for text, units in sums.items():
        yield _step(bill, "line", "change", units)._replace(text=text)


def _after_subtotal(bill: PendingBill) -> Iterable[BillStep]:
    """Give the VAT of each rate, the total, and what is payable where cash is rounded."""
    charged = [each for each in bill.vat_totals if each.units or each.vat.charged_rate]
    for each in charged:
        yield BillStep("vat", "change", each.amount, each.vat)
    if not charged:
        yield _step(bill, "vat", "change", 0)
    _, total, cash = bill.sums
    yield _step(bill, "total", "sum", total)
    if cash:
        yield _step(bill, "cash_rounding", "change", cash)
        yield _step(bill, "payable", "sum", total + cash)


def _step(bill: PendingBill, name: str, kind: StepKind, units: int) -> BillStep:
    return BillStep(name, kind, Amount.unchecked(decimal_of(units, bill.places), bill.currency))


def _lines(bill: PendingBill, source: CompiledTerms | None) -> list[_Line]:
    wholes: dict[object, list[Fraction]] = {}
    for raw in bill.raw_lines:
        wholes.setdefault(_whole(raw), []).append(Fraction(*raw[0].share))
    explainer = None
    if source is not None:
        histories = source.histories
        adjustments = None if histories is None else LeaseAdjustments(histories)
        explainer = LineExplainer(source, adjustments)
    found = []
    for raw in bill.raw_lines:
        figures = raw[0]
        quantity, share = Fraction(figures.quantity), Fraction(*figures.share)
        shares = wholes[_whole(raw)]
        together = sum(shares, Fraction(0))
        # Parts of one period are weighed by their days, so that they make one list price.
        weight = share / together if together else Fraction(1, len(shares))
        unit = Fraction(*figures.exact)
        if explainer is not None:
            listed, after = _prices(explainer.explain(raw, bill.due_date).exact, unit)
        else:
            listed = after = unit / share if share else unit
        found.append(_Line(listed * quantity * weight, after * quantity * weight, unit * quantity))
    return found


def _whole(raw: RawLine) -> object:
    figures, first, last = raw
    if figures.kind == "correction":
        # Each is a whole of its own.
        return raw
    return figures.item_id, figures.kind, figures.regular or (first, last)


def _prices(working: Working | None, unit: Fraction) -> tuple[Fraction, Fraction]:
    """Return the list price of a unit and its price after discount, of a whole period."""
    if working is None or working.label == OPENING_PRICE:
        return unit, unit
    if working.label == UNIT_PRICE:
        working = _first(working)
    after = listed = working
    while listed.label in DISCOUNTED:
        listed = _first(listed)
    return _number(listed), _number(after)


def _first(working: Working) -> Working:
    given = working.inputs[0][1]
    return given if isinstance(given, Working) else working


def _number(working: Working) -> Fraction:
    result = working.result
    if isinstance(result, Amount):
        return Fraction(result.amount)
    if isinstance(result, (Fraction, Decimal, int)):
        return Fraction(result)
    raise TypeError(f"{working.label} is no price")
