"""BEMIO's .h5, as WEC-Sim writes it: numbers without dimension, A ρ, B ρω, X ρg, C ρg, moments about each body's cg.

Signals are those of e^{+iωt}. MATLAB writes arrays turned over; their shapes decide.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.results.hdf5 import ImpossibleSize, opened

from .coefficients import CoefficientError, Coefficients
from .shifting import at_reference


def read(path: Path) -> Coefficients:
    """Coefficients of all bodies in a file."""
    try:
        with opened(path) as file:
            return _read(file, path)
    except (OSError, RuntimeError, ImpossibleSize) as reason:  # of HDF5: not a file of it, or a damaged one
        text = path.read_bytes()[:7] if path.is_file() else b""
        cure = "; it is a pointer of Git LFS: fetch the file itself" if text == b"version" else ""
        raise CoefficientError(f"{path}: is no HDF5 file that can be read{cure} ({reason})") from None


def _read(file: Any, path: Path) -> Coefficients:
    def value(name: str) -> Any:
        if name not in file:
            raise CoefficientError(f"{path}: has no '{name}'; is it a file of BEMIO?")
        if not hasattr(file[name], "shape"):
            raise CoefficientError(f"{path}: '{name}' is a group where numbers belong; is it a file of BEMIO?")
        return file[name][()]

    parameters = "simulation_parameters"
    omega = np.ravel(value(f"{parameters}/w")).astype(float)
    headings = np.radians(np.ravel(value(f"{parameters}/wave_dir")).astype(float))
    density, gravity = (float(np.ravel(value(f"{parameters}/{name}"))[0]) for name in ("rho", "g"))
    depth = _depth(value(f"{parameters}/water_depth"))
    if f"{parameters}/scaled" in file and np.ravel(file[f"{parameters}/scaled"][()])[0]:
        density_scale, of_omega, weight = 1.0, np.ones_like(omega), 1.0
    else:
        density_scale, of_omega, weight = density, omega, density * gravity
    numbered = [name for name in file if name.startswith("body") and name[4:].isdecimal()]
    names = sorted(numbered, key=lambda name: int(name[4:]))
    if not names:
        raise CoefficientError(f"{path}: has no 'body1'; is it a file of BEMIO?")
    size = 6 * len(names)
    added, damping = np.zeros((len(omega), size, size)), np.zeros((len(omega), size, size))
    infinite, stiffness = np.zeros((size, size)), np.zeros((size, size))
    excitation = np.zeros((len(headings), len(omega), size), complex)
    volume, buoyancy, gravity_centre = np.zeros(len(names)), np.zeros((len(names), 3)), np.zeros((len(names), 3))
    for i, name in enumerate(names):
        rows = slice(6 * i, 6 * i + 6)
        shape = (6, size, len(omega))
        coefficients = f"{name}/hydro_coeffs"
        added[:, rows] = np.moveaxis(_oriented(value(f"{coefficients}/added_mass/all"), shape, path), 2, 0)
        damping[:, rows] = np.moveaxis(_oriented(value(f"{coefficients}/radiation_damping/all"), shape, path), 2, 0)
        infinite[rows] = _oriented(value(f"{coefficients}/added_mass/inf_freq"), (6, size), path)
        stiffness[rows, rows] = np.reshape(value(f"{coefficients}/linear_restoring_stiffness"), (6, 6))
        parts = [
            _oriented(value(f"{coefficients}/excitation/{part}"), (6, len(headings), len(omega)), path)
            for part in ("re", "im")
        ]
        excitation[..., rows] = np.moveaxis(parts[0] + 1j * parts[1], 0, 2)
        volume[i] = float(np.ravel(value(f"{name}/properties/disp_vol"))[0])
        buoyancy[i] = np.ravel(value(f"{name}/properties/cb"))
        gravity_centre[i] = np.ravel(value(f"{name}/properties/cg"))
    order, turn = np.argsort(omega), np.argsort(headings)
    found = Coefficients(
        omega=omega[order], added_mass=density_scale * added[order],
        damping=density_scale * (damping * of_omega[:, None, None])[order], headings=headings[turn],
        excitation=weight * excitation[turn][:, order], stiffness=weight * stiffness,
        added_mass_infinite=density_scale * infinite, volume=volume, centre_of_buoyancy=buoyancy - gravity_centre,
        density=density, gravity=gravity, depth=depth, reference=gravity_centre, stiffness_has_weight=True,
        format="bemio", source=str(path),
    )  # fmt: skip
    return at_reference(found)


def _oriented(value: Any, shape: tuple[int, ...], path: Path) -> np.ndarray:
    """An array of that shape, turned over where the file has it so."""
    array = np.asarray(value, float)
    if array.shape == shape:
        return array
    if array.shape == shape[::-1]:
        return array.T
    if array.size == math.prod(shape):
        return array.reshape(shape)
    raise CoefficientError(f"{path}: an array of shape {array.shape} stands where {shape} belongs")


def _depth(value: Any) -> float:
    first = np.ravel(value)[0]
    if isinstance(first, (bytes, str)):
        text = first.decode() if isinstance(first, bytes) else first
        return math.inf if text.lower().startswith("inf") else float(text)
    return float(first) if float(first) > 0.0 else math.inf
