"""Bill runs that are killed: the same bytes when they are continued, whatever the moment was.

The moments are events of the interpreter (a file opened, renamed, removed, ...), counted from the
beginning of a run, so that those between two steps of keeping a part are among them.
"""

import multiprocessing
import os
import random
import signal
import sys
from itertools import count
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any

import pytest

from tests.support.run_files import lease_file, left_in, made

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no SIGKILL")

MOMENTS = int(os.environ.get("RENTBILLING_KILLS", "4"))
NAMES = ("bills.parquet", "bills.problems.parquet")


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    return multiprocessing.get_context("forkserver")


def run_until(leases: Path, last: int, told: Path | None = None, **asked: Any) -> None:  # noqa: ANN401 - options by name
    """Run, and be killed at an event; tell how many there were when none ends it."""
    events = count(1)

    def heard(_event: str, _about: tuple[object, ...]) -> None:
        if next(events) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(heard)
    made(leases, **asked)
    if told is not None:
        told.write_text(str(next(events)))


def ended(process: ForkServerProcess) -> int | None:
    process.start()
    process.join()
    return process.exitcode


def test_a_run_killed_at_any_moment_goes_on_to_the_same_bytes(
    processes: ForkServerContext, tmp_path: Path
) -> None:
    leases, told = lease_file(tmp_path), tmp_path / "told"
    whole, folder = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    process = processes.Process(
        target=run_until, args=(leases, 0, told), kwargs={"out": whole / NAMES[0]}
    )
    assert 0 == ended(process)
    expected = {name: (whole / name).read_bytes() for name in NAMES}
    chance = random.Random(7)  # noqa: S311 - moments, no secrets
    # Each in a share of its own, so that the beginning, the parts and the end are among them.
    step = int(told.read_text()) // MOMENTS
    for share in range(MOMENTS):
        folder.mkdir()
        out = folder / NAMES[0]
        last = share * step + chance.randint(1, step)
        process = processes.Process(target=run_until, args=(leases, last), kwargs={"out": out})
        assert -signal.SIGKILL == ended(process)
        there = {name: (folder / name).read_bytes() for name in NAMES if (folder / name).exists()}
        assert there.items() <= expected.items()
        made(leases, out)
        assert expected == {name: (folder / name).read_bytes() for name in NAMES}
        assert [*NAMES] == left_in(folder)
        for name in NAMES:
            (folder / name).unlink()
        folder.rmdir()
