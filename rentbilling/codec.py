"""Records, policies and bills to and from JSON, exactly as the interface writes them.

Laws: decoding what was encoded gives the same value, digit for digit; null and absent read alike,
and absent is written (A6); what a caller creates is checked to the last field (A50).
What does not live here: JSON texts in general (`json_text`), bills (`bill_texts`), the fields of a
record (`records`, `terms`).
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar, overload

from pydantic import ValidationError

from rentbilling.bill_reading import bills_of
from rentbilling.bill_texts import BillWriter
from rentbilling.currencies import CURRENCIES
from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, error_of, shown
from rentbilling.json_text import JsonData, read_json, write_json
from rentbilling.money import Amount
from rentbilling.periods import LAST_DAY, Period
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.records import PLAIN_DATA, Record
from rentbilling.results import BillingResult, PendingBill
from rentbilling.tax import Vat
from rentbilling.terms import LeaseTerms, OneTimeBillItem, RecurringBillItem

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_CREATES = "leaseId or recurringBillItem"


@overload
def loads(
    text: str | bytes, *, policy: BillingPolicy | None = None, from_service: bool = False
) -> LeaseTerms: ...
@overload
def loads(
    text: str | bytes,
    into: type[T],
    *,
    policy: BillingPolicy | None = None,
    from_service: bool = False,
) -> T: ...
def loads(
    text: str | bytes,
    into: type[Any] = LeaseTerms,
    *,
    policy: BillingPolicy | None = None,
    from_service: bool = False,
) -> Any:
    """Return the record, policy or result that a JSON text holds.

    Args:
        text: The JSON text; bytes are UTF-8.
        into: What it is: `LeaseTerms` (the default, which also reads a bare item, a list of items
            and the body that creates an item, A57), any other record, `BillingPolicy`, or
            `BillingResult` for `{"bills": […]}`.
        policy: For half-open periods (A4) and private currencies (A2).
        from_service: Whether a service wrote it: fields we do not know are then passed over instead
            of refused (A50). Bills always come from one.

    Returns:
        The value, valid.

    Raises:
        InvalidInputError: Something is wrong; `problems` has all of it, each with its path.

    Examples:
        >>> from rentbilling import BillingCycle
        >>> cycle = loads('{"timeUnit": "Month", "periodLength": 3, "start": 2}', BillingCycle)
        >>> cycle.period_length
        3
        >>> loads('{"timeUnit": "Moon", "periodLength": 1, "start": 1}', BillingCycle)
        Traceback (most recent call last):
        rentbilling.reading.UnknownTimeUnitError: timeUnit: is not a known time unit (met 'Moon'; \
expected one of Month, Year, Week, Day)
    """
    data = read_json(text)
    if into is BillingPolicy:
        return BillingPolicy.from_data(data)
    if into is BillingResult:
        return bills_of(data, policy)
    reader = _Records(policy, from_service=from_service)
    if into is LeaseTerms:
        return reader.terms(data)
    if issubclass(into, Record):
        return reader.record(into, data)
    raise TypeError(f"loads cannot read into {into!r}")


class _Records:
    """Reads records from plain data under the conventions of a policy."""

    def __init__(self, policy: BillingPolicy | None, *, from_service: bool) -> None:
        self._context: Mapping[str, object] = PLAIN_DATA
        if policy is not None and (policy.currencies or policy.period_end != DEFAULT.period_end):
            self._context = {"currencies": policy.currencies, "period_end": policy.period_end}
        self._from_service = from_service

    def record(self, kind: type[R], data: JsonData) -> R:
        """Return a record, passing over unknown fields of a service."""
        if self._from_service:
            data = _known(kind, data)
        return kind.model_validate(data, context=self._context)

    def terms(self, data: JsonData) -> LeaseTerms:
        """Return lease terms in any of the forms of A57."""
        if isinstance(data, list):
            return self._of_items([(f"[{at}]", each) for at, each in enumerate(data)])
        if isinstance(data, Mapping):
            if "recurringBillItem" in data:
                return self._created(data)
            if not data or "productKey" in data or "billingCycle" in data:
                return self._of_items([("", data)])
        return self.record(LeaseTerms, data)

    def _created(self, data: Mapping[str, Any]) -> LeaseTerms:
        """Return the terms of the body that creates an item."""
        unknown = [key for key in data if key not in ("leaseId", "recurringBillItem")]
        problems = [
            Problem(str(key), "unknown_field", "is not a field", shown(data[key]), _CREATES)
            for key in unknown
            if not self._from_service
        ]
        kinds: list[type[InvalidInputError]] = [InvalidRecordError] * len(problems)
        terms = {"recurringBillItems": [data["recurringBillItem"]]}
        if data.get("leaseId") is not None:
            terms["leaseId"] = data["leaseId"]
        try:
            created = self.record(LeaseTerms, terms)
        except InvalidInputError as error:
            place = "recurringBillItems[0]"
            problems += (
                problem._replace(path=problem.path.replace(place, "recurringBillItem", 1))
                for problem in error.problems
            )
            raise error_of(problems, [*kinds, type(error)]) from None
        if problems:
            raise error_of(problems, kinds)
        return created

    def _of_items(self, places: list[tuple[str, JsonData]]) -> LeaseTerms:
        """Return terms of single items, with every problem of all of them."""
        found: list[Record] = []
        problems: list[Problem] = []
        kinds: list[type[InvalidInputError]] = []
        for path, data in places:
            once = isinstance(data, Mapping) and "dueDate" in data and "billingCycle" not in data
            try:
                found.append(self.record(OneTimeBillItem if once else RecurringBillItem, data))
            except InvalidInputError as error:
                problems += error.under(path).problems if path else error.problems
                kinds.append(type(error))
        if problems:
            raise error_of(problems, kinds)
        return LeaseTerms(
            recurring_bill_items=tuple(
                item for item in found if isinstance(item, RecurringBillItem)
            ),
            one_time_bill_items=tuple(item for item in found if isinstance(item, OneTimeBillItem)),
        )


def _known(kind: type[Record], data: JsonData) -> JsonData:
    """Return a service's data without the fields that our records do not have (A50)."""
    try:
        kind.__pydantic_validator__.validate_python(data)
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            if fault["type"] == "extra_forbidden":
                data = _without(data, fault["loc"])
    return data


