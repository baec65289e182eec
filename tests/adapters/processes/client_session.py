"""What a client process does with a service: `python -m …client_session ADDRESS`, key in KEY.

It creates tenancies, an item of the first one, asks for its bills, reads all tenancies page by
page, and prints what it was told.
"""

import json
import os
import sys
from typing import Any

from rentbilling.adapters.client import RentalClient
from rentbilling.testing import a_rent
from tests.adapters.processes.server_processes import NEW

TENANCIES = 250


def session(base: str, key: str) -> dict[str, Any]:
    with RentalClient(base, key, timeout=60) as client:
        made = [client.create_tenancy(NEW) for _ in range(TENANCIES)]
        first = made[0].lease_id
        rent = a_rent(amount="8500.00", moved_in="2026-01-15")
        item = client.create_recurring_bill_item(first, rent)
        bills = client.pending_bills(first, "2026-01-01/2026-02-28")
        terms = client.retrieve_lease_terms(first)
        return {
            "made": [[each.tenancy_id, each.lease_id] for each in made],
            "due": str(item.first_due_date),
            "bills": [[str(bill.due_date), str(bill.total)] for bill in bills],
            "is_equal": client.verify(first, terms, "2026-01-01/2026-12-31").is_equal,
            "tenancies": [each.id for each in client.tenancies(page_size=40)],
            "leases": [each.id for each in client.leases()],
        }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(session(sys.argv[1], os.environ["KEY"])))
