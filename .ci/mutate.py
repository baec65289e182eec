"""Change the modules that make figures in one place at a time, and say which changes no test finds.

    python .ci/mutate.py [--processes 2] [--sample 100] [module or package ...]

The changes are those of mutmut, the extra `mutation`. A change of a module meets all tests that
`TESTS` names for it, until one fails; those that found other changes of its function come first.
Tests are collected once, and each change is judged in a copy of that process, in which it replaces
the code of its function. A function that ran while the tests were collected may have left something
behind, so a change of it that survives is judged once more from the start, in the text of its
module. So is a change of a default, which is no code.
"""

import argparse
import difflib
import gc
import importlib.abc
import multiprocessing
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

# Of a text as libcst reads it, which is installed for this script alone.
Node = Any

TOP = Path(__file__).resolve().parents[1]

# The tests of each package or module, quick ones first. None may load what has threads of its own,
# because they are run in copies of a process.
TESTS = {
    "adjustments": (
        "tests/adjustments",
        "tests/explanations/test_working.py",
        "tests/laws/test_amounts_only.py",
        "tests/laws/test_adjusted_bills.py",
        "tests/laws/test_adjustment_laws.py",
        "tests/laws/test_notices.py",
        "tests/presets",
        "tests/simulation/test_histories.py",
        "rentbilling/adjustments",
        # What is said and written of adjustments.
        "tests/test_mistakes.py",
        "tests/test_misuse.py",
        "tests/codec",
        "tests/terms/test_adjustment_tables.py",
    ),
    "billing.discounts": ("tests/billing", "tests/laws/test_lines.py"),
    "billing.lines": ("tests/billing", "tests/laws/test_lines.py"),
    "billing.running_totals": ("tests/billing", "tests/laws/test_lines.py"),
    "billing.vat": ("tests/billing", "tests/laws/test_vat.py"),
    "checks": ("tests/checks", "tests/laws/test_check_laws.py"),
    "codec.any_bills": ("tests/codec", "tests/checks"),
    "schedule": ("tests/schedule", "tests/laws/test_schedule.py"),
    "values.money": ("tests/values", "tests/billing"),
    "values.periods": ("tests/values", "tests/schedule"),
}

# Of the plugins only what the tests need.
OPTIONS = [
    *("-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:xdist", "-p", "no:schemathesis"),
    *("--override-ini=addopts=", "--doctest-modules"),
]

# What a judged copy ends with; any other end, such as that of a limit, is a test that did not end.
SURVIVED, KILLED, UNREADABLE = 0, 1, 3


class Change(NamedTuple):
    """One change: the function, and the text of the module with it, made when it is needed."""

    function: str
    text: Callable[[], str]


# ------------------------------------------------------------------------------------- changes


def changes_of(path: Path) -> list[Change]:
    """Return the changes that mutmut would make in the functions of a module."""
    mutmut: Any = import_module("mutmut.mutation.file_mutation")
    module, mutations, _, _ = mutmut.create_mutations(str(path), path.read_text(encoding="utf-8"))
    functions = {
        function: (class_and_function, statement)
        for statement in module.body
        for function, class_and_function in functions_of(statement)
    }
    # The others are a type, or a constant of the module.
    return [
        Change(name, partial(text_with, module, statement, mutation, mutmut.deep_replace))
        for mutation in mutations
        if (function := mutation.contained_by_top_level_function) in functions
        for name, statement in [functions[function]]
    ]


def functions_of(statement: Node) -> Iterator[tuple[Node, str]]:
    """Find the functions of a statement of a module, with their names."""
    cst = import_module("libcst")
    if isinstance(statement, cst.FunctionDef):
        yield statement, statement.name.value
    elif isinstance(statement, cst.ClassDef):
        for inner in statement.body.body:
            if isinstance(inner, cst.FunctionDef):
                yield inner, f"{statement.name.value}.{inner.name.value}"


def text_with(module: Node, statement: Node, mutation: Node, replace: Callable[..., Node]) -> str:
    """Return the text of a module with one change within a statement."""
    function = mutation.contained_by_top_level_function
    changed = replace(function, mutation.original_node, mutation.mutated_node)
    if statement is not function:
        inner = [changed if each is function else each for each in statement.body.body]
        changed = statement.with_changes(body=statement.body.with_changes(body=inner))
    body = [changed if each is statement else each for each in module.body]
    return str(module.with_changes(body=body).code)


