"""Rings that slide along a cable: the sliding end of a cable (Eq. 18–21 of the paper).

A ring is a hub. A line bends over a loaded ring, and a straight bar cannot: it would leave a potential well at each of
its ends. So the element with a ring on it is two pieces of line, from its ends P and Q to the ring, together as long as
the element. Its bar is the chord PQ; it shortens as the ring bends the line, and its length c is one unknown more,
which stands in the row of the hub's first turn (a ring has none). With d₁ = ring − P and d₂ = ring − Q all forces of
the ring are rows

    λ = g (j₁·d̈₁ + j₂·d̈₂) + β,     d̈₁ = a_ring − a_P,   d̈₂ = a_ring − a_Q .

The pull T of the line is the row of |d₁| + |d₂| − L, taken at the end of the step, with the string stiffness T/|d| of
either piece across it. It only pulls, which is decided in the passes of `solving`. Friction is a row of ½(|d₁| − |d₂|),
and so is, with one of the pieces, a stop at an end of the host. Where
the host has bending stiffness, two rows across the chord resist the kink. Two rings on one bar leave it straight: rows
across hold them on it. The page `docs/theory/points_sliding_winches` derives all this.

Friction is elastic stick–slip with memory, as on the seabed: a spring along the line from where the ring stuck last,
capped at μ times the force on the ring of the previous step. (The paper's regularised Coulomb friction creeps.) The
memory is the slip itself, so that it goes along when the ring passes from one bar to the next. The spring is no stiffer
than m/h²: a ring that comes to rest overshoots by up to h²F/m in its last step, and the spring must still hold it
there, or it slips back and forth for ever.

Which bar a ring is on is part of the state. Passing on needs no new order of elimination: the ring is *carried* (see
`riders`) through all bars behind the one it is on, whichever that is.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.small import add, add_scaled, cross, dot, scale, subtract

from .coefficients import late_row
from .element import axis_of, axis_rate, centripetal
from .topology import hub_of_end

ZERO3 = (0.0, 0.0, 0.0)
ROWS = 10
"""Rows of a ring: pull, friction or stop, string stiffness of either piece (two each), across the chord (two), weight
of the pieces (two)."""
PULL, RUB, BEHIND, AHEAD, ACROSS, WEIGHT = 0, 1, 2, 4, 6, 8
NEAREST = 0.02
"""Part of its element's length below which a piece of line has the direction of the force in it, not its own."""
TRIES, LED, AGAIN = 8.0, 0.003, 1e-6
"""Passes in which rows may be taken anew; how far off, as part of its length, a piece of line may be led; what such a
ring counts among joints that are wrong."""
SHORTEST = 0.05
"""Part of its length that a bar is never shortened below."""
FIRM = 1e3
"""How many times as stiff as the element the row of the pull is; the joints have the element's stretch already."""
REPAID = 0.25
"""Part of what a bar that a ring has left is still shortened by that it gets back in a step."""


@kernel
def is_shared(k, sys):
    """Whether another ring is on the same bar as ring k: such a bar stays straight."""
    shared = False
    for other in range(sys.sliders):
        shared = shared or (other != k and sys.ring_state[other].on_bar == sys.ring_state[k].on_bar)
    return shared


@kernel
def ends_of(i, rate, sys):
    """Places, velocities and known accelerations of the two ends of bar i, which grows at a rate [m/s]."""
    body = sys.bar_state[i]
    R, w, half = rotation(body.turn), body.spin, 0.5 * sys.bar[i].length
    axis, tilt, swing = axis_of(R), axis_rate(R, w), centripetal(1.0, R, w)
    along, known = add_scaled(scale(half, tilt), 0.5 * rate, axis), add_scaled(scale(half, swing), rate, tilt)
    v = body.velocity
    return (
        add_scaled(body.position, -half, axis), subtract(v, along), scale(-1.0, known),
        add_scaled(body.position, half, axis), add(v, along), known,
    )  # fmt: skip


@kernel
def size(v):
    """Length of a vector."""
    return math.sqrt(dot(v, v))


