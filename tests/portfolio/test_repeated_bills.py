"""An earlier bill that is given twice is refused; two bills of one day that differ are read."""

import re
from collections.abc import Callable
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rentbilling import BillingPolicy
from rentbilling.adapters.file_runs import FileRefusedError
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import BillRecordBatches, bill_portfolio, leases_to_arrow
from rentbilling.portfolio.runs import earlier_bills
from rentbilling.portfolio.runs.bill_sources import BillFile, BillTable
from rentbilling.portfolio.runs.earlier_bills import EarlierBills
from rentbilling.testing import a_lease, a_rent, an_item
from tests.support.run_files import LEASES, lease_file, left_in, made

FEBRUARY, MARCH = "2026-02-01/2026-02-28", "2026-03-01/2026-03-31"


def batch_of(amount: int = 8500, *items: Any) -> Any:  # noqa: ANN401 - items, a record batch
    return leases_to_arrow(
        [a_lease(a_rent(amount=amount), *items, lease_id=f"lease-{at}") for at in range(6)]
    )


BATCH = batch_of()
SENT = bill_portfolio(BATCH, FEBRUARY).to_table()


def file_of(path: Path, table: Any, size: int = 2) -> Path:  # noqa: ANN401 - a table
    pq.write_table(table, path, row_group_size=size)
    return path


def refusal(given: Any) -> str:  # noqa: ANN401 - whatever holds bills
    with pytest.raises(InvalidRecordError) as refused:
        bill_portfolio(BATCH, MARCH, already_billed=given)
    (problem,) = refused.value.problems
    assert ("already_billed", "duplicate_bill") == (problem.path, problem.code)
    assert "each earlier bill once" == problem.expected
    return problem.message


def test_a_copy_of_a_file_is_refused(tmp_path: Path) -> None:
    first = file_of(tmp_path / "2026-02.parquet", SENT)
    second = Path(copy(first, tmp_path / "2026-02 (copy).parquet"))
    said = refusal(tmp_path)

    assert f"row 1 of {second} and row 1 of {first}" in said
    assert said.startswith("has the bill of lease 'lease-1', due 2026-02-01, DKK twice: ")


def turned(table: Any) -> Any:  # noqa: ANN401 - tables
    """Return the rows in the opposite order, without numbers, and with ids of another type."""
    backwards = table.take(pa.array(range(table.num_rows))[::-1]).drop_columns(["row"])
    return backwards.set_column(0, "lease_id", backwards["lease_id"].dictionary_encode())


@pytest.mark.parametrize("change", [lambda table: table, turned, lambda table: table.slice(3, 1)])
@pytest.mark.parametrize("form", ["files", "tables", "both"])
def test_the_same_bills_are_refused_however_they_are_written(
    tmp_path: Path, form: str, change: Callable[[Any], Any]
) -> None:
    given: list[Any] = [SENT, change(SENT)]
    names = ["already_billed[0]", "already_billed[1]"]
    for at in {"files": (0, 1), "tables": (), "both": (0,)}[form]:
        given[at] = file_of(tmp_path / f"{at}.parquet", given[at])
        names[at] = str(given[at])
    said = refusal(given)

    first, second = map(re.escape, names)
    assert re.search(rf"due 2026-02-01, DKK twice: row \d of {first} and row \d of {second}$", said)


def test_a_bill_twice_in_one_table_is_refused(tmp_path: Path) -> None:
    twice = pa.concat_tables([SENT, SENT.slice(4, 1)])

    assert "row 4 of already_billed and row 6 of already_billed" in refusal(twice)
    path = file_of(tmp_path / "bills.parquet", twice)
    assert f"row 4 of {path} and row 6 of {path}" in refusal(path)


def test_the_same_lines_with_another_correction_are_refused() -> None:
    knowing = bill_portfolio(batch_of(8600), MARCH, already_billed=SENT).to_table()
    alone = bill_portfolio(batch_of(8600), MARCH).to_table()
    kinds = [[line["kind"] for line in lines] for lines in knowing["lines"].to_pylist()]

    assert [["correction", "regular"]] * 6 == kinds
    assert "due 2026-03-01, DKK twice" in refusal([SENT, knowing, alone])


def left_of(batch: Any, earlier: Any) -> int:  # noqa: ANN401 - pyarrow has no types
    found: int = bill_portfolio(batch, FEBRUARY, already_billed=earlier).to_table().num_rows
    return found


