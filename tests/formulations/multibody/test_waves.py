"""Waves on cables and bodies of a tree: what is as heavy as water goes with it, and the books balance."""

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.simulate import simulate

from .systems import system

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HEIGHT, PERIOD, G, RHO = 0.04, 7.0, 9.81, 1025.0
OMEGA = 2 * np.pi / PERIOD
K = OMEGA**2 / G
WAVES = {"kind": "regular", "height": HEIGHT, "period": PERIOD}
DIAMETER = 0.1
NEUTRAL = {"diameter": DIAMETER, "mass_per_length": RHO * np.pi / 4 * DIAMETER**2, "axial_stiffness": 1e6,
           "added_mass": {"normal": 1.0, "axial": 0.0}, "drag": "none", "damping_time": 0.01}  # fmt: skip


def particle(x, z, t):
    """Velocity of water in a linear wave in deep water, (2,) along x and z."""
    size, phase = 0.5 * HEIGHT * OMEGA * np.exp(K * z), K * x - OMEGA * t
    return size * np.array([np.cos(phase), np.sin(phase)])


@pytest.mark.parametrize("slope", [0.0, 1.0])
def test_line_as_heavy_as_water_moves_with_it(slope):
    """(rho V + A) a_w = (m + A) a: it has the velocity of the water, across and along itself, 1 % of its size."""
    end = np.array([0.0, 0.6, -4.0]) if slope == 0.0 else np.array([0.0, 0.0, -4.6])
    result = simulate(
        system(
            environment={"water_density": RHO, "waves": {**WAVES, "stretching": "wheeler"}},
            types={"wire": NEUTRAL},
            points={"one": {"kind": "free", "position": [0, 0, -4.0]}, "two": {"kind": "free", "position": list(end)}},
            cables={"line": {"type": "wire", "length": 0.6, "elements": 3, "start": "one", "end": "two"}},
            simulation={"duration": 28, "step": 0.02, "output_every": 0.2},
        )
    )
    share = np.array([0.5, 1.0, 1.0, 0.5]) / 3.0  # parts of the line's mass: a stiff line goes with the mean along it
    for i in (50, 90, 140):
        places, speeds = (result[name].sel(cable="line").values[i][:, [0, 2]] for name in ("position", "velocity"))
        asked = np.array([particle(x, z, float(result["time"].values[i])) for x, z in places])
        assert np.abs(share @ (speeds - asked)).max() < 0.01 * 0.5 * HEIGHT * OMEGA * np.exp(-4.3 * K)


def hanging(formulation, **waves):
    """A load on a wire under a fixed tip, in and out of steep waves: crests come to the middle of its elements."""
    return system(
        environment={"water_density": RHO, "waves": {**WAVES, "height": 2.0, **waves}},
        types={"wire": {**NEUTRAL, "mass_per_length": 30.0, "drag": {"normal": 1.2, "axial": 0.02}}},
        points={
            "top": {"kind": "fixed", "position": [0, 0, 3]},
            "load": {"kind": "free", "position": [0, 0, -9], "mass": 400.0, "volume": 0.2, "drag_area": 0.5,
                     "added_mass": 100.0},
        },
        cables={"wire": {"type": "wire", "length": 12, "elements": 6, "start": "top", "end": "load"}},
        simulation={"formulation": formulation, "duration": 20, "step": 0.005, "output_every": 0.1},
    )  # fmt: skip


def test_energy_is_what_water_and_dampers_have_left():
    """Kinetic, gravity and elastic energy change by the work of the water and of damping: 1e-4 of what is moved."""
    result = simulate(hanging("multibody"))
    energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
    work = sum(result[f"work_{kind}"].values for kind in ("drag", "damping", "drives"))
    left = (energy - work)[80:]  # after the first bounce in the wire
    assert np.abs(left - left[0]).max() < 1e-4 * np.ptp(energy)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_same_pull_as_other_formulations(formulation):
    """Pull at the top in waves: 1 % of its mean, and the load at the same places within 2 cm."""
    one, two = simulate(hanging("multibody")), simulate(hanging(formulation))
    late = one["time"].values > 8.0
    pulls = [np.linalg.norm(r["force_end"].sel(cable="wire", end="start").values, axis=-1)[late] for r in (one, two)]
    assert np.abs(pulls[0] - pulls[1]).max() < 0.01 * pulls[0].mean()
    places = [r["position"].sel(cable="wire").values[late, -1] for r in (one, two)]
    assert np.abs(places[0] - places[1]).max() < 0.02
    assert np.ptp(places[0][:, 0]) > 0.2


def test_heave_compensation_on_a_floating_crane():
    """The winch takes out what the waves do to the tip of a floating crane: a tenth of its rise and fall is left."""
    whole = fl.load(EXAMPLES / "crane_vessel.yaml").to_dict()
    whole["simulation"] |= {"duration": 60}
    whole["cables"]["wire"]["winch"] = {
        "end": "start", "length_max": 60, "control": {"kind": "heave_compensation", "speed_max": 2.0},
    }  # fmt: skip
    result = fl.simulate(fl.System.model_validate(whole))
    late = result["time"].values > 20.0
    nodes = result["position"].sel(cable="wire", axis="z").values[late]
    tip = nodes[np.arange(len(nodes)), np.isfinite(nodes).argmax(axis=1)]
    load = result["point_position"].sel(point="load", axis="z").values[late]
    assert np.ptp(tip) > 0.3
    assert np.ptp(load) < 0.1 * np.ptp(tip)
