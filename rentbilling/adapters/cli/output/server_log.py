"""The log of the server: one line of JSON for each record, on stderr.

Laws: where stderr is no terminal, every message of the server is a record of the log; when the
server has ended, the loggers are as before.
"""

import logging
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from rentbilling.adapters.cli.streams import say

LEVELS: Final = ("debug", "info", "warning", "error")
_LOGGERS: Final = ("rentbilling", "uvicorn")
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
        """Return the line of a record."""
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


@contextmanager
def logging_to_stderr(level: str) -> Generator[Callable[[str], None]]:
    """Write the log to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    # Uvicorn logs at `info` what the command says itself.
    quiet = logging.DEBUG if level == "debug" else logging.WARNING
    wanted = getattr(logging, level.upper())
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    server = logging.getLogger(_SERVER)
    before = [(each, each.level) for each in (*loggers, server)]
    for each in loggers:
        each.addHandler(handler)
        each.setLevel(wanted if each.name == "rentbilling" else max(wanted, quiet))
    # The address is logged at every level, because a starting program waits for it.
    server.setLevel(logging.INFO)
    try:
        yield say if sys.stderr.isatty() else server.info
    finally:
        for each, usual in before:
            each.removeHandler(handler)
            each.setLevel(usual)
