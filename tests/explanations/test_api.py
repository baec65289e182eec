"""The function `explain`: its choices, its refusals, and workings as values."""

import json
import pickle
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidRecordError
from rentbilling.explanations import Explanation
from rentbilling.explanations.formatting import FORMULAS, as_fraction, number_text, value_text
from rentbilling.explanations.working import agreed
from rentbilling.testing import a_bill, a_line
from tests.oracle.workings import DisagreementError, replayed
from tests.support.plans import by_index, lease, octobers
from tests.support.rents import amount, fee, period, rent, vat
from tests.support.rows import rows

FEES = [fee("100.00", vat=vat("Exclusive", "0.25")), fee("50.00", "2026-03-01")]
TENTHS = octobers(100, 110, 121, "133.1")


def fees() -> rb.BillingResult:
    """Return two bills: 125.00 in February and 50.00 in March."""
    return rb.pending_bills(FEES, "2026-01-01/2026-12-31")


def adjusted() -> rb.AdjustmentResult:
    return rb.rent_adjustments(lease(by_index()), "2020-02-01/2022-12-31", indices=TENTHS)


class TestChoices:
    """The choices of a figure lead to its working."""

    def test_a_result_is_explained_bill_by_bill(self) -> None:
        found = rb.explain(fees())

        assert [amount("125.00"), amount("50.00")] == [each.result for each in found]
        assert "<Explanation of 2 figures>" == repr(found)
        assert f"{found[0]}\n\n{found[1]}" == str(found)

    @rows("bill", ["2026-03-01", date(2026, 3, 1), 1, -1])
    def test_a_bill_is_chosen_by_its_day_or_position(self, bill: Any) -> None:  # noqa: ANN401
        assert amount("50.00") == rb.explain(fees(), bill=bill).result

    def test_a_bill_may_be_passed_itself(self) -> None:
        result = fees()
        by_terms, alone = rb.explain(result, bill=result[1]), rb.explain(result[1])

        assert by_terms.result == alone.result
        assert "stated by the one-time item" in str(by_terms)
        assert "explain(result, bill=…) leads to the terms" in str(alone)

    def test_a_bill_may_be_an_equal_one_that_was_read(self) -> None:
        result = fees()
        read = rb.loads(rb.dumps(result), rb.BillingResult)

        assert read[0] is not result[0]
        assert rb.explain(result, bill=result[0]) == rb.explain(result, bill=read[0])
        with pytest.raises(InvalidRecordError, match="is not there") as caught:
            rb.explain(result, bill=a_bill())
        assert "a bill of this result" == caught.value.problems[0].expected

    def test_lines_and_vat_totals_are_chosen_by_position(self) -> None:
        """Of 100.00 at 25 %: the line is 100.00 and its VAT 25.00."""
        result = fees()

        assert amount("100.00") == rb.explain(result, bill=0, line=0).result
        assert amount("25.00") == rb.explain(result, bill=0, vat=0).result
        assert amount("25.00") == rb.explain(result[0], vat=-1).result

    @rows("which", ["2022-01-01", date(2022, 1, 1), 1])
    def test_an_adjustment_is_chosen_by_its_day_or_position(self, which: Any) -> None:  # noqa: ANN401
        terms = lease(by_index())
        result = rb.bill_period(terms, "2020-02-01/2022-12-31", indices=TENTHS)

        assert amount("12100.00") == rb.explain(adjusted(), adjustment=which).result
        assert rb.explain(adjusted(), adjustment=which) == rb.explain(result, adjustment=which)

    def test_adjustments_are_explained_in_order(self) -> None:
        """10,000, then 11,000, then 12,100."""
        assert [amount("11000.00"), amount("12100.00")] == [
            each.result for each in rb.explain(adjusted())
        ]

    def test_bills_of_one_day_in_two_currencies_are_chosen_by_position(self) -> None:
        result = rb.pending_bills([fee("1.00"), fee("2.00 EUR")], "2026-02-01/2026-02-28")

        assert amount("2.00 EUR") == rb.explain(result, bill=1).result
        with pytest.raises(InvalidRecordError, match="several currencies"):
            rb.explain(result, bill="2026-02-01")


