"""Files with maps, for clients that read them from the disk."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from fangnetz.problems import WrongUse

__all__ = ["MapFolder"]

_READABLE: Final = 0o755
"""A client may run as somebody else; a map is no secret."""


class MapFolder:
    """A new folder for maps, whose path can stand in a command.

    Raises:
        WrongUse: the system's temporary folder has a path with a blank or a comma.
    """

    def __init__(self) -> None:
        folder = Path(mkdtemp(prefix="right2live-2010-")).resolve()
        if not str(folder).isascii() or set(" ,|\t") & set(str(folder)):
            folder.rmdir()
            raise WrongUse(
                f"{folder.parent}: clients need a temporary folder without blanks and commas in its path; "
                "TMPDIR names another one"
            )
        folder.chmod(_READABLE)
        self._folder: Final = folder

    def path(self, rows: Sequence[str]) -> Path:
        """Return the file of a map as it was in 2010: `#` is a wall, a blank a free field (R1.1)."""
        text = "".join(f"{row.replace('.', ' ')}\n" for row in rows)
        digest = blake2b(text.encode(), digest_size=6).hexdigest()
        file = self._folder / f"{digest}.map"
        if not file.exists():
            file.write_text(text, encoding="ascii")
        return file

    def remove(self) -> None:
        """Delete the folder."""
        for file in self._folder.glob("*.map"):
            file.unlink()
        self._folder.rmdir()
