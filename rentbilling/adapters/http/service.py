"""The whole service as a function: what a caller sends goes in, what is answered comes out.

Laws: no transport, no loop of events and no framework is known here, so that each of them embeds it
in a few lines; an operation runs in one transaction and its answer is written before that ends, so
that what cannot be answered changes nothing; whatever is sent, something documented is answered.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from time import perf_counter
from typing import Any, Final, NamedTuple
from urllib.parse import quote
from uuid import uuid4

from rentbilling.adapters.http.access_log import log_access
from rentbilling.adapters.http.answers import JSON, Headers, HttpAnswer, answer_of
from rentbilling.adapters.http.limits import Limits
from rentbilling.adapters.http.pages import HEALTHY, PAGES, Page, page_bytes
from rentbilling.adapters.http.problems import RefusalError, refusal_of
from rentbilling.adapters.http.request_reading import (
    HeaderPairs,
    RequestReader,
    check_media_type,
    check_no_body,
    headers_of,
    single_headers,
)
from rentbilling.adapters.http.routing import (
    HEALTH,
    NO_IDS,
    Route,
    Routes,
    not_that_method,
    route_of,
)
from rentbilling.codec.records import answer_text
from rentbilling.errors import RentBillingError
from rentbilling.indices import AnyIndices
from rentbilling.interface.endpoints import ENDPOINTS
from rentbilling.interface.resources import Product
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.service.keys import KeptKey, KeyRing, key_of
from rentbilling.service.operations import OPERATIONS
from rentbilling.service.store import Facts, Stores, StoreUnavailableError

SERVICE: Final = logging.getLogger("rentbilling.service")
_READING: Final = ("GET", "HEAD")
_MOST_OF_AN_ID: Final = 64
"""Characters of the id that a caller gives a request."""
_ID_MARKS: Final = frozenset("-_.")


class Asked(NamedTuple):
    """A request whose head was read, and whose body may be waited for."""

    method: str
    request_id: str
    query: str
    name: str = ""
    """Its route or page, as it is logged; empty where none was found."""
    route: Route | None = None
    """What to do; None for a page."""
    ids: Mapping[str, str] = NO_IDS
    """Parameters of the path."""
    page: Page | None = None
    """What to show; None for an operation, and for the page of health."""
    key: str = ""
    mount: str = ""
    """The path below which the service is mounted; empty at the root."""
    said_json: bool = False
    """Whether a header says that the body is JSON."""

    @property
    def takes_body(self) -> bool:
        """Whether a body may come that is worth waiting for."""
        return self.method not in _READING

    def __repr__(self) -> str:
        """Show what may be logged, and not the key."""
        return f"Asked({self.method!r}, {self.request_id!r}, {self.name!r})"


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    """Return an id that nothing else has."""
    return str(uuid4())


class RentalService:
    """The service over a store, for any transport; safe to be called by several threads at once."""

    def __init__(
        self,
        stores: Stores,
        keys: KeyRing,
        *,
        indices: AnyIndices = None,
        policy: BillingPolicy | None = None,
        today: Callable[[], date] | None = None,
        clock: Callable[[], datetime] = _now,
        new_id: Callable[[], str] = _new_id,
        limits: Limits | None = None,
    ) -> None:
        """Tell the service all that it cannot know.

        Args:
            stores: Where the owners' objects are kept.
            keys: Where API keys are kept.
            indices: Index series that plans name.
            policy: The policy of all bills.
            today: Gives the day on which figures are told; absent: the day of `clock`, in UTC
                unless the clock says otherwise.
            clock: Gives the moment, with its offset.
            new_id: Gives an id that nothing else has to a new object.
            limits: The bounds.
        """
        self._stores, self._keys = stores, keys
        self._indices, self._policy = indices, policy_of(policy)
        self._today, self._clock, self._new_id = today, clock, new_id
        self.limits = limits or Limits()
        """The bounds, which a transport keeps too."""
        self._reader = RequestReader(self._policy)
        self._routes = Routes(route_of(each, OPERATIONS[name]) for name, each in ENDPOINTS.items())

    def answer(
        self,
        method: str,
        path: str,
        query: str = "",
        headers: HeaderPairs = (),
        body: bytes = b"",
        *,
        mount: str = "",
    ) -> HttpAnswer:
        """Return the answer to a request.

        Args:
            method: The method, in capitals.
            path: The path below the base address, percent-encoded as it came.
            query: The query as it came, without its question mark.
            headers: All headers, by name or in pairs.
            body: The whole body; a transport reads no more than `limits.most_bytes` and one.
            mount: The path below which the service is mounted, percent-encoded, such as `/rent`:
                the `type` of a problem leads to its page below it.

        Returns:
            The answer. Nothing is raised, whatever is sent.
        """
        began = perf_counter()
        asked = self.begin(method, path, query, headers, mount)
        found = asked if isinstance(asked, HttpAnswer) else self.finish(asked, body)
        log_access(method, found, perf_counter() - began)
        return found

    def begin(
        self, method: str, path: str, query: str, headers: HeaderPairs, mount: str = ""
    ) -> Asked | HttpAnswer:
        """Return what is asked, from its head alone; or the answer, where no body is needed.

        Nothing is read from a store, so that it never waits.

        Args:
            method: As in `answer`.
            path: As in `answer`.
            query: As in `answer`.
            headers: As in `answer`.
            mount: As in `answer`.

        Returns:
            The request, to be finished with its body; or its refusal.
        """
        given = headers_of(headers)
        asked = Asked(
            method, _request_id(given.get("x-request-id", ())), query, mount=_path_of(mount)
        )
        try:
            asked = self._found(asked, path)
            return self._headed(asked, given) if asked.route else asked
        except Exception as error:  # noqa: BLE001 - nothing is raised, whatever is sent
            return self._refused(asked, self._meant(error, asked))

    def _found(self, asked: Asked, path: str) -> Asked:
        if not path.isascii():
            path = quote(path, safe="/%", errors="replace")
        if len(path) + len(asked.query) > self.limits.most_query_bytes:
            said = f"path and query have more than {self.limits.most_query_bytes} bytes"
            raise RefusalError("address-too-long", "address_too_long", said)
        page = PAGES.get(path)
        if page is None and path != HEALTH:
            route, ids = self._routes.find(asked.method, path)
            return asked._replace(name=route.endpoint.path, route=route, ids=ids)
        if asked.method not in _READING:
            raise not_that_method(asked.method, path, _READING)
        return asked._replace(name=path, page=page)

    def _headed(self, asked: Asked, given: Mapping[str, list[str]]) -> Asked:
        """Return a request for an operation with what its headers say."""
        headers = single_headers(given)
        key = headers.get("authorization", "")
        if not key:
            raise _no_key("missing_key", "the header Authorization is missing")
        if not asked.takes_body:
            check_no_body(headers)
            return asked._replace(key=key)
        check_media_type(headers)
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal():
            self._check_size(int(length[:20]))
        return asked._replace(key=key, said_json="content-type" in headers)

    def finish(self, asked: Asked, body: bytes) -> HttpAnswer:
        """Return the answer to a request whose head was read; it may wait for a store.

        Args:
            asked: What `begin` returned.
            body: The whole body.

        Returns:
            The answer. Nothing is raised.
        """
        key: KeptKey | None = None
        try:
            self._check_size(len(body))
            if asked.route is None:
                found = self._shown(asked)
            else:
                key = self._allowed(asked.key, asked.route.rights)
                found = self._done(asked, asked.route, key, body)
        except Exception as error:  # noqa: BLE001 - nothing is raised, whatever happens
            return self._refused(asked, self._meant(error, asked), key)
        return _told(asked, found, key)

    def busy(self, asked: Asked) -> HttpAnswer:
        """Return what is answered when there is too much to do.

        Args:
            asked: What `begin` returned.

        Returns:
            The answer.
        """
        refused = self._unavailable("too_much_to_do", "the service has too much to do")
        return self._refused(asked, refused)

    def too_slow(self, asked: Asked) -> HttpAnswer:
        """Return what is answered when a body has not arrived in time.

        Args:
            asked: What `begin` returned.

        Returns:
            The answer.
        """
        said = f"the body did not arrive within {self.limits.body_seconds:g} seconds"
        refused = RefusalError("slow-body", "slow_body", said, headers=(("Connection", "close"),))
        return self._refused(asked, refused)

    def _check_size(self, size: int) -> None:
        """Refuse a body that is too large."""
        if size > self.limits.most_bytes:
            said = f"a body has at most {self.limits.most_bytes} bytes"
            raise RefusalError("too-large", "too_large", said)

    def _allowed(self, text: str, rights: Iterable[str]) -> KeptKey:
        """Return the key that a caller sent, where it has the rights."""
        key = key_of(text, self._keys)
        if key is None:
            if " " in text:
                said = "the key stands bare in Authorization, without a scheme such as Bearer"
                raise _no_key("unknown_key", said)
            raise _no_key("unknown_key", "the key is unknown, or it was revoked")
        missing = [right for right in rights if right not in key.rights]
        if missing:
            said = f"the key has not the right{'s' * (len(missing) > 1)} {', '.join(missing)}"
            raise RefusalError("not-allowed", "missing_right", said)
        return key

    def _done(self, asked: Asked, route: Route, key: KeptKey, body: bytes) -> HttpAnswer:
        """Do what is asked, and return the answer."""
        request = self._reader.request(
            route, asked.ids, asked.query, body, said_json=asked.said_json
        )
        facts = Facts(
            moment=self._clock(),
            new_id=self._new_id,
            today=self._today() if self._today else None,
            indices=self._indices,
            policy=self._policy,
            most_days=self.limits.most_days,
        )
        opened = self._stores.writing if route.writes else self._stores.reading
        with opened(key.owner) as store:
            answer: Any = route.operation(request, store, facts)
            # Before the transaction ends: what cannot be written as JSON changes nothing.
            text = answer_text(answer, policy=self._policy)
        return answer_of(route.endpoint.status, JSON, text.encode(), asked.request_id)

    def _shown(self, asked: Asked) -> HttpAnswer:
        page = asked.page
        if page is not None:
            body = page_bytes(page, asked.mount)
            return answer_of(200, page.media_type, body, asked.request_id, page.headers)
        try:
            self._keys.find("health")
            with self._stores.reading("health") as store:
                store.find(Product, "health")
        except Exception:  # noqa: BLE001 - whatever a store raises, it is out of reach
            SERVICE.warning("no store; request %s", asked.request_id, exc_info=True)
            raise self._unavailable("store_out_of_reach", "the store is out of reach") from None
        return answer_of(200, JSON, HEALTHY, asked.request_id)

    def _unavailable(self, code: str, detail: str) -> RefusalError:
        """Return the refusal of what can be asked again in a moment."""
        again: Headers = (("Retry-After", str(self.limits.retry_after)),)
        return RefusalError("unavailable", code, detail, headers=again)

    def _meant(self, error: Exception, asked: Asked) -> RefusalError:
        """Return the refusal that an error means; a fault of ours is told to the log alone."""
        if isinstance(error, RefusalError):
            return error
        if isinstance(error, StoreUnavailableError):
            SERVICE.warning("%s; request %s", error, asked.request_id)
            return self._unavailable(error.code, str(error))
        meant = refusal_of(error) if isinstance(error, RentBillingError) else None
        if meant is None:
            said = "%s %s failed; request %s"
            SERVICE.error(said, asked.method, asked.name, asked.request_id, exc_info=error)
            said = "the request failed, and the fault is ours"
            meant = RefusalError("internal", "internal", said)
        return meant

    def _refused(
        self, asked: Asked, refused: RefusalError, key: KeptKey | None = None
    ) -> HttpAnswer:
        answer = refused.answer(asked.request_id, self.limits.most_problems, asked.mount)
        return _told(asked, answer, key)


def _told(asked: Asked, answer: HttpAnswer, key: KeptKey | None) -> HttpAnswer:
    """Return an answer with what the access log tells of it, for HEAD without its body."""
    status, headers, body, request_id, *_ = answer
    owner, key_id = ("", "") if key is None else (key.owner, key.key_id)
    shown = b"" if asked.method == "HEAD" else body
    return HttpAnswer(status, headers, shown, request_id, asked.name, owner, key_id)


def _no_key(code: str, detail: str) -> RefusalError:
    challenge = ("WWW-Authenticate", 'ApiKey realm="rentbilling"')
    return RefusalError("no-key", code, detail, headers=(challenge,))


def _path_of(mount: str) -> str:
    """Return where the service is mounted as a path, which never names another host."""
    parts = mount.strip("/")
    return f"/{parts}" if parts else ""


def _request_id(given: list[str] | tuple[()]) -> str:
    """Return the id that the caller gave a request where it is one, otherwise a new one."""
    if len(given) == 1 and 0 < len(given[0]) <= _MOST_OF_AN_ID:
        (text,) = given
        if text.isascii() and all(each.isalnum() or each in _ID_MARKS for each in text):
            return text
    return _new_id()
