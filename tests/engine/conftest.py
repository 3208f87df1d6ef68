"""Fixtures for tests of one game each."""

import pytest


@pytest.fixture(scope="module")
def path(request, tmp_path_factory):
    """Write the `GAME` of a module, and return its path."""
    path = tmp_path_factory.mktemp("game") / f"{request.module.__name__.rpartition('.')[2]}.yaml"
    path.write_text(request.module.GAME)
    return path
