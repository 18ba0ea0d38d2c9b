"""A search for an equilibrium (`algebra.damped_newton`): what is prescribed goes a share of its way, at rest.

`case` has the commands (controlled, 3) at the beginning, `start`, and in the end, `goal`; and `before` (points, 7),
room for place and turn of each prescribed point. The tables of a system are those of `frames`.

What a search is made of is asked for by itself, too, for modes and for searches in Python: forces, stiffness and mass.
"""

from __future__ import annotations

from fairlead.algebra.bordered_band import END, clear, copy
from fairlead.algebra.compiled import kernel
from fairlead.algebra.damped_newton import AS_IT_STANDS, FORCE, STEP, kernels, turn_between
from fairlead.algebra.quaternion import turned
from fairlead.algebra.small import add, add_scaled

from .frames import carry_all, held_turn, place_points, rest_point

DIFFERENCE = 1e-5
"""Half width of the differences of loads, m and rad."""
PLACES, MOVE, REMEMBER, PULLS, TANGENT, STICKING, MASS, FORCES = range(AS_IT_STANDS + 1, AS_IT_STANDS + 9)
"""Tasks beside those of `damped_newton`: the state at its places; after a share of a step; with the forces of its shape
kept; forces on the ends of chains; stiffness, of slow loads and of quick ones on a rough seabed; mass; from `FORCES` on
forces by their mode."""


@kernel
def lead(case, share, sys):
    """Prescribed points and bodies at a share of their way."""
    for k in range(sys.controlled):
        a, b, control = case.start[k], case.goal[k], sys.controls[k]
        control.position = (
            a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]),
        )  # fmt: skip
        control.velocity = (0.0, 0.0, 0.0)
    place_all(sys)


@kernel
def place_all(sys):
    """Prescribed points and bodies where the state has them."""
    for k in range(sys.controlled):
        rest_point(sys.plan[k], sys.controls[k].position)
    place_points(sys)
    carry_all(0.0, sys)


@kernel
def note_places(case, sys):
    """Place and turn of all prescribed points, into `before`."""
    for k in range(sys.points):
        x, q = sys.point_now[k].position, held_turn(k, sys)
        for i in range(3):
            case.before[k, i] = x[i]
        for i in range(4):
            case.before[k, 3 + i] = q[i]


@kernel
def put_way(case, m, c, side, k, sys):
    """Way and turn of prescribed point k since `note_places`, as those of an end of chain c; k < 0: no point."""
    if k < 0:
        return
    x, old = sys.point_now[k].position, case.before[k]
    turn = turn_between((old[3], old[4], old[5], old[6]), held_turn(k, sys))
    for i in range(3):
        m.ends[c, END * side + i], m.ends[c, END * side + 3 + i] = x[i] - old[i], turn[i]


@kernel
def along(d, by):
    """A vector along axis d; none where d is no axis."""
    return (by if d == 0 else 0.0, by if d == 1 else 0.0, by if d == 2 else 0.0)


@kernel
def move_along(body, d, by):
    """Move a body, or turn it, along its degree of freedom d."""
    body.position = add(body.position, along(d, by))
    if d >= 3:
        x, y, z = along(d - 3, by)
        body.turn = turned(body.turn, x, y, z)


@kernel
def step_body(body, at, v, column, share, turns):
    """Move a body by a share of the step that stands from `at` on in a column of v; turn it where it `turns`."""
    body.position = add_scaled(body.position, share, (v[at, column], v[at + 1, column], v[at + 2, column]))
    if turns:
        body.turn = turned(body.turn, share * v[at + 3, column], share * v[at + 4, column], share * v[at + 5, column])


@kernel
def move_ends(m, v):
    """Into m.ends how hubs move the ends of chains by a step; prescribed places stand still."""
    rows = m.band.shape[0]
    m.ends[:] = 0.0
    for c in range(m.chain.shape[0]):
        for p in range(2 * END):
            site = m.site[c, p // END]
            if site < m.sizes[0]:
                for j in range(m.sizes[1]):
                    m.ends[c, p] += m.reach[c, p, j] * v[rows + site + j, STEP]


def rest_kernels(balance, tangent, displace, ahead, arrive, pull_ends, set_reach, add_mass, remember):
    """The kernel of a formulation that searches for an equilibrium or does a task, made of its own.

    Those that a search does not need: set_reach(case, y, m) says how ends move with hubs; add_mass(case, y, m);
    remember(case, y) keeps the forces of the shape in the state y.
    """
    find = kernels(balance, tangent, displace, ahead, arrive, pull_ends)

    @kernel
    def rest(case, m, y, trial, v, levers, kinds, scale, length, task, pieces, patience, memory, report):
        """See `damped_newton`; other tasks leave their answer in y, v, m, and the stress [N] in the report. Of a step
        `length` is the share that is gone."""
        if task <= AS_IT_STANDS:
            return find(case, m, y, trial, v, levers, kinds, scale, length, task, pieces, patience, memory, report)
        arrive(case, y, 0.0)
        set_reach(case, y, m)
        if task == MOVE:
            move_ends(m, v)
            displace(case, y, m, v, STEP, length, trial)
            copy(trial, y)
        elif task == REMEMBER:
            remember(case, y)
        elif task == PULLS:
            pull_ends(case, y, m)
        elif task in (TANGENT, STICKING):
            clear(m)
            tangent(case, y, m)
        elif task == MASS:
            clear(m)
            add_mass(case, y, m)
        elif task >= FORCES:
            _, _, report[0] = balance(case, y, task - FORCES, v, FORCE)
        return 0

    return rest
