"""Problems: what is wrong with single leases, as rows of a table; the other leases are billed.

Laws: a lease that cannot be billed never stops the others; every problem of it is a row, with the
number of the lease; no other error is taken for a problem of a lease.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

import pyarrow as pa

from rentbilling.errors import InvalidInputError, Problem, RentBillingError, check_word
from rentbilling.portfolio.arrow.column_types import PROBLEM_SCHEMA
from rentbilling.terms import LeaseTerms

OnProblem = Literal["table", "raise"]
"""Whether a lease that cannot be billed is a row of the problems, or stops the run."""

OF_A_LEASE: Final = (RentBillingError, ArithmeticError)
"""What a lease can be refused with."""


def refuse_unknown_words(choices: object, **words: object) -> None:
    """Refuse choices of which one is none of its words, each given as a Literal.

    Raises:
        UnknownWordError: There is one.
    """
    for name, kind in words.items():
        check_word(name, getattr(choices, name), get_args(kind))


class UnreadLease(NamedTuple):
    """A lease that its source could not put together."""

    lease_id: str | None
    error: RentBillingError


Given = LeaseTerms | Mapping[str, Any] | UnreadLease
"""A lease as a source gives it: the record, its payload, or why there is neither."""

Cells = tuple[int, str | None, str, str, str, str | None, str | None]
"""A row of the problems."""


def lease_id_of(lease: object) -> str | None:
    """Return the id of a lease or of the payload of one, None where it has none that is a text.

    Examples:
        >>> lease_id_of({"leaseId": "lease-1"}), lease_id_of({"lease_id": 7})
        ('lease-1', None)
    """
    if isinstance(lease, (LeaseTerms, UnreadLease)):
        return lease.lease_id
    found = None
    if isinstance(lease, Mapping):
        found = lease.get("lease_id", lease.get("leaseId"))
    return _written(found) if isinstance(found, str) else None


def _written(text: str) -> str:
    r"""Return a text that any file can contain, half characters as `\udc80`."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def problem_cells(row: int, lease_id: str | None, error: Exception) -> list[Cells]:
    """Return the rows of what a lease was refused with.

    Examples:
        >>> problem_cells(3, "lease-1", OverflowError("too large"))
        [(3, 'lease-1', 'arithmetic', '', 'too large', None, None)]
    """
    if isinstance(error, InvalidInputError):
        return [
            (
                row,
                lease_id,
                each.code,
                _written(each.path),
                _written(each.message),
                _written(each.met),
                _written(each.expected),
            )
            for each in error.problems
        ]
    code = error.code if isinstance(error, RentBillingError) else "arithmetic"
    return [(row, lease_id, code, "", _written(str(error)), None, None)]


def problem_words(cells: Mapping[str, Any]) -> str:
    """Return a row of the table of problems as a sentence.

    Examples:
        >>> row = problem_cells(3, "lease-1", OverflowError("too large"))[0]
        >>> problem_words(dict(zip(PROBLEM_SCHEMA.names, row, strict=True)))
        'row 3, lease-1: too large [arithmetic]'
    """
    lease = "" if cells["lease_id"] is None else f", {cells['lease_id']}"
    where = f" {cells['path']}:" if cells["path"] else ""
    facts = "; ".join(f"{name} {cells[name]}" for name in ("met", "expected") if cells[name])
    about = f" ({facts})" if facts else ""
    return f"row {cells['row']}{lease}:{where} {cells['message']}{about} [{cells['code']}]"


def problem_of(cells: Mapping[str, Any]) -> Problem:
    """Return a row of the table of problems as the problem of a run.

    Examples:
        >>> row = problem_cells(3, "lease-1", OverflowError("too large"))[0]
        >>> print(problem_of(dict(zip(PROBLEM_SCHEMA.names, row, strict=True))))
        [3]: too large (met nothing; expected another value)
    """
    met, expected = cells["met"] or "nothing", cells["expected"] or "another value"
    return Problem(cells["path"], cells["code"], cells["message"], met, expected).under(
        f"[{cells['row']}]"
    )


def located(row: int, lease_id: str | None, error: Exception) -> Exception:
    """Return a refusal that says which lease it is of.

    Examples:
        >>> located(3, None, OverflowError("too large")).__notes__
        ['lease in row 3']
    """
    if isinstance(error, InvalidInputError):
        return error.under(f"[{row}]")
    error.add_note(f"lease in row {row}" + ("" if lease_id is None else f", {lease_id}"))
    return error


def problem_batch(rows: list[Cells]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return problems as a record batch of `PROBLEM_SCHEMA`.

    Examples:
        >>> problem_batch([]).num_rows
        0
    """
    columns = list(zip(*rows, strict=True)) or [()] * len(PROBLEM_SCHEMA)
    return pa.RecordBatch.from_arrays(
        [pa.array(cells, field.type) for cells, field in zip(columns, PROBLEM_SCHEMA, strict=True)],
        schema=PROBLEM_SCHEMA,
    )
