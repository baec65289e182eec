"""The pytest plugin shows bills beside each other, and costs nothing where there are none."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rentbilling import BillingResult, pending_bills
from rentbilling.testing import a_bill, a_line, a_rent
from rentbilling.testing.plugin import compared
from rentbilling.testing.pytest_plugin import pytest_addoption, pytest_assertrepr_compare

PLUGIN = "rentbilling.testing.pytest_plugin"
WRONG = a_bill(total="8500.01")


def pytest_run(folder: Path, test: str, *options: str) -> str:
    """Return what pytest says about a test file, with the plugin, in an interpreter of its own."""
    (folder / "test_them.py").write_text(test, encoding="utf-8")
    named = any(each.value == PLUGIN for each in entry_points(group="pytest11"))
    loaded = () if named else ("-p", PLUGIN)
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *loaded, *options)
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"}
    done = subprocess.run(
        [*command, "test_them.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


def test_the_project_names_the_plugin() -> None:
    """Who installs the package has the plugin without naming it."""
    project = Path(__file__).parents[2] / "pyproject.toml"

    assert f'[project.entry-points.pytest11]\nrentbilling = "{PLUGIN}"' in project.read_text(
        "utf-8"
    )


def test_bills_that_differ_are_shown_beside_each_other(tmp_path: Path) -> None:
    """An assert of two bills shows the table instead of both reprs."""
    said = pytest_run(
        tmp_path,
        "from rentbilling.testing import a_bill\n"
        "def test_total():\n    assert a_bill() == a_bill(total='8500.01')\n",
    )

    assert "the bills differ: 1 difference" in said
    assert "* total                           8500.00                       8500.01" in said
    assert "due 2026-02-01, total: left 8500.00 DKK, right 8500.01 DKK, 0.01 higher" in said


def test_golden_files_beside_the_test(tmp_path: Path) -> None:
    """The first run fails, `--update-golden` writes the file, the next one passes."""
    test = (
        "from rentbilling.testing import a_bill\n"
        "def test_bill(golden_bills):\n    golden_bills(a_bill())\n"
    )

    assert "there is no golden file" in pytest_run(tmp_path, test)
    assert "1 passed" in pytest_run(tmp_path, test, "--update-golden")
    assert (tmp_path / "golden" / "test_them" / "test_bill.json").exists()
    assert "1 passed" in pytest_run(tmp_path, test)
    assert "the bills are not those of" in pytest_run(tmp_path, test.replace("a_bill()", "[]"))


def test_the_plugin_loads_nothing_until_it_is_needed(tmp_path: Path) -> None:
    """A test run without bills loads no record of ours, no pydantic and no Hypothesis.

    Only the two empty packages above the plugin and the plugin itself are there.
    """
    said = pytest_run(
        tmp_path,
        "import sys\n"
        "def test_loaded():\n"
        "    ours = sorted(each for each in sys.modules if each.startswith('rentbilling'))\n"
        "    heavy = {'pydantic', 'dateutil', 'hypothesis.strategies'} & set(sys.modules)\n"
        "    assert (ours, heavy) == (['rentbilling', 'rentbilling.testing',\n"
        f"        '{PLUGIN}'], set())\n",
        "-p",
        "no:hypothesispytest",
    )

    assert "1 passed" in said


def test_the_package_is_imported_as_python_imports_it(tmp_path: Path) -> None:
    """Pytest rewrites the asserts of whole distributions with a plugin; ours is left alone."""
    said = pytest_run(
        tmp_path,
        "import rentbilling.money\n"
        "def test_loader():\n"
        "    assert type(rentbilling.money.__loader__).__name__ == 'SourceFileLoader'\n",
    )

    assert "1 passed" in said


def test_other_values_are_left_to_pytest() -> None:
    """Comparisons of anything else, and other comparisons of bills, have no explanation of ours."""
    assert pytest_assertrepr_compare("==", "8500", "8500.01") is None
    assert pytest_assertrepr_compare("==", [], {}) is None
    assert pytest_assertrepr_compare("!=", a_bill(), WRONG) is None
    assert pytest_assertrepr_compare("==", a_bill(), "8500.01") is None
    assert pytest_assertrepr_compare("==", [a_bill(), 1], [a_bill()]) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (a_bill(), WRONG),
        ([a_bill()], [WRONG]),
        ((a_bill(),), BillingResult([WRONG])),
        (pending_bills(a_rent(amount="8500.00"), "2026-02-01/2026-02-28"), [WRONG]),
    ],
)
def test_one_wrong_total_in_every_form(left: object, right: object) -> None:
    """Bills, lists and results are compared with each other."""
    said = pytest_assertrepr_compare("==", left, right)

    assert said is not None
    assert "the bills differ: 1 difference" == said[0]


def test_no_bills_beside_some() -> None:
    """An empty list is compared with bills, on either side."""
    assert "the bills differ: 1 difference" == (compared([], [a_bill()]) or [""])[0]
    assert "the bills differ: 1 difference" == (compared(BillingResult([a_bill()]), []) or [""])[0]


def test_line_items_are_compared_too() -> None:
    """Two lines, or lists of them."""
    said = compared(a_line(), a_line(quantity=2))

    assert said is not None
    assert "the line items differ: 2 differences" == said[0]
    assert said == compared([a_line()], (a_line(quantity=2),))


def test_equal_bills_in_containers_of_two_kinds() -> None:
    """Where only the containers differ, that is what is said."""
    bills = [a_bill(), WRONG]

    assert [
        "the bills are equal, but the left side is a list, the right one a BillingResult"
    ] == compared(bills, BillingResult(bills))
    assert ["the bills are equal but for the order in which they stand"] == compared(
        [a_bill(), a_bill(due="2026-03-01")], [a_bill(due="2026-03-01"), a_bill()]
    )


@pytest.mark.parametrize("part", ["first one", "b/c"])
def test_the_fixture_names_files_by_module_and_test(
    golden_bills: Callable[..., None], request: pytest.FixtureRequest, part: str
) -> None:
    """What a file name cannot hold becomes an underscore."""
    name = "test_the_fixture_names_files_by_module_and_test_" + part.translate({32: "_", 47: "_"})
    path = request.path.parent / "golden" / "test_plugin" / f"{name}.json"
    with pytest.raises(AssertionError, match="there is no golden file") as caught:
        golden_bills(a_bill(), update=False)

    assert path.as_posix() in str(caught.value)


def test_the_fixture_takes_a_name(golden_bills: Callable[..., None], tmp_path: Path) -> None:
    """A name is relative to the folder of the test; a whole path stays as it is."""
    golden_bills(a_bill(), str(tmp_path / "bill.json"), update=True)
    golden_bills(a_bill(), str(tmp_path / "bill.json"))

    assert (tmp_path / "bill.json").exists()


def test_pytest_may_keep_its_list_elsewhere() -> None:
    """A pytest that knows no such list is left as it is; the option is added all the same."""
    added: list[str] = []
    group = SimpleNamespace(addoption=lambda name, **_: added.append(name))
    parser: Any = SimpleNamespace(getgroup=lambda _: group)
    hook = SimpleNamespace(
        _must_rewrite={"rentbilling", "other"},
        _marked_for_rewrite_cache={"rentbilling.money": True},
    )
    manager: Any = SimpleNamespace(rewrite_hook=hook)
    pytest_addoption(parser, manager)
    pytest_addoption(parser, SimpleNamespace(rewrite_hook=None))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

    assert (["--update-golden"] * 2, {"other"}, {}) == (
        added,
        hook._must_rewrite,
        hook._marked_for_rewrite_cache,
    )
