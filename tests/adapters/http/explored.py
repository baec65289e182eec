"""The service explored by schemathesis: requests made from the document, answers held against it.

    python -m tests.adapters.http.explored sqlite 200

asks a service over SQLite (or `postgres`, or `memory`) with some 200 examples for each operation,
in three ways. By the whole document, systematically: each bound and each missing part. Loosened: by
chance and in chains, sound and unsound, without what fields demand of each other, which is more
than the generator can make. And guided: with days, amounts and cycles that are sensible, which the
document cannot require, so that requests get past the first checks and reach the rules behind them.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import Status, events, from_schema

from rentbilling.adapters.http import create_app
from rentbilling.adapters.http.docs.openapi import openapi_text
from rentbilling.adapters.stores import MemoryStores, SqlStores
from rentbilling.service import Stores
from tests.adapters.http.sample_session import STEPS, example_of
from tests.adapters.http.served import KEY, TENANCY, service
from tests.support.postgres import NoServerError, Servers

CHECKS: Final = (
    "allow_header_conformance",
    "content_type_conformance",
    "ensure_resource_availability",
    "ignored_auth",
    "missing_required_header",
    "negative_data_rejection",
    "not_a_server_error",
    "response_headers_conformance",
    "response_schema_conformance",
    "status_code_conformance",
    "unsupported_method",
)
"""What is checked. That every sound request be accepted is not: no schema knows each currency."""
DAYS: Final = ("2025-12-31", "2026-01-01", "2026-01-15", "2026-02-01", "2027-06-30")
PERIODS: Final = (
    "2026-01-01/2026-01-31",
    "2026-01-15/2026-01-31",
    "2026-02-01/2026-02-28",
    "2026-01-01/2027-12-31",
)
_SENSIBLE: Final[Mapping[str, Any]] = {
    "accountingPeriod": {"enum": list(PERIODS[:2])},
    "amount": {"type": "number", "minimum": -10_000, "maximum": 10_000, "multipleOf": 0.01},
    "currency": {"enum": ["DKK"]},
    "id": {"type": "null"},
    "leaseId": {"enum": ["id-3", "id-9", "id-11"]},
    "limit": {"enum": [1, 2, 100]},
    "period": {"enum": list(PERIODS)},
    "periodLength": {"enum": [1]},
    "start": {"enum": [1]},
    "startDay": {"enum": [1]},
    "startedOn": {"enum": ["2026-01-01", "2026-01-15"]},
    "productKey": {"enum": ["key:rent", "key:parking"]},
    "tenancyId": {"enum": ["id-2", "id-10"]},
}
"""Fields and parameters whose values decide whether a request gets on; the leases are those of the
session that stands in the document."""


@dataclass
class Exploration:
    """What came of it."""

    cases: Counter[str] = field(default_factory=Counter)
    """Requests of each phase."""
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Answers of each operation with each status."""
    failures: dict[str, str] = field(default_factory=dict)
    """What failed, each once, with what was sent."""
    errors: list[str] = field(default_factory=list)
    """What could not be tried."""

    @property
    def whole(self) -> int:
        return sum(self.cases.values())

    def add(self, other: "Exploration") -> None:
        self.cases += other.cases
        self.answers += other.answers
        self.failures |= other.failures
        self.errors += other.errors


def settings(*, examples: int, phases: tuple[str, ...], modes: str, seed: int) -> dict[str, Any]:
    known = ("examples", "coverage", "fuzzing")
    # The document's links say what leads where; guessed by names, a product's key was its name.
    chains = {"enabled": "stateful" in phases, "inference": {"algorithms": []}}
    return {
        "seed": seed,
        "base-url": "http://localhost/",
        "suppress-health-check": ["all"],
        "headers": {"Authorization": KEY},
        "continue-on-failure": True,
        "generation": {
            "mode": modes,
            "max-examples": examples,
            "deterministic": False,
            "no-shrink": True,
            "database": "none",
        },
        "phases": {name: {"enabled": name in phases} for name in known} | {"stateful": chains},
        "checks": {"enabled": False, **{name: {"enabled": True} for name in CHECKS}},
    }


Document = dict[str, Any]
_ACROSS: Final = frozenset({"allOf", "anyOf", "else", "if", "not", "oneOf", "then"})
_SCHEMAS: Final = "#/components/schemas/"


@cache
def document() -> Document:
    data: Document = json.loads(openapi_text())
    return data


def loosened(of: Document) -> Document:
    """Return a document in which the fields of what is sent demand nothing of each other.

    The generator cannot make all of that. What is unsound all the same is unsound by the whole
    document too, so that it must still be refused; and answers are held against the whole one.
    """
    components = of["components"]
    sent = {f"{name}Sent": _loose(each) for name, each in components["schemas"].items()}
    paths = {
        path: {
            method: {**each, "requestBody": _sent(each["requestBody"])}
            if "requestBody" in each
            else each
            for method, each in methods.items()
        }
        for path, methods in of["paths"].items()
    }
    schemas = {**components["schemas"], **sent}
    return {**of, "paths": paths, "components": {**components, "schemas": schemas}}


