"""A step of bars in phases, as a GPU takes it: the way forward of a first pass, its way back, what further passes some
members need, a sample, and the move. They are what `step.advance` does, in its order, of systems that `run` and
`run_joined` take.
"""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.formulations.phases import Phase, Phases

from .solving import books_of, pass_back, pass_forward, passes
from .step import OK, begin_step, end_step, follow_theta
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
    return pass_forward(now, u, OK, True, None, None, None, sys)


@kernel
def back(now, u, sys):
    sys.before.wrong = pass_back(OK, False, None, None, sys)
    return OK


@kernel
def further(now, u, sys):
    before = sys.before
    if before.wrong == 0.0:
        return OK
    books = before.drag, before.damping, before.drives, before.steps, before.steps_damped
    return passes(now, u, OK, 1, before.wrong, books, None, None, None, sys)


@kernel
def sampled(now, sample, u, seen, sys):
    watch(now, sample, u, seen, sys)
    return OK


@kernel
def end(now, u, sys):
    return end_step(now, OK, None, None, sys)


PHASES = Phases(prepare, (Phase(forward), Phase(back), Phase(further), Phase(sampled, samples=True), Phase(end)))
