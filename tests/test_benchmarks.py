"""What the benchmarks compare gives the same figures, and their output keeps its shape."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks import facts, floor, neighbours, report, samples, sizes, wire, workload
from benchmarks.measures import MONTH, Figures, read_every_amount
from benchmarks.page_blocks import write_block
from benchmarks.plain import plain_bill
from benchmarks.timing import best_times, count_calls, in_pieces
from rentbilling import BillingResult, LeaseTerms, Period, compile_terms, loads, pending_bills
from rentbilling.portfolio import leases_to_arrow

LEASES: Final = 300

Figure = tuple[Any, ...]


def month(year: int, number: int) -> Period:
    first = year * 12 + number - 1
    return Period(
        date.fromordinal(workload.first_day(first)),
        date.fromordinal(workload.first_day(first + 1) - 1),
    )


MONTHS: Final = [month(year, number) for year in (2026, 2027) for number in range(1, 13)]


def minor(amount: Decimal) -> int:
    """Return an amount of kroner in minor units, which it must be a whole number of."""
    units = amount.scaleb(2)

    assert units == int(units)
    return int(units)


def own_figures(result: BillingResult) -> list[Figure]:
    return [
        (
            bill.due_date.toordinal(),
            [
                (
                    wire.PRODUCTS.index(line.product_key),
                    line.accounting_period.start.toordinal(),
                    line.accounting_period.end.toordinal(),
                    minor(line.net_price.amount),
                )
                for line in bill.lines
            ],
            [
                (total.vat, minor(total.base.amount), minor(total.amount.amount))
                for total in bill.vat_totals
            ],
            minor(bill.subtotal.amount),
            minor(bill.total.amount),
        )
        for bill in result.bills
    ]


def floor_figures(bills: list[floor.Bill]) -> list[Figure]:
    """Return the bills of the floor without the VAT code of each line."""
    return [
        (
            due,
            [line[:4] for line in lines],
            [(vat_of_code(code), base, vat) for code, base, vat in groups],
            subtotal,
            total,
        )
        for due, lines, groups, subtotal, total in bills
    ]


def vat_of_code(code: int) -> object:
    if code == 0:
        return wire.vat_of(workload.EXEMPT, 0)
    return wire.vat_of(workload.EXCLUSIVE if code > 0 else workload.INCLUSIVE, abs(code))


def asked_of_floor(plan: tuple[floor.Plan, ...], period: Period) -> list[Figure]:
    return floor_figures(floor.bills(plan, period.start.toordinal(), period.end.toordinal()))


@pytest.fixture(scope="module")
def items() -> list[workload.PlainItem]:
    return [item for lease in workload.leases(2000) for item in lease.items]


class TestWorkload:
    """The workload is a pure function of its seed, spread as it says."""

    def test_the_finishing_function_is_that_of_splitmix64(self) -> None:
        """The first two words of the published generator with seed 0."""
        assert workload.mix(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF
        assert workload.mix(2 * 0x9E3779B97F4A7C15 & (2**64 - 1)) == 0x6E789E6AA1B965F4

    def test_a_lease_made_alone_is_the_lease_made_among_others(self) -> None:
        among_others = workload.leases(20)[17]

        assert among_others == workload.lease(17)

    def test_another_seed_makes_other_leases(self) -> None:
        assert workload.lease(0) != workload.lease(0, seed=1)

    def test_the_first_lease_never_changes(self) -> None:
        first_rent = workload.PlainItem(
            product=0,
            minor=840_380,
            hundredths=100,
            tax_mode="Exempt",
            percent=0,
            months=1,
            start=1,
            due_day=-1,
            opening=workload.PlainOpening(minor=840_380, due=737760, start=737760, end=737790),
            discount=workload.PlainDiscount(basis_points=1846, last_day=740012),
            prices=(workload.PlainPrice(start=738337, minor=840_720),),
        )

        assert first_rent == workload.lease(0).items[0]

    @pytest.mark.parametrize(
        ("product", "low", "high"),
        [(0, 500_000, 1_500_000), (1, 20_000, 120_000), (2, 10_000, 80_000)],
    )
    def test_prices_fill_their_band(
        self, items: list[workload.PlainItem], product: int, low: int, high: int
    ) -> None:
        """The lowest and highest of 2,000 prices lie within two percent of the band's ends."""
        prices = [item.minor for item in items if item.product == product]
        margin = (high - low) // 50

        assert low <= min(prices) < low + margin
        assert high - margin < max(prices) <= high

    @pytest.mark.parametrize(
        ("share", "holds"),
        [
            (90, lambda item: item.hundredths == 100),
            (50, lambda item: item.tax_mode == "Exempt"),
            (30, lambda item: item.tax_mode == "Exclusive"),
            (20, lambda item: item.tax_mode == "Inclusive"),
            (10, lambda item: item.percent == 25),
            (10, lambda item: item.percent == 6),
            (70, lambda item: item.months == 1),
            (25, lambda item: item.months == 3),
            (5, lambda item: item.months == 12),
            (70, lambda item: item.due_day == 1),
            (30, lambda item: item.due_day == -1),
            (15, lambda item: item.discount is not None),
            (25, lambda item: len(item.prices) == 0),
            (25, lambda item: len(item.prices) == 3),
        ],
    )
    def test_every_kind_of_item_has_its_share(
        self,
        items: list[workload.PlainItem],
        share: int,
        holds: Callable[[workload.PlainItem], bool],
    ) -> None:
        """Within two of a hundred, over 6,000 items."""
        found = 100 * sum(map(holds, items)) / len(items)

        assert share == pytest.approx(found, abs=2)

    def test_leases_start_in_every_year_from_2015_to_2025(
        self, items: list[workload.PlainItem]
    ) -> None:
        years = {date.fromordinal(item.opening.start).year for item in items}

        assert set(range(2015, 2026)) == years

    def test_discounts_end_in_every_year_from_2024_to_2027(
        self, items: list[workload.PlainItem]
    ) -> None:
        """And take from 0.01 to 50 percent."""
        discounts = [item.discount for item in items if item.discount is not None]

        assert {2024, 2025, 2026, 2027} == {date.fromordinal(d.last_day).year for d in discounts}
        assert all(1 <= discount.basis_points <= 5000 for discount in discounts)

    def test_later_prices_start_after_moving_in_each_on_a_day_of_its_own(
        self, items: list[workload.PlainItem]
    ) -> None:
        for item in items:
            starts = [item.opening.start, *(price.start for price in item.prices)]

            assert sorted(set(starts)) == starts

    def test_the_json_of_a_lease_reads_as_its_record(self) -> None:
        for lease in workload.leases(50):
            assert wire.lease_terms(lease) == loads(wire.lease_text(lease), LeaseTerms)


