"""Coefficients of a slender spar, made by strips: spar.1, spar.3 and spar.hst as WAMIT writes them.

The hull is that of the OC3 definition of a spar for a 5 MW turbine (J. Jonkman, NREL/TP-500-47535, 2010):
6.5 m across at the water, 9.4 m from 12 m down, 120 m deep. Its numbers are our own:

- surge and pitch: what MacCamy and Fuchs give for a strip of a vertical cylinder, summed over the depth;
- heave: the pressure of the undisturbed wave on the tapering hull;
- damping from the excitation (Haskind), added mass from the damping (Ogilvie), so that all belong together.

    python make_coefficients.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.special import h2vp

from fairlead.floaters.kernels import principal_value

RHO, G, DRAUGHT = 1025.0, 9.80665, 120.0
HEADINGS = np.arange(-180.0, 181.0, 30.0)
FINE, KEPT = 0.02, slice(1, 250, 7)
"""Step in rad/s of the frequencies the integrals see, and those that are written."""


def radius(z: np.ndarray) -> np.ndarray:
    """Of the hull at a height z <= 0, m."""
    return np.interp(z, [-12.0, -4.0], [4.7, 3.25])


def main(folder: Path) -> None:
    omega = FINE * np.arange(1, 501)
    k = omega**2 / G
    z = np.linspace(-DRAUGHT, 0.0, 2401)
    a, area = radius(z), np.pi * radius(z) ** 2
    # per metre of wave amplitude, waves along x, e^{+iωt}
    strip = 4.0 * RHO * G * np.exp(k[:, None] * z) / (k[:, None] * h2vp(1, k[:, None] * a))
    surge, pitch = np.trapezoid(strip, z, axis=1), np.trapezoid(strip * z, z, axis=1)
    heave = RHO * G * (area[-1] - k * np.trapezoid(np.exp(k[:, None] * z) * area, z, axis=1)) + 0j
    X = np.zeros((len(omega), 6), complex)
    X[:, 0], X[:, 2], X[:, 4] = surge, heave, pitch
    # Haskind in deep water, c_g = g/2ω: ∫ cos² = π of surge and pitch, 2π of heave
    power = k * omega / (4.0 * np.pi * RHO * G**2)
    B = np.zeros((len(omega), 6, 6))
    for i in (0, 4):
        for j in (0, 4):
            B[:, i, j] = np.pi * power * (X[:, i] * X[:, j].conj()).real
    B[:, 2, 2] = 2.0 * np.pi * power * np.abs(heave) ** 2
    infinite = np.zeros((6, 6))
    infinite[0, 0], infinite[4, 4] = RHO * np.trapezoid(area, z), RHO * np.trapezoid(area * z**2, z)
    infinite[0, 4] = infinite[4, 0] = RHO * np.trapezoid(area * z, z)
    infinite[2, 2] = 4.0 / 3.0 * RHO * a[0] ** 3
    with_zero = np.concatenate([np.zeros((1, 6, 6)), B]).reshape(len(omega) + 1, -1)
    from_zero = np.concatenate([[0.0], omega])
    rows = np.arange(len(omega))[KEPT]
    A = {n: infinite + 2.0 / np.pi * principal_value(from_zero, with_zero, n + 1).reshape(6, 6) for n in rows}
    # ω -> 0 of the same integral
    zero = infinite + 2.0 / np.pi * np.trapezoid(B / omega[:, None, None] ** 2, omega, axis=0)
    # sway and roll are surge and pitch seen from the side: M_x = -z F_y
    mirror = ((0, 0, 1, 1, 1.0), (4, 4, 3, 3, 1.0), (0, 4, 1, 3, -1.0), (4, 0, 3, 1, -1.0))

    def whole(matrix: np.ndarray) -> np.ndarray:
        full = matrix.copy()
        for i, j, m, n, sign in mirror:
            full[m, n] = sign * matrix[i, j]
        return full

    lines = []
    for mark, matrix in ((-1.0, whole(zero)), (0.0, whole(infinite))):
        lines += [f" {mark: .5E} {i + 1} {j + 1} {matrix[i, j] / RHO: .5E}" for i, j in np.argwhere(matrix)]
    waves = []
    for n in rows:
        period, added, damping = 2.0 * np.pi / omega[n], whole(A[n]), whole(B[n])
        for i, j in np.argwhere(added):
            b = damping[i, j] / (RHO * omega[n])
            lines.append(f" {period: .5E} {i + 1} {j + 1} {added[i, j] / RHO: .5E} {b: .5E}")
        for beta in HEADINGS:
            c, s = np.cos(np.radians(beta)), np.sin(np.radians(beta))
            force = X[n, 0] * c, X[n, 0] * s, X[n, 2], -X[n, 4] * s, X[n, 4] * c, 0j
            for i, x in enumerate(force):
                x = x / (RHO * G)
                numbers = f"{abs(x): .5E} {np.degrees(np.angle(x)): .5E} {x.real: .5E} {x.imag: .5E}"
                waves.append(f" {period: .5E} {beta: .5E} {i + 1} {numbers}")
    volume = float(np.trapezoid(area, z))
    upright = 0.25 * np.pi * a[-1] ** 4 + float(np.trapezoid(area * z, z))
    rest = [f" 3 3 {area[-1]: .5E}", f" 4 4 {upright: .5E}", f" 5 5 {upright: .5E}"]
    for extension, text in ((".1", lines), (".3", waves), (".hst", rest)):
        (folder / f"spar{extension}").write_text("\n".join(text) + "\n", encoding="utf-8")
    print(f"displaces {volume:.1f} m^3, buoyancy at z = {np.trapezoid(area * z, z) / volume:.3f} m")


if __name__ == "__main__":
    main(Path(__file__).resolve().parent)
