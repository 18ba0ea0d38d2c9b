"""A ship that answers waves: where its operators put it, in every formulation that moves bodies."""

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.loads.commands import commands_of
from fairlead.loads.responses import response_at, response_warnings
from fairlead.model import ModelError, Response, System
from fairlead.sea.waves import wave_components

HEAD = {
    "heading_deg": 180,
    "table": [
        {"period": 5, "surge": [0.1, 90], "heave": [0.2, 30], "pitch": [1.0, -80]},
        {"period": 10, "surge": [0.4, 90], "heave": [0.8, 10], "pitch": [2.0, -90]},
        {"period": 20, "surge": [0.9, 90], "heave": [1.0, 0], "pitch": [0.8, -90]},
    ],
}
BEAM = {"heading_deg": 90, "table": [{"period": 10, "sway": [0.6, -90], "roll": [3.0, 45], "heave": [0.9, 0]}]}


def ship(raos, waves, yaw=0.0, position=(0.0, 0.0, 0.0)):
    return System.model_validate(
        {
            "environment": {"waves": waves, "seabed": {"depth": 60}},
            "types": {"wire": {"diameter": 0.05, "density": 7000, "axial_stiffness": 1e7, "damping_time": 0.01}},
            "bodies": {
                "ship": {
                    "kind": "prescribed", "position": position, "orientation_deg": [0, 0, yaw],
                    "motion": {"raos": raos}, "attachments": {"stern": [-10, 0, 3]},
                }
            },
            "points": {"end": {"kind": "free", "position": _hang(position, yaw), "mass": 200.0, "volume": 0.02}},
            "cables": {"wire": {"type": "wire", "length": 20, "elements": 5, "start": "ship.stern", "end": "end"}},
            "simulation": {"duration": 30, "step": 0.01, "output_every": 0.5},
        }
    )  # fmt: skip


def _hang(position, yaw):
    angle = math.radians(yaw)
    return [position[0] - 10 * math.cos(angle), position[1] - 10 * math.sin(angle), position[2] - 17.0]


REGULAR = {"kind": "regular", "height": 2.0, "period": 10.0, "direction_deg": 180.0, "phase_deg": 25.0, "ramp": 5.0}


def commanded(command, t):
    """Sum of the sines of a command at t, (3,)."""
    *amplitude, omega, phase, ramp, _ = command.sines.T
    share = np.clip(t / ramp, 0, 1)
    return (np.array(amplitude) * (share**3 * (10 - 15 * share + 6 * share**2) * np.sin(omega * t + phase))).sum(axis=1)


def test_a_ship_heaves_surges_and_pitches_as_its_operators_say():
    """a |R| cos(ωt − k·x₀ − ε + arg R) with the crest where the ship is."""
    system = ship([HEAD], REGULAR, position=(30.0, 4.0, 0.0), yaw=0.0)
    ((amplitude, kx, ky, omega, phase),) = wave_components(system.environment)
    commands = commands_of(system)
    for t in (7.0, 11.3, 26.0):
        lead = omega * t - kx * 30.0 - ky * 4.0 - phase
        offset, turn = commanded(commands["ship.position"], t), commanded(commands["ship.rotation"], t)
        assert offset[2] == pytest.approx(amplitude * 0.8 * math.cos(lead + math.radians(10)), abs=1e-8)
        assert offset[0] == pytest.approx(amplitude * 0.4 * math.cos(lead + math.radians(90)), abs=1e-8)
        assert turn[1] == pytest.approx(math.radians(amplitude * 2.0 * math.cos(lead + math.radians(-90))), abs=1e-8)
        assert offset[1] == turn[0] == turn[2] == pytest.approx(0.0, abs=1e-8)


