"""Runs over many leases: streamed, written whole or not at all, bounded, and nothing lost."""

import gc
import re
import weakref
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

from rentbilling import Amount, BillingPolicy, LeaseTerms, Period, Vat
from rentbilling.errors import InvalidInputError, InvalidRecordError
from rentbilling.portfolio import (
    BILL_SCHEMA,
    LINE_SCHEMA,
    PROBLEM_SCHEMA,
    BillRecordBatches,
    PortfolioRun,
    RunSummary,
    TableMapping,
    adjust_portfolio,
    bill_portfolio,
    leases_to_arrow,
)
from rentbilling.portfolio.leases.ids import LeaseIds, of_one_lease_each
from rentbilling.portfolio.leases.sources import leases_in
from rentbilling.portfolio.runs import batch_runs
from rentbilling.portfolio.runs.batch_runs import BilledBatch
from rentbilling.portfolio.runs.table_runs import TableRun
from rentbilling.records import read_json, write_json
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_item, strategies
from tests.portfolio.bulk_rows import NPI, bad_payload, several_leases
from tests.support.refusals import faults
from tests.support.rows import rows

MONTH = "2026-02-01/2026-02-28"
NEXT = "2027-01-01/2027-12-31"
ITEMS = "recurring_bill_items"


@given(strategies.portfolios(), strategies.asked_periods(), strategies.billing_policies())
def test_no_lease_is_lost(leases: list[LeaseTerms], period: Period, policy: BillingPolicy) -> None:
    given_ = [*leases, bad_payload(), a_lease().evolve(recurring_bill_items=()), 5]
    run = bill_portfolio(given_, period, policy=policy, batch_size=2)
    tables = run.to_tables()
    summary = run.summary
    billed = set(tables["bills"].column("row").to_pylist())
    refused = set(tables["problems"].column("row").to_pylist())

    assert len(given_) == summary.leases
    assert (len(billed), len(refused)) == (summary.billed, summary.with_problems)
    assert not billed & refused
    assert {len(leases), len(leases) + 2} <= refused
    assert len(given_) - len(billed) - len(refused) == summary.nothing_due
    assert tables["bills"].num_rows == summary.bills
    assert tables["notices"].num_rows == summary.notices


@given(strategies.portfolios(), strategies.asked_periods())
def test_sums_are_those_of_the_bills(leases: list[LeaseTerms], period: Period) -> None:
    run = bill_portfolio(leases, period, batch_size=1)
    bills = run.to_table().to_pylist()
    totals = run.summary.totals
    vat = run.summary.vat

    assert sorted({bill["currency"] for bill in bills}) == list(totals) == list(vat)
    for currency, found in totals.items():
        own = [bill for bill in bills if bill["currency"] == currency]
        assert len(own) == found.bills
        assert sum(bill["subtotal"] for bill in own) == found.subtotal.amount
        assert sum(bill["total"] for bill in own) == found.total.amount
        assert found.total == found.subtotal + found.vat
        assert found.vat.amount == sum(each.amount.amount for each in vat[currency])
        for each in vat[currency]:
            same = [
                one
                for bill in own
                for one in bill["vat_totals"]
                if each.vat == Vat(one["vat"]["tax_mode"], one["vat"]["tax_rate"])
            ]
            assert sum(one["base"] for one in same) == each.base.amount


