"""Several server processes that share one address.

Laws: a worker that ends is replaced, unless none can begin; when the first process ends, however it
does, so do its workers, each of which finishes its running requests.
"""

import os
import signal
import socket
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any, Final

_SOON: Final = 5.0
"""Seconds within which a worker that ends has not really begun."""
_MOST_SOON: Final = 3
"""Workers that may end so soon, one after another, before nothing is tried any more."""
_PATIENCE: Final = 40
"""Seconds for a worker to finish its requests, before it is killed."""


class WorkersEndedError(Exception):
    """The workers end as soon as they have begun."""


def run_workers(
    count: int,
    work: Callable[..., None],
    bound: socket.socket,
    *given: Any,  # noqa: ANN401
    ended: Callable[[int], None] = lambda _: None,
) -> None:
    """Run processes until SIGTERM or SIGINT.

    Args:
        count: How many.
        work: What each of them does with the socket until SIGTERM, a function of a module.
        bound: A socket that listens.
        given: More arguments of `work`, which can be pickled.
        ended: Called with the number of each process that ended and is replaced.

    Raises:
        WorkersEndedError: They end as soon as they have begun.
    """

    def started() -> tuple[SpawnProcess, float]:
        process = context.Process(target=_begin, args=(work, bound, *given))
        process.start()
        return process, time.monotonic()

    # A new interpreter for each: to fork one that has threads and a database is not safe.
    context = get_context("spawn")
    soon = 0
    with _signalled() as signalled:
        running = [started() for _ in range(count)]
        try:
            while signalled not in wait([signalled, *(each.sentinel for each, _ in running)]):
                for at, (process, began) in enumerate(running):
                    if process.is_alive():
                        continue
                    ended(process.pid or 0)
                    soon = soon + 1 if time.monotonic() - began < _SOON else 0
                    if soon >= _MOST_SOON:
                        raise WorkersEndedError
                    running[at] = started()
        finally:
            _end([each for each, _ in running])


def _end(processes: list[SpawnProcess]) -> None:
    for each in processes:
        each.terminate()
    last = time.monotonic() + _PATIENCE
    for each in processes:
        each.join(max(last - time.monotonic(), 0))
        each.kill()
        each.join()


def _begin(work: Callable[..., None], *given: Any) -> None:  # noqa: ANN401
    """Do the work of a process, which ends when its parent is gone."""
    Thread(target=_end_with_parent, daemon=True).start()
    work(*given)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def _signalled() -> Generator[Connection]:
    """Give a connection that has something to read once a signal has come."""
    reader, writer = get_context("spawn").Pipe(duplex=False)

    def leave(_number: int, _frame: FrameType | None) -> None:
        writer.send(None)

    before = {}
    if current_thread() is main_thread():
        before = {each: signal.signal(each, leave) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        with reader, writer:
            yield reader
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
