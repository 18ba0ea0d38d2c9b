"""The variables of a result, as plain arrays: what each is called, its dimensions, unit and meaning.

This is the one catalogue behind both the Dataset in memory and the file on disk. It needs numpy only, so that a run can
write its file without loading xarray.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import extremes as ext
from . import observation as obs
from .observation import ObservationShape
from .on_bed import grounded_length

AXES = ("x", "y", "z")
ENDS = ("start", "end")
ROUNDING = 1e-9
"""A force of less than this part of that at a cable's other end is none: it has no direction."""


@dataclass(frozen=True)
class Variable:
    """A named array with its dimensions and its CF attributes; ``coordinate`` variables label others."""

    dims: tuple[str, ...]
    values: NDArray[Any]
    attrs: dict[str, str]
    coordinate: bool = False


@dataclass(frozen=True)
class NodeField:
    """One quantity along a cable: its first column among the ``NODE_COLUMNS`` and how many it takes (1 or 3)."""

    name: str
    column: int
    width: int
    units: str
    long_name: str


NODE_FIELDS = (
    NodeField("position", obs.NODE_POSITION, 3, "m", "position of the node in the global frame"),
    NodeField("velocity", obs.NODE_VELOCITY, 3, "m s-1", "velocity of the node in the global frame"),
    NodeField("tension_effective", obs.NODE_TENSION, 1, "N", "effective tension, positive when the cable pulls"),
    NodeField("shear", obs.NODE_SHEAR, 1, "N", "magnitude of the shear force"),
    NodeField("bending_moment", obs.NODE_BENDING_MOMENT, 1, "N m", "magnitude of the bending moment"),
    NodeField("torsion", obs.NODE_TORSION, 1, "N m", "torsional moment about the cable axis"),
    NodeField("contact_force", obs.NODE_CONTACT_FORCE, 3, "N", "force of the seabed on the cable at the node"),
)

SINCE = "of all steps since the previous sample"

NODE_PEAKS = (
    NodeField("tension_effective_min", ext.NODE_TENSION_MIN, 1, "N", f"least effective tension {SINCE}"),
    NodeField("tension_effective_max", ext.NODE_TENSION_MAX, 1, "N", f"largest effective tension {SINCE}"),
    NodeField("curvature_max", ext.NODE_CURVATURE_MAX, 1, "m-1", f"largest curvature {SINCE}"),
)
"""Extremes along a cable: their columns among the ``NODE_EXTREMES``."""

CABLE_PEAKS = (
    NodeField("tension_min_time", ext.CABLE_TENSION_MIN, 1, "s", "time of the least tension in the cable"),
    NodeField("tension_min_node", ext.CABLE_TENSION_MIN + 1, 1, "1", "node of the least tension in the cable"),
    NodeField("tension_max_time", ext.CABLE_TENSION_MAX, 1, "s", "time of the largest tension in the cable"),
    NodeField("tension_max_node", ext.CABLE_TENSION_MAX + 1, 1, "1", "node of the largest tension in the cable"),
    NodeField("curvature_max_time", ext.CABLE_CURVATURE_MAX, 1, "s", "time of the largest curvature of the cable"),
    NodeField("curvature_max_node", ext.CABLE_CURVATURE_MAX + 1, 1, "1", "node of the largest curvature of the cable"),
    NodeField("clearance_min", ext.CABLE_CLEARANCE_MIN, 1, "m", f"least height above the seabed {SINCE}"),
    NodeField("clearance_min_time", ext.CABLE_CLEARANCE_MIN + 1, 1, "s", "time of the least height above the seabed"),
    NodeField("clearance_min_node", ext.CABLE_CLEARANCE_MIN + 2, 1, "1", "node that was least high above the seabed"),
)
"""Extremes of a cable, (time, cable): their columns among the ``CABLE_EXTREMES``."""

END_PEAKS = (
    NodeField("force_end_min", ext.END_FORCE_MIN, 1, "N", f"least size of the force on the support {SINCE}"),
    NodeField("force_end_max", ext.END_FORCE_MAX, 1, "N", f"largest size of the force on the support {SINCE}"),
    NodeField("force_end_max_time", ext.END_FORCE_MAX + 1, 1, "s", "time of the largest force on the support"),
)
"""Extremes of the ends, (time, cable, end): their columns among the ``END_EXTREMES``."""

POINT_PEAKS = (
    NodeField("acceleration_max", ext.POINT_ACCELERATION_MAX, 1, "m s-2", f"largest acceleration {SINCE}"),
    NodeField("acceleration_max_time", ext.POINT_ACCELERATION_MAX + 1, 1, "s", "time of the largest acceleration"),
    NodeField("point_clearance_min", ext.POINT_CLEARANCE_MIN, 1, "m", f"least height above the seabed {SINCE}"),
    NodeField("point_clearance_min_time", ext.POINT_CLEARANCE_MIN + 1, 1, "s", "time of the least height of the point"),
)
"""Extremes of points and bodies, (time, point): their columns among the ``POINT_EXTREMES``."""

