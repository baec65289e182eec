"""Every table of calls: `expression → outcome`, a line each.

    JANUARY = Period.parse("2026-01")     a name for the lines below
    JANUARY.days → 31                     what a call gives, as text
    Vat("Exclusive", 25) → InvalidVatError taxRate out_of_range 25      path, code and value met
    Vat("Exclusive", 25) ⇒ InvalidVatError: taxRate: is above 1 (…      the whole sentence
    each(number, True, None) → …          one outcome of several values

`pytest tests/calls --update-cases` writes the outcomes of this run, for review.
"""

import re
from functools import partial
from pathlib import Path

import pytest

from tests.calls.names import names, outcome

TABLES = sorted(Path(__file__).parent.glob("*.txt"))
ROW = re.compile(r"^([^#].*?) (→|⇒)\s*(.*)$", re.DOTALL)
WIDTH = 180


def blocks(text: str) -> list[str]:
    """Return the lines of a table; an indented one belongs to the line above it."""
    return re.sub(r"\n(?! )", "\0", text.removesuffix("\n")).split("\0")


def answered(text: str) -> str:
    """Return a table with the outcomes of this run."""
    known, found = names(), []
    for block in blocks(text):
        if row := ROW.match(block):
            call, how, said = row.groups()
            code = compile(call, call, "eval")
            answer = outcome(partial(eval, code, known), whole=how == "⇒")  # noqa: S307
            if answer != said:
                gap = "\n    " if len(call.rpartition("\n")[2]) + len(answer) > WIDTH else " "
                block = f"{call} {how}{gap}{answer}".rstrip()  # noqa: PLW2901
        elif block and not block.startswith("#"):
            exec(block, known)  # noqa: S102 - names of the table
        found.append(block)
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_each_call_gives_what_its_line_says(table: Path, request: pytest.FixtureRequest) -> None:
    text = table.read_text(encoding="utf-8")
    found = answered(text)
    if request.config.getoption("--update-cases"):
        table.write_text(found, encoding="utf-8")
        return
    wrong = [now for said, now in zip(blocks(text), blocks(found), strict=True) if said != now]
    assert not wrong, "\n".join(wrong)
