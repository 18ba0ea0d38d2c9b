"""From a `System` and its first geometry to the tables of the links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.algebra import quaternion
from fairlead.algebra.recorded import blank, numbers, quotient
from fairlead.algebra.records import Tables
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.hanging import hung_rows
from fairlead.loads.commands import point_command
from fairlead.loads.end_motion import control_records
from fairlead.loads import drag
from fairlead.model import CableType, System
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD
from fairlead.shape.layout import Geometry

from .chains import Chain, chains_of
from .schema import SCHEMA
from .twist import TwistModes


@dataclass(frozen=True)
class Built:
    """The compiled system with its state at t = 0, and the twist's modes."""

    tables: Tables
    twist: TwistModes | None
    chains: list[Chain]
    inputs: dict[str, slice]


Row = dict[str, Any]
"""A row of a table by the names of its fields."""


def link_row(kind: CableType, length: float, system: System) -> Row:
    """Constants of one link of the given type and length."""
    env = system.environment
    rho, g, d = env.water_density, env.gravity, kind.diameter
    displaced, mass = rho * kind.area * length, kind.mass_per_metre * length
    half = 0.5 * rho * d * 0.5 * length  # ½ρ·d·l/2: one Gauss point stands for half the link
    law, normal, axial = drag.NONE, 0.0, 0.0
    if kind.drag == "reynolds":
        law, normal, axial = drag.REYNOLDS, half, math.pi * half
    elif kind.drag != "none":
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        law, normal, axial = drag.CONSTANT, half * kind.drag.normal, half * area * kind.drag.axial
    return {
        "length": length, "diameter": d, "mass": mass, "added_normal": kind.added_mass.normal * displaced,
        "added_axial": kind.added_mass.axial * displaced, "weight": mass * g, "buoyancy": displaced * g,
        "drag_law": law, "drag_normal": normal, "drag_axial": axial, "reynolds": d / env.viscosity, "rotary": 0.0,
        "stretch": kind.ea / length,
    }  # fmt: skip


def lump_row(item: Any, share: float, system: System) -> Row:
    """Constants of a point mass (an attachment or a free point) at `share` of its link."""
    rho, g = system.environment.water_density, system.environment.gravity
    volume = item.volume
    return {
        "share": share, "mass": item.mass, "added": item.added_mass if rho > 0 else 0.0, "buoyancy": rho * g * volume,
        "drag": 0.5 * rho * item.drag_area, "height": max(0.1, (6.0 * volume / math.pi) ** (1.0 / 3.0)),
    }  # fmt: skip


def in_series(kinds: Sequence[CableType], lengths: Sequence[float], name: str) -> float:
    """Stiffness of half links in series: 1/Σ l/(2 EI), which is 2 EI/l for the half link at a clamp."""
    stiff = [getattr(kind, name) for kind in kinds]
    return 1.0 / sum(quotient(0.5 * length, k) for length, k in zip(lengths, stiff, strict=True)) if stiff else 0.0


def joint_rows(chain: Chain, system: System, stiffness: str, damping: str) -> np.ndarray:
    """Stiffness and damping (joints, 2) of the joints of a chain, ends included; 0 where one turns freely."""
    kinds, lengths = chain.kinds(system), chain.lengths
    rows = blank((len(lengths) + 1, 2))
    for i in range(len(lengths) + 1):
        if not chain.stiff[i]:
            continue
        sides = [k for k in (i - 1, i) if 0 <= k < len(lengths)]
        rows[i, 0] = in_series([kinds[k] for k in sides], [lengths[k] for k in sides], stiffness)
        rows[i, 1] = rows[i, 0] * (sum(getattr(kinds[k], damping) for k in sides) / len(sides))
    return rows


