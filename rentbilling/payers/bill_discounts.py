"""Discounts of a whole bill: a line for each discount and VAT group (A73, EN 16931 BG-20).

Law: a discount is taken off before VAT is rounded, never across rates and never below zero.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from rentbilling.billing import (
    BillingResult,
    LineFigures,
    PendingBill,
    RawLine,
    VatGroup,
    bill_of_lines,
    stated_vat,
)
from rentbilling.errors import (
    InvalidDiscountError,
    Problem,
    other_currency,
    paths_under,
    shown,
)
from rentbilling.payers.consistent import consistent_lines, first_net
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.records import IdField, Problems
from rentbilling.terms import Discount
from rentbilling.values import Notice, decimal_of, divide_rounded, share_units, units_of

_ONE: Final = Decimal(1)
_PRODUCT: Final = "key:discount"
_SAID: Final = "the discounts are larger than the bill and stop at zero"


class BillDiscount(Discount):
    """A discount of a whole bill: an amount off all of it, or a percentage of each group (A73).

    Examples:
        >>> from rentbilling import Amount
        >>> BillDiscount(amount=Amount(100, "EUR"), product_key="key:welcome").product_key
        'key:welcome'
    """

    # Ours
    of: Literal["rest", "list"] | None = None
    """Of what a percentage is: `rest`, what the discounts before left, which absent means; or
    `list`, the group before all discounts (A61)."""
    product_key: IdField | None = None
    """Key of the product that its lines carry; absent: `key:discount`."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a discount that no bill can have."""
        yield from super().cross_field_problems(parts)
        for name, path in (("start_date", "startDate"), ("end_date", "endDate")):
            if parts.get(name) is not None:
                said, expected = "has no effect: a bill has one due date", "a discount without days"
                problem = Problem(path, "says_nothing", said, str(parts[name]), expected)
                yield InvalidDiscountError, problem


class DiscountStep(NamedTuple):
    """What one discount takes off the groups, for its explanation; all in minor units."""

    discount: BillDiscount
    listed: Mapping[VatGroup, int]
    """Each group before all discounts, in its own tax mode."""
    before: Mapping[VatGroup, int]
    """Each group before this discount."""
    taken: Mapping[VatGroup, int]
    """What is taken off each group."""


class DiscountedBill(NamedTuple):
    """What a bill with discounts was computed from, for its explanation."""

    bill: PendingBill
    steps: Sequence[DiscountStep]


def discount_bill(
    bill: PendingBill, discounts: Iterable[BillDiscount], *, policy: BillingPolicy | None = None
) -> BillingResult:
    """Return a bill with discounts of the whole of it, in order (A73).

    An amount is shared out over the VAT groups by what they come to (A64), net or, if Inclusive,
    gross; a percentage is taken off each group. Each discount adds a line to each group that it
    takes something off, and VAT is computed from what is left. A group of 0 or less gets nothing.

    Args:
        bill: A bill that follows from its lines, computed here or read.
        discounts: In the order in which they come off.
        policy: The policy of the bill.

    Returns:
        The one bill, and a notice if the discounts are larger than it.

    Raises:
        InvalidInputError: An amount is in another currency, or the bill mixes Exclusive and
            Inclusive lines and a discount is an amount; or the bill does not follow from its lines
            by the policy.
        TypeError: The bill is no PendingBill, or a discount no BillDiscount.

    Examples:
        100.00 off 1,000.00 with VAT and 500.00 without:

        >>> from rentbilling import Amount, monthly_rent, pending_bills
        >>> from rentbilling.billing import recurring_item
        >>> rent = monthly_rent("1000.00 EUR", moved_in="2026-01-01", vat="Exclusive 25%")
        >>> heating = recurring_item("key:heating", "500.00 EUR", moved_in="2026-01-01")
        >>> (bill,) = pending_bills([rent, heating], "2026-02-01/2026-02-28")
        >>> (less,) = discount_bill(bill, [BillDiscount(amount=Amount(100, "EUR"))])
        >>> [str(line.net_price) for line in less.lines[2:]], str(less.total)
        (['-66.67 EUR', '-33.33 EUR'], '1633.33 EUR')
    """
    rules = policy_of(policy)
    lines = consistent_lines(bill, rules, "discount_bill")
    if isinstance(discounts, BillDiscount):
        raise TypeError(f"discount_bill takes a list of discounts, not {shown(discounts)}")
    listed = list(discounts)
    _refuse_misfits(bill, listed, lines, rules)
    steps = [*_steps(listed, lines, rules)]
    span = min(first for _, first, _ in lines), max(last for _, _, last in lines)
    off = [
        (_figures(step.discount, group, units, bill, rules), *span)
        for step in steps
        for group, units in step.taken.items()
        if units
    ]
    made = bill_of_lines(bill.due, [*lines, *off], rules)
    notices = [Notice("discount_stopped_at_zero", _SAID)] if _is_too_large(steps, rules) else []
    return BillingResult([made], notices, policy=rules, source=DiscountedBill(bill, steps))


