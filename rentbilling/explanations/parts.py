"""How the parts of a bill come about: those of its payers, its discounts, a balance taken into it.

Law: a part leads to the figure of the bill that it is a part of.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from rentbilling.billing import PendingBill, RawLine, VatGroup
from rentbilling.explanations import operations as op
from rentbilling.explanations.bills import BillExplainer
from rentbilling.explanations.items import LineFacts, read_line, vat_text
from rentbilling.explanations.working import Working, agreed
from rentbilling.payers import Carried, DiscountedBill, DiscountStep, SplitBill, product_of
from rentbilling.policy import BillingPolicy
from rentbilling.values import Amount

_WHY = "as the bill states it"


def parts_of(
    source: SplitBill | DiscountedBill, bills: Sequence[PendingBill], policy: BillingPolicy
) -> list[BillExplainer]:
    """Return what explains the bills that were made of one."""
    if isinstance(source, DiscountedBill):
        return [_discounted(source, bill, policy) for bill in bills]
    split = _Split(source, bills, policy)
    return [split.part(at) for at in range(len(bills))]


class _Split:
    """Explains the bills of payers."""

    def __init__(
        self, source: SplitBill, bills: Sequence[PendingBill], policy: BillingPolicy
    ) -> None:
        self._source = source
        self._bills = bills
        self._policy = policy
        self._coin = op.Coin(source.bill.currency, source.bill.places)
        self._weights = [*self._named_weights()]

    def part(self, at: int) -> BillExplainer:
        """Return what explains the bill of one payer."""
        bill = self._bills[at]
        places = {raw[0]: place for place, raw in enumerate(bill.raw_lines)}

        def facts(raw: RawLine) -> LineFacts:
            found = read_line(raw, bill.due_date, _WHY, self._policy)
            return found._replace(base=self._base(places[raw[0]], at))

        def correction(path: str, own: Working) -> Working:
            return self._correction(path, own, at)

        return BillExplainer(bill, self._policy, facts, strict=True, correction=correction)

    def _named_weights(self) -> Sequence[op.NamedInput]:
        """Return the weights of all payers: fractions, or parts of the total (A68)."""
        names, weights, fixed, _ = self._source.shares
        whole = op.stated("total of the bill", self._source.bill.total, "A68")
        found: list[op.NamedInput] = []
        for at, (name, weight) in enumerate(zip(names, weights, strict=True)):
            label = f"share of {name}"
            if at in fixed and op.number_of(whole):
                amount = op.stated("fixed amount", self._coin.of_units(fixed[at]), "A68")
                found.append((label, op.quotient(label, "A68", fixed=amount, total=whole)))
            else:
                note = "what is left" if fixed and at not in fixed else None
                found.append((label, op.stated(label, Fraction(weight), "A68", note)))
        return found

    def _base(self, line: int, at: int) -> Working:
        """Return what a payer has of a line, in its own tax mode."""
        figures = self._source.lines[line][0]
        label = "gross price" if figures.group.inclusive else "net price"
        note = f"line {line + 1} of the bill"
        whole = op.stated(f"{label} of the bill", self._coin.of_units(figures.base), "A68", note)
        own = op.shared(label, "A64", whole, at + 1, self._weights, self._coin)
        has = self._coin.of_units(self._source.parts[at][line])
        if own.result == has:
            return own
        moved = self._coin.exact(op.number_of(has) - op.number_of(own))
        note = "so that net and VAT make a fixed amount"
        own = replace(own, label="shared out")
        return op.total(label, "A68", shared=own, moved=op.stated("moved", moved, "A68", note))

    def _correction(self, path: str, own: Working, at: int) -> Working:
        """Return what the figure of the bill is above the own figures of all payers."""
        names, place = self._source.shares.names, int(path[path.index("[") + 1 : path.index("]")])
        figure = self._net if path.endswith("netPrice") else self._vat

        def of(bill: PendingBill) -> Amount:
            return self._coin.of_units(figure(bill, self._bills[at], place))

        inputs: list[op.NamedInput] = [("of the bill", of(self._source.bill)), ("own", own)]
        inputs += [
            (f"of {name}", of(bill))
            for name, bill in zip(names, self._bills, strict=True)
            if bill is not self._bills[at]
        ]
        return op.difference("correction", "A68", *inputs)

    @staticmethod
    def _net(bill: PendingBill, _own: PendingBill, place: int) -> int:
        return bill.raw_lines[place][0].net

    @staticmethod
    def _vat(bill: PendingBill, own: PendingBill, place: int) -> int:
        category = own.raw_totals[place][0].category
        return sum(units for vat, units, _ in bill.raw_totals if vat.category == category)


def _discounted(source: DiscountedBill, bill: PendingBill, policy: BillingPolicy) -> BillExplainer:
    coin = op.Coin(bill.currency, bill.places)
    taken = [
        (step, group, step.taken[group])
        for step in source.steps
        for group in step.taken
        if step.taken[group]
    ]
    own = len(source.bill.raw_lines)
    bases = {
        raw[0]: _taken_off(step, group, coin, policy)
        for raw, (step, group, _) in zip(bill.raw_lines[own:], taken, strict=True)
    }

    def facts(raw: RawLine) -> LineFacts:
        found = read_line(raw, bill.due_date, _WHY, policy)
        base = bases.get(raw[0])
        return found if base is None else found._replace(base=base)

    return BillExplainer(bill, policy, facts, strict=True)


def _taken_off(
    step: DiscountStep, group: VatGroup, coin: op.Coin, policy: BillingPolicy
) -> Working:
    """Return a discount's line in a group, in its own tax mode (A73)."""
    discount, note = step.discount, step.discount.description
    left = op.stated("left of the group", coin.of_units(step.before[group]), "A73")
    if discount.amount is not None:
        groups = [*step.before]
        weights: list[op.NamedInput] = [
            (vat_text(each.vat), coin.of_units(max(step.before[each], 0))) for each in groups
        ]
        whole = op.stated("discount", discount.amount, "A73", note)
        found = op.shared(
            "discount of the group", "A64", whole, groups.index(group) + 1, weights, coin
        )
    else:
        share = cast("Any", discount.percentage)
        assert share is not None  # noqa: S101 - one of the two is given
        of = left
        if discount.of == "list":
            listed = coin.of_units(step.listed[group])
            of = op.stated("the group before all discounts", listed, "A73")
        percentage = op.stated("discount percentage", share, "A73", note)
        exact = op.product("exact discount", "A73", of=of, percentage=percentage)
        mode = policy.for_product(product_of(discount)).rounding
        found = coin.rounded("discount of the group", "A73", mode, discount=exact)
    if op.number_of(found) > step.before[group] / Fraction(10**coin.places):
        most = op.limited("at most what is left", "A22", maximum=("maximum", left), discount=found)
        found = coin.rounded("discount of the group", "A22", "half_up", limited=most)
    label = "gross price" if group.inclusive else "net price"
    nothing = coin.of_units(0)
    return op.difference(label, "A73", nothing=nothing, discount=found)


def carried(what: Carried, due: Working) -> Working:
    """Return how the payable amount of a bill with a balance comes about, and its rest (A69)."""
    coin = op.Coin(what.bill.currency, what.bill.places)
    balance = op.stated("balance", coin.exact(op.number_of(what.balance)), "A69")
    both = op.total("bill and balance", "A69", bill=due, balance=balance)
    payable = both
    if op.number_of(balance) < 0:
        # A credit takes a bill above 0 down to 0, and leaves another as it is.
        least = 0 if op.number_of(due) > 0 else due
        payable = op.limited("payable", "A69", minimum=("minimum", least), sum=both)
    payable = coin.rounded("payable", "A69", "half_up", amount=payable)
    rest = op.difference("rest of the balance", "A69", both=both, payable=payable)
    agreed(payable, what.payable, "a payable amount")
    agreed(rest, what.rest, "the rest of a balance")
    return op.together("payable", "A69", payable=payable, rest=rest)