class TestFloor:
    """The floor gives the figures of the package, so the ratio compares like with like."""

    def test_the_bills_of_two_years_of_months_are_those_of_the_package(self) -> None:
        for lease in workload.leases(LEASES):
            plan = floor.plan(lease)
            compiled = compile_terms(wire.lease_terms(lease))
            for period in MONTHS:
                assert asked_of_floor(plan, period) == own_figures(
                    pending_bills(compiled, period)
                ), (lease, period)

    def test_the_bills_of_a_long_window_are_those_of_the_package(self) -> None:
        window = Period(date(2014, 1, 1), date(2055, 12, 31))
        for lease in workload.leases(20):
            compiled = compile_terms(wire.lease_terms(lease))

            assert asked_of_floor(floor.plan(lease), window) == own_figures(
                pending_bills(compiled, window)
            ), lease

    def test_the_workload_splits_periods_and_corrects_inclusive_lines(self) -> None:
        lines = splits = shared = 0
        for lease in workload.leases(LEASES):
            for due, billed, _, _, _ in floor.bills(
                floor.plan(lease), MONTHS[0].start.toordinal(), MONTHS[-1].end.toordinal()
            ):
                inclusive = [code for *_, code in billed if code < 0]
                lines += len(billed)
                shared += len(inclusive) > len(set(inclusive))
                splits += any(start > due + 31 for _, start, *_ in billed)

        assert lines > 10_000
        assert splits > 20
        assert shared > 20


