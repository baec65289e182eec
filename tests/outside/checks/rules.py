"""Judging the arithmetic rules of the validators by what the checks find.

A fragment states a rule, a few facts of a document, and whether the rule holds (success) or fires
(error, warning). Where it holds, no error may name the rule; where it fires, one must. The slack
that a rule grants is granted: 0.02 for a line, less than 1 for base and VAT of a rate.
Rules that are not about arithmetic are left out, as they are by the judge of our sums; so are those
about figures that a bill does not state: the base of an allowance (R040), a price before its
discount (R046).
"""

import re
from typing import Final

from rentbilling import BillingPolicy, Finding
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.checks.documents import errors_of
from tests.outside.vat.fragments import is_arithmetic

_UNSTATED: Final = frozenset({"PEPPOL-EN16931-R040", "PEPPOL-EN16931-R046"})
_NAMES: Final = re.compile(r"[A-Z0-9]+(?:-[A-Z0-9]+)+")


def judge(case: Case, _head: Head) -> Verdict:
    rule = str(case["rule"])
    if not is_arithmetic(rule):
        return not_expressible(f"not an arithmetic rule: {rule}")
    if rule in _UNSTATED:
        return not_expressible(f"a figure that a bill does not state: {rule}")
    errors = errors_of(case["facts"], BillingPolicy(), tolerant=True)
    named = [each for each in errors if rule in names(each)]
    if (case["expect"] == "success") is not bool(named):
        return PASSED
    if named:
        return failed(f"{rule} holds, but is found broken: {named[0]}")
    return failed(f"{rule} fires, but no error names it: {[str(each) for each in errors]}")


def names(finding: Finding) -> frozenset[str]:
    return frozenset(_NAMES.findall(finding.rule))
