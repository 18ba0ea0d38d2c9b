"""One element: its spring, and the loads on the line it stands for, half at each of its nodes.

`element` is the element's row of properties. A matrix of the element is isotropic but for its own direction:
`across`·1 + (`along` − `across`)·ttᵀ.
"""

from __future__ import annotations

import math

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import any_lane, common, like, pick, placed, where
from fairlead.algebra.packs import lane_count, lane_of
from fairlead.algebra.small import add, add_scaled, dot, scale, subtract
from fairlead.loads.buoyancy import bar_height, submergence
from fairlead.loads.drag import NONE, secants
from fairlead.rigging.axial import axial_slope, axial_tension
from fairlead.rigging.elements import compact_lift, compact_loads
from fairlead.rigging.ropes import take_up
from fairlead.sea.along import water_along
from fairlead.sea.water import GRAVITY, elevation, stream

from .ends import ZERO3
from .schema import DAMPING_ONLY, NO_COMPRESSION
from .scheme import LOOSE, damper_share, drag_share, second_order

ZERO4 = (0.0, 0.0, 0.0, 0.0)
STILL = (ZERO3, ZERO3)
NEAR = 0.5 + 0.5 / math.sqrt(3.0)
"""Share of the nearer node in a Gauss point's motion."""


@inlined
def spring(before, ahead, rate, bow, thrown, latest, element, e, guess, sys):
    """What the tension λ = bias + G·(t·Δa) over the step is made of.

    before, ahead : length at the start of the step, and at its end if nothing accelerated [m]
    rate          : mean rate of the stretch in between, what a winch adds to the element taken off [m/s]
    bow           : what the turn of the element adds to the second derivative of its length [m/s²]
    thrown        : whether the element turns too fast for the step
    latest        : tension [N] and rate a metre [1/s] of the step before
    guess         : whether a rope is to be taken up anew, or as `slackening` has left it

    Returns G and bias, and those of the damper alone.

    An element that only pulls and starts the step slack, or is thrown about, or whose cable was slack in the step
    before (`scheme`), is caught as with θ = 1: whatever else catches a blow in the middle of a step gives energy, the
    more the larger the step. `damping_only` leaves out the spring of an element
    shorter than its length and keeps its damper, which then may push (Guillaume et al., Eq. 7). What does not push at
    all is decided with the accelerations: see `slackening`.
    """
    scheme, length, stiffness = sys.scheme, element.length, element.stiffness
    share, stiff, bowed, memory = scheme.spring_ahead, scheme.spring_g, scheme.spring_bow, scheme.filter
    ahead_by, delayed = scheme.damper_g, scheme.damper_memory
    short = before < length
    if sys.ropes > 0 and element.rope >= 0.0:
        held = sys.held[e]
        if guess:
            take_up(sys.rope[int(element.rope)], latest.tension, scheme.step, sys.creep[e], held, sys)
        short = before < length * (1.0 + held.offset)
    pushed = common(element.pushed)
    short = short | thrown | (scheme.loose >= LOOSE)
    if pushed == NO_COMPRESSION and any_lane(short):
        h = scheme.step
        caught = 1.5, h * h, scheme.drift * scheme.drift, 0.0, h, 0.0
        share, stiff, bowed, memory, ahead_by, delayed = where(
            short, caught, (share, stiff, bowed, memory, ahead_by, delayed)
        )
    span, faster = before + share * (ahead - before), rate - length * latest.straining
    grown = length + share * scheme.step * element.growth if sys.winches > 0 else length
    stretch = span / grown
    tension, slope = axial_tension(sys.law, stretch, stiffness), axial_slope(sys.law, stretch, grown, stiffness)
    c, give, lossy, quick = element.damping_time * stiffness / length, 0.0, 0.0, 0.0
    if sys.ropes > 0 and element.rope >= 0.0:
        tension, slope = held.stiffness * (stretch - 1.0 - held.offset), held.stiffness / grown
        give = held.damper / length
        quick = give * (ahead_by if second_order(scheme) else damper_share(give, element.mass, scheme))
    slope = max(slope, 0.0)
    if pushed == DAMPING_ONLY:
        tension, slope = where(span < grown, (0.0, 0.0), (tension, slope))
    bias = tension + (c + give) * (rate - delayed * faster) + slope * (memory * faster + bowed * bow)
    if second_order(scheme):
        lossy = c * ahead_by
    elif any_lane(c > 0.0):
        lossy = c * damper_share(c, element.mass, scheme)
    return quick + lossy + stiff * slope, bias, c * (rate - delayed * faster), lossy


