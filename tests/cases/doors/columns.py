"""Doors of columns: all questions with one period, policy and series are one portfolio."""

import csv
import io
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, cached_property

import rentbilling as rb
from rentbilling.codec import csv_of
from rentbilling.portfolio import bill_portfolio, bills_from_arrow, leases_to_arrow
from rentbilling.portfolio.runs.bill_texts import csv_lines_of, json_lines_of
from rentbilling.records import read_json, wire_name
from tests.cases.case import Question, all_questions
from tests.cases.doors.asked import Asked, Silent, same
from tests.cases.outcome import Data, Json, outcome_of, written

Row = dict[str, str]
Outcomes = Mapping[str, str]
"""What came of leases, by their ids."""


class Portfolio:
    """Leases that are billed together."""

    def __init__(self, leases: Mapping[str, rb.LeaseTerms], period: str, **asking: Json) -> None:
        self.terms = {name: named(each, name) for name, each in leases.items()}
        self.period, self.asking = period, asking

    @classmethod
    def of(cls, questions: list[Question]) -> "Portfolio":
        """Return the leases of questions that have all but these in common, by their names."""
        case, data = questions[0].case, questions[0].case.data
        asking: Data = {"policy": case.policy, "indices": case.indices}
        if "already_billed" in data:
            asking["already_billed"] = _sent(
                questions, [each.case.data["already_billed"] for each in questions]
            )
            asking["billed_since"] = data.get("billed_since")
        leases = {each.name: each.case.terms for each in questions}
        return cls(leases, questions[0].period, **asking)

    @cached_property
    def leases(self) -> Json:
        return leases_to_arrow(self.terms.values())

    @cached_property
    def tables(self) -> Data:
        return self.billed(self.leases)

    def billed(self, leases: Json) -> Data:
        run = bill_portfolio(leases, self.period, **self.asking)
        return {**run.to_tables(), "scalar": run.summary.scalar_leases}

    @cached_property
    def by_columns(self) -> Outcomes:
        return self.outcomes(self.tables)

    @cached_property
    def by_texts(self) -> Mapping[str, tuple[list[Data], list[Row]]]:
        """What a run writes of each lease: bills as lines of JSON, lines as rows of CSV."""
        found = defaultdict[str, tuple[list[Data], list[Row]]](lambda: ([], []))
        head = csv_of(rb.BillingResult(()), full=True)
        for batch in self.tables["bills"].to_batches():
            for line in json_lines_of(batch, self.asking["policy"]).splitlines():
                bill = read_json(line)
                found[bill["leaseId"]][0].append(bill)
            text = head + csv_lines_of(batch, self.asking["policy"])
            for row in csv.DictReader(io.StringIO(text, newline="")):
                found[row["lease_id"]][1].append({**row, "lease_id": ""})
        return found

    def outcomes(self, tables: Data) -> Outcomes:
        """Return the outcome of each lease that has rows in the tables of a run."""
        bills = bills_from_arrow(tables["bills"], policy=self.asking["policy"])
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


def _sent(questions: list[Question], before: list[Json]) -> list[Json]:
    """Return the tables of earlier bills, by what each question says of them."""
    first, *_ = before
    if isinstance(first, list):
        parts = zip(*before, strict=True)
        return [table for each in parts for table in _sent(questions, [*each])]
    then = zip(questions, before, strict=True)
    leases = leases_to_arrow(named(q.case.terms_of(each), q.name) for q, each in then)
    case = questions[0].case
    asking: Data = {"policy": case.policy, "indices": case.indices_then(first)}
    if "already_billed" in first:
        asking["already_billed"] = _sent(questions, [each["already_billed"] for each in before])
    return [bill_portfolio(leases, first["period"], **asking).to_table()]


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
        for made in [Portfolio.of(group)]
        for each in group
    }


def _periods(before: Json) -> Json:
    """Return the periods that were billed before, and what else questions must have in common."""
    if isinstance(before, list):
        return [_periods(each) for each in before]
    common = ("period", "indices", "of_a_service")
    return before and [*map(before.get, common), _periods(before.get("already_billed"))]


def portfolio_of(asked: Asked) -> Portfolio:
    return portfolios()[asked.question.name]


def by_columns(asked: Asked) -> None:
    portfolio, name = portfolio_of(asked), asked.question.name
    same(asked.own_bills, portfolio.by_columns.get(name, "nothing"))
    if asked.case.on_columns and portfolio.tables["scalar"]:
        assert on_columns(asked), "the columns leave this lease to the scalar engine"


def on_columns(asked: Asked) -> bool:
    """Say whether the columns bill a lease themselves where it is alone."""
    return not Portfolio.of([asked.question]).tables["scalar"]


def _of_no_run(asked: Asked) -> bool:
    periods = _periods(asked.case.data.get("already_billed")) or []
    return "True" in str(periods) or any(periods.count(each) > 1 for each in periods if each)


NOT_BY_COLUMNS: Silent = {"a run has each bill once, and ids on its lines": _of_no_run}