def _refuse_misfits(
    bill: PendingBill, listed: Sequence[object], lines: Sequence[RawLine], policy: BillingPolicy
) -> None:
    """Refuse discounts that cannot be taken off this bill."""
    if bill.payer is not None:
        said, expected = "is one payer's part", "the whole bill, split afterwards"
        raise InvalidDiscountError.of("bill", "part_of_a_bill", said, bill.payer.name, expected)
    modes = {figures.vat.tax_mode for figures, _, _ in lines}
    for at, each in enumerate(listed):
        if not isinstance(each, BillDiscount):
            raise TypeError(f"a discount of a bill is a BillDiscount, not {shown(each)}")
        if each.amount is None:
            continue
        path = f"discounts[{at}].amount"
        if each.amount.currency != bill.currency:
            raise other_currency(f"{path}.currency", each.amount.currency, bill.currency)
        if {"Exclusive", "Inclusive"} <= modes:
            said = "is taken off a bill that mixes prices with and without VAT"
            expected = "a percentage, or a bill of one tax mode"
            raise InvalidDiscountError.of(path, "mixed_tax_modes", said, each.amount, expected)
        with paths_under(path):
            units_of(each.amount, policy.currencies)


def _steps(
    discounts: Sequence[BillDiscount], lines: Sequence[RawLine], policy: BillingPolicy
) -> Iterator[DiscountStep]:
    """Give what each discount takes off each group."""
    listed: dict[VatGroup, int] = {}
    for figures, _, _ in lines:
        listed[figures.group] = listed.get(figures.group, 0) + figures.base
    left = dict(listed)
    for discount in discounts:
        wanted = wanted_of(discount, listed, left, policy)
        taken = {group: min(units, max(left[group], 0)) for group, units in wanted.items()}
        yield DiscountStep(discount, listed, dict(left), taken)
        left = {group: units - taken[group] for group, units in left.items()}


def wanted_of(
    discount: BillDiscount,
    listed: Mapping[VatGroup, int],
    left: Mapping[VatGroup, int],
    policy: BillingPolicy,
) -> dict[VatGroup, int]:
    """Return what a discount would take off each group, were there enough."""
    bases = {group: max(units, 0) for group, units in left.items()}
    if discount.amount is not None:
        units = units_of(discount.amount, policy.currencies)
        weights = [Fraction(base) for base in bases.values()]
        shares = share_units(units, weights) if any(weights) else [0] * len(weights)
        return dict(zip(bases, shares, strict=True))
    # Type checkers do not agree on what a field of a record is that has defaults.
    share: Any = discount.percentage
    assert share is not None  # noqa: S101 - one of the two is given
    over, below = share.as_integer_ratio()
    mode = policy.for_product(product_of(discount)).rounding
    of = listed if discount.of == "list" else bases
    return {group: divide_rounded(max(of[group], 0) * over, below, mode) for group in left}


def product_of(discount: BillDiscount) -> str:
    """Return the key of the product that a discount's lines carry."""
    return discount.product_key or _PRODUCT


def _is_too_large(steps: Sequence[DiscountStep], policy: BillingPolicy) -> bool:
    """Return whether a discount took off less than it says."""
    for discount, listed, before, taken in steps:
        if discount.amount is not None:
            wanted = units_of(discount.amount, policy.currencies)
        else:
            wanted = sum(wanted_of(discount, listed, before, policy).values())
        if sum(taken.values()) < wanted:
            return True
    return False


def _figures(
    discount: BillDiscount, group: VatGroup, units: int, bill: PendingBill, policy: BillingPolicy
) -> LineFigures:
    """Return the figures of a discount's line in a group: so many minor units off."""
    amount, net = decimal_of(-units, bill.places), first_net(group, -units, policy)
    return LineFigures(
        product_key=product_of(discount),
        item_id=None,
        kind="discount",
        description=discount.description,
        discount_text=None,
        currency=bill.currency,
        places=bill.places,
        quantity=_ONE,
        vat=stated_vat(group, bill.raw_lines),
        group=group,
        share=(1, 1),
        amount=amount,
        unit_net=decimal_of(net, bill.places) if group.inclusive else amount,
        net=net,
        base=-units,
        exact=amount.as_integer_ratio(),
    )
