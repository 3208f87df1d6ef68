"""Cache of object code in the user's folder, kept between runs.

A file has a magic word with the version of this format, a checksum, and the code. Damaged, foreign and outdated files
are ignored and written again.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

from draftengine.support import caches
from draftengine.support.files import replacing

_MAGIC = b"draftengine code 1\n"
_CHECKSUM = hashlib.sha256().digest_size


def key_of(*parts: str) -> str:
    """Return the cache key of code that depends on these texts."""
    digest = hashlib.sha256(_MAGIC)
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.hexdigest()[:32]


@cache
def package() -> str:
    """Return a hash of the code in this package that specialised code depends on."""
    root, digest = Path(__file__).resolve().parents[2], hashlib.sha256()
    for part in ("bots", "engine", "jit", "model"):
        for file in sorted((root / part).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def found(key: str) -> bytes | None:
    """Return the cached code for a key; ``None`` if it is missing or damaged."""
    path = caches.folder() / f"code-{key}"
    try:
        content = path.read_bytes()
    except OSError:
        return None
    head = _MAGIC + bytes.fromhex(key)
    checksum, code = content[len(head) :][:_CHECKSUM], content[len(head) + _CHECKSUM :]
    if not content.startswith(head) or hashlib.sha256(head + code).digest() != checksum:
        return None
    caches.used(path)
    return code


def store(key: str, code: bytes) -> None:
    """Store code for a key. Failures to write are ignored."""
    head = _MAGIC + bytes.fromhex(key)
    with suppress(OSError):
        with replacing(caches.folder() / f"code-{key}") as file:
            file.write(head + hashlib.sha256(head + code).digest() + code)
        caches.trim()
