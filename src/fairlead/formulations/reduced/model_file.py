"""A reduced model: shapes of the cables' motion and of their tension, in memory and in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.model.points import FreePoint
from fairlead.results import ResultError
from fairlead.results.netcdf import write_netcdf
from fairlead.results.places import require_writable
from fairlead.results.stored import ForeignFile, Stored
from fairlead.results.variables import Variable

from .operators import Element

Floats = NDArray[np.float64]
KIND = "fairlead reduced model"
_UNITS = {
    "along": (("node",), "1", "place along the unstretched cable"),
    "mean": (("node", "axis"), "m", "mean place, less the ends' motion in proportion along the cables"),
    "modes": (("node", "axis", "mode"), "1", "shapes of the motion, supremizers last"),
    "tensions": (("element", "tension_mode"), "1", "shapes of the strain, in sqrt(EA h)"),
    "singular_values": (("value",), "m", "singular values of the motion"),
    "tension_values": (("tension_value",), "J0.5", "singular values of the strain, in sqrt(EA h)"),
}


@dataclass(frozen=True)
class ReducedModel:
    """What `formulation: reduced` runs.

    cables           their names; their nodes and elements stand one after the other
    source           formulation of the run it was made from
    element          `spline` or `straight`
    along            (node,) from 0 to 1
    mean             (node, 3) m, zero at held ends
    modes            (node, 3, K), zero at held ends
    tensions         (element, p); the unit matrix in a standard Galerkin model
    singular_values  of the motion (rank,) m
    tension_values   of the strain (rank,)
    identity         what the cables are made of: see `identity`
    notes            how it was made, and how near it comes to the run
    """

    cables: tuple[str, ...]
    source: str
    element: Element
    along: Floats
    mean: Floats
    modes: Floats
    tensions: Floats
    singular_values: Floats
    tension_values: Floats
    identity: Mapping[str, Any]
    notes: Mapping[str, Any] = field(default_factory=dict)

    def save(self, path: str | Path) -> Path:
        """Write it, as a NetCDF file; one that was there stays until the new one is whole."""
        path = Path(path)
        require_writable(path)
        variables = {
            name: Variable(dims, np.ascontiguousarray(getattr(self, name)), {"units": unit, "long_name": words})
            for name, (dims, unit, words) in _UNITS.items()
        }
        attrs: dict[str, str | int | float] = {
            "kind": KIND, "cables": json.dumps(self.cables), "source": self.source, "element": self.element,
            "identity": json.dumps(dict(self.identity)), "notes": json.dumps(dict(self.notes)),
        }  # fmt: skip
        write_netcdf(path, [variables], attrs)
        return path


def open_model(path: str | Path) -> ReducedModel:
    """The reduced model in a file; `UnsupportedSystem` for one that is missing, damaged or none."""
    path = Path(path)
    if not path.is_file():
        raise UnsupportedSystem(
            f"{path}: there is no such reduced model; make it with: fairlead reduce run.nc -o {path.name}"
        )
    try:
        with Stored(path) as stored:
            attrs, parts = stored.read(tuple(_UNITS), KIND)
        return _model(attrs, {name: np.array(part, dtype=np.float64) for name, part in parts.items()})
    except ForeignFile:
        raise UnsupportedSystem(
            f"{path}: is not a reduced model; make one of a run with: fairlead reduce run.nc -o cable.rom.nc"
        ) from None
    except (ResultError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise UnsupportedSystem(f"{path}: the file is damaged or no reduced model; make it again") from error


def _model(attrs: Mapping[str, Any], parts: Mapping[str, Floats]) -> ReducedModel:
    """What a file holds, once all of it fits together; any error where it does not."""
    cables, known, notes = (json.loads(str(attrs[name])) for name in ("cables", "identity", "notes"))
    if attrs["element"] not in ("spline", "straight") or not (isinstance(known, dict) and isinstance(notes, dict)):
        raise ValueError("no reduced model")
    if not (isinstance(cables, list) and cables and all(isinstance(name, str) for name in cables)):
        raise ValueError("no names of cables")
    nodes, modes = parts["along"].shape[0], parts["modes"].shape[-1]
    elements = nodes - len(cables)
    found = (parts["mean"].shape, parts["modes"].shape, parts["tensions"].shape[:1])
    if found != ((nodes, 3), (nodes, 3, modes), (elements,)) or min(nodes, modes, elements) < 1:
        raise ValueError("arrays that do not fit one another")
    if not all(np.isfinite(part).all() for part in parts.values()):
        raise ValueError("numbers that are none")
    return ReducedModel(
        cables=tuple(cables), source=str(attrs["source"]), element=attrs["element"], **parts, identity=known,
        notes=notes,
    )  # fmt: skip


def identity(system: System, element: Element) -> dict[str, Any]:
    """What a reduced model depends on, by what people call it."""
    cables = list(system.cables.values())
    segments = [segment for cable in cables for segment in cable.segments(system)]
    kinds = [system.types[segment.type_name] for segment in segments]
    ends = [end for cable in cables for end in (cable.start, cable.end)]
    free = [isinstance(system.points.get(end.point), FreePoint) for end in ends]
    masses = [system.points[e.point].mass if f else 0.0 for e, f in zip(ends, free, strict=True)]  # type: ignore[union-attr]
    found = {
        "length of the cable [m]": _same([float(cable.total_length) for cable in cables]),
        "number of elements": len(segments),
        "lengths of the elements [m]": [float(segment.length) for segment in segments],
        "axial stiffness [N]": _same([kind.ea for kind in kinds]),
        "mass per length [kg/m]": _same([kind.mass_per_metre for kind in kinds]),
        "diameter [m]": _same([kind.diameter for kind in kinds]),
        "gravity [m/s^2]": system.environment.gravity,
        "water density [kg/m^3]": system.environment.water_density,
        "ends": " ".join("free" if loose else "held" for loose in free),
        "masses of free points [kg]": _same(masses),
    }
    if element == "spline":
        found["bending stiffness [N m^2]"] = _same([kind.ei for kind in kinds])
        found["torsional stiffness [N m^2]"] = _same([kind.gj for kind in kinds])
        found["kind of mass"] = system.simulation.spline.mass
        found["joints"] = " ".join(end.joint for end in ends)
    return found


def _same(values: list[float]) -> float | list[float]:
    """One number where all are the same."""
    numbers = [float(value) for value in values]
    return numbers[0] if len(set(numbers)) == 1 else numbers


def require_cables(model: ReducedModel, system: System) -> None:
    """Refuse a system that has other cables than the model."""
    if model.cables != tuple(system.cables):
        raise UnsupportedSystem(
            f"the reduced model is of the cables {', '.join(model.cables)}, and this system has: "
            f"{', '.join(system.cables) or 'none'}; make a new one of a run of this system with `fairlead reduce`"
        )


def require_same(model: ReducedModel, system: System) -> None:
    """Refuse a system the model was not made for, with the first thing in which they differ."""
    own = identity(system, model.element)
    for name, known in model.identity.items():
        found = own.get(name)
        if not _alike(known, found):
            raise UnsupportedSystem(
                f"cables: the reduced model was made for another system: {name} {_shown(known)} there, {_shown(found)} "
                "here; make a new one of a run of this system with `fairlead reduce`"
            )


def _alike(a: Any, b: Any) -> bool:
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_alike(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return bool(a == b)


def _shown(value: Any) -> str:
    return "others" if isinstance(value, list) else f"{value:g}" if isinstance(value, int | float) else str(value)
