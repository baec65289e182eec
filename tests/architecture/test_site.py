"""The documentation site describes every public name.

The site itself is built by `.ci/run`, which checks its pages as a browser gets them.
"""

import re
from importlib import import_module
from inspect import ismodule
from typing import Any

import pytest

import rentbilling
from rentbilling.records import records_in
from tests.architecture.sources import GUIDE, ROOT, text_of

SITE = ROOT / ".ci" / "site"
FACES = (
    "rentbilling",
    "rentbilling.portfolio",
    "rentbilling.simulation",
    "rentbilling.testing",
    *(
        f"rentbilling.adapters.{name}"
        for name in ("client", "file_runs", "http", "plots", "stores")
    ),
)


@pytest.fixture
def public_names(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a module without types
    monkeypatch.syspath_prepend(str(SITE))
    return import_module("public_names")


def described(public_names: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - as above
    return [tuple(each) for page in public_names.PAGES for each in public_names.names_of(page)]


@pytest.mark.parametrize("face", FACES)
def test_every_name_of_a_face_has_a_page(public_names: Any, face: str) -> None:  # noqa: ANN401
    there = {name for package, name in described(public_names) if package in {face, "rentbilling"}}

    assert set() == {*import_module(face).__all__} - there


def test_a_name_has_one_page(public_names: Any) -> None:  # noqa: ANN401 - as above
    names = described(public_names)

    assert len(set(names)) == len(names)


def test_what_is_called_public_has_a_page(public_names: Any) -> None:  # noqa: ANN401 - as above
    _, _, rest = text_of(GUIDE / "compatibility.md").partition("\n## What is public\n")
    section, _, _ = rest.partition("- The columns of `rows()`")
    packages = [import_module(page.package) for page in public_names.PAGES]
    called = {
        word
        for word in re.findall(r"`([a-zA-Z]\w+)`", section)
        if any(not ismodule(getattr(package, word, re)) for package in packages)
    }

    assert len(called) > 30
    assert set() == called - {name for _, name in described(public_names)}


def test_every_record_in_a_described_one_is_described(public_names: Any) -> None:  # noqa: ANN401
    records = {each for page in public_names.PAGES for each in public_names.records_of(page)}
    inside = {*records_in(*records).values()}

    assert rentbilling.LeaseTerms in records
    assert set() == inside - records
