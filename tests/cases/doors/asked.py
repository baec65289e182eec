"""What a door gets, and what a door is."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import rentbilling as rb
from tests.cases.case import ASKED, Case, Question
from tests.cases.outcome import Data, Json, outcome_of, written


class Asked:
    """One question of a case: its terms, period and policy, and what came of it for one lease."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.function, self.period = question.function, question.period
        self.case: Case = question.case
        self.terms, self.policy, self.indices = self.case.terms, self.case.policy, self.case.indices
        self.result = question.result

    @cached_property
    def own(self) -> str:
        """The outcome of the result alone, without parts of payers."""
        return outcome_of(self.question.written[0])

    @property
    def has_earlier_bills(self) -> bool:
        return "already_billed" in self.case.data

    @cached_property
    def bills(self) -> rb.BillingResult:
        """The bills of the period, with the adjustments: also where these alone are asked for."""
        if self.function == "bill_period":
            bills: rb.BillingResult = self.result
            return bills
        return rb.bill_period(self.terms, self.period, **self.case.asking())

    @cached_property
    def written(self) -> Data:
        """The bills as JSON in full has them."""
        asked_for = self.function == "bill_period"
        return self.question.written[0] if asked_for else written(self.bills)

    @cached_property
    def own_bills(self) -> str:
        return outcome_of(self.written)

    def again(self, terms: rb.LeaseTerms, **changes: Json) -> str:
        """Return what comes of the question for other terms, or another policy or series."""
        ask = ASKED[self.function]
        return outcome_of(written(ask(terms, self.period, **self.case.asking(**changes))))


Silent = Mapping[str, Callable[[Asked], bool]]


class Door(NamedTuple):
    """Another way to the same figures."""

    check: Callable[[Asked], None]
    """Asserts that it comes to what one lease came to."""
    silent: Silent = MappingProxyType({})
    """Why it cannot say a case, and which."""

    def reason(self, asked: Asked) -> str:
        """Return why it cannot say a case; empty where it can."""
        return next((said for said, is_so in self.silent.items() if is_so(asked)), "")


def first_day(terms: rb.LeaseTerms) -> date:
    """Return the first day of the opening periods; of a lease without any, one of its own."""
    openings = (each.first_billing_period_bill_item for each in terms.recurring_bill_items)
    return min((each.accounting_period.start for each in openings), default=date(2026, 1, 31))


def same(expected: str, found: str) -> None:
    """Assert that two outcomes are equal."""
    assert expected == found, difference(expected, found)


def difference(expected: str, found: str) -> str:
    """Return the lines of two outcomes that differ."""
    gone, new = (set(each.splitlines()) for each in (expected, found))
    apart = [f"- {each}" for each in expected.splitlines() if each not in new]
    apart += [f"+ {each}" for each in found.splitlines() if each not in gone]
    return "\n".join(["differs:", *apart])
