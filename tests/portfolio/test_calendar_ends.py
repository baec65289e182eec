"""The ends of the calendar in runs over many leases, and on paths of an index."""

from contextlib import suppress
from decimal import Decimal
from typing import Any

from hypothesis import given

from rentbilling import RentBillingError
from rentbilling.portfolio import bill_portfolio, leases_to_arrow
from rentbilling.simulation import IndexPaths, simulate
from tests.support.calendar_ends import Case, cases


@given(cases())
def test_a_run_tells_what_is_refused(case: Case) -> None:
    own: dict[str, Any] = {"indices": case.indices, "policy": case.policy}
    told = []
    for source in ([case.terms], leases_to_arrow([case.terms])):
        made = bill_portfolio(source, case.period, **own).to_tables()
        again = bill_portfolio(
            source, case.period, already_billed=made["bills"], billed_since=case.day, **own
        ).to_tables()
        told += [table["problems"].column("code").to_pylist() for table in (made, again)]

    # An error of Python's own would be told as arithmetic.
    assert all("arithmetic" not in codes for codes in told)


@given(cases())
def test_paths_answer_or_refuse(case: Case) -> None:
    with suppress(RentBillingError):
        until = f"{case.day.year:04d}-12"
        paths = IndexPaths.constant(case.indices, Decimal(0), until=until, paths=2)
        futures = simulate(case.terms, paths, case.period, policy=case.policy)
        assert 2 == len(futures.yearly("gross"))
