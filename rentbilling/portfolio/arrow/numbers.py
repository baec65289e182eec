"""Numbers: the columns of whole numbers and of truth values that portfolios are computed on.

Law: a column has one value for each row.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rentbilling.values.periods import NEVER as _NEVER

Column = NDArray[np.int64]
"""A column of whole numbers of 64 bits."""


Mask = NDArray[np.bool_]


NEVER: Final = _NEVER
"""A day after every date: an end that there is none of."""
