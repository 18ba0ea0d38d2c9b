"""Physical properties that are set on a running simulation act from that moment on, as if the file had said so."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fairlead.formulations import NAMES
from fairlead.model import ModelError, System, load_text
from fairlead.simulate import ParameterError, Simulation

WIRE = """
environment: {{current: [{{z: 0, velocity: [0.5, 0.2, 0]}}]}}
types: {{wire: {{diameter: 20 mm, density: 7850, youngs_modulus: 20 GPa, drag: {{normal: 1.2, axial: 0.05}}}}}}
points:
  A: {other}
  B: {{kind: controlled, position: [8, 0, -5], motion: {{harmonic: {{amplitude: [0.5, 0, 0.3], period: 2, ramp: 1}}}}}}
cables: {{wire: {{type: wire, length: 10, elements: 6, start: A, end: B}}}}
simulation: {{formulation: {formulation}, start: catenary, duration: 0.4, step: 0.002, output_every: 0.1}}
"""
FIXED = "{kind: fixed, position: [0, 0, -5]}"
LOAD = "{kind: free, position: [8, 0, -15], mass: 20, volume: 0.002}"
CHANGE = {"types.wire.drag.normal": 2.5, "environment.current[0].velocity": (-0.4, 0.1, 0.0)}


def wire(formulation: str = "bars") -> System:
    other = LOAD if formulation == "multibody" else FIXED
    return load_text(WIRE.format(formulation=formulation, other=other), "wire.yaml")


@pytest.mark.parametrize("formulation", [name for name in NAMES if name != "reduced"])
def test_from_then_on_it_is_a_run_of_the_system_with_these_values(formulation):
    changed, unchanged = Simulation(wire(formulation)), Simulation(wire(formulation))
    restarted = Simulation(wire(formulation).with_values(CHANGE))
    changed.step(0.1)
    changed.set_parameters({**CHANGE, "types.wire.drag.normal": 0.3})
    changed.set_parameters(CHANGE)  # a second time constants follow by their record, where there is one
    for other in (restarted, unchanged):
        other.set_state(changed.time, changed.state)
    seen, expected = changed.step(0.1).row, restarted.step(0.1).row
    assert np.array_equal(seen, expected, equal_nan=True)
    assert not np.allclose(seen, unchanged.step(0.1).row, equal_nan=True)
    assert changed.system == restarted.system


def test_what_is_set_again_is_set_to_the_last_value_and_the_first_values_bring_the_system_back():
    sim, plain = Simulation(wire()), Simulation(wire())
    for value in (3.0, 0.2, 1.2):
        sim.set_parameters({"types.wire.drag.normal": value})
        assert sim.parameters["types.wire.drag.normal"] == value
    assert np.array_equal(sim.step(0.1).row, plain.step(0.1).row, equal_nan=True)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"types.wire.drag.nomal": 1.0}, "did you mean 'types.wire.drag.normal'"),
        ({"cables.wire.length": 12.0}, "lengths.*start a new simulation"),
        ({"points.A.position": (0, 0, 0)}, "inputs, or start a new"),
        ({"environment.current[0].z": -3.0}, "first shape stands on it"),
        ({"simulation.step": 0.1}, "no property of the environment"),
        ({"types.wire.bending_stiffness": 10.0}, "what the compiled system is made of"),
        (["types.wire.drag.normal"], "given by path"),
    ],
)
def test_what_cannot_be_set_is_said_with_its_cure_and_nothing_is_set(values, words):
    sim = Simulation(wire())
    before = sim.compiled.reals.copy()
    with pytest.raises(ParameterError, match=words):
        sim.set_parameters(values)
    assert np.array_equal(sim.compiled.reals, before)
    assert sim.parameter_changes == ()


def test_a_value_the_file_could_not_hold_is_refused_as_there_and_none_of_the_others_is_set():
    sim = Simulation(wire())
    with pytest.raises(ModelError, match=r"types\.wire\.drag\.axial"):
        sim.set_parameters({"types.wire.drag.normal": 2.0, "types.wire.drag.axial": -1.0})
    assert sim.parameters["types.wire.drag.normal"] == 1.2


def test_a_run_keeps_what_was_set_during_it_and_is_resumed_with_it(tmp_path):
    def at_two_tenths(sim: Simulation) -> bool:
        if abs(sim.time - 0.2) < 1e-9 and not sim.parameter_changes:
            sim.set_parameters({"types.wire.drag.normal": 2.5})
        return False

    sim = Simulation(wire())
    whole = sim.run(stop=lambda: at_two_tenths(sim))
    assert json.loads(whole.attrs["parameter_changes"]) == [[0.2, {"types.wire.drag.normal": 2.5}]]
    path, sim = tmp_path / "run.nc", Simulation(wire())
    sim.run(output=path, duration=0.3, stop=lambda: at_two_tenths(sim)).close()
    resumed = Simulation(wire()).run(output=path, resume=True)
    assert np.array_equal(resumed.tension_max, whole.tension_max)
    assert resumed.attrs["parameter_changes"] == whole.attrs["parameter_changes"]
    plain = Simulation(wire()).run()
    assert "parameter_changes" not in plain.attrs
    assert not np.array_equal(plain.tension_max, whole.tension_max)
