"""API keys: their texts, their stored digests, and their rights.

Laws: only a digest of a key is stored, never its text; an unknown key, one with another secret, a
revoked one and one that has expired take the same steps and get the same answer (A45).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from rentbilling.errors import InvalidRecordError, Problem, UnknownWordError, shown
from rentbilling.interface import ENDPOINTS, RESOURCES

_A_KEY: Final = re.compile(r"rent_([A-Za-z0-9]{1,40})_([A-Za-z0-9_-]{32,200})")
"""Letters, digits, - and _ alone, so that a key is copied with one click and needs no escapes."""
_NO_DIGEST: Final = "0" * 64
"""Compared with where no key has the id; the digest of no known text."""
_MOST_CHARACTERS: Final = 100
"""Characters of an owner, and of a name."""


class StoredKey(NamedTuple):
    """An API key as it is stored: everything but its text."""

    key_id: str
    """The part of its text that names it; no secret."""
    owner: str
    """The owner whose data it opens, and no other's (A45)."""
    name: str
    """What it is for, in its owner's words."""
    rights: frozenset[str]
    """What it allows, such as `leases:read`."""
    digest: str
    """SHA-256 of its whole text, in hexadecimal digits."""
    created: datetime
    """When it was made, with its offset."""
    revoked: datetime | None = None
    """When it was revoked, with its offset; absent: it is not."""
    expires: datetime | None = None
    """From when on it opens nothing, with its offset; absent: until it is revoked."""

    def is_open(self, moment: datetime | None) -> bool:
        """Return whether it opens its owner's data at a moment.

        A key that expires opens nothing where the moment is not known (A112).
        """
        is_over = self.expires is not None and (moment is None or moment >= self.expires)
        return self.revoked is None and not is_over


class KeyRing(Protocol):
    """A store of keys.

    An embedder's own has these four methods; `tests/adapters/stores` in the sources tries any.
    """

    def add(self, key: StoredKey) -> None:
        """Add a new key.

        Raises:
            ConflictError: `duplicate_id`: there is a key with this id, revoked or not.
        """
        ...

    def find(self, key_id: str) -> StoredKey | None:
        """Return the key with an id, also a revoked one; None where there is none."""
        ...

    def revoke(self, key_id: str, moment: datetime) -> None:
        """Revoke a key: it opens nothing from now on; a revoked one stays as it is.

        Raises:
            NotFoundError: `unknown_id`: there is no key with this id.
        """
        ...

    def listed(self, owner: str | None = None) -> Sequence[StoredKey]:
        """Return all keys, or those of an owner, oldest first; revoked ones too."""
        ...


def _rights() -> Mapping[str, tuple[str, ...]]:
    single = sorted({right for each in ENDPOINTS.values() for right in each.rights})
    words: dict[str, tuple[str, ...]] = {right: (right,) for right in single}
    for ending in ("read", "write"):
        words[f"*:{ending}"] = tuple(each for each in single if each.endswith(f":{ending}"))
    for resource in RESOURCES:
        words[f"{resource}:*"] = tuple(each for each in single if each.startswith(f"{resource}:"))
    words["*"] = tuple(single)
    return MappingProxyType(words)


RIGHTS: Final = _rights()
"""What a key may be given: the words for rights, each with the rights that it means."""


def rights_of(words: Iterable[str]) -> frozenset[str]:
    """Return the rights that some words mean.

    Raises:
        UnknownWordError: A word is not known; each problem says which are.
        InvalidRecordError: There is no word at all.

    Examples:
        >>> sorted(rights_of(["leases:*", "products:read"]))
        ['leases:read', 'leases:write', 'products:read']
        >>> rights_of(["lease:read"])
        Traceback (most recent call last):
        rentbilling.errors.UnknownWordError: rights[0]: is not a known right (met 'lease:read'; \
expected *, or RESOURCE:read, RESOURCE:write or RESOURCE:*, where RESOURCE is * or one of \
audit-records, leases, one-time-bill-items, payouts, pending-bills, products, \
recurring-bill-items, rent-adjustment-plans, tenancies)
    """
    if isinstance(words, str):
        words = (words,)
    given = tuple(words)
    expected = (
        "*, or RESOURCE:read, RESOURCE:write or RESOURCE:*, where RESOURCE is * or one of "
        + ", ".join(RESOURCES)
    )
    unknown = [
        Problem(f"rights[{at}]", "unknown_right", "is not a known right", shown(word), expected)
        for at, word in enumerate(given)
        if word not in RIGHTS
    ]
    if unknown:
        raise UnknownWordError(unknown)
    if not given:
        said = "are none, so that the key would open nothing"
        raise InvalidRecordError.of("rights", "missing", said, given, expected)
    return frozenset(right for word in given for right in RIGHTS[word])


