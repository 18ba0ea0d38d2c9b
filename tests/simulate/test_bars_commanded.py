"""Bars under commands: driven from the file, and commanded absurdly."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import System
from fairlead.simulate import Simulation, SimulationError


def tow(**more) -> System:
    """A rope in still water, its upper end under command."""
    return System.model_validate(
        {
            "types": {"rope": {"diameter": 0.05, "density": 1200, "axial_stiffness": 1e6}},
            "points": {
                "anchor": {"kind": "fixed", "position": [0, 0, -30]},
                "head": {"kind": "controlled", "position": [20, 0, 0]},
            },
            "cables": {"rope": {"type": "rope", "length": 40, "elements": 20, "start": "anchor", "end": "head"}},
            "simulation": {"duration": 4, "step": 0.02, "output_every": 0.5},
            **more,
        }
    )


def test_a_command_from_the_file_moves_the_end_as_one_set_live_in_every_step():
    table = [[0, 20, 0, 0], [4, 22, 1, 0]]
    driven = Simulation(tow(inputs={"head.position": {"table": table}})).run()
    live = Simulation(tow())
    for k in range(1, 201):
        out = live.step(0.02, {"head.position": (20 + 0.01 * k, 0.005 * k, 0)})
    assert driven["position"].values[-1, 0] == pytest.approx(out["rope.position"], abs=1e-9)
    assert driven["point_position"].sel(point="head").values[-1] == pytest.approx([22, 1, 0], abs=0.11)


def test_the_end_follows_a_steady_command_with_the_lag_of_its_filter():
    """A Butterworth filter of cut-off w is sqrt(2)/w behind a command that moves steadily (Skjong et al., Eq. 9)."""
    speed, cutoff = 0.5, 10.0
    result = Simulation(tow(inputs={"head.position": {"table": [[0, 20, 0, 0], [4, 22, 0, 0]]}})).run()
    behind = 22 - result["point_position"].sel(point="head", axis="x").values[-1]
    assert behind == pytest.approx(np.sqrt(2) / cutoff * speed, rel=1e-6)


def test_statics_starts_where_the_file_commands_the_point_to_be():
    settings = {"duration": 1, "step": 0.02, "start": "statics"}
    inputs = {"head.position": {"constant": [21, 2, 0]}}
    simulation = Simulation(tow(inputs=inputs, simulation=settings))
    first = simulation.outputs()
    assert first["head.position"] == pytest.approx([21, 2, 0], abs=1e-6)
    last = simulation.step(1.0)
    assert last["rope.position"] == pytest.approx(first["rope.position"], abs=1e-3), "it is at rest there"


@pytest.mark.parametrize("jump", [(520.0, 0.0, 0.0), (20.0, 500.0, 0.0), (20.0, 0.0, -500.0), (1e12, 0.0, 0.0)])
def test_a_command_that_jumps_500_m_is_a_clear_failure_and_the_rope_is_left_as_it_was(jump):
    """The filter would have the end at 1.5 km/s within two steps: no rope of 40 m follows that."""
    simulation = Simulation(tow())
    simulation.step(0.1)
    before = simulation.state
    with pytest.raises(SimulationError, match=r"cable 'rope', element 20 of 20: .* an input that jumps") as caught:
        simulation.step(0.5, {"head.position": jump}, hold=True)
    assert "look at the values of 'head.position'" in str(caught.value)
    assert 0.1 <= caught.value.failure.time < 0.3
    assert np.array_equal(simulation.state, before)
    assert simulation.inputs["head.position"] is None
    assert np.isfinite(simulation.step(0.1).row[: simulation.compiled.shape.extremes.start]).all()


def test_a_jump_in_a_table_stops_a_run_and_keeps_what_was_computed():
    table = [[0, 20, 0, 0], [1.2, 20, 0, 0], [1.21, 520, 0, 0]]
    result = Simulation(tow(inputs={"head.position": {"table": table}})).run()
    assert result.attrs["status"].startswith("stopped: t = 1.2")
    assert "an input that jumps or asks too much ('head.position')" in result.attrs["status"]
    assert result["time"].values.tolist() == [0.0, 0.5, 1.0]
    assert np.isfinite(result["position"].values).all()


def test_a_jump_of_a_metre_is_smoothed_by_the_filter():
    simulation = Simulation(tow())
    outs = [simulation.step(0.1, {"head.position": (21.0, 0.0, 0.0)}) for _ in range(20)]
    assert outs[-1]["head.position"] == pytest.approx([21, 0, 0], abs=1e-4)
    assert max(out["head.velocity"][0] for out in outs) < 10.0 * 1.0, "no faster than cut-off times jump"
