"""Leases of files, and what is asked about one: its period, policy and index series.

Law: what is wrong with a file is said with the name of that file.
"""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import NamedTuple

from rentbilling.adapters.cli.input.arguments import period_in, policy_in
from rentbilling.adapters.cli.input.index_files import (
    assumed,
    assumed_rate_in,
    indices_in,
    naming_options,
    say_assumptions,
)
from rentbilling.adapters.cli.streams import read_as, refusing
from rentbilling.codec import loads
from rentbilling.indices import IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.terms import LeaseTerms
from rentbilling.values import Period


class Question(NamedTuple):
    """A lease in a period, with what its bills need."""

    terms: LeaseTerms
    period: Period
    policy: BillingPolicy | None
    indices: tuple[IndexSeries, ...]


@contextmanager
def question_of(
    file: str,
    asked: str,
    policy_file: str | None,
    index_files: Iterable[str],
    assumed_rate: str | None,
) -> Generator[Question]:
    """Give what is asked about the lease of a file, and refuse what is wrong with it by its name.

    The period is read before the file.
    """
    policy = policy_in(policy_file)
    rate, period = assumed_rate_in(assumed_rate), period_in(asked, policy)
    terms, series = terms_in(file, policy), indices_in(index_files)
    with refusing(file), naming_options(series, rate, "the time after it"):
        say_assumptions(series, rate, period.end)
        yield Question(terms, period, policy, assumed(series, rate, period.end.year))


def terms_in(name: str, policy: BillingPolicy | None) -> LeaseTerms:
    return read_as(name, lambda given: loads(given, LeaseTerms, policy=policy))
