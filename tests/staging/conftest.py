"""Shared settings: specialised code is optimised as for users, unless a test asks for less."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _improved(improved):
    """Apply the fixture `improved` to all tests of this folder."""
