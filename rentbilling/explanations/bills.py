"""How VAT, subtotal and total of a bill come about, down to its lines.

Law: every working is checked against the figure of the bill.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from rentbilling.billing import Kind, LineFigures, PendingBill, RawLine, VatGroup
from rentbilling.explanations import operations as op
from rentbilling.explanations.items import LineFacts, line_coin, percent
from rentbilling.explanations.working import Working, agreed
from rentbilling.policy import BillingPolicy
from rentbilling.values import Amount

_PER_RATE: Final = "EN 16931 BR-CO-17"
_KINDS: Final[Mapping[Kind, str]] = MappingProxyType(
    {
        "opening": "opening period",
        "regular": "whole period",
        "part": "part of a period",
        "one_time": "billed once",
        "balance": "change of a balance",
        "correction": "difference to what was billed",
        "discount": "discount of the whole bill",
    }
)
"""The purpose of a line, in words."""


class BillExplainer:
    """Explains the figures of one bill."""

    __slots__ = (
        *("_bill", "_coin", "_correction", "_facts", "_known", "_lines", "_policy", "_strict"),
    )

    def __init__(
        self,
        bill: PendingBill,
        policy: BillingPolicy,
        facts: Callable[[RawLine], LineFacts],
        *,
        strict: bool,
        correction: Callable[[str, Working], Working] | None = None,
    ) -> None:
        """Keep the bill, what leads to its lines, and to a correction of a payer's part (A68)."""
        self._bill = bill
        # No method of its own: a cycle would be in memory until the collector finds it.
        self._correction = correction
        self._policy = policy
        self._coin = op.Coin(bill.currency, bill.places)
        self._lines = tuple(bill.raw_lines)
        self._facts = facts
        self._known: dict[int, LineFacts] = {}
        self._strict = strict

    def _of(self, at: int) -> LineFacts:
        """Return what leads to a line; it does not ask for the other lines, which may be wrong."""
        found = self._known.get(at)
        if found is None:
            found = self._known[at] = self._facts(self._lines[at])
        return found

    def total(self) -> Working:
        """Return how the total comes about, and what is payable where cash is rounded (A30)."""
        bill = self._bill
        vats = [("vat", self.vat_total(at)) for at in range(len(bill.raw_totals))]
        parts: list[op.NamedInput] = [("subtotal", self.subtotal()), *vats]
        rule = "EN 16931 BR-CO-15"
        found = self._agreed(op.total("total", rule, *parts), bill.total, "total", rule)
        cash = bill.cash_rounding
        if cash is None:
            return found
        step = self._policy.cash_rounding.get(bill.currency)
        if step is None:
            rounding = op.stated("cash rounding", cash, "A52", "as the bill states it")
        else:
            mode = self._policy.rounding
            near = op.rounded("payable step", "A52", step, mode, of=self._coin, total=found)
            rounding = op.difference("cash rounding", "A52", rounded=near, total=found)
            rounding = self._agreed(rounding, cash, "cash rounding", "A52")
        payable = op.total("payable", "EN 16931 BR-CO-16", total=found, cash=rounding)
        return self._agreed(payable, bill.payable, "payable", "EN 16931 BR-CO-16")

    def subtotal(self) -> Working:
        """Return how the subtotal comes about: the sum of the lines (A30)."""
        lines = [(f"line {at}", self.line(at - 1)) for at in range(1, len(self._lines) + 1)]
        rule = "EN 16931 BR-CO-10"
        return self._agreed(
            op.total("subtotal", rule, *lines), self._bill.subtotal, "subtotal", rule
        )

    def _stated_correction(self, path: str, _own: Working) -> Working:
        payer = self._bill.payer
        units = 0 if payer is None else payer.corrections[path]
        note = "as the bill of the payer states it"
        return op.stated("correction", self._coin.of_units(units), "A68", note)

    def _of_payer(self, own: Working, path: str) -> Working:
        """Return a figure with the units that make it add up with other payers' figures (A68)."""
        payer = self._bill.payer
        if payer is None or path not in payer.corrections:
            return own
        alone = replace(own, label=f"own {own.label}")
        correction = self._correction or self._stated_correction
        return op.total(own.label, "A68", own=alone, correction=correction(path, alone))

    def _agreed(self, working: Working, figure: Amount, label: str, rule: str) -> Working:
        """Return a working that leads to a figure; else a read bill's figure is stated."""
        if self._strict:
            return agreed(working, figure, f"a {label}")
        if working.result == figure:
            return working
        note = f"as the bill states it; its parts lead to {working.result_text}"
        return Working(label, "stated", (("its parts", working),), figure, rule, note)

    def vat_total(self, at: int) -> Working:
        """Return how one VAT total comes about (A29, A30)."""
        vat, units, _ = self._bill.raw_totals[at]
        category = mode, rate = vat.category
        label = f"VAT {mode}" + (f" {percent(rate)}" if rate else "")
        figure = self._coin.of_units(units)
        lines = [
            place
            for place, (figures, _, _) in enumerate(self._lines)
            if figures.vat.category == category
        ]
        group = self._lines[lines[0]][0].group if lines else VatGroup(vat)
        if not group.taxed:
            return self._agreed(
                op.stated(label, self._coin.of_units(0), "A30", "no VAT is charged"),
                figure,
                label,
                "A30",
            )
        if not lines:
            return op.stated(label, figure, "A30", "as the bill states it: no line has it")
        if self._policy.vat_rounding == "per_line":
            named = [(f"VAT of line {place + 1}", self._vat_of_line(place)) for place in lines]
            found = op.total(label, "A29", *named)
        else:
            found = self._vat_of_group(label, group, lines)
        found = self._of_payer(found, f"vatTotals[{at}].amount")
        return self._agreed(found, figure, label, found.rule)

    def _rate(self, group: VatGroup) -> Working:
        return op.stated("tax rate", group.rate, "A28")

    def _vat_of_group(self, label: str, group: VatGroup, lines: Sequence[int]) -> Working:
        """Return the VAT of all lines of a rate, rounded once (A29)."""
        if group.inclusive:
            gross = self._gross(lines)
            exact = op.inside("exact VAT", "A29", gross=gross, tax_rate=self._rate(group))
        else:
            named = [(f"line {place + 1}", self._of(place).base) for place in lines]
            base = op.total("net of the rate", "A30", *named)
            exact = op.product("exact VAT", _PER_RATE, net=base, tax_rate=self._rate(group))
        rule = "A29" if group.inclusive else _PER_RATE
        return self._to_minor(label, exact, rule)

    def _gross(self, lines: Sequence[int]) -> Working:
        """Return the gross of an Inclusive group (A29)."""
        named = [(f"line {place + 1}", self._of(place).base) for place in lines]
        return op.total("gross of the rate", "A29", *named)

    def _vat_of_line(self, at: int) -> Working:
        """Return the VAT of one line by itself (A29)."""
        figures, base = self._lines[at][0], self._of(at).base
        rate = self._rate(figures.group)
        if figures.group.inclusive:
            exact = op.inside("exact VAT", "A29", gross=base, tax_rate=rate)
        else:
            exact = op.product("exact VAT", "A29", net=base, tax_rate=rate)
        return self._to_minor(f"VAT of line {at + 1}", exact, "A29")

    def _to_minor(self, label: str, exact: Working, rule: str) -> Working:
        """Return an amount rounded to the minor unit as the bill's policy says."""
        coin, mode = self._coin, self._policy.rounding
        return coin.rounded(label, rule, mode, exact=exact)

    def line(self, at: int) -> Working:
        """Return how one line comes about: its net price, unit price, period, due date and VAT."""
        figures = self._lines[at][0]
        facts = self._of(at)
        net = facts.base
        if figures.group.inclusive:
            net = self._net(at)
        net = self._of_payer(net, f"pendingBillLineItems[{at}].netPrice")
        figure = self._coin.of_units(figures.net)
        net = self._agreed(net, figure, "net price", "A29")
        inputs: list[op.NamedInput] = [("net price", net), *self._unit_price(figures, facts)]
        inputs += [("accounting period", facts.days), ("due date", facts.due), ("vat", facts.vat)]
        name = figures.product_key
        if figures.description:
            name = f"{figures.description} ({name})"
        note = f"{name}, {_KINDS[figures.kind]}"
        return op.together(f"line {at + 1}", "A21", *inputs, note=note)

    def _unit_price(self, figures: LineFigures, facts: LineFacts) -> list[op.NamedInput]:
        """Return the printed unit price, where it differs from the line."""
        if figures.quantity == 1 or facts.exact is None:
            return []
        own = self._policy.for_product(figures.product_key)
        quantity = _as_decimal(facts.quantity, figures.quantity)
        coin, mode, label = line_coin(figures), own.rounding, "unit price as printed"
        found = op.printed(label, "A21", facts.base, quantity, facts.exact, coin, mode)
        figure = Amount.unchecked(figures.amount, figures.currency)
        return [("unit price", self._agreed(found, figure, "unit price", "A21"))]

    def _net(self, at: int) -> Working:
        """Return the net price of an Inclusive line (A29)."""
        figures = self._lines[at][0]
        base = self._of(at).base
        if self._policy.vat_rounding == "per_line":
            vat = self._vat_of_line(at)
            return op.difference("net price", "A29", gross=base, VAT=vat)
        group = figures.group
        first = self._first_net(at, "net price")
        if first.result == self._coin.of_units(figures.net):
            return first
        lines = [
            place
            for place, (other, _, _) in enumerate(self._lines)
            if other.group.vat.category == group.vat.category
        ]
        gross = self._gross(lines)
        vat = self._vat_of_group("VAT of the rate", group, lines)
        net = op.difference("net of the rate", "A29", gross=gross, VAT=vat)
        nets = [(f"line {place + 1}", self._first_net(place, "first net")) for place in lines]
        guessed = op.total("sum of the first nets", "A29", *nets)
        missing = op.difference("missing", "A29", net=net, sum=guessed)
        residues = [self._residue(place) for place in lines]
        place = lines.index(at) + 1
        step = op.corrected("correction", "A29", missing, place, residues, self._coin)
        first = self._first_net(at, "first net")
        return op.total("net price", "A29", first_net=first, correction=step)

    def _first_net(self, at: int, label: str) -> Working:
        """Return the net of an Inclusive line before the nets of its group are corrected (A29)."""
        group, base = self._lines[at][0].group, self._of(at).base
        factor = op.total("gross over net", "A29", whole=1, tax_rate=self._rate(group))
        exact = op.quotient("exact net", "A29", gross=base, factor=factor)
        return self._to_minor(label, exact, "A29")

    def _residue(self, at: int) -> Fraction:
        """Return the exact net of an Inclusive line less its rounded net, in minor units."""
        first = self._first_net(at, "first net")
        exact = op.number_of(self._of(at).base) / (1 + Fraction(self._lines[at][0].group.rate))
        return (exact - op.number_of(first)) * Fraction(10**self._coin.places)


def _as_decimal(quantity: Working, value: Decimal) -> Working:
    """Return the quantity of a line, as the number that is printed."""
    return quantity if quantity.result == value else op.stated("quantity", value, "A21")
