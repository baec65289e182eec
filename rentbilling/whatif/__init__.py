"""The same run under changed inputs: scenarios, forecasts, cash flows."""

from rentbilling.whatif.comparison import Run as Run, WhatIf as WhatIf, what_if as what_if
from rentbilling.whatif.forecast import (
    MOST_YEARS as MOST_YEARS,
    Forecast as Forecast,
    forecast as forecast,
)
from rentbilling.whatif.index import (
    assume_index as assume_index,
    cap as cap,
    floor as floor,
    use_clause as use_clause,
    without_adjustments as without_adjustments,
)
from rentbilling.whatif.rent import (
    give_discount as give_discount,
    raise_rent as raise_rent,
    set_rent as set_rent,
    use_vat as use_vat,
)
from rentbilling.whatif.scenario import (
    BillingInputs as BillingInputs,
    Scenario as Scenario,
    as_it_is as as_it_is,
    under_policy as under_policy,
)
from rentbilling.whatif.terms import (
    due_on as due_on,
    end_on as end_on,
    start_on as start_on,
    with_item as with_item,
    without_item as without_item,
)
from rentbilling.whatif.turnover import with_turnover_rent as with_turnover_rent
