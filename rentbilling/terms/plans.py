"""Rent adjustment plans, the adjustments they lead to, and the balances they move.

Law: an adjustment is the same record whether a service listed it or it was computed here; what is
ours beyond the interface is absent on the wire and no part of equality (A56).
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final

from rentbilling.errors import InvalidAdjustmentRuleError, InvalidRecordError, Problem, shown
from rentbilling.records import (
    ABSENT,
    AmountField,
    CheckedRecord,
    DateField,
    DateTimeField,
    FlagField,
    IdField,
    Listed,
    OptionalDateField,
    OptionalNumberField,
    OptionalRateField,
    PointField,
    Problems,
    TextField,
    VatField,
    Within,
    YearField,
    YearMonthField,
)
from rentbilling.tables import TabularRecord
from rentbilling.terms.rules import RentAdjustmentRule
from rentbilling.values import Amount

EXTENSIONS: Final = (
    "applied_percentage",
    "unlimited_amount",
    "from_point",
    "to_point",
    "reasons",
    "plan_id",
    "adjustee_id",
)
"""Fields that an adjustment knows beyond the interface (A56)."""


def _meets(rule: RentAdjustmentRule, others: Sequence[RentAdjustmentRule]) -> bool:
    """Return whether a rule adjusts in a calendar month in which one before it does."""
    months = rule.calendar_months
    return any(not months.isdisjoint(other.calendar_months) for other in others)


_MOST_MONTHS: Final = 1200
"""The largest balance in months of rent: a hundred years."""


class _Outcome(CheckedRecord):
    """The amounts of an adjustment or effect: before, after, and the change."""

    written_in_full = EXTENSIONS

    # Interface: rentAdjustment, adjustmentRulesEffects
    from_yearly_amount: AmountField | None = None
    """Amount of a year before: that of a billing period times the periods of a year (A38)."""
    to_yearly_amount: AmountField | None = None
    """Amount of a year after."""
    yearly_amount_change: AmountField | None = None
    """After less before."""
    from_period_amount: AmountField | None = None
    """Amount of a billing period before, of the whole line and before discount (A25)."""
    to_period_amount: AmountField | None = None
    """Amount of a billing period after."""
    period_amount_change: AmountField | None = None
    """After less before."""
    from_balance_amount: AmountField | None = None
    """Balance before, where a balance is adjusted (A39)."""
    to_balance_amount: AmountField | None = None
    """Balance after."""
    balance_amount_change: AmountField | None = None
    """After less before."""

    @property
    def amounts(self) -> tuple[tuple[str, Amount], ...]:
        """Its amounts, by the names of their fields."""
        return tuple((name, value) for name, value in self if isinstance(value, Amount))

    def __eq__(self, other: object) -> bool:
        """Two are equal when the interface's fields are, whatever their origin (A56)."""
        if type(other) is not type(self):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name)
            for name in type(self).model_fields
            if name not in EXTENSIONS
        )

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash((self.to_period_amount, self.to_balance_amount, self.to_yearly_amount))


class AdjustmentEffect(_Outcome):
    """The effect of one rule on an adjustment.

    Examples:
        >>> AdjustmentEffect(rent_adjustment_rule_id="rule-1", calculated_percentage=0).reasons
        ()
    """

    written_first: ClassVar[tuple[str, ...]] = (
        "rent_adjustment_rule_id",
        "calculated_percentage",
        "from_index",
        "to_index",
        "from_year_month",
        "to_year_month",
    )
    """Fields that are written before the amounts, as in the interface."""

    # Interface: adjustmentRulesEffects
    rent_adjustment_rule_id: IdField | None = None
    """The rule."""
    calculated_percentage: OptionalRateField = ABSENT
    """The raw change as a fraction, half up to 6 decimals; absent for amounts (A35)."""
    from_index: OptionalNumberField = ABSENT
    """The index value compared with."""
    to_index: OptionalNumberField = ABSENT
    """The index value used."""
    from_year_month: YearMonthField | None = None
    """Month of the value compared with; the last one of a quarter or year (A31)."""
    to_year_month: YearMonthField | None = None
    """Month of the value used."""
    minimum_percentage: OptionalRateField = ABSENT
    """The rule's minimum."""
    maximum_percentage: OptionalRateField = ABSENT
    """The rule's maximum."""
    # Ours (A56)
    applied_percentage: OptionalRateField = ABSENT
    """The percentage applied, half up to 10 decimals of the fraction (A35)."""
    unlimited_amount: AmountField | None = None
    """Amount of a billing period that the rule goes on from where it carries past a limit (A40)."""
    from_point: PointField | None = None
    """The month, quarter or year compared with."""
    to_point: PointField | None = None
    """The month, quarter or year of the value used."""
    reasons: Annotated[tuple[TextField, ...], Listed] = ()
    """Steps that changed the percentage or the amount, such as `maximum` or `share`."""


