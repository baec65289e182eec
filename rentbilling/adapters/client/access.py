"""Where is a service, and with which key is it called?

Law: the key leaves this module only in the header of a request.
"""

from typing import Any, Final

from httpx import URL, Headers, InvalidURL

from rentbilling import Problem
from rentbilling.adapters.client.calls import Call
from rentbilling.errors import InvalidRecordError, shown

_SHORTEST_SECRET: Final = 8
"""Letters of a key; a shorter one is no secret, and any text may contain it by chance."""
_MASK: Final = "<API key>"


class Access:
    """The base address of a service and the key.

    Examples:
        >>> access = Access("https://rent.example/api/", "rent_1_a-secret")
        >>> access, access.without_key("unknown key rent_1_a-secret")
        (Access('https://rent.example/api'), 'unknown key <API key>')
    """

    __slots__ = ("_key", "base_url")

    def __init__(self, base_url: str, api_key: str) -> None:
        self.base_url = _base_url(base_url)
        self._key = _key(api_key)

    def __repr__(self) -> str:
        return f"Access({self.base_url!r})"

    def headers_for(self, call: Call[Any]) -> Headers:
        """Return the headers of a call; their repr does not show the key."""
        headers = Headers(
            {"Authorization": self._key, "Accept": "application/json", "User-Agent": "rentbilling"}
        )
        if call.idempotency_key:
            headers["Idempotency-Key"] = call.idempotency_key
        if call.if_match:
            headers["If-Match"] = call.if_match
        if call.body is not None:
            headers["Content-Type"] = "application/json"
        return headers

    def url_of(self, call: Call[Any]) -> str:
        return f"{self.base_url}{call.target}"

    def without_key(self, text: str) -> str:
        """Return a text of the service or the transport without the key, should it be quoted."""
        return text if len(self._key) < _SHORTEST_SECRET else text.replace(self._key, _MASK)


def _base_url(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError(f"base_url is a text, not {shown(given)}")
    expected = "such as https://rent.example/api"
    try:
        url = URL(given)
    except InvalidURL:
        raise InvalidRecordError.of(
            "base_url", "not_an_address", "is no address", given, expected
        ) from None
    if url.userinfo:
        said, met = "holds a name or password", f"{url.host} with something before it"
        raise InvalidRecordError((Problem("base_url", "not_an_address", said, met, expected),))
    if url.scheme not in ("http", "https") or not url.host:
        said = "is no address of http or https"
        raise InvalidRecordError.of("base_url", "not_an_address", said, given, expected)
    if url.query or url.fragment or "?" in given or "#" in given:
        said = "has a query or a fragment"
        raise InvalidRecordError.of("base_url", "not_an_address", said, given, expected)
    return str(url).rstrip("/")


def _key(given: object) -> str:
    """Return a key that a header can carry; it is never quoted."""
    if not isinstance(given, str):
        raise TypeError(f"api_key is a text, not of type {type(given).__name__}")
    if not given or not all("!" <= letter <= "~" for letter in given):
        said = "cannot be sent in a header"
        expected = "the key alone, without blanks or a scheme such as Bearer before it"
        met = f"a text of {len(given)} characters"
        raise InvalidRecordError((Problem("api_key", "not_a_key", said, met, expected),))
    return given
