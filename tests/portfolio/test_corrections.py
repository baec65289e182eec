"""What was billed before, held against on columns: what one lease after another gives (A53)."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from rentbilling import LeaseTerms, Period
from rentbilling.policy import DEFAULT
from rentbilling.portfolio import BILL_SCHEMA, BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.arrow.arrays import equal_rows
from rentbilling.portfolio.kernel.corrections import EarlierRows, bill_with_earlier
from rentbilling.portfolio.runs import batch_runs
from rentbilling.portfolio.runs.batch_runs import BilledBatch
from rentbilling.testing import a_lease, a_rent, an_item
from rentbilling.testing.strategies.choices import Choices, chosen
from tests.portfolio.flat_portfolios import choose_flat_lease
from tests.support.rows import rows

JANUARY, FEBRUARY, MARCH = (
    Period.parse(each)
    for each in ("2026-01-01/2026-01-31", "2026-02-01/2026-02-28", "2026-03-01/2026-03-31")
)


def run(leases: Sequence[LeaseTerms], period: Period, **choices: Any) -> BilledBatch:  # noqa: ANN401
    return BillRecordBatches(period, on_problem="table", **choices).billed(leases_to_arrow(leases))


def one_by_one(
    leases: Sequence[LeaseTerms],
    period: Period,
    **choices: Any,  # noqa: ANN401
) -> BilledBatch:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_runs, "bill_with_earlier", lambda *_: None)
        return run(leases, period, **choices)


def assert_same(leases: Sequence[LeaseTerms], period: Period, **choices: Any) -> int:  # noqa: ANN401
    """Hold both engines against one another; return how many leases the kernel did."""
    expected = one_by_one(leases, period, **choices)
    found = run(leases, period, **choices)

    for name in ("bills", "adjustments", "notices", "problems"):
        assert getattr(expected, name).to_pylist() == getattr(found, name).to_pylist()
    assert str(expected.summary) == str(found.summary)
    return found.summary.leases - found.summary.scalar_leases


def _changed(choices: Choices, lease: LeaseTerms) -> LeaseTerms:
    """Choose other terms for a lease: another price, an end, fewer items, or the same."""
    items = lease.recurring_bill_items
    first, *others = items
    change = choices.pick(("none", "none", "price", "end", "fewer", "contract", "text"))
    if change == "price":
        more = first.amount.amount + 100
        items = (first.evolve(amount={"amount": more, "currency": first.amount.currency}), *others)
    elif change == "end":
        items = (first.evolve(ended_on=choices.day(600)), *others)
    elif change == "fewer":
        items = tuple(others)
    elif change == "text":
        items = (first.evolve(description="Another text"), *others)
    elif change == "contract":
        return lease.evolve(contract_end=choices.day(600))
    return lease.evolve(recurring_bill_items=items)


def _choose_days(choices: Choices) -> Period:
    """Choose a month or some days of the pools' years, whole months more often."""
    start = choices.day(500)
    start = choices.pick((start.replace(day=1), start))
    return Period(start, start + timedelta(days=choices.pick((30, 27, 89, 364, 0, 12))))


def _choose_case(choices: Choices) -> dict[str, Any]:
    """Choose leases as they were and are, and the days of two earlier runs and of one now."""
    before = [
        choose_flat_lease(choices).evolve(lease_id=f"lease-{at}")
        for at in range(1 + choices.below(5))
    ]
    first = _choose_days(choices)
    after = first.end + timedelta(days=1)
    follows = Period(after, after + timedelta(days=choices.pick((30, 27, 89))))
    return {
        "before": before,
        "now": [_changed(choices, lease) for lease in before],
        "first": first,
        "second": choices.pick((None, follows, _choose_days(choices))),
        "asked": choices.pick(
            (
                Period(follows.end + timedelta(days=1), follows.end + timedelta(days=31)),
                follows,
                first,
                _choose_days(choices),
            )
        ),
        "since": choices.pick((None, None, first.start, follows.start, choices.day(500))),
        "spoilt": choices.pick(("none", "none", "missing", "twice", "text", "figure", "rate")),
        "at": choices.below(1000),
    }


cases = chosen(_choose_case, 4000)


def said_otherwise(bill: dict[str, Any]) -> dict[str, Any]:
    lines = [{**line, "description": "A text of another run"} for line in bill["lines"]]
    return {**bill, "lines": lines}


def _told(case: dict[str, Any]) -> Any:  # noqa: ANN401 - a table
    """Return the bills of the earlier runs, the second of which corrects the first, and spoilt."""
    sent = pa.Table.from_batches([run(case["before"], case["first"]).bills])
    if case["second"] is not None:
        later = run(case["now"], case["second"], already_billed=sent)
        sent = pa.concat_tables([sent, pa.Table.from_batches([later.bills])])
    rows = sent.to_pylist()
    if not rows:
        return sent
    at = case["at"] % len(rows)
    bill = rows[at]
    match case["spoilt"]:
        case "missing":
            del rows[at]
        case "twice":
            rows.append(said_otherwise(bill))
        case "text":
            bill["lines"][0]["description"] = "A text of another release"
        case "figure":
            bill["lines"][0]["net_price"] += 1
        case "rate":
            bill["lines"][0]["vat"] = {"tax_mode": "Exclusive", "tax_rate": Decimal("0.07")}
        case _:
            pass
    return pa.Table.from_pylist(rows, BILL_SCHEMA)


