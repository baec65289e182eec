"""Tests bear the same names in every process, or they could not be shared among several."""

import re

import pytest


def test_no_name_holds_an_address(request: pytest.FixtureRequest) -> None:
    names = [item.nodeid for item in request.session.items]

    assert [] == [name for name in names if re.search(r" at 0x[0-9A-Fa-f]+", name)]
