"""Why a figure is what it is, step by step.

Law: the steps of an explanation lead to the figure that they explain.
"""

from rentbilling.explanations.adjustments import LeaseAdjustments as LeaseAdjustments
from rentbilling.explanations.api import explain as explain
from rentbilling.explanations.formatting import as_fraction as as_fraction
from rentbilling.explanations.items import DISCOUNTED as DISCOUNTED, UNIT_PRICE as UNIT_PRICE
from rentbilling.explanations.lines import LineExplainer as LineExplainer
from rentbilling.explanations.openings import OPENING_PRICE as OPENING_PRICE
from rentbilling.explanations.working import (
    Explanation as Explanation,
    Input as Input,
    Working as Working,
)
