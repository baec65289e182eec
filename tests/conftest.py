"""What all tests share: how many examples Hypothesis tries, and the option that rewrites cases."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Slow examples are no failures: two cores run several suites at once.
settings.register_profile("few", max_examples=15, deadline=None, print_blob=True)
settings.register_profile("quick", max_examples=30, deadline=None, print_blob=True)
settings.register_profile("dev", max_examples=200, deadline=None, print_blob=True)
settings.register_profile(
    "deep",
    max_examples=5000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# The same examples for every mutant, so that it is judged alike each time.
settings.register_profile(
    "mutation",
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("quick" if os.environ.get("CI") else "dev")
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that rewrites what `tests/cases` expects, so that the diff is reviewed."""
    parser.addoption(
        "--update-cases",
        action="store_true",
        default=False,
        help="rewrite the expected.json of tests/cases from what is computed now",
    )
