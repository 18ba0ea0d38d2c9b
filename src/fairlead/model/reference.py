"""The reference of the model file, as Markdown made from the schema itself."""

from __future__ import annotations

import re
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from fairlead.model.bathymetry import Bathymetry, Soundings
from fairlead.model.bodies import BodyDamping, FreeBody, PrescribedBody, Waterplane, Windage
from fairlead.model.cable_types import AddedMass, CableType, DampingTime, DragCoefficients, Vortices
from fairlead.model.cables import Attachment, Cable, End, Release, Section, Stiffener
from fairlead.model.current_field import CurrentField
from fairlead.model.environment import CurrentSample, Environment, Seabed, Wind
from fairlead.model.floaters import (
    CoefficientFile,
    CurrentForce,
    Drift,
    Excitation,
    FloaterDamping,
    FloatingBody,
    HydrostaticStiffness,
    MooringMatrix,
    PowerTakeOff,
    Radiation,
    Thrust,
    WindForce,
)
from fairlead.model.fmu_choice import FmuChoice
from fairlead.model.hydro import HullShape, Hydro, MeshFile, Spring, SurfaceMeshSettings
from fairlead.model.inputs import CsvInput, Input
from fairlead.model.joints import DenavitHartenberg, Joint
from fairlead.model.members import Member
from fairlead.model.methods import (
    BarsSettings,
    LinksSettings,
    LumpedSettings,
    MultibodySettings,
    ReducedSettings,
    SplineSettings,
    TetherSettings,
    Twist,
    TwistHarmonic,
)
from fairlead.model.motion import BodyHarmonic, BodyMotion, Harmonic, Motion
from fairlead.model.part import Part
from fairlead.model.points import (
    AnchorPoint,
    ControlledPoint,
    FixedPoint,
    FreePoint,
    HybridPoint,
    PassivePoint,
    PointLoad,
    SlidingPoint,
)
from fairlead.model.responses import Response, ResponseRow
from fairlead.model.ropes import Axial, History, WorkingCurves
from fairlead.model.seas import ComponentWaves, RecordWaves, SpectrumWaves
from fairlead.model.settings import OutputSettings, SimulationSettings, Tolerance
from fairlead.model.slamming import Slamming
from fairlead.model.solids import Box, Cylinder, Shape, Sphere
from fairlead.model.system import System
from fairlead.model.trade_words import Modules, Net, Track
from fairlead.model.units import KINDS
from fairlead.model.values import NameRule, PlaceRule, Quantity, Row, Whole
from fairlead.model.waves import JonswapWaves, RegularWaves, SeveralWaves
from fairlead.model.winches import Winch, WinchControl

