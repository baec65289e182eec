"""A portfolio that changes on the way: the same bills beside all bills and beside a history."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.file_runs.real_chains import DIFFERENT, chain
from tests.support.run_files import made, stopped_after


def stopped(leases: Path, asked: Mapping[str, Any]) -> bool:
    with pytest.raises(OSError, match="No space"):
        made(leases, **asked, engine=stopped_after(3))
    return True


def test_months_are_billed_alike_in_all_ways(tmp_path: Path) -> None:
    """One by one, beside a history, and stopped and continued; `poe chains` has two years."""
    found = chain(40, 3, tmp_path, stopped)

    assert 3 == found["killed runs"]
    assert found["bills"] > 70
    assert dict.fromkeys(DIFFERENT, 0) == {each: found[each] for each in DIFFERENT}
