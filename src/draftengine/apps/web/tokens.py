"""Unguessable names: what belongs to a seat is given away once, and only its hash is kept."""

from __future__ import annotations

import hashlib
import hmac
from secrets import token_hex, token_urlsafe


def new_token() -> str:
    """256 bits of chance."""
    return token_urlsafe(32)


def new_id() -> str:
    """The name of a table, which is its invitation: 96 bits of chance."""
    return token_urlsafe(12).replace("_", "a").replace("-", "b")


def new_seed() -> tuple[str, str]:
    """A seed of 256 bits, and the salt of its commitment."""
    return token_hex(32), token_hex(16)


def hashed(token: str) -> str:
    """What is kept of a token. It is long and random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, kept: str) -> bool:
    """Is this the token whose hash is kept; it takes the same time however much of it is right."""
    return hmac.compare_digest(hashed(token), kept)
