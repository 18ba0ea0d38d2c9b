"""Time: simulations, integrators, inputs, sampling, checkpoints."""

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
