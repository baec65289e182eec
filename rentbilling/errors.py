"""Errors: every way in which a call can be refused.

    RentBillingError
    ├── InvalidInputError (also ValueError)       this can never be billed as given; see .problems
    │   ├── InvalidRecordError                    problems of several kinds, or of a record's shape
    │   ├── InvalidPeriodError                    a date or a period
    │   ├── InvalidAmountError                    an amount or a number
    │   ├── CurrencyMismatchError                 two currencies where one is needed
    │   ├── InvalidCycleError                     a billing cycle
    │   │   └── UnknownTimeUnitError (also UnknownWordError)
    │   ├── InvalidDueDateRuleError               a due date rule
    │   ├── InvalidDiscountError                  a discount
    │   ├── InvalidVatError                       a tax mode or a tax rate
    │   │   └── UnknownTaxModeError (also UnknownWordError)
    │   ├── InvalidPolicyError                    a billing policy
    │   └── InvalidAdjustmentRuleError            a rent adjustment rule
    ├── MissingFactError (also LookupError)       a fact is needed that was not passed
    │   ├── MissingIndexError                     an index value (series, month)
    │   └── UnknownWordError (also InvalidInputError)   a word or code that is not in a known list
    ├── NotFoundError                             no object has this id (operations; A46)
    ├── ConflictError                             the state of an object forbids it (operations)
    ├── NotAllowedError                           a key has no right to it
    ├── UnsupportedCaseError                      meaningful, but outside the limits page
    ├── StoreError                                the store failed; see `stores`
    │   └── StoreUnavailableError                 … or cannot be reached, or is busy
    └── ServiceError                              a call to a service; see `adapters.client`

Law: an error is data: a stable code and facts, which compare and pickle, and of which the message
is made.
"""

import re
import unicodedata
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from types import MappingProxyType
from typing import Final, NamedTuple, Self, cast

# Controls, surrogates and line separators; then the characters that set the direction of writing.
_UNSHOWN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Problem(NamedTuple):
    """One problem of the input.

    Examples:
        >>> print(Problem("discount.percentage", "out_of_range", "is above 1", "25", "0.25"))
        discount.percentage: is above 1 (met 25; expected 0.25)
    """

    path: str
    """The path of the value, in the caller's own spelling; empty for the input itself."""
    code: str
    """A stable word for the problem."""
    message: str
    """The problem as a sentence without the path."""
    met: str
    """The actual value, shortened."""
    expected: str
    """A description of right values."""

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}{self.message} (met {self.met}; expected {self.expected})"

    def under(self, prefix: str) -> "Problem":
        """Return the same problem with its path set below `prefix`."""
        if not self.path or not prefix:
            return self._replace(path=prefix or self.path)
        joint = "" if self.path.startswith("[") else "."
        return self._replace(path=f"{prefix}{joint}{self.path}")


_SHOWN = 60


def printable(text: str) -> str:
    r"""Return a text as one line that is safe in a terminal: controls are written as escapes.

    Examples:
        >>> print(printable("Rent\x1b[31m, Nørregade"))
        Rent\x1b[31m, Nørregade
    """
    if text.isprintable():
        return text
    return "".join(_escaped(each) if _moves(each) else each for each in text)


def _moves(each: str) -> bool:
    """Return whether a character would move, colour or reorder the text around it."""
    return each in _TURNING or unicodedata.category(each) in _UNSHOWN


def _escaped(each: str) -> str:
    return each.encode("unicode_escape").decode("ascii")


def check_progress(progress: object) -> None:
    """Refuse a `progress=` that is no function, and say what to pass.

    Raises:
        TypeError: It is neither None nor a function.

    Examples:
        >>> check_progress(None)
    """
    if progress is not None and not callable(progress):
        right = "progress_bar() of rentbilling.adapters.progress, or a function of (done, total)"
        raise TypeError(f"progress= takes {right}, not {shown(progress)}")


def shown(value: object) -> str:
    """Return a value as it is quoted in an error: at most 60 characters of its repr, or its type.

    Examples:
        >>> shown("2026-13-01")
        "'2026-13-01'"
    """
    text = ""
    for piece in _pieces(value):
        text += piece
        if len(text) > _SHOWN:
            return f"{text[: _SHOWN - 1]}…"
    return text


