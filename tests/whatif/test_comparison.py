"""What-if runs: a baseline, variants, and what differs between them."""

from decimal import Decimal

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    IndexSeries,
    MissingIndexError,
    pending_bills,
    what_if,
    whatif,
)
from rentbilling.errors import InvalidRecordError, UnknownWordError
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index, an_item
from tests.support.refusals import faults
from tests.support.rows import rows

YEAR = "2026-01-01/2026-12-31"
LEASES = [
    a_lease(a_rent(amount=1000), lease_id="one"),
    a_lease(an_item(amount=100), lease_id="two"),
    a_lease(a_rent(amount=2000), lease_id="three"),
]


def run() -> whatif.WhatIf:
    return what_if(LEASES, whatif.raise_rent(0.1, on="2026-07-01").named("more"), period=YEAR)


def test_differences_in_total() -> None:
    """Six months at 100 and at 200 more; 36,000 + 1,500 a year as it is."""
    (row,) = run().rows()

    assert {
        "scenario": "more",
        "currency": "DKK",
        "baseline": Decimal("37500.00"),
        "amount": Decimal("39300.00"),
        "change": Decimal("1800.00"),
    } == row
    assert list(row) == [column.name for column in run().columns]


def test_differences_by_lease_and_month() -> None:
    by_lease = run().differences("lease", of="net")
    by_month = run().differences("month")

    assert [("one", "600.00"), ("two", "0.00"), ("three", "1200.00")] == [
        (row["lease_id"], str(row["change"])) for row in by_lease.rows()
    ]
    assert ["0.00"] * 6 + ["300.00"] * 6 == [str(row["change"]) for row in by_month.rows()]


def test_a_row_that_one_run_alone_has_counts_nothing_for_the_other() -> None:
    result = what_if(LEASES[0], whatif.switch_to_quarterly(on="2026-07-01"), period=YEAR)

    rows = {row["month"]: row for row in result.differences("month").rows()}

    assert (Decimal("1000.00"), Decimal("0.00"), Decimal("-1000.00")) == (
        rows["2026-08"]["baseline"],
        rows["2026-08"]["amount"],
        rows["2026-08"]["change"],
    )


def test_vat_can_be_compared_alone() -> None:
    """25 % of 100 a month."""
    result = what_if(LEASES[1], whatif.raise_rent(1, of=None).named("double"), period=YEAR)

    (row,) = result.differences(of="vat").rows()

    assert (Decimal("300.00"), Decimal("300.00")) == (row["baseline"], row["change"])
    assert (Amount(Decimal("1500.00"), "DKK"),) == result.change("double")


def test_runs_keep_bills_and_inputs() -> None:
    result = run()

    more = result["more"]

    assert ("more", 2, 3) == (more.name, more.changed, len(more.results))
    assert result.baseline is result["as it is"]
    assert pending_bills(LEASES[0], YEAR) == result.baseline.results[0]
    assert more.results[0] == pending_bills(more.inputs[0].terms, YEAR)
    assert more.results[1] is result.baseline.results[1]
    assert [36] == [sum(map(len, more.results))]
    assert Decimal("39300.00") == more.cash_flow(by=()).rows()[0]["gross"]
    assert (result.variants, str(result.period)) == ((more,), "2026-01-01/2026-12-31")


def test_a_scenario_that_finds_nothing_is_told() -> None:
    result = what_if(LEASES, whatif.cap(0.04), whatif.as_it_is().named("the same"), period=YEAR)

    assert [
        "cap 4 %: changes nothing of these leases",
        "the same: changes nothing of these leases",
    ] == str(result).splitlines()[-2:]
    assert "<WhatIf 2026-01-01/2026-12-31, cap 4 %, the same>" == repr(result)
    assert "<Run cap 4 %, 36 bills, 0 leases changed>" == repr(result.variants[0])


def test_without_scenarios_there_is_the_baseline() -> None:
    result = what_if(LEASES, period=YEAR)

    (row,) = result.rows()
    assert ("as it is", row["baseline"], 0) == (row["scenario"], row["amount"], row["change"])
    assert str(result).endswith("\nno scenario: the bills as they are")
    assert "<WhatIf 2026-01-01/2026-12-31, alone>" == repr(result)


def test_a_list_of_scenarios_is_taken_as_each_of_them() -> None:
    both = [whatif.raise_rent(0.1), whatif.cap(0.04)]

    listed, given = (what_if(LEASES, *each, period=YEAR) for each in ([both], both))
    assert listed.rows() == given.rows()
    assert [each.name for each in both] == [run.name for run in listed.variants]


def test_items_alone_are_leases_of_one() -> None:
    rent = what_if(a_rent(amount=10), whatif.raise_rent(0.1), period=YEAR)
    fee = what_if(a_one_time_item(amount=10, due_date="2026-02-01"), period=YEAR)

    assert Decimal("12.00") == rent.rows()[0]["change"]
    assert 1 == len(fee.baseline.results[0])


