"""What a cable of joints costs: accelerations in O(n), and H and C three joints at a time beside one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fairlead.formulations.multibody import CompiledMultibody, compile_system
from fairlead.formulations.multibody.equations import rhs
from fairlead.formulations.multibody.schema import CABLE, PRISMATIC, REVOLUTE
from fairlead.formulations.multibody.tree import WORLD, Tree
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.timing import cpu_seconds
from fairlead.studies.benchmarks.tree_model import TreeModel

GOAL = 200.0
"""µs for the accelerations of a cable of 100 elements."""
ELEMENTS = (3, 10, 30)


def measure() -> Iterator[Record]:
    """CPU time, best of a few."""
    cable = hanging(100)
    y, u, work = cable.initial_state(), cable.initial_inputs(), cable.work
    dy = np.zeros_like(y)
    cost = microseconds(lambda: rhs(0.0, y, u, cable.ints, cable.reals, work, dy), 200)
    yield Record("cable of 100 elements of joints, accelerations by the O(n) sweep", cost, "µs", "goal", GOAL)
    for count in ELEMENTS:
        whole, single = (cost_of_matrix(chain(count, three), count) for three in (True, False))
        yield Record(
            f"cable of {count} elements, H and C three joints at a time", whole, "µs", "one joint at a time", single
        )


def microseconds(call: Callable[[], object], times: int) -> float:
    """CPU time of one of `times` calls [µs], best of a few."""
    call()
    return 1e6 * cpu_seconds(call, calls=times)


def cost_of_matrix(model: TreeModel, count: int) -> float:
    """CPU time of making H and C once [µs]."""
    q = np.tile([0.1, 0.05, 1.0], count)
    y = model.state(q, np.full(3 * count, 0.1))
    times = 30_000 // count**2 + 1
    return microseconds(lambda: model.mass_and_bias(y, 9.81, times), 1) / times


def chain(count: int, three: bool) -> TreeModel:
    """A cable of `count` point masses: one joint of three axes an element, or three joints with two massless bodies."""
    tree, last = Tree(), WORLD
    for _ in range(count):
        if three:
            last = tree.add(last, CABLE, mass=1.0)
            continue
        last = tree.add(last, REVOLUTE, axis=(0, 1, 0))
        last = tree.add(last, REVOLUTE, axis=(1, 0, 0))
        last = tree.add(last, PRISMATIC, axis=(0, 0, 1), mass=1.0)
    return TreeModel.of(tree)


def hanging(count: int) -> CompiledMultibody:
    """A wire of `count` one-metre elements with a load, in a current, drag by the Reynolds number."""
    system = System.model_validate(
        {
            "environment": {"current": [{"z": 0, "velocity": [0.5, 0, 0]}]},
            "types": {"wire": {"diameter": 0.03, "density": 6000, "axial_stiffness": 5e7}},
            "points": {
                "top": {"kind": "fixed", "position": [0, 0, -1]},
                "load": {"kind": "free", "position": [0.2 * count, 0, -1 - 0.97 * count], "mass": 5000},
            },
            "cables": {"wire": {"type": "wire", "length": count, "elements": count, "start": "top", "end": "load"}},
            "simulation": {"start": "catenary", "formulation": "multibody", "duration": 1, "step": 0.01},
        }
    )
    return compile_system(system, first_geometry(system))
