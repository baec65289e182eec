"""The class `BillingPolicy`, and how it is read, written and compared."""

import json
from collections.abc import Container, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self, get_args, get_type_hints

from rentbilling.errors import NOT_KNOWN, InvalidInputError, InvalidPolicyError, Problem, shown
from rentbilling.policy.choices import (
    each_read,
    end_problems,
    ends_of,
    holiday_set,
    holidays_of,
    items_of,
    listed_holidays,
    one_of,
    step_of,
    step_problems,
    unknown_field,
    wrong,
)
from rentbilling.policy.schema import VERSION, schema_of_policy
from rentbilling.policy.words import (
    OF_THE_BILL,
    WORDS,
    BalanceChange,
    BusinessDay,
    DiscountEnd,
    IncrementAmount,
    MidPeriodChange,
    MissingIndex,
    PartPeriod,
    PartPeriods,
    Select,
    VatDay,
    VatRounding,
)
from rentbilling.records import wire_name
from rentbilling.values import (
    NO_CURRENCIES,
    Definitions,
    PeriodEnd,
    Recurrence,
    Rounding,
    Schema,
    WireForm,
    are_minor_units,
    listed_days,
    number,
    private_problems,
)

_SHOWN_DAYS: Final = 6
_DATES: Final = "a list of dates, such as ['2026-12-25']"
_NO_HOLIDAYS: Final[Any] = frozenset()


def _empty() -> Any:  # noqa: ANN401 - type checkers know two types of some fields
    return NO_CURRENCIES


if TYPE_CHECKING:
    from rentbilling.records.fields import Reading

    _Steps = Reading[Mapping[str, Decimal], Mapping[str, Decimal | int | str]]
    _NO_STEPS: Any = None
    _Holidays = Reading[Container[date] | Recurrence, Container[date] | Container[str] | Recurrence]
