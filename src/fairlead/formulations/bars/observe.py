"""What is reported of a state: shape, forces, energies, in the names all formulations share."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.eights import in_eights
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, cross, dot, matvec, positive, scale, subtract, transposed_matvec
from fairlead.loads.buoyancy import bar_height, buoyancy_energy, submergence
from fairlead.loads.rigid_body import rigid_body_energies
from fairlead.rigging.cummins import is_afloat
from fairlead.rigging.elements import compact_energies
from fairlead.rigging.floater_observation import (
    floater_energies, moor_floater, put_floater_forces, put_floaters,
)  # fmt: skip
from fairlead.rigging.frames import body_turn, point_state
from fairlead.rigging.observation import (
    put_angles, put_ends, put_no_nodes, put_node, put_points, put_totals, put_two, works_of,
)  # fmt: skip
from fairlead.rigging.standing import put_landings, standing_hub
from fairlead.sea.water import BED_PRESENT, bed_normal, elevation

from .element import axis_of, feels_waves, point_velocity
from .ends import point_of_end
from .floating import book_floating
from .frames import drive_points, show_points
from .joint import turn_of_first
from .loosening import along_line, held_along, is_folded, only_pulls
from .ropes import rope_joint_energy, take_up_ropes
from .schema import RULE
from .slider import bend_bars, place_on, release_bars, shorten_bars
from .solving import solve
from .standing import reaction_on
from .step import STRAIN, STRAIN_LIMIT, bed_stored, contact_force, drift, host_of_joint
from .sweep import ZERO3
from .topology import bar_of_joint, hub_of_end, is_attached, is_clamped, joint_of_end
from .winch import drive_winches, grow_winches, unfold_winch


@kernel
def bar_energies(t, i, sys):
    """Kinetic energy (with added mass) and gravity potential (with buoyancy) of one bar [J]."""
    bar, body = sys.bar[i], sys.bar_state[i]
    p, v, w = body.position, body.velocity, body.spin
    R = rotation(body.turn)
    height = bar_height(R[8] * bar.length, bar.diameter)
    surface = elevation(t, p[0], p[1], sys.reals) if feels_waves(p[2], sys) else 0.0
    sigma = submergence(p[2] - surface, height)
    u = transposed_matvec(R, v)
    across = bar.mass + sigma * bar.added_normal
    along = bar.mass + sigma * bar.added_axial
    jx = bar.inertia + sigma * bar.inertia_added
    kinetic = across * (u[0] * u[0] + u[1] * u[1]) + along * u[2] * u[2]
    kinetic += jx * (w[0] * w[0] + w[1] * w[1]) + bar.spin_inertia * w[2] * w[2]
    gravity = bar.weight * p[2] + buoyancy_energy(bar.buoyancy, p[2] - surface, height)
    kinetic *= 0.5
    first = int(bar.lump_first)
    for k in range(first, first + int(bar.lump_count)):
        lump = sys.lump[k]
        o = lump.offset
        place, speed = add_scaled(p, o, axis_of(R)), point_velocity(o, R, v, w)
        moving, lifted = compact_energies(t, place, speed, lump, sys.reals)
        kinetic += moving
        gravity += lifted
    return kinetic, gravity


@kernel
def hub_energies(t, afloat, sys):
    """The same of all hubs that do not float."""
    kinetic, gravity = 0.0, 0.0
    for i in range(sys.hubs):
        body = sys.hub_state[i]
        if afloat is not None and is_afloat(i, sys):
            continue
        k, g = rigid_body_energies(
            t, body.position, rotation(body.turn), body.velocity, body.spin,
            sys.reals, row_start(sys.hub[i], sys.reals),
        )  # fmt: skip
        kinetic += k
        gravity += g
    return kinetic, gravity


@kernel
def row_energy(row, kind, rule, miss, rate, multiplier, damping):
    """Elastic energy of one row of a joint [J]: see `joint_energy`."""
    stiffness = row[3 * kind + 2]
    if not rule:
        return 0.5 * stiffness * miss * miss + 0.5 * row[3 * kind] * rate**2
    return (multiplier - damping) ** 2 / (2.0 * stiffness) if stiffness > 0.0 else 0.0


@kernel
def joint_energy(j, rotary, rule, gap, rig, sys):
    """Elastic energy of a joint [J].

    Under the rule it is (λ − damping)²/2k: the gap itself carries the step's linearisation error times k, the
    multiplier does not. Under the paper's law it is ½K C² of gap and turn, with the ½G Ċ² of the law's own inertia.
    """
    row, rate, load, damper, turn = sys.row[j].gdk, sys.rate[j], sys.joint_load[j], sys.damper[j], sys.relative[j].turn
    energy, rope = 0.0, False
    if rig is not None:
        energy, rope = rope_joint_energy(j, load.force, sys)
    for k in range(0 if rope else 3):
        energy += row_energy(row, 0, rule, gap[k], rate.position[k], load.force[k], damper.position[k])
    if rotary:
        for k in range(3):
            kind = 1 if k < 2 else 2
            miss = 2.0 * turn[k + 1]
            energy += row_energy(row, kind, rule, miss, rate.rotation[k], load.moment[k], damper.rotation[k])
    return energy


@kernel
def node_values(c, i, sys):
    """Position, velocity, mean axis and joint gap at node i of cable c (sweep order)."""
    first, count = sys.cable[c].first, sys.cable[c].count
    place, velocity, axis = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    gap = (0.0, 0.0, 0.0)
    parts = 0.0
    for side in range(2):
        bar = i - 1 if side == 0 else i
        if bar < 0 or bar >= count:
            continue
        body = sys.bar_state[first + bar]
        R = rotation(body.turn)
        axis = add(axis, along_line(first + c + bar + 1, axis_of(R), sys))
        if side == 0 and 0 < i < count and is_folded(first + c + i, sys):
            continue
        o = 0.5 * sys.bar[first + bar].length * (1.0 if side == 0 else -1.0)
        end = add_scaled(body.position, o, axis_of(R))
        place = add(place, end)
        gap = add_scaled(gap, -1.0 if side == 0 else 1.0, end)
        velocity = add(velocity, point_velocity(o, R, body.velocity, body.spin))
        parts += 1.0
    place, velocity = scale(1.0 / parts, place), scale(1.0 / parts, velocity)
    size = math.sqrt(dot(axis, axis))
    if size > 1e-9:
        axis = scale(1.0 / size, axis)
    end_index = 2 * c if i == 0 else 2 * c + 1
    if (i == 0 or i == count) and is_attached(end_index, sys):
        place, velocity, _, _, _, _ = point_of_end(end_index, sys)
        gap = add_scaled(gap, -1.0 if i == 0 else 1.0, place)
    return place, velocity, axis, gap


@kernel
def ring_place(k, sys):
    """Unstretched length of cable between a ring and the start of its host, as the file counts [m]."""
    c = sys.slider[k].host
    cable, bar = sys.cable[c], int(sys.ring_state[k].on_bar)
    first, count = cable.first, cable.count
    before, total = 0.5 * sys.bar[bar].whole + place_on(k, sys), 0.0
    for i in range(first, first + count):
        total += sys.bar[i].whole
        if i < bar:
            before += sys.bar[i].whole
    return total - before if cable.reversed == 1 else before


@kernel
def moor_floaters(sys):
    """Pull of all cables on floaters."""
    for end in range(2 * sys.cables):
        h = hub_of_end(end, sys)
        if h >= 0 and is_afloat(h, sys) and is_attached(end, sys):
            force = scale(1.0 if end % 2 == 0 else -1.0, sys.joint_load[joint_of_end(end, sys)].force)
            arm = matvec(rotation(sys.hub_state[h].turn), sys.end[end].lever)
            moor_floater(sys.afloat[h].floater, force, cross(arm, force), sys)


@kernel
def settle_contacts(sys):
    """Forces of the bed on all bar ends in a step that is solved, where they are read from: the normal force is the
    mean of that step and the one before. Returns the energy in the bed."""
    elastic = 0.0
    for c in range(sys.cables):
        first = sys.cable[c].first
        for bar in range(first, first + sys.cable[c].count):
            for side in range(2):
                kept, before = sys.touch[2 * bar + side], sys.contact[2 * bar + side].normal_force
                normal, friction, damping, _ = contact_force(bar, side, sys)
                if sys.scheme.half > 0.0 and sys.scheme.fresh < 0.5:
                    normal = 0.5 * (normal + max(0.0, before))
                    if kept.active < 0.5:
                        body = sys.bar_state[bar]
                        o = 0.5 * sys.bar[bar].length * (1.0 if side == 1 else -1.0)
                        place = add_scaled(body.position, o, axis_of(rotation(body.turn)))
                        kept.normal = bed_normal(place, sys.reals)
                kept.normal_force, kept.friction = normal, friction
                if normal > 0.0:
                    elastic += (normal - damping) ** 2 / (2.0 * sys.bar[bar].bed_stiffness)
    return elastic


@kernel
def settle_joints(sys):
    """Multipliers of all joints at the beginning of a second-order step that is solved: the mean of that step and the
    one before, unless it is the first; and their dampers as they are then. A joint that only pulls stores no push: the
    rest is its damper's, as in `loosening.book_push`, and what a loose one stores is that of the step."""
    old = 0.0 if sys.scheme.fresh > 0.5 else 0.5
    for c in range(sys.cables):
        first, count = sys.cable[c].first, sys.cable[c].count
        for i in range(count + 1):
            j = first + c + i
            load, rate, damper, held = sys.joint_load[j], sys.rate[j], sys.damper[j], sys.loose[j]
            damping, pulls = sys.joint[j].damping, only_pulls(j, sys)
            host = sys.bar_state[first + host_of_joint(i, pulls, count)]
            along = held_along(pulls, axis_of(rotation(host.turn)), held)
            stored = positive(dot(along, subtract(load.force, damper.position)))
            load.force = add_scaled(scale(1.0 - old, load.force), old, sys.multipliers[j].force)
            damper.position = scale(damping[0], rate.position)
            if pulls:
                elastic = dot(along, subtract(load.force, damper.position))
                kept = stored if held.loose > 0.5 else positive(elastic)
                damper.position = add_scaled(damper.position, elastic - kept, along)
            if sys.turning > 0:
                load.moment = add_scaled(scale(1.0 - old, load.moment), old, sys.turn_felt[j].moment)
                turned = rate.rotation
                damper.rotation = (damping[1] * turned[0], damping[1] * turned[1], damping[2] * turned[2])


