"""One HTML file that holds results, the program that shows them and all it needs: nothing is fetched when it opens."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING

from fairlead.results import ResultError

from .scene import origin_of, scene, to_json

if TYPE_CHECKING:
    import xarray as xr

LARGEST = 15_000_000  # bytes a page may have
PROGRAM = 1_300_000  # bytes of it for the program
MODULES = ("numbers", "colours", "run", "cables", "sea", "marks", "plots", "panel", "view", "main", "replay")
VENDORED = {"three": "three.module.min.js", "three/orbit": "OrbitControls.js"}


def replay_page(results: Mapping[str, xr.Dataset]) -> str:
    """The text of a page that replays results in 3D; several lie over one another, told apart by their names.

    Positions are kept within 1 cm as long as the page stays below 15 MB; the page states how close they are.
    """
    if not results:
        raise ResultError("there is no result to show; name at least one")
    budget = (LARGEST - PROGRAM) // len(results)
    origin = origin_of(next(iter(results.values())))
    records = [scene(dataset, name, budget, origin) for name, dataset in results.items()]
    filled = {
        "@TITLE@": html.escape(records[0]["title"]),
        "@STYLE@": _own("style.css"),
        "@MODULES@": json.dumps({"imports": _modules()}),
        "@DATA@": to_json(records),
    }
    # Each part goes in once, by its place: a title that holds a marker is not taken for one.
    page = _own("page.html")
    out, rest = [], page
    for marker, text in sorted(filled.items(), key=lambda item: page.index(item[0])):
        before, _, rest = rest.partition(marker)
        out += [before, text]
    return "".join([*out, rest])


def _modules() -> dict[str, str]:
    """Name and address of every module: the address is its text, so that none is looked for elsewhere."""
    own = {f"fairlead/{name}.js": _address(_own(f"{name}.js")) for name in MODULES}
    vendor = resources.files("fairlead.view") / "vendor"
    return {name: _address((vendor / file).read_text(encoding="utf-8")) for name, file in VENDORED.items()} | own


def _own(name: str) -> str:
    return (resources.files("fairlead.view.replay") / "page" / name).read_text(encoding="utf-8")


def _address(text: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(text.encode("utf-8")).decode("ascii")
