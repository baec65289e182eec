"""`serve --demo`: the same sample data every time, all of them sound, and a key to them."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.architecture.sources import ROOT
from tests.support.command_line import example, refused, run
from tests.support.pages import PROGRAMS, blocks_of

if not find_spec("sqlalchemy"):
    pytest.skip("the extra sql is not installed", allow_module_level=True)

from rentbilling import (
    BillingResult,
    IndexSeries,
    RentAdjustmentPlan,
    dumps,
    interface as api,
    rent_adjustments,
)
from rentbilling.adapters.cli.input.demo_leases import OWNER, DemoLease, fill
from rentbilling.adapters.stores import open_stores
from rentbilling.records import read_json
from rentbilling.service import KINDS, Context
from rentbilling.service.leases import list_leases, list_pending_bills, retrieve_lease_terms

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
NPI = IndexSeries.from_data(read_json(example("--index").encode()))
FACTS = Context(moment=NOON, new_id=lambda: "none", indices=(NPI,))


def filled_at(url: str) -> str:
    with open_stores(url) as stores:
        fill(stores, (NPI,))
    return url


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> str:
    return filled_at(f"sqlite:///{tmp_path_factory.mktemp('demo')}/rent.sqlite")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/rent.sqlite"


def kept(url: str) -> dict[str, list[tuple[str, str | None, str]]]:
    with open_stores(url) as stores, stores.reading(OWNER) as store:
        return {
            kind.__name__: [
                (each.id, each.belongs_to, dumps(each.record))
                for each in store.page(kind, limit=10_000)
            ]
            for kind in KINDS
        }


def bills_of(url: str, lease_id: str, period: str) -> BillingResult:
    request = api.PendingBillsRequest.model_validate({"leaseId": lease_id, "period": period})
    with open_stores(url) as stores, stores.reading(OWNER) as store:
        return list_pending_bills(request, store, FACTS)


def leases_of(url: str) -> tuple[api.Lease, ...]:
    with open_stores(url) as stores, stores.reading(OWNER) as store:
        return list_leases(api.LeasesRequest(limit=100), store, FACTS).leases


def test_there_is_something_of_everything(filled: str) -> None:
    """25 tenancies with a lease each, in every state; flats and offices; all sorts of items."""
    found = kept(filled)
    leases = leases_of(filled)

    assert (25, 25, 25, 4) == tuple(
        len(found[kind.__name__]) for kind in (api.Tenancy, api.Lease, api.Payout, api.Product)
    )
    assert {"Draft", "Active", "Ended", "Archived"} == {each.operational_state for each in leases}
    assert {"key:residential", "key:commercial"} == {each.purpose for each in leases}
    # Rent and heating of all, parking of those with the numbers 1, 4, 7 … 25.
    assert 25 + 25 + 9 == len(found["RecurringBillItem"])
    # By an index 1, 4 … 25, in steps 2, 5 … 23.
    assert 9 + 8 == len(found[RentAdjustmentPlan.__name__])


def test_every_lease_can_be_billed(filled: str) -> None:
    leases = leases_of(filled)
    results = [bills_of(filled, str(each.id), "2022-01-01/2027-12-31") for each in leases]

    assert [True] * 25 == [bool(result) for result in results]
    assert [] == [notice for result in results for notice in result.notices]
    assert {"DKK"} == {bill.total.currency for result in results for bill in result}
    over = {each.id for each in leases if each.operational_state in ("Ended", "Archived")}
    assert over == {each.id for each in leases if each.monthly_rent_level is None}
    assert over
    assert [True] * 25 == [each.deposit_balance is not None for each in leases]


def test_the_first_rent_follows_the_index_and_then_steps(filled: str) -> None:
    """From May 2023 on 14,100 a month, by the net price index of October, and by 2 % from 2025 on.

    14,100 × 118.3 / 117.7 = 14,171.88; × 1.02 = 14,455.32; × 1.02 = 14,744.43. With 600 of heating,
    and 600 of parking with 25 % on top, that is 14,744.43 + 600 + 750 = 16,094.43 a month in 2026.
    """
    with open_stores(filled) as stores, stores.reading(OWNER) as store:
        terms = retrieve_lease_terms(api.LeaseRequest(lease_id="lease-1"), store, FACTS)
    changes = rent_adjustments(terms, "2023-01-01/2026-12-31", indices=NPI)
    bills = bills_of(filled, "lease-1", "2026-01-01/2026-03-31")

    assert [
        ("2024-01-01", "14171.88 DKK"),
        ("2025-01-01", "14455.32 DKK"),
        ("2026-01-01", "14744.43 DKK"),
    ] == [(str(each.adjusted_on), str(each.to_period_amount)) for each in changes]
    assert ["16094.43 DKK"] * 3 == [str(bill.total) for bill in bills]


def test_it_is_the_same_every_time_and_nothing_is_filled_twice(filled: str, url: str) -> None:
    assert kept(filled) == kept(filled_at(filled_at(url)))


def test_an_interrupted_fill_leaves_whole_tenancies(
    url: str, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = DemoLease.keep

    def interrupted(lease: DemoLease, store: Any, indices: Any) -> None:  # noqa: ANN401
        keep(lease, store, indices)
        if lease.number == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(DemoLease, "keep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        filled_at(url)
    monkeypatch.undo()
    found = kept(url)

    assert [2, 2, 2] == [len(found[name]) for name in ("Tenancy", "Lease", "Payout")]
    assert kept(filled) == kept(filled_at(url))


def test_half_a_month_is_half_a_months_rent() -> None:
    """Tenants move in on a first, or on the sixteenth of a month of thirty days: 15 of 30."""
    days = {DemoLease.of(number).moved_in for number in range(1, 600)}

    assert {1, 16} == {day.day for day in days}
    assert {4, 6, 9, 11} == {day.month for day in days if day.day == 16}


def test_more_than_one_process_needs_a_database() -> None:
    said = refused(run("serve", "--demo", "--workers", "2"), 2)

    assert "--workers with --demo need a --database" in said


@pytest.mark.skipif(sys.platform == "win32", reason="the block is for a shell of POSIX")
@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl")
def test_the_block_of_the_readme_prints_bills_and_leaves_nothing(tmp_path: Path) -> None:
    (block,) = [each for each in blocks_of(ROOT / "README.md", "sh") if "--demo" in each]
    _, _, script = block.replace(".venv/bin/rentbilling", "rentbilling").partition("\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    script = script.replace("--demo", f"--demo --port {port}").replace(":8000/", f":{port}/")
    env = {name: each for name, each in os.environ.items() if "RENTBILLING" not in name}
    printed = tmp_path / "printed"
    with printed.open("w") as stdout, (tmp_path / "log").open("w") as log:
        shell = subprocess.Popen(
            ["sh", "-c", f"{PROGRAMS}{script}"],  # noqa: S607
            cwd=tmp_path,
            env={**env, "PYTHONPATH": str(ROOT)},
            stdout=stdout,
            stderr=log,
            start_new_session=True,
        )
        try:
            # The server goes on after the answer.
            for _ in range(600):
                if printed.read_bytes().endswith(b"}") or shell.poll() is not None:
                    break
                sleep(0.1)
        finally:
            os.killpg(shell.pid, signal.SIGTERM)
            shell.wait(60)
    bills = json.loads(printed.read_bytes())["bills"]

    assert [16094.43] * 3 == [each["total"]["amount"] for each in bills]
    assert {"log", "printed"} == {each.name for each in tmp_path.iterdir()}
