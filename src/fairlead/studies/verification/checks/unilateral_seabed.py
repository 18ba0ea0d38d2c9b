"""A bar on the seabed: it lifts off freely, sticks, slides and stops as Coulomb says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from fairlead.model import System
from fairlead.simulate import Simulation, simulate
from fairlead.studies.verification.record import Record

MASS, LENGTH, CONTACT_DIAMETER, DEPTH, GRAVITY = 20.0, 4.0, 0.2, 5.0, 9.81  # kg, m, m, m, m/s2
STIFFNESS = 1e5  # Pa/m
FOOTPRINT = CONTACT_DIAMETER * LENGTH  # m2
SOURCE = "block on a plane with Coulomb friction"


def bar_on_bed(points: dict[str, Any], step: float, duration: float, **bed: Any) -> System:
    """One bar of 20 kg along y, in air, between the points `a` and `b`, over a bed with the given properties."""
    return System.model_validate(
        {
            "environment": {
                "water_density": 0.0,
                "gravity": GRAVITY,
                "seabed": {"depth": DEPTH, "stiffness": STIFFNESS, **bed},
            },
            "types": {
                "bar": {
                    "diameter": 0.1,
                    "mass_per_length": MASS / LENGTH,
                    "axial_stiffness": 1e8,
                    "contact_diameter": CONTACT_DIAMETER,
                }
            },
            "points": points,
            "cables": {"bar": {"type": "bar", "length": LENGTH, "elements": 1, "start": "a", "end": "b"}},
            "simulation": {"start": "catenary", "duration": duration, "step": step, "output_every": 10 * step},
        }
    )


def both_ends(**point: Any) -> dict[str, Any]:
    """The same point at both ends, 4 m apart; `position` is that of the middle."""
    x, y, z = point.pop("position")
    half = 0.5 * LENGTH
    return {name: {**point, "position": [x, y + dy, z]} for name, dy in (("a", -half), ("b", half))}


def resting_height(slope: float = 0.0) -> float:
    """Height of the axis at x = 0 of the bar at rest on a bed that rises with `slope` along x, m."""
    normal = 1.0 / np.hypot(1.0, slope)
    sunk = MASS * GRAVITY * normal / (STIFFNESS * FOOTPRINT)
    return float(-DEPTH + (0.5 * CONTACT_DIAMETER - sunk) / normal)


def lift(damping: float) -> xr.Dataset:
    """Both ends go up after a second at rest, gently at first and then at 0.2 m/s; the bed has friction and damping
    (Pa s/m)."""
    motion = {"table": [[0, 0, 0, 0], [1, 0, 0, 0], *([t, 0, 0, 0.2 * t - 0.3] for t in range(2, 21))]}
    points = both_ends(kind="controlled", position=[0, 0, resting_height()], motion=motion)
    return simulate(bar_on_bed(points, step=0.005, duration=5.0, damping=damping, friction=0.5))


def slide(slope: float, friction: float, duration: float = 5.0) -> tuple[np.ndarray, np.ndarray]:
    """Time (s) and way down the slope (m) of the bar let go at rest."""
    points = both_ends(kind="free", position=[0, 0, resting_height(slope)])
    result = simulate(bar_on_bed(points, 0.01, duration, slope=[slope, 0.0], friction=friction))
    place = result["position"].values[:, 0, 0]
    return result["time"].values, np.hypot(place[:, 0], place[:, 2] - place[0, 2])


def sliding_acceleration(slope: float, friction: float) -> float:
    """Acceleration down the slope once the bar slides, m/s2."""
    time, way = slide(slope, friction)
    later = time > 1.0
    return 2.0 * float(np.polyfit(time[later], way[later], 2)[0])


def stop(speed: float, friction: float, step: float) -> np.ndarray:
    """Way (sample,) m of the bar that slides on a level bed with `speed` (m/s) until it has stopped."""
    points = both_ends(kind="free", position=[0, 0, resting_height()])
    simulation = Simulation(bar_on_bed(points, step, 200 * step * max(1, round(0.01 / step)), friction=friction))
    y, layout = simulation.state, simulation.compiled.layout
    for block in ("bar_state", "hub_state"):
        y[layout[block]].reshape(-1, 13)[:, 7] = speed
    simulation.state = y
    way: np.ndarray = simulation.run()["position"].values[:, 0, 0, 0]
    return way


def rub(friction: float, shear_stiffness: float, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Place (sample,) m of the bar drawn to and fro, 20 mm in 20 s, and the friction on it (sample,) N."""
    motion = {"harmonic": {"amplitude": [0.02, 0, 0], "period": 20.0, "ramp": 0.0}}
    points = both_ends(kind="controlled", position=[0, 0, resting_height()], motion=motion)
    system = bar_on_bed(points, step, 40.0, friction=friction, friction_stiffness=shear_stiffness)
    result = simulate(system)
    return result["point_position"].values[:, 0, 0], result["contact_force"].values[:, 0, :, 0].sum(axis=1)


def elastic_coulomb(path: np.ndarray, stiffness: float, limit: float) -> np.ndarray:
    """Force (sample,) N of a spring whose foot slips at the limit, against a contact moved along `path`."""
    foot, forces = path[0], []
    for x in path:
        foot = min(max(foot, x - limit / stiffness), x + limit / stiffness)
        forces.append(-stiffness * (x - foot))
    return np.array(forces)


def check() -> Iterator[Record]:
    """Lift-off, sliding, sticking, stopping, and the elastic stick-slip force."""
    lifted = lift(damping=1e4)
    pull = float(-lifted["force_end"].values[-1, 0, :, 2].sum())
    least = float(lifted["contact_force"].values[..., 2].min())
    yield Record.absolute("lift-off, strongest pull of the bed on a bar [N]", SOURCE, min(0.0, least), 0.0, 0.0)
    yield Record.relative("lift-off, force to hold the bar clear of the bed", SOURCE, pull, MASS * GRAVITY, 1e-6)

    slope = 0.2
    angle = np.arctan(slope)
    for friction in (0.0, 0.1, 0.19):
        exact = GRAVITY * (np.sin(angle) - friction * np.cos(angle))
        name = f"slope of 0.2, friction {friction:g}: acceleration"
        yield Record.relative(name, SOURCE, sliding_acceleration(slope, friction), exact, 1e-6)
    time, way = slide(slope, 0.21, duration=50.0)
    crept = float(way[-1] - way[time > 1.0][0])
    yield Record.absolute("slope of 0.2, friction 0.21: creep in 49 s [m]", SOURCE, crept, 0.0, 1e-6)

    stopped = float(stop(1.0, 0.4, 0.001)[-1])
    yield Record.relative("stopping distance from 1 m/s, friction 0.4", SOURCE, stopped, 1 / (0.8 * GRAVITY), 0.01)

    path, force = rub(0.5, 1e4, 0.005)
    exact_force = elastic_coulomb(path, 1e4 * FOOTPRINT, 0.5 * MASS * GRAVITY)
    error = float(np.abs(force - exact_force)[1:].max() / np.abs(exact_force).max())
    yield Record.absolute("elastic stick-slip, difference of force over limit", SOURCE, error, 0.0, 0.005)
