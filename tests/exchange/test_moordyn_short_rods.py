"""Rods without length in MoorDyn files: they hold the direction of lines that bend, or let bending go on."""

from __future__ import annotations

import pytest

from fairlead.exchange.moordyn.opening import from_text
from fairlead.statics import solve

BEAM = """A beam that sticks out of a rod
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-)  (m)  (kg/m) (N) (-) (-) (-) (-) (-) (-)
beam 0.1 20 1e8 -1 1e6 1 1 0 0
--- ROD TYPES ---
Name Diam Mass/m Cd Ca CdEnd CaEnd
(-)  (m)  (kg/m) (-) (-) (-)  (-)
stub 0.1 10 0 0 0 0
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 Coupled 0 0 -20 0 0 90 0 0 0 0 0 0
--- RODS ---
ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs Outputs
(#) (-) (-) (m) (m) (m) (m) (m) (m) (-) (-)
1 stub {held} {ends} {segments} -
--- POINTS ---
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Free {tip} -20 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 beam {at} 1 10 40 -
{more}--- OPTIONS ---
0 rho
100 WtrDpth
---
"""
FIXED = {"held": "Fixed", "ends": "0 0 -20 1 0 -20", "segments": 0, "tip": "10 0", "at": "R1A", "more": ""}


@pytest.mark.parametrize(
    ("change", "along"),
    [
        ({"ends": "0 0 -20 -1 0 -20"}, 0),  # out of its end A, away from B
        ({"at": "R1B"}, 0),
        ({"at": "R1B", "held": "Coupled"}, 0),
        ({"at": "R1B", "held": "Body1", "ends": "0 0 0 1 0 0", "tip": "0 10"}, 1),  # the body is turned by 90 degrees
    ],
)
def test_a_line_sticks_out_of_a_rod_without_length_as_it_points(change, along):
    """Bent by its weight q, a beam of length L drops by q L^4/8EI at its tip; a line of 40 elements by 1 % less."""
    found = from_text(BEAM.format(**FIXED | change), "x.txt")
    assert not [note for note in found.notes if note.kind == "missing"]
    tip = solve(found.system).summary()["points"]["point1"]
    assert tip[2] + 20.0 == pytest.approx(-20.0 * 9.81 * 10.0**4 / (8.0 * 1e6), rel=0.02)
    assert tip[along] == pytest.approx(10.0, rel=0.01)


def test_bending_that_ends_at_a_rod_is_told():
    for change, words in (
        ({"ends": "0 0 -20 0 0 -20"}, "without length and direction"),
        ({"held": "Pinned", "more": "2 beam R1B 1 10.1 4 -\n"}, "beyond two lines at one that is free"),
    ):
        found = from_text(BEAM.format(**FIXED | change), "x.txt")
        assert [words in note.why for note in found.notes if note.kind == "missing"] == [True]
