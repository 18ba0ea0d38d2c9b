"""The energy-momentum midpoint rule on the reduced state: large steps that keep what is stored and given in balance.

M(ż₁ − ż₀)/h = F and (ż₀ + ż₁)/2 = (z₁ − z₀)/h. The mean of s_a at the two ends of the step, the pull λ_a, acts on the
gradient in the mean state, which makes the change of U = ½Σs_a² exact since s_a is quadratic; bending is linear; the
twist's gradient is corrected along the step (Gonzalez). Momentum is that of the q-rows of M ż, so that accelerations of
the ends are never needed. What is left is K equations, whatever the number of elements.

Coordinates and pulls are sought together. Among the coordinates mass, bending and the first pulls are diagonal, so that
all that is left to be factored is p × p, once a step; what the pulls differ from the first ones acts on the right-hand
side alone. Where that does not converge in a few iterations, and in water, whose matrix is full, the whole is factored.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.frame_twist import FLAT
from fairlead.algebra.small import dot
from fairlead.rigging.commands import follow_all
from fairlead.rigging.point_loads import load_of

from .forms import factor, gradients, substitute
from .runs import clear, copy, gain, gain_columns, gain_vector, product, vector_product
from .schema import FIXED
from .sea_loads import water_energies, water_rows
from .twist import begin_twist, by_frame, by_state, frame_of, move_frame, still_torque, twist_step

OK, RANGE, NEWTON, FRAME_LOST = 0, 1, 2, 3
MOST_ITERATIONS = 40
FEW = 6
"""Iterations after which the whole matrix is factored."""
CLOSE = 1e-8
"""m: what may be left of the last move, as the last two tell."""
TURNED = 1e-5
"""m: moves that no longer change the gradient of the twist."""
CALM = 0.05
"""Damping time of the stretching in steps. Tensions that change faster than the steps would ring from one to the next
for ever; so they fade within some ten steps, and slower ones do not feel it. It is booked with the damping."""
FAR = 1e3
"""m: no coordinate moves so far in a step."""


@kernel
def fill(coordinate, ends, last, sys, to):
    """(q, ends, last) of y into work from `to`."""
    y, work = sys.y, sys.work
    k, m = sys.modes, sys.state
    copy(work, to, y, coordinate, k)
    copy(work, to + k, y, ends, m - k - 1)
    work[to + m - 1] = last


@kernel
def load_rows(t, force, sys):
    """Add the loads on free points by z to work from `force`."""
    reals, work = sys.reals, sys.work
    m = sys.state
    for k in range(sys.loads):
        push, _ = load_of(t, k, sys)
        gain_vector(work, force, push, reals, sys.push_row.start + 3 * m * k, m)


@kernel
def begin(t, h, sys):
    """What steps of size h from the state at t start from: its gradients, frames, energies in water, fixed matrices."""
    work = sys.work
    k, p, m = sys.modes, sys.tensions, sys.state
    fill(sys.coordinate.start, sys.ends.start, 1.0, sys, sys.new.start)
    fill(sys.rate.start, sys.end_rate.start, 0.0, sys, sys.old_rate.start)
    gradients(sys.new.start, sys.gradient.start, sys.strain.start, sys)
    for j in range(sys.twists):
        frame_of(sys.new.start, j, sys)
    if sys.water == 1:
        sys.wet_energy.moving, sys.wet_energy.lifted = water_energies(t, sys.new.start, sys.old_rate.start, sys)
    for i in range(k):
        base = 2.0 / (h * h) * sys.mass[i * m + i].value + 0.5 * sys.stiffness[i * m + i].value
        sys.base[i].value = base
        sys.inverse[i].value = 1.0 / (base + sys.damping[i * m + i].value / h)
    for a in range(p):
        for b in range(p):
            ease = sys.tension_damping[a * p + b].value / h + (CALM if a == b else 0.0)
            sys.ease[a * p + b].value = ease
            sys.schur[a * p + b].value = ease + (0.5 if a == b else 0.0)
    well = factor(p, sys.schur.start, work)
    for b in range(p):
        clear(work, sys.change.start, p)
        sys.change[b].value = 1.0
        substitute(p, sys.schur.start, sys.change.start, work)
        for a in range(p):
            sys.law[a * p + b].value = sys.change[a].value
    return well


@kernel
def first_guess(t, h, u, sys):
    """The step's start: old state, the ends where they are driven to, coordinates as they would go on; what of the
    balance does not change in the step."""
    reals, y, work = sys.reals, sys.y, sys.work
    k, p, m = sys.modes, sys.tensions, sys.state
    old, new, rate, move = sys.old, sys.new, sys.old_rate, sys.move
    copy(work, old.start, work, new.start, m)
    copy(work, sys.old_gradient.start, work, sys.gradient.start, p * m)
    copy(work, sys.old_strain.start, work, sys.strain.start, p)
    copy(work, sys.pull.start, y, sys.tension.start, p)
    for i in range(k):
        grown = 2.0 * sys.acceleration[i].value - sys.acceleration_before[i].value
        move[i].value = h * (rate[i].value + 0.5 * h * grown)
    for e in range(sys.held):
        control = sys.end[e].control
        for i in range(3):
            at = k + 3 * e + i
            move[at].value = 0.0 if control == FIXED else sys.controls[control].position[i] - old[at].value
    move[m - 1].value = 0.0
    for i in range(m):
        new[i].value = old[i].value + move[i].value
    for i in range(k, m):
        sys.mean[i].value = old[i].value + 0.5 * move[i].value
        sys.inertia[i].value = 2.0 / h * (move[i].value / h - rate[i].value)
    ends, mean, inertia = m - k, sys.mean.start + k, sys.inertia.start + k
    clear(work, sys.force.start, m)
    load_rows(t + 0.5 * h, sys.force.start, sys)
    for i in range(k):
        row = sys.mass.start + i * m
        total = 2.0 / h * reals[row + i] * (old[i].value / h + rate[i].value)
        total -= product(reals, row + k, work, inertia, ends - 1)
        row = sys.stiffness.start + i * m
        total -= 0.5 * reals[row + i] * old[i].value + product(reals, row + k, work, mean, ends)
        sys.constant[i].value = total - sys.weight[i].value + sys.force[i].value
    begin_rows(sys)
    for j in range(sys.twists):
        begin_twist(t, h, j, u, sys)


@kernel
def begin_rows(sys):
    """Gradients and strains of the guess: those of the old state and what the move adds."""
    reals, work = sys.reals, sys.work
    k, p, m = sys.modes, sys.tensions, sys.state
    now, was = sys.gradient.start, sys.old_gradient.start
    gain_columns(work, now, work, sys.move.start, m - 1, reals, sys.form.start, p * m)
    for a in range(p):
        grown = product(work, was + a * m, work, sys.move.start, m - 1)
        grown += product(work, now + a * m, work, sys.move.start, m - 1)
        sys.strain[a].value = sys.old_strain[a].value + 0.5 * grown
        copy(work, sys.old_rows.start + a * k, work, was + a * m, k)
        copy(work, sys.rows.start + a * k, work, now + a * m, k)


@kernel
def whole_matrix(h, sys):
    """The matrix of a step with the present pulls, (K, K); the water's part is in `matrix` already."""
    reals, work = sys.reals, sys.work
    k, p, m = sys.modes, sys.tensions, sys.state
    for i in range(k):
        row = sys.matrix.start + i * k
        work[row + i] += sys.base[i].value
        if sys.damped == 1:
            gain(work, row, 1.0 / h, reals, sys.damping.start + i * m, k)
        for a in range(p):
            excess = sys.pull[a].value - sys.first_pull[a].value
            gain(work, row, 0.5 * excess, reals, sys.square.start + i * p * k + a * k, k)
    return factor(k, sys.matrix.start, work)


