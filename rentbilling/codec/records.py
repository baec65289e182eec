"""Records, policies, index series and results to and from JSON, as the interface writes them.

Laws: decoding what was encoded gives the same value, digit for digit; null and absent read alike,
and absent is written (A6); a list that the interface names is written also where it is empty (A72);
what a caller creates is checked to the last field (A50); what is ours beyond the interface is
absent unless it says something (A56).
"""

from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from rentbilling.billing import BillingResult, PendingBill
from rentbilling.billing.wire import bill_of, bills_of, bills_text, notice_data, notice_of
from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem, error_of, shown
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.records import (
    LEFT,
    NOT_READ,
    JsonData,
    Record,
    RecordWriter,
    read_json,
    read_odd_json,
    read_quickly,
    reader_of,
    record_writer,
    refuse_too_many,
    with_json_problems,
    write_json,
)
from rentbilling.tables import Tabular
from rentbilling.terms import MOST_ENTRIES, LeaseTerms, reading_context, terms_of_data
from rentbilling.values import Notice, plain_data

if TYPE_CHECKING:
    from rentbilling.adjustments import AdjustmentResult

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_MOST_ENTRIES_OF_A_SERVICE: Final = 1_000_000
"""Entries of lists in what a service wrote: a page has 100 leases or plans (A43)."""


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
            `IndexSeries`, `BillingResult`, `PendingBill`, `AdjustmentResult` or `Notice`.
        policy: For half-open periods (A4) and private currencies (A2).
        from_service: Whether a service wrote it: fields we do not know are then passed over instead
            of refused (A50), and in a page of plans one that could not be created comes as its data
            with the problems (`RawRecord`, A49). Bills always come from one.

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
    if (read := _read_quickly(text, into, rules)) is not None:
        return read
    data, odd = read_odd_json(text)
    if into not in (BillingResult, PendingBill) and len(text) > MOST_ENTRIES:
        refuse_too_many(data, _MOST_ENTRIES_OF_A_SERVICE if from_service else MOST_ENTRIES)
    # Only for records are problems of the text reported together with those of the data.
    if odd and into in (BillingPolicy, IndexSeries, BillingResult, PendingBill, Notice):
        raise InvalidRecordError(odd)
    if into in (BillingPolicy, IndexSeries):
        return into.from_data(data)
    if into is BillingResult:
        return bills_of(data, rules)
    if into is PendingBill:
        return bill_of(data, rules)
    if into is Notice:
        return notice_of(data, rules)
    if not _is_record(into) and into is not _adjustment_result():
        raise TypeError(f"loads reads into a class such as LeaseTerms, not into {shown(into)}")
    reader = _Records(rules, from_service=from_service)
    if odd:
        raise reader.error_of_odd(into, data, odd)
    return reader.whole(into, data)


def _adjustment_result() -> "type[AdjustmentResult]":
    from rentbilling.adjustments import AdjustmentResult  # noqa: PLC0415 - few texts hold any

    return AdjustmentResult


def _is_record(into: object) -> bool:
    return into is LeaseTerms or (isinstance(into, type) and issubclass(into, Record))


def _read_quickly(text: str | bytes, into: Any, policy: BillingPolicy) -> Any:  # noqa: ANN401
    """Return the record of a text that is certainly right; None where a closer look is needed."""
    if not _is_record(into) or not isinstance(text, (str, bytes)) or len(text) > MOST_ENTRIES:
        return None
    try:
        data = read_quickly(text if isinstance(text, str) else text.decode())
        # An object without any field is not the terms of a lease (A57).
        return None if data is NOT_READ or not data else reader_of(into, policy.period_end)(data)
    except (UnicodeDecodeError, *LEFT):
        return None


