"""Whose request is worked on next: limits of each owner, and threads for reads and for changes.

Laws: an owner has no more requests in work, waiting or arriving than `Limits` says, and never all
threads, so that the others are always answered; owners take turns, each one's requests in the order
in which they came; the time that a request waits is counted from its arrival.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, sleep, thread_time
from typing import Final, Self, TypeVar

from starlette.types import Receive

from rentbilling.adapters.http.request_limits import Limits, TooManyError

T = TypeVar("T")

_QUICK: Final = 0.05
"""Seconds of work during which nobody looks whether the caller is still there."""
_LONG: Final = 0.05
"""Seconds of processor time beyond which a request has computed for long."""
_REMEMBERED: Final = 10.0
"""Seconds for which its owner has few threads beside others."""
_PART: Final = 0.01
"""Seconds that a read computes before it gives way to others."""
_WAITS: Final = 3
"""It then sleeps so many times as long as it computed."""
_LONGEST_SLEEP: Final = 0.3
_MOST_IDLE: Final = 10_000
"""Owners without a request whose allowance is remembered."""


class Absence:
    """Whether the caller of a request has hung up; its connection is watched only when asked."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._watch: asyncio.Task[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._watch is not None:
            self._watch.cancel()

    def watched(self) -> "asyncio.Task[None]":
        """Return a task that is done when the caller has hung up."""
        if self._watch is None:
            self._watch = asyncio.ensure_future(self._hangs_up())
        return self._watch

    def is_certain(self) -> bool:
        """Return whether it is known that the caller has hung up; any thread may ask."""
        return self._watch is not None and self._watch.done()

    async def _hangs_up(self) -> None:
        with suppress(Exception):
            while (await self._receive())["type"] != "http.disconnect":
                pass


@dataclass(slots=True)
class _Owner:
    """The requests of an owner."""

    allowance: float
    """Requests that it may make at this moment, where there are limits per second."""
    counted: float
    """When that was computed."""
    present: int = 0
    """Requests in work or waiting."""
    running: int = 0
    """Those in work."""
    bodies: int = 0
    """Bodies that arrive."""
    heavy_until: float = 0.0
    """Until when it has few threads beside others, because of a request that computed for long."""


@dataclass(slots=True)
class _Threads:
    """Threads, and the requests that wait for them."""

    pool: ThreadPoolExecutor
    free: int
    most: int
    """Threads that one owner can have."""
    heavy: int
    """Threads that it can have beside others after a request that computed for long."""
    running: dict[str, int] = field(default_factory=dict)
    waiting: dict[str, "deque[asyncio.Future[bool]]"] = field(default_factory=dict)
    """By owner, the owner whose turn is next first: whether the turn came, or the caller left."""

    def can_start(self, name: str, owner: _Owner, most: int) -> bool:
        return self.free > 0 and not self.is_full(name, owner) and owner.running < most

    def has_others(self, name: str) -> bool:
        """Return whether another owner has requests; any thread may ask."""
        return any(each != name for each in (*self.running, *self.waiting))

    def is_full(self, name: str, owner: _Owner) -> bool:
        """Return whether an owner has as many threads as it can have at this moment."""
        most = self.most
        if monotonic() < owner.heavy_until and self.has_others(name):
            most = self.heavy
        return self.running.get(name, 0) >= most

    def start(self, name: str, owner: _Owner) -> None:
        self.free -= 1
        owner.running += 1
        self.running[name] = self.running.get(name, 0) + 1

    def end(self, name: str, owner: _Owner) -> None:
        self.free += 1
        owner.running -= 1
        self.running[name] -= 1
        if not self.running[name]:
            del self.running[name]

    def leave(self, name: str, turn: "asyncio.Future[bool]") -> bool:
        """Take a request out of the line, and return whether it was there."""
        line = self.waiting.get(name)
        if line is None or turn not in line:
            return False
        line.remove(turn)
        if not line:
            del self.waiting[name]
        return True


