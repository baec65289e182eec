"""The words and tables around the figures.

Law: every ratio that can be measured has its line here, with its bound where it has one.
"""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from benchmarks.measures import Figures


class Ratio(NamedTuple):
    """What a ratio says, and the bound it must keep."""

    words: str
    at_most: float | None = None
    at_least: float | None = None

    def kept(self, figure: float) -> bool:
        if self.at_most is not None and figure > self.at_most:
            return False
        return self.at_least is None or figure >= self.at_least

    def bound(self) -> str:
        if self.at_most is not None:
            return f"at most {self.at_most:g}"
        return "" if self.at_least is None else f"at least {self.at_least:g}"


RATIOS: Final[Mapping[str, Ratio]] = {
    "compute_over_floor": Ratio(
        "bills of one month, terms compiled before, over a hand-written integer loop", at_most=1.6
    ),
    "compute_with_decimals_over_floor": Ratio(
        "the same, and every amount read as a Decimal", at_most=3.4
    ),
    "first_month_over_floor": Ratio(
        "bills of one month of terms not compiled before, over the loop with its preparation",
        at_most=4.4,
    ),
    "explain_over_first_month": Ratio(
        "why all figures of a month's bills are what they are, over computing them from terms not "
        "compiled before",
        at_most=5,
    ),
    "old_lease_over_new": Ratio(
        "function calls to bill a month of leases begun in 2015 over the same begun in 2026",
        at_most=1.01,
    ),
    "thirty_years_per_line_over_floor": Ratio(
        "one line of a call for thirty years over one line of the loop's month (its time / lines)",
        at_most=0.4,
    ),
    "adjustment_over_floor_line": Ratio(
        "what a yearly adjustment adds to thirty years of monthly bills, terms not compiled "
        "before, over one line of the loop's month",
        at_most=7,
    ),
    "cold_adjusted_over_plain": Ratio(
        "a month of bills of a lease in its eleventh year, adjusted yearly, over the same "
        "unadjusted; terms not compiled before",
        at_most=4,
    ),
    "paths_speedup_over_scalar": Ratio(
        "a path of thirty years of three items by the scalar engine over one of 10,000 in arrays",
        at_least=100,
    ),
    "many_futures_over_few": Ratio(
        "a lease of 1,000 in 10,000 futures of thirty years over one of 300, realistic leases, of "
        "which many have an agreed amount on the day of an adjustment; processor time",
        at_most=1.3,
    ),
    "arrow_speedup_over_scalar": Ratio(
        "a lease's month by the scalar engine, terms not compiled before, over the same from Arrow "
        "to Arrow with full content",
        at_least=4,
    ),
    "realistic_over_ideal": Ratio(
        "a lease's month in a portfolio with index plans, increments, one-time items, arrears, odd "
        "cycles and records of VAT and quantity, over one with none of them; Parquet to Parquet",
        at_most=3,
    ),
    "indexed_over_ideal": Ratio(
        "the same where every lease has a plain index plan for its rent", at_most=5
    ),
    "adjusted_over_ideal": Ratio(
        "the same of the realistic portfolio as a service stores it, with the adjustments so far "
        "listed and recorded",
        at_most=4,
    ),
    "deposits_over_none": Ratio("the same where 60 percent have a deposit", at_most=1.2),
    "csv_over_parquet": Ratio(
        "a lease's month from a flat table in CSV, with decimal commas, over the same from Parquet",
        at_most=3,
    ),
    "scalar_lease_over_plain_python": Ratio(
        "a lease that goes one by one, three of ten with an index plan, from Arrow to Arrow, over "
        "a loop in plain Python with dateutil and Decimal",
        at_most=1.2,
    ),
    "read_over_json": Ratio(
        "JSON of a lease to its terms, over json.loads with parse_float=Decimal", at_most=3.5
    ),
    "month_after_24_over_first": Ratio(
        "a month of a portfolio beside the bills of 24 months, with the history that the last of "
        "them wrote, over a month without earlier bills; Arrow to Parquet, 20,000 leases",
        at_most=2.5,
    ),
    "validate_over_json": Ratio("the data of a lease to its terms, over the same", at_most=2.4),
    "read_with_plan_over_json": Ratio(
        "JSON of a lease with an index plan to its terms, over json.loads of that text",
        at_most=4.5,
    ),
    "write_terms_over_json": Ratio(
        "terms of a lease to JSON, over json.dumps of the same data", at_most=1.8
    ),
    "read_bills_over_json": Ratio(
        "JSON of the bills of a month to a result, over json.loads with parse_float=Decimal",
        at_most=4.1,
    ),
    "json_to_json_over_json": Ratio(
        "JSON of a lease to JSON of a year's bills, over reading and writing that JSON alone",
        at_most=1.7,
    ),
    "json_to_json_month_over_json": Ratio("the same with the bills of one month", at_most=4.2),
    "pending_bills_share_of_constant": Ratio(
        "requests a second of the pending bills of a month of a lease of three items, over those "
        "of the same server that makes the same reads and sends bytes made before; a file of "
        "SQLite",
        at_least=0.7,
    ),
    "service_over_fastapi_peer": Ratio(
        "requests a second of the pending bills of a month of a lease of two items, over those of "
        "the same bills by a short program on FastAPI, pydantic and sqlite3",
        at_least=0.7,
    ),
    "items_cost_10000_over_1000": Ratio(
        "processor time of six requests for a lease of 10,000 items over those for one of 1,000: "
        "bills of a month and of a day, the lease, its terms, a change, another item",
        at_most=11,
    ),
    "bills_over_plain_python": Ratio(
        "bills a second over those of a short biller in plain Python", at_least=1
    ),
    "bills_read_over_plain_python": Ratio(
        "the same with every amount read as a Decimal, which plain Python has anyway",
        at_least=0.7,
    ),
    "help_over_pydantic": Ratio(
        "processor time of `rentbilling --help` over that of `from pydantic import BaseModel`, "
        "both less that of a bare interpreter",
        at_most=0.6,
    ),
    "bills_over_pydantic": Ratio(
        "the same of `rentbilling bills` on a year of the example", at_most=2.5
    ),
    "memory_of_all_leases_over_a_tenth": Ratio(
        "the most memory of a process that bills different leases once each (100,000 in a full "
        "run), over the same after a tenth of them",
        at_most=1.1,
    ),
}