def _pieces(value: object) -> Iterator[str]:
    """Give the repr of a value in pieces, so that no more is computed than is shown."""
    kind = type(value)
    if kind is dict:
        yield "{"
        for at, (key, each) in enumerate(cast("dict[object, object]", value).items()):
            yield from (", ",) if at else ()
            yield from _pieces(key)
            yield ": "
            yield from _pieces(each)
        yield "}"
    elif kind is list or kind is tuple:
        inside = cast("list[object] | tuple[object, ...]", value)
        yield "[" if kind is list else "("
        for at, each in enumerate(inside):
            yield from (", ",) if at else ()
            yield from _pieces(each)
        yield "]" if kind is list else ",)" if len(inside) == 1 else ")"
    else:
        yield _plain(value)


def _plain(value: object) -> str:
    try:
        if isinstance(value, int) and not -(10**_SHOWN) < value < 10**_SHOWN:
            return f"an integer of about {value.bit_length() * 3 // 10} digits"
        if isinstance(value, Decimal):
            # By its own format, because a caller's context would decide how an exponent is written.
            return f"{value:G}"
        return repr(value[:_SHOWN] if isinstance(value, (str, bytes, bytearray)) else value)
    except Exception:  # noqa: BLE001 - what a caller's own type raises is not what is wrong
        return f"<{type(value).__name__}>"


_SENTENCES: Final = MappingProxyType(
    {
        "amount_needed": "the plan {plan} alone has no amount: pass the monthly one, amount=",
        "amount_too_large": "not supported: {case}",
        "start_needed": "rule {rule} of {plan} counts from the start of a lease: pass lease terms",
        "base_rent_needed": "no base rents are stated: state them, or pass the lease",
        "no_base_rent": "the lease has no item of {product_key}: pass another product, of=",
        "vat_unknown": "the VAT is unknown: pass it, vat=",
        "start_unknown": "it is unknown when the lease begins: pass the first day, start=",
        "missing_term": "it is unknown from when to when rents of {lease} are income: pass the"
        " days, term=",
        "no_adjustment": "no plan of {item} lists an adjustment",
        "unknown_item": "no item or balance has the id {item} (known: {known})",
        "missing_anchor": "the cycle counts from the opening period: pass its last day, after=",
        "missing_cycle": "a due date this far in arrears needs the billing cycle: pass it, cycle=",
        "missing_index": "the series {series} has no value at {at}, and rule {rule} of plan {plan}"
        " needs it for the adjustment on {adjusted_on}: add the value to"
        ' the series of indices=, or bill on without it: BillingPolicy(missing_index="notice"), in'
        ' JSON "missingIndex": "notice"',
        "missing_series": "the series {series} was not passed (passed: {passed}), and rule {rule}"
        " of plan {plan} needs it for the adjustment on {adjusted_on}: pass it as one of"
        " indices=",
        "no_known_index": "no value of the series {series} is said to be published by {at}, and"
        " rule {rule} of plan {plan} needs one for the adjustment on {adjusted_on}: state the days"
        " of publication",
        "no_rent": "a balance of so many months of rent needs the rent, and no item has the product"
        " {product_key}",
        "unknown_id": "there is no {kind} with the id {id}",
        "duplicate_id": "there is a {kind} with the id {id} already",
        "unknown_product": "there is no product with the key {product_key}",
        "duplicate_product": "there is a product with the key {product_key} already",
        "no_advance_item": "the lease has no item of {product_key}, or several, that is billed on"
        " {start} by months, for one unit, with the VAT of the statement on top",
        "active_lease": "the lease {lease} is active: it ends before it is archived",
        "archived_lease": "the lease {lease} is archived, and nothing of it changes any more",
        "archived_tenancy": "the tenancy {tenancy} is archived, and nothing of it changes any more",
        "wrong_state": "the lease {lease} is {state}, and does not become {wanted} from there",
        "too_many_items": "the lease {lease} has {most} items, and a lease has no more",
        "too_many_lines": "the answer would have {lines} lines, and policy.max_lines is {most}",
        "unsupported": "not supported: {case}",
    }
)
"""Messages by code, with places for the facts."""


