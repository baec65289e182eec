"""Files of portfolio runs that cannot be written: told by the names that were asked for."""

from pathlib import Path

import pytest

from rentbilling.portfolio import bill_portfolio
from rentbilling.testing import a_lease

MARCH = "2026-03-01/2026-03-31"


def test_a_file_without_a_folder_is_named(tmp_path: Path) -> None:
    run = bill_portfolio([a_lease()], MARCH)
    path = tmp_path / "gone" / "bills.parquet"
    with pytest.raises(FileNotFoundError, match="there is no folder") as refused:
        run.write_parquet(path, problems=tmp_path / "problems.parquet")

    assert str(path) == refused.value.filename
    assert 1 == run.write_parquet(tmp_path / "bills.parquet").bills


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    run = bill_portfolio([a_lease()], MARCH)
    with pytest.raises(IsADirectoryError, match="is a folder, not a file") as refused:
        run.write_parquet(tmp_path / "bills.parquet", others={"lines": tmp_path})

    assert str(tmp_path) == refused.value.filename
    assert [] == [*tmp_path.iterdir()]
