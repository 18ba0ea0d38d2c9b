"""Current, wind and a rotor's thrust on floaters by coefficients.

F = ½ρU² [C_X A, C_Y A′, C_N A′L] of the direction the stream runs to, U against the slow motion of the floater;
T = T₀ − D u or T(U·n − u) at a point that moves with u along the rotor's axis n.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import cross, dot, matvec
from fairlead.loads.wind import wind_at
from fairlead.sea.water import stream


@kernel
def between(x, first, rows, sys):
    """Row of streams at x: its three numbers along straight lines, held beyond the ends, and the first one's slope."""
    i = first
    last = first + rows - 1
    if x <= sys.stream[first].at or rows == 1:
        row = sys.stream[first]
        return row.x, row.y, row.n, 0.0
    if x >= sys.stream[last].at:
        row = sys.stream[last]
        return row.x, row.y, row.n, 0.0
    while x > sys.stream[i + 1].at:
        i += 1
    a, b = sys.stream[i], sys.stream[i + 1]
    width = b.at - a.at
    f = (x - a.at) / width
    return a.x + f * (b.x - a.x), a.y + f * (b.y - a.y), a.n + f * (b.n - a.n), (b.x - a.x) / width


@kernel
def stream_force(k, flow, area, first, rows, sys):
    """Force along x and y and moment about z of a stream (global) on floater k, in the axes of its coefficients.

    area  ½ρ times front, side, and side times length
    """
    now, hull, slow = sys.hull_now[k], sys.hull[k], sys.slow[k]
    u, v = flow[0], flow[1]
    if not math.isinf(hull.rate):
        u -= hull.rate * (slow.ahead[0] - slow.place[0])
        v -= hull.rate * (slow.ahead[1] - slow.place[1])
    ahead, aside = now.cosine * u + now.sine * v, now.cosine * v - now.sine * u
    square, heading, side = u * u + v * v, math.atan2(aside, ahead), 1.0
    if heading < 0.0 and sys.stream[first].at >= 0.0:  # given for one side: mirrored
        heading, side = -heading, -1.0
    x, y, n, _ = between(heading, first, rows, sys)
    return square * area[0] * x, side * square * area[1] * y, side * square * area[2] * n


@kernel
def blow(t, k, hub, sys):
    """Forces of current and wind on floater k."""
    of, hull, row, f = sys.floater[k], sys.hull[k], sys.freedom, 6 * k
    if of.current_rows > 0:
        flow, _ = stream(t, hub.position[0], hub.position[1], hull.draught, sys.reals)
        row[f].current, row[f + 1].current, row[f + 5].current = stream_force(
            k, flow, hull.water_area, of.current_first, of.current_rows, sys
        )
    if of.wind_rows > 0:
        flow = wind_at(t, sys.reals)
        row[f].wind, row[f + 1].wind, row[f + 5].wind = stream_force(
            k, flow, hull.wind_area, of.wind_first, of.wind_rows, sys
        )


@kernel
def thrust_row(k, sys):
    """Along what of V the rotor of floater k goes: u = n·V_translation + m·V_rotation."""
    hull, G = sys.hull[k], sys.hull_now[k].turn
    n = matvec(G, hull.thrust_ahead)
    return n, cross(matvec(G, hull.thrust_at), n)


@kernel
def push_thrust(t, k, sys):
    """Thrust on floater k; what it loses with speed goes into its matrix."""
    hull, now, of, f = sys.hull[k], sys.hull_now[k], sys.floater[k], 6 * k
    if hull.thrust == 0.0 and hull.thrust_slope == 0.0 and of.thrust_rows == 0:
        return
    n, m = thrust_row(k, sys)
    u = 0.0
    for i in range(3):
        u += n[i] * sys.freedom[f + i].speed + m[i] * sys.freedom[f + 3 + i].speed
    force, slope = hull.thrust - hull.thrust_slope * u, hull.thrust_slope
    if of.thrust_rows > 0:
        wind = wind_at(t, sys.reals)
        c, s = now.cosine, now.sine
        blown = dot(n, (c * wind[0] + s * wind[1], c * wind[1] - s * wind[0], wind[2]))
        force, _, _, slope = between(blown - u, of.thrust_first, of.thrust_rows, sys)
        slope = max(0.0, slope)
    now.slope = slope
    for i in range(6):
        one = n[i] if i < 3 else m[i - 3]
        sys.freedom[f + i].thrust = force * one
        for j in range(6):
            other = n[j] if j < 3 else m[j - 3]
            sys.water_matrix[36 * k + 6 * i + j].number += 0.5 * sys.scheme.step * slope * one * other
