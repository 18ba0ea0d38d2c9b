"""What a source or a dipole of unit strength spread over one panel does at the centre of another.

    S_ij = ∫_j 1/r dS,    D_ij = ∫_j ∂(1/r)/∂n dS = −(solid angle of panel j seen from centre i),

so that (2π + D) φ = S φ_n for a potential φ inside the boundary, n out of the fluid. Near a panel both are exact: a
panel is two flat triangles (four where it is warped), S is a sum over their edges and D the solid angle (Van Oosterom
and Strackee), without special cases in corners or in the plane of the panel. Farther off 2 × 2 Gauss points do, then
one point.

A flat bottom and a plane of symmetry y = 0 are walls: their images are taken by mirroring the point instead of the
panel.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.compiled import entry, kernel
from fairlead.algebra.small import cross, dot, scale, subtract

from .panels import Floats, Panels
from .vectors import crosses

CORNERS, CENTRE, NORMAL, AREA, NEAR, FAR, WARPED, GAUSS, COLUMNS = 0, 12, 15, 18, 19, 20, 21, 22, 38
"""Columns of the table of panels: corners, centre, normal, area, limits of near and far (squares of distances),
whether it is warped, and four Gauss points with their shares of the area."""

NEAR_LIMIT, FAR_LIMIT = 2.0, 6.0
"""In diameters of the panel: exact below the first, one point above the second (which is 6e-4 off at most)."""

FLAT = 1e-3
"""Warp below which a panel is flat."""

_GAUSS = 0.5 / math.sqrt(3.0)


def panel_table(panels: Panels) -> Floats:
    """All that the kernel reads of the panels, one row each (`COLUMNS`)."""
    table = np.empty((len(panels), COLUMNS))
    corners = panels.corners
    table[:, CORNERS:CENTRE] = corners.reshape(-1, 12)
    table[:, CENTRE:NORMAL] = panels.centres
    table[:, NORMAL:AREA] = panels.normals
    table[:, AREA] = panels.areas
    table[:, NEAR] = (NEAR_LIMIT * panels.diameters) ** 2
    table[:, FAR] = (FAR_LIMIT * panels.diameters) ** 2
    table[:, WARPED] = panels.warps > FLAT
    a, b, c, d = (corners[:, k] for k in range(4))
    at = GAUSS
    total = np.zeros(len(panels))
    for u in (0.5 - _GAUSS, 0.5 + _GAUSS):
        for v in (0.5 - _GAUSS, 0.5 + _GAUSS):
            place = (1 - u) * (1 - v) * a + u * (1 - v) * b + u * v * c + (1 - u) * v * d
            along = (1 - v) * (b - a) + v * (c - d)
            across = (1 - u) * (d - a) + u * (c - b)
            share = np.einsum("ij,ij->i", crosses(along, across), panels.normals)
            table[:, at : at + 3] = place
            table[:, at + 3] = share
            total += share
            at += 4
    for k in range(4):
        table[:, GAUSS + 4 * k + 3] *= panels.areas / total
    return table


@kernel
def corner(table, j, k):
    """Corner k of panel j."""
    return (table[j, 3 * k], table[j, 3 * k + 1], table[j, 3 * k + 2])


@kernel
def edge_term(p, q, p_size, q_size, n):
    """An edge's share of ∫ 1/r dS; p, q: its ends seen from the point, n: unit normal of the triangle."""
    e = subtract(q, p)
    size = math.sqrt(dot(e, e))
    around = p_size + q_size
    if size <= 1e-12 * around or around - size <= 1e-13 * around:
        return 0.0  # an edge without length, or a point on the edge: its distance from the line is zero
    return dot(p, cross(e, n)) / size * math.log((around + size) / (around - size))


@kernel
def triangle(p, q, r):
    """(∫ 1/r dS, solid angle) of a flat triangle whose corners are seen at p, q, r from the point.

    The solid angle is positive when the normal (p → q → r anticlockwise) points away from the point.
    """
    u, v = subtract(q, p), subtract(r, p)
    n = cross(u, v)
    twice = math.sqrt(dot(n, n))
    if twice <= 1e-12 * math.sqrt(dot(u, u) * dot(v, v)):  # fused products leave a rest where a corner is repeated
        return 0.0, 0.0
    n = scale(1.0 / twice, n)
    ps, qs, rs = math.sqrt(dot(p, p)), math.sqrt(dot(q, q)), math.sqrt(dot(r, r))
    height = dot(p, n)
    below = ps * qs * rs + dot(p, q) * rs + dot(q, r) * ps + dot(r, p) * qs
    angle = 2.0 * math.atan2(height * twice, below)
    source = edge_term(p, q, ps, qs, n) + edge_term(q, r, qs, rs, n) + edge_term(r, p, rs, ps, n)
    return source - height * angle, angle


