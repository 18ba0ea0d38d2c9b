"""What instruments send: right sentences are read, damaged, late and impossible ones are refused, none raises."""

from __future__ import annotations

import json
import math
from calendar import timegm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.live.inputs.intake import BURST, Intake, Lines
from fairlead.live.inputs.nmea import KNOT, checksum, parse, sentence
from fairlead.live.inputs.plausible import AGREEING, Plausible, distance
from fairlead.live.inputs.reading import LONGEST, Reading, Refusal
from fairlead.live.inputs.rows import Columns, parse_message, parse_row, stamp_of
from fairlead.live.inputs.stamps import AHEAD, KEPT, MOST_WAITING, Sorter, stamped

NOW = float(timegm((2026, 6, 1, 12, 35, 20, 0, 0, 0)))
GGA = "GPGGA,123519.00,5907.0380,N,00301.5000,W,4,12,0.6,22.4,M,44.6,M,,"
SENTENCES = (GGA, "GPGLL,5907.0380,N,00301.5000,W,123519.00,A,D", "GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,D",
             "HEHDT,274.07,T", "GPZDA,123519.00,01,06,2026,00,00")  # fmt: skip


def test_the_checksum_is_that_of_the_standard():
    """The sentence that every description of NMEA 0183 prints."""
    assert checksum(b"GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,") == 0x47


def test_every_sentence_says_what_it_should():
    def of(k):
        return parse(sentence(SENTENCES[k]), NOW)

    place = {"latitude": 59.0 + 7.038 / 60.0, "longitude": -(3.0 + 1.5 / 60.0)}
    assert of(0).fields == pytest.approx(place | {"height": 22.4}, rel=1e-14)
    assert of(0).stamp == NOW - 1.0
    assert of(1).fields == pytest.approx(place, rel=1e-14)
    assert of(1).stamp == NOW - 1.0
    assert of(2) == Reading({"course": 54.7, "speed": 5.5 * KNOT})
    assert of(3) == Reading({"heading": 274.07})
    assert of(4) == Reading({"clock": NOW - 1.0}, NOW - 1.0)


def test_a_time_of_day_belongs_to_the_nearest_day():
    night = float(timegm((2026, 6, 2, 0, 0, 1, 0, 0, 0)))
    fix = parse(sentence(GGA.replace("123519.00", "235959.50")), night)
    assert fix.stamp == night - 1.5
    fix = parse(sentence(GGA.replace("123519.00", "000000.50")), night - 2.0)
    assert fix.stamp == night - 0.5


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"$GPGGA,123519.00,5907.0380,N,00301.5000,W,4,12,0.6,22.4,M,44.6,M,,*00", "checksum"),
        (sentence(GGA.replace(",4,12", ",0,12")), "no fix"),
        (sentence(GGA.replace("5907", "9107")), "damaged GGA"),
        (sentence(GGA.replace("22.4", "nan")), "damaged GGA"),
        (sentence(GGA.replace("22.4", "1e9")), "damaged GGA"),
        (sentence("HEHDT,361.0,T"), "damaged HDT"),
        (sentence("GPGLL,5907.0380,N,00301.5000,W,123519.00,V,N"), "no fix"),
        (b"\xff\x00\x80", "not a sentence"),
        (b"$" + b"A" * LONGEST, "too long"),
    ],
)
def test_damage_is_refused_with_its_reason(line, why):
    assert parse(line, NOW) == Refusal(why)


def test_other_talkers_and_other_sentences_are_no_concern():
    assert parse(sentence(GGA), NOW, talker="GN") is None
    assert parse(sentence("GPGSV,1,1,00"), NOW) is None


FIELDS = st.text("0123456789.,,,NWA-", max_size=60).map(lambda text: sentence(f"GPGGA,{text}"))


@settings(max_examples=80)
@given(st.binary(max_size=120) | FIELDS, st.floats())
def test_no_bytes_make_the_parser_of_sentences_raise(line, arrival):
    found = parse(line, arrival)
    assert found is None or isinstance(found, Refusal | Reading)


