"""Billed before: earlier bills in every form, and lines of which nobody can tell the item (A53)."""

import json
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidRecordError
from rentbilling.payers import split_bill
from tests.support.billed import FEBRUARY, JANUARY, MARCH, TWO, after, sent, told_of
from tests.support.plans import by_index, deposit, lease, octobers, plan
from tests.support.rents import Terms, amount, day, fee, opening, period, rent, vat
from tests.support.rows import rows


def bare(terms: Terms, days: str = TWO, **options: Any) -> rb.BillingResult:  # noqa: ANN401
    return rb.loads(rb.dumps(sent(terms, days, **options)), rb.BillingResult)


def refused(terms: Terms, earlier: Any, days: str = MARCH, **options: Any) -> tuple[str, str]:  # noqa: ANN401
    with pytest.raises(rb.InvalidInputError) as found:
        rb.pending_bills(terms, days, already_billed=earlier, **options)
    (problem,) = found.value.problems
    return problem.path, problem.code


class TestForms:
    """Earlier bills may be a result, a bill, or several of them."""

    @rows(
        "form",
        [
            lambda result: result,
            lambda result: [result],
            list,
            tuple,
            lambda result: iter(result.bills),
            lambda result: [result[1], result[0]],
            lambda result: [rb.BillingResult(result.bills[:1]), result[1]],
            lambda result: rb.loads(rb.dumps(result, full=True), rb.BillingResult),
            rb.dumps,
            lambda result: rb.dumps(result).encode(),
            lambda result: json.loads(rb.dumps(result)),
            lambda result: json.loads(rb.dumps(result))["bills"],
            lambda result: [json.loads(rb.dumps(result)), result[1]][:1],
        ],
    )
    def test_every_form_says_the_same(self, form: Any) -> None:  # noqa: ANN401
        assert [("2026-03-01", "regular", MARCH, "8500.00")] == after(
            rent(), form(sent(rent())), "2026-01-01/2026-03-31"
        )

    def test_a_bill_alone_counts(self) -> None:
        (bill,) = sent(rent(), FEBRUARY)

        assert isinstance(bill, rb.PendingBill)
        assert [] == after(rent(), bill, FEBRUARY)

    @rows("other", [1, [1], [[]], [None], ["[]"], rent()])
    def test_what_is_no_bill_is_refused(self, other: Any) -> None:  # noqa: ANN401
        with pytest.raises(InvalidRecordError) as caught:
            rb.pending_bills(rent(), MARCH, already_billed=other)

        (problem,) = caught.value.problems
        assert problem.path.startswith("already_billed")
        assert "not_bills" == problem.code
        assert problem.expected.endswith("as computed here or read by loads, or their JSON")

    def test_data_that_are_no_bill_are_refused_with_their_place(self) -> None:
        with pytest.raises(rb.InvalidInputError) as caught:
            rb.pending_bills(rent(), MARCH, already_billed=[{"dueDate": "soon"}])

        assert "already_billed[0].dueDate" in [problem.path for problem in caught.value.problems]

    @rows("nothing", ["[]", b"[]", {"bills": []}, '{"bills": []}', []])
    def test_no_bills_are_none(self, nothing: Any) -> None:  # noqa: ANN401
        assert rb.pending_bills(rent(), MARCH) == rb.pending_bills(
            rent(), MARCH, already_billed=nothing
        )


class TestLease:
    """Bills are of the lease that is billed."""

    def test_a_result_of_another_lease_is_refused(self) -> None:
        mine, other = (
            rb.LeaseTerms(lease_id=name, recurring_bill_items=(rent(),)) for name in ("a", "b")
        )

        assert ("already_billed.leaseId", "other_lease") == refused(mine, sent(other))
        assert ("already_billed[1].leaseId", "other_lease") == refused(
            mine, [sent(mine), sent(other)]
        )

    def test_results_of_two_leases_are_refused_whatever_the_terms_tell(self) -> None:
        one, other = (
            rb.LeaseTerms(lease_id=name, recurring_bill_items=(rent(),)) for name in ("a", "b")
        )

        assert ("already_billed[2].leaseId", "other_lease") == refused(
            rent(), [sent(rent(), JANUARY), sent(one), sent(other)]
        )

    def test_a_result_that_tells_no_lease_is_taken(self) -> None:
        named = rb.LeaseTerms(lease_id="a", recurring_bill_items=(rent(),))

        assert [] == after(named, sent(rent(), FEBRUARY), FEBRUARY)
        assert [] == after(rent(), sent(named, FEBRUARY), FEBRUARY)

    def test_another_number_of_decimals_is_refused(self) -> None:
        two, three = (rb.BillingPolicy(currencies={"XTS": places}) for places in (2, 3))
        first = opening(price="10 DKK").evolve(amount=own("10"))
        item = rent(first_billing_period_bill_item=first, amount=own("20"))

        assert ("already_billed.bills[0].total.currency", "currency_mismatch") == refused(
            item, sent(item, FEBRUARY, policy=two), policy=three
        )


