"""What is measured: every published figure, its bound, and how it comes about.

Law: a figure is a ratio within one run, or a count of calls. Rates in bills a second are given
beside their ratio for a feeling of size, and bound nothing.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any, Final

from benchmarks import (
    adjusting,
    asking,
    floor,
    futures,
    items,
    memory,
    portfolios,
    reading,
    realistic,
    samples,
    starting,
    wire,
    workload,
)
from benchmarks.plain import plain_bill
from benchmarks.timing import best_times, count_calls, in_pieces
from rentbilling import (
    BillingResult,
    CompiledTerms,
    LeaseTerms,
    Period,
    compile_terms,
    dumps,
    explain,
    loads,
    pending_bills,
)

MONTH: Final = Period(date(2026, 6, 1), date(2026, 6, 30))
YEAR: Final = Period(date(2026, 1, 1), date(2026, 12, 31))
THIRTY_YEARS: Final = Period(date(2026, 1, 1), date(2055, 12, 31))


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured: leases of the workload, and turns for each piece of work."""

    leases: int
    rounds: int
    long_leases: int
    """Leases for the thirty years and for JSON, which are much more work each."""
    long_rounds: int
    imports: int
    future_rounds: int
    """Rounds of ten thousand futures, each of which is about half a second of work."""
    future_leases: int
    """Leases whose ten thousand futures are held against those of three tenths of them."""
    futures: int
    """Futures of each of them."""
    turns: int
    """Pairs of turns of a server and of the same without its work."""
    requests: int
    """Requests of such a turn."""
    items: int
    """Items of a lease that has many of them; another one has a tenth."""
    many_leases: int
    """Different leases that one process bills."""
    real_leases: int
    """Leases of a realistic portfolio, and of each that it is held against."""
    months_behind: tuple[int, ...]
    """How many months of bills lie behind, of each figure; 24 is among them."""


FULL: Final = Extent(
    leases=200,
    rounds=300,
    long_leases=20,
    long_rounds=100,
    imports=30,
    future_rounds=10,
    future_leases=1_000,
    futures=futures.MANY,
    turns=15,
    requests=1_000,
    items=items.MANY,
    many_leases=100_000,
    real_leases=8_192,
    months_behind=(1, 12, 24, 60),
)
QUICK: Final = Extent(
    leases=60,
    rounds=100,
    long_leases=5,
    long_rounds=30,
    imports=2,
    future_rounds=2,
    future_leases=20,
    futures=500,
    turns=2,
    requests=60,
    items=1_000,
    many_leases=2_000,
    real_leases=1_000,
    months_behind=(24,),
)


@dataclass(slots=True)
class Figures:
    """What a run found."""

    ratios: dict[str, float] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    """Bills a second, and requests a second."""
    microseconds: dict[str, float] = field(default_factory=dict)
    """Times of one unit of work, only to be read beside each other."""
    calls: dict[str, int] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)


def read_every_amount(result: BillingResult) -> list[Decimal]:
    amounts: list[Decimal] = []
    for bill in result.bills:
        for line in bill.lines:
            amounts += (line.amount.amount, line.unit_net_price.amount, line.net_price.amount)
        for vat_total in bill.vat_totals:
            amounts += (vat_total.amount.amount, vat_total.base.amount)
        amounts += (bill.subtotal.amount, bill.total.amount)
    return amounts


def _computed_and_read(compiled: CompiledTerms, period: Period) -> list[Decimal]:
    return read_every_amount(pending_bills(compiled, period))


def _floor_month(extent: Extent) -> tuple[list[tuple[floor.Plan, ...]], tuple[int, int]]:
    """Return what the floor bills of the workload in a month: plans, the first and the last day."""
    plans = [floor.plan(lease) for lease in workload.leases(extent.leases)]
    return plans, (MONTH.first, MONTH.last)


