"""Blocks of figures on a Markdown page: what stands between two markers is written anew.

Law: nothing else of the page is touched, and a page without the markers is refused.
"""

import re
from pathlib import Path


def write_block(page: Path, name: str, written: str) -> None:
    """Put a text between the markers of a page: `<!-- name -->` and `<!-- /name -->`.

    Raises:
        ValueError: The page does not have them once.
    """
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    pattern = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
    text = page.read_text(encoding="utf-8")
    whole, found = pattern.subn(lambda _: f"{start}\n\n{written}\n\n{end}", text)
    if found != 1:
        raise ValueError(f"{page.name} has {found} blocks between {start} and {end}, not one")
    page.write_text(whole, encoding="utf-8")
