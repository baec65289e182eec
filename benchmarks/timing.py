"""How time and calls are taken.

Law: two things are only compared when they took turns in one process, each judged by its best
turns. A noisy machine makes a turn slower, never faster, so the best of many is what the code
costs. Work is cut into pieces of about a millisecond or less, the best turn of each piece counts,
and they are added up: a short piece meets a quiet moment even on a machine that has few of them.
The garbage collector rests while the clock runs, and is given its turn between the rounds.
"""

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter_ns
from types import FrameType
from typing import Any

Piece = Callable[[], object]
"""A piece of work, done whole in each turn."""


def in_pieces(
    do: Callable[..., object], things: Sequence[Any], *rest: object, size: int = 1
) -> list[Piece]:
    """Return what does one thing after another, cut into pieces of so many things.

    Everything that is compared goes through the same loop, so that it weighs on none.
    """

    def piece(some: Sequence[Any]) -> Piece:
        def run() -> None:
            for thing in some:
                do(thing, *rest)

        return run

    return [piece(things[at : at + size]) for at in range(0, len(things), size)]


def best_times(work: Mapping[str, Sequence[Piece]], rounds: int) -> dict[str, float]:
    """Return the sum of the fastest turn of each piece of each work, in seconds.

    Each piece gets so many turns after one to warm up.
    """
    pieces = [(name, at, piece) for name, parts in work.items() for at, piece in enumerate(parts)]
    best = {(name, at): sys.maxsize for name, at, _ in pieces}
    for _, _, piece in pieces:
        piece()
    was_enabled = gc.isenabled()
    gc.disable()
    # What is alive now stays alive, so the collections between rounds need not look at it.
    gc.freeze()
    try:
        for _ in range(rounds):
            gc.collect()
            for name, at, piece in pieces:
                begun = perf_counter_ns()
                piece()
                took = perf_counter_ns() - begun
                best[name, at] = min(best[name, at], took)
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()
    sums = dict.fromkeys(work, 0)
    for (name, _), took in best.items():
        sums[name] += took
    return {name: nanoseconds / 1e9 for name, nanoseconds in sums.items()}


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
