"""Secrets that nobody can guess. The token of a seat is sent once, and only its hash is kept."""

from __future__ import annotations

import hashlib
import hmac
from secrets import token_hex, token_urlsafe


def new_token() -> str:
    """Return 256 random bits."""
    return token_urlsafe(32)


def new_id() -> str:
    """Return the id of a table, which is its invitation: 96 random bits."""
    return token_urlsafe(12).replace("_", "a").replace("-", "b")


def new_seed() -> tuple[str, str]:
    """Return a seed of 256 random bits, and the salt of its commitment."""
    return token_hex(32), token_hex(16)


def hashed(token: str) -> str:
    """Return the hash of a token. Tokens are long and random, so one round of SHA-256 is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, kept: str) -> bool:
    """True if the token has this hash; compared in constant time."""
    return hmac.compare_digest(hashed(token), kept)
