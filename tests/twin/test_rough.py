"""What happens at sea: ships that are elsewhere, receivers that fall silent, cells that die."""

from __future__ import annotations

import re

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation
from fairlead.twin import Twin
from fairlead.twin.driving import lags
from fairlead.twin.health import GUESSED, HEARD_AGAIN, NOT_MEANWHILE, ON_THE_WAY, TO_THE_FIRST, UNSETTLED, health
from fairlead.twin.innovations import Innovations
from fairlead.twin.placing import Placement
from fairlead.twin.sensors import judge

from .tows import SPEED, SYSTEM, TWIN, heard, system, twin_file


def tow(vessel, seconds, messages=()):
    """A twin whose vessel is heard once a second, and the largest tension on the way."""
    twin, largest = Twin(twin_file(), system()), 0.0
    for k in range(seconds + 1):
        place = vessel(float(k))
        if place is not None:
            twin.put("stern.position", place, float(k))
        for arrival, name, value, stamp in messages:
            if k - 1 < arrival <= k and name != "stern.position":
                twin.put(name, value, stamp)
        now = twin.advance(float(k))
        largest = max(largest, float(np.nanmax(now.mean["tow.tension_effective"])))
    return twin, largest


def test_a_twin_begins_where_its_ship_is_and_along_its_course(tmp_path):
    """The file has it at the origin and bound for x; the ship is a kilometre off and bound for y."""
    twin, largest = tow(lambda t: (1000.0, 300.0 + SPEED * t, -2.0), 20)
    stern, tail = twin.estimate.mean["stern.position"], twin.estimate.mean["tail.position"]
    assert stern == pytest.approx([1000.0, 300.0 + SPEED * 20.0, -2.0], abs=0.1)
    assert tail[0] == pytest.approx(1000.0, abs=5.0)
    assert tail[1] < stern[1] - 150.0
    assert largest < 1500.0
    twin.checkpoint(tmp_path / "kept")
    again = Twin.restore(tmp_path / "kept", twin_file(), system())
    for one in (twin, again):
        one.put("stern.position", (1000.0, 300.0 + SPEED * 21.0, -2.0), 21.0)
        one.advance(31.0)
    assert np.array_equal(twin.fleet.Y, again.fleet.Y)


def test_a_ship_that_turned_while_it_was_silent_does_not_tear_its_twin():
    def vessel(t):
        if 20.0 < t < 100.0:
            return None
        return (SPEED * t, 0.0, -2.0) if t <= 20.0 else (SPEED * 20.0, SPEED * (t - 20.0), -2.0)

    twin, largest = tow(vessel, 130, heard(20))
    assert largest < 3000.0
    assert twin.estimate.health.lost == 0
    assert twin.estimate.mean["stern.position"] == pytest.approx(vessel(130.0), abs=0.5)


SLOW = lags(system())["stern.position"]


def straight(t: float) -> tuple[float, float, float]:
    return SPEED * t, 0.0, -2.0


@pytest.fixture(scope="module")
def well() -> Twin:
    return tow(straight, 160, heard(160))[0]


@pytest.fixture(scope="module")
def mute() -> Twin:
    """One whose load cell says nothing any more after a minute."""
    return tow(straight, 160, [one for one in heard(160) if one[1] != "load" or one[0] <= 60.0])[0]


DEATHS = {
    "nothing but 0": (lambda t, value: 0.0, "load says exactly 0"),
    "half as much again, for ever": (lambda t, value: 1725.0, "load has said the same"),
    "a third more than there is": (lambda t, value: 1.33 * value, "load is far from what all others say"),
    "what an open wire picks up": (lambda t, value: 20.0 * np.sin(7.0 * t), "load is far from what all others say"),
}