class RentAdjustment(_Outcome):
    """A rent or balance that changes on a day, with the effect of each rule (A37, A38).

    Examples:
        >>> from datetime import date
        >>> RentAdjustment(adjusted_on=date(2026, 1, 1)).year
        '2026'
    """

    written_first: ClassVar[tuple[str, ...]] = ("id", "adjusted_on", "year")
    """Fields that are written before the amounts, as in the interface."""
    sent_lists = ("adjustment_rules_effects",)

    # Interface: rentAdjustment
    id: IdField | None = None
    """Identifier."""
    adjusted_on: DateField
    """First day with the new amount."""
    year: YearField | None = None
    """Year that it applies to; absent reads as the year of its day."""
    adjustment_rules_effects: Annotated[tuple[AdjustmentEffect, ...], Listed] = ()
    """One effect for each rule that did something, in order."""
    # Ours (A56)
    plan_id: IdField | None = None
    """The plan."""
    adjustee_id: IdField | None = None
    """The item or balance adjusted."""

    def model_post_init(self, _context: object, /) -> None:
        """Fill in the year."""
        if self.year is None:
            vars(self)["year"] = f"{self.adjusted_on.year:04d}"
        # Older versions of pydantic leave it out where a record is made without checks, and then
        # cannot pickle the record.
        object.__setattr__(self, "__pydantic_private__", None)

    def __repr__(self) -> str:
        """Return the day, the amounts and the number of effects."""
        before, after = self.from_period_amount, self.to_period_amount
        if after is None:
            before, after = self.from_balance_amount, self.to_balance_amount
        count = len(self.adjustment_rules_effects)
        said = f"{before} to {after}, {count} effect" + ("s" if count != 1 else "")
        return f"<RentAdjustment {self.adjusted_on} {said}>"

    def __str__(self) -> str:
        """Return the amounts before and after as a table, and why they changed."""
        from rentbilling.terms.adjustment_tables import adjustment_table  # noqa: PLC0415 - it reads this

        return adjustment_table((self,)).rstrip("\n")

    def _repr_html_(self) -> str:
        from rentbilling.terms.adjustment_tables import adjustment_html  # noqa: PLC0415 - it reads this

        return adjustment_html((self,))


class RentAdjustmentPlan(TabularRecord):
    """The rules by which one item or balance is adjusted, and its adjustments so far.

    Listed adjustments are not computed again: each amount applies from its day (A38).

    Examples:
        >>> plan = RentAdjustmentPlan(
        ...     rent_adjustment_rules=(
        ...         RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10),
        ...     ),
        ... )
        >>> plan.adjusts_items, plan.adjusts_balances
        (True, False)
    """

    sent_lists = ("rent_adjustment_rules", "adjustments")

    # Interface: rentAdjustmentPlans
    id: IdField | None = None
    """Identifier; given by position otherwise."""
    lease_id: IdField | None = None
    """The lease."""
    created: DateTimeField | None = None
    """Creation; without a first year, no adjustment is made before it (A32)."""
    modified: DateTimeField | None = None
    """Last modification."""
    adjustee_ref: IdField | None = None
    """Id of the item or balance adjusted; absent where the lease has only one (A39, A49)."""
    balance_charge_type: IdField | None = None
    """Type of the balance adjusted (A39)."""
    next_adjustment_date: OptionalDateField = ABSENT
    """The next adjustment by a service; never used for computing."""
    cancelled_on: OptionalDateField = ABSENT
    """No adjustment on or after it (A32)."""
    ended_on: OptionalDateField = ABSENT
    """No adjustment after it (A32)."""
    cancelled_or_ended_on: OptionalDateField = ABSENT
    """One of the two, where the sender does not say which: a cancellation then (A32)."""
    adjusts_recurring_bill_item: FlagField | None = None
    """Whether it adjusts an item; absent: where it adjusts no balance."""
    adjusts_balance: FlagField | None = None
    """Whether it adjusts a balance; absent: no."""
    vat: VatField | None = None
    """VAT of bills about the balance."""
    rent_adjustment_rules: Annotated[tuple[RentAdjustmentRule, ...], Listed] = ()
    """The rules, in the order in which they act (A37)."""
    adjustments: Annotated[tuple[RentAdjustment, ...], Listed] = ()
    """Adjustments made so far, in any order."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find a plan that adjusts nothing, twins among its rules, adjustments on one day."""
        item, balance = parts.get("adjusts_recurring_bill_item"), parts.get("adjusts_balance")
        if item is False and "adjusts_balance" in parts and not balance:
            said, expected = "adjusts nothing", "an item or a balance"
            problem = Problem("adjustsRecurringBillItem", "says_nothing", said, "false", expected)
            yield InvalidAdjustmentRuleError, problem
        rules = parts.get("rent_adjustment_rules", ())
        ids = rule_ids(rules)
        for at in twins(ids):
            said, path = "is the id of another rule", f"rentAdjustmentRules[{at}].id"
            problem = Problem(path, "duplicate_id", said, shown(ids[at]), "an own id")
            yield InvalidRecordError, problem
        for at, rule in enumerate(rules):
            if rule.clause.combine != "in_turn" and not _meets(rule, rules[:at]):
                what = {"sum": "add to", "lower_of": "compete with", "limit": "limit"}
                said = f"has no rule before it to {what[rule.clause.combine]} in its month"
                path = f"rentAdjustmentRules[{at}].indexClause.combine"
                expected = "a rule listed before it that adjusts in the same month"
                met = shown(rule.clause.combine)
                yield InvalidAdjustmentRuleError, Problem(path, "says_nothing", said, met, expected)
        yield from _carry_problems(rules)
        seen: set[object] = set()
        for at, each in enumerate(parts.get("adjustments", ())):
            if each.adjusted_on in seen:
                said, path = "has another adjustment", f"adjustments[{at}].adjustedOn"
                problem = Problem(path, "equal_days", said, str(each.adjusted_on), "another day")
                yield InvalidRecordError, problem
            seen.add(each.adjusted_on)

    @classmethod
    def fits(cls, parts: Mapping[str, Any]) -> bool:
        """Return whether all fields are there and nothing is wrong between them.

        A plan for an item, of one rule without a clause, is seen at a glance.
        """
        rules = parts["rent_adjustment_rules"]
        plain = (
            len(rules) == 1
            and rules[0].index_clause is None
            and parts["adjusts_recurring_bill_item"] is not False
            and not parts["adjustments"]
        )
        return plain or super().fits(parts)

    @property
    def adjusts_items(self) -> bool:
        """Whether the plan adjusts a recurring item."""
        if self.adjusts_recurring_bill_item is None:
            return not self.adjusts_balance
        return self.adjusts_recurring_bill_item

    @property
    def adjusts_balances(self) -> bool:
        """Whether the plan adjusts a balance."""
        return bool(self.adjusts_balance)

    @property
    def rule_ids(self) -> tuple[str, ...]:
        """Ids of the rules, by position where absent."""
        return rule_ids(self.rent_adjustment_rules)


