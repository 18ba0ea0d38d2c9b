"""Tension of a cable element: its law, when in the step it is taken, and whether an element that only pulls is taut.

What an element that only pulls does over a step is one of the step's unknowns, as for the lumped masses: its tension
is max(0, T + G q̈) with the acceleration q̈ of its length. The accelerations are solved for with the elements that are
thought taut; those that then push are let go, those that would pull are taken in, until none is wrong.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.rigging.axial import axial_energy, axial_slope, axial_tension

from .joints import kind_of, length_rate_of
from .schema import CABLE, CLIP, PAPER, ROD

BOTH_WAYS, PASSES = 20, 40
"""Passes in which elements may come taut again, and the most passes there are; after the first of them only what
pushes is let go, which ends for certain."""


@kernel
def tension_parts(span, rate, length, length_rate, element, sys):
    """Elastic and damping part of the tension [N] of an element `span` long, whose unstretched length changes.

    T = T(ℓ/L) + EA τ (ℓ̇ − L̇ ℓ/L)/L, the rate being that of the strain (Guillaume et al., Eqs. 7 and 12, lack ℓ/L),
    with T(ℓ/L) by `rigging.axial`.
    """
    stiffness = element.stiffness
    damping = element.damping_time * stiffness * (rate - length_rate * span / length) / length
    return axial_tension(sys.law, span / length, stiffness), damping


@kernel
def stretch_energy(span, length, element, sys):
    """Elastic energy of an element [J]; none where it is slack."""
    if span < length and sys.slack <= PAPER:
        return 0.0
    return axial_energy(sys.law, span / length, length, element.stiffness)


@kernel
def ahead_of(body, sys):
    """Time into the step at which the tension of the element above a body is taken: θh.

    One that only pulls and starts the step slack is caught at its end, since a blow caught in the middle gives energy.
    """
    scheme = sys.scheme
    if sys.slack == CLIP and scheme.step > 0.0:
        length = sys.line[body.element].length - scheme.half * length_rate_of(body, sys)
        if sys.start_coordinate[body.coordinate + 2].value < length:
            return scheme.step
    return scheme.theta_step


@kernel
def element_law(body, change, sys):
    """Of the element above a body, over the step or, without one, at this moment: elastic and damping part of its
    tension [N], its stiffness [N/m] and damping [N s/m], the time ahead at which they are taken, and whether it pulls.

    change: acceleration of its length in the latest solution of the step, which tells whether it will be slack then.
    """
    q, v, e, scheme = body.coordinate + 2, body.speed + 2, body.element, sys.scheme
    span, rate = sys.coordinate[q].value, sys.speed[v].value
    if scheme.step > 0.0:
        span, rate = sys.start_coordinate[q].value, sys.start_speed[v].value
    ahead, length_rate, element = ahead_of(body, sys), length_rate_of(body, sys), sys.element[e]
    # the length in y is that of the middle of the step (of the moment, without a step)
    length = sys.line[e].length + (ahead - scheme.half) * length_rate
    later = span + ahead * rate
    elastic, damping = tension_parts(later, rate, length, length_rate, element, sys)
    k = max(0.0, axial_slope(sys.law, later / length, length, element.stiffness))
    c = element.damping_time * (element.stiffness / length)
    stretched = elastic + ahead * ahead * k * change
    pulls = sys.slack == ROD or (sys.slack == PAPER and stretched >= 0.0)
    if sys.slack == CLIP:
        pulls = stretched + damping + ahead * c * change > 0.0
    # judged by its velocity alone, a stiff element would count as slack at every second step and never come to rest
    held = scheme.step > 0.0 and scheme.predicted == 0.0 and span > length
    return elastic, damping, k, c, ahead, pulls or held


@kernel
def set_tension(body, sys):
    """Pull of the element above a body and what it adds to the elimination, by whether it will be taut."""
    v, pull = body.speed + 2, sys.pull[body.element]
    change = sys.change[v].value if sys.scheme.predicted > 0.0 else 0.0
    elastic, damping, k, c, ahead, pulls = element_law(body, change, sys)
    pulls = pulls and not (sys.scheme.loosen > 0.0 and pull.taut == 0.0)
    pull.taut = 1.0 if pulls else 0.0
    if not pulls:
        elastic, k = 0.0, 0.0
        if sys.slack == CLIP:
            damping, c = 0.0, 0.0
    pull.tension = elastic + damping
    sys.effort[v].torque, sys.effort[v].stiff = -pull.tension, ahead * (c + ahead * k)


@kernel
def wrongly_taut(loosen, sys):
    """How many elements that only pull were taken for taut in the latest solution and push, or, unless only to
    `loosen`, were taken for slack and would pull."""
    sys.scheme.loosen = 1.0 if loosen else 0.0
    found = 0
    if sys.slack != CLIP:
        return found
    for j in range(sys.bodies):
        body = sys.body[j]
        if kind_of(body, sys) == CABLE:
            _, _, _, _, _, pulls = element_law(body, sys.change[body.speed + 2].value, sys)
            taut = sys.pull[body.element].taut > 0.0
            if pulls != taut and (taut or not loosen):
                found += 1
    return found


@kernel
def tension_of(j, sys):
    """Tension of the element above body j: in a step what is taken implicitly, else that of the moment."""
    body = sys.body[j]
    tension = sys.pull[body.element].tension
    if sys.scheme.step > 0.0:
        tension += sys.effort[body.speed + 2].stiff * sys.change[body.speed + 2].value
    return tension
