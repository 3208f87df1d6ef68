"""Installs what `make test-web` needs besides Python, if possible: Chromium and PostgreSQL.

Without Chromium the tests cannot run, so this fails and says what to do. Without PostgreSQL the tests that need it are
skipped, and pytest lists them with the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ACCOUNT = "postgres"
EVERY = os.environ.get("DRAFTENGINE_WEB", "") not in {"", "0"}
"""True under `make test-web`, which skips nothing that the machine can do."""
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of Chromium; the first, without windows, needs less processor time. Ubuntu does not have it."""


WANTED = os.environ.get("DRAFTENGINE_CHROMIUM", "")
"""Name or path of the Chromium to use instead of these."""


def chromium() -> str | None:
    """Return the path of the first Chromium found, or None."""
    return next(filter(None, map(shutil.which, [WANTED] if WANTED else CHROMIUMS)), None)


def postgres() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs; Debian keeps them outside of the path.

    None if there is no PostgreSQL, or if this is root without Debian's account: PostgreSQL refuses to run as root.
    """
    if os.name != "posix":
        return None
    import pwd

    if os.geteuid() == 0 and ACCOUNT not in {own.pw_name for own in pwd.getpwall()}:
        return None
    found = [*Path("/usr/lib/postgresql").glob("*/bin/postgres"), *map(Path, filter(None, [shutil.which("postgres")]))]
    folders = [own.resolve().parent for own in found if (own.resolve().parent / "initdb").is_file()]
    return max(folders, key=lambda own: [int(part) for part in own.parts if part.isdecimal()], default=None)


def install(package: str) -> str:
    """Install a package of Debian or Ubuntu; return an error message, empty on success."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get here"
    rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (
        ["update"],
        ["-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends", package],
    ):
        try:
            done = subprocess.run(
                [*rights, "apt-get", *arguments], env=environment, capture_output=True, text=True, check=False
            )
        except OSError as error:
            return str(error)
        if done.returncode and arguments != ["update"]:
            return (done.stderr or done.stdout).strip().splitlines()[-1]
    return ""


def main() -> int:
    """Install both if missing; return the exit status."""
    if chromium() is None:
        why = install(CHROMIUMS[0]) and install(CHROMIUMS[1])
        if chromium() is None:
            sys.stderr.write(
                f"There is no Chromium, and it cannot be installed ({why}).\n"
                f"Install one by hand, under one of the names {', '.join(CHROMIUMS)}, and run make test-web again.\n"
            )
            return 1
    if postgres() is None:
        why = install("postgresql")
        if postgres() is None:
            sys.stderr.write(
                f"There is no PostgreSQL, and it cannot be installed ({why}): its tests will be skipped.\n"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
