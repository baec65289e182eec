"""Whatever is handed in wrong is refused: with code, place, value met and what would be right.

Every row of `bad_items` is tried in each form of a lease's file and in Python; then what only
Python can get wrong, periods, policies, and 29 February. Texts that are no payload at all, and what
a bound refuses, are in `test_bad_payloads`.
"""

import json
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    BillingResult,
    Discount,
    DueDateRule,
    InvalidInputError,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    RecurringBillItem,
    Vat,
    dumps,
    loads,
    pending_bills,
)
from rentbilling.errors import CurrencyMismatchError, InvalidPeriodError, InvalidRecordError
from tests.support.bad_items import RENT, WRONG, Wrong, fields_with, item_with, refusal, snaked_path
from tests.support.refusals import faults
from tests.support.rents import day, due_dates, opening, rent, told
from tests.support.rows import rows

GOOD = item_with()

# How a lease's file may hold an item (A57), and the path to it.
FILES: dict[str, tuple[str, str]] = {
    "a bare item": ("{wrong}", ""),
    "a list of items": ("[{good}, {wrong}]", "[1]."),
    "a body that creates": (
        '{{"leaseId": "a", "recurringBillItem": {wrong}}}',
        "recurringBillItem.",
    ),
    "lease terms": ('{{"recurringBillItems": [{good}, {wrong}]}}', "recurringBillItems[1]."),
}
NOT_A_NUMBER = Decimal("NaN")
MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)


def named(wrong: Wrong) -> str:
    return f"{wrong.place}={wrong.written}"


def refused(given: str, into: type[Any] = LeaseTerms) -> list[tuple[str, str]]:
    return faults(lambda: loads(given, into))


@rows("form", FILES)
@rows("wrong", WRONG)
def test_a_wrong_field_is_refused_in_every_form_of_a_file(wrong: Wrong, form: str) -> None:
    text, place = FILES[form]
    with pytest.raises(InvalidInputError) as caught:
        loads(text.format(good=GOOD, wrong=item_with(wrong)))

    assert [(place + wrong.path, wrong.code, wrong.met, wrong.expected)] == refusal(caught.value)
    assert wrong.code == caught.value.code
    assert isinstance(caught.value, wrong.kind)


@rows("wrong", [each for each in WRONG if each.place != "discont"])
def test_a_service_may_not_write_wrong_fields_either(wrong: Wrong) -> None:
    """Only fields that we do not know are passed over (A50)."""
    with pytest.raises(InvalidInputError) as caught:
        loads(item_with(wrong), RecurringBillItem, from_service=True)

    assert [(wrong.path, wrong.code, wrong.met, wrong.expected)] == refusal(caught.value)


@rows("wrong", [each for each in WRONG if not each.is_in_json_alone])
def test_a_wrong_field_is_refused_in_python(wrong: Wrong) -> None:
    with pytest.raises(InvalidInputError) as caught:
        RecurringBillItem(**fields_with(wrong))

    assert [(snaked_path(wrong.path), wrong.code, wrong.met, wrong.expected)] == refusal(
        caught.value
    )
    assert isinstance(caught.value, wrong.kind)


