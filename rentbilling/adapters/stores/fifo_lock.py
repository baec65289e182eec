"""A first-in-first-out lock; `threading.Lock` makes no promise of fairness."""

from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

from rentbilling.service import StoreUnavailableError


class FifoLock:
    """Lets one thread at a time go on, in the order in which they asked.

    Examples:
        >>> lock = FifoLock()
        >>> with lock.acquired(patience=1):
        ...     print("alone")
        alone
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        self._waiting: deque[Lock] = deque()

    @contextmanager
    def acquired(self, patience: int) -> Generator[None]:
        """Wait for the lock, and pass it on at the end.

        Raises:
            StoreUnavailableError: It took too long.
        """
        self._wait(patience)
        try:
            yield
        finally:
            with self._lock:
                if self._waiting:
                    self._waiting.popleft().release()
                else:
                    self._is_taken = False

    def _wait(self, patience: int) -> None:
        with self._lock:
            if not self._is_taken:
                self._is_taken = True
                return
            mine = Lock()
            mine.acquire()
            self._waiting.append(mine)
        if mine.acquire(timeout=patience):
            return
        with self._lock:
            # The lock may have come in the last moment.
            if mine in self._waiting:
                self._waiting.remove(mine)
                raise StoreUnavailableError("store_unavailable", reason="busy")
