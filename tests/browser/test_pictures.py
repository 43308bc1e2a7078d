"""Fixed moments of fixed replays look as they did: compared with small stored pictures, within a tolerance.

To accept another look: FANGNETZ_NEW_PICTURES=1 pytest tests/browser/test_pictures.py, then look at them.
"""

import base64
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from fangnetz_server.cli.export import export_html

PICTURES = Path(__file__).parent / "pictures"
GOLDEN = Path(__file__).parents[1] / "golden"
DIFFERENT = 40
"""Sum over red, green and blue from which a dot is another one; edges are smoothed differently elsewhere."""
MOST_DIFFERENT = 0.02
COMPARE = """async ([seen, stored]) => {
    const dots = async png => {
        const image = new Image();
        image.src = `data:image/png;base64,${png}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(image, 0, 0);
        const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
        return { size: [image.width, image.height], data: bytes };
    };
    const [a, b] = [await dots(seen), await dots(stored)];
    if (String(a.size) !== String(b.size)) return 1;
    let different = 0;
    for (let at = 0; at < a.data.length; at += 4) {
        const by = [0, 1, 2].reduce((sum, part) => sum + Math.abs(a.data[at + part] - b.data[at + part]), 0);
        if (by > LIMIT) different += 1;
    }
    return different / (a.data.length / 4);
}""".replace("LIMIT", str(DIFFERENT))
RIGHT2LIVE, SPACEBALLS = "right2live-rules-1", "spaceballs-rules-1"
MOMENTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "right2live-dark": (RIGHT2LIVE, "tick=30", {"color_scheme": "dark"}),
    "right2live-light": (RIGHT2LIVE, "tick=20&player=1", {"color_scheme": "light"}),
    "right2live-near": (RIGHT2LIVE, "tick=20&player=1&follow=1", {"color_scheme": "dark"}),
    "spaceballs-dark": (SPACEBALLS, "tick=90", {"color_scheme": "dark"}),
    "spaceballs-light": (SPACEBALLS, "tick=60&player=0", {"color_scheme": "light"}),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_it_looks_as_before(chromium: Browser, tmp_path: Path, name: str) -> None:
    replay, query, scheme = MOMENTS[name]
    file = export_html(GOLDEN / f"{replay}.ndjson.zst", tmp_path / "replay.html")
    size: Any = {"width": 480, "height": 700}
    context = chromium.new_context(viewport=size, reduced_motion="reduce", locale="en-US", **scheme)
    page = context.new_page()
    page.goto(f"{file.as_uri()}?{query}")
    tick = query.removeprefix("tick=").partition("&")[0]
    expect(page.get_by_test_id("viewer")).to_have_attribute("data-tick", tick)
    page.mouse.move(0, 0)
    seen = page.get_by_test_id("field").screenshot()
    compare(context.new_page(), name, seen)
    context.close()


def compare(page: Page, name: str, seen: bytes) -> None:
    """Compare a picture with the stored one, or store it."""
    file = PICTURES / f"{name}.png"
    if os.environ.get("FANGNETZ_NEW_PICTURES") == "1":
        PICTURES.mkdir(exist_ok=True)
        file.write_bytes(seen)
    stored = file.read_bytes()
    share = page.evaluate(COMPARE, [base64.b64encode(data).decode() for data in (seen, stored)])
    if share > MOST_DIFFERENT:
        folder = Path("test-artifacts")
        folder.mkdir(exist_ok=True)
        (folder / file.name).write_bytes(seen)
    assert share <= MOST_DIFFERENT, f"{share:.1%} of {name} is different; see test-artifacts/{file.name}"
