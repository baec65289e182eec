"""The log of the server: JSON whoever writes it, and not filled by a flood."""

import asyncio
import json
import logging
import warnings
from io import StringIO
from typing import Any

import pytest

from rentbilling.adapters.cli.output.service.server_log import (
    FloodGate,
    JsonLines,
    logging_to_stderr,
)


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(each) for each in capsys.readouterr().err.splitlines()]


def test_what_python_and_its_libraries_log_is_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.getLogger().handlers[:]

    async def failing() -> None:
        asyncio.get_running_loop().call_exception_handler(
            {"message": "out of files", "exception": OSError(24, "Too many open files")}
        )

    with logging_to_stderr("info"), warnings.catch_warnings():
        warnings.simplefilter("always")
        asyncio.run(failing())
        logging.getLogger("uvicorn.error").warning("no request")
        warnings.warn("old", stacklevel=1)
        logging.getLogger("other").info("not told")
    logging.getLogger("other").warning("told elsewhere")

    loop, server, warned = lines_of(capsys)
    assert ("asyncio", "out of files") == (loop["logger"], loop["message"])
    assert "Too many open files" in loop["traceback"]
    assert ("uvicorn.error", "py.warnings") == (server["logger"], warned["logger"])
    assert before == logging.getLogger().handlers


def test_of_many_records_that_are_alike_some_are_written_and_the_others_counted() -> None:
    """60 a minute of each line of code that warns, and of the refusals of each kind."""
    now = 0.0
    stream = StringIO()
    gate = FloodGate(stream, lambda: now)
    gate.setFormatter(JsonLines())

    def emit(message: str, level: int = logging.WARNING, **facts: object) -> None:
        gate.handle(logging.makeLogRecord({"msg": message, "levelno": level, "lineno": 1, **facts}))

    def written() -> list[str]:
        said = [json.loads(each)["message"] for each in stream.getvalue().splitlines()]
        stream.seek(0)
        stream.truncate()
        return said

    for at in range(1_000):
        emit("full")
        emit("refused", logging.INFO, alike=("access", "", 401))
        # Answers to callers with a key are all written.
        emit(f"answered {at}", logging.INFO)
    found = written()
    assert (60, 60, 1_000) == (
        found.count("full"),
        found.count("refused"),
        sum(each.startswith("answered") for each in found),
    )

    emit("other", lineno=2)
    now = 61.0
    emit("full")
    emit("other", lineno=2)
    assert ["other", "940 records like the next one were left out", "full", "other"] == written()
