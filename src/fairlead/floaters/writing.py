"""Coefficients written as WAMIT and HAMS write them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from fairlead.results.places import Patient, replace_file

from .coefficients import Coefficients

WRITTEN = (".1", ".3", ".hst")


def in_the_way(root: Path) -> list[Path]:
    """Files that stand where those of a root would be written, whether their names end in small letters or capitals."""
    names = dict.fromkeys(root.name + one for end in WRITTEN for one in (end, end.upper()))
    return [path for path in map(root.with_name, names) if os.path.lexists(path)]


def write_wamit(
    root: Path,
    data: Coefficients,
    length: float = 1.0,
    column: str = "period",
    limits: bool = True,
    head: str = "",
    digits: int = 12,
) -> Path:
    """.1, .3 and .hst of that root, made dimensionless; limits that are known first, as WAMIT has them.

    Each replaces a file of its name, whole or not at all.
    """

    def _exponent(value: float) -> str:
        return f"{value: .{digits}E}".replace("E", "D")

    size = data.stiffness.shape[0]
    power = np.arange(size) % 6 // 3
    rho, g = data.density, data.gravity

    def first(w: float) -> float:
        return {"period": 2 * np.pi / w, "frequency": w, "wave_number": w * w / g}[column]

    zero, infinite = (-1.0, 0.0) if column == "period" else (0.0, -1.0)
    radiation, waves, rest = [head] if head else [], [head] if head else [], []
    if limits:
        for mark, matrix in ((zero, data.added_mass_zero), (infinite, data.added_mass_infinite)):
            if matrix is None:
                continue
            for i, j in np.argwhere(matrix != 0.0):
                value = matrix[i, j] / rho / length ** (3 + power[i] + power[j])
                radiation.append(f"{_exponent(mark)} {i + 1} {j + 1} {_exponent(value)}")
    for n, w in enumerate(data.omega.tolist()):
        for i in range(size):
            for j in range(size):
                scale = rho * length ** (3 + power[i] + power[j])
                a, b = data.added_mass[n, i, j] / scale, data.damping[n, i, j] / scale / w
                if a or b:
                    radiation.append(f"{_exponent(first(w))} {i + 1} {j + 1} {_exponent(a)} {_exponent(b)}")
        for h, beta in enumerate(data.headings):
            for i in range(size):
                x = data.excitation[h, n, i] / (rho * g * length ** (2 + power[i]))
                if x == 0.0 and i > 0:  # what is not there is zero
                    continue
                numbers = (first(w), np.degrees(beta), abs(x), np.degrees(np.angle(x)), x.real, x.imag)
                a, b, *others = map(_exponent, numbers)
                waves.append(f"{a} {b} {i + 1} {' '.join(others)}")
    for i in range(size):
        for j in range(size):
            value = data.stiffness[i, j] / (rho * g * length ** (2 + power[i] + power[j]))
            rest.append(f"{i + 1} {j + 1} {_exponent(value)}")
    for extension, lines in zip(WRITTEN, (radiation, waves, rest), strict=True):
        _write(root.with_name(root.name + extension), lines)
    return root


def _write(path: Path, lines: list[str]) -> None:
    def put(file: Patient) -> None:
        file.write(("\n".join(lines) + "\n").encode())

    replace_file(path, put)
