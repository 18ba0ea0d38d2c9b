"""From a `System` and its first geometry to the tables of the links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fairlead.algebra import quaternion
from fairlead.algebra.recorded import blank, numbers, quotient
from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.loads.commands import Command
from fairlead.model import CableType, System
from fairlead.model.places import Place
from fairlead.rigging.commands import command_row, controlled_points, motion_row, position_inputs
from fairlead.rigging.elements import bed_row, compact_row, line_row
from fairlead.rigging.hanging import hung_rows
from fairlead.rigging.point_loads import load_rows
from fairlead.rigging.rows import Collected, Row
from fairlead.shape.layout import Geometry

from .chains import Chain, chains_of, first_directions
from .schema import SCHEMA
from .twist import TwistModes


@dataclass(frozen=True)
class Built:
    """The compiled system with its state at t = 0, and the twist's modes."""

    tables: Tables
    twist: TwistModes | None
    chains: list[Chain]
    inputs: dict[str, slice]


def link_row(kind: CableType, length: float, system: System) -> Row:
    """Constants of one link of the given type and length; drag is that of half of it, where one Gauss point stands."""
    row = line_row(kind, length, system.environment, 0.5 * length)
    return {**row, "length": length, "rotary": 0.0, "stretch": kind.ea / length}


def lump_row(item: Any, share: float, system: System) -> Row:
    """Constants of a point mass (an attachment or a free point) at `share` of its link."""
    row = compact_row(system.environment, item.mass, item.volume, item.drag_area, item.added_mass)
    return {**row, "share": share}


def in_series(kinds: Sequence[CableType], lengths: Sequence[float], name: str) -> float:
    """Stiffness of half links in series: 1/Σ l/(2 EI), which is 2 EI/l for the half link at a clamp."""
    stiff = [getattr(kind, name) for kind in kinds]
    return 1.0 / sum(quotient(0.5 * length, k) for length, k in zip(lengths, stiff, strict=True)) if stiff else 0.0


def joint_rows(chain: Chain, system: System, angle: Literal["elevation", "twist"]) -> np.ndarray:
    """Stiffness and damping (joints, 2) of the joints of a chain, ends included; 0 where one turns freely.

    What the settings give for each joint stands in place of what follows from the cable's type.
    """
    stiffness, damping = ("ei", "damping_bending") if angle == "elevation" else ("gj", "damping_torsion")
    kinds, lengths = chain.kinds(system), chain.lengths
    rows = blank((len(lengths) + 1, 2))
    for i in range(len(lengths) + 1):
        if not chain.stiff[i]:
            continue
        sides = [k for k in (i - 1, i) if 0 <= k < len(lengths)]
        rows[i, 0] = in_series([kinds[k] for k in sides], [lengths[k] for k in sides], stiffness)
        rows[i, 1] = rows[i, 0] * (sum(getattr(kinds[k], damping) for k in sides) / len(sides))
    for column, what in enumerate(("stiffness", "damping")):
        values = getattr(system.simulation.links, f"{angle}_{what}")
        if values is not None:
            rows[: len(values), column] = values
    return rows


def require_lists(system: System, links: int) -> None:
    """Refuse lists in the settings that do not fit the links."""
    settings = system.simulation.links
    for name in type(settings).model_fields:
        values = getattr(settings, name)
        if not isinstance(values, tuple):
            continue
        place = f"simulation.links.{name}"
        if len(system.cables) != 1:
            raise UnsupportedSystem(f"{place}: lists for single joints need a system of one cable; leave it out")
        if len(values) != links:
            raise UnsupportedSystem(f"{place}: holds {len(values)} numbers for {links} links; give one a link")


