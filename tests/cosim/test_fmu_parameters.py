"""A parameter set before the run gives the numbers of a file with that value in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.model import System, load, load_text
from fairlead.model.candidates import candidates, changed
from fairlead.simulate import Simulation

from .host import Host, Refused
from .systems import LINE

EXACT = 1e-10
OUTPUTS = ("upper.force_start", "upper.position", "lower.tension_effective", "clump.position", "tension_max")

# a heavy chain that touches down, a rope of two types with a weight on it, a stretched wire, clamps, an end above water
MIXED = """
environment:
  current: [{z: 0, velocity: [0.4, 0.1, 0]}, {z: -40, velocity: [0, 0, 0]}]
  seabed: {depth: 40, stiffness: 1e5, friction: 0.4, slope: [0.02, 0.01]}
types:
  chain: {diameter: 0.05, density: 5000, axial_stiffness: 2e6, damping_time: 0.01, bending_stiffness: 10,
          drag: {normal: 1.2, axial: 0.1}}
  rope: {diameter: 0.06, mass_per_length: 4, youngs_modulus: 2e8, bending_stiffness: 200, torsional_stiffness: 50}
points:
  top: {kind: controlled, position: [0, 0, 4]}
  other: {kind: fixed, position: [30, 5, -2]}
  clump: {kind: free, position: [15, 3, -9], mass: 200, volume: 0.05, drag_area: 0.1}
  anchor: {kind: fixed, position: [75, 0, -38.5]}
  low: {kind: fixed, position: [15, 3, -36]}
cables:
  upper:
    {start: {point: top, joint: clamp}, end: clump, attachments: [{at: 9, mass: 20, volume: 0.005}],
     sections: [{type: rope, length: 12, elements: 4}, {type: chain, length: 10, elements: 4}]}
  lower: {type: chain, length: 94, elements: 20, start: anchor, end: {point: top, joint: clamp, direction: [0, 0, 1]}}
  third: {type: rope, length: 30, elements: 6, start: clump, end: other}
  taut: {type: rope, length: 26.9, elements: 5, start: clump, end: low, allow_stretch: true}
