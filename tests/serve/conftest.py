"""What the tests of the server share: whether everything is played, and a PostgreSQL where there is one."""

from __future__ import annotations

import os

import pytest

from serve.needed import postgres

EVERY = os.environ.get("DRAFTENGINE_WEB", "") not in {"", "0"}
"""Whether this is `make test-web`, which skips nothing that the machine can do."""


@pytest.fixture(scope="session")
def postgres_at():
    """Makes an empty database, and says its address."""
    if not EVERY:
        pytest.skip("make test-web uses PostgreSQL")
    if postgres() is None:
        pytest.skip("there is no PostgreSQL here, and it could not be installed")
    pytest.importorskip("sqlalchemy")
    from serve.database import running

    with running() as fresh:
        yield fresh
