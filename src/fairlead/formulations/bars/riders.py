"""What an eliminated cable leaves at its hubs: an effective joint at each, and the coupling between them.

A cable that ends in a hub gives it an effective joint; a cable between two hubs also couples them, and so does one that
a ring slides on: the hub at its start and the rings on it are its *riders*, carried through its bars.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, dot, matmul, matvec, scale, transpose, transposed_matvec

from .element import axis_of, offset_torque
from .elimination import accelerations, isotropic, kept_spin, lever_torque
from .ends import hub_lever
from .hub_system import add_effective_joint, add_to_rhs, couple, entry
from .joint import turn_of_first, turn_of_second
from .loosening import acts_at, held_across, is_loose, normal_part, position_gain
from .slider import ROWS
from .sweep import ZERO3, ZERO9, boarding, carried_column
from .topology import is_attached, is_clamped


@kernel
def hub_turn(end, turn, sys):
    """T·Fᵀ: rotation rows of a clamp in terms of the hub's own angular acceleration."""
    return matmul(turn, transpose(rotation(sys.end[end].frame)))


@kernel
def add_cable(c, e_pp, e_pr, e_rr, beta_p, beta_r, rig, whole, sys):
    """Add what cable c leaves at its hubs, after its forward sweep: rotation rows in the axes of the clamp."""
    cable = sys.cable[c]
    first = cable.first
    start, end = cable.start_hub, cable.end_hub
    if end >= 0 and is_attached(2 * c + 1, sys):
        rotary = is_clamped(2 * c + 1, sys)
        turn = transpose(rotation(sys.end[2 * c + 1].frame))
        lever = hub_lever(2 * c + 1, sys)
        add_effective_joint(end, e_pp, e_pr, e_rr, lever, turn, rotary, sys)
        add_to_rhs(end, -1.0, beta_p, lever, transposed_matvec(turn, beta_r) if rotary else ZERO3, sys)
    if start >= 0 and is_attached(2 * c, sys):
        j = first + c
        row = sys.row[j].gdk
        rotary = is_clamped(2 * c, sys)
        turn = hub_turn(2 * c, turn_of_first(sys.relative[j].turn), sys)
        lever = hub_lever(2 * c, sys)
        g = position_gain(j, sys)
        stiff, turning = isotropic(g), (row[3], 0.0, 0.0, row[3], 0.0, row[6])
        if is_loose(j, sys):
            stiff = held_across(g, axis_of(rotation(sys.bar_state[first].turn)))
        add_effective_joint(start, stiff, ZERO9, turning, lever, turn, rotary, sys)
        moment = transposed_matvec(turn, sys.bias[j].rotation) if rotary else ZERO3
        add_to_rhs(start, 1.0, sys.bias[j].position, lever, moment, sys)
    riders = cable.riders
    for r in range(riders, riders + cable.rider_count):
        carry(c, r, rig, whole, sys)


@kernel
def board_hub(c, base, sys):
    """N of the first bar for the hub at the cable's start: J₀ᵀ G J_S, torques about the bar's far point."""
    first = sys.cable[c].first
    j = first + c
    row, relative = sys.row[j].gdk, sys.relative[j].turn
    rotary = is_clamped(2 * c, sys)
    turn = hub_turn(2 * c, turn_of_first(relative), sys)
    lever = hub_lever(2 * c, sys)
    R = rotation(sys.bar_state[first].turn)
    half = 0.5 * sys.bar[first].length
    lever_near = acts_at(j, -half, sys) - acts_at(j + 1, half, sys)
    loose = is_loose(j, sys)
    for k in range(6):
        spin = ZERO3
        moved = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        if k >= 3:
            moved = (lever[k - 3], lever[k], lever[k + 3])
            if rotary:
                spin = (row[3] * turn[k - 3], row[3] * turn[k], row[6] * turn[k + 3])
        if loose:
            moved = normal_part(moved, axis_of(R))
        keep_column(base + k, position_gain(j, sys), moved, spin, rotary, relative, lever_near, R, sys)


@kernel
def board_ring(ring, hub, base, bar, sys):
    """N of the bar a ring is on, and what the ring's rows put on its hub: three moves, and the length of the bar in the
    row of the first turn. See `slider`."""
    R, kept = rotation(sys.bar_state[bar].turn), sys.ring_rows[ring]
    one, two, axis, reach = (R[0], R[3], R[6]), (R[1], R[4], R[7]), axis_of(R), sys.bar[bar].length
    bent = kept.bent > 0.5
    for k in range(6):
        put_column(base + k, ZERO3, ZERO3, sys)
    if bent:
        put_column(base + 3, kept.force, kept.torque, sys)
        sys.matrix[entry(hub, 3, 3)].value += kept.own
        sys.work[sys.hub_rhs.start + 6 * hub + 3] += kept.rhs
    for m in range(ROWS * ring, ROWS * ring + ROWS):
        row = sys.ring_row[m]
        both, turn = add(row.near, row.far), lever_torque(reach, one, two, row.near)
        by = (both[0], both[1], both[2], dot(row.near, axis) if bent else 0.0)
        for k in range(4):
            force, torque = carried_column(base + k, sys)
            force, torque = add_scaled(force, row.g * by[k], both), add_scaled(torque, -row.g * by[k], turn)
            put_column(base + k, force, torque, sys)
            sys.work[sys.hub_rhs.start + 6 * hub + k] -= row.bias * by[k]
            for n in range(k, 4):
                sys.matrix[entry(hub, n, k)].value += row.g * by[n] * by[k]


