"""Every other way to the same figures: a door takes a question and tells what comes of it.

A door returns a text that is compared with the outcome of the case, or asserts itself and returns
nothing; what it cannot say it says by `CannotSay`, and the sum of these is the table of reasons.
"""

import copy
import csv
import io
import json
import pickle
import tempfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import rentbilling as rb
from rentbilling import interface as api
from rentbilling.adapters.cli.program import rentbilling as command
from rentbilling.billing.wire import BillSchemas
from rentbilling.checks import check_bill, compare_bills
from rentbilling.codec import csv_of
from rentbilling.payers import split_bill
from rentbilling.portfolio import TableMapping, bill_portfolio, bills_from_arrow, leases_to_arrow
from rentbilling.portfolio.runs.bill_texts import csv_lines_of, json_lines_of
from rentbilling.records import read_json
from rentbilling.simulation import IndexPaths, simulate
from rentbilling.testing import a_service, a_tenancy
from rentbilling.values import Definitions, minor_units, period_of

MOST_DAYS = 3660
from tests.cases.case import Case, told, written
from tests.oracle import bills_by_oracle, bills_told_by
from tests.support.explained import check as replay_bills


class CannotSay(Exception):
    """A door has no word for what a case says."""


class Asked:
    """One question of a case: its terms, period and policy, and the result of one lease."""

    def __init__(self, case: Case, function: str, period: str) -> None:
        self.case, self.function, self.period = case, function, period
        self.terms, self.policy, self.indices = case.terms, case.policy, case.indices
        self.result = case.result(function, period)
        self.own = told(written(self.result))

    @property
    def bills(self) -> rb.BillingResult:
        if self.function == "rent_adjustments":
            return rb.bill_period(self.terms, self.period, **self.case.asking())
        return self.result

    def again(self, terms: Any, **changes: Any) -> str:
        from tests.cases.case import ASKED

        return told(written(ASKED[self.function](terms, self.period, **self.case.asking(**changes))))


Door = Callable[[Asked], str | None]


def same(expected: str, found: str) -> None:
    """Assert that two outcomes are one, and show the lines that are not."""
    gone, new = (set(e.splitlines()) for e in (expected, found))
    apart = [f"- {e}" for e in expected.splitlines() if e not in new][:3]
    apart += [f"+ {e}" for e in found.splitlines() if e not in gone][:3]
    assert expected == found, "\n".join(apart)


def named(terms: rb.LeaseTerms) -> rb.LeaseTerms:
    """Return terms with an id, for doors that tell leases apart by it."""
    plans = [each.lease_id for each in terms.rent_adjustment_plans if each.lease_id]
    return terms.evolve(lease_id=[*plans, "lease"][0])


def by_json(asked: Asked) -> str:
    """Terms and policy as JSON and back; and what came, written and read again."""
    terms = rb.loads(rb.dumps(asked.terms))
    policy = rb.loads(rb.dumps(asked.policy), rb.BillingPolicy)
    if asked.function != "rent_adjustments":
        text = rb.dumps(asked.result, full=True)
        assert asked.own == told(written(rb.loads(text, rb.BillingResult)))
    return asked.again(terms, policy=policy)


def by_pickle(asked: Asked) -> str:
    terms, policy, indices = pickle.loads(pickle.dumps((asked.terms, asked.policy, asked.indices)))
    for other in (pickle.loads(pickle.dumps(asked.result)), copy.deepcopy(asked.result)):
        assert asked.own == told(written(other))
    return asked.again(terms, policy=policy, indices=indices)


def _tables(asked: Asked, source: Any) -> str:
    """Return what a run over columns gives, as the outcome of its only lease."""
    earlier = asked.case.asking().get("already_billed")
    more = {}
    if earlier is not None:
        before = asked.case.data["already_billed"]
        then = named(asked.case.terms_of(before))
        sent = bill_portfolio(leases_to_arrow([then]), before["period"], policy=asked.policy, indices=asked.indices)
        more = {"already_billed": sent.to_table(), "billed_since": asked.case.data.get("billed_since")}
    run = bill_portfolio(source, asked.period, policy=asked.policy, indices=asked.indices, **more)
    tables = run.to_tables()
    bills = [*bills_from_arrow(tables["bills"], policy=asked.policy)]
    data = written(bills[0]) if bills else {"bills": []}
    data["adjustments"] = [_wire(row) for row in tables["adjustments"].to_pylist()]
    data["notices"] = [_wire(row) for row in tables["notices"].to_pylist()]
    problems = [f"refused {row['path']} {row['code']}" for row in tables["problems"].to_pylist()]
    return "\n".join(problems) or told(data)


