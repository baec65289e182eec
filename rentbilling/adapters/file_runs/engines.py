"""Engines: the processes that make the parts of a run: this one, several, or those of a cluster.

Laws: every engine gives the same parts; few parts are in memory at a time; a process that dies is
an error, and finished parts stay; where several parts are refused, the error is that of the first.
"""

import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Final

import pyarrow as pa

from rentbilling.adapters.file_runs.dask_runs import run_on_dask
from rentbilling.adapters.file_runs.forms import MadePart, PartMaker
from rentbilling.adapters.file_runs.part_tasks import PartTask, Sent

MadeParts = Generator[tuple[int, MadePart]]
"""Parts with their numbers, in any order; closed, it lets go of what makes them."""

Engine = Callable[[PartMaker, Iterator[PartTask]], MadeParts]
"""Takes what makes parts, and the leases of each in order; gives the parts."""

_START: Final = "forkserver" if sys.platform == "linux" else "spawn"
"""How processes begin: from one that has nothing under way, where the system can do that."""

_PATIENCE: Final = 5.0
"""Seconds that a process has to end by itself."""


class WorkerDiedError(RuntimeError):
    """A process that made parts has died, such as for want of memory."""


def in_this_process(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
    """Give the parts of some tasks, one after another."""
    for task in tasks:
        yield task.number, make(task.given, task.first_row)


def in_processes(count: int) -> Engine:
    """Return the engine that has some processes of this machine."""

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        with ExitStack() as ending:

            def begun() -> _Worker:
                worker = _Worker(make)
                ending.callback(worker.end)
                return worker

            yield from _Crew(begun, count, tasks).parts()

    return engine


def on_dask(scheduler: str) -> Engine:
    """Return the engine that has the workers of a Dask cluster.

    Earlier bills are read where the workers are, and leases too where each part of their files can
    be read alone; the files must be there under the same paths. Bills travel back.
    """

    def engine(make: PartMaker, tasks: Iterator[PartTask]) -> MadeParts:
        sent = ((task.number, task.first_row, task.sent()) for task in tasks)
        with closing(run_on_dask(partial(_numbered, make), sent, scheduler)) as parts:
            yield from parts

    return engine


def _numbered(make: PartMaker, task: tuple[int, int, Sent]) -> tuple[int, MadePart]:
    number, first_row, leases = task
    return number, make(leases, first_row)


class _Worker:
    """A process that makes one part at a time."""

    def __init__(self, make: PartMaker) -> None:
        # Not forked from here: threads of Arrow would not survive it.
        context: Any = get_context(_START)
        self.connection, there = context.Pipe()
        self.process = context.Process(target=work, args=(there, make), daemon=True)
        self.process.start()
        there.close()
        self.number: int | None = None
        """The part that it makes."""

    def begin(self, task: PartTask) -> None:
        """Hand over a part to be made."""
        self.number = task.number
        try:
            self.connection.send((task.sent(), task.first_row))
        except OSError:
            raise self._died() from None

    def finish(self) -> MadePart | Exception:
        """Take the part that was made, or why there is none."""
        self.number = None
        try:
            received: tuple[MadePart | Exception, Sequence[str]] = self.connection.recv()
        except (EOFError, OSError):
            raise self._died() from None
        answer, notes = received
        if isinstance(answer, Exception) and notes:
            # Some errors pickle with their notes, some without.
            answer.__notes__ = list(notes)
        return answer

    def _died(self) -> WorkerDiedError:
        self.process.join(_PATIENCE)
        code = self.process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return WorkerDiedError(f"a process that made bills has ended {how}; what is done is kept")

    def end(self) -> None:
        """End the process: by itself where it waits, by force where it works."""
        self.connection.close()
        if self.number is not None:
            self.process.kill()
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class _Crew:
    """Some workers, begun when there is something for them, and the tasks that they share."""

    def __init__(self, begun: Callable[[], _Worker], most: int, tasks: Iterator[PartTask]) -> None:
        self._begun, self._more, self._tasks = begun, most, tasks
        self._idle: list[_Worker] = []
        self._busy: dict[Any, _Worker] = {}
        self._refused: dict[int, Exception] = {}
        self._ahead: PartTask | None = None

    def parts(self) -> MadeParts:
        while True:
            if not self._refused:
                self._hand_out()
            first = min(self._refused, default=None)
            # A refusal is raised when no part before it can be refused any more.
            if first is not None and all(
                first < (each.number or 0) for each in self._busy.values()
            ):
                raise self._refused[first]
            if not self._busy:
                return
            for connection in wait(list(self._busy)):
                worker = self._busy.pop(connection)
                number = worker.number or 0
                answer = worker.finish()
                self._idle.append(worker)
                if isinstance(answer, Exception):
                    self._refused[number] = answer
                else:
                    yield number, answer

    def _hand_out(self) -> None:
        """Give every idle worker a task, and take the next one from the source meanwhile."""
        while self._idle or self._more:
            task, self._ahead = self._ahead or next(self._tasks, None), None
            if task is None:
                return
            if not self._idle:
                self._idle.append(self._begun())
                self._more -= 1
            worker = self._idle.pop()
            worker.begin(task)
            self._busy[worker.connection] = worker
        self._ahead = self._ahead or next(self._tasks, None)


def work(connection: Connection, make: PartMaker) -> None:
    """Make parts for another process, until it has no more or is gone."""
    # Ctrl-C reaches the process that began this one as well, which then ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pa.set_cpu_count(1)
    with connection:
        try:
            while True:
                leases, first_row = connection.recv()
                connection.send(_answer(make, leases, first_row))
        except (EOFError, OSError):
            return


def _answer(
    make: PartMaker, leases: Sent, first_row: int
) -> tuple[MadePart | Exception, Sequence[str]]:
    """Return a part, or why there is none with its notes, which do not pickle."""
    try:
        return make(leases, first_row), ()
    except Exception as error:  # noqa: BLE001 - it is raised again by the process that asked
        return error, getattr(error, "__notes__", ())
