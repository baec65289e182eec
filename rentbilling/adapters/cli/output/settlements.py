"""Statements of a settlement, for people, as JSON and as CSV.

The CSV is a row for each line of each statement: lease, then the columns of a statement.

Law: every figure is one of the library's.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rentbilling.codec import csv_text
from rentbilling.layout import notice_words
from rentbilling.settlement import SettledHouses, Statement, explain_statement
from rentbilling.tables import Table, columns
from rentbilling.values import plain_data


def statement_text(statement: Statement, *, explained: bool = False) -> str:
    """Return a statement as a table of its costs, with what was paid and what is left."""
    rows = [
        (
            line.description or line.pool_id,
            line.unit_id,
            line.pool_amount.amount,
            line.amount.amount,
        )
        for line in statement.lines
    ]
    table = Table(columns(text="cost unit", money="total share"), rows)
    period, stays = statement.house.settlement.period, statement.stays
    days = ", ".join(str(each.period) for each in stays)
    own = "" if any(each.period == period for each in stays) else f", occupied {days}"
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


class HousesShown:
    """Settled houses as they are printed: those of several files under their names."""

    def __init__(self, houses: SettledHouses, lease: str | None, *, several: bool) -> None:
        self._results = dict(zip((row["house"] for row in houses.rows()), houses, strict=True))
        self._several = several
        self._chosen = {
            name: [one for one in each if lease in (None, one.lease_id)]
            for name, each in self._results.items()
        }

    def __len__(self) -> int:
        return sum(map(len, self._chosen.values()))

    def text(self, *, explained: bool) -> str:
        """Return the statements one after another."""
        found = []
        for name, statements in self._chosen.items():
            texts = [statement_text(each, explained=explained) for each in statements]
            found += [f"{name}\n{'=' * len(name)}", *texts] if self._several and texts else texts
        return "\n\n".join(found) + "\n"

    def data(self, refused: Sequence[str]) -> Any:  # noqa: ANN401
        """Return the settlements as JSON data; of several files with those that are refused."""
        found = {
            name: {**plain_data(each), "statements": plain_data(self._chosen[name])}
            for name, each in self._results.items()
        }
        if self._several:
            houses = [{"house": name, **each} for name, each in found.items()]
            return {"houses": houses, "problems": [*refused]}
        (only,) = found.values()
        return only

    def csv(self) -> str:
        """Return a row for each line of each statement, with a row of names first."""
        given = [(name, each) for name, some in self._chosen.items() for each in some]
        names = [column.name for _, each in given[:1] for column in each.columns]
        rows = [[name, each.lease_id, *row.values()] for name, each in given for row in each.rows()]
        first = 0 if self._several else 1
        return csv_text(row[first:] for row in (["house", "lease", *names], *rows))

    @property
    def notices(self) -> Iterator[str]:
        """The notices of the house and of the statements that are printed, a line each."""
        for name, each in self._results.items():
            others = {
                notice for one in each if one not in self._chosen[name] for notice in one.notices
            }
            for notice in (notice for notice in each.notices if notice not in others):
                of = name if notice.item_id is None else f"{name}: {notice.item_id}"
                yield notice_words(notice._replace(item_id=of) if self._several else notice)
