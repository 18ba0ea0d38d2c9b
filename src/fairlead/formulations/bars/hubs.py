"""Free points, rings and bodies (hubs) where cable ends meet: their own inertia and loads.

What the cables add to them is that of `riders`, the system they are solved by that of `hub_system`.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add_scaled, cross, dot, matvec, positive, scale, subtract, symvec, transposed_matvec
from fairlead.loads.landing import press_foot
from fairlead.loads.rigid_body import rigid_body_loads

from .ends import lever_columns
from .floating import float_hubs, is_afloat
from .hub_system import add_effective_joint, add_to_rhs, entry, press
from .signals import load_on_hub
from .sweep import ZERO3, ZERO6, ZERO9
from .topology import hub_of_end, is_attached, joint_of_end


@kernel
def begin(t, u, afloat, sys):
    """Fill the hub system with each hub's own inertia and loads."""
    for k in range(36 * sys.slots):
        sys.matrix[k].value = 0.0
    for h in range(sys.hubs):
        sys.hub_rhs[h].linear, sys.hub_rhs[h].angular = ZERO3, ZERO3
    h_drag = sys.scheme.drag
    for h in range(sys.hubs):
        body = sys.hub_state[h]
        if afloat is not None and is_afloat(h, sys):
            continue
        R = rotation(body.turn)
        mass, drag, inertia, damping, force, torque, power = rigid_body_loads(
            t, body.position, R, body.velocity, body.spin, sys.reals, row_start(sys.hub[h], sys.reals)
        )
        sys.ledger.drag += sys.scheme.book * power
        for k in range(3):
            for m in range(k + 1):
                s = 0.0
                for n in range(3):
                    s += R[3 * k + n] * (mass[n] + h_drag * drag[n]) * R[3 * m + n]
                sys.matrix[entry(h, k, m)].value += s
            sys.matrix[entry(h, 3 + k, 3 + k)].value += inertia[k] + h_drag * damping[k]
        press(h, 1.0, force, torque, sys)
        if sys.standing_hubs > 0:
            stand(t, h, R, sys)
    if afloat is not None:
        float_hubs(sys)
    for i in range(sys.loads):
        h = sys.load[i].hub
        body = sys.hub_state[h]
        force, torque = load_on_hub(t, i, u, rotation(body.turn), sys)
        press(h, 1.0, force, torque, sys)
        power = dot(force, body.velocity) + dot(torque, body.spin)
        sys.ledger.drives += sys.scheme.book * power
    for i in range(sys.hybrids):
        drive_hybrid(i, sys)


@kernel
def stand(t, h, R, sys):
    """Add the feet of hub h that press on the seabed: a matrix and a force at the end of a lever each."""
    body, hub, scheme = sys.hub_state[h], sys.hub[h], sys.scheme
    w = matvec(R, body.spin)
    for k in range(int(hub.feet)):
        active, lever, matrix, force = press_foot(
            t, k, body.position, R, body.velocity, w, sys.reals, row_start(hub, sys.reals), sys.y,
            row_start(sys.standing[h], sys.y), scheme.step, scheme.g_per_c, scheme.g_per_k, scheme.d_per_k, sys.work,
            row_start(sys.feet[h], sys.work),
        )  # fmt: skip
        if active:
            columns = lever_columns(transposed_matvec(R, lever), R)
            swing = symvec(matrix, cross(w, cross(w, lever)))
            add_effective_joint(h, matrix, ZERO9, ZERO6, columns, ZERO9, False, sys)
            add_to_rhs(h, 1.0, subtract(force, swing), columns, ZERO3, sys)


@kernel
def hybrid_limit(i, sys):
    """Largest force that may drive hybrid point i: F_max (1 − (T/T_max)²), T the largest end force of its cables."""
    drive, h = sys.drive[i], sys.hybrid[i].hub
    most = 0.0
    for end in range(2 * sys.cables):
        if hub_of_end(end, sys) == h and is_attached(end, sys):
            pull = sys.multipliers[joint_of_end(end, sys)].force
            if dot(pull, pull) > most:
                most = dot(pull, pull)
    return positive(drive.force_max * (1.0 - most / (drive.tension_max * drive.tension_max)))


@kernel
def drive_hybrid(i, sys):
    """The force that drives hybrid point i: F = k(x_c − x) + d(v_c − v), |F| ≤ F_max (1 − (T/T_max)²).

    T is the largest end force of its cables in the previous step. Within its limit the force is taken implicitly.
    """
    drive, h, goal = sys.drive[i], sys.hybrid[i].hub, sys.plan[sys.hybrid[i].control]
    body = sys.hub_state[h]
    limit = hybrid_limit(i, sys)
    if limit <= 0.0:
        return
    step = sys.scheme.step
    gain = drive.damping + step * drive.stiffness
    ahead = add_scaled(goal.velocity, step, goal.acceleration)  # where the command will be
    miss = subtract(add_scaled(goal.position, step, ahead), body.position)
    late = subtract(ahead, body.velocity)
    force = add_scaled(scale(drive.stiffness, add_scaled(miss, -step, body.velocity)), drive.damping, late)
    size = math.sqrt(dot(force, force))
    if size > limit:
        force, gain = scale(limit / size, force), 0.0
    for k in range(3):
        sys.matrix[entry(h, k, k)].value += step * gain
    press(h, 1.0, force, ZERO3, sys)
    sys.ledger.drives += sys.scheme.book * dot(force, body.velocity)
