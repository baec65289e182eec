"""Doors of files: the leases of all cases in one file of Parquet, and in one table of CSV."""

import csv
import io
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import rentbilling as rb
from rentbilling.codec import csv_of
from rentbilling.errors import RentBillingError
from rentbilling.portfolio import (
    TableMapping,
    adjust_portfolio,
    bill_portfolio,
    leases_from_arrow,
)
from rentbilling.records import read_json
from tests.cases.case import all_questions
from tests.cases.doors.asked import Asked, Silent, same
from tests.cases.doors.columns import Outcomes, Portfolio, Row, portfolio_of
from tests.cases.outcome import Json, outcome_of, written

PERIOD = "2026-01-01/2026-06-30"
_BEFORE = "0001-01"


@cache
def all_leases() -> Portfolio:
    """Return the leases of all cases, by the names of the cases, under the usual policy."""
    cases = {each.case.name: each.case for each in all_questions() if not each.is_refusal}
    leases = {name: case.terms for name, case in cases.items()}
    return Portfolio(leases, PERIOD, policy=rb.BillingPolicy())


@cache
def _bills_alone(name: str) -> rb.BillingResult:
    """Return the bills of one of these leases alone; of one that is refused, none."""
    try:
        return rb.bill_period(all_leases().terms[name], PERIOD)
    except RentBillingError:
        return rb.BillingResult(())


@cache
def alone() -> Outcomes:
    """Return what comes of each of these leases alone."""
    return {name: outcome_of(written(_bills_alone(name))) for name in all_leases().terms}


@cache
def _through_parquet() -> tuple[Mapping[str | None, rb.LeaseTerms], Outcomes]:
    """Return the leases that a run read from a file, and what came out of one with bills."""
    portfolio = all_leases()
    with tempfile.TemporaryDirectory() as folder:
        leases, bills = Path(folder, "leases.parquet"), Path(folder, "bills.parquet")
        pq.write_table(pa.Table.from_batches([portfolio.leases]), leases)
        # Before they begin nothing is adjusted, and leases come out as they went in.
        as_read = adjust_portfolio(leases, _BEFORE).to_tables()["leases"]
        bill_portfolio(leases, PERIOD, **portfolio.asking).write_parquet(bills)
        found = portfolio.outcomes({**portfolio.tables, "bills": bills})
    return {each.lease_id: each for each in leases_from_arrow(as_read)}, found


def by_parquet(asked: Asked) -> None:
    """Leases from a Parquet file, bills into one, and back as results."""
    leases, found = _through_parquet()
    name = asked.case.name
    assert leases[name] == all_leases().terms[name]
    same(alone()[name], found.get(name, "nothing"))


@cache
def _through_csv() -> Outcomes:
    portfolio = all_leases()
    rows: list[Row] = []
    for name, terms in portfolio.terms.items():
        if not _no_cells(terms) and not _two_alike(terms):
            lease = {"the lease": name, "the end": str(terms.contract_end or "")}
            rows += ({**lease, **_cells_of(item)} for item in terms.recurring_bill_items)
    headers = [*dict.fromkeys(header for row in rows for header in row)]
    lease = {"id": "the lease", "contract_end": "the end"}
    mapping = TableMapping(lease, {each: each for each in headers[len(lease) :]})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "items.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, headers, restval="")
            writer.writeheader()
            writer.writerows(rows)
        return portfolio.outcomes(portfolio.billed(mapping.leases(path)))


def by_csv(asked: Asked) -> None:
    """A flat table of items, one a row."""
    same(alone()[asked.case.name], _through_csv().get(asked.case.name, "nothing"))


def _no_cells(terms: rb.LeaseTerms) -> bool:
    others = terms.rent_adjustment_plans or terms.one_time_bill_items or terms.balances
    return bool(others) or not terms.recurring_bill_items


def _two_alike(terms: rb.LeaseTerms) -> bool:
    items = terms.recurring_bill_items
    return len({str(_cells_of(each)) for each in items}) < len(items)


NOT_BY_CSV: Silent = {
    "a table of items has no plans, balances and one-time items": lambda asked: _no_cells(
        asked.terms
    ),
    "two rows of one lease that are the same are refused (A141)": lambda asked: _two_alike(
        asked.terms
    ),
}


def _cells_of(item: rb.RecurringBillItem) -> Row:
    """Return the stated fields of an item by their paths, lists with places."""
    return dict(_cells("", read_json(rb.dumps(item))))


def _cells(path: str, value: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _cells(f"{path}.{name}".removeprefix("."), each)
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _cells(f"{path}[{at}]", each)
    elif path.endswith("Period") and isinstance(value, str):
        for end, day in zip(("start", "end"), value.split("/"), strict=True):
            yield f"{_snake(path)}.{end}", day
    else:
        yield _snake(path), str(value)


def _snake(path: str) -> str:
    return "".join("_" + each.lower() if each.isupper() else each for each in path)


def by_run_texts(asked: Asked) -> None:
    """The lines of JSON and of CSV that a run writes, and the CSV of one lease."""
    rare = asked.has_earlier_bills or asked.policy != rb.BillingPolicy()
    name = asked.question.name if rare else asked.case.name
    portfolio = portfolio_of(asked) if rare else all_leases()
    own = asked.bills if rare else _bills_alone(name)
    bills, rows = portfolio.by_texts.get(name, ([], []))
    apart = {"row", "leaseId", "currency"}
    found = [{name: each for name, each in bill.items() if name not in apart} for bill in bills]
    same(outcome_of({"bills": written(own)["bills"]}), outcome_of({"bills": found}))
    file = io.StringIO(csv_of(own, full=True), newline="")
    single = [{**row, "lease_id": ""} for row in csv.DictReader(file)]
    assert rows == single
    for row, line in zip(single, (line for b in own for line in b.lines), strict=True):
        shown = row["description"], row["item_id"], row["kind"], row["net_price"]
        text = line.description or ""
        assert shown[0] in {text, "'" + text}
        assert shown[1:3] == (line.item_id or "", line.kind)
        assert line.net_price.amount == rb.Amount(shown[3], line.net_price.currency).amount
