"""Floaters for checks: a spar, a semi-submersible and a buoy on a plate, by columns, written as WAMIT writes them.

Sizes are those of the OC3 spar and the OC4 semi-submersible for a 5 MW turbine, and of a point absorber; all
coefficients are our own (`floaters.columns`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.floaters.columns import Column, columns
from fairlead.floaters.frequency import Floater, rigid_mass, weight_stiffness
from fairlead.floaters.writing import write_wamit
from fairlead.model import System

DENSITY, GRAVITY = 1025.0, 9.80665
OMEGA = np.concatenate([np.arange(0.08, 1.39, 0.02), np.arange(1.4, 2.62, 0.06)])
"""So fine that a straight line between two added masses is as good as the fit, 1e-4."""
HEADINGS = np.radians(np.arange(-180.0, 181.0, 15.0))


@dataclass(frozen=True)
class Platform:
    """A body: its columns, mass, centre of mass and inertia about it, damping and the matrix that moors it."""

    name: str
    parts: tuple[Column, ...]
    mass: float
    centre: tuple[float, float, float]
    inertia: tuple[float, float, float]
    damping: tuple[float, ...]
    mooring: tuple[float, ...]


def _semi() -> tuple[Column, ...]:
    plate = DENSITY * 8.0 / 3.0 * 12.0**3 * 0.75
    around = 28.868 * np.exp(1j * np.radians([60.0, 180.0, 300.0]))
    levels = ((-20.0, 12.0), (-14.0, 12.0), (-13.9, 6.0), (0.0, 6.0))
    outer = tuple(Column(at.real, at.imag, levels, plate) for at in around)
    return (Column(0.0, 0.0, ((-20.0, 3.25), (0.0, 3.25))), *outer)


SPAR = Platform(
    "spar", (Column(0.0, 0.0, ((-120.0, 4.7), (-12.0, 4.7), (-4.0, 3.25), (0.0, 3.25)), 4.0 / 3.0 * DENSITY * 4.7**3),),
    8.066e6, (0.0, 0.0, -78.0), (1.8914e10, 1.8914e10, 1.679e8), (1e5, 1e5, 1.3e5, 0.0, 0.0, 1.3e7),
    (4.12e4, 4.12e4, 1.2e4, 3.1e8, 3.1e8, 1.1e8),
)  # fmt: skip
SEMI = Platform(
    "semi", _semi(), 1.37685e7, (0.0, 0.0, -9.889), (1.1324e10, 1.1311e10, 1.2285e10),
    (1e5, 1e5, 1e5, 1e8, 1e8, 1e8), (7.2e4, 7.2e4, 2e4, 8.7e7, 8.7e7, 1.17e8),
)  # fmt: skip
BUOY = Platform(
    "buoy", (Column(0.0, 0.0, ((-3.0, 10.0), (0.0, 10.0)), DENSITY * 8.0 / 3.0 * 10.0**3 * 0.5),),
    9.66e5, (0.0, 0.0, -1.0), (2.1e7, 2.1e7, 3.7e7), (0.0,) * 6, (2e4, 2e4, 0.0, 0.0, 0.0, 1e7),
)  # fmt: skip
PLATE = Platform(
    "plate", (Column(0.0, 0.0, ((-35.0, 3.0), (0.0, 3.0)), DENSITY * 8.0 / 3.0 * 15.0**3 * 0.5),),
    1.014e6, (0.0, 0.0, -22.0), (9.4e7, 9.4e7, 2.8e7), (0.0, 0.0, 2e5, 0.0, 0.0, 0.0), (2e4, 2e4, 0.0, 0.0, 0.0, 1e7),
)  # fmt: skip


@cache
def files() -> tempfile.TemporaryDirectory[str]:
    """Folder of the coefficients; it goes with the process."""
    return tempfile.TemporaryDirectory()


@cache
def made(*platforms: Platform) -> tuple[str, Floater]:
    """Root of the files of platforms that share a water, and what linear theory has of them."""
    data = columns([one.parts for one in platforms], OMEGA.tolist(), HEADINGS.tolist(), DENSITY, GRAVITY)
    root = Path(files().name) / "_".join(one.name for one in platforms)
    write_wamit(root, data)
    n = 6 * len(platforms)
    mass, weight, damping = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for i, one in enumerate(platforms):
        own, centre = slice(6 * i, 6 * i + 6), np.array(one.centre)
        mass[own, own] = rigid_mass(one.mass, centre, np.array(one.inertia))
        weight[own, own] = weight_stiffness(one.mass * GRAVITY, centre)
        damping[own, own] = np.diag(one.damping)
    return str(root), Floater(data, mass, weight, damping)


def body(platforms: Sequence[Platform], i: int, lift: float = 0.0, moored: bool = True) -> dict[str, Any]:
    """Platform i of those that share a water, for the file of a system; `lift` [N] beyond its weight for lines."""
    root, _ = made(*platforms)
    one = platforms[i]
    return {
        "kind": "floating", "position": [0, 0, 0], "mass": one.mass, "centre_of_mass": list(one.centre),
        "inertia": list(one.inertia), "volume": (one.mass + lift / GRAVITY) / DENSITY,
        "coefficients": {"file": root, "depth": "infinite", "body": i + 1}, "stiffness": {"includes_weight": False},
        "damping": {"linear": list(one.damping)}, "excitation": {"phase_at": "rest"},
        **({"mooring": {"matrix": list(one.mooring)}} if moored else {}),
    }  # fmt: skip


def afloat(
    bodies: Mapping[str, Any], step: float, duration: float, waves: Mapping[str, Any] | None = None, **more: Any
) -> System:
    """A system of such bodies, without cables unless more is given; it begins where they are put."""
    return System.model_validate(
        {
            "environment": {"water_density": DENSITY, "gravity": GRAVITY, **({"waves": waves} if waves else {})},
            "types": {}, "points": {}, "cables": {}, "bodies": bodies,
            "simulation": {"formulation": "lumped", "duration": duration, "step": step, "start": "catenary",
                           "output_every": step},
            **more,
        }
    )  # fmt: skip


def amplitude(signal: np.ndarray, time: np.ndarray, omega: float, periods: int) -> complex:
    """Re(z e^{iωt}) in the last whole periods of a signal, sampled evenly."""
    kept = time > time[-1] - periods * 2.0 * np.pi / omega + 0.5 * (time[1] - time[0])
    return complex(2.0 * np.mean((signal[kept] - signal[kept].mean()) * np.exp(-1j * omega * time[kept])))
