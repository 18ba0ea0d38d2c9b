"""A rigid body that hangs in the far end of a chain: its place is the chain's, its turn its own (see `hung_body`)."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation, turned
from fairlead.algebra.records import row_start
from fairlead.algebra.small import ZERO3, add_scaled, cross, dot, matvec, subtract, transposed_matvec
from fairlead.loads.hung_body import hang, hung_accelerations
from fairlead.rigging.point_loads import thrust


@kernel
def centre_of(b, place, velocity, R, w, sys):
    """Place and velocity of the centre of mass of body b, whose cable ends at `place` and goes with `velocity`."""
    o = sys.hung[b].offset
    return subtract(place, matvec(R, o)), subtract(velocity, matvec(R, cross(w, o)))


@kernel
def named_state(k, sys):
    """Place and velocity of the k-th of all points and bodies, of these that of the centre of mass."""
    which = sys.named_as[k].which
    if which >= 0:
        return sys.plan[which].position, sys.plan[which].velocity
    node = -which - 1
    place, velocity = sys.motion[node].position, sys.motion[node].velocity
    body = sys.sitting[node].body
    if body > -2:
        return place, velocity
    state = sys.body_state[-2 - body]
    return centre_of(-2 - body, place, velocity, rotation(state.turn), state.spin, sys)


@kernel
def hang_body(t, b, node, sys):
    """Inertia (6) and force (3) of body b on the node it hangs from.

    Loads are those of the middle velocities. Drag is implicit: over the whole step where these are still those of its
    beginning, over half of it where they hold the accelerations found before.
    """
    step, state, motion, found = sys.step, sys.body_state[b], sys.motion[node], sys.found[b]
    R, w, h, before, spin_before = rotation(state.turn), state.spin, step.size, ZERO3, ZERO3
    if step.later > 0.0:
        before, spin_before = found.acceleration, found.spin
        w, h = add_scaled(w, step.later, spin_before), step.later
    centre, velocity = centre_of(b, motion.position, motion.middle, R, w, sys)
    force, torque = thrust(t, -2 - b, R, sys)
    matrix, pull, power = hang(
        t, centre, R, velocity, w, force, torque, h, before, spin_before, sys.reals, row_start(sys.hung[b], sys.reals),
        sys.work, row_start(sys.hung_kept[b], sys.work),
    )  # fmt: skip
    sys.ledger.drag += step.book * power
    sys.ledger.drives += step.book * (dot(force, velocity) + dot(torque, w))
    return matrix, pull


@kernel
def find_body(b, node, sys):
    """Keep the accelerations of body b, from that of the node it hangs from."""
    state, found = sys.body_state[b], sys.found[b]
    R, w = rotation(state.turn), state.spin
    if sys.step.later > 0.0:
        w = add_scaled(w, sys.step.later, found.spin)
    a, spin = hung_accelerations(
        sys.motion[node].acceleration, R, w, sys.reals, row_start(sys.hung[b], sys.reals), sys.work,
        row_start(sys.hung_kept[b], sys.work),
    )  # fmt: skip
    found.acceleration, found.spin = transposed_matvec(R, a), spin


@kernel
def drift_bodies(h, sys):
    """Every hanging body turns with its spin for a time h."""
    for b in range(sys.hung_bodies):
        state = sys.body_state[b]
        w = state.spin
        state.turn = turned(state.turn, h * w[0], h * w[1], h * w[2])


@kernel
def kick_bodies(h, sys):
    """Spins of the hanging bodies after the step."""
    for b in range(sys.hung_bodies):
        sys.body_state[b].spin = add_scaled(sys.body_state[b].spin, h, sys.found[b].spin)
