"""Doors of programs: the service over HTTP with its client, and the command line."""

import tempfile
from functools import cache
from pathlib import Path

from click.testing import CliRunner

import rentbilling as rb
from rentbilling import interface as api
from rentbilling.adapters.cli.program import rentbilling as command
from rentbilling.adapters.client import RentalClient
from rentbilling.records import read_json
from rentbilling.testing import a_service, a_tenancy
from rentbilling.values import period_of
from tests.cases.case import ASKED, Case
from tests.cases.doors.asked import Asked, Silent, first_day, same
from tests.cases.outcome import outcome_of, written

_MOST_DAYS = 3660
_FIRST_MOMENT = "1900-01-01"
_OF_THE_SERVICE = ("id", "lease_id", "created", "modified", "next_adjustment_date")
"""Fields of a plan that a service gives itself."""


def by_http(asked: Asked) -> None:
    """The lease is made by requests; the answer is the interface's JSON of the same bills."""
    client, lease = _made(asked.case)
    found = client.pending_bills(lease, asked.period)
    own = rb.pending_bills(asked.terms, asked.period, **asked.case.asking())
    read = [read_json(rb.dumps(each, policy=asked.policy)) for each in (own, found)]
    same(*map(outcome_of, read))


@cache
def _made(case: Case) -> tuple[RentalClient, str]:
    """Return the client of a service that has the lease of a case, and the id of the lease."""
    terms = case.terms
    # A plan adjusts from the day on which it was created.
    moment = max(str(first_day(terms)), _FIRST_MOMENT)
    client = a_service(moment=moment, indices=case.indices, policy=case.policy).client
    lease = client.create_tenancy(a_tenancy()).lease_id
    for name in ("contract_start", "contract_end"):
        if day := getattr(terms, name):
            client.change_lease(api.ChangeLease(lease_id=lease, **{name: day}))
    if terms.balances:
        balances = tuple(each.evolve(id=None) for each in terms.balances)
        client.change_lease(api.ChangeLease(lease_id=lease, balances=balances))
    ids: dict[str | None, str] = {}
    for item in terms.recurring_bill_items:
        created = client.create_recurring_bill_item(lease, item.evolve(id=None))
        ids[item.id] = created.recurring_bill_item_id
    for once in terms.one_time_bill_items:
        client.create_one_time_bill_item(lease, once.evolve(id=None))
    for plan in terms.rent_adjustment_plans:
        adjustee = ids.get(plan.adjustee_ref, plan.adjustee_ref)
        new = plan.evolve(**dict.fromkeys(_OF_THE_SERVICE), adjustee_ref=adjustee)
        client.create_rent_adjustment_plan(lease, new)
    return client, lease


def _names_a_balance(asked: Asked) -> bool:
    named = {each.adjustee_ref for each in asked.terms.rent_adjustment_plans}
    return any(each.id in named for each in asked.terms.balances if each.id)


NOT_BY_HTTP: Silent = {
    "the service names balances itself, and tells no names": _names_a_balance,
    "the service keeps no bills that were sent": lambda asked: asked.has_earlier_bills,
    "the service answers at most 3,660 days": lambda asked: (
        period_of(asked.period, period_end=asked.policy.period_end).days > _MOST_DAYS
    ),
}


def by_shell(asked: Asked) -> None:
    """`rentbilling bills`, or `adjustments`, with the lease on standard input."""
    of_plans = asked.function == "rent_adjustments"
    name = "adjustments" if of_plans else "bills"
    ask = "rent_adjustments" if of_plans else "pending_bills"
    period = str(rb.Period.parse(asked.period)) if "/" in asked.period else asked.period
    arguments = [name, "-", "--period", period, "--format", "json", "--full"]
    with tempfile.TemporaryDirectory() as folder:
        for option, given in asked.case.asking().items():
            for at, value in enumerate(given if isinstance(given, list) else [given]):
                words = Path(folder, f"{option}-{at}.json")
                full = option == "already_billed"
                if option != "billed_since":
                    words.write_text(rb.dumps(value, full=full), encoding="utf-8")
                said = str(value if option == "billed_since" else words)
                arguments += ["--" + option.replace("_", "-"), said]
        lease = rb.dumps(asked.terms, full=True)
        ran = CliRunner().invoke(command, arguments, lease, catch_exceptions=False)
    assert ran.exit_code == 0, ran.stderr
    own = written(ASKED[ask](asked.terms, asked.period, **asked.case.asking()))
    found = read_json(ran.stdout)
    same(*(outcome_of({name: each[name]}) for each in (own, found)))