@given(cases)
def test_bills_beside_earlier_ones_are_those_of_the_engine_for_one_lease(
    case: dict[str, Any],
) -> None:
    assert_same(case["now"], case["asked"], already_billed=_told(case), billed_since=case["since"])


def sent_to(leases: Sequence[LeaseTerms], *periods: Period) -> Any:  # noqa: ANN401 - a table
    return pa.Table.from_batches([run(leases, each).bills for each in periods], BILL_SCHEMA)


PLAIN = [a_lease(lease_id="a"), a_lease(an_item(), lease_id="b")]
"""A rent of 8,500, and 500 for heating with 25 % VAT: 625."""
TWO = [a_lease(a_rent(), a_rent(amount=900, currency="EUR"), lease_id="two")]


def totals(found: BilledBatch) -> list[tuple[str, str, Decimal]]:
    rows = found.bills.to_pylist()
    return [(row["lease_id"], str(row["due_date"]), row["total"]) for row in rows]


def test_the_month_after_a_month_is_billed_on_columns() -> None:
    """March after the same for February: 8,500 and 500 + 125, and nothing one by one."""
    found = run(PLAIN, MARCH, already_billed=sent_to(PLAIN, FEBRUARY))

    assert 0 == found.summary.scalar_leases
    assert [("a", "2026-03-01", Decimal(8500)), ("b", "2026-03-01", Decimal(625))] == totals(found)


@rows("since", [None, "2026-01-01", "2026-02-01"])
def test_all_that_was_sent_may_be_told(since: str | None) -> None:
    earlier = sent_to(TWO, JANUARY, FEBRUARY, MARCH)
    april = Period.parse("2026-04-01/2026-04-30")
    found = run(TWO, april, already_billed=earlier, billed_since=since)

    assert 0 == found.summary.scalar_leases
    assert [("two", "2026-04-01", Decimal(each)) for each in (8500, 900)] == totals(found)


def test_what_was_sent_for_the_asked_days_and_later_is_not_billed_again() -> None:
    found = run(PLAIN, FEBRUARY, already_billed=sent_to(PLAIN, FEBRUARY, MARCH))

    assert (0, 2, 0) == (
        found.summary.scalar_leases,
        found.summary.nothing_due,
        found.bills.num_rows,
    )


def test_only_a_lease_that_changed_goes_one_by_one() -> None:
    """Its rent is 8,600 since January: 8,600 for March, and 100 more for February."""
    now = [a_lease(a_rent(amount=8600), lease_id="a"), PLAIN[1]]
    found = run(now, MARCH, already_billed=sent_to(PLAIN, FEBRUARY))

    assert 1 == found.summary.scalar_leases
    assert [("a", "2026-03-01", Decimal(8700)), ("b", "2026-03-01", Decimal(625))] == totals(found)


def test_what_was_missed_goes_one_by_one() -> None:
    """January was never billed to the first, and nothing to a third: three months of 8,500."""
    leases = [*PLAIN, a_lease(lease_id="c")]
    earlier = pa.concat_tables([sent_to(PLAIN, FEBRUARY), sent_to(PLAIN[1:], JANUARY)])
    found = run(leases, MARCH, already_billed=earlier, billed_since="2026-01-01")

    assert 2 == found.summary.scalar_leases
    assert [Decimal(17_000), Decimal(625), Decimal(25_500)] == [each[2] for each in totals(found)]


def test_a_second_bill_of_one_day_goes_one_by_one() -> None:
    """With other lines: it is credited there, 8,500 for March less 8,500."""
    earlier = sent_to(PLAIN, FEBRUARY)
    second = said_otherwise(earlier.to_pylist()[0])
    told = pa.Table.from_pylist([*earlier.to_pylist(), second], BILL_SCHEMA)
    found = run(PLAIN, MARCH, already_billed=told)

    assert 1 == found.summary.scalar_leases
    assert [Decimal(0), Decimal(625)] == [each[2] for each in totals(found)]


def test_a_lease_without_an_id_is_refused_beside_those_that_have_one() -> None:
    found = run([*PLAIN, a_lease()], MARCH, already_billed=sent_to(PLAIN, FEBRUARY))

    assert 1 == found.summary.scalar_leases
    assert [("missing", 2)] == [(each["code"], each["row"]) for each in found.problems.to_pylist()]


@rows(
    "ids",
    [
        pa.array([b"a", b"\xff"], pa.binary()).view(pa.string()),
        pa.array([b"a", b"\xff"], pa.binary_view()).view(pa.string_view()),
    ],
    ids=["in its form", "without one"],
)
def test_an_id_that_is_no_unicode_is_refused_beside_one_that_is(ids: Any) -> None:  # noqa: ANN401 - an Arrow array
    bill = BillRecordBatches(MARCH, already_billed=sent_to(PLAIN, FEBRUARY), on_problem="table")
    found = bill.billed(leases_to_arrow(PLAIN).set_column(0, "lease_id", ids))

    assert [("a", "2026-03-01", Decimal(8500))] == totals(found)
    assert [("lease_id", 1)] == [(each["path"], each["row"]) for each in found.problems.to_pylist()]