@inlined
def feels_waves(z, sys):
    """Whether an element whose middle is at the height z feels waves: above the depth to which cables do."""
    return (sys.sea.waves > 0.0) & (z >= -sys.settings.wave_reach)


@kernel
def wet_part(t, p1, p2, diameter, sys):
    """Submerged fraction of an element, its height, and the height of its middle above the surface."""
    rise = p2[2] - p1[2]
    height = bar_height(rise, diameter)
    x, y, z = 0.5 * (p1[0] + p2[0]), 0.5 * (p1[1] + p2[1]), 0.5 * (p1[2] + p2[2])
    if feels_waves(z, sys):
        z -= elevation(t, x, y, sys.reals)
    return submergence(z, height), height, z


@inlined
def point_drag(law, normal, axial, reynolds, axis, v, flow, gain):
    """Drag on half an element that moves with v and gains the speed `gain` by the middle of the step: secants of the
    middle across and along [N s/m], and the force (3) they give with v."""
    u = subtract(v, flow)
    then = add(u, gain)
    along = dot(then, axis)
    cn, ct = secants(law, normal, axial, reynolds, max(0.0, dot(then, then) - along * along), along)
    return cn, ct, add_scaled(scale(-cn, u), (cn - ct) * dot(u, axis), axis)


@inlined
def given_flow(t, node, near, far, sys):
    """Velocity and acceleration (3 each) of the water between a node and the next, `near` and `far` being the shares of
    the two: as given from outside, going on from then with the acceleration given."""
    one, two = sys.given[node], sys.given[node + 1]
    push = add_scaled(scale(near, one.acceleration), far, two.acceleration)
    flow = add_scaled(scale(near, one.velocity), far, two.velocity)
    return add_scaled(flow, t - sys.settings.given_since, push), push