def test_progress_is_told_after_each_lease() -> None:
    told: list[tuple[int, int]] = []

    what_if(LEASES, period=YEAR, progress=lambda done, of: told.append((done, of)))

    assert [(1, 3), (2, 3), (3, 3)] == told


def test_a_plain_function_runs_by_its_name() -> None:
    def half_price(inputs: whatif.BillingInputs) -> whatif.BillingInputs:
        return whatif.raise_rent("-0.5")(inputs)

    result = what_if(LEASES[0], half_price, period=YEAR)

    assert [("half price", Decimal("-6000.00"))] == [
        (row["scenario"], row["change"]) for row in result.rows()
    ]


def test_adjustments_are_in_the_results() -> None:
    lease = a_lease(a_rent(amount=100), plans=[a_plan()])
    index = an_index({"2025-10": 100, "2026-10": 106})

    result = what_if(lease, whatif.cap(0.04), period="2027-01-01/2027-12-31", indices=index)

    assert ["106.00 DKK", "104.00 DKK"] == [
        str(each.results[0].adjustments[0].to_period_amount)
        for each in (result.baseline, result.variants[0])
    ]
    with pytest.raises(MissingIndexError):
        what_if(lease, period="2027-01-01/2027-12-31", indices=an_index({"2025-10": 100}))


@rows("name", ["as it is", "more", "baseline", "currency"])
def test_two_runs_of_one_name_are_refused(name: str) -> None:
    more = whatif.raise_rent(0.1).named("more")

    assert [("scenarios[1]", "duplicate_name")] == faults(
        lambda: what_if(LEASES, more, whatif.raise_rent(0.2).named(name), period=YEAR),
        InvalidRecordError,
    )


def test_unknown_words_are_refused_with_those_that_are_known() -> None:
    result = run()

    for ask, expected in (
        (lambda: result["less"], "one of as it is, more"),
        (lambda: result.differences(of="total"), "one of gross, net, vat"),  # type: ignore[arg-type]
        (lambda: result.differences("week"), "one of year, month, day, lease, product, item"),  # type: ignore[arg-type]
    ):
        with pytest.raises(UnknownWordError) as refused:
            ask()
        assert expected == refused.value.problems[0].expected


@rows("terms", [3, [a_rent()], None, BillingCycle()])
def test_what_is_no_lease_is_refused(terms: object) -> None:
    with pytest.raises(TypeError, match="what_if takes the terms of leases, not"):
        what_if(terms, period=YEAR)  # type: ignore[arg-type]


def test_runs_stand_side_by_side() -> None:
    """A column for the baseline and for each scenario; nothing is 0."""
    result = what_if(
        LEASES[0], whatif.switch_to_quarterly(on="2026-07-01").named("four"), period=YEAR
    )

    table = result.side_by_side()

    assert ["month", "currency", "baseline", "four"] == [column.name for column in table.columns]
    assert {
        "month": "2026-08",
        "currency": "DKK",
        "baseline": Decimal("1000.00"),
        "four": Decimal("0.00"),
    } == table.rows()[7]
    assert [Decimal("12000.00")] == [row["four"] for row in result.side_by_side(()).rows()]
    with pytest.raises(UnknownWordError):
        result.side_by_side(of="total")  # type: ignore[arg-type]


def test_a_notebook_says_which_scenario_changes_nothing() -> None:
    """0.00 alone would look like an answer; the same rent once more is no change."""
    result = what_if(LEASES[0], whatif.set_rent(Amount(1000, "DKK")).named("same"), period=YEAR)

    assert "same: changes nothing of these leases" in result._repr_html_()


def test_a_change_after_the_period_is_no_result() -> None:
    """The lease changes in 2027; 0.00 of 2026 alone would look like a result."""
    answer = what_if(a_rent(), whatif.raise_rent("3%", on="2027-07-01"), period="2026")

    assert ["key:rent +3 % from 2027-07-01: changes nothing in this period"] == list(answer.remarks)


def test_the_notices_of_the_runs_are_said_once() -> None:
    """As it is, the index value of October is missing; assumed, the rents rise."""
    lease = a_lease(plans=[a_plan()])
    index = IndexSeries("N", {"2025-10": 100})
    policy = BillingPolicy(missing_index="notice")
    answer = what_if(
        [lease, lease],
        whatif.assume_index("2%"),
        whatif.cap("3%"),
        period="2027",
        indices=index,
        policy=policy,
    )

    missing, assumed = str(answer).splitlines()[-2:]
    assert missing.startswith("as it is: ")
    assert missing.endswith("(missing_index, 2 notices)")
    assert assumed.startswith("index +2 %: ")
    assert assumed.endswith("(assumed_index, 2 notices)")
    assert [4, 2] == [len(answer.remarks) + 1, len(answer.baseline.notices)]
