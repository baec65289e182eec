"""The bounds of requests to the service.

Law: every bound of the service over HTTP is a field here, with its default.
"""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of a service.

    Examples:
        >>> Limits(most_bytes=50_000).most_bytes
        50000
        >>> Limits(threads=0)
        Traceback (most recent call last):
        ValueError: threads is 0, and must be above 0
    """

    most_bytes: int = 1_000_000
    """Bytes of a body; more are answered with 413."""
    most_query_bytes: int = 8_000
    """Bytes of path and query together; more are answered with 414."""
    head_seconds: float = 10.0
    """Seconds in which the head of a request must have arrived; afterwards the server hangs up."""
    body_seconds: float = 20.0
    """Seconds in which a body must have arrived; afterwards the answer is 408."""
    least_rate: int = 1_000
    """Bytes a second in which a body must arrive after its first 5 seconds; otherwise 408."""
    most_days: int = 3_660
    """Days of the period of one request for pending bills; more are answered with 400."""
    most_problems: int = 1_000
    """Problems that one answer lists; `detail` has their number."""
    most_entries: int = 50_000
    """Entries in the lists of all objects that one page reads; more are answered with 400."""
    most_answer_bytes: int = 32_000_000
    """Bytes of an answer; more are answered with 400."""
    answer_seconds: float = 60.0
    """Seconds in which a caller must have taken an answer; afterwards the server hangs up."""
    owner_at_once: int = 4
    """Requests of one owner in work at the same moment; the next ones wait."""
    owner_waiting: int = 16
    """Requests of one owner that wait; one more is answered with 429."""
    owner_seconds: float = 2.0
    """Seconds that a request waits for others of its owner; afterwards the answer is 429."""
    per_second: float | None = None
    """Requests of one owner a second; more are answered with 429. None: any number."""
    most_at_once: int = 1_000
    """Requests in work or waiting; one more is answered with 503."""
    most_bodies: int = 256
    """Bodies that arrive at the same moment, a quarter of them of one owner; then 503 or 429."""
    most_connections: int = 2_000
    """Open connections; for one more the oldest one without a key is closed."""
    threads: int = 4
    """Reads in work at the same moment: half of them of one owner, a quarter beside others if it
    computes for long."""
    writing_threads: int = 12
    """Changes in work at the same moment, a third of them of one owner; most wait for the store."""
    turn_seconds: float = 10.0
    """Seconds that a request waits for a thread; afterwards the answer is 503."""
    retry_after: int = 1
    """Seconds after which a caller may try again after a 503."""

    def __post_init__(self) -> None:
        """Refuse a bound that no request can satisfy.

        Raises:
            ValueError: A bound is not above 0.
        """
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and not value > 0:
                raise ValueError(f"{each.name} is {value}, and must be above 0")


class TooManyError(Exception):
    """There are too many requests: of one owner, or of all."""

    def __init__(
        self, code: str, detail: str, *, of_owner: bool = True, after: float = 0.0
    ) -> None:
        super().__init__(code)
        self.code, self.detail, self.of_owner, self.after = code, detail, of_owner, after
