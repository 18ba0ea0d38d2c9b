"""A worker's bench: compiled systems kept ready, so that a member that differs in constants alone is not built anew."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import System
from fairlead.simulate.simulation import Simulation

from .companies import Companies
from .constants import Constants
from .members import Member

T = TypeVar("T")

KEPT = 4
"""Compiled systems that a worker keeps."""


class Bench:
    """Belongs to one thread; `companies` are who runs members together there."""

    def __init__(self, companies: Companies | None = None) -> None:
        self.companies = companies or Companies()
        self._ready: OrderedDict[Hashable, tuple[Simulation, np.ndarray]] = OrderedDict()
        self._constants: dict[Hashable, Constants] = {}

    def each(self, numbers: Iterable[int], task: Callable[[int, Bench], T], apart: bool) -> Iterator[tuple[int, T]]:
        """What a task comes to for each of some scenarios, in their order; apart: they have starts of their own."""
        return ((i, task(i, self)) for i in numbers)

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
                self.forget(next(iter(self._ready)))
        return simulation

    def member(self, values: Mapping[str, Any], alike: Hashable | None) -> Member | None:
        """What a member with these values by their paths begins with, where it need not be built for that: it shares
        its start with others, and its constants follow from a record that was proven by `taken`."""
        known, ready = self._constants.get(alike), self._ready.get(alike)
        constants = known.of(values) if known is not None else None
        if constants is None or ready is None:
            return None
        simulation, start = ready
        compiled = simulation.compiled
        assert isinstance(compiled, KernelCompiled)
        return Member(compiled, simulation.system, constants, start, simulation.commands.copy())

    def taken(self, simulation: Simulation, values: Mapping[str, Any], alike: Hashable | None) -> Member:
        """What a member that was built, a simulation at its start, begins with."""
        member = Member.of(simulation)
        if alike is not None:
            if alike not in self._constants:
                self._constants[alike] = Constants(member.compiled)
            self._constants[alike].prove(values, member.constants)
        return member

    def forget(self, alike: Hashable | None) -> None:
        """Keep no longer what may have been left in disorder."""
        self._ready.pop(alike, None)
        self._constants.pop(alike, None)
