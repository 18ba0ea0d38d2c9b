"""Two examples at rest: a lazy wave against a cable integrated from end to end, a fish farm against its own balance."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.model import FreePoint, System
from fairlead.simulate import Simulation
from fairlead.studies.verification.checks.shipped_examples import drag_of, example, wet_weight
from fairlead.studies.verification.record import Record

STEPS = 40
"""Of the fourth-order method in the first section; 80 in the second, 120 in the third."""


def flow_at(system: System, z: float) -> np.ndarray:
    """Velocity of the current (3,), linear between the samples of the file."""
    table = system.environment.current_table
    levels = [level for level, _ in table]
    return np.array([np.interp(z, levels, [velocity[k] for _, velocity in table]) for k in range(3)])


def dragged(system: System, type_name: str, tangent: np.ndarray, z: float) -> np.ndarray:
    """Force of the current on a metre of cable (3,), N/m."""
    kind, (across, along) = system.types[type_name], drag_of(system.types[type_name])
    flow, head = flow_at(system, z), 0.5 * system.environment.water_density * system.types[type_name].diameter
    lengthwise = float(flow @ tangent)
    aside = flow - lengthwise * tangent
    surface = math.pi if kind.drag.axial_area == "surface" else 1.0  # type: ignore[union-attr]
    return np.asarray(
        head * across * np.linalg.norm(aside) * aside + head * surface * along * abs(lengthwise) * lengthwise * tangent
    )


def hung(system: System, pull: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The lazy wave that begins with this pull (x, z): path (n, 2), tensions (n,), length left where it meets the bed.

    n' = w e_z − f and r' = (1 + |n|/EA) n/|n| by Runge and Kutta's method, down to where the last section is level.
    """
    vessel = system.points["vessel"].position
    assert vessel is not None
    state = np.array([vessel[0], vessel[2], *pull])
    rows, left = [state], 0.0

    def slope(type_name: str, y: np.ndarray) -> np.ndarray:
        tension = float(np.hypot(y[2], y[3]))
        way = y[2:] / tension
        force = dragged(system, type_name, np.array([way[0], 0.0, way[1]]), float(y[1]))
        growth = np.array([-force[0], wet_weight(system, type_name) - force[2]])
        return np.concatenate(((1.0 + tension / system.types[type_name].ea) * way, growth))

    sections = system.cables["riser"].stretches
    for number, section in enumerate(sections):
        h = section.total_length / (STEPS * number + STEPS)
        for i in range(STEPS * number + STEPS):
            a = slope(section.type, state)
            b = slope(section.type, state + 0.5 * h * a)
            c = slope(section.type, state + 0.5 * h * b)
            d = slope(section.type, state + h * c)
            after = state + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
            if number == len(sections) - 1 and after[3] >= 0.0:  # level: the rest lies on the bed
                part = -state[3] / (after[3] - state[3])
                left = section.total_length - (i + part) * h
                state = state + part * (after - state)
                rows.append(state)
                return np.array(rows)[:, :2], np.hypot(*np.array(rows)[:, 2:].T), left
            state = after
            rows.append(state)
    return np.array(rows)[:, :2], np.hypot(*np.array(rows)[:, 2:].T), left