def own(text: str) -> Any:  # noqa: ANN401
    return type(amount("1"))(Decimal(text), "XTS", currencies={"XTS": 2})


class TestLinesWithoutIds:
    """A service's bills do not say which item a line is for."""

    def test_the_only_item_of_a_product_is_meant(self) -> None:
        items = [rent(), fee()]

        assert [] == after(items, bare(items), FEBRUARY)
        assert [("2026-03-01", "regular", MARCH, "8500.00")] == after(items, bare(items))

    def test_a_correction_knows_the_item_that_was_found(self) -> None:
        result = rb.pending_bills(rent("8600.00", id="home"), MARCH, already_billed=bare(rent()))

        assert ["home", "home"] == [line.item_id for line in result[0].lines]

    def test_an_item_that_follows_another_is_told_by_its_days(self) -> None:
        """The first rent ended on 31 January, the second opens on 1 February."""
        first = opening("2026-02-01/2026-02-28", price="9000.00")
        items = [
            rent(ended_on=day("2026-01-31"), id="old"),
            rent("9000.00", first_billing_period_bill_item=first, id="new"),
        ]

        assert [("2026-03-01", "regular", MARCH, "9000.00")] == after(items, bare(items))

    def test_a_fee_beside_a_rent_of_the_same_product_is_told_by_its_days(self) -> None:
        days = "2026-02-27/2026-03-04"
        items = [rent(), fee(due="2026-02-01", days=days, product_key="key:rent")]

        assert [("2026-03-01", "regular", MARCH, "8500.00")] == after(items, bare(items))

    def test_the_end_of_an_item_is_no_reason_to_lose_its_line(self) -> None:
        """February is the old rent's although it ended on the 14th: half of it goes back."""
        first = opening("2026-02-15/2026-02-28", price="4500.00")
        old, new = rent(id="old"), rent("9000.00", first_billing_period_bill_item=first, id="new")

        assert [
            ("2026-03-01", "correction", "2026-02-15/2026-02-28", "-4250.00"),
            ("2026-03-01", "opening", "2026-02-15/2026-02-28", "4500.00"),
            ("2026-03-01", "regular", MARCH, "9000.00"),
        ] == after([old.evolve(ended_on=day("2026-02-14")), new], bare(old, TWO))

    def test_two_items_of_one_product_and_days_are_refused(self) -> None:
        one, two = rent(id="one"), rent(id="two")
        with pytest.raises(rb.InvalidInputError) as found:
            rb.pending_bills([one, two], MARCH, already_billed=bare(one, FEBRUARY))

        assert (
            "already_billed.bills[0].pendingBillLineItems[0].itemId: is missing, and the line may"
            " be for any of one, two (met key:rent 2026-02-01/2026-02-28 of the bill due"
            " 2026-02-01; expected the id of its item, as dumps(…, full=True) writes it)"
        ) == str(found.value)

    def test_a_product_that_the_lease_does_not_have_is_refused(self) -> None:
        place = "already_billed.bills[0].pendingBillLineItems[0].itemId"

        assert (place, "unknown_line") == refused(rent(), bare(fee()))

    @rows("days", ["2026-01-01/2026-01-31", "2026-02-15/2026-03-14", "9999-12-31/9999-12-31"])
    def test_days_that_are_no_period_of_either_item_are_refused(self, days: str) -> None:
        items = [rent(ended_on=day("2027-12-31")), rent(ended_on=day("2027-12-31"))]
        other = fee(days=days, product_key="key:rent")
        place = "already_billed.bills[0].pendingBillLineItems[0].itemId"

        assert (place, "unknown_line") == refused(items, bare(other))

    def test_every_line_without_an_item_is_named(self) -> None:
        with pytest.raises(rb.InvalidInputError) as found:
            rb.pending_bills(rent(), MARCH, already_billed=[bare(fee()), *bare(fee())])

        assert [
            "already_billed[0].bills[0].pendingBillLineItems[0].itemId",
            "already_billed[1].pendingBillLineItems[0].itemId",
        ] == [each.path for each in found.value.problems]

    def test_no_more_problems_are_told_than_anyone_reads(self) -> None:
        (bill,) = bare(fee())
        with pytest.raises(rb.InvalidInputError) as found:
            rb.pending_bills(rent(), MARCH, already_billed=[bill] * 1500)

        assert 1000 == len(found.value.problems)

    def test_a_balance_may_be_what_a_line_is_for(self) -> None:
        both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
        kept = deposit(months="3", product_key="key:deposit")
        terms = lease(both, balances=(kept,))
        fees = (
            fee(due="2021-06-01", product_key="key:deposit"),
            fee(due="2021-07-01", product_key="key:deposit"),
        )
        index = octobers(100, 102)
        options: dict[str, Any] = {
            "indices": index,
            "policy": rb.BillingPolicy(balance_change="once"),
        }
        january = "2021-01-01/2021-01-31"
        earlier = bare(terms, january, **options)
        crowded = terms.evolve(one_time_bill_items=fees)

        assert [] == after(terms, earlier, january, **options)
        # Neither fee has these days, so that it can be the deposit alone.
        assert [] == after(crowded, earlier, january, **options)
        same = terms.evolve(
            one_time_bill_items=(fee(due="2021-06-01", days=january, product_key="key:deposit"),)
        )
        place = "already_billed.bills[0].pendingBillLineItems[1].itemId"
        assert (place, "ambiguous_line") == refused(same, earlier, january, **options)


