"""File errors: which of a run's files an error is told of.

Laws: what is refused of a file bears the file's name, wherever it was met; what the system says of
a file for a moment, of a part or of one that is not whole yet, is told of the file that was asked
for.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from rentbilling.errors import InvalidInputError, InvalidRecordError


class FileRefusedError(InvalidRecordError):
    """What a file holds is refused.

    Examples:
        >>> wrong = InvalidRecordError.of("rent", "wrong_type", "is a text", "a", "a number")
        >>> print(FileRefusedError.of_file(Path("leases.parquet"), wrong))
        leases.parquet: rent: is a text (met 'a'; expected a number)
    """

    @classmethod
    def of_file(cls, file: Path, error: InvalidInputError) -> Self:
        """Return what was refused, with the file that it was met in."""
        made = cls(each._replace(path=_inside(each.path)) for each in error.problems)
        made.facts["file"] = str(file)
        return made

    @property
    def file(self) -> str:
        """The name of the file, as it was given."""
        return str(self.facts["file"])

    def __str__(self) -> str:
        """Return all problems, a line each."""
        return "\n".join(f"{self.file}: {problem}" for problem in self.problems)


def _inside(path: str) -> str:
    """Return a path as it is seen from inside the file."""
    return "" if path in {"source", "already_billed"} else path.removeprefix("already_billed.")


@contextmanager
def refused_file(file: Path) -> Generator[None]:
    """Tell what is refused of a file with the file's name.

    Raises:
        FileRefusedError: Something in it is refused.
    """
    try:
        yield
    except FileRefusedError:
        raise
    except InvalidInputError as error:
        # Of the files of a folder, the one that is wrong.
        met = Path(str(error.facts.get("file", file)))
        raise FileRefusedError.of_file(met, error) from error


@contextmanager
def told_as(file: Path) -> Generator[None]:
    """Tell what the system refuses meanwhile with the name that was asked for.

    Raises:
        OSError: What the system refused.
    """
    try:
        yield
    except OSError as error:
        # Arrow says more than the system, and names a file that nobody asked for.
        said = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, said, str(file)) from error
