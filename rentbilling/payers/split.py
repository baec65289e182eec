"""One bill into one for each payer.

Law: lines, VAT totals, subtotals and totals of the payers add up to those of the bill, figure by
figure; each payer's bill is consistent in itself, but for the units that it names (A68).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from rentbilling.billing import (
    BillingResult,
    LineFigures,
    Payer,
    PendingBill,
    RawLine,
    TakenOff,
    bill_of_lines,
    cash_rounding,
    shown_unit,
    shown_unit_net,
)
from rentbilling.errors import InvalidRecordError, UnsupportedCaseError
from rentbilling.payers.consistent import consistent_lines, first_net, tax_on, taxes_of, with_net
from rentbilling.payers.fixed_amounts import FixedPart
from rentbilling.payers.shares import AnyShare, Shares, path_of, shares_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.values import Amount, Notice, decimal_of, share_units

_SAME: Final = (
    *("product_key", "item_id", "kind", "description", "discount_text", "currency", "places"),
    *("quantity", "vat", "group", "share", "regular", "counted"),
)
"""What a payer's line has from the line of the bill."""


class SplitBill(NamedTuple):
    """What a split was computed from, for its explanation."""

    bill: PendingBill
    shares: Shares
    lines: Sequence[RawLine]
    """The lines of the bill, with one group object for each VAT."""
    parts: Sequence[Sequence[int]]
    """What each payer has of each line, in minor units in the line's own tax mode."""


def split_bill(
    bill: PendingBill, shares: Mapping[str, AnyShare], *, policy: BillingPolicy | None = None
) -> BillingResult:
    """Return one bill for each payer of a bill; their figures add up to its figures (A68).

    Each line is shared out by largest remainders (A64), an Inclusive one by its gross. A payer's
    VAT is that of their own lines; where those VATs do not add up, the rest or else the largest
    share takes the missing units, which `PendingBill.payer` names and `check_bill` allows. Cash is
    rounded for each payer.

    Args:
        bill: A bill that follows from its lines, computed here or read.
        shares: By payer: fractions that sum to 1, fixed amounts with VAT that sum to the total, or
            fixed amounts and one "rest"; also as texts such as "1/3", "25%" or "500.00 EUR".
        policy: The policy of the bill: its rounding, VAT rounding and cash rounding.

    Returns:
        The payers' bills in the order of `shares`, each with its `payer`; and notices: of a fixed
        amount that no net and VAT make, and of a payer whose total or VAT has the other sign.

    Raises:
        InvalidInputError: The shares are not the whole bill, a fixed amount without a rest is made
            by no net and VAT, or the bill does not follow from its lines by the policy.
        UnsupportedCaseError: The parts have more lines than `policy.max_lines` (A60).
        TypeError: The bill is no PendingBill, or `shares` no mapping.

    Examples:
        Two tenants share a rent of 1,000.01, one of them pays two thirds:

        >>> from rentbilling import monthly_rent, pending_bills
        >>> rent = monthly_rent("1000.01 EUR", moved_in="2026-01-01")
        >>> (bill,) = pending_bills(rent, "2026-02-01/2026-02-28")
        >>> for part in split_bill(bill, {"Ann": "1/3", "Bo": "2/3"}):
        ...     print(part.payer.name, part.total)
        Ann 333.34 EUR
        Bo 666.67 EUR
    """
    rules = policy_of(policy)
    lines = consistent_lines(bill, rules, "split_bill")
    known = shares_of(shares, bill, rules)
    if (count := len(lines) * len(known.names)) > rules.max_lines:
        raise UnsupportedCaseError("too_many_lines", lines=count, most=rules.max_lines)
    by_line = [share_units(figures.base, known.weights) for figures, _, _ in lines]
    parts = [list(own) for own in zip(*by_line, strict=True)]
    notices = [*_met(bill, known, lines, parts, rules)]
    off = [_taken_by_payer(figures, known.weights) for figures, _, _ in lines]
    made = [
        bill_of_lines(bill.due, _lines_of(lines, own, known.weights[at], taken, rules), rules)
        for at, (own, taken) in enumerate(zip(parts, zip(*off, strict=True), strict=True))
    ]
    for at, each in enumerate(made):
        if at != known.taker:
            made[at] = _of_payer(each, Payer(known.names[at]))
    others = [each for at, each in enumerate(made) if at != known.taker]
    made[known.taker] = _taker(bill, made[known.taker], others, known.names[known.taker], rules)
    notices += _turned(bill, made)
    return BillingResult(made, notices, policy=rules, source=SplitBill(bill, known, lines, parts))


