"""Bills are checked in whatever form they come, each by itself and with its place."""

import json
from decimal import Decimal
from typing import Any

from rentbilling import BillingPolicy, BillingResult, check_bill, dumps, loads, pending_bills
from rentbilling.checks import CheckResult
from rentbilling.testing import a_bill, a_lease, a_line, an_item
from tests.support.rows import rows

PER_LINE = BillingPolicy(vat_rounding="per_line")
FEBRUARY = "2026-02-01/2026-02-28"
# 25 % of 433.30 and of 121.90 are 108.33 + 30.48 by the line, and 138.80 for the rate.
LEASE = a_lease(
    *(
        an_item(product_key=key, amount=price, vat="Exclusive 0.25")
        for key, price in (("key:heating", "433.30"), ("key:water", "121.90"))
    )
)
WRONG = a_bill(a_line(), total="8500.01")
SENTENCE = (
    "total is not subtotal + VAT totals (met 8500.01; expected 8500.00) "
    "[EN 16931 BR-CO-14, BR-CO-15]"
)


def printed(given: Any, **options: Any) -> list[str]:  # noqa: ANN401
    return [str(each) for each in check_bill(given, **options)]


class TestSeveral:
    """Of several bills each finding has the place of its bill in front."""

    @rows(
        "given",
        [
            [a_bill(), WRONG],
            (a_bill(), WRONG),
            BillingResult([a_bill(), WRONG]),
            dumps(BillingResult([a_bill(), WRONG])),
            json.loads(dumps(BillingResult([a_bill(), WRONG]))),
            json.loads(dumps(BillingResult([a_bill(), WRONG])))["bills"],
            iter((a_bill(), WRONG)),
        ],
        ids=["list", "tuple", "result", "text", "data", "list of data", "iterator"],
    )
    def test_the_second_of_two_is_wrong(self, given: object) -> None:
        assert [f"error: bills[1].{SENTENCE}"] == printed(given)

    @rows(
        "given",
        [WRONG, dumps(WRONG), dumps(WRONG).encode(), json.loads(dumps(WRONG))],
        ids=["bill", "text", "bytes", "data"],
    )
    def test_one_alone_has_no_place(self, given: object) -> None:
        assert [f"error: {SENTENCE}"] == printed(given)

    def test_one_that_cannot_be_read_does_not_hide_another(self) -> None:
        data = json.loads(dumps(WRONG))
        nameless = {**data, "dueDate": None}
        found = printed(json.dumps([5, nameless, data]))

        assert [
            (
                "error: bills[0] is not an object (met 5; expected an object) "
                "[interface: pending bills]"
            ),
            (
                "error: bills[1].dueDate is required (met nothing; expected a value) "
                "[interface: pending bills]"
            ),
            f"error: bills[2].{SENTENCE}",
        ] == found

    @rows(
        ("given", "code"),
        [("{", "not_json"), ('{"bills": 5}', "not_a_list"), ("5", "not_an_object")],
    )
    def test_a_text_that_holds_no_bill(self, given: str, code: str) -> None:
        (found,) = check_bill(given)

        assert (code, "error") == (found.code, found.severity)

    def test_nothing_is_wrong_with_none(self) -> None:
        assert () == check_bill([]).findings


class TestPolicy:
    """A result that was computed here is judged by its own policy."""

    def test_it_is_known_to_the_result(self) -> None:
        """VAT by the line is right; its bill alone does not know, and is rounded otherwise."""
        result = pending_bills(LEASE, FEBRUARY, policy=PER_LINE)

        assert [] == printed(result)
        assert ["vat_rounded_otherwise"] == [each.code for each in check_bill(result[0])]
        assert [] == printed(result[0], policy=PER_LINE)

    def test_one_that_is_passed_comes_first(self) -> None:
        found = check_bill(pending_bills(LEASE, FEBRUARY, policy=PER_LINE), policy=BillingPolicy())

        assert [("vat_rounded_otherwise", "bills[0].vatTotals[0].amount")] == [
            each[:1] + each[2:3] for each in found
        ]

    def test_a_result_that_was_read_has_none(self) -> None:
        result = loads(dumps(pending_bills(LEASE, FEBRUARY, policy=PER_LINE)), BillingResult)

        assert ["vat_rounded_otherwise"] == [each.code for each in check_bill(result)]


class TestPayable:
    """What data says is to be paid is judged to the minor unit."""

    @rows("amount", [Decimal("8500.10"), 8500.10])
    def test_of_numbers_as_any_reader_gives_them(self, amount: object) -> None:
        """8,500.10 is no binary number; it is what it prints as."""
        data = json.loads(dumps(a_bill(a_line(amount="8500.10"))))
        right = {**data, "payable": {"amount": amount, "currency": "DKK"}}
        wrong = {**data, "payable": {"amount": Decimal("8500.60"), "currency": "DKK"}}

        assert [] == printed(right)
        assert [
            (
                "error: payable is not total + rounding - what was paid "
                "(met 8500.60; expected 8500.10) [EN 16931 BR-CO-16]"
            )
        ] == printed(wrong)


class TestShort:
    """A check shows its first findings where an assert fails."""

    @rows(
        ("count", "text"),
        [
            (0, "<CheckResult 0 errors, 0 findings>"),
            (1, f"<CheckResult 1 error, 1 finding: error: bills[0].{SENTENCE}>"),
            (
                2,
                (
                    "<CheckResult 2 errors, 2 findings: "
                    f"error: bills[0].{SENTENCE}; error: bills[1].{SENTENCE}>"
                ),
            ),
            (
                4,
                (
                    "<CheckResult 4 errors, 4 findings: "
                    f"error: bills[0].{SENTENCE}; error: bills[1].{SENTENCE}; and 2 more>"
                ),
            ),
        ],
    )
    def test_the_first_two(self, count: int, text: str) -> None:
        found = check_bill([WRONG] * count)

        assert text == repr(found)
        assert (count == 0) is found.is_consistent
        assert CheckResult(found.findings) == found
