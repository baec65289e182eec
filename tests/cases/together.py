"""All leases of the cases as one portfolio on columns: neighbours, shared columns, one policy."""

import sys
import warnings
from pathlib import Path

import rentbilling as rb
from rentbilling.errors import RentBillingError
from rentbilling.portfolio import bill_portfolio, bills_from_arrow, leases_to_arrow
from tests.cases.case import cases_in, told, written

DAYS = "2026-01-01/2027-12-31"


def first_difference(policies=(rb.BillingPolicy(),)) -> str | None:
    warnings.simplefilter("ignore")
    leases = {}
    for at, case in enumerate(cases_in(Path(__file__).parent)):
        try:
            terms = case.terms
        except RentBillingError:
            continue
        if not terms.rent_adjustment_plans:
            leases[f"{at}"] = terms.evolve(lease_id=f"{at}")
    for policy in policies:
        own = {}
        for name, terms in leases.items():
            try:
                own[name] = rb.bill_period(terms, DAYS, policy=policy)
            except RentBillingError:
                pass
        chosen = [leases[name] for name in own]
        run = bill_portfolio(leases_to_arrow(chosen), DAYS, policy=policy, output="bills")
        tables = run.to_tables()
        found = {each.lease_id: each for each in bills_from_arrow(tables["bills"], policy=policy)}
        for name, result in own.items():
            mine = told({"bills": written(result)["bills"]})
            other = found.get(name)
            theirs = told({"bills": written(other)["bills"] if other is not None else []})
            if mine != theirs:
                return f"together: lease {name}"
    return None


if __name__ == "__main__":
    print(first_difference())
