"""The examples of the guide's page about engines that the suite itself cannot run.

Law: what is run is what stands on the page, with the address of another cluster at most, or with
the realistic mix for its leases and another of its tables for the bills.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from benchmarks.real_portfolios import INDEX
from rentbilling.portfolio.runs.batch_runs import Output
from tests.architecture.sources import GUIDE, text_of

PAGE = GUIDE / "engines.md"
SCHEDULER = "tcp://cluster:8786"
"""Where the cluster of the page is."""
MIX: Final[Mapping[str, Any]] = MappingProxyType(
    {"period": "2026-01-01/2026-03-31", "indices": INDEX, "on_problem": "table"}
)
"""What the realistic mix is billed for and with."""
_ASKED: Final = '("2026-02-01/2026-02-28")'
"""What the page bills for."""

_BLOCK = re.compile(r"^```py *\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def examples() -> dict[str, list[str]]:
    sections = re.split(r"^## ", text_of(PAGE), flags=re.MULTILINE)[1:]
    found = {
        section.partition("\n")[0]: [block["code"] for block in _BLOCK.finditer(section)]
        for section in sections
    }
    return {title: codes for title, codes in found.items() if codes}


def run_examples(
    title: str, scheduler: str = SCHEDULER, output: Output | None = None
) -> dict[str, Any]:
    """Run the examples under a heading, one after another, and return the names they made.

    Args:
        title: The heading.
        scheduler: The address of a cluster.
        output: The table that is made of the realistic mix, in a folder of that name; without it,
            the bills of the page.
    """
    # What is defined by hand is sent about by what it does, not by where it stands.
    names: dict[str, Any] = {"__name__": "__main__", "mix": {**MIX, "output": output}}
    for code in examples()[title]:
        asked = code.replace(SCHEDULER, scheduler)
        if output is not None:
            asked = asked.replace(_ASKED, "(**mix)").replace('("bills")', f'("{output}")')
        exec(asked, names)  # noqa: S102
    return names
