"""What is said after a run whose links were softer than their cable under a load that came fast.

A blow whose energy E a spring of stiffness K takes up pulls with √(2 E K/L) at the most. Links of Kp < EA that held
a blow with the tension F have taken up ½F²L/Kp, for which the cable itself would have pulled with F√(EA/Kp). What
is still on its way when the run ends, ½μv² of the two ends that move apart with v, would come on top.
"""

from __future__ import annotations
from fairlead.words import force

import math
from collections.abc import Sequence

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.model import System

from .schema import FREE, HUNG

ENOUGH = 0.02
"""Part of a peak by which it may be low without a word."""


def softness_notes(system: System, tables: Tables, cables: Sequence[str]) -> tuple[str, ...]:
    """Notes on cables whose peaks their links have lowered by more than `ENOUGH`; `cables` names them in order."""
    settings, notes = system.simulation.tether, []
    for c, name in enumerate(cables):
        first, count = int(tables.cable.link[c]), int(tables.cable.count[c])
        link = slice(first, first + count)
        kp, ea = float(tables.link.proportional[link].min()), float(tables.link.stiffness[link].max())
        most, lent = float(tables.softness.most[c]), float(tables.softness.lent[c])
        if kp >= (1.0 - 1e-6) * ea or kp <= 0.0 or most <= 0.0:
            continue
        blow = min(most, lent / (1.0 - kp / ea))
        length = float(tables.paid.factor[c]) * float(tables.link.length[link].sum())
        coming = _opening_energy(tables, c, length)
        peak = most - blow + math.sqrt(blow**2 * ea / kp + 2.0 * coming * ea / length)
        if peak > (1.0 + ENOUGH) * most:
            given = "proportional" if settings.proportional is not None else "substeps"
            cure = f"leave tether.{given} out" if getattr(settings, given) is not None else "use a smaller step"
            notes.append(
                f"cables.{name}: its links are softer than the cable, Kp = {force(kp, 3)} of EA = {force(ea, 3)}, and "
                f"were pulled faster than their integral follows: the peak of {force(most)} is that of the links, the "
                f"cable's may be up to {force(peak)}; {cure}"
            )
    return tuple(notes)


def _opening_energy(tables: Tables, c: int, length: float) -> float:
    """Energy [J] with which the ends of a taut cable still move apart: ½μv², 1/μ = 1/m₁ + 1/m₂."""
    ends = [int(tables.cable.start[c]), int(tables.cable.end[c])]
    state = tables.point_state
    chord = state.position[ends[1]] - state.position[ends[0]]
    span = float(np.linalg.norm(chord))
    apart = float(chord @ (state.velocity[ends[1]] - state.velocity[ends[0]])) / max(span, 1e-300)
    ease = sum(1.0 / mass for mass in (_mass(tables, p) for p in ends))
    return 0.5 * apart**2 / ease if span > length and apart > 0.0 and ease > 0.0 else 0.0


def _mass(tables: Tables, p: int) -> float:
    """Mass [kg] of what is at point p, in water; infinite where it is held or led."""
    kind, which = int(tables.point.kind[p]), int(tables.point.which[p])
    if kind == FREE:
        return max(float(tables.body.mass[which] + tables.body.added[which]), 1e-300)
    return float(tables.hung.mass[which]) if kind == HUNG else math.inf
