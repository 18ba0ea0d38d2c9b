"""A payload lowered and hoisted: weights, exact lengths, no spikes, bars created and absorbed, energy."""

import numpy as np
import pytest

from fairlead.studies.verification.checks import towed_payout, winch_payout
from fairlead.studies.verification.checks.winch_payout import GRAVITY, LENGTH, LINE, PAYLOAD, SPEED, hoist

HAUL = ((0.0, 0.0), (2.0, -0.3))


def test_the_checks_themselves_pass():
    records = [*winch_payout.check(), *towed_payout.check()]
    assert all(record.passed for record in records), records


def test_paying_out_leaves_the_tension_smooth():
    """Far below the 2 % allowed: 1e-5 at the payload, 1e-4 at the drum."""
    run = hoist()
    late = run.time > 5.0
    assert np.abs(run.payload[late] / (GRAVITY * PAYLOAD) - 1.0).max() < 1e-5
    assert np.abs(run.drum[late] / run.weight[late] - 1.0).max() < 1e-4


def test_bars_are_created_and_absorbed_as_the_rules_say():
    """9.5 m out: a split at 1.5 m and every metre; 5.7 m in: a merge at 0.5 m and every metre."""
    out, back = hoist(), hoist(HAUL)
    assert out.length[-1] == pytest.approx(LENGTH + 9.5, abs=1e-9)
    assert (out.elements[0], out.elements[-1], out.events) == (10, 19, 9)
    assert back.length[-1] == pytest.approx(LENGTH - 0.3 * 19.0, abs=1e-9)
    assert (back.elements[-1], back.events) == (4, 6)


def test_mass_of_the_line_is_kept():
    """At rest after paying out, the drum carries payload and 19.5 m of line to 1e-6; the payload hangs as EA says."""
    run = hoist(((0.0, 0.0), (2.0, SPEED), (20.0, SPEED), (22.0, 0.0)), 40.0, step=0.02)
    assert run.drum[-1] == pytest.approx(GRAVITY * (PAYLOAD + LINE * run.length[-1]), rel=1e-6)
    stretch = run.length[-1] * GRAVITY * (PAYLOAD + 0.5 * LINE * run.length[-1]) / winch_payout.STIFFNESS
    assert -run.height[-1] == pytest.approx(run.length[-1] + stretch, abs=1e-4)


@pytest.mark.parametrize("table", [winch_payout.STEADY, HAUL])
def test_the_drum_may_be_at_either_end(table):
    one, other = hoist(table), hoist(table, end="end")
    assert other.payload == pytest.approx(one.payload, abs=1e-6)
    assert other.height == pytest.approx(one.height, abs=1e-9)


@pytest.mark.parametrize("mode", ["drum", "rescale"])
@pytest.mark.parametrize("table", [winch_payout.STEADY, HAUL])
def test_energy_is_kept_within_one_percent_of_what_the_winch_does(table, mode):
    run = hoist(table, mode=mode)
    missing = np.abs(run.energy - run.energy[0] - run.work)
    assert abs(run.drives[-1]) > 3000.0
    assert missing.max() < 0.01 * np.abs(run.drives).max()


def heaving(amplitude: float, first: float):
    """Rates that pay out `first` metres and then move ± `amplitude` with a period of 6 s, four times."""
    t = np.linspace(0.0, 24.0, 241)
    swell = amplitude * 2.0 * np.pi / 6.0 * np.cos(2.0 * np.pi * t / 6.0) * np.minimum(1.0, t / 6.0)
    rows = [(0.0, 0.0), (1.0, first), (2.0, 0.0), *zip((t + 2.1).tolist(), swell.tolist(), strict=True)]
    return hoist(tuple(rows), 26.0, step=0.02)


def test_heave_compensation_does_not_chatter():
    """Within the marks nothing happens; astride a mark, one event for small motions, never more than two a cycle."""
    assert heaving(0.2, 0.0).events == 0
    assert heaving(0.04, 0.49).events <= 1
    wide = heaving(0.2, 0.5)
    assert wide.events <= 2 * 4 + 2
    late = wide.time > 4.0
    swell = 0.2 * (2.0 * np.pi / 6.0) ** 2 / GRAVITY  # the payload's own acceleration
    assert np.abs(wide.payload[late] / (GRAVITY * PAYLOAD) - 1.0).max() < swell + 2e-3


def test_a_cable_paid_out_under_tow_feels_no_drag_of_its_own():
    """In the paper's Eq. 29 the line enters at rest: a force ρA·rate·V of 2.7 N would act here, 1 % of the pull."""
    place, pull = towed_payout.seen(False)
    towed_place, towed_pull = towed_payout.seen(True)
    assert towed_place == pytest.approx(place, abs=1e-8)
    assert towed_pull == pytest.approx(pull, abs=1e-6)
