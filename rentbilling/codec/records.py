"""Records, policies, index series and results to and from JSON, as the interface writes them.

Laws: decoding what was encoded gives the same value, digit for digit; null and absent read alike,
and absent is written (A6); a list that the interface names is written also where it is empty (A72);
what a caller creates is checked to the last field (A50); what is ours beyond the interface is
absent unless it says something (A56).
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, Final, TypeVar, overload

from rentbilling.adjustments import AdjustmentResult
from rentbilling.billing import BillingResult, PendingBill
from rentbilling.codec.bill_reader import bill_of, bills_of
from rentbilling.codec.bill_writer import BillWriter, day_text, days_past_end
from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, error_of, shown
from rentbilling.indices import IndexPoint, IndexSeries
from rentbilling.policy import DEFAULT, BillingPolicy, policy_of
from rentbilling.records import (
    PLAIN_DATA,
    JsonData,
    RawRecord,
    Record,
    RecordField,
    entries_of,
    fields_of,
    read_json,
    read_odd_json,
    with_json_problems,
    write_json,
)
from rentbilling.terms import (
    AdjustmentList,
    LeaseTerms,
    NoticeRecord,
    OneTimeBillItem,
    RecurringBillItem,
)
from rentbilling.values import CURRENCIES, Amount, Notice, Period, Vat, YearMonth

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_CREATES: Final = "leaseId or recurringBillItem"
# Fields by which the forms of A57 are distinguished, in both spellings.
_CREATED: Final = ("recurringBillItem", "recurring_bill_item")
_LEASE_ID: Final = ("leaseId", "lease_id")
_PRODUCT_KEY: Final = ("productKey", "product_key")
_BILLING_CYCLE: Final = ("billingCycle", "billing_cycle")
_DUE_DATE: Final = ("dueDate", "due_date")
_MOST_ENTRIES: Final = 10_000
"""Entries of lists in a payload other than bills that a caller creates: a lease has no more."""
_MOST_ENTRIES_OF_A_SERVICE: Final = 1_000_000
"""The same of what a service wrote: a page has 100 objects, each with lists as long as a lease's,
such as the leases of a tenancy or the adjustments of a plan (A43)."""


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
            and the body that creates an item, A57), any other record, `BillingPolicy`,
            `IndexSeries`, `BillingResult` for `{"bills": […]}`, `PendingBill` for a bill alone, or
            `AdjustmentResult` for `{"adjustments": […]}`.
        policy: For half-open periods (A4) and private currencies (A2).
        from_service: Whether a service wrote it: fields we do not know are then passed over instead
            of refused (A50), and in a page of plans one that could not be created comes as its data
            with the problems (`RawRecord`, A49). Bills always come from one.

    Returns:
        The value, valid.

    Raises:
        InvalidInputError: Something is wrong; `problems` has all of it, each with its path.
        TypeError: The text is neither a str nor bytes, there is no reading into that class, or
            `policy` is no BillingPolicy.

    Examples:
        >>> from rentbilling import BillingCycle
        >>> cycle = loads('{"timeUnit": "Month", "periodLength": 3, "start": 2}', BillingCycle)
        >>> cycle.period_length
        3
        >>> loads('{"timeUnit": "Moon", "periodLength": 1, "start": 1}', BillingCycle)
        Traceback (most recent call last):
        rentbilling.errors.UnknownTimeUnitError: timeUnit: is not a known time unit (met 'Moon'; \
expected one of Month, Year, Week, Day)
    """
    rules = policy_of(policy)
    data, odd = read_odd_json(text)
    if into not in (BillingResult, PendingBill) and len(text) > _MOST_ENTRIES:
        _refuse_too_many(
            entries_of(data), _MOST_ENTRIES_OF_A_SERVICE if from_service else _MOST_ENTRIES
        )
    # Only for records are problems of the text reported together with those of the data.
    if odd and into in (BillingPolicy, IndexSeries, BillingResult, PendingBill):
        raise InvalidRecordError(odd)
    if into in (BillingPolicy, IndexSeries):
        return into.from_data(data)
    if into is BillingResult:
        return _with_adjustments(bills_of(data, rules), data, rules)
    if into is PendingBill:
        return bill_of(data, rules)
    if into is not AdjustmentResult and not (isinstance(into, type) and issubclass(into, Record)):
        raise TypeError(f"loads reads into a class such as LeaseTerms, not into {shown(into)}")
    reader = _Records(rules, from_service=from_service)
    try:
        found = reader.whole(into, data)
    except InvalidInputError as error:
        if odd:
            kinds = (InvalidRecordError, type(error))
            raise error_of(with_json_problems(odd, error.problems), kinds) from None
        raise
    if odd:
        raise InvalidRecordError(odd)
    return found


