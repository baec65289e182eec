"""Manifests: the facts that a run depends on, so that no file has parts of two runs.

Laws: a file counts by its content and not by its name; a run with other facts is refused, with
those that differ.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import file_digest, sha256
from importlib import metadata
from pathlib import Path
from typing import Final

import pyarrow as pa

from rentbilling.adapters.file_runs.forms import PartMaker
from rentbilling.errors import InvalidRecordError, Problem
from rentbilling.indices import series_of
from rentbilling.policy import policy_of
from rentbilling.portfolio.leases.sources import lease_paths
from rentbilling.records import write_json

Facts = Mapping[str, str]
"""The facts that identify a run: texts by name."""

PART_SIZE: Final = 8_192
"""Leases of a part: few enough that memory stays small and a run of some thousands is shared."""


def facts_of(
    leases: Path, already_billed: Sequence[Path], make: PartMaker, part_size: int
) -> dict[str, str]:
    """Return what a run is of.

    Raises:
        OSError: A file cannot be read.
    """
    bill = make.bill
    series = {name: each.to_data() for name, each in sorted(series_of(bill.indices).items())}
    return {
        "rentbilling": _version(),
        "pyarrow": pa.__version__,
        "leases": _digest(leases),
        "period": str(bill.period),
        "policy": policy_of(bill.policy).fingerprint,
        "indices": sha256(write_json(series).encode()).hexdigest() if series else "none",
        "already billed": _digest_of(already_billed) if already_billed else "none",
        "billed since": str(bill.billed_since or "none"),
        "on problem": bill.on_problem,
        "columns that are not known": bill.extra_columns,
        "format": make.form,
        "tables": ", ".join(make.tables),
        "leases of a part": str(part_size),
    }


def _version() -> str:
    try:
        return metadata.version("rentbilling")
    except metadata.PackageNotFoundError:
        return "sources that are not installed"


def _digest(path: Path) -> str:
    """Return a fingerprint of the content of a file, or of the files of a folder."""
    if path.is_dir():
        return _digest_of(lease_paths(path))
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _digest_of(paths: Iterable[Path]) -> str:
    """Return a fingerprint of the content of several files, in their order."""
    named = "".join(f"{each.name} {_digest(each)}\n" for each in paths)
    return sha256(named.encode("utf-8", "surrogateescape")).hexdigest()


def refuse_other_facts(folder: Path, stored: Facts, facts: Facts) -> None:
    """Refuse to go on with the parts of a run that was of something else.

    Raises:
        InvalidRecordError: Some facts differ; there is a problem for each of them.
    """
    problems = [
        Problem(
            "",
            "other_run",
            f"its parts, in {folder}, are of another run: {name} differs",
            _short(stored.get(name, "nothing")),
            _short(facts.get(name, "nothing")),
        )
        for name in dict.fromkeys((*facts, *stored))
        if stored.get(name) != facts.get(name)
    ]
    if problems:
        raise InvalidRecordError(problems)


def _short(fact: str) -> str:
    """Return a fact as it is quoted; of a fingerprint the beginning is enough."""
    return f"{fact[:12]}…" if len(fact) == sha256().digest_size * 2 else fact
