"""What a service refused, or what became of an answer, as errors of our own.

    ServiceError (RentBillingError)                   a call was no success; see status and code
    ├── InvalidRequestError (also InvalidInputError)      400, 413, 415, 422: the request is wrong
    ├── RequestNotAllowedError (also NotAllowedError)     401, 403: the key is unknown or may not
    ├── ObjectNotFoundError (also NotFoundError)          404: no object has this id
    ├── StateConflictError (also ConflictError)           409: the state of an object forbids it
    ├── ServiceUnavailableError                           408, 429, 5xx: the service cannot now
    │   └── NoAnswerError                                 no answer came: timeouts, connections
    └── UnreadableAnswerError                             success, with a body that says nothing

Laws: whoever catches an error of the operations catches it from a service too; no error holds the
API key, or an object of the transport.
"""

from collections.abc import Iterable
from typing import Any, Self, cast

from rentbilling import (
    ConflictError,
    InvalidInputError,
    NotAllowedError,
    NotFoundError,
    Problem,
    RentBillingError,
)


class ServiceError(RentBillingError):
    """A call to a service was no success.

    Examples:
        >>> error = ServiceError("method_not_allowed", asked="POST /leases", status=405)
        >>> error.status, error.problems, error.request_id
        (405, (), None)
        >>> print(error)
        POST /leases: the service answered 405 (method_not_allowed)
    """

    def __init__(
        self,
        code: str,
        *,
        asked: str = "",
        status: int | None = None,
        detail: str = "",
        problems: Iterable[Problem] = (),
        request_id: str | None = None,
        **more: object,
    ) -> None:
        """Keep what is known.

        Args:
            code: A stable word for what happened: the service's own, where it says one.
            asked: Method and path of the call.
            status: Status of the answer, None where none came.
            detail: What happened, as a sentence.
            problems: Everything that is wrong with the request, as far as it is told.
            request_id: The service's name for the call, to ask its people about.
            **more: What else is known.
        """
        # Not the next class in line, which takes nothing but problems.
        RentBillingError.__init__(
            self,
            code,
            asked=asked,
            status=status,
            detail=detail,
            problems=tuple(problems),
            request_id=request_id,
            **more,
        )

    @property
    def status(self) -> int | None:
        """Status of the answer, None where none came."""
        return cast("int | None", self.facts["status"])

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that is wrong with the request, each with its path; none where none is told."""
        return cast("tuple[Problem, ...]", self.facts["problems"])

    @property
    def request_id(self) -> str | None:
        """The service's name for the call, to ask its people about."""
        return cast("str | None", self.facts["request_id"])

    def __str__(self) -> str:
        """Return what was asked, what came of it, and every problem on a line of its own."""
        facts = self.facts
        asked = f"{facts['asked']}: " if facts["asked"] else ""
        came = f"the service answered {self.status}" if self.status else "no answer"
        known = self.code if self.request_id is None else f"{self.code}; request {self.request_id}"
        problems = [*map(str, self.problems)]
        detail = str(facts["detail"])
        # Some services tell their first problem in the detail too.
        is_new = detail and not (problems and problems[0] in detail)
        said = f", {detail}" if is_new else ""
        return "\n".join((f"{asked}{came}{said} ({known})", *problems))


class InvalidRequestError(ServiceError, InvalidInputError):
    """The service found something wrong with the request: 400, 413, 415 or 422.

    Examples:
        >>> wrong = Problem("limit", "out_of_range", "is out of range", "101", "1 to 100")
        >>> error = InvalidRequestError([wrong], asked="GET /leases", status=400)
        >>> isinstance(error, InvalidInputError), error.problems[0].path
        (True, 'limit')
    """

    def __init__(
        self,
        problems: Iterable[Problem],
        *,
        code: str = "",
        status: int | None = 400,
        **known: Any,  # noqa: ANN401
    ) -> None:
        """Keep what is known.

        Args:
            problems: Everything that is wrong, at least one.
            code: The service's own word; otherwise that of the first problem.
            status: Status of the answer.
            **known: See `ServiceError`.
        """
        found = tuple(problems)
        InvalidInputError(found)
        ServiceError.__init__(self, code or found[0].code, status=status, problems=found, **known)

    def under(self, prefix: str) -> Self:
        """Return the same error with every path set below `prefix`."""
        return type(self)(**self._known([each.under(prefix) for each in self.problems]))

    def within(self, prefix: str) -> Self:
        """Return the same error with every path as it is seen from inside `prefix`."""
        inside = InvalidInputError(self.problems).within(prefix)
        return type(self)(**self._known(inside.problems))

    def _known(self, problems: Iterable[Problem]) -> dict[str, Any]:
        """Return what an error like this one with other problems is made of."""
        return {**self.facts, "code": self.code, "problems": problems}


class RequestNotAllowedError(ServiceError, NotAllowedError):
    """The service does not know the key (401), or the key has no right to what was asked (403)."""


class ObjectNotFoundError(ServiceError, NotFoundError):
    """The service has no object of this id, or nothing at this address: 404."""


class StateConflictError(ServiceError, ConflictError):
    """The state of an object, or a fact that the service lacks, forbids what was asked: 409."""


class ServiceUnavailableError(ServiceError):
    """The service cannot answer now, also not after the retries: 408, 429 or 5xx."""

    @property
    def may_be_done(self) -> bool:
        """Whether a change may have been made all the same; look before you send it again."""
        return bool(self.facts.get("may_be_done"))

    @property
    def retry_after(self) -> float | None:
        """Seconds after which the service wants to be asked again; None where it does not say."""
        return cast("float | None", self.facts.get("retry_after"))


class NoAnswerError(ServiceUnavailableError):
    """No answer came: no connection, a broken one, or none within the time.

    Its code is `not_connected`, `tls_refused`, `timed_out` or `connection_broken`.
    """


class UnreadableAnswerError(ServiceError):
    """An answer that is none of the interface: another page, half of one, the same page again.

    Its code is `unreadable_answer`, `answer_too_long`, `redirected`, `repeated_page` or
    `no_cursor`. The call may have been a success.
    """