def test_corrections_of_one_day_are_read() -> None:
    """The rent rises twice by 100 after February was billed: two equal bills, and both count."""
    first = bill_portfolio(batch_of(8600), FEBRUARY, already_billed=SENT).to_table()
    second = bill_portfolio(batch_of(8700), FEBRUARY, already_billed=[SENT, first]).to_table()

    assert first.drop_columns(["row"]) == second.drop_columns(["row"])
    assert 0 == left_of(batch_of(8700), [SENT, first, second])


def test_what_comes_later_to_a_day_is_read() -> None:
    more = batch_of(8500, an_item(product_key="key:parking", amount=400))
    later = bill_portfolio(more, FEBRUARY, already_billed=SENT).to_table()

    assert SENT["due_date"] == later["due_date"]
    assert 0 == left_of(more, [later, SENT])


def test_bills_of_two_currencies_are_read() -> None:
    both = leases_to_arrow(
        [a_lease(a_rent(), a_rent(amount=900, currency="EUR"), lease_id="lease-0")]
    )
    sent = bill_portfolio(both, FEBRUARY).to_table()

    assert 2 == sent.num_rows
    assert 0 == left_of(both, sent)


def test_bills_are_compared_where_their_marks_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(earlier_bills, "_BY_DAY", np.uint64(0))
    march = bill_portfolio(BATCH, MARCH).to_table()

    assert 0 == left_of(BATCH, [SENT, march])
    monkeypatch.setattr(
        earlier_bills, "short_fingerprints", lambda ids: np.zeros(len(ids), np.uint64)
    )
    assert {0} == set(earlier_bills.marks_of(march)[1].tolist())
    assert "row 5 of already_billed[0] and row 5 of already_billed[2]" in refusal(
        [SENT, march, SENT]
    )


def test_lines_are_read_only_where_two_bills_have_one_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [file_of(tmp_path / "2.parquet", SENT)]
    files.append(file_of(tmp_path / "3.parquet", bill_portfolio(BATCH, MARCH).to_table()))
    read: list[tuple[str, list[int]]] = []
    rows = BillFile.rows

    def watched(self: BillFile, groups: Any) -> Any:  # noqa: ANN401 - numbers, tables
        read.append((self.path.name, [*groups]))
        return rows(self, read[-1][1])

    monkeypatch.setattr(BillFile, "rows", watched)
    EarlierBills(files)
    assert [] == read
    refusal([*files, Path(copy(files[0], tmp_path / "4.parquet"))])

    assert [("2.parquet", [0]), ("4.parquet", [0])] == read


def test_engines_refuse_them_before_a_batch_comes() -> None:
    with pytest.raises(InvalidRecordError, match="row 0 of already_billed"):
        BillRecordBatches(MARCH, already_billed=pa.concat_tables([SENT.slice(0, 1)] * 2))


def test_nothing_is_twice_in_nothing() -> None:
    empty = SENT.slice(0, 0)

    assert {} == EarlierBills([empty, empty]).of(["lease-0"], BillingPolicy())
    assert BillTable(empty, "one") == BillTable(empty, "other")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bill_run_is_refused_and_goes_on_without_the_copy(tmp_path: Path, workers: int) -> None:
    leases, sent, out = lease_file(tmp_path, has_bad=False), tmp_path / "sent", tmp_path / "b.csv"
    sent.mkdir()
    options: dict[str, Any] = {"already_billed": sent, "workers": workers}
    made(leases, sent / "2026-02.parquet", period=FEBRUARY)
    (sent / "2026-02.problems.parquet").unlink()

    def full(_number: int, _total: int) -> None:
        if any((tmp_path / "b.csv.parts").glob("part-*")):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        made(leases, out, progress=full, **options)
    twin = Path(copy(sent / "2026-02.parquet", sent / "2026-02 (copy).parquet"))
    with pytest.raises(FileRefusedError, match="has the bill of lease 'lease-") as refused:
        made(leases, out, **options)

    # By their names the copy comes first.
    assert str(sent / "2026-02.parquet") == refused.value.file
    assert str(twin) in str(refused.value)
    assert "b.csv.parts" in left_in(tmp_path)
    twin.unlink()
    report = made(leases, out, **options)
    assert report.kept > 0
    assert LEASES == report.summary.leases