class TestGross:
    """What an Inclusive line came to, its bill tells (A29)."""

    def test_the_gross_of_a_product_s_own_rounding_is_kept(self) -> None:
        """3 × 0.125 is 0.37 cut down; read without that policy it would be 0.38."""
        first = opening("2025-12-01/2025-12-31", price="0.125")
        item = rent(
            "0.125",
            quantity=Decimal(3),
            vat=vat("Inclusive", "0.25"),
            first_billing_period_bill_item=first,
        )
        policy = rb.BillingPolicy(by_product={"key:rent": rb.BillingPolicy(rounding="down")})
        read = rb.loads(rb.dumps(sent(item, FEBRUARY, policy=policy), full=True), rb.BillingResult)

        assert [] == after(item, read, FEBRUARY, policy=policy)

    def test_a_bill_that_contradicts_itself_is_refused(self) -> None:
        """100.00 with 25 % inside has 20.00 of VAT, and the bill says 21.00."""
        first = opening("2025-12-01/2025-12-31", price="100.00")
        item = rent("100.00", vat=vat("Inclusive", "0.25"), first_billing_period_bill_item=first)
        data = json.loads(rb.dumps(sent(item, FEBRUARY), full=True))
        data["bills"][0]["vatTotals"][0]["amount"]["amount"] = 21.0
        read = rb.loads(json.dumps(data), rb.BillingResult)
        data["bills"][0]["vatTotals"] = []
        without = rb.loads(json.dumps(data), rb.BillingResult)

        place = "already_billed.bills[0].vatTotals"
        assert (place, "contradiction") == refused(item, read)
        assert (place, "contradiction") == refused(item, without)

    def test_the_period_of_an_earlier_bill_is_its_own(self) -> None:
        """Half-open texts are read by the policy that wrote them (A4)."""
        policy = rb.BillingPolicy(period_end="excluded")
        asked = period(FEBRUARY)
        result = rb.pending_bills(rent(), asked, policy=policy)
        read = rb.loads(rb.dumps(result, full=True, policy=policy), rb.BillingResult, policy=policy)

        assert "2026-02-01/2026-03-01" in rb.dumps(result, policy=policy)
        assert [] == told_of(rb.pending_bills(rent(), asked, policy=policy, already_billed=read))


