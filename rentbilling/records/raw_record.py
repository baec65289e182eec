"""Records of a service that could not be created here: their data, and what is wrong with them.

Laws: what a caller creates is read as strictly as everywhere; a list that a service returns is
never refused because of one bad record in it, and such a record has the codes and paths that
creating it would have (A49).
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pydantic import (
    GetCoreSchemaHandler,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
)
from pydantic_core import CoreSchema, core_schema

from rentbilling.errors import InvalidInputError, Problem
from rentbilling.records.fields import is_lenient
from rentbilling.records.json_text import JsonData
from rentbilling.records.messages import error_from


@dataclass(frozen=True, slots=True)
class RawRecord:
    """An object of a list as the service sent it, because no record can be made of it (A49).

    Examples:
        >>> from rentbilling import loads
        >>> from rentbilling.interface import RentAdjustmentPlanPage
        >>> rule = '{"adjustmentType": "Index", "adjustmentMonth": 1}'
        >>> text = f'{{"rentAdjustmentPlans": [{{"id": "a", "rentAdjustmentRules": [{rule}]}}]}}'
        >>> (plan,) = loads(text, RentAdjustmentPlanPage, from_service=True).rent_adjustment_plans
        >>> plan.data["id"], [(each.path, each.code) for each in plan.problems]
        ('a', [('rentAdjustmentRules[0].indexMonth', 'no_index_month')])
    """

    data: Mapping[str, JsonData]
    """The fields by their names on the wire."""
    error: InvalidInputError
    """What creating it would raise."""

    @property
    def problems(self) -> Sequence[Problem]:
        """All that is wrong, each with its path below the object."""
        return self.error.problems

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(self.error)


class OrRaw:
    """Annotates records of a list: what a service wrote is read as `RawRecord` if need be."""

    def __get_pydantic_core_schema__(
        self,
        kind: Any,  # noqa: ANN401
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        """Read and write either."""

        def read(value: object, strict: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:  # noqa: ANN401
            if isinstance(value, RawRecord):
                return value
            try:
                return strict(value)
            except ValidationError as error:
                if not (is_lenient(info) and isinstance(value, Mapping)):
                    raise
                return RawRecord(deepcopy(dict(value)), error_from(error, value, kind))

        def write(value: object, strict: Any) -> Any:  # noqa: ANN401
            return value.data if isinstance(value, RawRecord) else strict(value)

        return core_schema.with_info_wrap_validator_function(
            read,
            handler(kind),
            serialization=core_schema.wrap_serializer_function_ser_schema(write),
        )
