"""Where leases come from: every kind of source gives the same bills, and damaged ones are told."""

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rentbilling import dumps
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import bill_portfolio, leases_to_arrow
from rentbilling.portfolio.leases.sources import source_of
from rentbilling.records import read_json
from rentbilling.testing import a_lease, a_rent
from tests.support.refusals import faults
from tests.support.rows import rows

LEASES = [a_lease(a_rent(amount=8000 + at), lease_id=f"lease-{at}") for at in range(7)]
BATCH = leases_to_arrow(LEASES)
TABLE = pa.Table.from_batches([BATCH.slice(0, 4), BATCH.slice(4)])
ITEMS = "recurring_bill_items"
MONTH = "2026-02-01/2026-02-28"
EXPECTED = [(at, f"lease-{at}", 8000 + at) for at in range(7)]


def billed(source: Any, **choices: Any) -> list[tuple[int, str, int]]:  # noqa: ANN401 - any source
    table = bill_portfolio(source, MONTH, **choices).to_table().select(["row", "lease_id", "total"])
    return [tuple(row.values()) for row in table.to_pylist()]


def written(path: Path) -> Path:
    pq.write_table(TABLE, path, row_group_size=3)
    return path


def as_ipc(path: Path, new: Callable[..., Any]) -> Path:
    with pa.OSFile(str(path), "wb") as sink, new(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)
    return path


def folder(path: Path) -> Path:
    """Return a folder with the leases in two Parquet files, and something else."""
    path.mkdir()
    pq.write_table(TABLE.slice(4), path / "part-2.parquet")
    pq.write_table(TABLE.slice(0, 4), path / "part-1.parquet")
    (path / "_SUCCESS").write_text("")
    return path


SOURCES: dict[str, Callable[[Path], Any]] = {
    "a Parquet file": lambda path: written(path / "leases.parquet"),
    "its path as a text": lambda path: str(written(path / "leases.pq")),
    "an Arrow file": lambda path: as_ipc(path / "leases.arrow", pa.ipc.new_file),
    "an Arrow stream": lambda path: as_ipc(path / "leases.arrows", pa.ipc.new_stream),
    "a folder": lambda path: folder(path / "leases"),
    "a record batch": lambda _: BATCH,
    "a table": lambda _: TABLE,
    "a reader": lambda _: TABLE.to_reader(),
    "record batches": lambda _: iter(TABLE.to_batches()),
    "tables": lambda _: [TABLE.slice(0, 2), TABLE.slice(2)],
    "polars": lambda _: pl.from_arrow(TABLE.select(["lease_id", "recurring_bill_items"])),
    "DuckDB": lambda _: duckdb.from_arrow(TABLE.select(["lease_id", "recurring_bill_items"])),
    "leases": lambda _: iter(LEASES),
    "payloads": lambda _: [read_json(dumps(lease)) for lease in LEASES],
}


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_every_source_gives_the_same_bills(kind: str, batch_size: int, tmp_path: Path) -> None:
    assert EXPECTED == billed(SOURCES[kind](tmp_path), batch_size=batch_size)


@pytest.mark.parametrize("kind", SOURCES)
def test_batches_are_not_larger_than_asked_for(kind: str, tmp_path: Path) -> None:
    sizes = [len(batch) for batch in source_of(SOURCES[kind](tmp_path), 2).batches]

    assert 7 == sum(sizes)
    assert 2 >= max(sizes)


def _in_parts(path: Path) -> Path:
    """Return the path of a Parquet file with a lease in each group of rows."""
    pq.write_table(TABLE, path, row_group_size=1)
    return path


def _in_files(path: Path) -> Path:
    for at in range(7):
        pq.write_table(TABLE.slice(at, 1), path / f"part-{at}.parquet")
    return path


def _in_ipc(path: Path) -> Path:
    """Return the path of an Arrow file with a lease in each batch."""
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, TABLE.schema) as writer:
        writer.write_table(TABLE, max_chunksize=1)
    return path


SMALL: dict[str, Callable[[Path], Any]] = {
    "a table": lambda _: pa.Table.from_batches([BATCH.slice(at, 1) for at in range(7)]),
    "record batches": lambda _: [BATCH.slice(at, 1) for at in range(7)],
    "tables": lambda _: [pa.Table.from_batches([BATCH.slice(at, 1)]) for at in range(7)],
    "a reader": lambda path: SMALL["a table"](path).to_reader(),
    "a Parquet file": lambda path: _in_parts(path / "leases.parquet"),
    "a folder": _in_files,
    "an Arrow file": lambda path: _in_ipc(path / "leases.arrow"),
}
"""The seven leases one by one."""


