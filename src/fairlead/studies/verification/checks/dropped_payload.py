"""A payload dropped: its speed after slamming into the surface, its landing on the seabed, its weight on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import acosh, exp, sqrt
from typing import Any

import numpy as np

from fairlead.model import System
from fairlead.results.energy import energy_balance
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

FORMULATIONS = ("bars", "lumped", "multibody")
DENSITY, GRAVITY = 1000.0, 9.81  # kg/m3, m/s2
MASS, VOLUME, HEIGHT, ADDED, DRAG_AREA = 5000.0, 2.0, 1.6, 3000.0, 5.0
FALL = 9.0  # m of water under the payload when it is let go to land
DROP = 1.0  # m of air under it when it is let go to slam
STEP = 0.005
MOMENTUM = "p = (m + A s/H) v, dp/dt = (m - rho V s/H) g over the entry: ½p² = ½p₀² + ∫(m + A s/H)(m - rho V s/H) g ds"
FALLING = "(m + A) dv/dt = (m - rho V) g - ½ rho CdA v² from rest: v² = v∞² (1 - exp(-rho CdA d/(m + A)))"
ARCHIMEDES = "weight less buoyancy"


def dropped(formulation: str, z: float, depth: float, duration: float, **payload: Any) -> System:
    """A payload let go with its middle at z, on a loose line that weighs and holds next to nothing."""
    return System.model_validate(
        {
            "environment": {
                "water_density": DENSITY, "gravity": GRAVITY,
                "seabed": {"depth": depth, "stiffness": 1e6, "damping": 1e5, "friction": 0.5},
            },
            "types": {
                "line": {
                    "diameter": 0.002, "density": DENSITY, "axial_stiffness": 1e4, "drag": "none",
                    "added_mass": {"normal": 0.0, "axial": 0.0}, "damping_time": 0.1,
                }
            },
            "points": {"post": {"kind": "fixed", "position": [12.0, 0.0, z + 3.0]}},
            "bodies": {
                "payload": {
                    "kind": "free", "position": [0.0, 0.0, z], "mass": MASS, "inertia": [2500.0] * 3, "volume": VOLUME,
                    "height": HEIGHT, "added_mass": [ADDED] * 3, "attachments": {"hook": [0.0, 0.0, 0.8]}, **payload,
                }
            },
            "cables": {
                "line": {"type": "line", "length": 17.5, "elements": 5, "start": "post", "end": "payload.hook"}
            },
            "simulation": {
                "start": "catenary",
                    "formulation": formulation, "duration": duration, "step": STEP, "output_every": 2 * STEP,
            },
        }
    )  # fmt: skip


@cache
def entry_speed(formulation: str) -> tuple[float, float]:
    """Speed when the payload is just under water, found and exact (m/s); the blow has the added mass's momentum."""
    start = 0.5 * HEIGHT + DROP
    result = simulate(dropped(formulation, start, 100.0, 1.2, slamming={"area": 4.0}))
    z = result["point_position"].sel(point="payload").values[:, 2]
    v = -result["point_velocity"].sel(point="payload").values[:, 2]
    found = float(np.interp(0.5 * HEIGHT, -z, v))
    first = MASS * sqrt(2 * GRAVITY * DROP)
    water = DENSITY * VOLUME
    gained = GRAVITY * HEIGHT * (MASS**2 + 0.5 * MASS * (ADDED - water) - ADDED * water / 3)
    return found, sqrt(first**2 + 2 * gained) / (MASS + ADDED)


@dataclass(frozen=True)
class Landing:
    """When and how fast a payload comes down (s, m/s), what it weighs on the bed in the mean over the last seconds, in
    which its undamped line still whips (N), how fast it moves at the end, the energy's error."""

    time: float
    speed: float
    reaction: float
    still: float
    energy: float


@cache
def landing(formulation: str) -> Landing:
    """A payload let go in the water over the bed."""
    start = -20.0
    system = dropped(
        formulation, start, -start + FALL + 0.5 * HEIGHT, 12.0, drag_area=[DRAG_AREA] * 3, drag_moment=[500.0] * 3
    )
    result = simulate(system)
    last = result.isel(time=-1)
    return Landing(
        float(last["payload.landing_time"]),
        float(last["payload.landing_speed"]),
        float(result["payload.bed_force"].values[result["time"].values > 6.0].mean()),
        float(np.abs(result["point_velocity"].sel(point="payload").values[-1]).max()),
        float(energy_balance(result).error),
    )


def exact_landing() -> Landing:
    """The same in closed form."""
    weight = (MASS - DENSITY * VOLUME) * GRAVITY
    rate = DENSITY * DRAG_AREA / (MASS + ADDED)  # 1/m
    terminal = sqrt(2 * weight / (DENSITY * DRAG_AREA))
    speed = terminal * sqrt(1 - exp(-rate * FALL))
    time = 2 / (rate * terminal) * acosh(exp(0.5 * rate * FALL))
    return Landing(time, speed, weight, 0.0, 0.0)


def check() -> Iterator[Record]:
    """In bars, lumped and multibody alike."""
    exact = exact_landing()
    for name in FORMULATIONS:
        found, reference = entry_speed(name)
        yield Record.relative(f"dropped payload, {name}, speed after slamming in", MOMENTUM, found, reference, 2e-3)
        one = landing(name)
        yield Record.relative(f"dropped payload, {name}, time of landing", FALLING, one.time, exact.time, 3e-3)
        yield Record.relative(f"dropped payload, {name}, speed of landing", FALLING, one.speed, exact.speed, 3e-3)
        yield Record.relative(
            f"dropped payload, {name}, force of the bed at rest", ARCHIMEDES, one.reaction, exact.reaction, 1e-5
        )
        yield Record.absolute(
            f"dropped payload, {name}, error of the energy balance", "first law", one.energy, 0.0, 2e-2
        )
