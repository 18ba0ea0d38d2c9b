"""Water whose motion another program gives at the nodes of cables, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.algebra.compiled import entry
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.sea import water
from fairlead.simulate import Simulation

HEIGHT, PERIOD, DEPTH, STEP = 3.0, 9.0, 60.0, 0.025
WAVES = {"kind": "regular", "height": HEIGHT, "period": PERIOD, "ramp": PERIOD, "stretching": "none"}


@entry
def fluid(t, x, y, z, sea):
    return water.fluid(t, x, y, z, sea)


def moored(sea: dict, given: bool, **cable) -> System:
    """A chain from the bed up to a point well below the surface, and one the other way round."""
    return System.model_validate(
        {
            "environment": {"seabed": {"depth": DEPTH}, **sea},
            "types": {"chain": {"diameter": 0.1, "mass_per_length": 60.0, "axial_stiffness": 3e8}},
            "points": {
                "anchor": {"kind": "fixed", "position": [120, 0, -DEPTH]},
                "top": {"kind": "fixed", "position": [0, 0, -6]},
                "float": {"kind": "free", "position": [-20, 0, -45], "mass": 2000.0},
            },
            "cables": {
                "line": {"type": "chain", "length": 140, "elements": 28, "start": "anchor", "end": "top", **cable},
                "back": {"type": "chain", "length": 47, "elements": 12, "start": "float", "end": "top"},
            },
            "simulation": {
                "formulation": "lumped", "step": STEP, "duration": 30, "lumped": {"theta": 0.5, "given_water": given},
            },
        }
    )  # fmt: skip


def motion_of(sea: np.ndarray, t: float, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocity and acceleration of the water of a packed sea at places (n, 3)."""
    found = [fluid(t, *map(float, place), sea) for place in places]
    return np.array([row[0] for row in found]), np.array([row[1] for row in found])


def tensions(simulation: Simulation, sea: np.ndarray | None = None) -> np.ndarray:
    """At both ends of both cables over 18 s; the water is given before each step where there is a sea."""
    seen = []
    for _ in range(round(18.0 / STEP)):
        if sea is not None:
            outputs = simulation.outputs()
            given = {
                name: motion_of(sea, simulation.time, outputs[f"{name}.position"]) for name in simulation.system.cables
            }
            simulation.give_water(*({name: pair[k] for name, pair in given.items()} for k in (0, 1)))
        outputs = simulation.step(STEP)
        seen.append([outputs[f"{name}.tension_effective"][k] for name in simulation.system.cables for k in (0, -1)])
    return np.array(seen)


@pytest.fixture(scope="module")
def in_waves() -> np.ndarray:
    """Tensions under the waves of the file."""
    return tensions(Simulation(moored({"waves": WAVES}, given=False)))


def test_a_regular_wave_given_at_the_nodes_is_the_wave_of_the_file(in_waves):
    """Between nodes 5 m apart the water is taken as straight, and its acceleration as constant until given anew."""
    sea = water.pack(moored({"waves": WAVES}, given=False).environment)
    given = tensions(Simulation(moored({}, given=True)), sea)
    swing, off = np.ptp(in_waves, axis=0), np.sqrt(np.mean((given - in_waves) ** 2, axis=0))
    assert swing[0] > 500.0
    assert (off < 0.01 * np.maximum(swing, 100.0)).all()


@pytest.fixture
def both_and_split() -> tuple[Simulation, Simulation]:
    """A current of the file, and one of which a part is given, from the same state."""
    both = Simulation(moored({"current": [{"z": 0.0, "velocity": [0.3, 0.2, 0.0]}]}, given=False))
    split = Simulation(moored({"current": [{"z": 0.0, "velocity": [0.1, 0.2, 0.0]}]}, given=True))
    split.set_state(0.0, both.state)
    nodes = {name: cable.element_count + 1 for name, cable in split.system.cables.items()}
    split.give_water(
        {name: np.tile([0.2, 0.0, 0.0], (n, 1)) for name, n in nodes.items()},
        {name: np.zeros((n, 3)) for name, n in nodes.items()},
    )
    return both, split


def test_what_is_given_is_added_to_the_current_of_the_file(both_and_split):
    both, split = both_and_split
    np.testing.assert_allclose(tensions(split)[:100], tensions(both)[:100], rtol=1e-9)


def test_parameters_that_are_set_leave_the_water_that_was_given(both_and_split):
    both, split = both_and_split
    for value in (1.7, 1.5):  # the first is built anew, the second follows from the record of it
        for simulation in (both, split):
            simulation.set_parameters({"types.chain.added_mass.normal": value})
    np.testing.assert_allclose(tensions(split)[:100], tensions(both)[:100], rtol=1e-9)


def test_only_a_system_that_asks_for_it_is_given_water():
    with pytest.raises(UnsupportedSystem, match="given_water: true"):
        Simulation(moored({}, given=False)).give_water({}, {})


def test_water_is_given_at_every_node_of_every_cable():
    simulation = Simulation(moored({}, given=True))
    with pytest.raises(ValueError, match=r"cable 'line' takes finite numbers \(29, 3\) in m/s"):
        simulation.give_water({"line": np.zeros((3, 3))}, {})
