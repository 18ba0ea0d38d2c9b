"""A system of ours as a MoorDyn file, version 2. What MoorDyn cannot hold is refused by name."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fairlead.model import System
from fairlead.model.bodies import FreeBody, rotation_matrix
from fairlead.model.body_kinds import Body
from fairlead.model.cable_types import CableType

from ..errors import ExportError
from .attitude import angles_of
from .rod_writing import pins, rod_ends, rod_refusals, rod_rows, rod_types, rods_of, welds
from .ropes import histories, refusals, written
from .rows import Vector
from .side_files import PROFILE
from .surroundings import most_on_bed, on_bed

STEP = 0.001
"""Time step of the file written, s; MoorDyn's explicit schemes need about this."""


@dataclass(frozen=True)
class _Node:
    """A row of POINTS: how it is held, where, and what it carries."""

    name: str
    attachment: str
    position: Vector
    mass: float = 0.0
    volume: float = 0.0
    drag_area: float = 0.0
    added: float = 0.0


def write_moordyn(system: System, positions: Mapping[str, Vector] | None = None) -> dict[str, str]:
    """The files of a system by name, "" that of the MoorDyn file itself; a current is a file of its own beside it.

    positions: where free points are, for those to which the system gives no place. Raises `ExportError`.
    """
    refused = list(_refusals(system, positions or {}))
    if refused:
        raise ExportError("\n".join(refused))
    nodes = _nodes(system, positions or {})
    number: dict[str, int | str] = {node.name: i for i, node in enumerate(nodes, 1)}
    number |= rod_ends(system)
    lines = [
        "--------------------- MoorDyn Input File ------------------------------------",
        " ".join((system.title or "a system of cables").replace("---", " ").split()),
        *_types(system), *_rod_types(system), *_bodies(system), *_rods(system), *_points(nodes),
        *_cables(system, number), *_failures(system, number), *_histories(system), *_options(system),
        "---------------------- OUTPUTS -----------------------------------------",
        *(f"{name}{i}" for name in ("FairTen", "AnchTen") for i in range(1, len(system.cables) + 1)),
        "------------------------- need this line --------------------------------------",
    ]  # fmt: skip
    files = {"": "\n".join(lines) + "\n"}
    for name, kind in system.types.items():
        files |= written(name, kind)[2]
    if system.environment.current:
        rows = [f"{z!r} {v[0]!r} {v[1]!r} {v[2]!r}" for z, v in system.environment.current_table]
        files[PROFILE] = "\n".join(["--- current ---", "z ux uy uz", "(m) (m/s) (m/s) (m/s)", *rows]) + "\n"
    return files


def _refusals(system: System, positions: Mapping[str, Vector]) -> Iterator[str]:
    environment = system.environment
    for what, asked in (
        ("hydro", system.hydro is not None), ("loads", bool(system.loads)),
        ("environment.waves", environment.waves is not None),
        ("environment.current_field", environment.current_field is not None),
        ("environment.seabed.slope", environment.seabed is not None and any(environment.seabed.slope)),
        ("environment.seabed.bathymetry", environment.seabed is not None and environment.seabed.bathymetry is not None),
    ):  # fmt: skip
        if asked:
            yield f"{what}: a MoorDyn file cannot hold this"
    yield from rod_refusals(system)
    if environment.seabed is None:
        yield "environment.seabed: MoorDyn needs the depth of the water; give the seabed"
    for name, kind in system.types.items():
        if kind.gj > 0.0:
            yield f"types.{name}.torsional_stiffness: MoorDyn knows no torsion"
        if kind.drag == "reynolds":
            yield f"types.{name}.drag: MoorDyn takes constant coefficients; give drag: {{normal: ..., axial: ...}}"
        if kind.contact_diameter != kind.diameter:
            yield f"types.{name}.contact_diameter: MoorDyn has one diameter for all"
        if max(kind.damping_bending, kind.damping_torsion) > 0.0:
            yield f"types.{name}.damping_time: MoorDyn damps stretching alone; give {{axial: ...}}"
    yield from refusals(system)
    for name, point in system.points.items():
        if point.kind not in ("fixed", "controlled", "free"):
            yield f"points.{name}: a point of kind '{point.kind}' is unknown to MoorDyn"
        elif point.position is None and name not in positions:
            yield f"points.{name}: MoorDyn needs a position to begin with; give one"
    for name, cable in system.cables.items():
        for key, asked in (
            ("winch", cable.winch is not None), ("attachments", bool(cable.attachments)),
            ("sections", len(cable.stretches) > 1), ("element_lengths", cable.element_lengths is not None),
            ("joint: clamp", any(end.joint == "clamp" for end in (cable.start, cable.end))),
        ):  # fmt: skip
            if asked:
                yield f"cables.{name}: '{key}' cannot be said in a row of MoorDyn"
    for name, body in _others(system).items():
        if isinstance(body, FreeBody) and (body.shape or body.waterplane or body.slamming or any(body.added_inertia)):
            yield f"bodies.{name}: shape, waterplane, slamming and added inertia are unknown to MoorDyn"
        if isinstance(body, FreeBody) and any(body.centre_of_buoyancy):
            yield f"bodies.{name}.centre_of_buoyancy: MoorDyn has it at the centre of mass"


