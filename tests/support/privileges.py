"""Does without the rights of root for a moment, so that a test of missing rights means something."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["unprivileged"]

_NOBODY: Final = 65534


@contextmanager
def unprivileged() -> Iterator[None]:
    """Act as nobody in particular while the context is open, if the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
