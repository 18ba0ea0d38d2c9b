"""Numbers that are watched: tensions, depths, bend radii, clearances, each made of what a member shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from fairlead.model import System
from fairlead.model.problems import suggestion
from fairlead.results import NODE_COLUMNS, ObservationShape
from fairlead.results.extremes import NODE_CURVATURE_MAX, NODE_EXTREMES
from fairlead.results.observation import NODE_CONTACT_FORCE, NODE_TENSION
from fairlead.simulate.outputs import channels

from .sensors import Misfit
from .sources import LimitChoice

STRAIGHTEST = 1e-9
"""Curvature below which a cable counts as straight, 1/m."""


@dataclass(frozen=True)
class Watched:
    """One number of every member; `of` makes it from rows (…, number)."""

    name: str
    unit: str
    of: Callable[[np.ndarray], np.ndarray]
    positive: bool = False
    """Whether it is a positive number of any size, whose logarithm is what varies: a bend radius."""


def positive_of(watched: Mapping[str, Watched]) -> frozenset[str]:
    """Names of those that are positive."""
    return frozenset(name for name, one in watched.items() if one.positive)


def logarithms(mean: np.ndarray, spread: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the logarithm of what has these, where that is normally distributed."""
    variance = np.log1p((spread / np.maximum(mean, 1e-300)) ** 2)
    return np.log(np.maximum(mean, 1e-300)) - 0.5 * variance, np.sqrt(variance)


