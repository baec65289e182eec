"""The forms in which a lease is read, what a service may write, and what is written how.

That everything survives a round trip is a law in `properties/test_codec`.
"""

import json
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from tests.refusals.tables import DKK, INDEX, RENT, STEP, STEPS
from tests.support.plans import by_index, lease, octobers
from tests.support.refusals import refusal
from tests.support.rents import amount, day, fee, opening, period, price_from, rent
from tests.support.rows import rows

FEE: dict[str, Any] = {
    "productKey": "key:fee",
    "amount": {"currency": "DKK", "amount": 100},
    "vat": {"taxMode": "Exempt"},
    "dueDate": "2026-02-01",
    "accountingPeriod": "2026-02-01/2026-02-28",
}
ITEM = rb.loads(json.dumps(RENT), rb.RecurringBillItem)
HALF_OPEN = rb.BillingPolicy(period_end="excluded")
POINTS = rb.BillingPolicy(currencies={"PTS": 1})


def refused(data: object, into: type[Any] = rb.LeaseTerms, **options: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.loads(json.dumps(data), into, **options)
    return [each[:2] for each in refusal(caught.value)]


@rows(
    ("data", "lease"),
    [
        (RENT, None),
        ([RENT], None),
        ({"recurringBillItem": RENT}, None),
        ({"recurringBillItem": RENT, "leaseId": None}, None),
        ({"recurringBillItem": RENT, "leaseId": "lease-1"}, "lease-1"),
        ({"recurringBillItems": [RENT]}, None),
        ({"recurringBillItems": [RENT], "leaseId": "lease-1"}, "lease-1"),
    ],
)
def test_an_item_is_read_from_every_form_of_a_file(data: object, lease: str | None) -> None:
    """Bare, in a list, in the body that creates it, in lease terms (A57)."""
    terms = rb.loads(json.dumps(data))

    assert rb.LeaseTerms(lease_id=lease, recurring_bill_items=(ITEM,)) == terms


def test_a_list_may_mix_recurring_and_one_time_items() -> None:
    """What has a due date and no cycle is billed once (A55, A57)."""
    terms = rb.loads(json.dumps([FEE, RENT, FEE]))
    once = rb.loads(json.dumps(FEE), rb.OneTimeBillItem)

    assert rb.LeaseTerms(recurring_bill_items=(ITEM,), one_time_bill_items=(once, once)) == terms


def test_a_bare_one_time_item_is_lease_terms_as_well() -> None:
    """Its one line falls due on its day (A57)."""
    (bill,) = rb.pending_bills(rb.loads(json.dumps(FEE)), "2026-01-01/2026-12-31")

    assert (day("2026-02-01"), amount("100")) == (bill.due_date, bill.total)


@rows("text", ["[]", '{"leaseId": null}', '{"recurringBillItems": []}'])
def test_a_lease_may_have_no_items(text: str) -> None:
    assert rb.LeaseTerms() == rb.loads(text)


def test_an_empty_object_is_an_item_of_which_everything_is_missing() -> None:
    assert [
        (name, "missing")
        for name in (
            "productKey",
            "amount",
            "vat",
            "dueDateRule",
            "billingCycle",
            "startedOn",
            "firstBillingPeriodBillItem",
        )
    ] == refused({})


def test_a_list_names_every_problem_of_all_its_items() -> None:
    assert [
        ("[0].dueDate", "not_a_date"),
        ("[2].quantity", "zero_quantity"),
        ("[3]", "not_an_object"),
    ] == refused([{**FEE, "dueDate": 0}, RENT, {**RENT, "quantity": 0}, "rent"])


def test_a_stranger_beside_a_good_item_is_refused() -> None:
    """Nothing is accepted and then ignored (A50)."""
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.loads(json.dumps({"recurringBillItem": RENT, "rabat": 0.1}))

    assert [("rabat", "unknown_field", "0.1", "leaseId or recurringBillItem")] == refusal(
        caught.value
    )


LISTED = {**RENT, "amountRecords": [{"value": RENT["amount"], "start": "2026-05-01"}]}


def with_strangers(data: Any) -> Any:  # noqa: ANN401 - JSON is any value
    if isinstance(data, dict):
        known = {key: with_strangers(each) for key, each in data.items()}
        return {"newerField": {"a": [1]}, **known, "stateOfMind": None}
    return [with_strangers(each) for each in data] if isinstance(data, list) else data


def test_what_a_service_writes_is_judged_all_the_same() -> None:
    """Only unknown fields are passed over, nothing that is wrong with a known one (A50)."""
    data = with_strangers({**LISTED, "startedOn": 0, "quantity": 0})
    del data["productKey"]

    assert [
        ("productKey", "missing"),
        ("startedOn", "not_a_date"),
        ("quantity", "zero_quantity"),
    ] == refused(data, rb.RecurringBillItem, from_service=True)


PLAN: dict[str, Any] = {
    "id": "p",
    "leaseId": "lease-1",
    "created": "2026-01-31T12:00:00+00:00",
    "adjusteeRef": "rent",
    "adjustsRecurringBillItem": True,
    "adjustsBalance": False,
    "vat": {"taxMode": "Exempt"},
    "rentAdjustmentRules": [
        {**INDEX, "indexClause": {"share": 0.75}},
        {
            **INDEX,
            **STEPS,
            "increments": [{"year": "2027", "amount": DKK}, STEP | {"year": "2028"}],
        },
    ],
    "adjustments": [
        {
            "adjustedOn": "2027-01-01",
            "fromPeriodAmount": DKK,
            "adjustmentRulesEffects": [{"rentAdjustmentRuleId": "r", "fromYearMonth": "2025-10"}],
        }
    ],
}
"""A plan as a service writes it."""


@rows(
    ("data", "into"),
    [
        (LISTED, rb.RecurringBillItem),
        ([LISTED, FEE], rb.LeaseTerms),
        ({"leaseId": "lease-1", "recurringBillItem": LISTED}, rb.LeaseTerms),
        (RENT["billingCycle"], rb.BillingCycle),
        (PLAN, rb.RentAdjustmentPlan),
        ({"balanceChargeType": "deposit", "amount": DKK, "months": 3}, rb.Balance),
        (
            {
                "recurringBillItems": [{**RENT, "id": "rent"}],
                "oneTimeBillItems": [FEE],
                "rentAdjustmentPlans": [PLAN],
                "balances": [{"balanceChargeType": "deposit", "amount": DKK}],
            },
            rb.LeaseTerms,
        ),
        ({"adjustments": PLAN["adjustments"], "notices": []}, rb.AdjustmentResult),
    ],
)
def test_fields_that_a_newer_service_writes_are_passed_over(data: Any, into: type[Any]) -> None:  # noqa: ANN401
    """At any depth, of items and plans; in what a caller creates they are refused (A50)."""
    text = json.dumps(with_strangers(data))
    read = rb.loads(json.dumps(data), into)

    assert read == rb.loads(text, into, from_service=True)
    assert read == rb.loads(rb.dumps(read), into)
    assert "unknown_field" in {code for _, code in refused(json.loads(text), into)}


def test_adjustments_are_written_as_a_list() -> None:
    """10,000.00 by 101 over 100 is 10,100.00; in full with what is ours and notices (A38, A56)."""
    result = rb.rent_adjustments(
        lease(by_index()), "2021-01-01/2021-12-31", indices=octobers("100", "101.0")
    )
    plain = json.loads(rb.dumps(result))
    (made,) = plain["adjustments"]
    full = json.loads(rb.dumps(result, full=True))

    assert ["adjustments"] == list(plain)
    assert ["adjustedOn", "year", "fromYearlyAmount"] == list(made)[:3]
    assert {"currency": "DKK", "amount": 10100.0} == made["toPeriodAmount"]
    assert {"planId", "adjusteeId"} == full["adjustments"][0].keys() - made.keys()
    assert {"appliedPercentage", "fromPoint", "toPoint"} == (
        full["adjustments"][0]["adjustmentRulesEffects"][0].keys()
        - made["adjustmentRulesEffects"][0].keys()
    )
    assert [] == full["notices"]


def test_adjustments_are_read_again_with_their_notices() -> None:
    """Where they were written in full (A56)."""
    made = rb.rent_adjustments(
        lease(by_index()), "2021-01-01/2021-12-31", indices=octobers("100", "101.0")
    )
    notices = (
        rb.Notice("stale_index", "Is old.", "recurring-1", (("months", "15"), ("at", "2019-10"))),
        rb.Notice("other", "Is so."),
    )
    result = rb.AdjustmentResult(made, notices)
    text = rb.dumps(result, full=True)
    again = rb.loads(text, rb.AdjustmentResult)

    assert (result, notices) == (again, again.notices)
    assert "plan-1" == again[0].plan_id
    assert text == rb.dumps(again, full=True)
    assert '"itemId": "recurring-1", "facts": {"months": "15", "at": "2019-10"}}' in text
    assert () == rb.loads(rb.dumps(result), rb.AdjustmentResult).notices
    assert '{"adjustments": []}' == rb.dumps(rb.AdjustmentResult(()))
    assert '{"adjustments": [], "notices": []}' == rb.dumps(rb.AdjustmentResult(()), full=True)


def test_what_is_wrong_with_adjustments_is_told_at_its_place() -> None:
    data = {
        "adjustments": [{"adjustedOn": "2027-01-01"}, {"adjustedOn": 2027}, 5],
        "notices": [{"message": "Is so.", "facts": {"months": 15}}],
    }

    assert [
        ("adjustments[1].adjustedOn", "not_a_date"),
        ("adjustments[2]", "not_an_object"),
        ("notices[0].code", "missing"),
        ("notices[0].facts.months", "not_a_text"),
    ] == refused(data, rb.AdjustmentResult)
    assert [("adjustments", "missing")] == refused({}, rb.AdjustmentResult)
    assert [("", "not_an_object")] == refused([], rb.AdjustmentResult)


def test_adjustments_listed_in_a_plan_are_written_plain_or_in_full() -> None:
    """What is ours is needed by nobody but us, and read again by us (A56)."""
    index = octobers("100", "101.0", "103", "106")
    made = rb.rent_adjustments(lease(by_index()), "2020-02-01/2022-12-31", indices=index)
    terms = rb.adjusted_terms(lease(by_index()), made)
    plain, full = rb.dumps(terms), rb.dumps(terms, full=True)
    again = rb.loads(full)

    assert 2 == plain.count('"adjustedOn"')
    assert '"fromPoint"' not in plain
    assert '"fromPoint": "2019-10"' in full
    assert terms == rb.loads(plain) == again
    assert full == rb.dumps(again, full=True)


def test_a_plan_is_read_with_private_currencies_and_half_open_periods() -> None:
    """By the policy that knows them, down to increments and effects (A2, A4)."""
    text = json.dumps(PLAN).replace('"DKK"', '"PTS"')
    read = rb.loads(text, rb.RentAdjustmentPlan, policy=POINTS)

    assert '"amount": {"currency": "PTS", "amount": 100.0}' in rb.dumps(read, policy=POINTS)
    assert [
        ("rentAdjustmentRules[1].increments[0].amount.currency", "unknown_currency"),
        ("adjustments[0].fromPeriodAmount.currency", "unknown_currency"),
    ] == refused(json.loads(text), rb.RentAdjustmentPlan, policy=HALF_OPEN)


def test_an_index_series_is_read_and_written() -> None:
    """With everything that it says, digit for digit (A41)."""
    text = (
        '{"name": "NPI", "base": "2015=100", "values": {"2021-04": 104.80, "2021": 105}, '
        '"known": {"2021-04": "2021-05-10"}, "provisional": ["2021-04"], "assumed": ["2021"], '
        '"source": "Statistics Denmark, PRIS111"}'
    )
    series = rb.loads(text, rb.IndexSeries)

    assert text == rb.dumps(series)
    assert series == rb.loads(rb.dumps(series, indent=2), rb.IndexSeries)
    assert Decimal("104.80") == next(iter(series.values.values()))
    assert [("values.2021-13", "not_an_index_point"), ("values.2022", "not_positive")] == refused(
        {"name": "NPI", "values": {"2021-13": 1, "2022": 0}}, rb.IndexSeries
    )


def test_half_open_periods_are_read_and_written_where_a_service_has_them() -> None:
    """January is 2026-01-01/2026-02-01 then, in items as in bills (A4)."""
    half_open = json.dumps(RENT).replace("2026-01-01/2026-01-31", "2026-01-01/2026-02-01")
    item = rb.loads(half_open, rb.RecurringBillItem, policy=HALF_OPEN)
    january = rb.pending_bills(item, "2026-01-01/2026-02-01", policy=HALF_OPEN)

    assert ITEM == item
    assert '"accountingPeriod": "2026-01-01/2026-02-01"' in rb.dumps(item, policy=HALF_OPEN)
    assert '"accountingPeriod": "2026-01-01/2026-02-01"' in rb.dumps(january)
    assert january == rb.loads(rb.dumps(january), rb.BillingResult, policy=HALF_OPEN)


def test_a_private_currency_is_read_and_written_with_the_policy_that_knows_it() -> None:
    """One decimal of PTS, as the policy says; nobody else knows the code (A2)."""
    data = {**FEE, "amount": {"currency": "PTS", "amount": 5}}
    item = rb.loads(json.dumps(data), rb.OneTimeBillItem, policy=POINTS)

    assert '"amount": {"currency": "PTS", "amount": 5.0}' in rb.dumps(item, policy=POINTS)
    assert [("amount.currency", "unknown_currency")] == refused(data, rb.OneTimeBillItem)
    assert [("amount.currency", "unknown_currency")] == refused(
        data, rb.OneTimeBillItem, policy=HALF_OPEN
    )


def test_a_policy_of_other_choices_reads_as_the_default_one() -> None:
    policy = rb.BillingPolicy(rounding="down")

    assert ITEM == rb.loads(json.dumps(RENT), rb.RecurringBillItem, policy=policy)


@rows("value", [{"a": 1}, [ITEM], amount("1"), None])
def test_only_records_policies_and_results_are_written(value: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match="dumps takes records and results, such as"):
        rb.dumps(value)


@rows(
    ("value", "written"),
    [
        (rb.Amount(8500, "DKK"), "8500.00"),
        (rb.Amount(Decimal("8500.1"), "DKK"), "8500.10"),
        (rb.Amount(Decimal("0.1255"), "DKK"), "0.1255"),
        (rb.Amount(Decimal("1E+3"), "EUR"), "1000.00"),
        (rb.Amount(Decimal("-0.5"), "EUR"), "-0.50"),
        (rb.Amount(0, "EUR"), "0.00"),
        (rb.Amount(8500, "JPY"), "8500"),
        (rb.Amount(Decimal("1E+3"), "JPY"), "1000"),
        (rb.Amount(1, "KWD"), "1.000"),
    ],
)
def test_an_amount_has_the_decimals_of_its_currency_at_least(
    value: rb.Amount, written: str
) -> None:
    """More where it has more: 0.1255 for a unit of electricity (A1, A2)."""
    record = rb.AmountRecord(value=value, start=day("2026-05-01"))

    assert (
        f'{{"value": {{"currency": "{value.currency}", "amount": {written}}}, '
        '"start": "2026-05-01"}'
    ) == rb.dumps(record)


@rows(
    ("record", "text"),
    [
        (rb.LeaseTerms(), '{"recurringBillItems": []}'),
        (rb.BillingCycle(), '{"timeUnit": "Month", "periodLength": 1, "start": 1}'),
        (
            rb.BillingCycle(period_length=3, start=2, start_day=15),
            '{"timeUnit": "Month", "periodLength": 3, "start": 2, "startDay": 15}',
        ),
        (rb.DueDateRule(day_of_period=-5), '{"dayOfPeriod": -5}'),
        (
            rb.DueDateRule(day_of_period=-1, relative_to="end"),
            '{"dayOfPeriod": -1, "relativeTo": "end"}',
        ),
    ],
)
def test_what_says_nothing_new_is_not_written(
    record: rb.LeaseTerms | rb.BillingCycle | rb.DueDateRule, text: str
) -> None:
    """The interface's JSON stays as it is where nothing of ours is used (A6, A9, A51)."""
    assert text == rb.dumps(record)


def test_an_item_is_written_with_the_interface_s_names_in_their_order() -> None:
    """Absent fields and empty lists of records are absent, a rate that is none as well (A6)."""
    assert (
        '{"productKey": "key:rent", "amount": {"currency": "DKK", "amount": 8500.00}, '
        '"vat": {"taxMode": "Exempt"}, "dueDateRule": {"dayOfPeriod": 1}, '
        '"billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1}, '
        '"startedOn": "2026-01-15", "firstBillingPeriodBillItem": '
        '{"amount": {"currency": "DKK", "amount": 4661.29}, "dueDate": "2026-01-15", '
        '"accountingPeriod": "2026-01-15/2026-01-31"}, "amountRecords": '
        '[{"value": {"currency": "DKK", "amount": 9000.00}, "start": "2026-05-01"}], '
        '"endedOn": "2026-12-31"}'
    ) == rb.dumps(
        rent(
            first_billing_period_bill_item=opening(),
            amount_records=(price_from("2026-05-01", "9000"),),
            ended_on=day("2026-12-31"),
        )
    )


@rows("indent", [0, 2])
def test_an_indented_text_says_the_same(indent: int) -> None:
    result = rb.pending_bills(rent(), "2026-01-01/2026-03-31")

    for value in (rent(), HALF_OPEN, result[0], result):
        for full in (False, True):
            text = rb.dumps(value, full=full, indent=indent)
            assert "\n" in text
            assert json.loads(rb.dumps(value, full=full)) == json.loads(text)


def test_a_bill_is_written_alone_as_it_stands_in_its_result() -> None:
    """In either form, with the policy's way to write periods (A4, A56)."""
    result = rb.pending_bills(rent(), "2026-01-01/2026-01-31", policy=HALF_OPEN)

    for full in (False, True):
        alone = rb.dumps(result[0], full=full, policy=HALF_OPEN)
        assert rb.dumps(result, full=full).startswith(f'{{"bills": [{alone}]')
        assert "2026-01-15/2026-02-01" in alone
        assert "2026-01-15/2026-01-31" in rb.dumps(result[0], full=full)


def test_a_result_without_a_policy_is_written_with_both_ends_included() -> None:
    """As the interface has it, unless a policy is given with the call (A4)."""
    february = rb.pending_bills(fee(days="2026-02-01/2026-02-28"), "2026-02-01/2026-02-28")
    again = rb.loads(rb.dumps(february, full=True), rb.BillingResult)

    assert period("2026-02-01/2026-02-28") == again.period
    assert "2026-02-01/2026-02-28" in rb.dumps(again)
    assert "2026-02-01/2026-03-01" in rb.dumps(again, policy=HALF_OPEN)


@rows(
    ("notice", "text"),
    [
        (rb.Notice("code", "said"), '{"code": "code", "message": "said", "facts": {}}'),
        (
            rb.Notice("code", "said", "rent", (("due", "2026-01-01"),)),
            '{"code": "code", "message": "said", "itemId": "rent", "facts": {"due": "2026-01-01"}}',
        ),
    ],
)
def test_a_notice_is_written_as_in_a_result_and_read_again(notice: rb.Notice, text: str) -> None:
    assert text == rb.dumps(notice)
    assert notice == rb.loads(text, rb.Notice)


def test_a_notice_without_its_code_is_refused() -> None:
    with pytest.raises(rb.InvalidInputError) as refused:
        rb.loads('{"message": 7}', rb.Notice)

    assert ["code", "message"] == [each.path for each in refused.value.problems]
    with pytest.raises(rb.InvalidInputError):
        rb.loads('{"code": "a", "code": "b", "message": "said"}', rb.Notice)
