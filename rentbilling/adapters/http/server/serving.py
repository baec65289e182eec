"""The server: uvicorn around an application, as the command `serve` runs it.

Laws: on SIGTERM and SIGINT no new request is accepted, and running ones are finished; no log but
the access log has requests, and no header names the software of the server.
"""

import gc
import signal
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final

import uvicorn

from rentbilling.adapters.http.request_limits import Limits
from rentbilling.adapters.http.server.connections import Connections, protocol_of

_GRACE: Final = 30
"""Seconds for running requests to finish at the end."""
_TURN: Final = 0.000_1
"""Seconds that one thread computes while others wait; Python's own 5 milliseconds add up."""
_COLLECTED: Final = (5_000, 50, 1_000)
"""After how many new objects garbage is collected: the youngest, the younger, all."""
_ACCEPTED: Final = 16
"""Connections that are accepted at once, before the oldest of too many is closed."""
_RESERVED: Final = 160
"""Files that are left to the database, the log and connections that are just accepted."""
_UNLIMITED: Final = 1_000_000
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
    limits: Limits | None = None,
) -> uvicorn.Server:
    """Return a server of an application, which `run` or `serve` starts.

    Args:
        app: An application of ASGI.
        host: The address that it listens on.
        port: The port; 0 for any that is free.
        root_path: The path below which a proxy shows it, where the proxy takes it off.
        log_level: Of uvicorn's own log.
        grace_seconds: Seconds that running requests have to be finished in at the end.
        limits: The bounds of connections and heads; absent: those of the service, if
            `create_app` made the application.
    """
    bounds = limits or getattr(getattr(app, "state", None), "limits", None) or Limits()
    most = max(min(bounds.most_connections, _descriptors() - _RESERVED), 1)
    config = uvicorn.Config(
        app,
        http=protocol_of(bounds, Connections(most)),
        # The loop is not asked by uvicorn's own settings, which would take another one.
        loop="asyncio",
        backlog=_ACCEPTED,
        host=host,
        port=port,
        root_path=root_path,
        log_level=log_level,
        # The caller sets up the loggers.
        log_config=None,
        access_log=False,
        server_header=False,
        # The service asks for no address of a caller.
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=grace_seconds,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    """A server that accepts a few connections at once, and lets many wait for it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # The loop accepts as many at once as can wait: all of them, before it closes one.
        for each in sockets or ():
            each.listen(_MOST_WAITING)


def _descriptors() -> int:
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit
    except ImportError:
        # Windows has no such limit.
        return _UNLIMITED
    soft, _ = getrlimit(RLIMIT_NOFILE)
    return _UNLIMITED if soft == RLIM_INFINITY else soft


def serve(
    app: Any,  # noqa: ANN401
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    root_path: str = "",
    log_level: str = "warning",
    grace_seconds: int = _GRACE,
    limits: Limits | None = None,
    ready: Callable[[str, int], None] | None = None,
) -> None:
    """Serve an application until SIGTERM or SIGINT, then finish the running requests.

    The arguments are those of `server_of`, and `ready`, which is called with address and port once
    requests are accepted.

    Raises:
        OSError: The address is not to be had: the port is in use, or not allowed.
    """
    # Bound here, because uvicorn would end the process if it cannot bind.
    with listener(host, port) as bound:
        if ready is not None:
            ready(host, bound.getsockname()[1])
        serve_on(
            bound,
            server_of(
                app,
                root_path=root_path,
                log_level=log_level,
                grace_seconds=grace_seconds,
                limits=limits,
            ),
        )


def serve_on(bound: socket.socket, server: uvicorn.Server) -> None:
    """Run a server on a socket that listens, until SIGTERM or SIGINT."""
    with _ends_quietly(server), _fair_threads():
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
def _fair_threads() -> Generator[None]:
    """Let light requests be answered beside heavy ones.

    A light one asks for the interpreter a dozen times, each time after all that compute, and
    waits wherever a collection of garbage looks through the objects of a heavy one.
    """
    seconds, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(_TURN)
    gc.freeze()
    gc.set_threshold(*_COLLECTED)
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*threshold)
        sys.setswitchinterval(seconds)


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
