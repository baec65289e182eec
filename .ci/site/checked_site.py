"""What is wrong with a built site: links that lead nowhere, names without a place, outside parts.

Law: the pages are judged as a browser gets them, not by the sources they were made from.
"""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from public_names import PAGES, names_of, records_of

from rentbilling.records import fields_of


class Links(HTMLParser):
    """The ids of a page, what it leads to, and what a browser loads for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what one tag says."""
        said = {name: value for name, value in attrs if value}
        if "id" in said:
            self.ids.add(said["id"])
        if tag == "a" and "href" in said:
            self.targets.add(said["href"])
        elif tag in {"script", "img", "iframe", "source"} and "src" in said:
            self.loaded.add(said["src"])
        elif tag == "link" and said.get("rel") in {"stylesheet", "preload", "icon"}:
            self.loaded.add(said.get("href", ""))


def problems_of(folder: Path) -> Iterator[str]:
    """Give a sentence for each problem of the site in a folder."""
    pages = {
        path.resolve(): Links(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")
    }
    for path, links in pages.items():
        name = path.relative_to(folder.resolve()).as_posix()
        for target in sorted(links.targets | links.loaded):
            if not _is_there(path, target, pages):
                yield f"{name}: the link {target} leads nowhere"
        for target in sorted(links.loaded):
            if urlsplit(target).netloc:
                yield f"{name}: {target} is loaded from elsewhere"
    yield from _elsewhere(folder)
    ids = {path.stem: links.ids for path, links in pages.items() if "reference" in path.parts}
    yield from missing_names(ids)


def _is_there(page: Path, target: str, pages: dict[Path, Links]) -> bool:
    parts = urlsplit(target)
    if parts.scheme in {"http", "https", "mailto", "data"}:
        return True
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not path.is_file():
        return False
    anchor = unquote(parts.fragment)
    return not anchor or path not in pages or anchor in pages[path].ids


def _elsewhere(folder: Path) -> Iterator[str]:
    """Give style sheets that load something from another server."""
    for path in folder.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        if "url(http" in text or "@import" in text:
            yield f"{path.name}: a style sheet loads from elsewhere"


def missing_names(ids: dict[str, set[str]]) -> Iterator[str]:
    """Give public names and fields of records that have no place on their page."""
    for page in PAGES:
        found = ids.get(page.name, set())
        for each in names_of(page):
            if each.path not in found:
                yield f"reference/{page.name}: {each.path} is not described"
        for record in records_of(page):
            places = {path for path in found if path.endswith(tuple(_ends(record)))}
            if len(places) < len(fields_of(record)):
                yield f"reference/{page.name}: fields of {record.__name__} are not described"


def _ends(record: type) -> Iterator[str]:
    for field in fields_of(record):
        yield f".{record.__name__}.{field.name}"
