"""Workings: why a figure is what it is, step by step, as data and as text.

A working is one step: an operation on named inputs that gives a result, by a rule. An input may be
a working itself, so that every figure leads back to what the terms state. The operations:

| Operation | NamedInput | Result |
|---|---|---|
| `stated` | none, or what it was read from | a fact: of the terms, of a service, of an index |
| `together` | anything | that of the first input; the others are further facts |
| `selected` | `value`, `on`, perhaps `since`, `until` | the value; since ≤ on ≤ until |
| `sum`, `product` | numbers | of all of them |
| `difference` | numbers | the first less all others |
| `quotient` | two numbers | the first over the second |
| `power` | base, exponent | exact for a whole exponent, else to 50 digits, half to even |
| `rounded` | value, step, mode | the multiple of the step that the mode gives (A3) |
| `inside` | gross, rate | gross × rate / (1 + rate) |
| `limited` | value, perhaps `minimum …`, `maximum …` | the value within both |
| `larger`, `smaller` | numbers | by size without sign; the first of equals |
| `day` | a day, a number | so many days after it |
| `counted` | `first`, `last`, `unit` | days, months, or days of 30/360, ends included |
| `halved` | days, days of the month | 1 above 14 days or for all, else 1/2 |
| `moved` | day, way, closed days by name | the day after them, going that way |
| `first` | `after`, `unit`, `every`, `start`, `start day` | first start after a day (A8) |
| `period` | `first start`, `number`, `length`, `unit`, `start day` | that cycle (A8) |
| `cut` | a period, perhaps `from`, `until` | its days from the one on, until the other |
| `corrected` | `missing units`, `line`, `step`, residues by line | ±step or 0 (A29) |
| `shared` | `whole`, `place`, `step`, weights | the part of that place, in steps (A64) |
| `printed` | `line`, `quantity`, `exact`, `step`, `mode` | the unit price to print (A21) |
| `reached` | a number, then changes | the sum; each change begins where the one before ended |
| `referred` | `step` | that of the step with this id, explained before |

Law: the result of every step is what its operation gives for its inputs, with exact numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, Final, Union

from rentbilling.errors import printable, shown
from rentbilling.explanations.formatting import (
    FORMULAS,
    Value,
    as_fraction,
    result_text,
    value_data,
    value_text,
)
from rentbilling.layout import html_text
from rentbilling.tables import Column, ResultSequence, Row, Tabular, columns
from rentbilling.values import Amount

Input = Union[Value, "Working"]
"""A value, or the working that it comes from."""

_INDENT: Final = "  "


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Working(Tabular):
    """One step of a working: a result, the rule and the inputs that it comes from.

    Examples:
        >>> from fractions import Fraction
        >>> exact = Working("exact line", "product", (("price", 8500), ("share", Fraction(17, 31))),
        ...     Fraction(144500, 31), "A21")
        >>> print(exact)
        exact line: 4,661.2903… = 8,500 × (17/31) [A21]
    """

    label: str
    """A name for the result, such as `net price` or `share of the period`."""
    operation: str
    """The operation: a word of the table above."""
    inputs: tuple[tuple[str, Input], ...]
    """The inputs by name."""
    result: Value
    """The exact result."""
    rule: str
    """The rule: an assumption such as A20, or a standard."""
    note: str | None = None
    """A sentence more for readers."""
    step_id: str | None = None
    """The id by which later steps of the explanation refer to it: an amount after an adjustment."""

    def __init__(
        self,
        label: str,
        operation: str,
        inputs: tuple[tuple[str, Input], ...],
        result: Value,
        rule: str,
        note: str | None = None,
        step_id: str | None = None,
    ) -> None:
        """Keep the parts, in half the time that a frozen dataclass takes."""
        _set_label(self, label)
        _set_operation(self, operation)
        _set_inputs(self, inputs)
        _set_result(self, result)
        _set_rule(self, rule)
        _set_note(self, note)
        _set_step_id(self, step_id)

    @property
    def values(self) -> tuple[tuple[str, Value], ...]:
        """The inputs by name, each as its value."""
        return tuple(
            (name, given.result if isinstance(given, Working) else given)
            for name, given in self.inputs
        )

    def steps(self) -> Iterator["Working"]:
        """Give this step and all that it comes from, depth first."""
        yield self
        for _, given in self.inputs:
            if isinstance(given, Working):
                yield from given.steps()

    def find(self, label: str) -> "Working":
        """Return the first step of a label, depth first.

        Raises:
            LookupError: There is none.
        """
        for step in self.steps():
            if step.label == label:
                return step
        known = ", ".join(dict.fromkeys(step.label for step in self.steps()))
        raise LookupError(f"no step is labelled {shown(label)} (known: {known})")

    def as_data(self) -> dict[str, object]:
        """Return it as plain data for JSON: exact numbers as text, workings as objects."""
        data: dict[str, object] = {
            "label": self.label,
            "operation": self.operation,
            "inputs": [
                {"name": name, "working": given.as_data()}
                if isinstance(given, Working)
                else {"name": name, "value": value_data(given)}
                for name, given in self.inputs
            ],
            "result": value_data(self.result),
            "rule": self.rule,
        }
        if self.note is not None:
            data["note"] = self.note
        if self.step_id is not None:
            data["id"] = self.step_id
        return data

    @property
    def columns(self) -> Sequence[Column]:
        return _COLUMNS

    def rows(self) -> list[Row]:
        """Return a row for each step, depth first, as `Explanation` does."""
        return [*_rows_of(self, 1, depth=0)]

    def _to_wire(self) -> dict[str, object]:
        return self.as_data()

    def __str__(self) -> str:
        """Return the outline: one step a line, each with its rule at the end."""
        # A product key or a text with a line break in it begins no line of its own.
        return "\n".join(map(printable, _outlined(self, 0, {})))

    def __repr__(self) -> str:
        return f"<Working {self.label} {self.result_text}>"

    def _repr_html_(self) -> str:
        """Return the outline as a notebook shows it."""
        return html_text(str(self))

    @property
    def result_text(self) -> str:
        """The result as text; a fraction with its beginning as a decimal number."""
        return result_text(self.result, self.label)


(_set_label, _set_operation, _set_inputs, _set_result, _set_rule, _set_note, _set_step_id) = tuple(
    getattr(Working, each.name).__set__ for each in fields(Working)
)

_COLUMNS: Final = (
    *columns(whole="figure depth", text="label result formula rule note"),
    Column("step_id"),
)


class Explanation(ResultSequence[Working], Tabular):
    """Workings in the order of what they explain; the text is that of all of them.

    A working may refer to a step of an earlier one; `explain` of one figure refers to nothing else.

    Examples:
        >>> str(Explanation([Working("total", "stated", (), 5, "A30")]))
        'total: 5 [A30]'
    """

    __slots__ = ("_workings",)

    def __init__(self, workings: Iterable[Working]) -> None:
        """Create an explanation.

        Args:
            workings: One for each bill total or adjustment.
        """
        self._workings = tuple(workings)

    @property
    def parts(self) -> tuple[Working, ...]:
        """The workings in order."""
        return self._workings

    @property
    def columns(self) -> Sequence[Column]:
        return _COLUMNS

    def rows(self) -> list[Row]:
        """Return a row for each step, depth first: the explained figures from 1, at depth 0."""
        return [
            row for at, each in enumerate(self._workings, 1) for row in _rows_of(each, at, depth=0)
        ]

    def _repr_html_(self) -> str:
        """Return the outlines as a notebook shows them."""
        return html_text(str(self))

    def steps(self) -> Iterator[Working]:
        """Give every step of every working, depth first."""
        for working in self._workings:
            yield from working.steps()

    def as_data(self) -> list[dict[str, object]]:
        """Return all workings as plain data for JSON."""
        return [working.as_data() for working in self._workings]

    def _to_wire(self) -> dict[str, Any]:
        return {"workings": self.as_data()}

    def __str__(self) -> str:
        """Return the outlines with an empty line between them."""
        return "\n\n".join(map(str, self._workings))

    def __repr__(self) -> str:
        return f"<Explanation of {len(self)} figures>"


def _rows_of(step: Working, figure: int, *, depth: int) -> Iterator[Row]:
    formula = FORMULAS[step.operation](step.values) or None
    values = (
        *(figure, depth, step.label, value_text(step.result, step.label), formula),
        *(step.rule, step.note, step.step_id),
    )
    yield dict(zip((column.name for column in _COLUMNS), values, strict=True))
    for _, given in step.inputs:
        if isinstance(given, Working):
            yield from _rows_of(given, figure, depth=depth + 1)


def _outlined(step: Working, depth: int, given: dict[Working, None]) -> Iterator[str]:
    """Yield the lines of a step; a step that was given in full before is not repeated."""
    text = f"{_INDENT * depth}{step.label}: {step.result_text}"
    # A step that changes nothing shows the step that it comes from.
    source_step = step
    while (source := idle_source(source_step)) is not None:
        source_step = source
    inner = [each for _, each in source_step.inputs if isinstance(each, Working)]
    if inner:
        # Once, because the hash of a step is that of all that it comes from.
        count = len(given)
        given[step] = None
        if len(given) == count:
            yield f"{text}, as above [{step.rule}]"
            return
    formula = FORMULAS[source_step.operation](source_step.values)
    if formula:
        # A selected value is not computed.
        text += f", {formula}" if source_step.operation == "selected" else f" = {formula}"
    if source_step.note is not None:
        text += f"; {source_step.note}"
    yield f"{text} [{source_step.rule}]"
    for each in inner:
        yield from _outlined(each, depth + 1, given)


def idle_source(step: Working) -> Working | None:
    """Return the input of a step that does not change it: already round, or divided by 1."""
    if step.note is not None or step.operation not in ("rounded", "quotient"):
        return None
    (_, source), (_, other), *_ = step.inputs
    if not isinstance(source, Working):
        return None
    if step.operation == "rounded":
        return source if _same(source.result, step.result) else None
    return source if _same(other.result if isinstance(other, Working) else other, 1) else None


def agreed(working: Working, figure: Value, what: str) -> Working:
    """Return a working whose result is the figure that it explains.

    Raises:
        RuntimeError: It leads to another figure: a fault of this library, not of its input.
    """
    if working.result is not figure and not _same(working.result, figure):
        found, expected = value_text(working.result), value_text(figure)
        raise RuntimeError(
            f"the working of {what} leads to {found}, and the figure is {expected}: "
            "this is a fault of rentbilling, please report it with the terms"
        )
    return working


def _same(one: Value, other: Value) -> bool:
    """Return whether two values are equal; an amount and a plain number compare as numbers."""
    if type(one) is type(other):
        same = one == other
        if same or type(one) is Amount:
            return same
    elif type(one) is Amount and type(other) is Decimal:
        return one.amount == other
    try:
        return as_fraction(one) == as_fraction(other)
    except TypeError:
        return one == other
