"""Builds the documentation site, and fails where a page, a name or a link is missing.

    python .ci/site/build.py [FOLDER]

Sources are gathered beside the pages: README.md, the guide, and a reference made from docstrings.
"""

import re
import shutil
import sys
from pathlib import Path

from checked_site import problems_of
from reference import write_reference
from sphinx.cmd.build import build_main

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TEXTS = {".md", ".svg", ".json"}


def gather(source: Path) -> None:
    """Copy what the pages are made from; only links between README and guide change.

    The front page is that of the guide, with the contents of the site, index.md here.
    """
    guide = ROOT / "rentbilling" / "guide"
    shutil.copytree(guide, source / "guide")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (source / "readme.md").write_text(
        without_links_outside(
            readme.replace("](rentbilling/guide/README.md", "](index.md").replace(
                "](rentbilling/guide/", "](guide/"
            )
        ),
        encoding="utf-8",
    )
    for page in (source / "guide").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        up = "../" * (len(page.relative_to(source).parts) - 1)
        text = text.replace(f"]({up}../README.md", f"]({up}readme.md")
        text = text.replace(f"]({up[3:]}README.md", f"]({up}index.md")
        page.write_text(without_links_outside(text), encoding="utf-8")
    front = (source / "guide" / "README.md").read_text(encoding="utf-8")
    front = front.replace("](../readme.md", "](readme.md")
    front = re.sub(r"\]\((?!readme[.]md)", "](guide/", front)
    contents = (HERE / "index.md").read_text(encoding="utf-8")
    (source / "index.md").write_text(f"{front}\n{contents}", encoding="utf-8")
    (source / "guide" / "README.md").unlink()
    write_reference(source / "reference")


def without_links_outside(text: str) -> str:
    """Return a page whose links to tests, benchmarks and the like, which no site has, are names."""
    return re.sub(r"\[([^\]\n]*)\]\((?:\.\./)*(?:tests|benchmarks|\.github)/[^)\n]*\)", r"\1", text)


def main(arguments: list[str]) -> int:
    """Build the site and check it; return the exit code."""
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "site"
    shutil.rmtree(folder, ignore_errors=True)
    source, pages = folder / "source", folder / "html"
    gather(source)
    code = build_main(
        [
            "-qW",
            "--keep-going",
            "-j2",
            f"-c{HERE}",
            f"-d{folder / 'trees'}",
            str(source),
            str(pages),
        ]
    )
    problems = sorted(problems_of(pages)) if pages.exists() else []
    print(*problems, sep="\n", end="\n" if problems else "")
    if code or problems:
        print(f"the site has {len(problems)} problems beside those of Sphinx", file=sys.stderr)
        return 1
    print(pages / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
