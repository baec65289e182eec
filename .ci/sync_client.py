"""Write the synchronous client from the asynchronous one, as `poe sync` does.

    python .ci/sync_client.py            write the modules
    python .ci/sync_client.py --check    say which are not as they would be written

The two differ in the words that Python has for waiting, in some names, and in the docstring of the
class. `ruff` sorts the imports and formats what became shorter.
"""

import re
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).resolve().parent.parent / "rentbilling" / "adapters" / "client"
MADE = {f"sync_{name}.py": f"async_{name}.py" for name in ("client", "deadlines", "operations")}
"""The modules that are written, each with the one that it is written from."""

CLASS_DOCSTRING = '''"""Calls a service with the interface, and waits for each answer.

    A method returns the record of its operation, or raises a `ServiceError`. Threads may share a
    client. It is closed at the end of a `with` block, or by `close`.

    Examples:
        >>> def service(request):
        ...     return httpx.Response(200, json={"id": "lease-1", "operationalState": "Draft"})
        >>> http = httpx.Client(transport=httpx.MockTransport(service))
        >>> with RentalClient("https://rent.example/api", "rent_1_a-secret", http=http) as client:
        ...     client, client.retrieve_lease("lease-1").operational_state
        (RentalClient('https://rent.example/api'), 'Draft')
    """'''

CHANGES = (
    (r"A client for an event loop\.", "A client that waits for its answers."),
    (r"as methods to be awaited\.", "as methods that wait for the answer."),
    (r"\bimport asyncio\n", ""),
    (r"\bimport Awaitable, Callable\b", "import Callable"),
    (r"\bAwaitable\[None\]", "None"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\basync (?=def|with|for)", ""),
    (r"\bawait ", ""),
    (r"Connections of an event loop that wait", "Connections that wait"),
    (r"\bAsync(?=Client|Iterator|Network|Operations|RentalClient|Timed)", ""),
    (r"\basync_(?=deadlines|operations)", "sync_"),
    (r"\b__a(?=enter__|exit__)", "__"),
    (r"\baclose\b", "close"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\bfor (\w+) in (.+):\n +yield \1\n", r"yield from \2\n"),
    (r'(?s)(?<=class RentalClient\(Operations\):\n    )""".*?"""', CLASS_DOCSTRING),
)
"""Patterns and what replaces them, in this order."""


def changed(source: str) -> str:
    """Return an asynchronous module as a synchronous one, before it is formatted."""
    text = (CLIENT / source).read_text(encoding="utf-8")
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement, text)
    return f"# Written from {source} by .ci/sync_client.py.\n{text}"


def formatted(text: str, name: str) -> str:
    """Return a module with its imports sorted, and formatted as all modules are."""
    for command in (["check", "--fix-only", "--quiet", "--select=I"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, f"--stdin-filename={CLIENT / name}", "-"]
        text = subprocess.run(  # noqa: S603 - our own command
            ruff, input=text, capture_output=True, check=True, encoding="utf-8"
        ).stdout
    return text


def main() -> int:
    """Write the modules, or say which are not as they would be written."""
    stale = 0
    for name, source in MADE.items():
        text = formatted(changed(source), name)
        if "--check" not in sys.argv[1:]:
            (CLIENT / name).write_text(text, encoding="utf-8")
        elif text != (CLIENT / name).read_text(encoding="utf-8"):
            print(f"{name} is not what {source} says: python .ci/sync_client.py", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
