"""What runs over all leases of a file are computed by: a mapping, a policy, index series, days."""

from collections.abc import Iterable
from typing import Any

from rentbilling.adapters.cli.input.arguments import (
    mapping_in,
    period_in,
    policy_in,
    refuse_overwriting,
    refuse_second_reader,
)
from rentbilling.adapters.cli.input.index_files import indices_in


def refuse_same_files(given: dict[str, Any], written: Iterable[str | None]) -> None:
    """Refuse standard input for two files, and what would be written over one that is read."""
    read = (given["policy_file"], given["map_file"], *given["index_files"])
    refuse_second_reader(read)
    refuse_overwriting(read, written)


def read_files(given: dict[str, Any]) -> None:
    """Put what files and the period say in the place of the options."""
    mapping, policy = mapping_in(given.pop("map_file")), policy_in(given.pop("policy_file"))
    given |= {
        "mapping": mapping,
        "policy": policy,
        "period": period_in(given.pop("asked"), policy),
        "indices": indices_in(given.pop("index_files")),
    }
