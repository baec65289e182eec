"""The function `explain`: why a figure is what it is.

Law: an explanation is computed on demand, and leads to the figure that it explains.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Literal, overload

from rentbilling.adjustments import AdjustmentResult, LeaseHistories
from rentbilling.billing import BillingResult, CompiledTerms, PendingBill, RawLine
from rentbilling.errors import InvalidInputError, InvalidRecordError, shown
from rentbilling.explanations.adjustments import LeaseAdjustments
from rentbilling.explanations.bills import BillExplainer
from rentbilling.explanations.items import LineFacts, read_line
from rentbilling.explanations.lines import LineExplainer
from rentbilling.explanations.operations import stated, together
from rentbilling.explanations.parts import carried, parts_of
from rentbilling.explanations.references import RepeatedWorkings
from rentbilling.explanations.working import Explanation, Working
from rentbilling.payers import Carried, DiscountedBill, SplitBill
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.terms import RentAdjustment
from rentbilling.values import day_of

Explained = BillingResult | AdjustmentResult | PendingBill | Carried
"""Results that can be explained."""

Place = int | str | date | PendingBill
"""A bill by its position, its due date, its payer, or itself."""

_READ = "as the bill states it: the terms behind it are not known"
_ALONE = "as the bill states it: explain(result, bill=…) leads to the terms, where it was computed"
_READ_ADJUSTMENT = "as it was listed: the terms behind it are not known"


@overload
def explain(
    what: BillingResult | AdjustmentResult, *, policy: BillingPolicy | None = None
) -> Explanation: ...
@overload
def explain(what: Carried, *, policy: BillingPolicy | None = None) -> Working: ...
@overload
def explain(
    what: PendingBill,
    *,
    line: int | None = None,
    vat: int | None = None,
    policy: BillingPolicy | None = None,
) -> Working: ...
@overload
def explain(
    what: BillingResult,
    *,
    bill: Place,
    line: int | None = None,
    vat: int | None = None,
    policy: BillingPolicy | None = None,
) -> Working: ...
@overload
def explain(
    what: BillingResult | AdjustmentResult,
    *,
    adjustment: int | str | date,
    policy: BillingPolicy | None = None,
) -> Working: ...
def explain(
    what: Explained,
    *,
    bill: Place | None = None,
    line: int | None = None,
    vat: int | None = None,
    adjustment: int | str | date | None = None,
    policy: BillingPolicy | None = None,
) -> Explanation | Working:
    """Explain how figures were computed, as data and as text.

    Each figure leads back to the terms: which period of which cycle, why it falls due on that day,
    which price is in force since when, which adjustments led to it from the agreed amount, which
    discount, which share of days, where it was rounded, and how VAT, subtotal and total come about.
    A bill alone is explained by its own figures; with its result it leads back to the terms.

    Args:
        what: A result of `pending_bills`, `bill_period`, `split_bill` or `discount_bill`, a result
            of `rent_adjustments` or `carry`, or one bill from any source.
        bill: Which bill of a result: its position, its due date, its payer, or an equal bill.
        line: Which line of that bill, by its position from 0; texts count from 1, "line 1 of 3".
        vat: Which VAT total of that bill, by its position from 0.
        adjustment: Which adjustment, by its position from 0 or by its day.
        policy: For a bill that was read, the policy to explain its VAT by; by default that of the
            result, or the default one.

    Returns:
        The working of the chosen figure: a bill's leads to its total, or to what is payable where
        cash is rounded; a line's to its net price; an adjustment's to the new amount of a billing
        period, or to the new balance. Without a choice all bills, or all adjustments, in order;
        the history of an amount is then given once, and later workings refer to it.

    Raises:
        InvalidInputError: The result has no such bill, line, VAT total or adjustment, or several
            bills on the due date; the choices contradict each other; or `what` cannot be
            explained.
        RuntimeError: A working leads to another figure than the one explained, which is a fault of
            this library.
        TypeError: A position is not a whole number.

    Examples:
        >>> from decimal import Decimal
        >>> from rentbilling import Amount, OneTimeBillItem, Period, Vat, explain, pending_bills
        >>> keys = OneTimeBillItem(
        ...     product_key="key:keys",
        ...     amount=Amount(Decimal("133.33"), "DKK"),
        ...     quantity=Decimal(3),
        ...     vat=Vat("Exclusive", Decimal("0.25")),
        ...     due_date=date(2026, 2, 1),
        ...     accounting_period=Period.parse("2026-02-01/2026-02-28"),
        ... )
        >>> result = pending_bills(keys, "2026-02-01/2026-02-28")
        >>> print(explain(result, bill="2026-02-01", vat=0))
        VAT Exclusive 25 %: 100.00 DKK = 99.9975 rounded half up to 0.01 [EN 16931 BR-CO-17]
          exact VAT: 99.9975 = 399.99 × 25 % [EN 16931 BR-CO-17]
            net of the rate: 399.99 DKK [A30]
              net price: 399.99 DKK = 3 × 133.33 [A21]
                quantity: 3 [A21]
                unit price: 133.33 DKK; stated by the one-time item [A55]
            tax rate: 25 % [A28]
    """
    if isinstance(what, PendingBill):
        _refuse("a bill alone", bill=bill, adjustment=adjustment)
        return _figure_of(_without_terms(what, policy_of(policy), _ALONE), what, line, vat)
    if isinstance(what, Carried):
        _refuse("a balance", bill=bill, line=line, vat=vat, adjustment=adjustment)
        return carried(what, _without_terms(what.bill, policy_of(policy), _ALONE).total())
    if isinstance(what, AdjustmentResult):
        _refuse("adjustments", bill=bill, line=line, vat=vat, policy=policy)
        return _adjustments(what.adjustments, what.source, adjustment)
    if not isinstance(what, BillingResult):
        said = "cannot be explained"
        expected = "a BillingResult, an AdjustmentResult, a PendingBill or a Carried"
        raise InvalidRecordError.of("what", "not_explainable", said, what, expected)
    if adjustment is not None:
        _refuse("an adjustment", bill=bill, line=line, vat=vat, policy=policy)
        return _adjustments(what.adjustments, what.source, adjustment)
    if bill is None:
        _refuse("all bills", "bill= as well: bill=0 is the first", line=line, vat=vat)
        return Explanation(_figures_of(what, what.bills, policy))
    asked = _bill_at(what, bill)
    (found,) = _figures_of(what, [asked], policy, line, vat)
    return found


def _refuse(said: str, expected: str = "none", /, **choices: object) -> None:
    """Refuse choices that do not apply together with others."""
    for name, value in choices.items():
        if value is not None:
            text = f"does not apply to {said}"
            raise InvalidRecordError.of(name, "says_nothing", text, value, expected)


def _figures_of(
    result: BillingResult,
    bills: Iterable[PendingBill],
    policy: BillingPolicy | None,
    line: int | None = None,
    vat: int | None = None,
) -> Iterator[Working]:
    """Yield the working of a figure of each bill; a step explained earlier is referred to."""
    source = result.source
    if isinstance(source, (SplitBill, DiscountedBill)):
        known = _known(result, policy)
        parts = parts_of(source, result.bills, known)
        for bill in bills:
            yield _figure_of(parts[result.bills.index(bill)], bill, line, vat)
        return
    if not isinstance(source, CompiledTerms):
        known = _known(result, policy)
        for bill in bills:
            yield _figure_of(_without_terms(bill, known, _READ), bill, line, vat)
        return
    if policy is not None and policy != source.policy:
        said, expected = "is not the one that the bills were computed under", "none"
        raise InvalidRecordError.of("policy", "policy_mismatch", said, policy, expected)
    histories = source.histories
    adjustments = None if histories is None else LeaseAdjustments(histories)
    lines, repeated = LineExplainer(source, adjustments), RepeatedWorkings()
    for bill in bills:
        facts = partial(lines.explain, due=bill.due_date)
        found = _figure_of(BillExplainer(bill, source.policy, facts, strict=True), bill, line, vat)
        if adjustments is not None:
            found = repeated.written(found, f"the bill due {bill.due_date}")
        yield found


def _known(result: BillingResult, policy: BillingPolicy | None) -> BillingPolicy:
    return policy_of(result.policy if policy is None else policy)


def _without_terms(bill: PendingBill, policy: BillingPolicy, why: str) -> BillExplainer:
    def read(raw: RawLine) -> LineFacts:
        return read_line(raw, bill.due_date, why, policy)

    return BillExplainer(bill, policy, read, strict=False)


def _figure_of(
    explainer: BillExplainer, bill: PendingBill, line: int | None, vat: int | None
) -> Working:
    if line is not None and vat is not None:
        said = "is not asked for together with a VAT total"
        raise InvalidRecordError.of("line", "contradiction", said, line, "one of the two")
    if line is not None:
        count = len(bill.raw_lines)
        place = _place("line", line, count)
        # People count from 1, Python from 0; "1 of 3" cannot be mistaken for the position 1.
        return replace(explainer.line(place), label=f"line {place + 1} of {count}")
    if vat is not None:
        return explainer.vat_total(_place("vat", vat, len(bill.raw_totals)))
    return explainer.total()


def _place(name: str, at: object, count: int) -> int:
    """Return a position, which may count from the end."""
    if type(at) is not int:
        raise TypeError(f"explain takes {name} as a position, not {shown(at)}")
    if not -count <= at < count:
        expected = f"a position from 0 to {count - 1}" if count else "none: there is none"
        raise _nothing_there(name, at, expected)
    return at % count


def _nothing_there(name: str, actual: object, expected: str) -> InvalidInputError:
    """Return the error of a choice that the result does not have."""
    return InvalidRecordError.of(name, "not_there", "is not there", actual, expected)


def _bill_at(result: BillingResult, bill: Place) -> PendingBill:
    if isinstance(bill, PendingBill):
        # A bill that was read again is another object, and equal.
        for own in result.bills:
            if own is bill:
                return own
        if bill in result.bills:
            return result.bills[result.bills.index(bill)]
        raise _nothing_there("bill", bill, "a bill of this result")
    payers = [each.payer.name if each.payer else None for each in result.bills]
    if isinstance(bill, str) and bill in payers:
        return result.bills[payers.index(bill)]
    if isinstance(bill, (str, date)):
        day = date.fromordinal(day_of(bill, "bill"))
        found = [each for each in result.bills if each.due_date == day]
        if len(found) == 1:
            return found[0]
        days = ", ".join(dict.fromkeys(each.due_date.isoformat() for each in result.bills))
        expected = f"one of {days or 'none'}"
        if found:
            expected = "a position: the bills of this day are in several currencies"
        raise _nothing_there("bill", bill, expected)
    return result.bills[_place("bill", bill, len(result.bills))]


def _adjustments(
    made: tuple[RentAdjustment, ...], source: object, asked: int | str | date | None
) -> Explanation | Working:
    """Return the working of one adjustment, or of all."""
    histories = source.histories if isinstance(source, CompiledTerms) else source
    explainer = LeaseAdjustments(histories) if isinstance(histories, LeaseHistories) else None

    def explained(records: Sequence[RentAdjustment]) -> Iterator[Working]:
        if explainer is None:
            return map(_as_read, records)
        repeated = RepeatedWorkings()
        return (repeated.written(each, "") for each in explainer.adjustments(records))

    if asked is None:
        return Explanation(explained(made))
    (found,) = explained([_adjustment_at(made, asked)])
    return found


def _adjustment_at(made: Sequence[RentAdjustment], asked: int | str | date) -> RentAdjustment:
    if not isinstance(asked, (str, date)):
        return made[_place("adjustment", asked, len(made))]
    day = date.fromordinal(day_of(asked, "adjustment"))
    found = [each for each in made if each.adjusted_on == day]
    if len(found) == 1:
        return found[0]
    days = ", ".join(dict.fromkeys(each.adjusted_on.isoformat() for each in made))
    expected = "a position: several lie on this day" if found else f"one of {days or 'none'}"
    raise _nothing_there("adjustment", asked, expected)


def _as_read(record: RentAdjustment) -> Working:
    """Return an adjustment by its own figures: its terms are not known."""
    label = f"adjustment of {record.adjusted_on}"
    figures = [
        (name.replace("_", " "), stated(name.replace("_", " "), value, "A38"))
        for name, value in record.amounts
    ]
    if not figures:
        return stated(label, record.adjusted_on, "A38", "listed without its amounts")
    wanted: tuple[Literal["to period amount", "to balance amount"], ...]
    wanted = ("to period amount", "to balance amount")
    figures.sort(key=lambda each: each[0] not in wanted)
    return together(label, "A38", *figures, note=_READ_ADJUSTMENT)