@inlined
def element_loads(t, sys, element, node, p1, p2, v1, v2, axis, per_span):
    """Inertia of and loads on an element behind its first node, for both its nodes.

    Returns
    -------
    across, along : mass at either node [kg] with added mass
    slow          : the drag secant times its time into the step [kg] across, then along: of the first node, of the
                    second, coupling both
    force         : of weight and buoyancy on either node [N]
    drag          : of the moving water on either node [N]
    power         : of the water on the element [W]: drag, what the water's own acceleration gives, what turning and
                    wetting of the added mass gives, and what the rise of the surface adds to the potential

    Added mass acts on the true acceleration (Morison form). Buoyancy is the gradient of lift·Hσ²/2, with H the height
    over which the element submerges. Drag is taken at two Gauss points, where the element moves as the straight line
    between its nodes does, and goes to these by the lever rule; so does σ(ρV + A) a, with which water that accelerates
    with a, under waves, in a current that changes or as given from outside, carries the element along. Out of the reach
    of waves the water is the current, with what is given, below a surface at rest, as in `wet_part`.

    The turn of an element with unequal added masses changes the water's kinetic energy by −(A_n − A_t)(v·t)(v·ṫ) a
    second beyond the work of its forces, wetting more of it by ½σ̇·vᵀAv, and a surface that rises above it (η̇) the
    potential of its buoyancy B by σB η̇.
    """
    middle, felt = scale(0.5, add(p1, p2)), feels_waves(0.5 * (p1[2] + p2[2]), sys)
    waves, changing, given = any_lane(felt), sys.sea.field_times > 0.0, sys.givens > 0
    carries = waves or changing or given
    rise = p2[2] - p1[2]
    highest = 0.5 * (abs(rise) + element.diameter)  # half its height is never more than that
    level, rising = 0.0, 0.0
    moving = STILL, STILL
    if waves:
        (level, rising, slope_x, slope_y), first, second = water_along(
            t, middle, scale(0.5 - NEAR, subtract(p1, p2)), highest, felt, sys.reals
        )  # fmt: skip
        rising += 0.5 * ((v1[0] + v2[0]) * slope_x + (v1[1] + v2[1]) * slope_y)
        moving = first, second
    z = middle[2] - level
    sigma, height = 1.0, 1.0
    if any_lane(z > -highest):
        height = bar_height(rise, element.diameter)
        sigma = submergence(z, height)
    mass = element.mass
    added_n, added_a = element.added_normal, element.added_axial
    lift = sigma * element.buoyancy
    down = lift - element.weight
    power = 2.0 * lift * rising
    tilt = 0.0
    wet = any_lane(sigma > 0.0)
    if wet:
        turn = subtract(v2, v1)
        turn = scale(per_span, add_scaled(turn, -dot(turn, axis), axis))
        s1, s2 = dot(v1, axis), dot(v2, axis)
        power -= sigma * (added_n - added_a) * (s1 * dot(v1, turn) + s2 * dot(v2, turn))
        crossing = (sigma > 0.0) & (sigma < 1.0)
        if any_lane(crossing):
            tilt = where(crossing, lift * (1.0 - sigma) * rise / height, 0.0)
            up = 0.5 * (v1[2] + v2[2]) - rising
            wetting = (z * rise * (v2[2] - v1[2]) / (height * height) - up) / height
            moved = added_n * (dot(v1, v1) + dot(v2, v2)) - (added_n - added_a) * (s1 * s1 + s2 * s2)
            power += where(crossing, 0.5 * wetting * moved, 0.0)
    n11, n22, n12, a11, a22, a12 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    drag1, drag2 = ZERO3, ZERO3
    force1 = (0.0, 0.0, down + tilt)
    force2 = (0.0, 0.0, down - tilt)
    law = common(element.drag_law)
    if wet and (law != NONE or carries):
        normal, axial = sigma * element.drag_normal, sigma * element.drag_axial
        reynolds = element.reynolds
        near, far = NEAR, 1.0 - NEAR
        scheme, was1, was2 = sys.scheme, sys.previous[node].acceleration, sys.previous[node + 1].acceleration
        displaced = element.buoyancy / sys.reals[GRAVITY] if carries else 0.0
        carried_n, carried_a = sigma * (displaced + added_n), sigma * (displaced + added_a)
        for k in range(2):
            v = add_scaled(scale(near, v1), far, v2)
            flow, push = moving[0] if k == 0 else moving[1]
            if not waves and (changing or sys.sea.currents > 0.0):
                p = add_scaled(scale(near, p1), far, p2)
                flow, push = stream(t, p[0], p[1], p[2], sys.reals)
            if given:
                more, carried = given_flow(t, node, near, far, sys)
                flow, push = add(flow, more), add(push, carried)
            gain = scale(scheme.foresight, add_scaled(scale(near, was1), far, was2))
            cn, ct, drag = point_drag(law, normal, axial, reynolds, axis, v, flow, gain)
            share = drag_share(max(cn, ct), mass + sigma * added_a, scheme)
            if carries:
                drag = add_scaled(drag, carried_n, push)
                drag = add_scaled(drag, (carried_a - carried_n) * dot(push, axis), axis)
            across, along = share * cn, share * ct
            n11 += near * near * across
            n22 += far * far * across
            n12 += near * far * across
            a11 += near * near * along
            a22 += far * far * along
            a12 += near * far * along
            drag1, drag2 = add_scaled(drag1, near, drag), add_scaled(drag2, far, drag)
            power += dot(drag, v)
            near, far = far, near
    across, along = mass + sigma * added_n, mass + sigma * added_a
    return across, along, (n11, n22, n12), (a11, a22, a12), force1, force2, drag1, drag2, power


