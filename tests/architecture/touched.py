"""Which modules know a field of the policy with its words, or a field of an item.

A word is known by a module that has it as a text, a field also by one that reads it. Docstrings and
what is shipped for users' tests do not count.
"""

import ast
import typing
from functools import cache
from types import MappingProxyType
from typing import Final

from rentbilling.policy import WORDS
from rentbilling.records import fields_of
from rentbilling.terms import RecurringBillItem
from tests.architecture.sources import CORE_MODULES, GUIDE, PACKAGE, nodes_of, text_of, tree_of

PAGE = GUIDE / "architecture.md"
HEAD = "| Field | Modules that know it |\n|---|---|\n"

OTHER_MEANINGS: Final = MappingProxyType(
    {
        # Fields of the policy.
        "period_end": "a column of tables of bills",
        "rounding": "index clauses and amounts are rounded by a mode of that name",
        "select": "a function of databases and columns",
        # Words.
        "accounting_period": "a field of lines",
        "due_date": "a field of bills",
        "full": "a form of output",
        "none": "no preset, no adjustment, no precondition",
        "notice": "a kind of remark",
        "once": "a kind of lines",
        "period_start": "a column of lines",
        "refuse": "what runs do with a bad row",
        "split": "a function of texts, and a command",
        # Fields of an item.
        "amount": "a field of most records",
        "cancelled_on": "a field of plans",
        "description": "a field of lines, schemas and texts",
        "discount": "a step of explanations, a kind of lines",
        "discounts": "a field of lines, and of steps of explanations",
        "ended_on": "a field of plans",
        "id": "a field of most records",
        "product_key": "a field of lines and products",
        "quantity": "a field of lines",
        "vat": "a field of lines and totals",
    }
)
"""Names that are looked for in vain, because they name something else, too."""


@cache
def known_by_module() -> dict[str, frozenset[str]]:
    """Return the texts of each module, without docstrings, and its attributes after a point."""
    found = {}
    for path in CORE_MODULES:
        tree = tree_of(path)
        docs = {
            id(node.value)
            for node in nodes_of(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        names = {
            f".{node.attr}" if isinstance(node, ast.Attribute) else node.value
            for node in nodes_of(tree)
            if isinstance(node, ast.Attribute)
            or (isinstance(node, ast.Constant) and id(node) not in docs)
        }
        module = path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        found[module] = frozenset(name for name in names if isinstance(name, str))
    return found


def words_of(field: str) -> tuple[str, ...]:
    """Return the words of a field of the policy; of other fields none."""
    return typing.get_args(WORDS.get(field))


def fields() -> tuple[str, ...]:
    """Return the fields of the policy that have words, and those of an item."""
    own = (*WORDS, *(each.name for each in fields_of(RecurringBillItem)))
    # A name that both have, such as `part_period`, is one row.
    return tuple(dict.fromkeys(name for name in own if name not in OTHER_MEANINGS))


def modules_of(*words: str, field: str | None = None) -> list[str]:
    """Return the modules that know some words, or a field."""
    wanted = set(words) - OTHER_MEANINGS.keys()
    wanted |= {field, f".{field}"} if field is not None else set()
    return sorted(module for module, known in known_by_module().items() if wanted & known)


def table() -> str:
    """Return the table of the page."""
    rows = ((name, modules_of(*words_of(name), field=name)) for name in fields())
    return HEAD + "".join(
        f"| `{name}` | {', '.join(f'`{each}`' for each in modules)} |\n" for name, modules in rows
    )


if __name__ == "__main__":
    page = text_of(PAGE)
    begins = page.index(HEAD)
    ends = page.index("\n\n", begins) + 1
    PAGE.write_text(page[:begins] + table() + page[ends:], encoding="utf-8")
