"""WAMIT's numeric files .1, .3 (.4) and .hst, which HAMS writes as well.

    .1    PER I J A [B]                    A ρ L^k, B ρ ω L^k,  k = 3 + (I > 3) + (J > 3), I, J within their body
    .3    PER BETA I MOD PHA RE IM         ρ g L^(2 + (I > 3)) per metre
    .hst  I J C                            ρ g L^(2 + (I > 3) + (J > 3))

The two limits have no B. As a period 0 is an infinite frequency and -1 a zero one; as a frequency or a wave number 0 is
zero and -1 infinite. Rows that are missing are zero. Phases are those of e^{+iωt} at the origin of the file's axes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .coefficients import CoefficientError, Coefficients
from .rows import modes_of, rows_of

EXTENSIONS = (".1", ".3", ".4", ".hst", ".8", ".9", ".12d")


@dataclass(frozen=True)
class Scale:
    """By what numbers of a file become dimensional, and what its first column is."""

    density: float = 1025.0
    gravity: float = 9.80665
    length: float = 1.0
    depth: float = math.inf
    first_column: str = "period"
    """`period`, `frequency`, `wave_number`, `deep_wave_number` (ω²/g) or `wave_length`."""

    def omega(self, column: np.ndarray) -> np.ndarray:
        """Frequencies of the first column; 0 and ∞ for the limits."""
        value = np.asarray(column, float)
        zero, infinite = (-1.0, 0.0) if self.first_column in ("period", "wave_length") else (0.0, -1.0)
        inner = (value != zero) & (value != infinite)
        if np.any(value[inner] <= 0.0):
            worst = float(value[inner].min())
            what = self.first_column.replace("_", " ")
            raise CoefficientError(f"a {what} of {worst:g} is neither a limit nor above 0")
        found = np.where(value == zero, 0.0, np.inf)
        inside = value[inner]
        if self.first_column == "period":
            found[inner] = 2.0 * np.pi / inside
        elif self.first_column == "frequency":
            found[inner] = inside
        else:
            k = 2.0 * np.pi / inside if self.first_column == "wave_length" else inside
            shallow = 1.0 if self.first_column == "deep_wave_number" else np.tanh(np.minimum(k * self.depth, 50.0))
            found[inner] = np.sqrt(self.gravity * k * shallow)
        return found


def turning(mode: np.ndarray) -> np.ndarray:
    """1 for roll, pitch and yaw, 0 for moves; modes counted from 1, six a body."""
    return np.asarray((np.asarray(mode, int) - 1) % 6 >= 3, int)


def root_of(path: Path) -> Path:
    """The common root of the files: the path itself, or without the extension of one of them."""
    lower = path.name.lower()
    for extension in EXTENSIONS:
        if lower.endswith(extension):
            return path.with_name(path.name[: -len(extension)])
    return path


def companion(root: Path, extension: str) -> Path | None:
    """The file of that extension, in either case."""
    for one in (extension, extension.upper()):
        path = root.with_name(root.name + one)
        if path.is_file():
            return path
    return None


def read(path: Path, scale: Scale, format: str = "wamit") -> Coefficients:
    """Coefficients of all bodies in the files of a root."""
    root = root_of(path)
    first = companion(root, ".1")
    if first is None:
        raise CoefficientError(
            f"{root}.1 is not there: without it there is neither added mass nor damping; give the root of the files "
            f"(they end in {', '.join(EXTENSIONS)}), or any of them"
        )
    omega, added, damping, zero, infinite = _radiation(first, scale)
    size = added.shape[-1]
    third = companion(root, ".3") or companion(root, ".4")
    headings = np.zeros(0)
    excitation = np.zeros((0, len(omega), size), complex)
    notes = []
    if third is not None:
        headings, excited_at, excitation = _excitation(third, scale, size)
        met = _matched(omega, excited_at)
        if (met >= 0).all():
            lost = len(excited_at) - len(omega)
            excitation = excitation[:, met]
            if lost:
                notes.append(f"{third.name}: {lost} frequencies that {first.name} does not have are left out")
        else:
            omega, added, damping, excitation, note = _on_one_grid(omega, added, damping, excited_at, excitation)
            notes.append(f"{first.name} and {third.name} have other frequencies: {note}")
    hst = companion(root, ".hst")
    stiffness = np.zeros((size, size)) if hst is None else _stiffness(hst, scale, size)
    if hst is None:
        notes.append(f"{root.name}.hst is not there: hydrostatic stiffness must be given ('stiffness')")
        stiffness[:] = np.nan
    bodies = size // 6
    return Coefficients(
        omega=omega, added_mass=added, damping=damping, headings=headings, excitation=excitation, stiffness=stiffness,
        added_mass_infinite=infinite, added_mass_zero=zero, volume=np.full(bodies, np.nan),
        centre_of_buoyancy=np.full((bodies, 3), np.nan), density=scale.density, gravity=scale.gravity,
        depth=scale.depth, reference=np.zeros((bodies, 3)), format=format, source=str(root), notes=tuple(notes),
    )  # fmt: skip


def _radiation(
    path: Path, scale: Scale
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None, np.ndarray | None]:
    rows = rows_of(path, 4, 5)
    column = np.array([row[0] for row in rows])
    of_row = scale.omega(column)
    modes = np.array([modes_of(row[1:3], path) for row in rows])
    size = 6 * (-(-int(modes.max()) // 6))
    known = np.unique(of_row[(of_row > 0.0) & np.isfinite(of_row)])
    if not known.size:
        raise CoefficientError(f"{path}: holds no frequency between the limits")
    values = np.zeros((len(known) + 2, size, size, 2))
    seen = {0.0: 0, np.inf: len(known) + 1, **{w: i + 1 for i, w in enumerate(known.tolist())}}
    found = np.zeros(len(known) + 2, bool)
    for row, w, (i, j) in zip(rows, of_row.tolist(), modes.tolist(), strict=True):
        at = seen[w]
        found[at] = True
        values[at, i - 1, j - 1, : len(row) - 3] = row[3:]
        if len(row) == 4 and 0.0 < w < np.inf:
            raise CoefficientError(
                f"{path}: the row of mode {i}, {j} at {row[0]:g} has no damping, which only the limits (0 and -1) may "
                "lack; copy the file again if it is cut off, or compute that row"
            )
    mode = np.arange(1, size + 1)
    power = 3 + turning(mode)[:, None] + turning(mode)[None, :]
    added = values[..., 0] * scale.density * scale.length**power
    damping = values[1:-1, ..., 1] * scale.density * scale.length**power * known[:, None, None]
    return known, added[1:-1], damping, added[0] if found[0] else None, added[-1] if found[-1] else None


def _excitation(path: Path, scale: Scale, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Headings [rad], frequencies and excitation (heading, frequency, motion) as the file has them."""
    rows = np.array(rows_of(path, 7, 7))
    of_row = scale.omega(rows[:, 0])
    headings, beta = np.unique(rows[:, 1], return_inverse=True)
    mode = np.array(modes_of(rows[:, 2].tolist(), path))
    if mode.max() > size:
        raise CoefficientError(f"{path}: has a mode {mode.max()}, the added masses only {size}")
    kept = (of_row > 0.0) & np.isfinite(of_row)
    omega, at = np.unique(of_row[kept], return_inverse=True)
    if not omega.size:
        raise CoefficientError(f"{path}: holds no frequency between the limits")
    values = np.zeros((len(headings), len(omega), size), complex)
    factor = scale.density * scale.gravity * scale.length ** (2 + turning(mode))
    values[beta[kept], at, mode[kept] - 1] = (factor * (rows[:, 5] + 1j * rows[:, 6]))[kept]
    return np.radians(headings), omega, values


