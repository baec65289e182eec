"""`verify` for continuous integration: annotations and test cases with every finding."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.adapters.cli.test_verify import billing_twice, february, unreadable, with_vat
from tests.support.command_line import bills_in, example, run, verified, written
from tests.support.rows import rows


def test_a_finding_is_an_annotation_at_the_file(tmp_path: Path) -> None:
    """The VAT is 0.01 too high: 9,990.00 + 135.01 = 10,125.01 (A30); % , and : are escaped."""
    bills = {"bills": [*bills_in("2026-01"), with_vat("135.01", "10125.00")]}
    file = written(tmp_path, "a,b.json", json.dumps(bills))
    finished = run("verify", file, "--format", "github")
    first, *others, last = finished.stdout.splitlines()

    assert 3 == finished.exit_code
    start, _, message = first.removeprefix("::").partition("::")
    assert start.startswith(
        f"error file={tmp_path}/a%2Cb.json,title=due 2026-02-01%2C 10%2C125.00 DKK"
    )
    assert "met 135.01, expected 135.00" in message
    assert "VAT of Exclusive 25 %25 is" in message
    assert last.endswith(" right, 1 wrong")
    assert all(each.startswith("::error ") for each in others)


@rows(
    ("bill", "code", "levels"),
    [
        (february(), 0, set()),
        (billing_twice(), 0, {"warning"}),
        (unreadable(), 3, {"error"}),
    ],
    ids=["right", "warning", "unreadable"],
)
def test_the_exit_code_is_that_of_the_table(bill: object, code: int, levels: set[str]) -> None:
    finished = verified(bill, "--format", "github")
    *commands, last = finished.stdout.splitlines()

    assert code == finished.exit_code == verified(bill).exit_code
    assert levels == {each[2:].partition(" ")[0] for each in commands}
    assert all(each.partition(" ")[2].startswith("title=") for each in commands)
    assert f"1 bill: {int(code == 0)} right, {int(code != 0)} wrong" == last


def test_a_bill_is_a_test_case_that_fails_with_all_of_its_errors() -> None:
    """The id of a lease with marks of XML and controls stays text."""
    odd = "<&\"'>\x1b ]]>"
    bills = {"bills": [{**unreadable(), "leaseId": odd}, february(), billing_twice()]}
    finished = verified(json.dumps(bills), "--format", "junit")
    suites = ET.fromstring(finished.stdout)  # noqa: S314 - our own text
    (suite,) = suites
    broken, right, twice = suite
    (failure,) = broken

    assert 3 == finished.exit_code
    assert ("3", "1") == (suite.attrib["tests"], suite.attrib["failures"])
    assert "<&\"'>" in broken.attrib["name"]
    assert {"-"} == {each.attrib["classname"] for each in suite}
    assert 3 == len((failure.text or "").splitlines())
    assert failure.attrib["message"].endswith("(and 2 more)")
    assert [] == list(right)
    assert ["system-out"] == [each.tag for each in twice]


def test_compared_bills_are_cases_too(tmp_path: Path) -> None:
    """A total that is 100 too low is a difference of its bill, and the other one is right."""
    lease = written(tmp_path, "lease.json", example())
    bills = bills_in("2026-02-01/2026-03-31")
    options = ("--against", lease, "--period", "2026-02-01/2026-03-31", "--format")
    equal = verified({"bills": bills}, *options, "junit")
    bills[0]["total"]["amount"] -= 100
    differing = [verified({"bills": bills}, *options, each) for each in ("junit", "github")]
    (suite,) = ET.fromstring(differing[0].stdout)  # noqa: S314 - our own text

    assert (0, 0) == (equal.exit_code, equal.stdout.count("<failure"))
    assert [3, 3] == [each.exit_code for each in differing]
    assert ("2", "1") == (suite.attrib["tests"], suite.attrib["failures"])
    assert differing[1].stdout.startswith("::error title=due 2026-02-01%3A ")
    assert "2 bills: 1 right, 1 wrong" == differing[1].stdout.splitlines()[-1]
