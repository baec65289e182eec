"""Realistic leases billed month after month while their terms change: nothing may differ.

`python -m tests.adapters.file_runs.real_chains [LEASES] [--months N] [--write FILE]` bills so many,
2,000 for two years without numbers, in four ways, and says what differs:

- beside all bills so far;
- beside the history of the month before: the same bytes;
- so too, in runs that are killed at some moment and continued: the same bytes;
- one by one beside all bills: the same rows.

Every month some 5 % of the leases change, from then on or for months that have been billed; some
arrive, are away for a month, or are not valid for one; in the second year a value of the index is
another one.
"""

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

import rentbilling as rb
from benchmarks.page_blocks import write_block
from benchmarks.real_portfolios import OCTOBERS, plan, realistic
from rentbilling.errors import InvalidInputError
from rentbilling.policy import DEFAULT
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.leases.batches import payloads
from rentbilling.terms import reading_context
from rentbilling.values import month_start
from tests.adapters.file_runs.test_killed import ended, run_until
from tests.portfolio.real_leases import TABLES, differing
from tests.support.run_files import made

FIRST: Final = 2024 * 12 + 2
"""March 2024: moving in and the ends of discounts and leases lie before and after it."""
REVISED: Final = 12
"""The month of the chain in which a value of the index becomes another one."""
DIFFERENT: Final = ("different leases", "different files", "different summaries")
_DAY: Final = timedelta(days=1)


def month_of(at: int) -> rb.Period:
    return rb.Period.unchecked(month_start(FIRST + at), month_start(FIRST + at + 1) - 1)


def index_of(at: int) -> rb.IndexSeries:
    levels = {**OCTOBERS, 2023: OCTOBERS[2023] + Decimal("0.4")} if at >= REVISED else OCTOBERS
    return rb.IndexSeries("CPI", {f"{year}-10": level for year, level in levels.items()})


def changed(lease: rb.LeaseTerms, about: Random, month: rb.Period) -> rb.LeaseTerms:
    """Return a lease with another thing known of it; what contradicts the rest is left."""
    at = about.randrange(len(lease.recurring_bill_items))
    items = list(lease.recurring_bill_items)
    item = items[at]
    # From a month to come, from this one, or for months that have been billed.
    day = month.start + about.choice((31, 0, 0, -31, -92)) * _DAY
    day = day.replace(day=about.choice((1, 1, 1, 15)))
    price = rb.Amount(item.amount.amount + about.randrange(1, 300), item.amount.currency)
    once = rb.OneTimeBillItem(
        id=f"once-{month.start}",
        product_key="key:repair",
        amount=price,
        vat=item.vat,
        due_date=day,
        accounting_period=rb.Period(day, day),
    )
    vat = (
        rb.Vat("Exempt")
        if item.vat.tax_mode == "Exclusive"
        else rb.Vat("Exclusive", Decimal("0.25"))
    )
    of_items: Mapping[str, Mapping[str, Any]] = {
        "rise": {"amount_records": (*item.amount_records, rb.AmountRecord(value=price, start=day))},
        "price": {"amount": price},
        "text": {"description": f"As of {day}"},
        "discount": {
            "discount": rb.Discount(percentage=Decimal("0.1"), end_date=day + 200 * _DAY),
        },
        "full": {"discount": None},
        "vat": {"vat_records": (*item.vat_records, rb.VatRecord(value=vat, start=day))},
        "more": {"quantity_records": (rb.QuantityRecord(value=Decimal(2), start=day),)},
        "end": {"ended_on": day},
        "cancel": {"cancelled_on": day},
        "go on": {"ended_on": None, "cancelled_on": None},
    }
    # Ids are by position: an item more comes last.
    of_leases: Mapping[str, Mapping[str, Any]] = {
        "another": {"recurring_bill_items": (*items, item)},
        "once": {"one_time_bill_items": (*lease.one_time_bill_items, once)},
        "not once": {"one_time_bill_items": ()},
        "plan": {"rent_adjustment_plans": (plan(limited=about.random() < 0.5, month=day.month),)},
        "no plan": {"rent_adjustment_plans": ()},
        "deposit": {"balances": (rb.Balance(balance_charge_type="deposit", amount=price),)},
        "contract": {"contract_end": day},
        "none": {"contract_end": None},
    }
    change = about.choice([*of_items, *of_leases])
    try:
        if change in of_leases:
            return lease.evolve(**of_leases[change])
        items[at] = item.evolve(**of_items[change])
        return lease.evolve(recurring_bill_items=tuple(items))
    except InvalidInputError:
        return lease


class Portfolio:
    """Leases as they are known month after month."""

    def __init__(self, count: int) -> None:
        self._leases = [realistic(number) for number in range(count)]
        self._arrives = [max(0, Random(number).randrange(-160, 20)) for number in range(count)]  # noqa: S311 - leases, no secrets

    def known_in(self, at: int) -> Any:  # noqa: ANN401 - a record batch
        """Return the leases of the next month; they are asked for one month after another."""
        here, valid = [], []
        for number, lease in enumerate(self._leases):
            about = Random(f"{number} in {at}")  # noqa: S311 - leases, no secrets
            if about.random() < 0.05:
                self._leases[number] = changed(lease, about, month_of(at))
            if self._arrives[number] <= at and about.random() < 0.995:
                here.append(self._leases[number])
                valid.append(None if about.random() < 0.995 else "NOK")
        batch = leases_to_arrow(here)
        place = batch.schema.get_field_index("currency")
        field = batch.schema.field(place)
        return batch.set_column(place, field, pa.array(valid, pa.string()))


