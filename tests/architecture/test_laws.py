"""The core keeps its laws."""

from tests.architecture import laws
from tests.architecture.sources import CORE_MODULES, named, tree_of


def test_the_core_follows_its_laws() -> None:
    broken = {
        f"{named(path)}: {law.__name__}": found
        for path in CORE_MODULES
        for law in laws.LAWS
        if (found := list(law(tree_of(path))))
    }

    assert {} == broken
