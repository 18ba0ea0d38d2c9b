"""From a `System` and its first geometry to the tables of the chains."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.slender import slender_row
from fairlead.model import Cable, CableType, System
from fairlead.model.places import Place
from fairlead.model.points import FreePoint
from fairlead.model.solids import LEAST_HEIGHT
from fairlead.rigging.commands import add_controlled_points, add_points, controlled_points
from fairlead.rigging.elements import point_row
from fairlead.rigging.junctions import refuse_junctions
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rows import Collected, Row
from fairlead.shape.layout import Geometry

from .schema import FIXED, FREE, SCHEMA


def link_row(kind: CableType, length: float, system: System) -> Row:
    """Constants of one link."""
    mass = kind.mass_per_metre * length
    return {"length": length, "mass": mass, "weight": mass * system.environment.gravity}


def hung(name: str, cable: Cable, geometry: Geometry) -> tuple[np.ndarray, np.ndarray]:
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


def build(system: System, geometry: Geometry) -> tuple[Tables, dict[str, slice]]:
    """Compile the system, with its state at t = 0; also its inputs."""
    refuse_junctions(system, "chain")
    controlled = list(controlled_points(system))
    rows = Collected()
    places, tensions = [], []
    nodes_of: dict[str, int] = {}
    for name, cable in system.cables.items():
        segments = [(system.types[s.type_name], s.length) for s in cable.segments(system)]
        nodes, pulls = hung(name, cable, geometry)
        first, count = len(rows.held), len(segments)
        rows.cable.append({"first": first, "count": count})
        rows.link += [link_row(kind, length, system) for kind, length in segments]
        rows.half += [slender_row(kind, 0.5 * length, system.environment) for kind, length in segments]
        bodies: list[Row] = [{"height": LEAST_HEIGHT} for _ in range(count + 1)]
        held = [FREE] * (count + 1)
        for index, end in ((0, cable.start), (count, cable.end)):
            point = system.points[end.point]
            if isinstance(point, FreePoint):
                nodes_of[end.point], bodies[index] = first + index, point_row(point, system.environment)
            else:
                held[index] = controlled.index(end.point) if end.point in controlled else FIXED
        rows.body += bodies
        rows.held += held
        places.append(nodes)
        tensions.append(pulls)
    inputs = add_controlled_points(rows, system)
    add_points(rows, system, geometry, nodes_of)

    def node_of(place: Place, name: str) -> Row | None:
        return {"node": nodes_of[name]} if name in nodes_of else None

    rows.load, rows.push = load_rows(system, node_of, lambda place, name: False, rows.sample, inputs)
    tables = rows.tables(SCHEMA, system.environment, {}, water=system.environment.water_density > 0)
    tables.position.xyz, tables.tension.value = np.vstack(places), np.concatenate(tensions)
    return tables, inputs
