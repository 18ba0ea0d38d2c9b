"""A step of bars in phases, as a GPU takes it: the way forward of a first pass, its way back, a sample where it is due,
and the move. They are what `step.advance` does, in its order, of systems that `run` and `run_joined` take; but for the
last, which goes along each cable once where a core does so for every task of it. Further passes, which few members
need, are made by the phase behind: the others of it do not wait for them.
"""

from __future__ import annotations

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.quaternion import rotation
from fairlead.algebra.records import arrived, expected, taken
from fairlead.formulations.phases import Phase, Phases
from fairlead.loads.extremes import NOTHING, first_extreme, fold_node, kept_of_node
from fairlead.results.extremes import NODE_EXTREMES
from fairlead.sea.water import BED_PRESENT, bed_clearance

from .element import axis_of, touches_of
from .extremes import first_node, note_all_points, note_whole, seen_ahead, seen_at
from .fetching import fetch_bar, fetch_pull, fetched_bar, fetched_pull
from .loosening import held_along, only_pulls
from .solving import books_of, pass_back, pass_forward, passes
from .step import (
    OK, RANGE, begin_step, book_bar, book_drives, book_joint, book_works, fail, follow_theta, has_pressed, is_booked,
    host_of_joint, move_body, move_hubs, note_slack, remember_bar, remember_feet, watches_strain,
)  # fmt: skip
from .step import prepare as prepare_steps
from .watching import watch


@kernel
def prepare(kind, h, sys):
    prepare_steps(kind, h, None, None, sys)


@kernel
def forward(now, u, sys):
    follow_theta(sys.scheme.step, None, sys)
    begin_step(now, u, None, sys)
    before = sys.before
    before.drag, before.damping, before.drives, before.steps, before.steps_damped = books_of(sys)
    return pass_forward(now + sys.scheme.half, u, OK, True, None, None, None, sys)


@kernel
def back(now, u, sys):
    sys.before.wrong = pass_back(OK, False, None, None, sys)
    return OK


@kernel
def solve_further(now, u, sys):
    """Passes that a member needs after the first. Returns the status."""
    before = sys.before
    wrong = before.wrong
    if wrong == 0.0:
        return OK
    before.wrong = 0.0
    books = before.drag, before.damping, before.drives, before.steps, before.steps_damped
    return passes(now + sys.scheme.half, u, OK, 1, wrong, books, None, None, None, sys)


@kernel
def sampled(now, sample, u, seen, sys):
    status = solve_further(now, u, sys)
    if status == OK:
        watch(now, sample, u, seen, sys)
    return status


@inlined
def ask_at(c, i, sys):
    """Ask for what the end of a step reads of joint i of cable c and of the bar ahead of it."""
    first, count = sys.cable[c].first, sys.cable[c].count
    bar, j = first + i, first + c + i
    if i < count:
        fetch_bar(bar, sys)
    if i <= count:
        fetch_pull(j, sys)


@inlined
def expect_at(c, i, sys):
    """The same of what it comes to soon, and reads when it does."""
    first, count = sys.cable[c].first, sys.cable[c].count
    bar, j, ahead = first + min(i, count - 1), first + c + min(i, count), first + c + min(i + 1, count)
    expected(sys.acceleration.linear, bar, 6)
    expected(sys.joint_load.force, j, 3)
    expected(sys.loose.loose, ahead, 1)
    expected(sys.loose.side, ahead, 1)
    for end in range(2 * bar, 2 * bar + 2):
        expected(sys.touch.active, end, 1)


@kernel
def end(now, u, sys):
    """What `step.end_step` does, along each cable once: a GPU waits for its memory here, and so reads every row once.
    A bar moves when neither joint asks any more where it was. What fails goes on in vain, and leaves the fault that a
    core would leave."""
    bed, well, status = sys.reals[BED_PRESENT] > 0.0, watches_strain(sys), solve_further(now, u, sys)
    if status != OK:
        return status
    h, middle = sys.scheme.step, now + sys.scheme.half
    drag = rubbed = damped = 0.0
    at = first_extreme(sys.ints, sys.y)
    arrived(sys)
    for c in range(sys.cables):
        cable = sys.cable[c]
        first, count = cable.first, cable.count
        zero, onward = first_node(cable)
        least, most, weight, rise, loose = 0.0, 0.0, 0.0, 0.0, False
        found, before = NOTHING, 0.0
        past = axis = (0.0, 0.0, 0.0)
        coming = touches_of(first, sys), kept_of_node(sys.y, at, zero)
        ask_at(c, 0, sys)
        arrived(sys)
        held_ahead, pulls_ahead = taken(sys.loose[first + c]), only_pulls(first + c, sys)
        for i in range(count + 1):
            ask_at(c, i + 1, sys)
            expect_at(c, i + 1, sys)
            arrived(sys)
            bar, j = first + min(i, count - 1), first + c + i
            touches, kept = coming
            body, known = fetched_bar(bar, sys), fetched_pull(j, sys)
            touching, pressed = is_booked(touches, sys), has_pressed(touches)
            if bed and i < count:  # before rows are taken, for which there are no registers beside this
                by_drag, by_friction, by_damping = book_bar(middle, bar, body, sys.acceleration[bar], touching, sys)
                drag += by_drag
                rubbed += by_friction
                damped += by_damping
            held, pulls, axis_behind = held_ahead, pulls_ahead, axis
            _, load, held_ahead, pulls_ahead = seen_ahead(bar, j, sys)
            solved, next = taken(sys.acceleration[bar]), min(i + 1, count)
            coming = touches_of(first + min(next, count - 1), sys), kept_of_node(sys.y, at, zero + onward * next)
            axis = axis_of(rotation(body.turn))
            hosted = axis if host_of_joint(i, pulls, count) == i else axis_behind
            status, least, most, weight, rise, loose = book_joint(
                now, c, first, bar - first, j, well, status, load.force, known.force, pulls, held, hosted, least, most,
                weight, rise, loose, None, sys,
            )  # fmt: skip
            behind = held_along(pulls, axis_behind, held)
            tension, bend, place, _, before, past = seen_at(
                c, i, body, load.force, held, pulls, held_ahead, pulls_ahead, behind, before, past, sys
            )
            clearance = bed_clearance(place, sys.reals)
            found = fold_node(sys.y, at, zero + onward * i, kept, tension, bend, clearance, found)
            if i < count:
                lost = not move_body(sys.bar_state[bar], sys.bar_felt[bar], body, solved, sys.scheme)
                status = fail(status == OK, lost, RANGE, status, now + h, c, i, sys)
                if bed:
                    remember_bar(bar, pressed, sys)
        note_slack(now, c, least, most, weight, rise, loose, sys)
        book_drives(c, sys)
        note_whole(middle, c, found, sys)
        at += NODE_EXTREMES * (cable.allotted_count + 1)
    note_all_points(middle, sys)
    if bed:
        book_works(drag, rubbed, damped, sys)
    if status != OK:
        return status
    status = move_hubs(now, status, sys)
    if status == OK and bed:
        remember_feet(sys)
    return status


PHASES = Phases(
    prepare,
    (
        Phase(forward, fetches=True), Phase(back), Phase(sampled, samples=True, fetches=True), Phase(end, fetches=True),
    ),
)  # fmt: skip