SECTIONS: tuple[tuple[str, int, type[Part], str], ...] = (
    ("The file", 2, System, "file"),
    ("environment", 2, Environment, "environment"),
    ("environment.current, each sample", 3, CurrentSample, "samples"),
    ("environment.current_field", 3, CurrentField, "grid"),
    ("environment.waves, kind regular", 3, RegularWaves, "regular"),
    ("environment.waves, kind jonswap", 3, JonswapWaves, "jonswap"),
    ("environment.waves, kind components", 3, ComponentWaves, "components"),
    ("environment.waves, kind record", 3, RecordWaves, "record"),
    ("environment.waves, kind spectrum", 3, SpectrumWaves, "spectrum"),
    ("environment.waves, kind several", 3, SeveralWaves, "several"),
    ("environment.seabed", 3, Seabed, "seabed"),
    ("bathymetry", 4, Bathymetry, "grid"),
    ("soundings", 4, Soundings, "columns of a file"),
    ("environment.wind", 3, Wind, "wind"),
    ("types, each type", 2, CableType, "cable type"),
    ("damping_time", 3, DampingTime, "times"),
    ("drag as coefficients", 3, DragCoefficients, "coefficients"),
    ("axial", 3, Axial, "rope"),
    ("working_curves", 4, WorkingCurves, "working curves"),
    ("vortices", 3, Vortices, "vortices"),
    ("added_mass", 3, AddedMass, "coefficients"),
    ("points, kind fixed", 2, FixedPoint, "fixed"),
    ("points, kind anchor", 2, AnchorPoint, "anchor"),
    ("points, kind controlled", 2, ControlledPoint, "controlled"),
    ("motion", 3, Motion, "motion"),
    ("harmonic", 3, Harmonic, "harmonic"),
    ("points, kind free", 2, FreePoint, "free point"),
    ("points, kind passive", 2, PassivePoint, "passive"),
    ("shape", 3, Shape, "shape"),
    ("sphere", 3, Sphere, "sphere"),
    ("cylinder", 3, Cylinder, "cylinder"),
    ("box", 3, Box, "box"),
    ("points, kind hybrid", 2, HybridPoint, "hybrid"),
    ("points, kind sliding", 2, SlidingPoint, "sliding"),
    ("bodies, kind free", 2, FreeBody, "free body"),
    ("members", 3, Member, "member"),
    ("damping of a body", 3, BodyDamping, "damping"),
    ("waterplane", 3, Waterplane, "waterplane"),
    ("slamming", 3, Slamming, "slamming"),
    ("wind on a body", 3, Windage, "area"),
    ("bodies, kind floating", 2, FloatingBody, "floating"),
    ("coefficients of a floater", 3, CoefficientFile, "file"),
    ("stiffness of a floater", 3, HydrostaticStiffness, "stiffness"),
    ("radiation", 3, Radiation, "radiation"),
    ("excitation", 3, Excitation, "excitation"),
    ("drift", 3, Drift, "drift"),
    ("damping of a floater", 3, FloaterDamping, "damping"),
    ("current on a floater", 3, CurrentForce, "force"),
    ("wind on a floater", 3, WindForce, "force"),
    ("thrust", 3, Thrust, "thrust"),
    ("mooring of a floater", 3, MooringMatrix, "matrix"),
    ("bodies, kind prescribed", 2, PrescribedBody, "prescribed"),
    ("motion of a body", 3, BodyMotion, "motion"),
    ("harmonic of a body", 3, BodyHarmonic, "harmonic"),
    ("raos, each heading", 3, Response, "responses"),
    ("table of responses, each row", 4, ResponseRow, "response"),
    ("joints, each joint", 2, Joint, "joint"),
    ("dh", 3, DenavitHartenberg, "numbers"),
    ("ptos, each power take-off", 2, PowerTakeOff, "power take-off"),
    ("cables, each cable", 2, Cable, "cable"),
    ("start and end", 3, End, "end"),
    ("release", 3, Release, "release"),
    ("stiffener", 3, Stiffener, "bend stiffener"),
    ("history", 3, History, "history"),
    ("sections, each section", 3, Section, "sections"),
    ("attachments, each attachment", 3, Attachment, "attachments"),
    ("modules", 3, Modules, "modules"),
    ("net, of points, attachments and bodies", 3, Net, "net panel"),
    ("track, of points and bodies", 3, Track, "track"),
    ("winch", 3, Winch, "winch"),
    ("control of a winch", 4, WinchControl, "controller"),
    ("hydro", 2, Hydro, "hydro"),
    ("hulls, each hull", 3, HullShape, "hull"),
    ("mesh of a hull", 4, MeshFile, "mesh file"),
    ("springs, each spring", 3, Spring, "springs"),
    ("surface of the water", 3, SurfaceMeshSettings, "surface mesh"),
    ("loads, each load", 2, PointLoad, "loads"),
    ("inputs, each input", 2, Input, "input"),
    ("csv", 3, CsvInput, "columns of a file"),
    ("simulation", 2, SimulationSettings, "settings"),
    ("tolerance", 3, Tolerance, "tolerance"),
    ("bars", 3, BarsSettings, "settings"),
    ("links", 3, LinksSettings, "settings"),
    ("lumped", 3, LumpedSettings, "settings"),
    ("multibody", 3, MultibodySettings, "settings"),
    ("reduced", 3, ReducedSettings, "settings"),
    ("spline", 3, SplineSettings, "settings"),
    ("twists, each twist", 4, Twist, "twist"),
    ("harmonic of a twist", 4, TwistHarmonic, "harmonic"),
    ("tether", 3, TetherSettings, "settings"),
    ("outputs", 2, OutputSettings, "settings"),
    ("fmu", 2, FmuChoice, "choice"),
)
"""Heading, level and part of each section of the page, in the order of a file, and the word that links to it."""

_LINKS = {part: word for _, _, part, word in SECTIONS}
_SHORTHANDS: dict[type[Part], str] = {
    End: "name or ",
    DampingTime: "number or ",
    CoefficientFile: "text or ",
    HydrostaticStiffness: "six by six or ",
}
_PLAIN = {str: "text", bool: "true or false"}

