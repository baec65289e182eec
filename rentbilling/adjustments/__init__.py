"""Plans and index values become dated adjustments and balances, and the amount in force.

Law: the same plans, series and policy give the same adjustments, whatever period is asked.
"""

from rentbilling.adjustments.adjustee import Adjusted as Adjusted, Adjustee as Adjustee
from rentbilling.adjustments.amount_history import History as History, State as State
from rentbilling.adjustments.amounts_only import AmountsOnly as AmountsOnly
from rentbilling.adjustments.api import (
    adjusted_terms as adjusted_terms,
    amount_in_force as amount_in_force,
    next_adjustment_date as next_adjustment_date,
    rent_adjustments as rent_adjustments,
    rolled_back as rolled_back,
)
from rentbilling.adjustments.balances import (
    BalanceHistory as BalanceHistory,
    Moved as Moved,
    MovesBy as MovesBy,
    WithAdjustments as WithAdjustments,
    share_over as share_over,
)
from rentbilling.adjustments.dates import Bounds as Bounds, RuleDates as RuleDates
from rentbilling.adjustments.lease_history import (
    LeaseHistories as LeaseHistories,
    next_day as next_day,
)
from rentbilling.adjustments.plan import Event as Event, PlanRules as PlanRules
from rentbilling.adjustments.results import (
    ADJUSTMENT_COLUMNS as ADJUSTMENT_COLUMNS,
    AdjustmentResult as AdjustmentResult,
    adjustment_rows as adjustment_rows,
    adjustments_between as adjustments_between,
    adjustments_schema as adjustments_schema,
    adjustments_text as adjustments_text,
    known_adjustments as known_adjustments,
    single_adjustment as single_adjustment,
)
from rentbilling.adjustments.rules.amounts import AmountScale as AmountScale
from rentbilling.adjustments.rules.index_comparison import IndexChange as IndexChange
from rentbilling.adjustments.rules.limits import limit_reached as limit_reached
from rentbilling.adjustments.rules.rule import (
    CompiledRule as CompiledRule,
    Effect as Effect,
    RuleInputs as RuleInputs,
    Step as Step,
)
