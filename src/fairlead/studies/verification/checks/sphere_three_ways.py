"""A submerged sphere on a spring in small waves, by response operators and by coefficients.

`hydro_sphere_response` is the same sphere by the weak scatterer: the three are told apart on the page about floaters.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fairlead.floaters import Coefficients
from fairlead.floaters.kernels import principal_value
from fairlead.floaters.writing import write_wamit
from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.submerged_sphere import (
    ADDED_MASS_INFINITE,
    DAMPING,
    DENSITY,
    DEPTH,
    EXACT,
    GRAVITY,
    MASS,
    MULTIPOLES,
    STIFFNESS,
    SUBMERGENCE,
)
from fairlead.studies.verification.platforms import amplitude
from fairlead.studies.verification.record import Record

HEIGHT = 0.02


def coefficients() -> Coefficients:
    """Of heave: the multipole solution, and beyond 1.6 rad/s the deep wave's force ω² e^{-kd} with its damping."""
    known = np.array(list(EXACT))
    tail = np.arange(1.8, 4.01, 0.2)
    omega = np.concatenate([known, tail])
    deep = omega**2 * np.exp(-(omega**2) / GRAVITY * SUBMERGENCE)
    force = np.array([one.force for one in EXACT.values()])
    X = np.concatenate([force, force[-1] * (deep / deep[len(known) - 1])[len(known) :]])
    B = np.array([one.damping for one in EXACT.values()])
    B = np.concatenate([B, omega[len(known) :] ** 3 * X[len(known) :] ** 2 / (2.0 * DENSITY * GRAVITY**3)])
    fine = np.arange(0.02, 4.001, 0.02)
    between = np.interp(fine, np.concatenate([[0.0], omega]), np.concatenate([[0.0], B]))
    all_of_it = np.concatenate([[0.0], between])[:, None]
    at = np.round(omega / 0.02).astype(int)
    made = [2.0 / np.pi * principal_value(np.concatenate([[0.0], fine]), all_of_it, int(n))[0] for n in at]
    A = ADDED_MASS_INFINITE * MASS + np.array(made)
    A[: len(known)] = [one.added_mass * MASS for one in EXACT.values()]

    def heave(numbers: np.ndarray) -> np.ndarray:
        matrix = np.zeros((len(numbers), 6, 6))
        matrix[:, 2, 2] = numbers
        return matrix

    excitation = np.zeros((1, len(omega), 6), complex)
    phases = np.array([one.phase for one in EXACT.values()])
    # heave = X/(k − ω²(M + A) + iω(B + c)) has this phase, with e^{-iωt}: so has the force
    Z = STIFFNESS - known**2 * MASS * (1 + np.array([one.added_mass for one in EXACT.values()]))
    Z = Z + 1j * known * (DAMPING + B[: len(known)])
    angle = -phases + np.angle(Z)
    excitation[0, :, 2] = X * np.exp(1j * np.concatenate([angle, np.full(len(tail), angle[-1])]))
    infinite = heave(np.array([ADDED_MASS_INFINITE * MASS]))[0]
    return Coefficients(
        omega, heave(A), heave(B), np.zeros(1), excitation, np.zeros((6, 6)), infinite,
        heave(np.array([EXACT[0.4].added_mass * MASS]))[0], density=DENSITY, gravity=GRAVITY, depth=DEPTH,
    )  # fmt: skip


def sphere(omega: float, body: dict[str, object]) -> System:
    period = 2.0 * np.pi / omega
    waves = {"kind": "regular", "height": HEIGHT, "period": period, "ramp": 5 * period}
    step = period / 100
    return System.model_validate(
        {
            "environment": {"water_density": DENSITY, "gravity": GRAVITY, "seabed": {"depth": DEPTH}, "waves": waves},
            "types": {}, "points": {}, "cables": {}, "bodies": {"sphere": {"position": [0, 0, -SUBMERGENCE], **body}},
            "simulation": {"formulation": "lumped", "duration": 60 * period, "step": step, "start": "catenary",
                           "output_every": step},
        }
    )  # fmt: skip


def check() -> Iterator[Record]:
    with tempfile.TemporaryDirectory() as folder:
        write_wamit(Path(folder) / "sphere", coefficients())
        floating = {
            "kind": "floating", "mass": MASS, "inertia": [3e5, 3e5, 3e5], "volume": MASS / DENSITY,
            "coefficients": {"file": f"{folder}/sphere", "depth": DEPTH}, "excitation": {"phase_at": "rest"},
            "damping": {"linear": [1e4, 1e4, DAMPING, 1e5, 1e5, 1e5]},
            "mooring": {"matrix": [1e4, 1e4, STIFFNESS, 1e5, 1e5, 1e5]},
        }  # fmt: skip
        for omega in (0.8, 1.0, 1.2, 1.6):
            result = simulate(sphere(omega, floating))
            found = abs(amplitude(result["sphere.heave"].values, result["time"].values, omega, 20)) / (0.5 * HEIGHT)
            name = f"sphere on a spring by coefficients, {omega:g} rad/s, heave per metre of wave"
            yield Record.relative(name, MULTIPOLES, found, EXACT[omega].response, 0.02)
