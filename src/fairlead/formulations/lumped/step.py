"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.quaternion import turned
from fairlead.algebra.small import add_scaled, dot, scale
from fairlead.rigging.axial import axial_tension
from fairlead.rigging.bed import pressed, remember_touch
from fairlead.rigging.cummins import prepare_floaters, remember_floaters
from fairlead.rigging.ropes import creep_on

from .ends import ZERO3
from .extremes import note_extremes
from .hubs import SINGULAR, book_floating, book_water, load_power
from .joined import book_joints, mend_hubs
from .points import drive_points, place_points
from .schema import NO_COMPRESSION
from .scheme import set_scheme
from .slackening import part_speed, solve
from .standing import book_standing, remember_standing
from .vortices import turn_wakes

OK, RANGE, HUB_RANGE, STRAIN = 0, 1, 3, 4
STRETCH_LIMIT = 4.0
"""A cable stretched to four times its length is none any more; hawsers of rubber go to three."""
SPEED_LIMIT = 1.0e3
"""m/s: nothing in the sea moves so fast; a state beyond it has left the physical range."""
SPIN_LIMIT = 1.0e5
"""rad/s, likewise."""
SLACK_FRACTION = 0.02
SLACK_FLOOR = 1.0e-3
"""A cable counts as slack when somewhere it is pushed with more than these parts of its largest tension and weight."""

__all__ = ["HUB_RANGE", "OK", "RANGE", "SINGULAR", "SPEED_LIMIT", "STRAIN"]


@kernel
def release_ends(t, sys):
    """Let go of ends whose time has come or whose pull was exceeded."""
    for k in range(2 * sys.cables):
        end, hold = sys.end[k], sys.hold[k]
        if t >= end.release_time or hold.pull > end.release_tension:
            hold.attached = 0.0


@kernel
def note_slack(c, t, is_slack, rise, most, sys):
    """Keep since when cable c has been slack somewhere, and of its tensions from then on the largest and the largest
    rise within a step, which together tell how well the step follows a snap."""
    slack = sys.slack[c]
    if slack.since < 0.0 and is_slack and t > 0.0:
        slack.since = t
    if slack.since >= 0.0:
        slack.rise, slack.most = max(slack.rise, rise), max(slack.most, most)


@kernel
def fail(t, place, node, sys):
    """Keep when and where a step went wrong: in which cable and at which of its nodes, or in which hub."""
    sys.fault.time, sys.fault.place, sys.fault.node = t, place, node


@kernel
def book_tensions(t, sys):
    """Keep the tensions for the next step, note slack, book the work of damping, of prescribed points and of loads.

    λ = bias + G·(t·Δa). The work of damping is taken along the mean rate of the step; an element that does not push
    stores only what pulls, and its damper takes the rest. Returns a status: a tension that would stretch an element to
    four times its length is no physical state.
    """
    status = OK
    h, book = sys.scheme.step, sys.scheme.book_step
    spent, crept, given = 0.0, 0.0, load_power(sys)
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        least, most, weight, rise, loose = math.inf, 0.0, 0.0, 0.0, False
        for e in range(first, first + count):
            chord, element, latest = sys.chord[e], sys.element[e], sys.spring[e]
            apart, rate = part_speed(e, e + c, sys), chord.rate
            tension = chord.tension_bias + chord.tension_g * apart
            damping = chord.damping * rate + chord.damping_g * apart
            if element.pushed == NO_COMPRESSION:
                stored = max(0.0, tension - damping)
                tension *= chord.taut
                damping = tension - stored
            chord.damping = damping
            spent += damping * (rate + 0.5 * h * apart)
            if sys.ropes > 0 and element.rope >= 0.0:
                straining, rope = (rate + 0.5 * h * apart) / element.length, sys.rope[int(element.rope)]
                crept += element.length * creep_on(rope, tension, straining, h, sys.creep[e], sys.held[e], sys)
            if not abs(tension) < axial_tension(sys.law, STRETCH_LIMIT, element.stiffness):
                fail(t, c, e - first, sys)
                status = STRAIN
            rise = max(rise, tension - latest.tension)
            loose = loose or chord.taut == 0.0
            latest.tension, latest.straining = tension, (rate + 0.5 * h * apart) / element.length
            least, most = min(least, tension), max(most, tension)
            weight += 2.0 * element.weight
        note_slack(c, t, loose or least < -SLACK_FRACTION * most - SLACK_FLOOR * weight, rise, most, sys)
        for end in range(2 * c, 2 * c + 2):
            force, joint = sys.end_force[end].force, sys.joint[end]
            sys.hold[end].pull = math.sqrt(dot(force, force))
            if joint.hub < 0:
                point = sys.point[joint.point]
                given -= dot(force, add_scaled(point.velocity, 0.5 * h, point.acceleration))
    sys.ledger.damping -= book * spent + crept
    sys.ledger.drives += book * given
    return status


@inlined
def contact_force(i, sys):
    """Normal force N ≥ 0, friction (3) and bed damping force on node i after the solve, and its mean velocity."""
    contact = sys.contact[i]
    if contact.active < 0.5:
        return 0.0, ZERO3, 0.0, ZERO3
    a, velocity = sys.row[i].acceleration, sys.node[i].velocity
    normal, friction, across = pressed(contact, a)
    damping = -contact.c * (dot(contact.normal, velocity) + sys.scheme.g_per_c * across)
    return normal, friction, damping, add_scaled(velocity, 0.5 * sys.scheme.step, a)