def _met(
    bill: PendingBill,
    known: Shares,
    lines: Sequence[RawLine],
    parts: list[list[int]],
    policy: BillingPolicy,
) -> Iterator[Notice]:
    """Meet the fixed amounts, and give a notice for each that no net and VAT make."""
    taker = known.taker
    for at, wanted in known.fixed.items():
        if at != taker:
            missing = FixedPart(lines, parts[at], parts[taker], policy).meet(wanted)
        else:
            # The largest has what is left, which its own VAT need not make; only whether any does
            # is found out.
            own = list(parts[at])
            left = [line[0].base - base for line, base in zip(lines, own, strict=True)]
            missing = FixedPart(lines, own, left, policy).meet(wanted)
        if not missing:
            continue
        name = known.names[at]
        fixed, rest = (
            Amount.unchecked(decimal_of(units, bill.places), bill.currency)
            for units in (wanted, missing)
        )
        said = "is an amount that no net and VAT make"
        if known.rest is None:
            expected = "another amount, or one payer with the rest"
            raise InvalidRecordError.of(path_of(name), "amount_not_made", said, fixed, expected)
        facts = ("payer", name), ("fixed", str(fixed)), ("to the rest", str(rest))
        said = "a fixed amount that no net and VAT make is met by the nearest below"
        yield Notice("fixed_amount_not_made", said, None, facts)


def _turned(bill: PendingBill, parts: Sequence[PendingBill]) -> Iterator[Notice]:
    """Give a notice for each payer with a total or VAT of the other sign than the bill's (A139)."""
    whole = [bill.sums[1], *taxes_of(bill).values()]
    for part in parts:
        assert part.payer is not None  # noqa: S101 - every part has one
        own = [part.sums[1], *taxes_of(part).values()]
        if any(one * other < 0 for one, other in zip(own, whole, strict=True)):
            facts = ("payer", part.payer.name), ("total", str(part.total))
            said = "a payer's total or VAT has another sign than the bill's"
            yield Notice("part_of_other_sign", said, None, facts)


def _taken_by_payer(
    figures: LineFigures, weights: Sequence[Fraction]
) -> list[tuple[TakenOff, ...]]:
    """Return for each payer what each discount took off their part of a line (A61, A64)."""
    taken = figures.taken
    shared = [share_units(each.units, weights) for each in taken]
    own = zip(*shared, strict=True) if shared else [()] * len(weights)
    return [
        tuple(each._replace(units=part) for each, part in zip(taken, units, strict=True))
        for units in own
    ]


def _lines_of(
    lines: Sequence[RawLine],
    bases: Sequence[int],
    weight: Fraction,
    taken: Sequence[tuple[TakenOff, ...]],
    policy: BillingPolicy,
) -> list[RawLine]:
    """Return a payer's lines: so many minor units of each line, in its own tax mode."""
    found: list[RawLine] = []
    for (figures, first, last), base, off in zip(lines, bases, taken, strict=True):
        over, below = figures.exact
        exact = over * weight.numerator, below * weight.denominator
        places, mode = figures.places, policy.for_product(figures.product_key).rounding
        net = first_net(figures.group, base, policy)
        amount = unit_net = shown_unit(base, figures.quantity, *exact, places, mode)
        if figures.group.inclusive:
            unit_net = shown_unit_net(net, figures.quantity, exact, figures.group, places, mode)
        # Corrections too: earlier bills do not say how much each payer was billed.
        known: dict[str, Any] = {name: getattr(figures, name) for name in _SAME}
        known |= {"amount": amount, "unit_net": unit_net, "net": net, "base": base, "exact": exact}
        known["discounted"] = off
        found.append((LineFigures(**known), first, last))
    return found


def _taker(
    bill: PendingBill,
    own: PendingBill,
    others: Sequence[PendingBill],
    name: str,
    policy: BillingPolicy,
) -> PendingBill:
    """Return the bill of the payer who takes what the others leave, to the unit."""
    taxes = taxes_of(bill)
    for other in others:
        for category, units in taxes_of(other).items():
            taxes[category] = taxes.get(category, 0) - units
    nets = [line[0].net for line in bill.raw_lines]
    for other in others:
        nets = [net - line[0].net for net, line in zip(nets, other.raw_lines, strict=True)]
    lines = [*own.raw_lines]
    totals, off = [], {}
    for at, (vat, _, _) in enumerate(own.raw_totals):
        places = [place for place, line in enumerate(lines) if line[0].vat.category == vat.category]
        group, tax = lines[places[0]][0].group, taxes.get(vat.category, 0)
        bases = [lines[place][0].base for place in places]
        off[f"vatTotals[{at}].amount"] = tax - tax_on(group, bases, policy)
        totals.append((vat, tax, sum(nets[place] for place in places)))
    for at, net in enumerate(nets):
        figures, first, last = lines[at]
        off[f"pendingBillLineItems[{at}].netPrice"] = net - figures.net
        lines[at] = with_net(figures, net, policy), first, last
    subtotal, total = sum(nets), sum(nets) + sum(tax for _, tax, _ in totals)
    sums = subtotal, total, cash_rounding(total, lines[0][0], policy)
    payer = Payer(name, {path: units for path, units in off.items() if units})
    return PendingBill(own.due, own.currency, own.places, lines, totals, sums, payer)


def _of_payer(bill: PendingBill, payer: Payer) -> PendingBill:
    parts = bill.due, bill.currency, bill.places, bill.raw_lines, bill.raw_totals, bill.sums
    return PendingBill(*parts, payer)
