"""References that a tenant gives with a payment, so that it is found: their forms and check digits.

Laws: what is made is found right; where one digit is changed, it is found wrong.

============  =================================================  ===================================
kind          what the reference is made of                      check digits
============  =================================================  ===================================
`iso11649`    RF, the check, 1 to 21 letters and digits          ISO 11649: modulo 97, A as 10
`fi`          3 to 19 digits                                     weights 7, 3, 1 from the right
`se`          1 to 24 digits (Bankgiro OCR)                      modulo 10 (Luhn)
`no`          1 to 24 digits (KID)                               modulo 10 (Luhn)
`no_mod11`    1 to 24 digits (KID), where modulo 11 is agreed    weights 2 to 7; 10 is written `-`
`dk`          up to 14 digits, filled up (FIK, card type 71)     modulo 10 (Luhn)
`dk_75`       up to 15 digits, filled up (FIK, card type 75)     modulo 10 (Luhn)
`be`          up to 10 digits, filled up (structured, OGM-VCS)   modulo 97, 97 in place of 0
`ch`          up to 26 digits, filled up (QR reference)          modulo 10, recursive
============  =================================================  ===================================
"""

import re
from collections.abc import Callable
from itertools import cycle
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, get_args

from rentbilling.errors import InvalidRecordError, check_word

PaymentReference = Literal["iso11649", "fi", "se", "no", "no_mod11", "dk", "dk_75", "be", "ch"]
"""The kinds of payment references."""

_SEPARATORS: Final = re.compile(r"[\s./+*]")
"""What printed references have between their digits, such as +++090/9337/55493+++."""
_CARRIES: Final = (0, 9, 4, 6, 8, 2, 7, 1, 3, 5)
"""The table of the recursive modulo 10."""
_NO_DIGIT: Final = 10
"""The remainder of modulo 11 for which there is no digit."""


def _luhn(digits: str) -> str:
    doubled = (int(digit) * weight for digit, weight in zip(digits[::-1], cycle((2, 1))))
    return str(-sum(divided // 10 + divided % 10 for divided in doubled) % 10)


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits[::-1], cycle(weights)))


def _finnish(digits: str) -> str:
    return str(-_weighted(digits, (7, 3, 1)) % 10)


def _modulo_11(digits: str) -> str:
    rest = -_weighted(digits, (2, 3, 4, 5, 6, 7)) % 11
    return "-" if rest == _NO_DIGIT else str(rest)


def _belgian(digits: str) -> str:
    return f"{int(digits) % 97 or 97:02}"


def _recursive(digits: str) -> str:
    carry = 0
    for digit in digits:
        carry = _CARRIES[(carry + int(digit)) % 10]
    return str(-carry % 10)


_LONGEST: Final = 10**30


class _Form(NamedTuple):
    """How references of a kind are made."""

    check: Callable[[str], str]
    least: int
    most: int
    filled: bool = False
    """Whether zeros in front make it as long as it may be."""


_FORMS: Final = MappingProxyType(
    {
        "fi": _Form(_finnish, 3, 19),
        "se": _Form(_luhn, 1, 24),
        "no": _Form(_luhn, 1, 24),
        "no_mod11": _Form(_modulo_11, 1, 24),
        "dk": _Form(_luhn, 1, 14, filled=True),
        "dk_75": _Form(_luhn, 1, 15, filled=True),
        "be": _Form(_belgian, 1, 10, filled=True),
        "ch": _Form(_recursive, 1, 26, filled=True),
    }
)


def payment_reference(kind: PaymentReference, digits: str | int) -> str:
    """Return the reference of a payment in its compact form, with its check digits.

    Args:
        kind: Whose form it has, such as `iso11649` or `fi`; the table of this module has all.
        digits: What tells the payment from others, such as the lease and a running number; without
            check digits. Letters only for `iso11649`, small ones become capitals.

    Raises:
        UnknownWordError: The kind is not known.
        InvalidRecordError: Too few, too many, or other characters.

    Examples:
        >>> payment_reference("iso11649", "539007547034"), payment_reference("fi", 1234567)
        ('RF18539007547034', '12345672')
        >>> payment_reference("fi", "12")
        Traceback (most recent call last):
        rentbilling.errors.InvalidRecordError: digits: cannot be made a reference (met '12'; \
expected 3 to 19 digits)
    """
    _check_kind(kind)
    # A longer number is no reference, and may be too long to be a text.
    is_short = isinstance(digits, int) and 0 <= digits < _LONGEST
    text = _SEPARATORS.sub("", str(digits) if is_short or isinstance(digits, str) else "").upper()
    if kind == "iso11649":
        if not re.fullmatch(r"[0-9A-Z]{1,21}", text):
            raise _unusable(digits, "1 to 21 letters and digits")
        return f"RF{98 - int(_numeric(f'{text}RF00')) % 97:02}{text}"
    form = _FORMS[kind]
    if not re.fullmatch(rf"[0-9]{{{form.least},{form.most}}}", text):
        raise _unusable(digits, f"{form.least} to {form.most} digits")
    text = text.zfill(form.most) if form.filled else text
    return text + form.check(text)


def is_payment_reference(kind: PaymentReference, reference: str) -> bool:
    """Return whether a reference has the form and the check digits of its kind.

    Printed forms are read too: blanks, and the separators of Belgium.

    Raises:
        UnknownWordError: The kind is not known.

    Examples:
        >>> is_payment_reference("be", "+++090/9337/55493+++")
        True
        >>> is_payment_reference("iso11649", "RF19 5390 0754 7034")
        False
    """
    _check_kind(kind)
    text = _SEPARATORS.sub("", reference).upper()
    made_of = text[4:] if kind == "iso11649" else text[: -2 if kind == "be" else -1]
    try:
        return payment_reference(kind, made_of) == text
    except InvalidRecordError:
        return False


def _numeric(text: str) -> str:
    """Return letters and digits as digits alone, A as 10."""
    return "".join(str(int(character, 36)) for character in text)


def _check_kind(kind: object) -> None:
    check_word("kind", kind, get_args(PaymentReference), "is not a kind of payment reference")


def _unusable(digits: object, expected: str) -> InvalidRecordError:
    said = "cannot be made a reference"
    return InvalidRecordError.of("digits", "bad_reference", said, digits, expected)
