"""How an FMU makes its first state anew when a parameter has changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.formulations.bars.compiled_bars import CompiledBars
from fairlead.shape.layout import first_geometry

from . import bars
from .parameters import RELAXED, Parameters


@dataclass(frozen=True)
class LaidCable:
    """A cable that is laid again: between which points (3,) [m], and where its shape goes."""

    name: str
    elements: int
    start: np.ndarray
    end: np.ndarray
    place: bars.Place


@dataclass(frozen=True)
class Start:
    """All that is compiled into an FMU for it."""

    cables: tuple[LaidCable, ...] = ()
    """Empty where no cable is laid again."""
    body_stride: int = 0
    bed_slope: tuple[float, float] | None = None
    still: bars.Still | None = None
    """For relaxation; None where the run does not start from rest."""


def start_of(compiled: CompiledBars, state: np.ndarray, parameters: Parameters) -> Start:
    """What these parameters need of the system, which starts in `state`."""
    if not parameters.numbers:
        return Start()
    still = bars.still(compiled, state) if parameters.start == RELAXED else None
    if not parameters.lay:
        return Start(still=still)
    system, geometry = compiled.system, first_geometry(compiled.system)
    cables = tuple(
        LaidCable(
            name, cable.element_count, geometry.points[cable.start.point], geometry.points[cable.end.point], place
        )
        for (name, cable), place in zip(system.cables.items(), bars.places(compiled), strict=True)
    )
    bed = system.environment.seabed
    return Start(cables, bars.BODY_STRIDE, None if bed is None else bed.slope, still)
