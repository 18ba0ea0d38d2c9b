"""Time: what happens in a step, and many steps in one compiled call."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.lanes import WIDTH, alike, all_lanes, any_lane, common, pick, total, where
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import turned
from fairlead.algebra.records import expected
from fairlead.algebra.small import add_scaled, dot, positive, scale, subtract
from fairlead.rigging.axial import axial_tension
from fairlead.rigging.bed import pressed, remember_touch
from fairlead.rigging.cummins import prepare_floaters, remember_floaters
from fairlead.rigging.frames import move_controls, place_points
from fairlead.rigging.ropes import creep_on
from fairlead.rigging.standing import remember_standing

from .assembly import of_one_kind
from .element import drag_beyond
from .extremes import note_extremes
from .hubs import SINGULAR, book_floating, book_water, load_power
from .joined import book_joints, mend_hubs
from .points import drive_points
from .schema import NO_COMPRESSION
from .scheme import LOOSE, second_order, set_scheme
from .slackening import solve, solve_first
from .standing import book_standing
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
        goes = (t >= end.release_time) | (hold.pull > end.release_tension)
        if any_lane(goes):
            hold.attached = where(goes, 0.0, hold.attached)


@kernel
def note_slack(c, t, is_slack, rise, most, sys):
    """Keep since when cable c has been slack somewhere, and of its tensions from then on the largest and the largest
    rise within a step, which together tell how well the step follows a snap."""
    slack = sys.slack[c]
    slack.since = where((slack.since < 0.0) & is_slack & (t > 0.0), t, slack.since)
    was = slack.since >= 0.0
    if any_lane(was):
        slack.rise, slack.most = where(was, (max(slack.rise, rise), max(slack.most, most)), (slack.rise, slack.most))


@inlined
def fail(well, bad, why, status, t, place, node, sys):
    """The status where what was `well` turns `bad`; of others as it was. When and where is kept: in which cable and at
    which of its nodes, or in which hub."""
    fails = well & bad
    if any_lane(fails):
        fault = sys.fault
        fault.time, fault.place, fault.node = where(fails, (t, place, node), (fault.time, fault.place, fault.node))
        status = where(fails, why, status)
    return status


@inlined
def expect_booking(e, node, sys):
    """What `book_element` reads of element e and of the second of its nodes, of which `node` is the first."""
    expected(sys.chord.direction, e, 3)
    expected(sys.chord.rate, e, 22)
    expected(sys.chord.taut, e, 1)
    expected(sys.spring.tension, e, 8)
    expected(sys.node.velocity, node + 1, 3)
    expected(sys.row.acceleration, node + 1, 3)


@inlined
def book_element(e, node, sys):
    """Tension of element e, behind `node`, in a step that is solved: λ = bias + G·(t·Δa). It is kept for the next step,
    and what the element transmits at its two nodes for the extremes.

    The work of damping is taken along the mean rate of the step; an element that does not push stores only what pulls,
    and its damper takes the rest. Returns the tension and what it has risen by, the powers of drag beyond that of the
    step's beginning and of damping, the work of creep, and whether the tension is none that an element can have.
    """
    h, chord, element, latest = sys.scheme.step, sys.chord[e], sys.element[e], sys.spring[e]
    one, two, axis = sys.row[node].acceleration, sys.row[node + 1].acceleration, chord.direction
    here, there = dot(axis, one), dot(axis, two)
    apart, rate, crept = there - here, chord.rate, 0.0
    mean = rate + 0.5 * h * apart
    tension = chord.tension_bias + chord.tension_g * apart
    damping = chord.damping + chord.damping_g * apart
    pulls = common(element.pushed) == NO_COMPRESSION
    if pulls:
        stored = max(0.0, tension - damping)
        tension *= chord.taut
        damping = tension - stored
    chord.damping = damping
    straining = mean / element.length
    if sys.ropes > 0 and element.rope >= 0.0:
        rope = sys.rope[int(element.rope)]
        crept = element.length * creep_on(rope, tension, straining, h, sys.creep[e], sys.held[e], sys)
    broken = not (abs(tension) < axial_tension(sys.law, STRETCH_LIMIT, element.stiffness))
    risen = tension - latest.tension
    latest.earlier, latest.tension, latest.straining = latest.tension, tension, straining
    latest.sway = add_scaled(subtract(two, one), -apart, axis)
    (load1, load2), (along1, along2), along = chord.load_along, chord.mass_along, chord.mass_shared
    first, last = tension + load1 - along1 * here - along * there, tension - load2 + along2 * there + along * here
    if pulls:
        first, last = max(0.0, first), max(0.0, last)
    latest.passed = first, last
    return tension, risen, drag_beyond(h, chord, one, two, here, there, node, sys), damping * mean, crept, broken


@kernel
def book_tensions(t, status, sys):
    """Keep the tensions for the next step, note slack, book the work of drag as it acts over the step, of damping, of
    prescribed points and of loads.

    Returns the status: a tension that would stretch an element to four times its length is no physical state.
    """
    return book_all(t, status, in_eights(sys), sys)


@kernel
def book_all(t, status, rows, sys):
    """`book_tensions`, elements eight at a time of `rows` where they are of one kind."""
    well = status == OK
    h, book = sys.scheme.step, sys.scheme.book
    spent, crept, dragged, given = 0.0, 0.0, 0.0, load_power(sys)
    for c in range(sys.cables):
        first, last = sys.cable[c].first, sys.cable[c].first + sys.cable[c].count
        least, most, weight, rise, slack, loose = math.inf, 0.0, 0.0, 0.0, False, False
        lows, highs, rises = alike(math.inf), alike(0.0), alike(0.0)
        e = first
        while e < last:
            if rows is not None and last - e >= WIDTH and of_one_kind(e, rows):
                pulls, ups, drags, losses, _, breaks = book_element(e, e + c, rows)
                if any_lane(breaks):
                    for k in range(WIDTH):
                        status = fail(well, pick(breaks, k), STRAIN, status, t, c, e - first + k, sys)
                dragged, spent = dragged + total(drags), spent + total(losses)
                lows, highs, rises = min(lows, pulls), max(highs, pulls), max(rises, ups)
                slacks = rows.chord[e].taut == 0.0
                if any_lane(slacks):
                    slack = True
                    loose = loose | any_lane(slacks & (rows.grip[e + c].normal_force == 0.0))
                weight += 2.0 * total(rows.element[e].weight)
                e += WIDTH
            else:
                expect_booking(min(e + 1, last - 1), min(e + 1, last - 1) + c, sys)
                tension, risen, drag, loss, creeping, broken = book_element(e, e + c, sys)
                status = fail(well, broken, STRAIN, status, t, c, e - first, sys)
                dragged, spent, crept = dragged + drag, spent + loss, crept + creeping
                least, most, rise = min(least, tension), max(most, tension), max(rise, risen)
                slacks = sys.chord[e].taut == 0.0
                slack, loose = slack | slacks, loose | (slacks & (sys.grip[e + c].normal_force == 0.0))
                weight += 2.0 * sys.element[e].weight
                e += 1
        if rows is not None:
            for k in range(WIDTH):
                least, most, rise = min(least, pick(lows, k)), max(most, pick(highs, k)), max(rise, pick(rises, k))
        if second_order(sys.scheme):
            sys.slack[c].loose = where(loose, LOOSE, max(0.0, sys.slack[c].loose - 1.0))
        note_slack(c, t, slack | (least < -SLACK_FRACTION * most - SLACK_FLOOR * weight), rise, most, sys)
        for end in range(2 * c, 2 * c + 2):
            force, joint = sys.end_force[end].force, sys.joint[end]
            sys.hold[end].force, sys.hold[end].pull = force, math.sqrt(dot(force, force))
            if joint.hub < 0:
                point = sys.point_now[joint.point]
                given -= dot(force, add_scaled(point.velocity, 0.5 * h, point.acceleration))
    sys.ledger.drag += book * dragged
    sys.ledger.damping -= book * spent + crept
    sys.ledger.drives += book * given
    return status


@inlined
def bed_energy(contact, gap):
    """What the bed's spring stores below a node with a `gap` to it [J]."""
    sunk = positive(-gap)
    return 0.5 * contact.k * sunk * sunk


