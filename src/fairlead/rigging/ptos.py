"""Power take-offs: a spring, a damper, a steady force and end stops between two floaters, or a floater and the earth.

The coordinate s is how far a place of the second has moved from that of the first along an axis of the first, or how
far it has turned about it. With ṡ = J₂q̇₂ − J₁q̇₁ the force f on the second is f J₂ᵀ on its hub and −f J₁ᵀ on the
other's: a pair that leaves momentum as it is, and whose work is f ṡ.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import relative, rotation
from fairlead.algebra.small import add, add_scaled, cross, dot, matvec, subtract, transposed_matvec

NONE3 = (0.0, 0.0, 0.0)


@kernel
def see_pto(i, to_go, hubs, sys):
    """Stroke (`to_go` later), rate and the directions in which both sides are pushed."""
    of, law, now = sys.pto[i], sys.pto_law[i], sys.pto_now[i]
    one = hubs[sys.floater[of.one].hub]
    R = rotation(one.turn)
    n = matvec(R, law.axis)
    if of.other >= 0:
        other = hubs[sys.floater[of.other].hub]
        S, turn = rotation(other.turn), other.turn
        arm = matvec(S, law.other_at)
        place, v, w = add(other.position, arm), other.velocity, matvec(S, other.spin)
    else:
        S, turn = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0)
        arm, place, v, w = NONE3, law.other_at, NONE3, NONE3
    if of.rotary == 1:
        now.line, now.one, now.other = NONE3, law.axis, transposed_matvec(S, n)
        q = relative(law.start, relative(one.turn, turn))
        stroke = 2.0 * math.atan2(dot(law.axis, (q[1], q[2], q[3])), q[0])
        now.stroke = math.atan2(math.sin(stroke), math.cos(stroke))
    else:
        now.line = n
        now.one = transposed_matvec(R, cross(subtract(place, one.position), n))
        now.other = transposed_matvec(S, cross(arm, n))
        now.stroke = dot(n, subtract(place, add(one.position, matvec(R, law.at))))
    now.rate = dot(now.line, subtract(v, one.velocity)) - dot(now.one, one.spin)
    now.rate += dot(now.other, transposed_matvec(S, w))
    now.stroke += to_go * now.rate


@kernel
def pto_law(i, sys):
    """Force of take-off i as it stands, its stiffness, and the damping of itself and of its stops."""
    law, now = sys.pto_law[i], sys.pto_now[i]
    k, c, stop = law.stiffness, law.damping, 0.0
    force = law.force - k * now.stroke - c * now.rate
    beyond = now.stroke - law.high if now.stroke > law.high else min(now.stroke - law.low, 0.0)
    if beyond != 0.0:
        push = -law.stop_stiffness * beyond - law.stop_damping * now.rate
        if push * beyond < 0.0:  # stops do not pull
            force, k, stop = force + push, k + law.stop_stiffness, law.stop_damping
    return force, k, c, stop


@kernel
def add_outer(at, left, left_turn, right, right_turn, gain, turned, lower, work):
    """Add gain·[left]ᵀ[right] to a block of a hub system that begins at `at` in `work`."""
    for p in range(6):
        one = left[p] if p < 3 else left_turn[p - 3]
        for q in range(6):
            two = right[q] if q < 3 else right_turn[q - 3]
            if not lower or q <= p:
                work[at + (6 * q + p if turned else 6 * p + q)] += gain * one * two


@kernel
def add_ptos(to_go, hubs, matrix, sys):
    """Add all take-offs to the hub system, whose blocks begin at `matrix` in `work`, and to what acts on the hubs.

    Springs add ¼h² of their stiffness, which leaves their energy as it is and is stable for every step.
    """
    h = sys.scheme.step
    for i in range(sys.ptos):
        see_pto(i, to_go, hubs, sys)
        of, now = sys.pto[i], sys.pto_now[i]
        force, k, c, stop = pto_law(i, sys)
        gain = 0.5 * h * (c + stop) + 0.25 * h * h * k
        now.force, now.gain, now.stop = force, gain, stop
        first = sys.hull_now[of.one]
        first.force, first.torque = add_scaled(first.force, -force, now.line), add_scaled(first.torque, -force, now.one)
        place = matrix + 36 * sys.water_block[of.one].slot
        add_outer(place, now.line, now.one, now.line, now.one, gain, False, True, sys.work)
        if of.other >= 0:
            second = sys.hull_now[of.other]
            second.force = add_scaled(second.force, force, now.line)
            second.torque = add_scaled(second.torque, force, now.other)
            place = matrix + 36 * sys.water_block[of.other].slot
            add_outer(place, now.line, now.other, now.line, now.other, gain, False, True, sys.work)
            place = matrix + 36 * of.slot
            add_outer(place, now.line, now.other, now.line, now.one, -gain, of.turned == 1, False, sys.work)


@kernel
def pto_rate(i, sys):
    """ṡ in the middle of a step, after the solve."""
    of, now = sys.pto[i], sys.pto_now[i]
    first = sys.hull_now[of.one]
    change = -dot(now.line, first.acceleration) - dot(now.one, first.spin_rate)
    if of.other >= 0:
        second = sys.hull_now[of.other]
        change += dot(now.line, second.acceleration) + dot(now.other, second.spin_rate)
    return now.rate + 0.5 * sys.scheme.step * change, change


@kernel
def book_ptos(book, works, sys):
    """Work that all take-offs take out, their stops and steady forces, in a step that is solved."""
    for i in range(sys.ptos):
        law, now = sys.pto_law[i], sys.pto_now[i]
        rate, change = pto_rate(i, sys)
        now.force -= now.gain * change
        taken = law.damping * rate * rate
        now.power = taken
        works.pto_work[i].taken += book * taken
        sys.ledger.damping -= book * (taken + now.stop * rate * rate)
        sys.ledger.drives += book * law.force * rate


@kernel
def pto_energy(i, sys):
    """Energy in spring and stops of take-off i, as `see_pto` saw it [J]."""
    law, stroke = sys.pto_law[i], sys.pto_now[i].stroke
    beyond = stroke - law.high if stroke > law.high else min(stroke - law.low, 0.0)
    return 0.5 * (law.stiffness * stroke * stroke + law.stop_stiffness * beyond * beyond)


def scaled(axis: tuple[float, ...]) -> tuple[float, ...]:
    """An axis of length 1."""
    size = math.hypot(*axis)
    return tuple(number / size for number in axis)
