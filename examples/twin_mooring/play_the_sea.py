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
from fairlead.studies.twin_mooring import NOISE, sea

HERE = Path(__file__).resolve().parent
LOST = 0.1


def main() -> None:
    given = arguments(__doc__, 600.0, 1)
    rng = np.random.default_rng(given.seed)
    motions, cell = Table(HERE / "motions.csv", "xyz"), Table(HERE / "cell.csv", ["tension"])

    def say(t: float, place: np.ndarray, pull: float, start: float) -> None:
        if rng.uniform() > LOST:
            motions.add(start + t, dict(zip("xyz", place, strict=True)))
        if rng.uniform() > LOST:
            cell.add(start + t, {"tension": pull * (1.0 + NOISE * rng.normal()) / 1e3})

    now = sea(given.duration)
    play(((one[0], lambda start, one=one: say(*one, start)) for one in now), HERE, given.alone)  # type: ignore[misc]


if __name__ == "__main__":
    main()
