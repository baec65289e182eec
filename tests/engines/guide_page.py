"""The examples of the guide's page about engines that the suite itself cannot run.

Law: what is run is what stands on the page, with the address of another cluster at most.
What does not live here: the engines.
"""

import re
from typing import Any

from tests.architecture.sources import GUIDE, text_of

PAGE = GUIDE / "engines.md"
SCHEDULER = "tcp://cluster:8786"
"""Where the cluster of the page is."""

_BLOCK = re.compile(r"^```py *\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)


def examples() -> dict[str, list[str]]:
    sections = re.split(r"^## ", text_of(PAGE), flags=re.MULTILINE)[1:]
    found = {
        section.partition("\n")[0]: [block["code"] for block in _BLOCK.finditer(section)]
        for section in sections
    }
    return {title: codes for title, codes in found.items() if codes}


def run_examples(title: str, scheduler: str = SCHEDULER) -> dict[str, Any]:
    """Run the examples under a heading, one after another, and return the names they made."""
    # What is defined by hand is sent about by what it does, not by where it stands.
    names: dict[str, Any] = {"__name__": "__main__"}
    for code in examples()[title]:
        exec(code.replace(SCHEDULER, scheduler), names)  # noqa: S102
    return names