@kernel
def soften(whole, at, sys):
    """Forces on the coordinates (K) in work become moves."""
    work = sys.work
    k = sys.modes
    if whole:
        substitute(k, sys.matrix.start, at, work)
    else:
        for i in range(k):
            work[at + i] *= sys.inverse[i].value


@kernel
def factor_pulls(whole, sys):
    """W⁻¹ of the mean gradients into `soft`, and the factors of what the pulls themselves obey, (p, p)."""
    work = sys.work
    k, p = sys.modes, sys.tensions
    soft, rows = sys.soft.start, sys.rows.start
    copy(work, soft, work, sys.mean_rows.start, p * k)
    for a in range(p):
        soften(whole, soft + a * k, sys)
    for a in range(p):
        for b in range(p):
            at = a * p + b
            sys.schur[at].value = sys.law[at].value + product(work, rows + a * k, work, soft + b * k, k)
    return factor(p, sys.schur.start, work)


@kernel
def correct(whole, sys):
    """One correction of coordinates and pulls from the forces left over in `rhs`. Returns the largest move."""
    reals, work = sys.reals, sys.work
    k, p = sys.modes, sys.tensions
    rhs, rows, mean = sys.rhs.start, sys.rows.start, sys.mean_rows.start
    strain, was, change = sys.strain, sys.old_strain, sys.change
    soften(whole, rhs, sys)
    for a in range(p):  # by how far the pulls are not those of the strains
        grown = 0.5 * (strain[a].value + was[a].value) - sys.pull[a].value
        for b in range(p):
            grown += sys.ease[a * p + b].value * (strain[b].value - was[b].value)
        sys.mean_rows[a].value = grown  # the mean gradients are no longer needed
    for a in range(p):
        own = product(work, sys.law.start + a * p, work, mean, p)
        change[a].value = own + product(work, rows + a * k, work, rhs, k)
    substitute(p, sys.schur.start, change.start, work)
    for a in range(p):
        sys.pull[a].value += change[a].value
        gain(work, rhs, -change[a].value, work, sys.soft.start + a * k, k)
    most = 0.0
    for i in range(k):
        d = sys.rhs[i].value
        sys.new[i].value += d
        sys.move[i].value += d
        most = max(most, abs(d))
        if not abs(d) < FAR:
            return FAR
    copy(work, mean, work, rows, p * k)
    gain_columns(work, rows, work, rhs, k, reals, sys.square.start, p * k)
    for a in range(p):
        grown = product(work, rows + a * k, work, rhs, k) + product(work, mean + a * k, work, rhs, k)
        strain[a].value += 0.5 * grown
    return most


