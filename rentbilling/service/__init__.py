"""The operations without a transport: a request and a store give an answer.

Law: an operation sees the data of one owner, and changes all of what it changes or nothing.
"""

from rentbilling.reports import (
    LeaseFigures as LeaseFigures,
    contract_period_state as contract_period_state,
    lease_figures_on as lease_figures_on,
)
from rentbilling.service.audit import AuditedStore as AuditedStore
from rentbilling.service.items import (
    create_one_time_bill_item as create_one_time_bill_item,
    create_recurring_bill_item as create_recurring_bill_item,
)
from rentbilling.service.keys import (
    RIGHTS as RIGHTS,
    KeyRing as KeyRing,
    StoredKey as StoredKey,
    key_of as key_of,
    key_text as key_text,
    may_be_key as may_be_key,
    stored_key as stored_key,
)
from rentbilling.service.leases import change_lease as change_lease
from rentbilling.service.operations import OPERATIONS as OPERATIONS
from rentbilling.service.plans import create_rent_adjustment_plan as create_rent_adjustment_plan
from rentbilling.service.problem_details import (
    INTERNAL as INTERNAL,
    PROBLEM_KINDS as PROBLEM_KINDS,
    ProblemAnswer as ProblemAnswer,
    ProblemKind as ProblemKind,
    problem as problem,
)
from rentbilling.service.products import (
    record_payout as record_payout,
    record_product as record_product,
)
from rentbilling.service.store import (
    KINDS as KINDS,
    Context as Context,
    KeptAnswer as KeptAnswer,
    ServedStore as ServedStore,
    Store as Store,
    Stored as Stored,
    StoreError as StoreError,
    Stores as Stores,
    StoreUnavailableError as StoreUnavailableError,
    called as called,
    days_of as days_of,
    unknown_id as unknown_id,
)
from rentbilling.service.tenancies import (
    archive_tenancy as archive_tenancy,
    change_tenancy as change_tenancy,
    create_tenancy as create_tenancy,
)