def test_a_ship_in_long_waves_floats_on_the_surface():
    """Heave 1 m/m in phase: its deck follows the elevation."""
    flat = [{"heading_deg": 0, "table": [{"period": 10, "heave": [1, 0]}]}]
    system = ship(flat, {"kind": "jonswap", "significant_height": 2.0, "peak_period": 9.0})
    rows, command = wave_components(system.environment), commands_of(system)["ship.position"]
    for t in (20.0, 33.0, 51.0):
        surface = sum(a * math.cos(-omega * t + phase) for a, _, _, omega, phase in rows)
        assert commanded(command, t)[2] == pytest.approx(surface, abs=1e-8)


def test_a_ship_turned_with_the_waves_answers_the_same_along_its_own_axes():
    straight = commands_of(ship([HEAD], REGULAR, yaw=0.0))
    turned = commands_of(ship([HEAD], {**REGULAR, "direction_deg": 180.0 + 35.0}, yaw=35.0))
    for t in (8.0, 13.0):
        surge = commanded(straight["ship.position"], t)[0]
        x, y, z = commanded(turned["ship.position"], t)
        assert (x, y) == pytest.approx(
            (surge * math.cos(math.radians(35)), surge * math.sin(math.radians(35))), abs=1e-9
        )
        assert z == pytest.approx(commanded(straight["ship.position"], t)[2], abs=1e-9)
        assert commanded(turned["ship.rotation"], t) == pytest.approx(commanded(straight["ship.rotation"], t), abs=1e-9)


def test_operators_are_read_between_periods_and_headings():
    responses = [Response.model_validate(part) for part in (HEAD, BEAM)]
    at = response_at(responses, math.pi, 2 * math.pi / 10.0)
    assert at[2] == pytest.approx(0.8 * np.exp(1j * math.radians(10)))
    middle = 0.5 * (2 * math.pi / 5 + 2 * math.pi / 10)
    expected = 0.5 * (0.2 * np.exp(1j * math.radians(30)) + 0.8 * np.exp(1j * math.radians(10)))
    assert response_at(responses, math.pi, middle)[2] == pytest.approx(expected)
    held = response_at(responses, math.pi, 2 * math.pi / 40.0)
    assert held[2] == pytest.approx(1.0)
    quarter = response_at(responses, math.radians(135), 2 * math.pi / 10.0)
    assert quarter[2] == pytest.approx(0.5 * (0.9 + 0.8 * np.exp(1j * math.radians(10))))
    assert quarter[1] == pytest.approx(0.5 * 0.6 * np.exp(-1j * math.pi / 2))


def test_a_ship_given_for_one_side_is_the_same_on_the_other():
    responses = [Response.model_validate(part) for part in (HEAD, BEAM)]
    port, starboard = (response_at(responses, math.radians(angle), 0.6) for angle in (100.0, -100.0))
    assert starboard == pytest.approx(port * np.array([1, -1, 1, -1, 1, -1]))


def test_headings_all_round_are_read_across_the_stern():
    all_round = [
        Response.model_validate({"heading_deg": angle, "table": [{"period": 10, "heave": [size, 0]}]})
        for angle, size in ((-170.0, 1.0), (0.0, 3.0), (170.0, 2.0))
    ]
    assert response_at(all_round, math.radians(180.0), 0.6)[2] == pytest.approx(1.5)
    assert response_at(all_round, math.radians(-85.0), 0.6)[2] == pytest.approx(2.0)
    assert response_at(all_round, math.radians(170.0), 0.6)[2] == pytest.approx(2.0)


@pytest.mark.parametrize("formulation", ["bars", "lumped", "multibody"])
def test_the_ship_goes_there_in_every_formulation(formulation):
    """Exactly, at any time."""
    sea = {"kind": "jonswap", "significant_height": 2.0, "peak_period": 9.0}
    result = fl.simulate(ship([HEAD, BEAM], sea, yaw=150.0), formulation=formulation)
    command = commands_of(ship([HEAD, BEAM], sea, yaw=150.0))["ship.position"]
    for sample in (20, 41, 60):
        seen = result["point_position"].sel(point="ship").values[sample]
        assert seen == pytest.approx(commanded(command, float(result["time"][sample])), abs=1e-11)


