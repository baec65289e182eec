"""Diagnoses: which choice of a policy turns the expected bills into the actual ones.

Law: a cause is only told where recomputing under it gives the actual figure; nobody guesses.
What does not live here: what differs (`comparisons`), what the choices mean (`policy`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final, get_args

from rentbilling.bill_checks import Judge
from rentbilling.bills import pending_bills
from rentbilling.choices import WORDS
from rentbilling.errors import RentBillingError
from rentbilling.indices import AnyIndices
from rentbilling.periods import Period
from rentbilling.policy import BillingPolicy
from rentbilling.results import PendingBill
from rentbilling.stated_bills import Category, StatedBill
from rentbilling.terms import LeaseTerms
from rentbilling.vat_checks import vat_of_group

_TRIED: Final = tuple(name for name in WORDS if name not in ("period_end", "missing_index"))
"""Fields of a policy that are tried: words that change figures or days."""
_MOST: Final = 2
"""Fields that are changed together."""

Change = tuple[str, Any]


def causes_of_vat(bill: StatedBill, category: Category, policy: BillingPolicy) -> Iterator[str]:
    """Give the ways of rounding by which a bill's own lines lead to the VAT that it states.

    Args:
        bill: The actual bill.
        category: The mode and rate.
        policy: The policy of the expected bill, which is not among them.

    Yields:
        What was done, in words, what changes least first.
    """
    lines = [line for line in bill.lines if line.category == category]
    stated = [total.tax for total in bill.totals if total.category == category]
    if not lines or not stated or not category.taxed:
        return
    base = sum((line.net for line in lines), Fraction(0))
    ways = {"per_rate": "once for the rate", "per_line": "for each line"}
    for mode, way in product(get_args(WORDS["rounding"]), ways):
        tried = policy.evolve(rounding=mode, vat_rounding=way)
        found = vat_of_group(Judge(bill, tried), way, category, base, lines)
        if found == stated[0] and tried != policy:
            said = []
            if way != policy.vat_rounding:
                said.append(f"rounded {ways[way]} instead of {ways[policy.vat_rounding]}")
            if mode != policy.rounding:
                said.append(f"rounded {mode} instead of {policy.rounding}")
            yield ", ".join(said)


def policies_that_give(
    actual: Sequence[PendingBill],
    terms: LeaseTerms,
    period: Period,
    policy: BillingPolicy,
    indices: AnyIndices,
    same: Callable[[Iterable[PendingBill], Iterable[PendingBill]], bool],
) -> Iterator[str]:
    """Give the smallest changes of a policy under which the terms lead to the actual bills.

    Args:
        actual: The actual bills.
        terms: The terms that the expected ones come from.
        period: The asked period.
        policy: The policy of the expected ones.
        indices: The index series.
        same: Whether bills say the same.

    Yields:
        The changes, in words: one field where that does it, else two.
    """
    for count in range(1, _MOST + 1):
        found = False
        for names in combinations(_TRIED, count):
            for changes in product(*(_others(policy, name) for name in names)):
                if same(_bills(terms, period, policy, indices, changes), actual):
                    found = True
                    told = ", ".join(f"{name}={value!r}" for name, value in changes)
                    yield f"the policy with {told} gives the actual bills"
        if found:
            return


def _others(policy: BillingPolicy, name: str) -> list[Change]:
    """Return the other words of a field."""
    now = getattr(policy, name)
    return [(name, word) for word in get_args(WORDS[name]) if word != now]


def _bills(
    terms: LeaseTerms,
    period: Period,
    policy: BillingPolicy,
    indices: AnyIndices,
    changes: Iterable[Change],
) -> Sequence[PendingBill]:
    """Return the bills under a changed policy; none where it cannot be followed."""
    try:
        tried = policy.evolve(**dict(changes))
        return pending_bills(terms, period, policy=tried, indices=indices)
    except RentBillingError:
        return ()
