"""What the benchmarks compare bills the same figures, and `--json` names every ratio."""

import json
from calendar import monthrange
from datetime import date
from decimal import Decimal
from math import isfinite
from typing import Any, Final

import pytest

import benchmarks.__main__
from benchmarks import (
    asking,
    floor,
    measures,
    realistic,
    report,
    samples,
    wire,
    workload,
)
from benchmarks.measures import MONTH
from benchmarks.plain import plain_bill
from rentbilling import BillingResult, LeaseTerms, Period, compile_terms, loads, pending_bills

LEASES: Final = 300
MONTHS: Final = [
    Period(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
    for year in (2026, 2027)
    for month in range(1, 13)
]

Figure = tuple[Any, ...]


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


class TestWorkload:
    """The workload is a pure function of its seed, and its JSON is that of its records."""

    def test_a_lease_made_alone_is_the_lease_made_among_others(self) -> None:
        among_others = workload.leases(20)[17]

        assert among_others == workload.lease(17)

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

    def test_plain_python_makes_the_bill_of_the_package(self) -> None:
        compiled = compile_terms(wire.lease_terms(samples.three_lines()))

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


class TestThePlainLeases:
    def test_a_plain_loop_bills_leases_as_the_package_does(self) -> None:
        leases = realistic.whole_leases(60)
        names = ("lease_id", "due_date", "subtotal", "total")
        own, plain = (
            bills.select(names).to_pylist()
            for bills in (realistic.one_by_one(leases), realistic.plainly(leases))
        )

        assert len(own) > 40
        assert own == plain


class TestReport:
    """The figures as JSON."""

    def test_the_run_prints_only_json_with_every_named_ratio(
        self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """As a script reads it; what goes on is said on the error stream.

        Every measure is taken as by `python -m benchmarks`, of fewer leases and in fewer turns,
        since the figures are not judged here, but the servers' (`test_measured_service`). The calls
        of old and new leases are counted, which is as exact with few turns.
        """
        few = measures.Extent(
            leases=20,
            rounds=1,
            long_leases=2,
            long_rounds=1,
            imports=1,
            future_rounds=1,
            future_leases=10,
            futures=3,
            turns=1,
            requests=1,
            items=100,
            many_leases=10,
            real_leases=20,
            months_behind=(24,),
        )
        monkeypatch.setattr(benchmarks.__main__, "QUICK", few)
        for name in ("shares", "over_peer"):
            monkeypatch.setattr(asking, name, lambda *_: asking.Shares(0.5, 0.5, 1000, 0.001))
        assert benchmarks.__main__.main(["--json", "--quick"]) == 0
        done = capfd.readouterr()

        printed = json.loads(done.out)
        assert set(report.RATIOS) == set(printed["ratios"])
        # A difference of two times may be below 0 on a busy machine.
        assert all(isfinite(ratio) for ratio in printed["ratios"].values())
        assert printed["ratios"]["old_lease_over_new"] <= 1.01
        assert set(printed["rates"]) == {
            "bills_a_second",
            "bills_a_second_with_every_amount_read",
            "bills_a_second_with_validation",
            "plain_python_bills_a_second",
            "pending_bills_requests_a_second",
        }
        assert "measuring" in done.err