def key_text(key_id: str, secret: str) -> str:
    """Return the text of a key, which its owner keeps and sends with every call.

    Raises:
        InvalidRecordError: One of them is too short, too long, or has other characters.

    Examples:
        >>> key_text("k7f3", "0123456789abcdef0123456789abcdef")
        'rent_k7f3_0123456789abcdef0123456789abcdef'
    """
    text = f"rent_{key_id}_{secret}"
    found = _A_KEY.fullmatch(text)
    # An id with an underscore would be read as a shorter one.
    if found is None or found[1] != key_id:
        # The problem is stated without the value, which is a secret.
        said = "is made of an id and a secret that no key can have"
        expected = (
            "an id of 1 to 40 letters and digits, a secret of 32 to 200 letters, digits, -, _"
        )
        raise InvalidRecordError((Problem("key", "not_a_key", said, "a secret", expected),))
    return text


def stored_key(
    text: str,
    *,
    owner: str,
    name: str,
    rights: Iterable[str],
    created: datetime,
    expires: datetime | None = None,
) -> StoredKey:
    """Return a new key as it is stored.

    Raises:
        InvalidInputError: Something is wrong.
        TypeError: A moment has no offset.

    Examples:
        >>> from datetime import UTC
        >>> stored = stored_key(key_text("k7f3", "0123456789abcdef0123456789abcdef"), owner="acme",
        ...     name="nightly", rights=["leases:read"], created=datetime(2026, 1, 31, tzinfo=UTC))
        >>> stored.key_id, stored.owner, stored.digest[:8]
        ('k7f3', 'acme', 'e7d53ab3')
    """
    for moment in (created, expires or created):
        if moment.tzinfo is None:
            raise TypeError(f"a moment has an offset, which {shown(moment)} has not")
    found = _A_KEY.fullmatch(text)
    problems = [*_text_problems("owner", owner, least=1), *_text_problems("name", name, least=0)]
    if found is None:
        expected = "the text that key_text made"
        problems.append(Problem("key", "not_a_key", "is no key", "a secret", expected))
    if expires is not None and expires <= created:
        said = "is not after the moment at which the key is made"
        problems.append(Problem("expires", "out_of_range", said, shown(expires), "a later one"))
    if problems or found is None:
        raise InvalidRecordError(problems)
    digest = _digest(text)
    return StoredKey(found[1], owner, name, rights_of(rights), digest, created, expires=expires)


def key_of(text: str, keys: KeyRing, moment: datetime | None = None) -> StoredKey | None:
    """Return the key that a text is at a moment; None for one that opens nothing.

    Whatever is wrong with it, a digest is made and compared in constant time, so that neither the
    answer nor its time shows which ids exist.
    """
    found = _A_KEY.fullmatch(text)
    stored = keys.find(found[1]) if found else None
    is_same = compare_digest(_digest(text), stored.digest if stored else _NO_DIGEST)
    return stored if stored and is_same and stored.is_open(moment) else None


def may_be_key(text: str) -> bool:
    """Return whether a text has the form of a key; any other opens nothing.

    Examples:
        >>> may_be_key("Bearer rent_k7f3_0123456789abcdef0123456789abcdef")
        False
    """
    return _A_KEY.fullmatch(text) is not None


def _digest(text: str) -> str:
    """Return the digest of a key.

    A plain one is enough: no list holds secrets of 32 random characters.
    """
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text_problems(path: str, text: object, *, least: int) -> Iterable[Problem]:
    expected = f"{least} to {_MOST_CHARACTERS} printable characters"
    if not isinstance(text, str):
        yield Problem(path, "not_a_text", "is not a text", shown(text), expected)
    elif not least <= len(text) <= _MOST_CHARACTERS:
        yield Problem(path, "out_of_range", "is too short or too long", shown(text), expected)
    elif least and not text.strip(" "):
        # A blank owner could be taken for none.
        yield Problem(path, "empty_text", "is blank", shown(text), f"{expected}, not blanks alone")
    elif not text.isprintable():
        yield Problem(path, "not_printable", "has a control character", shown(text), expected)
