"""Whether a page can be used by people who do not see it, or have no mouse."""

import json
import os
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

__all__ = ["assert_accessible"]

_AXE: Final = Path(__file__).parents[1] / "page" / "node_modules" / "axe-core" / "axe.min.js"
_MISSING: Final = "axe-core is not installed: (cd tests/page && npm ci)"


def assert_accessible(page: Page) -> None:
    """Let axe look at the page as it is now; without axe skip, or fail where nothing may be skipped."""
    if not _AXE.exists() and os.environ.get("FANGNETZ_REQUIRE_ALL") == "1":
        pytest.fail(_MISSING)
    if not _AXE.exists():
        pytest.skip(_MISSING)
    page.evaluate(_AXE.read_text())
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    serious = [fault for fault in found["violations"] if fault["impact"] in ("serious", "critical")]
    assert serious == [], json.dumps(serious, indent=1)[:3000]