def between(mean: np.ndarray, spread: np.ndarray, share: float, positive: bool) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the middle `share` of what is possible, of what is normally distributed or, where it is positive, its
    logarithm."""
    way = float(ndtri(0.5 + 0.5 * share))
    if not positive:
        return mean - way * spread, mean + way * spread
    centre, width = logarithms(mean, spread)
    return np.exp(centre - way * width), np.exp(centre + way * width)


def watched(system: System, shape: ObservationShape) -> dict[str, Watched]:
    """What every forecast holds: of each cable tension, depth, bend radius and end forces; of each point its place."""
    found = []
    for cable in shape.cables:
        found += [tension(shape, cable), depth(shape, cable), bend_radius(shape, cable)]
        found += [_end_force(shape, cable, k) for k in (0, 1)]
        if system.environment.seabed is not None:
            found.append(height(system, shape, cable))
    for point in shape.points:
        first = shape.point(point).start
        found += [Watched(f"{point}.{axis}", "m", _column(first + k)) for k, axis in enumerate("xyz")]
    return {one.name: one for one in found}


def _column(k: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda rows: rows[..., k]


def tension(shape: ObservationShape, cable: str) -> Watched:
    where = _node_columns(shape, cable, NODE_TENSION)
    return Watched(f"{cable}.tension", "N", lambda rows: np.nanmax(rows[..., where], axis=-1))


def depth(shape: ObservationShape, name: str) -> Watched:
    where = _heights(shape, name)
    return Watched(f"{name}.depth", "m", lambda rows: np.nanmax(-rows[..., where], axis=-1))


def _heights(shape: ObservationShape, name: str) -> np.ndarray:
    return _node_columns(shape, name, 2) if name in shape.cables else np.array([shape.point(name).start + 2])


def _end_force(shape: ObservationShape, cable: str, end: int) -> Watched:
    first = shape.cable_ends(cable).start + 3 * end
    name = f"{cable}.force_{('start', 'end')[end]}"
    return Watched(name, "N", lambda rows: np.linalg.norm(rows[..., first : first + 3], axis=-1))


def bend_radius(shape: ObservationShape, cable: str) -> Watched:
    part = shape.cable_extremes(cable)
    where = np.arange(part.start + NODE_CURVATURE_MAX, part.stop, NODE_EXTREMES)

    def least(rows: np.ndarray) -> np.ndarray:
        curvature = np.nan_to_num(rows[..., where]).max(axis=-1)
        return np.asarray(1.0 / np.maximum(curvature, STRAIGHTEST))

    return Watched(f"{cable}.bend_radius", "m", least, positive=True)


def height(system: System, shape: ObservationShape, cable: str) -> Watched:
    bed = system.environment.seabed
    assert bed is not None
    x, y, z = (_node_columns(shape, cable, k) for k in range(3))

    def least(rows: np.ndarray) -> np.ndarray:
        return np.asarray(np.nanmin(rows[..., z] - bed.level(rows[..., x], rows[..., y]), axis=-1))

    return Watched(f"{cable}.height", "m", least)


def touchdown(shape: ObservationShape, cable: str) -> Watched:
    where = _node_columns(shape, cable, NODE_CONTACT_FORCE + 2)
    arcs = np.array(shape.arc_length[shape.cables.index(cable)])

    def first(rows: np.ndarray) -> np.ndarray:
        on = np.nan_to_num(rows[..., where]) > 0.0
        return np.asarray(np.where(on.any(axis=-1), arcs[np.argmax(on, axis=-1)], arcs[-1]))

    return Watched(f"{cable}.touchdown", "m", first)


def clearance(shape: ObservationShape, one: str, other: str) -> Watched:
    """The least distance from the nodes of either to the elements of the other."""
    places = [_places(shape, name) for name in (one, other)]

    def least(rows: np.ndarray) -> np.ndarray:
        a, b = (rows[..., where].reshape(*rows.shape[:-1], -1, 3) for where in places)
        return np.asarray(np.minimum(_node_to_elements(a, b), _node_to_elements(b, a)))

    return Watched(f"{one}-{other}.clearance", "m", least)


def _node_to_elements(nodes: np.ndarray, line: np.ndarray) -> np.ndarray:
    """Least distance of nodes (…, n, 3) from the elements between the nodes of a line (…, m, 3)."""
    start = line[..., :-1, :] if line.shape[-2] > 1 else line
    way = np.diff(line, axis=-2) if line.shape[-2] > 1 else np.zeros_like(line)
    off = nodes[..., :, None, :] - start[..., None, :, :]
    square = np.maximum((way**2).sum(axis=-1), 1e-30)[..., None, :]
    share = np.clip((off * way[..., None, :, :]).sum(axis=-1) / square, 0.0, 1.0)
    gap = off - share[..., None] * way[..., None, :, :]
    return np.asarray(np.sqrt(np.nanmin((gap**2).sum(axis=-1), axis=(-2, -1))))


def _places(shape: ObservationShape, name: str) -> np.ndarray:
    if name in shape.cables:
        return np.asarray(_node_columns(shape, name, 0)[:, None] + np.arange(3)).ravel()
    return np.arange(shape.point(name).start, shape.point(name).start + 3)


def distance(shape: ObservationShape, one: str, other: str) -> Watched:
    a, b = (shape.point(name).start for name in (one, other))
    return Watched(f"{one}-{other}.distance", "m",
                   lambda rows: np.linalg.norm(rows[..., a : a + 3] - rows[..., b : b + 3], axis=-1))  # fmt: skip


def _node_columns(shape: ObservationShape, cable: str, column: int) -> np.ndarray:
    part = shape.cable_nodes(cable)
    return np.arange(part.start + column, part.stop, NODE_COLUMNS)


def of_limit(limit: LimitChoice, system: System, shape: ObservationShape) -> Watched:
    """The number that a limit is about; raises `Misfit`."""
    kind, names = limit.kind, limit.of
    if kind == "value":
        known = {name: place for name, place in channels(shape).items() if place[1] == place[0] + 1}
        if names[0] not in known:
            raise Misfit(kind, f"there is no output '{names[0]}' that is one number", suggestion(names[0], known))
        return Watched(names[0], "N" if names[0] == "tension_max" else "1", _column(known[names[0]][0]))
    allowed = {
        "depth": (*shape.cables, *shape.points), "clearance": (*shape.cables, *shape.points), "distance": shape.points
    }.get(kind, shape.cables)  # fmt: skip
    for name in names:
        if name not in allowed:
            what = "point" if kind == "distance" else "cable"
            raise Misfit(kind, f"there is no {what} '{name}'", suggestion(name, allowed))
    if kind in ("height", "touchdown") and system.environment.seabed is None:
        raise Misfit(kind, "there is no seabed", "give the system environment.seabed")
    if kind == "height":
        return height(system, shape, names[0])
    if kind in ("clearance", "distance"):
        return (clearance if kind == "clearance" else distance)(shape, names[0], names[1])
    made = {"tension": tension, "depth": depth, "bend_radius": bend_radius, "touchdown": touchdown}
    return made[kind](shape, names[0])
