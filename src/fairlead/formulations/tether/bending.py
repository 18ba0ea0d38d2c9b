"""Bending stiffness, which the paper leaves open: a spring between neighbouring links."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import ZERO3, add, add_scaled, dot, scale, subtract

from .node import state_of


@kernel
def over_lengths(c, j, sys):
    """1/l of the links before and after inner node j of cable c."""
    link, s = sys.cable[c].link + j, sys.paid[c].factor
    return 1.0 / (s * sys.link[link - 1].length), 1.0 / (s * sys.link[link].length)


@kernel
def second_difference(before, here, after, back, ahead):
    """Difference of the two links' vectors over their lengths, (x₊ − x)/l₊ − (x − x₋)/l₋."""
    return subtract(scale(ahead, subtract(after, here)), scale(back, subtract(here, before)))


@kernel
def bend(c, sys):
    """Bending forces on all nodes of cable c, kept in `bend`; returns the power of their damping [W].

    U = ½ (EI/l) |s|², s the difference of the two links' vectors over their lengths at an inner node: the second
    difference of the positions. With damping time τ, the moment is (EI/l)(s + τ ṡ).
    """
    cable = sys.cable[c]
    for j in range(cable.count + 1):
        bent = sys.bend[cable.node + j]
        bent.force, bent.moment = ZERO3, 0.0
    power = 0.0
    for j in range(1, cable.count):
        joint, here = sys.joint[cable.node + j], sys.bend[cable.node + j]
        stiffness = joint.stiffness / sys.paid[c].factor
        if stiffness == 0.0:
            continue
        one, two, three = state_of(cable, j - 1, sys), state_of(cable, j, sys), state_of(cable, j + 1, sys)
        back, ahead = over_lengths(c, j, sys)
        turn = second_difference(one.position, two.position, three.position, back, ahead)
        rate = second_difference(one.velocity, two.velocity, three.velocity, back, ahead)
        damping = stiffness * joint.time
        moment = add(scale(stiffness, turn), scale(damping, rate))
        power -= damping * dot(rate, rate)
        here.moment = math.sqrt(dot(moment, moment))
        before, after = sys.bend[cable.node + j - 1], sys.bend[cable.node + j + 1]
        before.force = add_scaled(before.force, -back, moment)
        here.force = add_scaled(here.force, back + ahead, moment)
        after.force = add_scaled(after.force, -ahead, moment)
    return power


@kernel
def bending_energy(c, j, sys):
    """½ (EI/l) |s|² of inner node j of cable c [J]."""
    cable = sys.cable[c]
    one, two, three = state_of(cable, j - 1, sys), state_of(cable, j, sys), state_of(cable, j + 1, sys)
    back, ahead = over_lengths(c, j, sys)
    turn = second_difference(one.position, two.position, three.position, back, ahead)
    return 0.5 * (sys.joint[cable.node + j].stiffness / sys.paid[c].factor) * dot(turn, turn)
