"""Object code kept from one run to the next, in the user's folder.

A file holds a magic word with the number of this format, a checksum, and the code. A file that is damaged, foreign or
of another format is taken for none, and made anew.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress

from draftengine.support import caches
from draftengine.support.files import replacing

_MAGIC = b"draftengine code 1\n"
_CHECKSUM = hashlib.sha256().digest_size


def key_of(*parts: str) -> str:
    """A key for code that is made of these texts."""
    digest = hashlib.sha256(_MAGIC)
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.hexdigest()[:32]


def found(key: str) -> bytes | None:
    """The code that is kept for a key, if it is there and whole."""
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
    """Keep code for a key. Where it cannot be written it is not kept."""
    head = _MAGIC + bytes.fromhex(key)
    with suppress(OSError):
        with replacing(caches.folder() / f"code-{key}") as file:
            file.write(head + hashlib.sha256(head + code).digest() + code)
        caches.trim()
