"""Pictures in tests: most of these look at what is drawn, and few at where."""

import pytest
from matplotlib.layout_engine import ConstrainedLayoutEngine


@pytest.fixture
def placed() -> None:
    """Ask for pictures in which all has found its place, which is most of the work."""


@pytest.fixture(autouse=True)
def unplaced(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "placed" not in request.fixturenames:
        monkeypatch.setattr(ConstrainedLayoutEngine, "execute", lambda *_: None)
