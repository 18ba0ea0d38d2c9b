"""What there is: the schema of a system of cables in the sea, and how it is read, checked and written.

`load` reads a YAML or JSON file, `System` builds the same from Python; both raise `ModelError` with every mistake.
`warnings` names what is allowed but looks wrong. No numerics live here.
"""

from fairlead.model.cable_types import AddedMass, CableType, DampingTime, DragCoefficients
from fairlead.model.cables import Attachment, Cable, End, Release, Section, Segment
from fairlead.model.environment import CurrentSample, Environment, Seabed
from fairlead.model.loader import load, load_text
from fairlead.model.methods import BarsSettings
from fairlead.model.physical import warnings
from fairlead.model.points import ControlledPoint, FixedPoint, FreePoint, Harmonic, Motion, Point, PointLoad
from fairlead.model.problems import ModelError, Problem
from fairlead.model.reference import reference_markdown
from fairlead.model.schema import json_schema
from fairlead.model.settings import OutputSettings, SimulationSettings, Tolerance
from fairlead.model.source import Source
from fairlead.model.system import System, counts

__all__ = [
    "AddedMass",
    "Attachment",
    "BarsSettings",
    "Cable",
    "CableType",
    "ControlledPoint",
    "CurrentSample",
    "DampingTime",
    "DragCoefficients",
    "End",
    "Environment",
    "FixedPoint",
    "FreePoint",
    "Harmonic",
    "ModelError",
    "Motion",
    "OutputSettings",
    "Point",
    "PointLoad",
    "Problem",
    "Release",
    "Seabed",
    "Section",
    "Segment",
    "SimulationSettings",
    "Source",
    "System",
    "Tolerance",
    "counts",
    "json_schema",
    "load",
    "load_text",
    "reference_markdown",
    "warnings",
]