@pytest.mark.parametrize(("says", "words"), DEATHS.values(), ids=list(DEATHS))
def test_a_load_cell_that_dies_is_told_by_name_and_pulls_no_tension_away(well, mute, says, words):
    dead = [(a, n, says(a, v) if n == "load" and a > 60.0 else v, s) for a, n, v, s in heard(160)]
    twin, _ = tow(straight, 160, dead)
    assert twin.estimate.health.state == "inconsistent"
    assert twin.estimate.health.reason.startswith(words)
    assert "not listened to" in twin.estimate.health.sensors["load"].fault
    for other, near in ((mute, 0.05), (well, 0.08)):
        pulls = [np.linalg.norm(one.estimate.mean["tow.force_start"]) for one in (twin, other)]
        assert pulls[0] == pytest.approx(pulls[1], rel=near)
        assert twin.estimate.mean["tail.position"] == pytest.approx(other.estimate.mean["tail.position"], abs=1.0)


def test_a_load_that_does_change_is_followed_within_a_minute():
    """The tow comes into a current against it; the cell, alone with its word, says a quarter more from then on."""
    alone = "".join(line for line in TWIN.splitlines(keepends=True) if not line.startswith(("  t100", "  t200")))
    twin, sea, rng = Twin(twin_file(alone), system()), Simulation(system()), np.random.default_rng(5)
    pulls: list[tuple[float, float]] = []
    for k in range(1, 181):
        if k == 100:
            sea.set_parameters({"environment.current[0].velocity": [-0.6, 0.0, 0.0]})
        true = float(np.linalg.norm(sea.step(1.0, {"stern.position": straight(k + SLOW)})["tow.force_start"]))
        twin.put("stern.position", straight(float(k)), float(k))
        if k % 5 == 0:
            twin.put("load", true * (1.0 + 0.03 * rng.normal()), float(k))
        pulls.append((float(np.linalg.norm(twin.advance(float(k)).mean["tow.force_start"])), true))
    found, true = np.array(pulls).T
    assert true[179] > 1.2 * true[98]
    assert found[159:] == pytest.approx(true[159:], rel=0.05)
    assert twin.estimate.health.sensors["load"].fault == ""


def test_a_sensor_with_two_outliers_in_a_row_is_not_taken_for_one_that_is_off():
    sensors = list(Twin(twin_file(), system(), settle=False).sensors.values())
    far, sizes = sensors[0], dict.fromkeys(("t100", "t200", "load"), 1.0)
    far.strangeness = 14.0
    judge(sensors, sizes)
    assert not far.odd
    judge(sensors, {**sizes, far.name: 60.0})
    assert far.odd
    far.strangeness = 5.0
    judge(sensors, {"t200": 1.0, "load": 1.0})
    assert far.odd, "until it agrees again"
    judge(sensors, sizes)
    assert not far.odd, "though one in five is far off still"


def test_a_current_that_turns_is_followed_and_it_is_said_that_the_sea_changes():
    """From 100 s on it comes from the side, which the walk of the file would take an hour to follow."""
    twin, sea, rng = Twin(twin_file(), system()), Simulation(system()), np.random.default_rng(6)
    told, off = set[str](), []
    for k in range(1, 261):
        if k == 100:
            sea.set_parameters({"environment.current[0].velocity": [0.0, 0.5, 0.0]})
        seen = sea.step(1.0, {"stern.position": straight(k + SLOW)})
        twin.put("stern.position", straight(float(k)), float(k))
        if k % 10 == 5:
            for name, node in (("t100", 2), ("t200", 4)):
                twin.put(name, rng.normal(seen["tow.position"][node], 1.0), float(k))
            twin.put("load", float(np.linalg.norm(seen["tow.force_start"])) * (1.0 + 0.03 * rng.normal()), float(k))
        now = twin.advance(float(k))
        off.append(float(np.linalg.norm(now.mean["tow.position"][3] - seen["tow.position"][3])))
        told |= {now.health.state} if k >= 100 else set()
    assert "uncertain" in told
    assert np.sqrt(np.mean(np.square(off[220:]))) < 2.5
    assert now.parameters["current.v@-5"].mean == pytest.approx(0.5, abs=0.15)
    assert now.health.state == "good"