@rows(
    ("make", "fields", "path", "code", "met"),
    [
        (Amount, {"amount": 8500.0, "currency": "DKK"}, "amount", "not_exact", "8500.0"),
        (Amount, {"amount": True, "currency": "DKK"}, "amount", "not_exact", "True"),
        (Amount, {"amount": NOT_A_NUMBER, "currency": "DKK"}, "amount", "not_finite", "NaN"),
        (Amount, {"amount": 10**15, "currency": "DKK"}, "amount", "too_many_digits", str(10**15)),
        (Amount, {"amount": 1, "currency": "kr."}, "currency", "unknown_currency", "'kr.'"),
        (Vat, {"tax_mode": "Exclusive"}, "taxRate", "missing_rate", "nothing"),
        (Vat, {"tax_mode": "None", "tax_rate": None}, "taxMode", "unknown_tax_mode", "'None'"),
        (Period, {"start": day("2026-02-01"), "end": day("2026-01-31")}, "", "reversed_period", ""),
        (Period, {"start": 0, "end": 31}, "", "not_a_date", "0"),
        (Discount, {"percentage": NOT_A_NUMBER}, "percentage", "not_finite", "NaN"),
        (Discount, {"percentage": float("inf")}, "percentage", "not_finite", "inf"),
        (rent, {"quantity": 0.1 + 0.2}, "quantity", "too_many_digits", "0.30000000000000004"),
        (rent, {"quantity": True}, "quantity", "not_a_number", "True"),
        (rent, {"started_on": 0}, "started_on", "not_a_date", "0"),
        (rent, {"ended_on": MIDNIGHT}, "ended_on", "date_time_for_date", "datetime.datetime(2026"),
        (rent, {"vat": "Exempt"}, "vat", "not_an_object", "'Exempt'"),
        (DueDateRule, {"day_of_period": True}, "day_of_period", "not_a_whole_number", "True"),
        (BillingCycle, {"time_unit": ""}, "time_unit", "unknown_time_unit", "''"),
        (BillingCycle, {"periodLength": 0}, "periodLength", "out_of_range", "0"),
        (OneTimeBillItem.model_validate, {"obj": []}, "", "not_an_object", "[]"),
        (rent().evolve, {"amount": 1}, "amount", "not_an_object", "1"),
        (rent, {"description": "\ud800"}, "description", "not_a_text", "'\\ud800'"),
        (rent, {"description": 5}, "description", "not_a_text", "5"),
        (LeaseTerms, {"recurring_bill_items": rent()}, "recurring_bill_items", "not_a_list", "B"),
        (rent, {"amount_records": "2026"}, "amount_records", "not_a_list", "'2026'"),
        (Vat, {"tax_mode": "Exclusive", "tax_rate": 0.25}, "taxRate", "not_exact", "0.25"),
    ],
)
def test_what_python_alone_can_get_wrong_is_refused_too(
    make: Callable[..., object], fields: dict[str, Any], path: str, code: str, met: str
) -> None:
    """Binary numbers, booleans, date-times, numbers for dates: nothing is coerced (A1, A58)."""
    with pytest.raises(InvalidInputError) as caught:
        make(**fields)
    ((where, said, value, expected),) = refusal(caught.value)

    assert (path, code) == (where, said)
    assert met in value
    assert expected


@rows(
    ("given", "problem"),
    [
        ("2026-01-31/2026-01-01", ("reversed_period", "'2026-01-31/2026-01-01'")),
        ("2026-01-01", ("not_a_period", "'2026-01-01'")),
        ("2026-13", ("not_a_period", "'2026-13'")),
        ("", ("not_a_period", "''")),
        ("2026-02-29/2026-03-31", ("not_a_date", "'2026-02-29'")),
        ("2026-01-01/2026-01-32", ("not_a_date", "'2026-01-32'")),
        ("2026-01-01T00:00/2026-01-31", ("date_time_for_date", "'2026-01-01T00:00'")),
        (0, ("not_a_period", "0")),
        (True, ("not_a_period", "True")),
        (None, ("not_a_period", "None")),
        (date(2026, 1, 1), ("not_a_period", "datetime.date(2026, 1, 1)")),
    ],
)
def test_a_malformed_period_is_asked_in_vain(given: Any, problem: tuple[str, str]) -> None:  # noqa: ANN401
    """The argument is named; no bill comes out (A4, A58)."""
    with pytest.raises(InvalidPeriodError) as caught:
        pending_bills(rent(), given)

    assert [("period", *problem)] == [each[:3] for each in refusal(caught.value)]


@rows("given", [None, 5, [rent(), None], [rent(), RENT], [rent(), LeaseTerms()]])
def test_what_is_no_item_is_not_billed(given: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidRecordError) as caught:
        pending_bills(given, "2026-01-01/2026-12-31")

    path = "terms[1]" if isinstance(given, list) else "terms"
    assert [(path, "not_billable")] == [each[:2] for each in refusal(caught.value)]