def measure_computing(figures: Figures, extent: Extent) -> None:
    compiled = [compile_terms(wire.lease_terms(each)) for each in workload.leases(extent.leases)]
    plans, days = _floor_month(extent)
    month = best_times(
        {
            "floor": in_pieces(floor.bills, plans, *days, size=20),
            "own": in_pieces(pending_bills, compiled, MONTH, size=20),
            "read": in_pieces(_computed_and_read, compiled, MONTH, size=20),
        },
        extent.rounds,
    )
    figures.ratios["compute_over_floor"] = month["own"] / month["floor"]
    figures.ratios["compute_with_decimals_over_floor"] = month["read"] / month["floor"]
    for name, words in (("floor", "floor"), ("own", "compute"), ("read", "compute_with_decimals")):
        figures.microseconds[f"{words}_one_lease_month"] = 1e6 * month[name] / extent.leases


def _planned_and_billed(lease: workload.PlainLease, low: int, high: int) -> object:
    return floor.bills(floor.plan(lease), low, high)


def _compiled_and_billed(terms: LeaseTerms, period: Period) -> BillingResult:
    return pending_bills(compile_terms(terms), period)


def measure_first_month(figures: Figures, extent: Extent) -> None:
    """Measure a single month of valid terms, compiling included, against the floor's own.

    And why its figures are what they are.
    """
    leases = workload.leases(extent.leases)
    terms = [wire.lease_terms(lease) for lease in leases]
    billed = [pending_bills(each, MONTH) for each in terms[: extent.long_leases]]
    times = best_times(
        {
            "floor": in_pieces(_planned_and_billed, leases, MONTH.first, MONTH.last, size=5),
            "own": in_pieces(_compiled_and_billed, terms, MONTH, size=5),
            "explained": in_pieces(explain, billed),
        },
        extent.long_rounds,
    )
    figures.ratios["first_month_over_floor"] = times["own"] / times["floor"]
    explained = times["explained"] / len(billed)
    figures.ratios["explain_over_first_month"] = explained / (times["own"] / extent.leases)
    figures.microseconds["explain_one_lease_month"] = 1e6 * explained
    figures.microseconds["compile_and_compute_one_lease_month"] = 1e6 * times["own"] / extent.leases


def measure_thirty_years(figures: Figures, extent: Extent) -> None:
    """Measure a line of one call for thirty years against a line of the floor's month.

    The time of a line is that of all calls over the lines they give.
    """
    leases = workload.leases(extent.long_leases)
    plans = [floor.plan(lease) for lease in leases]
    compiled = [compile_terms(wire.lease_terms(lease)) for lease in leases]
    month_plans, month = _floor_month(extent)
    window = THIRTY_YEARS.first, THIRTY_YEARS.last
    times = best_times(
        {
            "floor's month": in_pieces(floor.bills, month_plans, *month, size=20),
            "own": in_pieces(pending_bills, compiled, THIRTY_YEARS),
        },
        extent.long_rounds,
    )
    floor_line = times["floor's month"] / _lines(month_plans, month)
    own_line = times["own"] / _lines(plans, window)
    figures.ratios["thirty_years_per_line_over_floor"] = own_line / floor_line
    figures.microseconds["floor_one_line_of_a_month"] = 1e6 * floor_line
    figures.microseconds["compute_one_line_of_thirty_years"] = 1e6 * own_line


def _lines(plans: Sequence[tuple[floor.Plan, ...]], window: tuple[int, int]) -> int:
    return sum(len(bill[1]) for plan in plans for bill in floor.bills(plan, *window))


def measure_age(figures: Figures, extent: Extent) -> None:
    """Count the calls that billing a month takes for old leases and for new ones."""
    calls = {"old": 0, "new": 0}
    for number in range(extent.leases):
        old, new = samples.old_and_new(number)
        for name, lease in (("old", old), ("new", new)):
            compiled = compile_terms(wire.lease_terms(lease))
            bill = partial(pending_bills, compiled, MONTH)
            bill()
            calls[name] += count_calls(bill)
    figures.ratios["old_lease_over_new"] = calls["old"] / calls["new"]
    figures.calls |= {f"{name}_leases": count for name, count in calls.items()}


def _json_to_json(text: str, period: Period) -> str:
    return dumps(pending_bills(compile_terms(loads(text)), period))