def test_what_a_sensor_told_fades_when_it_is_silent_and_it_is_said(well):
    twin, _ = tow(straight, 160, [one for one in heard(160) if one[1] != "t200" or one[0] < 60.0])
    told = twin.estimate.health
    assert told.state == "uncertain"
    assert told.reason.startswith("t200 silent; the place that is least known is told to ")
    spreads = [np.linalg.norm(one.estimate.spread["tail.position"]) for one in (twin, well)]
    assert spreads[0] > 1.5 * spreads[1]


def test_nothing_is_compared_while_a_drive_is_on_its_way_to_fixes_that_jumped():
    twin, _ = tow(lambda t: (SPEED * t + (60.0 if t > 60.0 else 0.0), 0.0, -2.0), 80, heard(80))
    assert twin.estimate.health.reason == f"stern.position {ON_THE_WAY}"
    before = twin.updating.updates
    twin.put("t100", (100.0, 0.0, -30.0), 81.0)
    twin.advance(90.0)
    assert twin.updating.updates == before


def test_a_reading_that_was_stamped_on_the_way_is_not_compared_once_the_drive_has_come_there(tmp_path):
    """It is due nine seconds later, when the members are where they were heard to be."""
    file = twin_file(TWIN.replace("every: 10 s", "every: 1 s"))

    def on(twin, until):
        while twin.time < until and not (until > 1e3 and not twin.driver.astray(twin.time)):
            k = twin.time + 1.0
            twin.put("stern.position", (SPEED * k + (30.0 if k > 12.0 else 0.0), 0.0, -2.0), k)
            if k == 5.0:
                twin.put("load", 1150.0, k)
            twin.advance(k)

    twin = Twin(file, system())
    on(twin, 18.0)
    assert twin.driver.astray(twin.time)
    before = twin.updating.updates
    on(twin, 1e4)
    twin.put("t100", (SPEED * twin.time - 70.0, 12.0, -35.0), twin.time - 1.5)
    twin.checkpoint(tmp_path / "kept")
    for one in (twin, Twin.restore(tmp_path / "kept", file, system())):
        on(one, one.time + 12.0)
        assert not one.sensors["t100"].pending
        assert one.updating.updates == before
        one.put("t100", (SPEED * one.time - 70.0, 12.0, -35.0), one.time - 1.5)
        on(one, one.time + 12.0)
        assert one.updating.updates == before + 1


def test_a_drive_that_begins_far_from_its_point_is_on_its_way_to_its_first_fixes(well):
    twin = Twin(twin_file(), system())
    for one, state, words in ((twin, "starting", TO_THE_FIRST), (well, "inconsistent", ON_THE_WAY)):
        told = health(one.file, one.updating, one.tracks, one.counts, one.time, {}, ["stern.position"])
        assert (told.state, told.reason) == (state, f"stern.position {words}")


def test_one_living_sensor_is_not_outvoted_by_two_that_are_silent():
    twin, _ = tow(straight, 60, heard(60))
    twin.sensors["load"].strangeness, twin.sensors["load"].odd = 20.0, True
    twin.updating.innovations.squares = {"t100": [1.0] * 5, "t200": [1.0] * 5, "load": [36.0] * 5}
    twin.updating.innovations.odd = ("load",)
    for k in range(61, 151):
        twin.put("stern.position", straight(float(k)), float(k))
        if k % 10 == 5:
            twin.put("load", 1600.0 + k, float(k))
        twin.advance(float(k))
    assert not twin.sensors["load"].odd
    assert set(twin.updating.innovations.sizes) == {"load"}
    assert np.linalg.norm(twin.estimate.mean["tow.force_start"]) > 1500.0, "it is followed, as it was not while odd"