@rows("asked", [FEBRUARY, MARCH])
def test_a_long_past_is_looked_at_for_its_lease_alone(asked: Period) -> None:
    old = a_lease(a_rent(moved_in="2016-01-01"), lease_id="old")
    leases = [PLAIN[0], old, PLAIN[1], a_lease(lease_id="new")]
    past = sent_to([old], Period.parse("2016-01-01/2026-02-28"))
    earlier = pa.concat_tables([past, sent_to(PLAIN, FEBRUARY)])

    assert 4 == assert_same(leases, asked, already_billed=earlier)
    billed = ["new"] if asked is FEBRUARY else ["a", "old", "b", "new"]
    assert billed == [each[0] for each in totals(run(leases, asked, already_billed=earlier))]
    again = pa.concat_tables([earlier, sent_to(leases[3:], asked)])
    if asked is FEBRUARY:
        assert [] == totals(run(leases, asked, already_billed=again))


OTHER: dict[str, object] = {
    "item_id": "other",
    "product_key": "key:other",
    "description": "Another",
    "discount_text": "Less",
    "kind": "part",
    "accounting_period": {"start": date(2026, 2, 1), "end": date(2026, 2, 27)},
    "regular_period": None,
    "share": "27/28",
    "quantity": Decimal(2),
    "amount": Decimal(8501),
    "unit_net_price": Decimal(8501),
    "net_price": Decimal(8501),
    "vat": {"tax_mode": "ReverseCharge", "tax_rate": None},
}
"""A value that no line of the lease has, for each field."""
OTHER_BILL: dict[str, object] = {
    "due_date": date(2026, 2, 2),
    "currency": "SEK",
    "subtotal": Decimal(8501),
    "total": Decimal(8501),
    "cash_rounding": Decimal(0),
    "vat_totals": [],
}


@rows(("of_line", "name"), [*product([True], OTHER), *product([False], OTHER_BILL)])
def test_a_line_or_a_bill_that_says_anything_else_goes_one_by_one(of_line: bool, name: str) -> None:
    bills = sent_to(PLAIN, FEBRUARY).to_pylist()
    changed, others = (bills[0]["lines"][0], OTHER) if of_line else (bills[0], OTHER_BILL)
    changed[name] = others[name]
    earlier = pa.Table.from_pylist(bills, BILL_SCHEMA)

    assert 1 == assert_same(PLAIN, MARCH, already_billed=earlier)


def test_leases_that_the_kernel_does_not_take_are_none_of_its() -> None:
    batch = leases_to_arrow(PLAIN)
    told = EarlierRows(run(PLAIN, FEBRUARY).bills, np.array([0, 1]), since=1)
    bad = pa.RecordBatch.from_arrays([pa.array([1])], names=["lease_id"])

    assert bill_with_earlier(bad, MARCH, DEFAULT, told) is None
    assert bill_with_earlier(batch, MARCH, DEFAULT, told) is None
    assert bill_with_earlier(batch, MARCH, DEFAULT.evolve(vat_rounding="per_line"), told) is None


def test_leases_all_of_which_were_billed_otherwise_are_none_of_its() -> None:
    sent = run([each.evolve(contract_end="2026-02-10") for each in PLAIN], FEBRUARY).bills
    told = EarlierRows(sent, np.array([0, 1]))

    assert bill_with_earlier(leases_to_arrow(PLAIN), MARCH, DEFAULT, told) is None


def test_a_batch_beside_bills_of_others_is_billed_as_if_there_were_none() -> None:
    found = run(PLAIN, MARCH, already_billed=sent_to(TWO, FEBRUARY))

    assert (0, 2) == (found.summary.scalar_leases, found.bills.num_rows)


nested = st.lists(
    st.tuples(
        st.none()
        | st.lists(st.none() | st.fixed_dictionaries({"a": st.none() | st.integers(0, 1)})),
        st.none() | st.sampled_from("ab"),
    ),
    min_size=1,
)
KIND = pa.struct([("list", pa.list_(pa.struct([("a", pa.int8())]))), ("text", pa.string())])


@given(nested, st.data())
def test_rows_are_equal_where_all_that_is_in_them_is(
    rows: list[tuple[object, object]], data: st.DataObject
) -> None:
    others = [data.draw(st.sampled_from([row, rows[0], (None, row[1])])) for row in rows]
    one, other = (
        pa.array([{"list": row[0], "text": row[1]} for row in each], KIND)
        for each in (rows, others)
    )

    assert [row == each for row, each in zip(rows, others, strict=True)] == equal_rows(
        one, other
    ).tolist()
    assert [row == each for row, each in zip(rows, others, strict=True)][1:] == equal_rows(
        one.slice(1), other.slice(1)
    ).tolist()
