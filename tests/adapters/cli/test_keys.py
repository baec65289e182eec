"""The commands `keys`: the key alone on stdout, its digest alone in the database."""

import json
import re
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given, strategies as st
from rich.cells import cell_len

from tests.conformance.proving import proves
from tests.support.command_line import refused, run

if not find_spec("sqlalchemy"):
    pytest.skip("the extra sql is not installed", allow_module_level=True)

from rentbilling.adapters.cli.output.service.keys import rights_words
from rentbilling.adapters.stores import open_stores
from rentbilling.service import RIGHTS, StoredKey, key_of, key_text, stored_key
from rentbilling.service.keys import rights_of

SECRET = "0123456789abcdef0123456789abcdef"  # noqa: S105
NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("RENTBILLING_DATABASE", raising=False)
    return f"sqlite:///{tmp_path}/rent.sqlite"


def add(url: str, *options: str, owner: str = "acme") -> Result:
    return run("keys", "add", "--database", url, "--owner", owner, *options)


def opens(url: str, text: str) -> StoredKey | None:
    with open_stores(url) as stores:
        return key_of(text, stores.keys)


def with_keys(url: str) -> None:
    """Make a key of all rights and one that was revoked, at moments that are told."""
    with open_stores(url) as stores:
        for key_id, owner, name, rights, after in (
            ("k1", "acme", "nightly run", ["*"], 0),
            ("k2", "bolig", "", ["*:read", "leases:write"], 1),
        ):
            kept = stored_key(
                key_text(key_id, SECRET),
                owner=owner,
                name=name,
                rights=rights,
                created=NOON + timedelta(days=after),
            )
            stores.keys.add(kept)
        # Told by an offset of its own: half an hour after midnight at +01:00 is the day before.
        stores.keys.revoke("k2", datetime.fromisoformat("2026-02-03T00:30:00+01:00"))


@proves("Authentication 3")
def test_the_key_alone_is_printed(url: str) -> None:
    finished = add(url, "--name", "nightly run", "--right", "leases:read", "--right", "products:*")
    (text,) = finished.stdout.splitlines()
    kept = opens(url, text)

    assert 0 == finished.exit_code
    assert re.fullmatch(r"rent_[0-9a-f]{12}_[A-Za-z0-9_-]{43}", text)
    assert kept is not None
    assert ("acme", "nightly run") == (kept.owner, kept.name)
    assert {"leases:read", "products:read", "products:write"} == kept.rights
    assert (
        f"Key {kept.key_id} of acme, with the rights products:* leases:read. It is shown this once;"
        f" its digest is stored in SQLite file {url.removeprefix('sqlite:///')}.\n"
    ) == finished.stderr


def test_without_a_word_a_key_may_do_everything(url: str) -> None:
    finished = add(url)
    kept = opens(url, finished.stdout.strip())

    assert "with the rights *." in finished.stderr
    assert kept is not None
    assert rights_of(["*"]) == kept.rights


def test_every_key_is_another_one(url: str) -> None:
    texts = [add(url, owner=owner).stdout.strip() for owner in ("acme", "acme", "bolig")]
    kept = [opens(url, text) for text in texts]

    assert 3 == len(set(texts)) == len({each.key_id for each in kept if each})
    assert ["acme", "acme", "bolig"] == [each.owner for each in kept if each]


def test_no_file_holds_a_secret(url: str, tmp_path: Path) -> None:
    # A secret may have an underscore itself.
    secret = add(url).stdout.strip().split("_", 2)[2].encode()
    files = [path.read_bytes() for path in tmp_path.iterdir()]

    assert files
    assert [False] * len(files) == [secret in each for each in files]


