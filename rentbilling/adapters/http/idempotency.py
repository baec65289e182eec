"""Changes that are sent twice and carried out once: the header `Idempotency-Key`.

Laws: an answer is stored in the transaction of its change; the same request with the same key of an
owner gets that answer for 24 hours, and another request with that key is refused; what is refused
as invalid, and what fails, is not stored, so that the same key can be sent again.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from typing import Final, NamedTuple

from rentbilling.adapters.http.answers import (
    JSON,
    KEPT_SECONDS,
    PROBLEM,
    Headers,
    HttpAnswer,
    answer_of,
)
from rentbilling.adapters.http.refusals import RefusalError, invalid, refusal_of
from rentbilling.errors import Problem, RentBillingError, shown
from rentbilling.interface import MAX_IDEMPOTENCY_KEY
from rentbilling.service import PROBLEM_KINDS, KeptAnswer, ServedStore, Stores

HEADER: Final = "idempotency-key"
_KEPT: Final = timedelta(seconds=KEPT_SECONDS)
_CONFLICT: Final = PROBLEM_KINDS["conflict"].status
_REPLAYED: Final[Headers] = (("Idempotent-Replayed", "true"),)


def idempotency_key(headers: Mapping[str, str]) -> str:
    """Return the idempotency key of a change; empty if it has none.

    Raises:
        RefusalError: It is too long, or has other than printable characters of ASCII.
    """
    key = headers.get(HEADER)
    if key is None:
        return ""
    if not (0 < len(key) <= MAX_IDEMPOTENCY_KEY and key.isascii() and key.isprintable()):
        expected = f"1 to {MAX_IDEMPOTENCY_KEY} printable characters of ASCII"
        raise invalid(Problem(HEADER, "not_a_key", "is no key", shown(key), expected))
    return key


class KeyedCall(NamedTuple):
    """A change that was sent with an idempotency key."""

    owner: str
    key: str
    digest: str
    """Of method, path and body."""
    moment: datetime
    request_id: str


def digest_of(method: str, path: str, ids: Mapping[str, str], body: bytes) -> str:
    """Return the digest by which a request is recognized.

    Examples:
        >>> digest_of("POST", "/leases", {}, b"{}") == digest_of("POST", "/leases", {}, b"{ }")
        False
    """
    found = sha256()
    for part in (method, path, *(each for pair in sorted(ids.items()) for each in pair)):
        text = part.encode("utf-8", "surrogatepass")
        # With its length, so that no two lists of parts are one text.
        found.update(b"%d:%b" % (len(text), text))
    found.update(body)
    return found.hexdigest()


class IdempotentCalls:
    """Carries out changes that have a key, each once; several threads may use it."""

    def __init__(self, stores: Stores, retry_after: int) -> None:
        self._stores = stores
        self._again: Headers = (("Retry-After", str(retry_after)),)
        self._lock = Lock()
        self._running: set[tuple[str, str]] = set()

    def answer(
        self,
        call: KeyedCall,
        carry_out: Callable[[ServedStore], HttpAnswer],
        refused: Callable[[RefusalError], HttpAnswer],
    ) -> HttpAnswer:
        """Return the answer that is stored for a key, or carry out the change and store its answer.

        `refused` writes the answer of a refusal.

        Raises:
            RefusalError: The key is that of another request, or of one that is running.
            RentBillingError: The change is refused, and its answer is not to be stored.
        """
        with self._alone(call):
            try:
                with self._stores.writing(call.owner) as store:
                    return _stored(store, call) or _keep(store, call, carry_out(store))
            except RentBillingError as error:
                refusal = refusal_of(error)
                if refusal.kind.status != _CONFLICT:
                    raise
            # The transaction of the change is undone: the refusal is stored in one of its own.
            with self._stores.writing(call.owner) as store:
                return _stored(store, call) or _keep(store, call, refused(refusal))

    @contextmanager
    def _alone(self, call: KeyedCall) -> Generator[None]:
        """Refuse a call while another one with its key is running in this process.

        Another process waits for the transaction instead, and then finds the answer.
        """
        name = (call.owner, call.key)
        with self._lock:
            if name in self._running:
                said = "a call with this idempotency key is still running"
                raise RefusalError("idempotency-key", "key_in_use", said, headers=self._again)
            self._running.add(name)
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(name)


def _stored(store: ServedStore, call: KeyedCall) -> HttpAnswer | None:
    """Return the answer that is stored for a key, if it is not too old.

    Raises:
        RefusalError: It is the answer to another request.
    """
    kept = store.kept_answer(call.key)
    if kept is None or kept.moment < call.moment - _KEPT:
        return None
    if kept.digest != call.digest:
        said = "this idempotency key was sent with another method, path or body; make a new key"
        raise RefusalError("idempotency-key", "key_reused", said)
    kind = PROBLEM if kept.status == _CONFLICT else JSON
    return answer_of(kept.status, kind, kept.body.encode(), call.request_id, _REPLAYED)


def _keep(store: ServedStore, call: KeyedCall, answer: HttpAnswer) -> HttpAnswer:
    kept = KeptAnswer(call.digest, answer.status, answer.body.decode(), call.moment)
    store.keep_answer(call.key, kept, since=call.moment - _KEPT)
    return answer