@kernel
def direction(d, length, least, instead, axis, sign):
    """Unit vector along d; where d is shorter than `least` along `instead`, or the axis, with a sign."""
    if length > least:
        return scale(1.0 / length, d)
    other = size(instead)
    return scale(sign / other, instead) if other > 0.0 else scale(sign, axis)


@kernel
def normals(u):
    """Two unit vectors across a unit vector."""
    x, y, z = abs(u[0]), abs(u[1]), abs(u[2])
    one = (1.0, 0.0, 0.0)
    if y <= x and y <= z:
        one = (0.0, 1.0, 0.0)
    elif z <= x and z <= y:
        one = (0.0, 0.0, 1.0)
    n = cross(u, one)
    n = scale(1.0 / size(n), n)
    return n, cross(u, n)


@kernel
def friction_spring(k, sys):
    """Stiffness of the spring by which ring k sticks: the host's, at most m/h² with what must move along with the ring.

    That is its own mass and, of each cable that ends in it, what the end of a bar feels across: a quarter of its mass.
    """
    hub = sys.slider[k].ring
    mass = sys.hub[hub].mass
    for end in range(2 * sys.cables):
        if hub_of_end(end, sys) == hub:
            cable = sys.cable[end // 2]
            bar = cable.first + (cable.count - 1 if end % 2 == 1 else 0)
            mass += 0.25 * sys.bar[bar].mass
    return min(sys.ring[k].grip, mass / (sys.scheme.step * sys.scheme.step))


@kernel
def friction_row(k, rate, sys):
    """G and bias of friction, with the `rate` at which ring k runs along the line."""
    slider, state = sys.ring[k], sys.ring_state[k]
    limit = slider.friction * state.press
    if limit <= 0.0:
        return 0.0, 0.0
    g, d, stiffness = late_row(friction_spring(k, sys), 0.0, sys)
    trial = stiffness * (state.slip + sys.scheme.half * rate) + d * rate
    if trial > limit:
        return 0.0, limit
    if trial < -limit:
        return 0.0, -limit
    return g, trial


@kernel
def put_row(k, m, near, far, g, bias, sys):
    """Write row m of ring k."""
    row = sys.ring_row[ROWS * k + m]
    row.near, row.far, row.g, row.bias = near, far, g, bias


@kernel
def put_across(k, m, u, near, far, g, d, stiffness, off, rate, known, sys):
    """Two rows from m on across a direction u, of shares `near` and `far` of both ends, with the offset there, its rate
    and the known part of its acceleration."""
    one, two = normals(u)
    for i in range(2):
        n = one if i == 0 else two
        bias = stiffness * dot(n, off) + d * dot(n, rate) + g * dot(n, known)
        put_row(k, m + i, scale(near, n), scale(far, n), g, bias, sys)


@kernel
def put_string(k, m, near, u, d, length, least, pull, known, sys):
    """String stiffness T/|d| of a piece of line d under a pull, two rows from m on across its direction u; shorter than
    `least` it is a spring that draws it into that direction."""
    stiffness = pull / max(length, least)
    share, off = sys.scheme.g_per_k * stiffness, ZERO3
    if length < least:
        off = d
    put_across(k, m, u, near, 1.0 - near, share, 0.0, stiffness, off, ZERO3, known, sys)


@kernel
def slider_rows(k, i, guess, sys):
    """Write the rows of ring k on element i (sweep order) of its host; in the first pass, which makes a `guess`, about
    where the step leads if nothing accelerates, then about where the pass before has led."""
    c = sys.slider[k].host
    host = sys.cable[c]
    at = host.first + i
    bar, state, kept = sys.bar[at], sys.ring_state[k], sys.ring_rows[k]
    ring = sys.hub_state[sys.slider[k].ring]
    p, vp, ap, q, vq, aq = ends_of(at, -state.rate, sys)
    one, one_rate = subtract(ring.position, p), subtract(ring.velocity, vp)
    two, two_rate = subtract(ring.position, q), subtract(ring.velocity, vq)
    length, least, later, share = bar.whole, NEAREST * bar.whole, sys.scheme.d_per_k, sys.scheme.g_per_k
    axis = axis_of(rotation(sys.bar_state[at].turn))
    for m in range(ROWS):
        put_row(k, m, ZERO3, ZERO3, 0.0, 0.0, sys)
    kept.bent = 0.0 if is_shared(k, sys) else 1.0
    if guess:
        kept.gained_one, kept.gained_two = scale(-1.0, ap), scale(-1.0, aq)
        kept.pull, kept.tries = state.pull, 0.0
    then_one = add_scaled(add_scaled(one, later, one_rate), share, kept.gained_one)
    then_two = add_scaled(add_scaled(two, later, two_rate), share, kept.gained_two)
    kept.then_one, kept.then_two = then_one, then_two
    size_one, size_two = size(then_one), size(then_two)
    if i == 0 and size_two > length:  # led past the end of the host: back the way it came
        size_one = 0.0
    if i + 1 == host.count and size_one > length:
        size_two = 0.0
    u_one = direction(then_one, size_one, least, sys.multipliers[at + c].force, axis, 1.0)
    u_two = direction(then_two, size_two, least, sys.multipliers[at + c + 1].force, axis, -1.0)
    reach_one = size_one if size_one > least else dot(u_one, then_one)
    reach_two = size_two if size_two > least else dot(u_two, then_two)
    if kept.bent < 0.5:
        u_one, u_two = axis, scale(-1.0, axis)
        reach_one = 0.5 * (length + dot(add(then_one, then_two), axis))
        reach_two = length - reach_one

    # friction, or a stop
    now = 0.5 * (size(one) - size(two))
    if kept.bent < 0.5:
        now = 0.5 * dot(add(one, two), axis)
    rate = 0.5 * (dot(u_one, one_rate) - dot(u_two, two_rate))
    kept.before = now - sys.scheme.half * rate
    before, beyond = i == 0 and reach_one < 0.0, i + 1 == host.count and reach_two < 0.0
    if before or beyond:
        g, d, stiffness = late_row(sys.ring[k].grip, 3.0 * sys.scheme.step * sys.ring[k].grip, sys)
        near, far = (u_one, ZERO3) if before else (ZERO3, u_two)
        bias = stiffness * (dot(near, one) + dot(far, two)) + d * (dot(near, one_rate) + dot(far, two_rate))
        put_row(k, RUB, near, far, g, bias, sys)
    else:
        g, bias = friction_row(k, rate, sys)
        put_row(k, RUB, scale(0.5, u_one), scale(-0.5, u_two), g, bias, sys)

    # across the chord: where two rings share it, or it resists bending
    part = min(1.0, max(0.0, 0.5 + now / length))
    stiff = sys.ring[k].across
    if kept.bent > 0.5:
        way = max(part * (1.0 - part), NEAREST)
        stiff = min(stiff, 3.0 * sys.ring[k].bending / (length * length * way * way * way))
    if stiff > 0.0:
        middle = add_scaled(scale(1.0 - part, one), part, two)
        middle_rate = add_scaled(scale(1.0 - part, one_rate), part, two_rate)
        known = scale(-1.0, add_scaled(scale(1.0 - part, ap), part, aq))
        g, d, stiffness = late_row(stiff, 0.0, sys)
        put_across(k, ACROSS, axis, 1.0 - part, part, g, d, stiffness, middle, middle_rate, known, sys)
    if kept.bent < 0.5:
        return

    # weight of the pieces: half of it at the ring, not at the middle of the chord
    weight = 0.5 * (bar.weight - (bar.buoyancy if ring.position[2] < 0.0 else 0.0))
    put_row(k, WEIGHT, (0.0, 0.0, (1.0 - part) * weight), (0.0, 0.0, part * weight), 0.0, 1.0, sys)
    slope = weight * (q[2] - p[2]) / length
    put_row(k, WEIGHT + 1, scale(0.5, u_one), scale(-0.5, u_two), 0.0, -slope, sys)

    # the pull of the line
    kept.excess = reach_one + reach_two - length
    if guess:
        kept.taut = 1.0 if kept.excess > 0.0 or state.pull > 0.0 else 0.0
    known_one = scale(-1.0, add(ap, kept.gained_one))
    known_two = scale(-1.0, add(aq, kept.gained_two))
    if kept.taut > 0.5:
        g, _, stiffness = late_row(FIRM * sys.ring[k].across, 0.0, sys)
        bias = stiffness * kept.excess + g * (dot(u_one, known_one) + dot(u_two, known_two))
        put_row(k, PULL, u_one, u_two, g, bias, sys)
    if kept.pull > 0.0:
        put_string(k, BEHIND, 1.0, u_one, then_one, size_one, least, kept.pull, known_one, sys)
        put_string(k, AHEAD, 0.0, u_two, then_two, size_two, least, kept.pull, known_two, sys)


@kernel
def gained(k, sys):
    """d̈₁ and d̈₂ of ring k after a pass, without what is known of them beforehand."""
    at = int(sys.ring_state[k].on_bar)
    hub, out = sys.hub_rhs[sys.slider[k].ring], sys.acceleration[at]
    R = rotation(sys.bar_state[at].turn)
    along = scale(0.5 * sys.bar[at].length, axis_rate(R, out.angular))
    along = add_scaled(along, 0.5 * shortening(k, sys), axis_of(R))
    return subtract(hub.linear, subtract(out.linear, along)), subtract(hub.linear, add(out.linear, along))


@kernel
def change_rings(sys):
    """After a pass: how many rings it has led elsewhere than it took them to be led, or whose line it has left slack or
    taut wrongly. Their rows are then taken anew."""
    wrong = 0.0
    for k in range(sys.sliders):
        state, kept = sys.ring_state[k], sys.ring_rows[k]
        if kept.bent < 0.5 or kept.tries >= TRIES:
            continue
        one, two = gained(k, sys)
        pull = multiplier(k, PULL, one, two, sys)
        _, _, ap, _, _, aq = ends_of(int(state.on_bar), -state.rate, sys)
        one, two, share = subtract(one, ap), subtract(two, aq), sys.scheme.g_per_k
        off_one = scale(share, subtract(one, kept.gained_one))
        off_two = scale(share, subtract(two, kept.gained_two))
        least = NEAREST * sys.bar[int(state.on_bar)].whole
        led = max(size(off_one) / max(least, size(kept.then_one)), size(off_two) / max(least, size(kept.then_two)))
        excess = size(add(kept.then_one, off_one)) + size(add(kept.then_two, off_two))
        excess -= sys.bar[int(state.on_bar)].whole
        was_taut = kept.taut > 0.5
        changes = (was_taut and pull < 0.0) or (not was_taut and excess > 0.0)
        if changes or (led > LED and was_taut):
            step = 1.0 if kept.tries < 4.0 else 0.5
            kept.gained_one = add_scaled(kept.gained_one, step, subtract(one, kept.gained_one))
            kept.gained_two = add_scaled(kept.gained_two, step, subtract(two, kept.gained_two))
            kept.pull = max(0.0, pull)
            if changes:
                kept.taut = 1.0 - kept.taut
            kept.tries += 1.0
            wrong += AGAIN
    return wrong


@kernel
def multiplier(k, m, one, two, sys):
    """λ of row m of ring k, with the accelerations d̈₁ and d̈₂ that are solved for."""
    row = sys.ring_row[ROWS * k + m]
    return row.g * (dot(row.near, one) + dot(row.far, two)) + row.bias


@kernel
def shortening(k, sys):
    """Acceleration of the length of the bar that ring k is on [m/s²], after the solve."""
    return sys.hub_rhs[sys.slider[k].ring].angular[0] if sys.ring_rows[k].bent > 0.5 else 0.0


@kernel
def growth_of(bar, cable, sys):
    """Acceleration of the length of a bar of a cable, after the solve [m/s²]."""
    for r in range(cable.riders, cable.riders + cable.rider_count):
        ring = sys.rider[r].slider
        if ring >= 0 and int(sys.ring_state[ring].on_bar) == bar:
            return shortening(ring, sys)
    return 0.0


@kernel
def book_sliders(sys):
    """After the solve: the force on every ring is kept for friction, the pull for the string stiffness, and the work of
    friction is booked; the bars that rings are on get their lengths at the end of the step."""
    scheme = sys.scheme
    for k in range(sys.sliders):
        state = sys.ring_state[k]
        at = int(state.on_bar)
        _, vp, _, _, vq, _ = ends_of(at, -state.rate, sys)
        ring, hub, grows = sys.hub_state[sys.slider[k].ring], sys.hub_rhs[sys.slider[k].ring], shortening(k, sys)
        one, two = gained(k, sys)
        force, rubbed = ZERO3, 0.0
        for m in range(ROWS):
            row, pull = sys.ring_row[ROWS * k + m], multiplier(k, m, one, two, sys)
            if m == RUB:
                rubbed = pull
            else:
                force = add_scaled(force, pull, add(row.near, row.far))
            if m == PULL:
                state.pull = max(0.0, pull)
        state.press = size(force)
        row, h = sys.ring_row[ROWS * k + RUB], 0.5 * scheme.step
        mean = dot(row.near, add_scaled(subtract(ring.velocity, vp), h, one))
        mean += dot(row.far, add_scaled(subtract(ring.velocity, vq), h, two))
        sys.ledger.friction -= scheme.book * rubbed * mean
        hub.angular = ZERO3
        state.short += scheme.half * state.rate + scheme.travel * (state.rate - scheme.carried * grows)
        state.rate -= scheme.step * grows
        most = (1.0 - SHORTEST) * sys.bar[at].whole
        if state.short > most:
            state.short, state.rate = most, min(0.0, state.rate)


@kernel
def hold_joints(k, loosens, sys):
    """Joints of the bar that ring k is on: it shortens instead of coming loose, so they push as well; or not."""
    c, at = sys.slider[k].host, int(sys.ring_state[k].on_bar)
    sign = 1.0 if loosens else -1.0
    sys.joint[at + c + 1].one_way = sign * abs(sys.joint[at + c + 1].one_way)
    if at == sys.cable[c].first:
        guided = False
        for w in range(sys.winches):
            guided = guided or (sys.winch[w].cable == c and sys.winch[w].at_end == 0)
        if not guided:
            sys.joint[at + c].one_way = sign * abs(sys.joint[at + c].one_way)


@kernel
def straighten_hosts(sys):
    """All bars of cables with rings at their unstretched lengths, none of their ends sliding, joints as they are."""
    for k in range(sys.sliders):
        c = sys.slider[k].host
        host = sys.cable[c]
        for i in range(host.allotted_first, host.allotted_first + host.allotted_count):
            bar = sys.bar[i]
            bar.length, bar.slide_start, bar.slide_end = bar.whole, 0.0, 0.0
            sys.joint[i + c + 1].one_way = abs(sys.joint[i + c + 1].one_way)
        sys.joint[host.allotted_first + c].one_way = abs(sys.joint[host.allotted_first + c].one_way)


@kernel
def shorten_bars(sys):
    """Bars as long as the rings in this state leave them."""
    for k in range(sys.sliders):
        state, host = sys.ring_state[k], sys.cable[sys.slider[k].host]
        if not host.first <= int(state.left) < host.first + host.count:  # it is on a drum again
            state.left, state.owed = state.on_bar, 0.0
        hold_joints(k, False, sys)
        for i in (int(sys.ring_state[k].on_bar), int(sys.ring_state[k].left)):
            sys.bar[i].length = sys.bar[i].whole
    for k in range(sys.sliders):
        state = sys.ring_state[k]
        sys.bar[int(state.on_bar)].length -= state.short
        sys.bar[int(state.left)].length -= state.owed


@kernel
def slide_ends_of(i, rate, sys):
    """Let both ends of a bar slide inwards, together at this rate."""
    bar = sys.bar[i]
    bar.slide_start += 0.5 * rate
    bar.slide_end -= 0.5 * rate


@kernel
def bend_bars(sys):
    """Before a step is solved: bars are as long as in the middle of the step where it is solved there, and their ends
    slide. A bar that two rings share becomes straight again."""
    h = sys.scheme.step
    shorten_bars(sys)
    for k in range(sys.sliders):
        state, kept = sys.ring_state[k], sys.ring_rows[k]
        kept.repaying = REPAID * state.owed / h if h > 0.0 else 0.0
        if is_shared(k, sys):
            state.rate = -REPAID * state.short / h if h > 0.0 else 0.0
        slide_ends_of(int(state.on_bar), state.rate, sys)
        slide_ends_of(int(state.left), -kept.repaying, sys)
        sys.bar[int(state.on_bar)].length -= sys.scheme.half * state.rate
        sys.bar[int(state.left)].length += sys.scheme.half * kept.repaying


@kernel
def release_bars(sys):
    """The ends of bars with rings slide no more."""
    for k in range(sys.sliders):
        for i in (int(sys.ring_state[k].on_bar), int(sys.ring_state[k].left)):
            sys.bar[i].slide_start = sys.bar[i].slide_end = 0.0


@kernel
def excess_on(k, i, sys):
    """Lengths of the pieces from the ends of bar i to ring k at the end of the step, if nothing accelerates."""
    state, ring = sys.ring_state[k], sys.hub_state[sys.slider[k].ring]
    rate = -state.rate if i == int(state.on_bar) else 0.0
    p, vp, _, q, vq, _ = ends_of(i, rate, sys)
    one = add_scaled(subtract(ring.position, p), sys.scheme.d_per_k, subtract(ring.velocity, vp))
    two = add_scaled(subtract(ring.position, q), sys.scheme.d_per_k, subtract(ring.velocity, vq))
    return size(one), size(two)


@kernel
def pass_on(k, sys):
    """Let ring k pass on where the step leads past an end of its bar, and the line of the next bar fits better. What it
    has shortened of the first is given back from now on. The joint it passes then has the pull of its other side."""
    state, c = sys.ring_state[k], sys.slider[k].host
    host, at = sys.cable[c], int(state.on_bar)
    one, two = excess_on(k, at, sys)
    length, other = sys.bar[at].whole, at
    if two > length and two >= one and at > host.first:
        other = at - 1
    elif one > length and at < host.first + host.count - 1:
        other = at + 1
    if other == at:
        return
    new_one, new_two = excess_on(k, other, sys)
    if new_one + new_two - sys.bar[other].whole >= one + two - length:
        return
    hold_joints(k, True, sys)
    old = int(state.left)
    if old != at and old != other:
        sys.bar[old].length = sys.bar[old].whole
    given = state.owed if old == other else 0.0
    stretch, way = state.pull / (FIRM * sys.ring[k].across), 0.5 if other > at else -0.5
    for i in (at, other):  # the stretch of the pull's row goes along: the node between the bars moves by it
        body = sys.bar_state[i]
        body.position = add_scaled(body.position, -way * stretch, axis_of(rotation(body.turn)))
    state.left, state.owed, state.short, state.rate = at, state.short + stretch, given - stretch, 0.0
    state.on_bar = other
    between, source = (at + c + 1, at + c) if other > at else (at + c, at + c + 1)
    sys.multipliers[between].force = sys.multipliers[source].force
    sys.joint_felt[between].parting, sys.joint_felt[between].tension = ZERO3, sys.joint_felt[source].tension


@kernel
def follow_sliders(sys):
    """After the move: the slip of each ring, and the bar it is on in the next step."""
    release_bars(sys)
    for k in range(sys.sliders):
        state, kept = sys.ring_state[k], sys.ring_rows[k]
        state.owed -= sys.scheme.step * kept.repaying
        sys.bar[int(state.on_bar)].length = sys.bar[int(state.on_bar)].whole - state.short
        state.slip += place_on(k, sys) - kept.before
        reach = sys.ring[k].friction * state.press / friction_spring(k, sys)
        if state.slip > reach:
            state.slip = reach
        elif state.slip < -reach:
            state.slip = -reach
    shorten_bars(sys)
    for k in range(sys.sliders):
        pass_on(k, sys)


@kernel
def place_on(k, sys):
    """How far ring k is along its element from the middle of that [m]."""
    state, ring = sys.ring_state[k], sys.hub_state[sys.slider[k].ring]
    at = int(state.on_bar)
    p, _, _, q, _, _ = ends_of(at, 0.0, sys)
    one, two = subtract(ring.position, p), subtract(ring.position, q)
    if is_shared(k, sys):
        return 0.5 * dot(add(one, two), axis_of(rotation(sys.bar_state[at].turn)))
    return 0.5 * (size(one) - size(two))