class _Records:
    """Reads records from plain data under the conventions of a policy."""

    def __init__(self, policy: BillingPolicy, *, from_service: bool) -> None:
        self._context = reading_context(policy, from_service=from_service)

    def whole(self, into: type[Any], data: JsonData) -> Any:  # noqa: ANN401
        if into is LeaseTerms:
            return self.terms(data)
        return self.record(into, data) if _is_record(into) else self.adjustments(data)

    def error_of_odd(
        self, into: type[Any], data: JsonData, odd: tuple[Problem, ...]
    ) -> InvalidInputError:
        """Return the error for a text with problems of its own, and with those of its data."""
        try:
            self.whole(into, data)
        except InvalidInputError as error:
            kinds = (InvalidRecordError, type(error))
            return error_of(with_json_problems(odd, error.problems), kinds)
        return InvalidRecordError(odd)

    def record(self, kind: type[R], data: JsonData) -> R:
        return kind.model_validate(data, context=self._context)

    def terms(self, data: JsonData) -> LeaseTerms:
        """Return lease terms in any of the forms of A57."""
        return terms_of_data(data, self._context)

    def adjustments(self, data: JsonData) -> "AdjustmentResult":
        """Return the adjustments of a period, and their notices where they were written (A56)."""
        return _adjustment_result().of_data(data, self._context)


def dumps(
    value: Record | BillingPolicy | BillingResult | PendingBill | IndexSeries | Notice | Tabular,
    *,
    full: bool = False,
    indent: int | None = None,
    policy: BillingPolicy | None = None,
) -> str:
    """Return a record, a policy, an index series, a notice or a result as JSON.

    Args:
        value: What to write.
        full: Whether bills get what a result knows beyond the interface: item, kind, share, regular
            period, base of VAT, notices, fingerprint; and adjustments, also those listed in a plan,
            theirs: plan, adjustee, percentage applied, points compared, reasons, notices (A56).
        indent: Blanks for each level; a text on one line by default.
        policy: For half-open periods (A4) and private currencies (A2); a result that was computed
            has its own. Bills and adjustments alone have several forms.

    Returns:
        The text: camelCase, amounts as numbers with their currency's decimals, and every list that
        the interface names, also an empty one. A lease file and a request have no empty lists
        (A72).

    Raises:
        UnsupportedCaseError: A period ends on 9999-12-31, and its text would name the day after.
        InvalidPolicyError: It is a policy whose holidays cannot be listed.
        TypeError: The value is none of these, `policy` is no BillingPolicy, or the value has one
            form alone.

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
        text = bills_text(value, rules, full=full)
        return text if indent is None else write_json(read_json(text), indent=indent)
    if isinstance(value, (BillingPolicy, IndexSeries)):
        return write_json(value.to_data(), indent=indent)
    if isinstance(value, Notice):
        return write_json(notice_data(value), indent=indent)
    if isinstance(value, Record):
        text = _writer(rules, full=full, sparse=value.sparse).record(value)
    elif isinstance(value, _adjustment_result()):
        from rentbilling.adjustments import adjustments_text  # noqa: PLC0415 - as above

        text = adjustments_text(value, _writer(rules, full=full), full=full)
    elif isinstance(value, Tabular):
        if full or policy is not None:
            raise TypeError(f"{type(value).__name__} has one form, without full= and policy=")
        return write_json(plain_data(value), indent=indent)
    else:
        takes = "dumps takes records and results, such as LeaseTerms or BillingResult"
        raise TypeError(f"{takes}, not {shown(value)}")
    return text if indent is None else write_json(read_json(text), indent=indent)


def _writer(policy: BillingPolicy, *, full: bool, sparse: bool = False) -> RecordWriter:
    return record_writer(policy.currencies, period_end=policy.period_end, full=full, sparse=sparse)


def answer_text(value: Record | BillingResult, *, policy: BillingPolicy | None = None) -> str:
    """Return what an operation answers as JSON: as `dumps` does, and with the lists of A72.

    Examples:
        >>> from rentbilling.interface import Lease
        >>> answer_text(Lease(id="lease-1"))
        '{"id": "lease-1", "tenantIds": [], "associatedContactIds": []}'
    """
    if isinstance(value, BillingResult):
        return dumps(value, policy=policy)
    rules = policy_of(policy)
    return record_writer(rules.currencies, period_end=rules.period_end).record(value)
