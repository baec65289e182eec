"""`rentbilling schema`: the JSON schemas, printed."""

import json
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from jsonschema import Draft202012Validator

from rentbilling.adapters.cli.program import rentbilling
from rentbilling.interface import SCHEMA_NAMES, schema_of
from tests.support.command_line import adjusted, billed, example, npi, refused, run
from tests.support.rows import rows


@rows("name", SCHEMA_NAMES)
def test_a_schema_is_printed_as_it_is(name: str) -> None:
    assert schema_of(name) == json.loads(run("schema", name).stdout)


def test_a_name_may_be_written_in_small_letters() -> None:
    assert run("schema", "BillingPolicy").stdout == run("schema", "billingpolicy").stdout


def test_without_a_name_the_names_are_listed() -> None:
    assert list(SCHEMA_NAMES) == run("schema").stdout.split("\n")[:-1]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    assert ", ".join(SCHEMA_NAMES) in refused(run("schema", "Rent"), 2)


def test_the_example_is_valid_under_the_printed_schema() -> None:
    schema = json.loads(run("schema", "LeaseTerms").stdout)

    Draft202012Validator(schema).validate(json.loads(example()))


@rows(("name", "options"), [("BillingResult", ()), ("BillingResultFull", ("--full",))])
def test_printed_bills_are_valid_under_the_printed_schema(
    name: str, options: tuple[str, ...]
) -> None:
    schema = json.loads(run("schema", name).stdout)
    printed = billed(example(), "2026", "--format", "json", *options).stdout

    Draft202012Validator(schema).validate(json.loads(printed))


@pytest.mark.parametrize(
    ("name", "options"), [("AdjustmentResult", ()), ("AdjustmentResultFull", ("--full",))]
)
def test_printed_adjustments_are_valid_under_the_printed_schema(
    tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    """In both forms; there are two of them, of January 2023 and 2024."""
    schema = json.loads(run("schema", name).stdout)
    given = ("--indices", npi(tmp_path), "--format", "json", *options)
    printed = json.loads(adjusted(example("--with-index"), "2022-01-01/2024-12-31", *given).stdout)

    Draft202012Validator(schema).validate(printed)
    assert 2 == len(printed["adjustments"])


@rows(("option", "name"), [("--with-index", "LeaseTerms"), ("--index", "IndexSeries")])
def test_every_example_is_valid_under_the_printed_schema(option: str, name: str) -> None:
    schema = json.loads(run("schema", name).stdout)

    Draft202012Validator(schema).validate(json.loads(example(option)))


def test_a_shell_completes_the_names() -> None:
    completer = ShellComplete(rentbilling, {}, "rentbilling", "_RENTBILLING_COMPLETE")
    offered = completer.get_completions(["schema"], "pendingbill")

    names = ["PendingBillsRequest", "PendingBill", "PendingBillFull"]
    assert sorted(names) == sorted(each.value for each in offered)
