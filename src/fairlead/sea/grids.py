"""What the sea has on grids: the seabed as it was surveyed, and a current over time and from place to place.

Their axes and numbers stand in the flat array of the sea; where a place is in them differs between the members of a
pack, so that it is looked up lane by lane.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import like, pick, placed
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.relief import Relief
from fairlead.model.current_field import CurrentField

NODE = 4
"""Numbers of a node of the seabed: height, ∂x, ∂y, ∂xy (`algebra.relief`)."""


def survey_rows(relief: Relief | None) -> list[float]:
    """Axes and nodes of the seabed, as `surveyed` reads them."""
    return [] if relief is None else [*relief.x.tolist(), *relief.y.tolist(), *relief.nodes.ravel().tolist()]


def field_rows(field: CurrentField | None) -> list[float]:
    """Axes and velocities of a current on a grid, as `carried` reads them."""
    if field is None:
        return []
    return [*field.t, *field.x, *field.y, *field.z, *(part for row in field.velocity or () for part in row)]


@kernel
def cell(x, sea, first, count):
    """Where x lies on an axis of `count` numbers that begins at `first`.

    Returns the number of the cell, how far into it x is (0 to 1), its width, and 1/width between the ends of the axis
    and 0 beyond, where what is read is held.
    """
    if count == 1:
        return 0, 0.0, 1.0, 0.0
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x >= sea[first + middle]:
            low = middle
        else:
            high = middle
    start, width = sea[first + low], sea[first + high] - sea[first + low]
    if x <= sea[first]:
        return low, 0.0, width, 0.0
    if x >= sea[first + count - 1]:
        return low, 1.0, width, 0.0
    return low, (x - start) / width, width, 1.0 / width


@kernel
def cubics(far, u):
    """What height and slope of one end of a cell (`far`: the other) count for at u, and the rates of both with u."""
    if far == 1:
        return u * u * (3.0 - 2.0 * u), u * u * (u - 1.0), 6.0 * u * (1.0 - u), u * (3.0 * u - 2.0)
    rest = 1.0 - u
    return rest * rest * (1.0 + 2.0 * u), u * rest * rest, -6.0 * u * rest, rest * (1.0 - 3.0 * u)


@kernel
def surveyed_by_one(x, y, first, columns, rows, sea):
    """Height of the surveyed bed [m] and its upward unit normal; see `algebra.relief` for the surface."""
    i, u, a, per_a = cell(x, sea, first, columns)
    j, v, b, per_b = cell(y, sea, first + columns, rows)
    nodes = first + columns + rows
    height, by_x, by_y = 0.0, 0.0, 0.0
    for k in range(2):
        p, s, dp, ds = cubics(k, u)
        for m in range(2):
            q, t, dq, dt = cubics(m, v)
            at = nodes + NODE * ((i + k) * rows + j + m)
            z, zx, zy, zxy = sea[at], a * sea[at + 1], b * sea[at + 2], a * b * sea[at + 3]
            height += p * (q * z + t * zy) + s * (q * zx + t * zxy)
            by_x += dp * (q * z + t * zy) + ds * (q * zx + t * zxy)
            by_y += p * (dq * z + dt * zy) + s * (dq * zx + dt * zxy)
    by_x, by_y = by_x * per_a, by_y * per_b
    up = 1.0 / math.sqrt(1.0 + by_x * by_x + by_y * by_y)
    return height, -by_x * up, -by_y * up, up


@kernel
def surveyed(x, y, first, columns, rows, sea):
    """Height of the surveyed bed [m] and its upward unit normal (3), in every lane."""
    found = like(x, 0.0), like(x, 0.0), like(x, 0.0), like(x, 1.0)
    for k in range(lane_count(sea)):
        here = surveyed_by_one(pick(x, k), pick(y, k), first, columns, rows, lane_of(sea, k))
        found = placed(found, k, here)
    return found[0], (found[1], found[2], found[3])


@kernel
def carried_by_one(t, x, y, z, first, times, columns, rows, levels, sea):
    """Velocity (3) and local acceleration (3) of a current on a grid: linear along every axis, held beyond its ends."""
    h, w, _, per_s = cell(t, sea, first, times)
    i, u, _, _ = cell(x, sea, first + times, columns)
    j, v, _, _ = cell(y, sea, first + times + columns, rows)
    k, f, _, _ = cell(z, sea, first + times + columns + rows, levels)
    start = first + times + columns + rows + levels
    vx, vy, vz, ax, ay, az = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for corner in range(16):
        later, north, west, up = corner // 8, corner // 4 % 2, corner // 2 % 2, corner % 2
        share = (u if north == 1 else 1.0 - u) * (v if west == 1 else 1.0 - v) * (f if up == 1 else 1.0 - f)
        if share == 0.0:
            continue
        at = (min(h + later, times - 1) * columns + min(i + north, columns - 1)) * rows + min(j + west, rows - 1)
        at = start + 3 * (at * levels + min(k + up, levels - 1))
        now, rate = share * (w if later == 1 else 1.0 - w), share * (per_s if later == 1 else -per_s)
        vx, vy, vz = vx + now * sea[at], vy + now * sea[at + 1], vz + now * sea[at + 2]
        ax, ay, az = ax + rate * sea[at], ay + rate * sea[at + 1], az + rate * sea[at + 2]
    return vx, vy, vz, ax, ay, az


@kernel
def carried(t, x, y, z, first, times, columns, rows, levels, sea):
    """The same in every lane."""
    none = like(x, 0.0)
    found = none, none, none, none, none, none
    for k in range(lane_count(sea)):
        one = pick(x, k), pick(y, k), pick(z, k)
        here = carried_by_one(t, one[0], one[1], one[2], first, times, columns, rows, levels, lane_of(sea, k))
        found = placed(found, k, here)
    return (found[0], found[1], found[2]), (found[3], found[4], found[5])
