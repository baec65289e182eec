"""Dask runs: the parts of a run, done by the workers of a cluster that is already there.

Laws: what comes back is in the order of the parts, whichever worker did them and when; only so many
parts are under way that the workers have enough to do, however many there are; where one fails, its
error is the caller's, and what had not begun never does.

Needs the package distributed, and the same release of rentbilling on every worker.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from importlib import import_module
from types import ModuleType
from typing import Any, Final, TypeVar

Part = TypeVar("Part")
Done = TypeVar("Done")

PATIENCE: Final = 30
"""Seconds that the scheduler has to answer, and its first worker to be there."""

_AHEAD: Final = 2
"""Parts for each thread of the workers: one that it does, and one that waits for it."""


def run_on_dask(
    task: Callable[[Part], Done], parts: Iterable[Part], scheduler: str, *, patience: int = PATIENCE
) -> Generator[Done]:
    """Give what a task returns for each part, done on a Dask cluster, in the order of the parts.

    The task can be pickled; parts are taken one by one, as the workers need them. `patience` is how
    many seconds the scheduler has to answer, and its first worker to be there.

    Examples:
        >>> run_on_dask(len, ["a part"], "tcp://cluster:8786")  # doctest: +ELLIPSIS
        <generator object run_on_dask at ...>
    """
    dask = _distributed()
    with dask.Client(scheduler, timeout=patience, set_as_default=False) as client:
        try:
            client.wait_for_workers(1, timeout=patience)
        except TimeoutError as error:
            raise TimeoutError(f"the scheduler {scheduler} has no workers") from error
        under_way: deque[Any] = deque()
        # A result like others: where the worker that has it is lost, another one makes it again.
        shared = client.submit(_the_same, task, pure=False)
        try:
            for part in parts:
                # Not by what it is made of: two parts that are alike are two parts all the same.
                under_way.append(client.submit(_done, shared, part, pure=False))
                if len(under_way) >= _AHEAD * max(1, sum(client.nthreads().values())):
                    yield _result_of(under_way)
            while under_way:
                yield _result_of(under_way)
        finally:
            client.cancel([*under_way, shared])


def _the_same(task: Callable[[Part], Done]) -> Callable[[Part], Done]:
    """Return a task, which is on a worker then."""
    return task


def _done(task: Callable[[Part], Done], part: Part) -> Done:
    return task(part)


def _result_of(under_way: deque[Any]) -> Any:  # noqa: ANN401 - what the task returned
    """Return what came of the part that has been under way longest, and let go of it."""
    return under_way.popleft().result()


def _distributed() -> ModuleType:
    """Return the package, or say how it is installed."""
    try:
        return import_module("distributed")
    except ImportError as missing:
        raise ImportError(
            f"runs on Dask need {missing.name}: pip install distributed", name=missing.name
        ) from missing
