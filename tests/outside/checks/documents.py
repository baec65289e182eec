"""Judging what the checks find on the invoices of the outside corpora.

`check.verdict` says what each document is worth, and so what must be found on it:

- `exact`: no error, in whichever part; any is a false alarm.
- `within_standard_tolerance`: no error once the slack of the standards is granted: a line within
  0.02 (PEPPOL-EN16931-R120), base and VAT of a rate within less than 1 (BR-S-08, BR-CO-17). Those
  that need it are counted.
- `other_convention`: passed when there is no error under the policy that the convention means;
  where no policy means it, not expressible, with what is found.
- `inconsistent_document`, mutants among them: at least one error. Where the contradiction is in
  nothing that a figure shows, it is not expressible by a reason of its own; every other miss fails.

Two kinds of findings lie outside of the check of a file: VAT on a category that charges
none, and VAT that no breakdown explains. In a file that is called invalid or a mutant such a
finding is right, and the case is not expressible rather than an alarm.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from rentbilling import BillingPolicy, Finding
from rentbilling.checks.check import stated_findings
from rentbilling.values import minor_units
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible, passed
from tests.outside.checks.stated import category_of, stated
from tests.outside.vat.documents import read
from tests.outside.vat.invoices import classes_of, is_about_untaxed_rates, policy_of, unsaid_of

LINE_SLACK: Final = Fraction(2, 100)
"""What PEPPOL-EN16931-R120 grants the net of a line."""
_NAMED: Final = 3
"""Findings that a reason names."""


def judge(case: Case, _head: Head) -> Verdict:
    policy = policy_of(case) or BillingPolicy()
    errors = errors_of(case, policy)
    match case["check"]["verdict"]:
        case "exact":
            return _of_right(case, errors)
        case "within_standard_tolerance":
            return _of_near(case, policy, errors)
        case "other_convention":
            return _of_convention(case, errors)
        case _:
            return _of_wrong(case, errors)


def errors_of(case: Case, policy: BillingPolicy, *, tolerant: bool = False) -> list[Finding]:
    currency = str(case.get("currency", "EUR"))
    places = policy.currencies.get(currency, minor_units(currency))
    bill = stated(case, places, LINE_SLACK if tolerant else Fraction(0))
    tolerance = less_than_one(places) if tolerant else Fraction(0)
    found = stated_findings(bill, policy, tolerance)
    return [each for each in found if each.severity == "error"]


def less_than_one(places: int) -> Fraction:
    return 1 - Fraction(1, 10**places)


def _of_right(case: Case, errors: Sequence[Finding]) -> Verdict:
    if not errors:
        return PASSED
    beside = unsaid_of(case, read(case))
    is_wrong = case["nominal"] != "valid"
    if not beside and is_wrong and not case["vat_breakdown"] and case["totals"].get("tax_total"):
        beside = "VAT that no breakdown explains"
    if beside:
        return not_expressible(f"{beside}: found {_named(errors)}")
    return failed(f"a false alarm: {_named(errors)}")


def _of_near(case: Case, policy: BillingPolicy, errors: Sequence[Finding]) -> Verdict:
    if not errors:
        return PASSED
    left = errors_of(case, policy, tolerant=True)
    if left:
        return failed(f"a false alarm: {_named(left)}")
    return passed(f"by the tolerance of the standards: {_named(errors)}")


def _of_convention(case: Case, errors: Sequence[Finding]) -> Verdict:
    names = ", ".join(name.replace("_", " ") for name in classes_of(case))
    if not errors:
        return passed(f"under its own convention: {names}")
    return not_expressible(f"a convention that no policy means: {names}: found {_named(errors)}")


def _of_wrong(case: Case, errors: Sequence[Finding]) -> Verdict:
    if errors:
        return passed(f"found: {_named(errors)}")
    reason = _hidden(case)
    if reason:
        return not_expressible(f"not found, {reason}")
    return failed("no error is found in a document that contradicts itself")


def _hidden(case: Case) -> str:
    exceptions = case["check"]["exceptions"]
    groups = [
        group
        for group in case["vat_breakdown"]
        if any(
            (group["category"], group["rate"]) == (each.get("category"), each.get("rate"))
            for each in exceptions
        )
    ]
    if all(each["what"] == "group_without_lines" for each in exceptions) and not any(
        _amounts(groups)
    ):
        return "a VAT total of nothing"
    if any(category_of(group["category"], group["rate"]) is None for group in groups):
        return "a VAT total that names neither category nor rate"
    return "rates within a category that charges no VAT" if is_about_untaxed_rates(case) else ""


def _amounts(groups: Iterable[Case]) -> list[Fraction]:
    stated_amounts = (group[name] for group in groups for name in ("taxable", "tax"))
    return [Fraction(text) for text in stated_amounts if text is not None]


def _named(findings: Sequence[Finding]) -> str:
    said = [f"{each.code} {each.path} {each.met} / {each.expected}" for each in findings]
    return "; ".join(said[:_NAMED])
