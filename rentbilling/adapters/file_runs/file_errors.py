"""File errors: the name of the file in every error of a run.

Laws: a refused file is named, wherever it was read; an error of the system about a temporary file,
such as a part, names the file that was asked for.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from rentbilling.errors import InvalidInputError, InvalidRecordError


class FileRefusedError(InvalidRecordError):
    """The content of a file is refused.

    Examples:
        >>> wrong = InvalidRecordError.of("rent", "wrong_type", "is a text", "a", "a number")
        >>> print(FileRefusedError.of_file(Path("leases.parquet"), wrong))
        leases.parquet: rent: is a text (met 'a'; expected a number)
    """

    @classmethod
    def of_file(cls, file: Path, error: InvalidInputError) -> Self:
        """Return a refusal with the file that was read."""
        made = cls(each._replace(path=_inside(each.path)) for each in error.problems)
        made.facts["file"] = str(file)
        return made

    @property
    def file(self) -> str:
        """The name of the file, as it was given."""
        return str(self.facts["file"])

    def __str__(self) -> str:
        return "\n".join(f"{self.file}: {problem}" for problem in self.problems)


def _inside(path: str) -> str:
    return "" if path in {"source", "already_billed"} else path.removeprefix("already_billed.")


@contextmanager
def refused_file(file: Path) -> Generator[None]:
    """Raise what is refused meanwhile with the name of a file.

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


def refuse_unreadable(path: Path) -> None:
    """Let the system refuse a file that is not there or not to be read, by its name."""
    if not path.is_dir():
        with path.open("rb"):
            pass


def write_whole(path: Path, new: Path, *pieces: bytes) -> None:
    """Write a file that has its name when it is whole, and another one before.

    Raises:
        OSError: It cannot be written; nothing of it is left behind.
    """
    try:
        with new.open("wb") as file:
            file.writelines(pieces)
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise


@contextmanager
def errors_named(file: Path) -> Generator[None]:
    """Raise errors of the system with the name of the file that was asked for.

    Raises:
        OSError: What the system refused.
    """
    try:
        yield
    except OSError as error:
        # Arrow says more than the system, and names a file that was not asked for.
        said = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, said, str(file)) from error
