"""What the figures were taken on, and what importing the package costs.

Law: no date, no host name and no path, so that a published table changes only with its figures.
"""

import json
import os
import platform
import subprocess
import sys
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
    return {
        "seconds": min(one["seconds"] for one in tries),
        "loaded": tries[0]["loaded"],
    }


def _import_once() -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT], check=True, capture_output=True, text=True
    )
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts
