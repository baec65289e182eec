"""A bill split as on paper: from the assumptions alone, with exact fractions of the main unit.

Law: it reads the public figures of a bill; every unit that is left over is handed out by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import floor

from rentbilling import BillingPolicy, PendingBill
from tests.oracle.answers import told_vat
from tests.oracle.bills import ZERO, vat_group
from tests.oracle.rounding import minor_units, rounded

TAXED = ("Exclusive", "Inclusive")


@dataclass(frozen=True)
class ToldPart:
    """What one payer pays."""

    nets: tuple[Fraction, ...]
    vats: tuple[Fraction, ...]
    """By VAT total of the bill."""

    @property
    def total(self) -> Fraction:
        return sum(self.nets, ZERO) + sum(self.vats, ZERO)


def shared(amount: Fraction, weights: Sequence[Fraction], quantum: Fraction) -> list[Fraction]:
    """Return an amount by largest remainders, unit after unit to the payer who lacks most (A64)."""
    sign = -1 if amount < 0 else 1
    wanted = [abs(amount) * weight / sum(weights) for weight in weights]
    parts = [floor(each / quantum) * quantum for each in wanted]
    while sum(parts) < abs(amount):
        lacking = [each - part for each, part in zip(wanted, parts, strict=True)]
        parts[lacking.index(max(lacking))] += quantum
    return [sign * part for part in parts]


def split_by_oracle(
    bill: PendingBill, weights: Sequence[Fraction], policy: BillingPolicy
) -> list[ToldPart]:
    """Return the parts of payers by fractions (A68)."""
    quantum = Fraction(1, 10 ** minor_units(bill.currency, policy))
    vats = [told_vat(total.vat) for total in bill.vat_totals]
    # Gross where VAT is inside, else net.
    own = [
        rounded(Fraction(line.amount.amount) * Fraction(line.quantity), quantum, policy.rounding)
        if line.vat.tax_mode == "Inclusive"
        else Fraction(line.net_price.amount)
        for line in bill.lines
    ]
    by_line = [shared(each, weights, quantum) for each in own]
    parts: list[ToldPart] = []
    for payer in range(len(weights)):
        nets: dict[int, Fraction] = {}
        amounts = []
        for vat in vats:
            money = {
                at: by_line[at][payer]
                for at, line in enumerate(bill.lines)
                if told_vat(line.vat) == vat
            }
            group = vat_group(vat, money, quantum, policy)
            nets |= group.nets
            amounts.append(group.amount)
        parts.append(ToldPart(tuple(nets[at] for at in sorted(nets)), tuple(amounts)))
    taker = max(range(len(weights)), key=lambda payer: weights[payer])
    left_nets = [
        Fraction(line.net_price.amount)
        - sum((part.nets[at] for payer, part in enumerate(parts) if payer != taker), ZERO)
        for at, line in enumerate(bill.lines)
    ]
    left_vats = [
        Fraction(total.amount.amount)
        - sum((part.vats[at] for payer, part in enumerate(parts) if payer != taker), ZERO)
        for at, total in enumerate(bill.vat_totals)
    ]
    parts[taker] = ToldPart(tuple(left_nets), tuple(left_vats))
    return parts


def can_be_made(wanted: Fraction, bill: PendingBill, policy: BillingPolicy) -> bool:
    """Return whether any parts of a bill's nets, each with its VAT, make an amount (A68).

    For bills of a few lines and few units, whose VAT is rounded for each rate.
    """
    quantum = Fraction(1, 10 ** minor_units(bill.currency, policy))
    made: list[set[Fraction]] = []
    for total in bill.vat_totals:
        vat = told_vat(total.vat)
        whole = Fraction(total.base.amount)
        if vat.mode == "Inclusive":
            whole += Fraction(total.amount.amount)
        units = [at * quantum for at in range(int(whole / quantum) + 1)]
        rate = vat.rate if vat.mode == "Exclusive" else None
        made.append(
            {each + rounded(each * (rate or 0), quantum, policy.rounding) for each in units}
        )
    return any(sum(each) == wanted for each in product(*made))
