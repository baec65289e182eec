"""Parts of what is sent to an operation: new areas and rooms, and what a change is.

Laws: what a change does not name stays as it is; what it names is checked like what is created
(A50); a null in what is sent is refused, because it would change nothing (A6).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, get_args

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.interface.request_bounds import SentRecord
from rentbilling.records.bounds import NOT_BELOW_ZERO
from rentbilling.records.fields import IdField, NumberField
from rentbilling.records.record import CheckedRecord, Problems


class NewRoomCount(CheckedRecord):
    """How many rooms of one type a tenancy has from now on; both are said."""

    # Ours
    type: IdField
    """What rooms; any word (A49)."""
    count: Annotated[NumberField, NOT_BELOW_ZERO]
    """How many, 0 or more; half a room is 0.5."""


class NewArea(CheckedRecord):
    """An area from now on; its unit is said."""

    # Ours
    value: Annotated[NumberField, NOT_BELOW_ZERO]
    """How much, 0 or more."""
    unit: IdField
    """Of what; any word (A49)."""


class Change(SentRecord):
    """What changes of an object; what is absent stays."""

    takes_null = False
    subject: ClassVar[str]
    """The field that names the object, which does not change."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Find fields that are set and cleared at once."""
        return _cleared_and_set(cls, parts)

    @classmethod
    def null_problems(cls, names: Iterable[str]) -> Problems:
        """Find null, which would change nothing where a value should go."""
        fields = cls.model_fields
        (words, _) = get_args(fields["clear"].annotation)
        required = [field.alias for field in fields.values() if field.is_required()]
        for name in names:
            # What is required and null is missing.
            if name not in required:
                expected = f"a value, or {name} in clear" if name in get_args(words) else "a value"
                problem = Problem(name, "null_in_change", "says nothing", "null", expected)
                yield InvalidRecordError, problem

    def changes(self) -> dict[str, Any]:
        """Return what changes, by field: what is cleared is empty."""
        given = {
            name: value
            for name, value in self
            if value is not None and name not in (self.subject, "clear")
        }
        fields = type(self).model_fields
        names = {field.alias: name for name, field in fields.items()}
        cleared: Sequence[str] = getattr(self, "clear", ())
        return {**given, **{names[each]: () if each in _LISTS else None for each in cleared}}


_LISTS: Final = (
    *("roomCounts", "tenantIds", "associatedContactIds", "balances"),
    *("amountRecords", "vatRecords", "descriptionRecords", "quantityRecords"),
)
"""Fields that are empty where they have no value."""


def _cleared_and_set(kind: type[CheckedRecord], parts: Mapping[str, Any]) -> Problems:
    """Find fields that are set and cleared at once."""
    names = {field.alias or name: name for name, field in kind.model_fields.items()}
    cleared: Sequence[str] = parts.get("clear", ())
    for at, each in enumerate(cleared):
        if parts.get(names[each]) is not None:
            said, expected = f"clears {each}, which is set too", "one of the two"
            problem = Problem(f"clear[{at}]", "cleared_and_set", said, shown(each), expected)
            yield InvalidRecordError, problem
