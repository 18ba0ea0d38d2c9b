"""A system of ours as a MoorDyn file, version 2. What MoorDyn cannot hold is told; where it would make the result
another one, the system is refused by name."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from fairlead.model import System
from fairlead.model.bodies import FreeBody, rotation_matrix
from fairlead.model.body_kinds import Body
from fairlead.model.cable_types import CableType
from fairlead.model.cables import Attachment
from fairlead.model.environment import Seabed
from fairlead.model.points import FreePoint
from fairlead.model.problems import listed

from ..errors import ExportError
from ..notes import Notes
from .attitude import angles_of
from .clamp_writing import clamp_places, clamp_refusals, tell_of_clamps
from .keys_going_out import POINTS, key_refusals, tell_of_keys
from .line_writing import Joint, WrittenLine, joint_position, line_refusals, lines_of
from .numerals import neat
from .rod_writing import RodList, pins, rod_refusals, rods_of, welds
from .ropes import histories, refusals, written
from .rows import Vector
from .sea_writing import sea_files, sea_refusals
from .surroundings import most_on_bed, on_bed

STEP = 0.001
"""Longest time step of the file written, s."""
PART_OF_PERIOD = 0.2
"""Of the time in which a wave runs along a segment, in stretching or in bending: what MoorDyn's explicit schemes take,
with damping of a ratio up to about 1."""


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


def write_moordyn(
    system: System, positions: Mapping[str, Vector] | None = None, notes: Notes | None = None,
    waves: np.ndarray | None = None,
) -> dict[str, str]:  # fmt: skip
    """The files of a system by name, "" that of the MoorDyn file itself; seabed, current and waves lie beside it.

    positions: where free points are, for those to which the system gives no place, and joints between the lines of one
    cable (`line_writing`). notes: takes what is said in another way there, or left out. waves: the regular waves that
    those of the system are made of, `fairlead.sea.waves.wave_components(system.environment)`. Raises `ExportError`.
    """
    positions, notes = positions or {}, Notes() if notes is None else notes
    refused = [*_refusals(system, positions), *sea_refusals(system, waves)]
    if refused:
        raise ExportError("\n".join(refused))
    _tell_of_types(system, notes)
    tell_of_keys(system, notes)
    bed = system.environment.seabed
    assert bed is not None
    shift = 0.5 * _width_on_bed(system, bed.depth)
    depth = neat(bed.depth - shift)
    system = _lifted(system, bed, shift, notes)
    if not any(bed.slope) and bed.bathymetry is None:  # a point below the bed would make MoorDyn's water deeper
        positions = {name: (x, y, max(z, -depth)) for name, (x, y, z) in positions.items()}
    lines, joints = lines_of(system)
    _tell_of_lines(system, joints, notes)
    tell_of_clamps(system, notes)
    rods = RodList(system, _places_of(system, joints, positions, bends=True))
    nodes = _nodes(system, positions, joints)
    number: dict[str, int | str] = {node.name: i for i, node in enumerate(nodes, 1)}
    ends = _Ends(system, lines, number | rods.ends, rods.clamped)
    files, sea = sea_files(system, waves, shift, notes)
    rows = [
        "--------------------- MoorDyn Input File ------------------------------------",
        " ".join((system.title or "a system of cables").replace("---", " ").split()),
        *_types(system), *_rod_types(rods), *_bodies(system), *_rods(system, rods), *_points(nodes),
        *_lines(lines, ends), *_failures(system, lines, ends), *_damping(system), *_histories(system, lines),
        *_options(system, lines, depth, sea),
        "---------------------- OUTPUTS -----------------------------------------",
        *(f"{name}{i}" for name in ("FairTen", "AnchTen") for i in range(1, len(lines) + 1)),
        "------------------------- need this line --------------------------------------",
    ]  # fmt: skip
    files[""] = "\n".join(rows) + "\n"
    for name, kind in system.types.items():
        files |= written(name, kind)[2]
    return files


def _refusals(system: System, positions: Mapping[str, Vector]) -> Iterator[str]:
    yield from key_refusals(system)
    yield from rod_refusals(system)
    yield from line_refusals(system)
    yield from clamp_refusals(system)
    for name, kind in system.types.items():
        if kind.drag == "reynolds":
            yield f"types.{name}.drag: MoorDyn takes constant coefficients; give drag: {{normal: ..., axial: ...}}"
        if kind.growth:
            yield f"types.{name}.growth: MoorDyn knows no marine growth; give the diameter and mass that come of it"
    yield from refusals(system)
    for name, point in system.points.items():
        if point.kind in POINTS and point.position is None and name not in positions:
            yield f"points.{name}: MoorDyn needs a position to begin with; give one"


def _tell_of_types(system: System, notes: Notes) -> None:
    """What of line types is left out, without which tensions and shapes are the same or nearly so."""
    for name, kind in system.types.items():
        if kind.gj > 0.0:
            notes.dropped(f"types.{name}.torsional_stiffness", "MoorDyn knows no torsion")
        if kind.contact_diameter != kind.diameter:
            why = f"MoorDyn has one diameter for all: on the bed it lies with {kind.diameter:g} m"
            notes.changed(f"types.{name}.contact_diameter", why)
        if kind.ei * kind.damping_bending > 0.0:
            notes.dropped(f"types.{name}.damping_time", "MoorDyn damps stretching alone: bending is not damped")


def _lifted(system: System, bed: Seabed, shift: float, notes: Notes) -> System:
    """The system with points that are held no lower than MoorDyn's bed, which is half a diameter higher than ours: its
    water would become as deep as they are."""
    points = dict(system.points)
    for name, point in points.items():
        if point.position is None or point.kind not in ("fixed", "anchor"):
            continue
        x, y, z = point.position
        floor = float(bed.at(x, y)[0])
        if z < floor + shift:
            points[name] = point.model_copy(update={"position": (x, y, neat(floor + shift))})
        if z < floor - shift:
            notes.changed(f"points.{name}", f"on the bed: MoorDyn holds nothing below it, and it is {floor - z:.3g} m")
    return system.model_copy(update={"points": points})


def _tell_of_lines(system: System, joints: list[Joint], notes: Notes) -> None:
    for cable in dict.fromkeys(joint.cable for joint in joints):
        found = [joint for joint in joints if joint.cable == cable]
        how = dict.fromkeys("rods without length" if joint.bends else "free points" for joint in found)
        notes.changed(f"cables.{cable}", f"as {len(found) + 1} lines, joined by {' and '.join(how)}")
        hinges = [joint.hung.at for joint in found if joint.hung and joint.would_bend]
        if hinges:
            where = listed([f"{at:g} m" for at in hinges], "and")
            notes.changed(f"cables.{cable}", f"turns freely there, and bends on here: at {where}, where a weight hangs")
    for name, cable_ in system.cables.items():
        for index, item in enumerate(cable_.attachments):
            _tell_of_added_mass(f"cables.{name}.attachments[{index}]", item, notes)
    for name, point in system.points.items():
        if isinstance(point, FreePoint):
            _tell_of_added_mass(f"points.{name}", point, notes)


def _tell_of_added_mass(where: str, carried: FreePoint | Attachment, notes: Notes) -> None:
    if carried.added_mass > 0.0 and not carried.volume > 0.0:
        why = "MoorDyn counts it in volumes of water, and what carries it displaces none"
        notes.dropped(f"{where}.added_mass", why)


def _places_of(system: System, joints: list[Joint], positions: Mapping[str, Vector], bends: bool) -> dict[str, Vector]:
    """Where joints begin: those through which bending goes on, or the others."""
    found = {}
    for joint in joints:
        if joint.bends == bends:
            cable = system.cables[joint.cable]
            ends = (_place(system, cable.start.point, positions), _place(system, cable.end.point, positions))
            found[joint.name] = joint_position(joint, ends, positions)
    return found


def _place(system: System, name: str, positions: Mapping[str, Vector]) -> Vector:
    """Where a point or attachment is at the start."""
    owner, _, attachment = name.partition(".")
    if attachment:
        return system.bodies[owner].place(system.bodies[owner].attachments[attachment])
    return system.points[name].position or positions[name]


@dataclass(frozen=True)
class _Ends:
    """What a file calls the ends of lines: numbers of points, ends of rods."""

    system: System
    lines: list[WrittenLine]
    number: Mapping[str, int | str]
    clamped: Mapping[tuple[str, str], str]

    def of(self, cable: str, key: str) -> int | str:
        """That of the start or end of a cable."""
        end = self.system.cables[cable].start if key == "start" else self.system.cables[cable].end
        return self.clamped.get((cable, key)) or self.number[end.point]

    def both(self, line: WrittenLine) -> tuple[int | str, int | str]:
        """Those of a line. A rod without length has its end A on the way in and B on the way out."""
        first, last = line.ends
        a = self._joint(first, "B") if first else self.of(line.cable, "start")
        b = self._joint(last, "A") if last else self.of(line.cable, "end")
        return a, b

    def _joint(self, name: str, side: str) -> int | str:
        return self.number[name] if name in self.number else self.number[f"{name}.{side}"]


def _times(value: float, factor: float) -> float:
    return value if factor == 1.0 else neat(value * factor)


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


def _histories(system: System, lines: list[WrittenLine]) -> list[str]:
    rows = histories(system, [line.cable for line in lines])
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


def _rod_types(rods: RodList) -> list[str]:
    head = _head("ROD TYPES", "Name  Diam  Mass/m  Cd  Ca  CdEnd  CaEnd", "(-)  (m)  (kg/m)  (-)  (-)  (-)  (-)")
    return [*head, *(_row(*row) for row in rods.types())] if rods.names else []


def _rods(system: System, rods: RodList) -> list[str]:
    names = "ID  RodType  Attachment  Xa  Ya  Za  Xb  Yb  Zb  NumSegs  Outputs"
    head = _head("RODS", names, "(-)  (-)  (-)  (m)  (m)  (m)  (m)  (m)  (m)  (-)  (-)")
    bodies = {name: i for i, name in enumerate(_others(system), 1)}
    return [*head, *(_row(*row) for row in rods.rows(bodies))] if rods.names else []


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
            roll, pitch, yaw = map(neat, angles_of(rotation_matrix(angles)))
            angles = (roll, pitch, yaw)
        where = (*body.position, *angles)
        if not isinstance(body, FreeBody):
            rows.append(_row(number, "Coupled", *where, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
            continue
        turning = tuple(neat(2.0 * value / density) if density > 0.0 else 0.0 for value in body.drag_moment)
        displaced = density * body.volume
        added = tuple(neat(value / displaced) if displaced > 0.0 else 0.0 for value in body.added_mass)
        rows.append(
            _row(number, "Free", *where, body.mass, 0.0, body.inertia, body.volume, (*body.drag_area, *turning), added)
        )
    return rows


def _nodes(system: System, positions: Mapping[str, Vector], joints: list[Joint]) -> list[_Node]:
    """Points and attachments; in the order of their numbers where names carry one (`point4`, `body1.point5`). Behind
    them are those between lines of one cable."""
    nodes = []
    density = system.environment.water_density
    words = {"fixed": "Fixed", "anchor": "Fixed", "controlled": "Coupled"}
    left_out = pins(system) | clamp_places(system)
    for name, point in system.points.items():
        if name in left_out:
            continue
        position = point.position or positions[name]
        if point.kind == "free":
            nodes.append(_free(name, position, point, density))
        else:
            nodes.append(_Node(name, words[point.kind], position))
    left_out = welds(system) | clamp_places(system)
    for number, (owner, body) in enumerate(_others(system).items(), 1):
        places = ((f"{owner}.{name}", offset) for name, offset in body.attachments.items())
        nodes += [_Node(name, f"Body{number}", offset) for name, offset in places if name not in left_out]
    found = [re.fullmatch(r"(?:.*\.)?point(\d+)", node.name) for node in nodes]
    if all(found):
        order = {node.name: int(match[1]) for node, match in zip(nodes, found, strict=True) if match}
        nodes.sort(key=lambda node: order[node.name])
    between = _places_of(system, joints, positions, bends=False)
    hung = {joint.name: joint.hung for joint in joints}
    return nodes + [_free(name, place, hung[name], density) for name, place in between.items()]


def _free(name: str, position: Vector, carried: FreePoint | Attachment | None, density: float) -> _Node:
    """A free point and what it carries. Added mass is in volumes of water there."""
    if carried is None:
        return _Node(name, "Free", position)
    displaced = density * carried.volume
    added = neat(carried.added_mass / displaced) if displaced > 0.0 else 0.0
    return _Node(name, "Free", position, carried.mass, carried.volume, carried.drag_area, added)


def _points(nodes: list[_Node]) -> list[str]:
    rows = _head("POINTS", "ID  Attachment  X  Y  Z  M  V  CdA  CA", "(-)  (-)  (m)  (m)  (m)  (kg)  (m^3)  (m^2)  (-)")
    for number, node in enumerate(nodes, 1):
        x, y, z = (float(value) for value in node.position)
        rows.append(_row(number, node.attachment, x, y, z, node.mass, node.volume, node.drag_area, node.added))
    return rows


def _lines(lines: list[WrittenLine], ends: _Ends) -> list[str]:
    rows = _head(
        "LINES", "ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs", "(-)  (-)  (-)  (-)  (m)  (-)  (-)"
    )
    for i, line in enumerate(lines, 1):
        rows.append(_row(i, line.type, *ends.both(line), line.length, line.segments, "-"))
    return rows


def _failures(system: System, lines: list[WrittenLine], ends: _Ends) -> list[str]:
    rows = []
    for name, cable in system.cables.items():
        numbers = [i for i, line in enumerate(lines, 1) if line.cable == name]
        for key, end, line in (("start", cable.start, numbers[0]), ("end", cable.end, numbers[-1])):
            if end.release is not None:
                rows.append(_row(ends.of(name, key), line, end.release.time or 0.0, end.release.tension or 0.0))
    head = _head("FAILURE", "ID  Point  Line(s)  FailTime  FailTen", "(-)  (-)  (-)  (s)  (N)")
    return [*head, *(f"{i}  {row}" for i, row in enumerate(rows, 1))] if rows else []


def _damping(system: System) -> list[str]:
    """EXTERNAL LOADS: damping of bodies along their own axes, which MoorDyn-F reads."""
    rows = []
    for number, body in enumerate(_others(system).values(), 1):
        damping = body.damping if isinstance(body, FreeBody) else None
        if damping is not None and any((*damping.linear[:3], *damping.quadratic[:3])):
            rows.append((f"Body{number}", (0.0, 0.0, 0.0), damping.linear[:3], damping.quadratic[:3], "L"))
    head = _head("EXTERNAL LOADS", "ID  Object  Fext  Blin  Bquad  CSys", "(#)  (name)  (N)  (Ns/m)  (Ns^2/m^2)  (-)")
    return [*head, *(_row(i, *row) for i, row in enumerate(rows, 1))] if rows else []


def _width_on_bed(system: System, depth: float) -> float:
    """Diameter of the type of which most lies on the bed, m: of the cables that end there, else of all."""
    anchors = {n for n, point in system.points.items() if point.kind == "fixed" and on_bed(point.position, depth)}
    cables = system.cables.values()
    rows = ((one.type_names[0], one.total_length, bool({one.start.point, one.end.point} & anchors)) for one in cables)
    return system.types[most_on_bed(rows)].diameter if system.cables else 0.0


def _step(system: System, lines: list[WrittenLine]) -> float:
    """A time step that MoorDyn's explicit schemes stand, s, to two digits."""
    shortest = math.inf
    for line in lines:
        kind, length = system.types[line.type], line.length / line.segments
        shortest = min(shortest, length * math.sqrt(kind.mass_per_metre / kind.ea))
        if kind.ei > 0.0:
            shortest = min(shortest, 0.5 * length**2 * math.sqrt(kind.mass_per_metre / kind.ei))
    return min(STEP, float(f"{PART_OF_PERIOD * shortest:.1e}"))


def _options(system: System, lines: list[WrittenLine], depth: float, sea: list[tuple[object, str]]) -> list[str]:
    environment = system.environment
    bed = environment.seabed
    assert bed is not None
    rows: list[tuple[object, str]] = [
        (_step(system, lines), "dtM"), (environment.water_density, "WtrDnsty"), (environment.gravity, "g"),
        (depth, "WtrDpth"), (bed.stiffness, "kBot"), (bed.damping, "cBot"),
        (bed.friction, "FrictionCoefficient"), (1.0, "dtIC"), (100.0, "TmaxIC"), (4.0, "CdScaleIC"), (1e-4, "threshIC"),
        (system.simulation.output_every, "dtOut"), *sea,
    ]  # fmt: skip
    return ["---------------------- OPTIONS -----------------------------------------", *(_row(*row) for row in rows)]