def _wire(value: Any) -> Any:
    """Return a row as JSON names it, without what it does not have."""
    if isinstance(value, dict):
        left = {n: v for n, v in value.items() if v is not None and v != [] and n not in {"row", "lease_id"}}
        return {_camel(n): dict(v) if n == "facts" else _wire(v) for n, v in left.items()}
    if isinstance(value, list):
        return [_wire(each) for each in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.capitalize, rest))


def _own(asked: Asked) -> rb.BillingResult:
    """Return what a run over leases tells: bills with adjustments, as `bill_period`."""
    return rb.bill_period(asked.terms, asked.period, **asked.case.asking())


def by_columns(asked: Asked) -> None:
    found = _tables(asked, leases_to_arrow([named(asked.terms)]))
    same(told(written(_own(asked))), found)


def by_parquet(asked: Asked) -> None:
    """Leases from a Parquet file, bills into one, and back as results."""
    if "already_billed" in asked.case.data:
        raise CannotSay("by columns: earlier bills are a second file")
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, "leases.parquet"), Path(folder, "bills.parquet")
        pq.write_table(pa.Table.from_batches([leases_to_arrow([named(asked.terms)])]), path)
        run = bill_portfolio(path, asked.period, policy=asked.policy, indices=asked.indices)
        run.write_parquet(out)
        bills = [*bills_from_arrow(out, policy=asked.policy)]
    own = written(_own(asked)).get("bills", [])
    same(told({"bills": own}), told({"bills": written(bills[0])["bills"] if bills else []}))


_CELLS = {"amount": "amount.amount", "currency": "amount.currency", "tax_mode": "vat.tax_mode"}
_CELLS |= {"tax_rate": "vat.tax_rate", "due_day": "due_date_rule.day_of_period"}


def by_csv(asked: Asked) -> None:
    """A flat table of items, one a row; and the lines as CSV, with every figure of the JSON."""
    items = asked.terms.recurring_bill_items
    lines = [*csv.DictReader(io.StringIO(csv_of(asked.bills, full=True), newline=""))]
    for row, line in zip(lines, (e for b in asked.bills for e in b.lines), strict=True):
        # A text that a spreadsheet would run has an apostrophe in front.
        told_by = [row["description"].replace("'", ""), Decimal(row["net_price"]), row["kind"]]
        assert told_by == [(line.description or "").replace("'", ""), line.net_price.amount, line.kind]
        assert line.item_id == (row["item_id"] or None)
    if asked.terms.rent_adjustment_plans or asked.terms.one_time_bill_items or not items:
        raise CannotSay("a table of items has no plans and one-time items")
    if "already_billed" in asked.case.data:
        raise CannotSay("earlier bills are no cells")
    rows = [_cells(item) for item in items]
    if len({str(row) for row in rows}) < len(rows):
        raise CannotSay("two rows of one lease that are the same are refused (A141)")
    fields = [*dict.fromkeys(name for row in rows for name in row)]
    mapping = {"item": {name: name for name in fields}}
    constants = {"lease.contract_end": str(asked.terms.contract_end)} if asked.terms.contract_end else {}
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, ["the lease", *fields], restval="")
    writer.writeheader()
    writer.writerows({"the lease": "lease", **row} for row in rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "items.csv")
        path.write_text(text.getvalue(), encoding="utf-8", newline="")
        leases = TableMapping({"id": "the lease"}, mapping["item"], constants).leases(path)
        same(told(written(_own(asked))), _tables(asked, leases))


def _cells(item: rb.RecurringBillItem) -> dict[str, str]:
    """Return the stated fields of an item by their paths, lists with places."""
    found: dict[str, str] = {}

    def enter(path: str, value: Any) -> None:
        if isinstance(value, dict):
            for name, each in value.items():
                enter(f"{path}.{name}" if path else name, each)
        elif isinstance(value, list):
            for at, each in enumerate(value):
                enter(f"{path}[{at}]", each)
        elif path.endswith("Period") and isinstance(value, str):
            for end, day in zip(("start", "end"), value.split("/"), strict=True):
                found[f"{_snake(path)}.{end}"] = day
        else:
            found[_snake(path)] = str(value)

    enter("", read_json(rb.dumps(item)))
    return found


def _snake(path: str) -> str:
    return "".join("_" + each.lower() if each.isupper() else each for each in path)


