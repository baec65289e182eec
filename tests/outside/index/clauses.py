"""How an example comes from the change of an index to the new amount: the fields of rules.

Law: each stated convention is one field of an `IndexClause`, a rule or the policy; the order in
which they act is the library's (A40).
What does not live here: the points compared (`points`), the lease (`leases`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from rentbilling import Amount
from tests.outside.index.stated import Stated, UnknownConventionError, word_of

_YEAR: Final = 12
_INITIAL: Final = frozenset({"initial", "initial_rent", "start", "base", "base_amount"})


@dataclass(frozen=True, slots=True)
class Rates:
    """How an example's limits and parts of a year are said by rules."""

    clause: Mapping[str, Any]
    """Fields of the clause of the rule."""
    limits: Mapping[str, Any]
    """Limits of the rule itself."""
    after: Mapping[str, Any] | None = None
    """Fields of a clause that only limits, with the limits of `limits_after`."""
    limits_after: Mapping[str, Any] | None = None
    elapsed: int | None = None
    """Months since the amount was set; None: those between the points."""
    left: int | None = None
    """Months left in the calendar year in which the lease began."""


def steps_of(stated: Stated) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, ours in (
        ("share_of_index", "share"),
        ("excess_over", "excess_over"),
        ("excess_share", "excess_share"),
        ("spread_pct", "surcharge"),
        ("threshold_pct", "threshold"),
    ):
        if stated.has(name):
            fields[ours] = stated.percent(name)
    if stated.has("threshold_points"):
        fields |= {"threshold": stated.number("threshold_points"), "threshold_unit": "points"}
    if "threshold" in fields and stated.has("threshold_inclusive"):
        fields["threshold_inclusive"] = bool(stated.given("threshold_inclusive"))
    if "excess_share" in fields:
        fields.setdefault("excess_over", Decimal(0))
    share_of = stated.word("share_of")
    if share_of == "amount" and "share" in fields:
        fields["indexed_share"] = fields.pop("share")
    elif share_of is not None:
        fields["share_of"] = share_of
    carry = stated.about("carry")
    if carry is not None:
        fields["carried" if carry in {"exact", "rounded"} else "after_limit"] = carry
    return fields


def percentage_rounding(stated: Stated) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for rounding in stated.roundings:
        if word_of("of", rounding["of"]) == "percentage":
            fields = {
                "percentage_decimals": -int(_quantum(rounding).normalize().as_tuple().exponent),
                "percentage_rounding": word_of("mode", rounding.get("mode", "half_up")),
                "percentage_rounded": word_of("stage", rounding.get("stage", "change")),
            }
    return fields


def amount_rounding(stated: Stated) -> dict[str, Any]:
    """Return the fields about the rounding of the amount.

    Raises:
        UnknownConventionError: The amount of a unit is rounded that no clause names.
    """
    fields: dict[str, Any] = {}
    for rounding in stated.roundings:
        of = word_of("of", rounding["of"])
        if of == "percentage":
            continue
        per = rounding.get("per") or "period"
        if per == stated.given("amount_per"):
            per = "period"
        if per not in {"period", "month", "year"}:
            raise UnknownConventionError(f"rounded per {per}")
        fields = {"amount_rounded": of, "amount_per": per}
        if "quantum" in rounding or "decimals" in rounding:
            fields["amount_quantum"] = _quantum(rounding)
        if "mode" in rounding:
            fields["amount_rounding"] = word_of("mode", rounding["mode"])
    return fields


def _quantum(rounding: Mapping[str, Any]) -> Decimal:
    if rounding.get("quantum") is not None:
        return Decimal(str(rounding["quantum"]))
    return Decimal(1).scaleb(-int(rounding["decimals"]))


def floor_of(stated: Stated, currency: str) -> dict[str, Any]:
    given = stated.given("amount_floor")
    if given is None:
        return {}
    if str(given).lower() in _INITIAL:
        return {"floor_at_start": True}
    return {"floor_amount": Amount(Decimal(str(given)), currency)}


def rates_of(stated: Stated, apart: int) -> Rates:
    """Return limits and parts of a year (A40).

    A part `m/n` is either a part of the percentage or, for a change that was measured over a longer
    time, only the time that yearly limits count. Limits for a year that stand beside a part of the
    percentage act before it, and so shrink with it.

    Args:
        stated: The example.
        apart: Months between the points compared.

    Returns:
        The fields of the rule, and of one that limits its result.
    """
    limits = _limits(stated)
    by_rate = stated.is_rate_alone
    unit = stated.word("clamp_unit")
    if unit is None and stated.has("rate_per_year") and not by_rate:
        unit = "year_simple"
    months = stated.months
    if months is None or stated.is_year_total:
        if unit in {"year_simple", "year_compound"} and limits:
            return Rates({"limit_per": unit}, limits, elapsed=apart)
        return Rates({}, limits)
    part, whole = months
    measured = part >= whole and not by_rate
    if by_rate and unit == "year_compound":
        rate = stated.percent("rate_per_year")
        limits = {"minimum_percentage": rate, "maximum_percentage": rate} if rate else limits
        measured = True
    if measured and limits and unit in {"year_simple", "year_compound"}:
        return Rates({"limit_per": unit, "limit_months": whole}, limits, elapsed=part)
    fields, left, elapsed = _part_of_a_year(part, whole, by_rate=by_rate)
    if limits and unit in {"adjustment", "year_compound"}:
        after: dict[str, Any] = {"combine": "limit"}
        if unit == "year_compound":
            after |= {"limit_per": unit, "limit_months": whole}
        return Rates(fields, {}, after, limits, elapsed, left)
    return Rates(fields, limits, elapsed=elapsed, left=left)


def _part_of_a_year(
    part: int, whole: int, *, by_rate: bool
) -> tuple[dict[str, Any], int | None, int | None]:
    """Return the fields for a part of the percentage, the months left, the months elapsed."""
    if whole == _YEAR and part < whole and not by_rate:
        return {"pro_rata": "first_year"}, part, None
    return {"pro_rata": "elapsed", "pro_rata_months": whole}, None, part


def _limits(stated: Stated) -> dict[str, Decimal]:
    """Return the limits of a rule; a rate beside a measured change is its maximum."""
    limits: dict[str, Decimal] = {}
    for name, ours in (("min_pct", "minimum_percentage"), ("max_pct", "maximum_percentage")):
        value = stated.percent(name)
        if value is not None:
            limits[ours] = value
    rate = stated.percent("rate_per_year")
    if rate is not None and not stated.is_rate_alone:
        limits["maximum_percentage"] = min(rate, limits.get("maximum_percentage", rate))
    return limits
