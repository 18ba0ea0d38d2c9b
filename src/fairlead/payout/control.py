"""How fast a winch turns: a schedule, and what a controller adds to it, within the limits of its drive.

Constant tension: rate = schedule + g (T − T₀), g = greatest speed / band. Heave compensation: rate = schedule + η w, w
being the speed with which the winch end moves up, or away along its wire. T and w are read through a lag
f' = (x − f)/τ; the rate is then held to the greatest speed, its change to the greatest acceleration.

A stiff wire answers a winch within a step. So the controller acts on the tension the step will leave,
T + h k (ṡ − rate), with the stiffness k of the line at the drum and the speed ṡ at which that line is drawn apart: no
gain is too high for a step, and the steady state is not touched by it.

Two numbers stand in the state vector for each winch: its rate and f.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairlead.algebra.compiled import kernel

if TYPE_CHECKING:
    from fairlead.model.winches import Winch

NO_CONTROL, CONSTANT_TENSION, HEAVE_UP, HEAVE_ALONG = 0.0, 1.0, 2.0, 3.0
CONTROL_KIND, GOAL, GAIN, SPEED_MAX, ACCELERATION_MAX, LAG = range(6)
CONTROLLER_REALS = 6
"""The record of a controller: kind; goal [N]; gain [m/s per N] or efficiency; limits [m/s, m/s²]; lag [s]."""
DRIVEN, READING = 0, 1
CONTROLLER_STATE = 2
"""Of a winch in `y`: its rate [m/s]; what it reads, through the lag [N or m/s]."""


def control_row(winch: Winch) -> list[float]:
    """The record of a winch's controller."""
    control = winch.control
    if control is None:
        return [NO_CONTROL, 0.0, 0.0, math.inf, math.inf, 0.0]
    most = math.inf if control.acceleration_max is None else control.acceleration_max
    if control.kind == "constant_tension":
        assert control.tension is not None
        assert control.band is not None
        head = [CONSTANT_TENSION, control.tension, control.speed_max / control.band]
    else:
        head = [HEAVE_ALONG if control.along == "wire" else HEAVE_UP, 0.0, control.efficiency]
    return [*head, control.speed_max, most, control.lag]


def control_state(winch: Winch) -> list[float]:
    """The rate a winch starts from, and what it has read at t = 0: its goal."""
    goal = 0.0 if winch.control is None else winch.control.tension or 0.0
    return [winch.rate_at(0.0), goal]


@kernel
def controlled_rate(scheduled, tension, opening, stiffness, velocity, axis, h, reals, at, y, state):
    """Rate of a winch over the coming step h [m/s]; its reading in `y` follows, the rate it leaves to the caller.

    scheduled            rate of the schedule, or of the live input [m/s]
    tension, stiffness   of the line at the drum now [N, N/m]
    opening              speed at which it is drawn apart by its ends [m/s]
    velocity, axis       of the winch end (3) [m/s]; direction of the line away from it (3)
    at, state            where the controller's record begins in `reals`, its state in `y`
    """
    kind = reals[at + CONTROL_KIND]
    if kind == NO_CONTROL:
        return scheduled
    if not h > 0.0:
        return y[state + DRIVEN]
    part = h / (reals[at + LAG] + h)
    reading, gain = y[state + READING], reals[at + GAIN]
    give = h * stiffness if kind == CONSTANT_TENSION and tension > 0.0 else 0.0
    if kind == CONSTANT_TENSION:
        coming = tension + give * opening
        wanted = scheduled + gain * (reading + part * (coming - reading) - reals[at + GOAL])
        wanted /= 1.0 + gain * part * give
    else:
        coming = velocity[2]
        if kind == HEAVE_ALONG:
            coming = -(velocity[0] * axis[0] + velocity[1] * axis[1] + velocity[2] * axis[2])
        wanted = scheduled + gain * (reading + part * (coming - reading))
    most, change = reals[at + SPEED_MAX], h * reals[at + ACCELERATION_MAX]
    rate = y[state + DRIVEN]
    rate = min(max(wanted, -most, rate - change), most, rate + change)
    y[state + READING] = reading + part * (coming - give * rate - reading)
    return rate
