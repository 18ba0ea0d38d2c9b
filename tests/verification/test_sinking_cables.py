"""The shipped example of two sinking cables against the table of an independent implementation of the same equations.

The published tunings are compared with the same table's account of them: most of their difference from the rule is the
stiffness they give the joints.
"""

from pathlib import Path

import numpy as np
import pytest

import fairlead as fl
from fairlead.studies.verification.checks.sinking_cables import example, sink
from verification import sinking_cables_reference as reference

SHOWN = list(reference.NODES)

COMMON_BETA = {
    100: [[14.07, -329.91, -87.89], [17.40, -209.18, -168.97], [24.34, -70.85, -123.39], [33.99, 0.0, -53.63]],
    300: [[27.78, -344.70, -90.91], [43.40, -239.29, -190.37], [51.93, -92.17, -185.37], [61.66, 0.0, -147.95]],
}
"""Positions (node, axis) m by time s: common beta, explicit Euler 0.0125 s, alpha 50, epsilon 1e-8."""
LITERAL = {
    100: [[8.34, -327.63, -87.42], [20.45, -206.88, -168.31], [26.54, -68.93, -121.33], [27.07, 0.0, -49.20]],
    300: [[23.17, -338.51, -89.96], [49.71, -231.77, -186.73], [52.79, -85.99, -172.52], [45.54, 0.0, -122.36]],
}
"""The same with one epsilon for every row."""


def test_the_check_runs_the_shipped_example():
    shipped = fl.load(Path(__file__).parents[2] / "examples" / "sinking_cables.yaml")
    assert example() == shipped


def test_example_starts_from_the_tabled_catenaries():
    seen = fl.Simulation(example()).outputs()
    assert np.array(seen["left.position"])[SHOWN] == pytest.approx(reference.START_POSITIONS, abs=0.006)


@pytest.mark.parametrize(("step", "reach"), [(0.0125, 0.03), (0.05, 0.05), (0.5, 0.2)])
def test_nodes_and_force_at_100_300_and_500_seconds(step, reach):
    """Every tabled node within 0.03 m at h = 0.0125 and 0.2 m at h = 0.5 (a step forty times the paper's); force at A
    within 0.5 % of its size."""
    nodes, forces = sink(step)
    assert np.linalg.norm(nodes[:, SHOWN] - reference.POSITIONS[:3], axis=2).max() < reach
    difference = np.linalg.norm(forces - reference.FORCE_AT_A[:3], axis=1)
    assert np.all(difference < 0.005 * reference.FORCE_AT_A_NORM[:3])


def test_the_two_cables_are_mirror_images():
    """Stored in opposite directions, `left` and `right` must move alike: 1e-6 m after 300 s."""
    simulation = fl.Simulation(example(), step=0.1)
    seen = simulation.step(300.0)
    mirrored = np.array(seen["right.position"])[::-1] * [1.0, -1.0, 1.0]
    assert np.array(seen["left.position"]) == pytest.approx(mirrored, abs=1e-6)
    ends = np.array(seen["right.force_end"]) * [1.0, -1.0, 1.0]
    assert np.array(seen["left.force_start"]) == pytest.approx(ends, abs=1e-4)


def history(duration, **settings):
    """Time (s), lowest node and junction (m) every 5 s, and the result."""
    result = fl.simulate(example(), duration=duration, output_every=5.0, **settings)
    lowest = result["position"].values[..., 2].min(axis=(1, 2))
    return result["time"].values, lowest, result["point_position"].sel(point="M", axis="z").values, result


def test_first_touch_and_landing_with_the_rule():
    """A node below -199.9 m between 315 and 320 s, the junction below -199.5 m at 465 s, seen every 5 s."""
    time, lowest, junction, _ = history(480.0, step=0.05)
    low, high = reference.FIRST_TOUCH
    assert low - 5.0 <= time[np.argmax(lowest < -199.9)] <= high + 5.0
    assert time[np.argmax(junction < -199.5)] == pytest.approx(reference.JUNCTION_LANDS, abs=5.0)


@pytest.mark.slow
def test_published_method_with_a_common_beta_reproduces_its_story():
    """Explicit Euler, h = 0.0125: touches at 280 ± 15 s, junction lands at 495 ± 20 s; nodes within 0.05 m of the
    table until the bed is met (the table's bed held on to the cable)."""
    settings = {"step": 0.0125, "integrator": "explicit_euler", "bars": {"tuning": "common_beta"}}
    time, lowest, junction, result = history(520.0, **settings)
    assert result.attrs["status"] == "complete"
    for moment, nodes in COMMON_BETA.items():
        found = result["position"].sel(cable="left", time=moment).values[SHOWN]
        assert found == pytest.approx(np.array(nodes), abs=0.05)
    assert time[np.argmax(lowest < -199.9)] == pytest.approx(280.0, abs=15.0)
    assert time[np.argmax(junction < -199.5)] == pytest.approx(495.0, abs=20.0)


def test_published_method_read_literally_never_lands():
    """One epsilon for all rows makes the bending joints dashpots: the junction still hangs at -122 m after 300 s."""
    settings = {"step": 0.0125, "integrator": "explicit_euler", "bars": {"tuning": "literal"}}
    _, _, junction, result = history(300.0, **settings)
    for moment, nodes in LITERAL.items():
        found = result["position"].sel(cable="left", time=moment).values[SHOWN]
        assert found == pytest.approx(np.array(nodes), abs=0.05)
    assert junction[-1] == pytest.approx(-122.36, abs=0.05)


def test_published_method_is_unstable_beyond_one_over_alpha():
    """h = 0.025 s against 1/alpha = 0.02 s: the run stops at once and says so."""
    settings = {"step": 0.025, "integrator": "explicit_euler", "bars": {"tuning": "common_beta"}}
    with pytest.warns(RuntimeWarning, match="1/alpha"):
        _, _, _, result = history(50.0, **settings)
    assert result["time"].values[-1] < 20.0
