"""Index clauses and legal caps by country, as data with their sources.

Law: every number has a source and its dates.
"""

from rentbilling.presets.caps import (
    LEGAL_CAPS as LEGAL_CAPS,
    LegalCap as LegalCap,
    cap_rules as cap_rules,
    legal_caps as legal_caps,
)
from rentbilling.presets.catalogue import PRESETS as PRESETS, find as find, preset as preset
from rentbilling.presets.clause_preset import ClausePreset as ClausePreset
