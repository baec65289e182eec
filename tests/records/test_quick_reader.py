"""Which payloads are read by the tables of fields, and what pydantic is left with."""

import copy
import json
import pickle
from decimal import Decimal
from itertools import islice, permutations
from typing import Annotated

import pytest
from pydantic import AfterValidator, BaseModel

import rentbilling as rb
from benchmarks import wire, workload
from rentbilling.records import CheckedRecord, read_json
from rentbilling.records.quick_reader import MOST_SHAPES, Shapes, Unusual, reader_of
from tests.cases.case import all_questions
from tests.support.rows import rows

RULE = {"dayOfPeriod": 1}


@pytest.fixture
def no_pydantic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every record fail that is left to pydantic."""

    def left(*_: object, **__: object) -> None:
        pytest.fail("a record was left to pydantic")

    monkeypatch.setattr(BaseModel, "model_validate", left)
    monkeypatch.setattr(BaseModel, "__init__", left)


@pytest.mark.usefixtures("no_pydantic")
class TestTakenQuickly:
    """What is usual never reaches pydantic."""

    def test_every_lease_of_the_workload(self) -> None:
        for lease in workload.leases(200):
            assert wire.lease_terms(lease) == rb.loads(wire.lease_text(lease))

    def test_every_worked_case(self) -> None:
        for question in all_questions():
            if question.case.path.stem == "worked":
                text = rb.dumps(question.case.terms)
                assert rb.loads(text) == rb.LeaseTerms.model_validate(read_json(text))

    def test_half_open_periods(self) -> None:
        text = wire.lease_text(workload.lease(0))
        half_open = rb.loads(text, policy=rb.BillingPolicy(period_end="excluded"))
        first = rb.loads(text).recurring_bill_items[0].first_billing_period_bill_item
        other = half_open.recurring_bill_items[0].first_billing_period_bill_item

        assert other.accounting_period.last == first.accounting_period.last - 1
        assert half_open == rb.LeaseTerms.model_validate(
            read_json(text), context={"period_end": "excluded"}
        )

    @pytest.mark.parametrize("text", [f"{json.dumps(RULE)}\n", json.dumps(RULE).encode()])
    def test_files_and_bytes(self, text: str | bytes) -> None:
        assert rb.loads(text, rb.DueDateRule) == rb.DueDateRule()

    def test_what_a_service_wrote(self) -> None:
        assert rb.loads(json.dumps(RULE), rb.DueDateRule, from_service=True) == rb.DueDateRule()

    def test_null_and_both_spellings(self) -> None:
        data = {"time_unit": "Year", "periodLength": 1, "start": 2, "startDay": None}

        assert rb.BillingCycle.model_validate(data) == rb.BillingCycle(time_unit="Year", start=2)


class TestMemories:
    """Small values that are kept by their texts remain what they were."""

    def test_digits_of_rates(self) -> None:
        def vat(rate: str) -> str:
            item = wire.lease_text(workload.lease(1))
            data = read_json(item)["recurringBillItems"][0]
            data["vat"] = {"taxMode": "Exclusive", "taxRate": Decimal(rate)}
            return repr(rb.RecurringBillItem.model_validate(data).vat)

        assert [vat(rate) for rate in ("0.25", "0.250", "0.25")] == [
            repr(rb.Vat("Exclusive", Decimal(rate))) for rate in ("0.25", "0.250", "0.25")
        ]

    def test_true_is_no_number_that_is_kept(self) -> None:
        assert rb.DueDateRule.model_validate(RULE) is rb.DueDateRule.model_validate(dict(RULE))
        with pytest.raises(rb.InvalidInputError, match="is not a whole number"):
            rb.DueDateRule.model_validate({"dayOfPeriod": True})

    def test_orders_of_keys_are_bounded_by_count(self) -> None:
        """A class remembers so many."""
        item = read_json(wire.lease_text(workload.lease(1)))["recurringBillItems"][0]
        orders = [dict(some) for some in islice(permutations(item.items()), MOST_SHAPES + 1)]
        shapes = Shapes(rb.RecurringBillItem, "included", plain=True)
        counts = {len(shapes.known) for each in orders if shapes.of(tuple(each))}

        assert counts == {*range(1, MOST_SHAPES + 1)}
        assert all(
            rb.RecurringBillItem.model_validate(item) == reader_of(rb.RecurringBillItem)(each)
            for each in orders
        )


class TestSlots:
    """What is set of a record is all that this version of pydantic has."""

    def test_pydantic_has_no_other_facts(self) -> None:
        """Where this fails, `quick_reader` must set what is new."""
        slots = set(BaseModel.__slots__)

        assert slots == {
            "__dict__",
            "__pydantic_fields_set__",
            "__pydantic_extra__",
            "__pydantic_private__",
        }

    def test_copies_and_pickles(self) -> None:
        terms = rb.loads(wire.lease_text(workload.lease(3)))

        for other in (pickle.loads(pickle.dumps(terms)), copy.deepcopy(terms)):
            assert (terms, terms.model_fields_set) == (other, other.model_fields_set)
            assert terms.model_copy() == terms
            assert rb.dumps(other) == rb.dumps(terms)


class Shouted(CheckedRecord):
    """A record with a validator that the tables do not know."""

    word: Annotated[str, AfterValidator(str.upper)]


class TestLeftToPydantic:
    """Classes of callers may have validators, and policies other conventions."""

    def test_a_class_of_a_caller(self) -> None:
        class Own(rb.DueDateRule):
            pass

        assert type(Own.model_validate(RULE)) is Own
        with pytest.raises(Unusual):
            reader_of(Own)(RULE)

    def test_a_period_end_of_no_meaning(self) -> None:
        data = read_json(wire.lease_text(workload.lease(0)))
        with pytest.raises(rb.InvalidInputError, match="periodEnd: is not a known word"):
            rb.LeaseTerms.model_validate(data, context={"period_end": "half"})

    @rows(
        "text",
        [
            '{"dayOfPeriod": 1, "dayOfPeriod": 2}',
            '{"dayOfPeriod" : 1, "dayOfPeriod": 2}',
            '{"dayOfPeriod"\n: 1, "dayOfPeriod": 2}',
            '{"dayOfPeriod": 1, "relativeTo": ":", "dayOfPeriod" : 1}',
        ],
    )
    def test_keys_that_stand_twice(self, text: str) -> None:
        with pytest.raises(rb.InvalidInputError, match="is repeated in one object"):
            rb.loads(text, rb.DueDateRule)

    def test_a_field_with_a_validator_of_another_kind(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Shouted, "__module__", rb.LeaseTerms.__module__)

        assert Shouted.model_validate({"word": "no"}).word == "NO"
