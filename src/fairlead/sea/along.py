"""Water along an element: the surface above its middle p, and the flow at two places p ± d at equal distances from it.

A wave has e^(kz + iθ) at a place at the level z. At p ± d it is found from the sine and cosine that the surface above p
took already, and from one power of e at the level between the two,

    e^(kz± + iθ±) = e^(kz + iθ) e^±(kc + iδ),   z± = z ± c,   δ = k·d.

The last factor, of waves that are long beside the element, takes no reduction and short polynomials. Summed are half
the sum and half the difference of what it makes of a wave at the two places.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import (
    ROOM,
    WIDTH,
    alike,
    all_lanes,
    any_lane,
    common,
    keep,
    kept,
    lanes,
    room,
    step_of_lanes,
    total_of,
    where,
)  # fmt: skip
from fairlead.algebra.small import add, subtract
from fairlead.algebra.trigonometry import (
    SMALL,
    powers_of_e,
    rough_power_of_e,
    rough_sines_cosines,
    small_cosh_sinh,
    small_sines_cosines,
)  # fmt: skip

from .water import WAVE_COUNT, WAVE_DEPTH, WAVE_FIRST, WAVE_RAMP, stream, stretched, surface, waters_at, with_waves
from .waves import (
    COSINE,
    ECHO,
    KX,
    KY,
    NUMBER,
    OMEGA,
    PHASE,
    SINE,
    SPEED,
    growth,
    is_felt,
    no_sums,
    totals,
    with_eight,
)  # fmt: skip

SILENT = 23.0
"""The bed gives no echo of a wave where 2k times the height above it is more than this: e^-23 of the wave is left."""
_FAINTEST = -700.0
"""Exponents of e are no lower."""
_ZERO4 = (0.0, 0.0, 0.0, 0.0)


@kernel
def kept_surface(t, x, y, first, count, within, sea):
    """`wave_surface`, which keeps the sine and cosine of each wave for which there is room."""
    height, rate, slope_x, slope_y = alike(0.0), alike(0.0), alike(0.0), alike(0.0)
    now, k = t + 0.0 * x, 0  # in each lane: ωt of one number would be spread over all, wave by wave
    for at in range(first, first + count, step_of_lanes(sea)):
        amplitude, omega = lanes(sea, at), lanes(sea, at + OMEGA * count)
        kx, ky = lanes(sea, at + KX * count), lanes(sea, at + KY * count)
        s, c = rough_sines_cosines(((lanes(sea, at + PHASE * count) - omega * now) + kx * x) + ky * y)
        keep(within, k, s)
        keep(within, k + 1, c)
        k = min(k + 2, ROOM - 2)  # where those of all others go
        height += amplitude * c
        s *= amplitude
        rate += omega * s
        slope_x -= kx * s
        slope_y -= ky * s
    return total_of(height, sea), total_of(rate, sea), total_of(slope_x, sea), total_of(slope_y, sea)


@inlined
def with_wave(sums, ahead_x, ahead_y, omega, along_c, along_s, up_c, up_s):
    """Sums of velocity and acceleration with one more wave: its orbital speeds along and up by cosine and sine."""
    u, v, w, du, dv, dw = sums
    along_s = omega * along_s
    return (
        u + ahead_x * along_c, v + ahead_y * along_c, w + up_s,
        du + ahead_x * along_s, dv + ahead_y * along_s, dw - omega * up_c,
    )  # fmt: skip


@inlined
def parts_at_both(d, reach, at, count, sea):
    """Of a wave Cγ, Sγ, Cσ and Sσ, with C, S = cosh kc, sinh kc (c the `reach` of levels) and γ, σ = cos δ, sin δ."""
    wide, steep = small_cosh_sinh(lanes(sea, at + NUMBER * count) * reach)
    s, c = small_sines_cosines(lanes(sea, at + KX * count) * d[0] + lanes(sea, at + KY * count) * d[1])
    return wide * c, steep * c, wide * s, steep * s


@inlined
def with_silent_waves(mean, half, d, middle, reach, near, at, count, within, k, sea):
    """Sums with eight waves that the bed gives no echo of, in the lanes that are `near`."""
    for i in range(at, at + WIDTH, step_of_lanes(sea)):
        s, c = kept(within, k), kept(within, k + 1)
        k += 2
        speed, omega = where(near, lanes(sea, i + SPEED * count), alike(0.0)), lanes(sea, i + OMEGA * count)
        ahead_x, ahead_y = lanes(sea, i + COSINE * count), lanes(sea, i + SINE * count)
        e = speed * rough_power_of_e(lanes(sea, i + NUMBER * count) * middle)
        s, c = e * s, e * c
        wide_c, steep_c, wide_s, steep_s = parts_at_both(d, reach, i, count, sea)
        mean_c, mean_s = wide_c * c - steep_s * s, wide_c * s + steep_s * c
        half_c, half_s = steep_c * c - wide_s * s, steep_c * s + wide_s * c
        mean = with_wave(mean, ahead_x, ahead_y, omega, mean_c, mean_s, mean_c, mean_s)
        half = with_wave(half, ahead_x, ahead_y, omega, half_c, half_s, half_c, half_s)
    return mean, half


@inlined
def with_echoing_waves(mean, half, d, middle, reach, near, at, count, within, k, sea):
    """Sums with eight waves and their echo from the bed, in the lanes that are `near`."""
    for i in range(at, at + WIDTH, step_of_lanes(sea)):
        s, c = kept(within, k), kept(within, k + 1)
        k += 2
        speed, omega = where(near, lanes(sea, i + SPEED * count), alike(0.0)), lanes(sea, i + OMEGA * count)
        ahead_x, ahead_y = lanes(sea, i + COSINE * count), lanes(sea, i + SINE * count)
        e, back = powers_of_e(lanes(sea, i + NUMBER * count) * middle)
        echo = lanes(sea, i + ECHO * count) * back
        along, up = speed * (e + echo), speed * (e - echo)
        along_c, along_s, up_c, up_s = along * c, along * s, up * c, up * s
        wide_c, steep_c, wide_s, steep_s = parts_at_both(d, reach, i, count, sea)
        mean = with_wave(
            mean, ahead_x, ahead_y, omega, wide_c * along_c - steep_s * up_s, wide_c * along_s + steep_s * up_c,
            wide_c * up_c - steep_s * along_s, wide_c * up_s + steep_s * along_c,
        )  # fmt: skip
        half = with_wave(
            half, ahead_x, ahead_y, omega, steep_c * up_c - wide_s * along_s, steep_c * up_s + wide_s * along_c,
            steep_c * along_c - wide_s * up_s, steep_c * along_s + wide_s * up_c,
        )  # fmt: skip
    return mean, half


@inlined
def is_long(lower, apart, at, count, sea):
    """Whether eight waves from `at` on are felt at the `lower` of two places and are long beside what lies `apart`."""
    shortest = sea[at + NUMBER * count + WIDTH - 1]
    return is_felt(lower, at, count, sea) & (shortest * apart <= SMALL) & (shortest * lower >= _FAINTEST)


@kernel
def kept_flows(t, p, d, level1, level2, first, count, within, sea):
    """`wave_flow` at the levels below p − d and p + d, from the sines and cosines that are kept of p.

    How a wave is taken is decided in each lane for itself, so that no digit hangs on what is beside it.
    """
    mean, half = no_sums(), no_sums()
    middle, reach, lower = 0.5 * (level1 + level2), 0.5 * (level2 - level1), min(level1, level2)
    apart, above = max(abs(d[0]) + abs(d[1]), abs(reach)), lower + common(sea[WAVE_DEPTH])
    end, step = first + count, step_of_lanes(sea)
    until = min(end, first + ROOM // 2 * step - WIDTH)
    rest = until
    for at in range(first, until, WIDTH):
        long = is_long(lower, apart, at, count, sea)
        if not all_lanes(long):
            rest = min(rest, at)
            if not any_lane(long):
                break
        echoes, k = sea[at + NUMBER * count] * above < 0.5 * SILENT, 2 * (at - first) // step
        loud, silent = long & echoes, long & (not echoes)
        if any_lane(silent):
            mean, half = with_silent_waves(mean, half, d, middle, reach, silent, at, count, within, k, sea)
        if any_lane(loud):
            mean, half = with_echoing_waves(mean, half, d, middle, reach, loud, at, count, within, k, sea)
    flow, push = totals(mean, sea)
    more, harder = totals(half, sea)
    one, two = (subtract(flow, more), subtract(push, harder)), (add(flow, more), add(push, harder))
    if rest < end and any_lane(is_felt(max(level1, level2), rest, count, sea)):
        one = joined(one, flow_of_rest(t, subtract(p, d), level1, lower, apart, rest, until, end, count, sea))
        two = joined(two, flow_of_rest(t, add(p, d), level2, lower, apart, rest, until, end, count, sea))
    return one, two


@kernel
def flow_of_rest(t, p, z, lower, apart, rest, until, end, count, sea):
    """What waves from `rest` on that are not long, or of which nothing is kept, from `until` on, have of `wave_flow` at
    the level z below p."""
    sums = no_sums()
    for at in range(rest, end, WIDTH):
        near = is_felt(z, at, count, sea)
        if not any_lane(near):
            break
        if at < until:
            near = near & (not is_long(lower, apart, at, count, sea))
        sums = with_eight(sums, t, p[0], p[1], z, near, at, count, sea)
    return totals(sums, sea)


@inlined
def joined(one, other):
    """Velocities and accelerations of two parts of a sea together."""
    return add(one[0], other[0]), add(one[1], other[1])


@kernel
def water_along(t, p, d, reach, felt, sea):
    """Surface above p where waves are felt (see `surface`), else that at rest; velocity and local acceleration of the
    water at p − d and at p + d. Where p is more than `reach` above the surface nothing is said of waves."""
    count = int(common(sea[WAVE_COUNT]))
    near, far = subtract(p, d), add(p, d)
    one, two = stream(t, near[0], near[1], near[2], sea), stream(t, far[0], far[1], far[2], sea)
    if count == 0 or not any_lane(felt):
        return _ZERO4, one, two
    first, within = int(common(sea[WAVE_FIRST])), room()
    share, rate = growth(t, common(sea[WAVE_RAMP]))
    height, rise, slope_x, slope_y = kept_surface(t, p[0], p[1], first, count, within, sea)
    above = where(felt, (share * height, share * rise + rate * height, share * slope_x, share * slope_y), _ZERO4)
    level, tilt = above[0], d[0] * above[2] + d[1] * above[3]
    level1, level2 = stretched(near[2], level - tilt, sea), stretched(far[2], level + tilt, sea)
    still1, still2 = (level1 > 0.0) | (not felt), (level2 > 0.0) | (not felt)
    if all_lanes((p[2] - level > reach) | (still1 & still2)):
        return above, one, two
    moving1, moving2 = kept_flows(t, p, d, min(level1, 0.0), min(level2, 0.0), first, count, within, sea)
    one = with_waves(one[0], one[1], moving1, still1, share, rate)
    return above, one, with_waves(two[0], two[1], moving2, still2, share, rate)


@kernel
def water_by_places(t, p, d, reach, felt, sea):
    """`water_along` on a GPU, which has nowhere to keep sines: the sums of each of the three places."""
    near, far = subtract(p, d), add(p, d)
    above = where(felt, surface(t, p[0], p[1], sea), _ZERO4)
    level, tilt = above[0], d[0] * above[2] + d[1] * above[3]
    if all_lanes((p[2] - level > reach) | (not felt)):
        one = stream(t, near[0], near[1], near[2], sea)
        return above, one, stream(t, far[0], far[1], far[2], sea)
    one, two = waters_at(t, near, level - tilt, far, level + tilt, felt, sea)
    return above, one, two
