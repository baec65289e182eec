"""Bill runs: a file of leases in, a file of bills out, the same bytes however it came about."""

import pickle
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rentbilling import BillingPolicy, PendingBill, loads
from rentbilling.adapters.bill_forms import FORMS, Form
from rentbilling.adapters.file_runs import check_leases, run_bills
from rentbilling.adapters.file_runs.bill_run import problems_of
from rentbilling.adapters.file_runs.engines import MadeParts
from rentbilling.adapters.file_runs.forms import PartMaker
from rentbilling.adapters.file_runs.part_tasks import PartTask
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import TableMapping, bill_portfolio, leases_to_arrow
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.support import run_files


def test_the_bills_are_those_of_a_portfolio_run(tmp_path: Path) -> None:
    """Rows, problems and summary are what `bill_portfolio` gives.

    16 leases have a bill in February and March: 8,500 rent each, 8 of them 500 heating as well.
    16 × 2 × 8,500 + 8 × 2 × 500 = 280,000 net, 25 % of 8,000 are 2,000 VAT. Of the other 8, one is
    bad.
    """
    leases, out = run_files.lease_file(tmp_path), tmp_path / "bills.parquet"
    report = run_files.made(leases, out)
    run = bill_portfolio(leases, run_files.PERIOD)
    tables = run.to_tables()

    assert tables["bills"] == pq.read_table(out)
    assert tables["problems"] == pq.read_table(tmp_path / "bills.problems.parquet")
    assert run.summary == report.summary
    assert (6, 0) == (report.parts, report.kept)
    assert "280000.00 DKK + 2000.00 VAT = 282000.00 DKK" in str(report.summary)
    assert (16, 1, 7) == (
        report.summary.billed,
        report.summary.with_problems,
        report.summary.nothing_due,
    )


