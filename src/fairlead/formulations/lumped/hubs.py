"""Free points and free bodies (hubs) where cable ends meet: a small block system over what the cables leave behind.

A cable leaves at its joined ends S and E the rows  D_S a_S + Nᵀ a_E = r_S,  N a_S + D_E a_E = r_E.  With a = J q + k of
either end (q the accelerations of its hub, k what is known) they become rows of the hubs: JᵀD J, Jᵀ(r − D k − …).
"""

from __future__ import annotations

from fairlead.algebra import block_cholesky
from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import all_lanes, pick, placed
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add, add_scaled, dot, matvec, subtract, symvec, transpose, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_loads
from fairlead.rigging.cummins import book_floaters, is_afloat, load_floaters, take_rates
from fairlead.rigging.frames import lever_columns
from fairlead.rigging.hybrids import hybrid_push
from fairlead.rigging.point_loads import about_centre, load_at, take_loads
from fairlead.rigging.standing import press_hub

from .bending import general
from .ends import ZERO3, is_attached, known_acceleration, middle_motion
from .hub_rows import add_force, add_product
from .joined import join_bodies
from .rods import is_rod, load_frame, load_rods, rods_power
from .schema import HUB_PLAN
from .scheme import drag_share
from .assembly import ZERO9
from .sweep import assemble_and_eliminate, carries, substitute

SINGULAR = 2


@kernel
def begin(t, u, sys):
    """Fill the hub system with each hub's own inertia and loads."""
    for k in range(sys.matrix_numbers):
        sys.matrix[k].number = 0.0
    b = sys.hub_size
    power = 0.0
    for h in range(sys.hubs):
        hub, balance, block = sys.hub_state[h], sys.balance[h], b * b * h
        balance.force, balance.torque = ZERO3, ZERO3
        if is_afloat(h, sys):
            continue
        R = rotation(hub.turn)
        velocity, spin = middle_motion(h, sys)
        if sys.rods > 0 and is_rod(h, sys):
            load_frame(h, sys)
            load_rods(t, h, R, sys)
            power += rods_power(t, h, velocity, spin, sys)
            if sys.standing_hubs > 0:
                stand(t, h, R, sys)
            continue
        mass, drag, inertia, damping, force, torque, given = rigid_body_loads(
            t, hub.position, R, velocity, spin, sys.reals, row_start(sys.hub[h], sys.reals)
        )
        power += given
        # drag is that of the velocities at the beginning, and of what they gain by its time into the step
        gain, turning = transposed_matvec(R, subtract(velocity, hub.velocity)), subtract(spin, hub.spin)
        force = add(force, matvec(R, (drag[0] * gain[0], drag[1] * gain[1], drag[2] * gain[2])))
        torque = add(torque, (damping[0] * turning[0], damping[1] * turning[1], damping[2] * turning[2]))
        for k in range(3):  # R diag(m) Rᵀ
            m = mass[k] + drag_share(drag[k], mass[k], sys.scheme) * drag[k]
            for i in range(3):
                for j in range(i + 1):
                    sys.matrix[block + b * i + j].number += m * R[3 * i + k] * R[3 * j + k]
            if b == 6:
                sys.matrix[block + 7 * (3 + k)].number += (
                    inertia[k] + drag_share(damping[k], inertia[k], sys.scheme) * damping[k]
                )
        balance.force, balance.torque = force, torque
        if sys.rods > 0 and sys.rod_of[h].count > 0:
            load_rods(t, h, R, sys)
            power += rods_power(t, h, velocity, spin, sys)
        if sys.standing_hubs > 0:
            stand(t, h, R, sys)
    if not in_waves(sys):
        sys.ledger.drag += sys.scheme.book * power
    power = 0.0
    if sys.floaters > 0:
        float_hubs(t, sys)
    take_loads(u, sys)
    for i in range(sys.loads):
        h, live = sys.load[i].hub, sys.live[i]
        balance = sys.balance[h]
        live.acting, torque = load_at(t, sys.load[i], sys.push[i], live, sys.sample.start, sys.reals)
        balance.force = add(balance.force, live.acting)
        if b == 6:
            live.turning = about_centre(live.acting, torque, sys.push[i].offset, rotation(sys.hub_state[h].turn))
            balance.torque = add(balance.torque, live.turning)
    for i in range(sys.hybrids):
        power += drive_hybrid(i, sys)
    sys.ledger.drives += sys.scheme.book * power


