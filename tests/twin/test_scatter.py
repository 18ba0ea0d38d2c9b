"""A mooring whose fairlead is no longer heard: members sway on, each in its own way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fairlead.model import System, load_text
from fairlead.twin import Twin, TwinFile, read_twin
from fairlead.twin.health import SWAYING
from fairlead.twin.scatter import OVER, TURNING, Scatter
from fairlead.twin.tracks import Track

from .test_colour import SYSTEM, TWIN, fairlead

SILENT = 90.0
"""When the last fix came, s."""


def track(going: float = 0.0, since: float = 0.0) -> Track:
    """Two minutes of a fairlead since a time [s]; `going`: how fast its floater drifts besides, m/s."""
    found = Track(0.0)
    for k in range(1, 241):
        found.put(since + 0.5 * k, fairlead(40.0 + 0.5 * k) + np.array([0.0, going * k, 0.0]))
    return found


def scatter(members: int = 400) -> Scatter:
    found = Scatter.of(track(), 126.0, members, [1, 2])
    assert found is not None
    return found


def test_members_sway_as_the_drive_did_each_with_phases_of_its_own():
    motion, own = scatter(), np.array([fairlead(40.0 + 0.5 * k) for k in range(1, 241)])
    late = np.concatenate([motion.at(t)[0] for t in np.linspace(300.0, 400.0, 21)])
    assert late.std(axis=0) == pytest.approx(own.std(axis=0), rel=0.1, abs=1e-6)
    assert motion.spread(400.0) == pytest.approx(own.std(axis=0).max(), rel=0.1)
    turn = late - late.mean(axis=0)
    both = np.corrcoef(turn[:, 0], turn[:, 2])[0, 1]
    assert abs(both) < 0.2  # a quarter of a period apart, as they were
    assert motion.at(300.0)[0].mean(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert len(np.unique(np.round(motion.at(300.0)[0][:, 0], 9))) == 400


def test_they_leave_the_common_course_and_come_back_to_it_without_a_jerk():
    motion = scatter(30)
    for before in (126.0, 120.0, 100.0):
        assert not np.any(motion.at(before))
    back = motion.ending(200.0)
    assert back.ending(210.0) is back
    assert back.at(200.0)[0] == pytest.approx(motion.at(200.0)[0])
    for t in (127.0, 140.0, 205.0, 220.0):
        for one in (motion, back):
            rate = (one.at(t + 1e-4)[0] - one.at(t - 1e-4)[0]) / 2e-4
            assert one.at(t)[1] == pytest.approx(rate, abs=1e-6)
    assert 1.0 < back.turning < 2.0 < TURNING  # as fast as it sways
    end = 200.0 + OVER * back.turning
    assert np.abs(back.at(end)[0]).max() < 1e-3
    assert back.is_over(end + 1.0)
    assert not motion.is_over(1e6)


def test_a_second_silence_adds_to_what_is_left_of_the_first_without_a_jerk():
    """Motions of their own in both, so that variances add up."""
    first = scatter().ending(200.0)
    silent = track(since=81.0)
    again = Scatter.of(silent, 202.5, 400, [3], first)
    assert again is not None
    assert first.spread(202.5) > 0.2  # they are not back yet
    for mine, old in zip(again.at(202.5), first.at(202.5), strict=True):
        assert mine == pytest.approx(old)
    for t in (203.0, 206.0, 230.0):
        rate = (again.at(t + 1e-4)[0] - again.at(t - 1e-4)[0]) / 2e-4
        assert again.at(t)[1] == pytest.approx(rate, abs=1e-6)
    own = replace(again, rest=None)
    for t in (204.0, 207.0):
        assert again.at(t)[0].var(axis=0) == pytest.approx((own.at(t)[0] + first.at(t)[0]).var(axis=0))
        assert again.spread(t) == pytest.approx(np.hypot(own.spread(t), first.spread(t)))
    assert again.spread(215.0) > 0.5
    assert again.thinned(8).at(204.0)[0].shape == (8, 3)
    assert again.ending(210.0).rest is first
    over = 201.0 + OVER * first.turning
    assert again.ending(over).rest is None
    assert not again.ending(over).is_over(over + 1.0)


def test_what_goes_on_does_not_sway():
    assert Scatter.of(track(going=1.0), 126.0, 8, [1]) is None


def mooring() -> tuple[TwinFile, System]:
    text = TWIN.replace("LIMIT", "1e6").replace("sd: 1 m", "sd: 0.1 m")
    return read_twin(text, "twin.yaml"), load_text(SYSTEM, "mooring.yaml")


def hear(twin: Twin, first: float, last: float) -> float:
    """From one time to another [s]; root mean square of the spread of the pull, N."""
    spreads = []
    for k in range(round(2.0 * first) + 1, round(2.0 * last) + 1):
        if not SILENT < 0.5 * k <= 130.0:
            twin.put("fairlead.position", fairlead(0.5 * k), 0.5 * k)
        spreads.append(twin.advance(0.5 * k).spread["chain.force_end"])
    return float(np.sqrt(np.mean(np.sum(np.square(spreads), axis=1))))


def test_a_mooring_in_silence_is_as_uncertain_as_its_waves_and_past_errors_stay(tmp_path):
    twin = Twin(*mooring())
    hear(twin, 0.0, 60.0)
    heard = hear(twin, 60.0, SILENT)
    hear(twin, SILENT, 100.0)
    errors = twin.forecasting.errors
    scored = errors.weights.copy()
    unheard = hear(twin, 100.0, 120.0)
    now = twin.estimate
    assert f"fairlead.position silent; {SWAYING}" in now.health.reason
    assert 0.5 < now.spread["fairlead.position"][0] < 2.0
    assert now.spread["fairlead.position"][1] < 1e-9  # it never moved across
    assert unheard > 3.0 * heard
    hear(twin, 120.0, 125.0)
    assert twin.forecasting.under_way is not None
    twin.thin(6)
    assert np.array_equal(errors.weights, scored)  # nothing was told by which a forecast could be judged
    twin.checkpoint(tmp_path / "kept")
    again = Twin.restore(tmp_path / "kept", *mooring())
    for one in (twin, again):
        hear(one, 125.0, 150.0)
    assert np.array_equal(twin.fleet.Y, again.fleet.Y)
    assert twin.estimate.spread["fairlead.position"].max() < 0.1
    assert twin.estimate.health.lost == 0
    hear(twin, 150.0, 180.0)
    assert not twin.driver.scatter
    assert twin.estimate.mean["fairlead.position"] == pytest.approx(fairlead(180.0), abs=0.05)


def test_members_scatter_as_soon_as_three_fixes_are_missed_and_are_compared_until_it_is_silence():
    """Before that they all went on alike for `silent_after`, sure of waves that nobody had told."""
    twin = Twin(*mooring())
    hear(twin, 0.0, SILENT + 1.5)
    assert not twin.driver.scatter
    hear(twin, SILENT + 1.5, SILENT + 4.0)
    assert "silent" not in twin.estimate.health.reason
    assert twin.elsewhere < SILENT
    assert twin.estimate.spread["fairlead.position"][0] > 0.2


def test_members_scatter_again_where_fixes_are_missed_again_soon_after(tmp_path):
    """They did not before they had come back from the first silence, some 20 to 50 s later."""

    def follow(twin: Twin, first: int, last: int) -> None:
        for k in range(first, last + 1):
            if not (50 < k <= 58 or k > 62):
                twin.put("fairlead.position", fairlead(0.5 * k), 0.5 * k)
            twin.advance(0.5 * k)

    twin = Twin(*mooring())
    follow(twin, 1, 62)
    first = twin.driver.scatter["fairlead.position"]
    assert first.ends
    follow(twin, 63, 68)
    again = twin.driver.scatter["fairlead.position"]
    assert again.rest == first
    assert 32.0 < again.begun <= 33.5
    assert not again.ends
    twin.checkpoint(tmp_path / "kept")
    restored = Twin.restore(tmp_path / "kept", *mooring())
    for one in (twin, restored):
        follow(one, 69, 76)
    assert np.array_equal(twin.fleet.Y, restored.fleet.Y)
    assert twin.estimate.spread["fairlead.position"][0] > 0.4
