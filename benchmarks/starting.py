"""Processor time of whole processes: the command line, which is nearly all imports.

Law: a figure is the user and system time of a process less that of a bare interpreter, over the
same of `from pydantic import BaseModel`, which records cannot do without. The processes take turns,
and the best turn of each counts.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
_NOISE: Final = frozenset({"PYTHONDONTWRITEBYTECODE", "FORCE_COLOR", "TTY_COMPATIBLE"})
"""Variables that would make a process slower than it is for others."""
_LEASE: Final = "lease.json"
_BARE: Final = ("-c", "pass")
_PYDANTIC: Final = ("-c", "from pydantic import BaseModel")
_COMMANDS: Final = {
    "names": ("-c", "from rentbilling import loads, pending_bills"),
    "help": ("-m", "rentbilling", "--help"),
    # The example of the README, whose bills are tables.
    "bills": ("-m", "rentbilling", "bills", _LEASE, "--period", "2026-01-01/2026-12-31"),
}


def times(rounds: int) -> dict[str, float]:
    """Return the processor seconds beyond a bare interpreter of each process."""
    processes = {"bare": _BARE, "pydantic": _PYDANTIC, **_COMMANDS}
    best = dict.fromkeys(processes, float("inf"))
    with TemporaryDirectory() as folder:
        # Compiled files are read as in an installed package: they are written on the first try.
        example = _run(("-m", "rentbilling", "example"), folder)
        (Path(folder) / _LEASE).write_bytes(example)
        for turn in range(rounds + 1):
            for name, arguments in processes.items():
                took = _seconds(arguments, folder)
                if turn:
                    best[name] = min(best[name], took)
    bare = best.pop("bare")
    return {name: took - bare for name, took in best.items()}


def _seconds(arguments: Sequence[str], folder: str) -> float:
    """Return the user and system time of a process, which `os.times` has in hundredths only."""
    before = getrusage(RUSAGE_CHILDREN)
    _run(arguments, folder)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _run(arguments: Sequence[str], folder: str) -> bytes:
    """Return what a process prints, which runs in a folder of its own."""
    calm = {name: value for name, value in os.environ.items() if name not in _NOISE}
    path = os.pathsep.join(filter(None, (str(_ROOT), calm.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, *arguments],
        check=True,
        capture_output=True,
        cwd=folder,
        env={**calm, "PYTHONPATH": path},
    )
    return done.stdout
