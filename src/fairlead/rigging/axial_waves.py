"""What cables without stretch leave out: loads that bounce on them, and waves of tension along them.

A load of mass M on a cable of stiffness k = EA/L answers to a motion ω of its other end by 1/(1 − (ω/ω₀)²),
ω₀² = k/(M + mL/3): a rigid line by 1, which is wrong by (ω/ω₀)². A cable of mass m a metre that is held at both ends
has the axial dynamic stiffness EA κ cot κL, κ = ω √(m/EA). A rigid line with the cable's static stiffness at one end is
wrong by up to ⅔(κL)². Both errors grow without bound towards resonance.
"""

from __future__ import annotations

import math

from fairlead.model import System
from fairlead.model.step_checks import axial_period, bounce_period, motion_periods
from fairlead.words import percentage

ENOUGH = 0.05
"""Part of a tension by which it may be wrong without a word."""


def axial_wave_notes(system: System) -> tuple[str, ...]:
    """Notes on what the motions of the file excite along cables that do not stretch; the worst of each kind."""
    where, fastest = min(motion_periods(system), key=lambda found: found[1], default=("", math.inf))
    bounces = {name: bounce_period(system, name) for name in (*system.points, *system.bodies)}
    loads = {name: (period / fastest) ** 2 for name, period in bounces.items() if period is not None}
    waves = {
        name: 2.0 / 3.0 * (math.pi * axial_period(system, cable) / fastest) ** 2
        for name, cable in system.cables.items()
        if all(end.point is not None and not _is_free(system, end.point) for end in (cable.start, cable.end))
    }
    notes = []
    for found, what in ((loads, "'{}' bounces on its cables"), (waves, "waves of tension run along '{}'")):
        name = max(found, key=found.__getitem__, default="")
        if not name or found[name] <= ENOUGH:
            continue
        period = bounces[name] if found is loads else axial_period(system, system.cables[name])
        wrong = f"by about {percentage(found[name])}" if found[name] < 0.3 else "by any amount, as near a resonance"
        notes.append(
            f"simulation.formulation: {what.format(name)} in {period:.3g} s, and {where} moves in {fastest:.3g} s; "
            f"'{system.simulation.formulation}' does not let a cable stretch along its length: tensions are wrong "
            f"{wrong}; use formulation: bars or lumped"
        )
    return tuple(notes)


def _is_free(system: System, point: str) -> bool:
    place = system.place(point)
    return (system.points.get(place.owner_name) or system.bodies[place.owner_name]).is_free
