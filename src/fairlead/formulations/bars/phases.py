"""A step of bars in phases, as a GPU takes it: the way forward of a first pass, its way back, what further passes some
members need, a sample, and the move. They are what `step.advance` does, in its order.
"""

from __future__ import annotations

from typing import Any

from fairlead.algebra.compiled import kernel
from fairlead.formulations.phases import Phase, Phases

from .floating import press_afloat
from .solving import books_of, pass_back, pass_forward, passes
from .step import OK, begin_step, end_step, follow_theta, prepare
from .watching import watch


def phases(afloat: Any, whole: Any) -> Phases:
    """Those of systems without rings, winches and ropes; `afloat` and `whole` as in `run`."""

    @kernel
    def prepared(kind, h, sys):
        prepare(kind, h, afloat, None, sys)

    @kernel
    def forward(now, u, sys):
        follow_theta(sys.scheme.step, afloat, sys)
        begin_step(now, u, None, sys)
        before = sys.before
        before.drag, before.damping, before.drives, before.steps, before.steps_damped = books_of(sys)
        if afloat is not None:
            press_afloat(now, OK, sys)
        return pass_forward(now, u, OK, True, afloat, None, whole, sys)

    @kernel
    def back(now, u, sys):
        sys.before.wrong = pass_back(OK, False, None, whole, sys)
        return OK

    @kernel
    def further(now, u, sys):
        before = sys.before
        if before.wrong == 0.0:
            return OK
        books = before.drag, before.damping, before.drives, before.steps, before.steps_damped
        return passes(now, u, OK, 1, before.wrong, books, afloat, None, whole, sys)

    @kernel
    def sampled(now, sample, u, seen, sys):
        watch(now, sample, u, seen, sys)
        return OK

    @kernel
    def end(now, u, sys):
        return end_step(now, OK, afloat, None, sys)

    steps = (Phase(forward), Phase(back), Phase(further), Phase(sampled, samples=True), Phase(end))
    return Phases(prepared, steps)
