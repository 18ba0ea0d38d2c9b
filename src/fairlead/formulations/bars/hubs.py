"""Free points, rings and bodies (hubs) where cable ends meet: their own inertia and loads.

What the cables add to them is that of `riders`, the system they are solved by that of `hub_system`.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import row_start
from fairlead.algebra.small import add_scaled, dot, matvec, transposed_matvec
from fairlead.loads.rigid_body import rigid_body_loads
from fairlead.rigging.cummins import is_afloat
from fairlead.rigging.frames import lever_columns
from fairlead.rigging.hybrids import hybrid_push
from fairlead.rigging.standing import press_hub

from .coefficients import drag_share
from .floating import float_hubs
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
    half = sys.scheme.half
    for h in range(sys.hubs):
        body, felt = sys.hub_state[h], sys.hub_felt[h]
        if afloat is not None and is_afloat(h, sys):
            continue
        R = rotation(body.turn)
        mass, drag, inertia, damping, force, torque, power = rigid_body_loads(
            t, body.position, R, add_scaled(body.velocity, half, felt.linear),
            add_scaled(body.spin, half, felt.angular), sys.reals, row_start(sys.hub[h], sys.reals),
        )  # fmt: skip
        if half > 0.0:  # dampers act on the motion at the start of the step, by what they are in its middle
            gained, turned = transposed_matvec(R, felt.linear), felt.angular
            braked = (drag[0] * gained[0], drag[1] * gained[1], drag[2] * gained[2])
            force = add_scaled(force, half, matvec(R, braked))
            torque = add_scaled(torque, half, (damping[0] * turned[0], damping[1] * turned[1], damping[2] * turned[2]))
        sys.ledger.drag += sys.scheme.book * power
        for k in range(3):
            for m in range(k + 1):
                s = 0.0
                for n in range(3):
                    s += R[3 * k + n] * (mass[n] + drag_time(drag[n], mass[n], sys) * drag[n]) * R[3 * m + n]
                sys.matrix[entry(h, k, m)].value += s
            slowed = drag_time(damping[k], inertia[k], sys) * damping[k]
            sys.matrix[entry(h, 3 + k, 3 + k)].value += inertia[k] + slowed
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
        felt = sys.hub_felt[h]
        power = dot(force, add_scaled(body.velocity, half, felt.linear))
        power += dot(torque, add_scaled(body.spin, half, felt.angular))
        sys.ledger.drives += sys.scheme.book * power
    for i in range(sys.hybrids):
        drive_hybrid(i, sys)


@inlined
def drag_time(c, mass, sys):
    """Time into the step at which drag with the secant c on a mass is taken."""
    return drag_share(c, mass, sys) if sys.scheme.half > 0.0 else sys.scheme.drag


@kernel
def stand(t, h, R, sys):
    """Add the feet of hub h that press on the seabed: a matrix and a force at the end of a lever each."""
    for k in range(int(sys.hub[h].feet)):
        active, lever, matrix, force = press_hub(t, k, h, R, sys)
        if active:
            columns = lever_columns(R, transposed_matvec(R, lever))
            add_effective_joint(h, matrix, ZERO9, ZERO6, columns, ZERO9, False, sys)
            add_to_rhs(h, 1.0, force, columns, ZERO3, sys)


@kernel
def hybrid_force(i, sys):
    """`hybrid_push` on hybrid point i by the end forces of its cables in the step before; in the second-order step by
    what they will be at the end of the step if they go on as they did, since a limit that lags feeds the motion."""
    most = 0.0
    for end in range(2 * sys.cables):
        if hub_of_end(end, sys) == sys.hybrid[i].hub and is_attached(end, sys):
            j = joint_of_end(end, sys)
            force, earlier = sys.multipliers[j].force, sys.joint_felt[j].tension
            pull = math.sqrt(dot(force, force))
            if sys.scheme.half > 0.0 and earlier > 0.0:
                pull += max(-0.5 * pull, min(0.5 * pull, 1.5 * (pull - earlier)))
            most = max(most, pull)
    return hybrid_push(i, most, sys)


@kernel
def drive_hybrid(i, sys):
    """Add the force that drives hybrid point i."""
    force, weight = hybrid_force(i, sys)
    h = sys.hybrid[i].hub
    for k in range(3):
        sys.matrix[entry(h, k, k)].value += weight
    press(h, 1.0, force, ZERO3, sys)
    velocity = add_scaled(sys.hub_state[h].velocity, sys.scheme.half, sys.hub_felt[h].linear)
    sys.ledger.drives += sys.scheme.book * dot(force, velocity)
