"""Bills keep their place in whatever they are given in, and what holds none is refused by name."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.codec import Given, given_bills, paid_as, read_all
from rentbilling.errors import InvalidAmountError, InvalidRecordError
from rentbilling.testing import a_bill, a_line
from tests.support.refusals import faults
from tests.support.rows import rows

DEFAULT = rb.BillingPolicy()
POINTS = rb.BillingPolicy(currencies={"PTS": 1})
BILL = a_bill()
LATER = a_bill(due="2026-03-01")
TEXT = rb.dumps(rb.BillingResult([BILL]))
DATA: dict[str, Any] = json.loads(TEXT)
(FIELDS,) = DATA["bills"]


def places(given: Any) -> list[tuple[str, object]]:  # noqa: ANN401
    return [(each.path, each.bill) for each in given_bills(given)]


def problems_of(bills: Sequence[Given]) -> list[tuple[str, str]]:
    return faults(lambda: read_all(bills, DEFAULT))


class TestPlaces:
    """A bill that is given alone has no place, any other one its number."""

    @rows(
        "given",
        [BILL, FIELDS, json.dumps(FIELDS), json.dumps(FIELDS).encode()],
        ids=["bill", "data", "text", "bytes"],
    )
    def test_alone(self, given: object) -> None:
        ((path, bill),) = places(given)

        assert "" == path
        assert BILL == Given(path, bill).read(DEFAULT)

    @rows(
        "given",
        [
            [BILL, LATER],
            iter((BILL, LATER)),
            rb.BillingResult([BILL, LATER]),
            [BILL, {**FIELDS, "dueDate": "2026-03-01"}],
            {"bills": [FIELDS, {**FIELDS, "dueDate": "2026-03-01"}]},
            rb.dumps(rb.BillingResult([BILL, LATER])),
            rb.dumps(rb.BillingResult([BILL, LATER])).encode(),
            json.dumps(json.loads(rb.dumps(rb.BillingResult([BILL, LATER])))["bills"]),
        ],
        ids=["list", "iterator", "result", "mixed", "data", "text", "bytes", "text of a list"],
    )
    def test_two(self, given: Any) -> None:  # noqa: ANN401
        """They are counted from 0 and due on 1 February and 1 March, read in this order."""
        found = given_bills(given)

        assert ["bills[0]", "bills[1]"] == [each.path for each in found]
        assert ["2026-02-01", "2026-03-01"] == [
            str(bill.due_date) for bill in read_all(found, DEFAULT)
        ]

    @rows("given", [[], (), {"bills": []}, "[]", b'{"bills": []}'])
    def test_none(self, given: object) -> None:
        assert [] == places(given)

    @rows(
        ("text", "expected"),
        [
            ("5", [("", 5)]),
            ("null", [("", None)]),
            ('[5, {"dueDate": 1}]', [("bills[0]", 5), ("bills[1]", {"dueDate": 1})]),
            ('{"total": []}', [("", {"total": []})]),
        ],
    )
    def test_a_text_of_something_else(self, text: str, expected: list[tuple[str, object]]) -> None:
        assert expected == places(text)


class TestRefusals:
    """What contains no bills is quoted, beside what is right."""

    @rows(("bills", "met"), [(5, "5"), (None, "None"), ("x", "'x'"), ({}, "{}")])
    def test_bills_that_are_no_list(self, bills: object, met: str) -> None:
        for given in ({"bills": bills}, json.dumps({"bills": bills})):
            with pytest.raises(InvalidRecordError) as caught:
                places(given)

            assert [("bills", "not_a_list", "is not a list", met, "a list")] == [
                tuple(problem) for problem in caught.value.problems
            ]
            with pytest.raises(InvalidRecordError) as caught:
                rb.compare_bills(BILL, given)
            assert f"actual.bills: is not a list (met {met}; expected a list)" == str(caught.value)

    @rows(
        ("given", "path", "met"),
        [
            (5, "", "5"),
            (None, "", "None"),
            ([BILL, 5], "bills[1]", "5"),
            ([[FIELDS]], "bills[0]", "[{"),
        ],
    )
    def test_what_is_no_bills(self, given: object, path: str, met: str) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            places(given)

        (problem,) = caught.value.problems
        assert (path, "not_bills") == (problem.path, problem.code)
        assert problem.met.startswith(met)
        with pytest.raises(InvalidRecordError, match=r"^expected[.:]"):
            rb.compare_bills(given, BILL)  # type: ignore[arg-type]
        with pytest.raises(InvalidRecordError, match=r"^actual[.:]"):
            rb.compare_bills(BILL, given)  # type: ignore[arg-type]

    def test_no_more_than_a_thousand_problems_are_told(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            places([None] * 2000)

        assert 1000 == len(caught.value.problems)

    def test_every_problem_has_its_place(self) -> None:
        undue = {**FIELDS, "dueDate": None}

        assert [("bills[0].dueDate", "missing"), ("bills[2]", "not_an_object")] == problems_of(
            [*given_bills([undue, FIELDS]), Given("bills[2]", 5)]
        )
        assert [("dueDate", "missing")] == problems_of(given_bills(undue))

    @rows(
        ("amounts", "kind"),
        [(["x", "y"], InvalidAmountError), (["x", None], InvalidRecordError)],
        ids=["one kind", "two kinds"],
    )
    def test_problems_of_one_kind_keep_it(
        self, amounts: list[str | None], kind: type[rb.InvalidInputError]
    ) -> None:
        bills = [
            {**FIELDS, "total": None if each is None else {"amount": each, "currency": "DKK"}}
            for each in amounts
        ]
        with pytest.raises(rb.InvalidInputError) as caught:
            read_all(given_bills(bills), DEFAULT)

        assert kind is type(caught.value)

    def test_nobody_reads_more_than_a_thousand_problems(self) -> None:
        """Five fields are missing in each of 200 bills; the one behind them is not read."""
        behind = [Given(f"bills[{at}]", {}) for at in range(200)] + [Given("behind", 5)]

        assert 1000 == len(problems_of(behind))
        assert "bills[199]." == problems_of(behind)[-1][0][:11]
        assert ("behind", "not_an_object") == problems_of(behind[1:])[-1]


class TestPayable:
    """Plain data may say what is to be paid (A52)."""

    @rows(
        ("payable", "policy", "units"),
        [
            ({"amount": 8500.5, "currency": "DKK"}, DEFAULT, 850050),
            ({"amount": Decimal("8500.50"), "currency": "DKK"}, DEFAULT, 850050),
            ({"amount": 8500, "currency": "DKK", "text": "to pay"}, DEFAULT, 850000),
            ({"amount": 8500, "currency": "JPY"}, DEFAULT, 8500),
            ({"amount": 12.5, "currency": "PTS"}, POINTS, 125),
            ({"amount": 12, "currency": "PTS", "text": ""}, POINTS, 120),
            ({"amount": 0, "currency": "DKK"}, DEFAULT, 0),
            (None, DEFAULT, None),
        ],
    )
    def test_in_minor_units(self, payable: Any, policy: rb.BillingPolicy, units: int) -> None:  # noqa: ANN401
        """Two decimals for kroner, none for yen, one for points; other fields say nothing (A50)."""
        currency = (payable or {}).get("currency", "DKK")
        assert units == Given("", {"payable": payable}).units("payable", policy, currency)

    def test_where_it_is_not_stated(self) -> None:
        assert None is Given("", {"total": {"amount": 1, "currency": "DKK"}}).units(
            "payable", DEFAULT, "DKK"
        )
        assert None is Given("", a_bill(cash_rounding="0.25")).units("payable", DEFAULT, "DKK")

    def test_data_with_more_fields_are_compared(self) -> None:
        """A service that states 8,500.01 to be paid of 8,500, in words too, rounds by 0.01."""
        stated = {"amount": 8500.01, "currency": "DKK", "words": "eight thousand"}

        assert ["cash rounding: expected 0.00 DKK, actual 0.01 DKK, actual is 0.01 higher"] == [
            each.sentence()
            for each in rb.compare_bills(
                a_bill(cash_rounding="0.00"), {"bills": [{**FIELDS, "payable": stated}]}
            )
        ]

    @rows(
        ("bill", "payable", "sums"),
        [
            (BILL, None, (850000, 850000, None)),
            (BILL, 850050, (850000, 850000, 50)),
            (BILL, 849950, (850000, 850000, -50)),
            (BILL, 850000, (850000, 850000, 0)),
            (a_bill(cash_rounding="0.25"), 850050, (850000, 850000, 25)),
            (a_bill(cash_rounding="0.00"), 850050, (850000, 850000, 0)),
            (a_bill(a_line(vat="Exclusive 0.25")), 1062550, (850000, 1062500, 50)),
        ],
    )
    def test_the_rounding_that_it_shows(
        self, bill: rb.PendingBill, payable: int | None, sums: tuple[int, int, int | None]
    ) -> None:
        """8,500.50 of 8,500 adds 0.50, 10,625.50 too of 8,500 with 25 %; a told rounding stays."""
        paid = paid_as(bill, payable)

        assert sums == paid.sums
        assert (bill.due_date, bill.currency, bill.lines, bill.vat_totals) == (
            (paid.due_date, paid.currency, paid.lines, paid.vat_totals)
        )
