"""The seismic front end of the paper: its size, its forces, its symmetry."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from examples.files import example

from fairlead.cli.main import main
from fairlead.model import parts
from fairlead.simulate import Simulation
from fairlead.studies.seismic import Spread
from fairlead.studies.verification.checks import seismic_front_end as front_end


def test_each_side_has_3887_states():
    report = CliRunner().invoke(main, ["check", str(example("seismic_front_end")), "--json"])
    sides = json.loads(report.output)["parts"]
    counted = [{k: v for k, v in side.items() if k not in ("names", "junctions")} for side in sides]
    assert counted == [{"bars": 278, "points": 19, "cables": 26, "states": 3887}] * 2


def test_the_shipped_file_is_what_the_generator_makes():
    import fairlead as fl

    assert fl.load(example("seismic_front_end")) == Spread().system()


@pytest.mark.slow
def test_the_force_at_lead_in_1_swings_as_published():
    least, most = front_end.range_of_force()
    assert 13.2 <= least <= 13.5
    assert 14.7 <= most <= 15.0


def test_mirrored_sides_mirror_each_other():
    assert front_end.mirror_error() < 1e-6


def test_sides_that_sway_together_pull_in_turns():
    assert front_end.opposition() == pytest.approx(np.pi, abs=0.1)


@pytest.mark.slow
def test_a_fifth_of_the_step_gives_the_same_force():
    """`fairlead verify` takes a tenth."""
    assert front_end.step_error(0.05) < 0.01


def test_a_spread_of_twenty_streamers_of_ten_kilometres_runs():
    system = Spread(lead_ins=10, streamer_length=10_000.0, streamer_elements=40, step=0.25, duration=5.0).system()
    assert len(parts(system)) == 2
    assert sum("streamer" in name for name in system.cables) == 20
    simulation = Simulation(system)  # stepped: a run would take the peaks of its first seconds again, finer
    for _ in range(5):
        seen = simulation.step(1.0)
        assert np.nanmax([np.abs(seen[f"{name}.tension_effective"]).max() for name in system.cables]) < 1e6


def test_the_ring_stays_on_its_lead_in():
    result = Simulation(Spread(step=0.25, duration=100.0).system("port")).run()
    along = result["port_ring.along"].values
    length = Spread().system("port").cables["port_lead_in_2"].total_length
    assert np.all((along > 0) & (along < length))
    nodes = result["position"].sel(cable="port_lead_in_2").values[:, :21]
    ring = result["point_position"].sel(point="port_ring").values
    nearest = np.linalg.norm(nodes - ring[:, None], axis=-1).min(axis=1)
    assert nearest.max() < 0.5 * length / 20 + 0.5
    assert along[-1] == pytest.approx(344.9, abs=3.0)  # independent implementation: the ring at x = -340 m
