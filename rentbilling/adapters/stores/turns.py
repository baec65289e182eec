"""Turns: who came first goes first.

Law: nobody is overtaken, however often others come again; a lock of Python's own lets who has just
gone go again.
"""

from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

from rentbilling.service.store import StoreUnavailableError


class Turns:
    """Lets one thread at a time go on, in the order in which they came.

    Examples:
        >>> turns = Turns()
        >>> with turns.taken(patience=1):
        ...     print("alone")
        alone
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_taken = False
        self._waiting: deque[Lock] = deque()

    @contextmanager
    def taken(self, patience: int) -> Generator[None]:
        """Wait for a turn, and let the next one go at the end.

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
            # Whose turn came in the last moment takes it.
            if mine in self._waiting:
                self._waiting.remove(mine)
                raise StoreUnavailableError("store_unavailable", reason="busy")