def _with_adjustments(result: BillingResult, data: JsonData, rules: BillingPolicy) -> BillingResult:
    """Return bills with the adjustments of the full form (A56)."""
    listed = data.get("adjustments") if isinstance(data, Mapping) else None
    if listed is None:
        return result
    reader = _Records(rules, from_service=True)
    return BillingResult(
        result.bills,
        result.notices,
        result.period,
        None,
        result.lease_id,
        policy_fingerprint=result.policy_fingerprint,
        adjustments=reader.adjustments({"adjustments": listed}),
    )


def _refuse_too_many(entries: int, most: int) -> None:
    """Refuse a payload with too many entries before each of them is read."""
    if entries > most:
        said = f"has {entries} entries in its lists"
        expected = f"at most {most}"
        raise InvalidRecordError.of("", "too_many_entries", said, entries, expected)


def _has(data: JsonData, *spellings: str) -> bool:
    """Return whether an object has a field, in one of its spellings."""
    return isinstance(data, Mapping) and any(each in data for each in spellings)


class _Records:
    """Reads records from plain data under the conventions of a policy."""

    def __init__(self, policy: BillingPolicy, *, from_service: bool) -> None:
        self._from_service = from_service
        self._context: Mapping[str, object] = PLAIN_DATA
        if from_service or policy.currencies or policy.period_end != DEFAULT.period_end:
            self._context = {
                "currencies": policy.currencies,
                "period_end": policy.period_end,
                "from_service": from_service,
            }

    def whole(self, into: type[Any], data: JsonData) -> Any:  # noqa: ANN401
        """Return the record of a text."""
        if into is LeaseTerms:
            return self.terms(data)
        return self.adjustments(data) if into is AdjustmentResult else self.record(into, data)

    def record(self, kind: type[R], data: JsonData) -> R:
        """Return a record."""
        return kind.model_validate(data, context=self._context)

    def terms(self, data: JsonData) -> LeaseTerms:
        """Return lease terms in any of the forms of A57."""
        if isinstance(data, list):
            return self._of_items([(f"[{at}]", each) for at, each in enumerate(data)])
        if _has(data, *_CREATED):
            return self._created(data)
        if data == {} or _has(data, *_PRODUCT_KEY, *_BILLING_CYCLE):
            return self._of_items([("", data)])
        return self.record(LeaseTerms, data)

    def adjustments(self, data: JsonData) -> AdjustmentResult:
        """Return the adjustments of a period, and their notices where they were written (A56)."""
        listed = self.record(AdjustmentList, data)
        notices = (
            Notice(each.code, each.message, each.item_id, tuple((each.facts or {}).items()))
            for each in listed.notices
        )
        return AdjustmentResult(listed.adjustments, notices)

    def _created(self, data: Mapping[str, Any]) -> LeaseTerms:
        """Return the terms of the body that creates an item."""
        (created,) = (key for key in _CREATED if key in data)
        unknown = [key for key in data if key not in (created, *_LEASE_ID)]
        problems = [
            Problem(str(key), "unknown_field", "is not a field", shown(data[key]), _CREATES)
            for key in unknown
            if not self._from_service
        ]
        kinds: list[type[InvalidInputError]] = [InvalidRecordError] * len(problems)
        terms = {"recurringBillItems": [data[created]]}
        terms |= {key: data[key] for key in _LEASE_ID if key in data}
        try:
            made = self.record(LeaseTerms, terms)
        except InvalidInputError as error:
            place = "recurringBillItems[0]"
            problems += (
                problem._replace(path=problem.path.replace(place, created, 1))
                for problem in error.problems
            )
            raise error_of(problems, [*kinds, type(error)]) from None
        if problems:
            raise error_of(problems, kinds)
        return made

    def _of_items(self, places: list[tuple[str, JsonData]]) -> LeaseTerms:
        """Return terms of single items, with every problem of all of them."""
        recurring: dict[str, RecurringBillItem] = {}
        once: dict[str, OneTimeBillItem] = {}
        problems: list[Problem] = []
        kinds: list[type[InvalidInputError]] = []
        for path, data in places:
            try:
                if _has(data, *_DUE_DATE) and not _has(data, *_BILLING_CYCLE):
                    once[path] = self.record(OneTimeBillItem, data)
                else:
                    recurring[path] = self.record(RecurringBillItem, data)
            except InvalidInputError as error:
                problems += error.under(path).problems if path else error.problems
                kinds.append(type(error))
        if problems:
            raise error_of(problems, kinds)
        try:
            return LeaseTerms(
                recurring_bill_items=tuple(recurring.values()),
                one_time_bill_items=tuple(once.values()),
            )
        except InvalidInputError as error:
            lists = {"recurring_bill_items": tuple(recurring), "one_time_bill_items": tuple(once)}
            raise _placed(error, lists) from None