class RentBillingError(Exception):
    """Anything this library refuses; catch it to catch all of them.

    Examples:
        >>> raise UnsupportedCaseError("unsupported", case="a bill in the year 10000")
        Traceback (most recent call last):
        rentbilling.errors.UnsupportedCaseError: not supported: a bill in the year 10000
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts: dict[str, object] = facts

    def __str__(self) -> str:
        sentence = _SENTENCES.get(self.code)
        if sentence is not None:
            try:
                return sentence.format_map(self.facts)
            except KeyError:
                pass
        said = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return f"{self.code}: {said}" if said else self.code

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.code, self.facts)

    def __eq__(self, other: object) -> bool:
        """Errors of one class with the same code and facts are equal."""
        if type(other) is not type(self):
            return NotImplemented
        return (self.code, self.facts) == (other.code, other.facts)

    def __hash__(self) -> int:
        return hash((type(self), self.code))


def _again(kind: type[RentBillingError], code: str, facts: Mapping[str, object]) -> object:
    error = kind.__new__(kind)
    RentBillingError.__init__(error, code, **facts)
    return error


class InvalidInputError(RentBillingError, ValueError):
    """The input can never be billed as it is.

    Examples:
        >>> error = InvalidVatError.of("taxRate", "out_of_range", "is above 1", 25, "0.25 for 25 %")
        >>> error.problems[0].path
        'taxRate'
        >>> print(error)
        taxRate: is above 1 (met 25; expected 0.25 for 25 %)
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Take every problem found, in order; at least one.

        Raises:
            TypeError: There is none, or something else among them.
        """
        found = tuple(problems)
        if not found or not all(isinstance(each, Problem) for each in found):
            raise TypeError(f"an error has problems, at least one, not {shown(found)}")
        super().__init__(found[0].code, problems=found)

    @classmethod
    def of(cls, path: str, code: str, message: str, met: object, expected: str) -> Self:
        """Return an error with one problem; `met` is the actual value, which is quoted."""
        return cls((Problem(path, code, message, shown(met), expected),))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, each with path, code, message, actual value and expected values."""
        return cast("tuple[Problem, ...]", self.facts["problems"])

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)

    def under(self, prefix: str) -> Self:
        """Return the same error with every path set below `prefix`."""
        return type(self)(problem.under(prefix) for problem in self.problems)

    def within(self, prefix: str) -> Self:
        """Return the same error with every path as it is seen from inside `prefix`."""
        inside = ((each, each.path.removeprefix(prefix)) for each in self.problems)
        return type(self)(each._replace(path=path.lstrip(".")) for each, path in inside)


class InvalidRecordError(InvalidInputError):
    """A record whose fields are missing, unknown, of another type, or wrong in several ways."""


class InvalidPeriodError(InvalidInputError):
    """A date or a period that cannot be read or is reversed (A4, A58)."""


class InvalidAmountError(InvalidInputError):
    """An amount or a number that is not exact, not finite or too long (A1)."""


class CurrencyMismatchError(InvalidInputError):
    """Two currencies where one is needed (A2)."""


def other_currency(path: str, met: str, wanted: str) -> CurrencyMismatchError:
    """Return the error of an amount in another currency."""
    said = "is another currency"
    return CurrencyMismatchError.of(path, "currency_mismatch", said, met, wanted)


_A_FILE: Final = re.compile(r"[^\s{}\[\]\",][^{}\[\]\"\n]{0,200}\.[A-Za-z]{1,5}")


def refuse_file_name(text: object, form: str, code: str = "unreadable") -> None:
    """Refuse the name of a file where the text of the file is read: JSON, CSV or TOML.

    Raises:
        InvalidRecordError: It is the name of a file.

    Examples:
        >>> refuse_file_name("2021-04;104.8", "CSV")
        >>> refuse_file_name("npi.csv", "CSV")
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: is the name of a file and not CSV (met 'npi.csv'; \
expected its text: Path('npi.csv').read_text(encoding="utf-8"))
    """
    if isinstance(text, str) and _A_FILE.fullmatch(text):
        right = f'its text: Path({text!r}).read_text(encoding="utf-8")'
        raise InvalidRecordError.of("", code, f"is the name of a file and not {form}", text, right)


