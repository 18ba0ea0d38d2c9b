"""How often a run is sampled when the file does not say, and until when it is starting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.model.motion import start_of_table
from fairlead.model.step_checks import motion_periods

if TYPE_CHECKING:
    from fairlead.model.system import System

SAMPLES_OF_A_PERIOD = 20
FEWEST_SAMPLES = 200
MOST_SAMPLES = 20_000
"""Samples of the shortest period in the file, and of a whole run at least and at most, where the file does not say."""


def shortest_period(system: System) -> tuple[str, float] | None:
    """Where the shortest period of waves and motions stands in the file, and the period [s]; None without any."""
    return min(motion_periods(system), key=lambda found: found[1], default=None)


def default_output_every(system: System) -> float:
    """Time between samples [s], on whole steps: a share of the shortest period, or of the duration where there is none.

    A period that is long against the duration is sampled as if there were none; a very long run more sparsely, since
    extremes are kept at every step in any case.
    """
    settings, shortest = system.simulation, shortest_period(system)
    every = settings.duration / FEWEST_SAMPLES
    if shortest is not None:
        every = min(every, shortest[1] / SAMPLES_OF_A_PERIOD)
    every = max(every, settings.duration / MOST_SAMPLES)
    return max(1, round(every / settings.step)) * settings.step


def start_up(system: System) -> float:
    """Until when waves and motions grow, or go through a first period that begins with a jerk [s]; 0 without any."""
    waves = system.environment.waves
    ends = [0.0] if waves is None else [waves.ramp or waves.main_period]
    for owner in (*system.points.values(), *system.bodies.values()):
        motion = getattr(owner, "motion", None)
        if motion is not None:
            ends += [sine.start + (sine.ramp or sine.period) for sine in motion.sines]
            ends.append(start_of_table(motion))
    return max(ends)