@kernel
def means(h, sys):
    """Mean places, speeds and accelerations of the step."""
    for i in range(sys.state):
        moved = sys.move[i].value
        speed = moved / h
        sys.mean[i].value = sys.old[i].value + 0.5 * moved
        sys.speed[i].value = speed
        sys.inertia[i].value = 2.0 * (speed - sys.old_rate[i].value) / h


@kernel
def balance(h, sys):
    """Forces left over on the coordinates, less water and twist, into `rhs`; the mean gradients into `mean_rows`."""
    reals, work = sys.reals, sys.work
    k, p, m = sys.modes, sys.tensions, sys.state
    rhs, mean = sys.rhs.start, sys.mean_rows.start
    for i in range(p * k):
        sys.mean_rows[i].value = 0.5 * (sys.old_rows[i].value + sys.rows[i].value)
    for i in range(k):
        sys.rhs[i].value = sys.constant[i].value - sys.base[i].value * sys.new[i].value
    for a in range(p):
        gain(work, rhs, sys.first_pull[a].value - sys.pull[a].value, work, mean + a * k, k)
    if sys.damped == 1:
        for i in range(k):
            sys.rhs[i].value -= product(reals, sys.damping.start + i * m, work, sys.move.start, m) / h


@kernel
def solve_step(t, h, sys):
    """Coordinates and pulls at the end of the step. Returns a status and the power of the water."""
    work = sys.work
    k = sys.modes
    water, twists = sys.water == 1, sys.twists
    whole, power = water, 0.0
    latest, move = 1e300, 1e300
    for iteration in range(MOST_ITERATIONS):
        fresh = iteration == 0 or iteration >= FEW
        whole = water or iteration >= FEW
        balance(h, sys)
        if whole and fresh:
            clear(work, sys.matrix.start, k * k)
        for j in range(twists):
            if move > TURNED and not twist_step(h, j, sys) > FLAT:
                return FRAME_LOST, 0.0
            gain(work, sys.rhs.start, -sys.twist[j].torque, work, sys.by_state.start + sys.state * j, k)
        if water:
            means(h, sys)
            clear(work, sys.force.start, sys.state)
            power = water_rows(
                t + 0.5 * h, sys.mean.start, sys.speed.start, sys.inertia.start, h, sys.force.start, fresh, sys
            )
            gain(work, sys.rhs.start, 1.0, work, sys.force.start, k)
        if fresh:
            if whole and not whole_matrix(h, sys):
                return NEWTON, 0.0
            if not factor_pulls(whole, sys):
                return NEWTON, 0.0
        latest = move
        move = correct(whole, sys)
        if not move < FAR:
            return NEWTON, 0.0
        for j in range(twists):
            move_frame(j, sys.rhs.start, k, sys)
        if move < CLOSE or (iteration > 0 and move * move < CLOSE * latest):
            return OK, power
    return NEWTON, 0.0


