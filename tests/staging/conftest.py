"""What the specialiser makes is compiled as it is for people, with as much improvement as a test asks for."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _improved(improved):
    """All tests of this room."""
