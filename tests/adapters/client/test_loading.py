"""The client is loaded by those who use it, and says what it needs."""

import subprocess
import sys

from tests.architecture.sources import ROOT


def printed(script: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=False, text=True
    )
    assert 0 == finished.returncode, finished.stderr
    return finished.stdout.strip()


def test_without_httpx_one_line_says_what_to_install() -> None:
    script = """
import sys
sys.modules["httpx"] = None
try:
    import rentbilling.adapters.client
except ImportError as missing:
    print(missing, missing.name)
"""

    assert "the client needs httpx: pip install 'rentbilling[client]' httpx" == printed(script)


def test_the_client_loads_no_server_and_no_store() -> None:
    script = """
import sys
import rentbilling.adapters.client
print([name for name in ("starlette", "uvicorn", "sqlalchemy") if name in sys.modules])
"""

    assert "[]" == printed(script)


def test_errors_that_were_pickled_are_read_where_the_client_is_installed() -> None:
    script = """
import pickle
from rentbilling.adapters.client import StateConflictError
text = pickle.dumps(StateConflictError("active_lease", asked="POST /x", status=409)).hex()
print(text)
"""
    read = "import pickle; print(pickle.loads(bytes.fromhex({!r})))"

    assert "POST /x: the service answered 409 (active_lease)" == printed(
        read.format(printed(script))
    )
