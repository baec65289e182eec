"""Run the measurements: `python -m benchmarks [--json] [--quick] [--write FILE]`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import facts, measures, report
from benchmarks.earlier import measure_earlier
from benchmarks.measures import FULL, QUICK, Extent, Figures
from benchmarks.page_blocks import write_block

_MEASURES = {
    "computing against the floor": measures.measure_computing,
    "terms not compiled before": measures.measure_first_month,
    "thirty years in one call": measures.measure_thirty_years,
    "calls for old and new leases": measures.measure_age,
    "rent adjustments": measures.measure_adjusting,
    "ten thousand futures": measures.measure_futures,
    "a portfolio from Arrow to Arrow": measures.measure_portfolio,
    "a realistic portfolio": measures.measure_realistic,
    "a portfolio beside earlier months": measure_earlier,
    "terms read and written": measures.measure_reading,
    "JSON to JSON": measures.measure_json,
    "bills a second": measures.measure_rates,
    "requests a second": measures.measure_service,
    "commands from start to end": measures.measure_starting,
    "memory of many leases": measures.measure_memory,
}


def run(extent: Extent) -> Figures:
    """Return all figures; what is being measured is said on the error stream."""
    figures = Figures()
    for words, measure in _MEASURES.items():
        print(f"measuring {words} ...", file=sys.stderr)
        measure(figures, extent)
    figures.facts |= facts.machine()
    figures.facts["import"] = facts.importing(extent.imports)
    figures.facts["pytest"] = facts.starting_pytest(extent.imports)
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--quick", action="store_true", help="a short run, less exact")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="rewrite the block of figures in a Markdown page"
    )
    asked = parser.parse_args(arguments)
    figures = run(QUICK if asked.quick else FULL)
    print(report.as_json(figures) if asked.json else report.as_text(figures))
    if asked.write is not None:
        write_block(asked.write, "benchmarks", report.as_markdown(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