@pytest.mark.parametrize("kind", SMALL)
def test_small_batches_are_put_together(kind: str, tmp_path: Path) -> None:
    sizes = [len(batch) for batch in source_of(SMALL[kind](tmp_path), 3).batches]

    assert [3, 3, 1] == sizes
    assert EXPECTED == billed(SMALL[kind](tmp_path))


def test_neighbours_of_other_columns_are_not_put_together() -> None:
    fewer = BATCH.drop_columns(["balances"])
    sizes = [len(batch) for batch in source_of([BATCH, fewer, fewer], 5).batches]

    assert [5, 2, 5, 2, 5, 2] == sizes


@pytest.mark.parametrize(
    ("given", "place"),
    [([BATCH, LEASES[0]], 1), ([LEASES[0], LEASES[1], BATCH], 2), ([*LEASES, TABLE], 7)],
    ids=["a lease", "a record batch", "a table"],
)
def test_a_source_of_two_kinds_is_refused_where_the_second_begins(
    given: list[object], place: int
) -> None:
    run = bill_portfolio(given, MONTH, batch_size=2)

    ((path, code, said),) = faults(run.to_table, InvalidRecordError, "path code message")
    assert (f"source[{place}]", "not_a_source") == (path, code)
    assert "is not of the kind" in said


def test_no_leases_give_no_bills() -> None:
    assert [] == billed([]) == billed(TABLE.slice(0, 0)) == billed(iter(()))


def of_rents(path: Path) -> Path:
    pq.write_table(pa.table({"rent": [8500.0]}), path / "rents.parquet")
    return path / "rents.parquet"


REFUSED: list[tuple[Callable[[Path], object], str, str]] = [
    *((lambda _, given=given: given, "source", "not_a_source") for given in (None, 5, b"leases")),
    (lambda _: {"leaseId": "a"}, "source", "not_a_source"),
    (lambda _: a_lease(), "source", "not_a_source"),
    (lambda path: [path / "a.parquet", path / "b.parquet"], "source[0]", "not_a_source"),
    (lambda path: [f"{path}/a.parquet"], "source[0]", "not_a_source"),
    (lambda path: BytesIO(of_rents(path).read_bytes()), "source[0]", "not_a_source"),
    (lambda path: path / "leases.csv", "source", "unknown_file"),
    (lambda path: path / "leases.xlsx", "source", "unknown_file"),
    (lambda path: path / "leases.txt", "source", "unknown_file"),
    (lambda path: path, "source", "empty_folder"),
    (of_rents, "rent", "unknown_field"),
]


@pytest.mark.parametrize(("given", "place", "code"), REFUSED)
def test_what_is_no_source_is_refused_before_the_run(
    given: Callable[[Path], object], place: str, code: str, tmp_path: Path
) -> None:
    source = given(tmp_path)

    assert (place, code) == faults(lambda: bill_portfolio(source, MONTH), InvalidRecordError)[0]


@rows(
    ("name", "table"),
    [
        ("leases.csv", "'leases.csv'"),
        ("leases.csv.gz", "'leases.csv.gz'"),
        ("leases.xlsx", "pandas.read_excel('leases.xlsx')"),
    ],
)
def test_a_flat_table_is_read_by_a_mapping(name: str, table: str) -> None:
    ((said, expected),) = faults(
        lambda: bill_portfolio(name, MONTH), InvalidRecordError, "message expected"
    )

    assert "needs a mapping from its columns" in said
    assert expected.startswith(f"TableMapping(item={{…}}).leases({table}), or ")


@pytest.mark.parametrize("name", ["leases.parquet", "leases.arrow"])
def test_a_file_that_is_not_there_is_said_so(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        bill_portfolio(tmp_path / name, MONTH)


@pytest.mark.parametrize(
    ("kind", "name"), [("a Parquet file", "leases.parquet"), ("an Arrow file", "leases.arrow")]
)
def test_a_file_that_was_cut_short_is_refused(kind: str, name: str, tmp_path: Path) -> None:
    path = SOURCES[kind](tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])

    ((*found, met),) = faults(lambda: billed(path), InvalidRecordError, "path code met")
    assert ["source", "unreadable"] == found
    assert name in met or "…" in met


