"""Records written as JSON, as the interface has them: one table per class, straight to text.

Laws: null and absent read alike, and absent is written (A6); empty lists and silent defaults are
left out where the class says so (A40, A57, A72); what is ours beyond the interface is in the full
form alone (A56). Plain data are what the text reads as.
"""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from rentbilling.errors import UnsupportedCaseError
from rentbilling.indices import IndexPoint
from rentbilling.records.description import fields_of
from rentbilling.records.json_text import quoted, write_json
from rentbilling.records.quick_reader import is_small, remembered
from rentbilling.records.raw_record import RawRecord
from rentbilling.values import (
    CURRENCIES,
    LAST_DAY,
    NO_CURRENCIES,
    Amount,
    Period,
    PeriodEnd,
    Vat,
    YearMonth,
)


@lru_cache(maxsize=4096)
def day_text(day: int) -> str:
    """Return a day's text, also that of the day after a period, as half-open texts name it (A4).

    Raises:
        UnsupportedCaseError: The day lies beyond the year 9999.

    Examples:
        >>> day_text(date(2026, 1, 31).toordinal() + 1)
        '2026-02-01'
    """
    if day > LAST_DAY:
        case = "a period to 9999-12-31 in a text that names the day after it"
        raise UnsupportedCaseError("unsupported", case=case)
    return date.fromordinal(day).isoformat()


def days_past_end(period_end: str) -> int:
    """Return how many days after a period's last one its text names as the end (A4)."""
    return 1 if period_end == "excluded" else 0


def vat_text(vat: Vat) -> str:
    """Return a VAT object as JSON; a rate that is absent stays absent (A6)."""
    rate = vat.tax_rate
    if rate is None:
        return f'{{"taxMode": {quoted(vat.tax_mode)}}}'
    return f'{{"taxMode": {quoted(vat.tax_mode)}, "taxRate": {rate:f}}}'


class _Row(NamedTuple):
    """How a field is written."""

    name: str
    head: str
    """Its name on the wire, up to its value."""
    silent: bool
    """Whether it is absent where it has its default."""
    default: object


@cache
def _rows(kind: Any, *, full: bool, sparse: bool) -> tuple[_Row, ...]:  # noqa: ANN401 - records import this
    """Return the fields of a record class that are written, in their order."""
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


@lru_cache(maxsize=2048)
def _date(day: date) -> str:
    return f'"{day.isoformat()}"'


Write = Callable[[Any], str]


class _Writers(dict[type, Write]):
    """What writes a value, by its type; one for a new type is made."""

    def __init__(self, known: Mapping[type, Write], make: Callable[[Any], Write]) -> None:
        super().__init__(known)
        self._make = make

    def __missing__(self, kind: type) -> Write:
        self[kind] = made = self._make(kind)
        return made


class RecordWriter:
    """Writes records as JSON, under private currencies (A2) and a form of periods (A4)."""

    __slots__ = ("_currencies", "_full", "_heads", "_known", "_past_end", "_sparse")

    def __init__(
        self,
        currencies: Mapping[str, int] = NO_CURRENCIES,
        *,
        period_end: PeriodEnd = "included",
        full: bool = False,
        sparse: bool = False,
    ) -> None:
        self._currencies = currencies
        self._past_end = days_past_end(period_end)
        self._full, self._sparse = full, sparse
        # Amounts up to their number, with the decimals of their currency.
        self._heads: dict[str, tuple[str, int]] = {}
        known: Mapping[type, Write] = {
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
        self._known = _Writers(known, self._writer_of)

    def record(self, record: Any) -> str:  # noqa: ANN401 - records import this module
        """Return a record as JSON, without absent fields and silent defaults."""
        return self._known[type(record)](record)

    def several(self, values: tuple[Any, ...]) -> str:
        known = self._known
        return f"[{', '.join([known[type(each)](each) for each in values])}]"

    def _writer_of(self, kind: Any) -> Write:  # noqa: ANN401
        """Return what writes the records of a class, or plain data."""
        if not issubclass(kind, BaseModel):
            return write_json
        known, rows = self._known, _rows(kind, full=self._full, sparse=self._sparse)

        def text_of(values: Mapping[str, Any]) -> str:
            parts: list[str] = []
            for name, head, silent, default in rows:
                value = values[name]
                if value is not None and not (silent and value == default):
                    parts.append(head + known[type(value)](value))
            return f"{{{', '.join(parts)}}}"

        write = remembered(text_of) if is_small(kind) else text_of
        return lambda record: write(record.__dict__)

    def _period(self, value: Period) -> str:
        return f'"{day_text(value.first)}/{day_text(value.last + self._past_end)}"'

    def _amount(self, value: Amount) -> str:
        """Return an amount with its currency's decimals at least: 8500.00 DKK."""
        currency = value.currency
        head = self._heads.get(currency)
        if head is None:
            places = self._currencies.get(currency, CURRENCIES.get(currency, 0))
            head = f'{{"currency": {quoted(currency)}, "amount": ', places
            self._heads[currency] = head
        text = str(value.amount)
        if "E" in text:
            text = f"{value.amount:f}"
        _, point, decimals = text.partition(".")
        missing = head[1] - len(decimals)
        if missing > 0:
            text = f"{text}{'' if point else '.'}{'0' * missing}"
        return f"{head[0]}{text}}}"


@cache
def _shared(*, period_end: PeriodEnd, full: bool, sparse: bool) -> RecordWriter:
    """Return the writer without private currencies, whose tables all calls share."""
    return RecordWriter(period_end=period_end, full=full, sparse=sparse)


def record_writer(
    currencies: Mapping[str, int] = NO_CURRENCIES,
    *,
    period_end: PeriodEnd = "included",
    full: bool = False,
    sparse: bool = False,
) -> RecordWriter:
    """Return the writer of records under private currencies (A2) and a form of periods (A4).

    Args:
        currencies: Minor units of private codes.
        period_end: Whether the text of a period ends with its last day or with the day after.
        full: Whether it writes what is ours beyond the interface (A56).
        sparse: Whether it leaves out all empty lists, as in a file or a request (A72).
    """
    if currencies:
        return RecordWriter(currencies, period_end=period_end, full=full, sparse=sparse)
    return _shared(period_end=period_end, full=full, sparse=sparse)
