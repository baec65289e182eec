"""VAT checks: the VAT totals of a bill against its lines.

Laws: a group is judged by the policy's convention first; a figure that another convention gives is
no contradiction, and the finding says which one it is. An Inclusive group is judged by the gross of
its lines (A29).
What does not live here: prices and sums (`bill_checks`).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from rentbilling.bill_checks import Judge
from rentbilling.findings import Finding
from rentbilling.policy import BillingPolicy
from rentbilling.stated_bills import Category, StatedLine, StatedTotal

_RULES: Final = "EN 16931 BR-S-08"
_ORDER: Final = ("per_rate", "per_line")


def vat_findings(judge: Judge, policy: BillingPolicy, tolerance: Fraction) -> Iterator[Finding]:
    """Give what is wrong with the VAT totals.

    Args:
        judge: Of the bill.
        policy: Says whether VAT is rounded for each rate or for each line.
        tolerance: By how much a VAT may be off and be no error, in the main unit.

    Yields:
        The findings, in order of the VAT totals.
    """
    bill = judge.bill
    lines: dict[Category, list[StatedLine]] = {}
    for line in bill.lines:
        lines.setdefault(line.category, []).append(line)
    seen: set[Category] = set()
    for total in bill.totals:
        category = total.category
        if category in seen:
            said, rule = "stands there twice", "EN 16931 BG-23, A30"
            met, expected = str(category), "one total for each mode and rate"
            path = f"{total.path}.vat"
            yield Finding("vat_total_repeated", "error", path, said, met, expected, rule)
            continue
        seen.add(category)
        if category not in lines:
            yield from _without_lines(judge, total)
            continue
        yield from _base(judge, total, lines[category])
        yield from _tax(judge, policy, total, lines[category], tolerance)
    for category, group in lines.items():
        if category not in seen:
            net = judge.written(sum((line.net for line in group), Fraction(0)))
            said = f"has none for {category}, of which there are lines"
            path, rule = "vatTotals", "EN 16931 BR-CO-18, A30"
            yield Finding(
                "vat_total_missing", "error", path, said, "nothing", f"the VAT on {net}", rule
            )


def _without_lines(judge: Judge, total: StatedTotal) -> Iterator[Finding]:
    """Judge a VAT total that no line belongs to."""
    nothing = Fraction(0)
    if total.tax or total.base:
        said = f"belongs to no line: there is none of {total.category}"
        figures, path = (total.base or total.tax, nothing), f"{total.path}.vat"
        yield judge.finding("vat_total_without_lines", path, said, figures, _RULES)


def _base(judge: Judge, total: StatedTotal, lines: Sequence[StatedLine]) -> Iterator[Finding]:
    """Judge the base of a VAT total: the sum of the nets."""
    nets = sum((line.net for line in lines), Fraction(0))
    if total.base is not None and total.base != nets:
        said, figures = "is not the sum of its lines", (total.base, nets)
        yield judge.finding("vat_base", f"{total.path}.base", said, figures, _RULES)


def _tax(
    judge: Judge,
    policy: BillingPolicy,
    total: StatedTotal,
    lines: Sequence[StatedLine],
    tolerance: Fraction,
) -> Iterator[Finding]:
    """Judge the VAT of a group."""
    category, path = total.category, f"{total.path}.amount"
    nets = sum((line.net for line in lines), Fraction(0))
    if not category.taxed:
        if total.tax:
            said, figures = f"charges VAT on {category.name}", (total.tax, Fraction(0))
            rule = "EN 16931 BR-E-09, BR-AE-09"
            yield judge.finding("vat_on_untaxed", path, said, figures, rule)
        return
    base = nets if total.base is None else total.base
    found = {way: vat_of_group(judge, way, category, base, lines) for way in _ORDER}
    expected = found[policy.vat_rounding]
    if category.inclusive:
        yield from _gross(judge, total, base, lines)
    if total.tax == expected:
        yield from _of_gross(judge, total, base)
        return
    other = next(way for way in _ORDER if way != policy.vat_rounding)
    figures, rule = (total.tax, expected), "EN 16931 BR-CO-17"
    if total.tax == found[other]:
        ways = {"per_rate": "once for the rate", "per_line": "for each line"}
        said = f"is rounded {ways[other]} instead of {ways[policy.vat_rounding]}"
        yield judge.finding("vat_rounded_otherwise", path, said, figures, f"{rule}, A29", "warning")
    elif abs(total.tax - expected) <= tolerance:
        said = "is off by no more than the tolerance"
        yield judge.finding("vat_within_tolerance", path, said, figures, rule, "information")
    else:
        said = "is not base × rate"
        if category.inclusive:
            said, rule = "is not the VAT in the gross of its lines", "A29"
        yield judge.finding("vat_amount", path, said, figures, rule)


def vat_of_group(
    judge: Judge, way: str, category: Category, base: Fraction, lines: Sequence[StatedLine]
) -> Fraction:
    """Return the VAT of a group under a convention of rounding (A29).

    Args:
        judge: Rounds.
        way: `per_rate` or `per_line`.
        category: The mode and rate.
        base: What the bill states as the group's base, or the sum of its nets.
        lines: The lines of the group.

    Returns:
        The VAT, in the main unit.
    """
    rate = category.rate
    if not category.inclusive:
        if way == "per_rate":
            return judge.rounded(base * rate)
        return sum((judge.rounded(line.net * rate) for line in lines), Fraction(0))
    grosses = _grosses(judge, lines)
    if way == "per_rate":
        grosses = [sum(grosses, Fraction(0))]
    return sum((judge.rounded(gross * rate / (1 + rate)) for gross in grosses), Fraction(0))


def _grosses(judge: Judge, lines: Sequence[StatedLine]) -> list[Fraction]:
    """Return the gross of each line, rounded by itself (A29)."""
    one, nothing = Fraction(1), Fraction(0)
    return [
        judge.rounded_line(line, (line.quantity or one) * (line.unit or nothing) + line.extra)
        for line in lines
    ]


def _gross(
    judge: Judge, total: StatedTotal, base: Fraction, lines: Sequence[StatedLine]
) -> Iterator[Finding]:
    """Judge whether net and VAT of an Inclusive group make the gross that was promised (A29)."""
    gross = sum(_grosses(judge, lines), Fraction(0))
    if base + total.tax != gross:
        said, figures = "does not make the gross of its lines", (base + total.tax, gross)
        yield judge.finding("gross", total.path, f"with its base {said}", figures, "A29")


def _of_gross(judge: Judge, total: StatedTotal, base: Fraction) -> Iterator[Finding]:
    """Tell where keeping the gross makes the VAT differ from base × rate, which is right (A29)."""
    plain = judge.rounded(base * total.category.rate)
    if total.category.inclusive and plain != total.tax:
        said = "keeps the gross, so that it is not base × rate"
        figures, path = (total.tax, plain), f"{total.path}.amount"
        rule = "EN 16931 BR-CO-17, A29"
        yield judge.finding("vat_of_gross", path, said, figures, rule, "information")
