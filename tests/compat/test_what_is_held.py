"""The drop-in where all nodes are held, and where nobody says where what holds them stands."""

from __future__ import annotations

import ctypes
import math

import pytest

import fairlead.compat.moordyn as moordyn
from fairlead.compat.moordyn.library import build

SPRING = """One segment between what is held
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-)  (m)  (kg/m) (N) (-) (-) (-) (-) (-) (-)
rope 0.001 1e-6 1e6 0 0 0 0 0 0
--- POINTS ---
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed  0  0 -50 0 0 0 0
2 {held}  10  0 -5 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 rope 1 2 45 1 -
--- OPTIONS ---
50 WtrDpth
---
"""


def test_a_library_of_a_line_without_a_node_that_is_free(tmp_path):
    """The pull of one segment, EA (l/L - 1) along it, at rest and a step later."""
    deck = tmp_path / "lines.txt"
    deck.write_text(SPRING.format(held="Coupled"))
    library = build(deck, tmp_path / "libmoordyn.so")
    c = ctypes.CDLL(str(library.path))
    c.MoorDyn_Create.restype = ctypes.c_void_p
    system = ctypes.c_void_p(c.MoorDyn_Create(str(deck).encode()))
    three = ctypes.c_double * 3
    assert c.MoorDyn_Init(system, three(11.0, 0.0, -5.0), three()) == 0
    force, t, dt = three(), ctypes.c_double(0.0), ctypes.c_double(0.02)
    assert c.MoorDyn_Step(system, three(11.0, 0.0, -5.0), three(), force, ctypes.byref(t), ctypes.byref(dt)) == 0
    span = math.hypot(11.0, 45.0)
    pull = 1e6 * (span / 45.0 - 1.0)
    assert list(force) == pytest.approx([-pull * 11.0 / span, 0.0, -pull * 45.0 / span], abs=1.0)
    c.MoorDyn_Close(system)


def test_a_turbine_that_nobody_places_is_refused(tmp_path):
    deck = tmp_path / "lines.txt"
    deck.write_text(SPRING.format(held="Turbine2"))
    with pytest.raises(moordyn.MoorDynError, match="where turbine 2 stands is missing here"):
        moordyn.Create(str(deck))
