"""What there is: the schema of a system of cables in the sea, and how it is read, checked and written.

`load` reads a YAML or JSON file, `System` builds the same from Python; both raise `ModelError` with every mistake.
`warnings` names what is allowed but looks wrong. No numerics live here.
"""

from fairlead.model.bodies import FreeBody, PrescribedBody, Waterplane, Windage
from fairlead.model.body_kinds import Body
from fairlead.model.cable_types import AddedMass, CableType, DampingTime, DragCoefficients
from fairlead.model.cables import Attachment, Cable, End, Release, Section, Segment
from fairlead.model.environment import CurrentSample, Environment, Seabed, Wind
from fairlead.model.floaters import FloatingBody, PowerTakeOff
from fairlead.model.hydro import HullShape, Hydro, MeshFile, Spring, SurfaceMeshSettings
from fairlead.model.loader import load, load_text
from fairlead.model.methods import BarsSettings
from fairlead.model.motion import BodyHarmonic, BodyMotion, Harmonic, Motion
from fairlead.model.physical import warnings
from fairlead.model.places import Place
from fairlead.model.points import (
    AnchorPoint,
    ControlledPoint,
    FixedPoint,
    FreePoint,
    HybridPoint,
    PassivePoint,
    Point,
    PointLoad,
    SlidingPoint,
)
from fairlead.model.problems import ModelError, Problem
from fairlead.model.reference import reference_markdown
from fairlead.model.responses import Response, ResponseRow
from fairlead.model.schema import json_schema
from fairlead.model.settings import OutputSettings, SimulationSettings, Tolerance
from fairlead.model.solids import Box, Cylinder, Shape, Sphere
from fairlead.model.source import Source
from fairlead.model.system import System, counts, parts
from fairlead.model.waves import JonswapWaves, RegularWaves
from fairlead.model.winches import Winch, WinchControl

__all__ = [
    "AddedMass",
    "AnchorPoint",
    "Attachment",
    "BarsSettings",
    "Body",
    "BodyHarmonic",
    "BodyMotion",
    "Box",
    "Cable",
    "CableType",
    "ControlledPoint",
    "CurrentSample",
    "Cylinder",
    "DampingTime",
    "DragCoefficients",
    "End",
    "Environment",
    "FixedPoint",
    "FloatingBody",
    "FreeBody",
    "FreePoint",
    "Harmonic",
    "HullShape",
    "HybridPoint",
    "Hydro",
    "JonswapWaves",
    "MeshFile",
    "ModelError",
    "Motion",
    "OutputSettings",
    "PassivePoint",
    "Place",
    "Point",
    "PointLoad",
    "PowerTakeOff",
    "PrescribedBody",
    "Problem",
    "RegularWaves",
    "Release",
    "Response",
    "ResponseRow",
    "Seabed",
    "Section",
    "Segment",
    "Shape",
    "SimulationSettings",
    "SlidingPoint",
    "Source",
    "Sphere",
    "Spring",
    "SurfaceMeshSettings",
    "System",
    "Tolerance",
    "Waterplane",
    "Winch",
    "WinchControl",
    "Wind",
    "Windage",
    "counts",
    "json_schema",
    "load",
    "load_text",
    "parts",
    "reference_markdown",
    "warnings",
]
