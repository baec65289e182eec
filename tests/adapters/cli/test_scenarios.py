"""The words of `--scenario`: a text is the call of the library that it says, or is refused."""

import json
from decimal import Decimal

import pytest
from click import BadParameter

from rentbilling import Amount, IndexSeries, LeaseTerms, Vat, loads, whatif
from rentbilling.adapters.cli.input.scenarios import WORDS, rate_in, scenario_in, usage_of
from tests.support.command_line import BY_INDEX, rent, rent_by, run
from tests.support.rows import rows

HIGHER = "raise-rent 3% on 2026-07-01"


class TestWords:
    """A text says what a call of the library says."""

    @rows(
        ("text", "expected"),
        [
            ("raise-rent 3%", whatif.raise_rent("0.03")),
            (HIGHER, whatif.raise_rent("0.03", on="2026-07-01")),
            ("raise-rent 0.03 on 2026-07-01", whatif.raise_rent("0.03", on="2026-07-01")),
            ("raise-rent -2.5 %", whatif.raise_rent("-0.025")),
            ("raise-rent 200 DKK", whatif.raise_rent(Amount(200, "DKK"))),
            ("raise-rent 200.50DKK of a", whatif.raise_rent(Amount.parse("200.50 DKK"), of="a")),
            ("raise-rent 3% of a,key:b", whatif.raise_rent("0.03", of=["a", "key:b"])),
            (
                "raise-rent 3% of a, key:b on 2026-02-01",
                whatif.raise_rent("0.03", on="2026-02-01", of=["a", "key:b"]),
            ),
            (
                "set-rent 9000 DKK on 2026-03-01",
                whatif.set_rent(Amount(9000, "DKK"), on="2026-03-01"),
            ),
            ("give-discount 10% until 2026-06-30", whatif.give_discount("0.1", until="2026-06-30")),
            ("give-discount 200 DKK", whatif.give_discount(Amount(200, "DKK"))),
            ("use-vat Exclusive 25%", whatif.use_vat(Vat("Exclusive", Decimal("0.25")))),
            (
                "use-vat ReverseCharge on 2026-05-01",
                whatif.use_vat(Vat("ReverseCharge"), on="2026-05-01"),
            ),
            ("cap 4%", whatif.cap("0.04")),
            ("floor 0%", whatif.floor(0)),
            ("use-clause increaseOnly=true", whatif.use_clause(increase_only=True)),
            ("without-adjustments", whatif.without_adjustments()),
            ("assume-index 2% until 2030-12", whatif.assume_index("0.02", until="2030-12")),
            ("due-on 10", whatif.due_on(10)),
            ("due-on -1 from end of a", whatif.due_on(-1, relative_to="end", of="a")),
            ("start-on 2026-02-15", whatif.start_on("2026-02-15")),
            ("end-on 2026-06-30", whatif.end_on("2026-06-30")),
            ("end-on never", whatif.end_on(None)),
            ("without-item a, b", whatif.without_item(["a", "b"])),
            ("under-policy partPeriod=thirty_day", whatif.under_policy(part_period="thirty_day")),
        ],
    )
    def test_a_text_is_the_call(self, text: str, expected: whatif.Scenario) -> None:
        assert expected.name == scenario_in(text).name

    @rows(
        ("text", "expected"),
        [
            (HIGHER, whatif.raise_rent("0.03", on="2026-07-01")),
            (
                "use-vat Exclusive 0.25 on 2026-05-01 of key:rent",
                whatif.use_vat(Vat("Exclusive", Decimal("0.25")), on="2026-05-01", of="key:rent"),
            ),
            ("due-on 5 from end", whatif.due_on(5, relative_to="end")),
            ("give-discount 10% until 2026-06-30", whatif.give_discount("0.1", until="2026-06-30")),
            (
                "end-on 2026-08-15 | under-policy partPeriod=thirty_day vatRounding=per_line",
                whatif.end_on("2026-08-15")
                | whatif.under_policy(part_period="thirty_day", vat_rounding="per_line"),
            ),
            (
                "raise-rent 3% | give-discount 100 DKK | due-on 3",
                whatif.raise_rent("0.03")
                | whatif.give_discount(Amount(100, "DKK"))
                | whatif.due_on(3),
            ),
        ],
    )
    def test_a_text_changes_what_the_call_changes(
        self, text: str, expected: whatif.Scenario
    ) -> None:
        inputs = whatif.BillingInputs.of(loads(json.dumps(rent())))

        assert expected(inputs) == scenario_in(text)(inputs)
        assert expected(inputs) != inputs

    def test_clauses_and_assumptions_reach_the_index(self) -> None:
        terms: LeaseTerms = loads(json.dumps(rent_by(BY_INDEX)))
        npi_2 = IndexSeries("NPI", {"2021-10": "100.0", "2022-10": "103.0"})
        inputs = whatif.BillingInputs.of(terms, npi_2)
        text = "use-clause increaseOnly=true | cap 4% | assume-index 2% until 2024-12 of NPI"
        made = whatif.use_clause(increase_only=True) | whatif.cap("0.04")
        made |= whatif.assume_index("0.02", until="2024-12", of="NPI")

        assert made(inputs) == scenario_in(text)(inputs)

    @rows("field", ["threshold=20", "thresholdUnit=points", "excessOver=0.03"])
    def test_a_field_may_go_with_others_of_the_rule(self, field: str) -> None:
        """20 are points where the rule counts in points; nothing is said of it before it runs."""
        assert "use-clause" not in scenario_in(f"use-clause {field}").name

    def test_a_name_and_a_colon_may_stand_in_front(self) -> None:
        assert "Cheaper, a bit" == scenario_in("Cheaper, a bit: cap 3% | floor 0%").name
        assert "without key:parking" == scenario_in("without-item key:parking").name

    @rows(
        ("text", "said"),
        [
            ("rise 3%", "rise is not a word of a scenario; write one of raise-rent, "),
            ("raise rent 3%", "raise is not a word of a scenario; did you mean raise-rent 3%"),
            ("flor 3%", "did you mean floor 0%"),
            ("", "nothing is not a word of a scenario"),
            ("cap 4% |", "nothing is not a word of a scenario"),
            ("cap 4", "4 is not a rate; write 3% or 0.03. Usage: cap 4%"),
            ("raise-rent", "nothing is not a rate"),
            ("raise-rent 3", "3 is not a rate"),
            ("raise-rent 3 kr", "3 kr is not a rate"),
            ("set-rent 9000", "9000 is not an amount; write 200 DKK"),
            ("set-rent 9000 XXQ", "currency: is not"),
            ("raise-rent 3% until 2027-01-01", "until 2027-01-01 is not expected there"),
            ("raise-rent 3% on", "nothing is not a day"),
            ("raise-rent 3% on tomorrow", "on: is not a date"),
            ("raise-rent 3% on 2026-01-01 on 2026-02-01", "on is given twice"),
            ("raise-rent 3% of", "nothing is not an item"),
            ("use-vat", "nothing is not a VAT"),
            ("use-vat Half 25%", "taxMode: is not a known tax mode"),
            ("use-clause", "nothing is not a field"),
            ("use-clause basis", "basis is not a field; write its name, = and its value"),
            ("use-clause basis=best", "basis: is not a known word"),
            ("use-clause colour=red", "colour: is not a field"),
            ("use-clause threshold=abc", "threshold: is not a rate (met 'abc'"),
            ("use-clause threshold=-1", "threshold: is out of range (met -1"),
            ("use-clause increaseOnly=yes", "is neither true nor false (met 'yes'"),
            ("use-clause lagMonths=2.5", "is not a whole number (met 2.5"),
            ("use-clause startPoint=soon", "is not a month, quarter or year"),
            ("under-policy colour=red", "colour: is not a field"),
            ("under-policy partPeriod=half", "partPeriod: is not a known word"),
            ("without-adjustments 4", "4 is not expected there"),
            ("due-on first", "first is not a day"),
            ("due-on 5 from start", "only from end is understood"),
            ("due-on 0", "names no day"),
            ("end-on soon", "day: is not a date"),
        ],
    )
    def test_what_is_not_understood_is_refused(self, text: str, said: str) -> None:
        with pytest.raises(BadParameter) as refused:
            scenario_in(text)

        assert said in refused.value.message

    @rows("text", ["1", "3", "-1", "100", "three", "%", "3%%", "3 %", ""])
    def test_a_rate_is_never_guessed(self, text: str) -> None:
        """A bare number of 1 or more may mean percent or times a hundred, so it is none."""
        with pytest.raises(ValueError, match="is not a rate"):
            rate_in(text)

    def test_the_help_lists_every_word(self) -> None:
        """With its usage, so that nobody needs the guide for it."""
        told = run("whatif", "--help", columns=88).stdout
        missing = [word for word in WORDS if f"  {usage_of(word)}\n" not in told]

        assert [] == missing
