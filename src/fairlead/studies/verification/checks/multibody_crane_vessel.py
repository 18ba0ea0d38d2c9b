"""The crane vessel that ships with the program: how it lies in the water, and where its energy goes in waves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import fsolve

from fairlead.model import System
from fairlead.model.bodies import FreeBody
from fairlead.simulate import simulate
from fairlead.studies.verification.checks.shipped_examples import example
from fairlead.studies.verification.record import Record

ENERGIES, WORKS = ("kinetic", "gravity", "elastic"), ("drag", "damping", "drives", "friction")


def check() -> Iterator[Record]:
    """Heel and height of the hull at rest; the books of energy; the mean pull of the wire."""
    system = example("crane_vessel")
    height, heel = lies(system)
    result = simulate(system)
    hull = result["point_position"].sel(point="hull", axis="z").values
    source = "balance of weights and buoyancies of the bodies in a plane, solved by itself"
    yield Record.absolute("crane vessel, heel under its load, rad", source, float(result["hull.roll"][0]), heel, 1e-7)
    yield Record.absolute("crane vessel, height of its hull at rest, m", source, float(hull[0]), height, 1e-6)
    energy = np.sum([result[f"energy_{kind}"].values for kind in ENERGIES], axis=0)
    left = energy - np.sum([result[f"work_{kind}"].values for kind in WORKS], axis=0)
    worst = float(np.abs(left - left[0]).max() / result["energy_kinetic"].values.max())
    name = "crane vessel in waves, energy unaccounted for over the largest kinetic energy"
    yield Record.absolute(name, "first law", worst, 0.0, 1e-3)
    pull = np.linalg.norm(result["force_end"].sel(cable="wire", end="start").values, axis=-1)
    weight = system.environment.gravity * hung(system)
    yield Record.relative("crane vessel in waves, mean pull of the wire, N", "weight", pull.mean(), weight, 2e-3)


def hung(system: System) -> float:
    """Mass of the load and its wire, kg."""
    wire = system.cables["wire"]
    return free(system, "load").mass + wire.total_length * system.types["wire"].mass_per_metre


def free(system: System, name: str) -> FreeBody:
    """A body of the vessel."""
    body = system.bodies[name]
    assert isinstance(body, FreeBody)
    return body


def lies(system: System) -> tuple[float, float]:
    """Height of the hull [m] and heel [rad] at which the vessel floats at rest, its load hanging plumb from the tip."""
    sea = system.environment
    bodies = [free(system, name) for name in system.bodies if name != "load"]
    places = np.array([body.position[1:] for body in bodies])
    tip = np.array(system.place("boom.tip").position)[1:]
    masses = np.array([*(body.mass for body in bodies), hung(system)])
    volumes, heights = np.array([body.volume for body in bodies]), np.array([body.height for body in bodies])

    def turned(x: np.ndarray) -> np.ndarray:
        """Where all of it is, (bodies and tip, 2), after a heel x[1] about the keel line and a rise x[0]."""
        c, s = np.cos(x[1]), np.sin(x[1])
        y, z = np.vstack([places, tip]).T
        return np.column_stack([c * y - s * z, s * y + c * z + x[0]])

    def balance(x: np.ndarray) -> list[float]:
        where = turned(x)
        wet = np.clip(0.5 - where[:-1, 1] / heights, 0.0, 1.0) * (volumes > 0)
        up = np.append(sea.water_density * wet * volumes, 0.0) - masses
        return [up.sum() / masses.sum(), up @ where[:, 0] / masses.sum()]

    found = fsolve(balance, [0.0, 0.05], xtol=1e-13)
    names = [name for name in system.bodies if name != "load"]
    return float(turned(found)[names.index("hull"), 1]), float(found[1])
