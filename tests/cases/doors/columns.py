"""Doors of columns: all questions with one period, policy and series are one portfolio."""

import csv
import io
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import rentbilling as rb
from rentbilling.codec import csv_of
from rentbilling.portfolio import TableMapping, bill_portfolio, bills_from_arrow, leases_to_arrow
from rentbilling.portfolio.runs.bill_texts import csv_lines_of, json_lines_of
from rentbilling.records import read_json, wire_name
from tests.cases.case import ASKED, Case, Question, all_questions
from tests.cases.doors.asked import Asked, Silent, same
from tests.cases.outcome import Data, Json, outcome_of, written

Row = dict[str, str]
Outcomes = Mapping[str, str]
"""What came of questions, by their names."""


_LONG = "2026-01-01/2027-12-31"


class Portfolio:
    """Questions that are billed together; the id of a lease is the name of its question."""

    def __init__(self, questions: list[Question]) -> None:
        self.questions = questions
        first = questions[0]
        self.case, self.period = first.case, first.period
        self.policy = first.case.policy
        self.asking: Data = {"policy": self.policy, "indices": first.case.indices}

    @cached_property
    def leases(self) -> Json:
        return leases_to_arrow(named(each.case.terms, each.name) for each in self.questions)

    @cached_property
    def tables(self) -> Data:
        earlier: Data = {}
        if self.case.data.get("already_billed"):
            sent = self.sent([each.case.data["already_billed"] for each in self.questions])
            earlier = {"already_billed": sent, "billed_since": self.case.data.get("billed_since")}
        return self.billed(self.leases, **earlier)

    def sent(self, before: list[Json]) -> list[Json]:
        """Return the tables of earlier bills, by what each question says of them."""
        first, *_ = before
        if isinstance(first, list):
            return [table for each in zip(*before, strict=True) for table in self.sent([*each])]
        then = zip(self.questions, before, strict=True)
        leases = leases_to_arrow(named(q.case.terms_of(each), q.name) for q, each in then)
        asking = {**self.asking, "indices": self.case.indices_then(first)}
        if "already_billed" in first:
            asking["already_billed"] = self.sent([each["already_billed"] for each in before])
        return [bill_portfolio(leases, first["period"], **asking).to_table()]

    def billed(self, leases: Json, **earlier: Json) -> Data:
        run = bill_portfolio(leases, self.period, **self.asking, **earlier)
        return {**run.to_tables(), "scalar": run.summary.scalar_leases}

    @cached_property
    def by_columns(self) -> Outcomes:
        return self.outcomes(self.tables)

    @cached_property
    def by_parquet(self) -> Outcomes:
        with tempfile.TemporaryDirectory() as folder:
            leases, bills = Path(folder, "leases.parquet"), Path(folder, "bills.parquet")
            pq.write_table(pa.Table.from_batches([self.leases]), leases)
            bill_portfolio(leases, self.period, **self.asking).write_parquet(bills)
            return self.outcomes({"bills": bills})

    @cached_property
    def by_csv(self) -> Outcomes:
        """A flat table, a row for each item, of the leases that it can say."""
        rows: list[Row] = []
        for each in self.questions:
            asked = Asked(each)
            if not any(is_so(asked) for is_so in NOT_BY_CSV.values()):
                end = asked.terms.contract_end
                lease = {"the lease": each.name, "the end": str(end) if end else ""}
                rows += ({**lease, **cells(item)} for item in asked.terms.recurring_bill_items)
        headers = [*dict.fromkeys(name for row in rows for name in row)]
        lease = {"id": "the lease", "contract_end": "the end"}
        mapping = TableMapping(lease, {each: each for each in headers[len(lease) :]})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "items.csv")
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, headers, restval="")
                writer.writeheader()
                writer.writerows(rows)
            return self.outcomes(self.billed(mapping.leases(path)))

    @cached_property
    def by_texts(self) -> Mapping[str, tuple[list[Data], list[Row]]]:
        """What a run writes of each lease: bills as lines of JSON, lines as rows of CSV."""
        found = defaultdict[str, tuple[list[Data], list[Row]]](lambda: ([], []))
        head = csv_of(rb.BillingResult(()), full=True)
        for batch in self.tables["bills"].to_batches():
            for line in json_lines_of(batch, self.policy).splitlines():
                bill = read_json(line)
                found[bill["leaseId"]][0].append(bill)
            text = head + csv_lines_of(batch, self.policy)
            for row in csv.DictReader(io.StringIO(text, newline="")):
                found[row["lease_id"]][1].append({**row, "lease_id": ""})
        return found

    def outcomes(self, tables: Data) -> Outcomes:
        """Return the outcome of each lease that has rows in the tables of a run."""
        bills = bills_from_arrow(tables["bills"], policy=self.policy)
        data: dict[str, Data] = {str(each.lease_id): written(each) for each in bills}
        for name in ("adjustments", "notices"):
            for row in tables[name].to_pylist() if name in tables else ():
                data.setdefault(row["lease_id"], {}).setdefault(name, []).append(_wire(row))
        return {name: outcome_of(each) for name, each in data.items()}


def named(terms: rb.LeaseTerms, name: str) -> rb.LeaseTerms:
    plans = [e.evolve(lease_id=name if e.lease_id else None) for e in terms.rent_adjustment_plans]
    return terms.evolve(lease_id=name, rent_adjustment_plans=tuple(plans))