NOT_BILLS: Final = "not_bills"
"""The code for input without bills."""


def no_bills(path: str, given: object, expected: str) -> InvalidRecordError:
    """Return the error of a source without bills."""
    return InvalidRecordError.of(path, NOT_BILLS, "contains no bills", given, expected)


class InvalidCycleError(InvalidInputError):
    """A billing cycle that gives no periods (A7-A9)."""


class InvalidDueDateRuleError(InvalidInputError):
    """A due date rule that names no day (A10)."""


class InvalidDiscountError(InvalidInputError):
    """A discount with both or neither of amount and percentage, or out of range (A22)."""


class InvalidVatError(InvalidInputError):
    """A tax mode that is unknown or a tax rate that is missing or out of range (A27, A28)."""


class InvalidPolicyError(InvalidInputError):
    """A billing policy whose fields contradict themselves or are not known words."""


class InvalidAdjustmentRuleError(InvalidInputError):
    """A rent adjustment rule that cannot be followed."""


class MissingFactError(RentBillingError, LookupError):
    """A fact is needed that was not passed; its facts name it."""


class MissingIndexError(MissingFactError):
    """An index value is needed that the series does not hold."""


class UnknownWordError(InvalidInputError, MissingFactError):
    """A word or code outside the known list; the problem says which are known."""


NOT_KNOWN: Final = "is not a known word"


def check_word(
    name: str, word: object, known: Iterable[str], said: str = NOT_KNOWN, expected: str = ""
) -> None:
    """Refuse what is none of some words, by its name; `expected` says them another way.

    Raises:
        UnknownWordError: It is none of them.
    """
    words = tuple(known)
    if word not in words:
        wanted = expected or f"one of {', '.join(words)}"
        raise UnknownWordError.of(name, "unknown_word", said, word, wanted)


class UnknownTimeUnitError(InvalidCycleError, UnknownWordError):
    """A time unit outside the known list (A7)."""


class UnknownTaxModeError(InvalidVatError, UnknownWordError):
    """A tax mode outside the known list (A27)."""


class NotFoundError(RentBillingError):
    """No object has this id (A46)."""


class ConflictError(RentBillingError):
    """The state of an object forbids the request (A46)."""


class NotAllowedError(RentBillingError):
    """The caller has no right to the request."""


class UnsupportedCaseError(RentBillingError):
    """Meaningful, but outside the limits page; its facts name the case."""


@contextmanager
def paths_under(prefix: str) -> Generator[None, None, None]:
    """Set the paths of what is refused inside below a prefix.

    Raises:
        InvalidInputError: Something is refused.

    Examples:
        >>> with paths_under("seller"):
        ...     raise InvalidRecordError.of("name", "missing", "is required", None, "a text")
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: seller.name: is required (met None; expected a text)
    """
    try:
        yield
    except InvalidInputError as error:
        raise error.under(prefix) from None


class Refusals:
    """The problems of parts that are read one after the other, refused together."""

    __slots__ = ("_kinds", "_most", "problems")

    def __init__(self, most: int | None = None) -> None:
        """Start without any; so many of them are refused at once."""
        self.problems: list[Problem] = []
        self._kinds: list[type[InvalidInputError]] = []
        self._most = most

    def add(self, error: InvalidInputError, path: str = "") -> None:
        """Note the problems of an error, which may be below a path."""
        self.problems += error.under(path).problems
        self._kinds.append(type(error))
        if self._most is not None and len(self.problems) >= self._most:
            self.finish()

    def finish(self) -> None:
        """Refuse all problems, if there are any.

        Raises:
            InvalidInputError: There are some.
        """
        if self.problems:
            raise error_of(self.problems, self._kinds)


def error_of(
    problems: Iterable[Problem], kinds: Iterable[type[InvalidInputError]]
) -> InvalidInputError:
    """Return one error for all problems: of their kind if they share one, else of the record."""
    wanted = set(kinds)
    kind = wanted.pop() if len(wanted) == 1 else InvalidRecordError
    return kind(problems)