@kernel
def couple_length(ring, bar, block, slot, first, sys):
    """Couple the length of a bar that a ring bends with another rider, whose force on the bar's near end is that of its
    columns from `block` on. `first` says whether that rider is the earlier one of the pair."""
    if sys.ring_rows[ring].bent < 0.5:
        return
    axis = axis_of(rotation(sys.bar_state[bar].turn))
    for m in range(6):
        force, _ = carried_column(block + m, sys)
        if first:
            couple(slot, m, 3, -dot(axis, force), sys)
        else:
            couple(slot, 3, m, -dot(axis, force), sys)


@kernel
def carry(c, rider, rig, whole, sys):
    """Carry the coupling to a rider (the hub at the cable's start, or a ring) through the bars behind it.

    N_i (6×6) is the force on bar i, with its torque about the far point, for a unit acceleration of the rider's hub;
    behind the bar where it boards, N_{i+1} = J_Bᵀ G J_A D_i⁻¹ N_i. The hub's own block loses Σ Nᵀ D⁻¹ N, its block with
    a rider that boarded before Σ N_qᵀ D⁻¹ N, its right-hand side gains Σ Nᵀ D⁻¹ r. The blocks are the same wherever a
    ring is.
    """
    cable, record = sys.cable[c], sys.rider[rider]
    first, count = cable.first, cable.count
    hub, ring = record.hub, record.slider
    end = cable.end_hub
    base = 36 * record.carried
    rotary_cable = cable.rotary == 1
    boards = boarding(rider, first, sys)
    if ring < 0:
        board_hub(c, base, sys)
    elif rig is not None:
        board_ring(ring, hub, base + 36 * boards, first + boards, sys)
    lever = ZERO9
    if end >= 0:
        lever = hub_lever(2 * c + 1, sys)
    R = rotation(sys.bar_state[first + boards].turn)
    lever_near = 0.0
    for i in range(boards, count):
        block = base + 36 * i
        kept = sys.factor[first + i]
        axis = axis_of(R)
        j = first + c + i + 1
        loose = is_loose(j, sys)
        own, own_turn = accelerations(whole, kept, kept.force, ZERO3, kept_spin(whole, kept))
        if rig is not None:
            for before in range(cable.riders, rider):
                slot, at = sys.pair[record.pairs + before - cable.riders].slot, boarding(before, first, sys)
                earlier = sys.rider[before]
                if ring >= 0 and i == boards and i >= at:
                    couple_length(ring, first + i, 36 * (earlier.carried + i), slot, True, sys)
                elif earlier.slider >= 0 and i == at and i > boards:
                    couple_length(earlier.slider, first + i, block, slot, False, sys)
        last = i + 1 == count
        row, g = sys.row[j].gdk, position_gain(j, sys)
        rotary = is_clamped(2 * c + 1, sys) if last else rotary_cable
        relative = sys.relative[j].turn
        turn1 = turn_of_first(relative)
        if not last:
            R = rotation(sys.bar_state[first + i + 1].turn)
            half = 0.5 * sys.bar[first + i + 1].length
            lever_near = -half - acts_at(j + 1, half, sys)
        for k in range(6):
            force, torque = carried_column(block + k, sys)
            moved, angular = accelerations(whole, kept, force, torque, ZERO3)
            sys.work[sys.hub_rhs.start + 6 * hub + k] += dot(own, force) + dot(own_turn, torque)
            for m in range(k, 6):
                sys.matrix[entry(hub, m, k)].value -= shared(block, m, moved, angular, sys)
            for before in range(cable.riders, rider):
                if i >= boarding(before, first, sys):
                    slot = sys.pair[record.pairs + before - cable.riders].slot
                    other = 36 * (sys.rider[before].carried + i)
                    for m in range(6):
                        couple(slot, m, k, shared(other, m, moved, angular, sys), sys)
            if loose:
                moved = normal_part(moved, axis)
            spin = ZERO3
            if rotary:
                turned = matvec(turn1, angular)
                spin = (row[3] * turned[0], row[3] * turned[1], row[6] * turned[2])
            if not last:
                keep_column(block + 36 + k, g, moved, spin, rotary, relative, lever_near, R, sys)
            elif end >= 0:
                force = scale(g, moved)
                moment = transposed_matvec(lever, force)
                if rotary:
                    turn = hub_turn(2 * c + 1, turn_of_second(relative), sys)
                    moment = add(moment, transposed_matvec(turn, spin))
                for m in range(6):
                    value = force[m] if m < 3 else moment[m - 3]
                    if hub == end:  # a loop on one hub: the coupling and its transpose both fall on the diagonal
                        low, high = (m, k) if m > k else (k, m)
                        sys.matrix[entry(hub, low, high)].value -= value if m != k else 2.0 * value
                    else:
                        couple(record.slot, m, k, value, sys)


@kernel
def shared(block, m, linear, angular, sys):
    """Column m of a kept N times an acceleration of its bar."""
    force, torque = carried_column(block + m, sys)
    s = 0.0
    for r in range(3):
        s += force[r] * linear[r] + torque[r] * angular[r]
    return s


@kernel
def put_column(at, force, torque, sys):
    """Write a column of N."""
    for r in range(3):
        sys.carry[at + 6 * r].value = force[r]
        sys.carry[at + 6 * (3 + r)].value = torque[r]


@kernel
def keep_column(at, g, moved, spin, rotary, relative, lever, R, sys):
    """One column of N, from `at` on, of a bar joined behind at a `lever` from its far point: J_Bᵀ (G moved, spin)."""
    force = (g * moved[0], g * moved[1], g * moved[2])
    torque = offset_torque(lever, R, force)
    if rotary:
        torque = add(torque, transposed_matvec(turn_of_second(relative), spin))
    put_column(at, force, torque, sys)