@kernel
def support_work(t, h, sys):
    """Force of the supports on the cables by the ends' places over the step into y, and its work with the ends.

    `force` holds the water's forces, `gradient` the new gradients.
    """
    reals, y, work = sys.reals, sys.y, sys.work
    k, p, m = sys.modes, sys.tensions, sys.state
    done = 0.0
    for j in range(sys.twists):
        by_state(j, k, m - 1 - k, sys)
    if sys.water == 0:
        clear(work, sys.force.start, m)
    load_rows(t + 0.5 * h, sys.force.start, sys)
    for i in range(k, m - 1):
        total = sys.weight[i].value - sys.force[i].value
        total += product(reals, sys.mass.start + i * m, work, sys.inertia.start, m)
        total += product(reals, sys.stiffness.start + i * m, work, sys.mean.start, m)
        if sys.damped == 1:
            total += product(reals, sys.damping.start + i * m, work, sys.speed.start, m)
        for a in range(p):
            excess = sys.pull[a].value - sys.first_pull[a].value
            at = a * m + i
            total += 0.5 * excess * (sys.old_gradient[at].value + sys.gradient[at].value)
        for j in range(sys.twists):
            total += sys.twist[j].torque * sys.by_state[m * j + i].value
        y[sys.reaction.start + i - k] = total
        done += total * sys.move[i].value
    return done


@kernel
def lost_work(h, sys):
    """Work of internal damping over the step [J]."""
    reals, work = sys.reals, sys.work
    p, m = sys.tensions, sys.state
    lost = 0.0
    for a in range(p):
        grown = sys.strain[a].value - sys.old_strain[a].value
        for b in range(p):
            ease = sys.ease[a * p + b].value
            lost -= ease * grown * (sys.strain[b].value - sys.old_strain[b].value)
    if sys.damped == 1:
        for i in range(m):
            row = product(reals, sys.damping.start + i * m, work, sys.speed.start, m)
            lost -= h * row * sys.speed[i].value
    for j in range(sys.twists):
        torsion, swift = sys.torsion[j], sys.twist[j].swift
        lost -= h * torsion.time * swift * swift / torsion.compliance
    return lost


@kernel
def given_work(t, h, sys):
    """Work of turned ends and of loads on points over the step [J]; torques into y."""
    reals, work = sys.reals, sys.work
    m = sys.state
    given = 0.0
    for j in range(sys.twists):
        twist = sys.twist[j]
        given += twist.torque * (twist.new_angle - twist.old_angle)
        sys.torque[j].value = twist.torque
    for j in range(sys.loads):
        moved = vector_product(reals, sys.push_row.start + 3 * m * j, work, sys.move.start, m)
        push, _ = load_of(t + 0.5 * h, j, sys)
        given += dot(push, moved)
    return given