@settings(max_examples=150)
@given(st.sampled_from(SENTENCES), st.integers(0, 70), st.integers(0, 255), st.booleans())
def test_one_changed_byte_never_gives_another_place(body, at, byte, mend):
    """An XOR finds any single change; where the checksum was mended the values are still within their bounds."""
    whole = bytearray(sentence(body).strip())
    at = min(at, len(whole) - 4)
    changed = whole[at] != byte
    whole[at] = byte
    if mend:
        whole[-2:] = b"%02X" % checksum(bytes(whole[1:-3]))
    found = parse(bytes(whole), NOW)
    if changed and not mend:
        assert not isinstance(found, Reading)
    if isinstance(found, Reading):
        assert all(map(math.isfinite, found.fields.values()))
        assert abs(found.fields.get("latitude", 0.0)) <= 90.0
        assert abs(found.fields.get("longitude", 0.0)) <= 180.0


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda s: st.lists(s, max_size=4) | st.dictionaries(st.text(max_size=6), s, max_size=4),
)


@settings(max_examples=60)
@given(JSON | st.fixed_dictionaries({"stamp": JSON, "a": JSON}))
def test_no_message_makes_the_parser_raise_and_every_number_is_finite(message):
    found = parse_message(json.dumps(message).encode(), "stamp", {"a": 1.0, "a.x": 1.0, "a.y": 1.0})
    if isinstance(found, Reading):
        assert all(map(math.isfinite, found.fields.values()))


@settings(max_examples=80)
@given(st.binary(max_size=80))
def test_no_row_makes_the_parser_raise(line):
    columns = Columns.of("utc,tension,length", "utc", {"tension": 1e3, "length": 1.0})
    parse_row(line, columns)
    parse_message(line, None, {"tension": 1.0})
    stamp_of(line.decode("latin-1"))


def test_rows_and_messages_are_read_in_si_units():
    columns = Columns.of("utc, tension,length\n", "utc", {"tension": 1e3, "length": 1.0})
    row = parse_row(b"2026-06-01T12:35:19Z,12.5,310\r\n", columns)
    assert row == Reading({"tension": 12500.0, "length": 310.0}, NOW - 1.0)
    assert parse_row(f"{NOW},,310".encode(), columns) == Reading({"length": 310.0}, NOW)
    assert parse_row(b" \n", columns) is None
    assert parse_row(b"yesterday,1,2", columns) == Refusal("no time")
    assert parse_row(f"{NOW},a lot,2".encode(), columns) == Refusal("tension is not a number")
    assert "no column length" in Columns.of("utc,tension", "utc", {"tension": 1.0, "length": 1.0})
    place = {"place.x": 1.0, "place.y": 1.0, "place.z": 1e3}
    said = b'{"utc": "2026-06-01T14:35:19+02:00", "place": [1, 2, 3], "else": "ignored"}'
    assert parse_message(said, "utc", place) == Reading({"place.x": 1.0, "place.y": 2.0, "place.z": 3e3}, NOW - 1.0)
    assert parse_message(said, "time", place) == Refusal("no time")
    assert parse_message(b'{"place": [1, 2]}', None, place) == Refusal("no values")
    assert parse_message(b'{"a": NaN}', None, {"a": 1.0}) == Refusal("not JSON")
    assert parse_message(b'{"a": 1e999}', None, {"a": 1.0}) == Refusal("a is not a number")
    assert parse_message(b'{"a": "1"}', None, {"a": 1.0}) == Refusal("a is not a number")
    assert parse_message(b"[" * 4000, None, {"a": 1.0}) == Refusal("not JSON")


def test_stamps_of_1970_and_2100_are_refused_and_none_is_in_the_future():
    def at(stamp):
        return stamped(Reading({"a": 1.0}, stamp), NOW, 0.2)

    assert at(0.0) == Refusal("too late")
    assert at(float(timegm((2100, 1, 1, 0, 0, 0)))) == Refusal("stamp in the future")
    assert at(float("nan")) == Refusal("stamp in the future")
    assert at(NOW + AHEAD + 0.01) == Refusal("stamp in the future")
    assert at(NOW + 1.0).stamp == NOW
    assert at(NOW - KEPT + 0.01).stamp == NOW - KEPT + 0.01
    assert at(None).stamp == NOW - 0.2
    assert stamped(Reading({"a": math.nan}, NOW), NOW, 0.0) == Refusal("not a number")


