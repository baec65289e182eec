"""Keys and rights: what opens something, what does not, and that no secret is kept (A45)."""

import hmac
import pickle
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest

from rentbilling.adapters.stores import MemoryKeys
from rentbilling.errors import InvalidInputError, InvalidRecordError, UnknownWordError
from rentbilling.interface import ENDPOINTS, RESOURCES
from rentbilling.service import RIGHTS, StoredKey, key_of, key_text, keys as access, stored_key
from rentbilling.service.keys import rights_of
from tests.support.refusals import faults
from tests.support.rows import rows

DRAWN = "0123456789abcdef_-0123456789ABCDEF"
MOMENT = datetime(2026, 1, 31, tzinfo=UTC)
TEXT = key_text("k1", DRAWN)


def kept(text: str = TEXT, **changes: Any) -> StoredKey:  # noqa: ANN401
    given = {"owner": "acme", "name": "nightly", "rights": ["*"], "created": MOMENT, **changes}
    return stored_key(text, **given)


class Asked:
    """Keys that remember what they were asked for."""

    def __init__(self, *keys: StoredKey) -> None:
        self.asked: list[str] = []
        self._keys = {each.key_id: each for each in keys}

    def find(self, key_id: str) -> StoredKey | None:
        self.asked.append(key_id)
        return self._keys.get(key_id)

    def add(self, key: StoredKey) -> None:
        raise AssertionError(key)

    def revoke(self, key_id: str, moment: datetime) -> None:
        raise AssertionError(key_id, moment)

    def listed(self, owner: str | None = None) -> Sequence[StoredKey]:
        raise AssertionError(owner)


class TestRights:
    """A key has single rights; words stand for several of them."""

    def test_there_is_a_right_for_what_an_endpoint_needs_and_for_nothing_else(self) -> None:
        """Pending bills are only read, so that nobody is given a right to write them."""
        needed = {right for each in ENDPOINTS.values() for right in each.rights}

        assert needed == rights_of(["*"])
        assert needed == {word for word, rights in RIGHTS.items() if rights == (word,)}
        assert "pending-bills:write" not in RIGHTS
        assert {"pending-bills:read"} == rights_of(["pending-bills:*"])

    def test_an_operation_on_several_resources_needs_a_right_for_each(self) -> None:
        several = {name: each.rights for name, each in ENDPOINTS.items() if len(each.rights) > 1}

        assert {
            "archive_tenancy": ("tenancies:write", "leases:write"),
            "retrieve_lease_terms": (
                "leases:read",
                "recurring-bill-items:read",
                "one-time-bill-items:read",
                "rent-adjustment-plans:read",
            ),
        } == several
        assert {each for rights in several.values() for each in rights} <= rights_of(["*"])

    def test_a_star_stands_for_every_resource_or_both_rights(self) -> None:
        assert {f"{each}:read" for each in RESOURCES} == rights_of(["*:read"])
        assert rights_of(["*"]) == rights_of(["*:read", "*:write"])
        assert {"leases:read", "leases:write"} == rights_of(["leases:*"])
        assert rights_of(["*"]) - rights_of(["*:read"]) == rights_of(["*:write"])

    def test_words_are_joined_and_a_single_one_may_stand_alone(self) -> None:
        assert {"leases:read"} == rights_of("leases:read")
        assert {"leases:read", "payouts:read"} == rights_of(
            ["payouts:read", "leases:read", "leases:read"]
        )

    @rows("word", ["lease:read", "leases", "leases:delete", "", "*:*:*", "Leases:read", " *"])
    def test_an_unknown_word_is_refused_with_those_that_are_known(self, word: str) -> None:
        found = faults(
            lambda: rights_of(["leases:read", word, "x"]), UnknownWordError, "path code expected"
        )

        assert [("rights[1]", "unknown_right"), ("rights[2]", "unknown_right")] == [
            each[:2] for each in found
        ]
        assert all(resource in found[0][2] for resource in RESOURCES)

    def test_a_key_without_rights_is_refused(self) -> None:
        with pytest.raises(InvalidRecordError, match="would open nothing"):
            rights_of([])


