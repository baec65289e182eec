"""Pages about the service itself, for which nobody needs a key: health, document, kinds of problem.

Law: they tell nothing of anybody's data; document and reference are made once for each path below
which they are.
"""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import Final, NamedTuple

from rentbilling.adapters.http.answers import JSON, Headers
from rentbilling.adapters.http.problems import PROBLEM_KINDS, ProblemKind

HEALTHY: Final = b'{"status": "ok"}'


class Page(NamedTuple):
    """A page that is the same for everybody."""

    media_type: str
    text: Callable[[str], str] | ProblemKind
    """What makes it for a path below which it is; or the kind of problem that it tells of."""
    headers: Headers = ()


def page_bytes(page: Page, mount: str = "") -> bytes:
    """Return what a page says."""
    return page.text.told(mount) if isinstance(page.text, ProblemKind) else _made(page.text, mount)


@lru_cache(maxsize=16)
def _made(text: Callable[[str], str], mount: str) -> bytes:
    """Return a page as it is below a path, made on first use; few are mounted below several."""
    return text(mount).encode("utf-8", "replace")


def _openapi(mount: str) -> str:
    """Return the document; its room is loaded on first use."""
    made: str = import_module("rentbilling.adapters.http.openapi").openapi_text(mount)
    return made


def _docs(mount: str) -> str:
    """Return the reference, which is the same below every path."""
    del mount
    made: str = import_module("rentbilling.adapters.http.docs_page").docs_html()
    return made


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
        "/openapi.json": Page(JSON, _openapi),
        "/docs": Page("text/html; charset=utf-8", _docs, _OF_A_PAGE),
        **{each.type: Page(JSON, each) for each in PROBLEM_KINDS.values()},
    }
)
"""Pages by path."""
