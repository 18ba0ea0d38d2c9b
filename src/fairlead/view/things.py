"""What the settings of a result tell of its cables, points and bodies, for those who draw them.

Settings are read as plain dictionaries, so that a result of another version, or one without settings, can be shown too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.results import settings_of
from fairlead.results.peaks import tension_extreme

from .histories import CableHistory
from .hulls import hulls_of
from .solids import outline, solid_of, turned

if TYPE_CHECKING:
    import xarray as xr

ANGLES = ("roll", "pitch", "yaw")


def described(dataset: xr.Dataset, part: str, name: str) -> dict[str, Any]:
    """What the settings say of one named part ("cables", "points", "bodies"); empty when they say nothing."""
    parts = settings_of(dataset).get(part)
    found = parts.get(name) if isinstance(parts, dict) else None
    return found if isinstance(found, dict) else {}


def has_water(dataset: xr.Dataset) -> bool:
    """Whether there is a sea: a system in air has a water density of 0."""
    environment = settings_of(dataset).get("environment")
    return not isinstance(environment, dict) or environment.get("water_density", 1.0) != 0


def cable_facts(dataset: xr.Dataset, cable: CableHistory) -> dict[str, Any]:
    """Name, mesh, winch, what is clamped onto a cable, and the largest tension in it of every step with its time."""
    facts = described(dataset, "cables", cable.name)
    winch = facts.get("winch")
    length = f"{cable.name}.winch.length"
    clamped = [item for item in facts.get("attachments") or [] if isinstance(item, dict) and "at" in item]
    return {
        "name": cable.name,
        "nodes": len(cable.arc_length),
        "arc": [float(f"{s:.7g}") for s in np.nan_to_num(cable.arc_length)],
        "winch": str(winch.get("end", "start")) if isinstance(winch, dict) else None,
        "winch_length": length if length in dataset else None,
        "parts": parts_of(dataset, cable),
        "clamped": [{"at": float(item["at"]), "floats": _floats(item)} for item in clamped],
        "peak": _peak(dataset, cable.name),
    }


def _peak(dataset: xr.Dataset, name: str) -> list[float] | None:
    """The largest tension of every step in a cable, N, and when it was, s."""
    names = [str(cable) for cable in dataset["cable"].values]
    most = tension_extreme(dataset, names.index(name), largest=True)
    return None if most is None else [float(f"{most[key]:.6g}") for key in ("value", "time")]


def point_kinds(dataset: xr.Dataset) -> list[dict[str, Any]]:
    """Name and kind of every point; bodies stand among the points of a result, with the kind `body`."""
    if "point" not in dataset.coords:
        return []
    names = [str(name) for name in dataset["point"].values]
    return [{"name": name, "kind": _kind(dataset, name)} for name in names]


def bodies(dataset: xr.Dataset) -> list[dict[str, Any]]:
    """Bodies and buoys: their point, their solid, where the result has them the names of their angles, and their hull.

    A hull is a list of corners (x, y, z in m, one after the other) and one of panels (four corners each).
    """
    hulls = hulls_of(dataset)
    out = []
    for i, point in enumerate(point_kinds(dataset)):
        name = point["name"]
        facts = described(dataset, "bodies" if point["kind"] == "body" else "points", name)
        solid = solid_of(facts)
        if point["kind"] != "body" and solid["kind"] == "none":
            continue
        angles = [f"{name}.{angle}" for angle in ANGLES]
        turns = all(angle in dataset for angle in angles)
        body = {"point": i, "solid": solid, "angles": angles if turns else None}
        if name in hulls:
            corners, panels = hulls[name]
            body["hull"] = {"corners": np.round(corners, 3).ravel().tolist(), "panels": panels.ravel().tolist()}
        out.append(body)
    return out


@dataclass(frozen=True)
class BodyLines:
    """A body as lines: the number of its ``point``, its ``outline`` in its own frame (lines of (n, 3), m), and its
    ``angles`` roll, pitch and yaw at every sample, (time, 3), rad."""

    point: int
    outline: list[NDArray[np.float64]]
    angles: NDArray[np.float64]

    def at(self, sample: int, place: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """Its lines in space at a sample, with its origin at a place (3,), m."""
        return [line + place for line in turned(self.outline, self.angles[sample])]


def body_lines(dataset: xr.Dataset) -> list[BodyLines]:
    """All bodies and buoys that have a size, as lines: hulls by their panels, others by the edges of their solids."""
    hulls = hulls_of(dataset)
    found = []
    for body in bodies(dataset):
        name = str(dataset["point"].values[body["point"]])
        lines = outline(body["solid"])
        if name in hulls:
            corners, panels = hulls[name]
            lines = [corners[[*panel, panel[0]]] for panel in panels]
        if lines:
            found.append(BodyLines(body["point"], lines, angles_of(dataset, name)))
    return found


def angles_of(dataset: xr.Dataset, name: str) -> NDArray[np.float64]:
    """Roll, pitch and yaw of a body at every sample, (time, 3), rad; zero where the result has none."""
    names = [f"{name}.{angle}" for angle in ANGLES]
    if not all(each in dataset for each in names):
        return np.zeros((dataset.sizes["time"], 3))
    values = np.nan_to_num(np.stack([dataset[each].values for each in names], axis=-1))
    in_degrees = str(dataset[names[0]].attrs.get("units", "")).startswith("deg")
    return np.asarray(np.radians(values) if in_degrees else values)


def parts_of(dataset: xr.Dataset, cable: CableHistory) -> list[dict[str, Any]]:
    """The stretches of one type along a cable: the type, where it ends (m from its start), whether it floats, and its
    limits, as far as the settings give them."""
    facts = described(dataset, "cables", cable.name)
    whole = float(cable.arc_length[-1]) if len(cable.arc_length) else 0.0
    sections = facts.get("sections") or [{"type": facts.get("type"), "length": whole}]
    environment = settings_of(dataset).get("environment")
    density = environment.get("water_density", 1025.0) if isinstance(environment, dict) else 1025.0
    out, end = [], 0.0
    for section in sections:
        end += float(section.get("length") or sum(section.get("element_lengths") or [0.0]))
        kind = described(dataset, "types", str(section.get("type")))
        area = 0.25 * np.pi * float(kind.get("diameter") or 0.0) ** 2
        mass = float(kind.get("mass_per_length") or float(kind.get("density") or np.inf) * (area or 1.0))
        load, radius = kind.get("breaking_load"), kind.get("minimum_bend_radius")
        out.append(
            {
                "type": str(section.get("type") or ""),
                "end": end,
                "floats": bool(mass < float(density or 0.0) * area),
                "tension": float(load) if load else None,
                "curvature": 1.0 / float(radius) if radius else None,
            }
        )
    out[-1]["end"] = max(end, whole)
    return out


def _kind(dataset: xr.Dataset, name: str) -> str:
    if described(dataset, "bodies", name) or f"{name}.roll" in dataset:
        return "body"
    return str(described(dataset, "points", name).get("kind", "point"))


def _floats(item: dict[str, Any]) -> bool:
    return float(item.get("volume") or 0.0) * 1025.0 > float(item.get("mass") or 0.0)