@kernel
def midpoint_step(t, h, u, sys):
    """One step from t, in place; `new`, `old_rate`, `gradient`, `strain` and the old frames are those of the state."""
    y, work = sys.y, sys.work
    k, p = sys.modes, sys.tensions
    follow_all(t, h, u, sys)
    first_guess(t, h, u, sys)
    status, power = solve_step(t, h, sys)
    if status != OK:
        return status
    means(h, sys)
    gradients(sys.new.start, sys.gradient.start, sys.strain.start, sys)
    ledger, wet = sys.ledger, sys.wet_energy
    ledger.drives += support_work(t, h, sys) + given_work(t, h, sys)
    ledger.damping += lost_work(h, sys)
    for i in range(k):
        sys.acceleration_before[i].value = sys.acceleration[i].value
        sys.acceleration[i].value = sys.inertia[i].value
    for i in range(sys.state - 1):
        sys.old_rate[i].value = 2.0 * sys.speed[i].value - sys.old_rate[i].value
    copy(y, sys.coordinate.start, work, sys.new.start, k)
    copy(y, sys.rate.start, work, sys.old_rate.start, k)
    copy(y, sys.ends.start, work, sys.new.start + k, 3 * sys.held)
    copy(y, sys.end_rate.start, work, sys.old_rate.start + k, 3 * sys.held)
    copy(y, sys.tension.start, work, sys.pull.start, p)
    for j in range(sys.twists):
        frame_of(sys.new.start, j, sys)
    if sys.water == 1:  # what the water did, less what it keeps as energy of added mass and buoyancy
        moving, lifted = water_energies(t + h, sys.new.start, sys.old_rate.start, sys)
        ledger.drag += h * power + (moving - wet.moving) + (lifted - wet.lifted)
        wet.moving, wet.lifted = moving, lifted
    return OK


@kernel
def still_state(sys):
    """The state at rest: no speeds and accelerations in work, and the pulls of its strains in y."""
    y, work = sys.y, sys.work
    clear(work, sys.speed.start, sys.state)
    clear(work, sys.inertia.start, sys.state)
    copy(y, sys.tension.start, work, sys.strain.start, sys.tensions)


@kernel
def moving_state(sys, out):
    """Speeds and accelerations of the state into work, the latter with those of the ends in `out`."""
    y, work = sys.y, sys.work
    k, m = sys.modes, sys.state
    fill(sys.rate.start, sys.end_rate.start, 0.0, sys, sys.speed.start)
    copy(work, sys.inertia.start, y, sys.acceleration.start, k)
    copy(work, sys.inertia.start + k, out, k, m - k - 1)
    sys.inertia[m - 1].value = 0.0


@kernel
def force_rows(t, u, moving, sys, out):
    """Forces left over by all of z (m) at t into `out`. Returns a status.

    Of the state at rest, whose pulls and torques go to y; or, `moving`, of the state as it moves, with the pulls in y
    and the accelerations of the ends in their places of `out`.
    """
    reals, work = sys.reals, sys.work
    p, m = sys.tensions, sys.state
    z, speed, inertia = sys.new.start, sys.speed.start, sys.inertia.start
    fill(sys.coordinate.start, sys.ends.start, 1.0, sys, z)
    gradients(z, sys.gradient.start, sys.strain.start, sys)
    if moving:
        moving_state(sys, out)
    else:
        still_state(sys)
    clear(work, sys.move.start, m)
    clear(work, sys.force.start, m)
    load_rows(t, sys.force.start, sys)
    if sys.water == 1:
        water_rows(t, z, speed, inertia, 1.0, sys.force.start, False, sys)
    for i in range(m):
        total = sys.force[i].value - sys.weight[i].value
        total -= product(reals, sys.stiffness.start + i * m, work, z, m)
        total -= product(reals, sys.mass.start + i * m, work, inertia, m)
        if sys.damped == 1:
            total -= product(reals, sys.damping.start + i * m, work, speed, m)
        for a in range(p):
            excess = sys.tension[a].value - sys.first_pull[a].value
            total -= excess * sys.gradient[a * m + i].value
        out[i] = total
    for j in range(sys.twists):
        torque, nearest = still_torque(t, j, u, sys)
        if not nearest > FLAT:
            return FRAME_LOST
        by_frame(j, 0.0, sys)
        by_state(j, 0, m - 1, sys)
        sys.torque[j].value = torque
        for i in range(m - 1):
            out[i] -= torque * sys.by_state[m * j + i].value
    return OK
