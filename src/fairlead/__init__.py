"""Fairlead: cables in the sea.

One description of a system, several published formulations of cable dynamics behind it.

    import fairlead as fl

    system = fl.load("examples/sinking_cables.yaml")
    result = fl.simulate(system)                                # an xarray.Dataset
    sim = fl.Simulation(system)
    out = sim.step(0.25, inputs={"B.position": (0, 375, 0)})    # in a loop of your own

Names are fetched when they are first used, so that `import fairlead` itself costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairlead.model import (
        Cable,
        CableType,
        Environment,
        ModelError,
        OutputSettings,
        PointLoad,
        Seabed,
        SimulationSettings,
        System,
        json_schema,
        load,
        load_text,
    )
    from fairlead.results import ResultError, energy_balance, open_result, summarise
    from fairlead.simulate import InputError, Outputs, ParameterError, Simulation, SimulationError, simulate
    from fairlead.statics import StaticsError, natural_modes, settle

__version__ = "0.1.0"

_HOME = {
    "fairlead.model": (
        "Cable",
        "CableType",
        "Environment",
        "ModelError",
        "OutputSettings",
        "PointLoad",
        "Seabed",
        "SimulationSettings",
        "System",
        "json_schema",
        "load",
        "load_text",
    ),
    "fairlead.results": ("ResultError", "energy_balance", "open_result", "summarise"),
    "fairlead.simulate": ("InputError", "Outputs", "ParameterError", "Simulation", "SimulationError", "simulate"),
    "fairlead.statics": ("StaticsError", "natural_modes", "settle"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Cable",
    "CableType",
    "Environment",
    "InputError",
    "ModelError",
    "OutputSettings",
    "Outputs",
    "ParameterError",
    "PointLoad",
    "ResultError",
    "Seabed",
    "Simulation",
    "SimulationError",
    "SimulationSettings",
    "StaticsError",
    "System",
    "__version__",
    "energy_balance",
    "json_schema",
    "load",
    "load_text",
    "natural_modes",
    "open_result",
    "settle",
    "simulate",
    "summarise",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        module = import_module(_MODULE_OF[name])
        # `simulate` is the name of a folder as well, which is callable and stands for the function everywhere.
        value = module if name == "simulate" else getattr(module, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'fairlead' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
