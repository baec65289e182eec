"""Payloads that are refused as a whole: texts that are no JSON, and what a bound refuses.

Wrong fields of a payload are in `tests/refusals`.
"""

import random
import sys
from collections.abc import Callable, Mapping
from datetime import date
from types import FrameType
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.interface import CreateRecurringBillItem, TenancyPage
from tests.refusals.tables import RENT, json_of
from tests.support.refusals import faults, refusal
from tests.support.rents import rent
from tests.support.rows import rows

GOOD = json_of(RENT)
SIZE = 10_000_000

GARBAGE: Mapping[str, Callable[[], bytes | str]] = {
    "random bytes": lambda: random.Random(20261120).randbytes(SIZE),  # noqa: S311
    "zeros": lambda: bytes(SIZE),
    "letters": lambda: "a" * SIZE,
    "digits": lambda: "1" * SIZE,
    "a text": lambda: '"' + "a" * SIZE + '"',
    "a text without an end": lambda: '"' + "a" * SIZE,
    "open lists": lambda: "[" * SIZE,
    "open objects": lambda: '{"a":' * (SIZE // 5),
    "blanks": lambda: " " * SIZE,
    "an item and then garbage": lambda: GOOD + "}" * SIZE,
}
"""Ten megabytes each."""


@pytest.mark.parametrize("name", GARBAGE)
def test_ten_megabytes_of_garbage_are_refused_in_a_few_words(name: str) -> None:
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.loads(GARBAGE[name]())
    (problem,) = caught.value.problems

    codes = {"a text": "not_an_object", "digits": "too_many_digits"}
    assert ("", codes.get(name, "not_json")) == problem[:2]
    assert len(str(problem)) < 250


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("[@]", 10_000),
        ('{"recurringBillItems": [@]}', 10_000),
        ('[{"amountRecords": [@]}]', 9_999),
        ('{"balances": [@]}', 10_000),
        ('{"rentAdjustmentPlans": [{"adjustments": [@]}]}', 9_999),
    ],
)
def test_lists_longer_than_any_lease_are_refused_as_a_whole(text: str, entries: int) -> None:
    """10,000 entries are still looked at one by one; of more, nobody would read the problems."""
    with pytest.raises(rb.InvalidInputError) as each:
        rb.loads(text.replace("@", ",".join("0" * entries)))
    with pytest.raises(rb.InvalidInputError) as whole:
        rb.loads(text.replace("@", ",".join("0" * (entries + 1))))

    assert entries <= len(each.value.problems)
    assert [("", "too_many_entries", "10001", "at most 10000")] == refusal(whole.value)


def test_an_object_with_more_fields_than_any_record_is_refused() -> None:
    fields = dict.fromkeys((f"field{at}" for at in range(1_001)), 1)
    many = {"leaseId": "lease-1", "recurringBillItem": fields}

    found = faults(
        lambda: CreateRecurringBillItem.model_validate(many),
        rb.InvalidInputError,
        "path code met expected",
    )

    assert ("recurringBillItem", "too_many", "1001", "at most 1000") in found


def test_a_page_of_a_service_may_be_longer_than_any_lease() -> None:
    """100 tenancies with 9,990 leases each are read (A43); beyond 1,000,000 entries nothing is."""
    ids = ",".join(f'"{at}"' for at in range(9_990))
    tenancy = f'{{"id": "t", "leaseIds": [{ids}]}}'
    text = '{"tenancies": [@]}'
    page = rb.loads(text.replace("@", ",".join([tenancy] * 100)), TenancyPage, from_service=True)
    assert [9_990] * 100 == [len(each.lease_ids) for each in page.tenancies]

    with pytest.raises(rb.InvalidInputError) as whole:
        rb.loads(text.replace("@", ",".join("0" * 1_000_001)), TenancyPage, from_service=True)
    assert [("", "too_many_entries", "1000001", "at most 1000000")] == refusal(whole.value)
    with pytest.raises(rb.InvalidInputError) as own:
        rb.loads(text.replace("@", ",".join([tenancy] * 2)), TenancyPage)
    assert [("", "too_many_entries", "19982", "at most 10000")] == refusal(own.value)


@rows("key", ["Foo.Bar", "Foo[0", "foo_bar", "fooBar"])
def test_a_field_that_nobody_knows_is_named_as_it_is_written(key: str) -> None:
    text = f'{{"productKey": "a", "amount": {{"amount": 1, "currency": "DKK", "{key}": 0}}}}'
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.loads(text)

    named = [path for path, code, _, _ in refusal(caught.value) if code == "unknown_field"]
    assert [f"amount.{key}"] == named


def test_a_list_of_bills_that_are_none_is_not_read_to_its_end() -> None:
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.loads('{"bills": [' + "{}," * 100_000 + "{}]}", rb.BillingResult)

    assert 1000 == len(caught.value.problems)


def calls_of(work: Callable[[], object]) -> int:
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


ONE_RULE = '{"id": "a", "adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 1}'