@kernel
def observe(t, u, afloat, rig, whole, was, sys, out):
    """Fill one observation row for the state at t, joints prepared. The state is scratched: it is a copy of that of
    the system `was`."""
    works = works_of(sys.ledger)
    drive_points(t, 1, u, sys)
    if rig is not None:
        drive_winches(t, u, sys)
        take_up_ropes(sys)
    second = sys.scheme.half > 0.0
    sys.scheme.fresh = 1.0 if sys.ledger.steps == 0.0 else 0.0
    if second:
        drift(in_eights(sys), sys)
        if rig is not None:
            grow_winches(sys.scheme.half, sys)
    if rig is not None:
        bend_bars(sys)
    status = solve(t + sys.scheme.half, u, 0, afloat, rig, whole, sys)
    if afloat is not None:
        book_floating(0.0, sys)
    show_points(sys)
    bed = sys.reals[BED_PRESENT] > 0.0
    in_bed = settle_contacts(sys) if bed else 0.0
    if second:
        settle_joints(sys)
        for k in range(sys.bars):
            sys.bar_state[k].position, sys.bar_state[k].turn = was.bar_state[k].position, was.bar_state[k].turn
            sys.bar_state[k].velocity = was.bar_state[k].velocity
        for k in range(sys.hubs):
            sys.hub_state[k].position, sys.hub_state[k].turn = was.hub_state[k].position, was.hub_state[k].turn
    if rig is not None:
        release_bars(sys)
        if second:
            for k in range(sys.winches):
                here, there = sys.winch_state[k], was.winch_state[k]
                here.paid_out, here.first_length, here.debt = there.paid_out, there.first_length, there.debt
                unfold_winch(k, True, sys)
        shorten_bars(sys)
    if second and bed:
        in_bed = bed_stored(sys)
    rule = sys.tuning == RULE
    elastic, tension_max = in_bed, -math.inf
    at = 0
    for c in range(sys.cables):
        cable = sys.cable[c]
        first, count = cable.first, cable.count
        reverse = cable.reversed == 1
        allotted = cable.allotted_count
        unused = first - cable.allotted_first
        before = allotted - count - unused if reverse else unused
        at = put_no_nodes(out, at, before)
        for node in range(count + 1):
            i = count - node if reverse else node
            j = first + c + i
            force, moment = sys.joint_load[j].force, sys.joint_load[j].moment
            place, velocity, axis, gap = node_values(c, i, sys)
            if i == 0 or i == count:
                end_index = 2 * c if i == 0 else 2 * c + 1
                attached = is_attached(end_index, sys)
                rotary = is_clamped(end_index, sys)
            else:
                attached = True
                rotary = cable.rotary == 1
            tension, shear, bending, torsion = 0.0, 0.0, 0.0, 0.0
            if attached:
                tension = dot(force, axis)
                if only_pulls(j, sys):
                    tension = max(0.0, tension)
                across = add_scaled(force, -tension, axis)
                shear = math.sqrt(dot(across, across))
                elastic += joint_energy(j, rotary, rule, gap, rig, sys)
                if rotary:
                    moment = transposed_matvec(turn_of_first(sys.relative[j].turn), moment)
                    bending = math.sqrt(moment[0] ** 2 + moment[1] ** 2)
                    torsion = moment[2]
            push = ZERO3
            if bed:
                for side in range(2):
                    bar = i - 1 if side == 0 else i
                    if bar < 0 or bar >= count:
                        continue
                    kept = sys.touch[2 * (first + bar) + 1 - side]
                    push = add(push, add_scaled(kept.friction, kept.normal_force, kept.normal))
            if not tension <= tension_max:
                tension_max = tension
            bar = sys.bar[first + bar_of_joint(i, count)]
            stiffness = sys.joint[j].stiffness[0]
            if rule and not abs(tension) < STRAIN_LIMIT * stiffness * bar.length:
                status = STRAIN
            at = put_node(out, at, place, velocity, tension, shear, bending, torsion, push)
        at = put_no_nodes(out, at, allotted - count - before)

    for c in range(sys.cables):
        cable = sys.cable[c]
        first, count = cable.first, cable.count
        start = scale(sys.attached[2 * c].joined, sys.joint_load[first + c].force)
        end = scale(-sys.attached[2 * c + 1].joined, sys.joint_load[first + c + count].force)
        reverse = cable.reversed == 1
        at = put_ends(out, at, end if reverse else start, start if reverse else end)
    at = put_points(out, at, sys.named, point_state, sys)

    kinetic, gravity = 0.0, 0.0
    for c in range(sys.cables):
        first = sys.cable[c].first
        for i in range(first, first + sys.cable[c].count):
            k, g = bar_energies(t, i, sys)
            kinetic += k
            gravity += g
    if sys.hubs > 0:
        k, g = hub_energies(t, afloat, sys)
        kinetic += k
        gravity += g
    if afloat is not None and sys.floaters > 0:
        k, g, stored = floater_energies(sys.hub_state, sys)
        kinetic += k
        gravity += g
        elastic += stored
    totals = at = put_totals(out, at, kinetic, gravity, elastic, works, tension_max)
    if rig is not None:
        for k in range(sys.winches):
            at = put_two(out, at, sys.winch_state[k].paid_out, sys.winch_rate[k].driven)
        for k in range(sys.sliders):
            at = put_two(out, at, ring_place(k, sys), sys.ring_state[k].press)
    for k in range(sys.named - sys.bodies, sys.named):
        at = put_angles(out, at, rotation(body_turn(k, sys)))
    if sys.standing_hubs > 0:
        at = put_landings(out, at, totals, sys.named, standing_hub, reaction_on, sys.standing.start, sys)
    if afloat is not None and sys.floaters > 0:
        at = put_floaters(out, at, sys, sys)
        moor_floaters(sys)
        put_floater_forces(out, at, sys)
    return status
