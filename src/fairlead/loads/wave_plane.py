"""The sea over the length and width of a body with a shape: the plane that fits its surface, and the mean of its flow.

Waves are read at nine places over the two longer sides of the body, at the points and with the weights w of a Gauss
rule (a circle has its own), and at two on the third side. With x from the middle of the shape in the body's axes,

    η(x) ≈ η̄ + γ·x,   η̄ = Σ w η,   γ_i = Σ w x_i η / Σ w x_i²,

which keeps ∫ η dA and ∫ x η dA, and so the wave forces on a body with upright sides, for waves as short as the body is
long. The rates of η̄ and γ are those of places that move with the body.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, matvec, transposed_matvec
from fairlead.sea.water import flow_below, surface

GAUSS_PLACE, GAUSS_WEIGHT = math.sqrt(0.6), 5.0 / 18.0
"""Outer place of the rule over half a side, and its weight in the mean."""
ROUND_PLACE, ROUND_WEIGHT = math.sqrt(0.5), 0.25
"""The same over the radius of a circle: exact for x² and x⁴."""


@kernel
def places_on(length, width, height, is_round):
    """Distances (3) from the middle and weights (3) of the outer places, and the axis of the shortest side."""
    third = 2
    if length < height or width < height:
        third = 0 if length < width else 1
    if is_round:
        r = 0.5 * ROUND_PLACE * length
        return (r, r, 0.5 * GAUSS_PLACE * height), (ROUND_WEIGHT, ROUND_WEIGHT, GAUSS_WEIGHT), third
    g = 0.5 * GAUSS_PLACE
    return (g * length, g * width, g * height), (GAUSS_WEIGHT, GAUSS_WEIGHT, GAUSS_WEIGHT), third


@kernel
def on_two_sides(third, first, second):
    """A place on the two sides that are not the third."""
    if third == 2:
        return (first, second, 0.0)
    if third == 1:
        return (first, 0.0, second)
    return (0.0, first, second)


@kernel
def sides_beside(third, values):
    """The two of three values that are not of the third side."""
    if third == 2:
        return values[0], values[1]
    if third == 1:
        return values[0], values[2]
    return values[1], values[2]


@kernel
def third_of(third, values):
    """The one of three values that is of the third side."""
    if third == 2:
        return values[2]
    if third == 1:
        return values[1]
    return values[0]


@kernel
def in_order(third, first, second, last):
    """Three values of the two sides and the third one, in the order of the axes."""
    if third == 2:
        return (first, second, last)
    if third == 1:
        return (first, last, second)
    return (last, first, second)


@kernel
def seen_above(t, place, R, v, w, x, sea):
    """Surface above the place x (3) of a body and its rate there; the body's middle is at `place` and moves with v."""
    at, going = add(place, matvec(R, x)), add(v, matvec(R, cross(w, x)))
    height, rise, slope_x, slope_y = surface(t, at[0], at[1], sea)
    return height, rise + going[0] * slope_x + going[1] * slope_y


@kernel
def wave_plane(t, place, R, v, w, length, width, height, is_round, sea):
    """η̄ [m], its rate [m/s], γ (3) and its rate (3) [1/s] over a body whose middle moves with v (global)."""
    reach, weights, third = places_on(length, width, height, is_round)
    c1, c2 = sides_beside(third, reach)
    w1, w2 = sides_beside(third, weights)
    mean, rate, by1, by2, rate1, rate2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(-1, 2):
        one = w1 if i != 0 else 1.0 - 2.0 * w1
        for j in range(-1, 2):
            share = one * (w2 if j != 0 else 1.0 - 2.0 * w2)
            high, rise = seen_above(t, place, R, v, w, on_two_sides(third, i * c1, j * c2), sea)
            mean += share * high
            rate += share * rise
            by1 += share * i * high
            by2 += share * j * high
            rate1 += share * i * rise
            rate2 += share * j * rise
    c3 = third_of(third, reach)
    high, rise = seen_above(t, place, R, v, w, in_order(third, 0.0, 0.0, c3), sea)
    low, fall = seen_above(t, place, R, v, w, in_order(third, 0.0, 0.0, -c3), sea)
    one, two, last = 2.0 * w1 * c1, 2.0 * w2 * c2, 2.0 * c3
    slope = in_order(third, by1 / one, by2 / two, (high - low) / last)
    return mean, rate, slope, in_order(third, rate1 / one, rate2 / two, (rise - fall) / last)


@kernel
def mean_flow(t, place, from_middle, R, wet, level, slope, length, width, height, is_round, sea):
    """Velocity (3) and acceleration (3) of the water, means over the wet part of a body, and the couple (3) of the
    acceleration, Σ w x × a in the body's axes [m²/s²].

    place, from_middle : middle of the wet part, global and from the middle of the shape
    wet                : share of the volume; sides are as much shorter as they stand upright
    level, slope       : η̄ and γ of `wave_plane`
    """
    reach, weights, third = places_on(length, width, height, is_round)
    c1, c2 = sides_beside(third, reach)
    w1, w2 = sides_beside(third, weights)
    u1, u2 = sides_beside(third, (R[6], R[7], R[8]))
    c1, c2 = c1 * (1.0 - (1.0 - wet) * u1 * u1), c2 * (1.0 - (1.0 - wet) * u2 * u2)
    flow, push, couple = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(-1, 2):
        one = w1 if i != 0 else 1.0 - 2.0 * w1
        for j in range(-1, 2):
            share = one * (w2 if j != 0 else 1.0 - 2.0 * w2)
            x = on_two_sides(third, i * c1, j * c2)
            at, y = add(place, matvec(R, x)), add(from_middle, x)
            above = level + slope[0] * y[0] + slope[1] * y[1] + slope[2] * y[2]
            moving, pushing = flow_below(t, at[0], at[1], at[2], above, sea)
            flow, push = add_scaled(flow, share, moving), add_scaled(push, share, pushing)
            couple = add_scaled(couple, share, cross(x, transposed_matvec(R, pushing)))
    return flow, push, couple
