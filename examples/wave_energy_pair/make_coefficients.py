"""Coefficients of a buoy and a plate that share one water, made by strips: pair.1, pair.3 and pair.hst, twelve motions.

The buoy is 20 m across and 3 m deep, like the float of the reference model RM3 (V. Neary and others, SAND2014-9040);
the column runs through its middle down to a plate of 30 m, 35 m below the surface. The numbers are our own
(fairlead.floaters.columns), and body 1 is the buoy, body 2 the column with its plate.

    python make_coefficients.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fairlead.floaters.columns import Column, columns
from fairlead.floaters.writing import write_wamit

RHO, G = 1025.0, 9.80665
DISC = 0.5 * 8.0 / 3.0 * RHO
"""Water that moves with a foot in heave, half of that of a thin disc, kg per m^3 of its radius."""
OMEGA = np.arange(0.12, 3.0, 0.1)
HEADINGS = np.arange(-180.0, 181.0, 30.0)


def main(folder: Path) -> None:
    buoy = [Column(0.0, 0.0, ((-3.0, 10.0), (0.0, 10.0)), DISC * 10.0**3)]
    plate = [Column(0.0, 0.0, ((-35.0, 3.0), (0.0, 3.0)), DISC * 15.0**3)]
    data = columns([buoy, plate], OMEGA.tolist(), np.radians(HEADINGS).tolist(), RHO, G)
    write_wamit(folder / "pair", data, digits=4)
    print("displace", ", ".join(f"{volume:.1f} m^3" for volume in data.volume))


if __name__ == "__main__":
    main(Path(__file__).resolve().parent)