_OPENING = """\
# The model file

A model file is YAML 1.2 (JSON is YAML too). Every quantity is a number in the unit of its table, or text with a unit of
the same kind, such as `5 kN` or `44 mm`; a unit of another kind is a mistake. Units combine as in `kN/m`, `kN*m^2` or
`kg/m^3` and are written with upper and lower case as usual (`kN` is a force, `kn` a speed). x points north, y west and
z up from the mean surface. Keys marked *required* have no default.
"""


def reference_markdown() -> str:
    """The page: a table of keys for each part of the file, and the units with examples."""
    parts = [_OPENING]
    for title, level, part, _ in SECTIONS:
        parts.append(f"{'#' * level} {title}\n\n{_summary(part)}\n\n{_table(part)}")
    rows = "\n".join(
        f"| {kind} | `{unit}` | {_in_backticks(examples)} |" for unit, (kind, examples) in KINDS.items() if unit != "1"
    )
    parts.append(f"## Units\n\n| what | number in | examples of text |\n|---|---|---|\n{rows}\n")
    return "\n".join(parts)


def _in_backticks(examples: str) -> str:
    return re.sub(r"[\d.e-]+ (?!or )[^\s,]+", lambda found: f"`{found.group()}`", examples)


def _table(part: type[Part]) -> str:
    lines = ["| key | type | unit | default | meaning |", "|---|---|---|---|---|"]
    for name, field in part.model_fields.items():
        annotation = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        cells = (f"`{name}`", type_text(annotation), _unit(annotation), _default(field), field.description or "")
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def type_text(annotation: Any) -> str:
    """What may be written for an annotation, in words."""
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        for mark in arguments[1:]:
            if hasattr(mark, "words"):
                return str(mark.words)
            if isinstance(mark, Quantity):
                return "number" + _bounds(mark.above, mark.at_least, mark.at_most)
            if isinstance(mark, Whole):
                return f"whole number, {mark.at_least} or more"
            if isinstance(mark, PlaceRule):
                return "name of a place"
            if isinstance(mark, NameRule):
                return "name"
            if isinstance(mark, Row):
                return f"[{', '.join(mark.columns.split())}]"
        return type_text(arguments[0])
    if origin in (Union, UnionType):
        return " or ".join(dict.fromkeys(type_text(member) for member in arguments if member is not type(None)))
    if origin is Literal:
        return " or ".join(f"`{choice}`" for choice in arguments)
    if origin is dict:
        return f"name: {type_text(arguments[1])}"
    if origin is tuple:
        entry = type_text(arguments[0])
        return "list of " + re.sub(r"\b(number|name|list)\b", r"\1s", entry, count=1)
    return f"{_SHORTHANDS.get(annotation, '')}[{_LINKS[annotation]}](#{_label(annotation)})"


def _bounds(above: float | None, at_least: float | None, at_most: float | None) -> str:
    words = [
        f"{word} {bound:g}"
        for word, bound in (("above", above), ("at least", at_least), ("at most", at_most))
        if bound is not None
    ]
    return f", {' and '.join(words)}" if words else ""


def _unit(annotation: Any) -> str:
    """Units named anywhere in an annotation, without the plain number."""
    units: list[str] = []

    def collect(inner: Any) -> None:
        for argument in get_args(inner):
            if isinstance(argument, Quantity) and argument.unit not in units:
                units.append(argument.unit)
            collect(argument)

    collect(annotation)
    return ", ".join(f"`{unit}`" for unit in units if unit != "1")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "*required*"
    if field.default_factory is not None or field.default is None or isinstance(field.default, Part):
        return ""
    if isinstance(field.default, bool):
        return f"`{str(field.default).lower()}`"
    if isinstance(field.default, float):
        return f"`{field.default:g}`"
    if isinstance(field.default, tuple):
        values = (value if isinstance(value, str) else f"{value:g}" for value in field.default)
        return f"`[{', '.join(values)}]`"
    return f"`{field.default}`" if field.default else ""


def _summary(part: type[Part]) -> str:
    return " ".join((part.__doc__ or "").split())


def _label(part: type[Part]) -> str:
    """The anchor of its heading, as GitHub and Sphinx make it."""
    title = next(title for title, _, other, _ in SECTIONS if other is part)
    return re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-")
