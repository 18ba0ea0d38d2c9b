"""From a `System` and its first geometry to the tables of the chains."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.junctions import refuse_junctions
from fairlead.loads.slender import slender_row
from fairlead.model import Cable, CableType, System
from fairlead.model.places import Place
from fairlead.model.points import FreePoint
from fairlead.model.solids import LEAST_HEIGHT
from fairlead.rigging.commands import command_row, controlled_points, motion_row, position_inputs
from fairlead.rigging.elements import point_row
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rows import Row
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD
from fairlead.shape.layout import Geometry

from .schema import FIXED, FREE, SCHEMA


def link_row(kind: CableType, length: float, system: System) -> Row:
    """Constants of one link."""
    mass = kind.mass_per_metre * length
    return {"length": length, "mass": mass, "weight": mass * system.environment.gravity}


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


def build(system: System, geometry: Geometry) -> tuple[Tables, dict[str, slice]]:
    """Compile the system, with its state at t = 0; also its inputs."""
    refuse_junctions(system, "chain")
    commands = controlled_points(system)
    controlled = list(commands)
    cables, links, halves, places, tensions = [], [], [], [], []
    held: list[int] = []
    bodies: list[Row] = []
    node_of_point: dict[str, int] = {}
    for name, cable in system.cables.items():
        segments = [(system.types[s.type_name], s.length) for s in cable.segments(system)]
        nodes, pulls = hung(name, cable, system, geometry)
        first, count = len(held), len(segments)
        cables.append({"first": first, "count": count})
        links += [link_row(kind, length, system) for kind, length in segments]
        halves += [slender_row(kind, 0.5 * length, system.environment) for kind, length in segments]
        rows: list[Row] = [{"height": LEAST_HEIGHT} for _ in range(count + 1)]
        kinds = [FREE] * (count + 1)
        for index, end in ((0, cable.start), (count, cable.end)):
            point = system.points[end.point]
            if isinstance(point, FreePoint):
                node_of_point[end.point], rows[index] = first + index, point_row(point, system.environment)
            else:
                kinds[index] = controlled.index(end.point) if end.point in controlled else FIXED
        bodies += rows
        held += kinds
        places.append(nodes)
        tensions.append(pulls)
    samples: list[float] = []
    controls = [motion_row(command, samples) for command in commands.values()]
    inputs = position_inputs([command.input for command in commands.values()])

    def node_of(place: Place, name: str) -> Row | None:
        return {"node": node_of_point[name]} if name in node_of_point else None

    loads, pushes = load_rows(system, node_of, lambda place, name: False, samples, inputs)
    sea = water.pack(system.environment)
    counts = {
        "cables": len(cables), "nodes": len(held), "links": len(links), "points": len(system.points),
        "controlled": len(controlled), "loads": len(loads), "sea_rows": len(sea) - SEA_HEAD, "samples": len(samples),
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
    tables.place.position = [geometry.points[name] for name in system.points]
    tables.control.fill(controls)
    tables.command.fill(map(command_row, commands.values()))
    tables.load.fill(loads)
    tables.push.fill(pushes)
    tables.sample.number = samples
    tables.position.x, tables.tension.T = np.vstack(places), np.concatenate(tensions)
    return tables, inputs
