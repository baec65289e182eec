"""Scenarios: named functions from billing inputs to changed inputs, which change nothing in place.

Law: scenarios that change different things can be joined with `|` in any order.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from operator import is_not
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Self

from rentbilling.errors import (
    InvalidRecordError,
    shown,
)
from rentbilling.indices import AnyIndices, IndexSeries, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.terms import LeaseTerms, RecurringBillItem
from rentbilling.values import day_of

RENT: Final = "key:rent"


@dataclass(frozen=True, slots=True)
class BillingInputs:
    """Everything that bills and adjustments of one lease are computed from, except the period.

    Examples:
        >>> BillingInputs(LeaseTerms(lease_id="lease-1")).terms.lease_id
        'lease-1'
    """

    terms: LeaseTerms
    indices: Mapping[str, IndexSeries] = field(default_factory=lambda: MappingProxyType({}))
    """The series by name."""
    policy: BillingPolicy = field(default_factory=BillingPolicy)
    asked_from: date | None = None
    """First day of the asked period: a change without a day of its own acts from it on. Without
    one such a change acts on the past, too."""

    @classmethod
    def of(
        cls, terms: LeaseTerms, indices: AnyIndices = None, policy: BillingPolicy | None = None
    ) -> Self:
        """Return inputs with series by name and a policy, of arguments with the right types."""
        if not isinstance(terms, LeaseTerms):
            raise TypeError(f"a scenario is about LeaseTerms, not {shown(terms)}")
        return cls(terms, series_of(indices), policy_of(policy))

    def __reduce__(self) -> tuple[object, ...]:
        return _inputs, (self.terms, dict(self.indices), self.policy, self.asked_from)

    def first_day(self, on: int | None) -> int | None:
        """Return the ordinal of the day from which a change acts; None for all of the past.

        `on` is what `ordinal_of` made of the scenario's argument.
        """
        if on is not None or self.asked_from is None:
            return on or None
        asked, items = self.asked_from.toordinal(), self.terms.recurring_bill_items
        for item in items:
            if item.first_billing_period_bill_item.accounting_period.first < asked:
                return asked
        # A lease that begins later has no past. A balance may be older than the items.
        return asked if not items or self.terms.balances else None

    def evolve(self, **changes: Any) -> Self:  # noqa: ANN401
        """Return the same inputs with some of them changed by name."""
        return replace(self, **changes)


def _inputs(
    terms: LeaseTerms,
    indices: dict[str, IndexSeries],
    policy: BillingPolicy,
    asked_from: date | None,
) -> BillingInputs:
    return BillingInputs(terms, MappingProxyType(indices), policy, asked_from)


Change = Callable[[BillingInputs], BillingInputs]


Turn = Literal["rules", "terms", "prices", "cycles", "turnover"]
"""The step in which an included change is applied: rules first, turnover rent last."""

_TURNS: Final = ("rules", "terms", "prices", "cycles", "turnover")


class Step(NamedTuple):
    """One change of a scenario."""

    change: Change
    turn: Turn | None = None
    """None for a user's function, which is applied at its position."""
    from_period: bool = False
    """Whether it acts from the first day of the asked period."""


class Scenario:
    """A named change of inputs; `a | b` is both.

    Joined scenarios of this package are applied in steps, whatever their order: first policy, index
    and adjustment rules, then start, end, due days and items, then prices, then cycles, then
    turnover rent. So a raise counts from the amount in force under the cap that it is joined with.
    Changes of one step are applied in their order. A user's function is applied at its position,
    and no change moves across it.

    Examples:
        >>> alone = Scenario("alone", lambda inputs: inputs.evolve(terms=LeaseTerms()))
        >>> both = alone | Scenario("as it is", lambda inputs: inputs)
        >>> both
        <Scenario alone, as it is>
        >>> both(BillingInputs(LeaseTerms(lease_id="lease-1"))).terms.lease_id is None
        True
    """

    __slots__ = ("_name", "_steps")

    def __init__(
        self, name: str, change: Change, *, turn: Turn | None = None, from_period: bool = False
    ) -> None:
        """Store name and change.

        Args:
            name: Its name in tables and pictures.
            change: Takes inputs and returns inputs; must not change them in place.
            turn: Its step among joined scenarios; None for its own position.
            from_period: Whether it acts from the first day of the asked period, because no other
                day was given.

        Raises:
            TypeError: The name is not a text, or the change cannot be called.
        """
        if not isinstance(name, str) or not name.strip():
            raise TypeError(f"a scenario has a name, not {shown(name)}")
        if not callable(change):
            right = (
                'a scenario such as raise_rent("3%"), or a function of the inputs that returns them'
            )
            raise TypeError(f"write {right}, not {shown(change)}")
        self._name = name
        self._steps: tuple[Step, ...] = (Step(change, turn, from_period),)

    @classmethod
    def of(cls, given: "Scenario | Change") -> "Scenario":
        """Return a scenario; a plain function gets its own name."""
        if isinstance(given, Scenario):
            return given
        name = str(getattr(given, "__name__", type(given).__name__))
        if getattr(given, "__module__", "").startswith("rentbilling.") and callable(given):
            raise TypeError(f"{name} returns a scenario when it is called: {name}(…)")
        return cls(name.replace("_", " "), given)

    @property
    def name(self) -> str:
        return self._name

    @property
    def from_period(self) -> bool:
        """Whether a change acts from the first day of the asked period, without a day of its own.

        Examples:
            >>> from rentbilling.whatif import cap
            >>> cap(0.04).from_period, cap(0.04, on="start").from_period
            (True, False)
        """
        return any(step.from_period for step in self._steps)

    def named(self, name: str) -> "Scenario":
        """Return the same changes under another name."""
        return self._with(name, self._steps)

    def _with(self, name: str, steps: tuple[Step, ...]) -> "Scenario":
        made = Scenario(name, steps[0].change)
        made._steps = steps
        return made

    def __call__(self, inputs: BillingInputs) -> BillingInputs:
        """Return the changed inputs, which are checked to be some."""
        for step in self._steps if len(self._steps) == 1 else _in_turn(self._steps):
            inputs = step.change(inputs)
            if not isinstance(inputs, BillingInputs):
                said = f"the scenario {self._name} returned {shown(inputs)}, not its inputs"
                raise TypeError(said)
        return inputs

    def __or__(self, other: "Scenario | Change") -> "Scenario":
        if not callable(other):
            return NotImplemented
        after = Scenario.of(other)
        return self._with(f"{self._name}, {after.name}", (*self._steps, *after._steps))

    def __ror__(self, other: Change) -> "Scenario":
        if not callable(other):
            return NotImplemented
        return Scenario.of(other) | self

    def __repr__(self) -> str:
        return f"<Scenario {self._name}>"


