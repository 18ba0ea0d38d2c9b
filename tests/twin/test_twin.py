"""The twin follows what is measured, and what it comes to depends on nothing but that."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.ensembles.fleet import Fleet
from fairlead.model import ModelError
from fairlead.twin import Twin
from fairlead.twin.checkpoints import CheckpointError

from .tows import SPEED, TWIN, heard, system, twin_file


@pytest.fixture(scope="module")
def followed() -> Twin:
    return run(Twin(twin_file(), system()), heard(60), 60)


def run(twin: Twin, messages: list, until: int, start: int = 0) -> Twin:
    for k in range(start + 1, until + 1):
        for arrival, name, value, stamp in messages:
            if k - 1 < arrival <= k or (k == 1 and arrival <= 0):
                twin.put(name, value, stamp)
        twin.advance(float(k))
    return twin


def same(one: Twin, other: Twin) -> bool:
    a, b = one.estimate, other.estimate
    return (
        np.array_equal(a.rows, b.rows, equal_nan=True)
        and np.array_equal(one.theta, other.theta)
        and np.array_equal(one.fleet.Y, other.fleet.Y)
        and a.alarms == b.alarms
    )


def test_it_is_drawn_to_what_is_measured_and_says_how_sure_it_is(followed):
    """Transponders say the cable is 12 m and 24 m off to port: a current across, of which the file knows nothing."""
    now, before = followed.estimate, Twin(twin_file(), system()).estimate
    assert now.time == 60.0
    assert before.mean["tow.position"][-1, 1] == pytest.approx(0.0, abs=3.0)
    assert now.mean["tow.position"][-1, 1] == pytest.approx(24.0, abs=3.0)
    assert now.spread["tow.position"][-1, 1] < 0.5 * before.spread["tow.position"][-1, 1]
    assert now.parameters["current.v@-5"].mean > 0.05
    assert now.observable["current.v@-5"]
    assert now.health.state == "good"
    assert now.health.sensors["t200"].accepted == 6
    low, high = now.quantile(0.05), now.quantile(0.95)
    assert low["tow.position"][-1, 1] < now.mean["tow.position"][-1, 1] < high["tow.position"][-1, 1]


def test_the_driven_point_is_where_it_was_measured(followed):
    """The filter of a controlled point lags by √2/cutoff; its command is ahead by as much."""
    assert followed.estimate.mean["stern.position"][0] == pytest.approx(SPEED * 60.0, abs=0.02)


def test_the_bias_of_a_load_cell_widens_every_tension_that_is_told(followed):
    now = followed.estimate
    members = now.rows[:, followed.fleet.compiled.shape.cable_nodes("tow")].reshape(12, -1, 13)[:, 0, 6].std(ddof=1)
    assert now.spread["tow.tension_effective"][0] == pytest.approx(
        np.hypot(members, 0.05 * now.mean["tow.tension_effective"][0]), rel=1e-9
    )


def test_the_order_in_which_messages_come_within_their_delay_does_not_matter(followed):
    messages = heard(60)
    rng = np.random.default_rng(8)
    late = [(s + rng.uniform(0.0, 8.9) if n in ("t100", "t200") else k, n, v, s) for k, n, v, s in messages]
    assert [m[0] for m in late] != [m[0] for m in messages]
    assert same(run(Twin(twin_file(), system()), sorted(late, key=lambda m: (m[0], m[1])), 60), followed)


def test_how_often_it_is_asked_does_not_matter(followed):
    twin = Twin(twin_file(), system())
    for arrival, name, value, stamp in heard(60):
        twin.advance(np.ceil(arrival) - 1.0)  # all that came before a tick is known in it
        twin.put(name, value, stamp)
    twin.advance(60.0)
    assert same(twin, followed)


@pytest.mark.parametrize(("when", "ahead"), [(26, True), (33, False)])
def test_from_a_checkpoint_it_goes_on_to_the_same_numbers(followed, tmp_path, when, ahead):
    """In the middle of a look ahead, too."""
    twin = run(Twin(twin_file(), system()), heard(60), when)
    assert (twin.forecasting.under_way is not None) == ahead
    twin.checkpoint(tmp_path / "twin.checkpoint")
    again = Twin.restore(tmp_path / "twin.checkpoint", twin_file(), system())
    assert same(twin, again)
    assert same(run(again, heard(60), 60, when), followed)
    assert again.forecast.issued == followed.forecast.issued
    assert np.array_equal(again.forecast.values, followed.forecast.values)
    assert np.array_equal(again.forecast.errors, followed.forecast.errors)


def test_a_checkpoint_of_another_twin_or_a_damaged_one_is_refused(followed, tmp_path):
    followed.checkpoint(tmp_path / "twin.checkpoint")
    with pytest.raises(CheckpointError, match="another system or another twin"):
        Twin.restore(tmp_path / "twin.checkpoint", twin_file(TWIN.replace("0.25 m/s", "0.3 m/s")), system())
    damaged = tmp_path / "damaged"
    damaged.write_bytes((tmp_path / "twin.checkpoint").read_bytes()[:2000])
    with pytest.raises(CheckpointError, match="cannot be read"):
        Twin.restore(damaged, twin_file(), system())


@pytest.mark.parametrize(
    ("name", "value", "stamp", "answer"),
    [
        ("t100", (1.0, 2.0, 3.0), -100.0, "late"),
        ("t100", (1.0, 2.0), 60.0, "implausible"),
        ("t100", (1.0, np.nan, 3.0), 60.0, "implausible"),
        ("t100", "nonsense", 60.0, "implausible"),
        ("t100", (10**400, 0.0, 0.0), 60.0, "implausible"),
        ("stern.position", (10**400, 0.0, -2.0), 60.5, "implausible"),
        ("stern.position", (130.0, 0.0, -2.0), 10**400, "implausible"),
        ("t100", (1.0, 2.0, 3.0), np.nan, "implausible"),
        ("t100", (1.0, 2.0, 3.0), None, "implausible"),
        ("load", 1e15, 60.0, "implausible"),
        ("t300", (1.0, 2.0, 3.0), 60.0, "unknown"),
        ("stern.position", (5000.0, 0.0, -2.0), 60.5, "implausible"),
        ("stern.position", (1.0, 0.0), 60.5, "implausible"),
    ],
)
def test_data_never_raise_an_error(followed, name, value, stamp, answer):
    assert followed.put(name, value, stamp) == answer


def test_a_message_goes_to_all_that_name_its_input_by_latitude_and_longitude_too():
    text = TWIN.replace("from: gps}", "from: gps, lever: [-40, 0, 0]}")
    twin = Twin(twin_file(text), system())
    first = twin.hear("gps", {"latitude": 59.0, "longitude": 3.0, "heading": 0.0}, 0.0)
    assert first == {"stern.position": "accepted"}
    twin.hear("gps", {"latitude": 59.0 + SPEED / 111_000, "longitude": 3.0}, 1.0)
    place = np.array(twin.tracks["stern.position"].fixes[1][1])
    assert place[:2] == pytest.approx([SPEED, 0.0], abs=0.02)  # the first fix is where the file has the point
    assert twin.hear("acoustic", {"t100.x": -94.0, "t100.y": 0.0, "t100.z": -35.0}, 0.5) == {"t100": "accepted"}
    assert twin.hear("nobody", {"x": 1.0}, 0.5) == {}


def test_nothing_that_an_instrument_sends_stops_the_twin():
    twin, place = Twin(twin_file(), system()), {"x": 0.0, "y": 0.0, "z": -2.0}
    for answer, fields in (
        ("accepted", place | {"latitude": 59.0}),
        ("accepted", place | {"longitude": "nowhere"}),
        ("accepted", place | {"latitude": None, "longitude": [3.0]}),
        ("accepted", place | {"latitude": 59.0, "longitude": 3.0}),
        ("accepted", place | {"heading": "north", "roll": None}),
        ("implausible", place | {"z": "deep"}),
        ("implausible", {"latitude": "59 N", "longitude": 3.0}),
        ("implausible", {"latitude": 59.0, "longitude": 10**400}),
        ("implausible", {"latitude": 59.0, "longitude": 3.0, "height": None}),
        (None, {"latitude": 59.0}),
    ):
        assert twin.hear("gps", fields, 0.5) == ({} if answer is None else {"stern.position": answer})
        assert [said for _, _, said in twin.hearing.values("gps", fields)] in ([None], []), "whose place is x, y, z"
    ((_, _, said),) = twin.hearing.values("gps", {"latitude": 59.0, "longitude": "3.0"})
    assert said.tolist() == [59.0, 3.0]


def test_the_twin_is_deaf_to_what_no_sensor_can_tell_and_says_so(monkeypatch):
    """GPS drives, and nothing is measured: parameters keep their spread. Members are looked at only when asked."""
    text = TWIN[: TWIN.index("sensors:")] + TWIN[TWIN.index("estimate:") :]
    text = text.replace("every: 10 s", "every: 10 s\n  predict: 10 s").replace("step: 5 s", "step: 10 s")
    twin, looks, step = Twin(twin_file(text), system()), [], Fleet.step
    monkeypatch.setattr(Fleet, "step", lambda *a, look, **more: looks.append(look) or step(*a, look=look, **more))
    twin.advance(9.0)
    assert sum(looks) == 1, "at the end, for the estimate"
    twin = Twin(twin_file(text), system())
    run(twin, heard(20), 20)
    assert twin.estimate.parameters["drag_normal"].words == "not seen by these sensors"
    assert twin.estimate.health.state == "starting"


def test_a_member_that_is_lost_is_replaced_and_counted_and_half_of_them_end_the_estimate():
    twin = run(Twin(twin_file(), system()), heard(3), 3)
    twin.fleet.Y[0, 3:7] = np.nan
    twin.advance(4.0)
    assert twin.estimate.health.lost == 1
    assert np.isfinite(twin.fleet.Y).all()
    twin.fleet.Y[:6, 3:7] = np.nan
    health = twin.advance(5.0).health
    assert (health.lost, health.state) == (7, "open loop")
    assert "7 of 12 members" in health.reason
    assert np.isfinite(twin.advance(12.0).rows[:, :50]).all()


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ("measures: tow.position, at: 100 m", "measures: tow.positon, at: 100 m", "did you mean 'tow.position'"),
        ("at: 100 m", "at: 300 m", "300 m lie beyond the end of cable 'tow'; it is 200 m long"),
        ("measures: tow.position, at: 100 m", "measures: stern.position", "is driven; GPS that drives a point"),
        ("stern.position: {from: gps}", "bow.position: {from: gps}", "there is no input 'bow.position'"),
        ("of: cable", "of: rope", "there is no cable type or cable 'rope'"),
        ("sd: 0.25 m/s", "sd: 25 %", "must be in m/s, not a share"),
        ("rate: 1 Hz", "rate: 10 Hz", "more often than the system's step of 0.2 s"),
        ("tension: tow", "tension: two", "there is no cable 'two'; did you mean 'tow'"),
        ("above: 100 kN", "above: 100 m", "is a length, not a force"),
    ],
)
def test_what_does_not_fit_the_system_is_said_with_its_place(good, bad, words):
    with pytest.raises(ModelError, match=words):
        Twin(twin_file(TWIN.replace(good, bad)), system())
