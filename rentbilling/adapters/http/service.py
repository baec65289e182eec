"""The whole service as a function from a request to its answer.

Laws: it imports no transport, event loop or framework, so that each of them embeds it in a few
lines; an operation runs in one transaction, and its answer is written before that ends, so that an
answer which cannot be written changes nothing; every request gets a documented answer.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from functools import partial
from math import ceil
from random import getrandbits
from time import perf_counter
from typing import Any, Final, NamedTuple
from urllib.parse import quote
from uuid import UUID, uuid4

from rentbilling.adapters.fair_cache import FairCache
from rentbilling.adapters.http.access_log import log_access
from rentbilling.adapters.http.answers import JSON, Headers, HttpAnswer, answer_of
from rentbilling.adapters.http.bounded_reading import (
    BoundedReading,
    GivenUpError,
    check_length,
)
from rentbilling.adapters.http.health import HealthCheck
from rentbilling.adapters.http.idempotency import (
    IdempotentCalls,
    KeyedCall,
    digest_of,
    idempotency_key,
)
from rentbilling.adapters.http.metrics import METRICS_TYPE, ServiceMetrics
from rentbilling.adapters.http.pages import HEALTHY, METRICS, PAGES, Page
from rentbilling.adapters.http.preconditions import (
    answers_tag,
    check_unchanged,
    condition,
    tag_of,
)
from rentbilling.adapters.http.refusals import RefusalError, refusal_of
from rentbilling.adapters.http.request_limits import Limits, TooManyError
from rentbilling.adapters.http.request_reading import (
    HeaderPairs,
    RequestReader,
    check_media_type,
    check_no_body,
    check_only_for_changes,
    headers_of,
    single_headers,
)
from rentbilling.adapters.http.routing import (
    HEALTH,
    NO_IDS,
    Route,
    Routes,
    route_of,
    unknown_method,
)
from rentbilling.codec import answer_text
from rentbilling.indices import AnyIndices
from rentbilling.interface import ENDPOINTS
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.service import (
    OPERATIONS,
    AuditedStore,
    Context,
    KeyRing,
    Store,
    StoredKey,
    Stores,
    StoreUnavailableError,
    key_of,
    may_be_key,
)

SERVICE: Final = logging.getLogger("rentbilling.service")
_READING: Final = ("GET", "HEAD")
_MOST_OF_AN_ID: Final = 64
"""Characters of the id that a caller gives a request."""
_MOST_KEYS: Final = 4_096
"""Keys whose owners are remembered."""
_MOST_COMPILED: Final = 20_000
"""Items of leases that stay compiled, of all owners together."""
_NO_STORE: Final = "store_out_of_reach"
_ID_MARKS: Final = frozenset("-_.")


_ROOT: Final = "/"
"""The path of the service itself, which leads to its document."""


class RequestHead(NamedTuple):
    """A request without its body."""

    method: str
    request_id: str
    query: str
    name: str = ""
    """Its route or page, for the log; empty if unknown."""
    route: Route | None = None
    """The operation; None for a page."""
    ids: Mapping[str, str] = NO_IDS
    """Parameters of the path."""
    page: Page | None = None
    """The page; None for an operation, and for the page of health."""
    key: str = ""
    mount: str = ""
    """The path below which the service is mounted; empty at the root."""
    is_json: bool = False
    """Whether a header declares the body as JSON."""
    idempotency_key: str = ""
    """Names a change, so that it is carried out once; empty: it may be carried out twice."""
    if_match: str = ""
    """Tags of which a changed object must have one; empty: any."""

    @property
    def takes_body(self) -> bool:
        """Whether the method may have a body."""
        return self.method not in _READING

    def __repr__(self) -> str:
        """Return a text for logs, without the key."""
        return f"RequestHead({self.method!r}, {self.request_id!r}, {self.name!r})"


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return str(uuid4())


class RentalService:
    """The service over a store, for any transport; several threads may call it at once."""

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
        new_audit_id: Callable[[], str] = _new_id,
        limits: Limits | None = None,
        metrics: ServiceMetrics | None = None,
    ) -> None:
        """Set what the service works with.

        Args:
            stores: The objects of the owners.
            keys: The API keys.
            indices: Index series that plans name.
            policy: The policy of all bills.
            today: Returns the day of figures such as a rent level; absent: the day of `clock`, in
                UTC unless the clock has another offset.
            clock: Returns the time, with its offset.
            new_id: Returns a unique id for a new object.
            new_audit_id: Returns a unique id for a new audit record.
            limits: The bounds.
            metrics: Counts requests, and shows the figures at `/metrics`, without a key; absent:
                there is no such path.
        """
        self._stores, self._keys = metrics.timed(stores) if metrics else stores, keys
        self._indices, self._policy = indices, policy_of(policy)
        self._today, self._clock = today, clock
        self._new_id, self._new_audit_id = new_id, new_audit_id
        self.limits = limits or Limits()
        """The bounds, which a transport applies too."""
        self.metrics = metrics
        """The figures; None: they are off."""
        self._found_keys: dict[str, StoredKey] = {}
        self._compiled = FairCache[Any](_MOST_COMPILED)
        self._reader = RequestReader(self._policy, self.limits.most_problems)
        self._health = HealthCheck(stores, keys, clock)
        self._idempotent = IdempotentCalls(self._stores, self.limits.retry_after)
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
            The answer. Nothing is raised for any request.
        """
        began = perf_counter()
        head = self.begin(method, path, query, headers, mount)
        found = head if isinstance(head, HttpAnswer) else self.finish(head, body)
        self.note(method, found, perf_counter() - began)
        return found

    def note(self, method: str, answer: HttpAnswer, seconds: float, *, status: int = 0) -> None:
        """Log and count an answer, as each transport does with those that it sends itself.

        Args:
            method: The method.
            answer: The answer.
            seconds: How long it took.
            status: What happened instead of its status; 0: its status.
        """
        log_access(method, answer, seconds, status=status)
        if self.metrics is not None:
            self.metrics.count(method, answer, seconds, status or answer.status)

    def begin(
        self, method: str, path: str, query: str, headers: HeaderPairs, mount: str = ""
    ) -> RequestHead | HttpAnswer:
        """Return the head of a request, or its refusal, before the body is there.

        No store is read, so that the caller never waits. The arguments are those of `answer`.

        Returns:
            The head, for `finish` with the body; or the refusal.
        """
        given = headers_of(headers)
        head = RequestHead(
            method, _request_id(given.get("x-request-id", ())), query, mount=_path_of(mount)
        )
        try:
            head = self._found(head, path)
            return self._with_headers(head, given) if head.route else head
        except Exception as error:  # noqa: BLE001 - nothing is raised for any request
            return self._refused(head, self._refusal_for(error, head))

    def _found(self, head: RequestHead, path: str) -> RequestHead:
        if not path.isascii():
            path = quote(path, safe="/%", errors="replace")
        if len(path) + len(head.query) > self.limits.most_query_bytes:
            said = f"path and query have more than {self.limits.most_query_bytes} bytes"
            raise RefusalError("address-too-long", "address_too_long", said)
        page = PAGES.get(path)
        if path == METRICS and self.metrics is None:
            page = None
        if page is None and path not in (HEALTH, _ROOT):
            route, ids = self._routes.find(head.method, path)
            return head._replace(name=route.endpoint.path, route=route, ids=ids)
        if head.method not in _READING:
            raise unknown_method(head.method, path, _READING)
        return head._replace(name=path, page=page)

    def _with_headers(self, head: RequestHead, given: Mapping[str, list[str]]) -> RequestHead:
        """Return the head of an operation, with the facts of its headers."""
        headers = single_headers(given)
        key = headers.get("authorization", "")
        if not key:
            raise _no_key("missing_key", "the header Authorization is missing")
        if not head.takes_body:
            check_no_body(headers)
            check_only_for_changes(headers)
            return head._replace(key=key)
        check_media_type(headers)
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal():
            self._check_size(int(length[:20]))
        return head._replace(
            key=key,
            is_json="content-type" in headers,
            idempotency_key=idempotency_key(headers),
            if_match=condition(head.route.endpoint, headers) if head.route else "",
        )

    def known_key(self, head: RequestHead) -> StoredKey | HttpAnswer | None:
        """Return the key of a request as it was found before, or the refusal of what is no key.

        No store is read, so that the caller never waits. `finish` looks the key up again: it may
        have been revoked.

        Returns:
            The key; the refusal; or None where `key_for` has to look it up.
        """
        if not may_be_key(head.key):
            return self.key_for(head)
        return self._found_keys.get(head.key)

    def key_for(self, head: RequestHead) -> StoredKey | HttpAnswer:
        """Return the key of a request, which may wait for a store.

        Args:
            head: What `begin` returned, of an operation.

        Returns:
            The key; or the refusal of a key that is unknown or lacks a right. Nothing is raised.
        """
        try:
            return self._allowed(head.key, head.route.rights if head.route else ())
        except Exception as error:  # noqa: BLE001 - nothing is raised, whatever fails
            return self._refused(head, self._refusal_for(error, head))

    def finish(
        self, head: RequestHead, body: bytes, *, goes_on: Callable[[], bool] | None = None
    ) -> HttpAnswer:
        """Return the answer to a request; it may wait for a store.

        Args:
            head: What `begin` returned.
            body: The whole body.
            goes_on: Called by a read between its parts: it may wait for others, and returns
                whether the answer is still wanted.
        """
        key: StoredKey | None = None
        try:
            self._check_size(len(body))
            if head.route is None:
                found = self._page(head)
            else:
                key = self._allowed(head.key, head.route.rights)
                found = self._carried_out(head, head.route, key, body, goes_on)
        except Exception as error:  # noqa: BLE001 - nothing is raised, whatever fails
            return self._refused(head, self._refusal_for(error, head), key)
        return _for_log(head, found, key)

    def busy(self, head: RequestHead) -> HttpAnswer:
        """Return the answer for one request too many."""
        refused = self._unavailable("too_much_to_do", "the service has too much to do")
        return self._refused(head, refused)

    def no_health(self, head: RequestHead, seconds: float) -> HttpAnswer:
        """Return the answer about health where the store has not answered for so long."""
        said = f"the database has not answered for {seconds:g} seconds"
        return self._refused(head, self._unavailable(_NO_STORE, said))

    def too_many(self, head: RequestHead, error: TooManyError) -> HttpAnswer:
        """Return the answer where there are too many requests, of one owner or of all."""
        if not error.of_owner:
            return self.busy(head)
        again = str(max(ceil(error.after), self.limits.retry_after))
        headers: Headers = (("Retry-After", again),)
        refused = RefusalError("too-many-requests", error.code, error.detail, headers=headers)
        return self._refused(head, refused)

    def too_slow(self, head: RequestHead) -> HttpAnswer:
        """Return the answer where a body has not arrived in time."""
        limits = self.limits
        said = (
            f"the body did not arrive within {limits.body_seconds:g} seconds,"
            f" or arrives at less than {limits.least_rate} bytes a second"
        )
        refused = RefusalError("slow-body", "slow_body", said, headers=(("Connection", "close"),))
        return self._refused(head, refused)

    def _check_size(self, size: int) -> None:
        if size > self.limits.most_bytes:
            said = f"a body has at most {self.limits.most_bytes} bytes"
            raise RefusalError("too-large", "too_large", said)

    def _allowed(self, text: str, rights: Iterable[str]) -> StoredKey:
        """Return the key that a caller sent, if it has the rights."""
        key = key_of(text, self._keys, self._clock())
        if key is None:
            self._found_keys.pop(text, None)
            if " " in text:
                said = (
                    "the key alone is the value of Authorization, without a scheme such as Bearer"
                )
                raise _no_key("unknown_key", said)
            raise _no_key(
                "unknown_key", "the key is unknown, or it was revoked or its time is over"
            )
        missing = [right for right in rights if right not in key.rights]
        if missing:
            said = f"the key lacks the right{'s' * (len(missing) > 1)} {', '.join(missing)}"
            raise RefusalError("not-allowed", "missing_right", said)
        if len(self._found_keys) >= _MOST_KEYS:
            self._found_keys.clear()
        self._found_keys[text] = key
        return key

    def _carried_out(
        self,
        head: RequestHead,
        route: Route,
        key: StoredKey,
        body: bytes,
        goes_on: Callable[[], bool] | None,
    ) -> HttpAnswer:
        request = self._reader.request(route, head.ids, head.query, body, is_json=head.is_json)
        context = Context(
            moment=self._clock(),
            new_id=self._new_id,
            today=self._today() if self._today else None,
            indices=self._indices,
            policy=self._policy,
            most_days=self.limits.most_days,
            remembered=partial(self._compiled.value_of, key.owner),
        )

        def carry_out(opened_store: Store) -> HttpAnswer:
            # An operation that reads calls the reading methods alone.
            store: Any = BoundedReading(opened_store, self.limits.most_entries, goes_on)
            if route.writes:
                store = AuditedStore(
                    opened_store,
                    operation=route.endpoint.operation,
                    key_id=key.key_id,
                    request_id=head.request_id,
                    moment=context.moment,
                    new_id=self._new_audit_id,
                )
            if head.if_match:
                check_unchanged(head.if_match, route.endpoint, head.ids, store, context)
            answer: Any = route.operation(request, store, context)
            # Within the transaction: an answer that cannot be written changes nothing.
            text = answer_text(answer, policy=self._policy)
            data = text.encode()
            check_length(data, self.limits.most_answer_bytes)
            tag = tag_of(text, head.ids, store) if answers_tag(route.endpoint) else ()
            return answer_of(route.endpoint.status, JSON, data, head.request_id, tag)

        if head.idempotency_key:
            digest = digest_of(head.method, route.endpoint.path, head.ids, body)
            call = KeyedCall(
                key.owner, head.idempotency_key, digest, context.moment, head.request_id
            )
            return self._idempotent.answer(
                call, carry_out, lambda refused: self._problem(head, refused)
            )
        opened = self._stores.writing if route.writes else self._stores.reading
        with opened(key.owner) as store:
            return carry_out(store)

    def _page(self, head: RequestHead) -> HttpAnswer:
        page = head.page
        if head.name == _ROOT:
            docs = (("Location", f"{head.mount}/docs"),)
            return answer_of(307, "text/plain; charset=utf-8", b"", head.request_id, docs)
        if head.name == METRICS and self.metrics is not None:
            return answer_of(200, METRICS_TYPE, self.metrics.text(), head.request_id)
        if page is not None:
            body = page.body(head.mount)
            return answer_of(200, page.media_type, body, head.request_id, page.headers)
        if trouble := self._health.trouble(head.request_id):
            raise self._unavailable(_NO_STORE, trouble)
        return answer_of(200, JSON, HEALTHY, head.request_id)

    def _unavailable(self, code: str, detail: str) -> RefusalError:
        """Return the refusal of a request that can be sent again in a moment."""
        again: Headers = (("Retry-After", str(self.limits.retry_after)),)
        return RefusalError("unavailable", code, detail, headers=again)

    def _refusal_for(self, error: Exception, head: RequestHead) -> RefusalError:
        """Return the refusal for an error; an internal error is described in the log alone."""
        if isinstance(error, RefusalError):
            return error
        if isinstance(error, GivenUpError):
            return self._unavailable("given_up", "the caller hung up")
        if isinstance(error, StoreUnavailableError):
            SERVICE.warning("%s; request %s", error, head.request_id)
            return self._unavailable(error.code, str(error))
        meant = refusal_of(error)
        if meant.kind.slug == "internal":
            said = "%s %s failed; request %s"
            SERVICE.error(said, head.method, head.name, head.request_id, exc_info=error)
        return meant

    def _refused(
        self, head: RequestHead, refused: RefusalError, key: StoredKey | None = None
    ) -> HttpAnswer:
        return _for_log(head, self._problem(head, refused), key)

    def _problem(self, head: RequestHead, refused: RefusalError) -> HttpAnswer:
        if self.metrics is not None:
            self.metrics.refuse(refused.code)
        return refused.answer(head.request_id, self.limits.most_problems, head.mount)


