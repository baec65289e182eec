"""Whether the service can answer: its keys can be read, and a change can be stored.

Law: however often it is asked, and by whomever, a change is tried at most every few seconds.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from logging import getLogger
from threading import Lock
from typing import Final

from rentbilling.service import KeptAnswer, KeyRing, Stores

_LOG: Final = getLogger("rentbilling.service")
_OFTEN: Final = timedelta(seconds=5)
_OWNER: Final = "health\n"
"""No key has an owner with a line break."""


class HealthCheck:
    """The last trial, and how it ended."""

    def __init__(self, stores: Stores, keys: KeyRing, clock: Callable[[], datetime]) -> None:
        self._stores, self._keys, self._clock = stores, keys, clock
        self._lock = Lock()
        self._tried: datetime | None = None
        self._is_good = True

    def is_good(self, request_id: str) -> bool:
        """Try to store a change, or return how the last trial ended; the log says why it failed."""
        # While another thread tries, the last result is the answer: no caller waits for a store.
        if self._lock.acquire(blocking=False):
            try:
                self._try(request_id)
            finally:
                self._lock.release()
        return self._is_good

    def _try(self, request_id: str) -> None:
        now = self._clock()
        # Also where the clock was set back.
        if self._tried is not None and abs(now - self._tried) < _OFTEN:
            return
        try:
            self._keys.find("health")
            with self._stores.writing(_OWNER) as store:
                store.keep_answer("health", KeptAnswer("", 200, now.isoformat(), now), since=now)
        except Exception:  # noqa: BLE001 - any error means that nothing can be stored
            _LOG.warning("no store; request %s", request_id, exc_info=True)
            self._is_good = False
        else:
            self._is_good = True
        self._tried = now
