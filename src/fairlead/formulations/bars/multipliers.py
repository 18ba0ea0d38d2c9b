"""What the sweep keeps of a joint on its way forward; its multiplier and the work of its damper on the way back."""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import any_lane, where
from fairlead.algebra.small import ZERO3, add, add_scaled

from .schema import RULE


@inlined
def is_damped(j, rig, sys):
    """Whether the damper of joint j has a work to be booked; with winches (`rig`) its row may change any time."""
    if rig is not None:
        return True
    c = sys.joint[j].damping
    return sys.tuning != RULE or any_lane(c[0] + c[1] + c[2] > 0.0)


@inlined
def keep_rates(j, rig, rate_p, known_p, rate_r, known_r, sys):
    """Store Ċ and, for the time being, the known part of C̈ of a joint whose damper works."""
    if is_damped(j, rig, sys):
        sys.rate[j].position, sys.rate[j].rotation = rate_p, rate_r
        sys.damper[j].position, sys.damper[j].rotation = known_p, known_r


@inlined
def keep_multiplier(j, rig, whole, g, row, bias, linear, angular, loose, caught, sys):
    """λ = G·(J a) + β of a joint with the `bias` β and the gain g of its position rows; the work of its damper is
    booked. C̈ is kept for the next step, but for that of a joint that is `loose` or `caught`."""
    load = sys.joint_load[j]
    load.force = add_scaled(bias.position, g, linear)
    if whole is not None:
        m = bias.rotation
        load.moment = (m[0] + row[3] * angular[0], m[1] + row[3] * angular[1], m[2] + row[6] * angular[2])
    if sys.scheme.half > 0.0:
        sys.parting[j].position = where(loose | caught, ZERO3, add(linear, bias.known))
        if whole is not None:
            sys.parting[j].rotation = add(angular, bias.turning)
    if is_damped(j, rig, sys):
        book_damper(j, g, caught, sys.row[j].gdk, linear, angular, sys)


@inlined
def damped_ahead(caught, g, d, k, sys):
    """When in the step the damper of a row with the gains g, d and k is taken [s]."""
    if sys.tuning != RULE:
        return 0.0 * d
    if sys.scheme.half == 0.0:
        return sys.scheme.theta * sys.scheme.step + 0.0 * d
    share = (g - sys.scheme.joint_g * k) / where(d > 0.0, d, 1.0)
    return where(caught, sys.scheme.step, share)


@kernel
def book_damper(j, g, caught, row, linear, angular, sys):
    """Damping force of a joint, and the work it does in the step.

    The damping force is c·Ċ where the rule takes it, and D·Ċ at the beginning of the step under the paper's tunings;
    its work is taken along the mean rate of the step. A joint that was let go has no row any more, and no damper.
    """
    rate, damper, c = sys.rate[j], sys.damper[j], sys.joint[j].damping
    rule = sys.tuning == RULE
    h, axial_ahead = sys.scheme.step, damped_ahead(caught, g, row[1], row[2], sys)
    bent, wrung = damped_ahead(False, row[3], row[4], row[5], sys), damped_ahead(False, row[6], row[7], row[8], sys)
    axial = where(rule & (row[1] != 0.0), c[0], row[1])
    bend = where(rule & (row[4] != 0.0), c[1], row[4])
    twist = where(rule & (row[7] != 0.0), c[2], row[7])
    damper.position, lost = damped_rows(
        (axial, axial, axial), linear, rate.position, damper.position, (axial_ahead, axial_ahead, axial_ahead), h
    )
    damper.rotation, more = damped_rows(
        (bend, bend, twist), angular, rate.rotation, damper.rotation, (bent, bent, wrung), h
    )
    sys.ledger.damping -= sys.scheme.book * (lost + more)


@kernel
def damped_rows(c, unknown, rate, known, ahead, h):
    """Damping forces of three rows, and the power that is lost in them."""
    x, lost_x = damped_row(c[0], unknown[0] + known[0], rate[0], ahead[0], h)
    y, lost_y = damped_row(c[1], unknown[1] + known[1], rate[1], ahead[1], h)
    z, lost_z = damped_row(c[2], unknown[2] + known[2], rate[2], ahead[2], h)
    return (x, y, z), lost_x + lost_y + lost_z


@kernel
def damped_row(c, acceleration, rate, ahead, h):
    """The same of one row."""
    force = c * (rate + ahead * acceleration)
    return force, force * (rate + 0.5 * h * acceleration)


@kernel
def clear_dampers(sys):
    """No force of dampers where none works, whatever worked there before."""
    for j in range(sys.joints):
        if not is_damped(j, None, sys):
            sys.damper[j].position, sys.damper[j].rotation = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
