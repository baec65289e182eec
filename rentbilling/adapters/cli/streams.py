"""Input and output: files and standard input, data on stdout, messages on stderr.

Laws: data is written as UTF-8 on every machine; a message never breaks a terminal or an encoding; a
reader that stops reading ends the command quietly.
"""

import errno
import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, TextIO, TypeVar

import click

from rentbilling.errors import InvalidInputError, RentBillingError, printable

T = TypeVar("T")

STDIN = "-"
"""The name of a file that means standard input."""


class Refusal(click.ClickException):
    """Input that is refused: a line for each problem, then notes such as the run; exit code 1."""

    exit_code = 1

    def __init__(self, source: str, problems: Iterable[str], notes: Iterable[str] = ()) -> None:
        name = "standard input" if source == STDIN else source
        self.source = source
        self.problems = tuple(problems)
        self.notes = tuple(notes)
        self.lines = (
            *(f"Error: {name}: {problem}" for problem in self.problems),
            *(f"       {note}" for note in self.notes),
        )
        super().__init__("\n".join(self.lines))

    @classmethod
    def of_system(cls, source: str, error: OSError, notes: Iterable[str] = ()) -> "Refusal":
        """Return the refusal of a file that cannot be read or written."""
        return cls(source, [error.strerror or str(error)], notes)

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the problems to stderr."""
        for line in self.lines:
            click.echo(printable(line), file=file, err=True)


@contextmanager
def refusing(*sources: str) -> Generator[None]:
    """Turn what the library refuses in a block into a refusal of the file that it came from.

    Several files are named by their number.

    Raises:
        Refusal: The library refused something.
    """
    source = sources[0] if len(sources) == 1 else f"{len(sources)} files"
    try:
        yield
    except InvalidInputError as error:
        raise Refusal(source, map(str, error.problems), _notes(error)) from None
    except RentBillingError as error:
        raise Refusal(source, [in_the_shell(str(error))], _notes(error)) from None


_OPTIONS: Final = (
    ("the series of indices=", "the file of --indices"),
    (
        'BillingPolicy(missing_index="notice"), in JSON "missingIndex": "notice"',
        '"missingIndex": "notice" in the file of --policy',
    ),
    ("pass it as one of indices=", "pass it with --indices FILE"),
    ("pass the days, term=", "pass the days, --term"),
)
"""Arguments of Python in messages, and the options in their place."""


def in_the_shell(said: str) -> str:
    """Return a message with options in place of the arguments of Python."""
    for python, option in _OPTIONS:
        said = said.replace(python, option)
    return said


def _notes(error: RentBillingError) -> Iterable[str]:
    """Return what was added to an error on its way, each once."""
    return dict.fromkeys(getattr(error, "__notes__", ()))


def read_bytes(name: str) -> bytes:
    """Return what a file or standard input holds.

    Raises:
        Refusal: It cannot be read.
    """
    try:
        if name == STDIN:
            return b"" if sys.stdin is None else sys.stdin.buffer.read()
        return Path(name).read_bytes()
    except OSError as error:
        raise Refusal.of_system(name, error) from None
    except ValueError as error:
        # A name with a NUL in it, or a standard input that is closed.
        raise Refusal(name, [str(error)]) from None


def read_as(name: str, read: Callable[[bytes], T]) -> T:
    """Return what a file or standard input holds, as it is read.

    Raises:
        Refusal: It cannot be read, or the library refuses it.
    """
    given = read_bytes(name)
    with refusing(name):
        return read(given)


def write_data(text: str) -> None:
    """Write data to stdout as UTF-8, whatever the machine's own encoding is.

    A file or another program gets each character; at a terminal, controls are written as escapes.
    """
    with _stdout() as stream:
        lines = (line.removesuffix("\r") for line in text.split("\n"))
        shown = "\n".join(map(printable, lines)) if stream.isatty() else text
        stream.buffer.write(shown.encode("utf-8", "backslashreplace"))


def write_text(text: str) -> None:
    """Write a text for people to stdout, in the encoding of the terminal."""
    with _stdout() as stream:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def say(message: str) -> None:
    """Write a message to stderr, on one line."""
    click.echo(printable(message), err=True)


@contextmanager
def _stdout() -> Generator[TextIO]:
    """Give stdout, which a process may lack, or end the command where it cannot be written."""
    if sys.stdout is None:
        absent = OSError(errno.EBADF, os.strerror(errno.EBADF))
        raise click.exceptions.Exit(write_failed(absent))
    try:
        yield sys.stdout
        sys.stdout.flush()
    except OSError as error:
        raise click.exceptions.Exit(write_failed(error)) from None


def write_failed(error: OSError) -> int:
    """Return the exit code of a command that could not write to stdout, saying why if it matters.

    Returns:
        0 where the reader has stopped reading, as `head` does; 1 otherwise, with a message.
    """
    _give_up_stdout()
    # Windows reports a closed pipe as an invalid argument.
    if error.errno == errno.EPIPE or (os.name == "nt" and error.errno == errno.EINVAL):
        return 0
    say(f"Error: standard output: {error.strerror or error}")
    return 1


def _give_up_stdout() -> None:
    """Send what is still to be written nowhere, so that the interpreter ends without complaint."""
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        # There is none, or it is no file.
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
