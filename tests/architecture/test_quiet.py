"""Computing is quiet: no input or output, nothing loaded that is not needed, no shared settings.

Each test asks a fresh interpreter, because this one has loaded everything already.
"""

import os
import subprocess
import sys

import pytest

from tests.architecture.sources import ROOT

COMPUTATION = """
from datetime import date
from decimal import Decimal

import rentbilling as rb
from rentbilling.errors import InvalidPeriodError
from rentbilling.values import rounded

def item(**changes):
    facts = dict(
        product_key="key:rent",
        amount=rb.Amount(Decimal("8500.05"), "DKK"),
        vat=rb.Vat("Exclusive", Decimal("0.25")),
        due_date_rule=rb.DueDateRule(day_of_period=1),
        billing_cycle=rb.BillingCycle(time_unit="Month", period_length=3, start=1),
        started_on=date(2026, 1, 15),
        first_billing_period_bill_item=rb.FirstBillingPeriodBillItem(
            amount=rb.Amount(Decimal("4661.29"), "DKK"),
            due_date=date(2026, 1, 15),
            accounting_period=rb.Period(date(2026, 1, 15), date(2026, 3, 31)),
        ),
        discount=rb.Discount(percentage=Decimal("0.10"), end_date=date(2026, 8, 10)),
        ended_on=date(2027, 2, 10),
    )
    return rb.RecurringBillItem(**{**facts, **changes})

def compute():
    inclusive = item(vat=rb.Vat("Inclusive", Decimal("0.25")), quantity=Decimal("1.5"))
    terms = rb.LeaseTerms(recurring_bill_items=[item(), inclusive])
    terms = rb.loads(rb.dumps(terms))
    policy = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}, business_day="following")
    result = rb.pending_bills(terms, "2026-01-01/2028-12-31", policy=policy)
    assert len(result) == 5, len(result)
    return rb.dumps(result)
"""

# Events of the interpreter itself, that touch nothing outside it.
INNER_EVENTS = (
    "object.__getattr__",
    "object.__setattr__",
    "object.__delattr__",
    "sys._getframe",
    "builtins.id",
    "code.__new__",
)


def answer_of(script: str, hash_seed: str = "0") -> str:
    finished = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=False,
        text=True,
    )
    assert 0 == finished.returncode, finished.stderr
    return finished.stdout.strip()


def test_computing_touches_nothing_outside() -> None:
    script = f"""{COMPUTATION}
import sys
compute()
seen, listening = [], True
def hook(event, arguments):
    if listening and event not in {INNER_EVENTS!r}:
        seen.append(event)
sys.addaudithook(hook)
compute()
computing = list(seen)
open(__import__("os").devnull).close()
listening = False
print(computing, "open" in seen)
"""

    assert "[] True" == answer_of(script)


def test_the_caller_s_decimal_context_changes_nothing() -> None:
    script = f"""{COMPUTATION}
import decimal
calm = compute()
decimal.setcontext(decimal.Context(prec=3, rounding=decimal.ROUND_UP, traps=[decimal.Inexact]))
print(compute() == calm)
"""

    assert "True" == answer_of(script)


# What refuses a number, sums amounts and reads a text, and what each of them says.
REFUSALS = """
def refusals():
    noisy = rb.Amount(999_999_999_999_999, "DKK")
    rest = noisy + rb.Amount(Decimal("1E-15"), "DKK") - noisy
    said = [str(rest), str(rounded(noisy.amount, 2))]
    for make in (
        lambda: rb.Amount(Decimal("1.23456789012345678"), "DKK"),
        lambda: rb.Amount.parse("much DKK"),
        lambda: rb.Vat("Exclusive", Decimal("0.1234567890123456")),
        lambda: rounded(Decimal("NaN"), 2),
    ):
        try:
            make()
        except rb.InvalidInputError as error:
            said.append(str(error))
    return said
"""


def test_the_caller_s_decimal_context_refuses_nothing_either() -> None:
    """With every trap set a number that is too long is refused by us, with the one that was meant.

    999999999999999 + 10^-15 needs 30 digits.
    """
    script = f"""{COMPUTATION}{REFUSALS}
import decimal
calm = refusals()
traps = [decimal.Inexact, decimal.Rounded, decimal.Clamped, decimal.Subnormal]
decimal.setcontext(decimal.Context(prec=3, traps=traps))
print(refusals() == calm, len(calm), "such as 1.23456789012346)" in calm[2], calm[0])
"""

    assert "True 6 True 0.000000000000001 DKK" == answer_of(script)


def test_the_defaults_of_decimal_contexts_change_nothing() -> None:
    before = """
import decimal
decimal.DefaultContext.Emax, decimal.DefaultContext.Emin, decimal.DefaultContext.prec = 3, -3, 2
decimal.DefaultContext.traps[decimal.Inexact] = True
decimal.setcontext(decimal.Context())
"""
    said = "print(compute(), refusals())"
    calm = answer_of(f"{COMPUTATION}{REFUSALS}{said}")

    assert calm == answer_of(f"{before}{COMPUTATION}{REFUSALS}{said}")
    assert calm == answer_of(f"{COMPUTATION}{REFUSALS}{before}{said}")


def test_another_run_gives_the_same_text() -> None:
    script = f"{COMPUTATION}\nprint(compute())"
    answers = {answer_of(script, hash_seed=seed) for seed in ("1", "2", "3")}

    assert 1 == len(answers)


@pytest.mark.parametrize("module", ["pydantic", "dateutil"])
def test_importing_the_package_loads_nothing_heavy(module: str) -> None:
    script = f"import sys, rentbilling; print({module!r} in sys.modules)"

    assert "False" == answer_of(script)


def test_only_the_refusal_of_a_date_loads_dateutil() -> None:
    script = f"""{COMPUTATION}
import sys
compute()
quiet = "dateutil" not in sys.modules
try:
    rb.Period.parse("2026-01-01T00:00/2026-01-31")
except InvalidPeriodError as error:
    print(quiet, "2026-01-01" in error.problems[0].expected, "dateutil" in sys.modules)
"""

    assert "True True True" == answer_of(script)


def test_help_of_the_command_line_answers_without_the_core() -> None:
    pytest.importorskip("click", reason="the command line needs the extra cli")
    finished = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rentbilling", "--help"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )

    assert 0 == finished.returncode, finished.stderr
    assert "pydantic" not in finished.stderr
