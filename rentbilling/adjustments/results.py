"""Computed adjustments as records of the interface.

Law: amounts are whole minor units, and a year's amount is that of a billing period times the
periods of a year, so that reported and billed sums agree (A38).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import partial
from typing import Any, Final, Self

from rentbilling.adjustments.adjustee import Adjusted
from rentbilling.adjustments.balances import Moved
from rentbilling.adjustments.lease_history import LeaseHistories
from rentbilling.adjustments.rules.amounts import AmountScale
from rentbilling.adjustments.rules.index_comparison import shown_index, trimmed
from rentbilling.adjustments.rules.rule import Effect
from rentbilling.layout import notice_words
from rentbilling.records import (
    PLAIN_DATA,
    JsonData,
    RecordWriter,
    read_json,
    record_body,
    record_writer,
    wire_name,
)
from rentbilling.tables import Column, ResultSequence, Row, Tabular, columns, counted
from rentbilling.terms import (
    EXTENSIONS,
    AdjustmentEffect,
    AdjustmentList,
    NoticeRecord,
    RentAdjustment,
    adjustment_html,
    adjustment_table,
)
from rentbilling.values import Amount, Definitions, Notice, Schema

_DECIMALS: Final = 6
_APPLIED: Final = 10


_AMOUNTS: Final = (
    *("from_period_amount", "to_period_amount", "period_amount_change"),
    *("from_yearly_amount", "to_yearly_amount", "yearly_amount_change"),
    *("from_balance_amount", "to_balance_amount", "balance_amount_change"),
)
_FIGURES: Final = (
    *("calculated_percentage", "applied_percentage", "minimum_percentage", "maximum_percentage"),
    *("from_index", "to_index"),
)
ADJUSTMENT_COLUMNS: Final = (
    *columns(date="adjusted_on", text="adjustee_id plan_id rule_id currency"),
    *(Column(name, "money") for name in _AMOUNTS),
    *(Column(name, "number") for name in _FIGURES),
    *columns(text="from_point to_point reasons"),
)
"""Columns of the rows of adjustments, one row for each effect of a rule."""


def adjustment_rows(adjustments: Iterable[RentAdjustment]) -> Iterator[Row]:
    """Give a row for what each rule did; the rows of an adjustment are a chain of amounts."""
    for adjustment in adjustments:
        for outcome in adjustment.adjustment_rules_effects or (adjustment,):
            effect = outcome if isinstance(outcome, AdjustmentEffect) else AdjustmentEffect()
            amounts: list[Amount | None] = [getattr(outcome, name) for name in _AMOUNTS]
            points = (
                effect.from_point or effect.from_year_month,
                effect.to_point or effect.to_year_month,
            )
            values = (
                *(adjustment.adjusted_on, adjustment.adjustee_id, adjustment.plan_id),
                effect.rent_adjustment_rule_id,
                next((each.currency for each in amounts if each is not None), None),
                *(None if each is None else each.amount for each in amounts),
                *(getattr(effect, name) for name in _FIGURES),
                *(None if point is None else str(point) for point in points),
                " ".join(effect.reasons) or None,
            )
            yield dict(zip((column.name for column in ADJUSTMENT_COLUMNS), values, strict=True))


class AdjustmentResult(ResultSequence[RentAdjustment], Tabular):
    """The rent adjustments of a period, in order of days, then of plans, with their notices.

    Examples:
        >>> len(AdjustmentResult((), ()))
        0
    """

    __slots__ = ("_adjustments", "_notices", "_source")

    def __init__(
        self,
        adjustments: Iterable[RentAdjustment],
        notices: Iterable[Notice] = (),
        *,
        source: object = None,
    ) -> None:
        """Keep the parts.

        Args:
            adjustments: In order of days, then of plans.
            notices: What a person should look at.
            source: The histories that they were computed from, where they were computed here.
        """
        self._adjustments = tuple(adjustments)
        self._notices = tuple(notices)
        self._source = source

    @property
    def adjustments(self) -> tuple[RentAdjustment, ...]:
        """The adjustments, in order of days, then of plans."""
        return self._adjustments

    @property
    def parts(self) -> tuple[RentAdjustment, ...]:
        """The adjustments, as what the answer consists of."""
        return self._adjustments

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Notices for a person to look at."""
        return self._notices

    @property
    def columns(self) -> Sequence[Column]:
        return ADJUSTMENT_COLUMNS

    def rows(self) -> list[Row]:
        """Return a row for what each rule did to each adjustment."""
        return [*adjustment_rows(self._adjustments)]

    @property
    def source(self) -> object:
        """The histories that they were computed from; None where they were read."""
        return self._source

    @classmethod
    def of_data(cls, data: object, context: Mapping[str, object] = PLAIN_DATA) -> Self:
        """Return the adjustments of plain data, with their notices where they were written (A56).

        Raises:
            InvalidInputError: Something is missing or wrong; `problems` has all of it.

        Examples:
            >>> AdjustmentResult.of_data({"adjustments": []})
            <AdjustmentResult 0 adjustments, 0 notices>
        """
        listed = AdjustmentList.model_validate(data, context=context)
        notices = (
            Notice(each.code, each.message, each.item_id, tuple((each.facts or {}).items()))
            for each in listed.notices
        )
        return cls(listed.adjustments, notices)

    def _to_wire(self) -> JsonData:
        return read_json(adjustments_text(self, record_writer(full=True), full=True))

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        return cls.of_data(data)

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        return adjustments_schema(parts, full=True)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by parts, with the histories."""
        made = partial(AdjustmentResult, source=self._source)
        return made, (self._adjustments, self._notices)

    def __str__(self) -> str:
        """Return what changed, by how much and why, as a table, and the notices."""
        table = adjustment_table(self) if self else "No adjustments\n"
        return "\n".join([table, *map(notice_words, self.notices)]).rstrip("\n")

    def _repr_html_(self) -> str:
        return adjustment_html(self, map(notice_words, self.notices))

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        notices = counted(len(self.notices), "notice")
        return f"<AdjustmentResult {counted(len(self), 'adjustment')}, {notices}>"


def adjustments_text(result: AdjustmentResult, writer: RecordWriter, *, full: bool) -> str:
    """Return adjustments as JSON, in full with their notices (A56)."""
    text = f'{{"adjustments": {writer.several(tuple(result))}}}'
    if not full:
        return text
    notices = tuple(
        NoticeRecord(
            code=each.code, message=each.message, item_id=each.item_id, facts=dict(each.facts)
        )
        for each in result.notices
    )
    return f'{text[:-1]}, "notices": {writer.several(notices)}}}'


def adjustments_schema(parts: Definitions, *, full: bool) -> Schema:
    """Return the schema of adjustments as they are written, in one of their two forms (A56)."""
    parts.answered = True
    body = record_body(AdjustmentList, parts)
    properties = body["properties"]
    if full:
        return {**body, "required": ["adjustments", "notices"]}
    del properties["notices"]
    for each in parts.found.values():
        for name in EXTENSIONS:
            each["properties"].pop(wire_name(name), None)
    return body


def adjustments_between(histories: LeaseHistories, first: int, last: int) -> AdjustmentResult:
    """Return the adjustments of a lease between two days, as the interface has them."""
    found = [
        _record(histories, day, at, adjusted, moved)
        for day, at, adjusted, moved in histories.adjusted(first, last)
    ]
    notices = dict.fromkeys(histories.notices(first, last))
    return AdjustmentResult(found, notices, source=histories)


def known_adjustments(histories: LeaseHistories, last: int) -> list[RentAdjustment]:
    """Return the adjustments up to a day, those that need a missing index value left out."""
    return [
        _record(histories, day, at, adjusted, moved)
        for day, at, adjusted, moved in histories.adjusted(1, last, if_known=True)
    ]


def _record(
    histories: LeaseHistories, day: int, at: int, adjusted: Adjusted | None, moved: Moved | None
) -> RentAdjustment:
    """Return one adjustment as a record: as it was listed, or as it was computed."""
    listed = adjusted.listed if adjusted is not None else None
    if listed is None and moved is not None:
        listed = moved.listed
    plan_id = histories.plan_ids[at]
    adjustee = histories.adjustee_ids(at)[0]
    if listed is not None:
        return listed.evolve(plan_id=plan_id, adjustee_id=adjustee)
    when = date.fromordinal(day)
    values: dict[str, Any] = {"adjusted_on": when, "year": f"{when.year:04d}"}
    values |= {"plan_id": plan_id, "adjustee_id": adjustee}
    effects: list[AdjustmentEffect] = []
    if adjusted is not None:
        scale = histories.scale_of(at)
        values |= _amounts(adjusted.before, adjusted.after, scale)
        effects = [_effect(effect, scale) for effect in _shown(adjusted)]
    if moved is not None:
        scale = histories.balance_scale_of(at)
        values |= _balance_amounts(moved.before, moved.after, scale)
        effects = _with_balances(effects, moved, scale)
    values["adjustment_rules_effects"] = tuple(effects)
    return RentAdjustment.model_construct(**values)


def single_adjustment(
    day: int,
    ids: tuple[str, str],
    amounts: tuple[Fraction, Fraction],
    scale: AmountScale,
    effect: Mapping[str, Any] | None,
) -> RentAdjustment:
    """Return the adjustment that one rule alone, or a record, makes of an item on a day.

    Args:
        day: Its ordinal.
        ids: Of the plan and of the item.
        amounts: Before and after, of a billing period.
        scale: How they are counted.
        effect: The other fields of what the rule did; None of a record, which shows none (A18).
    """
    when, (plan_id, adjustee_id) = date.fromordinal(day), ids
    values: dict[str, Any] = dict(_amounts(*amounts, scale))
    effects = [] if effect is None else [AdjustmentEffect.model_construct(**effect, **values)]
    return RentAdjustment.model_construct(
        adjusted_on=when,
        year=f"{when.year:04d}",
        plan_id=plan_id,
        adjustee_id=adjustee_id,
        adjustment_rules_effects=tuple(effects),
        **values,
    )


def _shown(adjusted: Adjusted) -> tuple[Effect, ...]:
    """Return the effects to show; none where an amount record is the adjustment (A18)."""
    return () if adjusted.recorded else adjusted.effects


def _with_balances(
    effects: list[AdjustmentEffect], moved: Moved, scale: AmountScale
) -> list[AdjustmentEffect]:
    if not effects and moved.adjusted is not None:
        effects = [_effect(effect, scale, balance=True) for effect in _shown(moved.adjusted)]
    if not effects:
        effects = [
            AdjustmentEffect.model_construct(rent_adjustment_rule_id=rule_id)
            for rule_id, _, _ in moved.effects
        ]
    together: list[AdjustmentEffect] = []
    for effect, (_, before, after) in zip(effects, moved.effects, strict=True):
        values = {name: getattr(effect, name) for name in effect.model_fields_set}
        values |= _balance_amounts(before, after, scale)
        together.append(AdjustmentEffect.model_construct(**values))
    return together


def _effect(effect: Effect, scale: AmountScale, *, balance: bool = False) -> AdjustmentEffect:
    """Return what one rule did as a record (A35)."""
    rule, step = effect.rule.rule, effect.step
    values: dict[str, Any] = {"rent_adjustment_rule_id": effect.rule.rule_id}
    if not balance:
        values |= _amounts(effect.before, effect.after, scale)
    if rule.minimum_percentage is not None:
        values["minimum_percentage"] = rule.minimum_percentage
    if rule.maximum_percentage is not None:
        values["maximum_percentage"] = rule.maximum_percentage
    if effect.reasons:
        values["reasons"] = effect.reasons
    if step is not None and step.percentage is not None:
        values["calculated_percentage"] = trimmed(step.percentage.change, _DECIMALS)
        values["applied_percentage"] = trimmed(step.percentage.applied, _APPLIED)
    if step is not None and step.state.own is not None:
        values["unlimited_amount"] = scale.shown(step.state.own)
    compared = None if step is None else step.compared
    if compared is not None:
        values["from_index"] = shown_index(
            compared.series, compared.from_point, compared.from_value
        )
        values["to_index"] = shown_index(compared.series, compared.to_point, compared.to_value)
        values["to_point"] = compared.to_point
        values["to_year_month"] = compared.to_point.year_month
        if compared.from_point is not None:
            values["from_point"] = compared.from_point
            values["from_year_month"] = compared.from_point.year_month
    return AdjustmentEffect.model_construct(**values)


def _amounts(before: Fraction, after: Fraction, scale: AmountScale) -> dict[str, Amount]:
    """Return the amounts of a billing period and of a year (assumption A38)."""
    old, new = scale.units(before), scale.units(after)
    old_year, new_year = scale.yearly_units(old), scale.yearly_units(new)
    if scale.of_period != 1:
        old, new = (scale.units(each * scale.of_period) for each in (before, after))
    return {
        "from_yearly_amount": scale.amount(old_year),
        "to_yearly_amount": scale.amount(new_year),
        "yearly_amount_change": scale.amount(new_year - old_year),
        "from_period_amount": scale.amount(old),
        "to_period_amount": scale.amount(new),
        "period_amount_change": scale.amount(new - old),
    }


def _balance_amounts(before: Fraction, after: Fraction, scale: AmountScale) -> dict[str, Amount]:
    old, new = scale.units(before), scale.units(after)
    return {
        "from_balance_amount": scale.amount(old),
        "to_balance_amount": scale.amount(new),
        "balance_amount_change": scale.amount(new - old),
    }
