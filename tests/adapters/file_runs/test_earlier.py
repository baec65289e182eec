"""Bill runs beside earlier bills: folders of months, what is made up, who is gone (A53)."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rentbilling.adapters.file_runs import bill_run, run_bills
from rentbilling.adapters.file_runs.engines import in_processes
from rentbilling.adapters.file_runs.file_errors import FileRefusedError
from rentbilling.adapters.file_runs.parts import folder_of
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import leases_to_arrow
from rentbilling.portfolio.runs.earlier_bills import EarlierBills
from rentbilling.terms import LeaseTerms
from rentbilling.testing import a_lease, a_rent
from tests.support.run_files import stopped_after

whole = EarlierBills._groups_of
FEBRUARY, MARCH, APRIL = "2026-02-01/2026-02-28", "2026-03-01/2026-03-31", "2026-04-01/2026-04-30"


def leases_in(folder: Path, *leases: LeaseTerms, name: str = "leases.parquet") -> Path:
    path = folder / name
    pq.write_table(pa.Table.from_batches([leases_to_arrow(leases)]), path)
    return path


def rent_of(lease_id: str, amount: int) -> LeaseTerms:
    return a_lease(a_rent(amount=amount), lease_id=lease_id)


def totals(path: Path) -> dict[str, str]:
    """Return the totals of the bills of a file by lease; each has one."""
    rows = pq.read_table(path, columns=["lease_id", "total"]).to_pylist()
    found = {row["lease_id"]: f"{row['total']:.2f}" for row in rows}
    assert len(rows) == len(found)
    return found


@pytest.fixture
def months(tmp_path: Path) -> Path:
    """Return a folder of the bills of February, when a rent was wrong, and of March."""
    folder = tmp_path / "bills"
    folder.mkdir()
    wrong = leases_in(tmp_path, rent_of("a", 8000), rent_of("b", 7000), name="wrong.parquet")
    right = leases_in(tmp_path, rent_of("a", 8100), rent_of("b", 7000))
    run_bills(wrong, FEBRUARY, folder / "2026-02.parquet")
    run_bills(right, MARCH, folder / "2026-03.parquet", already_billed=folder / "2026-02.parquet")
    assert {"a": "8200.00", "b": "7000.00"} == totals(folder / "2026-03.parquet")
    return folder


@pytest.mark.parametrize(
    "names", [["."], ["2026-03.parquet"], ["2026-03.parquet", "2026-02.parquet"]]
)
def test_a_month_after_a_correction_is_billed_once(months: Path, names: list[str]) -> None:
    """By the folder, by last month's file alone, and by both: 8,100 and 7,000."""
    out = months / "2026-04.parquet"
    run_bills(
        months.parent / "leases.parquet",
        APRIL,
        out,
        already_billed=[months / name for name in names],
    )

    assert {"a": "8100.00", "b": "7000.00"} == totals(out)


def test_a_run_of_several_processes_finds_the_same_bills(months: Path) -> None:
    files = [months.parent / name for name in ("one.parquet", "two.parquet")]
    for out, engine in zip(files, (None, in_processes(2)), strict=True):
        run_bills(
            months.parent / "leases.parquet",
            APRIL,
            out,
            already_billed=months,
            engine=engine,
            part_size=1,
        )

    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_file_of_the_folder_is_not_written_over(months: Path) -> None:
    before = (months / "2026-03.parquet").read_bytes()
    with pytest.raises(FileRefusedError) as refused:
        run_bills(
            months.parent / "leases.parquet",
            MARCH,
            months / "2026-03.parquet",
            already_billed=months,
        )

    assert "duplicate_path" == refused.value.problems[0].code
    assert before == (months / "2026-03.parquet").read_bytes()


def test_a_run_that_was_killed_when_its_bills_were_there_goes_on(
    months: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own bills are among the earlier ones then, as the folder has them."""
    leases, out = months.parent / "leases.parquet", months / "2026-04.parquet"
    history = months / "2026-04.history.parquet"
    with monkeypatch.context() as patch:
        patch.setattr(bill_run, "discard", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_bills(leases, APRIL, out, already_billed=months, history=history, part_size=1)
    before = out.read_bytes(), history.read_bytes()
    report = run_bills(leases, APRIL, out, already_billed=months, history=history, part_size=1)

    assert (2, 2) == (report.parts, report.kept)
    assert before == (out.read_bytes(), history.read_bytes())
    assert not folder_of(out).exists()
    with pytest.raises(FileRefusedError, match="as well"):
        run_bills(leases, APRIL, out, already_billed=months, history=history, part_size=1)


def interrupted(_folder: Path) -> None:
    raise KeyboardInterrupt


def test_another_file_of_earlier_bills_is_another_run(months: Path) -> None:
    leases, out = months.parent / "leases.parquet", months.parent / "april.parquet"
    february = months / "2026-02.parquet"
    with pytest.raises(OSError, match="No space"):
        run_bills(leases, APRIL, out, already_billed=february, engine=stopped_after(1), part_size=1)
    with pytest.raises(InvalidRecordError, match="already billed differs"):
        run_bills(
            leases, APRIL, out, already_billed=[february, *months.glob("*03.parquet")], part_size=1
        )


def test_a_history_that_was_written_in_parts_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """March is stopped after a part and begun again; in April one lease is gone, one has changed.

    Without its history, April would compare four bills of leases that are as they were.
    """
    same = [rent_of(each, 7000) for each in "abcd"]
    march = leases_in(tmp_path, *same, rent_of("e", 8000))
    april = leases_in(tmp_path, *same[1:], rent_of("e", 8100), name="april.parquet")
    for name in ("kept", "all"):
        (tmp_path / name).mkdir()
        out = tmp_path / name / "2026-03.parquet"
        history = tmp_path / "kept/history.parquet" if name == "kept" else None
        with pytest.raises(OSError, match="No space"):
            run_bills(march, MARCH, out, part_size=2, engine=stopped_after(1), history=history)
        assert run_bills(march, MARCH, out, part_size=2, history=history).kept == 1
    read: list[str | None] = []

    def noted(earlier: EarlierBills, lease_ids: Sequence[str]) -> list[int]:
        read.extend(lease_ids)
        return whole(earlier, lease_ids)

    monkeypatch.setattr(EarlierBills, "_groups_of", noted)
    reports = [
        run_bills(april, APRIL, tmp_path / f"{name}.parquet", already_billed=tmp_path / name)
        for name in ("kept", "all")
    ]

    assert read == ["e", *"bcde"]
    assert [each.summary.gone for each in reports] == [1, 1]
    assert (tmp_path / "kept.parquet").read_bytes() == (tmp_path / "all.parquet").read_bytes()
    assert totals(tmp_path / "kept.parquet")["e"] == "8200.00"