@inlined
def drag_beyond(h, chord, a1, a2, b1, b2, node, sys):
    """What the power of drag F on the element of a chord behind `node` has beyond F·v of the step's beginning [W], in a
    solved step of h with the accelerations a of its nodes, b along the element.

    F − H a acts, with H the secants times their time into the step, and along the mean velocity v + ½h a.
    """
    one, two, t = sys.node[node], sys.node[node + 1], chord.direction
    v1, v2 = add_scaled(one.velocity, 0.5 * h, a1), add_scaled(two.velocity, 0.5 * h, a2)
    n11, n22, n12 = chord.slow_across
    a11, a22, a12 = chord.slow_along
    w1, w2 = dot(v1, t), dot(v2, t)
    slowed = n11 * dot(a1, v1) + n22 * dot(a2, v2) + n12 * (dot(a1, v2) + dot(a2, v1))
    slowed += (a11 - n11) * b1 * w1 + (a22 - n22) * b2 * w2 + (a12 - n12) * (b1 * w2 + b2 * w1)
    return 0.5 * h * (dot(chord.drag_first, a1) + dot(chord.drag_last, a2)) - slowed


@kernel
def lump_loads(t, e, node, p1, p2, v1, v2, sys):
    """`loads_of_lumps` of element e behind `node`; members of a pack take them in turn."""
    zero = like(p1[0], 0.0)
    zero3 = zero, zero, zero
    found = zero3, zero3, zero3, zero3, zero3, zero3, zero
    for k in range(lane_count(sys)):
        own = loads_of_lumps(t, e, node, pick(p1, k), pick(p2, k), pick(v1, k), pick(v2, k), lane_of(sys, k))
        found = placed(found, k, own)
    return found


@kernel
def loads_of_lumps(t, e, node, p1, p2, v1, v2, sys):
    """Attachments of element e behind `node` as point masses between its nodes, which share them by the lever rule.

    Returns the masses and the drag secants times their time into the step (of the first node, of the second, coupling
    both) [kg], the forces of weight and buoyancy on both nodes, those of the moving water, and its power. Secants are
    those of the speed in the middle of the step.
    """
    masses, slow, power = ZERO3, ZERO3, 0.0
    force1, force2, drag1, drag2 = ZERO3, ZERO3, ZERO3, ZERO3
    element = sys.element[e]
    first = int(element.lump_first)
    for k in range(first, first + int(element.lump_count)):
        lump = sys.lump[k]
        near, far = 1.0 - lump.share, lump.share
        p = add_scaled(scale(near, p1), far, p2)
        v = add_scaled(scale(near, v1), far, v2)
        was = add_scaled(scale(near, sys.previous[node].acceleration), far, sys.previous[node + 1].acceleration)
        gain = scale(sys.scheme.foresight, was)
        then = add(v, gain)
        inertia, secant, force, given = compact_loads(t, p, then, lump, sys.reals)
        still = (0.0, 0.0, compact_lift(t, p, lump, sys.reals))
        moved = subtract(force, still)
        drag, shared = add_scaled(moved, secant, gain), (near * near, far * far, near * far)
        share = drag_share(secant, inertia, sys.scheme)
        masses, slow = add_scaled(masses, inertia, shared), add_scaled(slow, share * secant, shared)
        force1, force2 = add_scaled(force1, near, still), add_scaled(force2, far, still)
        drag1, drag2 = add_scaled(drag1, near, drag), add_scaled(drag2, far, drag)
        power += given + dot(drag, v) - dot(moved, then)
    return masses, slow, force1, force2, drag1, drag2, power
