"""Free points and bodies in which cables end (hubs), and what is prescribed: rows of both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from fairlead.algebra import block_cholesky, quaternion
from fairlead.algebra.records import Rows, Tables
from fairlead.loads.body_record import body_record, free_owner
from fairlead.loads.rigid_body import BODY_INERTIA, BODY_MASS
from fairlead.model import End, System
from fairlead.shape.layout import Geometry

from .rows import Row


def hub_names(system: System) -> list[str]:
    """Free points, then free bodies."""
    return [name for name in (*system.points, *system.bodies) if system.place(name).is_free]


def hybrid_names(system: System) -> list[str]:
    """Hybrid points, which are hubs that a force drives."""
    return [name for name, point in system.points.items() if point.kind == "hybrid"]


def drive_row(system: System, name: str) -> Row:
    """What drives a hybrid point."""
    point = system.points[name]
    assert point.kind == "hybrid"
    return {
        "stiffness": point.stiffness, "damping": point.damper, "force_max": point.force_max,
        "tension_max": point.tension_max,
    }  # fmt: skip


def release_row(end: End) -> Row:
    """When a cable end is let go: at a time, or beyond a tension."""
    time = None if end.release is None else end.release.time
    tension = None if end.release is None else end.release.tension
    return {
        "release_time": math.inf if time is None else time, "release_tension": math.inf if tension is None else tension,
    }  # fmt: skip


def owners_of(places: Sequence[str], bodies: Sequence[str]) -> list[int]:
    """Which of the prescribed `bodies` each place is one of or on; −1 for none."""
    owners = [name.partition(".")[0] for name in places]
    return [bodies.index(owner) if owner in bodies else -1 for owner in owners]


def rest_rows(system: System, places: Sequence[str], owners: Sequence[int], geometry: Geometry) -> Iterable[Row]:
    """Where prescribed places are, those on a body in its axes."""
    for name, owner in zip(places, owners, strict=True):
        yield {"position": system.place(name).offset if owner >= 0 else geometry.points[name]}


def seen_as(system: System, hubs: Sequence[str], places: Sequence[str]) -> list[int]:
    """What the points and bodies of the file are: a prescribed place by its number, or a hub by −1 − its number."""
    return [-hubs.index(n) - 1 if n in hubs else places.index(n) for n in (*system.points, *system.bodies)]


def fill_hubs(
    tables: Tables, constants: str, state: Rows, hubs: Sequence[str], system: System, geometry: Geometry
) -> None:
    """Constants of the hubs into the table of that name, and where they are at t = 0."""
    for k, name in enumerate(hubs):
        owner = system.place(name).owner
        if owner.kind == "floating":  # `floater_rows` has the rest of it
            tables.block(constants)[k, BODY_MASS] = owner.mass
            tables.block(constants)[k, BODY_INERTIA : BODY_INERTIA + 3] = owner.inertia[:3]
        else:
            tables.block(constants)[k] = body_record(free_owner(system, name), system)
        state.turn[k] = (1.0, 0.0, 0.0, 0.0)
        if name in geometry.bodies:
            pose = geometry.bodies[name]
            state.position[k], state.turn[k] = pose.position, quaternion.from_matrix(pose.rotation)
        else:
            state.position[k] = geometry.points[name]


def fill_plan(tables: Tables, plan: block_cholesky.Analysis) -> None:
    """How `block_cholesky` solves for the hubs."""
    tables.order.hub, tables.column_start.entry = plan.order, plan.column_start
    tables.column_row.hub, tables.column_slot.slot = plan.column_rows, plan.column_slots
    tables.block("update")[:], tables.update_start.update = plan.updates, plan.update_start
