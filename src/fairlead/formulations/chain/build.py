"""From a `System` and its first geometry to the flat arrays of the chains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.end_motion import control_records
from fairlead.loads.slender import slender_row
from fairlead.model import Cable, CableType, System
from fairlead.model.points import FreePoint
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a

FREE, FIXED = -1, -2


@dataclass(frozen=True)
class Built:
    """Compiled arrays and the state at t = 0."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray


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


def link_row(kind: CableType, length: float, system: System) -> list[float]:
    """Constants of one link."""
    mass = kind.mass_per_metre * length
    water = slender_row(kind, 0.5 * length, system.environment)
    return [length, mass, mass * system.environment.gravity, *water]


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


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    refuse(system)
    controlled = [name for name, point in system.points.items() if point.kind == "controlled"]
    cables: list[list[int]] = []
    links: list[list[float]] = []
    held: list[int] = []
    bodies, places, tensions = [], [], []
    node_of_point: dict[str, int] = {}
    rho, g = system.environment.water_density, system.environment.gravity
    for name, cable in system.cables.items():
        segments = cable.segments(system)
        nodes, pulls = hung(name, cable, system, geometry)
        first, count = len(held), len(segments)
        cables.append([first, count])
        links += [link_row(system.types[s.type_name], s.length, system) for s in segments]
        rows, kinds = np.zeros((count + 1, a.NODE_REALS)), [FREE] * (count + 1)
        for index, end in ((0, cable.start), (count, cable.end)):
            point = system.points[end.point]
            if isinstance(point, FreePoint):
                node_of_point[end.point] = first + index
                rows[index, a.POINT_MASS], rows[index, a.POINT_HEIGHT] = point.mass, point.height
                rows[index, a.POINT_ADDED] = point.added_mass if rho > 0 else 0.0
                rows[index, a.POINT_LIFT] = rho * g * point.volume
                rows[index, a.POINT_DRAG] = 0.5 * rho * point.drag_area
            else:
                kinds[index] = controlled.index(end.point) if end.point in controlled else FIXED
        rows[:, a.POINT_HEIGHT] = np.maximum(rows[:, a.POINT_HEIGHT], 0.1)
        bodies.append(rows)
        held += kinds
        places.append(nodes)
        tensions.append(pulls)
    table: list[float] = []
    controls = control_records(system, controlled, table)
    loads = [load for load in system.loads if load.point in node_of_point]
    load_ints = np.zeros((len(loads), a.LOAD_INTS), dtype=np.int64)
    for row, load in zip(load_ints, loads, strict=True):
        row[0] = node_of_point[load.point]
        if load.table is not None:
            row[1:] = len(table), len(load.table)
            table += [number for entry in load.table for number in entry]
    sea = water.pack(system.environment)
    header = np.zeros(a.HEADER, dtype=np.int64)
    header[a.N_CABLES], header[a.N_NODES], header[a.N_LINKS] = len(cables), len(held), len(links)
    header[a.N_POINTS], header[a.N_CONTROLLED], header[a.N_LOADS] = len(system.points), len(controlled), len(loads)
    header[a.N_TABLE] = len(table)
    header[a.WATER] = int(rho > 0)
    a.set_offsets(header, len(sea))
    points = [
        [node_of_point.get(name, -1), controlled.index(name) if name in controlled else -1] for name in system.points
    ]
    ints = np.concatenate(
        [header, np.ravel(cables), held, controls.ints.ravel(), np.ravel(points), load_ints.ravel()]
    ).astype(np.int64)
    reals = np.concatenate(
        [
            sea, np.ravel(links), np.vstack(bodies).ravel(), np.ravel([geometry.points[n] for n in system.points]),
            controls.reals.ravel(), np.ravel([load.force for load in loads]), table,
        ]
    ).astype(np.float64)  # fmt: skip
    y0 = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    y0[ints[a.Y_POSITION] : ints[a.Y_POSITION] + 3 * len(held)] = np.vstack(places).ravel()
    y0[ints[a.Y_TENSION] : ints[a.Y_TENSION] + len(links)] = np.concatenate(tensions)
    return Built(ints, reals, y0)