@kernel
def float_hubs(t, sys):
    """Add the floaters by coefficients, which have drifted to where the equations of the step are taken."""
    load_floaters(t, 0.0, sys.hub_state, sys.matrix.start, sys)
    for k in range(sys.floaters):
        balance, now = sys.balance[sys.floater[k].hub], sys.hull_now[k]
        balance.force, balance.torque = add(balance.force, now.force), add(balance.torque, now.torque)


@kernel
def book_floating(book, works, sys):
    """Work on floaters in a step that is solved, into those of the system `works`; `book` makes a power a work."""
    if sys.floaters > 0:
        for k in range(sys.floaters):
            balance, now = sys.balance[sys.floater[k].hub], sys.hull_now[k]
            now.acceleration, now.spin_rate = balance.acceleration, balance.spin_rate
        take_rates(sys)
        book_floaters(book, works, sys)


@kernel
def in_waves(sys):
    """Whether the water's work on hubs is that of a step in waves, which `book_water` books after the solve."""
    return sys.sea.stirred > 0.0 and sys.scheme.step > 0.0


@kernel
def book_water(t, sys):
    """Work of waves on all hubs with their velocities in the middle of the step, in which they stand.

    The push of waves goes with the acceleration a: taken along the velocity of the start it would lack ½h F·a a second,
    for ever. Drag alone, −c v·a, comes back with the next swing.
    """
    if in_waves(sys):
        half, power = 0.5 * sys.scheme.step, 0.0
        for h in range(sys.hubs):
            if is_afloat(h, sys):
                continue
            hub, balance, spin = sys.hub_state[h], sys.balance[h], sys.hub_state[h].spin
            if sys.hub_size == 6:
                spin = add_scaled(spin, half, balance.spin_rate)
            if sys.rods > 0 and sys.rod_of[h].count > 0:
                power += rods_power(t, h, add_scaled(hub.velocity, half, balance.acceleration), spin, sys)
                if is_rod(h, sys):
                    continue
            _, _, _, _, _, _, given = rigid_body_loads(
                t, hub.position, rotation(hub.turn), add_scaled(hub.velocity, half, balance.acceleration), spin,
                sys.reals, row_start(sys.hub[h], sys.reals),
            )  # fmt: skip
            power += given
        sys.ledger.drag += sys.scheme.book * power


@kernel
def stand(t, h, R, sys):
    """Add the feet of hub h that press on the seabed: a matrix and a force at the end of a lever each."""
    for k in range(int(sys.hub[h].feet)):
        active, lever, matrix, force = press_hub(t, k, h, R, sys)
        if active:
            columns = lever_columns(R, transposed_matvec(R, lever))
            add_product(h, columns, general(matrix), columns, True, False, sys)
            add_force(h, columns, force, sys)


@kernel
def load_power(sys):
    """Power of all loads along the mean velocities of the step, after the solve [W]."""
    power, half = 0.0, 0.5 * sys.scheme.step
    for i in range(sys.loads):
        hub, balance, live = sys.hub_state[sys.load[i].hub], sys.balance[sys.load[i].hub], sys.live[i]
        power += dot(live.acting, add_scaled(hub.velocity, half, balance.acceleration))
        if sys.hub_size == 6:
            power += dot(live.turning, add_scaled(hub.spin, half, balance.spin_rate))
    return power


@kernel
def drive_hybrid(i, sys):
    """Add the force that drives hybrid point i, by the pulls of its cables; its power."""
    h, b, most = sys.hybrid[i].hub, sys.hub_size, 0.0
    for end in range(2 * sys.cables):
        if sys.joint[end].hub == h:  # a released end pulls with nothing
            most = max(most, sys.hold[end].pull)
    force, weight = hybrid_push(i, most, sys)
    for k in range(3):
        sys.matrix[b * b * h + (b + 1) * k].number += weight
    sys.balance[h].force = add(sys.balance[h].force, force)
    return dot(force, sys.hub_state[h].velocity)


@kernel
def columns_of_end(end, sys):
    """U of a joined end: nine zeros where its hub does not turn it."""
    if sys.hub_size == 3:
        return ZERO9
    return lever_columns(rotation(sys.hub_state[sys.joint[end].hub].turn), sys.end[end].offset)