class TestSamples:
    """The small samples bill the same figures on both sides."""

    def test_old_and_new_leases_bill_the_same_month(self) -> None:
        for number in range(60):
            old, new = (compile_terms(wire.lease_terms(one)) for one in samples.old_and_new(number))

            assert own_figures(pending_bills(old, MONTH)) == own_figures(pending_bills(new, MONTH))

    def test_billing_an_old_lease_takes_at_most_one_percent_more_calls(self) -> None:
        calls = [0, 0]
        for number in range(60):
            for place, lease in enumerate(samples.old_and_new(number)):
                compiled = compile_terms(wire.lease_terms(lease))
                bill = partial(pending_bills, compiled, MONTH)
                bill()
                calls[place] += count_calls(bill)

        assert calls[0] <= 1.01 * calls[1]

    def test_plain_python_makes_the_bill_of_the_package(self) -> None:
        compiled = compile_terms(wire.lease_terms(samples.three_lines(discounted=True)))

        bill = pending_bills(compiled, MONTH).bills[0]

        plain = plain_bill(samples.plain_charges(), MONTH.start)
        assert [(line.amount, line.net_price) for line in plain.lines] == [
            (line.amount.amount, line.net_price.amount) for line in bill.lines
        ]
        assert list(plain.vat_totals.values()) == [vat.amount.amount for vat in bill.vat_totals]
        assert (plain.due_date, plain.subtotal, plain.total) == (
            bill.due_date,
            bill.subtotal.amount,
            bill.total.amount,
        )

    def test_money_packages_come_to_the_total_of_the_package(self) -> None:
        compiled = compile_terms(wire.lease_terms(samples.three_lines(discounted=False)))
        total = pending_bills(compiled, MONTH).bills[0].total.amount

        for name in neighbours.packages():
            make = {"moneyed": neighbours.moneyed_bill, "stockholm": neighbours.stockholm_bill}
            assert make[name]()() == total

    def test_dateutil_finds_the_due_dates_of_the_package(self) -> None:
        leases = workload.leases(100)

        assert neighbours.rrule_dates(leases, 2026)() == neighbours.own_dates(leases, 2026)()


class TestTiming:
    """Turns, calls and reading."""

    def test_each_piece_of_work_gets_its_turns_in_order(self) -> None:
        turns: list[str] = []

        times = best_times({name: [partial(turns.append, name)] for name in "ab"}, 2)

        assert list("ababab") == turns
        assert all(seconds > 0 for seconds in times.values())

    def test_work_is_cut_into_pieces_without_losing_any(self) -> None:
        done: list[tuple[int, str]] = []

        pieces = in_pieces(lambda thing, word: done.append((thing, word)), range(5), "x", size=2)

        assert len(pieces) == 3
        for piece in pieces:
            piece()
        assert done == [(thing, "x") for thing in range(5)]

    def test_calls_of_python_and_of_c_are_both_counted(self) -> None:
        assert count_calls(lambda: len("abc")) == 2

    def test_reading_touches_every_amount_of_a_bill(self) -> None:
        compiled = compile_terms(wire.lease_terms(samples.three_lines(discounted=True)))

        assert len(read_every_amount(pending_bills(compiled, MONTH))) == 3 * 3 + 2 + 2


FIGURES: Final = Figures(
    ratios={"compute_over_floor": 1.5, "old_lease_over_new": 1.02},
    rates={"bills_a_second": 123_456.7},
    facts={
        "python": "CPython 3.11.0",
        "cores": 2,
        "architecture": "x86_64",
        "import": {"seconds": 0.0123, "loaded": []},
        "pytest": {"with": 0.3456, "without": 0.3334},
        "not_installed": ["stockholm"],
    },
)