def test_null_is_absent_in_every_kind_of_dict() -> None:
    """Some readers keep the order of keys in a class of their own (A6)."""
    fields = OrderedDict(RENT, amountRecords=None, quantity=None)

    assert RecurringBillItem.model_validate(RENT) == RecurringBillItem.model_validate(fields)


@rows(
    "change", [lambda data: data, lambda data: [data], lambda data: {"recurring_bill_item": data}]
)
def test_the_forms_of_a_file_are_told_apart_in_either_spelling(
    change: Callable[[object], object],
) -> None:
    """An item, a list of items, a body that creates one (A57)."""
    plain = json.loads(dumps(rent()), parse_float=Decimal)
    snaked = {snaked_path(key): value for key, value in plain.items()}
    text = json.dumps(change(snaked), default=float)

    assert rent() == loads(text).recurring_bill_items[0]


# A policy's JSON with something wrong in it: path on the wire, code, value met.
POLICIES: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    ('{"rounding": "bankers"}', (("rounding", "unknown_word", "'bankers'"),)),
    ('{"partPeriod": true}', (("partPeriod", "unknown_word", "True"),)),
    ('{"maxLines": true}', (("maxLines", "wrong_value", "True"),)),
    ('{"discountOpening": 1}', (("discountOpening", "wrong_value", "1"),)),
    ('{"cashRounding": {"DKR": 1}}', (("cashRounding.DKR", "unknown_currency", "'DKR'"),)),
    ('{"cashRounding": {"DKK": true}}', (("cashRounding.DKK", "not_a_number", "True"),)),
    (
        '{"cashRounding": {"DKK": 1e999999, "EUR": 0.30000000000000004}}',
        (
            ("cashRounding.DKK", "too_many_digits", "1E+999999"),
            ("cashRounding.EUR", "too_many_digits", "0.30000000000000004"),
        ),
    ),
    (
        """{"holidays": [0, "2026-12-25", "2026-02-29", "2026-12-26T00:00Z"], "maxLines": 0,
        "currencies": {"PTS": true}, "vatRounding": "never", "rabat": 1}""",
        (
            ("holidays[0]", "not_a_date", "0"),
            ("holidays[2]", "not_a_date", "'2026-02-29'"),
            ("holidays[3]", "date_time_for_date", "'2026-12-26T00:00Z'"),
            ("rabat", "unknown_field", "1"),
            ("vatRounding", "unknown_word", "'never'"),
            ("maxLines", "wrong_value", "0"),
            ("currencies.PTS", "wrong_value", "True"),
        ),
    ),
)


@rows(("text", "problems"), POLICIES)
def test_a_wrong_policy_is_refused(text: str, problems: tuple[tuple[str, str, str], ...]) -> None:
    with pytest.raises(InvalidInputError) as caught:
        loads(text, BillingPolicy)

    assert list(problems) == [each[:3] for each in refusal(caught.value)]
    assert all(each.expected for each in caught.value.problems)


def test_all_problems_of_a_payload_are_told_at_once_and_in_order() -> None:
    by_name = {named(wrong): wrong for wrong in WRONG}
    first = item_with(
        by_name["startedOn=0"],
        by_name["dueDateRule.dayOfPeriod=0"],
        by_name["vat.taxRate=25"],
        by_name["discont=0.10"],
        by_name["quantity=0"],
    )
    third = item_with(by_name['billingCycle.timeUnit="Moon"'], by_name['amount.currency="DKR"'])
    once = '{"productKey": "", "dueDate": "2026-02-30", "vat": {"taxMode": "Exclusive"}}'
    text = f'{{"oneTimeBillItems": [{once}], "recurringBillItems": [{first}, {GOOD}, {third}]'

    assert [
        ("contractEnd", "not_a_date"),
        ("recurringBillItems[0].vat.taxRate", "out_of_range"),
        ("recurringBillItems[0].dueDateRule.dayOfPeriod", "day_zero"),
        ("recurringBillItems[0].startedOn", "not_a_date"),
        ("recurringBillItems[0].discont", "unknown_field"),
        ("recurringBillItems[0].quantity", "zero_quantity"),
        ("recurringBillItems[2].amount.currency", "unknown_currency"),
        ("recurringBillItems[2].billingCycle.timeUnit", "unknown_time_unit"),
        ("oneTimeBillItems[0].productKey", "empty_text"),
        ("oneTimeBillItems[0].amount", "missing"),
        ("oneTimeBillItems[0].vat.taxRate", "missing_rate"),
        ("oneTimeBillItems[0].dueDate", "not_a_date"),
        ("oneTimeBillItems[0].accountingPeriod", "missing"),
    ] == refused(f'{text}, "contractEnd": 0}}')