def by_paths(asked: Asked) -> None:
    """One path, whose values are those of the series: the same sums by month, and adjustments."""
    if not asked.indices:
        raise CannotSay("without a series there are no paths")
    if "already_billed" in asked.case.data:
        raise CannotSay("a future has no earlier bills")
    series, *others = asked.indices
    *known, last = sorted(series.values)
    if not known:
        raise CannotSay("a series of one value has no path")
    before = rb.IndexSeries(series.name, {k: series.values[k] for k in known}, base=series.base)
    places = max(-value.as_tuple().exponent for value in series.values.values())
    before = _with_places(before, places)
    units = int(series.values[last].scaleb(places))
    paths = IndexPaths.of_array(before, [[units]], points=[str(last)])
    futures = simulate(asked.terms, paths, asked.period, policy=asked.policy, indices=others or None)
    own = _own(asked)
    sums: dict[Any, list[int]] = {}
    for bill in own:
        net, total, cash = bill.sums
        month = sums.setdefault((bill.due_date.year, bill.due_date.month), [0, 0, 0])
        for at, each in enumerate((net, total - net, cash or 0)):
            month[at] += each
    months = [(month.year, month.month) for month in futures.months]
    cash = (futures.payable - futures.gross)[0].tolist()
    found = dict(zip(months, map(list, zip(futures.net[0].tolist(), futures.vat[0].tolist(), cash)), strict=True))
    assert {k: v for k, v in sums.items() if any(v)} == {k: v for k, v in found.items() if any(v)}
    if futures.adjustments and own.adjustments:
        made = [(str(e.adjusted_on), e.to_period_amount) for e in own.adjustments if e.to_period_amount]
        assert len(made) == len(futures.adjustments), (made, futures.adjustments)


def _with_places(series: rb.IndexSeries, places: int) -> rb.IndexSeries:
    step = Decimal(1).scaleb(-places)
    values = {point: value.quantize(step) for point, value in series.values.items()}
    return rb.IndexSeries(series.name, values, base=series.base)


def by_explanations(asked: Asked) -> None:
    """Each line, VAT total and bill explained and replayed by the oracle; each adjustment too."""
    if asked.function == "rent_adjustments":
        from tests.oracle.workings import all_replayed

        amounts = [e.to_period_amount or e.to_balance_amount for e in asked.result]
        assert amounts == all_replayed(rb.explain(asked.result))
        return
    replay_bills(asked.result)


def by_oracle(asked: Asked) -> None:
    if asked.terms.rent_adjustment_plans or "already_billed" in asked.case.data:
        raise CannotSay("the oracle of bills knows neither plans nor earlier bills")
    period = rb.Period.parse(str(asked.bills.period))
    try:
        expected = bills_by_oracle(asked.terms, period, asked.policy)
    except OverflowError:
        raise CannotSay("the oracle walks the days around the period, and here the calendar ends") from None
    assert expected == bills_told_by(asked.bills)


def _bent(data: Any, at: tuple[Any, ...] = ()) -> Any:
    """Yield a bill with each of its figures one unit higher, with the path of it."""
    if isinstance(data, dict) and data.keys() == {"currency", "amount"}:
        step = Decimal(1).scaleb(-minor_units(data["currency"], {}))
        yield at, {**data, "amount": data["amount"] + step}
        return
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        for path, changed in _bent(value, (*at, key)):
            whole = dict(data) if isinstance(data, dict) else list(data)
            whole[key] = changed
            yield path, whole


_NOT_CHECKED = {"discounts"}
"""What was taken off stands beside the figures, and none follows from it."""


def _few(bills: list[Any]) -> list[Any]:
    """Return the first and the last bill, and the one with most lines."""
    most = max(bills, key=lambda each: len(each["pendingBillLineItems"]), default=None)
    return [each for at, each in enumerate(bills) if at in {0, len(bills) - 1} or each is most]


def by_checks(asked: Asked) -> None:
    """A bill has no error, and each figure that is one unit higher is an error."""
    found = check_bill(asked.bills)
    assert not [each for each in found if each.severity == "error"], str(found)
    bills = read_json(rb.dumps(asked.bills))["bills"]
    for bill in _few(bills):
        for path, bent in _bent(bill):
            if _NOT_CHECKED & {*path} or not any(bill["pendingBillLineItems"]):
                continue
            errors = [e for e in check_bill(bent, policy=asked.policy) if e.severity == "error"]
            # A list price that no other figure follows from: gross where VAT is inside, net alone.
            if path[-1] == "amount" and path[0] == "pendingBillLineItems":
                continue
            if path[-1] == "unitNetPrice" and not errors:
                assert _stays(bill, path), path
                continue
            assert errors, (path, bent)


