"""A word of the policy and a field of an item are known where the page says, and nowhere else."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rentbilling.policy import WORDS
from tests.architecture.sources import text_of
from tests.architecture.touched import OTHER_MEANINGS, PAGE, fields, modules_of, table, words_of
from tests.support.rows import rows

MOST_MODULES: Final = 3
"""Modules that know one word of the policy, beside the one that lists it and the explanations."""

CARRIERS: Final = ("adapters", "codec", "errors", "indices", "interface", "layout", "tables")
"""Packages that read, write and show every field alike, and so know none by its name."""

EXCEPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "errors": "a kind of error has the name of the field",
        "indices.series": "a series raises the error of that name",
    }
)
"""Modules of carriers that know a field, and why."""

WIDE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "next_period": "prices, changes and ends of an item are found apart, and on paths again",
        "per_line": "VAT is rounded where a line, a bill, a check or a path is computed",
        "per_rate": "the check of bills, of their causes and of payers round in both ways",
        "whole_period": "prices and opening periods are found apart, and on paths again",
        "half_up": "the default of rounding, and a word of index clauses",
        "up": "a word of index clauses and presets",
        "down": "a word of index clauses and presets",
        "included": "the form of every period that is read or written",
        "excluded": "the form of every period that is read or written",
    }
)
"""Words that more modules know, and why."""


def test_the_page_says_which_modules_a_field_touches() -> None:
    """Or `python -m tests.architecture.touched` writes the table anew."""
    assert table() in text_of(PAGE)


@rows(("field", "word"), [(field, word) for field in WORDS for word in words_of(field)])
def test_one_word_touches_a_handful_of_modules(field: str, word: str) -> None:
    modules = [
        each for each in modules_of(word) if not each.startswith(("explanations.", "policy."))
    ]

    assert word in WIDE or len(modules) <= MOST_MODULES, f"{field} {word}: {', '.join(modules)}"


def test_what_carries_every_field_knows_none_by_its_name() -> None:
    knowing = {
        module
        for field in fields()
        for module in modules_of(*words_of(field), field=field)
        if module.partition(".")[0] in CARRIERS
    }

    assert knowing <= EXCEPTIONS.keys()


def test_no_exception_is_left_that_is_none() -> None:
    known = {word for field in WORDS for word in words_of(field)}
    every = {each for field in fields() for each in modules_of(*words_of(field), field=field)}

    assert WIDE.keys() <= known
    assert {name for name in WIDE if len(modules_of(name)) <= MOST_MODULES} == set()
    assert EXCEPTIONS.keys() <= every
    assert all(OTHER_MEANINGS.values())
