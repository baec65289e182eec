"""Memory of one process that bills many different leases once each: its caches are bounded.

Law: the process is one of its own, and the figure is the most memory that it ever had, after a
tenth of the leases and after all of them. A cache that kept something of each lease would show as
ten times as much.
"""

import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Final

from benchmarks import wire, workload
from rentbilling import Period, dumps, loads, pending_bills

_ROOT: Final = Path(__file__).resolve().parents[1]
_MONTH: Final = Period(date(2026, 6, 1), date(2026, 6, 30))


def after(leases: int) -> dict[str, int]:
    """Return the most memory that a process had after a tenth of some leases, and after all.

    In KiB, as Linux counts; each lease is read, billed for a month and written.
    """
    done = subprocess.run(
        [sys.executable, "-c", f"from benchmarks import memory; memory.bill({leases})"],
        check=True,
        capture_output=True,
        cwd=_ROOT,
    )
    figures: dict[str, int] = json.loads(done.stdout)
    return figures


def _most() -> int:
    """Return the most memory of this program; what getrusage counts includes that of its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (kibibytes,) = re.findall(r"^VmHWM:\s*(\d+)", status, re.MULTILINE)
    return int(kibibytes)


def bill(leases: int) -> None:
    """Bill so many different leases, and print the figures."""
    figures: dict[str, int] = {}
    for number in range(leases):
        dumps(pending_bills(loads(wire.lease_text(workload.lease(number))), _MONTH))
        if number + 1 == leases // 10:
            figures["tenth"] = _most()
    figures["all"] = _most()
    print(json.dumps(figures))
