"""The command line: `rentbilling`, also as `python -m rentbilling`.

Law: it begins without the core and without its own extra, so that help comes at once and a missing
extra is said in one line.
"""

import gc
import sys
from importlib.util import find_spec
from typing import NoReturn

_PARTS = ("click", "rich")
_OBJECTS_OF_A_START = 100_000
"""About as many objects as are made by imports, and stay until the process ends."""


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit.

    Exit codes: 0 fine, 1 what was handed in is refused, 2 the command is not well formed, 3 errors
    or differences were found by `verify`, 130 the user interrupted it.
    """
    # The collector would look at all that is imported several times, and once more at the end.
    gc.set_threshold(_OBJECTS_OF_A_START)
    try:
        _run()
    finally:
        gc.freeze()


def _run() -> NoReturn:
    missing = [part for part in _PARTS if not _is_there(part)]
    if missing:
        sys.stderr.write(
            f"The command line needs {' and '.join(missing)}: pip install 'rentbilling[cli]'\n"
        )
        sys.exit(1)
    try:
        from rentbilling.adapters.cli.program import rentbilling

        try:
            rentbilling.main()
        except OSError as error:
            # Help and version are written by click itself.
            from rentbilling.adapters.cli.streams import write_failed

            sys.exit(write_failed(error))
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0)


def _is_there(part: str) -> bool:
    """Return whether a package can be imported, without importing it."""
    try:
        return find_spec(part) is not None
    except ImportError:
        return False
