"""Whether waves are felt by the lines of a system: they then take most of the time of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.sea.water import WAVE_COUNT

if TYPE_CHECKING:
    from fairlead.formulations.kernel_compiled import KernelCompiled


def lines_feel_waves(compiled: KernelCompiled) -> bool:
    """Whether at the start a bar of `bars`, or a node of `lumped`, is within the reach of waves."""
    if compiled.reals[WAVE_COUNT] == 0.0:
        return False
    tables = compiled.tables(compiled.initial_state())
    places = tables.bar_state if compiled.formulation == "bars" else tables.node
    return bool((places.position[:, 2] >= -tables.settings.wave_reach).any())