def _standard_json(texts: tuple[str, Any]) -> str:
    text, output = texts
    json.loads(text, parse_float=Decimal)
    return json.dumps(output)


def measure_reading(figures: Figures, extent: Extent) -> None:
    """Measure terms and bills, read from JSON or written, against the JSON alone."""
    times = reading.times(extent.long_leases, extent.long_rounds)
    for name, own, json_alone in (
        ("read", "read", "parse"),
        ("validate", "validate", "parse"),
        ("read_with_plan", "read_with_plan", "parse_with_plan"),
        ("write_terms", "write", "encode"),
    ):
        figures.ratios[f"{name}_over_json"] = times[own] / times[json_alone]
        figures.microseconds[f"{name}_one_lease"] = 1e6 * times[own] / extent.long_leases
    bills = reading.bill_times(extent.long_leases, extent.long_rounds, MONTH)
    figures.ratios["read_bills_over_json"] = bills["read_bills"] / bills["parse_bills"]
    figures.microseconds["read_bills_one_lease_month"] = (
        1e6 * bills["read_bills"] / extent.long_leases
    )
    for name in ("parse", "parse_with_plan", "encode"):
        figures.microseconds[f"{name}_one_lease_standard_library"] = (
            1e6 * times[name] / extent.long_leases
        )


def measure_json(figures: Figures, extent: Extent) -> None:
    """Measure JSON in to JSON out against what the standard library takes for the JSON alone."""
    leases = [workload.lease(number) for number in range(extent.long_leases)]
    texts = [wire.lease_text(lease) for lease in leases]
    for name, period in (("json_to_json", YEAR), ("json_to_json_month", MONTH)):
        # The standard library cannot write a Decimal, so its output is read with doubles.
        pairs = [(text, json.loads(_json_to_json(text, period))) for text in texts]
        times = best_times(
            {
                "json": in_pieces(_standard_json, pairs),
                "own": in_pieces(_json_to_json, texts, period),
            },
            extent.long_rounds,
        )
        figures.ratios[f"{name}_over_json"] = times["own"] / times["json"]
        figures.microseconds[f"{name}_one_lease"] = 1e6 * times["own"] / len(texts)
        figures.microseconds[f"{name}_one_lease_standard_library"] = (
            1e6 * times["json"] / len(texts)
        )


def _bill_from_text(text: str) -> BillingResult:
    return pending_bills(compile_terms(loads(text)), MONTH)


def measure_rates(figures: Figures, extent: Extent) -> None:
    """Measure bills a second beside a biller of plain Python, which does less."""
    lease = samples.three_lines()
    compiled = compile_terms(wire.lease_terms(lease))
    text = wire.lease_text(lease)
    charges = samples.plain_charges()
    batch = 50
    times = best_times(
        {
            "plain": in_pieces(plain_bill, [charges] * batch, MONTH.start, size=25),
            "own": in_pieces(pending_bills, [compiled] * batch, MONTH, size=25),
            "read": in_pieces(_computed_and_read, [compiled] * batch, MONTH, size=25),
            "validated": in_pieces(_bill_from_text, [text] * batch),
        },
        extent.long_rounds,
    )
    figures.rates["bills_a_second"] = batch / times["own"]
    figures.rates["bills_a_second_with_every_amount_read"] = batch / times["read"]
    figures.rates["bills_a_second_with_validation"] = batch / times["validated"]
    figures.rates["plain_python_bills_a_second"] = batch / times["plain"]
    figures.ratios["bills_over_plain_python"] = times["plain"] / times["own"]
    figures.ratios["bills_read_over_plain_python"] = times["plain"] / times["read"]


def measure_adjusting(figures: Figures, extent: Extent) -> None:
    """Measure bills of an adjusted rent against the same without."""
    plans, month = _floor_month(extent)
    beside = in_pieces(floor.bills, plans, *month, size=20)
    times = adjusting.over_plain(adjusting.THIRTY_YEARS, extent.long_rounds, beside)
    adjustment = (times["adjusted"] - times["plain"]) / adjusting.ADJUSTMENTS
    floor_line = times["beside"] / _lines(plans, month)
    figures.ratios["adjustment_over_floor_line"] = adjustment / floor_line
    figures.microseconds["adjustment_of_a_year"] = 1e6 * adjustment
    cold = adjusting.over_plain(adjusting.TENTH_YEAR, extent.long_rounds)
    figures.ratios["cold_adjusted_over_plain"] = cold["adjusted"] / cold["plain"]
    for name in ("plain", "adjusted"):
        figures.microseconds[f"cold_month_{name}"] = 1e6 * cold[name]