class TestRefusals:
    """A choice that the result does not have is refused, with the possible ones."""

    @rows(
        ("what", "asked", "said"),
        [
            (fees, {"bill": "2026-04-01"}, "expected one of 2026-02-01, 2026-03-01"),
            (fees, {"bill": 2}, "expected a position from 0 to 1"),
            (fees, {"bill": "soon"}, "^bill: is not a date"),
            (adjusted, {"adjustment": "soon"}, "^adjustment: is not a date"),
            (fees, {"bill": 0, "line": 1}, "expected a position from 0 to 0"),
            (fees, {"bill": 0, "line": 0, "vat": 0}, "expected one of the two"),
            (fees, {"line": 0}, "does not apply to all bills"),
            (fees, {"adjustment": 0}, "none: there is none"),
            (fees, {"adjustment": "2026-01-01"}, "expected one of none"),
            (fees, {"adjustment": 0, "bill": 0}, "does not apply to an adjustment"),
            (fees, {"bill": 0, "policy": rb.BillingPolicy(rounding="up")}, "computed under"),
            (lambda: fees()[0], {"bill": 0}, "does not apply to a bill alone"),
            (adjusted, {"line": 0}, "does not apply to adjustments"),
            (adjusted, {"adjustment": "2023-01-01"}, "expected one of 2021-01-01, 2022-01-01"),
            (
                lambda: rb.AdjustmentResult([*adjusted(), *adjusted()]),
                {"adjustment": "2022-01-01"},
                "several lie on this day",
            ),
        ],
    )
    def test_of_a_choice(self, what: Callable[[], Any], asked: dict[str, Any], said: str) -> None:
        with pytest.raises(rb.InvalidInputError, match=said):
            rb.explain(what(), **asked)

    @rows("given", [rent(), None, 5, "bills", []])
    def test_of_what_cannot_be_explained(self, given: Any) -> None:  # noqa: ANN401
        with pytest.raises(InvalidRecordError) as caught:
            rb.explain(given)

        (problem,) = caught.value.problems
        assert ("what", "not_explainable") == (problem.path, problem.code)
        assert (
            "a BillingResult, an AdjustmentResult, a PendingBill or a Carried" == problem.expected
        )

    def test_of_a_position_that_is_a_text(self) -> None:
        with pytest.raises(TypeError, match="takes line as a position"):
            rb.explain(fees(), bill=0, line="0")  # type: ignore[call-overload]

    @rows("what", [fees, adjusted])
    def test_of_a_policy_for_adjustments(self, what: Callable[[], Any]) -> None:
        with pytest.raises(rb.InvalidInputError) as caught:
            rb.explain(what(), adjustment=0, policy=rb.BillingPolicy())

        assert ("policy", "says_nothing") == caught.value.problems[0][:2]


