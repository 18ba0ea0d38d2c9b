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

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import fairlead.view as plot
    from fairlead.calls import film, floater, load, modes, report, statics, view
    from fairlead.ensembles.fleet import Fleet
    from fairlead.exchange import ExportError, export
    from fairlead.model import (
        AddedMass,
        AnchorPoint,
        Attachment,
        BodyHarmonic,
        BodyMotion,
        Box,
        Cable,
        CableType,
        ControlledPoint,
        CurrentSample,
        Cylinder,
        DragCoefficients,
        Environment,
        FixedPoint,
        FloatingBody,
        FreeBody,
        FreePoint,
        Harmonic,
        HybridPoint,
        JonswapWaves,
        ModelError,
        Motion,
        OutputSettings,
        PassivePoint,
        PointLoad,
        PowerTakeOff,
        PrescribedBody,
        RegularWaves,
        Release,
        Seabed,
        Section,
        Segment,
        SimulationSettings,
        SlidingPoint,
        Sphere,
        System,
        Waterplane,
        Winch,
        Wind,
        Windage,
        json_schema,
        load_text,
        warnings,
    )
    from fairlead.results import ResultError, cable_loads, energy_balance, open_result, summarise
    from fairlead.simulate import InputError, Outputs, ParameterError, Simulation, SimulationError, simulate
    from fairlead.statics import StaticsError, natural_modes, settle
    from fairlead.studies.compare import compare
    from fairlead.studies.converge import converge
    from fairlead.study import Study
    from fairlead.twin import Twin

__version__ = "0.1.0"

_HOME = {
    "fairlead.calls": ("film", "floater", "load", "modes", "report", "statics", "view"),
    "fairlead.ensembles.fleet": ("Fleet",),
    "fairlead.exchange": ("ExportError", "export"),
    "fairlead.model": (
        "AddedMass",
        "AnchorPoint",
        "Attachment",
        "BodyHarmonic",
        "BodyMotion",
        "Box",
        "Cable",
        "CableType",
        "ControlledPoint",
        "CurrentSample",
        "Cylinder",
        "DragCoefficients",
        "Environment",
        "FixedPoint",
        "FloatingBody",
        "FreeBody",
        "FreePoint",
        "Harmonic",
        "HybridPoint",
        "JonswapWaves",
        "ModelError",
        "Motion",
        "OutputSettings",
        "PassivePoint",
        "PointLoad",
        "PowerTakeOff",
        "PrescribedBody",
        "RegularWaves",
        "Release",
        "Seabed",
        "Section",
        "Segment",
        "SimulationSettings",
        "SlidingPoint",
        "Sphere",
        "System",
        "Waterplane",
        "Winch",
        "Wind",
        "Windage",
        "json_schema",
        "load_text",
        "warnings",
    ),
    "fairlead.results": ("ResultError", "cable_loads", "energy_balance", "open_result", "summarise"),
    "fairlead.simulate": ("InputError", "Outputs", "ParameterError", "Simulation", "SimulationError", "simulate"),
    "fairlead.statics": ("StaticsError", "natural_modes", "settle"),
    "fairlead.studies": ("compare", "converge"),
    "fairlead.study": ("Study",),
    "fairlead.twin": ("Twin",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
_CALLED = ("statics", "view")
"""Folders that are also the function of their name in `fairlead.calls`."""

__all__ = [
    "AddedMass",
    "AnchorPoint",
    "Attachment",
    "BodyHarmonic",
    "BodyMotion",
    "Box",
    "Cable",
    "CableType",
    "ControlledPoint",
    "CurrentSample",
    "Cylinder",
    "DragCoefficients",
    "Environment",
    "ExportError",
    "FixedPoint",
    "Fleet",
    "FloatingBody",
    "FreeBody",
    "FreePoint",
    "Harmonic",
    "HybridPoint",
    "InputError",
    "JonswapWaves",
    "ModelError",
    "Motion",
    "OutputSettings",
    "Outputs",
    "ParameterError",
    "PassivePoint",
    "PointLoad",
    "PowerTakeOff",
    "PrescribedBody",
    "RegularWaves",
    "Release",
    "ResultError",
    "Seabed",
    "Section",
    "Segment",
    "Simulation",
    "SimulationError",
    "SimulationSettings",
    "SlidingPoint",
    "Sphere",
    "StaticsError",
    "Study",
    "System",
    "Twin",
    "Waterplane",
    "Winch",
    "Wind",
    "Windage",
    "__version__",
    "cable_loads",
    "compare",
    "converge",
    "energy_balance",
    "export",
    "film",
    "floater",
    "json_schema",
    "load",
    "load_text",
    "modes",
    "natural_modes",
    "open_result",
    "plot",
    "report",
    "settle",
    "simulate",
    "statics",
    "summarise",
    "view",
    "warnings",
]


def __getattr__(name: str) -> Any:
    if name in ("plot", *_CALLED):
        value: Any = import_module("fairlead.view" if name == "plot" else f"fairlead.{name}")
    elif name in _MODULE_OF:
        value = getattr(import_module(_MODULE_OF[name]), name)
    else:
        raise AttributeError(f"module 'fairlead' has no attribute '{name}'")
    globals()[name] = value
    return value


class _Front(ModuleType):
    """Importing a folder binds its name here: one that is called as a function is made so, or leaves it the name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and name in _CALLED:
            from inspect import signature

            function = getattr(import_module("fairlead.calls"), name)
            of_its_call = {"__call__": staticmethod(function), "__signature__": signature(function)}
            value.__class__ = type("CallableFolder", (ModuleType,), of_its_call)
        elif isinstance(value, ModuleType) and name == "simulate":
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Front


def __dir__() -> list[str]:
    return sorted(__all__)
