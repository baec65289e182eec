"""Some of the million leases of the benchmark are billed as ever, on columns and one by one."""

from benchmarks import million


def test_some_of_a_million_leases_are_billed_as_they_were() -> None:
    leases = million.leases_of(50)

    assert million.kept()[50] == million.on_columns(leases)
    assert million.one_by_one(leases[:40]) == million.on_columns(leases[:40])
