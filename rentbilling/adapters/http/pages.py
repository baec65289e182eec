"""Pages about the service itself, for which nobody needs a key: health, document, kinds of problem.

Law: they tell nothing of anybody's data; document and reference are made once.
What does not live here: the document and its page (`openapi`, `docs_page`).
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Final, NamedTuple

from rentbilling.adapters.http.answers import JSON, Headers
from rentbilling.adapters.http.problems import PROBLEM_KINDS, ProblemKind

HEALTH: Final = "/health"
"""Answers 200 where keys and store can be read, otherwise 503."""
HEALTHY: Final = b'{"status": "ok"}'


class Page(NamedTuple):
    """A page that is the same for everybody."""

    media_type: str
    text: Callable[[], str] | ProblemKind
    """What makes it; or the kind of problem that it tells of, below any path."""
    headers: Headers = ()


def page_bytes(page: Page, mount: str = "") -> bytes:
    """Return what a page says.

    Args:
        page: The page.
        mount: The path below which the service is mounted.

    Returns:
        Its text in UTF-8.
    """
    return page.text.told(mount) if isinstance(page.text, ProblemKind) else _made(page.text)


@cache
def _made(text: Callable[[], str]) -> bytes:
    """Return a page that is the same below every path, made on first use."""
    return text().encode()


def _made_by(module: str, function: str) -> Callable[[], str]:
    """Return a function of a room that is loaded on first use."""

    def text() -> str:
        made: str = getattr(import_module(f"rentbilling.adapters.http.{module}"), function)()
        return made

    return text


# The page brings its own style and script, and asks this service alone.
_OF_A_PAGE: Final[Headers] = (
    (
        "Content-Security-Policy",
        (
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
            " img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none';"
            " form-action 'none'"
        ),
    ),
    ("Referrer-Policy", "no-referrer"),
)

PAGES: Final = MappingProxyType(
    {
        "/openapi.json": Page(JSON, _made_by("openapi", "openapi_text")),
        "/docs": Page("text/html; charset=utf-8", _made_by("docs_page", "docs_html"), _OF_A_PAGE),
        **{each.type: Page(JSON, each) for each in PROBLEM_KINDS.values()},
    }
)
"""Pages by path."""
