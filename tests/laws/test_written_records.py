"""The law of the writer: a record's text is what a slow writer of one value at a time gives.

The slow writer knows neither tables nor texts: it makes plain data field by field, and then JSON.
"""

import json
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import given, strategies as st

from rentbilling import Amount, BillingPolicy, LeaseTerms, Period, Vat, dumps
from rentbilling.errors import InvalidInputError
from rentbilling.records import RawRecord, Record, fields_of
from rentbilling.testing.strategies.adjusted_leases import choose_adjusted
from rentbilling.testing.strategies.choices import chosen
from rentbilling.values import CURRENCIES
from tests.laws.test_quick_reading import QUICK, payload_of
from tests.support.rows import rows
from tests.support.strategies import leases

POLICIES = (BillingPolicy(), BillingPolicy(period_end="excluded", currencies={"PTS": 1}))
PAYLOADS = 12


class SlowWriter:
    """Writes a record with a question to its class at each field."""

    def __init__(self, policy: BillingPolicy, *, full: bool, sparse: bool) -> None:
        self.policy, self.full, self.sparse = policy, full, sparse

    def text(self, value: Any) -> str:  # noqa: ANN401 - any part of a record
        """Return a value as JSON, each decimal with all its digits."""
        if isinstance(value, Record):
            return self.text({each.wire: getattr(value, each.name) for each in self.kept(value)})
        if isinstance(value, dict):
            parts = (f"{self.text(key)}: {self.text(each)}" for key, each in value.items())
            return "{" + ", ".join(parts) + "}"
        if isinstance(value, (tuple, list)):
            return "[" + ", ".join(map(self.text, value)) + "]"
        if isinstance(value, Decimal):
            return format(value, "f")
        if value is None or isinstance(value, (bool, int)):
            return json.dumps(value)
        return self.of_a_value(value)

    def kept(self, record: Record) -> list[Any]:
        kind = type(record)
        places = [*kind.written_first, *(each.name for each in fields_of(kind))]
        ordered = sorted(fields_of(kind), key=lambda each: places.index(each.name))
        return [each for each in ordered if self.says_something(record, each)]

    def says_something(self, record: Record, field: Any) -> bool:  # noqa: ANN401
        value = getattr(record, field.name)
        if value is None or (field.name in record.written_in_full and not self.full):
            return False
        if value != field.default:
            return True
        if field.default != ():
            return field.name not in record.silent_defaults
        sent = field.name in record.sent_lists and not self.sparse
        return sent or field.name in record.always_written

    def of_a_value(self, value: Any) -> str:  # noqa: ANN401
        if isinstance(value, Amount):
            places = {**CURRENCIES, **self.policy.currencies}[value.currency]
            least = Decimal(1).scaleb(-places)
            exponent = value.amount.as_tuple().exponent
            amount = value.amount if int(exponent) <= -places else value.amount.quantize(least)
            return self.text({"currency": value.currency, "amount": amount})
        if isinstance(value, Vat):
            parts = {"taxMode": value.tax_mode, "taxRate": value.tax_rate}
            return self.text({name: each for name, each in parts.items() if each is not None})
        if isinstance(value, Period):
            past = timedelta(days=self.policy.period_end == "excluded")
            return self.text(f"{value.start}/{value.end + past}")
        if isinstance(value, RawRecord):
            return self.text(dict(value.data))
        if isinstance(value, date):
            return self.text(value.isoformat())
        return json.dumps(str(value), ensure_ascii=False)


def holds_for(record: Record) -> None:
    for policy in POLICIES:
        for full in (False, True):
            slow = SlowWriter(policy, full=full, sparse=record.sparse)
            assert dumps(record, policy=policy, full=full) == slow.text(record)


@given(leases)
def test_terms(terms: LeaseTerms) -> None:
    holds_for(terms)


@given(chosen(choose_adjusted, 1400))
def test_terms_with_plans(adjusted: Any) -> None:  # noqa: ANN401 - a lease and its index
    holds_for(adjusted.terms)


@given(st.integers(0, 2**64))
def test_every_record(seed: int) -> None:
    choose = Random(seed)  # noqa: S311
    for _ in range(PAYLOADS):
        kind = choose.choice(QUICK)
        try:
            record = kind.model_validate(payload_of(kind, choose))
        except InvalidInputError:
            continue
        holds_for(record)


def test_most_kinds_are_met() -> None:
    """A law about refused payloads would hold: a payload of each record is valid."""
    choose = Random(3)  # noqa: S311
    met = set()
    for kind in QUICK:
        for _ in range(1200):
            try:
                holds_for(kind.model_validate(payload_of(kind, choose)))
            except InvalidInputError:
                continue
            met.add(kind)
            break

    assert {each.__name__ for each in QUICK} == {each.__name__ for each in met}


@rows("text", ["", "æ", '"', "\\", "\n", "\u2028", "\x7f", "😀"])
def test_texts(text: str) -> None:
    holds_for(LeaseTerms(lease_id=f"a{text}"))
