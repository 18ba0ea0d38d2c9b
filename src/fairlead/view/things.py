"""What the settings of a result tell of its cables, points and bodies, for those who draw them.

Settings are read as plain dictionaries, so that a result of another version, or one without settings, can be shown too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.results import settings_of

from .histories import CableHistory
from .hulls import hulls_of

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
    """Name, mesh, winch and what is clamped onto a cable."""
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
        "clamped": [{"at": float(item["at"]), "floats": _floats(item)} for item in clamped],
    }


def point_kinds(dataset: xr.Dataset) -> list[dict[str, Any]]:
    """Name and kind of every point; bodies stand among the points of a result, with the kind `body`."""
    if "point" not in dataset.coords:
        return []
    names = [str(name) for name in dataset["point"].values]
    return [{"name": name, "kind": _kind(dataset, name)} for name in names]


def bodies(dataset: xr.Dataset) -> list[dict[str, Any]]:
    """Bodies with a size (m along their own axes), where the result has them the names of their angles, and their hull.

    A hull is a list of corners (x, y, z in m, one after the other) and one of panels (four corners each).
    """
    hulls = hulls_of(dataset)
    out = []
    for i, point in enumerate(point_kinds(dataset)):
        facts = described(dataset, "bodies", point["name"])
        if point["kind"] != "body":
            continue
        angles = [f"{point['name']}.{angle}" for angle in ANGLES]
        turns = all(angle in dataset for angle in angles)
        in_degrees = turns and str(dataset[angles[0]].attrs.get("units", "rad")).startswith("deg")
        body = {"point": i, "size": _size(facts), "angles": angles if turns else None, "degrees": in_degrees}
        if point["name"] in hulls:
            corners, panels = hulls[point["name"]]
            body["hull"] = {"corners": np.round(corners, 3).ravel().tolist(), "panels": panels.ravel().tolist()}
        out.append(body)
    return out


def _kind(dataset: xr.Dataset, name: str) -> str:
    if described(dataset, "bodies", name) or f"{name}.roll" in dataset:
        return "body"
    return str(described(dataset, "points", name).get("kind", "point"))


def _floats(item: dict[str, Any]) -> bool:
    return float(item.get("volume") or 0.0) * 1025.0 > float(item.get("mass") or 0.0)


def _size(facts: dict[str, Any]) -> list[float]:
    """Box that reaches as far as the attachments and holds the volume of a body."""
    reach = [place for place in (facts.get("attachments") or {}).values() if len(place) == 3]
    cube = float(facts.get("volume") or 0.0) ** (1.0 / 3.0)
    return [max([2.0 * abs(float(place[k])) for place in reach] + [cube]) for k in range(3)]