def build(system: System, geometry: Geometry) -> Built:
    """Compile the system."""
    settings = system.simulation.links
    chains = chains_of(system, geometry)
    links = sum(len(chain.lengths) for chain in chains)
    require_lists(system, links)
    prescribed = [name for name, point in system.points.items() if point.kind in ("fixed", "controlled")]
    bodies = list(system.bodies)
    found = Collected()
    spins = []
    places: dict[str, int] = {}
    cables: dict[str, Row] = {}
    for c, chain in enumerate(chains):
        first, count = len(found.link), len(chain.lengths)
        bends, turns = joint_rows(chain, system, "elevation"), joint_rows(chain, system, "twist")
        rows = [link_row(k, l, system) for k, l in zip(chain.kinds(system), chain.lengths, strict=True)]
        for i, row in enumerate(rows):
            row["bending"], row["damping"] = bends[i]
            held = [lump_row(item, share, system) for item, share in chain.attachments.get(i, [])]
            found.carried.append({"first": len(found.lump), "count": len(held)})
            found.lump += held
        spin = [row["mass"] * row["diameter"] ** 2 / 8 for row in rows]
        for i in range(count + 1):
            found.node.append(contact_row(chain, rows, i, system))
            body, name, turned = -1, chain.points[i], chain.turns_with[i]
            point = None if name is None else system.points.get(name)
            if name is not None and system.place(name).on_body:
                owner = system.place(name).owner_name
                places[owner], body = first + c + i, -2 - bodies.index(owner)
            if name is not None and point is not None and point.kind == "free":
                places[name], body = first + c + i, len(found.lump)
                found.lump.append(lump_row(point, 0.0, system))
                if turned is not None:
                    rows[turned]["rotary"] += point.inertia
                    spin[turned] += point.inertia
            found.sitting.append({"body": body})
        start, stop = (prescribed.index(n) if n in prescribed else -1 for n in (chain.points[0], chain.points[-1]))
        found.chain.append({"first": first, "count": count, "start": start, "stop": stop, "twists": 0})
        held_bending, held_damping = bends[count] if stop >= 0 else (0.0, 0.0)
        found.end.append(
            {
                "start_axis": chain.axes[0], "stop_axis": chain.axes[1], "stop_bending": held_bending,
                "stop_damping": held_damping, "spring": 1.0 / sum(1.0 / row["stretch"] for row in rows),
                "spring_time": numbers(
                    [k.damping_axial(l) for k, l in zip(chain.kinds(system), chain.lengths, strict=True)]
                ).sum() / len(rows),
            }
        )  # fmt: skip
        if stop < 0:
            turns[count] = 0.0
        spins.append((spin, turns.astype(float)))
        for name, at, length, reverse in chain.cables:
            cables[name] = {"chain": c, "first": first + at, "count": length, "reversed": reverse}
        found.link += rows
    found.cable = [cables[name] for name in system.cables]
    twist = twist_modes(spins)
    commands = controlled_points(system)
    inputs = position_inputs([command.input for command in commands.values()])
    turned_by = {
        name: row["first"] + link
        for row, chain in zip(found.chain, chains, strict=True)
        for name, link in zip(chain.points, chain.turns_with, strict=True)
        if name is not None and link is not None
    }

    def node_of(place: Place, name: str) -> Row | None:
        if place.owner_name not in places:
            return None
        node = -2 - bodies.index(place.owner_name) if place.on_body else places[place.owner_name]
        return {"on": node, "link": turned_by.get(name, -1)}

    found.load, found.push = load_rows(
        system, node_of, lambda place, name: place.on_body or name in turned_by, found.sample, inputs
    )
    mark_twist(found.chain, found.load, found.push, twist)
    for name, command in commands.items():
        found.control.append({"point": prescribed.index(name), **motion_row(command, found.sample)})
        found.command.append(command_row(command))
    found.named_as = [prescribed.index(n) if n in prescribed else -places[n] - 1 for n in (*system.points, *bodies)]
    found.fixed = [geometry.points[name] for name in prescribed]
    found.hung = list(hung_rows(system))
    found.setting.append({"beta": settings.beta})
    counts = {
        "propagators": 0 if twist is None else twist.collect(found),
        "contacts": len(found.node) if system.environment.seabed is not None else 0,
    }
    tables = found.tables(SCHEMA, system.environment, counts, reports_angles=int(settings.report_angles))
    put_first_state(tables, chains, twist, commands, system, geometry)
    return Built(tables, twist, chains, inputs)


