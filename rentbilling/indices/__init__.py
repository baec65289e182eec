"""Index series: published, provisional, assumed or rebased values, of which none is guessed."""

from rentbilling.indices.any_indices import (
    NO_SERIES as NO_SERIES,
    AnyIndices as AnyIndices,
    series_of as series_of,
)
from rentbilling.indices.points import (
    UNITS as UNITS,
    AnyPoint as AnyPoint,
    IndexPoint as IndexPoint,
    IndexUnit as IndexUnit,
)
from rentbilling.indices.series import IndexSeries as IndexSeries
from rentbilling.indices.series_schema import series_schema as series_schema
from rentbilling.indices.values import IndexKind as IndexKind