class TestWithoutTerms:
    """A bill or adjustment that was read is explained by its own figures, and never refused."""

    def test_a_total_that_its_parts_do_not_lead_to_is_stated(self) -> None:
        """VAT of 100.00 read under `down`: the bill says 25.01, its parts 25.00."""
        bill = rb.pending_bills(
            fee("100.02", vat=vat("Exclusive", "0.25")), "2026-02-01/2026-02-28"
        )
        read = pickle.loads(pickle.dumps(bill))
        found = rb.explain(read[0], vat=0, policy=rb.BillingPolicy(rounding="down"))

        # 100.02 × 25 % = 25.005, which is 25.01 half up and 25.00 cut down.
        assert amount("25.01") == found.result
        assert "as the bill states it; its parts lead to 25.00 DKK" == found.note

    def test_a_line_that_contradicts_itself_gives_both_figures(self) -> None:
        """3 × 433.33 is 1,299.99, and the bill says 1.00."""
        bill = a_bill(a_line(quantity=3, amount="433.33", net_price="1"))
        said = "net price: 1.00 DKK; as the bill states it; quantity × price is 1,299.99 DKK [A21]"
        found = str(rb.explain(bill, line=0)).splitlines()

        assert ["  " + said, "    quantity × price: 1,299.99 DKK = 3 × 433.33 [A21]"] == found[1:3]

    def test_a_line_that_was_read_leads_to_quantity_and_price(self) -> None:
        """2 × 100.00 with 25 % inside: 200.00 gross, 160.00 net."""
        bill = a_bill(a_line(quantity=2, amount="100.00", vat="Inclusive 0.25"))
        found = rb.explain(bill, line=0)

        assert amount("160.00") == found.result == replayed(found)
        assert "gross price: 200.00 DKK = 2 × 100.00 [A21]" in str(found)

    def test_cash_rounding_without_a_policy_is_stated(self) -> None:
        policy = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
        bill = rb.pending_bills(fee("100.30"), "2026-02-01/2026-02-28", policy=policy)[0]
        found = rb.explain(bill)

        assert amount("100.50") == found.result
        assert "cash rounding: 0.20 DKK; as the bill states it [A52]" in str(found)

    def test_adjustments_that_were_sent_are_given_as_listed(self) -> None:
        made = adjusted()
        read = rb.loads(rb.dumps(made, full=True), rb.AdjustmentResult)

        assert (made, None) == (read, read.source)
        assert [amount("11000.00"), amount("12100.00")] == [
            each.result for each in rb.explain(read)
        ]
        assert "the terms behind it are not known" in str(rb.explain(read))

    def test_an_adjustment_without_amounts_is_given_by_its_day(self) -> None:
        bare = rb.AdjustmentResult([rb.RentAdjustment(adjusted_on=date(2026, 1, 1))])

        assert "adjustment of 2026-01-01: 2026-01-01; listed without its amounts [A38]" == str(
            rb.explain(bare, adjustment=0)
        )


class TestWorkings:
    """A working is a value."""

    def test_workings_are_equal_by_value(self) -> None:
        one, other = rb.explain(fees()), rb.explain(fees())

        assert one == other == pickle.loads(pickle.dumps(one))
        assert 2 == len({*one, *other})
        assert "<Working total 125.00 DKK>" == repr(one[0])

    def test_its_data_goes_through_json(self) -> None:
        line = rb.explain(rb.pending_bills(rent(), "2026-02-01/2026-02-28"), bill=0, line=0)
        data = json.loads(json.dumps(line.as_data()))

        assert ("line 1 of 1", "together", "A21") == (
            data["label"],
            data["operation"],
            data["rule"],
        )
        assert {"amount": "8500.00", "currency": "DKK"} == data["result"]
        assert "net price" == data["inputs"][0]["name"]
        assert {"name": "step", "value": "0.01"} == data["inputs"][0]["working"]["inputs"][1]
        assert [line.as_data()] == Explanation([line]).as_data()

    def test_its_steps_come_depth_first(self) -> None:
        found = rb.explain(fees(), bill=1, line=0)

        assert [
            "line 1 of 1",
            "net price",
            "unit price",
            "accounting period",
            "due date",
            "vat",
        ] == [step.label for step in found.steps()]
        assert [*found.steps()] == [*Explanation([found]).steps()]

    def test_a_step_is_found_by_its_label(self) -> None:
        found = rb.explain(fees(), bill=1, line=0)

        assert amount("50.00") == found.find("unit price").result
        with pytest.raises(LookupError, match="known: line 1 of 1, net price"):
            found.find("discount")

    def test_a_working_of_another_figure_is_a_fault(self) -> None:
        working = rb.Working("total", "stated", (), amount("1.00"), "A30")

        assert working is agreed(working, amount("1.00"), "a total")
        with pytest.raises(RuntimeError, match=r"leads to 1\.00 DKK, and the figure is 2\.00 DKK"):
            agreed(working, amount("2.00"), "a total")
        with pytest.raises(RuntimeError, match="the working of a day"):
            agreed(working, date(2026, 1, 1), "a day")

    def test_the_evaluator_finds_a_step_that_does_not_follow(self) -> None:
        wrong = rb.Working("sum", "sum", (("one", 2), ("other", 2)), 5, "A30")

        with pytest.raises(DisagreementError):
            replayed(wrong)

    def test_the_evaluator_finds_a_change_that_begins_elsewhere(self) -> None:
        """100 became 110; 111 cannot have become 120. Nor is a number alone a change."""
        one = rb.Working("one", "difference", (("to", 110), ("from", 100)), 10, "A38")
        other = rb.Working("other", "difference", (("to", 120), ("from", 111)), 9, "A38")
        right = rb.Working("sum", "reached", (("agreed", 100), ("adjustment", one)), 110, "A38")
        wrong = rb.Working(
            "sum",
            "reached",
            (("agreed", 100), ("adjustment", one), ("adjustment", other)),
            119,
            "A38",
        )
        bare = rb.Working("sum", "reached", (("agreed", 100), ("adjustment", 10)), 110, "A38")

        assert 110 == replayed(right)
        for each in (wrong, bare):
            with pytest.raises(DisagreementError):
                replayed(each)