def test_values_leave_in_the_order_in_which_they_were_measured():
    sorter = Sorter()
    for stamp in (5.0, 1.0, 3.0, 1.0, 9.0):
        sorter.put(f"at {stamp}", Reading({"a": stamp}, stamp))
    assert [m.stamp for m in sorter.take(5.0)] == [1.0, 1.0, 3.0, 5.0]
    assert [m.stamp for m in sorter.take(100.0)] == [9.0]


def test_what_waits_is_bounded():
    sorter = Sorter()
    assert sum(sorter.put("a", Reading({"a": 0.0}, 0.0)) for _ in range(MOST_WAITING + 5)) == MOST_WAITING


def test_a_flood_and_nonsense_are_counted_and_the_input_goes_on():
    sorter = Sorter()
    intake = Intake("gps", parse, sorter, delay=0.1)
    for _ in range(int(BURST) + 100):
        intake.line(b"\xffnonsense", NOW)
    assert intake.health.refused == {"not a sentence": int(BURST), "too many": 100}
    assert intake.health.is_silent(NOW)
    assert intake.line(sentence("HEHDT,10.0,T"), NOW + 1.0).fields == {"heading": 10.0}
    assert intake.health.age(NOW + 3.0) == pytest.approx(2.1)
    assert not intake.health.is_silent(NOW + 3.0)
    assert intake.health.is_silent(NOW + 8.0)
    assert [m.source for m in sorter.take(NOW + 9.0)] == ["gps"]


def test_a_jump_is_doubted_but_nobody_is_locked_out():
    """A fix 1 degree off in between is refused; a receiver that stays there is believed after a few fixes."""
    plausible = Plausible(fastest=30.0)
    assert plausible(59.0, 3.0, 0.0)
    assert not plausible(60.0, 3.0, 1.0)
    assert plausible(59.0001, 3.0, 2.0)
    assert [plausible(60.0, 3.0, 3.0 + k) for k in range(AGREEING)] == [False] * (AGREEING - 1) + [True]
    scattered = Plausible()
    scattered(59.0, 3.0, 0.0)
    assert not any(scattered(60.0 + k, 3.0, 1.0 + k) for k in range(20))
    assert distance((59.0, 3.0), (60.0, 3.0)) == pytest.approx(111_195.0, rel=1e-4)


def test_lines_are_cut_where_they_end_and_an_endless_one_is_dropped():
    lines = Lines()
    assert lines.feed(b"on") == []
    assert lines.feed(b"e\r\ntwo\n\nthr") == [b"one\r", b"two"]
    for _ in range(10):
        assert lines.feed(b"x" * LONGEST) == []
    assert lines.feed(b"the end of it\nnext\n") == [b"next"]


def test_what_cannot_be_measured_is_refused():
    """By the unit of its column: a pull of -5e9 kN, a place 1e14 m off, a speed of light."""
    from fairlead.live.inputs.plausible import bound_of

    units = {"pull": ("kN", 1e3), "x": ("m", 1.0), "speed": ("kn", 0.514444), "share": ("1", 1.0)}
    bounds = {name: bound_of(unit) for name, (unit, _) in units.items()}
    factors = {name: factor for name, (_, factor) in units.items()}
    intake = Intake("winch", lambda text, arrival: parse_message(text, None, factors), Sorter(), bounds=bounds)
    for said in (b'{"pull": -5e9}', b'{"x": 1e14}', b'{"speed": 3e8}', b'{"pull": 10, "x": -2e7}'):
        assert intake.line(said, 1e9) == Refusal("impossible")
    for said in (b'{"pull": -5}', b'{"x": 1e6}', b'{"speed": 30}', b'{"share": 5000}'):
        assert isinstance(intake.line(said, 1e9), Reading)
    assert intake.health.refused["impossible"] == 4
