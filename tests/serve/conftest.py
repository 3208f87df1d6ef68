"""What the tests of the server share: a browser with pages of several people, and a PostgreSQL where there is one."""

from __future__ import annotations

import pytest

from conftest import NIGHTLY
from serve.needed import EVERY, chromium, postgres

BROUGHT = {"browser", "minutes", "postgres_at", "opened"}
"""The fixtures of tests for which `make test-web` brings something; `opened` is each of the two databases."""


def pytest_collection_modifyitems(config, items):
    """`make test-web` leaves out what needs neither a browser nor a database: `make test` runs it."""
    if EVERY:
        others = [own for own in items if BROUGHT.isdisjoint(own.fixturenames)]
        config.hook.pytest_deselected(items=others)
        items[:] = [own for own in items if own not in others]


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


@pytest.fixture
def minutes():
    """How long a server has to hold."""
    if not EVERY and not NIGHTLY:
        pytest.skip("make test-web takes a minute for it")
    return 60 if NIGHTLY else 1


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as own:
        found = own.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def people(browser):
    """Pages of different people; whatever a page complains about is a failure."""
    from serve.people import People

    own = People(browser)
    yield own
    own.leave()
    assert own.complaints == []
