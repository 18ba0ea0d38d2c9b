"""Rigid bodies: a compound pendulum, a spinning top in free space, and a deflector on two bridles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import pi

import numpy as np
from scipy.linalg import eigh

from fairlead.model import System
from fairlead.model.bodies import rotation_matrix
from fairlead.simulate import Simulation, simulate
from fairlead.studies.verification.record import Record

GRAVITY = 9.81  # m/s2
MASS, INERTIA, ARM, LINK = 100.0, 30.0, 1.0, 0.1  # kg, kg m2 about the axis of the swing, m, m
SWING = "eigenvalues of a rigid body hung from a light link, both swinging a little"
TOP = "Euler's equations: angular momentum is constant in space, w turns in the body at (Jz - Jx) w_z / Jx"
BRIDLES = "forces and moments of drag, weight, buoyancy and bridles add up to nothing"


def pendulum_period() -> tuple[float, float]:
    """Slow period of a body on a light link, found and exact, s."""
    start = 0.02
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {"link": {"diameter": 0.01, "mass_per_length": 1e-3, "axial_stiffness": 1e7, "drag": "none"}},
            "points": {"hook": {"kind": "fixed", "position": [0.0, 0.0, LINK]}},
            "bodies": {
                "body": {
                    "kind": "free", "position": [ARM * np.sin(start), 0.0, -ARM * np.cos(start)],
                    "orientation_deg": [0.0, -np.degrees(start), 0.0], "mass": MASS, "inertia": [20.0, INERTIA, 25.0],
                    "attachments": {"top": [0.0, 0.0, ARM]},
                }
            },
            "cables": {
                "link": {
                    "type": "link", "length": LINK, "elements": 1, "start": "hook", "end": "body.top",
                    "allow_stretch": True,
                }
            },
            "simulation": {"start": "catenary",
                "formulation": "bars", "duration": 24.0, "step": 0.002, "output_every": 0.01},
        }
    )  # fmt: skip
    result = simulate(system)
    x, t = result["point_position"].sel(point="body").values[:, 0], result["time"].values
    # two modes swing: the slow one is fitted, with the fast one beside it
    mass = np.array([[MASS * LINK**2, MASS * LINK * ARM], [MASS * LINK * ARM, MASS * ARM**2 + INERTIA]])
    slow, fast = np.sqrt(eigh(np.diag([MASS * GRAVITY * LINK, MASS * GRAVITY * ARM]), mass, eigvals_only=True))
    return 2.0 * pi / _fitted_rate(t, x, float(slow), float(fast)), 2.0 * pi / float(slow)


def _fitted_rate(t: np.ndarray, x: np.ndarray, slow: float, fast: float) -> float:
    """Rate near `slow` [rad/s] whose sine, beside one of rate `fast`, leaves the least of x."""

    def rest(rate: float) -> float:
        columns = np.array([f(w * t) for w in (rate, fast) for f in (np.sin, np.cos)]).T
        return float(np.linalg.lstsq(columns, x, rcond=None)[1][0])

    rates = slow * np.linspace(0.99, 1.01, 401)
    return float(rates[np.argmin([rest(rate) for rate in rates])])


def _turn(angle: Callable[[str], float]) -> np.ndarray:
    """Rotation matrix (3, 3) of a body from its angles by name [rad]."""
    roll, pitch, yaw = (float(np.degrees(angle(name))) for name in ("roll", "pitch", "yaw"))
    return np.asarray(rotation_matrix((roll, pitch, yaw)), dtype=float)


def top_motion(step: float = 0.002, duration: float = 6.0) -> tuple[float, float, float]:
    """A top in free space: relative drift of its angular momentum; its turn in the body, found and exact, rad."""
    inertia, spin = np.array([2.0, 2.0, 3.0]), np.array([0.4, 0.0, 2.0])
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": 0.0},
            "types": {"thread": {"diameter": 0.001, "mass_per_length": 1e-6, "axial_stiffness": 10.0, "drag": "none"}},
            "points": {"tail": {"kind": "free", "position": [0.0, 0.0, 1.0]}},
            "bodies": {
                "top": {
                    "kind": "free", "position": [0.0, 0.0, 0.0], "mass": 10.0, "inertia": inertia.tolist(),
                    "attachments": {"middle": [0.0, 0.0, 0.0]},
                }
            },
            "cables": {
                "thread": {"type": "thread", "length": 1.0, "elements": 1, "start": "top.middle", "end": "tail"}
            },
            "simulation": {"formulation": "bars", "duration": duration, "step": step, "start": "catenary"},
        }
    )  # fmt: skip
    simulation = Simulation(system)
    y = np.array(simulation.state)
    hubs = simulation.compiled.tables(y).block("hub_state")
    hubs[-1, 10:] = spin
    simulation.set_state(0.0, y)
    out = simulation.step(duration)
    end = simulation.compiled.tables(simulation.state).block("hub_state")[-1]
    momentum = _turn(lambda angle: float(out[f"top.{angle}"])) @ (inertia * end[10:])
    drift = float(np.linalg.norm(momentum - inertia * spin) / np.linalg.norm(inertia * spin))
    exact = (inertia[2] - inertia[0]) / inertia[0] * spin[2] * duration
    found = float(np.arctan2(end[11], end[10]))
    return drift, found + 2.0 * pi * round((exact - found) / (2.0 * pi)), float(exact)


def deflector_balance() -> tuple[float, float]:
    """What is left of all forces and of all moments on a deflector in a current, over the largest of them."""
    density, current = 1025.0, np.array([2.0, 0.0, 0.0])
    areas, centre, volume, mass = np.array([0.5, 6.0, 1.0]), np.array([0.0, 0.0, 0.3]), 0.5, 480.0
    levers = {"upper": np.array([0.3, 0.4, 0.6]), "lower": np.array([0.4, 0.4, -0.6])}
    system = System.model_validate(
        {
            "environment": {
                "water_density": density, "gravity": GRAVITY, "current": [{"z": 0.0, "velocity": current.tolist()}],
            },
            "types": {
                "bridle": {
                    "diameter": 0.03, "mass_per_length": 2.0, "axial_stiffness": 1e6, "damping_time": 0.02,
                    "drag": {"normal": 1.2, "axial": 0.01},
                }
            },
            "points": {
                "high": {"kind": "fixed", "position": [0.0, 0.0, -9.0]},
                "deep": {"kind": "fixed", "position": [0.0, 0.0, -11.0]},
            },
            "bodies": {
                "deflector": {
                    "kind": "free", "position": [11.0, 4.0, -10.0], "orientation_deg": [0.0, 0.0, 200.0], "mass": mass,
                    "inertia": [100.0, 120.0, 130.0], "volume": volume, "centre_of_buoyancy": centre.tolist(),
                    "drag_area": areas.tolist(), "drag_moment": [4000.0, 4000.0, 4000.0],
                    "added_mass": [100.0, 400.0, 100.0],
                    "attachments": {name: lever.tolist() for name, lever in levers.items()},
                }
            },
            "cables": {
                "top": {"type": "bridle", "length": 12.0, "elements": 5, "start": "high", "end": "deflector.upper"},
                "bottom": {"type": "bridle", "length": 12.0, "elements": 5, "start": "deep", "end": "deflector.lower"},
            },
            "simulation": {"start": "catenary", "formulation": "bars", "duration": 150.0,
            "step": 0.05, "output_every": 1.0},
        }
    )  # fmt: skip
    result = simulate(system)
    last = result.isel(time=-1)
    R = _turn(lambda angle: float(last[f"deflector.{angle}"]))
    u = R.T @ -current
    forces = {
        "drag": (R @ (-0.5 * density * areas * np.linalg.norm(u) * u), np.zeros(3)),
        "weight": (np.array([0.0, 0.0, -mass * GRAVITY]), np.zeros(3)),
        "lift": (np.array([0.0, 0.0, density * volume * GRAVITY]), centre),
        "top": (last["force_end"].sel(cable="top", end="end").values, levers["upper"]),
        "bottom": (last["force_end"].sel(cable="bottom", end="end").values, levers["lower"]),
    }
    moments = [np.cross(R @ lever, force) for force, lever in forces.values()]
    pushes = [force for force, _ in forces.values()]
    sizes = [max(np.linalg.norm(part) for part in parts) for parts in (pushes, moments)]
    left = [float(np.linalg.norm(sum(parts)) / size) for parts, size in zip((pushes, moments), sizes, strict=True)]
    return left[0], left[1]


def check() -> Iterator[Record]:
    """The period of a pendulum, the momentum and precession of a top, what is left on a deflector at rest."""
    yield Record.relative("rigid body on a link, slow period", SWING, *pendulum_period(), 1e-3)
    drift, found, exact = top_motion()
    yield Record.absolute("spinning top, drift of its angular momentum in 6 s, relative", TOP, drift, 0.0, 0.01)
    yield Record.relative("spinning top, turn of w in the body in 6 s", TOP, found, exact, 2e-3)
    force, moment = deflector_balance()
    yield Record.absolute("deflector on two bridles, force left, of the largest", BRIDLES, force, 0.0, 1e-3)
    yield Record.absolute("deflector on two bridles, moment left, of the largest", BRIDLES, moment, 0.0, 1e-3)
