"""A semi-submersible by coefficients on three chains, in an irregular sea: how much faster than real time."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import Pack
from fairlead.floaters.hemisphere import hemisphere
from fairlead.floaters.writing import write_wamit
from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.record import SPEED, Record
from fairlead.studies.benchmarks.timing import cpu_seconds

STEP, SECONDS, REPEATS = 0.1, 300.0, 3
RADIUS, DENSITY, GRAVITY = 15.0, 1025.0, 9.80665


def moored(folder: str, formulation: str, waves: int, reach: float | None = None) -> System:
    """A hemisphere of 15 m radius on three chains of 20 elements, in 200 m of water; `reach` of waves on the chains."""
    root = Path(folder) / "hull"
    if not root.with_name("hull.1").exists():
        headings = np.radians(np.arange(-180.0, 181.0, 30.0))
        data = hemisphere(RADIUS, np.linspace(0.1, 3.5, 40), headings, DENSITY, GRAVITY)
        write_wamit(root, data)
    mass, around = 2.0 / 3.0 * np.pi * DENSITY * RADIUS**3, np.radians([60.0, 180.0, 300.0])
    sea = {"kind": "jonswap", "significant_height": 4.0, "peak_period": 10.0, "components": waves}
    turn = np.array([np.cos(around), np.sin(around)]).T
    return System.model_validate(
        {
            "environment": {"water_density": DENSITY, "gravity": GRAVITY, "seabed": {"depth": 200.0}, "waves": sea},
            "types": {"chain": {"diameter": 0.077, "mass_per_length": 113.0, "axial_stiffness": 7.5e8,
                                "drag": {"normal": 2.0, "axial": 0.4}}},
            "points": {f"A{i}": {"kind": "fixed", "position": [812.0 * x, 812.0 * y, -200.0]}
                       for i, (x, y) in enumerate(turn)},
            "bodies": {
                "hull": {
                    "kind": "floating", "position": [0, 0, 0], "mass": mass - 1.9e5, "centre_of_mass": [0, 0, -6.0],
                    "inertia": [6e8, 6e8, 6e8], "volume": mass / DENSITY,
                    "coefficients": {"file": str(root), "depth": "infinite"},
                    "damping": {"linear": [1e5, 1e5, 1e5, 1e7, 1e7, 1e7]},
                    "attachments": {f"f{i}": [15.0 * x, 15.0 * y, -5.0] for i, (x, y) in enumerate(turn)},
                }
            },
            "cables": {f"line{i}": {"type": "chain", "length": 835.0, "elements": 20, "start": f"A{i}",
                                    "end": f"hull.f{i}"} for i in range(3)},
            "simulation": {"formulation": formulation, "duration": SECONDS, "step": STEP, "output_every": SECONDS,
                           formulation: {"wave_reach": reach}},
        }
    )  # fmt: skip


def together(folder: str, waves: int) -> Callable[[], None]:
    """Runs eight of them in a pack, each in a sea of its own, for so long each time it is called."""
    system = moored(folder, "bars", waves, 0.0)
    sea = system.environment.waves
    assert sea is not None
    made = []
    for seed in range(WIDTH):
        here = system.environment.model_copy(update={"waves": sea.model_copy(update={"seed": seed})})
        made.append(Member.of(Simulation(system.model_copy(update={"environment": here}))))
    pack, n, done = Pack(made), round(SECONDS / STEP), itertools.count()

    def go() -> None:
        nothing = np.zeros((0, 6), dtype=np.int64), np.zeros((WIDTH, 0, 2)), np.zeros((WIDTH, 1, 1))
        pack.run(SECONDS * next(done), n, STEP, n, *nothing)

    go()
    return go


def measure() -> Iterator[Record]:
    """Steps alone, on one core, by the processor's time; 3,000 times real time are asked for with 200 waves.

    Waves on the floater alone, on the chains down to 60 m, and all the way; and eight seas of floaters in a pack.
    """
    with tempfile.TemporaryDirectory() as folder:
        for formulation, waves, reach, where in (
            ("lumped", 200, 0.0, "on the floater"), ("lumped", 200, 60.0, "on lines to 60 m too"),
            ("lumped", 200, None, "on all lines too"), ("lumped", 60, None, "on all lines too"),
            ("bars", 200, 0.0, "on the floater"),
        ):  # fmt: skip
            run = Simulation(moored(folder, formulation, waves, reach))
            run.step(10.0)
            speed = SECONDS / cpu_seconds(partial(run.step, SECONDS), REPEATS)
            name = f"{formulation}: three lines of 20 elements, {waves} waves {where}"
            yield Record(name, speed, SPEED, "asked for", 3000.0)
        speed = SECONDS / (cpu_seconds(together(folder, 200), REPEATS) / WIDTH)
        name = "bars: three lines of 20 elements, 200 waves on the floater, each of eight seas in a pack"
        yield Record(name, speed, SPEED, "asked for", 3000.0)
