"""Drives that fall silent or freeze beside others that are heard, and how well places are known then."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import System, load_text
from fairlead.twin import Twin, TwinFile, read_twin
from fairlead.twin.health import ALONG
from fairlead.twin.held import held_row
from fairlead.twin.tracks import Track
from fairlead.twin.unheard import Unheard

from .tows import SYSTEM, TWIN

TAIL = np.array([-190.0, 0.0, -58.0])
"""From the ship, m."""
BASES = {"a": 0.0, "b": 100.0, "c": 200.0}


def sway(t: float) -> float:
    """Where all of a spread are, m across: to and fro in some minutes."""
    return 25.0 * float(np.sin(0.01 * t))


def tracks(ends: dict[str, float], until: float, apart: float = 0.0) -> dict[str, Track]:
    """Three that sway together, 100 m apart, each heard up to a time [s]; `apart`: how b goes its own way, m/s²."""
    found = {}
    for name, base in BASES.items():
        found[name] = Track(0.0, 20.0)
        for t in np.arange(0.0, min(ends.get(name, until), until) + 0.5):
            own = 0.5 * apart * t**2 if name == "b" else 0.0
            found[name].put(float(t), np.array([own, base + (sway(t) if name != "b" or not apart else 0.0), 0.0]))
    return found


def test_a_drive_that_falls_silent_goes_along_with_those_beside_it():
    then, later = tracks({"b": 100.0}, 106.0), tracks({"b": 100.0}, 200.0)
    guess = Unheard.of(then["b"], {name: then[name] for name in "ac"})
    assert {name: weight for name, (_, weight) in guess.others.items()} == pytest.approx({"a": 0.5, "c": 0.5})
    place, rate = guess.at(200.0, later)
    assert place == pytest.approx([0.0, 100.0 + sway(200.0), 0.0], abs=0.01)
    assert rate[1] == pytest.approx(0.25 * np.cos(2.0), abs=0.01)
    assert abs(later["b"].at(200.0)[0][1] - 100.0 - sway(200.0)) > 5.0  # by itself
    assert guess.spread(200.0) < 0.1


def test_one_that_went_its_own_way_goes_on_alone():
    then = tracks({"b": 100.0}, 106.0, apart=0.01)
    guess = Unheard.of(then["b"], {name: then[name] for name in "ac"})
    assert not guess.others
    assert guess.at(106.0, then) is None
    assert guess.spread(200.0) == pytest.approx(100.0 * guess.doubt)
    assert guess.doubt > 0.05  # as wrong as its speed was


def test_where_one_of_those_falls_silent_too_the_rest_is_gone_along_with_from_there():
    then, later = tracks({"b": 100.0}, 106.0), tracks({"b": 100.0, "c": 150.0}, 160.0)
    guess = Unheard.of(then["b"], {name: then[name] for name in "ac"})
    fewer = guess.beside(156.0, later, {"a": later["a"]})
    assert list(fewer.others) == ["a"]
    assert fewer.at(156.0, later)[0] == pytest.approx(guess.at(156.0, later)[0])
    assert fewer.since == guess.since
    assert guess.beside(156.0, later, {}) is guess  # nobody is heard: as well as can be told


@pytest.mark.parametrize(("noise", "left_out"), [(0.5, True), (0.0, False)])
def test_a_receiver_with_noise_that_repeats_a_place_is_frozen_though_nothing_moves(noise, left_out):
    """Without noise it may be at rest."""
    rng, track = np.random.default_rng(4), Track(30.0, 20.0)
    for k in range(60):
        assert track.put(float(k), np.array([0.02 * k, 5.0, 0.0]) + noise * rng.normal(size=3))
    last = np.array(track.fixes[-1][1])
    taken = [track.put(60.0 + k, last) for k in range(6)]
    assert taken[-1] is not left_out
    assert track.last == (59.0 if left_out else 65.0)  # its repeats are gone


TOWED = SYSTEM.replace("tail: {kind: free", "tail: {kind: controlled")
BOTH = TWIN.replace("drive: {", "drive: {tail.position: {from: tail}, ").replace("up_to: 9 s", "up_to: 0 s")


def both() -> tuple[TwinFile, System]:
    return read_twin(BOTH, "twin.yaml"), load_text(TOWED, "tow.yaml")


def ship(t: float) -> np.ndarray:
    """It slows down after a minute and a half."""
    return np.array([2.2 * t - 0.005 * max(0.0, t - 90.0) ** 2, sway(t), -2.0])


def hear(twin: Twin, first: int, last: int) -> None:
    for k in range(first, last + 1):
        twin.put("stern.position", ship(float(k)), float(k))
        if k <= 90:
            twin.put("tail.position", ship(float(k)) + TAIL, float(k))
        twin.advance(float(k))


def test_a_twin_tells_of_a_silent_drive_is_less_sure_there_and_goes_on_from_a_checkpoint(tmp_path):
    twin = Twin(*both())
    hear(twin, 0, 130)
    now = twin.estimate
    assert f"tail.position silent; {ALONG} " in now.health.reason
    assert now.mean["tail.position"] == pytest.approx(ship(130.0) + TAIL, abs=1.0)
    guess = twin.unheard["tail.position"]
    assert list(guess.others) == ["stern.position"]
    assert now.spread["tail.position"] == pytest.approx(np.full(3, guess.spread(130.0)), rel=1e-6, abs=1e-6)
    twin.checkpoint(tmp_path / "kept")
    again = Twin.restore(tmp_path / "kept", *both())
    for one in (twin, again):
        hear(one, 131, 140)
    assert np.array_equal(twin.fleet.Y, again.fleet.Y)


def test_a_forecast_begun_before_a_drive_was_heard_at_all_goes_on_without_it_from_a_checkpoint(tmp_path):
    """That is a point which stays where the file has it, in what was begun at 20 s; its first fix came at 22 s."""

    def follow(twin: Twin, first: int, last: int) -> None:
        for k in range(first, last + 1):
            twin.put("stern.position", ship(float(k)), float(k))
            if k >= 22:
                twin.put("tail.position", ship(float(k)) + TAIL, float(k))
            twin.advance(float(k))

    twin = Twin(*both())
    follow(twin, 0, 25)
    assert twin.forecasting.under_way is not None
    assert list(twin.forecasting.under_way.courses) == ["stern.position"]
    twin.checkpoint(tmp_path / "kept")
    again = Twin.restore(tmp_path / "kept", *both())
    assert again.forecasting.under_way is not None
    assert list(again.forecasting.under_way.courses) == ["stern.position"]
    for one in (twin, again):
        follow(one, 26, 36)
    assert twin.forecast is not None
    assert again.forecast is not None
    assert twin.forecast.issued == again.forecast.issued == 20.0
    assert np.array_equal(twin.forecast.values, again.forecast.values)
    assert np.array_equal(twin.fleet.Y, again.fleet.Y)


def test_places_are_known_no_better_than_what_holds_them_nearest():
    twin = Twin(*both())
    row, shape = twin.fleet.rows.mean(axis=0), twin.shape
    found = held_row(row, shape, twin.system, {"stern": 0.2, "tail": 3.0})
    nodes = found[shape.node_block].reshape(shape.node_count, -1)[:, :3]
    assert nodes[0] == pytest.approx([0.2] * 3)
    assert nodes[-1] == pytest.approx([3.0] * 3)
    assert found[shape.point("tail").start : shape.point("tail").start + 6] == pytest.approx([3.0] * 3 + [0.0] * 3)
    assert not held_row(row, shape, twin.system, {"stern": 0.0}).any()


@pytest.mark.parametrize(("every", "count"), [(1.0, 19), (90.0, 2), (1.0, 1)])
def test_of_a_drive_with_too_short_a_past_no_place_is_told_well_for_long(every, count):
    """At 2 m/s, and a tenth of that after a while, it is 60 m off in five minutes."""
    track = Track(0.0, 20.0)
    for k in range(count):
        track.put(every * k, np.array([2.0 * every * k, 0.0, 0.0]))
    guess = Unheard.of(track, {})
    assert guess.spread(track.last + 300.0) > 50.0
    assert guess.spread(track.last) == 0.0
