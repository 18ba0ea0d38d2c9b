"""Plays the sea to the twin of a mooring line, and starts the twin: the page is at http://127.0.0.1:8765/

The sea has three times the elements, more drag, a current that the twin knows nothing of, and the anchor elsewhere.
Places of the fairlead are appended to motions.csv, its tension to cell.csv, twice a second; of either one in ten is
lost, and the tension has 3 % of noise.

    python play_the_sea.py [--duration 600] [--seed 1] [--alone]
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fairlead.studies.playing import Table, arguments, play
from fairlead.studies.twin_mooring import Scenario, heard

HERE = Path(__file__).resolve().parent


def main() -> None:
    given = arguments(__doc__, 600.0, 1)
    motions, cell = Table(HERE / "motions.csv", "xyz"), Table(HERE / "cell.csv", ["tension"])

    def say(t: float, place: np.ndarray | None, pull: float | None, start: float) -> None:
        if place is not None:
            motions.add(start + t, dict(zip("xyz", place, strict=True)))
        if pull is not None:
            cell.add(start + t, {"tension": pull / 1e3})

    now = heard(Scenario(given.seed).sea(given.duration), given.seed)
    play(((one[0], lambda start, one=one: say(*one, start)) for one in now), HERE, given.alone)  # type: ignore[misc]


if __name__ == "__main__":
    main()