def _in_turn(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield steps in their sequence; one without a turn separates those before and after it."""
    for has_turn, group in groupby(steps, key=lambda step: step.turn is not None):
        if has_turn:
            yield from sorted(group, key=lambda step: _TURNS.index(step.turn or "rules"))
        else:
            yield from group


def as_it_is() -> Scenario:
    """Return the scenario that changes nothing.

    Examples:
        >>> as_it_is() | as_it_is().named("as before")
        <Scenario as it is, as before>
    """
    return Scenario("as it is", lambda inputs: inputs)


def under_policy(*, policy: BillingPolicy | None = None, **changes: Any) -> Scenario:  # noqa: ANN401
    """Return the scenario of another billing policy, or of some choices of it changed.

    Opening periods stay as they are stated; a notice names those that the default priced (A154).

    Args:
        policy: The policy to change; that of the inputs by default.
        **changes: Choices by name.

    Raises:
        InvalidPolicyError: A choice is unknown.

    Examples:
        >>> under_policy(vat_rounding="per_line")
        <Scenario vat_rounding per_line>
    """
    (policy or BillingPolicy()).evolve(**changes)
    said = ", ".join(f"{name} {value}" for name, value in changes.items()) or "another policy"

    def change(inputs: BillingInputs) -> BillingInputs:
        return inputs.evolve(policy=(policy or inputs.policy).evolve(**changes))

    return Scenario(said, change, turn="rules")


# ----------------------------------------------------------------------------------- first days

FromDay = date | str | None
"""The first day of a change; "start" for all of the past, None for the first day of the asked
period."""

_START: Final = 0
"""An ordinal before every day."""


def ordinal_of(on: FromDay) -> int | None:
    """Return the ordinal of the first day of a change: 0 for "start", None without one."""
    if on is None:
        return None
    return _START if isinstance(on, str) and on == "start" else day_of(on, "on")


def since_words(on: int | None) -> str:
    """Return the first day of a change as its name has it.

    Examples:
        >>> since_words(ordinal_of("2027-01-01")), since_words(ordinal_of("start"))
        (' from 2027-01-01', ' since the beginning')
    """
    if on is None:
        return ""
    return f" from {date.fromordinal(on)}" if on else " since the beginning"


# ----------------------------------------------------------------------------- changes of items

Chosen = str | Collection[str] | None
"""Product keys or ids of recurring items; None is every recurring item."""

ItemChange = Callable[[BillingInputs, int], RecurringBillItem]
"""Returns the changed item at a place."""


def of_items(
    name: str,
    of: Chosen,
    change: ItemChange,
    *,
    turn: Turn = "prices",
    from_period: bool = False,
) -> Scenario:
    def changed(inputs: BillingInputs) -> BillingInputs:
        terms = inputs.terms
        items = list(terms.recurring_bill_items)
        for at, (item, item_id) in enumerate(zip(items, terms.item_ids, strict=False)):
            if chooses(of, item, item_id):
                items[at] = change(inputs, at)
        return with_items(inputs, items)

    return Scenario(name, changed, turn=turn, from_period=from_period)


def chooses(of: Chosen, item: RecurringBillItem, item_id: str) -> bool:
    if of is None or of in (item.product_key, item_id):
        return True
    return not isinstance(of, str) and (item.product_key in of or item_id in of)


def chosen_words(of: Chosen) -> str:
    """Return the chosen items in words.

    Raises:
        InvalidRecordError: The argument is neither a text nor several.

    Examples:
        >>> chosen_words(None), chosen_words(["key:rent", "key:parking"])
        ('all items', 'key:rent and key:parking')
    """
    if of is None:
        return "all items"
    if isinstance(of, str):
        return of
    if not isinstance(of, Collection) or not all(isinstance(each, str) for each in of):
        expected = "a product key, an id of an item, or several of them"
        raise InvalidRecordError.of("of", "wrong_value", "is not usable", of, expected)
    return " and ".join(of)


def with_items(inputs: BillingInputs, items: Iterable[RecurringBillItem]) -> BillingInputs:
    """Return inputs with other recurring items; the same inputs if no item changed."""
    made = tuple(items)
    old = inputs.terms.recurring_bill_items
    if len(made) == len(old) and not any(map(is_not, made, old)):
        return inputs
    terms = inputs.terms.evolve(recurring_bill_items=made)
    return BillingInputs(terms, inputs.indices, inputs.policy, inputs.asked_from)


def refuse_unless(kind: type | tuple[type, ...], given: object, name: str, expected: str) -> None:
    """Refuse an argument of a wrong type."""
    if not isinstance(given, kind):
        raise InvalidRecordError.of(name, "wrong_value", "is not usable", given, expected)