PEAKS = (*NODE_PEAKS, *CABLE_PEAKS, *END_PEAKS, *POINT_PEAKS)

TOTAL_ATTRS = {
    "energy_kinetic": ("J", "kinetic energy of cables, points and bodies, with added mass"),
    "energy_gravity": ("J", "potential energy of weight less buoyancy"),
    "energy_elastic": ("J", "elastic energy of cables, joints, springs and the seabed"),
    "work_drag": ("J", "energy given to cables and bodies by water and wind (drag, waves, radiation) since the start"),
    "work_damping": (
        "J",
        "energy given to cables and bodies by damping (inner, joints, take-offs, drives, bed) since the start",
    ),
    "work_friction": ("J", "energy given to cables and bodies by friction since the start"),
    "work_drives": ("J", "energy given to cables and bodies by moving points and by loads since the start"),
    "tension_max": ("N", f"largest effective tension of all cables {SINCE}, and at it"),
}

RESERVED = frozenset(
    {f.name for f in (*NODE_FIELDS, *PEAKS)}
    | set(TOTAL_ATTRS)
    | {"time", "cable", "node", "axis", "end", "point", "arc_length", "node_count", "force_end"}
    | {"point_position", "point_velocity", "grounded_length"}
)

TEXT_ATTRIBUTES = (
    "title",
    "description",
    "formulation",
    "fairlead_version",
    "input_file",
    "settings",
    "warnings",
    "status",
    "history",
)


def result_variables(
    shape: ObservationShape, times: NDArray[np.float64], rows: NDArray[np.float64], *, energy: bool = True
) -> dict[str, Variable]:
    """Sort observation rows into named, padded arrays.

    times   simulated time of each row, (sample,), s
    rows    observations, (sample, shape.size)
    energy  False leaves out energies and works
    """
    times = np.asarray(times, dtype=np.float64)
    rows = np.asarray(rows, dtype=np.float64)
    if rows.shape != (len(times), shape.size):
        raise ValueError(f"rows must be (sample, {shape.size}) for {len(times)} times, not {rows.shape}")
    out = _coordinates(shape, times)
    if shape.cables:
        out |= _cable_variables(shape, rows)
    if shape.points:
        out |= _point_variables(shape, rows)
    for name, (units, long_name) in TOTAL_ATTRS.items():
        if energy or not name.startswith(("energy_", "work_")):
            out[name] = Variable(("time",), rows[:, shape.column(name)], _attrs(units, long_name))
    for extra in shape.extras:
        if extra.name in RESERVED:
            raise ValueError(f"an extra may not be called {extra.name!r}: results have a variable of that name")
        attrs = _attrs(extra.units, extra.long_name or extra.name.replace("_", " "))
        out[extra.name] = Variable(("time",), rows[:, shape.column(extra.name)], attrs)
    for field in shape.fields:
        if field.name in RESERVED or field.along in RESERVED:
            raise ValueError(f"a field may not be called {field.name!r} or run along {field.along!r}: these are taken")
        attrs = _attrs(field.units, field.long_name or field.name.replace("_", " "))
        out[field.name] = Variable(("time", field.along), rows[:, shape.field(field.name)], attrs)
    return out


def global_attributes(metadata: Mapping[str, object]) -> dict[str, str | int | float]:
    """Attributes of the whole result: every name of ``TEXT_ATTRIBUTES`` (empty if unknown) and whatever else is given.

    A mapping becomes JSON text, a sequence of texts one text with a line each.
    """
    attrs: dict[str, str | int | float] = {"Conventions": "CF-1.11"}
    for name in TEXT_ATTRIBUTES:
        attrs[name] = _attribute(metadata.get(name))
    for name, value in metadata.items():
        attrs[name] = _attribute(value)
    attrs["source"] = f"Fairlead {attrs['fairlead_version']}, formulation {attrs['formulation']}"
    return attrs