def _wire(row: Json) -> Json:
    """Return a row as JSON names it, without what it does not have."""
    if isinstance(row, dict):
        apart = {"row", "lease_id"}
        known = {n: each for n, each in row.items() if each not in (None, []) and n not in apart}
        return {wire_name(n): dict(e) if n == "facts" else _wire(e) for n, e in known.items()}
    if isinstance(row, list):
        return [_wire(each) for each in row]
    return row.isoformat() if hasattr(row, "isoformat") else row


@cache
def portfolios() -> Mapping[str, Portfolio]:
    """Return the portfolio of each question that is no refusal, by its name."""
    groups = defaultdict[str, list[Question]](list)
    for each in all_questions():
        if not each.is_refusal:
            data = each.case.data
            before = _periods(data.get("already_billed")), data.get("billed_since")
            key = each.period, before, data.get("policy"), data.get("indices")
            groups[repr(key)].append(each)
    return {
        each.name: made
        for group in groups.values()
        for made in [Portfolio(group)]
        for each in group
    }


def _periods(before: Json) -> Json:
    """Return the periods that were billed before, and what else questions must have in common."""
    if isinstance(before, list):
        return [_periods(each) for each in before]
    common = ("period", "indices", "of_a_service")
    return before and [*map(before.get, common), _periods(before.get("already_billed"))]


def in_one_portfolio(questions: Iterable[Question]) -> list[Question]:
    """Return the leases of cases as questions of one portfolio: one policy, period and no plans."""
    apart = {"policy", "indices", "already_billed", "billed_since", "rent_adjustment_plans", "with"}
    apart |= {"split_bill", "discount_bill", *ASKED}
    made: list[Question] = []
    for case in {id(each.case): each.case for each in questions}.values():
        data = {name: each for name, each in case.data.items() if name not in apart}
        data["title"] = f"{case.title} {case.change}"
        each = Question(Case(case.path, data), "bill_period", _LONG, "")
        if not each.answer.startswith("refused"):
            made.append(each)
    return made


def _portfolio(asked: Asked) -> Portfolio:
    return portfolios()[asked.question.name]


def by_columns(asked: Asked) -> None:
    portfolio, name = _portfolio(asked), asked.question.name
    same(asked.own_bills, portfolio.by_columns.get(name, "nothing"))
    if asked.case.on_columns and portfolio.tables["scalar"]:
        assert on_columns(asked), "the columns leave this lease to the scalar engine"


def on_columns(asked: Asked) -> bool:
    """Say whether the columns bill a lease themselves where it is alone."""
    alone = Portfolio([asked.question])
    return not alone.tables["scalar"]


def by_parquet(asked: Asked) -> None:
    """Leases from a Parquet file, bills into one, and back as results."""
    found = _portfolio(asked).by_parquet.get(asked.question.name, "nothing")
    same(outcome_of({"bills": written(asked.bills)["bills"]}), found)


def by_csv(asked: Asked) -> None:
    """A flat table of items, one a row."""
    found = _portfolio(asked).by_csv.get(asked.question.name, "nothing")
    same(asked.own_bills, found)


def _no_cells(asked: Asked) -> bool:
    terms = asked.terms
    others = terms.rent_adjustment_plans or terms.one_time_bill_items or terms.balances
    return bool(others) or not terms.recurring_bill_items


def _two_alike(asked: Asked) -> bool:
    items = asked.terms.recurring_bill_items
    return len({str(cells(each)) for each in items}) < len(items)


def _of_no_run(asked: Asked) -> bool:
    periods = _periods(asked.case.data.get("already_billed")) or []
    return "True" in str(periods) or any(periods.count(each) > 1 for each in periods if each)


NOT_BY_COLUMNS: Silent = {"a run has each bill once, and ids on its lines": _of_no_run}
NOT_BY_PARQUET: Silent = {
    "earlier bills are a file of their own": lambda asked: asked.has_earlier_bills
}
NOT_BY_CSV: Silent = {
    "earlier bills are no cells": lambda asked: asked.has_earlier_bills,
    "a table of items has no plans, balances and one-time items": _no_cells,
    "two rows of one lease that are the same are refused (A141)": _two_alike,
}


def cells(item: rb.RecurringBillItem) -> Row:
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
    bills, rows = _portfolio(asked).by_texts.get(asked.question.name, ([], []))
    apart = {"row", "leaseId", "currency"}
    found = [{name: each for name, each in bill.items() if name not in apart} for bill in bills]
    own = written(asked.bills)["bills"]
    same(outcome_of({"bills": own}), outcome_of({"bills": found}))
    text = io.StringIO(csv_of(asked.bills, full=True), newline="")
    single = [{**row, "lease_id": ""} for row in csv.DictReader(text)]
    assert rows == single
    for row, line in zip(single, (line for b in asked.bills for line in b.lines), strict=True):
        shown = row["description"], row["item_id"], row["kind"], row["net_price"]
        text = line.description or ""
        assert shown[0] in {text, "'" + text}
        assert shown[1:3] == (line.item_id or "", line.kind)
        assert line.net_price.amount == rb.Amount(shown[3], line.net_price.currency).amount
