"""Tokens and seat codes: random, shown once, kept as a hash.

They have 192 and 80 random bits, so a fast hash is enough; a slow one is for secrets that people
choose. Looking up by the hash gives nothing away by its time: who cannot choose the hash of a
guess learns nothing from how far two hashes agree.
"""

import base64
import hmac
import secrets
from hashlib import sha256
from typing import Final

__all__ = ["hash_code", "hash_token", "new_code", "new_token", "same_hash"]

_TOKEN_MARK: Final = "fnz_"
"""So that tools which look for leaked secrets can know one."""
_TOKEN_BYTES: Final = 24
_CODE_BYTES: Final = 10
_CODE_GROUP: Final = 4


def new_token() -> str:
    """Return a token for a program: `fnz_` and 32 characters that need no escaping anywhere."""
    return _TOKEN_MARK + secrets.token_urlsafe(_TOKEN_BYTES)


def new_code() -> str:
    """Return a code for people to type: four groups of four letters and digits, none of 0, 1, 8, 9."""
    text = base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode()
    return "-".join(text[start : start + _CODE_GROUP] for start in range(0, len(text), _CODE_GROUP))


def hash_token(token: str) -> bytes:
    """Return what is kept of a token."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def hash_code(code: str) -> bytes:
    """Return what is kept of a seat code; case, blanks and dashes in it do not matter."""
    return hash_token("".join(code.upper().replace("-", " ").split()))


def same_hash(one: bytes, other: bytes) -> bool:
    """Compare in a time that does not depend on where they differ."""
    return hmac.compare_digest(one, other)