# A payload of which the part @ stands there many times, with a number for # if it is a key.
MANY: Mapping[str, tuple[str, str, type[Any]]] = {
    "unknown fields of a lease": ("{@}", '"#": 1', rb.LeaseTerms),
    "unknown fields of an amount": ('{"productKey": "a", "amount": {@}}', '"#": 1', rb.LeaseTerms),
    "items that are none": ("[@]", "1", rb.LeaseTerms),
    "empty items": ('{"recurringBillItems": [@]}', "{}", rb.LeaseTerms),
    "empty plans": ('{"rentAdjustmentPlans": [@]}', "{}", rb.LeaseTerms),
    "plans of items that do not exist": (
        '{"recurringBillItems": [' + GOOD + '], "rentAdjustmentPlans": [@]}',
        '{"adjusteeRef": "garage"}',
        rb.LeaseTerms,
    ),
    "rules that are none": ('{"rentAdjustmentRules": [@]}', "{}", rb.RentAdjustmentPlan),
    "rules that share an id": (
        '{"rentAdjustmentRules": [' + ONE_RULE + ", @]}",
        ONE_RULE,
        rb.RentAdjustmentPlan,
    ),
    "increments of nothing": (
        '{"adjustmentType": "Increment", "adjustmentMonth": 1, "increments": [@]}',
        '{"year": "2027"}',
        rb.RentAdjustmentRule,
    ),
    "increments in one year": (
        '{"adjustmentType": "Increment", "adjustmentMonth": 1, "increments": [@, @]}',
        '{"year": "2027", "percentage": 0}',
        rb.RentAdjustmentRule,
    ),
    "adjustments that are none": ('{"adjustments": [@]}', "1", rb.AdjustmentResult),
    "values of an index that are none": ('{"name": "a", "values": {@}}', '"#": 0', rb.IndexSeries),
    "holidays that are none": ('{"holidays": [@]}', "1", rb.BillingPolicy),
    "empty bills": ('{"bills": [@]}', "{}", rb.BillingResult),
}


@pytest.mark.parametrize("name", MANY)
def test_many_problems_cost_in_proportion_to_their_number(name: str) -> None:
    """Twice as many take twice the calls, so that garbage cannot keep a reader busy for hours."""
    whole, part, into = MANY[name]

    def refuse(count: int) -> None:
        parts = ", ".join(part.replace("#", str(at)) for at in range(count))
        with pytest.raises(rb.InvalidInputError) as caught:
            rb.loads(whole.replace("@", parts), into)
        assert len(caught.value.problems) >= count

    refuse(10)

    assert calls_of(lambda: refuse(400)) < 2.2 * calls_of(lambda: refuse(200))


def test_a_period_of_9_999_years_is_refused_before_anything_is_computed() -> None:
    """12 months in each of 2026 to 9999 are 95,688 lines, beyond a bound of 90,000 (A60).

    That is known after some hundred calls; a bill for each line would take hundreds of thousands.
    """
    policy = rb.BillingPolicy(max_lines=90_000)
    whole = rb.Period(date.min, date.max)

    def ask() -> None:
        with pytest.raises(rb.UnsupportedCaseError) as caught:
            rb.pending_bills(rent(), whole, policy=policy)
        assert ("too_many_lines", {"lines": 95_688, "most": 90_000}) == (
            caught.value.code,
            caught.value.facts,
        )

    assert calls_of(ask) < 2_000


def test_periods_of_9_999_years_are_refused_at_once() -> None:
    """12 months in each of the years 1 to 9999 are 119,988 periods, beyond the bound (A60)."""

    def ask() -> None:
        with pytest.raises(rb.UnsupportedCaseError) as caught:
            rb.accounting_periods(rb.BillingCycle(), "0001-01-01/9999-12-31")
        assert "too_many_lines" == caught.value.code

    assert calls_of(ask) < 2_000


@rows(
    ("text", "into", "found"),
    [
        (
            '{"leaseId": "a", "leaseId": "b", "rent": 1}',
            rb.LeaseTerms,
            [("leaseId", "duplicate_key"), ("rent", "unknown_field")],
        ),
        (
            f'{{"recurringBillItem": {GOOD}, "recurringBillItem": 1, "rent": 1}}',
            rb.LeaseTerms,
            [("recurringBillItem", "duplicate_key"), ("rent", "unknown_field")],
        ),
        ('{"adjustments": [NaN]}', rb.AdjustmentResult, [("adjustments[0]", "not_finite")]),
        (
            '{"vatRounding": "never", "maxLines": NaN}',
            rb.BillingPolicy,
            [("maxLines", "not_finite")],
        ),
        ('{"bills": [], "bills": 1}', rb.BillingResult, [("bills", "duplicate_key")]),
    ],
)
def test_what_is_odd_is_told_beside_what_is_wrong_with_a_record(
    text: str, into: type[Any], found: list[tuple[str, str]]
) -> None:
    assert found == faults(lambda: rb.loads(text, into))
