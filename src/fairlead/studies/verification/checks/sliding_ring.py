"""A ring sliding down a straight taut wire with friction, against Coulomb's law and the energy it leaves behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import atan2, cos, hypot, sin

import numpy as np

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

DROP, REACH, GRAVITY = 10.0, 50.0, 9.81  # m, m, m/s2
SLOPE = atan2(DROP, REACH)  # 11.3 degrees
MASS, TAIL, THREAD = 1.0, 2e-3, 1e-3  # kg: the ring, and what hangs from it
SOURCE = "Coulomb friction on an incline, a = g (sin - mu cos); the ring keeps still when mu > tan"


@dataclass(frozen=True)
class Slide:
    """A run: time (sample,) s, distance down the wire, its speed, force across it and the sums of energy and work."""

    time: np.ndarray
    place: np.ndarray
    speed: np.ndarray
    press: np.ndarray
    energy: np.ndarray
    friction: np.ndarray
    other: np.ndarray

    def acceleration(self, after: float) -> float:
        """Of the ring down the wire, by a straight line through its speed, m/s2."""
        late = self.time >= after
        return float(np.polyfit(self.time[late], self.speed[late], 1)[0])


@cache
def slide(
    friction: float,
    duration: float = 3.0,
    step: float = 0.0025,
    at: float = 10.0,
    reverse: bool = False,
    uphill: bool = False,
    scheme: str = "second_order",
) -> Slide:
    """A ring of 1 kg on a light wire under 180 kN; `reverse`: the file names the wire's ends the other way round.

    `uphill`: the wire is laid so that the ring slides towards its start. `at` counts from the upper end.
    """
    top, foot = [0.0, 0.0, DROP], [REACH, 0.0, 0.0]
    length = hypot(DROP, REACH)
    start, end = ("foot", "top") if reverse != uphill else ("top", "foot")
    unstretched = length - 0.09
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {
                "wire": {
                    "diameter": 0.02, "density": 100, "axial_stiffness": 1e8, "drag": "none", "damping_time": 1e-3,
                },
                "thread": {"diameter": 0.002, "mass_per_length": THREAD / 0.3, "axial_stiffness": 1e4, "drag": "none"},
            },
            "points": {
                "top": {"kind": "fixed", "position": top},
                "foot": {"kind": "fixed", "position": foot},
                "ring": {
                    "kind": "sliding", "cable": "wire", "at": at if start == "top" else unstretched - at,
                    "friction": friction, "mass": MASS,
                },
                "tail": {"kind": "free", "mass": TAIL},
            },
            "cables": {
                "wire": {
                    "type": "wire", "length": unstretched, "elements": 20, "start": start, "end": end,
                    "allow_stretch": True,
                },
                "thread": {"type": "thread", "length": 0.3, "elements": 1, "start": "ring", "end": "tail"},
            },
            "simulation": {"start": "catenary",
                "formulation": "bars", "duration": duration, "step": step, "output_every": 0.05,
                "bars": {"scheme": scheme}},
        }
    )  # fmt: skip
    result = simulate(system)
    down = np.array([cos(SLOPE), 0.0, -sin(SLOPE)])
    ring = result["point_position"].sel(point="ring").values - top
    energy = result["energy_kinetic"] + result["energy_gravity"] + result["energy_elastic"]
    return Slide(
        result["time"].values, ring @ down, result["point_velocity"].sel(point="ring").values @ down,
        result["ring.press"].values, energy.values, result["work_friction"].values,
        (result["work_damping"] + result["work_drives"] + result["work_drag"]).values,
    )  # fmt: skip


def check() -> Iterator[Record]:
    """Accelerations without friction and with some, and how far a ring creeps that should stick."""
    for friction in (0.0, 0.1):
        exact = GRAVITY * (sin(SLOPE) - friction * cos(SLOPE))
        found = slide(friction).acceleration(1.0)
        yield Record.relative(
            f"ring on a wire at 11.3 degrees, mu {friction:g}, acceleration", SOURCE, found, exact, 2e-3
        )
    run = slide(0.1)
    down = run.place - run.place[0]
    exact = -0.1 * (MASS + TAIL + THREAD) * GRAVITY * cos(SLOPE) * (down[-1] - down[20])
    found = float(run.friction[-1] - run.friction[20])
    yield Record.relative("ring on a wire, mu 0.1, work of friction from 1 to 3 s", SOURCE, found, exact, 5e-3)
    stuck = slide(0.3, 30.0, 0.01)
    creep = float(stuck.place[-1] - stuck.place[80])
    yield Record.absolute("ring on a wire, mu 0.3, creep from 4 to 30 s, in m", SOURCE, creep, 0.0, 1e-5)
