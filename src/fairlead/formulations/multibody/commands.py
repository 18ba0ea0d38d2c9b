"""Bases that move as commanded: exactly as the file has it, an input through its filter (see `rigging.commands`)."""

from __future__ import annotations

from fairlead.algebra.angles import from_angles, spin_of_angles, spin_rate_of_angles
from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import ZERO3, add, matvec
from fairlead.loads.signals import is_filtered
from fairlead.rigging.commands import command_of, filter_accelerations, off_file
from fairlead.rigging.point_loads import take_loads


@kernel
def rest_bases(sys):
    """Bases where they are, at rest."""
    for b in range(sys.bases):
        record = sys.record[b]
        record.rotation, record.position = sys.base[b].rotation, sys.base[b].position
        record.velocity, record.spin, record.acceleration, record.alpha = ZERO3, ZERO3, ZERO3, ZERO3


@kernel
def command_rate(t, k, u, sys):
    """Acceleration of command k at t: ω²(goal − x) − √2 ω ẋ, or that of the file's motion, any difference fading so."""
    control, command, state = sys.control[k], sys.command[k], sys.controls[k]
    if is_filtered(k, control.kind, u):
        return filter_accelerations(command_of(t, k, u, sys), state.position, state.velocity, command.cutoff, 0.0)
    z, dz, _, _, a = off_file(t, control, command, state, sys.sample.start, sys.reals)
    return add(a, filter_accelerations(ZERO3, z, dz, command.cutoff, 0.0))


@kernel
def move_bases(t, u, sys):
    """Put the moved bases where their commands have them at t; angles are roll, pitch and yaw."""
    for i in range(sys.moved_bases):
        moved = sys.moved[i]
        base, place = sys.record[moved.base], sys.controls[moved.position]
        base.position, base.velocity = place.position, place.velocity
        base.acceleration = command_rate(t, moved.position, u, sys)
        if moved.angles >= 0:
            angles, rates = sys.controls[moved.angles].position, sys.controls[moved.angles].velocity
            R = rotation(from_angles(angles))
            base.rotation, base.spin = R, matvec(R, spin_of_angles(angles, rates))
            turning = command_rate(t, moved.angles, u, sys)
            base.alpha = matvec(R, spin_rate_of_angles(angles, rates, turning))


@kernel
def hold_moment(t, u, sys):
    """Bases where they are at t, loads as they are set, and a scheme without a step."""
    take_loads(u, sys)
    scheme = sys.scheme
    scheme.step, scheme.half, scheme.theta_step, scheme.predicted, scheme.loosen = 0.0, 0.0, 0.0, 0.0, 0.0
    rest_bases(sys)
    move_bases(t, u, sys)