def _matched(omega: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Of each frequency the place of the same one among others, -1 where there is none: periods of two files agree to
    the digits they are printed with."""
    at = np.abs(others[None, :] - omega[:, None]).argmin(axis=1)
    return np.where(np.abs(others[at] - omega) <= 1e-4 * omega, at, -1)


def _on_one_grid(
    omega: np.ndarray, added: np.ndarray, damping: np.ndarray, excited_at: np.ndarray, excitation: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, str]:
    """Both at all frequencies where both are known, along straight lines; and what that means, in words."""
    low, high = max(omega[0], excited_at[0]), min(omega[-1], excited_at[-1])
    if not low < high:
        raise CoefficientError(
            f"added mass is known from {omega[0]:.4g} to {omega[-1]:.4g} rad/s and excitation from {excited_at[0]:.4g} "
            f"to {excited_at[-1]:.4g} rad/s: compute both for the same frequencies"
        )
    fresh = excited_at[(_matched(excited_at, omega) < 0)]
    grid = np.union1d(omega, fresh)
    grid = grid[(grid >= low * (1.0 - 1e-4)) & (grid <= high * (1.0 + 1e-4))]

    def between(known: np.ndarray, table: np.ndarray) -> np.ndarray:
        flat = table.reshape(len(known), -1)
        return np.stack([np.interp(grid, known, column) for column in flat.T], axis=1).reshape(-1, *table.shape[1:])

    waves = np.moveaxis(excitation, 1, 0)
    moved = np.moveaxis(between(excited_at, waves.real) + 1j * between(excited_at, waves.imag), 0, 1)
    error = max(_bend(omega, np.concatenate([added, damping], axis=1)), _bend(excited_at, waves))
    note = (
        f"both are taken at {len(grid)} from {grid[0]:.4g} to {grid[-1]:.4g} rad/s, between them along straight lines "
        f"(about {error:.1%} of the largest off)"
    )
    return grid, between(omega, added), between(omega, damping), moved, note


def _bend(omega: np.ndarray, table: np.ndarray) -> float:
    """How far straight lines between the frequencies are from a smooth curve, over the largest of each column: a
    quarter of what a point is away from the line between its neighbours."""
    if len(omega) < 3:
        return 0.0
    flat = table.reshape(len(omega), -1)
    share = ((omega[1:-1] - omega[:-2]) / (omega[2:] - omega[:-2]))[:, None]
    away = np.abs(flat[1:-1] - (1.0 - share) * flat[:-2] - share * flat[2:]).max(axis=0)
    size = np.abs(flat).max(axis=0)
    counts = size > 1e-3 * size.max()
    return float(0.25 * (away[counts] / size[counts]).max())


def _stiffness(path: Path, scale: Scale, size: int) -> np.ndarray:
    rows = np.array(rows_of(path, 3, 3))
    i, j = (np.array(modes_of(rows[:, column].tolist(), path)) for column in (0, 1))
    if max(i.max(), j.max()) > size:
        raise CoefficientError(f"{path}: has a mode {max(i.max(), j.max())}, the added masses only {size}")
    stiffness = np.zeros((size, size))
    factor = scale.density * scale.gravity * scale.length ** (2.0 + turning(i) + turning(j))
    stiffness[i - 1, j - 1] = rows[:, 2] * factor
    return stiffness
