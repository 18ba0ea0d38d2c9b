"""The seabed of the replay page as it was surveyed: a plane on a grid is the plane, and a hill is seen."""

from __future__ import annotations

import json

import numpy as np
from view.spreads import lowered_load

from .pictures import differing

SIZE = (450, 300, 1.0, False)
AXIS = np.linspace(-300.0, 300.0, 25)


def picture(replays, seabed) -> bytes:
    load = lowered_load(samples=21, waves=False)
    settings = json.loads(load.attrs["settings"])
    settings["environment"]["seabed"] = seabed
    load.attrs["settings"] = json.dumps(settings)
    page = replays.open({"load": load}, "#theme=light&t=60", SIZE)
    assert page.complaints == []
    return page.screenshot()


def surveyed(depth):
    return {"bathymetry": {"x": AXIS.tolist(), "y": AXIS.tolist(), "depth": depth(AXIS[:, None], AXIS).tolist()}}


def test_a_plane_on_a_grid_is_drawn_as_the_plane_and_a_hill_as_a_hill(replays):
    flat = picture(replays, {"depth": 100.0})
    plane = picture(replays, surveyed(lambda x, y: 100.0 + 0.0 * x * y))
    hill = picture(replays, surveyed(lambda x, y: 100.0 - 40.0 * np.exp(-((x - 30.0) ** 2 + y**2) / 3000.0)))
    assert differing(flat, plane) < 0.01
    assert differing(flat, hill) > 0.02
