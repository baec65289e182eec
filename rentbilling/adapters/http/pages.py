"""Pages about the service itself, which need no key: health, document, reference, kinds of problem.

Law: they show no data of any owner; document and reference are computed once for each path below
which the service is mounted.
"""

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from rentbilling.adapters.http.answers import JSON, Headers
from rentbilling.service import PROBLEM_KINDS

HEALTHY: Final = b'{"status": "ok"}'
LIVE: Final = "/live"
METRICS: Final = "/metrics"


class Page(NamedTuple):
    """A page that is the same for every caller."""

    media_type: str
    body: Callable[[str], bytes]
    """Returns the page, in UTF-8, for the path below which the service is mounted."""
    headers: Headers = ()


# On first use, because most processes never show them; few are mounted below several paths.
@lru_cache(maxsize=16)
def _openapi(mount: str) -> bytes:
    from rentbilling.adapters.http.docs.openapi import openapi_text

    return openapi_text(mount).encode("utf-8", "replace")


@lru_cache(maxsize=16)
def _docs(_mount: str) -> bytes:
    from rentbilling.adapters.http.docs.page import docs_html

    return docs_html().encode("utf-8", "replace")


def _healthy(_mount: str) -> bytes:
    return HEALTHY


# The page brings its own style, has no script, and loads nothing.
_OF_A_PAGE: Final[Headers] = (
    (
        "Content-Security-Policy",
        (
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none';"
            " base-uri 'none'; form-action 'none'"
        ),
    ),
    ("Referrer-Policy", "no-referrer"),
)

PAGES: Final = MappingProxyType(
    {
        "/openapi.json": Page(JSON, _openapi),
        # The process answers; whether its store does, is the question of health.
        LIVE: Page(JSON, _healthy),
        # Its text is that of a service, new each time.
        METRICS: Page(JSON, _healthy),
        "/docs": Page("text/html; charset=utf-8", _docs, _OF_A_PAGE),
        **{each.type: Page(JSON, each.page) for each in PROBLEM_KINDS.values()},
    }
)
"""Pages by path."""