class TestTexts:
    """The text of a key has its id and a secret that nobody guesses."""

    def test_a_text_is_read_back_into_its_parts(self) -> None:
        assert f"rent_k1_{DRAWN}" == TEXT
        assert "k1" == kept().key_id

    @rows(
        ("key_id", "secret"),
        [
            ("", DRAWN),
            ("k_1", DRAWN),
            ("k-1", DRAWN),
            ("é", DRAWN),
            ("k" * 41, DRAWN),
            ("k1", ""),
            ("k1", "short"),
            ("k1", "x" * 31),
            ("k1", "x" * 201),
            ("k1", f"{DRAWN} "),
            ("k1", f"{DRAWN}\n"),
            ("k1", f"{DRAWN}é"),
        ],
    )
    def test_parts_that_make_no_key_are_refused_without_being_shown(
        self, key_id: str, secret: str
    ) -> None:
        """Fewer than 32 characters could be guessed; an id with an underscore would be another."""
        with pytest.raises(InvalidRecordError) as refused:
            key_text(key_id, secret)

        assert ["not_a_key"] == [each.code for each in refused.value.problems]
        assert not secret or secret not in str(refused.value)

    @rows("key_id", ["k", "k" * 40])
    @rows("secret", ["x" * 32, "x" * 200])
    def test_the_longest_and_shortest_parts_make_a_key(self, key_id: str, secret: str) -> None:
        """1 to 40 characters, and 32 to 200."""
        assert key_id == kept(key_text(key_id, secret)).key_id

    def test_a_digest_is_kept_and_no_part_of_the_secret(self) -> None:
        """SHA-256 of the whole text; neither the record nor its pickle has the secret."""
        key = kept()

        assert sha256(TEXT.encode()).hexdigest() == key.digest
        assert DRAWN not in repr(key)
        assert DRAWN.encode() not in pickle.dumps(key)

    def test_everything_that_is_wrong_with_a_new_key_is_told_at_once(self) -> None:
        with pytest.raises(InvalidInputError) as refused:
            kept("rent_k1_secret", owner="", name="n" * 101)

        assert [("owner", "out_of_range"), ("name", "out_of_range"), ("key", "not_a_key")] == [
            (each.path, each.code) for each in refused.value.problems
        ]
        assert "rent_k1" not in str(refused.value)

    @rows(
        ("owner", "code"),
        [
            ("a\0", "not_printable"),
            ("a\n", "not_printable"),
            ("\ud800", "not_printable"),
            ("a" * 101, "out_of_range"),
            (7, "not_a_text"),
            (None, "not_a_text"),
            (" ", "empty_text"),
            ("   ", "empty_text"),
        ],
    )
    def test_an_owner_is_a_short_printable_text(self, owner: Any, code: str) -> None:  # noqa: ANN401
        assert [("owner", code)] == faults(lambda: kept(owner=owner), InvalidRecordError)

    def test_a_name_may_be_empty_and_an_owner_may_be_anybody(self) -> None:
        assert ("京" * 100, "") == kept(owner="京" * 100, name="")[1:3]
        assert ("a b", "  ") == kept(owner="a b", name="  ")[1:3]

    def test_a_key_expires_after_it_was_made(self) -> None:
        for expires in (MOMENT, MOMENT - timedelta(seconds=1)):
            with pytest.raises(InvalidRecordError, match="expires: is not after the moment"):
                stored_key(
                    TEXT, owner="acme", name="", rights=["*"], created=MOMENT, expires=expires
                )

    def test_a_moment_without_an_offset_is_refused(self) -> None:
        with pytest.raises(TypeError, match="a moment has an offset"):
            kept(created=datetime(2026, 1, 31))  # noqa: DTZ001


class TestOpening:
    """Whatever does not open anything is answered alike (A45)."""

    def test_a_key_is_found_by_its_text(self) -> None:
        keys = MemoryKeys()
        other = kept(key_text("k2", DRAWN), owner="other")
        keys.add(kept())
        keys.add(other)

        assert kept() == key_of(TEXT, keys)
        assert other == key_of(key_text("k2", DRAWN), keys)

    @rows(
        "text",
        [
            "",
            "rent_k1_",
            "rent_k1",
            f"rent_k9_{DRAWN}",
            f"rent_K1_{DRAWN}",
            f"rent_k1_{DRAWN.upper()}",
            f"rent_k1_{DRAWN}x",
            f"rent_k1_{DRAWN[:-1]}",
            f" {TEXT}",
            f"{TEXT}\n",
            f"{TEXT}\0",
            f"Bearer {TEXT}",
            f"{TEXT}, {TEXT}",
            "\ud800",
            "é" * 40,
            "rent_k1_" + "x" * 1_000_000,
        ],
    )
    def test_a_text_that_is_no_key_of_ours_opens_nothing(self, text: str) -> None:
        assert key_of(text, Asked(kept())) is None

    def test_a_revoked_key_opens_nothing(self) -> None:
        revoked = kept()._replace(revoked=MOMENT + timedelta(days=1))

        assert key_of(TEXT, Asked(revoked)) is None

    @pytest.mark.parametrize(
        "text",
        [TEXT, key_text("k1", DRAWN[::-1]), key_text("k9", DRAWN), "no key", ""],
        ids=["right", "other secret", "unknown id", "no key", "nothing"],
    )
    def test_a_digest_is_compared_in_constant_time_whatever_is_wrong(
        self, text: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Once, with 64 hexadecimal digits on both sides: an unknown id takes as long as any."""
        compared: list[tuple[str, str]] = []
        compare = hmac.compare_digest

        def counted(one: str, other: str) -> bool:
            compared.append((one, other))
            return compare(one, other)

        monkeypatch.setattr(access, "compare_digest", counted)
        key_of(text, Asked(kept()))

        assert [(64, 64)] == [(len(one), len(other)) for one, other in compared]
        assert sha256(text.encode()).hexdigest() == compared[0][0]

    def test_a_store_is_asked_once_and_only_for_ids_that_a_key_can_have(self) -> None:
        keys = Asked(kept())
        for text in (TEXT, "rent_\0_x", "", f"rent_{'k' * 41}_{DRAWN}", key_text("k9", DRAWN)):
            key_of(text, keys)

        assert ["k1", "k9"] == keys.asked
