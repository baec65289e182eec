"""The pytest plugin shows bills beside each other, and costs nothing where there are none."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from datetime import date
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rentbilling import BillingResult, RentAdjustment, pending_bills
from rentbilling.testing import a_bill, a_lease, a_line, a_rent
from rentbilling.testing.pytest_assertions import compared, golden_comparison
from rentbilling.testing.pytest_plugin import pytest_addoption, pytest_assertrepr_compare
from tests.support.rows import rows

PLUGIN = "rentbilling.testing.pytest_plugin"
WRONG = a_bill(a_line(), total="8500.01")


# What pytest loads by itself of others takes most of the time that a start takes.
OTHERS = ("-p", "no:hypothesispytest", "-p", "no:schemathesis")
NAMED = any(each.value == PLUGIN for each in entry_points(group="pytest11"))
OURS = ("-p", "rentbilling" if NAMED else PLUGIN)
# What a run within another one does again at its end, and the warning that we are loaded already.
INSIDE = [
    "-p",
    "no:cacheprovider",
    "-p",
    "no:faulthandler",
    "-p",
    "no:threadexception",
    "-p",
    "no:unraisableexception",
    "--capture=sys",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
]


def pytest_run(folder: Path, test: str, *options: str, **environ: str) -> str:
    """Return what pytest says about a test file, with the plugin, within this interpreter.

    Of the plugins that are installed only ours is loaded.
    """
    (folder / "test_them.py").write_text(test, encoding="utf-8")
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
        alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200", **environ}
        for name, value in alone.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        patch.setattr(sys, "path", [*sys.path])
        pytest.main([*INSIDE, *OURS, *options, "test_them.py"])
    sys.modules.pop("test_them", None)
    return said.getvalue()


def pytest_process(folder: Path, test: str, *, autoload: bool = False) -> str:
    """Return what pytest says in an interpreter of its own, perhaps with plugins it looks for."""
    (folder / "test_them.py").write_text(test, encoding="utf-8")
    alone = "" if autoload else "1"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_them.py"),
            *(OTHERS if autoload and NAMED else OURS),
        ],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": alone, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


def asserted(op: str, left: object, right: object) -> list[str] | None:
    config: Any = SimpleNamespace(get_verbosity=lambda _: 2)
    return pytest_assertrepr_compare(config, op, left, right)


def test_the_project_names_the_plugin() -> None:
    project = Path(__file__).parents[2] / "pyproject.toml"

    assert f'[project.entry-points.pytest11]\nrentbilling = "{PLUGIN}"' in project.read_text(
        "utf-8"
    )


def test_bills_that_differ_are_shown_beside_each_other(tmp_path: Path) -> None:
    said = pytest_run(
        tmp_path,
        "from rentbilling.testing import a_bill, a_line\n"
        "def test_total():\n    assert a_bill() == a_bill(a_line(), total='8500.01')\n",
    )

    assert "the bills differ: 1 difference" in said
    assert "* total                  8500.00  8500.01" in said
    assert (
        "due 2026-02-01, total: left 8500.00 DKK, right 8500.01 DKK, right is 0.01 higher" in said
    )


def test_what_matters_is_not_cut_off(tmp_path: Path) -> None:
    """Of ten differences pytest shows eight lines: sentences, and the table where one asks for it.

    The rent is 100.00 lower on the five bills of January to May, each with its own price.
    """
    test = (
        "from rentbilling.testing import a_bill, a_line\n"
        "def bills(amount):\n"
        "    return [a_bill(a_line(amount=amount + n, period=f'2026-0{n}-01/2026-0{n}-28'),\n"
        "                   due=f'2026-0{n}-01') for n in range(1, 6)]\n"
        "def test_rent():\n    assert bills(8500) == bills(8400)\n"
    )
    # Where a run is no interactive one, pytest cuts nothing off, and older ones call any CI so.
    brief = pytest_run(tmp_path, test, CI="", BUILD_NUMBER="")
    told = [line for line in brief.splitlines() if line.startswith("E ")]
    full = pytest_run(tmp_path, test, "-vv")

    assert "due 2026-01-01, price of key:rent" in told[1]
    assert ["due 2026-0" in line for line in told[1:7]] == [True, False] * 3
    assert all("4 consequences: unit price without VAT" in line for line in told[2:7:2])
    assert "* key:rent 2026-05-01/2026-05-28  1 × 8505" in full
    assert "  VAT Exempt                      0.00" in full


def test_golden_files_beside_the_test(tmp_path: Path) -> None:
    """By the fixture, by the function, and in a test of unittest, also from another folder."""
    test = (
        "import os\nfrom unittest import TestCase\n"
        "from rentbilling.testing import a_bill, assert_matches_golden\n"
        f"os.chdir({os.fspath(tmp_path.parent)!r})\n"
        "def test_bill(golden_bills):\n    golden_bills(a_bill())\n"
        "def test_named():\n    assert_matches_golden(a_bill(), 'bills/one.json')\n"
        "class TestBill(TestCase):\n"
        "    def test_other(self):\n        assert_matches_golden(a_bill(), 'two.json')\n"
    )
    golden = ("golden/test_them/test_bill.json", "bills/one.json", "two.json")
    files = [(tmp_path / each).as_posix() for each in golden]

    missing = pytest_run(tmp_path, test)
    assert all(f"there is no golden file {each}; run" in missing for each in files)
    assert "3 passed" in pytest_run(tmp_path, test, "--update-golden")
    assert files == [each for each in files if Path(each).exists()]
    assert "3 passed" in pytest_run(tmp_path, test)
    other = pytest_run(tmp_path, test.replace("(a_bill()", "([]"))
    assert all(f"the bills are not those of {each}: " in other for each in files)


def test_the_plugin_loads_nothing_until_it_is_needed(tmp_path: Path) -> None:
    said = pytest_process(
        tmp_path,
        "import sys\n"
        "def test_loaded():\n"
        "    ours = sorted(each for each in sys.modules if each.startswith('rentbilling'))\n"
        "    heavy = {'pydantic', 'dateutil', 'hypothesis.strategies'} & set(sys.modules)\n"
        "    assert (ours, heavy) == (['rentbilling', 'rentbilling.lazy', 'rentbilling.testing',\n"
        f"        '{PLUGIN}'], set())\n",
    )

    assert "1 passed" in said


def test_the_coverage_of_a_project_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import rentbilling\n\n\ndef total():\n"
        "    bills = rentbilling.pending_bills([], '2026-01-01/2026-12-31')\n"
        "    return len(bills)\n",
        encoding="utf-8",
    )
    (tmp_path / "test_mine.py").write_text(
        "import sys\n\n\ndef test_total():\n"
        "    assert 'rentbilling.values.money' not in sys.modules\n"
        "    import mine\n    assert mine.total() == 0\n",
        encoding="utf-8",
    )
    options = ("-m", "coverage", "run", "--branch", "--source=.", "-m", "pytest", "-q", *OTHERS)
    outputs = [
        subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=False,
        ).stdout
        for arguments in (
            (*options, "-p", "no:cacheprovider", "test_mine.py"),
            ("-m", "coverage", "report", "--format=total"),
            ("-m", "coverage", "report", "--show-missing"),
        )
    ]

    assert "1 passed" in outputs[0]
    assert "100" == outputs[1].strip()
    assert {"mine.py", "test_mine.py"} == set(re.findall(r"^(\S+[.]py)", outputs[2], re.MULTILINE))


def test_the_package_is_imported_as_python_imports_it(tmp_path: Path) -> None:
    said = pytest_process(
        tmp_path,
        "import rentbilling.values.money\n"
        "def test_loader():\n"
        "    assert type(rentbilling.values.money.__loader__).__name__ == 'SourceFileLoader'\n",
        # Where pytest looks for its plugins itself, it also sees whose asserts to rewrite.
        autoload=True,
    )

    assert "1 passed" in said


def test_other_values_are_left_to_pytest() -> None:
    assert asserted("==", "8500", "8500.01") is None
    assert asserted("==", [], {}) is None
    assert asserted("!=", a_bill(), WRONG) is None
    assert asserted("==", a_bill(), "8500.01") is None
    assert asserted("==", [a_bill(), 1], [a_bill()]) is None
    assert asserted("==", {"one": a_bill(), "two": 2}, {"one": a_bill(), "two": 3}) is None
    assert asserted("==", a_lease(), 7) is None


@rows(
    ("left", "right"),
    [
        (a_bill(), WRONG),
        ([a_bill()], [WRONG]),
        ((a_bill(),), BillingResult([WRONG])),
        (pending_bills(a_rent(amount="8500.00"), "2026-02-01/2026-02-28"), [WRONG]),
    ],
)
def test_one_wrong_total_in_every_form(left: object, right: object) -> None:
    said = asserted("==", left, right)

    assert said is not None
    assert "the bills differ: 1 difference" == said[0]


def test_no_bills_beside_some() -> None:
    assert "the bills differ: 1 difference" == (compared([], [a_bill()]) or [""])[0]
    assert "the bills differ: 1 difference" == (compared(BillingResult([a_bill()]), []) or [""])[0]


def test_line_items_are_compared_too() -> None:
    said = compared(a_line(), a_line(quantity=2))

    assert said is not None
    assert "the line items differ: 2 differences: 1 cause, 1 consequence" == said[0]
    assert said == compared([a_line()], (a_line(quantity=2),))


def test_equal_bills_in_containers_of_two_kinds() -> None:
    bills = [a_bill(), WRONG]

    assert [
        "the bills are equal, but the left side is a list, the right one a BillingResult"
    ] == compared(bills, BillingResult(bills))
    assert ["the bills are equal except for their order"] == compared(
        [a_bill(), a_bill(due="2026-03-01")], [a_bill(due="2026-03-01"), a_bill()]
    )


def test_dicts_of_bills_are_compared_key_by_key() -> None:
    left = {"lease-1": a_bill(), "lease-2": a_bill(), "count": 2}
    right = {"lease-1": WRONG, "count": 3}
    said = asserted("==", left, right)

    assert said is not None
    assert "'lease-1': the bills differ: 1 difference" == said[0]
    assert "'lease-2': only the left side has it" in said
    assert "'count': left 2, right 3" == said[-1]


@rows(
    ("left", "right", "told"),
    [
        (
            a_lease(a_rent(due_day=1)),
            a_lease(a_rent(due_day=2)),
            "recurring_bill_items[0].due_date_rule.day_of_period: left 1, right 2",
        ),
        (a_lease(), a_lease(a_rent(), a_rent()), "recurring_bill_items: left has 1, right 2"),
        (
            RentAdjustment(adjusted_on=date(2026, 1, 1)),
            RentAdjustment(adjusted_on=date(2026, 2, 1)),
            "adjusted_on: left datetime.date(2026, 1, 1), right datetime.date(2026, 2, 1)",
        ),
        (
            a_bill().vat_totals,
            a_bill(vat_totals={"Exempt": "0.01"}).vat_totals,
            "[0].amount: left Amount(Decimal('0.00'), 'DKK'), right Amount(Decimal('0.01'), 'DKK')",
        ),
    ],
)
def test_other_records_are_told_field_by_field(left: object, right: object, told: str) -> None:
    said = asserted("==", left, right)

    assert said is not None
    assert told in said[1:]
    assert said[0].startswith("the records differ: ")


@pytest.mark.parametrize(
    ("part", "named"), [("first one", "first_one"), ("b/c", "b_c"), ("d", "d")]
)
def test_the_fixture_names_files_by_module_and_test(
    golden_bills: Callable[..., None], request: pytest.FixtureRequest, part: str, named: str
) -> None:
    test = f"test_the_fixture_names_files_by_module_and_test-{named}-{named}"
    pattern = (
        f"there is no golden file .*/golden/test_pytest_assertions/{test}(-[0-9a-f]{{8}})?[.]json"
    )
    with pytest.raises(AssertionError, match=pattern) as caught:
        golden_bills(a_bill(), update=False)

    assert (part != named) == bool(re.search("-[0-9a-f]{8}[.]json", str(caught.value)))
    assert request.path.parent.as_posix() in str(caught.value)


def test_a_second_call_of_one_test_has_a_file_of_its_own(golden_bills: Callable[..., None]) -> None:
    folder = "/golden/test_pytest_assertions/"
    test = "test_a_second_call_of_one_test_has_a_file_of_its_own"
    for name in (f"{test}.json", f"{test}.2.json", f"{test}.3.json"):
        with pytest.raises(AssertionError, match=re.escape(f"{folder}{name}")):
            golden_bills(a_bill(), update=False)


def asked_by(test: str, folder: Path, config: object) -> Callable[..., None]:
    """Return what the fixture gives a test of `test_them.py` in a folder, within one run."""
    node = SimpleNamespace(name=test, nodeid=f"test_them.py::{test}", listchain=list)
    request: Any = SimpleNamespace(node=node, path=folder / "test_them.py", config=config)
    return golden_comparison(request)


def test_two_names_that_differ_by_case_are_refused_in_one_run(tmp_path: Path) -> None:
    run = SimpleNamespace(stash=pytest.Stash(), getoption=lambda _, default: not default)
    asked_by("test_rent", tmp_path, run)(a_bill())
    other = asked_by("test_Rent", tmp_path, run)
    with pytest.raises(AssertionError) as caught:
        other(WRONG)
    other(WRONG, "other.json")

    owned = tmp_path / "golden" / "test_them" / "test_rent.json"
    assert (
        f"the golden file {owned.with_name('test_Rent.json').as_posix()} is that of "
        "test_them.py::test_rent; give one of the two a name: golden_bills(bills, name)"
    ) == str(caught.value)
    assert ["other.json", owned.name] == sorted(each.name for each in tmp_path.rglob("*.json"))


def test_the_same_test_may_ask_for_its_file_again(tmp_path: Path) -> None:
    run = SimpleNamespace(stash=pytest.Stash(), getoption=lambda _, default: default)
    asked_by("test_rent", tmp_path, run)(a_bill(), update=True)
    asked_by("test_rent", tmp_path, run)(a_bill())

    with pytest.raises(AssertionError, match="1 difference"):
        asked_by("test_rent", tmp_path, run)(WRONG)


def test_no_two_tests_share_a_golden_file(tmp_path: Path) -> None:
    test = (
        "import pytest\n"
        "from rentbilling.testing import a_bill\n"
        "class TestA:\n"
        "    def test_x(self, golden_bills):\n        golden_bills(a_bill())\n"
        "class TestB:\n"
        "    def test_x(self, golden_bills):\n        golden_bills(a_bill(due='2026-03-01'))\n"
        "@pytest.mark.parametrize('day', ['2026/03', '2026 03', '2026-03'])\n"
        "def test_y(golden_bills, day):\n"
        "    golden_bills(a_bill(due=f'2026-03-0{len(day) + ord(day[4]) % 3}'))\n"
        "def test_z(golden_bills):\n"
        "    golden_bills(a_bill())\n    golden_bills(a_bill(due='2026-03-01'))\n"
    )

    assert "6 passed" in pytest_run(tmp_path, test, "--update-golden")
    assert "6 passed" in pytest_run(tmp_path, test)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json"))
    assert 7 == len(files)
    assert ["TestA/test_x.json", "TestB/test_x.json"] == [
        name.removeprefix("golden/test_them/") for name in files[:2]
    ]
    assert ["test_z.2.json", "test_z.json"] == [name.rpartition("/")[2] for name in files[-2:]]


def test_a_file_of_another_test_is_refused(tmp_path: Path) -> None:
    test = (
        "from rentbilling.testing import a_bill\n"
        "def test_rent(golden_bills):\n    golden_bills(a_bill())\n"
        "def test_Rent(golden_bills):\n    golden_bills(a_bill())\n"
    )
    said = pytest_run(tmp_path, test, "--update-golden")

    assert "1 failed, 1 passed" in said
    assert "is that of test_them.py::test_rent; give one of the two a name" in said


def test_the_fixture_takes_a_name(golden_bills: Callable[..., None], tmp_path: Path) -> None:
    golden_bills(a_bill(), str(tmp_path / "bill.json"), update=True)
    golden_bills(a_bill(), str(tmp_path / "bill.json"))

    assert (tmp_path / "bill.json").exists()


def test_pytest_may_keep_its_list_elsewhere() -> None:
    added: list[str] = []
    group = SimpleNamespace(addoption=lambda name, **_: added.append(name))
    parser: Any = SimpleNamespace(getgroup=lambda _: group)
    hook = SimpleNamespace(
        _must_rewrite={"rentbilling", "other"},
        _marked_for_rewrite_cache={"rentbilling.values.money": True},
    )
    manager: Any = SimpleNamespace(rewrite_hook=hook)
    pytest_addoption(parser, manager)
    pytest_addoption(parser, SimpleNamespace(rewrite_hook=None))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

    assert (["--update-golden"] * 2, {"other"}, {}) == (
        added,
        hook._must_rewrite,
        hook._marked_for_rewrite_cache,
    )
