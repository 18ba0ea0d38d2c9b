"""How an FMU makes its first state anew when a parameter has changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.algebra.newton import Scale
from fairlead.formulations.first_state import LaidCable, Still
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.shape.layout import first_geometry
from fairlead.statics.relaxation import Relaxation

from .parameters import RELAXED, Parameters


@dataclass(frozen=True)
class Laying:
    """A cable that is laid again: between which points (3,) [m], and where its shape goes."""

    name: str
    elements: int
    start: np.ndarray
    end: np.ndarray
    place: LaidCable


@dataclass(frozen=True)
class Start:
    """All that is compiled into an FMU for it."""

    cables: tuple[Laying, ...] = ()
    """Empty where no cable is laid again."""
    bed_slope: tuple[float, float] | None = None
    still: Still | None = None
    """For relaxation; None where the run does not start from rest."""
    step: float = 0.0
    """s: its first step."""


def start_of(compiled: KernelCompiled, state: np.ndarray, parameters: Parameters) -> Start:
    """What these parameters need of the system, which starts in `state`."""
    if not parameters.numbers:
        return Start()
    still, step = None, 0.0
    if parameters.start == RELAXED:
        system = compiled.linearised(0.0)
        still, step = compiled.still(), float(Relaxation(system, state, Scale.of(system, state)).h)
    geometry = first_geometry(compiled.system)
    places = compiled.laid(geometry) if parameters.lay else None
    if places is None:
        return Start(still=still, step=step)
    cables = tuple(
        Laying(name, cable.element_count, geometry.points[cable.start.point], geometry.points[cable.end.point], place)
        for (name, cable), place in zip(compiled.system.cables.items(), places, strict=True)
    )
    bed = compiled.system.environment.seabed
    return Start(cables, None if bed is None else bed.slope, still, step)
