"""A replay as one file, opened from the disk with the network off."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.driven import DUEL, ROOMS, DrivenMatch, rise
from fangnetz_server.cli import CommandError
from fangnetz_server.cli.export import export_html
from support.clients import stroll
from support.live_server import ThreadedServer


@pytest.mark.parametrize(
    ("game", "setup", "policy"),
    [("right2live", ROOMS, stroll), ("spaceballs", DUEL, rise)],
)
def test_it_plays_without_a_network(
    served: ThreadedServer, chromium: Browser, tmp_path: Path, game: str, setup: object, policy: object
) -> None:
    match = DrivenMatch(served, game, setup, policy)  # type: ignore[arg-type]
    result = match.finish()
    replay = tmp_path / "match.ndjson.zst"
    context = chromium.new_context(locale="de-DE")
    replay.write_bytes(context.request.get(f"{served.url}/api/matches/{match.id}/replay").body())
    target = export_html(replay)
    context.set_offline(True)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: faults.append(request.url) if "http" in request.url[:4] else None)
    page.goto(f"{target.as_uri()}?tick=20")
    viewer = page.get_by_test_id("viewer")
    expect(viewer).to_have_attribute("data-tick", "20")
    page.keyboard.press("End")
    expect(viewer).to_have_attribute("data-tick", str(result["ticks"]))
    expect(page.get_by_test_id("result")).to_be_visible()
    page.get_by_role("button", name="Einen Schritt zurück").click()
    expect(viewer).to_have_attribute("data-tick", str(result["ticks"] - 1))
    assert faults == []
    context.close()


def test_a_file_that_is_no_replay_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "no.zst"
    file.write_bytes(b"nothing")
    with pytest.raises(CommandError, match="zstd"):
        export_html(file)
    with pytest.raises(CommandError, match="No such file"):
        export_html(tmp_path / "missing")