def _stays(bill: Any, path: tuple[Any, ...]) -> bool:
    """Say whether a unit price one step higher still gives the line (small quantities)."""
    line = bill["pendingBillLineItems"][path[1]]
    return abs(line["quantity"]) < 1 or line["vat"]["taxMode"] == "Inclusive"


def by_comparing(asked: Asked) -> None:
    """Equal bills have no difference, and each figure that is one unit higher is one."""
    bills = asked.bills
    assert not compare_bills(bills, bills).differences
    data = read_json(rb.dumps(bills))["bills"]
    for bill in _few(data):
        for path, bent in _bent(bill):
            if path == ("payable",) and "cashRounding" in bill:
                continue  # A defect of compare_bills: it never reads payable beside cashRounding.
            assert compare_bills([bill], [bent]).differences, path


def by_http(asked: Asked) -> None:
    """The lease is made by requests; the answer is the interface's JSON of the same bills."""
    if "already_billed" in asked.case.data:
        raise CannotSay("the service keeps no bills that were sent")
    if period_of(asked.period, period_end=asked.policy.period_end).days > MOST_DAYS:
        raise CannotSay("the service answers at most 3,660 days")
    days = [e.first_billing_period_bill_item.accounting_period.start for e in asked.terms.recurring_bill_items]
    # A plan adjusts from the day on which it was created.
    moment = max(str(min(days, default="2026-01-31")), "1900-01-01")
    service = a_service(moment=moment, indices=asked.indices, policy=asked.policy)
    client = service.client
    made = client.create_tenancy(a_tenancy())
    terms = asked.terms
    if terms.contract_end:
        client.change_lease(api.ChangeLease(lease_id=made.lease_id, contract_end=terms.contract_end))
    if terms.balances:
        balances = tuple(each.evolve(id=None) for each in terms.balances)
        client.change_lease(api.ChangeLease(lease_id=made.lease_id, balances=balances))
    ids: dict[str | None, str] = {}
    for item in terms.recurring_bill_items:
        created = client.create_recurring_bill_item(made.lease_id, item.evolve(id=None))
        ids[item.id] = created.recurring_bill_item_id
    for once in terms.one_time_bill_items:
        client.create_one_time_bill_item(made.lease_id, once.evolve(id=None))
    for plan in terms.rent_adjustment_plans:
        ref = ids.get(plan.adjustee_ref, plan.adjustee_ref)
        new = plan.evolve(id=None, lease_id=None, adjustee_ref=ref)
        client.create_rent_adjustment_plan(made.lease_id, new)
    found = client.pending_bills(made.lease_id, asked.period)
    own = rb.pending_bills(terms, asked.period, **asked.case.asking())
    same(told(read_json(rb.dumps(own))), told(read_json(rb.dumps(found, policy=asked.policy))))


def by_shell(asked: Asked) -> str | None:
    """`rentbilling bills`, or `adjustments`, with the lease on standard input."""
    from click.testing import CliRunner

    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder, "policy.json")
        policy.write_text(rb.dumps(asked.policy))
        more = []
        for at, series in enumerate(asked.indices or ()):
            Path(folder, f"{at}.json").write_text(rb.dumps(series))
            more += ["--indices", str(Path(folder, f"{at}.json"))]
        given = asked.case.asking()
        if sent := given.get("already_billed"):
            earlier = Path(folder, "sent.json")
            earlier.write_text(rb.dumps(sent, full=True))
            more += ["--already-billed", str(earlier)]
            more += ["--billed-since", given["billed_since"]] if "billed_since" in given else []
        name = "adjustments" if asked.function == "rent_adjustments" else "bills"
        period = str(rb.Period.parse(asked.period)) if "/" in asked.period else asked.period
        arguments = [name, "-", "--period", period, "--policy", str(policy), *more, "--format", "json", "--full"]
        ran = CliRunner().invoke(command, arguments, input=rb.dumps(asked.terms), catch_exceptions=False)
    assert ran.exit_code == 0, ran.stderr
    data = read_json(ran.stdout)
    if name == "adjustments":
        own = rb.rent_adjustments(asked.terms, asked.period, **asked.case.asking())
        wanted = {"adjustments": written(own)["adjustments"]}
    else:
        own = rb.pending_bills(asked.terms, asked.period, **asked.case.asking())
        wanted = {"bills": written(own)["bills"]}
    same(told(wanted), told({each: data[each] for each in wanted}))


