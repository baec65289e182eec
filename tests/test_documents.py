"""The README leads a newcomer to a running test, and the guide has its pages."""

import ast
import re
import subprocess
import tomllib
from pathlib import Path

from tests.architecture import sources
from tests.support.rows import rows

PAGES = (
    "tour",
    "adjustments",
    "verifying",
    "settlements",
    "what_if",
    "portfolio",
    "engines",
    "serving",
    "client",
    "recipes/tables_to_bills",
    "recipes/fastapi",
    "recipes/django",
    "recipes/bills_in_ci",
    "recipes/deployment",
    "registers/assumptions",
    "features",
    "glossary",
    "limits",
    "compatibility",
    "changes",
)
SHELL_BLOCK = re.compile(r"^```sh *\n(?P<commands>.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"[a-z]+(_[a-z]+)*")
# The second says its kind first; the first leads from one engine to the other, and nobody meets it.
OTHERWISE = ("BeyondArraysError", "RefusalError")
EXAMPLE_BLOCK = re.compile(r"^```(?:python|pycon) *\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def section_of(path: Path, title: str) -> str:
    """Return what stands under a heading of the second rank, up to the next one."""
    _, found, rest = sources.text_of(path).partition(f"\n## {title}\n")
    assert found, f"no heading {title!r}"
    return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def first_commands() -> list[str]:
    """Return the blocks of commands with which the README begins: install, then test."""
    start = section_of(sources.ROOT / "README.md", "Start")
    return [block["commands"] for block in SHELL_BLOCK.finditer(start)][:2]


def test_the_readme_begins_with_commands_to_install_and_to_test() -> None:
    install, test = first_commands()

    assert "pip install" in install
    assert "pytest" in test


@rows("number", [0, 1], ids=["install", "test"])
def test_the_first_commands_are_commands(number: int) -> None:
    finished = subprocess.run(
        ["bash", "-n"],  # noqa: S607
        input=first_commands()[number],
        capture_output=True,
        check=False,
        text=True,
    )

    assert (0, "") == (finished.returncode, finished.stderr)


@rows("page", PAGES)
def test_the_guide_has_its_pages(page: str) -> None:
    path = sources.GUIDE / f"{page}.md"

    assert sources.text_of(path).startswith("# ")


@rows("path", sources.DOCUMENTS)
def test_every_fence_of_a_page_is_closed(path: Path) -> None:
    fences = re.findall(r"^```", sources.text_of(path), re.MULTILINE)

    assert 0 == len(fences) % 2


@rows("path", sources.DOCUMENTS)
def test_an_example_ends_with_a_blank_line(path: Path) -> None:
    examples = [block["code"] for block in EXAMPLE_BLOCK.finditer(sources.text_of(path))]
    unfinished = [code for code in examples if ">>>" in code and not code.endswith("\n\n")]

    assert [] == unfinished


@rows("path", sources.DOCUMENTS)
def test_code_without_a_prompt_is_not_shown_as_python(path: Path) -> None:
    examples = [block["code"] for block in EXAMPLE_BLOCK.finditer(sources.text_of(path))]
    unrun = [code for code in examples if ">>>" not in code]

    assert [] == unrun


def test_the_evidence_of_the_readme_is_that_of_the_registers() -> None:
    """In its order: outside cases, speed, coverage."""
    evidence = section_of(sources.ROOT / "README.md", "Evidence")
    shown = re.findall(r"^\|.*\| ([\d.,]+) \|$", evidence, re.MULTILINE)
    measured = sources.text_of(sources.ROOT / "benchmarks" / "measurements.md")
    cases = re.findall(r"^\| \*\*all\*\* \| (\d+) \| (\d+) \| (\d+) \|", measured, re.MULTILINE)[0]
    ratios = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", measured, re.MULTILINE))
    (largest,) = re.findall(r"^\| 1,000,000 \| ([\d.]+) \|", measured, re.MULTILINE)
    project = tomllib.loads(sources.text_of(sources.ROOT / "pyproject.toml"))

    assert [
        *(f"{int(each):,}" for each in cases),
        ratios["bills_over_plain_python"],
        largest,
        f"{float(ratios['paths_speedup_over_scalar']):.0f}",
        ratios["pending_bills_share_of_constant"],
        str(project["tool"]["coverage"]["report"]["fail_under"]),
    ] == shown


def code_in(node: ast.AST) -> str | None:
    """Return the code that a call gives to a problem, a notice or an error, None where it does not.

    Python's own errors are told from ours by their first word, which is a sentence.
    """
    match node:
        case ast.Call(
            func=ast.Name(id="Problem" | "RefusalError"),
            args=[_, ast.Constant(value=str(word)), *_],
        ):
            found = word
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="of"),
            args=[_, ast.Constant(value=str(word)), *_],
        ) if name.endswith("Error"):
            found = word
        case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(word)), *_]) if (
            name.endswith("Error") and name not in OTHERWISE
        ):
            found = word
        case _:
            return None
    return found if CODE.fullmatch(found) else None


def test_every_code_has_its_meaning_on_the_limits_page() -> None:
    told = set(re.findall(r"`([a-z_]+)`", sources.text_of(sources.GUIDE / "limits.md")))
    given = {
        code: sources.named(path)
        for path in sources.ALL_MODULES
        for node in sources.nodes_of(sources.tree_of(path))
        if (code := code_in(node))
    }

    assert len(given) > 100
    assert {} == {code: path for code, path in given.items() if code not in told}


FEATURE = re.compile(
    r"^\| (?P<number>\d+) \| .+ \| (?P<ours>yes|in part) \| (?P<proof>.*) \|$", re.MULTILINE
)


def test_the_page_of_features_has_fifty_and_the_proof_of_each() -> None:
    """Links are checked with all others; the counts are those of the rows."""
    page = sources.text_of(sources.GUIDE / "features.md")
    rows = [(int(row["number"]), row["ours"], row["proof"]) for row in FEATURE.finditer(page)]
    ours = [each for _, each, _ in rows]

    assert list(range(1, 51)) == [number for number, _, _ in rows]
    assert [] == [number for number, _, proof in rows if "](../../tests/" not in proof]
    assert f"{ours.count('yes')} yes, {ours.count('in part')} in part" in page
