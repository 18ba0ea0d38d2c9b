"""Clocks of instruments that jump, and jump back: nothing stops, it is told by name, and the estimate comes back."""

from __future__ import annotations

import numpy as np
import pytest
from marks import slowly

from fairlead.twin import Twin
from fairlead.twin.health import _of_clocks
from fairlead.twin.stamps import Stamps

from .tows import SPEED, heard, system, twin_file

FROM, TO = 60.0, 100.0
"""Arrivals [s] between which a clock is wrong."""
END = 160
ALL = ("stern.position", "t100", "t200", "load")


@pytest.fixture(scope="module")
def undisturbed() -> Twin:
    return followed(lambda name, arrival: 0.0)[0]


def followed(off, end: int = END) -> tuple[Twin, list[str]]:
    """A twin that hears stamps off by so much [s], by name and arrival, and what it told on the way."""
    twin, told, waiting = Twin(twin_file(), system()), [], sorted(heard(end), key=lambda one: one[0])
    for k in range(end + 1):
        while waiting and waiting[0][0] <= k:
            arrival, name, value, stamp = waiting.pop(0)
            twin.put(name, value, stamp + off(name, arrival))
        now = twin.advance(float(k))
        told.append(now.health.reason)
    return twin, told


@pytest.mark.parametrize(
    ("names", "step"),
    [
        (("stern.position",), 3600.0), (("t100",), -3600.0), (ALL, 1.7e9),
        *slowly(
            (("stern.position",), -3600.0), (("stern.position",), 1.7e9), (("t100",), 3600.0), (("t100",), 1.7e9),
            (ALL, 3600.0), (ALL, -3600.0),
        ),
    ],
)  # fmt: skip
def test_the_estimate_comes_back_after_a_clock_has_jumped_to_and_fro(undisturbed, names, step):
    twin, told = followed(lambda name, arrival: step if name in names and FROM <= arrival < TO else 0.0)
    now, other = twin.estimate, undisturbed.estimate
    assert now.health.lost == 0
    assert now.health.state == "good"
    for name in ("stern.position", "tail.position"):
        assert now.mean[name] == pytest.approx(other.mean[name], abs=2.0)
    assert float(np.linalg.norm(now.mean["tow.force_start"])) == pytest.approx(
        float(np.linalg.norm(other.mean["tow.force_start"])), rel=0.1
    )
    if names[0] == "stern.position":
        words = next(words for words in told if "stern.position is stamped" in words)
        assert f"s {'after' if step > 0.0 else 'before'} the twin's time, and not listened to" in words


@pytest.mark.parametrize(
    ("names", "step"),
    [(("stern.position",), 30.0), (ALL, -30.0), *slowly((("stern.position",), -30.0), (ALL, 30.0))],
)
def test_stamps_that_could_be_true_lead_it_astray_and_it_says_so_and_returns_without_tearing_its_cable(names, step):
    """Half a minute is 66 m of way; back to them it goes at 1 m/s more than the ship at most."""
    twin, told = followed(lambda name, arrival: step if name in names and FROM <= arrival < TO else 0.0, 280)
    assert any("stern.position on the way to fixes that jumped" in words for words in told)
    assert twin.estimate.health.lost == 0
    assert twin.estimate.mean["stern.position"] == pytest.approx((SPEED * 280.0, 0.0, -2.0), abs=1.0)
    assert twin.estimate.mean["tail.position"] == pytest.approx((SPEED * 280.0 - 188.0, 24.0, -68.0), abs=5.0)


def test_how_far_off_a_stamp_is_is_said_in_a_few_words():
    assert "stamped 3600 s after" in _of_clocks(3600.0)
    assert "stamped 54 years after" in _of_clocks(1.7e9)
    assert "stamped more than 10000 years before" in _of_clocks(-1e300)


def test_one_stamp_of_the_year_2100_changes_nothing(undisturbed):
    """It would be the latest fix for ever, and all that come after it would be too old to be kept."""
    once = followed(lambda name, arrival: 2.3e9 if name == "stern.position" and arrival == 70.0 else 0.0)[0]
    assert once.counts["stern.position"]["implausible"] == 1
    assert once.estimate.mean["stern.position"] == pytest.approx(undisturbed.estimate.mean["stern.position"], abs=0.01)
    assert once.estimate.health.state == "good"


