"""The index clause: what a contract or a country says about an adjustment beyond index and limits.

Laws: an absent clause and an empty one mean the same; fields that contradict each other, or that
say something only with another one, are refused by name (assumption A40).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from rentbilling.errors import InvalidAdjustmentRuleError, Problem, shown
from rentbilling.indices import IndexPoint
from rentbilling.records import (
    ABSENT,
    AmountField,
    FlagField,
    IdField,
    Listed,
    MonthsField,
    OptionalNumberField,
    OptionalRateField,
    PointField,
    Problems,
    RateField,
    SilentRecord,
    WholeField,
    Within,
    fields_of,
    wire_name,
)
from rentbilling.values import Amount, Rounding

Basis = Literal["chained", "anchored", "last_indexed", "mixed"]
Reference = Literal["month", "quarter", "year_mean", "last_published"]

_ONE: Final[Any] = Decimal(1)
_ZERO: Final[Any] = Decimal(0)
_A_FRACTION: Final = "; 0.05 is five percent"
_ABOVE_ZERO: Final = Within(0, above=True)
_MOST_PERCENT: Final = 10
"""A larger threshold was written in percent, or is one of points."""


class _Clash(NamedTuple):
    """A field that means nothing with some values of another one."""

    field: str
    other: str
    values: Collection[object] | None
    """The values of the other field; None: any but its default."""
    message: str
    """The message; `{}` is the value of the other field."""
    expected: str
    only: object = None
    """The value of the field that clashes, where not every one but the default does."""
    unless: tuple[str, Collection[object]] = ("", ())
    """A third field, with whose values there is no clash."""

    def problem(
        self, parts: Mapping[str, Any], defaults: Mapping[str, Any], code: str
    ) -> Problem | None:
        if self.field not in parts or self.other not in parts:
            return None
        value, other = parts[self.field], parts[self.other]
        third, excused = self.unless
        if value == defaults[self.field] or (self.only is not None and value != self.only):
            return None
        clashes = other != defaults[self.other] if self.values is None else other in self.values
        if not clashes or (third and parts.get(third) in excused):
            return None
        value = value.amount if isinstance(value, Amount) else value
        met = str(value) if isinstance(value, IndexPoint) else shown(value)
        return Problem(wire_name(self.field), code, self.message.format(other), met, self.expected)


_NOT_ANCHORED: Final = ("chained", "last_indexed", "mixed")
_NOT_CHAINED: Final = ("anchored", "last_indexed", "mixed")
_THIS_BASIS: Final = "contradicts the basis {}"

_CONTRADICTIONS: Final = (
    *(
        _Clash(one, other, None, f"contradicts {wire_name(other)}", "one of the two")
        for one, other in (
            ("lag_months", "year_offset"),
            ("interval_years", "interval_months"),
            ("indexed_share", "indexed_amount"),
            ("index_quarter", "lag_months"),
        )
    ),
    *(
        _Clash(name, "reference", others, "contradicts the reference {}", f"none, or the {known}")
        for name, others, known in (
            ("lag_months", ("year_mean", "last_published"), "reference month or quarter"),
            ("year_offset", ("last_published",), "reference month or quarter or year_mean"),
            ("index_quarter", ("month", "year_mean", "last_published"), "reference quarter"),
            ("from_lag_months", ("quarter", "year_mean", "last_published"), "reference month"),
        )
    ),
    *(
        _Clash(name, "basis", ("anchored",), _THIS_BASIS, "the basis chained")
        for name in ("surcharge", "excess_over", "pro_rata")
    ),
    _Clash("combine", "basis", _NOT_CHAINED, _THIS_BASIS, "the basis chained", only="sum"),
    _Clash(
        "after_limit",
        "basis",
        ("last_indexed", "mixed"),
        _THIS_BASIS,
        "the basis chained or anchored",
    ),
    _Clash(
        "from_lag_months",
        "basis",
        _NOT_CHAINED,
        _THIS_BASIS,
        "none: this basis compares with another point",
    ),
    _Clash(
        "base_amount", "basis", ("chained", "mixed"), _THIS_BASIS, "none, or the basis anchored"
    ),
    _Clash("correction_factor", "basis", _NOT_ANCHORED, _THIS_BASIS, "the basis anchored"),
    *(
        _Clash(name, "combine", ("sum",), "contradicts combine {}", "none")
        for name in ("indexed_share", "indexed_amount", "after_limit")
    ),
    *(
        _Clash(name, "mean_of_what", ("changes",), "contradicts meanOfWhat {}", "none")
        for name in (
            *("start_point", "from_lag_months", "mean_decimals"),
            *("interval_years", "interval_months"),
        )
    ),
    _Clash(
        "start_index",
        "lower_of",
        None,
        "contradicts lowerOf, whose series have other indexes",
        "none",
    ),
)
"""Pairs of fields of which only one can be there."""

_IDLE: Final = (
    *(
        _Clash(
            name,
            needed,
            (None,),
            f"has no effect without {wire_name(needed)}",
            f"{wire_name(needed)} as well",
        )
        for name, needed in (
            ("threshold_unit", "threshold"),
            ("threshold_inclusive", "threshold"),
            ("excess_over", "excess_share"),
            ("excess_share", "excess_over"),
            ("start_index", "start_point"),
            ("start_index", "base"),
            ("percentage_rounding", "percentage_decimals"),
            ("percentage_rounded", "percentage_decimals"),
        )
    ),
    *(
        _Clash(
            name,
            other,
            values,
            f"has no effect with {wire_name(other)} {{}}",
            f"another {wire_name(other)}",
            unless=("reference", ("year_mean",)) if name == "mean_decimals" else ("", ()),
        )
        for name, other, values in (
            ("mean_of_what", "mean_of", (1,)),
            ("pro_rata_months", "pro_rata", ("none", "first_year")),
            ("limit_months", "limit_per", ("adjustment",)),
            ("mean_decimals", "mean_of", (1,)),
        )
    ),
    _Clash("share_of", "basis", _NOT_ANCHORED, "has no effect with basis {}", "the basis anchored"),
    _Clash(
        "share_of",
        "share",
        (1,),
        "has no effect with share 1",
        "another share",
        unless=("basis", _NOT_ANCHORED),
    ),
)
"""Fields that have an effect only with another one, or with other values of it."""


class IndexClause(SilentRecord):
    """The conventions of a country or contract; every field has the default that A33-A38 describe.

    Percentages, shares and points are fractions: 0.04 is four percent (A5). The order in which the
    fields act is: change, its rounding, threshold, share, excess, surcharge, limits, pro rata,
    rounding of what is applied, correction factor, amount, its rounding, floor (A40).

    Raises:
        InvalidAdjustmentRuleError: Two fields contradict each other, or one has no effect alone.

    Examples:
        The Belgian rent: the first rent times the new index over the first one, the new index being
        that of the month before.

        >>> IndexClause(basis="anchored", lag_months=1).basis
        'anchored'
        >>> IndexClause(lag_months=1, year_offset=1)
        Traceback (most recent call last):
        rentbilling.errors.InvalidAdjustmentRuleError: lag_months: contradicts yearOffset (met 1; \
expected one of the two)
    """

    with_limit_only: ClassVar[frozenset[str]] = frozenset(
        [
            "combine",
            "limit_per",
            "limit_months",
            "interval_years",
            "interval_months",
            "amount_quantum",
            "amount_rounding",
            "amount_rounded",
            "amount_per",
        ]
    )
    """Fields that mean something on a rule that only limits others."""
    with_increments: ClassVar[frozenset[str]] = with_limit_only | frozenset(
        [
            "share",
            "excess_over",
            "excess_share",
            "surcharge",
            "percentage_decimals",
            "percentage_rounding",
            "percentage_rounded",
            "pro_rata",
            "pro_rata_months",
            "after_limit",
            "indexed_share",
            "indexed_amount",
            "carried",
            "floor_amount",
            "floor_at_start",
        ]
    )
    """Fields that mean something on a rule that follows no index."""
    with_amounts: ClassVar[frozenset[str]] = with_limit_only | {"floor_amount", "floor_at_start"}
    """Fields that mean something where increments are amounts or levels."""

    # Which number moves
    series: IdField | None = None
    """Name of the index series; absent where only one is passed."""
    base: IdField | None = None
    """Base of that series, such as 2015=100: a series of another base is refused (A41)."""
    lower_of: Annotated[tuple[IdField, ...], Listed] = ()
    """Names of further series: the lowest of the changes counts."""

    # Which points are compared (A33)
    reference: Reference = "month"
    """A month, a quarter, the mean of a calendar year, or the last value published by then."""
    lag_months: Annotated[MonthsField, Within(0, 120)] | None = None
    """Months from the point's own month (a quarter's last) to the adjustment; no index month."""
    year_offset: Annotated[WholeField, Within(0, 10)] | None = None
    """Years from the year of the point to the year of the adjustment: 1 is the year before."""
    index_quarter: Annotated[WholeField, Within(1, 4)] | None = None
    """Quarter of the index used, 1-4, for the reference `quarter`."""
    from_lag_months: Annotated[MonthsField, Within(1, 1200)] | None = None
    """Months from the point compared with to the adjustment, where that is no whole interval."""
    start_point: PointField | None = None
    """The point that the first adjustment compares with, such as 2020-06, 2020-Q2 or 2020."""
    start_index: Annotated[OptionalNumberField, _ABOVE_ZERO] = ABSENT
    """The index at `start_point` as the contract states it; needs `base`."""
    mean_of: Annotated[WholeField, Within(1, 120)] = 1
    """So many values, the last at the point, are averaged."""
    mean_of_what: Literal["values", "changes"] = "values"
    """Whether values are averaged and then compared, or changes of a year are averaged."""
    mean_decimals: Annotated[WholeField, Within(0, 10)] | None = None
    """Decimals that an averaged value is rounded to, half up; exact when absent."""

    # How adjustments follow each other (A32, A34)
    basis: Basis = "chained"
    """Amount and point that go together: in force and previous (`chained`), first and first
    (`anchored`), last indexed and previous (`last_indexed`); `mixed`, in force and first, counts
    rises twice and brings a notice."""
    base_amount: AmountField | None = None
    """Amount that belongs to the start point, of a billing period and of the quantity on the item's
    first day; other rules and the quantity move it; absent: the amount in force."""
    interval_years: Annotated[WholeField, Within(1, 100)] | None = None
    """Years between adjustments."""
    interval_months: Annotated[MonthsField, Within(1, 1200)] | None = None
    """Months between adjustments, counted from the adjustment month."""

    # From the change to the percentage
    percentage_decimals: Annotated[WholeField, Within(0, 10)] | None = None
    """Decimals of the percentage in percent: 1 makes 2.53 % to 2.5 %; exact when absent."""
    percentage_rounding: Rounding = "half_up"
    """How the percentage is rounded."""
    percentage_rounded: Literal["change", "applied"] = "change"
    """Whether the change is rounded, or the percentage that is applied in the end."""
    threshold: Annotated[OptionalRateField, Within(0, hint=_A_FRACTION)] = ABSENT
    """Change below which nothing happens; the point compared with stays until it is passed."""
    threshold_unit: Literal["percent", "points"] = "percent"
    """Whether the threshold is a fraction of the index or counted in its points."""
    threshold_inclusive: FlagField = True
    """Whether a change of exactly the threshold passes."""
    increase_only: FlagField = False
    """Whether a falling index leaves amount and point as they are."""
    share: Annotated[RateField, Within(0, 10)] = _ONE
    """Part of the change that is passed on: 0.75 is 75 percent."""
    share_of: Literal["change", "money"] = "change"
    """Whether the share is of the percentage, or of the difference in money to what is in force."""
    excess_over: Annotated[OptionalRateField, Within(0, 10, hint=_A_FRACTION)] = ABSENT
    """Percentage above which only a part counts."""
    excess_share: Annotated[OptionalRateField, Within(0, 1, hint=_A_FRACTION)] = ABSENT
    """The part that counts of what lies above: 0.5 is half."""
    surcharge: Annotated[RateField, Within(-1, 1, hint=_A_FRACTION)] = _ZERO
    """Added to the percentage: 0.01 is one percentage point."""
    limit_per: Literal["adjustment", "year_simple", "year_compound"] = "adjustment"
    """What the rule's limits are for: an adjustment, or a year, by simple or compound interest."""
    limit_months: Annotated[MonthsField, Within(1, 120)] = 12
    """Months that a limit for a year counts as its year."""
    pro_rata: Literal["none", "first_year", "elapsed"] = "none"
    """Part of the percentage that counts: the whole months left in the calendar year of the start,
    over 12, for the rule's first adjustment, whichever year that falls in; the start is that of the
    contract, else of the opening period. Or the months since the amount was last set."""
    pro_rata_months: Annotated[MonthsField, Within(1, 120)] = 12
    """Months that `elapsed` divides by."""
    after_limit: Literal["rebase", "carry"] = "rebase"
    """Whether what a limit cut off is lost, or the rule goes on from its own unlimited amount;
    refused where nothing limits the rule."""

    # From the percentage to the amount (A38)
    indexed_share: Annotated[OptionalRateField, Within(0, 1, hint=_A_FRACTION)] = ABSENT
    """Part of the amount that follows the index, the rest staying as it is."""
    indexed_amount: Annotated[AmountField, _ABOVE_ZERO] | None = None
    """The same as an amount of one billing period; it follows its own adjustments."""
    correction_factor: Annotated[OptionalNumberField, _ABOVE_ZERO] = ABSENT
    """Factor on the adjusted amount of an anchored rule, for the life of the rule; limits hold the
    step with it."""
    amount_quantum: Annotated[OptionalNumberField, _ABOVE_ZERO] = ABSENT
    """Step that the amount is rounded to; absent: the currency's minor unit."""
    amount_rounding: Rounding | None = None
    """How the amount is rounded; absent: as the policy says."""
    amount_rounded: Literal["amount", "change"] = "amount"
    """Whether the new amount is rounded, or what is added to the old one."""
    amount_per: Literal["period", "month", "year"] = "period"
    """Whether the amount of a billing period, of a month or of a year is rounded."""
    carried: Literal["rounded", "exact"] = "rounded"
    """Whether the next rule or adjustment goes on from the rounded amount or from the exact one."""
    floor_amount: AmountField | None = None
    """Amount of a billing period that an adjustment never goes below."""
    floor_at_start: FlagField = False
    """Whether an adjustment never goes below the amount before the first one by any rule."""

    # Several rules (A37)
    combine: Literal["in_turn", "sum", "lower_of", "limit"] = "in_turn"
    """What the rule does to the rules listed before it in the same month: go on from their result,
    add its percentage of the amount before them, give the lower of its result and theirs, or only
    hold their step within its minimum and maximum."""

    problem_error = InvalidAdjustmentRuleError

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return what is out of range, contradictory, or without effect (A40)."""
        for kind, problem in cls.bound_problems(parts):
            of_points = problem.path == "threshold" and parts.get("threshold_unit") == "points"
            yield kind, problem._replace(expected="0 or more") if of_points else problem
        for problem in _clause_problems(parts):
            yield InvalidAdjustmentRuleError, problem

    @property
    def interval(self) -> int:
        """Months between two adjustments."""
        return self.interval_months or 12 * (self.interval_years or 1)

    @property
    def finds_points(self) -> bool:
        """Whether the clause itself says which points are compared, without an index month."""
        return (
            self.lag_months is not None
            or self.reference in ("year_mean", "last_published")
            or self.index_quarter is not None
        )


OF_THE_STEP: Final = (
    "basis",
    "percentage_decimals",
    "share",
    "share_of",
    "excess_over",
    "surcharge",
    "limit_per",
    "pro_rata",
    "after_limit",
    "indexed_share",
    "indexed_amount",
    "correction_factor",
    "amount_quantum",
    "amount_rounding",
    "amount_rounded",
    "amount_per",
    "carried",
    "floor_amount",
    "floor_at_start",
    "combine",
)
"""Fields by which a change becomes another amount than the old one times itself."""


def has_defaults(clause: IndexClause, names: Iterable[str]) -> bool:
    """Return whether fields of a clause have their defaults."""
    fields = IndexClause.model_fields
    return all(getattr(clause, name) == fields[name].default for name in names)


def _clause_problems(parts: Mapping[str, Any]) -> Iterator[Problem]:
    defaults = {each.name: each.default for each in fields_of(IndexClause)}
    yield from _clashes(_CONTRADICTIONS, parts, defaults, "contradiction")
    lag, start = parts.get("lag_months"), parts.get("from_lag_months")
    if lag is not None and start is not None and start <= lag:
        yield not_earlier(start, lag)
    threshold, unit = parts.get("threshold"), parts.get("threshold_unit")
    if threshold is not None and unit == "percent" and threshold > _MOST_PERCENT:
        expected = "a fraction: 0.05 is five percent; or the unit points"
        yield Problem("threshold", "out_of_range", "is out of range", shown(threshold), expected)
    yield from _clashes(_IDLE, parts, defaults, "says_nothing")


def not_earlier(start: int, lag: int) -> Problem:
    """Return the problem of a point compared with that is not before the one that counts (A33)."""
    said, expected = "compares with no earlier point", f"{lag + 1} or more"
    return Problem("fromLagMonths", "contradiction", said, shown(start), expected)


def _clashes(
    rows: Iterable[_Clash], parts: Mapping[str, Any], defaults: Mapping[str, Any], code: str
) -> Iterator[Problem]:
    found = (each.problem(parts, defaults, code) for each in rows)
    return (problem for problem in found if problem is not None)