@kernel
def book_contact(sys):
    """Works of the bed's friction, damper and spring in this step, as their forces act along its mean velocity: the
    spring's with what it stores less at the end of the step than at its beginning, which is also the loss of what
    leaves the bed before the spring has pushed it out. The normal force is kept for the friction of the next."""
    h, book, ledger = sys.scheme.step, sys.scheme.book, sys.ledger
    for i in range(sys.nodes):
        soon = min(i + 1, sys.nodes - 1)
        expected(sys.contact.active, soon, 1)
        expected(sys.contact.normal, soon, 3)
        expected(sys.contact.gap, soon, 1)
        expected(sys.node.velocity, soon, 3)
        expected(sys.row.acceleration, soon, 3)
        contact, v, a = sys.contact[i], sys.node[i].velocity, sys.row[i].acceleration
        acts, rate = contact.active > 0.5, dot(contact.normal, v)
        before, mean = contact.gap - 0.5 * h * rate, rate + 0.5 * h * dot(contact.normal, a)
        after = before + h * mean
        if any_lane(acts | (before < 0.0) | (after < 0.0)):
            normal, friction, _ = pressed(contact, a)
            stored = bed_energy(contact, after) - bed_energy(contact, before)
            if common(h) == 0.0:
                stored = -contact.k * positive(-contact.gap) * rate
            ledger.friction += where(acts, book * dot(friction, add_scaled(v, 0.5 * h, a)), 0.0)
            ledger.damping += where(acts, book * normal * mean, 0.0) + stored
            contact.normal_force = where(acts, normal, contact.normal_force)
    for k in range(lane_count(sys)):
        book_standing(lane_of(sys, k))


