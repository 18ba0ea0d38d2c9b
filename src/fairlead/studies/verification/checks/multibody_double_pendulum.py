"""A rod on a hinge with a load on a wire below it: a double pendulum, against Lagrange's equations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.integrate import solve_ivp

from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "Lagrange's equations of a rod and a point mass on a line that does not stretch, integrated to 1e-11"
ROD_MASS, ROD, THICKNESS = 4.0, 1.2, 0.05  # kg, m, m
WIRE, WIRE_MASS, LOAD = 0.8, 0.02, 1.5  # m, kg/m, kg
GRAVITY = 9.81
FIRST, SECOND = 1.0, 0.4  # rad from the vertical, at rest
INERTIA = ROD_MASS * (ROD**2 / 12.0 + THICKNESS**2 / 16.0)  # about the middle
DURATION = 5.0  # s


def pendulum(step: float = 0.001, **settings: object) -> System:
    """The rod is a body on a revolute joint, the wire one stiff element.

    The frame it hangs from also carries a plumb line, 3 m aside and at rest, which the pendulum does not feel.
    """
    rod_end = np.array([ROD * np.sin(FIRST), 0.0, -ROD * np.cos(FIRST)])
    load = rod_end + np.array([WIRE * np.sin(SECOND), 0.0, -WIRE * np.cos(SECOND)])
    return System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {"wire": {"diameter": 0.004, "mass_per_length": WIRE_MASS, "axial_stiffness": 1e9}},
            "points": {
                "load": {"kind": "free", "position": load.tolist(), "mass": LOAD},
                "plumb": {"kind": "free", "position": [0, 3, -0.5]},
            },
            "bodies": {
                "frame": {"kind": "prescribed", "position": [0, 0, 0], "attachments": {"aside": [0, 3, 0]}},
                "rod": {
                    "kind": "free", "position": (0.5 * rod_end).tolist(), "orientation_deg": [0, -np.degrees(FIRST), 0],
                    "mass": ROD_MASS, "inertia": [INERTIA, INERTIA, ROD_MASS * THICKNESS**2 / 8.0],
                    "attachments": {"top": [0, 0, 0.5 * ROD], "bottom": [0, 0, -0.5 * ROD]},
                }
            },
            "joints": {"hinge": {"kind": "revolute", "parent": "frame", "child": "rod.top", "axis": [0, 1, 0]}},
            "cables": {
                "wire": {"type": "wire", "length": WIRE, "elements": 1, "start": "rod.bottom", "end": "load"},
                "plumb": {
                    "type": "wire", "length": 0.5, "elements": 1, "start": "frame.aside", "end": "plumb",
                    "allow_stretch": True,
                },
            },
            "simulation": {
                "start": "catenary",
                    "formulation": "multibody", "duration": DURATION, "step": step, "output_every": 0.1, **settings,
            },
        }
    )  # fmt: skip


def lagrange(times: np.ndarray) -> np.ndarray:
    """Angles (2, time) of rod and wire from the vertical, rad."""
    node = 0.5 * WIRE * WIRE_MASS
    bob = LOAD + node
    total = INERTIA + ROD_MASS * (0.5 * ROD) ** 2 + (bob + node) * ROD**2
    pull = (0.5 * ROD_MASS + bob + node) * ROD * GRAVITY

    def rates(_: float, x: np.ndarray) -> list[float]:
        one, two, v, w = x
        c, s = np.cos(one - two), np.sin(one - two)
        matrix = [[total, bob * ROD * WIRE * c], [bob * ROD * WIRE * c, bob * WIRE**2]]
        right = [
            -bob * ROD * WIRE * w**2 * s - pull * np.sin(one),
            bob * ROD * WIRE * v**2 * s - bob * WIRE * GRAVITY * np.sin(two),
        ]
        return [v, w, *np.linalg.solve(matrix, right)]

    found = solve_ivp(
        rates, (0.0, float(times[-1])), [FIRST, SECOND, 0.0, 0.0], "DOP853", times, rtol=1e-11, atol=1e-11
    )
    return np.asarray(found.y[:2])


def angles(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Times (sample,) s and angles (2, sample) of rod and wire of a run, rad."""
    result = simulate(system)
    wire = result["position"].values[:, 0]
    hand = wire[:, 1] - wire[:, 0]
    rod = np.arctan2(wire[:, 0, 0], -wire[:, 0, 2])
    return result["time"].values, np.unwrap(np.array([rod, np.arctan2(hand[:, 0], -hand[:, 2])]), axis=1)


def check() -> Iterator[Record]:
    """Largest error of either angle in 5 s."""
    times, found = angles(pendulum())
    error = float(np.abs(found - lagrange(times)).max())
    yield Record.absolute("multibody, double pendulum, angle, rad, step 0.001 s", SOURCE, error, 0.0, 1e-4)
