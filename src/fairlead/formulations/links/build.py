"""From a `System` and its first geometry to the flat arrays of the links."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairlead.algebra import quaternion
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.hanging import hung_rows
from fairlead.loads.commands import point_command
from fairlead.loads.end_motion import control_record
from fairlead.loads import drag
from fairlead.model import CableType, System
from fairlead.sea import water
from fairlead.shape.layout import Geometry

from . import arrays as a
from .chains import Chain, chains_of
from .twist import TwistModes


@dataclass(frozen=True)
class Built:
    """Compiled arrays, the twist's modes and the state at t = 0."""

    ints: np.ndarray
    reals: np.ndarray
    y0: np.ndarray
    twist: TwistModes | None
    chains: list[Chain]
    inputs: dict[str, slice]


def link_row(kind: CableType, length: float, system: System) -> np.ndarray:
    """Constants of one link of the given type and length."""
    env = system.environment
    rho, g, d = env.water_density, env.gravity, kind.diameter
    displaced, mass = rho * kind.area * length, kind.mass_per_metre * length
    row = np.zeros(a.LINK_COLUMNS)
    row[a.LENGTH], row[a.DIAMETER], row[a.MASS] = length, d, mass
    row[a.ADDED_NORMAL] = kind.added_mass.normal * displaced
    row[a.ADDED_AXIAL] = kind.added_mass.axial * displaced
    row[a.WEIGHT], row[a.BUOYANCY] = mass * g, displaced * g
    row[a.REYNOLDS], row[a.STRETCH] = d / env.viscosity, kind.ea / length
    half = 0.5 * rho * d * 0.5 * length  # ½ρ·d·l/2: one Gauss point stands for half the link
    if kind.drag == "reynolds":
        row[a.DRAG_LAW], row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = drag.REYNOLDS, half, math.pi * half
    elif kind.drag == "none":
        row[a.DRAG_LAW] = drag.NONE
    else:
        area = math.pi if kind.drag.axial_area == "surface" else 1.0
        row[a.DRAG_LAW] = drag.CONSTANT
        row[a.DRAG_NORMAL], row[a.DRAG_AXIAL] = half * kind.drag.normal, half * area * kind.drag.axial
    return row


def lump_row(item: object, share: float, system: System) -> list[float]:
    """Constants of a point mass (an attachment or a free point) at `share` of its link."""
    rho, g = system.environment.water_density, system.environment.gravity
    volume: float = item.volume  # type: ignore[attr-defined]
    row = [0.0] * a.LUMP_COLUMNS
    row[a.LUMP_SHARE], row[a.LUMP_MASS] = share, item.mass  # type: ignore[attr-defined]
    row[a.LUMP_ADDED] = item.added_mass if rho > 0 else 0.0  # type: ignore[attr-defined]
    row[a.LUMP_BUOYANCY], row[a.LUMP_DRAG] = rho * g * volume, 0.5 * rho * item.drag_area  # type: ignore[attr-defined]
    row[a.LUMP_HEIGHT] = max(0.1, (6.0 * volume / math.pi) ** (1.0 / 3.0))
    return row


def in_series(kinds: Sequence[CableType], lengths: Sequence[float], name: str) -> float:
    """Stiffness of half links in series: 1/Σ l/(2 EI), which is 2 EI/l for the half link at a clamp."""
    stiff = [getattr(kind, name) for kind in kinds]
    if not stiff or min(stiff) == 0.0:
        return 0.0
    return float(1.0 / sum(0.5 * length / k for length, k in zip(lengths, stiff, strict=True)))


