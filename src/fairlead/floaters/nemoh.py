"""NEMOH, versions 2 and 3: Nemoh.cal with RadiationCoefficients.tec, ExcitationForce.tec and, where there, KH.dat.

SI units already. Signals are those of e^{-iωt}: phases are turned round. A zone of the radiation file belongs to one
radiating motion; its columns are A and B on each motion in turn.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from .coefficients import CoefficientError, Coefficients
from .rows import finite, is_title, numbers_of, rows_of, text_of
from .shifting import at_reference

DAMAGED = "copy the file again, or run NEMOH again"
MOST_BODIES, MOST_HEADINGS = 100, 10_000


def read(path: Path) -> Coefficients:
    """Coefficients of all bodies of a NEMOH run, from its folder, its Nemoh.cal or one of its results."""
    calculation = _find(path, "Nemoh.cal")
    said = _calculation(calculation)
    radiation = _find(path, "RadiationCoefficients.tec")
    size = 6 * len(said.rotation)
    zones = _zones(radiation, 1 + 2 * size)
    if len(zones) != size:
        raise CoefficientError(
            f"{radiation}: holds {len(zones)} radiating motions where {calculation.name} has {size}; all six motions "
            "of each body must be computed"
        )
    omega = zones[0][:, 0]
    _require_same_frequencies(radiation, zones, omega)
    table = np.array([zone[:, 1:] for zone in zones])  # (radiating, nw, 2 x force)
    added = np.moveaxis(table[..., 0::2], 0, 2)
    damping = np.moveaxis(table[..., 1::2], 0, 2)
    headings, excitation = np.zeros(0), np.zeros((0, len(omega), size), complex)
    forces = _found(path, "ExcitationForce.tec")
    if forces is not None:
        parts = _zones(forces, 1 + 2 * size)
        _require_same_frequencies(forces, parts, omega)
        waves = np.array(parts)
        if len(waves) != len(said.headings):
            message = f"{forces}: holds {len(waves)} headings where {calculation.name} has {len(said.headings)}"
            raise CoefficientError(message + "; they are not of the same run")
        angle = waves[..., 2::2]
        # version 3 writes degrees
        angle = np.radians(angle) if np.abs(angle).max() > 2.0 * np.pi + 1e-3 else angle
        headings, excitation = said.headings, waves[..., 1::2] * np.exp(-1j * angle)
    hydrostatics = [_hydrostatics(path, i) for i in range(len(said.rotation))]
    stiffness = np.full((size, size), np.nan)
    volume, centre = np.full(len(said.rotation), np.nan), np.full((len(said.rotation), 3), np.nan)
    notes: list[str] = []
    if all(matrix is not None for matrix, _, _ in hydrostatics):
        stiffness[:] = 0.0
        for i, (matrix, one, place) in enumerate(hydrostatics):
            stiffness[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = matrix
            volume[i], centre[i] = one, place - said.rotation[i]
    else:
        notes.append("KH.dat is not there: hydrostatic stiffness must be given ('stiffness')")
    order = np.argsort(omega)
    found = Coefficients(
        omega=omega[order], added_mass=added[order], damping=damping[order], headings=headings,
        excitation=excitation[:, order], stiffness=stiffness, volume=volume, centre_of_buoyancy=centre,
        density=said.density, gravity=said.gravity, depth=said.depth, reference=said.rotation,
        stiffness_has_weight=True, format="nemoh", source=str(calculation), notes=tuple(notes),
    )  # fmt: skip
    return at_reference(found, said.measured)


class _Calculation:
    """What Nemoh.cal says."""

    def __init__(self, lines: list[str], path: Path) -> None:
        def fail(what: str) -> CoefficientError:
            return CoefficientError(f"{path}: {what}; is it a Nemoh.cal?")

        def leading(line: str) -> list[float]:
            found = []
            for word in line.split("!")[0].split():
                numbers = numbers_of(word)
                if numbers is None:
                    break
                found += numbers
            return found

        values = [finite(leading(line), path, number) for number, line in enumerate(lines, 1)]
        try:
            self.density, self.gravity = values[1][0], values[2][0]
            depth = values[3][0]
            self.depth = depth if depth > 0.0 else math.inf
            self.measured = np.array([*values[4][:2], 0.0])
            bodies = int(values[6][0])
            at, rotation = 7, []
            for _ in range(bodies):
                motions = int(values[at + 3][0])
                if motions != 6:
                    raise CoefficientError(
                        f"{path}: a body has {motions} degrees of freedom; all six of each body must be computed"
                    )
                rows = values[at + 4 : at + 4 + motions]
                rotation.append(next(row[4:7] for row in rows if row[0] == 2))
                at += 4 + motions
                forces = int(values[at][0])
                at += 1 + forces
                at += 1 + int(values[at][0])
            self.rotation = np.array(rotation)
            directions = values[at + 2]
            count, low, high = int(directions[0]), directions[1], directions[2]
        except (IndexError, StopIteration, ValueError, OverflowError):
            raise fail("cannot be understood") from None
        if not 1 <= bodies <= MOST_BODIES or self.rotation.shape != (bodies, 3):
            raise fail(f"has {bodies} bodies, or one without a centre of rotation")
        if not 0 <= count <= MOST_HEADINGS:
            raise fail(f"has {count} directions of waves")
        self.headings = np.radians(np.linspace(low, high, count))


def _calculation(path: Path) -> _Calculation:
    return _Calculation(text_of(path).splitlines(), path)


def _find(path: Path, name: str) -> Path:
    """A file that a run must have."""
    place = _found(path, name)
    if place is None:
        folder = path if path.is_dir() else path.parent
        raise CoefficientError(f"{folder / name} is not there: give the folder of the run, or its Nemoh.cal")
    return place


def _found(path: Path, name: str) -> Path | None:
    """A file of a run: in the folder, in its `results` or `Results`, in the one above, or under a name that ends so."""
    folder = path if path.is_dir() else path.parent
    prefix = "" if path.is_dir() else re.sub(r"(?i)(Nemoh\.cal|\w*\.tec)$", "", path.name)
    for one in (folder, folder / "results", folder / "Results", folder.parent, folder.parent / "results"):
        for candidate in (one / (prefix + name), one / name):
            if candidate.is_file():
                return candidate
    return None


def _zones(path: Path, columns: int) -> list[np.ndarray]:
    """Blocks of rows between the lines that begin a zone."""
    zones: list[list[list[float]]] = []
    for at, line in enumerate(text_of(path).splitlines(), 1):
        if line.strip().lower().startswith("zone"):
            zones.append([])
            continue
        numbers = numbers_of(line)
        if numbers is None and zones and not is_title(line):
            raise CoefficientError(f"{path}:{at}: holds a word that is no number: {line.strip()[:60]!r}; {DAMAGED}")
        if numbers and zones:
            if len(numbers) != columns:
                message = f"{path}:{at}: a row holds {len(numbers)} numbers where {columns} belong; {DAMAGED}"
                raise CoefficientError(message)
            zones[-1].append(finite(numbers, path, at))
    found = [np.array(zone) for zone in zones if zone]
    if not found:
        raise CoefficientError(f"{path}: holds no zone of numbers")
    return found


def _hydrostatics(path: Path, body: int) -> tuple[np.ndarray | None, float, np.ndarray]:
    """Stiffness, volume and centre of buoyancy of a body: KH.dat and Hydrostatics.dat, numbered with several."""
    folder = path if path.is_dir() else path.parent
    matrix, volume, centre = None, math.nan, np.full(3, np.nan)
    for one in (folder, folder / "mesh", folder / "Mesh", folder.parent / "mesh"):
        for suffix in (f"_{body}", "") if body == 0 else (f"_{body}",):
            stiffness, statics = one / f"KH{suffix}.dat", one / f"Hydrostatics{suffix}.dat"
            if matrix is None and stiffness.is_file():
                matrix = np.array(rows_of(stiffness, 6, 6)[:6], float)
                if matrix.shape != (6, 6):
                    raise CoefficientError(f"{stiffness}: holds {len(matrix)} rows where 6 belong; {DAMAGED}")
            if math.isnan(volume) and statics.is_file():
                said = dict(re.findall(r"([XYZ]F|Displacement)\s*[=:]\s*([-+.\dEeDd]+)", text_of(statics)))
                volume, *place = (_said(said, name, statics) for name in ("Displacement", "XF", "YF", "ZF"))
                centre = np.array(place)
    return matrix, volume, centre


def _said(said: dict[str, str], name: str, path: Path) -> float:
    """A number of Hydrostatics.dat; NaN where it is not there."""
    if name not in said:
        return math.nan
    numbers = numbers_of(said[name])
    if not numbers:
        raise CoefficientError(f"{path}: {name} is {said[name]!r}, which is no number; {DAMAGED}")
    return numbers[0]


def _require_same_frequencies(path: Path, zones: list[np.ndarray], omega: np.ndarray) -> None:
    """Every zone has a row for each frequency."""
    for number, zone in enumerate(zones, 1):
        if len(zone) != len(omega):
            raise CoefficientError(
                f"{path}: zone {number} has {len(zone)} rows where {len(omega)} frequencies belong; {DAMAGED}"
            )
        if not np.allclose(zone[:, 0], omega, rtol=1e-4, atol=0.0):
            raise CoefficientError(f"{path}: zone {number} has other frequencies than the first; {DAMAGED}")
