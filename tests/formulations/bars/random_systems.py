"""Random small systems: trees and loops of cables over fixed, controlled and free points, with all a file can say.

Each comes with the nodes of its cables: wavy lines whose element lengths are the distances of their nodes.
"""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from fairlead.model import System

PLANS = (
    [("A", "H")],
    [("A", "H"), ("H", "B")],
    [("A", "B")],
    [("A", "H"), ("B", "H"), ("H", "I"), ("I", "C")],
    [("A", "H"), ("H", "I"), ("I", "J"), ("J", "H"), ("J", "B")],
    [("A", "H"), ("H", "I"), ("I", "H"), ("B", "I"), ("A", "I")],
    [("H", "I"), ("I", "J"), ("J", "K"), ("K", "H"), ("H", "J"), ("A", "K")],
    [("A", "H"), ("H", "H"), ("B", "H")],
)
"""Which points are joined: A, B, C are prescribed, the others free. Loops, double lines, a ring on one point."""


@dataclass(frozen=True)
class Choice:
    """What a random system may have."""

    paper: bool = False
    """Equal elements and one type a cable, as the published tunings assume."""
    seabed: bool = True
    friction: bool = True
    water: bool = True
    attachments: bool = True
    elements: int = 4
    """Most a cable has."""
    fewest: int = 1


def random_types(rng):
    """Four cable types: without bending and torsion, with both, with one of them; three drag laws."""

    def one(ei, gj, drag):
        return {
            "diameter": float(rng.uniform(0.04, 0.2)),
            "mass_per_length": float(rng.uniform(2.0, 40.0)),
            "axial_stiffness": float(10 ** rng.uniform(4, 6)),
            "bending_stiffness": ei,
            "torsional_stiffness": gj,
            "damping_time": {name: float(rng.choice([0.0, 0.03])) for name in ("axial", "bending", "torsion")},
            "added_mass": {"normal": float(rng.uniform(0, 1.2)), "axial": float(rng.uniform(0, 0.5))},
            "drag": drag,
            "contact_diameter": float(rng.uniform(0.05, 0.3)),
        }

    return {
        "rope": one(0.0, 0.0, "reynolds"),
        "umbilical": one(float(rng.uniform(50, 500)), float(rng.uniform(50, 500)), {"normal": 1.1, "axial": 0.1}),
        "hose": one(float(rng.uniform(50, 500)), 0.0, {"normal": 0.9, "axial": 0.05, "axial_area": "projected"}),
        "shaft": one(0.0, float(rng.uniform(50, 500)), "none"),
    }


def random_points(rng, names, choice):
    """Prescribed points at random, some of them moving; free ones with and without a body."""
    points = {}
    for name in names:
        position = [*rng.uniform(-6, 6, 2).tolist(), float(rng.uniform(-6, 1.5))]
        if name in "ABC":
            kind = rng.choice(["fixed", "still", "harmonic", "table"])
            point = {"kind": "fixed" if kind == "fixed" else "controlled", "position": position}
            if kind != "fixed":
                point |= {"cutoff": float(rng.uniform(1, 30)), "follow": "filtered"}
            if kind == "harmonic":
                wave = {"amplitude": rng.normal(size=3).tolist(), "period": 2.0, "phase_deg": 40.0, "ramp": 1.0}
                point["motion"] = {"harmonic": wave}
            if kind == "table":
                table = [[0.0, 0.0, 0.0, 0.0], [0.3, *rng.normal(size=3).tolist()], [5.0, *rng.normal(size=3).tolist()]]
                point["motion"] = {"table": table, "interpolation": "linear"}
        else:
            point = {"kind": "free", "position": position, "inertia": float(rng.uniform(0.1, 2.0))}
            if rng.random() < 0.6:
                point |= {"mass": float(rng.uniform(1, 50)), "drag_area": float(rng.uniform(0, 1))}
                point |= {"volume": float(rng.uniform(0, 0.05)), "added_mass": float(rng.uniform(0, 10)) * choice.water}
        points[name] = point
    return points


def random_nodes(rng, start, end, choice):
    """Nodes (n+1, 3) of a wavy line from start to end; a ring when they are the same."""
    n = int(rng.integers(choice.fewest, choice.elements + 1))
    if start is end:
        n = max(n, 3)
    s = np.linspace(0.0, 1.0, n + 1)
    if not choice.paper:
        s[1:-1] += rng.uniform(-0.2, 0.2, n - 1) / n
    nodes = np.outer(1 - s, start) + np.outer(s, end)
    bulge, side = rng.normal(size=3), rng.normal(size=3)
    if start is end:
        nodes += np.outer(np.sin(2 * np.pi * s), 2 * bulge) + np.outer(np.cos(2 * np.pi * s) - 1, 2 * side)
    elif not choice.paper:
        nodes += np.outer(np.sin(np.pi * s), bulge) + np.outer(np.sin(2 * np.pi * s), 0.3 * side)
    return nodes


