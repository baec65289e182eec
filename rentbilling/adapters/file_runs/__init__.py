"""Bill runs: a file of leases becomes a file of bills, by several processes, and survives a kill.

Needs the extra `bulk`. The files are the same to the byte, however many processes made it and
however often the run was killed and begun again.
"""

from importlib import import_module

try:
    # Said here in one line, not from deep inside.
    import_module("numpy")
    import_module("pyarrow")
except ImportError as missing:
    raise ImportError(
        f"bill runs need {missing.name}: pip install 'rentbilling[bulk]'", name=missing.name
    ) from missing

from rentbilling.adapters.file_runs.bill_run import (
    CheckReport as CheckReport,
    RunReport as RunReport,
    check_leases as check_leases,
    run_bills as run_bills,
)
from rentbilling.adapters.file_runs.file_errors import FileRefusedError as FileRefusedError

__all__ = ("CheckReport", "FileRefusedError", "RunReport", "check_leases", "run_bills")
