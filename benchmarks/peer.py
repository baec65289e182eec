"""A month of bills by the program that one writes in its place: FastAPI, pydantic and sqlite3.

Law: it answers what the service answers, with a key and with the same file of SQLite, safe against
power cuts; beyond monthly items without VAT it knows nothing: no limits, no log, no problems.

`python -m benchmarks.peer` serves as `benchmarks.service` does.
"""

import sqlite3
from calendar import monthrange
from datetime import date
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import local
from typing import Annotated, Any, Final

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel, PlainSerializer

from benchmarks.service import KEY, LEASES, PATH, serve_until_the_input_ends, two_monthly_items

Number = Annotated[Decimal, PlainSerializer(float, return_type=float)]
_TABLES: Final = """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE keys (id TEXT PRIMARY KEY, digest TEXT, owner TEXT);
    CREATE TABLE items (owner TEXT, lease TEXT, product TEXT, price TEXT, started TEXT);
    CREATE INDEX items_of_lease ON items (owner, lease);
"""


class Money(BaseModel):
    currency: str = "DKK"
    amount: Number


class Line(BaseModel):
    productKey: str  # noqa: N815 - names of the interface
    amount: Money
    quantity: int = 1
    unitNetPrice: Money  # noqa: N815
    netPrice: Money  # noqa: N815
    vat: dict[str, str]
    accountingPeriod: str  # noqa: N815


class VatTotal(BaseModel):
    vat: dict[str, str]
    amount: Money


class Bill(BaseModel):
    dueDate: date  # noqa: N815
    pendingBillLineItems: list[Line]  # noqa: N815
    subtotal: Money
    total: Money
    vatTotals: list[VatTotal]  # noqa: N815


class Bills(BaseModel):
    bills: list[Bill]


def bill_of(due: date, items: list[tuple[str, Decimal]]) -> Bill:
    last = due.replace(day=monthrange(due.year, due.month)[1])
    exempt = {"taxMode": "Exempt"}
    lines = [
        Line(
            productKey=product,
            amount=(money := Money(amount=price)),
            unitNetPrice=money,
            netPrice=money,
            vat=exempt,
            accountingPeriod=f"{due}/{last}",
        )
        for product, price in items
    ]
    total = Money(amount=sum((price for _, price in items), Decimal()))
    nothing = VatTotal(vat=exempt, amount=Money(amount=Decimal()))
    return Bill(
        dueDate=due, pendingBillLineItems=lines, subtotal=total, total=total, vatTotals=[nothing]
    )


def create_peer(file: Path) -> FastAPI:
    app, threads = FastAPI(), local()

    def connection() -> sqlite3.Connection:
        if not hasattr(threads, "connection"):
            threads.connection = sqlite3.connect(file)
        found: sqlite3.Connection = threads.connection
        return found

    @app.get(PATH)
    def pending_bills(leaseId: str, period: str, authorization: Annotated[str, Header()]) -> Bills:  # noqa: N803
        database, digest = connection(), sha256(authorization.encode()).hexdigest()
        known = database.execute(
            "SELECT owner, digest FROM keys WHERE id = ?", [authorization.split("_")[1]]
        ).fetchone()
        if known is None or known[1] != digest:
            raise HTTPException(401)
        start, end = map(date.fromisoformat, period.split("/"))
        found = database.execute(
            "SELECT product, price, started FROM items WHERE owner = ? AND lease = ?",
            [known[0], leaseId],
        ).fetchall()
        items = [
            (product, Decimal(price), date.fromisoformat(day)) for product, price, day in found
        ]
        bills, due = [], start.replace(day=1)
        while due <= end:
            now = [(product, price) for product, price, started in items if started <= due]
            if due >= start and now:
                bills.append(bill_of(due, now))
            due = date(due.year + due.month // 12, due.month % 12 + 1, 1)
        return Bills(bills=bills)

    return app


def fill(file: Path) -> list[str]:
    ids = [f"lease-{number}" for number in range(LEASES)]
    with sqlite3.connect(file) as database:
        database.executescript(_TABLES)
        known = (KEY.split("_")[1], sha256(KEY.encode()).hexdigest(), "acme")
        database.execute("INSERT INTO keys VALUES (?, ?, ?)", known)
        for number, lease in enumerate(ids):
            for item in two_monthly_items(number):
                row = (item["productKey"], str(item["amount"]["amount"]), item["startedOn"])
                database.execute("INSERT INTO items VALUES ('acme', ?, ?, ?, ?)", (lease, *row))
    return ids


def main() -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "peer.sqlite"
        ids = fill(file)
        config: Any = uvicorn.Config(create_peer(file), log_level="warning", access_log=False)
        server = uvicorn.Server(config)
        serve_until_the_input_ends(server, ids, lambda bound, server: server.run(sockets=[bound]))


if __name__ == "__main__":
    main()
