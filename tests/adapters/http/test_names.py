"""What the room offers is loaded when it is used, and a missing extra is said in one line."""

import subprocess
import sys

import pytest

from rentbilling.adapters import http
from tests.adapters.http.served import KEY, service


def test_every_name_is_there() -> None:
    assert list(http.__all__) == [getattr(http, name).__name__ for name in http.__all__]
    assert set(http.__all__) <= set(dir(http))


def test_a_name_that_is_not_offered_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="create_apps"):
        _ = http.create_apps  # type: ignore[attr-defined, unused-ignore] # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("part", "room", "name"), [("starlette", "app", "create_app"), ("uvicorn", "serving", "serve")]
)
def test_a_missing_extra_is_said_in_one_line(
    part: str, room: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for loaded in [each for each in sys.modules if each.partition(".")[0] == part]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, part, None)
    monkeypatch.delitem(sys.modules, f"{http.__name__}.server.{room}", raising=False)

    with pytest.raises(ImportError, match="needs") as refused:
        getattr(http, name)

    said = f"the server needs {part}: pip install 'rentbilling[http]'"
    assert (said, part) == (str(refused.value), refused.value.name)
    assert 401 == http.RentalService.answer(service(), "GET", "/leases").status


def test_another_missing_module_keeps_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, f"{http.__name__}.server.app", raising=False)
    monkeypatch.setitem(sys.modules, f"{http.__name__}.server.turns", None)

    with pytest.raises(ImportError, match=r"server\.turns") as refused:
        _ = http.create_app

    assert "pip" not in str(refused.value)


def test_a_request_that_is_shown_shows_no_key() -> None:
    asked = service().begin("GET", "/leases", "startingAfter=hunter2", {"Authorization": KEY})

    assert KEY not in repr(asked)
    assert "hunter2" not in repr(asked)
    assert "/leases" in repr(asked)


def test_nothing_of_a_framework_is_loaded_with_the_service() -> None:
    script = (
        "import sys; from rentbilling.adapters.http import RentalService, create_wsgi_app;"
        "print([each for each in ('starlette', 'uvicorn', 'asyncio') if each in sys.modules])"
    )

    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )

    assert "[]\n" == finished.stdout