class TestTexts:
    """Values and steps as text."""

    @rows(
        ("value", "name", "expected"),
        [
            (rb.Amount(Decimal("1234.5"), "DKK"), "", "1,234.50 DKK"),
            (Decimal("0.025"), "tax rate", "2.5 %"),
            (Fraction(1, 3), "raw percentage", "33.3333… %"),
            (Fraction(5001, 4999), "factor", "1.0004000800…"),
            (Fraction(17, 31), "share", "17/31"),
            (Fraction(-1, 3000), "", "-0.000333…"),
            (1234, "", "1,234"),
            (period("2026-01-01/2026-01-31"), "", "2026-01-01/2026-01-31"),
            (date(2026, 1, 31), "", "2026-01-31"),
            ("Exempt", "rate", "Exempt"),
        ],
    )
    def test_a_value(self, value: Any, name: str, expected: str) -> None:  # noqa: ANN401
        assert expected == value_text(value, name)

    @rows(
        ("step", "expected"),
        [
            (rb.Working("loss", "difference", (("a", -200), ("b", -199)), -1, "x"), "= -200 + 199"),
            (rb.Working("line", "product", (("a", 3), ("b", -5)), -15, "x"), "= 3 × (-5)"),
            (rb.Working("whole", "sum", (("a", 5),), 5, "x"), "whole: 5 [x]"),
            (rb.Working("day", "day", (("a", date(2026, 2, 1)), ("b", 0)), date(2026, 2, 1), "x"),
             "day: 2026-02-01 [x]"),
        ],
    )  # fmt: skip
    def test_a_step(self, step: rb.Working, expected: str) -> None:
        assert expected in str(step)

    @rows(
        ("given", "expected"),
        [
            (("Month", 1, 1, 1), "the first beginning of a month after 2026-01-31"),
            (("Month", 1, 1, 15), "the first 15th of a month after 2026-01-31"),
            (("Month", 6, 3, 22), "the first 22nd of March or September after 2026-01-31"),
            (("Week", 12, 5, 1), "the first Friday after 2026-01-31"),
        ],
    )
    def test_the_start_of_a_cycle(self, given: tuple[Any, ...], expected: str) -> None:
        unit, every, start, day = given
        named = ("unit", unit), ("every", every), ("start", start), ("start day", day)

        assert expected == FORMULAS["first"]((("after", date(2026, 1, 31)), *named))

    def test_only_numbers_are_numbers(self) -> None:
        with pytest.raises(TypeError, match="is no number"):
            as_fraction(rb.Period.parse("2026-01-01/2026-01-31"))

    def test_what_is_cut_short_says_so(self) -> None:
        """1/3001 has no end: three digits that count, then an ellipsis."""
        assert "0.000333…" == number_text(Fraction(1, 3001))