def test_what_the_latest_update_found_is_told_and_not_what_rounding_makes_of_it(tmp_path):
    """Afterwards deviations are taken as over what is then expected, and exceed it by nothing but rounding."""
    found = Innovations({"load": [5.0] * 5})
    assert found.widen(0.9) > 1.0
    assert found.excess == pytest.approx(1.0)
    assert found.factor > 1.0
    twin, _ = tow(straight, 30, heard(30))
    for factor, state in ((1.0, "good"), (1.5, "uncertain")):
        twin.updating.innovations.factor = factor
        twin.checkpoint(tmp_path / "kept")
        told = Twin.restore(tmp_path / "kept", twin_file(), system()).estimate.health
        assert (told.state, told.reason) == (state, UNSETTLED if factor > 1.0 else "")


def test_haste_fades_while_nothing_is_compared_and_silence_is_told_before_a_sea_that_changed():
    twin, _ = tow(straight, 50, heard(30))
    updating = twin.updating
    updating.corrected, updating.expected = 2.0 * updating.unknowns.sd, np.zeros_like(updating.expected)
    updating.innovations.factor = 2.0
    before = updating._haste
    for k in range(51, 161):
        twin.put("stern.position", straight(float(k)), float(k))
        twin.advance(float(k))
    assert (before > 0.1 * updating.unknowns.sd).all()
    assert (updating._haste < 0.3 * before).all()
    assert twin.estimate.health.reason.startswith("t100, t200, load silent")


def test_what_measurements_said_of_members_is_forgotten_where_others_begin():
    twin, _ = tow(straight, 60, heard(60))
    updating, load = twin.updating, twin.sensors["load"]
    updating.consistency, load.strangeness, load.odd = 5.0, 20.0, True
    updating.corrected += 1.0
    twin.place(None)
    assert updating.innovations == Innovations()
    assert (updating.consistency, load.strangeness, load.odd) == (1.0, 1.0, False)
    assert not updating.corrected.any()
    assert not updating.expected.any()


def test_readings_from_before_members_are_put_elsewhere_are_not_compared():
    """They wait for nine seconds; what others would have said then, who began later, is not known."""
    twin, _ = tow(straight, 60, heard(60))
    before = twin.updating.updates
    assert twin.put("t100", (SPEED * 58.0 - 94.0, 12.0, -35.0), 58.0) == "accepted"
    twin.place(Placement("stern", SPEED * 60.0, 0.0, 0.0, 60.0))
    for k in range(61, 71):
        twin.put("stern.position", straight(float(k)), float(k))
        twin.advance(float(k))
    assert not twin.sensors["t100"].pending
    assert twin.updating.updates == before


def test_nothing_is_learnt_while_the_only_drive_is_silent_nor_right_after():
    """Where the ship is meanwhile is a guess; so is what the cable would have said."""
    twin, _ = tow(lambda t: straight(t) if t <= 60.0 else None, 100, heard(130))
    before = twin.updating.updates
    assert "how far that is off nobody tells" in twin.estimate.health.reason
    for k in range(101, 131):
        twin.put("stern.position", straight(float(k)), float(k))
        twin.put("load", 1150.0, float(k))
        twin.advance(float(k))
        if k <= 115:
            assert twin.updating.updates == before
    assert twin.updating.updates == before + 1


def seldom(t: float) -> tuple[float, float, float] | None:
    """A fix every 15 s."""
    return straight(t) if t % 15.0 == 0.0 else None


def test_fixes_that_come_seldom_are_no_silence():
    twin, _ = tow(seldom, 160, heard(160))
    told = twin.estimate.health
    assert told.updates == 16, "one for every reading of the load cell"
    assert told.state == "good"
    assert not told.sensors["stern.position"].silent
    assert twin.estimate.mean["stern.position"] == pytest.approx(straight(160.0), abs=0.1)


def test_a_drive_that_falls_silent_in_a_turn_is_told_by_the_time_between_its_fixes_and_nothing_is_compared():
    def vessel(t):
        angle, radius = 0.01 * (t - 60.0), SPEED / 0.01
        if t <= 60.0:
            return seldom(t)
        return (SPEED * 60.0 + radius * np.sin(angle), radius * (1.0 - np.cos(angle)), -2.0) if t in (75, 90) else None

    twin, _ = tow(vessel, 135, [one for one in heard(135) if one[1] == "load"])
    assert not twin.estimate.health.sensors["stern.position"].silent
    before = twin.updating.updates
    for k in range(136, 181):
        twin.put("load", 1150.0 + 0.1 * k, float(k))
        now = twin.advance(float(k))
    assert twin.updating.updates == before
    assert (now.health.state, now.health.sensors["stern.position"].silent) == ("uncertain", True)
    assert now.health.reason == f"stern.position silent; {GUESSED}{NOT_MEANWHILE}"


