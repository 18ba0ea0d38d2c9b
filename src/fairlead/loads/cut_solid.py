"""What of a box or a cylinder is under water, however it is turned: volume, centre, waterplane.

With k the vertical in the body's axes and d the height of the water above the middle of the solid, all follow from

    F(d, k) = ∫ (d − k·x)₊ dx   over the solid:
    V = ∂F/∂d,   ∫ x dV = −∂F/∂k,   A = ∂V/∂d (waterplane),   ∫ x dA = −∂V/∂k,

so that buoyancy and righting moment are the gradient of the potential ρgF, exactly. Over a box each side may be
integrated in closed form, ∫ G_n(d − kx) dx = [G_{n+1}(d + ka) − G_{n+1}(d − ka)]/k with G_n(u) = u₊ⁿ/n!, which leaves a
sum over its corners. A cylinder is eight slabs along the direction it leans to, with the area and the second moments of
its circle: exact while neither deck nor bottom meet the water.
"""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.compiled import kernel

LEVEL = 5e-3
"""A side that rises by less than this share of the whole height is integrated by three Gauss points instead: the
difference over k would cancel."""
GAUSS = (-math.sqrt(0.6), 0.0, math.sqrt(0.6))
WEIGHTS = (5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0)
SLABS = 8


def _slabs() -> tuple[tuple[float, ...], tuple[float, ...], float]:
    """Shares of the area of a circle, places over its radius, and the half width of slabs across it."""
    edges = np.linspace(-1.0, 1.0, SLABS + 1)
    area = edges * np.sqrt(1.0 - edges**2) + np.arcsin(edges)
    shares, places, half = np.diff(area) / math.pi, 0.5 * (edges[1:] + edges[:-1]), 1.0 / SLABS
    grow = math.sqrt(0.25 / float(np.sum(shares * (places**2 + half**2 / 3.0))))
    return tuple(map(float, shares)), tuple(map(float, grow * places)), grow * half


SHARES, PLACES, HALF_WIDTH = _slabs()


@kernel
def _node(index, across, k, a):
    """Place along a side of half length a, and its weight in the integral over that side."""
    if not across:
        return GAUSS[index] * a, WEIGHTS[index] * a
    return (-a, 1.0 / k) if index == 0 else (a, -1.0 / k)


@kernel
def cut_box(d, k, a):
    """Of a box with half sides a (3) under water that stands d above its middle; k (3): the vertical in its axes.

    Returns F [m⁴], V [m³], A [m²], ∫ x dV (3) [m⁴] and ∫ x dA (3) [m³] of the part under water and its waterplane.
    """
    rises = (abs(k[0]) * a[0], abs(k[1]) * a[1], abs(k[2]) * a[2])
    reach = rises[0] + rises[1] + rises[2]
    none = (0.0, 0.0, 0.0)
    if d <= -reach:
        return 0.0, 0.0, 0.0, none, none
    whole = 8.0 * a[0] * a[1] * a[2]
    if d >= reach:
        return whole * d, whole, 0.0, none, none
    x_across, y_across, z_across = rises[0] > LEVEL * reach, rises[1] > LEVEL * reach, rises[2] > LEVEL * reach
    order = 0
    for across in (x_across, y_across, z_across):
        if across:
            order += 1
    F, V, A = 0.0, 0.0, 0.0
    mx, my, mz, wx, wy, wz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(2 if x_across else 3):
        x, at_x = _node(i, x_across, k[0], a[0])
        for j in range(2 if y_across else 3):
            y, at_y = _node(j, y_across, k[1], a[1])
            for n in range(2 if z_across else 3):
                z, at_z = _node(n, z_across, k[2], a[2])
                u = d - k[0] * x - k[1] * y - k[2] * z
                if u > 0.0:
                    low = at_x * at_y * at_z
                    if order == 2:
                        low *= u
                    elif order == 3:
                        low *= 0.5 * u * u
                    middle = low * u / order
                    A += low
                    V += middle
                    F += middle * u / (order + 1)
                    mx += x * middle
                    my += y * middle
                    mz += z * middle
                    wx += x * low
                    wy += y * low
                    wz += z * low
    if x_across:
        mx, wx = mx + F / k[0], wx + V / k[0]
    if y_across:
        my, wy = my + F / k[1], wy + V / k[1]
    if z_across:
        mz, wz = mz + F / k[2], wz + V / k[2]
    return F, V, A, (mx, my, mz), (wx, wy, wz)


@kernel
def cut_cylinder(d, k, radius, half):
    """The same of a cylinder about z, `half` its height each way."""
    lean = math.sqrt(k[0] * k[0] + k[1] * k[1])
    toward = (k[0] / lean, k[1] / lean) if lean > 1e-12 else (1.0, 0.0)
    F, V, A = 0.0, 0.0, 0.0
    m, mz, w, wz = 0.0, 0.0, 0.0, 0.0
    sides = (HALF_WIDTH * radius, 1.0, half)
    area = math.pi * radius * radius / (4.0 * sides[0])
    for i in range(SLABS):
        x, share = PLACES[i] * radius, SHARES[i] * area
        f, v, a, first, edge = cut_box(d - lean * x, (lean, 0.0, k[2]), sides)
        F += share * f
        V += share * v
        A += share * a
        m += share * (first[0] + x * v)
        mz += share * first[2]
        w += share * (edge[0] + x * a)
        wz += share * edge[2]
    return F, V, A, (toward[0] * m, toward[1] * m, mz), (toward[0] * w, toward[1] * w, wz)
