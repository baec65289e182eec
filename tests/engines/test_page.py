"""The page shows no example that nothing runs, and runs on Dask say what they lack."""

import sys

import pytest

from rentbilling.adapters.file_runs.dask_runs import run_on_dask
from tests.engines.guide_page import examples


def test_every_example_without_prompts_is_of_an_engine_that_is_tested() -> None:
    assert ["Dask", "Spark", "Ray"] == list(examples())


def test_a_run_on_dask_says_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    run = run_on_dask(len, ["a part"], "tcp://127.0.0.1:1")

    with pytest.raises(ImportError, match="need distributed: pip install distributed") as caught:
        next(run)

    assert "distributed" == caught.value.name
