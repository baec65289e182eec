"""The command `demo-data`: the same tenancies every time, all of them sound, and a key to them."""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

from tests.support.command_line import example, refused, run

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
from rentbilling.adapters.cli.commands.service import demo_data as demo_commands
from rentbilling.adapters.cli.input.demo_leases import DemoLease
from rentbilling.adapters.stores import open_stores
from rentbilling.records import read_json
from rentbilling.service import KINDS, RIGHTS, Context, Stored, key_of
from rentbilling.service.leases import list_leases, list_pending_bills, retrieve_lease_terms

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
NPI = IndexSeries.from_data(read_json(example("--index").encode()))
FACTS = Context(moment=NOON, new_id=lambda: "none", indices=(NPI,))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('demo')}/rent.sqlite"
    assert 0 == run("demo-data", "--database", url).exit_code
    return url


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/rent.sqlite"


def fill(url: str, *options: str) -> Result:
    return run("demo-data", "--database", url, *options, columns=200)


def kept(url: str, owner: str = "demo") -> dict[str, list[tuple[str, str | None, str]]]:
    with open_stores(url) as stores, stores.reading(owner) as store:
        return {
            kind.__name__: [
                (each.id, each.belongs_to, dumps(each.record))
                for each in store.page(kind, limit=10_000)
            ]
            for kind in KINDS
        }


def bills_of(url: str, lease_id: str, period: str) -> BillingResult:
    request = api.PendingBillsRequest.model_validate({"leaseId": lease_id, "period": period})
    with open_stores(url) as stores, stores.reading("demo") as store:
        return list_pending_bills(request, store, FACTS)


def leases_of(url: str) -> tuple[api.Lease, ...]:
    with open_stores(url) as stores, stores.reading("demo") as store:
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
    with open_stores(filled) as stores, stores.reading("demo") as store:
        terms = retrieve_lease_terms(api.LeaseRequest(lease_id="lease-1"), store, FACTS)
    changes = rent_adjustments(terms, "2023-01-01/2026-12-31", indices=NPI)
    bills = bills_of(filled, "lease-1", "2026-01-01/2026-03-31")

    assert [
        ("2024-01-01", "14171.88 DKK"),
        ("2025-01-01", "14455.32 DKK"),
        ("2026-01-01", "14744.43 DKK"),
    ] == [(str(each.adjusted_on), str(each.to_period_amount)) for each in changes]
    assert ["16094.43 DKK"] * 3 == [str(bill.total) for bill in bills]


def test_it_is_the_same_every_time(filled: str, url: str) -> None:
    other = f"{url}2"
    fill(url)
    fill(other, "--seed", "2")

    assert kept(filled) == kept(url)
    assert kept(filled)["Tenancy"] != kept(other)["Tenancy"]


def test_more_is_added_as_if_it_had_been_there_at_once(filled: str, url: str) -> None:
    """Ten, and again fifteen, are 25; only products are there once."""
    fill(url, "--tenancies", "10")
    finished = fill(url, "--tenancies", "15", "--again")

    assert 0 == finished.exit_code
    assert kept(filled) == kept(url)
    assert "leaseId=lease-11&" in finished.stderr


def test_tenancies_of_the_owner_are_left_as_they_are(filled: str, tmp_path: Path) -> None:
    path = tmp_path / "rent.sqlite"
    shutil.copy(filled.removeprefix("sqlite:///"), path)
    url = f"sqlite:///{path}"
    before = kept(url)

    assert [
        f"Error: SQLite file {path}: the owner demo has tenancies already",
        "       --again adds more of them.",
    ] == refused(fill(url)).splitlines()
    assert before == kept(url)
    assert 0 == fill(url, "--owner", "bolig", "--tenancies", "2").exit_code
    assert before == kept(url)
    assert before["Tenancy"][:2] == kept(url, "bolig")["Tenancy"]


def test_numbers_go_on_after_those_of_the_demo_alone(url: str) -> None:
    with open_stores(url) as stores:
        for name in ("tenancy-x", "tenancy-٣", "tenancy-99999999999999999999", "7", "tenancy-4"):
            with stores.writing("demo") as store:
                store.add(Stored(api.Tenancy(id=name), name))
    finished = fill(url, "--again", "--tenancies", "1")

    assert 0 == finished.exit_code, finished.stderr
    assert "lease-5" == kept(url)["Lease"][0][0]