def _neat(value: float) -> float:
    """A number without the rounding of the way it was found on."""
    return float(f"{value:.12g}")


def _times(value: float, factor: float) -> float:
    return value if factor == 1.0 else _neat(value * factor)


def _row(*cells: object) -> str:
    return "  ".join(_text(cell) for cell in cells)


def _text(cell: object) -> str:
    if isinstance(cell, float):
        return repr(cell + 0.0)
    return "|".join(repr(float(x)) for x in cell) if isinstance(cell, tuple) else str(cell)


def _head(title: str, names: str, units: str) -> list[str]:
    return [f"---------------------- {title} ----------------------------------------", names, units]


def _types(system: System) -> list[str]:
    names = "Name  Diam  Mass/m  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx  Cl  dF  cF"
    rows = _head("LINE TYPES", names, "(-)  (m)  (kg/m)  (N)  (N-s/-)  (N-m^2)  (-)  (-)  (-)  (-)  (-)  (-)  (-)")
    for name, kind in system.types.items():
        stiffness, damping, _ = written(name, kind)
        normal, axial = _drag(kind)
        added, wake, wider = kind.added_mass, kind.vortices, kind.drag_diameter / kind.diameter
        shed = () if wake is None else ((wake.lift, wider), (wake.band, 1.0 / wider), (wake.frequency, 1.0 / wider))
        rows.append(
            _row(
                name,
                kind.diameter,
                kind.mass_per_metre,
                stiffness,
                damping,
                kind.ei,
                normal,
                added.normal,
                axial,
                added.axial,
                *(_times(value, factor) for value, factor in shed),
            )
        )
    return rows


def _histories(system: System) -> list[str]:
    rows = histories(system)
    return [*_head("SYROPE IC", "Line(s)  Tmax0  Tmean0", "(-)  (N)  (N)"), *rows] if rows else []


def _drag(kind: CableType) -> tuple[float, float]:
    """Cd on the diameter and CdAx on the skin, as MoorDyn has them: of the one diameter it knows."""
    if isinstance(kind.drag, str):
        return 0.0, 0.0
    wider = kind.drag_diameter / kind.diameter
    skin = wider if kind.drag.axial_area == "surface" else wider / math.pi
    return _times(kind.drag.normal, wider), _times(kind.drag.axial, skin)


def _others(system: System) -> dict[str, Body]:
    """The bodies that are no rods."""
    return {name: body for name, body in system.bodies.items() if name not in rods_of(system)}


def _rod_types(system: System) -> list[str]:
    head = _head("ROD TYPES", "Name  Diam  Mass/m  Cd  Ca  CdEnd  CaEnd", "(-)  (m)  (kg/m)  (-)  (-)  (-)  (-)")
    return [*head, *(_row(*row) for row in rod_types(system))] if rods_of(system) else []


def _rods(system: System) -> list[str]:
    names = "ID  RodType  Attachment  Xa  Ya  Za  Xb  Yb  Zb  NumSegs  Outputs"
    head = _head("RODS", names, "(-)  (-)  (-)  (m)  (m)  (m)  (m)  (m)  (m)  (-)  (-)")
    bodies = {name: i for i, name in enumerate(_others(system), 1)}
    return [*head, *(_row(*row) for row in rod_rows(system, bodies))] if rods_of(system) else []