def test_a_summary_worked_by_hand() -> None:
    """Two months of 100.00 with 25 % on top: 200.00 + 50.00; one of 250.00 with 20 % inside.

    250.00 × 20/120 = 41.666… = 41.67 of 208.33. A rent of 1,000 EUR is exempt.
    """
    leases = [
        a_lease(an_item(amount=100, vat="Exclusive 0.25", ended_on="2026-03-31")),
        a_lease(an_item(amount=250, vat="Inclusive 0.2", ended_on="2026-02-28")),
        a_lease(a_rent(amount=1000, currency="EUR", ended_on="2026-02-28")),
        bad_payload(),
        a_lease().evolve(recurring_bill_items=()),
    ]
    run = bill_portfolio(leases, "2026-02-01/2026-12-31")
    run.to_table()
    summary = run.summary

    assert (5, 3, 1, 1, 4) == (
        *(summary.leases, summary.billed, summary.with_problems, summary.nothing_due),
        summary.bills,
    )
    assert {
        "DKK": (3, "408.33 DKK", "91.67 DKK", "500.00 DKK"),
        "EUR": (1, "1000.00 EUR", "0.00 EUR", "1000.00 EUR"),
    } == {
        code: (each.bills, str(each.subtotal), str(each.vat), str(each.total))
        for code, each in summary.totals.items()
    }
    assert {
        "DKK": [
            (Vat("Exclusive", Decimal("0.25")), "200.00 DKK", "50.00 DKK"),
            (Vat("Inclusive", Decimal("0.2")), "208.33 DKK", "41.67 DKK"),
        ],
        "EUR": [(Vat("Exempt"), "1000.00 EUR", "0.00 EUR")],
    } == {
        code: [(each.vat, str(each.base), str(each.amount)) for each in rates]
        for code, rates in summary.vat.items()
    }
    assert {("not_a_number",): [1], ("missing",): [1]} == {
        code: list(count) for code, count in summary.problems.items()
    }
    assert (
        "5 leases: 3 billed, 1 with nothing due (1 without any item), 1 with problems\n"
        "4 bills, 0 adjustments, 0 notices\n"
        "408.33 DKK + 91.67 VAT = 500.00 DKK\n"
        "  Exclusive 25 %: 50.00 of 200.00\n"
        "  Inclusive 20 %: 41.67 of 208.33\n"
        "1000.00 EUR + 0.00 VAT = 1000.00 EUR\n"
        "  Exempt: 0.00 of 1000.00\n"
        "problems not_a_number: 1\n"
        "problems missing: 1"
    ) == str(summary)


def test_summaries_of_parts_add_up() -> None:
    leases = [*several_leases(), bad_payload(), bad_payload("worse")]
    whole = bill_portfolio(leases, NEXT, indices=NPI)
    parts = [bill_portfolio(leases[at::2], NEXT, indices=NPI) for at in (0, 1)]
    for run in (whole, *parts):
        run.to_table()
    together = parts[0].summary + parts[1].summary

    assert whole.summary.totals == together.totals
    assert whole.summary.vat == together.vat
    assert str(whole.summary) == str(together)
    assert whole.summary.scalar_share == together.scalar_share