SENT = sent(rent(id="r"), FEBRUARY)
(BILL,) = SENT
FULL, PLAIN = json.loads(rb.dumps(SENT, full=True)), json.loads(rb.dumps(SENT))
DEARER = rent("8600.00", id="r")
CORRECTED = rb.pending_bills(DEARER, MARCH, already_billed=SENT)
CORRECTION = rb.pending_bills(DEARER, MARCH, already_billed=[SENT, sent(rent(id="r"), MARCH)])
KEYS = [fee("250.00", due="2026-02-01", id=name) for name in "ab"]
FREE = rent(id="r", discount=rb.Discount(percentage=Decimal(1)))
PARTS = split_bill(BILL, {"tenant": "1/2", "office": "1/2"})


@rows(
    ("earlier", "places"),
    [
        ([BILL], []),
        ([BILL, BILL], ["already_billed[0], already_billed[1]"]),
        (
            [BILL, SENT, PLAIN],
            ["already_billed[0], already_billed[1].bills[0], already_billed[2].bills[0]"],
        ),
        # As JSON, with and without the item's id.
        ([BILL, FULL["bills"][0]], ["already_billed[0], already_billed[1]"]),
        ([BILL, PLAIN["bills"][0]], ["already_billed[0], already_billed[1]"]),
        ({"bills": [*PLAIN["bills"] * 2]}, ["already_billed.bills[0], already_billed.bills[1]"]),
        # Numbers or ids tell bills apart, where both have one.
        ([{**PLAIN["bills"][0], "number": "17"}, {**PLAIN["bills"][0], "number": "18"}], []),
        ([{**PLAIN["bills"][0], "id": "17"}, BILL], ["already_billed[0], already_billed[1]"]),
        ([{**PLAIN["bills"][0], "id": "17"}] * 2, ["already_billed[0], already_billed[1]"]),
        # A correction of the day of a rent is another bill; given twice it is one as well.
        ([SENT, sent(rent(id="r"), MARCH), CORRECTION], []),
        (
            [SENT, sent(rent(id="r"), MARCH), CORRECTION, CORRECTION],
            ["already_billed[2].bills[0], already_billed[3].bills[0]"],
        ),
        # A rent that was billed again with a correction, in either form.
        (
            [SENT, CORRECTED, sent(DEARER, MARCH)],
            ["already_billed[1].bills[0], already_billed[2].bills[0]"],
        ),
        (
            [SENT, CORRECTED, json.loads(rb.dumps(CORRECTED))["bills"][0]],
            ["already_billed[1].bills[0], already_billed[2]"],
        ),
        # Equal one-time items, each with a bill of its own.
        ([sent(each, FEBRUARY) for each in KEYS], []),
        # A bill of 0, one without lines, and the parts of two payers, who pay the same.
        (
            [sent(FREE, FEBRUARY)] * 2,
            ["already_billed[0].bills[0], already_billed[1].bills[0]"],
        ),
        ([sent(rent(id="r"), "2025-01")] * 2, []),
        (PARTS, []),
        ([PARTS, PARTS[0]], ["already_billed[0].bills[0], already_billed[1]"]),
    ],
)
def test_a_bill_that_is_given_twice_has_a_notice(earlier: Any, places: list[str]) -> None:  # noqa: ANN401
    """It names the bill; what is billed twice is credited (A53)."""
    for bill in (rb.pending_bills, rb.bill_period):
        found = bill([rent(id="r"), *KEYS], MARCH, already_billed=earlier)

        assert places == [dict(each.facts)["places"] for each in found.notices]
        assert {"earlier_bill_repeated"} >= {each.code for each in found.notices}


def test_what_is_billed_twice_is_credited() -> None:
    result = rb.pending_bills(rent(id="r"), MARCH, already_billed=[BILL, BILL])
    (notice,) = result.notices

    assert [("2026-03-01", "correction", FEBRUARY, "-8500.00")] == told_of(result)[:1]
    assert ("2026-02-01", "8500.00 DKK") == tuple(
        dict(notice.facts)[name] for name in ("dueDate", "total")
    )
