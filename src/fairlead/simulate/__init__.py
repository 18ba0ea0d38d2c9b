"""Time: simulations, integrators, inputs, sampling, checkpoints."""

import sys
from types import ModuleType

from .errors import SimulationError
from .inputs import InputError
from .integrators.contract import UnknownIntegrator
from .outputs import Outputs
from .parameters import ParameterError
from .progress import Progress
from .simulation import Simulation, simulate

__all__ = [
    "InputError",
    "Outputs",
    "ParameterError",
    "Progress",
    "Simulation",
    "SimulationError",
    "UnknownIntegrator",
    "simulate",
]


class _CallableFolder(ModuleType):
    """`fairlead.simulate` is both this folder and the function users call, `fairlead.simulate(system)`."""

    __call__ = staticmethod(simulate)


sys.modules[__name__].__class__ = _CallableFolder
