"""Checks of a bill's VAT totals against its lines.

Laws: a group is checked by the policy's convention first; a figure by another convention is not a
contradiction, and the finding names that convention. An Inclusive group is checked by the gross
of its lines (A29). If lines or totals name no VAT, a VAT is checked by its stated base, and all
bases by the subtotal.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from rentbilling.checks.bill_rules import BillChecker, net_of
from rentbilling.checks.finding import Finding, Severity
from rentbilling.checks.stated_bill import Category, StatedBill, StatedLine, StatedTotal
from rentbilling.errors import shown
from rentbilling.policy import BillingPolicy
from rentbilling.values import TAX_MODES, decimal_of

_ORDER: Final = ("per_rate", "per_line")
_FAMILIES: Final = MappingProxyType(
    {
        "Exclusive": "S",
        "Inclusive": "S",
        "Exempt": "E",
        "ReverseCharge": "AE",
        "S": "S",
        "Z": "Z",
        "E": "E",
        "AE": "AE",
        "K": "IC",
        "G": "G",
        "O": "O",
        "L": "AF",
        "M": "AG",
    }
)
"""Names of a category in the rules of EN 16931: BR-IC-08 is for category K."""


_ZERO: Final = Fraction(0)


class _Group(NamedTuple):
    """A VAT total of one category, or several together, with its lines."""

    path: str
    category: Category
    tax: Fraction | None
    base: Fraction | None
    lines: Sequence[StatedLine]
    """Empty if they are unknown."""
    correction: Fraction = Fraction(0)
    """The VAT above its own one, as the bill of a payer states it (A68)."""

    @property
    def net(self) -> Fraction:
        """The sum of the lines."""
        return _sum(line.net for line in self.lines)


def _sum(figures: Iterable[Fraction]) -> Fraction:
    """Return a sum; 0 without figures."""
    first, *rest = [*figures] or [_ZERO]
    return sum(rest, first)


def vat_findings(
    checker: BillChecker, policy: BillingPolicy, tolerance: Fraction
) -> Iterator[Finding]:
    bill = checker.bill
    parts: tuple[StatedLine | StatedTotal, ...] = (*bill.lines, *bill.totals)
    is_grouped = bill.has_lines and all(part.category is not None for part in parts)
    lines = _by_category(bill.lines) if is_grouped else {}
    totals = _by_category(bill.totals)
    for category, same in totals.items():
        whole = _together(category, same, lines.get(category, ()))
        found: list[Finding] = []
        if whole.lines:
            found += _base(checker, whole, tolerance)
        elif is_grouped:
            found += _without_lines(checker, whole)
        if not category.known:
            found.append(_unknown(whole))
        for group in _taxed_apart(policy, whole, same) if category.known else ():
            found += _tax(checker, policy, group, tolerance)
        yield from _repeated(category, same, found)
    if not is_grouped:
        yield from _bases(checker, tolerance)
    for category, unstated in lines.items():
        if category not in totals:
            yield _missing(checker, category, _sum(line.net for line in unstated))


def _unknown(group: _Group) -> Finding:
    """Return the finding of an unknown tax mode, whose VAT cannot be computed (A27)."""
    path, met = f"{group.path}.vat.taxMode", shown(group.category.name)
    said, expected = "is an unknown tax mode, so its VAT is not checked", ", ".join(TAX_MODES)
    return Finding("unknown_tax_mode", "warning", path, said, met, f"one of {expected}", "A27")


_Stated = TypeVar("_Stated", StatedLine, StatedTotal)


def _by_category(parts: Iterable[_Stated]) -> dict[Category, list[_Stated]]:
    """Return lines or VAT totals by their category; those without one are left out."""
    found: dict[Category, list[_Stated]] = {}
    for part in parts:
        if part.category is not None:
            found.setdefault(part.category, []).append(part)
    return found


def _together(
    category: Category, totals: Sequence[StatedTotal], lines: Sequence[StatedLine]
) -> _Group:
    """Return the VAT totals of a category as one; its VAT or base may be unknown."""
    taxes = [total.tax for total in totals if total.tax is not None]
    bases = [total.base for total in totals if total.base is not None]
    return _Group(
        totals[0].path,
        category,
        _sum(taxes) if len(taxes) == len(totals) else None,
        _sum(bases) if len(bases) == len(totals) else None,
        lines,
        _sum(total.correction for total in totals),
    )


def _taxed_apart(
    policy: BillingPolicy, whole: _Group, totals: Sequence[StatedTotal]
) -> Iterator[_Group]:
    """Yield the groups whose VAT is checked: each of several totals by its base, or the whole."""
    by_base = whole.base is not None and not whole.category.inclusive
    if len(totals) == 1 or not by_base or policy.vat_rounding == "per_line":
        yield whole
        return
    for total in totals:
        own = total.tax, total.base, (), total.correction
        yield _Group(total.path, whole.category, *own)


def _repeated(
    category: Category, totals: Sequence[StatedTotal], found: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield the findings of a category, and a finding for several totals."""
    # A repeated total is the error itself if it makes the bill wrong; else it is unusual.
    wrong = any(each.severity == "error" for each in found)
    again = len(totals) > 1 and len({(total.tax, total.base) for total in totals}) == 1
    severity: Severity = "error" if wrong and again else "warning"
    if severity == "warning":
        yield from found
    said, rule = "is repeated", "EN 16931 BG-23, A30"
    met, expected = str(category), "one total for each mode and rate"
    for total in totals[1:]:
        path = f"{total.path}.vat"
        yield Finding("vat_total_repeated", severity, path, said, met, expected, rule)


