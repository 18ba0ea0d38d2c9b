"""A result as a replay page reads it: a plain record of names, sizes and packed numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results import Ground, seabed_of
from fairlead.results.variables import RESERVED

from ..histories import CableHistory, cable_histories
from ..quantities import along_cables
from ..things import bodies, cable_facts, has_water, point_kinds
from ..waves import surface_of
from .frames import frames_within, largest_miss
from .packing import pack, size
from .waves import wave_components

if TYPE_CHECKING:
    import xarray as xr

QUANTUM = 0.005  # m: rounding moves a node by at most 0.0043 m in space
MISS = 0.003  # m along an axis: how far a dropped sample may lie off the line between its neighbours, 0.0052 m in space
FINEST = 2e-5  # of the size of the system: below this nobody sees a step
FAR = 20e3  # m from the origin, beyond which a page has an origin of its own
TOLERANCE = {"tension": 0.005}  # of a field, see `Field`; 0.02 of the others
RELIEF = 65  # heights along either side of a surveyed seabed
STEPS = 4000  # steps between the smallest and largest value of a cable
LADDER = ((1.0, 1.0), (1.0, 4.0), (2.0, 8.0), (4.0, 16.0), (8.0, 30.0), (16.0, 60.0), (64.0, 200.0), (256.0, 1000.0))
"""Factors on the tolerances of positions and of values, tried in turn until the record fits."""


@dataclass(frozen=True)
class Field:
    """A quantity along the cables that may colour them: ``values`` (time, node of all cables), SI unit ``unit``.

    ``tolerance`` is what leaving samples out may cost, as a part of the largest value in a cable; ``least`` and
    ``most`` are the extremes of all, of the steps between the samples too where the result keeps them.
    """

    key: str
    label: str
    unit: str
    values: NDArray[np.float64]
    tolerance: float
    least: float = 0.0
    most: float = 0.0


def origin_of(dataset: xr.Dataset) -> tuple[float, float]:
    """Where the page has its origin (x, y), m: zero, or a round place near a system that is far from there.

    Browsers draw in single precision, which at the coordinates of a chart would leave half a metre.
    """
    known = [dataset[name].values[0].reshape(-1, 3) for name in ("position", "point_position") if name in dataset]
    places = known[0] if known else np.empty((0, 3))
    places = places[np.isfinite(places).all(axis=1)]
    middle = np.median(places[:, :2], axis=0) if len(places) else np.zeros(2)
    x, y = (float(1000.0 * np.rint(v / 1000.0)) if abs(v) > FAR else 0.0 for v in middle)
    return x, y


def scene(dataset: xr.Dataset, name: str, budget: int, origin: tuple[float, float] = (0.0, 0.0)) -> dict[str, Any]:
    """The record of one result, at most ``budget`` bytes as long as that can be had by leaving samples out.

    Places in it are counted from ``origin`` (x, y), m.
    ``accuracy`` in it states what rounding and left-out samples cost at most: ``position`` (m), ``values`` (by field,
    as a part of the largest value of a cable), and how many samples of how many are ``kept``.
    """
    times = np.asarray(dataset["time"].values, dtype=np.float64)
    cables = cable_histories(dataset)
    position = np.concatenate([c.position for c in cables], axis=1) if cables else np.empty((len(times), 0, 3))
    counts = [c.position.shape[1] for c in cables]
    from_there = np.array([*origin, 0.0])
    position, points = position - from_there, _points(dataset, len(times)) - from_there
    fields = _fields(dataset, cables)
    places = np.concatenate([position.reshape(len(times), -1), points.reshape(len(times), -1)], axis=1)
    quantum = float(f"{min(QUANTUM, max(FINEST * _extent(places), 1e-6)):.1g}")
    columns, tolerance, scales = _columns(places, fields, counts)
    for of_places, of_values in LADDER:
        relaxed = np.concatenate([np.full(places.shape[1], MISS * of_places), tolerance * of_values])
        kept = frames_within(times, columns, relaxed)
        packed = _packed(position[kept], points[kept], dataset, fields, scales, cables, kept, quantum)
        if sum(size(record) for record in packed["all"]) <= budget:
            break
    del packed["all"]
    missed = largest_miss(times, columns, kept)
    bed = seabed_of(dataset)
    return {
        "name": name,
        "title": str(dataset.attrs.get("title", "")) or "Untitled run",
        "formulation": str(dataset.attrs.get("formulation", "")),
        "version": str(dataset.attrs.get("fairlead_version", "")),
        "status": str(dataset.attrs.get("status", "")),
        "times": [float(f"{t:.9g}") for t in times[kept]],
        "cables": [cable_facts(dataset, cable) for cable in cables],
        "points": point_kinds(dataset),
        "bodies": bodies(dataset),
        "seabed": None if bed is None else _seabed(bed, origin),
        "water": has_water(dataset),
        "waves": wave_components(dataset, origin),
        "wave_ramp": surface_of(dataset).ramp,
        "accuracy": {
            "position": _accuracy(missed[: places.shape[1]], quantum),
            "values": _value_accuracy(missed[places.shape[1] :], fields, counts),
            "kept": len(kept),
            "samples": len(times),
        },
        **packed,
    }


def _seabed(bed: Ground, origin: tuple[float, float]) -> dict[str, Any]:
    """The plane, or heights on an even grid over the survey, rows along x; both from the origin of the scene."""
    shown: dict[str, Any] = {"depth": -float(bed.height(*origin)), "slope": list(bed.slope)}
    if bed.relief is not None:
        x, y = (np.linspace(axis[0], axis[-1], RELIEF) for axis in (bed.relief.x, bed.relief.y))
        heights = bed.height(*np.meshgrid(x, y, indexing="xy"))
        low, high = ([float(x[k] - origin[0]), float(y[k] - origin[1])] for k in (0, -1))
        shown["relief"] = {"low": low, "high": high, "count": RELIEF, "heights": np.round(heights, 3).ravel().tolist()}
    return shown


def _fields(dataset: xr.Dataset, cables: list[CableHistory]) -> list[Field]:
    found = along_cables(dataset, cables).values()
    return [Field(q.key, q.label, q.unit, q.values, TOLERANCE.get(q.key, 0.02), q.least, q.most) for q in found]


def _columns(
    places: NDArray[np.float64], fields: list[Field], counts: list[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64], list[NDArray[np.float64]]]:
    """All that must be followed in time, the tolerances of the fields among it, and the largest value of each cable."""
    scales = [_largest(field.values, counts) for field in fields]
    tolerances = [field.tolerance * scale for field, scale in zip(fields, scales, strict=True)]
    columns = np.concatenate([places, *(field.values for field in fields)], axis=1)
    return columns, np.concatenate(tolerances) if tolerances else np.empty(0), scales


def _largest(values: NDArray[np.float64], counts: list[int]) -> NDArray[np.float64]:
    """Largest magnitude in the cable that each node belongs to, (node of all cables,); 1 where all is zero."""
    out, start = [], 0
    for count in counts:
        part = np.abs(values[:, start : start + count])
        largest = float(np.where(np.isfinite(part), part, 0.0).max(initial=0.0))
        out.append(np.full(count, largest if largest > 0.0 else 1.0))
        start += count
    return np.concatenate(out) if out else np.empty(0)


def _packed(
    position: NDArray[np.float64],
    points: NDArray[np.float64],
    dataset: xr.Dataset,
    fields: list[Field],
    scales: list[NDArray[np.float64]],
    cables: list[CableHistory],
    kept: NDArray[np.intp],
    quantum: float,
) -> dict[str, Any]:
    active = np.isfinite(position).all(axis=-1)
    present = np.isfinite(points).all(axis=-1)
    contact = _contact(dataset, cables)[kept]
    records: dict[str, Any] = {
        "position": pack(position, quantum),
        "active": None if active.all() else pack(active.astype(float), 1.0),
        "contact": pack(contact.astype(float), 1.0) if contact.any() else None,
        "point_position": pack(points, quantum),
        "point_present": None if present.all() else pack(present.astype(float), 1.0),
    }
    drawn = [
        {"key": f.key, "label": f.label, "unit": f.unit, "range": _range(f), "least": f.least, "most": f.most,
         "record": pack(f.values[kept], s / STEPS)}
        for f, s in zip(fields, scales, strict=True)
    ]  # fmt: skip
    others = _others(dataset, kept)
    whole = [record for record in records.values() if record is not None]
    whole += [field["record"] for field in (*drawn, *others)]
    return {**records, "fields": drawn, "others": others, "all": whole}


def _range(field: Field) -> list[float]:
    """Limits of the colour bar: from the 0.5th to the 99.5th of a hundred, so that one spike does not dim the rest;
    from zero unless the values keep far from it."""
    finite = field.values[np.isfinite(field.values)]
    if not finite.size:
        return [0.0, 1.0]
    low, high = (float(v) for v in np.percentile(finite, (0.5, 99.5)))
    if 0.0 <= low < 0.5 * high:
        low = 0.0
    return [low, high if high > low else low + max(abs(low), 1.0)]


def _others(dataset: xr.Dataset, kept: NDArray[np.intp]) -> list[dict[str, Any]]:
    """Every further history of the result: winch lengths, angles of bodies in degrees, energies.

    What varies comes first, and of what has one unit that which varies most.
    """
    out = []
    for name, variable in dataset.data_vars.items():
        if variable.dims != ("time",) or name == "tension_max":
            continue
        values = np.asarray(variable.values, dtype=np.float64)
        unit = str(variable.attrs.get("units", "1"))
        if unit.split(" ")[0] == "rad":
            values, unit = np.degrees(values), unit.replace("rad", "deg", 1)
        finite = np.abs(values[np.isfinite(values)])
        largest = float(finite.max()) if finite.size and finite.max() > 0.0 else 1.0
        label = str(variable.attrs.get("long_name", "")) or str(name).replace("_", " ")
        out.append(
            {
                "name": str(name),
                "label": label,
                "unit": unit,
                "range": float(np.ptp(values[np.isfinite(values)])) if finite.size else 0.0,
                "varies": bool(np.ptp(values[np.isfinite(values)]) > 1e-6 * largest) if finite.size else False,
                "own": str(name) not in RESERVED,
                "record": pack(values[kept][:, np.newaxis], np.array([largest / STEPS])),
            }
        )
    units = [item["unit"] for item in out]
    return sorted(out, key=lambda it: (not it["varies"], not it["own"], units.index(it["unit"]), -it["range"]))


def _points(dataset: xr.Dataset, samples: int) -> NDArray[np.float64]:
    if "point_position" not in dataset:
        return np.empty((samples, 0, 3))
    values = dataset["point_position"].values
    return np.where(np.isfinite(values), values, np.nan)


def _contact(dataset: xr.Dataset, cables: list[CableHistory]) -> NDArray[np.bool_]:
    nodes = sum(c.position.shape[1] for c in cables)
    if "contact_force" not in dataset or not cables:
        return np.zeros((dataset.sizes["time"], nodes), dtype=bool)
    touching = np.linalg.norm(np.nan_to_num(dataset["contact_force"].values), axis=-1) > 0.0
    return np.concatenate([touching[:, i, : c.position.shape[1]] for i, c in enumerate(cables)], axis=1)


def _extent(places: NDArray[np.float64]) -> float:
    """Size of the system, m."""
    flat = places.reshape(-1, 3)
    flat = flat[np.isfinite(flat).all(axis=1)]
    return float(np.ptp(flat, axis=0).max()) if len(flat) else 0.0


def _accuracy(missed: NDArray[np.float64], quantum: float) -> float:
    """Farthest a node may be shown from where it was, m."""
    steps = missed.reshape(-1, 3)
    return float((np.linalg.norm(steps, axis=1).max() if len(steps) else 0.0) + 0.5 * np.sqrt(3.0) * quantum)


def _value_accuracy(missed: NDArray[np.float64], fields: list[Field], counts: list[int]) -> dict[str, float]:
    nodes = sum(counts)
    out = {}
    for k, field in enumerate(fields):
        part = missed[k * nodes : (k + 1) * nodes] / _largest(field.values, counts)
        out[field.key] = float(part.max(initial=0.0) + 0.5 / STEPS)
    return out


def to_json(records: list[dict[str, Any]]) -> str:
    """The records as JSON that can stand inside an HTML script element: no text in it can end that element."""
    text = json.dumps(records, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