@kernel
def exact(table, j, x):
    """(∫ 1/r dS, ∫ ∂(1/r)/∂n dS) of panel j at the point x: of two flat triangles, or of four about its centre.

    Four keep a warped panel's edges and let it pass through its own centre.
    """
    a, b = subtract(corner(table, j, 0), x), subtract(corner(table, j, 1), x)
    c, d = subtract(corner(table, j, 2), x), subtract(corner(table, j, 3), x)
    if table[j, WARPED] == 0.0:
        source, angle = triangle(a, b, c)
        more, wider = triangle(a, c, d)
        return source + more, -(angle + wider)
    m = subtract((table[j, CENTRE], table[j, CENTRE + 1], table[j, CENTRE + 2]), x)
    source, angle = triangle(a, b, m)
    more, wider = triangle(b, c, m)
    source, angle = source + more, angle + wider
    more, wider = triangle(c, d, m)
    source, angle = source + more, angle + wider
    more, wider = triangle(d, a, m)
    return source + more, -(angle + wider)


@kernel
def own_dipole(table, j):
    """∫ ∂(1/r)/∂n dS of panel j at its own centre, principal value: what its solid angle lacks to 2π.

    Nothing for a flat panel; of a warped one the directions of its corners tell.
    """
    if table[j, WARPED] == 0.0:
        return 0.0
    m = (table[j, CENTRE], table[j, CENTRE + 1], table[j, CENTRE + 2])
    a, b = subtract(corner(table, j, 0), m), subtract(corner(table, j, 1), m)
    c, d = subtract(corner(table, j, 2), m), subtract(corner(table, j, 3), m)
    angle = triangle(a, b, c)[1] + triangle(a, c, d)[1]
    return math.copysign(2.0 * math.pi, angle) - angle


@kernel
def gauss(table, j, x):
    """The same by 2 × 2 Gauss points."""
    source, dipole = 0.0, 0.0
    n = (table[j, NORMAL], table[j, NORMAL + 1], table[j, NORMAL + 2])
    for k in range(4):
        at = GAUSS + 4 * k
        away = subtract(x, (table[j, at], table[j, at + 1], table[j, at + 2]))
        square = dot(away, away)
        share = table[j, at + 3] / math.sqrt(square)
        source += share
        dipole += share * dot(away, n) / square
    return source, dipole


@kernel
def from_afar(table, j, points, y_sign, z_sign, z_shift, squares, S, D):
    """Add panel j as one point at all points beyond its far limit; leaves squared distances in `squares`."""
    cx, cy, cz = table[j, CENTRE], table[j, CENTRE + 1], table[j, CENTRE + 2]
    nx, ny, nz = table[j, NORMAL], table[j, NORMAL + 1], table[j, NORMAL + 2]
    area, far = table[j, AREA], table[j, FAR]
    for i in range(points.shape[1]):
        dx, dy, dz = points[0, i] - cx, y_sign * points[1, i] - cy, z_sign * points[2, i] + z_shift - cz
        square = dx * dx + dy * dy + dz * dz
        squares[i] = square
        source = area / math.sqrt(square) if square > far else 0.0
        safe = square if square > far else 1.0
        S[j, i] += source
        D[j, i] += source * (dx * nx + dy * ny + dz * nz) / safe


@kernel
def from_nearby(table, j, points, y_sign, z_sign, z_shift, squares, own, S, D):
    """Add panel j at all points within its far limit. `own`: number of the point in its middle, −1 for none."""
    near, far = table[j, NEAR], table[j, FAR]
    for i in range(points.shape[1]):
        if squares[i] <= far:
            x = (points[0, i], y_sign * points[1, i], z_sign * points[2, i] + z_shift)
            if squares[i] > near:
                source, dipole = gauss(table, j, x)
            else:
                source, dipole = exact(table, j, x)
            S[j, i] += source
            D[j, i] += own_dipole(table, j) if i == own else dipole


@entry
def fill(table, points, depth, symmetric, on_panels, squares, S, D):
    """S and D, transposed: row j holds what panel j does at every point. points: (3, m); depth: −1 for deep water."""
    for j in range(table.shape[0]):
        for i in range(points.shape[1]):
            S[j, i] = 0.0
            D[j, i] = 0.0
        for mirror in range(2 if symmetric else 1):
            for bed in range(2 if depth > 0.0 else 1):
                y_sign = 1.0 - 2.0 * mirror
                z_sign, z_shift = 1.0 - 2.0 * bed, -2.0 * depth * bed
                own = j if on_panels and mirror + bed == 0 else -1
                from_afar(table, j, points, y_sign, z_sign, z_shift, squares, S, D)
                from_nearby(table, j, points, y_sign, z_sign, z_shift, squares, own, S, D)


def influence(
    panels: Panels, depth: float | None = None, symmetric: bool = False, points: Floats | None = None
) -> tuple[Floats, Floats]:
    """S and D (points, panels), in Fortran's order, of all panels at their own centres or at `points` (m, 3).

    depth: m, of a flat bottom; None for deep water. symmetric: the panels are the half y ≥ 0 of all.
    On its diagonal D is a principal value: nothing for a flat panel.
    """
    at = panels.centres if points is None else np.asarray(points, dtype=np.float64).reshape(-1, 3)
    columns = np.ascontiguousarray(at.T)
    S, D = np.empty((len(panels), len(at))), np.empty((len(panels), len(at)))
    bed = -1.0 if depth is None or not np.isfinite(depth) else float(depth)
    fill(panel_table(panels), columns, bed, symmetric, points is None, np.empty(len(at)), S, D)
    return S.T, D.T