def _placed(error: InvalidInputError, lists: Mapping[str, tuple[str, ...]]) -> InvalidInputError:
    """Return an error whose paths are the places where the items were written."""
    places = {
        f"{name}[{at}]": place for name, all_of in lists.items() for at, place in enumerate(all_of)
    }
    problems: list[Problem] = []
    for problem in error.problems:
        item, dot, field = problem.path.partition(".")
        problems.append(problem._replace(path=f"{places.get(item, item)}{dot}{field}"))
    return type(error)(problems)


def dumps(
    value: Record | BillingPolicy | BillingResult | PendingBill | AdjustmentResult | IndexSeries,
    *,
    full: bool = False,
    indent: int | None = None,
    policy: BillingPolicy | None = None,
) -> str:
    """Return a record, a policy, an index series, bills or adjustments as the interface's JSON.

    Args:
        value: What to write.
        full: Whether bills get what a result knows beyond the interface: item, kind, share, regular
            period, base of VAT, notices, fingerprint; and adjustments, also those listed in a plan,
            theirs: plan, adjustee, percentage applied, points compared, reasons, notices (A56).
        indent: Blanks for each level; a text on one line by default.
        policy: For half-open periods (A4) and private currencies (A2); a result that was computed
            has its own.

    Returns:
        The text: camelCase, amounts as numbers with their currency's decimals, and every list that
        the interface names, also an empty one. A lease file and a request have no empty lists
        (A72).

    Raises:
        UnsupportedCaseError: A period ends on 9999-12-31, and its text would name the day after.
        InvalidPolicyError: It is a policy whose holidays cannot be listed.
        TypeError: The value is none of these, or `policy` is no BillingPolicy.

    Examples:
        >>> from rentbilling import DueDateRule
        >>> dumps(DueDateRule(day_of_period=-1))
        '{"dayOfPeriod": -1}'
        >>> dumps(BillingPolicy(vat_rounding="per_line"))
        '{"version": 1, "vatRounding": "per_line"}'
    """
    rules = policy_of(policy)
    if isinstance(value, (BillingResult, PendingBill)):
        if policy is None and isinstance(value, BillingResult):
            rules = policy_of(value.policy)
        writer = BillWriter(full=full, period_end=rules.period_end)
        text = writer.result(value) if isinstance(value, BillingResult) else writer.bill(value)
        if full and isinstance(value, BillingResult) and value.adjustments:
            made = [_RecordWriter(rules, full=True).record(each) for each in value.adjustments]
            text = f'{text[:-1]}, "adjustments": {write_json(made)}}}'
        return text if indent is None else write_json(read_json(text), indent=indent)
    if isinstance(value, BillingPolicy):
        return write_json(value.to_data(), indent=indent)
    if isinstance(value, IndexSeries):
        return write_json(value.to_data(), indent=indent)
    if isinstance(value, (Record, AdjustmentResult)):
        sparse = isinstance(value, Record) and value.sparse
        records = _RecordWriter(rules, full=full, sparse=sparse)
        data = records.record(value) if isinstance(value, Record) else records.adjustments(value)
        return write_json(data, indent=indent)
    raise TypeError(f"{type(value).__name__} cannot be written as the interface's JSON")


