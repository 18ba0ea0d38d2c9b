"""What a member of an ensemble begins with."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import System
from fairlead.simulate.simulation import Simulation


@dataclass(frozen=True)
class Member:
    """One of those that run together: what is its own, taken from a simulation at its start."""

    compiled: KernelCompiled
    system: System
    constants: np.ndarray
    state: np.ndarray
    inputs: np.ndarray

    @classmethod
    def of(cls, simulation: Simulation) -> Member:
        compiled = simulation.compiled
        assert isinstance(compiled, KernelCompiled)
        return cls(compiled, simulation.system, compiled.reals.copy(), simulation.state, simulation.commands.copy())

    @property
    def kind(self) -> Hashable:
        """The same of all members that can run together."""
        compiled, settings = self.compiled, self.system.simulation
        schedule = settings.duration, settings.output_every, settings.step
        structure = compiled.structure(self.constants)
        return schedule, compiled.layout, compiled.ints.tobytes(), structure.tobytes(), self.inputs.tobytes()
