"""Capytaine's .nc, NetCDF-3 or -4.

added_mass(omega, radiating_dof, influenced_dof) is turned over, since ours is (force, motion); signals of e^{-iωt} are
turned round. omega may hold 0 and inf; rows that were not computed (NaN) are left out.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from fairlead.results.hdf5 import opened

from .coefficients import DOFS, CoefficientError, Coefficients


def read(path: Path) -> Coefficients:
    """Coefficients of all bodies in a dataset."""
    data = _variables(path)
    for name in ("added_mass", "radiation_damping", "omega"):
        if name not in data:
            raise CoefficientError(f"{path}: has no variable '{name}'; is it a dataset of Capytaine?")
    order = _motions(data, path)
    bodies = len(order) // 6
    omega = np.atleast_1d(np.array(data["omega"], float))
    added = np.swapaxes(_by_omega(data["added_mass"], omega), 1, 2)[:, order][:, :, order]
    damping = np.swapaxes(_by_omega(data["radiation_damping"], omega), 1, 2)[:, order][:, :, order]
    notes: list[str] = []
    zero = added[omega == 0.0][0] if np.any(omega == 0.0) else None
    infinite = added[np.isinf(omega)][0] if np.any(np.isinf(omega)) else None
    inner = (omega > 0.0) & np.isfinite(omega)
    headings, excitation = _excitation(data, omega, order, notes)
    broken = inner & ~(np.isfinite(added).all((1, 2)) & np.isfinite(damping).all((1, 2)))
    broken |= inner & ~np.isfinite(excitation).all((0, 2))
    if broken.any():
        notes.append(f"{int(broken.sum())} frequencies that were not computed (NaN) are left out")
    kept = np.flatnonzero(inner & ~broken)
    kept = kept[np.argsort(omega[kept])]
    if not kept.size:
        raise CoefficientError(f"{path}: holds no frequency that was computed")
    size = len(order)
    stiffness = np.full((size, size), np.nan)
    if "hydrostatic_stiffness" in data:
        stiffness = np.array(data["hydrostatic_stiffness"], float)[np.ix_(order, order)]
    else:
        notes.append("'hydrostatic_stiffness' is not there: it must be given ('stiffness')")
    reference = np.zeros((bodies, 3))
    if "rotation_center" in data:
        reference[:] = np.reshape(np.array(data["rotation_center"], float), (-1, 3))
    return Coefficients(
        omega=omega[kept], added_mass=added[kept], damping=damping[kept], headings=headings,
        excitation=excitation[:, kept].conj(), stiffness=stiffness, added_mass_infinite=infinite, added_mass_zero=zero,
        volume=np.full(bodies, np.nan), centre_of_buoyancy=np.full((bodies, 3), np.nan),
        density=float(np.ravel(data.get("rho", 1000.0))[0]), gravity=float(np.ravel(data.get("g", 9.81))[0]),
        depth=float(np.ravel(data.get("water_depth", math.inf))[0]), reference=reference, stiffness_has_weight=True,
        format="capytaine", source=str(path), notes=tuple(notes),
    )  # fmt: skip


def _variables(path: Path) -> dict[str, Any]:
    """All variables of a file as arrays, texts as lists of str."""
    try:
        with path.open("rb") as start:
            magic = start.read(4)
    except OSError as reason:
        raise CoefficientError(f"{path}: cannot be read: {reason.strerror or reason}") from None
    try:
        if magic[:3] == b"CDF":
            from scipy.io import netcdf_file

            with netcdf_file(str(path), mmap=False) as file:
                return {name: _texts(np.array(variable.data)) for name, variable in file.variables.items()}
        with opened(path) as file:
            return {name: _texts(item[()]) for name, item in file.items() if hasattr(item, "shape")}
    except Exception as reason:  # a damaged file may fail in any way the libraries below know
        raise CoefficientError(f"{path}: is no NetCDF file that can be read: {reason}") from reason


def _texts(value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "S" and array.dtype.itemsize == 1 and array.ndim:
        return [b"".join(row).rstrip(b"\0 ").decode() for row in array.reshape(-1, array.shape[-1])]
    if array.dtype.kind in "SO":
        return [one.decode() if isinstance(one, bytes) else str(one) for one in np.ravel(array)]
    return array


def _motions(data: dict[str, Any], path: Path) -> np.ndarray:
    """Places of surge ... yaw of the first body, then of the second, among the motions of the file."""
    names = [str(name) for name in data.get("influenced_dof", [])]
    found: dict[str, dict[str, int]] = {}
    for i, name in enumerate(names):
        body, _, motion = name.rpartition("__")
        found.setdefault(body, {})[motion.lower()] = i
    for body, motions in found.items():
        missing = [dof for dof in DOFS if dof not in motions]
        if missing:
            of = f" of '{body}'" if body else ""
            raise CoefficientError(f"{path}: {', '.join(missing)}{of} were not computed; all six motions are needed")
    if not found or [str(name) for name in data.get("radiating_dof", [])] != names:
        raise CoefficientError(f"{path}: radiating and influenced motions are not the same; compute all of both")
    return np.array([motions[dof] for motions in found.values() for dof in DOFS])


def _by_omega(value: Any, omega: np.ndarray) -> np.ndarray:
    array = np.asarray(value, float)
    return array.reshape(len(omega), *array.shape[-2:])


def _excitation(
    data: dict[str, Any], omega: np.ndarray, order: np.ndarray, notes: list[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Excitation (nh, nw, 6N) as the file has it, and its headings."""
    total = data.get("excitation_force")
    if total is None and {"Froude_Krylov_force", "diffraction_force"} <= set(data):
        total = np.asarray(data["Froude_Krylov_force"]) + np.asarray(data["diffraction_force"])
    if total is None:
        return np.zeros(0), np.zeros((0, len(omega), len(order)), complex)
    array = np.asarray(total)
    if array.dtype.names:  # compound of real and imaginary parts
        array = array[array.dtype.names[0]] + 1j * array[array.dtype.names[1]]
    elif not np.iscomplexobj(array):
        array = array[0] + 1j * array[1]
    headings = np.atleast_1d(np.array(data["wave_direction"], float))
    rising = np.argsort(headings)
    array = array.reshape(len(omega), len(headings), -1)[..., order]
    return headings[rising], np.swapaxes(array, 0, 1)[rising]
