"""The bot of the how-to is real: it beats `random`, and the page tells the truth."""

import re
from pathlib import Path

from support.bridged import bridged, check_clean
from support.live_server import LiveServer
from support.octave import MATLAB, octave_bot, require_octave
from support.scripted import observation, start

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "write-a-bot-in-octave.md"
TEXT = PAGE.read_text(encoding="utf-8")
(CODE,) = re.findall(r"```matlab\n(function.*?)```", TEXT, re.DOTALL)
FIELDS = """function bes = beschleunigung(spiel, farbe)
printf ('%s\\n', fieldnames (spiel){:}, fieldnames (spiel.rot){:});
bes = [0 0];
"""


async def test_the_bot_of_the_page_beats_random(server: LiveServer, tmp_path: Path) -> None:
    falke = tmp_path / "falke"
    falke.mkdir()
    (falke / "beschleunigung.m").write_text(CODE, encoding="utf-8")
    program = (require_octave(), "-qf", MATLAB / "play_stdio.m", falke)
    options = ("--says-ready", "--log", tmp_path / "falke.log")
    results, log = await bridged(server, "falke", *options, "--", *program)
    check_clean(results, log)
    assert sum(result.points[0] for result in results) >= 2
    assert "coasts" not in (tmp_path / "falke.log").read_text(encoding="utf-8")


def test_the_tables_hold_every_field(tmp_path: Path) -> None:
    rows = re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)
    told = [name for row in rows for name in re.findall(r"`(\w+)(?:\(k\))?`", row)]
    with octave_bot(tmp_path, FIELDS) as bot:
        bot.ask(start())
        bot.ask(observation(0))
        given = bot.finish()[1].split()
    assert sorted(told) == sorted(given)


def test_the_words_of_the_page_are_those_of_the_programs() -> None:
    assert re.search(r"play_tcp\('falke', \d+\)", TEXT)
    assert "fangnetz_steuern(spiel, ich, ziel)" in TEXT
    for name in ("play_stdio.m", "play_tcp.m", "fangnetz_steuern.m"):
        assert (MATLAB / name).is_file()


def test_the_links_lead_somewhere() -> None:
    for page in (PAGE, MATLAB / "README.md"):
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), target
