"""The synchronous client is what its script writes from the asynchronous one."""

import ast
import runpy
from typing import Final

from tests.architecture.sources import ROOT
from tests.support.rows import rows

SCRIPT: Final = runpy.run_path(str(ROOT / ".ci" / "sync_client.py"))


@rows(("name", "source"), SCRIPT["MADE"].items())
def test_the_modules_are_as_the_script_writes_them(name: str, source: str) -> None:
    """Statement by statement, but for the order of imports, which `ruff` sorts afterwards."""
    written = ast.parse((SCRIPT["CLIENT"] / name).read_text(encoding="utf-8"))
    expected = ast.parse(SCRIPT["changed"](source))

    assert sorted(map(ast.dump, expected.body)) == sorted(map(ast.dump, written.body))
