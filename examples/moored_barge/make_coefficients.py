"""Coefficients and hull of a barge: barge.1, barge.3 and barge.hst as WAMIT writes them, and barge.stl.

60 m long, 20 m wide, 4 m deep in the water, 4 m above it. The numbers are our own (fairlead.floaters.columns), and
rough: twelve columns of the same area as squares of 10 m, side by side. Of added mass they have at infinite frequency
what a wide, flat barge has about: 1.6 times its mass in heave, 0.4 times in sway and 0.05 times in surge; damping is
made from the excitation (Haskind), added mass from the damping (Ogilvie), in 80 m of water. Give those of a panel
program in their place.

    python make_coefficients.py
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

from fairlead.floaters.columns import Column, columns
from fairlead.floaters.writing import write_wamit

RHO, G, DEPTH = 1025.0, 9.80665, 80.0
LENGTH, BREADTH, DRAUGHT, FREEBOARD, SQUARE = 60.0, 20.0, 4.0, 4.0, 10.0
RADIUS = SQUARE / np.sqrt(np.pi)
HEAVE, SIDEWAYS = 1.6, (0.05, 0.4)
"""Added mass at infinite frequency over the mass: up, along and across."""
OMEGA = np.arange(0.2, 3.26, 0.09)
HEADINGS = np.arange(-180.0, 181.0, 15.0)


def main(folder: Path) -> None:
    along = np.arange(-0.5 * (LENGTH - SQUARE), 0.5 * LENGTH, SQUARE)
    across = np.arange(-0.5 * (BREADTH - SQUARE), 0.5 * BREADTH, SQUARE)
    plate = HEAVE * RHO * SQUARE**2 * DRAUGHT
    levels = ((-DRAUGHT, RADIUS), (0.0, RADIUS))
    parts = [Column(float(x), float(y), levels, plate, SIDEWAYS) for x, y in product(along, across)]
    data = columns([parts], OMEGA.tolist(), np.radians(HEADINGS).tolist(), RHO, G, DEPTH)
    write_wamit(folder / "barge", data, digits=4)
    (folder / "barge.stl").write_text(box(), encoding="utf-8")


def box() -> str:
    """The hull as an ASCII STL: twelve triangles, normals outwards."""
    x, y = 0.5 * LENGTH, 0.5 * BREADTH
    low = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    corners = np.vstack([np.column_stack([low, np.full(4, -DRAUGHT)]), np.column_stack([low, np.full(4, FREEBOARD)])])
    sides = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    lines = ["solid barge"]
    for a, b, c, d in sides:
        normal = np.cross(corners[b] - corners[a], corners[c] - corners[a])
        normal /= np.linalg.norm(normal)
        for triangle in ((a, b, c), (a, c, d)):
            lines += [" facet normal {:g} {:g} {:g}".format(*normal), "  outer loop"]
            lines += ["   vertex {:g} {:g} {:g}".format(*corners[i]) for i in triangle]
            lines += ["  endloop", " endfacet"]
    return "\n".join([*lines, "endsolid barge"]) + "\n"


if __name__ == "__main__":
    main(Path(__file__).resolve().parent)
