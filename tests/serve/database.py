"""A temporary PostgreSQL server for the tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import sqlalchemy as sa

from serve.needed import ACCOUNT, postgres

_NAMES = count()


@contextmanager
def running():
    """Start a server on a free port; yield a function that makes a database and returns its address."""
    programs = postgres()
    assert programs is not None
    folder = Path(mkdtemp(prefix="postgres-"))
    account = {"user": ACCOUNT, "group": ACCOUNT} if os.geteuid() == 0 else {}
    if account:
        shutil.chown(folder, **account)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    data = folder / "data"

    def run(name, *arguments):
        command = [programs / name, "-D", data, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, **account)

    run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-sync")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder}"
    run("pg_ctl", "start", "--wait", "--silent", "-l", folder / "log", "-o", options)
    address = f"postgresql+psycopg://postgres@127.0.0.1:{port}"
    engine = sa.create_engine(f"{address}/postgres", isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)

    def fresh():
        name = f"tables_{next(_NAMES)}"
        with engine.connect() as base:
            base.execute(sa.text(f"CREATE DATABASE {name}"))
        return f"{address}/{name}"

    try:
        yield fresh
    finally:
        run("pg_ctl", "stop", "--silent", "-m", "immediate")
        shutil.rmtree(folder)