def test_the_key_alone_is_printed_and_opens_everything(url: str) -> None:
    finished = fill(url, "--tenancies", "1", "--owner", "bolig")
    (text,) = finished.stdout.splitlines()
    with open_stores(url) as stores:
        found = key_of(text, stores.keys)

    assert found is not None
    assert ("bolig", frozenset(RIGHTS["*"])) == (found.owner, found.rights)
    assert text not in finished.stderr


def test_it_says_what_to_try(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RENTBILLING_DATABASE", raising=False)
    usual = run("demo-data", "--tenancies", "2").stderr.splitlines()
    other = fill(url, "--tenancies", "2").stderr.splitlines()

    assert f"2 tenancies of demo are in SQLite file {tmp_path}/rentbilling.sqlite." == usual[0]
    assert "  rentbilling serve" == usual[2]
    assert "  rentbilling serve  # with the same --database" == other[2]
    assert usual[3:] == other[3:]
    assert (
        '  curl -s -H "Authorization: $KEY" '
        "'http://127.0.0.1:8000/pending-bills?leaseId=lease-1&period=2026-01-01/2026-03-31'"
    ) in usual


@pytest.mark.skipif(not shutil.which("sh"), reason="no shell of POSIX")
def test_what_to_try_is_well_formed_for_a_shell(url: str) -> None:
    lines = [line for line in fill(url, "--tenancies", "1").stderr.splitlines() if line[:1] == " "]
    read = subprocess.run(["sh", "-n"], input="\n".join(lines).encode(), check=False)  # noqa: S607

    assert 6 == len(lines)
    assert 0 == read.returncode


def test_an_interrupted_fill_leaves_whole_tenancies(
    url: str, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = DemoLease.keep

    def interrupted(lease: DemoLease, store: Any, indices: Any) -> None:  # noqa: ANN401
        keep(lease, store, indices)
        if lease.number == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(DemoLease, "keep", interrupted)
    with pytest.raises((KeyboardInterrupt, click.Abort, SystemExit)):
        raise_for(fill(url))
    monkeypatch.undo()
    counts = Counter({kind: len(rows) for kind, rows in kept(url).items()})
    with open_stores(url) as stores:
        keys = stores.keys.listed()

    assert (2, 2, 2) == (counts["Tenancy"], counts["Lease"], counts["Payout"])
    assert [] == [*keys]
    assert 0 == fill(url, "--again", "--tenancies", "23").exit_code
    assert kept(filled) == kept(url)


def raise_for(finished: Result) -> None:
    if finished.exit_code:
        assert 130 == finished.exit_code
        raise SystemExit(finished.exit_code)


def test_a_terminal_shows_how_many_are_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown() -> list[int]:
        return list(demo_commands._shown(range(3, 6)))

    assert ([3, 4, 5], "") == (shown(), capsys.readouterr().err)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert [3, 4, 5] == shown()
    assert "Tenancies" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tenancies", "0"), "0 is not in the range"),
        (("--tenancies", "100001"), "100001 is not in the range"),
        (("--owner", ""), "Invalid value for '--owner'"),
        (("--seed", "x"), "'x' is not a valid integer"),
    ],
    ids=str,
)
def test_a_command_that_is_not_well_formed_is_refused(
    url: str, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    """Exit code 2, and no database is made."""
    assert said in refused(fill(url, *options), 2)
    assert [] == list(tmp_path.iterdir())


def moved_in(seed: int) -> Iterator[date]:
    return (DemoLease.of(number, seed=seed).moved_in for number in range(1, 200))


def test_half_a_month_is_half_a_months_rent() -> None:
    """Tenants move in on a first, or on the sixteenth of a month of thirty days: 15 of 30."""
    days = {(day.day, day.month) for seed in range(3) for day in moved_in(seed)}

    assert {1, 16} == {day for day, _ in days}
    assert {4, 6, 9, 11} == {month for day, month in days if day == 16}
