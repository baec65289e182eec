"""The server: uvicorn around an application, as the command `serve` runs it.

Laws: on SIGTERM and SIGINT no new request is accepted, and running ones are finished; no log but
the access log has requests, and no header names the software of the server.
"""

import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final

import uvicorn

_GRACE: Final = 30
"""Seconds for running requests to finish at the end."""
_MOST_WAITING: Final = 2_048
"""Connections that wait to be accepted, at most."""


def server_of(
    app: Any,  # noqa: ANN401
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    root_path: str = "",
    log_level: str = "warning",
    grace_seconds: int = _GRACE,
) -> uvicorn.Server:
    """Return a server of an application, which `run` or `serve` starts.

    Args:
        app: An application of ASGI.
        host: The address that it listens on.
        port: The port; 0 for any that is free.
        root_path: The path below which a proxy shows it, where the proxy takes it off.
        log_level: Of uvicorn's own log.
        grace_seconds: Seconds that running requests have to be finished in at the end.

    Returns:
        The server.
    """
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        root_path=root_path,
        log_level=log_level,
        # The caller sets up the loggers.
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=grace_seconds,
    )
    return uvicorn.Server(config)


def serve(
    app: Any,  # noqa: ANN401
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    root_path: str = "",
    log_level: str = "warning",
    grace_seconds: int = _GRACE,
    ready: Callable[[str, int], None] | None = None,
) -> None:
    """Serve an application until SIGTERM or SIGINT, then finish the running requests.

    Args:
        app: An application of ASGI.
        host: The address that it listens on.
        port: The port; 0 for any that is free.
        root_path: As in `server_of`.
        log_level: As in `server_of`.
        grace_seconds: As in `server_of`.
        ready: Called with address and port once requests are accepted.

    Raises:
        OSError: The address is not to be had: the port is in use, or not allowed.
    """
    server = server_of(
        app, host, port, root_path=root_path, log_level=log_level, grace_seconds=grace_seconds
    )
    # Bound here, because uvicorn would end the process if it cannot bind.
    with listener(host, port) as bound, _ends_quietly(server):
        if ready is not None:
            ready(host, bound.getsockname()[1])
        server.run(sockets=[bound])


def listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        OSError: The address is not to be had.
    """
    found = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
    )
    family, kind, protocol, _, address = found[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Head and body are written one after another: otherwise the second waits for the caller
        # to confirm the first, some 40 milliseconds each time.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        bound.bind(address)
        bound.listen(_MOST_WAITING)
    except BaseException:
        bound.close()
        raise
    return bound


@contextmanager
def _ends_quietly(server: uvicorn.Server) -> Generator[None]:
    """Let a signal end the server alone: uvicorn would raise the signal again at its end."""

    def leave(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    if current_thread() is not main_thread():
        yield
        return
    before = {each: signal.signal(each, leave) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
