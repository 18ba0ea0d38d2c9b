"""The seabed of the replay page as it was surveyed: a plane on a grid is the plane, and a hill is seen."""

from __future__ import annotations

import json

import numpy as np
from view.spreads import lowered_load

from fairlead.view.replay import replay_page

from .pictures import differing

AXIS = np.linspace(-300.0, 300.0, 25)


def picture(browser, folder, seabed) -> bytes:
    load = lowered_load(samples=21, waves=False)
    settings = json.loads(load.attrs["settings"])
    settings["environment"]["seabed"] = seabed
    load.attrs["settings"] = json.dumps(settings)
    file = folder / "page.html"
    file.write_text(replay_page({"load": load}), encoding="utf-8")
    browser.resize(900, 600)
    browser.open(file, "#theme=light&t=60")
    browser.wait("window.fairlead && window.fairlead.state().drawn > 0")
    return browser.screenshot()


def surveyed(depth):
    return {"bathymetry": {"x": AXIS.tolist(), "y": AXIS.tolist(), "depth": depth(AXIS[:, None], AXIS).tolist()}}


def test_a_plane_on_a_grid_is_drawn_as_the_plane_and_a_hill_as_a_hill(browser, tmp_path):
    flat = picture(browser, tmp_path, {"depth": 100.0})
    plane = picture(browser, tmp_path, surveyed(lambda x, y: 100.0 + 0.0 * x * y))
    hill = picture(browser, tmp_path, surveyed(lambda x, y: 100.0 - 40.0 * np.exp(-((x - 30.0) ** 2 + y**2) / 3000.0)))
    assert browser.complaints == []
    assert differing(flat, plane) < 0.01
    assert differing(flat, hill) > 0.02
