"""Points on bodies: `point: {body: vessel, position: [x, y, z]}` at the end of a cable or under a load, or `points:` of
that form, are attachments of the body written where they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS = {"body", "position"}


def with_attachments(data: Any) -> Any:
    """The data of a system with such points as attachments of their bodies, and the names of these in their places.

    What is not of this form is left as it is, for the checks to tell what is wrong with it.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("bodies"), Mapping):
        return data
    bodies = {name: dict(body) if isinstance(body, Mapping) else body for name, body in data["bodies"].items()}
    named: dict[str, str] = {}

    def attach(place: Any, name: str) -> Any:
        """The name of a place that is given on a body; the place itself where it is not."""
        if not isinstance(place, Mapping) or set(place) != KEYS:
            return named.get(place, place) if isinstance(place, str) else place
        body = bodies.get(place["body"]) if isinstance(place["body"], str) else None
        held = body.get("attachments") or {} if isinstance(body, dict) else None
        if not isinstance(held, Mapping) or held.get(name, place["position"]) != place["position"]:
            return place
        assert isinstance(body, dict)
        body["attachments"] = {**held, name: place["position"]}
        return f"{place['body']}.{name}"

    found = dict(data)
    if isinstance(data.get("points"), Mapping):
        for name, point in data["points"].items():
            place = attach(point, name)
            if isinstance(place, str):
                named[name] = place
        found["points"] = {name: point for name, point in data["points"].items() if name not in named}
    if isinstance(data.get("cables"), Mapping):
        found["cables"] = {name: _with_ends(name, cable, attach) for name, cable in data["cables"].items()}
    if isinstance(data.get("loads"), (list, tuple)):
        found["loads"] = [
            {**load, "point": attach(load["point"], f"load{k + 1}")}
            if isinstance(load, Mapping) and "point" in load
            else load
            for k, load in enumerate(data["loads"])
        ]
    return {**found, "bodies": bodies}


def _with_ends(name: str, cable: Any, attach: Any) -> Any:
    if not isinstance(cable, Mapping):
        return cable
    ends = {}
    for key in ("start", "end"):
        end = cable.get(key)
        if isinstance(end, Mapping) and "point" in end:
            ends[key] = {**end, "point": attach(end["point"], f"{name}-{key}")}
        elif end is not None:
            ends[key] = attach(end, f"{name}-{key}")
    return {**cable, **ends}
