"""Every field and sentence of the interface is in the registers, and every entry has a proof."""

from hashlib import sha256

import pytest

from tests.architecture.sources import text_of
from tests.architecture.test_assumptions import register
from tests.conformance.fields import FIELDS, ROWS
from tests.conformance.interface_text import InterfaceText, interface_file, read_interface
from tests.conformance.page import PAGE, page_text
from tests.conformance.proving import Proof, proofs, proves
from tests.conformance.sentences import PAGE_DIGEST, SENTENCES

NEEDS = {"yes": "required", "no": "optional", "see rule": "either"}
KEYS = (*(field.key for field in FIELDS), *ROWS, *(sentence.key for sentence in SENTENCES))
"""The keys that need a proof."""


@pytest.fixture(scope="module")
def interface_page() -> str:
    """Return the interface's own page, which is not part of the tree."""
    there = interface_file()
    if not there.is_file():
        pytest.skip("the interface's page is not here; RENTBILLING_INTERFACE may name it")
    return there.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def interface(interface_page: str) -> InterfaceText:
    return read_interface(interface_page)


@pytest.fixture(scope="module")
def marked() -> tuple[Proof, ...]:
    return proofs()


def test_every_field_of_the_interface_is_in_the_register(interface: InterfaceText) -> None:
    """With name, type and whether it is required; and no others."""
    there = [
        (each.section, each.name, each.kind, NEEDS.get(each.need, each.need))
        for each in interface.fields
    ]

    assert there == [(each.section, each.name, each.kind, each.need) for each in FIELDS]


def test_every_row_of_the_interface_is_in_the_register(interface: InterfaceText) -> None:
    assert sorted(interface.rows) == sorted(ROWS)


@proves("Rental Management Service Interface 1", "Rental Management Service Interface 2")
def test_every_sentence_of_the_interface_is_in_the_register(interface: InterfaceText) -> None:
    """By section, number and digest: the page is the whole interface."""
    there = [(each.key, each.digest) for each in interface.sentences]

    assert there == [(each.key, each.digest) for each in SENTENCES]


def test_every_gap_of_the_interface_is_filled(interface: InterfaceText) -> None:
    """Every "not shown" refers to assumptions, except events."""
    gaps = [each.key for each in interface.sentences if each.is_gap]
    filled = [each.key for each in SENTENCES if each.assumptions]

    assert [key for key in gaps if key != "Events 1"] == filled


def test_the_page_of_the_interface_is_the_one_that_was_read(interface_page: str) -> None:
    """Words within tables count too: after a change, review registers and proofs."""
    words = " ".join(interface_page.split())

    assert sha256(words.encode()).hexdigest()[:10] == PAGE_DIGEST


def test_no_sentence_of_the_interface_is_repeated(interface: InterfaceText) -> None:
    """The registers and the page here use other words."""
    page = " ".join(text_of(PAGE).split()).lower()
    long = [each.text for each in interface.sentences if len(each.text.split()) >= 5]
    repeated = [text for text in long if text.lower().rstrip(".:;") in page]

    assert [] == repeated


def test_every_field_row_and_sentence_is_proven(marked: tuple[Proof, ...]) -> None:
    keys = {proof.key for proof in marked}

    assert [] == [key for key in KEYS if key not in keys]


def test_every_proof_is_of_something(marked: tuple[Proof, ...]) -> None:
    known = set(KEYS)

    assert [] == sorted({f"{each.key} in {each.test}" for each in marked if each.key not in known})


def test_every_field_is_a_case_of_its_own(marked: tuple[Proof, ...]) -> None:
    """A field of a resource or a request has a case with its name, which tests it alone."""
    named = {proof.key for proof in marked if proof.case}
    answers = (" answer", "GET ")
    alone = [
        field.key
        for field in FIELDS
        if field.key not in named
        and not field.section.endswith(answers[0])
        and not field.section.startswith(answers[1])
    ]

    assert [] == alone


def test_every_assumption_that_fills_a_gap_is_in_the_register() -> None:
    known = register()
    unknown = [tag for each in SENTENCES for tag in each.assumptions if tag not in known]

    assert [] == unknown


def test_the_page_is_what_the_tests_say() -> None:
    assert page_text() == text_of(PAGE)


def test_keys_are_of_their_own() -> None:
    assert len(KEYS) == len(set(KEYS))
