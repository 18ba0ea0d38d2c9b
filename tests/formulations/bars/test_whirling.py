"""A loop set turning in a vacuum, held nowhere: `lumped` keeps its energy, `bars` does not and says so beforehand."""

import math

import pytest

import fairlead as fl
from fairlead.formulations.bars.whirling import whirling
from tests.examples.files import FOLDER


def turning_loop(spin=3.0, **changes):
    """A square of four cables of 7.07 m and 5 elements between massless points, turning about its centre."""
    angles = [0.5 * math.pi * i for i in range(4)]
    length = 5.0 * math.sqrt(2.0)
    system = {
        "environment": {"water_density": 0, "gravity": 0},
        "types": {"rope": {"diameter": 0.02, "mass_per_length": 1.0, "axial_stiffness": 1e6}},
        "points": {
            f"p{i}": {
                "kind": "free", "position": [5 * math.cos(a), 5 * math.sin(a), 0],
                "velocity": [-5 * spin * math.sin(a), 5 * spin * math.cos(a), 0],
            }
            for i, a in enumerate(angles)
        },
        "cables": {
            f"c{i}": {
                "type": "rope", "length": length, "elements": 5, "start": f"p{i}", "end": f"p{(i + 1) % 4}",
                "allow_stretch": True,
            }
            for i in range(4)
        },
        "simulation": {"start": "catenary", "duration": 0.01, "step": 0.001, "output_every": 0.01},
    }  # fmt: skip
    for key, value in changes.items():
        system[key] = {**system[key], **value}
    return fl.System.model_validate(system)


def test_bars_says_that_it_is_not_made_for_it_and_names_lumped():
    told = fl.simulate(turning_loop(simulation={"formulation": "bars"})).attrs["warnings"]
    assert "cables.c0 turns at about 3 rad/s, held nowhere" in told
    assert "0.003 rad a step" in told
    assert "use formulation: lumped" in told


@pytest.mark.parametrize(
    "system",
    [
        turning_loop(spin=0.0),
        turning_loop(environment={"water_density": 1025}),
        turning_loop(points={"p0": {"kind": "fixed", "position": [5, 0, 0]}}),
        turning_loop(
            types={"rope": {"diameter": 0.02, "mass_per_length": 1, "axial_stiffness": 1e6, "damping_time": 0.1}}
        ),
    ],
    ids=["at rest", "in water", "held", "damped"],
)
def test_it_is_quiet_elsewhere(system):
    assert whirling(system) is None


def test_it_is_quiet_on_the_shipped_examples():
    free = [path.name for path in sorted(FOLDER.glob("*.yaml")) if whirling(fl.load(path)) is not None]
    assert free == []


def test_bars_keeps_the_energy_of_turning_until_the_corners_whip():
    """In 1 s: 0.05 % is lost with 0.001 s, 0.03 % with half the step. What is lost later is lost in the whip."""
    lost = []
    for step in (0.001, 0.0005):
        settings = {"duration": 1.0, "output_every": 1.0, "step": step, "formulation": "bars"}
        result = fl.simulate(turning_loop(simulation=settings), bars={"compression": "carried"})
        energy = (result["energy_kinetic"] + result["energy_elastic"]).values
        lost.append(1.0 - energy[-1] / energy[0])
    assert 0.0 < lost[0] < 1e-3
    assert lost[1] < 0.8 * lost[0]


def test_lumped_keeps_the_energy():
    """To 2 % in 20 s with 0.001 s."""
    system = turning_loop(simulation={"duration": 20.0, "output_every": 20.0, "formulation": "lumped"})
    result = fl.simulate(system)
    energy = (result["energy_kinetic"] + result["energy_elastic"]).values
    assert energy[-1] == pytest.approx(energy[0], rel=0.02)