def difference(path: Path, change: Change) -> str:
    """Return the lines that a change takes away and adds, behind their numbers."""
    old, new = path.read_text(encoding="utf-8").splitlines(), change.text().splitlines()
    return "\n".join([*difflib.unified_diff(old, new, n=0, lineterm="")][2:])


def code_within(code: CodeType, function: str) -> CodeType:
    """Return the code of a function: the last of its name, as those before are overloads."""
    for name in function.split("."):
        inner = [each for each in code.co_consts if isinstance(each, CodeType)]
        code = [each for each in inner if each.co_name == name][-1]
    return code


# -------------------------------------------------------------------------------------- judging


class Judge:
    """A plugin of pytest that runs the tests once for every change, in place of once."""

    def __init__(self, path: Path, changes: Sequence[Change]) -> None:
        self.path, self.changes = path, changes
        self.verdicts: list[str] = []
        self.ran_before: set[str] = set()

    def notice(self, frame: FrameType, event: str, _: object) -> None:
        """Remember which functions of the module run before the first test."""
        if event == "call" and frame.f_code.co_filename == str(self.path):
            # Of a function within another one, or of a comprehension: the outer one.
            self.ran_before.add(frame.f_code.co_qualname.split(".<locals>")[0])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge all changes."""
        sys.setprofile(None)
        original = compile(
            self.path.read_text(encoding="utf-8"), self.path, "exec", dont_inherit=True
        )
        self.functions: dict[tuple[str, int], list[FunctionType]] = {}
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename == str(self.path):
                place = each.__code__.co_qualname, each.__code__.co_firstlineno
                self.functions.setdefault(place, []).append(each)
        gc.collect()
        gc.freeze()
        order = list(session.items)
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        code, test = self.in_a_copy(session, order, None, original, 600)
        if code != SURVIVED:
            msg = f"without a change a test fails: {test or code}"
            raise pytest.UsageError(msg)
        limit = 5 + 2 * int(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun)
        places = {item.nodeid: item for item in order}
        found: dict[str, list[str]] = {}
        for change in self.changes:
            # What found other changes of the function comes first.
            first = {test: places[test] for test in found.get(change.function, ())}
            order = [*first.values(), *(item for item in session.items if item.nodeid not in first)]
            code, test = self.in_a_copy(session, order, change, original, limit)
            if test:
                found[change.function] = [test, *(each for each in first if each != test)]
            if code == UNREADABLE or (code == SURVIVED and change.function in self.ran_before):
                code = from_the_start(self.path, change, [item.nodeid for item in order], limit)
            word = {SURVIVED: "survived", KILLED: "killed"}.get(code, "did not end")
            self.verdicts.append(word)
            if word != "killed":
                place = f"{word}: {module_of(self.path)}, {change.function}"
                print(
                    f"{place}\n{difference(self.path, change)}\n", file=sys.__stderr__, flush=True
                )
        return True

    def in_a_copy(
        self,
        session: pytest.Session,
        order: Sequence[pytest.Item],
        change: Change | None,
        original: CodeType,
        limit: int,
    ) -> tuple[int, str]:
        """Run the tests in a copy of this process, with a change; return its end, and the test."""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            code = UNREADABLE
            try:
                bound(limit)
                if change is None or self.put(change, original):
                    code = KILLED
                    test = first_failed(session, order)
                    os.write(writer, test.encode())
                    code = KILLED if test else SURVIVED
            finally:
                os._exit(code)
        os.close(writer)
        with os.fdopen(reader) as read:
            test = read.read()
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), test

    def put(self, change: Change, original: CodeType) -> bool:
        """Give the functions their changed code; false where that cannot replace the other."""
        place = code_within(original, change.function)
        functions = self.functions.get((place.co_qualname, place.co_firstlineno), [])
        changed = compile(change.text(), self.path, "exec", dont_inherit=True)
        code = code_within(changed, change.function)
        if code == place or not functions or len(code.co_freevars) != len(place.co_freevars):
            # A default, which is no code; a function that nothing keeps; or one without its super.
            return False
        for each in functions:
            each.__code__ = code
        return True


def first_failed(session: pytest.Session, order: Sequence[pytest.Item]) -> str:
    """Run tests until one fails; return its name."""
    for item, following in zip(order, [*order[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return item.nodeid
    return ""


def bound(limit: int) -> None:
    """Bound the seconds and the memory of this process, because a change may never end."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + limit
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    signal.alarm(20 * limit)