@kernel
def add_cable(c, start_d, start_r, sys):
    """Add what cable c leaves at its hubs, after its elimination."""
    cable = sys.cable[c]
    last = sys.row[cable.first + c + cable.count]
    start, end = sys.joint[2 * c].hub, sys.joint[2 * c + 1].hub
    held, carried = is_attached(2 * c + 1, sys), carries(c, sys)
    known_s, known_e, coupling = ZERO3, ZERO3, ZERO9
    if carried:
        known_s = known_acceleration(2 * c, sys)
        if held:
            coupling = last.N
            known_e = known_acceleration(2 * c + 1, sys)
        columns = columns_of_end(2 * c, sys)
        force = subtract(start_r, add(symvec(start_d, known_s), transposed_matvec(coupling, known_e)))
        add_force(start, columns, force, sys)
        add_product(start, columns, general(start_d), columns, True, False, sys)
    if end >= 0 and held:
        known_e = known_acceleration(2 * c + 1, sys)
        ahead = columns_of_end(2 * c + 1, sys)
        force = subtract(last.r, add(symvec(last.D, known_e), matvec(coupling, known_s)))
        add_force(end, ahead, force, sys)
        add_product(end, ahead, general(last.D), ahead, True, False, sys)
        if carried:
            columns = columns_of_end(2 * c, sys)
            if start == end:  # a loop on one hub: the coupling and its transpose both fall on the diagonal
                add_product(end, ahead, coupling, columns, True, False, sys)
                add_product(end, columns, transpose(coupling), ahead, True, False, sys)
            elif cable.slot >= 0:
                add_product(cable.slot, ahead, coupling, columns, False, False, sys)
            else:
                add_product(-cable.slot - 1, ahead, coupling, columns, False, True, sys)


@kernel
def solve_hubs(t, sys):
    """Accelerations of the hubs. Returns 0, or 2 when their matrix is not positive definite.

    A row that nothing acts on has a unit diagonal, so that it simply stays at rest.
    """
    b = sys.hub_size
    for h in range(sys.hubs):
        force, torque = sys.balance[h].force, sys.balance[h].torque
        for k in range(b):
            sys.unknown[b * h + k].number = force[k] if k < 3 else torque[k - 3]
            diagonal = sys.matrix[b * b * h + (b + 1) * k]
            if diagonal.number == 0.0:
                diagonal.number = 1.0
                sys.unknown[b * h + k].number = 0.0
    failed = block_cholesky.factor_at(sys.ints, HUB_PLAN, sys.hubs, sys.work, sys.matrix.start, b)
    if failed >= 0:
        sys.fault.time, sys.fault.place = t, failed
        return SINGULAR
    block_cholesky.solve_at(sys.ints, HUB_PLAN, sys.hubs, sys.work, sys.matrix.start, sys.unknown.start, b)
    for h in range(sys.hubs):
        x = sys.unknown.start + b * h
        sys.balance[h].acceleration = (sys.work[x], sys.work[x + 1], sys.work[x + 2])
        if b == 6:
            sys.balance[h].spin_rate = (sys.work[x + 3], sys.work[x + 4], sys.work[x + 5])
    if sys.bonds > 0 and not join_bodies(sys):
        sys.fault.time, sys.fault.place = t, -sys.body_joint[0].child - 1
        return SINGULAR
    return 0


@kernel
def solve_once(t, u, status, guess, sys):
    """All accelerations and end forces at time t with the elements that are taut, as guessed or as they stand.

    Returns the status, 2 where the hub system is not positive definite. Hubs are few, and full of decisions: members of
    a pack take them in turn.
    """
    hubs = sys.hubs > 0
    if hubs:
        for k in range(lane_count(sys)):
            if pick(status, k) == 0:
                begin(t, u, lane_of(sys, k))
    for c in range(sys.cables):
        left = assemble_and_eliminate(c, t, guess, sys)
        if hubs:
            for k in range(lane_count(sys)):
                start_d, start_r = pick(left, k)
                add_cable(c, start_d, start_r, lane_of(sys, k))
    if hubs:
        for k in range(lane_count(sys)):
            if pick(status, k) == 0:
                status = placed(status, k, solve_hubs(t, lane_of(sys, k)))
        if all_lanes(status != 0):
            return status
    for c in range(sys.cables):
        substitute(c, sys)
    return status