def _coordinates(shape: ObservationShape, times: NDArray[np.float64]) -> dict[str, Variable]:
    def labels(dim: str, names: Sequence[str], long_name: str) -> Variable:
        return Variable((dim,), np.array(names, dtype=object), {"long_name": long_name}, coordinate=True)

    time_attrs = {"units": "s", "long_name": "simulated time", "standard_name": "time", "axis": "T"}
    out = {
        "time": Variable(("time",), times, time_attrs, coordinate=True),
        "axis": labels("axis", AXES, "axis of the global frame: x north, y west, z up, z = 0 the mean surface"),
    }
    if shape.points:
        out["point"] = labels("point", shape.points, "name of the point")
    if shape.cables:
        most = max(shape.nodes_per_cable)
        arc_length = np.full((len(shape.cables), most), np.nan)
        for i, lengths in enumerate(shape.arc_length):
            arc_length[i, : len(lengths)] = lengths
        node_attrs = {"units": "1", "long_name": "number of the node, 0 at the start of the cable"}
        count_attrs = _attrs("1", "number of nodes of the cable")
        arc_attrs = _attrs("m", "unstretched distance along the cable from its start")
        out |= {
            "cable": labels("cable", shape.cables, "name of the cable"),
            "end": labels("end", ENDS, "end of the cable"),
            "node": Variable(("node",), np.arange(most, dtype=np.int32), node_attrs, coordinate=True),
            "arc_length": Variable(("cable", "node"), arc_length, arc_attrs, coordinate=True),
            "node_count": Variable(("cable",), np.array(shape.nodes_per_cable, dtype=np.int32), count_attrs, True),
        }
    return out


def _cable_variables(shape: ObservationShape, rows: NDArray[np.float64]) -> dict[str, Variable]:
    samples, cables, most = len(rows), len(shape.cables), max(shape.nodes_per_cable)
    out = {}
    for field in NODE_FIELDS:
        padded = np.full((samples, cables, most, field.width), np.nan)
        for i, count in enumerate(shape.nodes_per_cable):
            padded[:, i, :count] = shape.node_table(rows, i)[..., field.column : field.column + field.width]
        vector = field.width == 3
        dims = ("time", "cable", "node", "axis") if vector else ("time", "cable", "node")
        values = padded if vector else padded[..., 0]
        out[field.name] = Variable(dims, values, _attrs(field.units, field.long_name))
    forces = rows[:, shape.end_block].reshape(samples, cables, 2, 3)
    long_name = "force of the cable on its support, at an anchor without what the seabed carries"
    out["force_end"] = Variable(("time", "cable", "end", "axis"), forces, _attrs("N", long_name))
    for peak in NODE_PEAKS:
        padded = np.full((samples, cables, most), np.nan)
        for i, count in enumerate(shape.nodes_per_cable):
            padded[:, i, :count] = shape.peak_table(rows, i)[..., peak.column]
        out[peak.name] = Variable(("time", "cable", "node"), padded, _attrs(peak.units, peak.long_name))
    whole, ends, _ = shape.peak_tables(rows)
    for peak in CABLE_PEAKS:
        out[peak.name] = Variable(("time", "cable"), whole[..., peak.column], _attrs(peak.units, peak.long_name))
    for peak in END_PEAKS:
        values = ends[..., peak.column]
        out[peak.name] = Variable(("time", "cable", "end"), values, _attrs(peak.units, peak.long_name))
    size = np.linalg.norm(forces, axis=-1)
    with np.errstate(invalid="ignore"):
        acts = size > ROUNDING * size.max(axis=-1, keepdims=True)  # on a free end no force does, but for its rounding
        angle = np.where(acts, np.arctan2(forces[..., 2], np.hypot(forces[..., 0], forces[..., 1])), np.nan)
    long_name = "angle of the force of the cable on its support above the horizontal"
    out["uplift_angle"] = Variable(("time", "cable", "end"), angle, _attrs("rad", long_name))
    lengths = np.stack([grounded_length(shape, rows, i) for i in range(cables)], axis=1)
    long_name = "unstretched length of cable on the seabed"
    out["grounded_length"] = Variable(("time", "cable"), lengths, _attrs("m", long_name))
    return out


def _point_variables(shape: ObservationShape, rows: NDArray[np.float64]) -> dict[str, Variable]:
    table = rows[:, shape.point_block].reshape(len(rows), len(shape.points), obs.POINT_COLUMNS)
    dims = ("time", "point", "axis")
    position = table[..., obs.POINT_POSITION : obs.POINT_POSITION + 3]
    velocity = table[..., obs.POINT_VELOCITY : obs.POINT_VELOCITY + 3]
    peaks = shape.peak_tables(rows)[2]
    return {
        "point_position": Variable(dims, position, _attrs("m", "position of the point in the global frame")),
        "point_velocity": Variable(dims, velocity, _attrs("m s-1", "velocity of the point in the global frame")),
        **{
            peak.name: Variable(("time", "point"), peaks[..., peak.column], _attrs(peak.units, peak.long_name))
            for peak in POINT_PEAKS
        },
    }


def _attrs(units: str, long_name: str) -> dict[str, str]:
    return {"units": units, "long_name": long_name}


def _attribute(value: object) -> str | int | float:
    if value is None:
        return ""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        value = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        value = "\n".join(" ".join(str(item).split()) for item in value)
    # HDF5 texts hold neither NUL nor half of a surrogate pair; a title from Python may.
    return str(value).replace("\0", "\\0").encode("utf-8", "replace").decode("utf-8")