def as_json(figures: "Figures") -> str:
    """Return the figures for a machine; `ratios` holds what is compared from release to release."""
    shown = {
        "ratios": figures.ratios,
        "rates": figures.rates,
        "microseconds": figures.microseconds,
        "calls": figures.calls,
        "facts": figures.facts,
    }
    return json.dumps(shown, indent=2)


def as_text(figures: "Figures") -> str:
    rows = [("ratio", "figure", "bound", "what it is"), *_ratio_rows(figures.ratios, RATIOS)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    table = [
        f"{name:<{widths[0]}}  {figure:>{widths[1]}}  {bound:<{widths[2]}}  {words}".rstrip()
        for name, figure, bound, words in rows
    ]
    rates = [f"{name:<{widths[0]}}  {rate:>9,.0f}" for name, rate in figures.rates.items()]
    return "\n".join([*table, "", *rates, "", *_fact_sentences(figures)])


def as_markdown(figures: "Figures") -> str:
    rates = [f"| `{name}` | {rate:,.0f} |" for name, rate in figures.rates.items()]
    return "\n".join(
        [
            *(ratio_table(figures.ratios, RATIOS), ""),
            *("| a second | |", "|---|--:|", *rates, ""),
            *(*_months_behind(figures), ""),
            " ".join(_fact_sentences(figures)),
        ]
    )


def _months_behind(figures: "Figures") -> Iterator[str]:
    yield "| a lease's month beside so many months of bills, with their history | microseconds |"
    yield "|--:|--:|"
    for behind in sorted(figures.facts["months_behind"]):
        yield f"| {behind} | {figures.microseconds[f'month_after_{behind}_one_lease']:.1f} |"


def ratio_table(ratios: Mapping[str, float], known: Mapping[str, Ratio]) -> str:
    """Return ratios as a table of Markdown, in the order in which they are known."""
    rows = [
        f"| `{name}` | {figure} | {bound} | {words} |"
        for name, figure, bound, words in _ratio_rows(ratios, known)
    ]
    return "\n".join(["| ratio | figure | bound | what it is |", "|---|--:|---|---|", *rows])


def _ratio_rows(
    ratios: Mapping[str, float], known: Mapping[str, Ratio]
) -> Iterator[tuple[str, str, str, str]]:
    for name, ratio in known.items():
        if name in ratios:
            figure = ratios[name]
            missed = "" if ratio.kept(figure) else " (missed)"
            shown = f"{figure:.4f}" if name == "old_lease_over_new" else f"{figure:.2f}"
            yield name, shown, ratio.bound() + missed, ratio.words


def _fact_sentences(figures: "Figures") -> list[str]:
    facts = figures.facts
    importing, starting = facts["import"], facts["pytest"]
    loaded = " and ".join(importing["loaded"]) or "neither pydantic nor dateutil"
    sentences = [
        f"Taken on {facts['python']}, {facts['cores']} cores, {facts['architecture']}.",
        f"`import rentbilling` loads {loaded} and takes {1000 * importing['seconds']:.1f} ms.",
        (
            f"`pytest` in an empty folder takes {1000 * starting['with']:.0f} ms of CPU with the"
            f" plugin and {1000 * starting['without']:.0f} ms without it."
        ),
    ]
    leases, used = facts["memory"]["leases"], facts["memory"]["kibibytes"]
    sentences.append(
        f"A process that bills {leases:,} different leases once each uses at most"
        f" {used['all'] / 1024:.0f} MiB, after a tenth of them {used['tenth'] / 1024:.0f} MiB."
    )
    return sentences
