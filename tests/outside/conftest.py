"""Where the outside cases are; the tests that need them say so where they are not."""

from pathlib import Path

import pytest

from tests.outside.folders import default_folder


@pytest.fixture(scope="session")
def outside_cases() -> Path:
    """Return the folder of the outside cases, which are data of others and no part of the tree."""
    there = default_folder()
    if not there.is_dir():
        pytest.skip("the outside cases are not here; RENTBILLING_CASES may name their folder")
    return there
