"""Examples of documents are run, their figures are those measured, and codes have a meaning."""

import ast
import re
import tomllib
from pathlib import Path

from tests.architecture import sources
from tests.support.rows import rows

CODE = re.compile(r"[a-z]+(_[a-z]+)*")
# The second says its kind first; the first leads from one engine to the other, and nobody meets it.
OTHERWISE = ("BeyondArraysError", "RefusalError")
EXAMPLE_BLOCK = re.compile(r"^```(?:python|pycon) *\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def section_of(path: Path, title: str) -> str:
    """Return what stands under a heading of the second rank, up to the next one."""
    _, found, rest = sources.text_of(path).partition(f"\n## {title}\n")
    assert found, f"no heading {title!r}"
    return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]


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
