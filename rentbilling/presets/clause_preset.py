"""Presets: index clauses filled in for a country, with source and dates.

Law: a preset gives the same rule as writing out all its fields.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

from rentbilling.errors import InvalidAdjustmentRuleError, InvalidRecordError, Problem
from rentbilling.terms import IndexClause, RentAdjustmentRule

_PLAIN: Final = IndexClause()
_POINTS: Final = ("index_month", "index_quarter")
"""Needs that replace each other; a lag replaces both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClausePreset:
    """The usual clause of a country for one kind of lease; `rule` returns a rule with it (A40).

    Examples:
        >>> quarter = ClausePreset(
        ...     country="FR",
        ...     name="residential",
        ...     clause=IndexClause(reference="quarter"),
        ...     needs=("index_quarter",),
        ...     index="IRL",
        ...     source="INSEE",
        ...     says="The rent follows the quarter that the lease names.",
        ... )
        >>> quarter.rule(7, index_quarter=1).clause.index_quarter
        1
    """

    country: str
    """Code of two letters, ISO 3166: DK, GB."""
    region: str | None = None
    """Part of the country with its own law."""
    name: str
    """The kind of lease or clause."""
    clause: IndexClause
    """The conventions."""
    minimum_percentage: Decimal | None = None
    """The rule's minimum; a fraction: with 0 the rent never falls."""
    maximum_percentage: Decimal | None = None
    """The rule's maximum; a fraction: 0.025 is two and a half percent."""
    index: str
    """The usual index."""
    index_month: int | None = None
    """The usual calendar month of the index."""
    needs: tuple[str, ...] = ()
    """Fields of the rule or its clause that the lease itself must state; None states that there is
    none."""
    valid_from: date | None = None
    """First day of an adjustment by it; None if no first day is known."""
    valid_until: date | None = None
    """Last day of an adjustment by it."""
    source: str
    """Statute, publisher or page of the clause."""
    says: str
    """A description, with the facts that the lease must state."""

    def rule(
        self,
        adjustment_month: int,
        *,
        index_month: int | None = None,
        first_year: int | str | None = None,
        last_year: int | str | None = None,
        **changes: Any,  # noqa: ANN401
    ) -> RentAdjustmentRule:
        """Return a rule with this clause.

        Args:
            adjustment_month: Calendar month on whose first day it adjusts, 1-12.
            index_month: Calendar month of the index, if it is not the usual one.
            first_year: First year with an adjustment; absent: the first one from `valid_from` on.
            last_year: Last year with an adjustment; absent: the last one until `valid_until`.
            **changes: Fields of the rule or of its clause that differ in this lease.

        Returns:
            The rule, which can be changed like any other.

        Raises:
            InvalidInputError: A fact that the lease must state is missing, a change contradicts the
                clause, a year is outside the preset's days, or there is none between them.
        """
        first, last = adjustment_years(adjustment_month, self.valid_from, self.valid_until)
        fields: dict[str, Any] = {
            "minimum_percentage": self.minimum_percentage,
            "maximum_percentage": self.maximum_percentage,
        }
        own = RentAdjustmentRule.model_fields
        of_clause = {name: value for name, value in changes.items() if name not in own}
        clause = self.clause.evolve(**of_clause) if of_clause else self.clause
        usual = None if clause.finds_points else self.index_month
        self._refuse_gaps({**changes, "index_month": index_month}, clause)
        stated = _year(first_year), _year(last_year)
        self._refuse_years(stated, first, last)
        if clause != _PLAIN:
            fields["index_clause"] = clause
        fields.update((name, value) for name, value in changes.items() if name in own)
        return RentAdjustmentRule(
            adjustment_type="Index",
            adjustment_month=adjustment_month,
            index_month=usual if index_month is None else index_month,
            first_year=first if first_year is None else stated[0],
            last_year=last if last_year is None else stated[1],
            **fields,
        )

    def _refuse_gaps(self, stated: dict[str, Any], clause: IndexClause) -> None:
        """Refuse a rule without the facts that only the lease can state."""
        points = clause.finds_points or stated["index_month"] is not None
        missing = [
            name for name in self.needs if not (points if name in _POINTS else name in stated)
        ]
        if missing:
            said, expected = "is missing: the lease has to state it", "as the lease has it"
            raise InvalidAdjustmentRuleError(
                Problem(name, "needed_by_preset", said, "nothing", expected) for name in missing
            )

    def _refuse_years(
        self, stated: tuple[object, object], first: str | None, last: str | None
    ) -> None:
        """Refuse years outside the preset's days (A140); the rule refuses what is no year."""
        since, until = (each if isinstance(each, str) else None for each in stated)
        wrong = {"first_year": since} if since and first and since < first else {}
        wrong |= {"last_year": until} if until and last and until > last else {}
        if wrong:
            said = "is outside the days of the preset"
            raise InvalidAdjustmentRuleError(
                Problem(name, "outside_preset", said, year, self.label)
                for name, year in wrong.items()
            )

    @property
    def label(self) -> str:
        """Its name, with region and dates if it has them.

        Examples:
            >>> from rentbilling.presets import preset
            >>> preset("BE", region="Flanders").label
            'residential (Flanders)'
        """
        notes = [] if self.region is None else [self.region]
        notes += [] if self.valid_from is None else [f"from {self.valid_from}"]
        notes += [] if self.valid_until is None else [f"until {self.valid_until}"]
        return f"{self.name} ({', '.join(notes)})" if notes else self.name

    def holds_on(self, day: date | None) -> bool:
        """Return whether it applies to an adjustment on a day; without a day, always."""
        return holds_between(day, self.valid_from, self.valid_until)


def holds_between(day: date | None, first: date | None, last: date | None) -> bool:
    """Return whether a day is between two others, both included; None means no bound."""
    if day is None:
        return True
    return (first is None or first <= day) and (last is None or day <= last)


def adjustment_years(
    month: object, first: date | None, last: date | None
) -> tuple[str | None, str | None]:
    """Return the first and the last year whose adjustment day lies between two days.

    Raises:
        InvalidRecordError: The month is no whole number.

    Examples:
        From 30 September 2022 to 29 September 2024 there are two days in January, and the first of
        October 2022 is the first one in October:

        >>> adjustment_years(1, date(2022, 9, 30), date(2024, 9, 29))
        ('2023', '2024')
        >>> adjustment_years(10, date(2022, 9, 30), date(2024, 9, 29))
        ('2022', '2023')
    """
    if not isinstance(month, int):
        said, expected = "is not a whole number", "a calendar month from 1 to 12"
        raise InvalidRecordError.of("adjustment_month", "not_a_whole_number", said, month, expected)
    years: list[str | None] = [None, None]
    if first is not None:
        years[0] = f"{first.year + ((first.month, first.day) > (month, 1)):04d}"
    if last is not None:
        years[1] = f"{last.year - ((last.month, last.day) < (month, 1)):04d}"
    return years[0], years[1]


def _year(given: object) -> Any:  # noqa: ANN401 - the rule refuses what is no year
    return f"{given:04d}" if isinstance(given, int) and not isinstance(given, bool) else given
