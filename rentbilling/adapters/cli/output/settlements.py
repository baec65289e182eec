"""Statements of a settlement and years of turnover rent, for people, as JSON and as CSV.

The CSV is a row for each line of each statement: lease, then the columns of a statement.

Law: every figure is one of the library's.
"""

from collections.abc import Iterable
from typing import Any

from rentbilling.adapters.cli.output.flows import flow_csv, flow_data
from rentbilling.codec import csv_text, dumps
from rentbilling.records import read_json
from rentbilling.settlement import SettlementResult, Statement, explain_statement
from rentbilling.tables import Table, columns
from rentbilling.terms import OneTimeBillItem
from rentbilling.turnover import TurnoverYear, explain_turnover
from rentbilling.values import plain_data


def statement_text(statement: Statement, *, explained: bool = False) -> str:
    """Return a statement as a table of its costs, with what was paid and what is left."""
    rows = [
        (line.description or line.pool_id, line.unit_id, *_figures(line.pool_amount, line.amount))
        for line in statement.lines
    ]
    table = Table(columns(text="cost unit", money="total share"), rows)
    period, stays = statement.house.settlement.period, statement.stays
    own = "" if any(each.period == period for each in stays) else f", occupied {_days(statement)}"
    names = ("share", "advances", "balance")
    figures = [str(getattr(statement, name)) for name in names]
    width = max(map(len, figures))
    sums = [f"{name:8}  {text:>{width}}" for name, text in zip(names, figures, strict=True)]
    said = [
        f"Statement of {statement.lease_id}, {period}{own}",
        str(table),
        *sums[:-1],
        f"{sums[-1]} ({statement.balance_words})",
    ]
    if explained:
        said.append(f"\n{explain_statement(statement)}")
    return "\n".join(said)


def _days(statement: Statement) -> str:
    return ", ".join(str(each.period) for each in statement.stays)


def _figures(*amounts: Any) -> Iterable[object]:  # noqa: ANN401 - amounts
    return (each.amount for each in amounts)


def statements_text(statements: Iterable[Statement], *, explained: bool = False) -> str:
    """Return statements one after another."""
    texts = (statement_text(each, explained=explained) for each in statements)
    return "\n\n".join(texts) + "\n"


def statements_data(result: SettlementResult, statements: Iterable[Statement]) -> Any:  # noqa: ANN401
    """Return what a result is as JSON, with some of its statements."""
    return {**plain_data(result), "statements": plain_data([*statements])}


def statements_csv(statements: Iterable[Statement]) -> str:
    """Return a row for each line of each statement, with a row of names first."""
    given = list(statements)
    names = [column.name for each in given[:1] for column in each.columns]
    rows = ([each.lease_id, *row.values()] for each in given for row in each.rows())
    return csv_text([["lease", *names], *rows])


def _year_table(year: TurnoverYear) -> Table:
    return Table(year.columns, [[*row.values()] for row in year.rows()])


def year_text(year: TurnoverYear, *, explained: bool = False) -> str:
    """Return a year of turnover rent as a table, perhaps with its workings."""
    why = f"\n{explain_turnover(year)}\n" if explained else ""
    return f"Turnover rent, {year.year}\n{_year_table(year)}\n{why}"


def year_data(year: TurnoverYear, items: Iterable[OneTimeBillItem]) -> Any:  # noqa: ANN401
    """Return a year of turnover rent as JSON, with the items that bill it."""
    billed = [read_json(dumps(each)) for each in items]
    return {"parts": flow_data(_year_table(year)), "items": billed}


def year_csv(year: TurnoverYear) -> str:
    """Return a row for each interval, with a row of names first."""
    return flow_csv(_year_table(year))
