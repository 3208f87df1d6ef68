"""Fixtures of the server's tests: a browser with pages of several people, and PostgreSQL if available."""

from __future__ import annotations

import pytest

from conftest import NIGHTLY
from serve.needed import EVERY, chromium, postgres

BROUGHT = {"browser", "minutes", "postgres_at", "opened"}
"""Fixtures whose tests need `make test-web`; `opened` is each of the two databases."""


def pytest_collection_modifyitems(config, items):
    """Drop tests without browser and database from `make test-web`, as `make test` runs them."""
    if EVERY:
        others = [own for own in items if BROUGHT.isdisjoint(own.fixturenames)]
        config.hook.pytest_deselected(items=others)
        items[:] = [own for own in items if own not in others]


@pytest.fixture(scope="session")
def postgres_at():
    """Yield a function that makes an empty database and returns its address."""
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
    """Return the minutes that a server has to hold."""
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
    """Yield the pages of several people; a complaint of a page is a failure."""
    from serve.people import People

    own = People(browser)
    yield own
    own.leave()
    assert own.complaints == []