def test_a_file_that_is_damaged_inside_is_refused_where_it_is(tmp_path: Path) -> None:
    """A whole page, or one byte of a column's name, which is not UTF-8 then."""
    path = written(tmp_path / "leases.parquet")
    page = pq.ParquetFile(path).metadata.row_group(1).column(0)
    start, raw = page.dictionary_page_offset or page.data_page_offset, path.read_bytes()
    torn = b"\xff" * page.total_compressed_size
    for damaged in (
        raw[:start] + torn + raw[start + len(torn) :],
        raw.replace(b"contract_start", b"\xbaontract_start"),
    ):
        path.write_bytes(damaged)

        with pytest.raises(InvalidRecordError, match="it is damaged or cut short"):
            billed(path)


def test_a_source_that_fails_on_the_way_fails_the_run() -> None:
    def failing() -> Iterator[Any]:
        yield BATCH
        raise sqlite3.OperationalError("gone")

    run = bill_portfolio(failing(), MONTH)

    with pytest.raises(sqlite3.OperationalError, match="gone"):
        run.to_table()


def test_batches_of_other_columns_are_refused_where_they_come() -> None:
    other = pa.RecordBatch.from_pydict({"rent": [8500.0]})

    with pytest.raises(InvalidRecordError, match="rent: is not a column of leases"):
        billed([BATCH, other])


def test_columns_may_be_numbered_by_the_source() -> None:
    numbered = BATCH.append_column("row", pa.array(range(100, 107)))

    assert [row + 100 for row, _, _ in EXPECTED] == [row for row, _, _ in billed(numbered)]


def test_pandas_frames_of_arrow_are_read() -> None:
    frame = pd.DataFrame(
        {
            name: pd.array(TABLE.column(name).combine_chunks(), dtype=pd.ArrowDtype(kind.type))
            for name, kind in zip(TABLE.schema.names, TABLE.schema, strict=True)
            if name in ("lease_id", "recurring_bill_items")
        }
    )

    assert EXPECTED == billed(frame)


def test_columns_with_names_of_json_are_refused_even_where_others_are_ignored() -> None:
    """Ignored, a price history would be lost without a word."""
    lease, record = a_lease(lease_id="a"), pa.list_(pa.struct([]))
    table = pa.Table.from_batches([leases_to_arrow([lease])]).append_column(
        "leaseId", pa.array(["a"])
    )
    items = pa.array([[]], type=pa.list_(pa.struct([("amountRecords", record)])))
    camel = "recurringBillItems"
    for given, names in (
        (table, {"leaseId": "lease_id"}),
        (pa.table({ITEMS: items}), {f"{ITEMS}.amountRecords": "amount_records"}),
        (pa.table({"leaseId": pa.array([], pa.string())}).to_reader(), {"leaseId": "lease_id"}),
        (
            pa.table({camel: items}),
            {camel: ITEMS, f"{camel}.amountRecords": "amount_records"},
        ),
    ):
        run = partial(bill_portfolio, given, "2026-02", extra_columns="ignore")
        assert names == dict(faults(run, InvalidRecordError, "path expected"))


WAYS: dict[str, Callable[[Any, Path], Any]] = {
    "a Parquet file": lambda table, path: _to_parquet(table, path / "leases.parquet"),
    "a Parquet folder": lambda table, path: _to_parquet(table, path / "all" / "a.parquet").parent,
    "an Arrow file": lambda table, path: _to_arrow(table, path / "a.arrow", pa.ipc.new_file),
    "an Arrow stream": lambda table, path: _to_arrow(table, path / "a.arrows", pa.ipc.new_stream),
    "a table": lambda table, _: table,
    "batches": lambda table, _: table.to_batches(max_chunksize=3),
    "a reader": lambda table, _: table.to_reader(max_chunksize=3),
    "pandas": lambda table, _: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda table, _: pl.from_arrow(table),
}
COLUMNS: list[tuple[str, Any, Any]] = [
    ("contract_end", pa.null(), None),
    ("contract_end", pa.float64(), 1.5),
    ("rent_adjustment_plans", pa.int32(), 7),
    (f"{ITEMS}.ended_on", pa.float64(), 20_000.0),
    (f"{ITEMS}.discount", pa.float64(), 0.1),
    (f"{ITEMS}.amount_records", pa.list_(pa.int32()), [7]),
    (f"{ITEMS}.vat.tax_rate", pa.float64(), 0.25),
]
"""The path of a column without a value, its type, and a value that it could have."""


