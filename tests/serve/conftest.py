"""Fixtures of the server's tests: a browser with pages of several people, and PostgreSQL if available."""

from __future__ import annotations

import pytest

from conftest import NIGHTLY
from serve.needed import EVERY, chromium, postgres

BROUGHT = {"browser", "minutes", "postgres_at", "opened"}
"""Fixtures whose tests need `make test-web`; `opened` is each of the two databases."""


def pytest_collection_modifyitems(config, items):
    """Drop from `make test-web` what `make test` runs, and the other way round; drop nothing at night.

    `make test-web` runs the tests of this folder that need a browser or a database, or have the mark ``web``.
    """
    if not EVERY and NIGHTLY:
        return

    def stays(item):
        late = item.get_closest_marker("web") is not None
        return (late or not BROUGHT.isdisjoint(item.fixturenames)) if EVERY else not late

    config.hook.pytest_deselected(items=[item for item in items if not stays(item)])
    items[:] = [item for item in items if stays(item)]


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
