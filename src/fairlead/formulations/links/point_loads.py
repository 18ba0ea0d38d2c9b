"""Forces and torques on points and bodies: those of the file, and those that are set live."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, scale, vector_of
from fairlead.loads.signals import load_factor

ZERO3 = (0.0, 0.0, 0.0)
NONE3 = (math.nan, math.nan, math.nan)


@kernel
def take_loads(u, sys):
    """Live inputs of the loads into their records, NaN where there are none: so at the beginning of every call."""
    for i in range(sys.loads):
        live, push = sys.load[i].input, sys.push[i]
        push.live_force, push.live_torque = NONE3, NONE3
        if live >= 0:
            push.live_force, push.live_torque = vector_of(u, live), vector_of(u, live + 3)


@kernel
def load_force(t, i, sys):
    """Force and torque of point load i at time t: live inputs where they are numbers, else the file's."""
    f, push = load_factor(t, sys.load[i], sys.signal.start, sys.reals), sys.push[i]
    force, torque = scale(f, push.force), scale(f, push.torque)
    pushed, turned = push.live_force, push.live_torque
    if not math.isnan(pushed[0] + pushed[1] + pushed[2]):
        force = pushed
    if not math.isnan(turned[0] + turned[1] + turned[2]):
        torque = turned
    return force, torque


@kernel
def torques_on(t, link, sys):
    """Torque of all point loads that turn a link."""
    total = ZERO3
    for i in range(sys.loads):
        if sys.load[i].link == link:
            _, torque = load_force(t, i, sys)
            total = add(total, torque)
    return total
