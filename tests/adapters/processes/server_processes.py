"""A server in a process of its own, as `rentbilling serve` runs it, and clients of it."""

import re
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self

import httpx

from rentbilling.adapters.client import RentalClient, Retries
from rentbilling.adapters.stores import open_stores
from rentbilling.interface import CreateTenancy, NewTenancyAddress
from rentbilling.service import key_text, stored_key
from tests.support.command_line import calm, interpreter

KEY = key_text("k1", "0123456789abcdef0123456789abcdef")
NEW = CreateTenancy(
    purpose="key:residential",
    address=NewTenancyAddress(
        street_name="Nygade", street_number="7", postal_code="1164", city="København", country="DK"
    ),
)
READY = re.compile(r"Serving on http://127\.0\.0\.1:(\d+) ")
# A machine with much else to do takes its time.
PATIENCE = 60
# Made once: to read all certificates of the machine takes longer than to be answered.
_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class Place(NamedTuple):
    """A database, and the folder in which its servers are started."""

    url: str
    folder: Path

    @classmethod
    def made(cls, url: str, folder: Path) -> Self:
        with open_stores(url) as stores:
            kept = stored_key(KEY, owner="acme", name="", rights=["*"], created=datetime.now(UTC))
            stores.keys.add(kept)
        return cls(url, folder)


class Server:
    """A server process."""

    def __init__(self, place: Place) -> None:
        self._log = place.folder / "server.log"
        settings = {"RENTBILLING_DATABASE": place.url, "RENTBILLING_LOG_LEVEL": "warning"}
        # Said to a file: nobody has to read it for the server to go on.
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*interpreter(), "serve", "--port", "0"],
                cwd=place.folder,
                env=calm(**settings),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        self.port = self._port()

    def _port(self) -> int:
        last = time.monotonic() + PATIENCE
        while time.monotonic() < last:
            found = READY.search(self.said)
            if found:
                return int(found[1])
            assert self.process.poll() is None, self.said
            time.sleep(0.05)
        self.end(signal.SIGKILL)
        raise AssertionError(f"it did not begin in time: {self.said}")

    @property
    def said(self) -> str:
        return self._log.read_text(encoding="utf-8")

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    @contextmanager
    def client(self) -> Generator[RentalClient]:
        with (
            httpx.Client(verify=_NO_CERTIFICATES, trust_env=False) as http,
            RentalClient(
                self.base, KEY, http=http, retries=Retries(most=0), timeout=PATIENCE
            ) as client,
        ):
            yield client

    def answer(self, *parts: bytes) -> bytes:
        """Send bytes on a connection, and return all that comes back until it is closed."""
        got = b""
        with closing(socket.create_connection(("127.0.0.1", self.port), PATIENCE)) as to:
            # Where it hangs up, what it said before is told.
            with suppress(BrokenPipeError, ConnectionResetError):
                for part in parts:
                    to.sendall(part)
            with suppress(ConnectionResetError):
                while more := to.recv(65_536):
                    got += more
        return got


@contextmanager
def served(place: Place) -> Generator[Server]:
    server = Server(place)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)
