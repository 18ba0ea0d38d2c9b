"""A worker's bench: compiled systems kept ready, so that a member that differs in constants alone is not built anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.simulate.simulation import Simulation

KEPT = 4
"""Compiled systems that a worker keeps."""


class Bench:
    """Belongs to one thread."""

    def __init__(self) -> None:
        self._ready: OrderedDict[Hashable, tuple[Simulation, np.ndarray]] = OrderedDict()

    def simulation(self, system: System, alike: Hashable | None = None) -> Simulation:
        """A simulation of the system at its start.

        alike  what all members share that differ in constants of the equations alone and start in the same state; such
               a one takes over a compiled system with new constants, to the same bits as if it were built. None: built
        """
        found = self._ready.get(alike) if alike is not None else None
        if found is not None and alike is not None:
            simulation, start = found
            try:
                simulation.compiled.take_properties(system)
                simulation.set_state(0.0, start)
                self._ready.move_to_end(alike)
                return simulation
            except UnsupportedSystem:
                del self._ready[alike]
        simulation = Simulation(system)
        if alike is not None:
            self._ready[alike] = (simulation, simulation.state)
            if len(self._ready) > KEPT:
                self._ready.popitem(last=False)
        return simulation

    def forget(self, alike: Hashable | None) -> None:
        """Keep no longer what may have been left in disorder."""
        self._ready.pop(alike, None)