# -------------------------------------------------------------------------------- from the start


class ChangedModule(importlib.abc.MetaPathFinder):
    """Imports one module with another text."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text

    def find_spec(
        self, name: str, path: Sequence[str] | None, _: object = None
    ) -> ModuleSpec | None:
        """Return where the module is, with the text in place of its file."""
        found = PathFinder.find_spec(name, path)
        if found is None or found.origin != str(self.path):
            return None
        loader: Any = found.loader
        loader.get_code = lambda _: compile(self.text, self.path, "exec", dont_inherit=True)
        return found


def from_the_start(path: Path, change: Change, tests: Sequence[str], limit: int) -> int:
    """Run tests in a new process that imports the changed module."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=run_changed, args=(path, change.text(), tests, limit + 30))
    process.start()
    process.join()
    return process.exitcode or 0


def run_changed(path: Path, text: str, tests: Sequence[str], limit: int) -> None:
    """Run tests with a changed module, and end this process."""
    bound(limit)
    sys.path.insert(0, str(TOP))
    sys.meta_path.insert(0, ChangedModule(path, text))
    ended = pytest.main([*OPTIONS, "-x", *tests])
    os._exit(SURVIVED if ended == pytest.ExitCode.OK else KILLED)


# ------------------------------------------------------------------------------------- modules


def judged(path: Path, sample: int) -> tuple[int, list[str]]:
    """Return how many changes a module has, and a word for each that was judged."""
    sys.path.insert(0, str(TOP))
    everything = changes = changes_of(path)
    if 0 < sample < len(changes):
        places = random.Random(path.stem).sample(range(len(changes)), sample)  # noqa: S311
        changes = [changes[place] for place in sorted(places)]
    if not changes:
        return 0, []
    judge = Judge(path, changes)
    sys.setprofile(judge.notice)
    ended = pytest.main([*OPTIONS, *tests_of(path)], plugins=[judge])
    if ended:
        msg = f"pytest ended with {ended} for {path}"
        raise RuntimeError(msg)
    return len(everything), judge.verdicts


def module_of(path: Path) -> str:
    """Return the name of a module within the package, such as billing.lines."""
    return ".".join(path.relative_to(TOP / "rentbilling").with_suffix("").parts)


def tests_of(path: Path) -> Sequence[str]:
    """Return the tests of a module, or those of its package."""
    module = module_of(path)
    return TESTS.get(module) or TESTS[module.rpartition(".")[0]]


def modules(names: Sequence[str]) -> Iterator[Path]:
    """Find the modules of names: large ones first, as the last one keeps the others waiting."""
    found = []
    for name in names:
        place = TOP / "rentbilling" / name.replace(".", "/")
        found += [*place.glob("*.py")] if place.is_dir() else [place.with_suffix(".py")]
    yield from sorted(found, key=lambda path: -path.stat().st_size)


def main() -> int:
    """Judge the changes; print those that survived, a line for each module, and the time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", default=[*TESTS])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--sample", type=int, default=0, help="changes of each module, drawn alike")
    asked = parser.parse_args()
    begun = time.monotonic()
    paths = list(modules(asked.modules))
    rows = []
    with ProcessPoolExecutor(
        asked.processes, multiprocessing.get_context("spawn"), max_tasks_per_child=1
    ) as pool:
        for path, (made, found) in zip(
            paths, pool.map(judged, paths, [asked.sample] * len(paths)), strict=True
        ):
            killed, endless = len(found) - found.count("survived"), found.count("did not end")
            if made:
                share = killed / len(found)
                rows.append(
                    f"{module_of(path):<32}{made:>6}{len(found):>8}{killed:>8}{endless:>8}{share:>9.1%}"
                )
                print(rows[-1], f"{time.monotonic() - begun:.0f} s", flush=True)
    print(
        f"{'module':<32}{'made':>6}{'judged':>8}{'killed':>8}{'endless':>8}{'share':>9}",
        *rows,
        sep="\n",
    )
    print(f"after {time.monotonic() - begun:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