def measure_futures(figures: Figures, extent: Extent) -> None:
    """Measure ten thousand paths of thirty years: of one lease, and of a portfolio."""
    times = futures.times(extent.future_rounds)
    alone = times["scalar"] / futures.SAMPLE
    each = times["many"] / futures.MANY
    figures.ratios["paths_speedup_over_scalar"] = alone / each
    few, many = futures.seconds_of_leases(
        3 * extent.future_leases // 10, extent.future_leases, extent.futures
    )
    figures.ratios["many_futures_over_few"] = many / few
    figures.microseconds["futures_of_one_lease"] = 1e6 * many
    figures.microseconds["futures_one_path_of_thirty_years"] = 1e6 * each
    figures.microseconds["scalar_one_path_of_thirty_years"] = 1e6 * alone


def measure_portfolio(figures: Figures, extent: Extent) -> None:
    """Measure a month of a portfolio from Arrow to Arrow."""
    times = portfolios.times(MONTH, extent.leases, extent.long_rounds)
    figures.ratios["arrow_speedup_over_scalar"] = times["scalar"] / times["arrow"]
    figures.microseconds["arrow_one_lease_month"] = 1e6 * times["arrow"]


def measure_realistic(figures: Figures, extent: Extent) -> None:
    """Measure a month of a realistic portfolio, Parquet to Parquet."""
    times = realistic.times(extent.real_leases, extent.turns // 3 + 1)
    for over, name, below in (
        ("realistic", "realistic_over_ideal", "ideal"),
        ("indexed", "indexed_over_ideal", "ideal"),
        ("adjusted", "adjusted_over_ideal", "ideal"),
        ("deposits", "deposits_over_none", "ideal"),
        ("csv", "csv_over_parquet", "ideal"),
        ("one by one", "scalar_lease_over_plain_python", "plainly"),
    ):
        figures.ratios[name] = times[over] / times[below]
    for name, words in (("ideal", "ideal"), ("realistic", "realistic"), ("one by one", "scalar")):
        figures.microseconds[f"{words}_lease_of_a_portfolio"] = 1e6 * times[name]


def measure_service(figures: Figures, extent: Extent) -> None:
    """Measure requests a second of pending bills against the same reads and a constant."""
    shares = asking.shares("file:", extent.turns, extent.requests)
    figures.ratios["pending_bills_share_of_constant"] = shares.by_requests
    figures.rates["pending_bills_requests_a_second"] = shares.requests_a_second
    figures.microseconds["pending_bills_processor_time_of_server"] = 1e6 * shares.processor_seconds
    peer = asking.over_peer(extent.turns, extent.requests)
    figures.ratios["service_over_fastapi_peer"] = peer.by_requests
    figures.ratios["items_cost_10000_over_1000"] = items.costs(extent.items, 9)


def measure_starting(figures: Figures, extent: Extent) -> None:
    """Measure the command line as processes, whose time is nearly all imports."""
    times = starting.times(extent.imports)
    for name in ("help", "bills"):
        figures.ratios[f"{name}_over_pydantic"] = times[name] / times["pydantic"]
    for name, seconds in times.items():
        figures.microseconds[f"processor_time_of_{name}"] = 1e6 * seconds


def measure_memory(figures: Figures, extent: Extent) -> None:
    """Measure the memory of a process that bills many different leases, each of them once."""
    kibibytes = memory.after(extent.many_leases)
    figures.ratios["memory_of_all_leases_over_a_tenth"] = kibibytes["all"] / kibibytes["tenth"]
    figures.facts["memory"] = {"leases": extent.many_leases, "kibibytes": kibibytes}
