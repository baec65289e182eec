"""Records written as plain data, as the interface has them.

Laws: null and absent read alike, and absent is written (A6); what is ours beyond the interface is
absent unless it says something (A56).
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import BaseModel

from rentbilling.errors import UnsupportedCaseError
from rentbilling.indices import IndexPoint
from rentbilling.records.description import RecordField, fields_of
from rentbilling.records.json_text import JsonData
from rentbilling.records.raw_record import RawRecord
from rentbilling.values import (
    CURRENCIES,
    LAST_DAY,
    NO_CURRENCIES,
    Amount,
    Period,
    Vat,
    YearMonth,
    padded,
)


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


@cache
def _as_written(kind: Any) -> Sequence[RecordField]:  # noqa: ANN401
    """Return the fields of a record in the order in which they are written."""
    fields = {each.name: each for each in fields_of(kind)}
    return [fields[name] for name in dict.fromkeys((*kind.written_first, *fields))]


class RecordWriter:
    """Writes records as plain data, under private currencies (A2) and a form of periods (A4)."""

    def __init__(
        self,
        currencies: Mapping[str, int] = NO_CURRENCIES,
        *,
        period_end: str = "included",
        full: bool = False,
        sparse: bool = False,
    ) -> None:
        self._currencies = currencies
        self._past_end = days_past_end(period_end)
        self._full, self._sparse = full, sparse

    def record(self, record: Any) -> dict[str, JsonData]:  # noqa: ANN401 - records import this module
        """Return a record without absent fields and silent defaults."""
        data: dict[str, JsonData] = {}
        kind: Any = type(record)
        for field in _as_written(kind):
            value = getattr(record, field.name)
            if value is None or (field.name in record.written_in_full and not self._full):
                continue
            if value == field.default and self._is_silent(record, field.name, value):
                continue
            data[field.wire] = self._value(value)
        return data

    def _is_silent(self, record: Any, name: str, default: object) -> bool:  # noqa: ANN401
        """Return whether a field is absent where it has its default (A40, A57, A72)."""
        if default != ():
            return name in record.silent_defaults
        sent = name in record.sent_lists and not self._sparse
        return not sent and name not in record.always_written

    def _value(self, value: object) -> JsonData:
        if isinstance(value, BaseModel):
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
        return padded(value.amount, places)
