"""From a `System` and its first geometry to the tables of the chains."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_motion import control_records
from fairlead.loads.slender import slender_row
from fairlead.model import Cable, CableType, System
from fairlead.model.points import FreePoint
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD
from fairlead.shape.layout import Geometry

from .schema import FIXED, FREE, SCHEMA


def refuse(system: System) -> None:
    """Raise for what the features do not tell: cables joined in a free point, bodies that turn, unknown names."""
    ends: dict[str, str] = {}
    for name, cable in system.cables.items():
        for side, end in (("start", cable.start), ("end", cable.end)):
            point = system.points.get(end.point)
            if not isinstance(point, FreePoint):
                continue
            if end.point in ends:
                raise UnsupportedSystem(
                    f"cables.{name}.{side}: the formulation 'chain' cannot join cables in the free point '{end.point}' "
                    f"(it is also an end of '{ends[end.point]}'); make them sections of one cable, or use formulation: "
                    "bars"
                )
            ends[end.point] = name
    for name, point in system.points.items():
        if isinstance(point, FreePoint) and name not in ends:
            raise UnsupportedSystem(f"points.{name}: a free point without a cable; the formulation 'chain' has none")


def link_row(kind: CableType, length: float, system: System) -> dict[str, Any]:
    """Constants of one link."""
    mass = kind.mass_per_metre * length
    return {"length": length, "mass": mass, "weight": mass * system.environment.gravity}


def body_row(point: FreePoint, system: System) -> dict[str, Any]:
    """Constants of the body of a free point."""
    rho, g = system.environment.water_density, system.environment.gravity
    return {
        "mass": point.mass, "height": max(point.height, 0.1), "added": point.added_mass if rho > 0 else 0.0,
        "lift": rho * g * point.volume, "drag": 0.5 * rho * point.drag_area,
    }  # fmt: skip


def hung(name: str, cable: Cable, system: System, geometry: Geometry) -> tuple[np.ndarray, np.ndarray]:
    """Nodes (n+1, 3) and tensions (n,) of the chain at rest between its ends where they are at t = 0.

    The first shape of a slack cable is the exact equilibrium of uniform links.
    """
    shape = geometry.cables[name]
    span = float(np.linalg.norm(shape.nodes[-1] - shape.nodes[0]))
    if shape.state == "stretched" or span > cable.total_length * (1 + 1e-9):
        raise UnsupportedSystem(
            f"cables.{name}: its ends are {span:.6g} m apart and it is {cable.total_length:.6g} m long; rigid links do "
            "not stretch: bring the ends nearer, or use formulation: bars"
        )
    return shape.nodes, shape.tensions


def build(system: System, geometry: Geometry) -> Tables:
    """Compile the system, with its state at t = 0."""
    refuse(system)
    controlled = [name for name, point in system.points.items() if point.kind == "controlled"]
    cables, links, halves, places, tensions = [], [], [], [], []
    held: list[int] = []
    bodies: list[dict[str, Any]] = []
    node_of_point: dict[str, int] = {}
    for name, cable in system.cables.items():
        segments = [(system.types[s.type_name], s.length) for s in cable.segments(system)]
        nodes, pulls = hung(name, cable, system, geometry)
        first, count = len(held), len(segments)
        cables.append({"first": first, "count": count})
        links += [link_row(kind, length, system) for kind, length in segments]
        halves += [slender_row(kind, 0.5 * length, system.environment) for kind, length in segments]
        rows: list[dict[str, Any]] = [{"height": 0.1} for _ in range(count + 1)]
        kinds = [FREE] * (count + 1)
        for index, end in ((0, cable.start), (count, cable.end)):
            point = system.points[end.point]
            if isinstance(point, FreePoint):
                node_of_point[end.point], rows[index] = first + index, body_row(point, system)
            else:
                kinds[index] = controlled.index(end.point) if end.point in controlled else FIXED
        bodies += rows
        held += kinds
        places.append(nodes)
        tensions.append(pulls)
    signals: list[float] = []
    controls = control_records(system, controlled, signals)
    loads, pushes = [], []
    for load in system.loads:
        if load.point not in node_of_point:
            continue
        row = {"node": node_of_point[load.point]}
        if load.table is not None:
            row |= {"first": len(signals), "rows": len(load.table)}
            signals += [number for entry in load.table for number in entry]
        loads.append(row)
        pushes.append({"force": load.force})
    sea = water.pack(system.environment)
    counts = {
        "cables": len(cables), "nodes": len(held), "links": len(links), "points": len(system.points),
        "controlled": len(controlled), "loads": len(loads), "sea_rows": len(sea) - SEA_HEAD, "signals": len(signals),
    }  # fmt: skip
    tables = SCHEMA.allocate(counts, water=int(system.environment.water_density > 0))
    tables.reals[: len(sea)] = sea
    tables.cable.fill(cables)
    tables.link.fill(links)
    tables.block("half")[:] = halves
    tables.body.fill(bodies)
    tables.held.control = held
    tables.point.node = [node_of_point.get(name, -1) for name in system.points]
    tables.point.control = [controlled.index(name) if name in controlled else -1 for name in system.points]
    tables.fixed.position = [geometry.points[name] for name in system.points]
    tables.block("control")[:], tables.block("command")[:] = controls.ints, controls.reals
    tables.load.fill(loads)
    tables.push.fill(pushes)
    tables.signal.number = signals
    tables.position.x, tables.tension.T = np.vstack(places), np.concatenate(tensions)
    return tables
