"""Vortices behind a cable: they push it to and fro across the flow, and fall in step with its motion.

After Thorsen, Sævik and Larsen (2014) the wake behind an element of diameter D in a flow u across it has a phase φ:

    F = ½ ρ D l C_l |u| (t × u) cos φ,     φ̇ = 2π f̂ |u| / D,     f̂ = f₀ + Δf sin(φ_v − φ),

φ_v the phase of the element's own velocity across the flow, tan φ_v = −(ÿ/ÿ_rms)/(ẏ/ẏ_rms). A cable that swings with
f̂|u|/D, f̂ within f₀ ± Δf, is followed: the vortices lock in with sin(φ_v − φ) = (f̂ − f₀)/Δf. Others are not.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, dot, scale, subtract
from fairlead.sea.water import flow_below, stream

from .element import feels_waves, given_flow, wet_part

CALM = 1.0e-6
"""m/s of flow across a cable below which no vortices are shed."""
MEMORY = 3.0
"""Turns of a wake over which the mean squares of ẏ and ÿ are taken: it forgets them as exp(−turns/MEMORY)."""


@kernel
def shedding_rate(phase, speed, across, turning, swing, wake):
    """φ̇ [rad/s] of a wake at `phase` in a flow of this speed, behind an element that moves across it with ẏ `across`
    and ÿ `turning`, about as often as `swing` = ÿ_rms/ẏ_rms [rad/s]. A wake does not turn back."""
    step = 0.0
    if across != 0.0 or turning != 0.0:
        step = math.sin(math.atan2(-turning, swing * across) - phase)
    return 2.0 * math.pi * speed / wake.diameter * max(0.0, wake.centre + wake.width * step)


@kernel
def vortex_lift(t, e, node, p1, p2, v1, v2, axis, sys):
    """Lift (3) [N] on element e behind a node, and its power [W]; what turns its wake is kept.

    Its acceleration is the change of its velocity since the step before. It is pushed by the water that drags it: as
    far as it is wet, and out of the reach of waves by the current alone.
    """
    wake, shed, kept = sys.wake[e], sys.shed[e], sys.shedding[e]
    kept.rate, kept.across, kept.turning = 0.0, 0.0, 0.0
    if wake.lift == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    p, v = scale(0.5, add(p1, p2)), scale(0.5, add(v1, v2))
    sigma, _, above = wet_part(t, p1, p2, sys.element[e].diameter, sys)
    if feels_waves(p[2], sys):
        flow, _ = flow_below(t, p[0], p[1], p[2], p[2] - above, sys.reals)
    else:
        flow, _ = stream(t, p[0], p[1], p[2], sys.reals)
    if sys.givens > 0:
        more, _ = given_flow(t, node, 0.5, 0.5, sys)
        flow = add(flow, more)
    u = subtract(flow, v)
    u = add_scaled(u, -dot(u, axis), axis)
    speed = math.sqrt(dot(u, u))
    if sigma <= 0.0 or speed < CALM:
        return (0.0, 0.0, 0.0), 0.0
    aside = scale(1.0 / speed, cross(axis, u))
    across, turning = dot(v, aside), 0.0
    if shed.since > 0.0:
        turning = dot(subtract(v, shed.velocity), aside) / shed.since
    swing = 2.0 * math.pi * wake.centre * speed / wake.diameter
    if shed.across2 > 0.0 and shed.turning2 > 0.0:
        swing = math.sqrt(shed.turning2 / shed.across2)
    kept.rate = shedding_rate(shed.phase, speed, across, turning, swing, wake)
    kept.across, kept.turning = across, turning
    size = sigma * wake.lift * sys.element[e].length * speed * speed
    force = scale(size * math.cos(shed.phase + sys.scheme.drift * kept.rate), aside)
    return force, dot(force, v)


@kernel
def split_wake(e, sys):
    """Element e has become two, e − 1 the fresh one: the wake of both is that of the one before."""
    if sys.wakes > 0:
        whole, fresh = sys.shed[e], sys.shed[e - 1]
        fresh.phase, fresh.across2, fresh.turning2 = whole.phase, whole.across2, whole.turning2
        whole.since = fresh.since = 0.0  # neither has been where it is now


@kernel
def merge_wakes(first, last, sys):
    """The elements first … last move otherwise than before: how they accelerate is to be seen again."""
    if sys.wakes > 0:
        for e in range(first, last + 1):
            sys.shed[e].since = 0.0


@kernel
def turn_wakes(h, sys):
    """Let the vortices go on for a step that has not moved the cables yet; their phases stay within a turn."""
    if sys.wakes == 0:
        return
    for c in range(sys.cables):
        first = sys.cable[c].first
        for e in range(first, first + sys.cable[c].count):
            shed, kept = sys.shed[e], sys.shedding[e]
            phase = shed.phase + h * kept.rate
            shed.phase = phase - 2.0 * math.pi * math.floor(phase / (2.0 * math.pi))
            if shed.since > 0.0:
                new = 1.0 - math.exp(-h * kept.rate / (2.0 * math.pi * MEMORY))
                shed.across2 += new * (kept.across * kept.across - shed.across2)
                shed.turning2 += new * (kept.turning * kept.turning - shed.turning2)
            shed.velocity = scale(0.5, add(sys.node[e + c].velocity, sys.node[e + c + 1].velocity))
            shed.since = h
