"""Service charges settled: costs, keys and days become a statement for each lease (A71).

Law: each pool is what tenants and landlord bear of it, to the minor unit.
"""

from rentbilling.settlement.advances import (
    advance_total as advance_total,
    billed_advance as billed_advance,
    billed_advances as billed_advances,
    new_advance as new_advance,
)
from rentbilling.settlement.api import settle as settle, settle_houses as settle_houses
from rentbilling.settlement.checking import (
    CAUSES as CAUSES,
    SettlementDifference as SettlementDifference,
    StatedLine as StatedLine,
    StatedStatement as StatedStatement,
    check_settlement as check_settlement,
)
from rentbilling.settlement.countries import (
    SETTLEMENT_PRESETS as SETTLEMENT_PRESETS,
    Deadlines as Deadlines,
    SettlementPreset as SettlementPreset,
    settlement_preset as settlement_preset,
)
from rentbilling.settlement.explaining import explain_statement as explain_statement
from rentbilling.settlement.measures import (
    CARBON_HALVES as CARBON_HALVES,
    CARBON_TIERS as CARBON_TIERS,
    HEATING_VALUES as HEATING_VALUES,
    CarbonTier as CarbonTier,
    carbon_intensity as carbon_intensity,
    carbon_tier as carbon_tier,
    consumption as consumption,
    degree_days as degree_days,
    fuel_used as fuel_used,
    heat_share as heat_share,
    hot_water_by_area as hot_water_by_area,
    hot_water_heat as hot_water_heat,
    person_days as person_days,
    weighted_area as weighted_area,
    whole_months as whole_months,
)
from rentbilling.settlement.occupancies import (
    Advance as Advance,
    LeaseBase as LeaseBase,
    LeaseCeiling as LeaseCeiling,
    LeaseFloor as LeaseFloor,
    Occupancy as Occupancy,
    PersonsRecord as PersonsRecord,
    Reading as Reading,
    Settlement as Settlement,
    SettlementUnit as SettlementUnit,
)
from rentbilling.settlement.policy import (
    VDI_2067 as VDI_2067,
    DegreeDays as DegreeDays,
    SettlementPolicy as SettlementPolicy,
)
from rentbilling.settlement.pools import (
    CostPool as CostPool,
    ExpenseSteps as ExpenseSteps,
    PoolPart as PoolPart,
)
from rentbilling.settlement.results import (
    HouseProblem as HouseProblem,
    PoolTotal as PoolTotal,
    SettledHouses as SettledHouses,
    SettlementResult as SettlementResult,
)
from rentbilling.settlement.statements import (
    Balance as Balance,
    Statement as Statement,
    StatementLine as StatementLine,
    UnusedCeiling as UnusedCeiling,
)
