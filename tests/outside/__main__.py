"""`python -m tests.outside`: judge the outside cases and print the scoreboard."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.outside.folders import (
    FIGURES,
    Score,
    as_data,
    as_markdown,
    as_text,
    check_scores,
    scores,
)

_MISUSE: Final = 2
BEGIN: Final = "<!-- scoreboard -->"
END: Final = "<!-- /scoreboard -->"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.outside", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FIGURES, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print the scoreboard as JSON")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help=f"replace the text after {BEGIN} in a page"
    )
    asked = parser.parse_args(arguments)
    if not asked.folder.is_dir():
        print(f"no such folder: {asked.folder}", file=sys.stderr)
        return _MISUSE
    found, checked = list(scores(asked.folder)), list(check_scores(asked.folder))
    if asked.json:
        print(json.dumps(as_data([*found, *checked]), indent=1))
    else:
        print("\n".join([*as_text(found), *(as_text(checked, "all checks") if checked else ())]))
    return _written(asked.write, found, checked) if asked.write else 0


def _written(page: Path, found: Sequence[Score], checked: Sequence[Score]) -> int:
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{page} has no {BEGIN} … {END}", file=sys.stderr)
        return _MISUSE
    table = "\n".join(as_markdown(found, checked))
    page.write_text(f"{before}{begin}\n\n{table}\n\n{end}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