def _loose(schema: Any) -> Any:  # noqa: ANN401
    """Return a schema without what fields demand of each other, referring to others like it."""
    if isinstance(schema, list):
        return [_loose(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    whole = "properties" in schema and "type" in schema
    return {
        key: f"{value}Sent" if key == "$ref" else _loose(value)
        for key, value in schema.items()
        if not (whole and key in _ACROSS)
    }


def _sent(body: Document) -> Document:
    (kind, of) = next(iter(body["content"].items()))
    return {**body, "content": {kind: {**of, "schema": _loose(of["schema"])}}}


def guided(of: Document) -> Document:
    """Return a loosened document in which what is sent has sensible days, amounts and cycles."""
    components = of["components"]
    schemas = {
        name: _guided(each) if name.endswith("Sent") else each
        for name, each in components["schemas"].items()
    }
    paths = {
        path: {
            method: {**each, "parameters": [_parameter(one) for one in each.get("parameters", ())]}
            for method, each in methods.items()
        }
        for path, methods in of["paths"].items()
    }
    return {**of, "paths": paths, "components": {**components, "schemas": schemas}}


def _parameter(of: Document) -> Document:
    return {**of, "schema": _SENSIBLE.get(of["name"], of["schema"])}


def _guided(of: Any) -> Any:  # noqa: ANN401
    if isinstance(of, list):
        return [_guided(each) for each in of]
    if not isinstance(of, dict):
        return of
    if of.get("format") == "date":
        return {"enum": list(DAYS)}
    return {
        name: _SENSIBLE[name]
        if name in _SENSIBLE and isinstance(each, dict) and "type" in each
        else _guided(each)
        for name, each in of.items()
    }


def explore(
    stores: Stores,
    told_by: Document,
    *,
    operations: Sequence[str] = (),
    **how: Any,  # noqa: ANN401
) -> Exploration:
    """Explore a service that begins with what the session of the document leaves behind.

    Args:
        stores: Where it keeps its objects.
        told_by: The document that requests are made from.
        operations: Those to be asked; none: all.
        **how: As in `settings`.
    """
    asked = service(stores=stores)
    for step in (*STEPS, ("create_tenancy", {}, TENANCY)):
        example_of(asked, step)
    schema: Any = schemathesis.openapi.from_dict(
        told_by, config=SchemathesisConfig.from_dict(settings(**how))
    )
    schema.app = create_app(asked)
    if operations:
        schema = schema.include(operation_id=list(operations))
    found = Exploration()
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            _take(found, event)
        elif isinstance(event, events.NonFatalError):
            found.errors.append(f"{event.label}: {event.info.title}: {event.info.message}")
        elif isinstance(event, events.FatalError):
            raise event.exception
    return found


def _take(found: Exploration, event: events.ScenarioFinished) -> None:
    recorder = event.recorder
    for case_id, interaction in recorder.interactions.items():
        found.cases[event.phase.value] += 1
        case = recorder.cases[case_id].value
        if interaction.response is not None:
            found.answers[
                case.operation.definition.raw["operationId"], interaction.response.status_code
            ] += 1
        for check in recorder.checks.get(case_id, ()):
            if check.status == Status.FAILURE and check.failure_info is not None:
                failure = check.failure_info.failure
                # In a chain schemathesis may take a sound request for an unsound one, and says so.
                if "Invalid component: positive test case" in failure.message:
                    continue
                name = f"{case.operation.label}: {check.name}: {failure.title}"
                answer = interaction.response
                body = answer.content[:600].decode("utf-8", "replace") if answer else "no answer"
                found.failures.setdefault(
                    name, f"{failure.message}\n{check.failure_info.code_sample[:1500]}\n{body}"
                )


@contextmanager
def stores_of(word: str) -> Generator[Stores]:
    if word == "memory":
        yield MemoryStores()
    elif word == "sqlite":
        with TemporaryDirectory() as folder, SqlStores(f"sqlite:///{Path(folder, 'rent')}") as kept:
            yield kept
    else:
        servers = Servers()
        try:
            with servers.place() as url, SqlStores(url) as kept:
                yield kept
        finally:
            servers.stop()


WAYS: Final = (
    ("whole", "all", ("examples", "coverage")),
    ("loosened", "all", ("fuzzing", "stateful")),
    ("guided", "positive", ("examples", "fuzzing", "stateful")),
)
"""How the document is read, what is made from it, and in which phases."""


@cache
def documents() -> Mapping[str, Document]:
    whole = document()
    return {"whole": whole, "loosened": loosened(whole), "guided": guided(loosened(whole))}


def main(words: list[str]) -> int:
    """Explore, and tell what came of it; 1 where something failed."""
    store, examples, seed = words[0], int(words[1]), int(words[2]) if len(words) > 2 else 1
    found = Exploration()
    began = time.monotonic()
    known = documents()
    for way, modes, phases in WAYS:
        try:
            with stores_of(store) as stores:
                each = explore(
                    stores, known[way], examples=examples, phases=phases, modes=modes, seed=seed
                )
        except NoServerError as error:
            print(f"skipped: no server of PostgreSQL: {error}")
            return 0
        print(f"{store}, {way}: {each.whole} requests {dict(each.cases)}", flush=True)
        found.add(each)
    report(found)
    print(f"{store}: {found.whole} requests in {time.monotonic() - began:.0f} s")
    return 1 if found.failures or found.errors else 0


def report(found: Exploration) -> None:
    for (operation, status), number in sorted(found.answers.items()):
        print(f"  {operation} {status}: {number}")
    for name, said in found.failures.items():
        print(f"\nFAILED {name}\n{said}")
    for error in found.errors:
        print(f"\nERROR {error}")
    print(f"{len(found.failures)} failures, {len(found.errors)} errors")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