else:
    _Steps = Mapping[str, Decimal]
    _Holidays = Container[date] | Recurrence


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BillingPolicy(WireForm):
    """The choices about figures that the interface leaves open, with the defaults of most bills.

    Raises:
        InvalidPolicyError: A field is not one of its known words, or contradicts another.

    Examples:
        >>> policy = BillingPolicy(part_period="thirty_day", rounding="half_even")
        >>> policy.evolve(rounding="half_up") == BillingPolicy(part_period="thirty_day")
        True
        >>> BillingPolicy(rounding="bankers")
        Traceback (most recent call last):
        rentbilling.errors.InvalidPolicyError: rounding: is not a known word (met 'bankers'; \
expected one of half_up, half_even, half_down, up, down)
    """

    rounding: Rounding = "half_up"
    """How amounts are rounded to the currency's minor unit (A3)."""
    currencies: Mapping[str, int] = field(default_factory=_empty)
    """Minor units of private currency codes, in addition to ISO 4217 (A2)."""
    period_end: PeriodEnd = "included"
    """Whether period texts include their last day; `excluded` for half-open services (A4)."""
    business_day: BusinessDay = "none"
    """Where a due date on a weekend or holiday moves (A11)."""
    holidays: _Holidays = _NO_HOLIDAYS
    """Days that count like weekends: a list or column, an `rruleset`, any container (A11)."""
    select: Select = "due_date"
    """Whether a requested period has the bills due in it or the periods starting in it (A15)."""
    mid_period_change: MidPeriodChange = "split"
    """Whether a change inside a period splits it or waits for the next cycle (A19)."""
    part_period: PartPeriod | PartPeriods | Mapping[str, PartPeriod] = "actual_days"
    """How the share of a part period is counted (A20), by one word or one for each end (A66)."""
    discount_end: DiscountEnd = "last_day"
    """Whether a discount ends on its day or with the period of that day (A23)."""
    discount_opening: bool = False
    """Whether the stated opening amount is discounted too (A24)."""
    vat_day: VatDay = "split"
    """The day whose VAT a whole period has; `split` gives each part the VAT of its days (A67)."""
    vat_rounding: VatRounding = "per_rate"
    """Whether VAT is rounded once for each rate or for each line (A29)."""
    cash_rounding: _Steps = _NO_STEPS if TYPE_CHECKING else field(default_factory=_empty)
    """Smallest payable step by currency, such as 0.50 for DKK in cash (A52)."""
    by_product: "Mapping[str, BillingPolicy]" = field(default_factory=_empty)
    """Policies for the lines of single products; totals follow the bill's own policy (A54)."""
    increment_amount: IncrementAmount = "per_year"
    """Whether an increment by amount is for a year or for a billing period (A36)."""
    missing_index: MissingIndex = "refuse"
    """Whether a missing index value is refused, or noticed and nothing adjusted (A41)."""
    balance_change: BalanceChange = "not_billed"
    """Whether the change of a balance is billed on its day (A39)."""
    max_lines: int = 100_000
    """Lines of one answer beyond which it is refused before computing (A60)."""

    # Type checkers know the fields; in a run, a misspelled one is refused as in JSON.
    if not TYPE_CHECKING:  # pragma: no branch

        def __new__(cls, **choices: Any) -> Self:  # noqa: ANN401
            """Refuse unknown fields, with the ones that were meant."""
            if unknown := choices.keys() - _DEFAULTS.keys():
                found = (
                    unknown_field(each, choices[each], [*_DEFAULTS]) for each in sorted(unknown)
                )
                raise InvalidPolicyError(found)
            return super().__new__(cls)

    def __post_init__(self) -> None:
        problems = [
            Problem(name, "unknown_word", NOT_KNOWN, shown(value), one_of(name))
            for name in WORDS
            if name != "part_period" or isinstance(self.part_period, str)
            if not isinstance(value := getattr(self, name), str)
            or value not in get_args(WORDS[name])
        ]
        problems += _shape_problems(self)
        if problems:
            raise InvalidPolicyError(problems)
        object.__setattr__(self, "holidays", holidays_of(self.holidays))
        if not isinstance(self.part_period, str):
            ends = PartPeriods(**ends_of(self.part_period))
            same = ends.first == ends.last
            object.__setattr__(self, "part_period", ends.first if same else ends)
        for name in ("currencies", "by_product"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        steps = {code: step_of(step) for code, step in self.cash_rounding.items()}
        object.__setattr__(self, "cash_rounding", MappingProxyType(steps))

    def evolve(self, **changes: Any) -> Self:  # noqa: ANN401
        """Return the same policy with some fields changed by name, checked again.

        Examples:
            >>> BillingPolicy().evolve(select="accounting_period").select
            'accounting_period'
        """
        return replace(self, **changes)

    def for_product(self, product_key: str) -> "BillingPolicy":
        """Return the policy of a product's lines (A54).

        Examples:
            >>> full = BillingPolicy(part_period="full")
            >>> policy = BillingPolicy(by_product={"key:parking": full})
            >>> policy.for_product("key:parking").part_period
            'full'
            >>> policy.for_product("key:rent").part_period
            'actual_days'
        """
        return self.by_product.get(product_key, self)

    @property
    def part_periods(self) -> PartPeriods:
        """How a part period at each end is counted (A66)."""
        ends: Any = self.part_period
        return ends if isinstance(ends, PartPeriods) else PartPeriods(ends, ends)

    @cached_property
    def fingerprint(self) -> str:
        """A short text that equal policies share, on every machine and in every run (A59).

        Examples:
            >>> BillingPolicy().fingerprint == BillingPolicy(rounding="half_up").fingerprint
            True
        """
        import hashlib  # noqa: PLC0415 - it takes long to import, and few ask

        text = json.dumps(self.to_data(), sort_keys=True, default=_canonical)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_data(self) -> dict[str, Any]:
        """Return the policy as plain data: its version and the fields that are not default.

        Keys are in camelCase, amounts are Decimal, holidays `YYYY-MM-DD`.

        Raises:
            InvalidPolicyError: The holidays are a container that cannot be listed.

        Examples:
            >>> BillingPolicy(vat_rounding="per_line").to_data()
            {'version': 1, 'vatRounding': 'per_line'}
        """
        data: dict[str, Any] = {"version": VERSION}
        for each in fields(self):
            value = getattr(self, each.name)
            if value == _DEFAULTS[each.name]:
                continue
            if each.name == "holidays":
                value = [day.isoformat() for day in listed_holidays(value)]
            elif each.name == "by_product":
                value = {key: policy.to_data() for key, policy in value.items()}
            elif isinstance(value, (Mapping, PartPeriods)):
                value = dict(ends_of(value))
            data[wire_name(each.name)] = value
        return data

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Return the policy that plain data, as of `to_data`, describe; absent means the default.

        Raises:
            InvalidPolicyError: Fields are unknown or wrong; every problem with its path.

        Examples:
            >>> BillingPolicy.from_data({"version": 1, "vatRounding": "per_line"}).vat_rounding
            'per_line'
        """
        if not isinstance(data, Mapping):
            raise InvalidPolicyError.of("", "not_an_object", "is not an object", data, "an object")
        names = {wire_name(each.name): each.name for each in fields(cls)}
        problems: list[Problem] = []
        values: dict[str, Any] = {}
        for key, value in data.items():
            if key == "version":
                if value != VERSION or isinstance(value, bool):
                    problems.append(
                        Problem("version", "unknown_version", "is not known", shown(value), "1")
                    )
            elif key not in names:
                problems.append(unknown_field(str(key), value, list(names)))
            elif value is not None:
                try:
                    values[names[key]] = _read(names[key], value)
                except InvalidInputError as error:
                    problems += error.under(key).problems
        try:
            policy = cls(**values)
        except InvalidPolicyError as error:
            problems += (_spelled(problem) for problem in error.problems)
            raise InvalidPolicyError(problems) from None
        if problems:
            raise InvalidPolicyError(problems)
        return policy

    @classmethod
    def _from_wire(cls, data: Any) -> Self:  # noqa: ANN401
        return cls.from_data(data)

    def _to_wire(self) -> dict[str, Any]:
        return self.to_data()

    @classmethod
    def _wire_schema(cls, parts: Definitions) -> Schema:
        del parts
        return policy_schema()

    def _changed(self) -> Iterator[tuple[str, Any]]:
        """Give the fields that are not default, as a call could give them."""
        for each in fields(self):
            value = getattr(self, each.name)
            if value != _DEFAULTS[each.name]:
                value = dict(value) if isinstance(value, Mapping) else value
                is_listed = isinstance(value, frozenset)
                yield each.name, [day.isoformat() for day in sorted(value)] if is_listed else value

    def __repr__(self) -> str:
        """Return the call that makes it: the choices that are not default."""
        return f"BillingPolicy({', '.join(f'{name}={value!r}' for name, value in self._changed())})"

    def __str__(self) -> str:
        """Return a line for each choice that is not default.

        Examples:
            >>> print(BillingPolicy(vat_rounding="per_line", holidays=["2026-12-25"]))
            holidays: 2026-12-25
            vat_rounding: per_line (default per_rate)
            >>> print(BillingPolicy())
            the default policy
        """
        return "\n".join(_words_of(*each) for each in self._changed()) or "the default policy"

    def __eq__(self, other: object) -> bool:
        """Policies are equal when every field is."""
        if not isinstance(other, BillingPolicy):
            return NotImplemented
        return self is other or all(
            getattr(self, each.name) == getattr(other, each.name) for each in fields(self)
        )

    def __hash__(self) -> int:
        return hash(
            (self.rounding, self.part_period, self.vat_rounding, self.select, self.max_lines)
        )

    def __reduce__(self) -> tuple[object, ...]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        for name in ("currencies", "cash_rounding", "by_product"):
            values[name] = dict(values[name])
        return _made, (values,)


def _words_of(name: str, value: Any) -> str:  # noqa: ANN401
    if isinstance(value, list):
        some = f"{len(value)} days, {value[0]} to {value[-1]}"
        value = some if len(value) > _SHOWN_DAYS else ", ".join(value)
    elif isinstance(value, Mapping):
        parts = (f"{key}: {str(own).replace(chr(10), ', ')}" for key, own in value.items())
        value = "; ".join(parts)
    else:
        value = f"{value} (default {_DEFAULTS[name]})"
    return f"{name}: {value}"


def _canonical(value: object) -> str:
    """Return a number as a ratio, so that 0.5 and 0.50 are written alike."""
    return str(Fraction(value)) if isinstance(value, (Decimal, int)) else str(value)


def _made(values: dict[str, Any]) -> BillingPolicy:
    return BillingPolicy(**values)


def _spelled(problem: Problem) -> Problem:
    head, dot, tail = problem.path.partition(".")
    if problem.code == "not_per_product":
        key, _, name = tail.rpartition(".")
        tail = f"{key}.{wire_name(name)}"
    return problem._replace(path=wire_name(head) + dot + tail)


def _shape_problems(policy: BillingPolicy) -> list[Problem]:
    problems: list[Problem] = []
    if not isinstance(policy.discount_opening, bool):
        problems.append(wrong("discount_opening", policy.discount_opening, "true or false"))
    if not isinstance(policy.part_period, str):
        problems += end_problems(policy.part_period)
    lines = policy.max_lines
    if not isinstance(lines, int) or isinstance(lines, bool) or lines < 1:
        problems.append(wrong("max_lines", lines, "a whole number of 1 or more"))
    known = isinstance(policy.holidays, Container) or listed_days(policy.holidays) is not None
    if not known or isinstance(policy.holidays, (str, bytes, bytearray)):
        problems.append(wrong("holidays", policy.holidays, _DATES))
    else:
        try:
            holidays_of(policy.holidays)
        except InvalidPolicyError as error:
            problems += error.under("holidays").problems
    private = dict(items_of(policy, "currencies", problems))
    for code, places in private.items():
        problems += private_problems(code, places)
    for code, step in items_of(policy, "cash_rounding", problems):
        if are_minor_units(private.get(code, 0)):
            problems += step_problems(private, code, step)
    for key, own in items_of(policy, "by_product", problems):
        problems += _own_problems(key, own)
    return problems


def _own_problems(key: str, own: object) -> list[Problem]:
    """Return the problems of a product's own policy, which only applies to its lines (A54)."""
    if not isinstance(own, BillingPolicy):
        return [wrong(f"by_product.{key}", own, "a BillingPolicy")]
    return [
        Problem(
            f"by_product.{key}.{name}",
            "not_per_product",
            "belongs to the whole bill",
            shown(getattr(own, name)),
            f"{name} on the bill's own policy",
        )
        for name in OF_THE_BILL
        if getattr(own, name) != _DEFAULTS[name]
    ]


def _read(name: str, value: object) -> object:
    if name == "holidays":
        if not isinstance(value, (list, tuple)):
            said, expected = "is not a list", "a list of dates"
            raise InvalidPolicyError.of("", "wrong_value", said, value, expected)
        return holiday_set(value)
    if name in ("currencies", "cash_rounding", "by_product") and not isinstance(value, Mapping):
        raise InvalidPolicyError.of("", "wrong_value", "is not an object", value, "an object")
    if name == "cash_rounding" and isinstance(value, Mapping):
        return dict(zip(value, each_read(value.items(), number), strict=True))
    if name == "by_product" and isinstance(value, Mapping):
        return dict(zip(value, each_read(value.items(), _own_policy), strict=True))
    return value


def _own_policy(data: object) -> BillingPolicy:
    """Return a product's own policy; one inside it is refused unread, however deep it is (A54)."""
    if not isinstance(data, Mapping) or not data.get("byProduct"):
        return BillingPolicy.from_data(data)
    expected = "byProduct on the bill's own policy"
    problems = [
        Problem("byProduct", "not_per_product", "belongs to the whole bill", "an object", expected)
    ]
    try:
        BillingPolicy.from_data({**data, "byProduct": None})
    except InvalidPolicyError as error:
        problems += error.problems
    raise InvalidPolicyError(problems)


_DEFAULTS: Final = MappingProxyType(
    {
        each.name: each.default if each.default is not MISSING else NO_CURRENCIES
        for each in fields(BillingPolicy)
    }
)

DEFAULT: Final = BillingPolicy()
"""The policy of a call that names none."""


def policy_of(given: BillingPolicy | None) -> BillingPolicy:
    """Return the policy that a caller gave, the default one for None.

    Raises:
        TypeError: It is neither.

    Examples:
        >>> policy_of(None) is DEFAULT
        True
    """
    if given is None:
        return DEFAULT
    if not isinstance(given, BillingPolicy):
        made = "; BillingPolicy.from_data makes one of data" if isinstance(given, Mapping) else ""
        raise TypeError(f"a policy is a BillingPolicy or None, not {shown(given)}{made}")
    return given


def policy_schema() -> Schema:
    return schema_of_policy(get_type_hints(BillingPolicy))
