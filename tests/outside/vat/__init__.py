"""The judge of the cases about VAT, invoices and plain arithmetic.

A case says by its fields what it is, so files may have any name.
"""

from collections.abc import Set as AbstractSet

from tests.outside.board import Case, Judge
from tests.outside.vat import amounts, fragments, invoices, priced

_SHAPES: tuple[tuple[AbstractSet[str], Judge], ...] = (
    ({"vat_breakdown", "lines", "totals", "check"}, invoices.judge),
    ({"rule", "facts", "expect"}, fragments.judge),
    ({"rounding_method", "lines", "expected"}, priced.judge_tests),
    ({"prices_include", "tax_breakdown", "lines"}, priced.judge_example),
    ({"price_includes_tax", "lines", "expected"}, priced.judge_figures),
    ({"dividend", "divisor", "mode"}, amounts.judge_rounding),
    ({"ratios", "mode"}, amounts.judge_sharing),
    ({"parts", "mode"}, amounts.judge_sharing),
    ({"numeric", "minor_units"}, amounts.judge_currency),
)
"""Judges by the fields of a shape, the more specific ones first."""


def judge_of(case: Case) -> Judge | None:
    return next((judge for fields, judge in _SHAPES if fields <= case.keys()), None)