def _bodies(system: System) -> list[str]:
    if not _others(system):
        return []
    names = "ID  Attachment  X0  Y0  Z0  r0  p0  y0  Mass  CG  I  Volume  CdA  Ca"
    rows = _head(
        "BODIES", names, "(#)  (-)  (m)  (m)  (m)  (deg)  (deg)  (deg)  (kg)  (m)  (kg-m^2)  (m^3)  (m^2)  (-)"
    )
    density = system.environment.water_density
    for number, body in enumerate(_others(system).values(), 1):
        angles = body.orientation_deg
        if sum(angle != 0.0 for angle in angles) > 1:
            roll, pitch, yaw = map(_neat, angles_of(rotation_matrix(angles)))
            angles = (roll, pitch, yaw)
        where = (*body.position, *angles)
        if not isinstance(body, FreeBody):
            rows.append(_row(number, "Coupled", *where, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
            continue
        turning = tuple(_neat(2.0 * value / density) if density > 0.0 else 0.0 for value in body.drag_moment)
        displaced = density * body.volume
        added = tuple(_neat(value / displaced) if displaced > 0.0 else 0.0 for value in body.added_mass)
        rows.append(
            _row(number, "Free", *where, body.mass, 0.0, body.inertia, body.volume, (*body.drag_area, *turning), added)
        )
    return rows


def _nodes(system: System, positions: Mapping[str, Vector]) -> list[_Node]:
    """Points and attachments; in the order of their numbers where names carry one (`point4`, `body1.point5`)."""
    nodes = []
    density = system.environment.water_density
    words = {"fixed": "Fixed", "controlled": "Coupled", "free": "Free"}
    left_out = pins(system)
    for name, point in system.points.items():
        if name in left_out:
            continue
        position = point.position or positions[name]
        if point.kind == "free":
            displaced = density * point.volume
            added = _neat(point.added_mass / displaced) if displaced > 0.0 else 0.0
            nodes.append(_Node(name, "Free", position, point.mass, point.volume, point.drag_area, added))
        else:
            nodes.append(_Node(name, words[point.kind], position))
    left_out = welds(system)
    for number, (owner, body) in enumerate(_others(system).items(), 1):
        places = ((f"{owner}.{name}", offset) for name, offset in body.attachments.items())
        nodes += [_Node(name, f"Body{number}", offset) for name, offset in places if name not in left_out]
    found = [re.fullmatch(r"(?:.*\.)?point(\d+)", node.name) for node in nodes]
    if all(found):
        order = {node.name: int(match[1]) for node, match in zip(nodes, found, strict=True) if match}
        nodes.sort(key=lambda node: order[node.name])
    return nodes


def _points(nodes: list[_Node]) -> list[str]:
    rows = _head("POINTS", "ID  Attachment  X  Y  Z  M  V  CdA  CA", "(-)  (-)  (m)  (m)  (m)  (kg)  (m^3)  (m^2)  (-)")
    for number, node in enumerate(nodes, 1):
        x, y, z = (float(value) for value in node.position)
        rows.append(_row(number, node.attachment, x, y, z, node.mass, node.volume, node.drag_area, node.added))
    return rows


def _cables(system: System, number: Mapping[str, int | str]) -> list[str]:
    rows = _head(
        "LINES", "ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs", "(-)  (-)  (-)  (-)  (m)  (-)  (-)"
    )
    for i, cable in enumerate(system.cables.values(), 1):
        ends = number[cable.start.point], number[cable.end.point]
        rows.append(_row(i, cable.type_names[0], *ends, cable.total_length, cable.element_count, "-"))
    return rows


def _failures(system: System, number: Mapping[str, int | str]) -> list[str]:
    rows = [
        _row(number[end.point], i, end.release.time or 0.0, end.release.tension or 0.0)
        for i, cable in enumerate(system.cables.values(), 1)
        for end in (cable.start, cable.end)
        if end.release is not None
    ]
    head = _head("FAILURE", "ID  Point  Line(s)  FailTime  FailTen", "(-)  (-)  (-)  (s)  (N)")
    return [*head, *(f"{i}  {row}" for i, row in enumerate(rows, 1))] if rows else []


def _width_on_bed(system: System, depth: float) -> float:
    """Diameter of the type of which most lies on the bed, m: of the cables that end there, else of all."""
    anchors = {n for n, point in system.points.items() if point.kind == "fixed" and on_bed(point.position, depth)}
    cables = system.cables.values()
    rows = ((one.type_names[0], one.total_length, bool({one.start.point, one.end.point} & anchors)) for one in cables)
    return system.types[most_on_bed(rows)].diameter if system.cables else 0.0


def _options(system: System) -> list[str]:
    environment = system.environment
    bed = environment.seabed
    assert bed is not None
    depth = _neat(bed.depth - 0.5 * _width_on_bed(system, bed.depth))
    rows: list[tuple[object, str]] = [
        (STEP, "dtM"), (environment.water_density, "WtrDnsty"), (environment.gravity, "g"),
        (depth, "WtrDpth"), (bed.stiffness, "kBot"), (bed.damping, "cBot"),
        (bed.friction, "FrictionCoefficient"), (1.0, "dtIC"), (100.0, "TmaxIC"), (4.0, "CdScaleIC"), (1e-4, "threshIC"),
        (system.simulation.output_every, "dtOut"),
    ]  # fmt: skip
    if environment.current:
        rows.append((1, "Currents"))
    return ["---------------------- OPTIONS -----------------------------------------", *(_row(*row) for row in rows)]
