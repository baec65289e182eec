"""Refusals of copies of a database that go wrong."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from rentbilling.adapters.cli.streams import Refusal


@contextmanager
def refusing_copies(said: str, file: Path) -> Generator[None]:
    """Say in a sentence why a copy could not be made.

    Raises:
        Refusal: A file is there already or cannot be written, or a database is not whole or busy.
    """
    from rentbilling.service import StoreError, StoreUnavailableError

    try:
        yield
    except FileExistsError as error:
        raise Refusal(str(error), ["there is a file already, which is not overwritten"]) from None
    except OSError as error:
        raise Refusal.of_system(str(file), error) from None
    except StoreUnavailableError as error:
        advice = ["Stop the service first."] if error.facts["reason"] == "busy" else []
        raise Refusal(said, [str(error)], advice) from None
    except StoreError as error:
        raise Refusal(str(file), [str(error)]) from None
