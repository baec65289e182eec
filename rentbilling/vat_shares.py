"""VAT shares: which part of a bill's VAT belongs to which of its lines.

Law: the shares of the lines of a VAT total add up to it, to the minor unit, whatever it says.
What does not live here: the VAT totals (`vat`), sums of many bills (`cash_flows`).
"""

from collections.abc import Sequence

from rentbilling.figures import RawLine, RawTotal


def vat_of_lines(lines: Sequence[RawLine], totals: Sequence[RawTotal]) -> list[int]:
    """Return the VAT of each line in minor units, so that the lines of a VAT total sum to it.

    An Inclusive line has what its gross is above its net, another one its net times the rate,
    rounded half up. What is missing to the total goes to the lines in single minor units, the
    largest residue first, of equal ones the earlier line.

    Args:
        lines: The lines of a bill.
        totals: Its VAT totals.

    Returns:
        One figure for each line; 0 where no VAT total is about it. VAT without a line has no share.
    """
    shares = [0] * len(lines)
    wanted: dict[object, int] = {}
    for vat, units, _ in totals:
        wanted[vat.category] = wanted.get(vat.category, 0) + units
    for category, units in wanted.items():
        own = [at for at, line in enumerate(lines) if line[0].vat.category == category]
        if len(own) == 1:
            shares[own[0]] = units
        elif units and own:
            for at in own:
                shares[at] = _own_vat(lines[at])
            _add_up(shares, own, units, lines)
    return shares


def _own_vat(line: RawLine) -> int:
    """Return the VAT of one line alone."""
    figures = line[0]
    if figures.group.inclusive:
        return figures.base - figures.net
    return figures.group.vat_on_net(figures.net, "half_up")


def _add_up(shares: list[int], own: Sequence[int], units: int, lines: Sequence[RawLine]) -> None:
    """Give the lines of a total what is missing to it."""
    missing = units - sum(shares[at] for at in own)
    step = 1 if missing > 0 else -1

    def residue(at: int) -> int:
        figures = lines[at][0]
        group = figures.group
        return (figures.net * group.rate_over - shares[at] * group.rate_below) * step

    each, more = divmod(abs(missing), len(own))
    for place, at in enumerate(sorted(own, key=residue, reverse=True)):
        shares[at] += step * (each + (place < more))
