"""Free points and bodies in which cables end (hubs), and what is prescribed: rows of both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fairlead.algebra import block_cholesky, quaternion
from fairlead.algebra.records import Tables
from fairlead.loads.body_record import body_record, free_owner
from fairlead.loads.commands import commands_of
from fairlead.loads.rigid_body import BODY_INERTIA, BODY_MASS
from fairlead.model import End, System
from fairlead.shape.layout import Geometry

from .commands import command_row, first_row, motion_row, position_inputs
from .floater_rest import settle_floaters
from .rows import Collected, Row


@dataclass(frozen=True)
class Built:
    """The tables of a compiled system with its state at t = 0, the names of its hubs, its inputs and its floaters."""

    tables: Tables
    hubs: tuple[str, ...]
    inputs: dict[str, slice]
    floaters: tuple[str, ...]


def hub_names(system: System) -> list[str]:
    """Free points, then free bodies."""
    return [name for name in (*system.points, *system.bodies) if system.place(name).is_free]


def release_row(end: End) -> Row:
    """When a cable end is let go: at a time, or beyond a tension."""
    time = None if end.release is None else end.release.time
    tension = None if end.release is None else end.release.tension
    return {
        "release_time": math.inf if time is None else time, "release_tension": math.inf if tension is None else tension,
    }  # fmt: skip


def add_prescribed(rows: Collected, system: System, geometry: Geometry) -> dict[str, slice]:
    """Rows of the tables of `frames` for the places `rows.prescribed`, and of hybrid points, which are hubs (of
    `rows.hubs`) that a force drives; returns the live inputs of their commands."""
    commands, places = commands_of(system), rows.prescribed
    names, bodies = list(commands), [name for name, body in system.bodies.items() if not body.is_free]
    for name, command in commands.items():
        place = name.rpartition(".")[0]
        moves = place in system.points and system.points[place].kind == "controlled"
        rows.control.append({"point": places.index(place) if moves else -1, **motion_row(command, rows.sample)})
    rows.command, rows.controls = (list(map(row, commands.values())) for row in (command_row, first_row))
    rows.frame = [{what: names.index(f"{name}.{what}") for what in ("position", "rotation")} for name in bodies]
    owners = [name.partition(".")[0] for name in places]
    for name, owner in zip(places, owners, strict=True):  # those on a body in its axes
        rows.point.append({"position": system.place(name).offset if owner in bodies else geometry.points[name]})
        rows.owner.append({"frame": bodies.index(owner) if owner in bodies else -1})
    for name, point in system.points.items():
        if point.kind == "hybrid":
            rows.hybrid.append({"hub": rows.hubs.index(name), "control": names.index(f"{name}.position")})
            rows.drive.append(
                {
                    "stiffness": point.stiffness, "damping": point.damper, "force_max": point.force_max,
                    "tension_max": point.tension_max,
                }
            )  # fmt: skip
    hubs = rows.hubs
    rows.name = [-hubs.index(n) - 1 if n in hubs else places.index(n) for n in (*system.points, *system.bodies)]
    return position_inputs(names)


def fill_hubs(
    tables: Tables, plan: block_cholesky.Analysis, hubs: Sequence[str], system: System, geometry: Geometry
) -> None:
    """Constants of the hubs, where they are at t = 0, and how `block_cholesky` solves for them."""
    constants, state = tables.block("hub"), tables.hub_state
    for k, name in enumerate(hubs):
        owner = system.place(name).owner
        if owner.kind == "floating":  # `floater_rows` has the rest of it
            constants[k, BODY_MASS], constants[k, BODY_INERTIA : BODY_INERTIA + 3] = owner.mass, owner.inertia[:3]
        else:
            constants[k] = body_record(free_owner(system, name), system)
        state.turn[k] = (1.0, 0.0, 0.0, 0.0)
        if name in geometry.bodies:
            pose = geometry.bodies[name]
            state.position[k], state.turn[k] = pose.position, quaternion.from_matrix(pose.rotation)
        else:
            state.position[k] = geometry.points[name]
    tables.order.hub, tables.column_start.entry = plan.order, plan.column_start
    tables.column_row.hub, tables.column_slot.slot = plan.column_rows, plan.column_slots
    tables.block("update")[:], tables.update_start.update = plan.updates, plan.update_start
    settle_floaters(tables, state, at_rest=False)


def hub_counts(system: System, plan: block_cholesky.Analysis) -> dict[str, int]:
    """Counts of the tables of hubs and of their plan."""
    hubs = len(plan.order)
    return {
        "hubs": hubs, "standing_hubs": hubs if system.environment.seabed is not None else 0, "slots": plan.slot_count,
        "hubs_and_one": hubs + 1, "entries": len(plan.column_slots), "updates": len(plan.updates),
        "bodies": len(system.bodies),
    }  # fmt: skip