def options(folder: Path, at: int, leases: int, *, has_history: bool) -> dict[str, Any]:
    """Return what a run over the leases of a month is called with."""
    sent, beside = folder / "sent", folder / f"{at:02d}"
    sent.mkdir(parents=True, exist_ok=True)
    beside.mkdir(exist_ok=True)
    others = {each: beside / f"{each}.parquet" for each in TABLES if each != "bills"}
    return {
        "out": sent / f"{at:02d}.parquet",
        "period": month_of(at),
        "indices": index_of(at),
        "already_billed": sent if at else None,
        "history": sent / f"{at:02d}.history.parquet" if has_history else None,
        "part_size": leases // 7 + 1,
        **others,
    }


def tables_of(asked: Mapping[str, Any]) -> dict[str, Path]:
    return {"bills": asked["out"], **{each: asked[each] for each in TABLES if each in asked}}


def one_by_one(leases: Any, asked: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a batch that is billed
    """Return what comes of the leases one by one, before a run of the same month."""
    bill = BillRecordBatches(
        asked["period"],
        indices=asked["indices"],
        on_problem="table",
        already_billed=asked["already_billed"],
    )
    return bill.billed([*payloads(leases, reading_context(DEFAULT, exact_texts=True))])


Killed = Callable[[Path, Mapping[str, Any]], bool]
"""Begins a run, and returns whether it was killed."""


class Killer:
    """Begins runs in processes of their own that are killed at a random one of their events."""

    def __init__(self) -> None:
        self._processes = multiprocessing.get_context("forkserver")
        self._about = Random(7)  # noqa: S311 - moments, no secrets
        self._events = 0

    def __call__(self, leases: Path, asked: Mapping[str, Any]) -> bool:
        told = leases.with_name("told")
        last = self._about.randint(1, self._events) if self._events else 0
        run = self._processes.Process(target=run_until, args=(leases, last, told), kwargs=asked)
        killed = ended(run) != 0
        if not killed:
            self._events = int(told.read_text())
        return killed


def chain(leases: int, months: int, folder: Path, begin: Killed) -> Counter[str]:
    """Bill a chain of months; return how many leases or files differ, and how much there was."""
    found: Counter[str] = Counter(dict.fromkeys((*DIFFERENT, "killed runs"), 0))
    portfolio = Portfolio(leases)
    path = folder / "leases.parquet"
    for at in range(months):
        batch = portfolio.known_in(at)
        pq.write_table(pa.Table.from_batches([batch]), path)
        whole, kept, again = (
            options(folder / name, at, leases, has_history=name != "all")
            for name in ("all", "kept", "again")
        )
        alone = one_by_one(batch, whole)
        reports = [made(path, **whole), made(path, **kept)]
        if begin(path, again):
            found["killed runs"] += 1
            made(path, **again)
        read = {name: pq.read_table(file) for name, file in tables_of(whole).items()}
        found["different leases"] += len(differing(alone, SimpleNamespace(**read)))
        for name, file in tables_of(whole).items():
            same = {tables_of(each)[name].read_bytes() for each in (kept, again)}
            found["different files"] += same != {file.read_bytes()}
        found["different files"] += kept["history"].read_bytes() != again["history"].read_bytes()
        found["different summaries"] += len({str(each.summary) for each in reports}) - 1
        summary = reports[0].summary
        counted = {
            "leases": summary.leases,
            "bills": read["bills"].num_rows,
            "corrections": _corrections(read["bills"]),
            "adjustments": summary.adjustments,
            "notices": summary.notices,
            "problems": summary.with_problems,
            "one by one beside all": summary.scalar_leases,
            "one by one beside a history": reports[1].summary.scalar_leases,
        }
        found.update(counted)
        print(f"{month_of(at)}: {dict(found)}", flush=True)
    return found


def _corrections(bills: Any) -> int:  # noqa: ANN401 - a table
    kinds = [line["kind"] for lines in bills.column("lines").to_pylist() for line in lines]
    return kinds.count("correction")


def as_markdown(found: Mapping[str, int]) -> str:
    rows = [f"| {name} | {count:,} |" for name, count in found.items()]
    return "\n".join(["| all months together | |", "|---|--:|", *rows])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.adapters.file_runs.real_chains")
    parser.add_argument("leases", type=int, nargs="?", default=2_000)
    parser.add_argument("--months", type=int, default=24)
    parser.add_argument("--write", type=Path, metavar="FILE", help="rewrite the block of a page")
    arguments = parser.parse_args()
    with TemporaryDirectory() as name:
        found = chain(arguments.leases, arguments.months, Path(name), Killer())
    if arguments.write is not None:
        write_block(arguments.write, "chains", as_markdown(found))
    return int(any(found[each] for each in DIFFERENT))


if __name__ == "__main__":
    sys.exit(main())
