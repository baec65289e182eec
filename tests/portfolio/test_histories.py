"""A history beside the bills: a month gives the same bytes as with all earlier bills compared."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st

from rentbilling import BillingPolicy, LeaseTerms
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import BillRecordBatches, bill_portfolio, leases_to_arrow
from rentbilling.portfolio.arrow.row_marks import row_marks
from rentbilling.portfolio.runs.bill_sources import BillFile
from rentbilling.portfolio.runs.earlier_bills import EarlierBills
from rentbilling.testing import a_lease, a_one_time_item, a_plan, a_rent, an_index, an_item
from tests.laws.test_correction_chains import MONTHS, chains
from tests.support.strategies import policies

SPRING = ("2026-02-01/2026-02-28", "2026-03-01/2026-03-31", "2026-04-01/2026-04-30")
NPI = {"2025-10": "100.0", "2026-10": "103.0"}
PLANNED = a_lease(a_rent(amount=8000), plans=[a_plan()], lease_id="planned")


def month(
    folder: Path,
    leases: Any,  # noqa: ANN401 - what a run takes
    period: Any,  # noqa: ANN401
    name: str,
    *,
    history: bool = True,
    **choices: Any,  # noqa: ANN401
) -> list[Any]:
    """Bill a month beside those of a folder, write it to the folder, and return its tables."""
    folder.mkdir(exist_ok=True)
    there = [*folder.iterdir()]
    beside = folder.with_name(f"{folder.name}-others")
    beside.mkdir(exist_ok=True)
    source = leases_to_arrow(leases) if isinstance(leases, list) else leases
    run = bill_portfolio(source, period, already_billed=folder if there else None, **choices)
    others = {each: beside / f"{each}.parquet" for each in ("adjustments", "notices")}
    if history:
        others["history"] = folder / f"{name}.history.parquet"
    problems = beside / "problems.parquet"
    run.write_parquet(folder / f"{name}.parquet", problems=problems, others=others)
    names = ("adjustments", "notices", "problems")
    tables = [pq.read_table(beside / f"{each}.parquet") for each in names]
    return [(folder / f"{name}.parquet").read_bytes(), *tables, run.summary]


def read_rows(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return where the names of the files are noted from now on whose earlier bills are read."""
    found: list[str] = []
    whole = BillFile.rows

    def noted(self: BillFile, groups: Sequence[int]) -> Any:  # noqa: ANN401
        found.append(self.path.name)
        return whole(self, groups)

    monkeypatch.setattr(BillFile, "rows", noted)
    return found


@settings(max_examples=6)
@given(st.lists(chains, min_size=3, max_size=6), policies)
def test_a_chain_with_changes_gives_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, given_: list[list[LeaseTerms]], policy: BillingPolicy
) -> None:
    """Months in which every other lease changes, is corrected, and goes on."""
    folder, policy = tmp_path_factory.mktemp("chain"), policy.evolve(select="due_date")
    for at, period in enumerate(MONTHS):
        leases = [chain[at].evolve(lease_id=f"l{n}") for n, chain in enumerate(given_)]
        # One lease is gone in the third month, and back in the fourth.
        leases = leases[1:] if at == 2 else leases
        with_history, without = (
            month(folder / name, leases, period, str(at), history=name == "kept", policy=policy)
            for name in ("kept", "all")
        )
        # The engine for single leases may have less to do, and nothing else differs.
        *tables, summary = without
        assert [*tables, str(summary)] == [*with_history[:-1], str(with_history[-1])]