def _to_parquet(table: Any, path: Path) -> Path:  # noqa: ANN401 - an Arrow table
    path.parent.mkdir(exist_ok=True)
    pq.write_table(table, path, row_group_size=3)
    return path


def _to_arrow(table: Any, path: Path, new: Callable[..., Any]) -> Path:  # noqa: ANN401
    with pa.OSFile(str(path), "wb") as sink, new(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=3)
    return path


def _retyped(path: str, kind: Any, value: Any) -> Any:  # noqa: ANN401 - an Arrow table
    """Return the leases with a column of another type, whose last value is the given one."""
    first, *steps = path.split(".")

    def typed(known: Any, left: list[str]) -> Any:  # noqa: ANN401 - an Arrow type
        if not left:
            return kind
        if pa.types.is_list(known):
            return pa.list_(typed(known.value_type, left))
        parts = [(each.name, each.name == left[0], each.type) for each in known]
        return pa.struct(
            [(name, typed(own, left[1:]) if here else own) for name, here, own in parts]
        )

    column = BATCH.column(first).to_pylist() if steps else [*[None] * 6, value]
    if steps and value is not None:
        place = column[-1][0]
        for step in steps[:-1]:
            place[step] = place[step] or {}
            place = place[step]
        place[steps[-1]] = value
    at = TABLE.schema.get_field_index(first)
    field = TABLE.schema.field(at)
    return TABLE.set_column(at, first, pa.array(column, typed(field.type, steps)))


def _begun(source: Any, **choices: Any) -> None:  # noqa: ANN401 - any source
    bill_portfolio(source, MONTH, **choices)


def test_columns_without_a_value_are_read_whatever_type_they_have(tmp_path: Path) -> None:
    """In every way that leases come; where the last lease has a value, before any is billed."""
    wrong = []
    for path, kind, value in COLUMNS:
        for way, given in WAYS.items():
            if EXPECTED != billed(given(_retyped(path, kind, None), tmp_path)):
                wrong.append((way, path))
            if value is not None:
                begun = billed if way in ("batches", "a reader") else _begun
                table = given(_retyped(path, kind, value), tmp_path)
                with pytest.raises(InvalidRecordError, match=path):
                    begun(table, batch_size=3)

    assert [] == wrong


def test_whole_numbers_as_doubles_are_read_in_every_way(tmp_path: Path) -> None:
    """As data frames write them beside absent ones (A110)."""
    table = _retyped(f"{ITEMS}.billing_cycle.period_length", pa.float64(), 1.0)

    assert [] == [way for way, given in WAYS.items() if EXPECTED != billed(given(table, tmp_path))]


def test_a_frame_without_types_is_refused_with_its_column() -> None:
    """Pandas has values of several types in a column, and names twice."""
    frame = pa.table(leases_to_arrow([a_lease(lease_id="a"), a_lease(lease_id="b")])).to_pandas()
    bills = bill_portfolio(frame, "2026-02").to_table().to_pandas()
    for given, said in (
        (frame.assign(lease_id=[1, "b"]), "column lease_id with type object"),
        (pd.concat([frame, frame[["currency"]]], axis=1), "Duplicate column names"),
    ):
        with pytest.raises(InvalidRecordError, match=said) as refused:
            bill_portfolio(given, "2026-03")
        assert "source" == refused.value.problems[0].path
    with pytest.raises(InvalidRecordError, match=r"^already_billed: .* column lease_id"):
        bill_portfolio(frame, "2026-03", already_billed=bills.assign(lease_id=[1, "b"]))


def test_a_lazy_frame_is_refused_with_what_makes_a_frame_of_it() -> None:
    frame = pl.from_arrow(leases_to_arrow([a_lease(lease_id="a")]))
    assert isinstance(frame, pl.DataFrame)
    with pytest.raises(InvalidRecordError, match=r"of a LazyFrame its collect\(\)"):
        bill_portfolio(frame.lazy(), "2026-02")