def _without(data: JsonData, steps: Sequence[int | str]) -> JsonData:
    """Return data without what stands at a place; the data itself is not changed."""
    step, *rest = steps
    if isinstance(data, list):
        return [_without(each, rest) if at == step else each for at, each in enumerate(data)]
    kept = {key: value for key, value in data.items() if key != step or rest}
    if rest:
        kept[step] = _without(data[step], rest)
    return kept


def dumps(
    value: Record | BillingPolicy | BillingResult | PendingBill,
    *,
    full: bool = False,
    indent: int | None = None,
    policy: BillingPolicy | None = None,
) -> str:
    """Return a record, a policy or bills as the interface's JSON.

    Args:
        value: What to write.
        full: Whether bills get what a result knows beyond the interface: item, kind, share, regular
            period, base of VAT, notices, fingerprint (A56).
        indent: Blanks for each level; a text on one line by default.
        policy: For half-open periods (A4) and private currencies (A2); a result has its own.

    Returns:
        The text: camelCase, amounts as numbers with their currency's decimals.

    Raises:
        TypeError: The value is none of these.

    Examples:
        >>> from rentbilling import DueDateRule
        >>> dumps(DueDateRule(day_of_period=-1))
        '{"dayOfPeriod": -1}'
        >>> dumps(BillingPolicy(vat_rounding="per_line"))
        '{"version": 1, "vatRounding": "per_line"}'
    """
    if isinstance(value, (BillingResult, PendingBill)):
        rules = policy or (value.policy if isinstance(value, BillingResult) else None) or DEFAULT
        writer = BillWriter(full=full, period_end=rules.period_end)
        text = writer.result(value) if isinstance(value, BillingResult) else writer.bill(value)
        return text if indent is None else write_json(read_json(text), indent=indent)
    if isinstance(value, BillingPolicy):
        return write_json(value.to_data(), indent=indent)
    if isinstance(value, Record):
        return write_json(_record_data(value, policy or DEFAULT), indent=indent)
    raise TypeError(f"{type(value).__name__} cannot be written as the interface's JSON")


# Ours, beyond the interface: absent on the wire when they say nothing new.
_SILENT = (("start_day", 1), ("relative_to", "start"))


def _record_data(record: Record, rules: BillingPolicy) -> dict[str, JsonData]:
    """Return a record as plain data: what is absent stays absent."""
    data: dict[str, JsonData] = {}
    for name, field in type(record).model_fields.items():
        value = getattr(record, name)
        if value is None or (name, value) in _SILENT:
            continue
        if value == () and name != "recurring_bill_items":
            continue
        data[field.alias or name] = _value_data(value, rules)
    return data


def _value_data(value: object, rules: BillingPolicy) -> JsonData:
    """Return a field's value as plain data."""
    if isinstance(value, Record):
        return _record_data(value, rules)
    if isinstance(value, tuple):
        return [_value_data(each, rules) for each in value]
    if isinstance(value, Amount):
        return {"currency": value.currency, "amount": _with_decimals(value, rules)}
    if isinstance(value, Vat):
        data: dict[str, JsonData] = {"taxMode": value.tax_mode}
        return data if value.tax_rate is None else {**data, "taxRate": value.tax_rate}
    if isinstance(value, Period):
        return f"{value.start}/{_day_after(value) if rules.period_end == 'excluded' else value.end}"
    return value


def _day_after(period: Period) -> date:
    """Return the first day after a period, as half-open texts name it (A4)."""
    return date.fromordinal(min(period.last + 1, LAST_DAY))


def _with_decimals(value: Amount, rules: BillingPolicy) -> Decimal:
    """Return an amount's number with its currency's decimals at least: 8500 DKK is 8500.00."""
    places = rules.currencies.get(value.currency, CURRENCIES.get(value.currency, 0))
    sign, digits, exponent = value.amount.as_tuple()
    missing = places + int(exponent)
    return Decimal((sign, (*digits, *(0,) * missing), -places)) if missing > 0 else value.amount
