"""Bodies, hybrid points and winches on point masses."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import System
from fairlead.results import energy_balance
from fairlead.simulate import Simulation, simulate
from fairlead.statics import solve

WIRE = {"diameter": 0.02, "mass_per_length": 2.0, "axial_stiffness": 1e6, "drag": {"normal": 1.2, "axial": 0.02}}


def file(**parts):
    """A file with the wire, run by point masses."""
    return {
        "environment": {"water_density": 1025.0},
        "types": {"wire": WIRE},
        "simulation": {
            "start": "catenary",
            "formulation": "lumped",
            "duration": 10.0,
            "step": 0.005,
            "output_every": 0.1,
        },
        **parts,
    }


def hanging_body(**body):
    """A body on two wires, held at two of its corners; statics is symmetric."""
    return file(
        points={
            "left": {"kind": "fixed", "position": [-1, 0, -5]},
            "right": {"kind": "fixed", "position": [1, 0, -5]},
        },
        bodies={
            "box": {
                "kind": "free", "position": [0.1, 0.05, -10.0], "mass": 500.0, "inertia": [100.0, 120.0, 140.0],
                "volume": 0.2, "drag_area": [1.0, 1.2, 0.8], "added_mass": [100.0, 150.0, 120.0],
                "drag_moment": [50.0, 50.0, 50.0], "attachments": {"l": [-1, 0, 0.5], "r": [1, 0, 0.5]}, **body,
            }
        },
        cables={
            "one": {"type": "wire", "length": 4.5, "elements": 5, "start": "left", "end": "box.l",
                    "allow_stretch": True},
            "two": {"type": "wire", "length": 4.5, "elements": 5, "start": "right", "end": "box.r",
                    "allow_stretch": True},
        },
    )  # fmt: skip


def test_a_body_on_two_wires_rests_level_below_its_supports():
    rest = solve(System.model_validate(hanging_body()))
    row = rest.compiled.shape.empty_row()
    rest.compiled.observe(0.0, rest.y, rest.compiled.initial_inputs(), 0.005, row)
    place = row[rest.compiled.shape.point("box")][:3]
    weight = (500.0 - 205.0) * 9.81
    stretch = 0.5 * (weight + 2 * (2.0 - 1025 * math.pi * 1e-4) * 9.81 * 4.5 * 0.5) * 4.5 / 1e6
    assert place == pytest.approx([0.0, 0.0, -5 - 4.5 - stretch - 0.5], abs=1e-4)
    angles = [row[rest.compiled.shape.column(f"box.{name}")] for name in ("roll", "pitch", "yaw")]
    assert angles == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_a_swinging_body_keeps_its_energy_balance():
    result = simulate(System.model_validate(hanging_body()), step=0.002, lumped={"theta": 0.5})
    assert energy_balance(result).error < 1e-4
    assert np.abs(result["box.yaw"].values).max() > 1e-4


def test_the_tangent_of_a_body_is_the_derivative_of_its_residual():
    from .systems import compiled

    tilted = System.model_validate(hanging_body(orientation_deg=[10.0, 5.0, -8.0]))
    system = compiled(tilted.with_settings(lumped={"compression": "carried"}))  # laid unstretched: else at a kink
    rest = system.linearised()
    y = rest.settled(rest.placed(system.initial_state()))
    assert system.tables(y).hub_state.turn[0, 0] < 1.0
    tangent = rest.tangent(y).toarray()
    for i in range(rest.size - 6, rest.size):
        dx = np.zeros(rest.size)
        dx[i] = 1e-6
        ahead, behind = (rest.residual(rest.displaced(y, sign * dx)) for sign in (1, -1))
        slope = -(ahead - behind) / 2e-6
        assert np.abs(slope - tangent[:, i]).max() <= 1e-5 * np.abs(tangent[:, i]).max()


def test_a_wire_on_a_prescribed_body_moves_as_one_on_a_controlled_point():
    """A body that only heaves carries its attachment as a controlled point would be carried."""
    wave = {"amplitude": [0.5, 0.0, 1.0], "period": 6.0}
    body = {
        "kind": "prescribed",
        "position": [1, 2, 3],
        "motion": {"harmonic": wave},
        "attachments": {"tip": [2, 0, 1]},
    }
    point = {"kind": "controlled", "position": [3, 2, 4], "motion": {"harmonic": wave}}
    load = {"kind": "passive", "position": [3, 2, -6], "mass": 300.0, "shape": {"sphere": {"diameter": 0.5}}}
    line = {"type": "wire", "length": 10.0, "elements": 8, "end": "load"}
    one = file(points={"load": load}, bodies={"ship": body}, cables={"wire": {**line, "start": "ship.tip"}})
    two = file(points={"load": load, "tip": point}, cables={"wire": {**line, "start": "tip"}})
    results = [simulate(System.model_validate(each))["position"].values[:, 0] for each in (one, two)]
    assert np.abs(results[0] - results[1]).max() < 1e-9


def test_a_rolling_body_swings_its_attachment_about_its_origin():
    body = {
        "kind": "prescribed", "position": [0, 0, 3], "cutoff": 50.0, "attachments": {"tip": [0, 5, 0]},
        "motion": {"harmonic": {"rotation_deg": [20.0, 0, 0], "period": 8.0}},
    }  # fmt: skip
    load = {"kind": "free", "position": [0, 5, -3], "mass": 200.0}
    system = file(
        points={"load": load},
        bodies={"ship": body},
        cables={"wire": {"type": "wire", "length": 6.0, "elements": 4, "start": "ship.tip", "end": "load"}},
    )
    result = simulate(System.model_validate(system))
    tip = result["position"].values[:, 0, 0]
    roll = result["ship.roll"].values
    assert np.abs(roll).max() == pytest.approx(math.radians(20.0), rel=0.01)
    assert np.abs(tip - np.stack([0 * roll, 5 * np.cos(roll), 3 + 5 * np.sin(roll)], axis=1)).max() < 1e-9


def test_a_hybrid_point_follows_its_command_until_the_pull_is_too_strong():
    def vehicle(tension_max):
        return file(
            points={
                "ship": {"kind": "fixed", "position": [0, 0, 0]},
                "rov": {
                    "kind": "hybrid", "position": [10, 0, -20], "mass": 1025 * 0.5, "shape": {"box": {"length": 1,
                    "width": 1, "height": 0.5}}, "stiffness": 2000.0, "force_max": 3000.0, "tension_max": tension_max,
                    "motion": {"table": [[0, 0, 0, 0], [5, 5, 0, 0]]},
                },
            },
            cables={"wire": {"type": "wire", "length": 30.0, "elements": 15, "start": "ship", "end": "rov"}},
        )  # fmt: skip

    places = [
        simulate(System.model_validate(vehicle(limit)), duration=30.0, output_every=30.0)["point_position"].values[
            -1, 1
        ]
        for limit in (1e6, 10.0)
    ]
    assert places[0] == pytest.approx([15.0, 0.0, -20.0], abs=0.2)
    assert np.linalg.norm(places[1] - [15.0, 0.0, -20.0]) > 1.0


def lowering(**winch):
    """A sphere lowered through the surface and into the deep by a crane."""
    return file(
        points={
            "crane": {"kind": "fixed", "position": [0, 0, 5]},
            "load": {"kind": "passive", "position": [0, 0, -5], "mass": 600.0, "shape": {"sphere": {"diameter": 0.6}}},
        },
        cables={
            "wire": {
                "type": "wire", "length": 10.0, "elements": 10, "start": "crane", "end": "load", "allow_stretch": True,
                "winch": {"end": "start", "length_max": 25.0, **winch},
            }
        },
        simulation={
            "formulation": "lumped", "start": "statics", "duration": 20.0, "step": 0.005, "output_every": 0.1,
        },
    )  # fmt: skip


OUT = [[0, 0], [2, 0], [4, 0.5], [16, 0.5], [18, 0]]
OUT_AND_IN = [[0, 0], [2, 0], [3, 0.5], [8, 0.5], [9, 0], [10, 0], [11, -0.5], [16, -0.5], [17, 0]]


@pytest.mark.parametrize("mode", ["drum", "rescale"])
def test_a_winch_lowers_its_load_by_what_it_pays_out(mode):
    result = simulate(System.model_validate(lowering(table=OUT, mode=mode)))
    paid = result["wire.winch.length"].values
    assert paid[-1] - paid[0] == pytest.approx(7.0, abs=1e-9)
    depth = result["point_position"].values[:, 1, 2]
    assert depth[0] - depth[-1] == pytest.approx(7.0, abs=0.05)
    assert energy_balance(result).error < 0.005


def test_a_winch_hauls_in_a_cable_of_one_element():
    """The load rises by the line hauled in and by the stretch this had."""
    data = lowering(table=[[0, 0], [1, -0.5], [5, -0.5], [6, 0]], mode="rescale")
    data["cables"]["wire"]["elements"] = 1
    data["simulation"] |= {"duration": 8.0, "step": 0.01}
    system = System.model_validate(data)
    result = simulate(system)
    depth = result["point_position"].values[:, 1, 2]
    strain = float(result["tension_effective"].values[-1, 0, 0]) / system.types["wire"].ea
    assert strain > 1e-3
    assert depth[-1] - depth[0] == pytest.approx(2.5 * (1.0 + strain), abs=0.005)


def test_splits_at_the_drum_leave_the_payload_tension_smooth():
    result = simulate(System.model_validate(lowering(table=OUT)))
    nodes = np.isfinite(result["tension_effective"].values[:, 0]).sum(axis=1)
    assert nodes[0] == 11
    assert nodes[-1] == 18
    steady = slice(80, 150)  # between 8 and 15 s the speed is constant
    tension = result["tension_effective"].values[steady, 0, -1]
    trend = np.polyval(np.polyfit(np.arange(len(tension)), tension, 1), np.arange(len(tension)))
    assert (tension - trend).std() < 0.01 * tension.mean()


def test_a_drum_that_pays_out_and_hauls_in_ends_as_it_began():
    result = simulate(System.model_validate(lowering(table=OUT_AND_IN)))
    nodes = np.isfinite(result["tension_effective"].values[:, 0]).sum(axis=1)
    assert nodes.max() > nodes[0] == nodes[-1]
    depth = result["point_position"].values[:, 1, 2]
    assert depth[-1] == pytest.approx(depth[0], abs=0.01)
    assert energy_balance(result).error < 0.005


def test_the_rate_of_a_winch_is_an_input():
    simulation = Simulation(System.model_validate(lowering()))
    simulation.step(1.0, inputs={"wire.winch.rate": 0.3})
    assert simulation.outputs()["wire.winch.length"] == pytest.approx(10.3, abs=1e-9)


def test_runge_kutta_refuses_a_winch():
    system = lowering(rate=0.1)
    system["simulation"]["integrator"] = "rk4"
    with pytest.raises(UnsupportedSystem, match="winch"):
        Simulation(System.model_validate(system))
