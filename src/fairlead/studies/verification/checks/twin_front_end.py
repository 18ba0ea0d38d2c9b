"""A twin of one side of a seismic front end: hidden heads and winch tensions, from RGPS and poor winch tensions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.studies.twin_front_end import FLOW, Sea, follow, system, twin_file
from fairlead.studies.verification.record import Record
from fairlead.twin import Twin

SOURCE = "a finer model with another drag law and flow"
DURATION, FROM = 400, 200
"""s: how long, and from when on it is judged."""


def check() -> Iterator[Record]:
    """One side, twelve members, nine winch tensions each a few per cent off; and in a flow that is further off."""
    for words, flow, seed in (("", FLOW, 1), (", slower flow from the side", (-1.2, 0.3, 0.0), 2)):
        twin = Twin(twin_file(), system())
        off = follow(twin, Sea(flow), DURATION, seed)[FROM // 10 :]
        winches, _, heads = np.sqrt((off**2).mean(axis=0)).tolist()
        name = f"twin of a front end{words}"
        yield Record.absolute(f"{name}, winch tensions, rms share off", SOURCE, winches, 0.0, 0.06)
        yield Record.absolute(f"{name}, hidden heads, rms [m]", SOURCE, heads, 0.0, 1.5)
        yield Record.absolute(f"{name}, members lost", SOURCE, float(twin.estimate.health.lost), 0.0, 0.0)
