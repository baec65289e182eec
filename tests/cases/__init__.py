"""Cases through every door; what a door asserts is shown with its values."""

import pytest

pytest.register_assert_rewrite("tests.cases.doors")
