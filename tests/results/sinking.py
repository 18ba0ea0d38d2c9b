"""A made-up run with the look of a real one: two joined cables of unequal mesh swing in a current and sink to a bed.

Everything is a closed formula of time and arc length, so that tests can say what they expect.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairlead.results import ObservationShape
from fairlead.results import observation as obs

DEPTH = 200.0
LENGTH = 500.0  # each cable, m
SPAN = 750.0  # A to B, m
WEIGHT = 1.2  # submerged, N/m
METADATA: dict[str, object] = {
    "title": "Two joined cables sinking to the seabed",
    "formulation": "bars",
    "fairlead_version": "0.1.0",
    "input_file": "title: Two joined cables sinking to the seabed\n",
    "settings": {"environment": {"water_density": 1025.0, "seabed": {"depth": DEPTH, "slope": [0.0, 0.0]}}},
    "warnings": ["cable left: slack at the start", "cable right: slack at the start"],
    "status": "complete",
    "history": "2025-01-01T00:00:00Z fairlead run sinking.yaml",
}


def sinking_shape(left: int = 40, right: int = 24) -> ObservationShape:
    return ObservationShape(
        cables=("left", "right"),
        nodes_per_cable=(left + 1, right + 1),
        points=("A", "M", "B"),
        arc_length=(tuple(np.linspace(0, LENGTH, left + 1)), tuple(np.linspace(0, LENGTH, right + 1))),
    )


def _catenary(span: float, drop: float, fraction: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Catenary of LENGTH over ``span``, its end ``drop`` below its start: distance, z, force (H, V) at fractions."""
    rise = -drop
    low, high = 1e-3, 1e3
    target = np.sqrt(LENGTH**2 - rise**2) / span
    for _ in range(80):  # root of sinh(u)/u = target by bisection
        middle = 0.5 * (low + high) if high < 50 else np.sqrt(low * high)
        low, high = (middle, high) if np.sinh(min(middle, 700.0)) / middle < target else (low, middle)
    a = span / (2 * low)
    vertex = span / 2 - a * np.arctanh(rise / LENGTH)
    s0 = -a * np.sinh(vertex / a)
    s = s0 + fraction * LENGTH
    x = vertex + a * np.arcsinh(s / a)
    z = a * (np.cosh((x - vertex) / a) - np.cosh(vertex / a))
    return x, z, np.full_like(s, WEIGHT * a), WEIGHT * s


def sinking_rows(shape: ObservationShape, times: NDArray[np.float64]) -> NDArray[np.float64]:
    rows = np.array([_row(shape, float(t)) for t in times])
    ahead = np.array([_row(shape, float(t) + 1e-3) for t in times])
    for i in range(len(shape.cables)):
        table, later = shape.node_table(rows, i), shape.node_table(ahead, i)
        table[..., 3:6] = (later[..., 0:3] - table[..., 0:3]) / 1e-3
    points = rows[:, shape.point_block].reshape(len(rows), -1, 6)
    later_points = ahead[:, shape.point_block].reshape(len(rows), -1, 6)
    points[..., 3:6] = (later_points[..., 0:3] - points[..., 0:3]) / 1e-3
    return rows


def _row(shape: ObservationShape, t: float) -> NDArray[np.float64]:
    row = np.zeros(shape.size)
    row[shape.extremes.start :] = np.nan
    sunk = min(1.0, t / 465.0)
    junction = np.array([55.0 * np.sin(0.5 * np.pi * sunk) + 3.0 * np.sin(t / 60.0), 0.0, -DEPTH * sunk])
    half = SPAN / 2
    for i, (count, side) in enumerate(zip(shape.nodes_per_cable, (-1.0, 1.0), strict=True)):
        fraction = np.linspace(0, 1, count)
        outward = fraction if side < 0 else fraction[::-1]  # 0 at the outer end, 1 at the junction
        distance, z, horizontal, vertical = _catenary(half, DEPTH * sunk, outward)
        table = shape.node_table(row, i)
        sway = np.sin(np.pi * outward) * (12.0 + 4.0 * np.sin(t / 35.0)) * min(1.0, t / 100.0)
        table[:, 0] = junction[0] * outward + sway
        table[:, 1] = side * (half - distance)
        below = np.maximum(0.0, -DEPTH - z)
        table[:, 2] = np.maximum(z, -DEPTH)
        ripple = 1.0 + 0.15 * np.sin(t / 12.0 + side) * np.exp(-t / 300.0)
        table[:, obs.NODE_TENSION] = np.hypot(horizontal, vertical) * ripple
        table[:, obs.NODE_SHEAR] = 20.0 * np.sin(np.pi * outward)
        table[:, obs.NODE_BENDING_MOMENT] = 500.0 * np.sin(np.pi * outward)
        table[:, obs.NODE_TORSION] = 5.0 * np.sin(t / 50.0)
        table[:, obs.NODE_CONTACT_FORCE + 2] = np.where(below > 0, WEIGHT * LENGTH / (count - 1), 0.0)
        ends = row[shape.cable_ends(i)]
        direction = np.diff(table[[0, 1, -2, -1], :3], axis=0)
        ends[:3] = table[0, obs.NODE_TENSION] * direction[0] / np.linalg.norm(direction[0])
        ends[3:] = -table[-1, obs.NODE_TENSION] * direction[2] / np.linalg.norm(direction[2])
    for name, place in (("A", (0.0, -half, 0.0)), ("M", junction), ("B", (0.0, half, 0.0))):
        row[shape.point(name)][:3] = place
    lost = 9.0e4 * (1.0 - np.exp(-3.0 * sunk))
    totals = row[shape.total_block]
    totals[obs.ENERGY_KINETIC] = 6.0e3 * (t / 40.0) * np.exp(1.0 - t / 40.0) + 300.0 * np.sin(t / 35.0) ** 2
    totals[obs.ENERGY_GRAVITY] = -1.2e5 - lost
    totals[obs.ENERGY_ELASTIC] = 1.5e3 * (1.0 + 0.3 * np.sin(t / 12.0))
    totals[obs.WORK_DRIVES] = 2.5e4 * sunk + 500.0 * np.sin(t / 25.0)
    totals[obs.WORK_FRICTION] = -8.0e3 * max(0.0, sunk - 0.6)
    totals[obs.WORK_DAMPING] = -2.0e3 * sunk
    stored = totals[:3].sum() - (-1.2e5 + 1.5e3)
    residual = 300.0 * sunk * np.sin(t / 80.0)
    totals[obs.WORK_DRAG] = stored - residual - totals[[obs.WORK_DRIVES, obs.WORK_FRICTION, obs.WORK_DAMPING]].sum()
    totals[obs.TENSION_MAX] = max(shape.node_table(row, i)[:, obs.NODE_TENSION].max() for i in range(2))
    return row
