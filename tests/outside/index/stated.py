"""The statements of a worked example: numbers, percentages, and words, translated into ours.

Percentages of the files are in percent and become fractions. A word that is none of those known is
an error, so that no convention of a source is passed over in silence.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from tests.outside.board import Case, UnsaidError

_READ: Final = (
    "amount_floor amount_left amount_rounding average_dp basis calculated_pct_printed carry "
    "clamp_unit compare contract_amount effective_month excess_over excess_share from_point "
    "given_change given_pct lag_months monthly_printed one_time_discount pct_dp previous prorata "
    "rate_per_year recurrence result share_of spread_pct step_per steps threshold_inclusive "
    "threshold_pct threshold_points trigger_dp trigger_index_printed trigger_probe year_is"
)
"""The conventions in `extra` that are understood."""

_WORDS: Final = """
    basis: current=current chained=current base=base anchored=base initial=base start=base
    basis: last_indexed=last_indexed
    from_point: start=start first=start initial=start base=start previous=previous
    from_point: previous_applied=previous last_applied=previous last_indexed=previous
    from_point: same_month_previous_year=previous
    clamp_unit: adjustment=adjustment per_adjustment=adjustment year_simple=year_simple
    clamp_unit: linear=year_simple year_compound=year_compound compound=year_compound
    carry: unrounded=exact exact=exact rounded=rounded carry=carry rebase=rebase true=carry
    carry: false=rebase
    compare: lower_of=lower_of lower=lower_of
    share_of: change=change percentage=change amount=amount rent=amount base_rent=amount
    share_of: money=money money_change=money
    result: year_total=year_total amount=amount new_amount=amount change=change increase=change
    result: supplement=change
    recurrence: one_time=OneTime recurring=Recurring
    year_is: ordinal=ordinal calendar=calendar
    of: percentage=percentage amount=amount change=change
    stage: change=change applied=applied
    mode: half_up=half_up half_even=half_even half_down=half_down half_away_from_zero=half_up
    mode: up=up ceiling=up always_up=up down=down truncate=down cut=down floor=down
"""
"""How the sources say it, and how we do."""

_KNOWN: Final = {
    (name, said.replace("_", "")): ours
    for line in _WORDS.split("\n")
    for name, _, words in [line.strip().partition(": ")]
    for said, _, ours in (word.partition("=") for word in words.split())
}

_ABOUT_LATER_STEPS: Final = ("basis", "carry", "from_point")
"""What one step from an amount and a pair of values does not need."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One worked example, with its fields read when they are asked for."""

    case: Case

    @property
    def extra(self) -> Mapping[str, Any]:
        return self.case.get("extra") or {}

    @property
    def unread(self) -> list[str]:
        words = (name for name in _ABOUT_LATER_STEPS if self.has(name) and not self.about(name))
        return sorted({*(self.extra.keys() - set(_READ.split())), *words})

    @property
    def roundings(self) -> list[Mapping[str, Any]]:
        given = self.case.get("convention_rounding") or []
        found = [given] if isinstance(given, Mapping) else list(given)
        said = {rounding.get("of") for rounding in found}
        amount = self.extra.get("amount_rounding")
        if amount and not said & {"amount", "change"}:
            found.append({"of": "amount", **amount})
        if self.has("pct_dp") and "percentage" not in said:
            found.append({"of": "percentage", "decimals": self.extra["pct_dp"]})
        return found

    def without(self, *names: str) -> "Stated":
        kept = {name: value for name, value in self.case.items() if name not in names}
        extra = {name: value for name, value in self.extra.items() if name not in names}
        return Stated({**kept, "extra": extra})

    def has(self, name: str) -> bool:
        """Return whether a field says something, in the case or in its `extra`."""
        return self.given(name) is not None

    def given(self, name: str) -> Any:  # noqa: ANN401
        found = self.case.get(name)
        return self.extra.get(name) if found is None else found

    def number(self, name: str) -> Decimal | None:
        found = self.given(name)
        return None if found is None else Decimal(str(found))

    def percent(self, name: str) -> Decimal | None:
        found = self.number(name)
        return None if found is None else fraction_of(found)

    def word(self, name: str) -> str | None:
        found = self.given(name)
        return None if found is None else word_of(name, found)

    def about(self, name: str) -> str | None:
        """Return a word about the steps that follow, where it is known: one step needs it not."""
        try:
            return self.word(name)
        except UnsaidError:
            return None

    @property
    def previous(self) -> "Stated":
        """The step before this one, read in the same way; it says nothing where there is none."""
        return Stated(self.extra.get("previous") or {})

    @property
    def index_steps(self) -> list[Mapping[str, Any]]:
        steps = self.extra.get("steps") or ()
        return [step for step in steps if step.get("to_index") is not None]

    @property
    def is_year_total(self) -> bool:
        return self.word("result") == "year_total"

    @property
    def is_paired(self) -> bool:
        return self.has("from_index") and self.has("to_index")

    @property
    def is_rate_alone(self) -> bool:
        return self.has("rate_per_year") and not (self.is_paired or self.has("given_pct"))

    @property
    def months(self) -> tuple[int, int] | None:
        given = self.extra.get("prorata")
        if given is None:
            return None
        part, whole = str(given).split("/")
        return int(part), int(whole)


def fraction_of(percent: Decimal | str | int) -> Decimal:
    return Decimal(str(percent)).scaleb(-2)


def word_of(name: str, found: object) -> str:
    plain = "".join(filter(str.isalnum, str(found).lower()))
    ours = _KNOWN.get((name, plain))
    if ours is None:
        raise UnsaidError(f"{name} {found}")
    return ours
