"""Which names look the same, so that nobody plays under what people take for another bot's name.

Two names are alike if either of their two keys is equal:

* `folded`: what is left when case and form do not matter. "ADA", "Ada" and "Ａｄａ" are one.
* `looks`: what the eye sees in the name as it is written. "AI" and "Al", "Вob" with a Cyrillic В
  and "Bob", "corn" and "com" are one.

What is covered, from the standard library's Unicode tables: case (full folding, ß and ss), all
compatibility forms (full width, mathematical, circled, super- and subscript letters, ligatures),
the order of combining marks, every kind and number of spaces, and characters that leave no ink.
From the tables below: the letters of Latin, Cyrillic and Greek that share a shape, small capitals,
and 0/O, 1/l/I/|, rn/m, vv/w. Not covered: other scripts (Armenian, Cherokee, ...), letters that
differ by a stroke (ø, ł), and digits that resemble letters only from afar (5/S, 8/B).
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = ["NameKeys"]

_INKLESS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164"  # joiners, fillers, blanks
) | frozenset(chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
"""Visible by their category, but they show nothing: fillers and variation selectors."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})

# Written as code points where Latin, Cyrillic and Greek would be indistinguishable in the source.
_CAPITALS: Final = {
    "\u0410": "A", "\u0391": "A", "\u0412": "B", "\u0392": "B", "\u0421": "C", "\u03f9": "C",
    "\u0415": "E", "\u0395": "E", "\u0397": "H", "\u041d": "H", "\u0406": "l", "\u0399": "l",
    "\u04c0": "l", "\u0408": "J", "\u037f": "J", "\u041a": "K", "\u039a": "K", "\u041c": "M",
    "\u039c": "M", "\u039d": "N", "\u041e": "O", "\u039f": "O", "\u0420": "P", "\u03a1": "P",
    "\u051a": "Q", "\u0405": "S", "\u0422": "T", "\u03a4": "T", "\u0474": "V", "\u051c": "W",
    "\u0425": "X", "\u03a7": "X", "\u0423": "Y", "\u04ae": "Y", "\u03a5": "Y", "\u0396": "Z",
    "\u0417": "3", "\u0393": "\u0413", "\u03a0": "\u041f", "\u03a6": "\u0424", "\u0394": "\u0414",
    "I": "l",
}  # fmt: skip
_SMALL: Final = {
    "\u0430": "a", "\u03b1": "a", "\u0251": "a", "\u0441": "c", "\u03f2": "c", "\u0501": "d",
    "\u0435": "e", "\u04bd": "e", "\u0261": "g", "\u04bb": "h", "\u0456": "i", "\u03b9": "i",
    "\u0131": "i", "\u0269": "i", "\u0458": "j", "\u03f3": "j", "\u043a": "k", "\u03ba": "k",
    "\u0138": "k", "\u04cf": "l", "\u03bd": "v", "\u0475": "v", "\u043e": "o", "\u03bf": "o",
    "\u03c3": "o", "\u0440": "p", "\u03c1": "p", "\u051b": "q", "\u0455": "s", "\u03c5": "u",
    "\u0443": "y", "\u03b3": "y", "\u04af": "y", "\u051d": "w", "\u0445": "x", "\u03c7": "x",
    "\u0437": "3", "\u03c0": "\u043f", "\u03c6": "\u0444",
    # Small capitals, which no compatibility form leads back to their letters.
    "\u1d00": "a", "\u0299": "b", "\u1d04": "c", "\u1d05": "d", "\u1d07": "e", "\u0262": "g",
    "\u029c": "h", "\u026a": "i", "\u1d0a": "j", "\u1d0b": "k", "\u029f": "l", "\u1d0d": "m",
    "\u0274": "n", "\u1d0f": "o", "\u1d18": "p", "\u0280": "r", "\ua731": "s", "\u1d1b": "t",
    "\u1d1c": "u", "\u1d20": "v", "\u1d21": "w", "\u028f": "y", "\u1d22": "z",
    "0": "o", "1": "l", "|": "l", "\u01c0": "l",
}  # fmt: skip
_SHAPES: Final = str.maketrans(_CAPITALS | _SMALL)
_PAIRS: Final = (("rn", "m"), ("vv", "w"))


@dataclass(frozen=True, slots=True)
class NameKeys:
    """The comparison keys of a name; no key of two different bots may be equal."""

    folded: str
    looks: str

    @staticmethod
    @lru_cache(maxsize=8192)  # A new name is compared with those of all bots that are in.
    def of(name: str) -> "NameKeys":
        """Return the keys of a name.

        Raises:
            ValueError: nothing of the name can be seen.
        """
        seen = _visible(unicodedata.normalize("NFKC", name))
        if not seen:
            raise ValueError(f"nothing of the name {name!r} can be seen")
        return NameKeys(_shape(seen.casefold()), _shape(seen))

    def is_like(self, other: "NameKeys") -> bool:
        """Tell whether people may take one name for the other."""
        return self.folded == other.folded or self.looks == other.looks


def _visible(text: str) -> str:
    """Drop what leaves no ink, and make any space one blank."""
    shown = (
        character
        for character in text
        if character.isspace() or not (character in _INKLESS or unicodedata.category(character) in _INVISIBLE)
    )
    return " ".join("".join(shown).split())


def _shape(text: str) -> str:
    """Put one letter for all that share its shape; marks are taken off for that and put on again."""
    bare = unicodedata.normalize("NFD", text).translate(_SHAPES).casefold()
    for pair, one in _PAIRS:
        bare = bare.replace(pair, one)
    return unicodedata.normalize("NFC", bare)
