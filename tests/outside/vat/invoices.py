"""Judging the invoices of the outside corpora.

Each file states of each invoice what it is worth: `check.oracle` says which of its parts (lines,
groups, totals) follow from their inputs, `check.verdict` why the others do not. So:

- A part that is marked true must come out to the last cent, whatever the verdict: under the default
  policy, or under the policy that a named convention means.
- `exact`: nothing else is judged. A part that is marked false is not there to be computed.
- `within_standard_tolerance`: the document is off by less than its standard forgives. We compute
  the exact figure, so the printed one must lie as near to ours (0.02 for a line, 1 for the rest).
- `other_convention`: the other parts must come out under the policy that the named convention
  means; a convention that no policy says is not expressible, by its name.
- `inconsistent_document`, mutants among them: the document contradicts itself, so a right
  computation cannot agree with it. Passed when ours differs in a part that is marked false: that
  is the finding which a reader of our bill would make. Failed when we agree with a contradiction;
  but where it lies only in rates of a category that charges no VAT, nothing of ours depends on
  it (A30), and the case is not expressible.

Two things in a document have no counterpart here: VAT that an invalid one charges on a category
which charges none, and VAT that is stated in another currency than the rest.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType

from rentbilling import BillingPolicy
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.vat.categories import Key, charges_nothing, key_of
from tests.outside.vat.documents import Document, read
from tests.outside.vat.figures import GROUPS, LINES, TOTALS, Figure, figures

_PLACES = MappingProxyType({"rounded_to_whole": 0, "rounded_to_2_places": 2})
_LINE_TOLERANCE = Decimal("0.02")
_TOLERANCE = Decimal(1)
_NAMED = 3
"""Figures that a reason names."""


def judge(case: Case, _head: Head) -> Verdict:
    trusted: Mapping[str, bool] = case["check"]["oracle"]
    document = read(case, _free(case))
    unsaid = unsaid_of(case, document)
    if unsaid:
        return not_expressible(unsaid)
    found = figures(document, trusted, policy_of(case))
    wrong = [figure for figure in found if figure.printed != figure.ours]
    broken = [figure for figure in wrong if trusted[figure.part]]
    if broken:
        return failed(_named(broken))
    return _of_the_rest(case, wrong)


def _of_the_rest(case: Case, wrong: Sequence[Figure]) -> Verdict:
    """Return the verdict once every part that is marked true has come out."""
    match case["check"]["verdict"]:
        case "inconsistent_document" if not wrong:
            if is_about_untaxed_rates(case):
                return not_expressible("rates within a category that charges no VAT")
            return failed("our figures agree with a document that contradicts itself")
        case "within_standard_tolerance":
            far = [figure for figure in wrong if not _is_near(figure)]
            return failed(_named(far)) if far else PASSED
        case "other_convention" if wrong:
            return not_expressible(_convention(case, wrong))
        case _:
            return PASSED


def _named(wrong: Sequence[Figure]) -> str:
    return "; ".join(str(figure) for figure in wrong[:_NAMED])


def _is_near(figure: Figure) -> bool:
    forgiven = _LINE_TOLERANCE if figure.part == LINES else _TOLERANCE
    return abs(figure.printed - figure.ours) <= forgiven


def unsaid_of(case: Case, document: Document) -> str:
    """Return what a document says that a bill of ours cannot, or nothing."""
    trusted = case["check"]["oracle"]
    charged = [group for group in document.groups if group.key[1] is None and group.tax]
    if charged and trusted[GROUPS] and case["nominal"] != "valid":
        return f"VAT charged on category {charged[0].category}, which charges none"
    elsewhere = "tax_total_other_currency" in case and "tax_total" not in document.totals
    if elsewhere and trusted[TOTALS]:
        return "VAT stated in another currency only"
    return ""


def is_about_untaxed_rates(case: Case) -> bool:
    """Return whether every contradiction that the check found lies in an untaxed category."""
    categories = [exception.get("category") for exception in case["check"]["exceptions"]]
    return all(charges_nothing(category) for category in categories)


def classes_of(case: Case) -> list[str]:
    found = (exception.get("class") for exception in case["check"]["exceptions"])
    return list(dict.fromkeys(name for name in found if name))


def _convention(case: Case, wrong: Sequence[Figure]) -> str:
    """Return the convention of a document in words: what its total leaves out, or its names."""
    parts = [part for part, agrees in case["check"]["oracle"].items() if not agrees]
    untaxed = [
        Decimal(charge["amount"])
        for charge in case["document_charges"]
        if charge["amount"] is not None and charges_nothing(charge["category"])
    ]
    if parts == [TOTALS]:
        missing = {figure.ours - figure.printed for figure in wrong}
        if missing == {Decimal(case.get("withholding_tax", 0))}:
            return "a total without what is withheld"
        if missing == {sum(untaxed, Decimal(0))}:
            return "a total without charges that bear no VAT"
    names = ", ".join(name.replace("_", " ") for name in classes_of(case))
    return f"{names}: the convention of its {', '.join(parts)}"


def policy_of(case: Case) -> BillingPolicy | None:
    """Return the policy that the convention of a document means; None for the default one."""
    if case["check"]["verdict"] not in {"other_convention", "within_standard_tolerance"}:
        return None
    for name in classes_of(case):
        if name in _PLACES:
            return BillingPolicy(currencies={case["currency"]: _PLACES[name]})
        if name == "per_line":
            return BillingPolicy(vat_rounding="per_line")
    return None


def _free(case: Case) -> frozenset[Key]:
    """Return what a document shows at a rate and charges no VAT for, by its own convention."""
    if case["check"]["verdict"] != "other_convention":
        return frozenset()
    return frozenset(
        key_of(exception["category"], exception["rate"])
        for exception in case["check"]["exceptions"]
        if exception.get("class") == "zero_tax_at_rate"
    )
