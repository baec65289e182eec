"""The benchmark's columns are its workload, and a million leases are billed as by one at a time."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks import checksums, columns, portfolios, wire, workload
from benchmarks.measures import MONTH
from rentbilling.portfolio.kernel.items import PER_ITEM, PER_PRICE
from rentbilling.portfolio.kernel.reading import read_flat
from rentbilling.portfolio.leases.batches import leases_to_arrow
from tests.support.rows import rows

LEASES = 300


@rows("first", [0, 999_700])
def test_columns_are_the_workload(first: int) -> None:
    leases = [wire.lease_terms(workload.lease(first + number)) for number in range(LEASES)]
    read = read_flat(leases_to_arrow(leases))
    assert read is not None
    found = columns.flat_items(LEASES, first)

    for name in (*PER_ITEM, *PER_PRICE, "lease_offsets", "price_offsets", "contract_end", "rare"):
        assert np.array_equal(getattr(read.items, name), getattr(found, name)), name
    assert (2, 2, 4, 4) == (
        *(found.amount_scale, found.quantity_scale),
        *(found.percentage_scale, found.rate_scale),
    )


def test_words_are_those_of_the_workload() -> None:
    words = [0, 1, 2**63, 2**64 - 1]
    leases, items = np.array([0, 7, 999_999]), np.array([0, 2, 3])
    found = columns.draws(workload.SEED, leases, items, 17)

    assert [workload.mix(word) for word in words] == columns.mixed(
        np.array(words, dtype=np.uint64)
    ).tolist()
    assert [
        workload.draw(workload.SEED, int(lease), int(item), 17)
        for lease, item in zip(leases, items, strict=True)
    ] == found.tolist()


def test_a_checksum_says_the_same_of_both_engines() -> None:
    """And another thing of other leases, so that it can fail."""
    expected = checksums.scalar_checksum(1000, 40)

    assert expected == checksums.flat_checksum(1000, 40)
    assert expected != checksums.flat_checksum(1001, 40)


def test_some_of_a_million_leases_are_billed_as_the_scalar_engine_did() -> None:
    kept = checksums.kept()

    assert [] == checksums.check(range(0, len(kept), 50))
    assert all(re.fullmatch("[0-9a-f]{64}", each) for each in kept)


def test_checksums_are_kept_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "checksums.json"
    monkeypatch.setattr(checksums, "KEPT", there)
    monkeypatch.setattr(checksums, "BLOCK", 2)
    monkeypatch.setattr(checksums, "BLOCKS", 2)

    assert [] == checksums.kept()
    assert 2 == checksums.main([])
    sums = [checksums.scalar_checksum(0, 2), "0" * 64]
    there.write_text(json.dumps({"sha256": sums[:1]}))
    assert 1 == checksums.main(["check"])
    there.write_text(json.dumps({"sha256": sums}))
    assert 1 == checksums.main(["check"])
    there.write_text(json.dumps({"sha256": [sums[0], checksums.scalar_checksum(2, 2)]}))
    assert 0 == checksums.main(["check"])
    assert "differing blocks: none" in capsys.readouterr().out


def test_what_is_measured_is_the_same_question() -> None:
    found = portfolios.times(MONTH, sample=5, rounds=1)
    items = columns.flat_items(10)

    assert {"scalar", "compiled", "flat", "arrow", "copy"} == found.keys()
    assert all(took > 0 for took in found.values())
    assert portfolios.bytes_touched(items, MONTH) > items.nbytes
