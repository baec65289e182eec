"""The synchronous client is what its script writes from the asynchronous one."""

import ast
import inspect
import runpy
from typing import Final

import pytest

from rentbilling.adapters.client import AsyncRentalClient, RentalClient
from tests.architecture.sources import ROOT

SCRIPT: Final = runpy.run_path(str(ROOT / ".ci" / "sync_client.py"))


@pytest.mark.parametrize(("name", "source"), SCRIPT["MADE"].items())
def test_the_modules_are_as_the_script_writes_them(name: str, source: str) -> None:
    """Statement by statement, but for the order of imports, which `ruff` sorts afterwards."""
    written = ast.parse((SCRIPT["CLIENT"] / name).read_text(encoding="utf-8"))
    expected = ast.parse(SCRIPT["changed"](source))

    assert sorted(map(ast.dump, expected.body)) == sorted(map(ast.dump, written.body))


def test_both_clients_have_the_same_methods_and_arguments() -> None:
    """But for `aclose`, which is awaited; other methods have names and arguments in common."""

    def methods(client: type) -> dict[str, list[str]]:
        members = inspect.getmembers(client, inspect.isfunction)
        return {
            name: [*inspect.signature(each).parameters]
            for name, each in members
            if not name.startswith("_") or name == "__init__"
        }

    waiting, awaited = methods(RentalClient), methods(AsyncRentalClient)

    assert {**waiting, "aclose": waiting["close"]} == {**awaited, "close": awaited["aclose"]}
