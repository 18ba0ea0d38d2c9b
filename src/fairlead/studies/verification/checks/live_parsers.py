"""Damaged messages of instruments: 200,000 altered lines raise nothing, and none moves a ship."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

import numpy as np

from fairlead.live.inputs.intake import Intake
from fairlead.live.inputs.nmea import parse, sentence
from fairlead.live.inputs.reading import Reading
from fairlead.live.inputs.rows import Columns, parse_message, parse_row
from fairlead.live.inputs.stamps import Sorter
from fairlead.studies.verification.record import Record

LINES = 200_000
NOW = 1_780_317_320.0
"""12:35:20 on 1 June 2026."""
PLACE = (59.0 + 7.038 / 60.0, -(3.0 + 1.5 / 60.0))
SOURCE = "the line as it was sent"
SENTENCES = (
    sentence("GPGGA,123519.00,5907.0380,N,00301.5000,W,4,12,0.6,22.4,M,44.6,M,,"),
    sentence("GPGLL,5907.0380,N,00301.5000,W,123519.00,A,D"),
    sentence("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,D"),
    sentence("HEHDT,274.07,T"),
    sentence("GPZDA,123519.00,01,06,2026,00,00"),
)


def altered(line: bytes, chance: np.random.Generator) -> bytes:
    """A line with one to four bytes changed, inserted or taken out, or cut short."""
    out = bytearray(line)
    for _ in range(int(chance.integers(1, 5))):
        at, byte = int(chance.integers(0, max(1, len(out)))), int(chance.integers(0, 256))
        kind = int(chance.integers(0, 10))
        if kind < 5 and out:
            out[at] = byte
        elif kind < 7:
            out[at:at] = bytes([byte])
        elif kind < 9:
            del out[at : at + 1]
        else:
            del out[at:]
    return bytes(out)


def check(lines: int = LINES) -> Iterator[Record]:
    """Every parser, on altered lines; what passes the checksum goes through the test of its speed, too."""
    chance = np.random.default_rng(2026)
    raised, wrong, accepted, far = 0, 0, 0, 0.0
    intake = Intake("gps", parse, sorter := Sorter(), limited=False)
    intake.line(SENTENCES[0], NOW)
    for k in range(lines):
        line = altered(SENTENCES[k % len(SENTENCES)], chance)
        try:
            found = intake.line(line, NOW)
        except Exception:
            raised += 1
            continue
        if isinstance(found, Reading):
            wrong += not all(map(math.isfinite, found.fields.values()))
            if "latitude" in found.fields:
                accepted += 1
                place = found.fields["latitude"], found.fields["longitude"]
                far = max(far, float(np.hypot(*(np.subtract(place, PLACE) * [111_400.0, 57_300.0]))))
        if k % 1000 == 0:
            sorter.take(NOW + 10.0)
    yield Record.absolute(f"NMEA, {lines} altered lines, errors raised", SOURCE, raised, 0.0, 0.0)
    yield Record.absolute(f"NMEA, {lines} altered lines, numbers that are none", SOURCE, wrong, 0.0, 0.0)
    said = f"NMEA, {accepted} altered places accepted, farthest a ship is moved (m)"
    yield Record.absolute(said, SOURCE, far, 0.0, 60.0)
    others = _others(lines, chance)
    yield Record.absolute(f"CSV and JSON, {lines} altered lines, errors raised", SOURCE, others, 0.0, 0.0)


def _others(lines: int, chance: np.random.Generator) -> int:
    columns = Columns.of("utc,tension,length", "utc", {"tension": 1e3, "length": 1.0})
    assert isinstance(columns, Columns)
    row = b"2026-06-01T12:35:19Z,12.5,310\n"
    message = json.dumps({"stamp": NOW, "tension": 12.5, "place": [1, 2, 3]}).encode()
    named = dict.fromkeys(("tension", "place.x", "place.y", "place.z"), 1.0)
    raised = 0
    for k in range(lines):
        try:
            if k % 2:
                parse_row(altered(row, chance), columns)
            else:
                parse_message(altered(message, chance), "stamp", named)
        except Exception:
            raised += 1
    return raised
