"""Rent adjustment plans: as they are listed, requested, created and changed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from rentbilling.errors import InvalidRecordError, Problem, shown
from rentbilling.interface.request import Change, SentRecord, given_id
from rentbilling.records import (
    ABSENT,
    CheckedRecord,
    IdField,
    InSchema,
    Listed,
    OptionalDateField,
    OrRaw,
    Problems,
    RawRecord,
)
from rentbilling.tables import PageRecord
from rentbilling.terms import RentAdjustmentPlan

# Described and shown in tables as a plan, whichever of the two it is.
if TYPE_CHECKING:
    ListedPlan = RentAdjustmentPlan | RawRecord
else:
    ListedPlan = Annotated[RentAdjustmentPlan, OrRaw()]


class RentAdjustmentPlanPage(PageRecord):
    """A page of rent adjustment plans."""

    # Interface: rentAdjustmentPlans
    rent_adjustment_plans: Annotated[tuple[ListedPlan, ...], Listed]
    """The plans, in order of creation (A43); one that fails validation as its data (A49)."""


class RentAdjustmentPlanRequest(SentRecord):
    """A request about one rent adjustment plan."""

    # Ours
    rent_adjustment_plan_id: IdField
    """Its identifier."""


_NEW_PLAN: Final = InSchema(
    {"properties": {"id": {"type": "null"}, "nextAdjustmentDate": {"type": "null"}}}
)


class CreateRentAdjustmentPlan(SentRecord):
    """A new rent adjustment plan of a lease."""

    # Ours
    lease_id: IdField
    """The lease that it is created for."""
    rent_adjustment_plan: Annotated[RentAdjustmentPlan, _NEW_PLAN]
    """The plan, without an id and a next adjustment; its lease is the one it is created for."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        plan, lease_id = parts.get("rent_adjustment_plan"), parts.get("lease_id")
        yield from given_id("rentAdjustmentPlan", plan)
        if plan is not None and plan.next_adjustment_date is not None:
            said, met = "follows from the plan's rules", shown(plan.next_adjustment_date)
            path = "rentAdjustmentPlan.nextAdjustmentDate"
            yield InvalidRecordError, Problem(path, "follows", said, met, "none")
        if plan is not None and lease_id is not None and plan.lease_id not in (None, lease_id):
            said, path = "is another lease", "rentAdjustmentPlan.leaseId"
            expected = f"none, or {shown(lease_id)}"
            problem = Problem(path, "other_lease", said, shown(plan.lease_id), expected)
            yield InvalidRecordError, problem


class RentAdjustmentPlanCreated(CheckedRecord):
    """A rent adjustment plan was created."""

    # Ours
    rent_adjustment_plan_id: IdField
    """The plan."""


class ChangeRentAdjustmentPlan(Change):
    """A change of a rent adjustment plan; a field that is absent stays.

    Examples:
        >>> from datetime import date
        >>> ChangeRentAdjustmentPlan(
        ...     rent_adjustment_plan_id="plan-1", ended_on=date(2030, 12, 31)
        ... ).changes()
        {'ended_on': datetime.date(2030, 12, 31)}
    """

    subject: ClassVar[str] = "rent_adjustment_plan_id"

    # Ours
    rent_adjustment_plan_id: IdField
    """The plan."""
    cancelled_on: OptionalDateField = ABSENT
    """No adjustment on or after it (A32)."""
    ended_on: OptionalDateField = ABSENT
    """No adjustment after it (A32)."""
    clear: Annotated[tuple[Literal["cancelledOn", "endedOn"], ...], Listed] = ()
    """Fields that have no value from now on."""