def joint_rows(chain: Chain, system: System, stiffness: str, damping: str) -> np.ndarray:
    """Stiffness and damping (joints, 2) of the joints of a chain, ends included; 0 where one turns freely."""
    kinds, lengths = chain.kinds(system), chain.lengths
    rows = np.zeros((len(lengths) + 1, 2))
    for i in range(len(lengths) + 1):
        if not chain.stiff[i]:
            continue
        sides = [k for k in (i - 1, i) if 0 <= k < len(lengths)]
        rows[i, 0] = in_series([kinds[k] for k in sides], [lengths[k] for k in sides], stiffness)
        rows[i, 1] = rows[i, 0] * float(np.mean([getattr(kinds[k], damping) for k in sides]))
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
    table: list[float] = []
    lumps: list[list[float]] = []
    link_rows: list[np.ndarray] = []
    node_rows, chain_ints, chain_rows, spins = [], [], [], []
    places: dict[str, int] = {}
    cables: dict[str, list[int]] = {}
    for c, chain in enumerate(chains):
        first, count = len(link_rows), len(chain.lengths)
        bends = joint_rows(chain, system, "ei", "damping_bending")
        given_joints(bends, settings.elevation_stiffness, settings.elevation_damping)
        turns = joint_rows(chain, system, "gj", "damping_torsion")
        given_joints(turns, settings.twist_stiffness, settings.twist_damping)
        rows = [link_row(k, l, system) for k, l in zip(chain.kinds(system), chain.lengths, strict=True)]
        for i, row in enumerate(rows):
            row[a.BENDING], row[a.DAMPING] = bends[i]
            held = [lump_row(item, share, system) for item, share in chain.attachments.get(i, [])]
            row[a.LUMP_FIRST], row[a.LUMP_COUNT] = len(lumps), len(held)
            lumps += held
        spin = [row[a.MASS] * row[a.DIAMETER] ** 2 / 8 for row in rows]
        for i in range(count + 1):
            node = contact_row(rows, i, system)
            node[a.NODE_BODY] = -1.0
            name, turned = chain.points[i], chain.turns_with[i]
            point = None if name is None else system.points.get(name)
            if name is not None and system.place(name).on_body:
                owner = system.place(name).owner_name
                places[owner], node[a.NODE_BODY] = first + c + i, -2.0 - bodies.index(owner)
            if name is not None and point is not None and point.kind == "free":
                places[name] = first + c + i
                node[a.NODE_BODY] = len(lumps)
                lumps.append(lump_row(point, 0.0, system))
                if turned is not None:
                    rows[turned][a.ROTARY] += point.inertia
                    spin[turned] += point.inertia
            node_rows.append(node)
        ends = [chain.points[0], chain.points[-1]]
        held_ends = [prescribed.index(n) if n in prescribed else -1 for n in ends]
        chain_ints.append([first, count, *held_ends, 0])
        constants = np.zeros(a.CHAIN_REALS)
        constants[a.START_AXIS : a.START_AXIS + 3] = chain.axes[0]
        constants[a.STOP_AXIS : a.STOP_AXIS + 3] = chain.axes[1]
        constants[a.STOP_BENDING], constants[a.STOP_DAMPING] = bends[count] if held_ends[1] >= 0 else (0.0, 0.0)
        constants[a.SPRING] = 1.0 / sum(1.0 / row[a.STRETCH] for row in rows)
        constants[a.SPRING_TIME] = float(np.mean([k.damping_axial for k in chain.kinds(system)]))
        chain_rows.append(constants)
        if held_ends[1] < 0:
            turns[count] = 0.0
        spins.append((spin, turns))
        for name, start, length, reverse in chain.cables:
            cables[name] = [c, first + start, length, int(reverse)]
        link_rows += rows
    twist = twist_modes(spins)
    inputs = {f"{name}.position": slice(3 * k, 3 * k + 3) for k, name in enumerate(controlled)}
    loads_int, loads_real = load_rows(system, chains, places, chain_ints, table, inputs)
    mark_twist(chain_ints, loads_int, loads_real, twist)
    controls_int, controls_real = control_rows(system, controlled, prescribed, table)
    sea = water.pack(system.environment)
    blocks, room = [], 0
    for first, size in [] if twist is None else twist.blocks():
        blocks.append([first, size, room])
        room += size * (size + 1)

    header = np.zeros(a.HEADER, dtype=np.int64)
    header[a.N_LINKS], header[a.N_CHAINS], header[a.N_CABLES] = links, len(chains), len(cables)
    header[a.N_POINTS], header[a.N_CONTROLLED], header[a.N_LOADS] = len(prescribed), len(controlled), len(loads_int)
    header[a.N_LUMPS], header[a.N_NAMED], header[a.N_HUNG] = len(lumps), len(system.points) + len(bodies), len(bodies)
    header[a.N_TWIST] = 0 if twist is None else 2 * twist.size
    header[a.N_BLOCKS], header[a.N_PROPAGATOR] = len(blocks), room
    header[a.N_SEA], header[a.N_TABLE] = len(sea), len(table)
    header[a.N_CONTACTS] = len(node_rows) if system.environment.seabed is not None else 0
    header[a.REPORTS_ANGLES] = int(settings.report_angles)
    a.set_offsets(header)
    named = [prescribed.index(n) if n in prescribed else -places[n] - 1 for n in (*system.points, *bodies)]
    ints = np.concatenate(
        [
            header, np.ravel(chain_ints), np.ravel([cables[name] for name in system.cables]), controls_int.ravel(),
            loads_int.ravel(), named, np.ravel(blocks),
        ]
    )  # fmt: skip
    reals = np.concatenate(
        [
            sea, [settings.beta], np.ravel(link_rows), np.ravel(node_rows), np.ravel(chain_rows),
            np.ravel([geometry.points[n] for n in prescribed]), controls_real.ravel(), loads_real.ravel(),
            np.ravel(lumps), hung_rows(system).ravel(), np.empty(0) if twist is None else twist.packed(), table,
        ]
    )  # fmt: skip
    ints, reals = ints.astype(np.int64), reals.astype(np.float64)
    y0 = first_state(ints, chains, twist, controlled, system, geometry)
    return Built(ints, reals, y0, twist, chains, inputs)


