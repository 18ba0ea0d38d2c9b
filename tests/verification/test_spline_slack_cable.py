"""Escalante et al., Examples 1 and 2, against an independent solution of the corrected element."""

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.studies.verification.checks import spline_table_1
from fairlead.studies.verification.checks.spline_slack_cable import check, example, middle, run


@pytest.mark.parametrize("number", [1, 2])
def test_the_check_runs_the_shipped_example(number):
    shipped = fl.load(Path(__file__).parents[2] / "examples" / f"spline_example_{number}.yaml")
    assert example(number) == shipped


def test_every_record_passes():
    """The middle, the energies and the plane over 10 s; `fairlead verify` goes on to 100 s."""
    for record in check(duration=10.0):
        assert record.passed, record


@pytest.mark.parametrize(("elements", "z"), [(8, 4.34071), (16, 4.35513), (32, 4.35883)])
def test_lumped_cable_at_rest(elements, z):
    """Height of the middle: independent solution of the same element."""
    nodes = np.asarray(fl.Simulation(example(1, elements)).outputs()["cable.position"])
    assert nodes[elements // 2, 2] == pytest.approx(z, abs=1e-5)


@pytest.mark.parametrize(("elements", "z"), [(8, 4.36005), (16, 4.36006)])
def test_consistent_cable_at_rest(elements, z):
    nodes = np.asarray(fl.Simulation(example(1, elements, spline__mass="consistent")).outputs()["cable.position"])
    assert nodes[elements // 2, 2] == pytest.approx(z, abs=1e-5)


def test_element_tensions_at_rest():
    """1566 to 2546 N (independent solution)."""
    sim = fl.Simulation(example(1))
    tension = sim.state[sim.compiled.layout["tension"]]
    assert (tension.min(), tension.max()) == pytest.approx((1566, 2546), abs=1.0)


def test_follower_torque_goes_another_way():
    """The weak form of the paper, 32 elements: 5 s within 5 mm of an independent solution."""
    twist = example(2).simulation.spline.twists["cable"].model_copy(update={"torque": "follower"})
    result = run(2, duration=5.0, spline__twists={"cable": twist})
    assert middle(result, (2.0, 5.0)) == pytest.approx(
        np.array([[16.0522, 15.8416, 2.5168], [16.0292, 14.5298, 0.6543]]), abs=5e-3
    )


@pytest.mark.slow
def test_differences_from_masses_on_springs():
    """Escalante et al., Table 1; and, over 30 s sampled every 0.1 s, an independent pair of both models to 1 %."""
    for record, known in zip(spline_table_1.check(), (22.65e-4, 8.82e-4, 5.54e-4, 3.83e-4), strict=True):
        assert record.passed, record
        assert record.value == pytest.approx(known, rel=0.01)