def lazy_wave() -> Iterator[Record]:
    """Shooting from the vessel: the pull with which the path is level at the bed and ends at the base."""
    system = example("lazy_wave")
    base, bed = system.points["base"].position, system.environment.seabed
    assert base is not None
    assert bed is not None

    def misses(pull: np.ndarray) -> np.ndarray:
        path, tensions, left = hung(system, pull)
        on_bed = left * (1.0 + tensions[-1] / system.types["riser"].ea)
        level = -bed.depth + 0.5 * system.types["riser"].contact_diameter
        return np.array([path[-1, 0] + on_bed - base[0], path[-1, 1] - level])

    pull = np.array([1.0e4, -3.0e4])  # a guess; Newton's method by differences does the rest
    for _ in range(30):
        off = misses(pull)
        tangent = np.column_stack([misses(pull + newton) - off for newton in np.eye(2)])
        change = np.linalg.solve(tangent, -off)
        pull = pull + change * min(1.0, 1500.0 / float(np.abs(change).max()))
        if np.abs(off).max() < 1e-6:
            break
    path, tensions, _ = hung(system, pull)
    out = Simulation(system).outputs()
    nodes = np.asarray(out["riser.position"])
    source = "cable without bending stiffness, its equations integrated from the vessel to the bed (Runge and Kutta)"
    found = float(np.linalg.norm(out["riser.force_start"]))
    yield Record.relative("lazy_wave, pull at the vessel at rest, N", source, found, float(tensions[0]), 5e-3)
    hanging = system.cables["riser"].stretches[0].element_count
    lowest, highest = float(path[: STEPS + 1, 1].min()), float(path[STEPS:, 1].max())
    sag, arch = float(nodes[: hanging + 1, 2].min()), float(nodes[hanging:, 2].max())
    yield Record.absolute("lazy_wave, lowest point of the sag, m", source, sag, lowest, 0.2)
    yield Record.absolute("lazy_wave, top of the arch, m", source, arch, highest, 0.3)
    lies = abs(float(np.asarray(out["riser.force_end"])[0]))
    yield Record.relative("lazy_wave, pull on the base, N", source, lies, float(tensions[-1]), 0.03)


def fish_farm() -> Iterator[Record]:
    """The anchors hold what the current pushes and the buoys do not carry; the farm is the same to the north and south.

    Pushed: ½ρ C_d D |u| u across every element and along it, ½ρ C_d A u² of every buoy as far as it is under water,
    which follows from what it carries: its weight and the pull of its ropes.
    """
    system = example("fish_farm")
    out = Simulation(system).outputs()
    sea = system.environment
    pushed = 0.0
    for name, cable in system.cables.items():
        nodes = np.asarray(out[f"{name}.position"])
        for segment, along, z in zip(
            cable.segments(system), np.diff(nodes, axis=0), 0.5 * (nodes[1:, 2] + nodes[:-1, 2]), strict=True
        ):
            length = float(np.linalg.norm(along))
            pushed += length * dragged(system, segment.type_name, along / length, min(float(z), 0.0))[1]
    free = {name: point for name, point in system.points.items() if isinstance(point, FreePoint)}
    for name, point in free.items():
        both = [(c, e, getattr(cable, e).point) for c, cable in system.cables.items() for e in ("start", "end")]
        ends = [(c, e) for c, e, at in both if at == name]
        pull = sum(float(np.asarray(out[f"{c}.force_{e}"])[2]) for c, e in ends)
        carried = (point.mass * sea.gravity - pull) / (sea.water_density * sea.gravity * point.volume)
        flow = flow_at(system, float(np.asarray(out[f"{name}.position"])[2]))[1]
        pushed += 0.5 * sea.water_density * point.drag_area * carried * abs(flow) * flow
    anchors = [(c, e) for c, cable in system.cables.items() for e in ("start", "end")
               if system.points[getattr(cable, e).point].kind in ("anchor", "fixed")]  # fmt: skip
    held = np.sum([np.asarray(out[f"{c}.force_{e}"]) for c, e in anchors], axis=0)
    source = "drag of all ropes, chains and buoys, summed over the shape at rest"
    yield Record.relative("fish_farm, pull of all anchors along the current, N", source, float(held[1]), pushed, 5e-3)
    source = "a farm that is the same on both sides of the current"
    yield Record.absolute("fish_farm, pull of all anchors across it, part of that along", source,
                          float(held[0] / held[1]), 0.0, 1e-3)  # fmt: skip
    places = {name: np.asarray(system.points[name].position) for name in free}
    apart = max(
        np.abs(np.asarray(out[f"{one}.position"]) * (-1, 1, 1) - np.asarray(out[f"{other}.position"])).max()
        for one, here in places.items()
        for other, there in places.items()
        if np.allclose(here * (-1, 1, 1), there)
    )
    yield Record.absolute("fish_farm, buoys of both sides, farthest from mirrored, m", source, float(apart), 0.0, 0.01)


def check() -> Iterator[Record]:
    """What the examples show at rest."""
    yield from lazy_wave()
    yield from fish_farm()
