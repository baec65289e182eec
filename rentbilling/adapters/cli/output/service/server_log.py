"""The log of the server: one line of JSON for each record, on stderr.

Laws: where stderr is no terminal, every message of the server is a record of the log, also those
of Python and its libraries; the same fault again and again, or requests without a key, cannot fill
the disk; when the server has ended, the loggers are as before.
"""

import logging
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic
from typing import Final, TextIO

from rentbilling.adapters.cli.streams import say

LEVELS: Final = ("debug", "info", "warning", "error")
_MOST_ALIKE: Final = 60
"""Records that are alike in a while; the others are counted."""
_WHILE: Final = 60.0
"""Seconds."""
_MOST_KINDS: Final = 1_000
_ACCESS: Final = "rentbilling.access"
_SERVER: Final = "rentbilling.server"
"""The logger of the command's own messages, such as its address."""


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON.

    Examples:
        >>> record = logging.makeLogRecord(
        ...     {"created": 0, "levelname": "INFO", "name": "rentbilling", "msg": "begun"})
        >>> JsonLines().format(record)
        '{"time": "1970-01-01T00:00:00.000+00:00", "level": "info", "logger": "rentbilling", \
"message": "begun"}'
    """

    def format(self, record: logging.LogRecord) -> str:
        # Here, because `--help` loads this module, and must answer without the core.
        from rentbilling.records import write_json

        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {"time": moment, "level": record.levelname.lower(), "logger": record.name}
        message = record.getMessage()
        if record.name == _ACCESS:
            # Its message is an object already, whose fields follow the others.
            return f"{write_json(fields)[:-1]}, {message[1:]}"
        fields["message"] = message
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return write_json(fields)


class FloodGate(logging.StreamHandler[TextIO]):
    """Writes records, of many that are alike only some, and how many others there were.

    Alike are faults of one line of code, and requests whose record has the same `alike`.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(stream)
        self._clock = clock
        self._seen: dict[object, tuple[float, int]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, if there were not too many like it."""
        alike = getattr(record, "alike", None)
        if alike is None and record.levelno >= logging.WARNING:
            alike = (record.pathname, record.lineno)
        if alike is None:
            super().emit(record)
            return
        if alike not in self._seen and len(self._seen) >= _MOST_KINDS:
            self._seen.clear()
        now = self._clock()
        began, count = self._seen.get(alike, (now, 0))
        if now - began > _WHILE:
            self._emit_left_out(record, count)
            began, count = now, 0
        self._seen[alike] = began, count + 1
        if count < _MOST_ALIKE:
            super().emit(record)

    def _emit_left_out(self, record: logging.LogRecord, count: int) -> None:
        if count > _MOST_ALIKE:
            said = f"{count - _MOST_ALIKE} records like the next one were left out"
            facts = {"levelno": record.levelno, "levelname": record.levelname, "msg": said}
            super().emit(logging.makeLogRecord({"name": _SERVER, **facts}))


@contextmanager
def logging_to_stderr(level: str) -> Generator[Callable[[str], None]]:
    handler = FloodGate(sys.stderr)
    handler.setFormatter(JsonLines())
    wanted = getattr(logging, level.upper())
    # Libraries log at `info` what the command says itself, and more.
    quiet = logging.DEBUG if level == "debug" else logging.WARNING
    levels = {
        "": logging.WARNING,
        "rentbilling": wanted,
        "uvicorn": max(wanted, quiet),
        # The address is logged at every level, because a starting program waits for it.
        _SERVER: logging.INFO,
    }
    loggers = [(logging.getLogger(name), at) for name, at in levels.items()]
    before = [(each, each.level) for each, _ in loggers]
    for each, at in loggers:
        each.setLevel(at)
    root, server = loggers[0][0], loggers[-1][0]
    root.addHandler(handler)
    logging.captureWarnings(capture=True)
    try:
        yield say if sys.stderr.isatty() else server.info
    finally:
        logging.captureWarnings(capture=False)
        root.removeHandler(handler)
        for each, usual in before:
            each.setLevel(usual)
