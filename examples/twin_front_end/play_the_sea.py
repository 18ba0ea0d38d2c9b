"""Plays the sea to the twin of the port side of a seismic front end, and starts the twin: http://127.0.0.1:8765/

The sea has twice the elements, drag by the Reynolds number and another flow. Where buoys and deflector are is appended
to rgps.csv once a second, with 0.5 m of noise and one in twenty lost; nine winch tensions to winches.csv every 10 s,
with 5 % of noise and each 3 % off for good. Where the heads of the streamers are nobody measures.

    python play_the_sea.py [--duration 900] [--seed 1] [--alone]
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fairlead.studies.playing import Table, arguments, play
from fairlead.studies.twin_front_end import MOVED, WINCHES, Sea, place

HERE = Path(__file__).resolve().parent
LOST = 0.05


def main() -> None:
    given = arguments(__doc__, 900.0, 1)
    rng = np.random.default_rng(given.seed)
    rgps = Table(HERE / "rgps.csv", [f"{name}.{axis}" for name in MOVED for axis in "xyz"])
    winches = Table(HERE / "winches.csv", WINCHES)
    sea, off = Sea(), {name: 0.03 * rng.choice([-1.0, 1.0]) for name in WINCHES}

    def say(t: float, start: float) -> None:
        seen = sea.to(t)
        heard = [name for name in MOVED if rng.uniform() > LOST]
        places = {n: place(n, t) + rng.normal(0.0, 0.5, 3) * (1.0, 1.0, 0.0) for n in heard}
        rgps.add(start + t, {f"{n}.{axis}": x for n in heard for axis, x in zip("xyz", places[n], strict=True)})
        if t % 10.0 == 0.0:
            pulls = {name: float(np.linalg.norm(seen[f"{name}.force_start"])) for name in WINCHES}
            winches.add(start + t, {n: pulls[n] * (1.0 + off[n] + 0.05 * rng.normal()) / 1e3 for n in WINCHES})

    seconds = range(1, round(given.duration) + 1)
    play(((float(k), lambda start, k=k: say(float(k), start)) for k in seconds), HERE, given.alone)  # type: ignore[misc]


if __name__ == "__main__":
    main()