def test_what_drives_it_is_told_before_anything_was_compared_and_after_a_silence():
    twin = Twin(twin_file(), system())
    for k in range(3):
        twin.put("stern.position", straight(float(k)), float(k))
        twin.advance(float(k))
    told = twin.advance(20.0).health
    assert (told.state, told.reason) == ("starting", f"stern.position silent; {GUESSED}{NOT_MEANWHILE}")
    for k in range(21, 42):
        twin.put("stern.position", straight(float(k)), float(k))
        told = twin.advance(float(k)).health
        assert told.reason == (HEARD_AGAIN if k < 40 else "nothing was compared yet")


MOORED = SYSTEM.replace("velocity: [0, 0, 0]", "velocity: [-2.2, 0, 0]").replace(", velocity: [2.2, 0, 0]", "")


@pytest.mark.parametrize("receiver", [False, True])
def test_what_a_program_places_once_and_at_rest_is_not_silent_and_a_receiver_heard_once_is(receiver):
    inputs = "inputs: {gps: {kind: nmea, file: fixes.txt}, acoustic: {kind: calls}}\n"
    twin = Twin(twin_file(TWIN + inputs * receiver), load_text(MOORED, "moored.yaml"))
    twin.put("stern.position", (0.0, 0.0, -2.0), 0.0)
    for k in range(1, 101):
        if k % 10 == 5:
            twin.put("load", 1150.0 + 0.1 * k, float(k))
        now = twin.advance(float(k))
    assert now.health.sensors["stern.position"].silent == receiver
    assert now.health.updates == (3 if receiver else 10)
    assert now.health.reason == (f"stern.position silent; {GUESSED}{NOT_MEANWHILE}" if receiver else "")


def test_nothing_is_compared_before_fixes_can_be_smoothed():
    """Their speed is that of their noise until then."""
    twin = Twin(twin_file(TWIN.replace("from: gps", "from: gps, smooth: 30 s")), system())
    for k in range(50):
        twin.put("stern.position", straight(float(k)), float(k))
        if k % 10 == 5:
            twin.put("load", 1150.0, float(k))
        twin.advance(float(k))
        assert twin.updating.updates == (k >= 40)


@pytest.mark.slow
def test_no_number_of_readings_tells_a_tension_better_than_the_bias_of_its_cell():
    """Members whose parameters do not wander come to agree in hundreds of updates; what is told of them does not."""
    text = re.sub(r", walk: [^}]*", "", TWIN).replace("every: 10 s", "every: 1 s")
    members, told = [], []
    for bias in ("0 %", "5 %"):
        twin = Twin(twin_file(text.replace("bias: 5 %", f"bias: {bias}")), system())
        for k in range(1, 301):
            twin.put("stern.position", straight(float(k)), float(k))
            twin.put("load", 1150.0 * (1.0 + 0.03 * (-1.0) ** k), float(k))
            now = twin.advance(float(k))
        assert now.health.updates >= 299
        pulls = np.linalg.norm(twin.fleet.observe("tow.force_start"), axis=1)
        members.append(pulls.std(ddof=1) / pulls.mean())
        ahead = twin.forecast.spread("tow.tension") / twin.forecast.mean("tow.tension")
        told.append([now.spread["tow.tension_effective"][0] / now.mean["tow.tension_effective"][0], *ahead])
    assert members[0] < 0.5 * members[1] < 0.02, "readings of a cell that may be off weigh less"
    assert np.max(told[0]) < 0.02
    assert np.min(told[1]) >= 0.05