simulation: {start: catenary, duration: 4, step: 0.025, output_every: 0.25}
"""

SETTLED = LINE.replace("start: catenary", "start: statics")


def exported(text: str, folder: Path, version: str = "3.0", **choice: object) -> tuple[System, Path]:
    system = load_text(text, "case.yaml")
    made = fmu.export(
        system, folder / f"case{version[0]}.fmu", version, outputs=OUTPUTS, targets=[link.host()], **choice
    )
    return system, made.path


def assert_same_run(path: Path, system: System, values: dict[str, object], within: float, steps: int = 8) -> None:
    """The FMU with `values` against a simulation of the file with these values."""
    host = Host(path)
    for name, value in values.items():
        host[name] = value
    host.enter()
    sim = Simulation(changed(system, values))
    nominal = Simulation(system)
    for k in range(steps + 1):
        if k == 0:
            seen, plain = sim.outputs(), nominal.outputs()
        else:
            host.step((k - 1) * 0.25, 0.25)
            seen, plain = sim.step(0.25), nominal.step(0.25)
        for name in OUTPUTS:
            expected = np.ravel(seen[name])
            size = np.abs(expected).max()
            assert np.abs(host[name] - expected).max() <= within * size, (name, k)
        if k == 0:
            host.fmu.exitInitializationMode()
    # the parameters did something, or the test would prove nothing
    assert not np.allclose(seen.row, plain.row, rtol=100 * within, atol=0.0)
    host.close()


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    return exported(MIXED, tmp_path_factory.mktemp("mixed"))


def test_every_value_of_the_file_that_is_a_quantity_is_offered(mixed):
    system, path = mixed
    host = Host(path)
    offered = {v.name for v in host.description.modelVariables if v.causality == "parameter"}
    assert offered == {c.path for c in candidates(system)}
    assert "types.chain.diameter" not in offered
    for v in host.description.modelVariables:
        if v.name == "types.chain.density":
            assert (v.unit, float(v.start), v.variability) == ("kg/m3", 5000.0, "fixed")
    host.close()


@pytest.mark.parametrize(
    "values",
    [
        {"environment.viscosity": 3e-6},
        {"environment.current[0].velocity": (0.1, 0.9, 0.05), "environment.current[1].velocity": (0.3, 0, 0)},
        {"environment.seabed.stiffness": 3e4, "environment.seabed.damping": 500, "environment.seabed.friction": 0.8},
        {"types.chain.axial_stiffness": 9e5, "types.chain.bending_stiffness": 40.0},
        {"types.chain.damping_time.axial": 0.03, "types.rope.damping_time.axial": 0.02},
        {"types.rope.bending_stiffness": 500, "types.rope.damping_time.bending": 0.1},
        {"types.chain.drag.normal": 2.0, "types.chain.drag.axial": 0.4},
        {"types.rope.added_mass.normal": 2.0, "types.chain.added_mass.axial": 0.5},
    ],
    ids=lambda values: "+".join(values),
)
def test_values_that_leave_the_first_shape_alone_are_followed_exactly(mixed, values):
    system, path = mixed
    assert_same_run(path, system, values, EXACT)


@pytest.fixture(scope="module")
def clear_of_the_bed(tmp_path_factory):
    return exported(
        MIXED.replace("length: 94, elements: 20", "length: 88, elements: 20"), tmp_path_factory.mktemp("clear")
    )


@pytest.mark.parametrize(
    "values",
    [
        {"environment.water_density": 1000.0},
        {"environment.gravity": 9.5},
        {"types.chain.density": 6000.0},
        {"types.rope.mass_per_length": 5.5, "types.rope.youngs_modulus": 1.5e8},
        {"types.chain.density": 4500.0, "environment.water_density": 900.0, "types.chain.drag.normal": 2.0},
    ],
    ids=lambda values: "+".join(values),
)
def test_where_the_first_shape_changes_the_cables_are_laid_again(clear_of_the_bed, values):
    system, path = clear_of_the_bed
    assert_same_run(path, system, values, 1e-9)


@pytest.mark.parametrize("values", [{"environment.seabed.depth": 40.5}, {"types.chain.density": 6000.0}])
def test_a_cable_that_touches_down_is_laid_on_the_bed_again(mixed, values):
    """Whether a node that lies on the bed to the last bit touches it is a matter of rounding; so only the shape is
    exact, and forces agree once the first rattle has died down."""
    system, path = mixed
    host = Host(path)
    for name, value in values.items():
        host[name] = value
    host.enter()
    sim = Simulation(changed(system, values))
    assert np.abs(host["upper.position"] - np.ravel(sim.outputs()["upper.position"])).max() < 1e-12
    host.fmu.exitInitializationMode()
    for k in range(16):
        host.step(k * 0.25, 0.25)
        seen = sim.step(0.25)
    assert np.abs(host["lower.tension_effective"] - seen["lower.tension_effective"]).max() < 1e-3 * seen.tension_max
    host.close()


@pytest.mark.parametrize(
    "values", [{"environment.water_density": 990.0}, {"types.rope.density": 1300.0, "types.rope.axial_stiffness": 4e5}]
)
def test_a_run_that_starts_from_rest_is_brought_to_rest_again(values, tmp_path):
    system, path = exported(SETTLED, tmp_path)
    assert_same_run(path, system, values, 1e-5, steps=4)


def test_set_back_to_its_start_value_a_parameter_leaves_no_trace(mixed):
    _, path = mixed
    one, other = Host(path), Host(path)
    one["types.chain.density"] = 6000.0
    one.enter()
    assert not np.array_equal(one["upper.position"], host_after_start(other)["upper.position"])
    one["types.chain.density"] = 5000.0
    one.fmu.exitInitializationMode()
    for host in (one, other):
        host.step(0.0, 0.25)
    assert np.array_equal(one["lower.tension_effective"], other["lower.tension_effective"])
    one.fmu.reset()
    assert np.array_equal(host_after_start(one)["types.chain.density"], [5000.0])
    one.close()
    other.close()


def host_after_start(host: Host) -> Host:
    return host.start()


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_parameters_are_kept_within_bounds_and_before_the_run(tmp_path, version):
    name = "types.chain.density"
    _, path = exported(MIXED, tmp_path, version, parameters=[name, "environment.seabed.friction"])
    host = Host(path)
    for bad in (np.nan, np.inf, -1.0, 0.0, 1e30):
        with pytest.raises(Refused):
            host[name] = bad
        assert name in host.log[-1]
    assert [v.name for v in host.description.modelVariables if v.causality == "parameter"] == [
        name, "environment.seabed.friction"
    ]  # fmt: skip
    host["environment.seabed.friction"] = 0.0
    host.start()
    assert host[name].tolist() == [5000.0]
    with pytest.raises(Refused):
        host[name] = 5500.0
    assert "before the first step" in host.log[-1]
    host.step(0.0, 0.25)
    host.close()


def test_a_cable_that_cannot_be_laid_with_new_values_is_named_and_the_values_can_be_set_back(mixed):
    _, path = mixed
    host = Host(path)
    host["environment.water_density"] = 9000.0
    host.enter()
    with pytest.raises(Refused):
        host["upper.position"]
    assert "cannot be laid" in host.log[-1]
    assert "cable '" in host.log[-1]
    with pytest.raises(Refused):
        host.fmu.exitInitializationMode()
    host["environment.water_density"] = 1025.0
    host.fmu.exitInitializationMode()
    host.step(0.0, 0.25)
    host.close()


def test_a_state_carries_its_parameters_with_it(mixed):
    _, path = mixed
    one, other = Host(path), Host(path)
    one["types.chain.density"] = 6000.0
    one["types.rope.bending_stiffness"] = 900.0
    one.start().step(0.0, 0.5)
    kept = one.state()
    sent = host_after_start(other).from_bytes(one.to_bytes(kept))
    other.restore(sent)
    assert other["types.chain.density"].tolist() == [6000.0]
    for host in (one, other):
        host.step(0.5, 0.5)
    assert np.array_equal(one["upper.force_start"], other["upper.force_start"])
    one.forget(kept)
    other.forget(sent)
    one.close()
    other.close()


@pytest.mark.parametrize(
    ("text", "names", "words"),
    [
        (MIXED, ["types.chian.density"], ["types.chian.density", "types.chain.density"]),
        (LINE, ["types.chain.density"], ["lower", "start: statics"]),
        (LINE, ["types.chain.bending_stiffness"], ["types.chain.bending_stiffness", "0 in the file"]),
    ],
)
def test_what_cannot_be_a_parameter_is_said_with_its_cure(text, names, words, tmp_path):
    with pytest.raises(fmu.FmuError) as told:
        exported(text, tmp_path, parameters=names)
    assert all(word in str(told.value) for word in words), told.value


def test_values_that_cannot_be_traced_are_left_out_with_a_note():
    """The height of waves enters the constants of `bars` under a winch by complex amplitudes, which leave no record."""
    from fairlead.cosim.fmu.parameters import parameters_of
    from fairlead.formulations import compile_system
    from fairlead.shape.layout import first_geometry

    system = load(Path(__file__).parents[2] / "examples/lowering_payload.yaml", set={"simulation.formulation": "bars"})
    compiled = compile_system(system, first_geometry(system))
    found = parameters_of(compiled, None, settled=False)
    assert found.left_out == ("environment.waves.significant_height",)
    assert found.notes == (
        "'environment.waves.significant_height' is no parameter of the FMU: the constants of the formulation do not "
        "follow from it in a way an FMU can compute",
    )
    names = {number.candidate.path for number in found.numbers}
    assert "environment.water_density" in names
    assert "environment.waves.significant_height" not in names
    with pytest.raises(fmu.FmuError, match=r"'environment\.waves\.significant_height' cannot be a parameter"):
        parameters_of(compiled, ["environment.waves.significant_height"], settled=False)
