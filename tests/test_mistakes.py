"""What newcomers write by mistake, and what each is answered: a table that is read as a whole.

`test_mistakes.txt` has each mistake with its answer; a new one is a line there that ends with a
colon, and `--update-cases` writes the answers.
"""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

import rentbilling
from rentbilling import payers, pending_bills, whatif
from rentbilling.testing import a_lease, a_rent
from tests.support.sentences import assert_said

TABLE = Path(__file__).with_suffix(".txt")
MISTAKES = tuple(
    line.removesuffix(":")
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    if not line.startswith(" ")
)


def names() -> dict[str, object]:
    """Return what a mistake can name: the public names, and a lease with its bills."""
    scenarios = {name: getattr(whatif, name) for name in dir(whatif) if not name.startswith("_")}
    public = {name: getattr(rentbilling, name) for name in rentbilling.__all__}
    lease = a_lease(a_rent(amount="8500", moved_in="2026-01-15"))
    bills = pending_bills(lease, "2026")
    public |= {name: getattr(payers, name) for name in dir(payers) if not name.startswith("_")}
    python = {"Decimal": Decimal, "date": date, "datetime": datetime}
    own = {"lease": lease, "rent": lease.recurring_bill_items[0], "bills": bills}
    return {**scenarios, **public, **python, **own}


def answer(mistake: str) -> str:
    """Return the error that an expression raises."""
    try:
        found = eval(mistake, names())  # noqa: S307 - the expressions of the table
    except Exception as error:  # noqa: BLE001 - whatever is answered
        return f"{type(error).__name__}: {error}"
    return f"taken: {found!r}"


def test_each_mistake_is_answered_with_what_to_write(request: pytest.FixtureRequest) -> None:
    cases = {each: lambda each=each: [answer(each)] for each in MISTAKES}

    assert_said(request, Path(__file__), cases)


def test_no_mistake_is_taken_or_reaches_an_error_from_the_inside() -> None:
    answers = [answer(each) for each in MISTAKES]
    kinds = {each.partition(":")[0] for each in answers}

    assert not kinds & {"taken", "AttributeError", "KeyError", "NameError", "ValueError"}
    assert len(set(MISTAKES)) == len(MISTAKES)