@kernel
def book_contact(sys):
    """Work of friction and bed damping in this step; the normal force is kept for the friction of the next."""
    h, ledger = sys.scheme.book_step, sys.ledger
    for i in range(sys.nodes):
        if sys.contact[i].active > 0.5:
            normal, friction, damping, velocity = contact_force(i, sys)
            ledger.friction += h * dot(friction, velocity)
            ledger.damping += h * damping * dot(sys.contact[i].normal, velocity)
            sys.contact[i].normal_force = normal
    book_standing(sys)


@kernel
def remember(sys):
    """Friction memory after the move."""
    for i in range(sys.nodes):
        contact = sys.contact[i]
        touching = contact.active > 0.5
        if touching or sys.grip[i].normal_force > 0.0:
            remember_touch(contact.ks, sys.node[i].position, touching, contact.normal_force, sys.grip[i], sys)
    remember_standing(sys)


@kernel
def drift_hub(hub, time, turns):
    """Let a hub go on as it moves and, where it `turns`, as it spins, for a time."""
    hub.position = add_scaled(hub.position, time, hub.velocity)
    if turns:
        turn = scale(time, hub.spin)
        hub.turn = turned(hub.turn, turn[0], turn[1], turn[2])


@kernel
def drift(sys):
    """Let every node and hub go on as it moves, to where the equations of the step are taken."""
    time = sys.scheme.drift
    for c in range(sys.cables):
        first = sys.cable[c].first + c
        for i in range(first, first + sys.cable[c].count + 1):
            node = sys.node[i]
            node.position = add_scaled(node.position, time, node.velocity)
    for k in range(sys.hubs):
        drift_hub(sys.hub[k], time, sys.hub_size == 6)


@inlined
def move_mass(node, a, h, drift):
    """v₁ = v + h a and the rest of the way, ½h v₁, in place; False when it leaves the physical range."""
    v = add_scaled(node.velocity, h, a)
    node.velocity = v
    node.position = add_scaled(node.position, drift, v)
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT


@kernel
def move_hub(k, h, drift, sys):
    """The same for a hub, which may turn; False when it leaves the physical range."""
    hub, balance, turns = sys.hub[k], sys.balance[k], sys.hub_size == 6
    v = add_scaled(hub.velocity, h, balance.acceleration)
    hub.velocity = v
    spin2 = 0.0
    if turns:
        w = add_scaled(hub.spin, h, balance.spin_rate)
        hub.spin = w
        spin2 = dot(w, w)
    drift_hub(hub, drift, turns)
    return dot(v, v) < SPEED_LIMIT * SPEED_LIMIT and spin2 < SPIN_LIMIT * SPIN_LIMIT


@kernel
def move(t, sys):
    """Advance every node, hub and controlled point to the end of the step; returns a status.

    Joined ends move as their points.
    """
    h, rest = sys.scheme.step, sys.scheme.drift
    turn_wakes(h, sys)
    for c in range(sys.cables):
        first = sys.cable[c].first + c
        for i in range(sys.cable[c].count + 1):
            if not move_mass(sys.node[first + i], sys.row[first + i].acceleration, h, rest):
                fail(t + h, c, i, sys)
                return RANGE
    if sys.floaters > 0:
        remember_floaters(h, rest, sys.hub, sys)
    for k in range(sys.hubs):
        if not move_hub(k, h, rest, sys):
            fail(t + h, k, 0, sys)
            return HUB_RANGE
    if sys.bonds > 0:
        mend_hubs(sys)
    for k in range(sys.controls):
        control, motion = sys.control[k], sys.motion[k]
        control.position, control.velocity = motion.next_position, motion.next_velocity
    return OK


@kernel
def prepare(kind, h, sys):
    """The scheme for steps of size h, and all fixed points in their places."""
    set_scheme(kind, h, sys)
    place_points(sys)
    if sys.floaters > 0:
        prepare_floaters(sys.scheme.step, sys.scheme.drift, sys)


@kernel
def begin_step(now, u, sys):
    """Solve a step from time `now`, half-way, where everything has drifted to. Returns a status; the place of a fault
    is kept."""
    release_ends(now, sys)
    drive_points(now, sys.scheme.drift, 0, u, sys)
    drift(sys)
    status = solve(now + sys.scheme.drift, u, sys)
    return book_tensions(now, sys) if status == OK else status


@kernel
def end_step(now, sys):
    """Make a step from time `now` that is solved. Returns a status."""
    bed = sys.sea.bed > 0.0
    note_extremes(now, sys)
    book_water(now + sys.scheme.drift, sys)
    book_floating(sys.scheme.book_step, sys, sys)
    if sys.bonds > 0:
        book_joints(sys)
    if bed:
        book_contact(sys)
    status = move(now, sys)
    if bed:
        remember(sys)
    return status


@kernel
def one_step(now, u, sys):
    """One step from time `now`, in place. Returns a status."""
    status = begin_step(now, u, sys)
    return end_step(now, sys) if status == OK else status
