"""Lines put together into bills, with VAT and totals (A16, A29, A30, A52).

Law: groups are formed and corrected one minor unit at a time, as a bookkeeper would on paper.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

import rentbilling as rb
from tests.oracle.answers import ToldBill, ToldLine, UnknownVat, UnknownVatTotal
from tests.oracle.lines import ItemOracle, RawLine, one_time_line, selected
from tests.oracle.rounding import minor_units, rounded, shown_unit_price

Item = rb.RecurringBillItem | rb.OneTimeBillItem

ZERO = Fraction(0)


@dataclass(frozen=True)
class Group:
    """The lines of one VAT on a bill, by their place on it, with their nets."""

    vat: UnknownVat
    nets: dict[int, Fraction]
    amount: Fraction


def bills_by_oracle(
    terms: rb.LeaseTerms | Iterable[Item], period: rb.Period, policy: rb.BillingPolicy | None = None
) -> tuple[ToldBill, ...]:
    """Return the bills of a period, reckoned slowly and independently of the library."""
    policy = rb.BillingPolicy() if policy is None else policy
    lines = sorted(raw_lines(terms, period, policy), key=lambda line: line.due_date)
    lines.sort(key=lambda line: (line.due_date, line.currency, line.order, line.days.first))
    return tuple(
        _bill(list(same), policy)
        for _, same in groupby(lines, lambda line: (line.due_date, line.currency))
    )


def raw_lines(
    terms: rb.LeaseTerms | Iterable[Item], period: rb.Period, policy: rb.BillingPolicy
) -> list[RawLine]:
    """Return the lines of every item that the asked period selects, recurring items first."""
    lease = terms if isinstance(terms, rb.LeaseTerms) else None
    if lease is not None:
        items: list[Item] = [*lease.recurring_bill_items, *lease.one_time_bill_items]
    else:
        assert not isinstance(terms, rb.LeaseTerms)
        items = sorted(terms, key=lambda item: isinstance(item, rb.OneTimeBillItem))
    contract_end = None if lease is None else lease.contract_end
    found: list[RawLine] = []
    recurring = sum(isinstance(item, rb.RecurringBillItem) for item in items)
    for order, item in enumerate(items):
        rules = rules_for(item.product_key, policy)
        if isinstance(item, rb.OneTimeBillItem):
            item_id = item.id or f"one-time-{order - recurring + 1}"
            line = one_time_line(item, order, item_id, rules)
            found += [line] if selected(line, period, rules) else []
        else:
            item_id = item.id or f"recurring-{order + 1}"
            found += ItemOracle(item, order, item_id, contract_end, rules).lines(period)
    return found


def rules_for(product_key: str, policy: rb.BillingPolicy) -> rb.BillingPolicy:
    """Return the policy of a product's lines; whole bills and answers keep their own (A54)."""
    own = dict(policy.by_product).get(product_key)
    if own is None:
        return policy
    return own.evolve(currencies=policy.currencies, select=policy.select)


def _bill(raw: Sequence[RawLine], policy: rb.BillingPolicy) -> ToldBill:
    currency = raw[0].currency
    places = minor_units(currency, policy)
    quantum = Fraction(1, 10**places)
    groups = _groups(raw, quantum, policy)
    nets = {place: net for group in groups for place, net in group.nets.items()}
    subtotal = sum(nets.values(), ZERO)
    total = subtotal + sum((group.amount for group in groups), ZERO)
    cash = dict(policy.cash_rounding).get(currency)
    payable = total if cash is None else rounded(total, Fraction(cash), policy.rounding)
    return ToldBill(
        due_date=raw[0].due_date,
        currency=currency,
        lines=tuple(_told(line, nets[place], places, policy) for place, line in enumerate(raw)),
        subtotal=subtotal,
        vat_totals=tuple(
            UnknownVatTotal(group.vat, sum(group.nets.values(), ZERO), group.amount)
            for group in groups
        ),
        total=total,
        payable=payable,
    )


def _groups(raw: Sequence[RawLine], quantum: Fraction, policy: rb.BillingPolicy) -> list[Group]:
    """Return the VAT groups of a bill in order of first appearance (A30)."""
    together: dict[UnknownVat, dict[int, Fraction]] = {}
    for place, line in enumerate(raw):
        together.setdefault(line.vat, {})[place] = line.money
    return [vat_group(vat, money, quantum, policy) for vat, money in together.items()]


def vat_group(
    vat: UnknownVat, money: dict[int, Fraction], quantum: Fraction, policy: rb.BillingPolicy
) -> Group:
    """Return the nets and the VAT of one group of rounded lines (A29)."""
    per_line = policy.vat_rounding == "per_line"
    if vat.rate is None:
        return Group(vat, money, ZERO)

    def to_minor(value: Fraction) -> Fraction:
        return rounded(value, quantum, policy.rounding)

    if vat.mode == "Exclusive":
        if per_line:
            amount = sum((to_minor(net * vat.rate) for net in money.values()), ZERO)
        else:
            amount = to_minor(sum(money.values(), ZERO) * vat.rate)
        return Group(vat, money, amount)
    inside = vat.rate / (1 + vat.rate)
    if per_line:
        nets = {place: gross - to_minor(gross * inside) for place, gross in money.items()}
        return Group(vat, nets, sum(money.values(), ZERO) - sum(nets.values(), ZERO))
    gross_of_group = sum(money.values(), ZERO)
    amount = to_minor(gross_of_group * inside)
    nets = {place: to_minor(gross / (1 + vat.rate)) for place, gross in money.items()}
    exact = {place: gross / (1 + vat.rate) for place, gross in money.items()}
    return Group(vat, corrected(nets, exact, gross_of_group - amount, quantum), amount)


def corrected(
    nets: dict[int, Fraction], exact: dict[int, Fraction], wanted: Fraction, quantum: Fraction
) -> dict[int, Fraction]:
    """Return nets that sum to the wanted net, the worst placed line corrected first (A29)."""
    result = dict(nets)
    missing = wanted - sum(nets.values(), ZERO)
    direction = 1 if missing > 0 else -1
    order = sorted(nets, key=lambda place: -direction * (exact[place] - nets[place]))
    while missing != 0:
        for place in order:
            if missing != 0:
                result[place] += direction * quantum
                missing -= direction * quantum
    return result


def _told(line: RawLine, net: Fraction, places: int, policy: rb.BillingPolicy) -> ToldLine:
    """Return a line with the unit prices that it prints (A21)."""
    rules = rules_for(line.product_key, policy)
    amount = shown_unit_price(line.exact_unit, line.quantity, line.money, places, rules.rounding)
    unit_net: Fraction | None = amount
    if line.vat.mode == "Inclusive":
        assert line.vat.rate is not None
        exact_net = line.exact_unit / (1 + line.vat.rate)
        unit_net = shown_unit_price(exact_net, line.quantity, net, places, rules.rounding)
    assert amount is not None
    assert unit_net is not None
    return ToldLine(
        product_key=line.product_key,
        first_day=line.days.first,
        last_day=line.days.last,
        quantity=line.quantity,
        amount=amount,
        unit_net_price=unit_net,
        net_price=net,
        vat=line.vat,
        kind=line.kind,
        share=line.share,
        texts=line.texts,
    )
