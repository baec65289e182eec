"""Whether the service can answer: its keys can be read, and a change can be stored.

Law: however often it is asked, and by whomever, a change is tried at most every few seconds.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from logging import getLogger
from threading import Lock
from typing import Final

from rentbilling.service import KeptAnswer, KeyRing, Stores, StoreUnavailableError

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
        self._trouble = ""

    def trouble(self, request_id: str) -> str:
        """Try to store a change, or return how the last trial ended; empty where all is well.

        The log has the error itself.
        """
        # While another thread tries, the last result is the answer: no caller waits for a store.
        if self._lock.acquire(blocking=False):
            try:
                self._try(request_id)
            finally:
                self._lock.release()
        return self._trouble

    def _try(self, request_id: str) -> None:
        now = self._clock()
        # Also where the clock was set back.
        if self._tried is not None and abs(now - self._tried) < _OFTEN:
            return
        try:
            self._keys.find("health")
            with self._stores.writing(_OWNER) as store:
                store.keep_answer("health", KeptAnswer("", 200, now.isoformat(), now), since=now)
        except Exception as error:  # noqa: BLE001 - any error means that nothing can be stored
            _LOG.warning("no store; request %s", request_id, exc_info=True)
            why = f": {error}" if isinstance(error, StoreUnavailableError) else ""
            self._trouble = f"nothing can be stored at the moment{why}"
        else:
            self._trouble = ""
        self._tried = now
