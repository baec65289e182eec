"""Tests of the page itself: the tests that a row cites fail if the service breaks that row.

For every row of the page services are broken in each way of `field_breakages` and
`sentence_breakages`, and the proofs of the row are run against them. A breakage that no proof
notices is a fault of the page, and so is a proof of a field or an operation that notices none.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

import pytest

from tests.conformance.breaking import Breakage, answering, reading, taking
from tests.conformance.field_breakages import breakages_of, breakages_of_row
from tests.conformance.fields import FIELDS, ROWS, Field
from tests.conformance.mutants import cases, fails, notices
from tests.conformance.proving import Proof, proofs
from tests.conformance.sentence_breakages import OF_THE_PAGE, SENTENCE_BREAKAGES
from tests.conformance.sentences import SENTENCES

SIDES: Final[Mapping[str, str]] = MappingProxyType(
    {"tests/conformance/test_reading.py": "reader", "tests/conformance/test_requests.py": "request"}
)
"""The side that the tests of a file check; other files check answers."""


@cache
def proofs_by_key() -> Mapping[str, Sequence[Proof]]:
    """Return the proofs that can be run here, by their keys."""
    found: dict[str, list[Proof]] = {}
    for proof in proofs():
        if cases(proof):
            found.setdefault(proof.key, []).append(proof)
    return found


def unnoticed(key: str, breakages: Iterable[Breakage]) -> list[str]:
    """Return the faults of a row of the page, as sentences."""
    tried = [*breakages]
    cited = proofs_by_key()[key]
    known: dict[tuple[Proof, str], bool] = {}

    def sees(proof: Proof, breakage: Breakage) -> bool:
        """Return whether a proof notices a breakage; cached."""
        at = (proof, breakage.name)
        if at not in known:
            known[at] = notices(proof, breakage)
        return known[at]

    def near(proof: Proof, breakage: Breakage) -> bool:
        """Return whether a proof checks another side than the broken one."""
        return SIDES.get(proof.file, "answer") != breakage.side

    silent = [
        f"no proof notices that it is {each.name}"
        for each in tried
        if each.must
        and not any(
            sees(proof, each) for proof in sorted(cited, key=lambda proof: near(proof, each))
        )
    ]
    idle = [
        f"{proof.test} proves nothing"
        for proof in cited
        if not any(sees(proof, each) for each in sorted(tried, key=lambda each: near(proof, each)))
    ]
    return silent + idle


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.key)
def test_a_broken_field_is_noticed_by_its_proofs(field: Field) -> None:
    """Not sent, of another type, null, not accepted, or accepted whatever it is: a proof fails.

    And each proof that the row cites fails for one of these.
    """
    assert [] == unnoticed(field.key, breakages_of(field))


@pytest.mark.parametrize("row", ROWS)
def test_a_missing_operation_is_noticed_by_its_proofs(row: str) -> None:
    assert [] == unnoticed(row, breakages_of_row(row))


@pytest.mark.parametrize("key", SENTENCE_BREAKAGES)
def test_a_broken_sentence_is_noticed_by_its_proofs(key: str) -> None:
    """Some of the tests that the sentence cites fail, in whichever way it is broken."""
    # Those with few cases first, and before others those that ask in process: they are the fastest.
    cited = sorted(proofs_by_key()[key], key=cases)
    cited.sort(key=lambda proof: "conformance" not in proof.file)
    cited.sort(key=lambda proof: "service_told" not in proof.file)

    assert [] == [
        each.name
        for each in SENTENCE_BREAKAGES[key]
        if not any(notices(proof, each) for proof in cited)
    ]


def test_every_sentence_is_broken() -> None:
    """Except those about the interface's own page, whose proofs read it."""
    keys = [each.key for each in SENTENCES]

    assert keys == [key for key in keys if key in SENTENCE_BREAKAGES or key in OF_THE_PAGE]
    assert {*SENTENCE_BREAKAGES} <= {*keys}


def test_a_service_that_is_not_broken_passes() -> None:
    some = FIELDS[::17]
    for broken in (answering(lambda *_: None), taking(lambda *_: None), reading(lambda *_: None)):
        with broken:
            failing = [
                proof for field in some for proof in proofs_by_key()[field.key] if fails(proof)
            ]

            assert [] == failing


def test_adjustments_that_are_not_computed_are_noticed() -> None:
    sections = ("Rent adjustment", "Effect")
    keys = [field.key for field in FIELDS if field.section in sections]

    def without(_method: str, _path: str, data: dict[str, object]) -> None:
        plans = data.get("rentAdjustmentPlans")
        for plan in plans if isinstance(plans, list) else ():
            plan["adjustments"] = []

    gone = Breakage("not computed", lambda: answering(without))
    noticed = {
        key: any(notices(proof, gone) for proof in proofs_by_key()[key])
        for key in (*keys, "Rent adjustment 1")
    }

    assert dict.fromkeys(noticed, True) == noticed
    assert 13 + 17 + 1 == len(noticed)