class Turns:
    """Gives each request its turn; used by one event loop."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = monotonic,
        *,
        waits: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self._limits, self._clock, self._waits = limits, clock, waits
        self._owners: dict[str, _Owner] = {}
        self._present = self._bodies = 0
        # They start threads when they are needed.
        reading, writing = limits.threads, limits.writing_threads
        # Reads mostly compute, and each thread that computes makes all others wait.
        self._reads = _Threads(
            ThreadPoolExecutor(reading, "reads"), reading, _part(reading, 2), _part(reading, 4)
        )
        self._writes = _Threads(
            ThreadPoolExecutor(writing, "writes"), writing, _part(writing, 3), _part(writing, 3)
        )

    def count(self, name: str) -> None:
        """Count a request of an owner against its limit per second.

        Raises:
            TooManyError: It has made too many.
        """
        rate = self._limits.per_second
        if rate is None:
            return
        owner, now = self._owner(name), self._clock()
        most = max(rate, 1.0)
        owner.allowance = min(most, owner.allowance + (now - owner.counted) * rate)
        owner.counted = now
        if owner.allowance < 1:
            said = f"the owner of the key has at most {rate:g} requests a second"
            after = (1 - owner.allowance) / rate
            raise TooManyError("too_many_a_second", said, after=after)
        owner.allowance -= 1

    @contextmanager
    def body(self, name: str) -> Generator[None]:
        """Count a body while it arrives.

        Raises:
            TooManyError: Too many bodies arrive.
        """
        owner, most = self._owner(name), self._limits.most_bodies
        if owner.bodies >= _part(most, 4):
            raise _of_owner(f"{owner.bodies} bodies that arrive")
        if self._bodies >= most:
            raise _of_all()
        owner.bodies += 1
        self._bodies += 1
        try:
            yield
        finally:
            owner.bodies -= 1
            self._bodies -= 1

    @contextmanager
    def request(self, name: str) -> Generator[None]:
        """Count a request until its caller has the answer.

        Raises:
            TooManyError: There are too many.
        """
        limits, owner = self._limits, self._owner(name)
        most = limits.owner_at_once + limits.owner_waiting
        if owner.present >= most:
            raise _of_owner(f"{most} requests at once")
        if self._present >= limits.most_at_once:
            raise _of_all()
        owner.present += 1
        self._present += 1
        try:
            yield
        finally:
            owner.present -= 1
            self._present -= 1

    def giving_way(self, name: str) -> Callable[[], None]:
        """Return what a read calls between its parts: it sleeps while others have requests.

        It sleeps three times as long as it has computed, so that a long one leaves three quarters
        of the processor to the others, whose requests are interrupted the less.
        """
        computed = 0.0

        def give_way() -> None:
            nonlocal computed
            if computed == 0.0:
                computed = thread_time()
            spent = thread_time() - computed
            if spent > _PART and self._reads.has_others(name):
                sleep(min(_WAITS * spent, _LONGEST_SLEEP))
                computed = thread_time()

        return give_way

    async def run(
        self, name: str, work: Callable[[], T], *, writes: bool, gone: Absence
    ) -> T | None:
        """Return what a piece of work returns in a thread; None where its caller is gone before.

        Raises:
            TooManyError: Its turn did not come in time.
        """
        threads = self._writes if writes else self._reads
        owner = self._owner(name)
        # Who waits already goes first.
        free = name not in threads.waiting and threads.can_start(
            name, owner, self._limits.owner_at_once
        )
        if free:
            threads.start(name, owner)
        else:
            with self._waits():
                if not await self._turn(name, owner, threads, gone):
                    return None
        loop = asyncio.get_running_loop()
        look = loop.call_later(_QUICK, gone.watched)
        try:
            return await loop.run_in_executor(threads.pool, _timed, work, owner)
        finally:
            look.cancel()
            threads.end(name, owner)
            self._go_on()

    async def _turn(self, name: str, owner: _Owner, threads: _Threads, gone: Absence) -> bool:
        """Return whether the turn of a request came before its caller was gone.

        Raises:
            TooManyError: It did not come in time.
        """
        loop, limits = asyncio.get_running_loop(), self._limits
        turn: asyncio.Future[bool] = loop.create_future()
        threads.waiting.setdefault(name, deque()).append(turn)

        def leave(_: object = None) -> None:
            if threads.leave(name, turn) and not turn.done():
                turn.set_result(False)

        def end(*, of_all: bool) -> None:
            own = threads.is_full(name, owner) or owner.running >= limits.owner_at_once
            if (own or of_all) and threads.leave(name, turn):
                said = "as many requests in work as it may have"
                turn.set_exception(_of_owner(said) if own else _of_all())

        def wait_on() -> None:
            """Wait longer than most requests do."""
            gone.watched().add_done_callback(leave)
            for seconds, of_all in ((limits.owner_seconds, False), (limits.turn_seconds, True)):
                timers.append(loop.call_later(seconds - _QUICK, partial(end, of_all=of_all)))

        timers = [loop.call_later(_QUICK, wait_on)]
        try:
            return await turn
        except asyncio.CancelledError:
            if not threads.leave(name, turn) and turn.done() and not turn.cancelled():
                # Its turn came at the same moment.
                threads.end(name, owner)
                self._go_on()
            raise
        finally:
            for each in timers:
                each.cancel()

    def _go_on(self) -> None:
        """Start requests whose turn it is."""
        for threads in (self._reads, self._writes):
            started = True
            while started and threads.free:
                started = self._start_one(threads)

    def _start_one(self, threads: _Threads) -> bool:
        for name, line in threads.waiting.items():
            owner = self._owners[name]
            if threads.can_start(name, owner, self._limits.owner_at_once):
                # The owner goes to the end of the line, the thread to its oldest request.
                del threads.waiting[name]
                turn = line.popleft()
                if line:
                    threads.waiting[name] = line
                threads.start(name, owner)
                turn.set_result(True)
                return True
        return False

    def _owner(self, name: str) -> _Owner:
        owner = self._owners.get(name)
        if owner is None:
            if len(self._owners) >= _MOST_IDLE:
                self._forget()
            rate = self._limits.per_second
            owner = self._owners[name] = _Owner(max(rate or 0.0, 1.0), self._clock())
        return owner

    def _forget(self) -> None:
        """Forget owners without a request."""
        idle = [each for each, of in self._owners.items() if not of.present and not of.bodies]
        for each in idle:
            del self._owners[each]


def _timed(work: Callable[[], T], owner: _Owner) -> T:
    """Do a piece of work, and note whether it computed for long."""
    began = thread_time()
    try:
        return work()
    finally:
        if thread_time() - began > _LONG:
            owner.heavy_until = monotonic() + _REMEMBERED


def _part(threads: int, of: int) -> int:
    return max(1, threads // of)


def _of_owner(what: str) -> TooManyError:
    said = f"the owner of the key has {what} already"
    return TooManyError("too_many_at_once", said)


def _of_all() -> TooManyError:
    return TooManyError("too_much_to_do", "the service has too much to do", of_owner=False)
