"""Coefficients that a reader hands on: every number finite and of a possible size, every array of the right shape.

All readers of all formats pass here (:func:`.shifting.at_reference`), before anything is computed.
"""

from __future__ import annotations

import math

import numpy as np

from .coefficients import CoefficientError, Coefficients
from .rows import LARGEST

DENSITIES = (1.0, 30_000.0)
GRAVITIES = (0.1, 100.0)
FREQUENCIES = (1e-5, 1e4)
CURE = "compute it again, or mend the file"


def require_sound(data: Coefficients) -> Coefficients:
    """The same coefficients; `CoefficientError` names the first number that cannot be right."""
    where = data.source or data.format
    size, count = data.stiffness.shape[0], len(data.omega)
    bodies = size // 6
    wanted = {
        "omega": (count,), "added_mass": (count, size, size), "damping": (count, size, size),
        "excitation": (len(data.headings), count, size), "stiffness": (size, size), "volume": (bodies,),
        "centre_of_buoyancy": (bodies, 3), "reference": (bodies, 3), "added_mass_infinite": (size, size),
        "added_mass_zero": (size, size),
    }  # fmt: skip
    for name, shape in wanted.items():
        found = getattr(data, name)
        if found is not None and np.shape(found) != shape:
            raise _wrong(where, f"{_words(name)} is of shape {np.shape(found)} where {shape} belongs")
    if not count or not bodies or size % 6:
        raise _wrong(where, f"it holds {count} frequencies and {size} motions")
    for name in ("omega", "added_mass", "damping", "headings", "excitation", "added_mass_infinite", "added_mass_zero"):
        _require_numbers(getattr(data, name), _words(name), where)
    for name in ("stiffness", "volume", "centre_of_buoyancy", "reference"):
        given = getattr(data, name)
        if not np.isnan(given).all():  # what a file does not tell
            _require_numbers(given[~np.isnan(given)] if name != "stiffness" else given, _words(name), where)
    if not (np.diff(data.omega) > 0.0).all():
        raise _wrong(where, f"the frequency {data.omega[1:][np.diff(data.omega) <= 0.0][0]:.5g} rad/s is there twice")
    _require_within(data.omega[0], FREQUENCIES, "the lowest frequency", "rad/s", where)
    _require_within(data.omega[-1], FREQUENCIES, "the highest frequency", "rad/s", where)
    _require_within(data.density, DENSITIES, "the density of the water", "kg/m^3", where)
    _require_within(data.gravity, GRAVITIES, "gravity", "m/s^2", where)
    if not data.depth > 0.0:
        raise _wrong(where, f"the water is {data.depth:g} m deep")
    if len(data.headings) and not (np.diff(data.headings) > 0.0).all():
        raise _wrong(where, "a heading is there twice")
    return data


def _require_numbers(values: np.ndarray | None, what: str, where: str) -> None:
    if values is None or not np.size(values):
        return
    array = np.asarray(values)
    bad = ~np.isfinite(array) | ~(np.abs(array) <= LARGEST)
    if bad.any():
        place = tuple(int(i) + 1 for i in np.argwhere(bad)[0])
        raise _wrong(
            where, f"{what} holds {array[bad][0]:.4g} at {', '.join(map(str, place))}, which is no possible number"
        )


def _require_within(value: float, bounds: tuple[float, float], what: str, unit: str, where: str) -> None:
    low, high = bounds
    if not (math.isfinite(value) and low <= value <= high):
        raise _wrong(where, f"{what} is {value:g} {unit}, which is not between {low:g} and {high:g}")


def _wrong(where: str, what: str) -> CoefficientError:
    return CoefficientError(f"{where}: {what}; {CURE}")


def _words(name: str) -> str:
    return {"omega": "the list of frequencies", "headings": "the list of headings"}.get(name, name.replace("_", " "))
