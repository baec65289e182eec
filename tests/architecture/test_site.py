"""The documentation site describes every public name, and its check finds what is broken.

The site itself is built by `.ci/run`, which checks its pages as a browser gets them.
"""

import re
from importlib import import_module
from inspect import ismodule
from pathlib import Path
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
PAGE = '<div id="here"></div><a href="other.html#{anchor}">there</a>{more}'


@pytest.fixture
def public_names(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 - a module without types
    monkeypatch.syspath_prepend(str(SITE))
    return import_module("public_names")


@pytest.fixture
def checked_site(public_names: Any) -> Any:  # noqa: ANN401 - as above
    assert public_names
    return import_module("checked_site")


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


@pytest.mark.parametrize(
    ("anchor", "more", "expected"),
    [
        ("there", "", []),
        ("gone", "", ["index.html: the link other.html#gone leads nowhere"]),
        ("there", '<a href="gone.html">', ["index.html: the link gone.html leads nowhere"]),
        ("there", '<img src="gone.svg">', ["index.html: the link gone.svg leads nowhere"]),
        (
            "there",
            '<script src="https://example.com/a.js"></script>',
            ["index.html: https://example.com/a.js is loaded from elsewhere"],
        ),
    ],
    ids=["sound", "anchor", "page", "picture", "elsewhere"],
)
def test_a_broken_page_is_found(
    checked_site: Any,  # noqa: ANN401 - as above
    tmp_path: Path,
    anchor: str,
    more: str,
    expected: list[str],
) -> None:
    (tmp_path / "index.html").write_text(PAGE.format(anchor=anchor, more=more), encoding="utf-8")
    (tmp_path / "other.html").write_text('<p id="there"></p>', encoding="utf-8")

    found = [each for each in checked_site.problems_of(tmp_path) if "described" not in each]

    assert expected == found


def test_a_name_or_field_without_a_place_is_found(
    public_names: Any,  # noqa: ANN401 - as above
    checked_site: Any,  # noqa: ANN401 - as above
) -> None:
    (page,) = (each for each in public_names.PAGES if each.name == "policy")
    (terms,) = (each for each in public_names.PAGES if each.name == "terms")
    names = {each.path for each in public_names.names_of(terms)}

    found = [*checked_site.missing_names({"terms": names})]

    assert f"reference/policy: {public_names.names_of(page)[0].path} is not described" in found
    assert "reference/terms: fields of LeaseTerms are not described" in found
    assert "reference/terms: rentbilling.LeaseTerms is not described" not in found
