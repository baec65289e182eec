"""Records written as JSON: one table per class, straight to text.

Laws: absent fields and silent defaults are left out (A6, A40, A57, A72); what is ours beyond the
interface is in the full form alone (A56).
"""

from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rentbilling.adjustments import AdjustmentResult
from rentbilling.billing.wire import vat_text
from rentbilling.indices import IndexPoint
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.records import (
    RawRecord,
    Record,
    day_text,
    days_past_end,
    fields_of,
    quoted,
    write_json,
)
from rentbilling.terms import NoticeRecord
from rentbilling.values import CURRENCIES, Amount, Period, Vat, YearMonth

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class _Row(NamedTuple):
    """How a field is written."""

    name: str
    head: str
    """Its name on the wire, up to its value."""
    silent: bool
    """Whether it is absent where it has its default."""
    default: object


@cache
def _rows(kind: type[Record], *, full: bool, sparse: bool) -> tuple[_Row, ...]:
    """Return the fields of a record that are written, in their order."""
    fields = {each.name: each for each in fields_of(kind)}
    order = dict.fromkeys((*kind.written_first, *fields))
    sent = {*kind.always_written, *(() if sparse else kind.sent_lists)}
    return tuple(
        _Row(
            name,
            f"{quoted(fields[name].wire)}: ",
            name not in sent if fields[name].default == () else name in kind.silent_defaults,
            fields[name].default,
        )
        for name in order
        if full or name not in kind.written_in_full
    )


_day = lru_cache(maxsize=2048)(day_text)


@lru_cache(maxsize=2048)
def _date(day: date) -> str:
    return f'"{day.isoformat()}"'


class RecordWriter:
    """Writes records as JSON under the conventions of a policy."""

    __slots__ = ("_currencies", "_full", "_heads", "_known", "_past_end", "_sparse", "_tables")

    def __init__(self, policy: BillingPolicy, *, full: bool, sparse: bool = False) -> None:
        self._currencies = policy.currencies
        self._past_end = days_past_end(policy.period_end)
        self._full, self._sparse = full, sparse
        # Amounts up to their number, with the decimals of their currency.
        self._heads: dict[str, tuple[str, int]] = {}
        self._tables: dict[type[Record], tuple[_Row, ...]] = {}
        self._known: Mapping[type, Callable[[Any], str]] = {
            str: quoted,
            Amount: self._amount,
            date: _date,
            Vat: vat_text,
            int: str,
            Decimal: "{:f}".format,
            Period: self._period,
            tuple: self.several,
            RawRecord: lambda value: write_json(value.data),
            IndexPoint: lambda value: quoted(str(value)),
            YearMonth: lambda value: quoted(str(value)),
        }

    def record(self, record: Record) -> str:
        """Return a record as JSON."""
        values, known, other = record.__dict__, self._known, self._other
        parts: list[str] = []
        kind = type(record)
        rows = self._tables.get(kind)
        if rows is None:
            rows = self._tables[kind] = _rows(kind, full=self._full, sparse=self._sparse)
        for name, head, silent, default in rows:
            value = values[name]
            if value is None or (silent and value == default):
                continue
            parts.append(head + known.get(type(value), other)(value))
        return f"{{{', '.join(parts)}}}"

    def several(self, values: tuple[Any, ...]) -> str:
        """Return values as a list."""
        known, other = self._known, self._other
        return f"[{', '.join([known.get(type(each), other)(each) for each in values])}]"

    def adjustments(self, result: AdjustmentResult) -> str:
        """Return the adjustments of a result, in full with its notices."""
        text = f'{{"adjustments": {self.several(tuple(result))}}}'
        if not self._full:
            return text
        notices = tuple(
            NoticeRecord(
                code=each.code,
                message=each.message,
                item_id=each.item_id,
                facts=dict(each.facts),
            )
            for each in result.notices
        )
        return f'{text[:-1]}, "notices": {self.several(notices)}}}'

    def _other(self, value: object) -> str:
        return self.record(value) if isinstance(value, Record) else write_json(value)

    def _period(self, value: Period) -> str:
        return f'"{_day(value.first)}/{_day(value.last + self._past_end)}"'

    def _amount(self, value: Amount) -> str:
        """Return an amount with its currency's decimals at least: 8500.00 DKK."""
        currency = value.currency
        head = self._heads.get(currency)
        if head is None:
            places = self._currencies.get(currency, CURRENCIES.get(currency, 0))
            head = f'{{"currency": {quoted(currency)}, "amount": ', places
            self._heads[currency] = head
        text = f"{value.amount:f}"
        _, point, decimals = text.partition(".")
        missing = head[1] - len(decimals)
        if missing > 0:
            text = f"{text}{'' if point else '.'}{'0' * missing}"
        return f"{head[0]}{text}}}"


@cache
def _usual_writer(*, full: bool, sparse: bool) -> RecordWriter:
    """Return the writer under the default policy, whose tables all calls share."""
    return RecordWriter(DEFAULT, full=full, sparse=sparse)


def writer_under(policy: BillingPolicy, *, full: bool, sparse: bool = False) -> RecordWriter:
    """Return the writer of records under the conventions of a policy."""
    if policy is DEFAULT:
        return _usual_writer(full=full, sparse=sparse)
    return RecordWriter(policy, full=full, sparse=sparse)
