"""Replay pages for several tests: one that is open is brought back to how it opened, which is cheaper than a new one.

Opening costs seconds where there is no graphics card, most of them for its shaders.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fairlead.view.replay import replay_page

from .chromium import Browser

STANDS = "window.fairlead && window.fairlead.state().drawn > 0"
DESKTOP = (1000, 600, 1.0, False)
# what an address does not take back: the film runs, the help is open, names are off, the speed
BACK = """(opened => {
  const get = (id) => document.getElementById(id), before = fairlead.state().drawn;
  fairlead.play(false);
  get("help").hidden = true;
  if (fairlead.state().names !== opened.names) get("names").click();
  get("speed").value = opened.speed;
  get("speed").dispatchEvent(new Event("change"));
  history.replaceState(null, "", "#" + opened.address);
  dispatchEvent(new HashChangeEvent("hashchange"));
  return before;
})"""


class Replays:
    """The pages of a module's tests, written and opened as they are asked for."""

    def __init__(self, browser: Browser, folder: Path):
        self._browser, self._folder, self._opened = browser, folder, {}

    def open(self, results: Mapping[str, Any], fragment: str = "", size=DESKTOP) -> Browser:
        """A new page, drawn."""
        file = self._folder / "page.html"
        file.write_text(replay_page(results), encoding="utf-8")
        return self._new(file, fragment, size)

    def again(self, name: str, results, fragment: str = "", size=DESKTOP) -> Browser:
        """The page `name` of `results()` as it is after it opened; read only where another one is open.

        What it complained of since then is kept.
        """
        file = self._folder / f"{name}.html"
        if not file.exists():
            file.write_text(replay_page(results()), encoding="utf-8")
        page = self._browser
        if page.address != file.resolve().as_uri():
            self._new(file, "", size)
            self._opened = state(page)
        page.resize(*size)
        page.wait(f"innerWidth === {size[0]}")
        opened = self._opened
        address = {"t": opened["time"], "theme": "dark" if opened["dark"] else "light", "view": opened["view"],
                   "colour": opened["field"], "stretch": opened["stretch"], "numbers": 0}  # fmt: skip
        address |= dict(parse_qsl(fragment.lstrip("#")))
        wanted = {"names": opened["names"], "speed": opened["speed"], "address": urlencode(address)}
        before = page.run(f"{BACK}({json.dumps(wanted)})")
        page.wait(f"fairlead.state().drawn > {before}")
        return page

    def _new(self, file: Path, fragment: str, size) -> Browser:
        self._browser.resize(*size)
        self._browser.open(file, fragment)
        self._browser.wait(STANDS)
        return self._browser


def state(page: Browser) -> dict[str, Any]:
    return json.loads(page.run("JSON.stringify(fairlead.state())"))


def settle(page: Browser, act: str = "") -> None:
    """Do something, and wait until what was asked for is drawn."""
    drawn = page.run("fairlead.state().drawn")
    page.run(f"{act}; fairlead.seek(fairlead.state().time)")
    page.wait(f"fairlead.state().drawn > {drawn}")
