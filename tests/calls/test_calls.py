"""Every table of calls: `expression → outcome`, a line each.

    JANUARY = Period.parse("2026-01")     a name for the lines below
    JANUARY.days → 31                     what a call gives, as text
    Vat("Exclusive", 25) → InvalidVatError taxRate out_of_range 25      path, code and value met
    Vat("Exclusive", 25) ⇒ InvalidVatError: taxRate: is above 1 (…      the whole sentence
    each(number, True, None) → …          one outcome of several values

`pytest tests/calls --update-cases` writes the outcomes of this run, for review.
"""

import re
from pathlib import Path

import pytest

from tests.calls.names import names, outcome

TABLES = sorted(Path(__file__).parent.glob("*.txt"))
LINE = re.compile(r"^(.*?) (→|⇒) ?(.*)$")


def answered(text: str) -> str:
    """Return a table with the outcomes of this run."""
    known, found = names(), []
    for number, line in enumerate(text.splitlines(), 1):
        row = LINE.match(line)
        if row and not line.startswith("#"):
            call, how, _ = row.groups()
            code = compile(call.strip(), f"line {number}", "eval")
            answer = outcome(lambda code=code: eval(code, known), whole=how == "⇒")  # noqa: S307
            line = f"{call} {how} {answer}".rstrip()  # noqa: PLW2901
        elif line and not line.startswith("#"):
            exec(line, known)  # noqa: S102 - names of the table
        found.append(line)
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_each_call_gives_what_its_line_says(table: Path, request: pytest.FixtureRequest) -> None:
    text = table.read_text(encoding="utf-8")
    found = answered(text)
    if request.config.getoption("--update-cases"):
        table.write_text(found, encoding="utf-8")
        return
    both = zip(text.splitlines(), found.splitlines(), strict=True)
    wrong = [
        f"{number}: {is_now}" for number, (said, is_now) in enumerate(both, 1) if said != is_now
    ]
    assert not wrong, "\n".join(wrong)