def test_a_sensor_that_was_refused_for_its_stamps_is_so_after_a_checkpoint(tmp_path):
    twin = Twin(twin_file(), system(), settle=False)
    for _ in range(3):
        twin.put("t100", (0.0, 0.0, -30.0), 3600.0)
    twin.checkpoint(tmp_path / "kept")
    again = Twin.restore(tmp_path / "kept", twin_file(), system())
    assert again.estimate.health.sensors["t100"].fault == _of_clocks(3600.0)
    again.put("t100", (0.0, 0.0, -30.0), 0.0)
    assert again.misdated == {}


@pytest.mark.parametrize(("name", "off"), [("t100", 2.0), ("t200", -2.0)])
def test_a_clock_that_is_off_by_seconds_is_told_by_name_and_by_how_much(name, off, tmp_path):
    """Two seconds are 4.4 m of way. The estimate gives way a little, so less than all of it is told."""
    twin, _ = followed(lambda one, arrival: off if one == name else 0.0, 400)
    told = twin.sensors[name].stamps
    assert 1.0 < told.offset / np.sign(off) < 2.3
    words = f"{name} is off along its way as if its clock were {abs(told.offset):.1f} s {'fast' if off > 0 else 'slow'}"
    assert words in twin.estimate.health.reason.replace("is far from what all others say, and not listened to; ", "")
    assert twin.estimate.health.state == "inconsistent"
    assert not any(sensor.stamps.told for sensor in twin.sensors.values() if sensor.name != name)
    twin.checkpoint(tmp_path / "twin.ckpt")
    assert Twin.restore(tmp_path / "twin.ckpt", twin_file(), system()).sensors[name].stamps == told


def test_no_clock_is_told_where_all_are_right(undisturbed):
    assert all(abs(sensor.stamps.offset) < 0.5 and not sensor.stamps.told for sensor in undisturbed.sensors.values())


@pytest.mark.parametrize(
    ("shift", "bias", "told"),
    [
        ((-4.4, 0.0, 0.0), 0.0, True),
        ((0.0, 4.4, 0.0), 0.0, False),
        ((-4.4, 0.0, 6.0), 0.0, False),
        ((-4.4, 0.0, 0.0), 4.0, False),
    ],
)
def test_only_what_is_off_along_the_way_and_no_other_way_nor_as_its_bias_allows_is_a_clock(shift, bias, told):
    rng, stamps = np.random.default_rng(5), Stamps()
    for _ in range(40):
        stamps.hear(np.array([2.2, 0.0, 0.0]), rng.normal(shift, 1.0), np.full(3, 1.2), np.full(3, bias))
    assert stamps.told == told
    if told:
        assert stamps.offset == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize(
    ("speed", "off", "noise"),
    [((0.002,), (0.5,), 0.2), ((0.05, 0.0, 0.0), (2.0, 0.0, 0.0), 0.7), ((2.2, 0.0, 0.0), (30.0, 0.0, 0.0), 1.2)],
    ids=["one number", "hardly moves", "half a minute of way"],
)
def test_what_is_off_for_good_is_no_clock_where_a_clock_cannot_be_told(speed, off, noise):
    """A depth has one number, of which a steady error always looks like a clock; what hardly moves would need a clock
    minutes off."""
    rng, stamps = np.random.default_rng(5), Stamps()
    for _ in range(60):
        stamps.hear(np.array(speed), rng.normal(off, noise), np.full(len(off), noise), np.zeros(len(off)))
    assert not stamps.told
    assert stamps.words == ""


@pytest.mark.slow
def test_a_clock_that_was_off_is_not_told_any_more_once_its_sensor_is_silent():
    twin, _ = followed(lambda name, arrival: 2.0 if name == "t100" else 0.0, 400)
    assert twin.sensors["t100"].stamps.told
    for k in range(401, 560):
        twin.put("stern.position", (SPEED * k, 0.0, -2.0), float(k))
        twin.advance(float(k))
    assert not twin.sensors["t100"].stamps.told