def test_a_twin_that_lost_all_its_members_begins_anew():
    twin, _ = tow(lambda t: (SPEED * t, 0.0, -2.0), 15, heard(15))
    twin.fleet.Y[:, 3:7] = np.nan
    now = twin.advance(16.0)
    assert now.health.state == "open loop"
    assert np.isfinite(twin.fleet.Y).all()
    now = twin.advance(20.0)
    assert now.mean["stern.position"][0] == pytest.approx(SPEED * 20.0, abs=1.0)


def test_a_twin_that_is_late_goes_on_with_fewer_members_about_the_same_mean():
    twin = Twin(twin_file(TWIN.replace("members: 12", "members: 30")), system())
    mean, theta = twin.estimate.mean.row.copy(), twin.theta.mean(axis=0)
    twin.thin(40)
    assert twin.fleet.members == 30
    twin.thin(20)
    assert twin.theta.mean(axis=0) == pytest.approx(theta, abs=1e-12)
    now = twin.advance(1.0)
    assert (now.health.members, now.health.note) == (20, "late: 20 of 30 members")
    depth = twin.shape.cable_nodes("tow").stop - 11
    assert now.mean.row[depth] == pytest.approx(mean[depth], abs=0.5)


def test_a_gps_that_freezes_is_told_though_heading_and_lever_arm_go_on_moving_and_the_tow_goes_on(tmp_path):
    """From 60 s on the receiver repeats latitude and longitude; from 100 s on it is in order again."""
    text = TWIN.replace("{from: gps}", "{from: gps, lever: [-40, 0, 0]}")
    twin, largest = Twin(twin_file(text), system()), 0.0

    def say(one, k):
        moved = SPEED * (60.0 if 60.0 < k < 100.0 else k) / 111_405.0
        heading = 0.1 * np.random.default_rng(k).normal()
        one.hear("gps", {"latitude": 59.0 + moved, "longitude": 3.0, "height": -2.0, "heading": heading}, float(k))
        return one.advance(float(k))

    for k in range(100):
        now = say(twin, k)
        largest = max(largest, float(np.nanmax(now.mean["tow.tension_effective"])))
        if k == 80:
            twin.checkpoint(tmp_path / "kept")
    assert now.health.reason.startswith("stern.position has said the same")
    assert now.health.sensors["stern.position"].silent
    assert now.mean["stern.position"][0] == pytest.approx(SPEED * 99.0, abs=5.0)
    assert largest < 1500.0
    again = Twin.restore(tmp_path / "kept", twin_file(text), system())
    for k in range(81, 121):
        now = say(again, k)
    assert now.health.sensors["stern.position"].fault == ""
    assert now.mean["stern.position"][:2] == pytest.approx([SPEED * 120.0, 0.0], abs=1.0)


def test_a_twin_that_begins_anew_between_two_predictions_has_something_to_compare_a_reading_with():
    text = TWIN.replace("every: 10 s", "every: 1 s\n  predict: 10 s").replace("rate: 1 Hz", "rate: 2 Hz")
    twin = Twin(twin_file(text), system())
    for k in range(5):
        twin.put("stern.position", (1000.0 + SPEED * k, 50.0, -2.0), float(k))
        twin.put("load", 1150.0, float(k) + 0.1)
        now = twin.advance(k + 1.0)
    assert now.health.updates > 0


def test_a_plain_receiver_does_not_shake_the_tow_nor_turn_it():
    """Fixes with a metre of noise, once a second, and no word of it in the file."""
    rng = np.random.default_rng(8)
    fixes = [np.array([SPEED * k, 0.0, -2.0]) + rng.normal(0.0, 1.0, 3) * (1.0, 1.0, 0.0) for k in range(121)]
    twin, largest = tow(lambda t: fixes[int(t)], 120, heard(120))
    assert largest < 1600.0, "1150 N in the steady tow"
    assert twin.placement is None
    assert twin.estimate.health.state == "good"
    assert twin.estimate.mean["stern.position"] == pytest.approx([SPEED * 120.0, 0.0, -2.0], abs=2.0)
