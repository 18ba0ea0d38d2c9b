"""A twin of a mooring line: where its anchor is and what it pulls, from fixes of the fairlead and a noisy load cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.studies.twin_mooring import NEARER, follow, sea, system, twin_file
from fairlead.studies.verification.record import Record
from fairlead.twin import Twin

SOURCE = "a finer model with more drag and a current"


def check() -> Iterator[Record]:
    """Five minutes of a mooring line, three seeds."""
    truth = list(sea(300.0))
    for seed in (1, 2, 3):
        twin = Twin(twin_file(), system())
        pulls = np.array(follow(twin, truth, seed))
        late = pulls[pulls[:, 0] > 60.0]
        way = twin.estimate.parameters["anchor"].mean
        yield Record.absolute(f"twin of a mooring, seed {seed}, way of the anchor [m]", SOURCE, way, NEARER, 0.2)
        off = float(np.sqrt(np.mean((late[:, 1] / late[:, 2] - 1.0) ** 2)))
        words = f"twin of a mooring, seed {seed}, tension after 60 s, rms share off"
        yield Record.absolute(words, SOURCE, off, 0.0, 0.05)