def _rule(category: Category, number: str) -> str:
    """Return the rule of a category: BR-S-08, say, or BG-23 where it has none of its own."""
    family = _FAMILIES.get(category.name)
    if family is None:
        return "BG-23"
    # A rate of 0 percent is zero rated.
    zero = family == "S" and not category.rate
    return f"BR-{'Z' if zero else family}-{number}"


def _missing(checker: BillChecker, category: Category, net: Fraction) -> Finding:
    """Return the finding of lines without a VAT total; a warning if they are 0 together."""
    said = f"has none for {category}, of which there are lines"
    rule, expected = f"EN 16931 BR-CO-18, {_rule(category, '01')}, A30", checker.written(net)
    severity: Severity = "error" if net else "warning"
    code, path = "vat_total_missing", "vatTotals"
    return Finding(code, severity, path, said, "nothing", f"the VAT on {expected}", rule)


def _without_lines(checker: BillChecker, group: _Group) -> Iterator[Finding]:
    nothing = Fraction(0)
    if group.tax or group.base:
        said = f"belongs to no line: there is none of {group.category}"
        figures, path = (group.base or group.tax or nothing, nothing), f"{group.path}.vat"
        rule = f"EN 16931 {_rule(group.category, '08')}"
        yield checker.finding("vat_total_without_lines", path, said, figures, rule)


def _base(checker: BillChecker, group: _Group, tolerance: Fraction) -> Iterator[Finding]:
    """Check the base of a VAT total: the sum of the nets."""
    if group.base is not None and group.base != group.net:
        path, said = f"{group.path}.base", "is not the sum of its lines"
        rule = f"EN 16931 {_rule(group.category, '08')}"
        slack = tolerance if group.category.rate else Fraction(0)
        yield _of_base(checker, path, said, (group.base, group.net), rule, slack)


def _bases(checker: BillChecker, tolerance: Fraction) -> Iterator[Finding]:
    """Check all bases together, if lines or totals name no VAT."""
    bill = checker.bill
    bases = [total.base for total in bill.totals if total.base is not None]
    net = net_of(bill) if bill.subtotal is None else bill.subtotal
    if net is None or not bases or len(bases) < len(bill.totals) or _sum(bases) == net:
        return
    said, rule = "have bases that do not add up to the subtotal", "EN 16931 BT-116, BT-109"
    yield _of_base(checker, "vatTotals", said, (_sum(bases), net), rule, tolerance)


def _of_base(
    checker: BillChecker,
    path: str,
    said: str,
    figures: tuple[Fraction, Fraction],
    rule: str,
    tolerance: Fraction,
) -> Finding:
    """Return the finding of a base: an error, or information within a tolerance."""
    if abs(figures[0] - figures[1]) > tolerance:
        return checker.finding("vat_base", path, said, figures, rule)
    code, said = "vat_within_tolerance", "is off by no more than the tolerance"
    return checker.finding(code, path, said, figures, rule, "information")


def _tax(
    checker: BillChecker, policy: BillingPolicy, group: _Group, tolerance: Fraction
) -> Iterator[Finding]:
    """Check the VAT of a group, if its lines or its stated base determine it."""
    category, tax, lines = group.category, group.tax, group.lines
    if tax is None:
        return
    if not category.taxed:
        if tax:
            said, figures = f"charges VAT on {category.name}", (tax, Fraction(0))
            path, rule = f"{group.path}.amount", f"EN 16931 {_rule(category, '09')}"
            yield checker.finding("vat_on_untaxed", path, said, figures, rule)
        return
    # 0 percent of an unknown base is 0.
    by_base = (group.base is not None and policy.vat_rounding == "per_rate") or not category.rate
    if not lines and (category.inclusive or not by_base):
        return
    # Without prices the gross, and the VAT in it, are unknown.
    if category.inclusive and any(line.unit is None for line in lines):
        return
    # A wrong base has its own finding; the VAT may follow the base or the lines.
    base = group.net if lines else group.base or Fraction(0)
    by_stated = None if category.inclusive or group.base is None else group.base * category.rate
    ways = _ORDER if lines else _ORDER[:1]
    # The figure of a payer's part is its own one and the units that make the parts add up (A68).
    off = group.correction
    found = {way: vat_of_group(checker, way, category, base, lines) + off for way in ways}
    expected = found[policy.vat_rounding if lines else _ORDER[0]]
    is_right = tax in found.values()
    if category.inclusive:
        yield from _gross(checker, group, base, (tax,) if is_right else (tax, expected))
    if tax == expected:
        yield from _of_gross(checker, group, base, tax)
    elif is_right:
        yield _otherwise(checker, policy, group, (tax, expected))
    elif by_stated is None or tax - off != checker.rounded(by_stated):
        yield _off(checker, group, (tax, expected), tolerance)


