"""The errors of calls to a service.

    ServiceError (RentBillingError)                   a call failed; see status and code
    ├── InvalidRequestError (also InvalidInputError)      400, 413-415, 422: the request is wrong
    ├── RequestNotAllowedError (also NotAllowedError)     401, 403: the key is unknown, or no right
    ├── ObjectNotFoundError (also NotFoundError)          404: no object has this id
    ├── StateConflictError (also ConflictError)           409, 412: an object is in another state
    ├── ServiceUnavailableError                           408, 429, 5xx: no answer at present
    │   └── NoAnswerError                                 timeouts, connections that fail
    └── UnreadableAnswerError                             success, with a body that cannot be read

Laws: an `except` for an error of the operations catches the error of a service too; no error refers
to the API key or to an object of the transport.
"""

from collections.abc import Iterable
from typing import Any, Self, cast

from rentbilling import InvalidInputError, Problem, RentBillingError
from rentbilling.errors import ConflictError, NotAllowedError, NotFoundError


class ServiceError(RentBillingError):
    """A call to a service failed.

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
        # Not `super()`: the next class of a subclass takes problems alone.
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
        """Status of the answer; None without an answer."""
        return cast("int | None", self.facts["status"])

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that is wrong with the request, each with its path, as the service says it."""
        return cast("tuple[Problem, ...]", self.facts["problems"])

    @property
    def request_id(self) -> str | None:
        """The service's id of the call, for questions to its operator."""
        return cast("str | None", self.facts["request_id"])

    def __str__(self) -> str:
        facts = self.facts
        asked = f"{facts['asked']}: " if facts["asked"] else ""
        came = f"the service answered {self.status}" if self.status else "no answer"
        known = self.code if self.request_id is None else f"{self.code}; request {self.request_id}"
        problems = [*map(str, self.problems)]
        detail = str(facts["detail"])
        # Some services repeat their first problem in the detail.
        is_new = detail and not (problems and problems[0] in detail)
        said = f", {detail}" if is_new else ""
        return "\n".join((f"{asked}{came}{said} ({known})", *problems))


class InvalidRequestError(ServiceError, InvalidInputError):
    """The request is not valid for the service: 400, 413, 414, 415 or 422.

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
        found = tuple(problems)
        InvalidInputError(found)
        ServiceError.__init__(self, code or found[0].code, status=status, problems=found, **known)

    def under(self, prefix: str) -> Self:
        """Return the same error with every path set below `prefix`."""
        return type(self)(**self._known([each.under(prefix) for each in self.problems]))

    def within(self, prefix: str) -> Self:
        """Return the same error with every path relative to `prefix`."""
        inside = InvalidInputError(self.problems).within(prefix)
        return type(self)(**self._known(inside.problems))

    def _known(self, problems: Iterable[Problem]) -> dict[str, Any]:
        return {**self.facts, "code": self.code, "problems": problems}


class RequestNotAllowedError(ServiceError, NotAllowedError):
    """The service does not know the key (401), or the key lacks a right (403)."""


class ObjectNotFoundError(ServiceError, NotFoundError):
    """The service has no object of this id, or no such address: 404."""


class StateConflictError(ServiceError, ConflictError):
    """The state of an object, or a fact that the service lacks, forbids the request: 409."""


class ServiceUnavailableError(ServiceError):
    """The service cannot answer now, even after the retries: 408, 429 or 5xx."""

    @property
    def may_be_done(self) -> bool:
        """Whether the change may have been made: send it again with its key, or check before."""
        return bool(self.facts.get("may_be_done"))

    @property
    def retry_after(self) -> float | None:
        """Seconds after which the service can be called again; None where it does not say."""
        return cast("float | None", self.facts.get("retry_after"))


class NoAnswerError(ServiceUnavailableError):
    """There is no answer: no connection, a broken one, or none within the time.

    Its code is `not_connected`, `tls_refused`, `timed_out` or `connection_broken`.
    """


class UnreadableAnswerError(ServiceError):
    """An answer that the interface does not have: another page, half a page, the same page again.

    Its code is `unreadable_answer`, `answer_too_long`, `redirected`, `repeated_page` or
    `no_cursor`. The call may have been a success.
    """
