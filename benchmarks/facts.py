"""What the figures were taken on, what importing the package costs, and what its plugin costs.

Law: no date, no host name and no path, so that a published table changes only with its figures.
"""

import json
import os
import platform
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

_IMPORT: Final = """
import json, sys, time
begun = time.perf_counter()
import rentbilling
took = time.perf_counter() - begun
loaded = [name for name in ("pydantic", "dateutil") if name in sys.modules]
print(json.dumps({"seconds": took, "loaded": loaded}))
"""


def machine() -> dict[str, Any]:
    """Return the facts of the machine that a reader needs to place the times."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
    }


def importing(times: int) -> dict[str, Any]:
    """Return what `import rentbilling` loads beyond itself and how long it takes at best.

    Each try is a process of its own, since a module is only loaded once.
    """
    tries = [_import_once() for _ in range(times)]
    return {"seconds": min(one["seconds"] for one in tries), "loaded": tries[0]["loaded"]}


def _import_once() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT], check=True, capture_output=True, text=True
    )
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def starting_pytest(times: int) -> dict[str, float]:
    """Return the CPU seconds of a `pytest` without tests, with the plugin and without it.

    The two take turns, in an empty folder and without the plugins of others that load much; each
    figure is the median.
    """
    with TemporaryDirectory() as folder:
        pairs = [(_start(folder), _start(folder, "-p", "no:rentbilling")) for _ in range(times)]
    with_it, without = (median(seconds) for seconds in zip(*pairs, strict=True))
    return {"with": with_it, "without": without}


def _start(folder: str, *options: str) -> float:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    before = os.times()
    subprocess.run(
        [*command, "-p", "no:hypothesispytest", "-p", "no:schemathesis", *options],
        check=False,
        capture_output=True,
        cwd=folder,
    )
    after = os.times()
    user, system = (
        getattr(after, name) - getattr(before, name)
        for name in ("children_user", "children_system")
    )
    return float(user + system)
