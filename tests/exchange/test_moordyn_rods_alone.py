"""Rods of MoorDyn files that no line holds: free ones float and rise, pinned ones stand upright."""

from __future__ import annotations

import math

import pytest
from scipy.optimize import brentq

from fairlead.exchange.moordyn import write_channels, write_moordyn
from fairlead.exchange.moordyn.opening import from_text
from fairlead.model import ModelError
from fairlead.simulate import Simulation
from fairlead.statics import solve

RODS = """Rods by themselves
--- ROD TYPES ---
Name Diam Mass/m Cd Ca CdEnd CaEnd
(-)  (m)  (kg/m) (-) (-) (-)  (-)
spar 0.5  100    0   1.0 0    0
--- RODS ---
ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs Outputs
(#) (-)    (-)        (m) (m) (m) (m) (m) (m) (-) (-)
1  spar    Free       0  -1 -10  0  1  -10  4  p
2  spar    Pinned     9   0  -5  10 0   -5  4  p
--- OPTIONS ---
1000 rho
16 WtrDpth
0  TmaxIC
--- OUTPUTS ---
Rod1Pz Rod2NBPz
---
"""


def test_rods_by_themselves_rise_and_rest_as_closed_forms_have_it(tmp_path):
    """Half of its volume in the water carries a rod as heavy as that; one on a pin stands upright over it."""
    found = from_text(RODS, "x.txt")
    rest = solve(found.system).summary()
    area, radius = 0.25 * math.pi * 0.5**2, 0.25
    wet = 100.0 / (1000.0 * area)
    level = radius * brentq(lambda x: math.acos(x) - x * math.sqrt(1 - x**2) - math.pi * wet, -0.5, 0.5)
    assert rest["points"]["rod1"][2] == pytest.approx(level, abs=2e-4)
    assert rest["points"]["rod2"] == pytest.approx([9, 0, -4.5], abs=1e-6)
    assert rest["tension_max"] is None
    run = Simulation(found.system, duration=2.0, output_every=1.0).run()
    accelerated = 9.81 * (1000.0 * area - 100.0) / (1000.0 * area + 100.0)  # TmaxIC 0: from where the file puts it
    assert run["point_position"].sel(point="rod1").values[-1, 2] == pytest.approx(-10 + 2.0 * accelerated, rel=1e-3)
    unknown = write_channels(run, tmp_path / "x.out", found.channels)
    assert not unknown
    first, last = ((tmp_path / "x.out").read_text().splitlines()[i].split() for i in (2, -1))
    assert [float(value) for value in first] == pytest.approx([0.0, -10.0, -5.0])
    assert float(last[1]) == pytest.approx(-10 + 2.0 * accelerated, rel=1e-3)
    again = from_text(write_moordyn(found.system)[""], "y.txt").system
    assert again.bodies.keys() == found.system.bodies.keys()
    assert again.bodies["rod1"].shape == found.system.bodies["rod1"].shape


def test_a_file_in_which_nothing_moves_is_refused():
    text = RODS.replace("Free", "Fixed").replace("Pinned", "Fixed")
    with pytest.raises(ModelError, match="has no line, nor a rod or body that moves"):
        from_text(text, "x.txt")
