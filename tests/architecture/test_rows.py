"""A table of rows tries them all, and names each that fails."""

import pytest

from tests.support.rows import rows


def test_every_row_that_fails_is_named() -> None:
    tried: list[tuple[int, str]] = []

    @rows("number", [1, 2, 3])
    @rows(("text", "size"), [("a", 1), ("bb", 2)], ids=["one letter", "two letters"])
    def is_small(number: int, text: str, size: int) -> None:
        tried.append((number, text))
        assert len(text) == size
        with pytest.raises(ValueError, match="3"):
            raise ValueError(str(number + size))

    with pytest.raises(BaseExceptionGroup) as caught:
        is_small()

    assert 6 == len(tried)
    # 1 + 2 and 2 + 1 are 3.
    assert [["in the row 1"], ["in the row 2"], ["in the row 3"]] == [
        each.__notes__ for each in caught.value.exceptions
    ]
    assert [["one letter"], ["two letters"], ["one letter", "two letters"]] == [
        [inner.__notes__[0].removeprefix("in the row ") for inner in each.exceptions]
        for each in caught.value.exceptions
        if isinstance(each, BaseExceptionGroup)
    ]
