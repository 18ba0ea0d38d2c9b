"""Every formulation that says it can be an FMU is one: without fault for FMPy, and to the numbers of its simulation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fmpy.validation import validate_fmu

from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.formulations import EXPORTING
from fairlead.model import System, load_text
from fairlead.simulate import Simulation

from .host import Host, Refused

OTHERS = tuple(name for name in EXPORTING if name != "bars")  # of which all other files here are
LINE = """
environment:
  current: [{{z: 0, velocity: [0.4, 0.1, 0]}}, {{z: -30, velocity: [0, 0, 0]}}]
  seabed: {{depth: 30, stiffness: 1e5, friction: 0.4}}
types:
  rope: {{diameter: 0.06, density: 1400, axial_stiffness: 5e5, damping_time: 0.01, drag: {{normal: 1.2, axial: 0.1}}}}
points:
  top: {{kind: controlled, position: [0, 0, -1],
        motion: {{harmonic: {{amplitude: [1, 0.5, 0.5], period: 6, ramp: 2}}}}}}
  clump: {{kind: free, position: [8, 0, -24], mass: 200, volume: 0.05, drag_area: 0.1}}
cables:
  line: {{type: rope, length: 26, elements: 6, start: top, end: clump}}
simulation: {{formulation: {name}, start: catenary, duration: 2, step: 0.02, output_every: 0.2}}
"""
OUTPUTS = ("line.force_start", "clump.position", "line.position", "line.tension_effective", "tension_max")
EXACT = 1e-10


def system_of(name: str) -> System:
    return load_text(LINE.format(name=name), f"{name}.yaml")


@pytest.fixture(scope="module", params=OTHERS)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[System, Path]:
    system = system_of(request.param)
    path = tmp_path_factory.mktemp("fmus") / f"{request.param}.fmu"
    fmu.export(system, path, outputs=OUTPUTS, targets=[link.host()])
    return system, path


def follow(host: Host, sim: Simulation, inputs: dict[str, object] | None = None) -> None:
    """Both go on for a while, in steps of the host that are no multiples of the file's, and show the same."""
    for k, dt in enumerate([0.2, 0.05, 0.2, 0.2, 0.2]):
        host.step(sim.time, dt)
        seen = sim.step(dt, inputs, hold=True)
        for name in OUTPUTS:
            expected = np.ravel(seen[name])
            assert np.abs(host[name] - expected).max() <= EXACT * np.abs(expected).max(), (name, k)


def test_fmpy_finds_nothing_wrong_with_it(exported):
    assert validate_fmu(str(exported[1])) == []


def test_it_gives_the_numbers_of_the_simulation(exported):
    host, sim = Host(exported[1]).start(), Simulation(exported[0])
    follow(host, sim)
    host["top.position"] = (1.0, 0.5, -1.2)
    follow(host, sim, {"top.position": (1.0, 0.5, -1.2)})
    host.close()


def test_a_parameter_that_is_set_is_followed(exported):
    values = {"types.rope.drag.normal": 2.0, "types.rope.drag.axial": 0.3, "environment.seabed.stiffness": 4e4}
    host = Host(exported[1])
    for name, value in values.items():
        host[name] = value
    host.start()
    follow(host, Simulation(exported[0].with_values(values)))
    host.close()


def test_a_failure_is_told_in_the_words_of_the_formulation(exported):
    host, sim = Host(exported[1]).start(), Simulation(exported[0])
    host["top.position"] = (1e5, 0.0, 0.0)
    with pytest.raises(Refused):
        host.step(0.0, 1.0)
    with pytest.raises(Exception, match="cable 'line'") as told:
        sim.step(1.0, {"top.position": (1e5, 0.0, 0.0)}, hold=True)
    place = str(told.value).split(": ")[0]
    assert place in host.log[-1]
    host.close()


def test_links_between_two_held_ends_have_parameters(tmp_path):
    """The first directions are a least-squares fit to the stretch of the whole cable, made with plain numbers while the
    rest of the build is recorded."""
    text = LINE.format(name="links").replace("kind: free, position: [8, 0, -24]", "kind: fixed, position: [8, 0, -24]")
    system = load_text(text.replace(", mass: 200, volume: 0.05, drag_area: 0.1", ""), "held.yaml")
    path = fmu.export(system, tmp_path / "held.fmu", outputs=OUTPUTS, targets=[link.host()]).path
    values = {"types.rope.drag.normal": 2.0, "types.rope.damping_time.axial": 0.03}
    host = Host(path)
    for name, value in values.items():
        host[name] = value
    host.start()
    follow(host, Simulation(system.with_values(values)))
    host.close()
    with pytest.raises(fmu.FmuError, match=r"'types\.rope\.axial_stiffness' cannot be a parameter .* first state"):
        fmu.export(system, tmp_path / "never.fmu", parameters=["types.rope.axial_stiffness"])


def test_links_that_twist_are_stepped_by_python_and_say_so(tmp_path):
    system = system_of("links").with_values({"types.rope.torsional_stiffness": 10.0})
    with pytest.raises(fmu.FmuError, match=r"torsional_stiffness.*formulation: bars"):
        fmu.export(system, tmp_path / "never.fmu")


def test_one_that_cannot_says_which_can(tmp_path):
    text = LINE.replace("damping_time: 0.01, ", "")
    text = text.replace("  seabed: {{depth: 30, stiffness: 1e5, friction: 0.4}}", "")
    system = load_text(text.format(name="chain"), "chain.yaml")
    with pytest.raises(fmu.FmuError, match="'chain' cannot be an FMU; bars, lumped, tether, links can"):
        fmu.export(system, tmp_path / "never.fmu")