class Balance(CheckedRecord):
    """A deposit or a prepaid rent before its plans adjust it (A39).

    Examples:
        >>> from rentbilling import Amount
        >>> Balance(balance_charge_type="deposit", amount=Amount(25_500, "DKK"), months=3).months
        Decimal('3')
    """

    required_on_wire: ClassVar[tuple[str, ...]] = ("balance_charge_type",)

    id: IdField | None = None
    """Identifier; given by position otherwise."""
    balance_charge_type: IdField = "deposit"
    """What it is, such as deposit or prepaidRent: any word (A49)."""
    amount: AmountField
    """The balance."""
    months: Annotated[OptionalNumberField, Within(0, _MOST_MONTHS, above=True)] = ABSENT
    """Its size in months of rent, where known: it then follows the rent (A39)."""
    product_key: IdField | None = None
    """Product under which its changes are billed; absent: its type."""


class NoticeRecord(CheckedRecord):
    """A notice as in JSON."""

    code: IdField
    """A stable word for its subject."""
    message: TextField
    """The same as a sentence."""
    item_id: IdField | None = None
    """The item or balance that it is about, if one."""
    facts: dict[str, TextField] | None = None
    """The values in the sentence, by name."""


class AdjustmentList(CheckedRecord):
    """The adjustments of a period, in order of days, as in JSON.

    Examples:
        >>> AdjustmentList(adjustments=()).notices
        ()
    """

    answered = True

    adjustments: Annotated[tuple[RentAdjustment, ...], Listed]
    """The adjustments."""
    # Ours (A56)
    notices: Annotated[tuple[NoticeRecord, ...], Listed] = ()
    """Notices for a person."""


def _carry_problems(rules: Sequence[RentAdjustmentRule]) -> Problems:
    """Find rules that carry past a limit where nothing limits them (A40)."""
    if any(rule.clause.combine in ("limit", "lower_of") for rule in rules):
        return
    for at, rule in enumerate(rules):
        limits = rule.minimum_percentage, rule.maximum_percentage
        if rule.clause.after_limit == "carry" and limits == (None, None):
            said = "has no effect where nothing limits the rule"
            path = f"rentAdjustmentRules[{at}].indexClause.afterLimit"
            expected = "none, or a minimum or a maximum, or a rule of the plan that limits"
            problem = Problem(path, "says_nothing", said, "'carry'", expected)
            yield InvalidAdjustmentRuleError, problem


def rule_ids(rules: Sequence[RentAdjustmentRule]) -> tuple[str, ...]:
    """Return the ids of a plan's rules, by position where absent."""
    return tuple([rule.id or f"rule-{at}" for at, rule in enumerate(rules, 1)])


def twins(ids: Sequence[str]) -> list[int]:
    """Return the places of ids that another one before them has already.

    Examples:
        >>> twins(("a", "b", "a"))
        [2]
    """
    first: dict[str, int] = {}
    return [at for at, each in enumerate(ids) if first.setdefault(each, at) != at]


def plan_ids(plans: Sequence[RentAdjustmentPlan]) -> tuple[str, ...]:
    """Return the plans' ids, by position where absent (A57)."""
    return tuple(plan.id or f"plan-{at}" for at, plan in enumerate(plans, 1))