def _for_log(head: RequestHead, answer: HttpAnswer, key: StoredKey | None) -> HttpAnswer:
    """Return an answer with the facts for the access log, for HEAD without its body."""
    status, headers, body, request_id, *_ = answer
    owner, key_id = ("", "") if key is None else (key.owner, key.key_id)
    shown = b"" if head.method == "HEAD" else body
    return HttpAnswer(status, headers, shown, request_id, head.name, owner, key_id)


def _no_key(code: str, detail: str) -> RefusalError:
    challenge = ("WWW-Authenticate", 'ApiKey realm="rentbilling"')
    return RefusalError("no-key", code, detail, headers=(challenge,))


def _path_of(mount: str) -> str:
    """Return where the service is mounted, as a path that cannot name another host."""
    parts = mount.strip("/")
    return f"/{parts}" if parts else ""


def _request_id(given: list[str] | tuple[()]) -> str:
    """Return the id that the caller gave the request if it is valid, otherwise a new one."""
    if len(given) == 1 and 0 < len(given[0]) <= _MOST_OF_AN_ID:
        (text,) = given
        if text.isascii() and all(each.isalnum() or each in _ID_MARKS for each in text):
            return text
    # No secret; to draw from the system would let the event loop wait for its threads.
    return str(UUID(int=getrandbits(128), version=4))