def contact_row(rows: list[np.ndarray], i: int, system: System) -> np.ndarray:
    """Constants of node i of a chain: half of each link that meets there lies on the bed."""
    out = np.zeros(a.NODE_REALS)
    bed = system.environment.seabed
    if bed is None:
        return out
    near = rows[max(0, i - 1) : i + 1]
    footprint = sum(0.5 * row[a.LENGTH] * row[a.DIAMETER] for row in near)
    out[a.NODE_RADIUS] = 0.5 * max(row[a.DIAMETER] for row in near)
    out[a.NODE_STIFFNESS], out[a.NODE_DAMPING] = bed.stiffness * footprint, bed.damping * footprint
    out[a.NODE_SHEAR] = bed.friction_stiffness * footprint
    weight = sum(row[a.WEIGHT] - row[a.BUOYANCY] for row in near)
    out[a.NODE_FALL] = -max(0.0, weight) / sum(row[a.MASS] + row[a.ADDED_NORMAL] for row in near)
    return out


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


def mark_twist(
    chain_ints: list[list[int]], loads_int: np.ndarray, loads_real: np.ndarray, twist: TwistModes | None
) -> None:
    """Mark the chain whose end a torque twists: the last one."""
    if twist is None:
        return
    chain_ints[-1][a.CHAIN_TWIST] = 1
    last = chain_ints[-1][a.CHAIN_FIRST] + chain_ints[-1][a.CHAIN_COUNT] - 1
    for load, numbers in zip(loads_int, loads_real, strict=True):
        if load[a.LOAD_LINK] not in (-1, last) and np.any(numbers[3:6]):
            raise UnsupportedSystem(
                "loads: the formulation 'links' twists only the end of the last cable by a torque; put that cable last "
                "in the file, or use formulation: bars"
            )


def load_rows(
    system: System, chains: list[Chain], places: dict[str, int], chain_ints: list[list[int]], table: list[float],
    inputs: dict[str, slice],
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Loads on free points and bodies (one on a held point is carried by its support); those with a name are inputs."""
    loads = [load for load in system.loads if system.place(load.point).owner_name in places]
    top, bodies = 3 * len(inputs), list(system.bodies)
    ints, reals = np.zeros((len(loads), a.LOAD_INTS), dtype=np.int64), np.zeros((len(loads), a.LOAD_REALS))
    turned = {
        name: chain_ints[c][a.CHAIN_FIRST] + link
        for c, chain in enumerate(chains)
        for name, link in zip(chain.points, chain.turns_with, strict=True)
        if name is not None and link is not None
    }
    for k, load in enumerate(loads):
        place = system.place(load.point)
        ints[k, a.LOAD_NODE], ints[k, a.LOAD_LINK] = places[place.owner_name], turned.get(load.point, -1)
        if place.on_body:
            ints[k, a.LOAD_NODE] = -2 - bodies.index(place.owner_name)
        reals[k] = *load.force, *load.torque, *place.offset, *[np.nan] * 6
        ints[k, a.LOAD_LIVE] = -1
        if load.name is not None:
            ints[k, a.LOAD_LIVE] = top
            inputs[f"{load.name}.force"], inputs[f"{load.name}.torque"] = slice(top, top + 3), slice(top + 3, top + 6)
            top += 6
        if load.table is not None:
            ints[k, a.LOAD_TABLE], ints[k, a.LOAD_ROWS] = len(table), len(load.table)
            table += [number for row in load.table for number in row]
    return ints, reals


def control_rows(
    system: System, controlled: list[str], prescribed: list[str], table: list[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Controlled points; their motion tables go to `table`."""
    ints = np.zeros((len(controlled), a.CONTROL_INTS), dtype=np.int64)
    reals = np.zeros((len(controlled), a.CONTROL_REALS))
    for k, name in enumerate(controlled):
        ints[k, 0] = prescribed.index(name)
        ints[k, 1:], reals[k] = control_record(system, name, table)
    return ints, reals


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


def first_state(
    ints: np.ndarray, chains: list[Chain], twist: TwistModes | None, controlled: list[str], system: System,
    geometry: Geometry,
) -> np.ndarray:  # fmt: skip
    """The state at t = 0: all where it is first laid out and under its first tension, at rest but for moving points."""
    y = np.zeros(sum(size for _, size, _, _ in a.state_parts(ints)))
    view = a.View(ints)
    chords = np.vstack([np.diff(chain.nodes, axis=0) for chain in chains])
    view.links(y)[:, 0] = given_directions(system, chords / np.linalg.norm(chords, axis=1)[:, None])
    view.tension(y)[:] = np.concatenate([chain.tensions for chain in chains])
    for start, chain in zip(view.starts(y), chains, strict=True):
        start[0] = chain.nodes[0]
    for b, name in enumerate(system.bodies):
        at = int(ints[a.Y_HUNG]) + a.HUNG_STATE * b
        y[at : at + 4] = quaternion.from_matrix(geometry.bodies[name].rotation)
    for row, name in zip(view.controls(y), controlled, strict=True):
        point = system.points[name]
        assert point.kind == "controlled"
        row[0] = geometry.points[name]
        row[1] = point_command(name, point).at_start()[1]
    angles = system.simulation.links.start_twist_deg
    if twist is not None and angles is not None:
        view.twist(y)[:] = twist.state_of(np.radians(angles), np.zeros(len(angles)))
    return y
