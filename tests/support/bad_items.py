"""What a bill item can have wrong, as one table that every way in is tried with.

A row writes something wrong at one place of a good item, as JSON text, so that also what JSON
readers differ in (`1e999999`, sixteen digits) stands as a person would write it.
"""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from pydantic.alias_generators import to_snake

from rentbilling import InvalidInputError, errors


class Wrong(NamedTuple):
    """Something wrong at a place of an item, and what is said about it."""

    place: str
    """Where it is written, in the spelling of the wire."""
    written: str
    """What is written there, as JSON text."""
    path: str
    """Where the problem is said to be: the place itself, or inside it."""
    kind: type[InvalidInputError]
    code: str
    met: str
    expected: str

    @property
    def is_in_json_alone(self) -> bool:
        """Whether it is the text of a number, which Python reads (A1)."""
        return self.code == "not_a_number" and self.met.startswith("'")


AMOUNT = {"currency": "DKK", "amount": 8500}
RENT: dict[str, Any] = {
    "productKey": "key:rent",
    "amount": AMOUNT,
    "vat": {"taxMode": "Exclusive", "taxRate": 0.25},
    "dueDateRule": {"dayOfPeriod": 1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
    "startedOn": "2026-01-01",
    "firstBillingPeriodBillItem": {
        "amount": AMOUNT,
        "dueDate": "2026-01-01",
        "accountingPeriod": "2026-01-01/2026-01-31",
    },
}
"""A rent of 8,500 DKK a month and 25 % VAT, from January 2026."""

OPENING = "firstBillingPeriodBillItem"
ARABIC = "\u0662\u0660\u0662\u0666-\u0660\u0661-\u0660\u0661"


def _table(text: str) -> Iterator[Wrong]:
    """Read rows below lines that name the error, its code and what is expected.

    A row is `place = JSON @ .deeper -> met`: what lies deeper is wrong where that is said, and what
    is met is the value in JSON unless it is said otherwise.
    """
    kind, code, expected = "", "", ""
    for line in text.replace("OPENING", OPENING).replace("ARABIC", ARABIC).splitlines():
        if not line.startswith(" "):
            names, _, expected = line.partition(": ")
            kind, code = names.split()
            continue
        for row in line.strip().split("; "):
            given, _, met = row.partition(" -> ")
            place, _, given = given.partition(" = ")
            written, _, deeper = given.partition(" @ ")
            value = json.loads(written, parse_float=Decimal)
            met = met or (str(value) if isinstance(value, Decimal) else repr(value))
            yield Wrong(place, written, place + deeper, getattr(errors, kind), code, met, expected)


WRONG: tuple[Wrong, ...] = tuple(
    _table("""\
InvalidDueDateRuleError day_zero: 1 for the period's first day, -1 for the day before it
    dueDateRule.dayOfPeriod = 0; dueDateRule.dayOfPeriod = -0.0 -> 0
InvalidPeriodError reversed_period: 2026-01-01/2026-01-31
    OPENING.accountingPeriod = "2026-01-31/2026-01-01"
InvalidPeriodError not_a_period: YYYY-MM-DD/YYYY-MM-DD
    OPENING.accountingPeriod = "2026-01"; OPENING.accountingPeriod = "2026-01-01"
    OPENING.accountingPeriod = "2026-01-01--2026-01-31"
    OPENING.accountingPeriod = "2026-01-01/2026-01-31/1"; OPENING.accountingPeriod = 2026
    OPENING.accountingPeriod = ["2026-01-01", "2026-01-31"]
InvalidPeriodError not_a_date: YYYY-MM-DD: 2026-02 has 28 days
    OPENING.accountingPeriod = "2026-01-01/2026-02-29" -> '2026-02-29'; startedOn = "2026-02-29"
InvalidPeriodError not_a_date: YYYY-MM-DD
    OPENING.accountingPeriod = "2026-01-01/" -> ''
    OPENING.accountingPeriod = "2026-01-01 /2026-01-31" -> '2026-01-01 '; startedOn = 0
    startedOn = true; startedOn = "0000-01-01"; startedOn = "ARABIC"
    OPENING.dueDate = "1 January 2026"; endedOn = 20261231
InvalidPeriodError not_a_date: YYYY-MM-DD: 2026-12-31
    cancelledOn = "20261231"
InvalidPeriodError date_time_for_date: a date alone: 2025-12-31, or the day it is where the lease is
    startedOn = "2025-12-31T23:00Z"; endedOn = "2025-12-31T00:00:00+01:00"
    OPENING.accountingPeriod = "2025-12-31T23:00Z/2026-01-31" -> '2025-12-31T23:00Z'
InvalidPeriodError started_after_opening_due_date: 2026-01-01 or earlier
    startedOn = "2026-01-02" -> 2026-01-02
InvalidVatError unknown_tax_mode: one of Exclusive, Inclusive, Exempt, ReverseCharge
    vat.taxMode = "VAT"; vat.taxMode = true
InvalidCycleError unknown_time_unit: Month, and a length of 3 for a quarter
    billingCycle.timeUnit = "quarterly"
InvalidCycleError unknown_time_unit: one of Month, Year, Week, Day
    billingCycle.timeUnit = "Moon"; billingCycle.timeUnit = 1
UnknownWordError unknown_currency: DKK, in capital letters
    amount.currency = "dkk"
UnknownWordError unknown_currency: a code such as DKK or EUR, or one of policy.currencies
    amount.currency = "DKR"; OPENING.amount.currency = ""
InvalidVatError out_of_range: a fraction: 25 means 2500 %; write 0.25 or '25%'
    vat.taxRate = 25
InvalidVatError out_of_range: a fraction: 0.25 means 25 percent
    vat.taxRate = -0.25
InvalidDiscountError out_of_range: a fraction: 0.10 means ten percent
    discount = {"percentage": 10} @ .percentage -> 10
InvalidDiscountError one_of_two: either amount or percentage
    discount = {} -> neither; discount = {"amount": null, "percentage": null} -> neither
    discount = {"amount": {"currency": "DKK", "amount": 1}, "percentage": 0.10} -> both
InvalidDiscountError discount_above_amount: at most 8500
    discount = {"amount": {"currency": "DKK", "amount": 8500.01}} @ .amount -> 8500.01
CurrencyMismatchError currency_mismatch: DKK
    OPENING.amount.currency = "EUR"
    discount = {"amount": {"currency": "EUR", "amount": 1}} @ .amount.currency -> 'EUR'
    amountRecords = [{"value": {"currency": "EUR", "amount": 1}, "start": "2026-05-01"}] @ \
[0].value.currency -> 'EUR'
InvalidAmountError too_many_digits: at most 15
    amount.amount = 1e999999; quantity = -1e999999; amount.amount = 1234567890123456
    amount.amount = 1e15
InvalidAmountError too_many_digits: at most 15, such as 12345678901234.6
    amount.amount = 12345678901234.56
InvalidAmountError too_many_digits: at most 15, such as 0.3
    quantity = 0.30000000000000004
InvalidAmountError not_a_number: a number such as 8500.00
    amount.amount = true
InvalidAmountError not_a_number: a number such as 8500.00, and not its text
    amount.amount = "8500.00"
InvalidAmountError not_a_number: a number such as 2.5
    quantity = true; quantity = [1]
InvalidAmountError not_a_number: a number such as 2.5, and not its text
    quantity = "2"
InvalidAmountError not_a_number: a number such as 0.03
    discount = {"percentage": true} @ .percentage -> True
    discount = {"percentage": "10%"} @ .percentage -> '10%'
InvalidVatError not_a_number: a fraction such as 0.25
    vat.taxRate = true; vat.taxRate = "25 %"
InvalidVatError too_many_digits: at most 15, such as 0.25
    vat.taxRate = 0.25000000000000006
InvalidRecordError not_a_whole_number: a whole number such as 1
    dueDateRule.dayOfPeriod = true; billingCycle.periodLength = 1.5; billingCycle.start = "January"
InvalidRecordError zero_quantity: any other number
    quantity = 0
InvalidRecordError not_an_object: a BillingCycle, or an object with its fields
    billingCycle = "monthly"
InvalidRecordError not_an_object: a Discount, or an object with its fields
    discount = []
InvalidRecordError not_a_text: a text
    description = 7; productKey = true
InvalidRecordError missing: a date, YYYY-MM-DD
    startedOn = null -> nothing
InvalidRecordError unknown_field: a known field, such as discount
    discont = 0.10
""")
)


def item_with(*wrongs: Wrong) -> str:
    item = json.loads(json.dumps(RENT))
    for at, wrong in enumerate(wrongs):
        *way, last = wrong.place.split(".")
        there = item
        for step in way:
            there = there[step]
        there[last] = f"@{at}@"
    text = json.dumps(item)
    for at, wrong in enumerate(wrongs):
        text = text.replace(f'"@{at}@"', wrong.written)
    return text


def fields_with(wrong: Wrong) -> dict[str, Any]:
    """Return the rent as somebody writes it in Python, with something wrong in it."""
    found: dict[str, Any] = snaked(json.loads(item_with(wrong), parse_float=Decimal))
    return found


def snaked(data: Any) -> Any:  # noqa: ANN401 - JSON is any value
    if isinstance(data, dict):
        return {to_snake(key): snaked(value) for key, value in data.items()}
    return [snaked(each) for each in data] if isinstance(data, list) else data


def snaked_path(path: str) -> str:
    return ".".join(map(to_snake, path.split(".")))


def refusal(error: InvalidInputError) -> list[tuple[str, str, str, str]]:
    """Return path, code, value met and what would be right of each problem."""
    assert all(each.message for each in error.problems)
    return [(each.path, each.code, each.met, each.expected) for each in error.problems]
