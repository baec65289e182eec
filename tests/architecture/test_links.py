"""Documents point to what exists, and no file names a machine or a registry."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import DOCUMENTS, ROOT, named, text_of
from tests.support.rows import rows

LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} +(?P<title>.+?) *$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# Written so that this file does not contain what it looks for.
MACHINE_PATH = re.compile(r"(?<![\w.~/$}-])/(?:work|tmp|root|home|Users|opt|mnt)/[\w.]")
REGISTRY_HOST = re.compile(r"pypi[.]org|pythonhosted[.]org|npmjs[.]|conda[.]")
TEXTS = frozenset({".py", ".md", ".toml", ".json", ".cfg", ".txt", ".yml", ".yaml", ".sh", ""})


def anchors_of(path: Path) -> set[str]:
    titles = HEADING.finditer(FENCED.sub("", text_of(path)))
    plain = (re.sub(r"[^\w\- ]", "", heading["title"].lower()) for heading in titles)
    return {title.replace(" ", "-") for title in plain}


def broken_links_of(path: Path) -> Iterator[str]:
    for link in LINK.finditer(FENCED.sub("", text_of(path))):
        target, _, anchor = link["target"].partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        page = (path.parent / target).resolve() if target else path
        if not page.exists() or (anchor and page.is_file() and anchor not in anchors_of(page)):
            yield link["target"]


def project_files() -> Iterator[Path]:
    """Yield the texts of the project, hidden files and folders of its own included."""
    yield from (ROOT / name for name in ("README.md", "pyproject.toml", ".gitignore"))
    for folder in ("rentbilling", "tests", "benchmarks", ".ci"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in TEXTS and path.is_file():
                yield path


@rows("path", DOCUMENTS)
def test_links_lead_somewhere(path: Path) -> None:
    broken = list(broken_links_of(path))

    assert [] == broken


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY_HOST], ids=["paths", "registries"])
def test_no_file_names_a_machine_or_a_registry(pattern: re.Pattern[str]) -> None:
    named_places = [
        f"{named(path)}: {match.group()}"
        for path in project_files()
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
    ]

    assert [] == named_places
