"""The command `serve`: the service over HTTP, with its database, from a shell.

Laws: a problem is said in a sentence before a request is taken; SIGTERM and SIGINT end the service
cleanly, once running requests are answered.
"""

import errno
import os
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from datetime import datetime
from importlib.util import find_spec
from socket import socket
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
from click.core import ParameterSource

from rentbilling.adapters.cli.commands.service.keys import keep_key, new_key
from rentbilling.adapters.cli.input.databases import (
    USUAL,
    Database,
    extras,
    in_database,
    opened,
    opened_in_memory,
)
from rentbilling.adapters.cli.input.options import Decorator, indices_option, policy_option
from rentbilling.adapters.cli.output.service.server_log import LEVELS, logging_to_stderr
from rentbilling.adapters.cli.streams import STDIN, Refusal, refusing, write_data

if TYPE_CHECKING:
    from rentbilling.adapters.http import RentalService
    from rentbilling.indices import IndexSeries
    from rentbilling.policy import BillingPolicy

_DEMO: Final = "The key on standard output opens the sample data: lease-1, lease-2 and so on."


def _zone(_ctx: click.Context, _param: click.Parameter, value: str) -> ZoneInfo:
    try:
        return ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        said = f"{value!r} is no time zone known here; write one such as Europe/Copenhagen or UTC."
        raise click.BadParameter(said) from None


def _root_path(_ctx: click.Context, _param: click.Parameter, value: str) -> str:
    """Return the path below which a proxy shows the service; one that is no path is refused."""
    path = value.rstrip("/")
    if path and not path.startswith("/"):
        raise click.BadParameter(f"{value!r} is no path; write one such as /rent.")
    return path


def _option(name: str, help_text: str, *names: str, **settings: Any) -> Decorator[Any]:  # noqa: ANN401 - click's own
    """Return an option that can be set in the environment, with its default shown if it has one."""
    return click.option(
        f"--{name}",
        *names,
        envvar=f"RENTBILLING_{name.replace('-', '_').upper()}",
        show_envvar=True,
        show_default=bool(settings.get("default")),
        help=help_text,
        **settings,
    )


@click.command()
@in_database
@_option(
    "demo",
    "Serve sample data, and print a key that opens it: in memory, or in the database that"
    " --database names.",
    "is_demo",
    is_flag=True,
)
@_option(
    "host", "Address to listen on; 0.0.0.0 for every one of this machine.", default="127.0.0.1"
)
@_option(
    "port",
    "Port to listen on; 0 for any that is free.",
    type=click.IntRange(0, 65_535),
    default=8000,
)
@_option(
    "root-path",
    "The path below which a proxy shows the service, where the proxy takes it off.",
    default="",
    callback=_root_path,
    metavar="PATH",
)
@indices_option(
    " Without any: the series that `rentbilling example --index` prints.",
    envvar="RENTBILLING_INDICES",
    show_envvar=True,
)
@policy_option("The billing policy of all bills", envvar="RENTBILLING_POLICY", show_envvar=True)
@_option(
    "timezone",
    "Where it is today: rents, balances and states of contracts are those of that day.",
    "zone",
    default="Europe/Copenhagen",
    callback=_zone,
    metavar="NAME",
)
@_option(
    "per-second",
    "Requests of one owner a second, at most; without it any number, four at once.",
    type=click.FloatRange(0, min_open=True),
    metavar="NUMBER",
)
@_option(
    "workers",
    "Processes that answer, each with limits of its own.",
    type=click.IntRange(1, 64),
    default=1,
    metavar="NUMBER",
)
@_option(
    "log-level",
    "What is logged; each request from info on.",
    "level",
    type=click.Choice(LEVELS, case_sensitive=False),
    default="info",
)
@_option(
    "metrics/--no-metrics",
    "Whether /metrics shows figures for Prometheus, without a key; yes where prometheus-client is"
    " installed.",
    "metrics",
    default=None,
)
def serve(
    database: str,
    host: str,
    port: int,
    root_path: str,
    index_files: tuple[str, ...],
    policy_file: str | None,
    zone: ZoneInfo,
    per_second: float | None,
    workers: int,
    level: str,
    *,
    is_demo: bool,
    metrics: bool | None,
) -> None:
    """Serve all operations over HTTP until SIGTERM or Ctrl-C.

    Requests need a key, which `rentbilling keys add` makes. GET /docs shows every operation,
    /openapi.json describes them for programs, /live answers whether the process works, /health
    whether its database does, too, and /metrics has figures for Prometheus.

    Every option can be set in the environment as well, several files of --indices with `:` between
    them (`;` on Windows). An option on the command line goes before the environment.

    With --demo the key alone goes to standard output, once the service answers. The data are of the
    owner demo: leases in every state, flats and offices, rents by an index or in steps, deposits.
    What is in the database already stays as it is.

    \b
    Try it:
      rentbilling serve --demo
      curl -H "Authorization: $KEY" 'http://127.0.0.1:8000/leases?limit=2'

    The log is a line of JSON for each request, on standard error; where that is no terminal, what
    is said at start and end as well. At the end nothing new is taken, and running requests have 30
    seconds to be answered.

    Exit codes: 0 it was stopped, 1 the database or the address is not to be had, 2 the command
    is not well formed.
    """  # noqa: D301 - click reads the escape
    from rentbilling.adapters.cli.input.arguments import policy_in
    from rentbilling.adapters.cli.input.index_files import example_index, indices_in

    if [policy_file, *index_files].count(STDIN) > 1:
        raise click.UsageError("Only one of --policy and --indices can be standard input.")
    is_fleeting = is_demo and _is_default("database")
    if is_fleeting and workers > 1:
        raise click.UsageError("--workers with --demo need a --database: memory is of one process.")
    policy = policy_in(policy_file)
    indices = tuple(indices_in(index_files)) or (example_index(),)
    with extras():
        from rentbilling.adapters.http import create_app, serve as serve_app
        from rentbilling.adapters.http.server.serving import listener
        from rentbilling.adapters.http.server.workers import WorkersEndedError, run_workers
    has_metrics = _has_metrics(metrics)
    served = _Served(database, indices, policy, zone, root_path, per_second, level, has_metrics)
    with ExitStack() as parts:
        place = parts.enter_context(opened_in_memory() if is_fleeting else opened(database))
        tell = parts.enter_context(logging_to_stderr(level))
        place.stores.check_whole()
        _say_what_is_served(place, indices, tell, is_usual=not index_files)
        key = _filled(place) if is_demo else None
        advice = _DEMO if is_demo else _key_advice(place, database)
        with _listening(host, port, advice, tell, key) as ready:
            if workers == 1:
                serve_app(
                    create_app(served.service(place)), host, port, ready=ready, **served.options
                )
            else:
                with listener(host, port) as bound:
                    ready(host, bound.getsockname()[1])
                    ended = parts.enter_context(_shared_metrics(is_used=has_metrics))
                    try:
                        run_workers(workers, _work, bound, served, ended=ended)
                    except WorkersEndedError:
                        raise Refusal("--workers", ["they end as soon as they begin"]) from None
        tell("Ended.")


