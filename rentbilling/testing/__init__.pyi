from rentbilling.testing.assertions import (
    assert_bill_consistent as assert_bill_consistent,
    assert_bills_equal as assert_bills_equal,
    assert_matches_golden as assert_matches_golden,
    bill_diff as bill_diff,
)
from rentbilling.testing.builders.bills import a_bill as a_bill, a_line as a_line
from rentbilling.testing.builders.items import (
    a_lease as a_lease,
    a_one_time_item as a_one_time_item,
    a_rent as a_rent,
    a_tenancy as a_tenancy,
    an_item as an_item,
)
from rentbilling.testing.builders.plans import a_plan as a_plan, an_index as an_index
from rentbilling.testing.laws import check_laws as check_laws
from rentbilling.testing.service_in_memory import (
    ServiceInMemory as ServiceInMemory,
    a_service as a_service,
)

__all__: tuple[str, ...]  # noqa: PYI035 - it is made from this file