def answer_text(value: Record | BillingResult, *, policy: BillingPolicy | None = None) -> str:
    """Return what an operation answers as JSON: as `dumps` does, and with the lists of A72.

    Examples:
        >>> from rentbilling.interface import Lease
        >>> answer_text(Lease(id="lease-1"))
        '{"id": "lease-1", "tenantIds": [], "associatedContactIds": []}'
    """
    if isinstance(value, BillingResult):
        return dumps(value, policy=policy)
    return write_json(_RecordWriter(policy_of(policy), full=False).record(value))


@cache
def _as_written(kind: type[Record]) -> Sequence[RecordField]:
    """Return the fields of a record in the order in which they are written."""
    fields = {each.name: each for each in fields_of(kind)}
    return [fields[name] for name in dict.fromkeys((*kind.written_first, *fields))]


class _RecordWriter:
    """Writes records as plain data under the conventions of a policy."""

    def __init__(self, policy: BillingPolicy, *, full: bool, sparse: bool = False) -> None:
        self._currencies = policy.currencies
        self._past_end = days_past_end(policy.period_end)
        self._full, self._sparse = full, sparse

    def adjustments(self, result: AdjustmentResult) -> dict[str, JsonData]:
        """Return the adjustments of a result, in full with its notices."""
        data: dict[str, JsonData] = {"adjustments": [self.record(each) for each in result]}
        if self._full:
            data["notices"] = [
                self.record(
                    NoticeRecord(
                        code=each.code,
                        message=each.message,
                        item_id=each.item_id,
                        facts=dict(each.facts),
                    )
                )
                for each in result.notices
            ]
        return data

    def record(self, record: Record) -> dict[str, JsonData]:
        """Return a record without absent fields and silent defaults."""
        data: dict[str, JsonData] = {}
        for field in _as_written(type(record)):
            value = getattr(record, field.name)
            if value is None or (field.name in record.written_in_full and not self._full):
                continue
            if value == field.default and self._is_silent(record, field.name, value):
                continue
            data[field.wire] = self._value(value)
        return data

    def _is_silent(self, record: Record, name: str, default: object) -> bool:
        """Return whether a field is absent where it has its default (A40, A57, A72)."""
        if default != ():
            return name in record.silent_defaults
        sent = name in record.sent_lists and not self._sparse
        return not sent and name not in record.always_written

    def _value(self, value: object) -> JsonData:
        if isinstance(value, Record):
            return self.record(value)
        if isinstance(value, RawRecord):
            return dict(value.data)
        if isinstance(value, tuple):
            return [self._value(each) for each in value]
        if isinstance(value, Period):
            return f"{day_text(value.first)}/{day_text(value.last + self._past_end)}"
        if isinstance(value, (IndexPoint, YearMonth)):
            return str(value)
        return self._parts(value) if isinstance(value, (Amount, Vat)) else value

    def _parts(self, value: Amount | Vat) -> dict[str, JsonData]:
        """Return an amount, or a VAT, whose rate may be absent."""
        if isinstance(value, Amount):
            return {"currency": value.currency, "amount": self._with_decimals(value)}
        data: dict[str, JsonData] = {"taxMode": value.tax_mode}
        return data if value.tax_rate is None else {**data, "taxRate": value.tax_rate}

    def _with_decimals(self, value: Amount) -> Decimal:
        """Return an amount's number, with its currency's decimals at least: 8500.00 DKK."""
        places = self._currencies.get(value.currency, CURRENCIES.get(value.currency, 0))
        sign, digits, exponent = value.amount.as_tuple()
        missing = places + int(exponent)
        return Decimal((sign, (*digits, *(0,) * missing), -places)) if missing > 0 else value.amount
