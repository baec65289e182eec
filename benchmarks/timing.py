"""How time and calls are taken.

Law: two things are only compared when they took turns in one process, each judged by its best
round. A noisy machine makes single rounds slower, never faster, so the best of many is what the
code costs; and taking turns spreads a slow minute over both. The garbage collector rests while
the clock runs, and is given its turn between the rounds.

What does not live here: what is compared (`measures`, `neighbours`).
"""

import gc
import sys
from collections.abc import Callable, Mapping
from time import perf_counter_ns
from types import FrameType
from typing import Any


def best_times(work: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the best time of each piece of work, in seconds.

    Args:
        work: What to do in each turn, by name. Each does a whole batch.
        rounds: How many turns each one gets, after one to warm up.

    Returns:
        The seconds of the fastest turn, by name.
    """
    best = dict.fromkeys(work, sys.maxsize)
    for do in work.values():
        do()
    was_enabled = gc.isenabled()
    gc.disable()
    # What is alive now stays alive, so the collections between rounds need not look at it.
    gc.freeze()
    try:
        for _ in range(rounds):
            gc.collect()
            for name, do in work.items():
                begun = perf_counter_ns()
                do()
                best[name] = min(best[name], perf_counter_ns() - begun)
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
    return {name: nanoseconds / 1e9 for name, nanoseconds in best.items()}


def count_calls(do: Callable[[], object]) -> int:
    """Return how many functions, written in Python or in C, are called to do something once.

    Calls do not depend on the machine or on what else it does, so they show to the last one
    whether work grows.
    """
    calls = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:  # noqa: ANN401 - sys gives any.
        nonlocal calls
        if event in {"call", "c_call"}:
            calls += 1

    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(None)
    # Switching off the profile is a call that is itself counted.
    return calls - 1