class TestReport:
    """The figures as text, JSON and a block of a page."""

    def test_the_run_prints_only_json_with_every_named_ratio(self) -> None:
        """As a script reads it; what goes on is said on the error stream.

        Every measure is taken as by `python -m benchmarks`, of fewer leases and in fewer turns,
        since the figures are not judged here. The calls of old and new leases are counted, which
        is as exact with few turns.
        """
        script = (
            "import runpy, sys\n"
            "from benchmarks import measures\n"
            "measures.QUICK = measures.Extent(\n"
            "    leases=60, rounds=1, long_leases=2, long_rounds=1, imports=1, future_rounds=1,\n"
            "    turns=1, requests=20, longest_table=1_000)\n"
            "sys.argv[1:] = ['--json', '--quick']\n"
            "runpy.run_module('benchmarks', run_name='__main__', alter_sys=True)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parent.parent,
        )

        printed = json.loads(done.stdout)
        wanted = set(report.RATIOS)
        if "moneyed" not in neighbours.packages():
            wanted.discard("py_moneyed_bill_over_ours")
        if "stockholm" not in neighbours.packages():
            wanted.discard("stockholm_bill_over_ours")
        assert wanted == set(printed["ratios"])
        assert all(ratio > 0 for ratio in printed["ratios"].values())
        assert printed["ratios"]["old_lease_over_new"] <= 1.01
        assert set(printed["rates"]) == {
            "bills_a_second",
            "bills_a_second_with_every_amount_read",
            "bills_a_second_with_validation",
            "plain_python_bills_a_second",
            "pending_bills_requests_a_second",
            "pending_bills_in_memory_requests_a_second",
        }
        assert "measuring" in done.stderr

    def test_importing_the_package_loads_neither_pydantic_nor_dateutil(self) -> None:
        assert facts.importing(1)["loaded"] == []

    def test_starting_pytest_is_told_with_the_plugin_and_without_it(self) -> None:
        told = "takes 346 ms of CPU with the plugin and 333 ms without it."

        assert told in report.as_text(FIGURES)
        assert all(seconds > 0 for seconds in facts.starting_pytest(1).values())

    def test_a_missed_bound_is_said_beside_it(self) -> None:
        """1.02 is more than 1.01."""
        text = report.as_text(FIGURES)

        assert "1.0200  at most 1.01 (missed)" in text
        assert "at most 2 " in text
        assert "at most 2 (missed)" not in text

    def test_writing_replaces_what_stands_between_the_markers(self, tmp_path: Path) -> None:
        page = tmp_path / "page.md"
        page.write_text("before\n<!-- benchmarks -->\nold\n<!-- /benchmarks -->\nafter\n")

        write_block(page, "benchmarks", report.as_markdown(FIGURES))
        once = page.read_text()
        write_block(page, "benchmarks", report.as_markdown(FIGURES))

        assert once == page.read_text()
        assert once.startswith("before\n<!-- benchmarks -->\n")
        assert once.endswith("<!-- /benchmarks -->\nafter\n")
        assert "old\n" not in once
        assert "| `compute_over_floor` | 1.50 | at most 2 |" in once

    def test_a_page_without_the_markers_is_refused(self, tmp_path: Path) -> None:
        page = tmp_path / "page.md"
        page.write_text("no block\n")

        with pytest.raises(ValueError, match="not one"):
            write_block(page, "benchmarks", report.as_markdown(FIGURES))


class TestSizes:
    """What runs over files of leases cost by their size."""

    @pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="the system does not tell the memory"
    )
    def test_costs_are_those_of_processes_of_their_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of 3 and of 5 leases, in few turns; reading takes less memory than billing, but some."""
        monkeypatch.setattr(sizes, "_TRIES", 2)
        batch = leases_to_arrow([wire.lease_terms(each) for each in workload.leases(5)])
        of_sizes = list(sizes.costs(tmp_path, batch, (3, 5)))
        found = sizes.ratios(of_sizes)

        assert [3, 5] == [billed.leases for billed, _ in of_sizes]
        assert all(0 < alone.peak < billed.peak for billed, alone in of_sizes)
        assert {"largest_over_smallest_per_lease", "megabytes_above_reading"} == set(found)

    def test_a_table_and_a_chart_show_them(self, tmp_path: Path) -> None:
        """0.024 s for 1,000 leases are 24 microseconds each; 230 - 160 MB are 70 above reading."""
        of_sizes = [
            (sizes.Cost(count, count * 24e-6, 230 * 10**6), sizes.Cost(count, 0.0, 160 * 10**6))
            for count in (1_000, 10_000)
        ]
        written = sizes.as_markdown(sizes.ratios(of_sizes), of_sizes)
        sizes.draw(of_sizes, tmp_path / "costs.svg")

        assert "| 1,000 | 24.0 | 230 | 160 |" in written
        assert "| `megabytes_above_reading` | 70.00 | at most 100 |" in written
        assert "| `megabytes_above_reading_of_a_tenth` | 70.00 | at most 100 |" in written
        assert "| `largest_over_smallest_per_lease` | 1.00 | at most 1.15 |" in written
        assert "<svg" in (tmp_path / "costs.svg").read_text(encoding="utf-8")