def given_joints(rows: np.ndarray, stiffness: Sequence[float] | None, damping: Sequence[float] | None) -> None:
    """Put what the settings give for each joint in place of what follows from the cable's type."""
    for column, values in ((0, stiffness), (1, damping)):
        if values is not None:
            rows[: len(values), column] = values


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
    controlled = [name for name in prescribed if system.points[name].kind == "controlled"]
    bodies = list(system.bodies)
    signals: list[float] = []
    link_rows: list[Row] = []
    lumps: list[Row] = []
    carried, node_rows, sitting, chain_rows, end_rows, spins = [], [], [], [], [], []
    places: dict[str, int] = {}
    cables: dict[str, Row] = {}
    for c, chain in enumerate(chains):
        first, count = len(link_rows), len(chain.lengths)
        bends = joint_rows(chain, system, "ei", "damping_bending")
        given_joints(bends, settings.elevation_stiffness, settings.elevation_damping)
        turns = joint_rows(chain, system, "gj", "damping_torsion")
        given_joints(turns, settings.twist_stiffness, settings.twist_damping)
        rows = [link_row(k, l, system) for k, l in zip(chain.kinds(system), chain.lengths, strict=True)]
        for i, row in enumerate(rows):
            row["bending"], row["damping"] = bends[i]
            held = [lump_row(item, share, system) for item, share in chain.attachments.get(i, [])]
            carried.append({"first": len(lumps), "count": len(held)})
            lumps += held
        spin = [row["mass"] * row["diameter"] ** 2 / 8 for row in rows]
        for i in range(count + 1):
            node_rows.append(contact_row(rows, i, system))
            body, name, turned = -1, chain.points[i], chain.turns_with[i]
            point = None if name is None else system.points.get(name)
            if name is not None and system.place(name).on_body:
                owner = system.place(name).owner_name
                places[owner], body = first + c + i, -2 - bodies.index(owner)
            if name is not None and point is not None and point.kind == "free":
                places[name], body = first + c + i, len(lumps)
                lumps.append(lump_row(point, 0.0, system))
                if turned is not None:
                    rows[turned]["rotary"] += point.inertia
                    spin[turned] += point.inertia
            sitting.append({"body": body})
        start, stop = (prescribed.index(n) if n in prescribed else -1 for n in (chain.points[0], chain.points[-1]))
        chain_rows.append({"first": first, "count": count, "start": start, "stop": stop, "twists": 0})
        held_bending, held_damping = bends[count] if stop >= 0 else (0.0, 0.0)
        end_rows.append(
            {
                "start_axis": chain.axes[0], "stop_axis": chain.axes[1], "stop_bending": held_bending,
                "stop_damping": held_damping, "spring": 1.0 / sum(1.0 / row["stretch"] for row in rows),
                "spring_time": numbers([k.damping_axial for k in chain.kinds(system)]).sum() / len(rows),
            }
        )  # fmt: skip
        if stop < 0:
            turns[count] = 0.0
        spins.append((spin, turns.astype(float)))
        for name, at, length, reverse in chain.cables:
            cables[name] = {"chain": c, "first": first + at, "count": length, "reversed": reverse}
        link_rows += rows
    twist = twist_modes(spins)
    inputs = {f"{name}.position": slice(3 * k, 3 * k + 3) for k, name in enumerate(controlled)}
    loads, pushes = load_rows(system, chains, places, chain_rows, signals, inputs)
    mark_twist(chain_rows, loads, pushes, twist)
    controls = control_records(system, controlled, signals)
    sea, modes, blocks, room = water.pack(system.environment), 0 if twist is None else twist.size, [], 0
    for begin, size in [] if twist is None else twist.blocks():
        blocks.append({"first": begin, "size": size, "data": room})
        room += size * (size + 1)

    named = [prescribed.index(n) if n in prescribed else -places[n] - 1 for n in (*system.points, *bodies)]
    tables = SCHEMA.allocate(
        {
            "links": links, "chains": len(chains), "nodes": len(node_rows), "cables": len(cables),
            "points": len(prescribed), "controlled": len(controlled), "loads": len(loads), "lumps": len(lumps),
            "hung_bodies": len(bodies), "named": len(named), "modes": modes, "mode_pairs": modes * modes,
            "link_modes": links * modes, "twist_blocks": len(blocks), "propagators": room,
            "contacts": len(node_rows) if system.environment.seabed is not None else 0,
            "sea_rows": len(sea) - SEA_HEAD, "signals": len(signals),
        },
        reports_angles=int(settings.report_angles),
    )  # fmt: skip
    tables.reals[: len(sea)] = sea
    tables.setting.beta = settings.beta
    tables.chain.fill(chain_rows)
    tables.end.fill(end_rows)
    tables.cable.fill(cables[name] for name in system.cables)
    tables.control.point = [prescribed.index(name) for name in controlled]
    tables.block("control")[:, 1:], tables.block("command")[:] = controls.ints, controls.reals
    tables.load.fill(loads)
    tables.push.fill(pushes)
    tables.named_as.which = named
    tables.link.fill(link_rows)
    tables.carried.fill(carried)
    tables.lump.fill(lumps)
    tables.node.fill(node_rows)
    tables.sitting.fill(sitting)
    tables.fixed.position = [geometry.points[name] for name in prescribed]
    tables.block("hung")[:] = hung_rows(system)
    tables.twist_block.fill(blocks)
    if twist is not None:
        tables.mode.stiffness, tables.mode.gain = twist.stiffness, twist.gain
        tables.mode_damping.number = twist.damping.ravel()
        tables.shape.angle, tables.shape.moment = twist.shapes.ravel(), twist.moments.ravel()
    tables.signal.number = signals
    put_first_state(tables, chains, twist, controlled, system, geometry)
    return Built(tables, twist, chains, inputs)