def _otherwise(
    checker: BillChecker, policy: BillingPolicy, group: _Group, figures: tuple[Fraction, Fraction]
) -> Finding:
    ways = {"per_rate": "once for the rate", "per_line": "for each line"}
    (other,) = ways.keys() - {policy.vat_rounding}
    said = f"is rounded {ways[other]} instead of {ways[policy.vat_rounding]}"
    rule = f"EN 16931 BR-CO-17, {_rule(group.category, '09')}, A29"
    code, path = "vat_rounded_otherwise", f"{group.path}.amount"
    return checker.finding(code, path, said, figures, rule, "warning")


def _off(
    checker: BillChecker, group: _Group, figures: tuple[Fraction, Fraction], tolerance: Fraction
) -> Finding:
    """Return the finding of a VAT that fits no convention: an error beyond the tolerance."""
    path, rule = f"{group.path}.amount", f"EN 16931 BR-CO-17, {_rule(group.category, '09')}"
    if abs(figures[0] - figures[1]) <= tolerance:
        said = "is off by no more than the tolerance"
        return checker.finding("vat_within_tolerance", path, said, figures, rule, "information")
    said = "is not base × rate"
    if group.category.inclusive:
        said, rule = "is not the VAT in the gross of its lines", "A29"
    return checker.finding("vat_amount", path, said, figures, rule)


def vat_of_group(
    checker: BillChecker, way: str, category: Category, base: Fraction, lines: Sequence[StatedLine]
) -> Fraction:
    """Return the VAT of a group under a convention of rounding (A29)."""
    rate = category.rate
    if not category.inclusive:
        if way == "per_rate":
            return checker.rounded(base * rate)
        return _sum(checker.rounded(line.net * rate) for line in lines)
    grosses, inside = _grosses(checker, lines), rate / (1 + rate)
    if way == "per_rate":
        grosses = [_sum(grosses)]
    return _sum(checker.rounded(gross * inside) for gross in grosses)


def vat_both_ways(
    category: Category, lines: Sequence[StatedLine], places: int, policy: BillingPolicy
) -> tuple[Decimal, Decimal]:
    """Return the VAT of lines of one category by a policy, and each line's rounded by itself."""
    checker = BillChecker(StatedBill("", places, (), ()), policy)
    base = _sum(line.net for line in lines)
    by_policy, by_line = (
        decimal_of(int(vat_of_group(checker, way, category, base, lines) / checker.unit), places)
        for way in (policy.vat_rounding, "per_line")
    )
    return by_policy, by_line


def _grosses(checker: BillChecker, lines: Sequence[StatedLine]) -> list[Fraction]:
    """Return the gross of each line, rounded by itself (A29)."""
    return [checker.rounded_line(line, _exact_gross(line)) for line in lines]


def _exact_gross(line: StatedLine) -> Fraction:
    """Return the gross of a line: quantity × price, plus its own allowances and charges."""
    quantity = Fraction(1) if line.quantity is None else line.quantity
    gross = quantity * (line.unit or _ZERO)
    return gross + line.extra if line.extra else gross


def _gross(
    checker: BillChecker, group: _Group, base: Fraction, taxes: Sequence[Fraction]
) -> Iterator[Finding]:
    """Check that nets and VAT add up to the promised gross (A29)."""
    # A wrong VAT has its own finding: with the right one the nets may add up to the gross.
    gross = _sum(_grosses(checker, group.lines))
    if all(base + tax != gross for tax in taxes):
        said, figures = "does not make the gross of its lines", (base + taxes[0], gross)
        yield checker.finding("gross", group.path, f"with its base {said}", figures, "A29")


def _of_gross(
    checker: BillChecker, group: _Group, base: Fraction, tax: Fraction
) -> Iterator[Finding]:
    """Yield information if the VAT differs from base × rate to preserve the gross (A29)."""
    plain = checker.rounded(base * group.category.rate)
    if group.category.inclusive and plain != tax:
        said = "preserves the gross, so it is not base × rate"
        figures, path = (tax, plain), f"{group.path}.amount"
        rule = "EN 16931 BR-CO-17, A29"
        yield checker.finding("vat_of_gross", path, said, figures, rule, "information")