@kernel
def remember(sys):
    """Friction memory after the move."""
    for i in range(sys.nodes):
        soon = min(i + 2, sys.nodes - 1)
        expected(sys.contact.active, soon, 1)
        expected(sys.grip.normal_force, soon, 1)
        contact, grip = sys.contact[i], sys.grip[i]
        touching = contact.active > 0.5
        touched = touching | (grip.normal_force > 0.0)
        if any_lane(touched):
            remember_touch(contact.ks, sys.node[i].position, touched, touching, contact.normal_force, grip, sys)
    for k in range(lane_count(sys)):
        remember_standing(lane_of(sys, k))


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
        last = first + sys.cable[c].count
        for i in range(first, last + 1):
            expected(sys.node.position, min(i + 2, last), 6)
            node = sys.node[i]
            node.position = add_scaled(node.position, time, node.velocity)
    for k in range(sys.hubs):
        drift_hub(sys.hub_state[k], time, sys.hub_size == 6)


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
    hub, balance, turns = sys.hub_state[k], sys.balance[k], sys.hub_size == 6
    v = add_scaled(hub.velocity, h, balance.acceleration)
    hub.velocity = v
    spin2 = 0.0
    if turns:
        w = add_scaled(hub.spin, h, balance.spin_rate)
        hub.spin = w
        spin2 = dot(w, w)
    drift_hub(hub, drift, turns)
    return (dot(v, v) < SPEED_LIMIT * SPEED_LIMIT) & (spin2 < SPIN_LIMIT * SPIN_LIMIT)


@kernel
def move(t, status, sys):
    """Advance every node, hub and controlled point to the end of the step; returns the status.

    Joined ends move as their points.
    """
    well, h, rest = status == OK, sys.scheme.step, sys.scheme.drift
    if sys.wakes > 0:
        turn_wakes(h, sys)
    for c in range(sys.cables):
        first, count = sys.cable[c].first + c, sys.cable[c].count
        for i in range(count + 1):
            soon = first + min(i + 2, count)
            expected(sys.node.position, soon, 6)
            expected(sys.row.acceleration, soon, 3)
            acceleration = sys.row[first + i].acceleration
            sys.previous[first + i].acceleration = acceleration
            lost = not move_mass(sys.node[first + i], acceleration, h, rest)
            if any_lane(lost):
                status = fail(well & (status == OK), lost, RANGE, status, t + h, c, i, sys)
                if all_lanes(status != OK):
                    return status
    if sys.floaters > 0:
        remember_floaters(h, rest, sys.hub_state, sys)
    for k in range(sys.hubs):
        was, balance = sys.hub_previous[k], sys.balance[k]
        was.acceleration, was.spin_rate = balance.acceleration, balance.spin_rate
        lost = not move_hub(k, h, rest, sys)
        if any_lane(lost):
            status = fail(well & (status == OK), lost, HUB_RANGE, status, t + h, k, 0, sys)
            if all_lanes(status != OK):
                return status
    if sys.bonds > 0:
        mend_hubs(sys)
    move_controls(sys)
    return status


@kernel
def prepare(kind, h, sys):
    """The scheme for steps of size h, and all fixed points in their places."""
    set_scheme(kind, h, sys)
    place_points(sys)
    if sys.floaters > 0:
        prepare_floaters(sys.scheme.step, sys.scheme.drift, sys)


@kernel
def begin_step(now, u, status, sys):
    """Solve a step from time `now`, half-way, where everything has drifted to, of all that are well. Returns the
    status; the place of a fault is kept."""
    half = common(sys.scheme.drift)
    release_ends(now, sys)
    for k in range(lane_count(sys)):
        drive_points(now, half, 0, u, lane_of(sys, k))
    drift(sys)
    status = solve(now + half, u, solve_first(now + half, u, status, sys), sys)
    return status if all_lanes(status != OK) else book_tensions(now, status, sys)


@kernel
def end_step(now, status, sys):
    """Make a step from time `now` that is solved. Returns the status. A member of a pack that has failed goes on in
    vain and disturbs nobody."""
    bed, half = sys.sea.bed > 0.0, common(sys.scheme.drift)
    note_extremes(now + half, sys)
    for k in range(lane_count(sys)):
        book_water(now + half, lane_of(sys, k))
    if sys.floaters > 0:
        book_floating(sys.scheme.book, sys, sys)
    if sys.bonds > 0:
        book_joints(sys)
    if bed:
        book_contact(sys)
    status = move(now, status, sys)
    if bed:
        remember(sys)
    if second_order(sys.scheme):
        sys.history.steps = sys.history.steps + 1.0
    return status


@kernel
def one_step(now, u, status, sys):
    """One step from time `now`, in place, of all that are well. Returns the status."""
    status = begin_step(now, u, status, sys)
    return status if all_lanes(status != OK) else end_step(now, status, sys)
