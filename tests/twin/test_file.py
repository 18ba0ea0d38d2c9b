"""The twin's file: what it may say, and every mistake in it at once with its line and its cure."""

from __future__ import annotations

import pytest

from fairlead.model import ModelError
from fairlead.twin import load_twin, read_twin

GOOD = """
system: tow.yaml
clock: {rate: 10 Hz, origin: {latitude: 59.0, longitude: 3.0, heading_of_x: north}}
inputs:
  gps: {kind: nmea, udp: 127.0.0.1:10110, talker: GP, delay: 0.2 s, silent_after: 5 s}
  winch: {kind: csv_tail, file: winch.csv, time: utc, columns: {tension: kN, length: m}}
drive:
  stern.position: {from: gps, lever: [-42, 3, 8], smooth: 1.5 s}
  tow.winch.length: {from: winch.length}
sensors:
  t200: {measures: tow.position, at: 200 m, from: acoustic.1, noise: 1 m, delay: {up_to: 9 s}}
  load: {measures: tow.force_start, from: winch.tension, noise: 5 %, bias: 3 %}
estimate:
  method: etkf
  members: 30
  every: 10 s
  parameters:
    current: {levels: [-5, -140], sd: 0.25 m/s, walk: 0.006 m/s, per: 10 s}
    drag_normal: {of: cable, sd: 20 %, walk: 0.3 %}
    drag_axial: {of: cable, sd: 40 %, walk: 0.3 %}
look_ahead: {horizon: 300 s, every: 30 s, walk: 2, plan: plan.csv}
limits:
  - {tension: tow, above: 5 kN, amber: 0.2, red: 0.5}
  - {depth: tow, below: 135 m}
  - {bend_radius: tow, below: 1.5 m}
server: {bind: 127.0.0.1, port: 8765, viewers: 50, sandbox: false}
record: {folder: log, every: 1 s, segment: 10 min, keep: 7 d, checkpoint: 1 s}
"""


def test_the_whole_file_is_read_in_si_units_and_what_no_input_describes_is_put_by_programs():
    twin = read_twin(GOOD, "twin.yaml")
    assert twin.clock.rate == pytest.approx(10.0, rel=1e-15)
    assert twin.record is not None
    assert twin.record.keep == 7 * 86400.0
    assert twin.drive["stern.position"].source == "gps"
    assert twin.sensors["t200"].delay.up_to == 9.0
    assert twin.limits[0].of == ("tow",)
    assert twin.not_described == ("acoustic",)


@pytest.mark.parametrize(
    ("good", "bad", "words"),
    [
        ("above: 5 kN", "above: 5", r"twin.yaml:23.*limits\[0\].above.*without a unit.*5 N"),
        ("from: gps, lever", "frm: gps, lever", r"'from' is missing(.|\n)*known here: from, lever"),
        ("noise: 1 m, delay", "noise: 1 m, offset: estimate, delay", "one ridge.*bias: 3 %"),
        ("members: 30", "members: 9", "too few for 6 parameters; use 16 at least"),
        ("from: winch.tension", "from: winch.tensoin", "did you mean 'tension'"),
        ("from: winch.tension", "from: wnch.tension", "did you mean 'winch'"),
        ("from: acoustic.1", "from: gps", "drives 'stern.position' already; GPS that drives a point teaches nothing"),
        ("up_to: 9 s", "up_to: 90 s", "at most 60 s"),
        ("{tension: tow, above", "{tension: tow, depth: tow, above", "cannot stand beside 'tension'"),
        ("udp: 127.0.0.1:10110, ", "", "needs one of udp, tcp, serial and file"),
        ("noise: 1 m", "noise: 0 m", "noise: must be above 0; no sensor is exact"),
        ("rate: 10 Hz", "rate: 10 s", "is a time, not an angular frequency"),
    ],
)
def test_a_mistake_names_its_place_and_its_cure(good, bad, words):
    assert good in GOOD
    with pytest.raises(ModelError, match=words):
        read_twin(GOOD.replace(good, bad), "twin.yaml")


def test_all_mistakes_are_told_at_once():
    text = GOOD
    for good, bad in (("above: 5 kN", "above: 5"), ("members: 30", "members: 9"), ("up_to: 9 s", "up_to: -1")):
        text = text.replace(good, bad)
    with pytest.raises(ModelError) as told:
        read_twin(text, "twin.yaml")
    assert [problem.line for problem in told.value.problems] == [11, 15, 23]


def test_a_system_that_is_not_there_or_has_mistakes_is_told_with_all_the_others(tmp_path):
    path = tmp_path / "twin.yaml"
    path.write_text(GOOD.replace("noise: 1 m", "noise: 0").replace("system: tow.yaml", "system: two.yaml"))
    (tmp_path / "tow.yaml").write_text("types: {}\npoints: {a: {kind: fixd, position: [0, 0, 0]}}\n")
    with pytest.raises(ModelError) as told:
        load_twin(path)
    assert [problem.line for problem in told.value.problems] == [2, 11]
    assert "there is no file 'two.yaml'; did you mean 'tow.yaml'?" in str(told.value)
    path.write_text(GOOD.replace("noise: 1 m", "noise: 0"))
    with pytest.raises(ModelError, match=r"no sensor is exact(.|\n)*fixd|fixd(.|\n)*no sensor is exact"):
        load_twin(path)
    path.write_text(GOOD.replace("system: tow.yaml", "system: two.yaml"))
    with pytest.raises(ModelError, match=r"twin.yaml:2.*system: there is no file"):
        load_twin(path)
    assert load_twin(path, alone=True).system == "two.yaml"
