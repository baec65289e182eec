"""What all tests share: which examples Hypothesis tries, the cores, and the option for cases.

`HYPOTHESIS_PROFILE` names the examples. `fixed`, the default, `few` and `mutation` try the same
examples in every run, in whichever process; `dev` and `deep` look for new ones.
"""

import gc
import os
import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from coverage import Coverage

TESTS = Path(__file__).resolve().parent
OUTER_TESTS = {"architecture", "engines", "outside", "sessions"}
OUTER_TESTS |= {"test_benchmarks.py", "test_notebooks.py"}

FIXED = {"fixed": 20, "few": 6, "mutation": 8}
RANDOM = {"dev": 200, "deep": 5000}
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or "fixed"

# Slow examples are no failures: the cores run several suites at once. Nor are large ones, which
# older versions count otherwise.
for name, examples in (FIXED | RANDOM).items():
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=name in FIXED,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
        # Of a mutant only whether a test fails is asked, and not by which smallest example.
        phases=(Phase.explicit, Phase.generate) if name == "mutation" else tuple(Phase),
        **({"database": None} if name in FIXED else {}),
    )
settings.load_profile(PROFILE)

# All modules and tests stay until the end, and to go through them often takes a tenth of the time.
gc.set_threshold(20_000, 10, 50)

# Programs that tests start do not compile the package again, each for itself.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if "PYTEST_XDIST_WORKER" in os.environ:
    # Under coverage a worker is measured, but not the programs that its tests start.
    os.environ.pop("COVERAGE_PROCESS_CONFIG", None)


def without_constants_of_modules() -> None:
    """Keep Hypothesis from drawing numbers and texts of whichever modules were imported so far.

    Those differ from process to process, and with them the examples would.
    """
    try:
        providers: Any = import_module("hypothesis.internal.conjecture.providers")
        nothing = providers._local_constants
    except (ImportError, AttributeError):
        # Other versions draw none.
        return
    providers._get_local_constants = lambda: nothing


if PROFILE in FIXED:
    without_constants_of_modules()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites expected texts, so that the difference is reviewed."""
    parser.addoption(
        "--update-cases",
        action="store_true",
        default=False,
        help="rewrite outcomes of cases, outputs of sessions and texts of tests",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run folders on all cores, unless `-n` says how many; files and single tests run at once."""
    option = config.option
    if (
        # None where nobody said, and absent without pytest-xdist.
        getattr(option, "numprocesses", 0) is None
        and not hasattr(config, "workerinput")
        # Of a file that is written, no other process reads a half.
        and not (option.collectonly or option.usepdb or option.update_cases)
        and option.capture != "no"
        and any(Path(config.invocation_params.dir, each).is_dir() for each in config.args)
    ):
        option.numprocesses = "auto"
        if option.dist == "no":
            option.dist = "worksteal"


def measured() -> "Coverage | None":
    """Return what measures coverage in this process."""
    return sys.modules["coverage"].Coverage.current() if "coverage" in sys.modules else None


def is_outer(path: Path) -> bool:
    """Say whether a test is one of the sources, of measurements, or in a folder of adapters."""
    parts = path.relative_to(TESTS).parts if path.is_relative_to(TESTS) else ("",)
    return parts[0] in OUTER_TESTS or (parts[0] == "adapters" and len(parts) > 2)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Measure the core by tests of the core alone, because measured tests take twice as long.

    Its modules have all been imported before, where pytest looked for examples in them.
    """
    tracer = sys.gettrace()
    unmeasured = is_outer(item.path) and measured() is not None
    if unmeasured:
        sys.settrace(None)
    result = yield
    if unmeasured:
        sys.settrace(tracer)
    return result


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what coverage measured in a worker, because a slow one is ended while it shuts down."""
    coverage = measured()
    if coverage and hasattr(session.config, "workerinput"):
        coverage.stop()
        coverage.save()