def contact_row(rows: list[Row], i: int, system: System) -> Row:
    """Constants of node i of a chain: half of each link that meets there lies on the bed."""
    bed = system.environment.seabed
    if bed is None:
        return {}
    near = rows[max(0, i - 1) : i + 1]
    footprint = sum(0.5 * row["length"] * row["diameter"] for row in near)
    weight = sum(row["weight"] - row["buoyancy"] for row in near)
    return {
        "radius": 0.5 * max(row["diameter"] for row in near), "stiffness": bed.stiffness * footprint,
        "damping": bed.damping * footprint, "shear": bed.friction_stiffness * footprint,
        "fall": -max(0.0, weight) / sum(row["mass"] + row["added_normal"] for row in near),
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


def load_rows(
    system: System, chains: list[Chain], places: dict[str, int], chain_rows: list[Row], signals: list[float],
    inputs: dict[str, slice],
) -> tuple[list[Row], list[Row]]:  # fmt: skip
    """Loads on free points and bodies (one on a held point is carried by its support); those with a name are inputs."""
    top, bodies = 3 * len(inputs), list(system.bodies)
    loads: list[Row] = []
    pushes: list[Row] = []
    turned = {
        name: chain_rows[c]["first"] + link
        for c, chain in enumerate(chains)
        for name, link in zip(chain.points, chain.turns_with, strict=True)
        if name is not None and link is not None
    }
    for load in system.loads:
        place = system.place(load.point)
        if place.owner_name not in places:
            continue
        node = -2 - bodies.index(place.owner_name) if place.on_body else places[place.owner_name]
        row = {"node": node, "link": turned.get(load.point, -1), "input": -1}
        if load.name is not None:
            row["input"] = top
            inputs[f"{load.name}.force"], inputs[f"{load.name}.torque"] = slice(top, top + 3), slice(top + 3, top + 6)
            top += 6
        if load.table is not None:
            row |= {"first": len(signals), "rows": len(load.table)}
            signals += [number for line in load.table for number in line]
        loads.append(row)
        pushes.append(
            {
                "force": load.force, "torque": load.torque, "offset": place.offset, "live_force": np.nan,
                "live_torque": np.nan,
            }
        )  # fmt: skip
    return loads, pushes


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
    tables: Tables, chains: list[Chain], twist: TwistModes | None, controlled: list[str], system: System,
    geometry: Geometry,
) -> None:  # fmt: skip
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    chords = np.vstack([np.diff(chain.nodes, axis=0) for chain in chains])
    directions = chords / np.linalg.norm(chords, axis=1)[:, None]
    tables.link_state.direction = given_directions(system, directions)
    tables.pull.tension = np.concatenate([chain.tensions for chain in chains])
    tables.start_state.position = [chain.nodes[0] for chain in chains]
    tables.body_state.turn = [quaternion.from_matrix(geometry.bodies[name].rotation) for name in system.bodies]
    for k, name in enumerate(controlled):
        point = system.points[name]
        assert point.kind == "controlled"
        tables.control_state.position[k] = geometry.points[name]
        tables.control_state.velocity[k] = point_command(name, point).at_start()[1]
    angles = system.simulation.links.start_twist_deg
    if twist is not None and angles is not None:
        tables.block("twist")[:] = twist.state_of(np.radians(angles), np.zeros(len(angles))).reshape(-1, 2)