def backwards(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
    """Give the parts in the opposite order, through bytes, as other machines may."""
    for task in reversed(list(tasks)):
        sent = pickle.loads(pickle.dumps(task.sent()))
        yield task.number, make(sent, task.first_row)


@pytest.mark.parametrize("form", FORMS)
def test_a_run_that_is_continued_gives_the_same_bytes(tmp_path: Path, form: Form) -> None:
    leases, whole, out = run_files.lease_file(tmp_path), tmp_path / "whole", tmp_path / "bills"
    first = run_files.made(leases, whole, form=form)
    out.write_text("of last month")
    with pytest.raises(OSError, match="No space"):
        run_files.made(leases, out, form=form, engine=run_files.stopped_after(3))
    between = run_files.left_in(tmp_path)
    report = run_files.made(leases, out, form=form, engine=backwards)

    problems = problems_of(whole, form)
    assert ["bills", "bills.parts", "leases.parquet", "whole", problems.name] == between
    assert (6, 3) == (report.parts, report.kept)
    assert first.summary == report.summary
    assert whole.read_bytes() == out.read_bytes()
    for name in (problems, problems_of(out, form)):
        assert problems.read_bytes() == name.read_bytes()
        assert b"lease-5" in name.read_bytes()


def test_adjustments_and_notices_are_files_too(tmp_path: Path) -> None:
    """Where they are asked for: those of `bill_portfolio`, also when the run is continued.

    An index of 100 in October 2025 and 103 in October 2026 raises 8,500 by 3 % in January 2027:
    8,755. The other lease follows the index of November, which is not published: a notice.
    """
    leases = tmp_path / "leases.parquet"
    table = leases_to_arrow(
        [
            a_lease(a_rent(), plans=[a_plan(index_month=month)], lease_id=f"{at} of month {month}")
            for at in range(2)
            for month in (10, 11)
        ]
    )
    pq.write_table(pa.Table.from_batches([table]), leases)
    npi = an_index({"2025-10": "100.0", "2025-11": "101.0", "2026-10": "103.0"}, name="NPI")
    asked: dict[str, Any] = {
        "period": "2027-01-01/2027-01-31",
        "indices": npi,
        "policy": BillingPolicy(missing_index="notice"),
    }
    others = {name: tmp_path / f"{name}.parquet" for name in ("adjustments", "notices")}
    with pytest.raises(OSError, match="No space"):
        run_files.made(
            leases,
            tmp_path / "bills.parquet",
            part_size=1,
            engine=run_files.stopped_after(2),
            **others,
            **asked,
        )
    report = run_files.made(
        leases, tmp_path / "bills.parquet", part_size=1, engine=backwards, **others, **asked
    )
    expected = bill_portfolio(leases, **asked).to_tables()

    assert 2 == report.kept
    assert (2, 2) == (report.summary.adjustments, report.summary.notices)
    assert [Decimal(8755)] * 2 == expected["bills"].column("total").to_pylist()[::2]
    assert expected["adjustments"] == pq.read_table(others["adjustments"])
    assert expected["notices"] == pq.read_table(others["notices"])


def test_two_processes_give_the_same_bytes(tmp_path: Path) -> None:
    leases, one, two = (
        run_files.lease_file(tmp_path),
        tmp_path / "one.parquet",
        tmp_path / "two.parquet",
    )
    first = run_files.made(leases, one)
    second = run_files.made(leases, two, workers=2)

    assert first == second
    assert one.read_bytes() == two.read_bytes()


def test_bills_as_json_lines_read_back_as_bills(tmp_path: Path) -> None:
    leases = run_files.lease_file(tmp_path, has_bad=False)
    run_files.made(leases, tmp_path / "bills.jsonl", form="jsonl")
    lines = (tmp_path / "bills.jsonl").read_text().splitlines()
    found = [loads(line, PendingBill) for line in lines]
    rows = bill_portfolio(leases, run_files.PERIOD).to_table().to_pylist()

    assert [row["total"] for row in rows] == [bill.total.amount for bill in found]
    assert [row["due_date"] for row in rows] == [bill.due_date for bill in found]
    assert lines[2].startswith('{"row": 1, "leaseId": "lease-1", "dueDate": "2026-02-01", ')


def test_a_lease_without_an_id_is_null_in_json_lines(tmp_path: Path) -> None:
    """Its row names it."""
    table = run_files.lease_table(has_bad=False)
    at = table.schema.get_field_index("lease_id")
    table = table.set_column(at, "lease_id", pa.nulls(run_files.LEASES, pa.string()))
    pq.write_table(table, tmp_path / "leases.parquet")
    run_files.made(tmp_path / "leases.parquet", tmp_path / "bills.jsonl", form="jsonl")

    assert (tmp_path / "bills.jsonl").read_text().startswith('{"row": 0, "leaseId": null, "due')


def test_an_empty_file_gives_empty_files(tmp_path: Path) -> None:
    pq.write_table(run_files.lease_table().slice(0, 0), tmp_path / "leases.parquet")
    report = run_files.made(tmp_path / "leases.parquet", tmp_path / "bills.parquet")

    assert (0, 0) == (report.parts, report.summary.leases)
    assert 0 == pq.read_table(tmp_path / "bills.parquet").num_rows


def test_progress_is_told_in_leases(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    leases, out = run_files.lease_file(tmp_path), tmp_path / "bills.parquet"

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    with pytest.raises(OSError, match="No space"):
        run_files.made(leases, out, engine=run_files.stopped_after(2), progress=tell)
    run_files.made(leases, out, progress=tell)

    assert [(0, 24), (4, 24), (8, 24)] == told[:3]
    assert [(8, 24), (12, 24), (16, 24)] == told[3:6]
    assert (24, 24) == told[-1]


def test_a_folder_of_files_is_one_source(tmp_path: Path) -> None:
    folder = tmp_path / "leases"
    folder.mkdir()
    table = run_files.lease_table()
    pq.write_table(table.slice(10), folder / "b.parquet")
    pq.write_table(table.slice(0, 10), folder / "a.parquet")
    run_files.made(folder, tmp_path / "bills.parquet")
    run_files.made(run_files.lease_file(tmp_path), tmp_path / "whole.parquet")

    assert pq.read_table(tmp_path / "whole.parquet") == pq.read_table(tmp_path / "bills.parquet")


def test_an_arrow_file_is_a_source(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    table = run_files.lease_table()
    for name, new in (("leases.arrow", pa.ipc.new_file), ("leases.arrows", pa.ipc.new_stream)):
        with new(tmp_path / name, table.schema) as writer:
            writer.write_table(table)
        report = run_files.made(
            tmp_path / name,
            tmp_path / f"{name}.parquet",
            already_billed=None,
            progress=lambda done, total: told.append((done, total)),
        )

        assert 16 == report.summary.billed
        assert [(0, 24), (4, 24), (24, 24)] == [*told[:2], told[-1]]
        told.clear()


@pytest.mark.parametrize("name", ["out", "problems"])
@pytest.mark.parametrize("other", ["leases.parquet", "earlier.parquet"])
def test_no_file_is_written_over_one_that_is_read(tmp_path: Path, name: str, other: str) -> None:
    leases = run_files.lease_file(tmp_path, has_bad=False)
    earlier = tmp_path / "earlier.parquet"
    run_files.made(leases, earlier)
    before = run_files.left_in(tmp_path)
    paths: Any = {"out": tmp_path / "bills.parquet", name: tmp_path / other}
    with pytest.raises(InvalidRecordError) as refused:
        run_bills(leases, run_files.PERIOD, already_billed=earlier, **paths)

    assert ["duplicate_path"] == [each.code for each in refused.value.problems]
    assert before == run_files.left_in(tmp_path)


def test_a_policy_says_how_json_lines_name_periods(tmp_path: Path) -> None:
    """Half-open: February ends on 1 March (A4)."""
    policy = BillingPolicy(period_end="excluded")
    run_files.made(
        run_files.lease_file(tmp_path),
        tmp_path / "bills.jsonl",
        form="jsonl",
        policy=policy,
        period="2026-02-01/2026-03-01",
    )
    line = (tmp_path / "bills.jsonl").read_text().splitlines()[0]

    assert '"accountingPeriod": "2026-02-01/2026-03-01"' in line


TABLE = """lease_id;rent;currency;start
1;8.500,00;DKK;15-01-2026
3;meget;DKK;01-02-2026
2;7.000,50;DKK;01-02-2026
;9,00;;
"""
MAP = """
[lease]
id = "lease_id"
[item]
amount = "rent"
currency = "currency"
moved_in = "start"
[format]
date = "DD-MM-YYYY"
decimal = ","
thousands = "."
delimiter = ";"
[rows]
skip = { "lease_id" = [""] }
"""


def test_a_table_that_is_continued_counts_its_rows_once(tmp_path: Path) -> None:
    """Progress begins with its reading: four rows, of which two are leases that can be read."""
    (tmp_path / "leases.csv").write_text(TABLE, encoding="utf-8")
    mapping, told = TableMapping.from_toml(MAP), list[tuple[int, int | None]]()
    asked: Any = (tmp_path / "leases.csv", "2026-02", tmp_path / "b.csv")
    with pytest.raises(OSError, match="No space"):
        run_bills(*asked, mapping=mapping, part_size=1, engine=run_files.stopped_after(1))
    report = run_bills(*asked, mapping=mapping, part_size=1)
    check_leases(*asked[:2], mapping=mapping, progress=lambda *count: told.append(count))

    assert (1, 3, 1) == (report.kept, report.summary.leases, report.summary.skipped_rows)
    assert [(3, None), (2, 2)] == told
