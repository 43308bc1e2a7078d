"""Names that people would take for one another, and names that they would not."""

import pytest

from fangnetz_server.store.names import NameKeys

ALIKE = {
    "the same": ("Ada", "Ada"),
    "case": ("Ada", "aDA"),
    "full width": ("Ada", "Ａｄａ"),
    "mathematical letters": ("Ada", "𝐀𝒅𝚊"),
    "ligature": ("fine", "ﬁne"),
    "sharp s": ("Strauß", "STRAUSS"),
    "composed and decomposed": ("J\u00fcrgen", "Ju\u0308rgen"),
    "cyrillic small": ("pac", "\u0440\u0430\u0441"),
    "cyrillic capital that is no small one": ("Bob", "\u0412ob"),
    "cyrillic with a mark": ("no\u00eb", "no\u0451"),
    "greek small": ("nova", "n\u03bfv\u03b1"),
    "greek capital": ("HAT", "\u0397\u0391\u03a4"),
    "capital i and small l": ("AI", "Al"),
    "one and small l": ("bot1", "botl"),
    "one and capital i": ("BOT1", "BOTI"),
    "bar": ("line", "|ine"),
    "zero and o": ("B0t", "Bot"),
    "rn and m": ("corn", "com"),
    "vv and w": ("vvin", "win"),
    "small capitals": ("team", "\u1d1b\u1d07\u1d00\u1d0d"),
    "dotless i": ("Tim", "T\u0131m"),
    "more blanks": ("Ada  B", " Ada B "),
    "another blank": ("Ada B", "Ada\u2003B"),
    "variation selector": ("Ada", "Ada\ufe0f"),
    "zero width": ("Ada", "A\u200bda"),
    "filler": ("Ada", "Ada\u3164"),
}
DIFFERENT = {
    "another letter": ("Ada", "Ida"),
    "longer": ("Ada", "Adam"),
    "umlaut": ("Muller", "Müller"),
    "stroke": ("Bo", "Bø"),
    "small i and l inside": ("ali", "all"),
    "five and s": ("bot5", "bots"),
    "other number": ("bot2", "bot3"),
    "cyrillic letter of its own": ("Bot", "Б\u043et"),
    "a blank or none": ("Ada B", "AdaB"),
}


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE)
def test_alike(one: str, other: str) -> None:
    assert NameKeys.of(one).is_like(NameKeys.of(other))
    assert NameKeys.of(other).is_like(NameKeys.of(one))


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_different(one: str, other: str) -> None:
    assert not NameKeys.of(one).is_like(NameKeys.of(other))


@pytest.mark.parametrize("name", ["", " ", "\u200b\u2060", "\u3164", "\ufe0f \u034f"])
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="can be seen"):
        NameKeys.of(name)
