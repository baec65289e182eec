"""The library stays small enough to read: docstrings, and the largest modules and test files."""

import re
from pathlib import Path

from tests.architecture.sizes import PAGE, sizes_by_package
from tests.architecture.sources import ALL_MODULES, TEST_MODULES, named, text_of

MAX_DOCSTRINGS = 0.40
"""Lines of docstrings, without their examples, to a line of code."""
# Of the interface, docstrings of fields are what its schemas say; of the codec, which is small, two
# functions that everybody calls, and the columns of CSV; of the root, a sentence for each error.
MAX_DOCSTRINGS_OF = {"interface": 0.48, "codec": 0.70, "rentbilling": 0.56}
MAX_TEST_FILE = 800
ROWS = re.compile(r"^\| ([a-z_.]+) \| (\d+) \| ([\d,]+) \|", re.MULTILINE)


def largest(paths: tuple[Path, ...]) -> str:
    """Return the ten largest files, for the message of a failure."""
    lines = sorted(((len(text_of(path).splitlines()), named(path)) for path in paths), reverse=True)
    return "\n".join(f"{count:>6} {name}" for count, name in lines[:10])


def test_docstrings_are_short_beside_the_code() -> None:
    long = {
        package: size
        for package, size in sizes_by_package().items()
        if size.share > MAX_DOCSTRINGS_OF.get(package, MAX_DOCSTRINGS)
    }

    assert {} == long, f"the largest modules:\n{largest(ALL_MODULES)}"


def test_a_test_file_is_one_subject() -> None:
    files = tuple(path for path in TEST_MODULES if path.name.startswith("test_"))
    longest = max(len(text_of(path).splitlines()) for path in files)

    assert longest <= MAX_TEST_FILE, f"the largest test files:\n{largest(files)}"


def test_the_guide_says_how_large_the_packages_are() -> None:
    """Within a tenth, or `python -m tests.architecture.sizes` writes the table anew."""
    said = {name: int(lines.replace(",", "")) for name, _, lines in ROWS.findall(text_of(PAGE))}
    said.pop("all")
    now = {name: size.lines for name, size in sizes_by_package().items()}

    assert now.keys() == said.keys()
    assert {} == {name: now[name] for name in now if abs(now[name] - said[name]) > now[name] / 10}