def contact_row(chain: Chain, rows: list[Row], i: int, system: System) -> Row:
    """Constants of node i of a chain: half of each link that meets there lies on the bed."""
    sides = range(max(0, i - 1), min(i + 1, len(rows)))
    kinds = chain.kinds(system)
    beds = [bed_row(kinds[k], 0.5 * chain.lengths[k], system.environment) for k in sides]
    weight = sum(rows[k]["weight"] - rows[k]["buoyancy"] for k in sides)
    return {
        "radius": max(bed["radius"] for bed in beds), "stiffness": sum(bed["bed_stiffness"] for bed in beds),
        "damping": sum(bed["bed_damping"] for bed in beds), "shear": sum(bed["bed_shear"] for bed in beds),
        "fall": -max(0.0, weight) / sum(rows[k]["mass"] + rows[k]["added_normal"] for k in sides),
    }  # fmt: skip


def twist_modes(spins: list[tuple[list[float], np.ndarray]]) -> TwistModes | None:
    """Modes of the twist of all chains together; None where no joint resists it."""
    if not any((turns[:, 0] > 0).any() for _, turns in spins):
        return None
    size = sum(len(spin) for spin, _ in spins)
    stiffness, damping, moments = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size))
    torque = np.zeros(size)
    first = 0
    for spin, turns in spins:
        count = len(spin)
        for i in range(count + 1):
            lever = np.zeros(size)
            if i < count:
                lever[first + i] = 1.0
            if i > 0:
                lever[first + i - 1] -= 1.0
            stiffness += turns[i, 0] * np.outer(lever, lever)
            damping += turns[i, 1] * np.outer(lever, lever)
            if i < count:
                moments[first + i] = turns[i, 0] * lever
        first += count
    torque[first - 1] = 1.0
    inertia = np.diag([value for spin, _ in spins for value in spin])
    return TwistModes.of(inertia, damping, stiffness, torque, moments)


def mark_twist(chains: list[Row], loads: list[Row], pushes: list[Row], twist: TwistModes | None) -> None:
    """Mark the chain whose end a torque twists: the last one."""
    if twist is None:
        return
    chains[-1]["twists"] = 1
    last = chains[-1]["first"] + chains[-1]["count"] - 1
    for load, push in zip(loads, pushes, strict=True):
        if load["link"] not in (-1, last) and any(push["torque"]):
            raise UnsupportedSystem(
                "loads: the formulation 'links' twists only the end of the last cable by a torque; put that cable last "
                "in the file, or use formulation: bars"
            )


def given_directions(system: System, q: np.ndarray) -> np.ndarray:
    """Directions (links, 3) by the angles the settings give: elevation from straight down, azimuth from y towards x."""
    settings = system.simulation.links
    if settings.start_elevation_deg is None and settings.start_azimuth_deg is None:
        return q
    azimuth = np.arctan2(q[:, 0], q[:, 1])
    if settings.start_azimuth_deg is not None:
        azimuth = np.cumsum(np.radians(settings.start_azimuth_deg))
    elevation = np.arctan2(np.hypot(q[:, 0], q[:, 1]), -q[:, 2])
    if settings.start_elevation_deg is not None:
        elevation = np.radians(settings.start_elevation_deg)
    flat = np.sin(elevation)
    return np.stack([flat * np.sin(azimuth), flat * np.cos(azimuth), -np.cos(elevation)], axis=1)


def put_first_state(
    tables: Tables, chains: list[Chain], twist: TwistModes | None, commands: dict[str, Command], system: System,
    geometry: Geometry,
) -> None:  # fmt: skip
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    rows = zip(chains, tables.chain.stop, tables.end.spring, strict=True)
    # plain numbers, also while the build is recorded: the constants of an FMU follow from its parameters, the state not
    directions = np.vstack(
        [first_directions(chain, float(spring) if stop >= 0 else None) for chain, stop, spring in rows]
    )
    tables.link_state.direction = given_directions(system, directions)
    tables.pull.tension = np.concatenate([chain.tensions for chain in chains])
    tables.start_state.position = [chain.nodes[0] for chain in chains]
    tables.body_state.turn = [quaternion.from_matrix(geometry.bodies[name].rotation) for name in system.bodies]
    tables.control_state.fill(
        {"position": geometry.points[name], "velocity": command.at_start()[1]} for name, command in commands.items()
    )
    angles = system.simulation.links.start_twist_deg
    if twist is not None and angles is not None:
        tables.block("twist")[:] = twist.state_of(np.radians(angles), np.zeros(len(angles))).reshape(-1, 2)