@rows(
    ("counts", "said"),
    [
        ({"leases": 3, "billed": 1, "with_problems": 1}, "3 leases went in, and 2 came out"),
        (
            {"leases": 1, "nothing_due": 1, "without_items": 2},
            "2 without items, 0 with reversed ends of 1 unbilled",
        ),
    ],
)
def test_a_summary_that_loses_a_lease_is_refused(counts: dict[str, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        RunSummary(**counts)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_the_law_is_counted_from_both_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(*_: object) -> None:
        """Do nothing."""

    monkeypatch.setattr("rentbilling.portfolio.runs.batch_runs._Collected.add", forgetful)
    leases = [a_lease(), a_lease(a_rent(), plans=[a_plan(amount=1200)]), a_lease()]
    with pytest.raises(ValueError, match="3 leases went in, and 2 came out"):
        bill_portfolio(leases_to_arrow(leases), MONTH).to_table()


def test_no_leases_have_no_share() -> None:
    assert Fraction(0) == RunSummary().scalar_share


def test_a_run_gives_its_batches_as_they_come() -> None:
    asked: list[int] = []

    def leases() -> Iterator[LeaseTerms]:
        for at in range(10):
            asked.append(at)
            yield a_lease()

    run = bill_portfolio(leases(), MONTH, batch_size=2)
    first = next(iter(run))

    assert [0, 1] == first.column("row").to_pylist()
    assert 4 > len(asked)
    assert 2 == run.summary.leases


def test_batches_without_rows_are_passed_over() -> None:
    empty = a_lease().evolve(recurring_bill_items=())
    run = bill_portfolio([empty, a_lease(), empty], MONTH, batch_size=1)

    assert [1] == [batch.num_rows for batch in run]
    assert 3 == run.summary.leases


def test_a_run_is_one_pass() -> None:
    run = bill_portfolio([a_lease()], MONTH)
    run.to_table()

    with pytest.raises(InvalidRecordError, match="run: was begun before"):
        run.to_tables()


def test_a_run_says_how_far_it_is() -> None:
    run = bill_portfolio([a_lease(), a_lease(), a_lease()], MONTH, batch_size=1)
    told = [repr(run)]

    assert "<RunSummary not begun: no lease was billed yet>" == repr(run.summary)
    assert "not begun: no lease was billed yet" == str(run.summary)
    assert not run.summary.begun
    batches = run.batches()
    told += [(next(batches), repr(run))[1] for _ in range(2)]
    assert run.summary.begun
    next(batches)
    told += [(next(batches, None), repr(run))[1]]
    assert [
        "<PortfolioRun 2026-02-01/2026-02-28, not begun>",
        "<PortfolioRun 2026-02-01/2026-02-28, 1 lease so far>",
        "<PortfolioRun 2026-02-01/2026-02-28, 2 leases so far>",
        "<PortfolioRun 2026-02-01/2026-02-28, 3 leases>",
    ] == told


@rows(
    "run",
    [
        bill_portfolio([a_rent()] * 12, MONTH),
        bill_portfolio([a_rent()] * 12, MONTH, output="lines"),
        adjust_portfolio([a_rent()] * 12, MONTH),
    ],
)
def test_a_run_without_a_good_lease_is_not_an_empty_table(run: TableRun[Any, Any]) -> None:
    with pytest.raises(InvalidRecordError, match=r"run: gives no .*met 12 leases") as caught:
        run.to_pandas()

    assert ["run", "[0]", "[1]", "[2]"] == [each.path for each in caught.value.problems]
    assert list(range(12)) == run.problems.column("row").to_pylist()
    said = str(run).splitlines()
    assert str(run.summary).splitlines() == said[:-11]
    assert said[-2].startswith("row 9: is not an object (met RecurringBillItem(")
    assert "and 2 more problems" == said[-1]


def test_problems_are_there_at_any_time() -> None:
    leases = [bad_payload(), a_lease(), {**bad_payload(), "leaseId": "worse"}]
    fresh, under_way = (bill_portfolio(leases, MONTH, batch_size=1) for _ in range(2))
    asked = bill_portfolio([bad_payload()], MONTH, output="problems")
    batches = under_way.batches()
    next(batches)

    assert str(fresh) == repr(fresh)
    assert [0, 0, 2, 2] == fresh.problems.column("row").to_pylist()
    assert fresh.problems == fresh.problems
    assert [0, 0] == under_way.problems.column("row").to_pylist()
    assert asked.to_table() == asked.problems


def test_a_run_without_leases_was_begun() -> None:
    run = bill_portfolio([], MONTH)

    assert BILL_SCHEMA == run.to_table().schema
    assert run.summary.begun
    assert RunSummary() == run.summary
    assert "0 leases: 0 billed, 0 with nothing due, 0 with problems" in str(run.summary)


def test_a_notebook_shows_what_a_run_is_and_how_it_goes_on() -> None:
    run = bill_portfolio([a_lease(), bad_payload()], MONTH, output="lines", progress=print)
    before = words_of(run)
    run.to_table()

    assert (
        "PortfolioRun Field Value Period 2026-02-01/2026-02-28 Gives lines Leases not begun (of 2)"
        " go on with to_table(), to_tables(), to_pandas(), to_polars(), write_parquet(path),"
        " or for bills in run"
    ) == before
    assert (
        "PortfolioRun Field Value Period 2026-02-01/2026-02-28 Gives lines Leases 2 leases"
        " Billed 1 Nothing due 0 With problems 1"
        " row 1, bad: recurringBillItems[0].amount.amount: is not a number"
        " (met &#x27;much&#x27;; expected a number such as 8500.00) [not_a_number];"
        " row 1, bad: recurringBillItems[0].billingCycle: is required"
        " (met nothing; expected a BillingCycle) [missing];"
        " gives its batches once; another call of bill_portfolio is another run"
    ) == words_of(run)


def words_of(shown: Any) -> str:  # noqa: ANN401 - whatever a notebook shows
    text = shown._repr_html_().partition("</style>")[2]
    return " ".join(re.sub("<[^>]*>", " ", text).split())


def test_a_notebook_shows_a_summary() -> None:
    """VAT for each currency and rate as rows, which sum to the totals; the counts below them.

    100.00 with 25 % on top is 125.00; the rent of 8,500.00 is exempt.
    """
    leases = [a_lease(a_rent(), an_item(amount=100, vat="Exclusive 0.25")), bad_payload()]
    run = bill_portfolio(leases, MONTH)
    run.to_table()

    assert (
        "Currency Tax mode Tax rate Net VAT Gross"
        " DKK Exclusive 0.25 100.00 25.00 125.00"
        " DKK Exempt 8,500.00 0.00 8,500.00"
        " 2 leases: 1 billed, 0 with nothing due, 1 with problems;"
        " 1 bill, 0 adjustments, 0 notices; problems not_a_number: 1; problems missing: 1"
    ) == words_of(run.summary)
    assert words_of(RunSummary(begun=False)).endswith("not begun: no lease was billed yet")
    frame = run.summary.to_pandas()
    assert ["currency", "tax_mode", "tax_rate", "net", "vat", "gross"] == list(frame.columns)
    assert Decimal("8625.00") == frame["gross"].sum()


@given(strategies.portfolios(), strategies.asked_periods())
def test_rows_of_a_summary_sum_to_its_totals(leases: list[LeaseTerms], period: Period) -> None:
    run = bill_portfolio(leases, period)
    run.to_table()
    summary, data = run.summary, run.summary.to_data()
    for code, total in summary.totals.items():
        own = [row for row in summary.rows() if row["currency"] == code]
        sums = [sum(row[name] for row in own) for name in ("net", "vat", "gross")]
        assert [total.subtotal.amount, total.vat.amount, total.total.amount] == sums
    assert [
        (code, total.bills, total.subtotal.amount, total.vat.amount, total.total.amount)
        for code, total in summary.totals.items()
    ] == [
        tuple(each[name] for name in ("currency", "bills", "subtotal", "vat", "total"))
        for each in data["totals"]
    ]
    assert (summary.leases, summary.bills) == (data["leases"], data["bills"])


def test_a_summary_is_plain_data() -> None:
    leases = [a_lease(an_item(amount=100, vat="Exclusive 0.25")), bad_payload(), without_items()]
    run = bill_portfolio(leases, MONTH)
    run.to_table()
    data = run.summary.to_data()

    assert {
        "leases": 3,
        "billed": 1,
        "withProblems": 1,
        "nothingDue": 1,
        "withoutItems": 1,
        "endsReversed": 0,
        "scalarLeases": 3,
        "bills": 1,
        "adjustments": 0,
        "notices": 0,
        "gone": 0,
        "vacant": 0,
        "skippedRows": 0,
        "totals": [
            {
                "currency": "DKK",
                "bills": 1,
                "subtotal": Decimal("100.00"),
                "vat": Decimal("25.00"),
                "total": Decimal("125.00"),
                "vatTotals": [
                    {
                        "vat": {"taxMode": "Exclusive", "taxRate": Decimal("0.25")},
                        "base": Decimal("100.00"),
                        "amount": Decimal("25.00"),
                    }
                ],
            }
        ],
        "problems": {"not_a_number": 1, "missing": 1},
        "scalarReasons": {"records": 3},
    } == data
    assert data == read_json(write_json(data))
    exempt = bill_portfolio([a_lease()], MONTH)
    exempt.to_table()
    ((total,),) = [exempt.summary.to_data()["totals"]]
    assert {"taxMode": "Exempt"} == total["vatTotals"][0]["vat"]


def without_items() -> LeaseTerms:
    return a_lease().evolve(recurring_bill_items=())


def test_leases_without_items_are_told_apart() -> None:
    """By both engines: of 6 with nothing due 2 have no item, which may be a slip.

    A one-time item is one; what has ended has nothing due. What ends before it begins is counted in
    every period (A158), and a one-time item has no end.
    """
    ended = a_lease(a_rent(ended_on="2026-01-31"))
    once = LeaseTerms(one_time_bill_items=(a_one_time_item(due_date="2025-01-01"),))
    reversed_ends = (
        a_lease(a_rent().evolve(ended_on="2025-12-31")),
        a_lease(a_rent(), a_one_time_item(due_date="2025-01-01"), contract_end="2025-12-31"),
    )
    leases = [a_lease(), without_items(), ended, once, LeaseTerms(), *reversed_ends]
    for source in (leases, leases_to_arrow(leases)):
        run = bill_portfolio(source, MONTH)
        run.to_table()

        assert (7, 1, 6, 2, 2) == (
            *(run.summary.leases, run.summary.billed),
            *(run.summary.nothing_due, run.summary.without_items, run.summary.ends_reversed),
        )
        assert str(run.summary).startswith(
            "7 leases: 1 billed, 6 with nothing due (2 without any item, 2 with an end before its "
            "beginning), 0 with problems\n"
        )


@pytest.mark.parametrize("extra", ["refuse", "ignore"])
def test_a_source_without_any_column_of_items_is_refused(extra: Any, tmp_path: Path) -> None:  # noqa: ANN401 - a word
    names = ["lease_id", "recuring_bill_items"] if extra == "ignore" else ["lease_id"]
    batch = leases_to_arrow([a_lease(lease_id="a")]).select(["lease_id", ITEMS][: len(names)])
    table = pa.table(batch.columns, names=names)
    to = tmp_path / "leases.parquet"
    pq.write_table(table, to)
    for source in (table, to, table.to_reader()):
        run = partial(bill_portfolio, source, MONTH, extra_columns=extra)
        assert [(ITEMS, "missing", "lease_id")] == faults(run, InvalidRecordError, "path code met")
    with pytest.raises(InvalidRecordError, match="so that there is anything to bill"):
        BillRecordBatches(MONTH, extra_columns=extra)(table)


def sources(folder: Path) -> dict[str, tuple[Any, int | None]]:
    """Return sources of three leases each, and how many they say they have."""
    leases = [a_lease(), a_lease(), a_lease()]
    batch = leases_to_arrow(leases)
    table = pa.Table.from_batches([batch])
    (folder / "many").mkdir()
    (folder / "many" / "readme.txt").write_text("Three leases.")
    for at in range(3):
        pq.write_table(table.slice(at, 1), folder / "many" / f"{at}.pq")
    pq.write_table(table, folder / "leases.parquet")
    with pa.ipc.new_file(folder / "leases.arrow", table.schema) as writer:
        writer.write(batch)
    return {
        "Parquet": (folder / "leases.parquet", 3),
        "a name": (str(folder / "leases.parquet"), 3),
        "a folder": (folder / "many", 3),
        "Arrow": (folder / "leases.arrow", None),
        "a table": (table, 3),
        "a batch": (batch, 3),
        "batches": ([batch.slice(0, 1), batch.slice(1)], 3),
        "a list": (leases, 3),
        "an iterator": (iter(leases), None),
        "a reader": (table.to_reader(), None),
        "a data frame": (pl.from_arrow(table), 3),
    }


class Told(list[tuple[int, int | None]]):
    """What a run says of how far it is."""

    def __call__(self, done: int, total: int | None) -> None:
        self.append((done, total))


def test_progress_is_told_after_each_batch(tmp_path: Path) -> None:
    for source, total in sources(tmp_path).values():
        told = Told()
        run = bill_portfolio(source, MONTH, batch_size=2, progress=told)
        assert [] == told
        run.to_table()

        assert (3, 3) == told[-1]
        assert {total} >= {each for _, each in told[:-1]}
        assert sorted(done for done, _ in told) == [done for done, _ in told]
        assert (total is None) + 1 == sum(done == 3 for done, _ in told)


def test_a_source_that_cannot_be_counted_is_refused_by_who_reads_it(tmp_path: Path) -> None:
    damaged = tmp_path / "leases.parquet"
    damaged.write_bytes(b"PAR1")

    assert leases_in(damaged) is None
    assert leases_in(tmp_path / "none.parquet") is None
    with pytest.raises(InvalidRecordError, match="is damaged"):
        bill_portfolio(damaged, MONTH, progress=print)


@pytest.fixture
def only_new_garbage() -> Iterator[None]:
    """Let the collector pass over what other tests of the process left, which takes seconds."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def allocated() -> int:
    """Return the bytes that Arrow holds, after its threads had a moment to let go of theirs."""
    held: list[int] = []
    for _ in range(5):
        sleep(0.002)
        held.append(pa.total_allocated_bytes())
    return min(held)


@pytest.mark.usefixtures("only_new_garbage")
def test_memory_is_bounded_by_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    alive: list[weakref.ref[Any]] = []
    most = 0

    class Kept(list[Any]):
        """A list of leases that can be watched."""

    def batches() -> Iterator[Any]:
        for _ in range(30):
            leases = Kept([a_lease()])
            alive.append(weakref.ref(leases))
            yield leases

    billed = batch_runs.BillRecordBatches.billed

    def watched(self: Any, leases: Any, first_row: int = 0) -> BilledBatch:  # noqa: ANN401
        made = billed(self, leases, first_row)
        alive.append(weakref.ref(made.bills))
        return made

    monkeypatch.setattr(batch_runs.BillRecordBatches, "billed", watched)
    run = PortfolioRun(
        batch_runs.BillRecordBatches(MONTH),
        of_one_lease_each(batches(), "refuse", seen := LeaseIds()),
        seen=seen,
    )
    before = allocated()
    grown: list[int] = []
    for bills in run:
        gc.collect()
        most = max(most, sum(each() is not None for each in alive))
        grown.append(allocated() - before)
        del bills

    assert 30 == run.summary.leases
    # The leases at hand may still be held by their source, and results by the run.
    assert 4 >= most
    assert max(grown[:10]) >= max(grown[10:])


def read(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def test_a_run_is_written_to_files(tmp_path: Path) -> None:
    leases = [a_lease(lease_id="a"), bad_payload(), a_lease(a_rent(), plans=[a_plan()])]
    to = tmp_path / "bills.parquet"
    run = bill_portfolio(leases, NEXT, indices=NPI, batch_size=1)
    summary = run.write_parquet(
        to, others={"lines": tmp_path / "lines.parquet", "adjustments": tmp_path / "adj.parquet"}
    )
    again = bill_portfolio(leases, NEXT, indices=NPI).to_tables()

    assert (3, 2, 1) == (summary.leases, summary.billed, summary.with_problems)
    assert again["bills"].to_pylist() == read(to)
    assert again["problems"].to_pylist() == read(tmp_path / "bills.problems.parquet")
    assert again["lines"].to_pylist() == read(tmp_path / "lines.parquet")
    assert again["adjustments"].to_pylist() == read(tmp_path / "adj.parquet")
    assert ["adj.parquet", "bills.parquet", "bills.problems.parquet", "lines.parquet"] == sorted(
        each.name for each in tmp_path.iterdir()
    )


def test_the_output_of_a_run_may_be_another_table(tmp_path: Path) -> None:
    lines, problems = tmp_path / "lines.parquet", tmp_path / "problems.parquet"
    bill_portfolio([a_lease()], MONTH, output="lines").write_parquet(lines, problems=problems)

    assert LINE_SCHEMA.names == pq.read_schema(lines).names
    assert (1, 0) == (len(read(lines)), len(read(problems)))

    bill_portfolio([bad_payload()], MONTH, output="problems").write_parquet(problems)
    assert 2 == len(read(problems))
    assert PROBLEM_SCHEMA.names == pq.read_schema(problems).names


def test_what_was_written_stands_until_the_new_one_is_whole(tmp_path: Path) -> None:
    to = tmp_path / "bills.parquet"
    bill_portfolio([a_lease()], MONTH).write_parquet(to)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    failing = bill_portfolio([a_lease(), bad_payload()], MONTH, on_problem="raise", batch_size=1)

    with pytest.raises(InvalidInputError):
        failing.write_parquet(to)

    assert before == {each.name: each.read_bytes() for each in tmp_path.iterdir()}


def test_nothing_stands_under_the_name_before_it_is_whole(tmp_path: Path) -> None:
    to = tmp_path / "bills.parquet"
    seen: list[bool] = []

    def leases() -> Iterator[LeaseTerms]:
        for _ in range(3):
            seen.append(to.exists())
            yield a_lease()

    bill_portfolio(leases(), MONTH, batch_size=1).write_parquet(to)

    assert [False] * 3 == seen
    assert to.exists()


def test_a_disk_that_is_full_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(pq.ParquetWriter):  # type: ignore[misc]
        """Writes until there is no space left."""

        def write_batch(self, batch: object, row_group_size: object = None) -> None:
            del batch, row_group_size
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "ParquetWriter", Full)
    with pytest.raises(OSError, match="No space left"):
        bill_portfolio([a_lease()], MONTH).write_parquet(tmp_path / "bills.parquet")

    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"path": "gone/bills.parquet"}, FileNotFoundError, "there is no folder"),
        ({"lines": ""}, IsADirectoryError, "is a folder, not a file"),
    ],
)
def test_a_file_that_cannot_be_written_is_named_before_the_run(
    changed: dict[str, str], error: type[OSError], said: str, tmp_path: Path
) -> None:
    run = bill_portfolio([a_lease()], MONTH)
    names = {"path": "bills.parquet", "problems": "p.parquet", "lines": "lines.parquet", **changed}
    paths: dict[str, Any] = {name: tmp_path / each for name, each in names.items()}
    with pytest.raises(error, match=said) as refused:
        run.write_parquet(others={"lines": paths.pop("lines")}, **paths)

    assert [str(tmp_path / each) for each in changed.values()] == [refused.value.filename]
    assert [] == [*tmp_path.iterdir()]
    assert 0 == run.summary.leases
    assert 1 == run.write_parquet(tmp_path / "bills.parquet").bills


def test_no_file_is_written_over_one_that_is_read(tmp_path: Path) -> None:
    """A month that is run again has nothing to bill: its bills would become an empty file."""
    leases, sent = tmp_path / "in" / "leases.parquet", tmp_path / "sent"
    for folder in (leases.parent, sent):
        folder.mkdir()
    pq.write_table(pa.Table.from_batches([leases_to_arrow([a_lease(lease_id="a")])]), leases)
    bill_portfolio(leases, MONTH).write_parquet(sent / "02.parquet")
    (tmp_path / "leases.csv").write_text("id,rent,from\na,8500,2026-01-01\n")
    mapping = TableMapping(
        {"id": "id"}, {"amount": "rent", "moved_in": "from"}, {"currency": "DKK"}
    )
    table = mapping.leases(tmp_path / "leases.csv")
    to = sent / "03.parquet"
    cases: tuple[tuple[Any, dict[str, Any], str, str], ...] = (
        (leases, {"path": sent / "02.parquet"}, "path", "duplicate_path"),
        (leases, {"path": to, "problems": sent / "02.parquet"}, "problems", "duplicate_path"),
        (leases, {"path": leases}, "path", "duplicate_path"),
        # Two tables have two names.
        ([a_lease()], {"path": to, "problems": to}, "path", "duplicate_path"),
        (leases.parent, {"path": leases.with_name("b.parquet")}, "problems", "among_leases"),
        (table, {"path": tmp_path / "leases.csv"}, "path", "duplicate_path"),
    )
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    for source, paths, name, code in cases:
        run = bill_portfolio(source, MONTH, already_billed=sent)
        assert [(name, code)] == faults(partial(run.write_parquet, **paths), InvalidRecordError)
    adjusted = adjust_portfolio(leases, "2026")
    with pytest.raises(InvalidRecordError, match="leases: is the file of the leases as well"):
        adjusted.write_parquet(to, others={"leases": leases})

    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*.*")}


@rows(
    ("misused", "said"),
    [
        *(({"batch_size": each}, "a batch has 1 lease or more") for each in (0, -1, True, "5")),
        ({"progress": True}, r"progress_bar\(\) of rentbilling.adapters.progress"),
    ],
)
def test_what_no_run_takes_is_misuse(misused: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        bill_portfolio([], MONTH, **misused)


def test_amounts_of_private_currencies_have_the_decimals_that_they_need() -> None:
    """Nothing says how many a private currency has: 10.5 of them, and 3."""
    bills = [(("PTS",), [2, 10_500_000_000_000_000, 3_000_000_000_000_000])]
    summary = RunSummary(currency_sums=dict(bills))

    assert [Amount.unchecked(Decimal("10.5"), "PTS"), Amount.unchecked(Decimal(3), "PTS")] == [
        summary.totals["PTS"].subtotal,
        summary.totals["PTS"].total,
    ]


def test_an_amount_of_zero_that_is_adjusted_is_told() -> None:
    """A run has both notices of its lease: of the record and of the rule (A62)."""
    free = a_rent(amount=1000, amounts={"2026-12-01": 0})
    lease = a_lease(free, plans=[a_plan(percent="0.03")])

    told = bill_portfolio([lease], "2026-12-01/2027-01-31").to_tables()["notices"].to_pylist()

    assert ["adjusted_from_zero"] * 2 == [row["code"] for row in told]
