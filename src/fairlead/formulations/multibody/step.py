"""Time: what happens in a step, and many steps in one compiled call.

A step is that of a midpoint rule with the stiff parts taken implicitly. From q₀, v₀ at its start:

1. all is placed at q₀ + ½h v₀ and loaded; tension and its damping are taken at θh into the step, drag and joints'
   springs in its middle, by terms on the diagonal of the elimination; the accelerations a′ come out;
2. the same with the speeds v₀ + ½h a′ in drag and in the terms quadratic in the speeds, giving a; and again, as long
   as elements that only pull are not all taut or slack as was thought;
3. v₁ = v₀ + h a and q₁ = q₀ + ½h (v₀ + v₁); lengths of elements q₁ = q₀ + h((1 − θ) v₀ + θ v₁);
4. the rates of cables are found again from the velocities of their nodes, each of which has gained h a.

It is of second order (with θ = 1, the default, but for the stretching of the cables, which it damps), and no axial
stiffness is too stiff for it. The string stiffness T/ℓ of the cables is resolved for h < 2/ω, ω² = 4T/(mℓ), and damped
beyond.
"""

from __future__ import annotations

from fairlead.algebra.compiled import fold, kernel
from fairlead.algebra.small import add_scaled
from fairlead.rigging.axial import axial_release
from fairlead.rigging.commands import follow_all
from fairlead.rigging.point_loads import take_loads

from .articulated import OK
from .commands import move_bases, rest_bases
from .coordinates import drift, keep_momentum, remember
from .equations import book_powers
from .extremes import note_extremes
from .forces import damper_power, solve
from .joints import at_drum, is_active, length_rate_of, place_all
from .lines import push_all
from .schema import CABLE, ROD
from .standing import book_standing
from .string_stiffness import book_straightening
from .tension import BOTH_WAYS, PASSES, ahead_of, stretch_energy, tension_of, wrongly_taut
from .upkeep import keep_up, note_snaps
from .winch import rate_at


@kernel
def grow(share, sys):
    """Let line enter (or leave) the first elements for a time `share` [s]."""
    for c in range(sys.cables):
        rate = sys.payout[c].rate
        if rate != 0.0:
            sys.line[at_drum(c, sys)].length += share * rate


@kernel
def stretch_on(h, sys):
    """Elements' lengths by θ at the end of the step, and the work of the dampers, that of the step itself included.

    What the tension does not store it has taken: ΔE − T Δℓ; the drum's part of ΔE is booked with its power.
    """
    for j in range(sys.bodies):
        body = sys.body[j]
        if body.kind != CABLE or not is_active(body, sys):
            continue
        q, v, e = body.coordinate + 2, body.speed + 2, body.element
        element = sys.element[e]
        before = sys.start_coordinate[q].value
        ahead = ahead_of(body, sys)
        after = before + (h - ahead) * sys.start_speed[v].value + ahead * sys.speed[v].value
        sys.coordinate[q].value = after
        tension = tension_of(j, sys)
        rate, length = length_rate_of(body, sys), sys.line[e].length
        stored = stretch_energy(after, length, element, sys)
        stored -= stretch_energy(before, length - h * rate, element, sys)
        stretch = (0.5 * (before + after)) / (length - 0.5 * h * rate)
        if rate != 0.0 and (stretch > 1.0 or sys.slack == ROD):
            stored += h * rate * axial_release(sys.law, stretch, element.stiffness)
        sys.ledger.damping += stored - tension * (after - before)


@kernel
def speed_on(time, sys):
    """All speeds a `time` [s] after the start of the step, by the latest accelerations."""
    for k in range(sys.speeds):
        sys.speed[k].value = sys.start_speed[k].value + time * sys.change[k].value


@kernel
def one_step(t, h, u, sys):
    """One step from t, in place. Returns a status."""
    take_loads(u, sys)
    scheme, ledger, power = sys.scheme, sys.ledger, sys.power
    scheme.step, scheme.half, scheme.theta_step = h, 0.5 * h, sys.settings.theta * h
    for k in range(sys.coordinates):
        sys.start_coordinate[k].value = sys.coordinate[k].value
    for k in range(sys.speeds):
        sys.start_speed[k].value = sys.speed[k].value
    rest_bases(sys)
    move_bases(t, u, sys)
    place_all(sys)
    remember(sys)
    for c in range(sys.cables):
        sys.payout[c].rate = rate_at(t + 0.5 * h, c, h, u, sys)
        sys.paid[c].rate = sys.payout[c].rate
    drift(0.5 * h, sys, sys.work, sys.start_speed.start)
    grow(0.5 * h, sys)
    rest_bases(sys)
    follow_all(t, 0.5 * h, u, sys)
    move_bases(t + 0.5 * h, u, sys)
    scheme.predicted, scheme.loosen = 0.0, 0.0
    damped = 0.0
    for turn in range(PASSES):
        if turn > 1 and wrongly_taut(turn > BOTH_WAYS, sys) == 0:
            break
        status = solve(t + 0.5 * h, sys, sys.work, sys.change.start)
        if status != OK:
            sys.fault.time = t
            return status
        scheme.predicted = 1.0
        speed_on(0.5 * h, sys)
        if turn == 0:
            damped = damper_power(sys)
    speed_on(h, sys)
    damped += push_all(sys) + book_straightening(sys)
    note_extremes(t + 0.5 * h, sys)
    note_snaps(t, sys)
    for j in range(sys.bodies):
        old, record = sys.old[j], sys.record[sys.bases + j]
        old.velocity = add_scaled(old.velocity, h, record.acceleration)
        old.spin = add_scaled(old.spin, h, record.alpha)
    damped += book_standing(sys)
    book_powers(t + 0.5 * h, sys)
    ledger.drag += h * power.drag
    ledger.damping += h * damped
    ledger.friction += h * power.friction
    ledger.drives += h * power.drives
    grow(0.5 * h, sys)
    drift(0.5 * h, sys, sys.y, sys.speed.start)
    stretch_on(h, sys)
    follow_all(t + 0.5 * h, 0.5 * h, u, sys)
    move_bases(t + h, u, sys)
    keep_momentum(sys)
    return keep_up(t + h, sys)


@fold
def advance(t, n, h, u, sys):
    """n steps of size h from t, in place. Returns a status."""
    for i in range(n):
        status = one_step(t + i * h, h, u, sys)
        if status != OK:
            return status
    return OK