def test_nothing_comes_out_of_a_payload_that_is_wrong_in_one_place() -> None:
    text = ", ".join((GOOD, GOOD, GOOD, item_with(WRONG[0])))
    bill = '{"dueDate": "2026-01-01", "pendingBillLineItems": [], "vatTotals": [], "subtotal": '
    good = (
        f'{bill}{{"currency": "DKK", "amount": 0}}, "total": {{"currency": "DKK", "amount": 0}}}}'
    )

    assert [("[3].dueDateRule.dayOfPeriod", "day_zero")] == refused(f"[{text}]")
    assert 1 == len(loads(f'{{"bills": [{good}]}}', BillingResult))
    assert [("bills[1].dueDate", "not_a_date")] == refused(
        f'{{"bills": [{good}, {good.replace("2026-01-01", "2026-02-29")}]}}', BillingResult
    )


def test_two_currencies_in_one_lease_are_refused_where_it_has_one() -> None:
    """The item in another one is named (A2)."""
    euros = item_with().replace("DKK", "EUR")
    text = f'{{"currency": "DKK", "recurringBillItems": [{GOOD}, {euros}]}}'
    with pytest.raises(CurrencyMismatchError) as caught:
        loads(text)

    assert [
        ("recurringBillItems[1].amount.currency", "currency_mismatch", "'EUR'", "DKK")
    ] == refusal(caught.value)


# An opening period of a year, then a year from each 29 February, in other years from the 28th (A9).
LEAP_YEARS = [
    ("2024-02-29/2025-02-27", "8500.00"),
    ("2025-02-28/2026-02-27", "8500.00"),
    ("2026-02-28/2027-02-27", "8500.00"),
    ("2027-02-28/2028-02-28", "8500.00"),
    ("2028-02-29/2029-02-27", "8500.00"),
]


def test_a_yearly_rent_that_starts_on_29_february_is_right_in_every_year() -> None:
    """It begins on 28 February where there is no 29th, and on the 29th again in 2028 (A9)."""
    yearly = rent(
        first_billing_period_bill_item=opening("2024-02-29/2025-02-27", price="8500"),
        billing_cycle=BillingCycle(time_unit="Year", start=2, start_day=29),
    )

    assert LEAP_YEARS == told(yearly, "2024-01-01/2028-12-31")
    assert [days[:10] for days, _ in LEAP_YEARS] == due_dates(yearly, "2024-01-01/2028-12-31")


def test_a_monthly_rent_that_starts_on_29_february_is_right_in_a_common_year() -> None:
    """From the 29th of each month: February 2025 begins on the 28th, March on the 29th (A9)."""
    monthly = rent(
        first_billing_period_bill_item=opening("2024-02-29/2024-03-28", price="8500"),
        billing_cycle=BillingCycle(start_day=29),
    )

    assert [
        ("2025-01-29/2025-02-27", "8500.00"),
        ("2025-02-28/2025-03-28", "8500.00"),
        ("2025-03-29/2025-04-28", "8500.00"),
    ] == told(monthly, "2025-01-29/2025-03-31")


def test_29_february_is_refused_where_there_is_none() -> None:
    """2023, 2100 and the rest have no such day; 2024 and 2000 have (A58)."""
    good = [f'"{year}-02-29"' for year in ("2000", "2024")]
    bad = [f'"{year}-02-29"' for year in ("1900", "2023", "2026", "2100")]

    for days in good:
        loads(item_with(WRONG[0]._replace(place="startedOn", written=days)))
    for days in bad:
        text = item_with(WRONG[0]._replace(place="startedOn", written=days))
        assert [("startedOn", "not_a_date")] == refused(text)
