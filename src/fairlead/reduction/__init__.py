"""Reduced models: snapshots of a run, the modes that hold most of its motion, and a cable that moves in them alone.

from fairlead.reduction import compiled, reduce
from fairlead.simulate import Simulation

model = reduce("run.nc", modes=9, tension_modes=5)      # from a full run, held against it
model.notes["error"]
model.save("cable.rom.nc")
result = Simulation.of(compiled(system, model)).run()   # the same as formulation: reduced
"""

from fairlead.formulations.reduced import ReducedModel, open_model

from .error import Error, compiled, error, reduce
from .errors import ReductionError
from .modes import Basis, pod
from .realisations import realisations
from .snapshots import Snapshots, snapshots
from .two_field import galerkin

__all__ = [
    "Basis",
    "Error",
    "ReducedModel",
    "ReductionError",
    "Snapshots",
    "compiled",
    "error",
    "galerkin",
    "open_model",
    "pod",
    "realisations",
    "reduce",
    "snapshots",
]
