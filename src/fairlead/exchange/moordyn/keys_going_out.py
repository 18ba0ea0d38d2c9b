"""What becomes of every key of points and bodies, and of a system, in a MoorDyn file: written, told or refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from fairlead.model import System
from fairlead.model.bodies import BodyDamping, FreeBody
from fairlead.model.part import Part
from fairlead.model.points import FreePoint

from ..notes import Notes


class Fate(NamedTuple):
    """What becomes of a key that is given: `written`; `idle`, of no effect in a run of MoorDyn; or `dropped` or
    `refused`, for the reason `why`."""

    how: Literal["written", "idle", "dropped", "refused"]
    why: str = ""


WRITTEN, IDLE = Fate("written"), Fate("idle")
_HOST = Fate("dropped", "what is coupled moves as the host of MoorDyn says, which a file does not hold")
_REST = Fate("dropped", "MoorDyn begins at rest")
_SURFACE = Fate("refused", "MoorDyn does not know where the surface cuts a body, and what rights it then")
_ANYWHERE = {"kind": WRITTEN, "position": WRITTEN}
_MOVED = _ANYWHERE | {"velocity": _HOST, "cutoff": IDLE, "follow": IDLE, "motion": _HOST, "track": _HOST}
"""A track and a net are written out as velocity, motion and drag area when a file is read."""

POINTS: dict[str, dict[str, Fate]] = {
    "fixed": _ANYWHERE,
    "anchor": _ANYWHERE,
    "controlled": _MOVED,
    "free": _ANYWHERE | dict.fromkeys(("mass", "volume", "drag_area", "added_mass", "always_wet", "net"), WRITTEN) | {
        "velocity": _REST,
        "inertia": Fate("dropped", "points of MoorDyn do not turn"),
        "floating": IDLE,
    },
}  # fmt: skip
"""By kind; kinds that are not here are refused."""
BODIES: dict[str, dict[str, Fate]] = {
    "prescribed": _MOVED | {"orientation_deg": WRITTEN, "attachments": WRITTEN},
    "free": _ANYWHERE | dict.fromkeys(
        ("orientation_deg", "attachments", "mass", "inertia", "volume", "drag_area", "drag_moment", "added_mass",
         "always_wet", "damping", "net"), WRITTEN) | {
        "velocity": _REST,
        "shape": _SURFACE, "waterplane": _SURFACE, "metacentric_height": _SURFACE,
        "height": IDLE,  # all of a body is under water there; see `_tell_of_surface`
        "slamming": Fate("refused", "MoorDyn knows no blow of the water"),
        "added_inertia": Fate("refused", "MoorDyn has added mass of bodies and no added inertia"),
        "centre_of_buoyancy": Fate("refused", "MoorDyn has it at the centre of mass"),
        "strips": WRITTEN,
        "members": WRITTEN,
        "footprint": Fate("dropped", "bodies of MoorDyn do not stand on the seabed"),
        "wind": Fate("refused", "MoorDyn knows no wind"),
        "floating": IDLE,
    },
}  # fmt: skip
"""By kind, as `POINTS`."""
OF_RODS = {
    "shape": WRITTEN,
    "centre_of_buoyancy": IDLE,
    "footprint": Fate("dropped", "a rod of MoorDyn meets the seabed with its nodes"),
}
"""What is other of free bodies in `strips`, which go out as rods; `rod_refusals` looks at the rest."""
SYSTEM: dict[str, Fate] = dict.fromkeys(
    ("title", "environment", "types", "points", "bodies", "joints", "cables", "simulation", "inputs"), WRITTEN
) | {
    "description": IDLE, "outputs": IDLE, "fmu": IDLE,
    "hydro": Fate("refused", "a MoorDyn file cannot hold this"),
    "loads": Fate("refused", "a MoorDyn file cannot hold this"),
    "ptos": Fate("refused", "MoorDyn knows no power take-offs"),
}  # fmt: skip
"""Keys of the whole; `inputs` are looked at one by one."""


def key_refusals(system: System) -> Iterator[str]:
    """Keys without which MoorDyn would have another system."""
    yield from (f"{key}: {fate.why}" for key, fate in _given(system, SYSTEM) if fate.how == "refused")
    for name, point in system.points.items():
        if point.kind not in POINTS:
            yield f"points.{name}: a point of kind '{point.kind}' is unknown to MoorDyn"
    for name, body in system.bodies.items():
        if body.kind not in BODIES:
            yield f"bodies.{name}: a {body.kind} body, given by hydrodynamic coefficients, is unknown to MoorDyn"
    for where, fate in _keys(system):
        if fate.how == "refused":
            yield f"{where}: {fate.why}"
    for name in system.inputs:
        if not _moves_what_is_coupled(system, name):
            yield f"inputs.{name}: a MoorDyn file cannot hold this"


def tell_of_keys(system: System, notes: Notes) -> None:
    """Say what of points and bodies is left out or other in MoorDyn."""
    for where, fate in _keys(system):
        if fate.how == "dropped":
            notes.dropped(where, fate.why)
    for name in system.inputs:
        notes.dropped(f"inputs.{name}", _HOST.why)
    for name, body in system.bodies.items():
        if isinstance(body, FreeBody) and body.damping is not None:
            _tell_of_damping(f"bodies.{name}.damping", body.damping, notes)
    _tell_of_surface(system, notes)


def _keys(system: System) -> Iterator[tuple[str, Fate]]:
    """Keys that are given of points and bodies, by where they stand, and what becomes of them."""
    for name, point in system.points.items():
        for key, fate in _given(point, POINTS.get(point.kind, {})):
            yield f"points.{name}.{key}", fate
    for name, body in system.bodies.items():
        fates = BODIES.get(body.kind, {})
        if isinstance(body, FreeBody) and body.strips:
            fates = fates | OF_RODS
        for key, fate in _given(body, fates):
            if key != "wind" or system.environment.wind is not None:
                yield f"bodies.{name}.{key}", fate


def _given(part: Part, fates: dict[str, Fate]) -> Iterator[tuple[str, Fate]]:
    """Keys of which a part has another value than that which stands for nothing."""
    fields = type(part).model_fields
    for key, fate in fates.items():
        value = getattr(part, key)
        if fate.why and value is not None and value != fields[key].default and value != {}:
            yield key, fate


def _moves_what_is_coupled(system: System, name: str) -> bool:
    owner = name.partition(".")[0]
    part = system.points.get(owner) or system.bodies.get(owner)
    return part is not None and part.kind in ("controlled", "prescribed")


def _tell_of_damping(where: str, damping: BodyDamping, notes: Notes) -> None:
    if any((*damping.linear[:3], *damping.quadratic[:3])):
        notes.changed(where, "as EXTERNAL LOADS, which MoorDyn of OpenFAST reads and MoorDyn-C passes over")
    if any((*damping.linear[3:], *damping.quadratic[3:])):
        notes.dropped(f"{where} about the axes", "MoorDyn damps a body along its axes alone")


def _tell_of_surface(system: System, notes: Notes) -> None:
    """Say that what comes out of the water keeps its buoyancy there, of all that has any."""
    keeps = "keeps all its buoyancy and drag where it comes out of the water"
    for name, point in system.points.items():
        if isinstance(point, FreePoint) and point.volume > 0.0 and not point.always_wet:
            notes.changed(f"points.{name}", keeps)
    for name, body in system.bodies.items():
        if isinstance(body, FreeBody) and body.volume > 0.0 and not body.strips:
            how = ["no seabed holds it up"] if body.always_wet else [keeps, "no seabed holds it up"]
            notes.changed(f"bodies.{name}", " and ".join(how))
