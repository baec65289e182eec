"""What a database has of one owner is read and erased whole, and nothing of another owner."""

import json

from rentbilling.adapters.stores import SqlStores
from rentbilling.adapters.stores.owners import erase, exported, stored_rows
from rentbilling.adapters.stores.sql_statements import METADATA
from rentbilling.interface import Lease
from rentbilling.service import KeptAnswer, key_text, stored_key
from tests.adapters.stores.kept_objects import MOMENT, fill


def test_an_owner_with_any_name_is_erased_from_every_table(database: SqlStores) -> None:
    """Also what was removed, and stored answers; the lines are those of the first moment."""
    owners = ("acme", "a'; \\ \0 – 京")
    for at, owner in enumerate(owners):
        with database.writing(owner) as store:
            fill(store, "lease-1")
            fill(store, "lease-2")
            store.remove(Lease, "lease-2")
            store.keep_answer("key", KeptAnswer("digest", 200, "{}", MOMENT), since=MOMENT)
        text = key_text(f"k{at}", "x" * 32)
        database.keys.add(stored_key(text, owner="acme", name="", rights=["*"], created=MOMENT))
    lines = [json.loads(each) for each in exported(database, owners[1])]
    rows = stored_rows(database, owners[1])
    assert {"owners": 1, "removed": 1, "answers": 1} == {
        name: rows[name] for name in ("owners", "removed", "answers")
    }
    assert ["lease-1"] == [each["id"] for each in lines if each["kind"] == "leases"]
    assert {*rows} <= {*METADATA.tables}
    others = stored_rows(database, owners[0])
    assert 2 == others["api_keys"]

    erase(database, owners[1])
    assert {} == stored_rows(database, owners[1])
    assert [] == [*exported(database, owners[1])]
    assert others == stored_rows(database, owners[0])