def test_a_lease_with_the_same_terms_is_billed_without_its_earlier_bills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In March nothing is read; in April one rent has risen by 100 since February: two months."""
    leases = [a_lease(a_rent(), an_item(), lease_id=each) for each in "abc"]
    month(tmp_path / "sent", leases, SPRING[0], "2026-02")
    read = read_rows(monkeypatch)
    month(tmp_path / "sent", leases, SPRING[1], "2026-03")
    assert read == []
    raised = a_lease(a_rent(amount=8600), an_item(), lease_id="b")
    month(tmp_path / "sent", [leases[0], raised, leases[2]], SPRING[2], "2026-04")

    assert read == ["2026-02.parquet", "2026-03.parquet"]
    corrections = [
        (bill["lease_id"], line["net_price"])
        for bill in pq.read_table(tmp_path / "sent/2026-04.parquet").to_pylist()
        for line in bill["lines"]
        if line["kind"] == "correction"
    ]
    assert corrections == [("b", Decimal(100)), ("b", Decimal(100))]


@pytest.mark.parametrize(
    ("change", "reads"),
    [
        ({}, False),
        # Another value of the past, or another policy: what was right may not be.
        ({"indices": an_index({**NPI, "2025-10": "101.0"}, name="NPI")}, True),
        ({"policy": BillingPolicy(rounding="half_even")}, True),
        ({"billed_since": "2026-02-01"}, True),
        # A value that follows those that were known.
        ({"indices": an_index({**NPI, "2026-11": "104.0"}, name="NPI")}, False),
        ({"indices": an_index(NPI, name="CPI")}, True),
    ],
)
def test_what_bills_depend_on_decides_whether_a_history_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], *, reads: bool
) -> None:
    choices: dict[str, Any] = {"indices": an_index(NPI, name="NPI")}
    month(tmp_path / "sent", [PLANNED], SPRING[0], "2026-02", **choices)
    read = read_rows(monkeypatch)
    month(tmp_path / "sent", [PLANNED], SPRING[1], "2026-03", **choices | change)

    assert reads == bool(read)


def test_a_gap_a_file_that_was_added_and_another_month_are_compared_with_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = [a_lease(lease_id="a")]
    month(tmp_path / "sent", leases, SPRING[0], "2026-02")
    read = read_rows(monkeypatch)
    # March is made up in April: 2 × 8,500.
    run = bill_portfolio(leases_to_arrow(leases), SPRING[2], already_billed=tmp_path / "sent")
    assert sum(run.to_table().column("total").to_pylist()) == 17000
    assert (
        bill_portfolio(leases_to_arrow(leases), SPRING[0], already_billed=tmp_path / "sent")
        .to_table()
        .num_rows
        == 0
    )
    other = bill_portfolio([a_lease(lease_id="b")], SPRING[0])
    other.write_parquet(tmp_path / "sent/added.parquet", problems=tmp_path / "p.parquet")
    month(tmp_path / "sent", leases, SPRING[1], "2026-03")

    assert read == ["2026-02.parquet", "2026-02.parquet", "2026-02.parquet"]


def test_a_month_without_leases_has_a_history_too(tmp_path: Path) -> None:
    """A lease that comes in March has no earlier bill to make up for: 8,500."""
    month(tmp_path / "sent", [], SPRING[0], "2026-02")
    month(tmp_path / "sent", [a_lease(lease_id="a")], SPRING[1], "2026-03")

    bills = pq.read_table(tmp_path / "sent/2026-03.parquet")
    assert [8500] == bills.column("total").to_pylist()


def test_leases_that_are_gone_or_no_columns_are_remembered(tmp_path: Path) -> None:
    """One is gone in March and counted in April too; records have bills that are compared."""
    leases = [a_lease(lease_id=each) for each in ("a", "b")]
    month(tmp_path / "sent", leases, SPRING[0], "2026-02")
    *_, march = month(tmp_path / "sent", iter(leases[:1]), SPRING[1], "2026-03")
    raised = [a_lease(a_rent(amount=8600), lease_id="a")]
    *_, april = month(tmp_path / "sent", raised, SPRING[2], "2026-04")

    assert (march.gone, april.gone) == (1, 1)
    # 8,600 and twice 100.
    assert april.totals["DKK"].total.amount == 8800
    rows = pq.read_table(tmp_path / "sent/2026-03.history.parquet").to_pylist()
    assert [each["right_until"] for each in rows] == [None, None]


def test_a_lease_is_right_only_if_nothing_later_is_billed_already(tmp_path: Path) -> None:
    """A fee that was billed in February is due in April by other terms, and once for all."""
    fee = a_one_time_item(due_date="2026-02-15").evolve(id="fee")
    before = [a_lease(a_rent(), fee, lease_id="a")]
    later = [a_lease(a_rent(), fee.evolve(due_date="2026-04-15"), lease_id="a")]
    far = [a_lease(a_rent(), fee.evolve(due_date="2036-04-15"), lease_id="a")]
    month(tmp_path / "sent", before, SPRING[0], "2026-02")
    for leases in (later, far):
        run = bill_portfolio(leases_to_arrow(leases), SPRING[1], already_billed=tmp_path / "sent")
        bill = replace(run._bill, with_history=True)
        (row,) = bill.billed(leases_to_arrow(leases)).history.to_pylist()
        assert row["right_until"] is None


def test_bills_that_are_ahead_leave_a_lease_to_be_compared(tmp_path: Path) -> None:
    leases = [a_lease(lease_id="a")]
    month(tmp_path / "sent", leases, SPRING[2], "2026-04")
    month(tmp_path / "sent", leases, SPRING[1], "2026-03")
    (row,) = pq.read_table(tmp_path / "sent/2026-03.history.parquet").to_pylist()

    assert row["right_until"] is None


def test_a_history_that_cannot_be_is_refused(tmp_path: Path) -> None:
    class AnyDay:
        def __contains__(self, day: object) -> bool:
            return False

    leases, to = [a_lease(lease_id="a")], tmp_path / "bills.parquet"
    others: Any = {"history": tmp_path / "history.parquet"}
    table = bill_portfolio(leases, SPRING[0]).to_table()
    cases: tuple[tuple[dict[str, Any], str, str], ...] = (
        ({"output": "lines"}, "others", "unknown_word"),
        ({"already_billed": table}, "already_billed", "no_history"),
        ({"policy": BillingPolicy(select="accounting_period")}, "policy", "no_history"),
        ({"policy": BillingPolicy(holidays=AnyDay())}, "policy", "no_history"),
    )
    for choices, path, code in cases:
        run = bill_portfolio(leases, SPRING[1], **choices)
        with pytest.raises(InvalidRecordError) as refused:
            run.write_parquet(to, others=others)
        assert [(each.path, each.code) for each in refused.value.problems] == [(path, code)]
    assert [*tmp_path.iterdir()] == []


def test_a_history_travels_with_the_earlier_bills(tmp_path: Path) -> None:
    leases = [a_lease(lease_id="a")]
    month(tmp_path / "sent", leases, SPRING[0], "2026-02")
    earlier = EarlierBills(tmp_path / "sent")
    bill = BillRecordBatches(SPRING[1], already_billed=earlier)

    assert earlier.history is not None
    assert earlier.paths == [tmp_path / "sent/2026-02.parquet"]
    assert EarlierBills([tmp_path / "sent/2026-02.parquet"]).history is None
    assert bill(leases_to_arrow(leases)).num_rows == 1


def test_equal_rows_have_equal_marks_and_others_do_not() -> None:
    """Texts, numbers, days, lists in lists, flags and nulls, each also in a slice."""
    rows: list[dict[str, Any]] = [
        {},
        {"a": "x"},
        {"a": ""},
        {"b": Decimal("1.5")},
        {"b": Decimal("-1.5")},
        {"c": [{"d": ["x", "y"]}]},
        {"c": [{"d": ["y", "x"]}]},
        {"c": [{"d": ["x"]}, {"d": ["y"]}]},
        {"c": [{}, {"d": ["x", "y"]}]},
        {"e": True},
        {"e": False},
    ]
    inside = pa.list_(pa.struct([("d", pa.list_(pa.string()))]))
    kind = pa.struct(
        [("a", pa.string()), ("b", pa.decimal128(38, 15)), ("c", inside), ("e", pa.bool_())]
    )
    array = pa.array(rows, kind)
    marks = row_marks(["row"], [array], len(rows)).tolist()

    assert len({*marks}) == len(rows)
    assert row_marks(["row"], [array.slice(3)], len(rows) - 3).tolist() == marks[3:]
    assert row_marks(["a"], [pa.array([""])], 1) != row_marks(["b"], [pa.array([""])], 1)