def _is_default(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.DEFAULT


def _filled(place: Database) -> str:
    """Return a new key to the sample data, which are made where they are missing."""
    from rentbilling.adapters.cli.input.demo_leases import OWNER, fill
    from rentbilling.adapters.cli.input.index_files import example_index

    text, kept = new_key(OWNER, "sample data", ("*",))
    with refusing(place.said):
        fill(place.stores, (example_index(),))
    keep_key(place, kept)
    return text


class _Served(NamedTuple):
    """The settings that a serving process needs."""

    database: str
    indices: "tuple[IndexSeries, ...]"
    policy: "BillingPolicy | None"
    zone: ZoneInfo
    root_path: str
    per_second: float | None
    level: str
    has_metrics: bool

    @property
    def options(self) -> dict[str, Any]:
        level = "debug" if self.level == "debug" else "warning"
        return {"root_path": self.root_path, "log_level": level}

    def service(self, place: Database) -> "RentalService":
        from rentbilling.adapters import http

        return http.RentalService(
            place.stores,
            place.stores.keys,
            indices=self.indices,
            policy=self.policy,
            today=lambda: datetime.now(self.zone).date(),
            limits=http.Limits(per_second=self.per_second),
            metrics=http.ServiceMetrics() if self.has_metrics else None,
        )


def _has_metrics(wanted: bool | None) -> bool:  # noqa: FBT001 - as click has it
    """Return whether there are figures; where they are wanted, their package has to be there."""
    is_there = find_spec("prometheus_client") is not None
    if wanted and not is_there:
        said = "--metrics needs prometheus-client: pip install 'rentbilling[http]'"
        raise click.ClickException(said)
    return is_there if wanted is None else wanted


@contextmanager
def _shared_metrics(*, is_used: bool) -> Generator[Callable[[int], None]]:
    """Let processes that are started add up their figures; give what forgets one that ended."""
    if not is_used:
        yield lambda _: None
        return
    from rentbilling.adapters.http.metrics import SHARED, forget_process

    with TemporaryDirectory(prefix="rentbilling-metrics-") as folder:
        os.environ[SHARED] = folder
        try:
            yield forget_process
        finally:
            del os.environ[SHARED]


def _work(bound: socket, served: _Served) -> None:
    """Serve in a process of its own, on a socket that another one has opened."""
    from rentbilling.adapters.http import create_app, server_of
    from rentbilling.adapters.http.server.serving import serve_on

    with opened(served.database) as place, logging_to_stderr(served.level):
        serve_on(bound, server_of(create_app(served.service(place)), **served.options))


def _say_what_is_served(
    place: Database,
    indices: "Iterable[IndexSeries]",
    tell: Callable[[str], None],
    *,
    is_usual: bool,
) -> None:
    tell(f"Database: {place.said}{' (new)' if place.is_new else ''}")
    series = ", ".join(f"{each.name} until {[*each.values][-1]}" for each in indices)
    tell(f"Index series: {series}{' (the example; --indices names others)' if is_usual else ''}")


def _key_advice(place: Database, database: str) -> str:
    said = "more keys" if place.stores.keys.listed() else "a key, which every request needs"
    # A URL with a password is not repeated.
    same = "" if database == USUAL else ", in the same database"
    return f"For {said}: rentbilling keys add --owner NAME{same}"


@contextmanager
def _listening(
    host: str, port: int, advice: str, tell: Callable[[str], None], key: str | None
) -> Generator[Callable[[str, int], None]]:
    """Refuse an address that is not to be had; give what says where the server listens."""
    is_ready = False

    def ready(_host: str, bound: int) -> None:
        nonlocal is_ready
        is_ready = True
        base = f"http://{f'[{host}]' if ':' in host else host}:{bound}"
        tell(advice)
        tell(f"Serving on {base} (operations: {base}/docs); Ctrl-C ends it.")
        if key is not None:
            write_data(f"{key}\n")

    try:
        yield ready
    except (OSError, UnicodeError) as error:
        # Afterwards it is no matter of the address. A name that is too long is a UnicodeError.
        if is_ready:
            raise
        said = getattr(error, "strerror", None) or str(error)
        in_use = getattr(error, "errno", None) == errno.EADDRINUSE
        notes = ["Another --port may be free; 0 takes any."] if in_use else []
        raise Refusal(f"{host}:{port}", [f"cannot be listened on: {said}"], notes) from None