def test_a_ship_without_waves_has_nothing_to_answer():
    with pytest.raises(ModelError, match="there are no waves to answer"):
        System.model_validate({**ship([HEAD], REGULAR).to_dict(), "environment": {}})


def test_a_ship_does_not_jump():
    with pytest.raises(ModelError, match="the waves are there at once"):
        ship([HEAD], {**REGULAR, "ramp": 0.0})


def test_a_period_or_heading_given_twice_is_named():
    rows = [{"period": 5, "heave": [1, 0]}, {"period": 5, "heave": [1, 0]}]
    with pytest.raises(ModelError, match="5 s is given twice"):
        ship([{"heading_deg": 180, "table": rows}], REGULAR)
    with pytest.raises(ModelError, match="180 degrees is given twice"):
        ship([HEAD, HEAD], REGULAR)


def test_waves_that_are_wrong_are_not_called_missing():
    """One mistake in the waves is one sentence, not another about the ship that answers them."""
    data = ship([HEAD], REGULAR).to_dict()
    data["environment"]["waves"]["height"] = -1
    with pytest.raises(ModelError) as caught:
        System.model_validate(data)
    assert "must be above 0 m" in str(caught.value)
    assert "waves to answer" not in str(caught.value)


def test_a_sum_of_no_sines_is_no_motion():
    data = ship([HEAD], REGULAR).to_dict()
    data["bodies"]["ship"]["motion"] = {"harmonics": []}
    with pytest.raises(ModelError, match="harmonics: must hold at least one sine"):
        System.model_validate(data)


def warned(raos, waves, yaw=0.0):
    return [str(problem) for problem in response_warnings(ship(raos, waves, yaw=yaw))]


@pytest.mark.parametrize(
    ("raos", "towards", "yaw", "count"),
    [
        ([HEAD], 180, 0, 0),
        ([HEAD], 158, 0, 0),
        ([HEAD], 157, 0, 1),  # 23 degrees off
        ([HEAD], -157, 0, 1),
        ([HEAD], 0, 180, 0),  # turned with the waves
        ([HEAD], 90, 0, 1),
        ([HEAD, BEAM], 90, 0, 0),
        ([HEAD, BEAM], -90, 0, 0),  # the same on both sides
        ([HEAD, BEAM], 135, 0, 1),  # between two headings, far from both
    ],
)
def test_waves_far_from_the_headings_of_a_table_are_warned_of(raos, towards, yaw, count):
    found = warned(raos, REGULAR | {"direction_deg": towards}, yaw)
    assert len(found) == count
    assert all("100 % of the wave energy runs towards headings more than 22.5 deg" in text for text in found)
    assert all("bodies.ship.motion.raos" in text for text in found)


@pytest.mark.parametrize(
    ("period", "words"), [(4.0, "shorter than the table's 5 s"), (5.0, None), (20.0, None), (24.0, "longer than the")]
)
def test_waves_beyond_the_periods_of_a_table_are_warned_of(period, words):
    found = warned([HEAD], REGULAR | {"height": 0.5, "period": period})
    assert [words in text for text in found] == ([] if words is None else [True])


def test_a_sea_is_warned_of_by_the_energy_that_the_table_leaves_out():
    """Of a sea of 9 s nothing is longer than 20 s, of one of 18 s much is; short crests run everywhere."""
    sea = {"kind": "jonswap", "significant_height": 2.0, "peak_period": 9.0, "gamma": 3.3, "direction_deg": 180}
    assert not any("longer" in text for text in warned([HEAD], sea))
    [found] = warned([HEAD], sea | {"peak_period": 18.0})
    assert "longer than the table's 20 s" in found
    assert any("deg from those" in text for text in warned([HEAD], sea | {"spreading": 2.0}))


def test_the_warning_comes_with_a_simulation():
    found = fl.Simulation(ship([HEAD], REGULAR | {"direction_deg": 90})).warnings
    assert any("more than 22.5 deg" in text for text in found)
