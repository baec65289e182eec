"""Equal rows: which rows of two Arrow arrays say the same, with all that is inside them.

Law: null is equal to null, and to nothing else.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.arrow_types import functions
from rentbilling.portfolio.arrow.flat_arrays import there
from rentbilling.portfolio.arrow.lease_columns import list_lengths
from rentbilling.portfolio.arrow.numbers import Mask


def equal_rows(one: Any, other: Any) -> Mask:  # noqa: ANN401 - Arrow arrays
    """Return where two arrays are equal.

    Examples:
        >>> rows = pa.array([["a", None], [], None])
        >>> equal_rows(rows, pa.array([["a", None], ["b"], None])).tolist()
        [True, False, True]
    """
    found: Mask = there(one) == there(other)
    if pa.types.is_struct(one.type):
        for mine, theirs in zip(one.flatten(), other.flatten(), strict=True):
            found &= equal_rows(mine, theirs)
    elif pa.types.is_list(one.type):
        lengths = list_lengths(one)
        found &= lengths == list_lengths(other)
        rows = np.flatnonzero(found)
        if len(rows) < len(found):
            lengths, at = lengths[rows], pa.array(rows)
            one, other = one.take(at), other.take(at)
        wrong = ~equal_rows(one.flatten(), other.flatten())
        found[np.repeat(rows, lengths)[wrong]] = False
    else:
        # What is null on both sides is equal; what is null on one of them is not already.
        alike = functions.equal(one, other).fill_null(pa.scalar(value=True))
        found &= alike.to_numpy(zero_copy_only=False)
    return found