def by_run_texts(asked: Asked) -> None:
    """The lines of JSON and of CSV that a run over columns writes."""
    if "already_billed" in asked.case.data:
        raise CannotSay("by columns: earlier bills are a second file")
    run = bill_portfolio(leases_to_arrow([named(asked.terms)]), asked.period, policy=asked.policy, indices=asked.indices)
    table = run.to_tables()["bills"].combine_chunks().to_batches()
    own = written(_own(asked), policy=asked.policy).get("bills", [])
    lines = [e for batch in table for e in json_lines_of(batch, asked.policy).splitlines()]
    apart = {"row", "leaseId", "currency"}
    found = [{n: v for n, v in read_json(e).items() if n not in apart} for e in lines]
    same(told({"bills": own}), told({"bills": found}))
    cells = [e for batch in table for e in csv_lines_of(batch, asked.policy).splitlines()]
    single = [*csv_of(_own(asked), full=True).splitlines()][1:]
    assert len(cells) == len(single)


def by_schema(asked: Asked) -> None:
    """Every name that is written stands in the schema of its form."""
    parts = Definitions()
    schema = BillSchemas(parts, full=True).result()
    unsaid = [*_unsaid(read_json(rb.dumps(asked.bills, full=True)), schema, parts.found)]
    assert not [e for e in unsaid if e != "adjustments"], unsaid


def _unsaid(data: Any, schema: Any, known: Any) -> Any:
    while "$ref" in schema:
        schema = known[schema["$ref"].rpartition("/")[2]]
    if isinstance(data, list):
        for each in data:
            yield from _unsaid(each, schema.get("items", {}), known)
    elif isinstance(data, dict) and "properties" in schema:
        for name, value in data.items():
            if name not in schema["properties"]:
                yield name
            else:
                yield from _unsaid(value, schema["properties"][name], known)


def by_print(asked: Asked) -> None:
    """Every text and figure of a bill stands in its printed form and in its rows."""
    printed = " ".join(str(asked.bills).split()).replace(",", "").replace(" ", "")
    for bill in asked.bills:
        figures = [bill.subtotal, bill.total, *(e.amount for e in bill.vat_totals)]
        figures += [each.net_price for each in bill.lines]
        for each in figures:
            assert f"{each.amount:f}".replace("-", "−") in printed.replace("-", "−"), (each, printed)
        for line, row in zip(bill.lines, bill.rows(), strict=True):
            name = (line.description or line.product_key).replace(",", "").replace(" ", "")
            assert name in printed or len(name) > 20, name
            assert (row["net_price"], row["description"]) == (line.net_price.amount, line.description)


def by_payers(asked: Asked) -> None:
    """The parts of two payers have the figures of the bill, are right, and are explained."""
    for bill in asked.bills.bills[:2]:
        parts = split_bill(bill, {"Ann": "1/3", "Bo": "2/3"}, policy=asked.policy)
        for of in ("subtotal", "total"):
            assert sum(getattr(e, of).amount for e in parts) == getattr(bill, of).amount
        for at, line in enumerate(bill.lines):
            mine = [e.lines[at] for e in parts]
            assert sum(e.net_price.amount for e in mine) == line.net_price.amount
            own = {n: v for n, v in written_line(line).items() if n not in _SHARED}
            for each in mine:
                assert own == {n: v for n, v in written_line(each).items() if n not in _SHARED}
        assert not [e for e in check_bill(parts) if e.severity == "error"]
        # Parts are read by the slow reader, which no other bill of a case meets.
        again = rb.loads(rb.dumps(parts, full=True), rb.BillingResult)
        same(told(written(parts)), told(written(again)))
        for at in range(len(parts)):
            rb.explain(parts, bill=at)


_SHARED = {"netPrice", "unitNetPrice", "amount", "discounts"}


def written_line(line: Any) -> Any:
    return {each: getattr(line, each) for each in dir(line) if each in _LINE_FIELDS and each != "share" and each not in {"net_price", "unit_net_price", "amount", "discounts"}}


_LINE_FIELDS = set("item_id product_key description discount_text kind accounting_period regular_period quantity vat".split())


DOORS: dict[str, Door] = {
    "json": by_json,
    "pickle": by_pickle,
    "columns": by_columns,
    "parquet": by_parquet,
    "csv": by_csv,
    "paths": by_paths,
    "explanations": by_explanations,
    "oracle": by_oracle,
    "check_bill": by_checks,
    "compare_bills": by_comparing,
    "http": by_http,
    "shell": by_shell,
    "print": by_print,
    "run_texts": by_run_texts,
    "schema": by_schema,
    "payers": by_payers,
}