@pytest.mark.parametrize(
    ("options", "option", "said"),
    [
        (("--right", "lease:read"), "--right", "'lease:read' is not a known right; write *, or"),
        (("--right", ""), "--right", "'' is not a known right"),
        (("--owner", ""), "--owner", "is too short or too long; write 1 to 100 printable"),
        (("--owner", "a" * 101), "--owner", "is too short or too long"),
        (("--owner", "   "), "--owner", "'   ' is blank; write 1 to 100 printable characters, not"),
        (("--name", "a\x1b[31m"), "--name", "has a control character"),
        (("--database", "memory:"), "--database", "what is in memory ends with this command"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_a_key_that_cannot_be_is_refused(
    url: str, tmp_path: Path, options: tuple[str, ...], option: str, said: str
) -> None:
    """Exit code 2 with the option's name, and no database is made."""
    told = refused(
        run("keys", "add", "--database", url, "--owner", "acme", *options, columns=400), 2
    )

    assert f"Invalid value for '{option}'" in told
    assert said in told
    assert [] == list(tmp_path.iterdir())


def test_an_owner_has_to_be_named(url: str) -> None:
    assert "Missing option '--owner'" in refused(run("keys", "add", "--database", url), 2)


def test_keys_are_listed(url: str) -> None:
    with_keys(url)
    finished = run("keys", "list", "--database", url, columns=100)

    assert (0, "") == (finished.exit_code, finished.stderr)
    assert [
        "id  owner  name         rights           created     ends",
        "─" * 63,
        "k1  acme   nightly run  *                2026-01-31  –",
        "k2  bolig               *:read leases:*  2026-02-01  2026-02-02",
    ] == finished.stdout.splitlines()


def test_keys_are_listed_for_programs(url: str) -> None:
    with_keys(url)
    finished = run("keys", "list", "--database", url, "--format", "json", "--owner", "bolig")
    (told,) = json.loads(finished.stdout)["keys"]
    rights = told.pop("rights")

    assert {
        "id": "k2",
        "owner": "bolig",
        "name": "",
        "created": "2026-02-01T12:00:00+00:00",
        "revoked": "2026-02-03T00:30:00+01:00",
    } == told
    assert sorted(rights_of(["*:read", "leases:write"])) == rights


def test_a_key_that_is_not_revoked_has_no_moment_of_it(url: str) -> None:
    with_keys(url)
    listed = run("keys", "list", "--database", url, "--format", "json", "--owner", "acme").stdout

    assert {"id", "owner", "name", "rights", "created"} == json.loads(listed)["keys"][0].keys()


@pytest.mark.parametrize("columns", [60, 70, 80])
def test_a_narrow_terminal_wraps_texts_and_cuts_nothing(url: str, columns: int) -> None:
    name = "reads all leases and all bills every night"
    add(url, "--name", name, "--right", "leases:*", "--right", "products:read")
    lines = run("keys", "list", "--database", url, columns=columns).stdout.splitlines()

    assert columns >= max(map(cell_len, lines))
    assert set(name.split()) <= set(" ".join(lines).split())


def listed(url: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(
        run("keys", "list", "--database", url, "--format", "json").stdout
    )["keys"]
    return found


def test_a_key_expires_after_the_days_that_it_was_given(url: str) -> None:
    """The list has the moment; the message says it to the minute."""
    finished = add(url, "--days", "30")
    (told,) = listed(url)
    created, expires = (datetime.fromisoformat(told[each]) for each in ("created", "expires"))
    text = finished.stdout.strip()

    assert timedelta(30) == expires - created
    assert f"It expires at {expires:%Y-%m-%d %H:%M} UTC. It is shown" in finished.stderr
    with open_stores(url) as stores:
        opened = [
            key_of(text, stores.keys, moment) is not None
            for moment in (created, expires - timedelta(microseconds=1), expires, None)
        ]
    assert [True, True, False, False] == opened


@pytest.mark.parametrize("hours", [0, 48])
def test_a_rotated_key_opens_until_the_overlap_ends_and_its_successor_from_now_on(
    url: str, hours: int
) -> None:
    """The successor has the owner, the name, the rights and the number of days."""
    old = add(url, "--name", "nightly", "--right", "leases:*", "--days", "90").stdout.strip()
    finished = run(
        "keys", "rotate", "--database", url, old, "--overlap-hours", str(hours), columns=400
    )
    new = finished.stdout.strip()
    before, after = sorted(listed(url), key=lambda key: key["created"])
    now, ends = (datetime.fromisoformat(each) for each in (after["created"], before["expires"]))

    assert 0 == finished.exit_code
    assert old != new
    assert secret_of(new) not in finished.stderr
    assert [before[each] for each in ("owner", "name", "rights")] == [
        after[each] for each in ("owner", "name", "rights")
    ]
    assert timedelta(90) == datetime.fromisoformat(after["expires"]) - now
    assert timedelta(0) <= now - (ends - timedelta(hours=hours)) < timedelta(minutes=5)
    with open_stores(url) as stores:
        assert (hours > 0) is (key_of(old, stores.keys, now) is not None)
        assert key_of(old, stores.keys, ends) is None
        assert key_of(new, stores.keys, ends) is not None


def secret_of(text: str) -> str:
    return text.split("_", 2)[2]


def test_a_key_that_opens_nothing_has_no_successor(url: str, tmp_path: Path) -> None:
    """Nor does a rotation let a key live longer than it would have."""
    with_keys(url)
    said = f"Error: SQLite file {tmp_path}/rent.sqlite: no key with the id {{}} opens anything\n"
    for key_id in ("k2", "k3"):
        told = refused(run("keys", "rotate", "--database", url, key_id))
        assert said.format(key_id) == told
    first = add(url, "--days", "1").stdout.strip()
    ends = next(each for each in listed(url) if each["id"] == first.split("_")[1])["expires"]
    run("keys", "rotate", "--database", url, first, "--overlap-hours", "48")

    assert (
        ends == next(each for each in listed(url) if each["id"] == first.split("_")[1])["expires"]
    )


def test_where_there_are_no_keys_it_says_so(url: str, tmp_path: Path) -> None:
    with_keys(url)
    said = run("keys", "list", "--database", url, "--owner", "nobody")
    told = run("keys", "list", "--database", url, "--owner", "nobody", "--format", "json")

    assert (0, "") == (said.exit_code, said.stdout)
    assert f"No keys of nobody in SQLite file {tmp_path}/rent.sqlite.\n" == said.stderr
    assert '{"keys": []}\n' == told.stdout


@pytest.mark.parametrize("command", [("list",), ("revoke", "k1")], ids=" ".join)
def test_a_wrong_path_is_no_empty_database(
    url: str, tmp_path: Path, command: tuple[str, ...]
) -> None:
    said = refused(run("keys", *command, "--database", url))

    assert f"Error: SQLite file {tmp_path}/rent.sqlite: there is no such file\n" == said
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("named", ["id", "whole"])
def test_a_revoked_key_opens_nothing(url: str, named: str) -> None:
    first, second = (add(url).stdout.strip() for _ in range(2))
    given = first if named == "whole" else first.split("_")[1]
    twice = [run("keys", "revoke", "--database", url, given) for _ in range(2)]

    assert [(0, "")] * 2 == [(each.exit_code, each.stdout) for each in twice]
    assert f"Key {first.split('_')[1]} opens nothing any more.\n" == twice[0].stderr
    assert opens(url, first) is None
    assert opens(url, second) is not None


def test_an_unknown_key_cannot_be_revoked(url: str, tmp_path: Path) -> None:
    with_keys(url)

    assert (
        f"Error: SQLite file {tmp_path}/rent.sqlite: there is no key with the id k3\n"
    ) == refused(run("keys", "revoke", "--database", url, "k3"))


def test_the_environment_names_the_database(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_keys(url)
    monkeypatch.setenv("RENTBILLING_DATABASE", url)

    assert 2 == len(json.loads(run("keys", "list", "--format", "json").stdout)["keys"])


@given(st.frozensets(st.sampled_from(sorted(RIGHTS["*"]))))
def test_words_stand_for_the_rights_that_they_tell(rights: frozenset[str]) -> None:
    words = rights_words(rights)

    assert rights == (rights_of(words) if words else frozenset())
    assert all(rights != rights_of({*words} - {word}) for word in words if len(words) > 1)


def test_a_right_of_a_later_release_is_told_as_it_is() -> None:
    assert ["leases:read", "boats:row"] == rights_words(frozenset({"boats:row", "leases:read"}))
