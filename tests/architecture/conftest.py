"""The tests of this folder read every module of the project as a syntax tree."""

import gc
from collections.abc import Iterator

import pytest

from tests.architecture.sources import remarks_of, tree_of


@pytest.fixture(scope="package", autouse=True)
def only_here() -> Iterator[None]:
    """Forget the trees afterwards: millions of objects that the collector would go through."""
    gc.disable()
    yield
    tree_of.cache_clear()
    remarks_of.cache_clear()
    gc.enable()
