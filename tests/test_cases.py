"""Worked cases: a lease, what is asked, and the bills as a bookkeeper worked them out by hand.

Each folder of `cases` holds `why.md` (the sum), `input.json` (`terms` as in the file of a lease,
`period`, and `policy` where it is not the default) and `expected.json` (`bills` as the interface
writes them, and the codes of the `notices`). `--update-cases` rewrites what is expected; the
difference is then held against the sum.
"""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import rentbilling as rb
from tests.oracle import bills_by_oracle, bills_told_by
from tests.support.rows import rows

FOLDER = Path(__file__).parent / "old_cases"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/input.json"))

Question = tuple[rb.LeaseTerms, rb.Period, rb.BillingPolicy]


def parsed(text: str) -> Any:  # noqa: ANN401 - JSON is any value
    return json.loads(text, parse_float=Decimal)


def asked(name: str) -> Question:
    """Return what a case asks, read as a caller's own texts are.

    Numbers go through a double on their way from the file; fifteen digits survive that (A1).
    """
    data = json.loads((FOLDER / name / "input.json").read_text(encoding="utf-8"))
    terms: rb.LeaseTerms = rb.loads(json.dumps(data["terms"]))
    policy: rb.BillingPolicy = rb.loads(json.dumps(data.get("policy", {})), rb.BillingPolicy)
    return terms, rb.Period.parse(data["period"]), policy


def answered(result: rb.BillingResult) -> str:
    text = rb.dumps(result, indent=2).rstrip()
    codes = json.dumps([notice.code for notice in result.notices])
    if result.notices:
        text = text.removesuffix("\n}") + f',\n  "notices": {codes}\n}}'
    return text + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_case_is_billed_as_worked_out_by_hand(name: str, request: pytest.FixtureRequest) -> None:
    terms, period, policy = asked(name)
    expected = FOLDER / name / "expected.json"
    answer = answered(rb.pending_bills(terms, period, policy=policy))
    if request.config.getoption("--update-cases"):
        expected.write_text(answer, encoding="utf-8")

    assert parsed(expected.read_text(encoding="utf-8")) == parsed(answer)


@rows("name", NAMES)
def test_the_oracle_works_a_case_out_alike(name: str) -> None:
    terms, period, policy = asked(name)

    assert bills_by_oracle(terms, period, policy) == bills_told_by(
        rb.pending_bills(terms, period, policy=policy)
    )


@rows("name", NAMES)
def test_a_case_says_why(name: str) -> None:
    why = (FOLDER / name / "why.md").read_text(encoding="utf-8")

    assert why.startswith("# ")
    assert "(A" in why or "(`A" in why
