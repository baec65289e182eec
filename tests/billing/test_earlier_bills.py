"""Earlier bills: every form in which they may be given, and which of them are refused (A53)."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import rentbilling as rb
from rentbilling.payers import split_bill
from tests.support.billed import FEBRUARY, MARCH, TWO, after, sent
from tests.support.plans import by_index, deposit, lease, octobers, plan
from tests.support.refusals import faults, refused
from tests.support.rents import Terms, day, fee, opening, period, rent, vat
from tests.support.rows import rows

THIS_MARCH = [("2026-03-01", "regular", MARCH, "8500.00")]
LINE = "already_billed.bills[0].pendingBillLineItems[0].itemId"


def bare(terms: Terms, days: str = TWO, **options: Any) -> rb.BillingResult:  # noqa: ANN401
    """Return bills as a service does, without ids of items."""
    return rb.loads(rb.dumps(sent(terms, days, **options)), rb.BillingResult)


def wrong(terms: Terms, earlier: Any, days: str = MARCH, **options: Any) -> list[Any]:  # noqa: ANN401
    return faults(lambda: rb.pending_bills(terms, days, already_billed=earlier, **options))


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
def test_every_form_says_the_same(form: Callable[[rb.BillingResult], Any]) -> None:
    """A result, a bill, several of them, or the JSON of these."""
    assert THIS_MARCH == after(rent(), form(sent(rent())), "2026-01-01/2026-03-31")


@rows("nothing", [[], "[]", b"[]", {"bills": []}, '{"bills": []}', rb.BillingResult(())])
def test_no_bills_are_none_and_one_counts(nothing: Any) -> None:  # noqa: ANN401
    (bill,) = sent(rent(), FEBRUARY)

    assert THIS_MARCH == after(rent(), nothing)
    assert [] == after(rent(), bill, FEBRUARY)


@rows("other", [1, [1], [[]], [None], ["[]"], rent()])
def test_what_is_no_bill_is_refused(other: Any) -> None:  # noqa: ANN401
    (problem,) = refused(lambda: rb.pending_bills(rent(), MARCH, already_billed=other)).problems

    assert problem.path.startswith("already_billed")
    assert "not_bills" == problem.code
    assert problem.expected.endswith("as computed here or read by loads, or their JSON")


def test_every_problem_of_earlier_bills_has_its_place() -> None:
    (bill,) = bare(fee())
    many = refused(lambda: rb.pending_bills(rent(), MARCH, already_billed=[bill] * 1500)).problems
    soon, total = [{"dueDate": "soon"}], [{"dueDate": "2026-02-01", "vatTotals": []}]
    unknown = [("[0].bills[0].pendingBillLineItems[0].itemId", "unknown_line")]

    # As many as anyone reads.
    assert 1000 == len(many)
    assert ("already_billed[0].dueDate", "not_a_date") in wrong(rent(), soon)
    assert ("already_billed[0].total", "missing") in wrong(rent(), total)
    assert [
        *((f"already_billed{path}", code) for path, code in unknown),
        ("already_billed[1].pendingBillLineItems[0].itemId", "unknown_line"),
    ] == wrong(rent(), [bare(fee()), *bare(fee())])


def test_bills_are_of_the_lease_that_is_billed() -> None:
    """A result without a lease is taken; of two that name one, both name the same."""
    mine, other = (rb.LeaseTerms.of(rent(), lease_id=name) for name in ("a", "b"))

    assert [] == after(mine, sent(rent(), FEBRUARY), FEBRUARY)
    assert [] == after(rent(), sent(mine, FEBRUARY), FEBRUARY)
    for terms, earlier, path in (
        (mine, sent(other), "already_billed"),
        (mine, [sent(mine), sent(other)], "already_billed[1]"),
        (rent(), [sent(rent(), "2026-01"), sent(mine), sent(other)], "already_billed[2]"),
    ):
        assert [(f"{path}.leaseId", "other_lease")] == wrong(terms, earlier)


def test_another_number_of_decimals_is_refused() -> None:
    two, three = (rb.BillingPolicy(currencies={"XTS": places}) for places in (2, 3))
    price = rb.Amount("10", "XTS", currencies=two.currencies)
    item = rb.monthly_rent(price, "2026-01-15", policy=two)

    assert [("already_billed.bills[0].total.currency", "currency_mismatch")] == wrong(
        item, sent(item, FEBRUARY, policy=two), policy=three
    )


def test_a_mode_of_vat_that_no_one_knows_is_refused() -> None:
    text = rb.dumps(sent(rent(), FEBRUARY)).replace("Exempt", "Zero")

    assert [
        ("already_billed.bills[0].pendingBillLineItems[0].vat.taxMode", "unknown_tax_mode")
    ] == wrong(rent(), text)


def test_a_line_that_may_be_for_several_items_is_refused_with_their_names() -> None:
    one, two = rent(id="one"), rent(id="two")
    error = refused(lambda: rb.pending_bills([one, two], MARCH, already_billed=bare(one, FEBRUARY)))

    assert (
        f"{LINE}: is missing, and the line may be for any of one, two (met key:rent "
        "2026-02-01/2026-02-28 of the bill due 2026-02-01; expected the id of its item, as "
        "dumps(…, full=True) writes it)"
    ) == str(error)


@rows("days", ["2026-01-01/2026-01-31", "2026-02-15/2026-03-14", "9999-12-31/9999-12-31"])
def test_days_that_are_no_period_of_either_item_are_refused(days: str) -> None:
    items = [rent(ended_on=day("2027-12-31")), rent(ended_on=day("2027-12-31"))]

    assert [(LINE, "unknown_line")] == wrong(items, bare(fee(days=days, product_key="key:rent")))


def test_a_correction_names_the_item_that_was_found() -> None:
    result = rb.pending_bills(rent("8600.00", id="home"), MARCH, already_billed=bare(rent()))

    assert ["home", "home"] == [line.item_id for line in result[0].lines]


def test_a_balance_may_be_what_a_line_is_for() -> None:
    """Neither of two fees has its days; one that has them makes it uncertain."""
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
    terms = lease(both, balances=(deposit(months="3", product_key="key:deposit"),))
    policy, january = rb.BillingPolicy(balance_change="once"), "2021-01-01/2021-01-31"
    options: dict[str, Any] = {"indices": octobers(100, 102), "policy": policy}
    earlier = bare(terms, january, **options)
    fees = [fee(due=f"2021-0{month}-01", product_key="key:deposit") for month in (6, 7)]
    same = fee(due="2021-06-01", days=january, product_key="key:deposit")

    for once in ((), tuple(fees)):
        assert [] == after(terms.evolve(one_time_bill_items=once), earlier, january, **options)
    assert [(LINE.replace("Items[0]", "Items[1]"), "ambiguous_line")] == wrong(
        terms.evolve(one_time_bill_items=(same,)), earlier, january, **options
    )


def test_an_inclusive_line_came_to_what_its_bill_says() -> None:
    """3 × 0.125 is 0.37 cut down, else 0.38; of 100.00 with 25 % inside 20.00 is VAT (A29)."""
    first = opening("2025-12-01/2025-12-31", price="0.125")
    inside: dict[str, Any] = {
        "vat": vat("Inclusive", "0.25"),
        "first_billing_period_bill_item": first,
    }
    small, item = rent("0.125", quantity=Decimal(3), **inside), rent("100.00", **inside)
    policy = rb.BillingPolicy(by_product={"key:rent": rb.BillingPolicy(rounding="down")})
    read = rb.loads(rb.dumps(sent(small, FEBRUARY, policy=policy), full=True), rb.BillingResult)
    text = rb.dumps(sent(item, FEBRUARY), full=True)
    (total,) = json.loads(text)["bills"][0]["vatTotals"]

    assert [] == after(small, read, FEBRUARY, policy=policy)
    for totals in ([{**total, "amount": {"currency": "DKK", "amount": 21.0}}], []):
        data = json.loads(text)
        data["bills"][0]["vatTotals"] = totals
        assert [("already_billed.bills[0].vatTotals", "contradiction")] == wrong(item, data)


def test_the_period_of_an_earlier_bill_is_its_own() -> None:
    """Half-open texts are read by the policy that wrote them (A4)."""
    policy = rb.BillingPolicy(period_end="excluded")
    text = rb.dumps(rb.pending_bills(rent(), period(FEBRUARY), policy=policy), policy=policy)

    assert "2026-02-01/2026-03-01" in text
    read = rb.loads(text, rb.BillingResult, policy=policy)
    assert not rb.pending_bills(rent(), period(FEBRUARY), policy=policy, already_billed=read)


SENT = sent(rent(id="r"), FEBRUARY)
(BILL,) = SENT
FULL, PLAIN = (json.loads(rb.dumps(SENT, full=full))["bills"][0] for full in (True, False))
NOTHING = {"currency": "DKK", "amount": 0}
NO_LINES = {"pendingBillLineItems": [], "vatTotals": [], "subtotal": NOTHING, "total": NOTHING}
DEARER = rent("8600.00", id="r")
MARCHES = sent(rent(id="r"), MARCH)
CORRECTED = rb.pending_bills(DEARER, MARCH, already_billed=SENT)
CORRECTION = rb.pending_bills(DEARER, MARCH, already_billed=[SENT, MARCHES])
KEYS = [fee("250.00", due="2026-02-01", id=name) for name in "ab"]
FREE = rent(id="r", discount=rb.Discount(percentage=Decimal(1)))
PARTS = split_bill(BILL, {"tenant": "1/2", "office": "1/2"})


# fmt: off
@rows(
    ("earlier", "places"),
    [
        ([BILL], []),
        ([BILL, BILL], ["[0], [1]"]),
        ([BILL, SENT, {"bills": [PLAIN]}], ["[0], [1].bills[0], [2].bills[0]"]),
        # As JSON, with and without the item's id.
        ([BILL, FULL], ["[0], [1]"]),
        ([BILL, PLAIN], ["[0], [1]"]),
        ({"bills": [PLAIN, PLAIN]}, [".bills[0], .bills[1]"]),
        # Numbers or ids tell bills apart, where both have one.
        ([{**PLAIN, "number": "17"}, {**PLAIN, "number": "18"}], []),
        ([{**PLAIN, "id": "17"}, BILL], ["[0], [1]"]),
        ([{**PLAIN, "id": "17"}] * 2, ["[0], [1]"]),
        # A correction of the day of a rent is another bill; given twice it is one as well.
        ([SENT, MARCHES, CORRECTION], []),
        ([SENT, MARCHES, CORRECTION, CORRECTION], ["[2].bills[0], [3].bills[0]"]),
        # A rent that was billed again with a correction, in either form.
        ([SENT, CORRECTED, sent(DEARER, MARCH)], ["[1].bills[0], [2].bills[0]"]),
        ([SENT, CORRECTED, json.loads(rb.dumps(CORRECTED))["bills"][0]], ["[1].bills[0], [2]"]),
        # Equal one-time items, each with a bill of its own.
        ([sent(each, FEBRUARY) for each in KEYS], []),
        # A bill of 0, one without lines, and the parts of two payers, who pay the same.
        ([sent(FREE, FEBRUARY)] * 2, ["[0].bills[0], [1].bills[0]"]),
        ([{**PLAIN, **NO_LINES}] * 2, []),
        (PARTS, []),
        ([PARTS, PARTS[0]], ["[0].bills[0], [1]"]),
    ],
)
def test_a_bill_that_is_given_twice_has_a_notice(earlier: Any, places: list[str]) -> None:  # noqa: ANN401
    """It names the bill; what is billed twice is credited (A53)."""
    for bill in (rb.pending_bills, rb.bill_period):
        found = bill([rent(id="r"), *KEYS], MARCH, already_billed=earlier).notices

        assert {"earlier_bill_repeated"} >= {each.code for each in found}
        assert places == [
            dict(each.facts)["places"].replace("already_billed", "") for each in found
        ]
# fmt: on
