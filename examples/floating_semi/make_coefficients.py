"""Coefficients of a semi-submersible, made by strips: semi.1, semi.3 and semi.hst as WAMIT writes them, and mean drift.

The hull is of the size of the OC4 definition of a semi-submersible for a 5 MW turbine (A. Robertson and others,
NREL/TP-5000-60601, 2014): a slender column in the middle, three outside on wide feet, 20 m deep, in 200 m of water.
Its numbers are our own (fairlead.floaters.columns): MacCamy and Fuchs for the push, the undisturbed pressure and the
plates' water for the lift, damping from the excitation (Haskind), added mass from the damping (Ogilvie). Mean drift
(semi.8) is a figure to try drift with: that of columns which turn back a share of the waves that grows with the wave
number.

    python make_coefficients.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fairlead.floaters.columns import Column, columns
from fairlead.floaters.writing import write_wamit

RHO, G, DEPTH = 1025.0, 9.80665, 200.0
OUTSIDE = 28.868 * np.exp(1j * np.radians([60.0, 180.0, 300.0]))
FOOT, COLUMN, MIDDLE = 12.0, 6.0, 3.25
PLATE = 0.75 * 8.0 / 3.0 * RHO * FOOT**3
"""Water that moves with a foot in heave, three quarters of that of a thin disc, kg."""
OMEGA = np.arange(0.12, 2.42, 0.06)
HEADINGS = np.arange(-180.0, 181.0, 20.0)


def main(folder: Path) -> None:
    levels = ((-20.0, FOOT), (-14.0, FOOT), (-13.9, COLUMN), (0.0, COLUMN))
    parts = [Column(0.0, 0.0, ((-20.0, MIDDLE), (0.0, MIDDLE)))]
    parts += [Column(at.real, at.imag, levels, PLATE) for at in OUTSIDE]
    data = columns([parts], OMEGA.tolist(), np.radians(HEADINGS).tolist(), RHO, G, DEPTH)
    write_wamit(folder / "semi", data, digits=4)
    rows = []
    for w in data.omega:
        share = 3.0 * COLUMN * (1.0 - np.exp(-((w**2 / G * COLUMN) ** 2)))  # of ½ρg a², which the columns turn back
        for beta in HEADINGS:
            c, s = np.cos(np.radians(beta)), np.sin(np.radians(beta))
            for i, force in ((1, 0.5 * share * c), (2, 0.5 * share * s)):
                rows.append(f" {2 * np.pi / w: .5E} {beta:.1f} {beta:.1f} {i} {abs(force): .5E} 0 {force: .5E} 0")
    (folder / "semi.8").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"displaces {data.volume[0]:.1f} m^3, buoyancy at z = {data.centre_of_buoyancy[0, 2]:.3f} m")


if __name__ == "__main__":
    main(Path(__file__).resolve().parent)
