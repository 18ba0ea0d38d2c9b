"""How the tension of a cable element holds it straight, where the step does not resolve the motion across the line.

An element under the tension T that turns by φ draws its ends back with T φ across it: a couple T ℓ φ, which is a string
stiffness k = T/ℓ between its two nodes. The step follows it as it is, evaluated in its middle, while h²k is below the
mass m at the lighter of its nodes. Beyond, it is taken a whole step later, −k(x + h v + h² a) across the element:
the couple −T ℓ (h ω + h² α) about its node, whose second part is no more than a moment of inertia of the element. This
ends in one step what the step cannot resolve, which else would grow until the line is no line any more. T is that of
the start of the step.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add, add_scaled, cross, dot, outer_scaled, scale, symadd, symvec
from fairlead.rigging.axial import axial_tension

from .joints import direction_of, kind_of
from .schema import CABLE


@kernel
def across_mass(m, axis):
    """Mean mass across an axis [kg]."""
    return 0.5 * (m[0] + m[3] + m[5] - dot(axis, symvec(m, axis)))


@kernel
def across(vector, axis):
    """Part of a vector across a unit axis."""
    return add_scaled(vector, -dot(vector, axis), axis)


@kernel
def hold_straight(j, near, far, sys):
    """Give the element above body j the couple of its string stiffness where it is beyond the step.

    near, far: masses (6) of the line at its two nodes.
    """
    body, record, scheme = sys.body[j], sys.record[sys.bases + j], sys.scheme
    e, h = body.element, scheme.step
    span, length, pull = sys.start_coordinate[body.coordinate + 2].value, sys.line[e].length, sys.pull[e]
    pull.string_g, pull.string_c = 0.0, 0.0
    if h == 0.0 or not span > length:
        return
    tension, axis = axial_tension(sys.law, span / length, sys.element[e].stiffness), direction_of(record)
    if h * h * tension < span * min(across_mass(near, axis), across_mass(far, axis)):
        return
    pull.string_g, pull.string_c = h * h * tension * span, h * tension * span
    g = pull.string_g
    record.D = symadd(record.D, symadd(outer_scaled(-g, axis), (g, 0.0, 0.0, g, 0.0, g)))
    record.bias_turn = add_scaled(record.bias_turn, pull.string_c, across(sys.old[j].spin, axis))


@kernel
def couple_of(j, spin, sys):
    """That couple after a solution, for the element's spin at the start of the step."""
    record, pull = sys.record[sys.bases + j], sys.pull[sys.body[j].element]
    moment = add(scale(-pull.string_g, record.alpha), scale(-pull.string_c, spin))
    return across(moment, direction_of(record))


@kernel
def straightening(j, sys):
    """The same couple as a force (3) on the far node of the element above body j, and against it on the near one."""
    record, body = sys.record[sys.bases + j], sys.body[j]
    if sys.scheme.step == 0.0 or sys.pull[body.element].string_g == 0.0:
        return (0.0, 0.0, 0.0)
    span = sys.coordinate[body.coordinate + 2].value
    return scale(1.0 / span, cross(couple_of(j, sys.old[j].spin, sys), direction_of(record)))


@kernel
def book_straightening(sys):
    """Count the elements that were held so, and return the power that it took [W]."""
    power, held = 0.0, 0.0
    for j in range(sys.bodies):
        body = sys.body[j]
        if kind_of(body, sys) == CABLE:
            sys.ledger.element_steps += 1.0
            if sys.pull[body.element].string_g > 0.0:
                held += 1.0
                spin, alpha = sys.old[j].spin, sys.record[sys.bases + j].alpha
                power += dot(couple_of(j, spin, sys), add_scaled(spin, sys.scheme.half, alpha))
    sys.ledger.element_steps_damped += held
    return power