def random_cable(rng, start, end, lengths, choice):
    """A cable of one or two types with random joints, here and there with a weight or a float."""
    types = [str(name) for name in rng.choice(["rope", "umbilical", "hose", "shaft"], 2)]
    ends = []
    for name in (start, end):
        joint = {"point": name}
        if rng.random() < 0.5:
            joint["joint"] = "clamp"
            if rng.random() < 0.5:
                joint["direction"] = rng.normal(size=3).tolist()
        ends.append(joint)
    cable = {"start": ends[0], "end": ends[1], "allow_stretch": True}
    cut = int(rng.integers(0, len(lengths)))
    if cut and not choice.paper:
        parts = [(types[0], lengths[:cut]), (types[1], lengths[cut:])]
        cable["sections"] = [{"type": t, "element_lengths": part.tolist()} for t, part in parts]
    else:
        cable |= {"type": types[0], "element_lengths": lengths.tolist()}
    if choice.attachments and rng.random() < 0.4:
        lump = {"at": float(rng.uniform(0.05, 0.95) * lengths.sum()), "mass": float(rng.uniform(1, 30))}
        lump |= {"volume": float(rng.uniform(0, 0.03)), "drag_area": 0.2}
        lump["added_mass"] = float(rng.uniform(0, 5)) * choice.water
        cable["attachments"] = [lump]
    return cable


def random_system(
    rng: np.random.Generator, choice: Choice | None = None, **simulation
) -> tuple[System, SimpleNamespace]:
    """A system and its geometry (`points`, `nodes`), with the given settings of `simulation`."""
    rods = {"compression": "carried", **simulation.get("bars", {})}
    choice = choice or Choice()
    plan = [pair if rng.random() < 0.5 else pair[::-1] for pair in PLANS[rng.integers(len(PLANS))]]
    points = random_points(rng, sorted({name for pair in plan for name in pair}), choice)
    places = {name: np.array(point["position"]) for name, point in points.items()}
    cables, nodes = {}, {}
    for k, (start, end) in enumerate(plan):
        name = f"cable{k}"
        nodes[name] = random_nodes(rng, places[start], places[end], choice)
        cables[name] = random_cable(rng, start, end, np.linalg.norm(np.diff(nodes[name], axis=0), axis=1), choice)
    sea = {"water_density": 1025.0 if choice.water else 0.0, "viscosity": float(10 ** rng.uniform(-6, -1))}
    if choice.water:
        heights = (0.0, -2.0, -5.0)
        sea["current"] = [{"z": z, "velocity": rng.normal(size=3).tolist()} for z in heights]
    if choice.seabed:
        sea["seabed"] = {
            "depth": 4.0, "slope": rng.uniform(-0.3, 0.3, 2).tolist(), "stiffness": float(10 ** rng.uniform(3, 5)),
            "damping": float(rng.choice([0.0, 500.0])),
            "friction": float(rng.uniform(0.1, 0.8)) if choice.friction else 0.0,
            "friction_stiffness": float(10 ** rng.uniform(3, 5)),
        }  # fmt: skip
    loads = [
        {"point": name, "force": (20 * rng.normal(size=3)).tolist(), "torque": (5 * rng.normal(size=3)).tolist(),
         "table": [[0.0, 0.2], [1.0, 1.5]]}
        for name in points if name not in "ABC" and rng.random() < 0.5
    ]  # fmt: skip
    system = System.model_validate(
        {
            "environment": sea,
            "types": random_types(rng),
            "points": points,
            "cables": cables,
            "loads": loads,
            "simulation": {
                "start": "catenary",
                "duration": 10 * simulation["step"],
                **simulation,
                "bars": rods,
            },
        }
    )
    slack = {name: np.zeros(len(line) - 1) for name, line in nodes.items()}
    return system, SimpleNamespace(points=places, nodes=nodes, tensions=slack, sliders={}, bodies={}, axes={})


def disturbed(rng: np.random.Generator, y: np.ndarray, state) -> np.ndarray:
    """The state `y` (with its tables `state`) shifted, turned and set in motion at random."""
    for bodies in (state.bar_state, state.hub_state):
        count = len(bodies)
        bodies.position += 2e-3 * rng.normal(size=(count, 3))
        bodies.turn += 0.02 * rng.normal(size=(count, 4))
        bodies.turn /= np.linalg.norm(bodies.turn, axis=1, keepdims=True)
        bodies.velocity = 0.3 * rng.normal(size=(count, 3))
        bodies.spin = 0.3 * rng.normal(size=(count, 3))
    state.controls.velocity = 0.2 * rng.normal(size=(len(state.controls), 3))
    state.multipliers.force = 100.0 * rng.normal(size=(len(state.multipliers), 3))
    return y
