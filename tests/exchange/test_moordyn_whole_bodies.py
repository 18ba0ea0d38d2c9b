"""Bodies of MoorDyn files with what is fixed to them: the mass may be the body's, its rods' or its points'."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.exchange.moordyn import write_channels, write_moordyn
from fairlead.exchange.moordyn.opening import from_text
from fairlead.model import ModelError
from fairlead.simulate import Simulation

HEAD = """A body with a rod on it
--- ROD TYPES ---
Name Diam Mass/m Cd Ca CdEnd CaEnd
(-)  (m)  (kg/m) (-) (-) (-)  (-)
spar 2.0  {rod}  {drag} 1.0 {drag} 0.5
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 {held}  4 0 {z} {angles} {mass} {centre} {inertia} 0 0 0
--- RODS ---
ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs Outputs
(#) (-)    (-)        (m) (m) (m) (m) (m) (m) (-) (-)
1  spar    {on}      {ends}  8  p
--- OPTIONS ---
{rho} rho
100 WtrDpth
0  TmaxIC
--- OUTPUTS ---
Rod1Px Rod1Pz Rod1NBPx Rod1NBPz
---
"""
PLAIN = {"held": "Free", "z": 0, "angles": "0 0 0", "centre": 0, "drag": 0, "rho": 1025, "on": "Body1", "rod": 0,
         "mass": 0, "inertia": 0}  # fmt: skip


def read(ends: str, **values: object):
    return from_text(HEAD.format(**PLAIN | {"ends": ends} | values), "x.txt")


def channels(found, tmp_path, duration, every=0.05):
    run = Simulation(found.system, duration=duration, output_every=every, step=0.01).run()
    assert not write_channels(run, tmp_path / "x.out", found.channels)
    rows = (tmp_path / "x.out").read_text().splitlines()[2:]
    return np.array([[float(value) for value in row.split()] for row in rows])


def test_a_spar_whose_rod_weighs_nothing_heaves_with_the_mass_of_its_body(tmp_path):
    """T = 2π sqrt((m + m_end)/ρgA), from where the file puts it; the rod keeps its water, the body its mass."""
    area, draught = math.pi, 30.0
    mass = 1025.0 * area * draught
    found = read("0 0 -20 0 0 20", z=-9.6, mass=mass, centre=-8, inertia="2e7|2e7|5e4")
    assert found.system.bodies.keys() == {"body1"}
    assert found.system.bodies["body1"].mass == pytest.approx(mass)
    assert found.system.bodies["body1"].displaced == pytest.approx(40.0 * area)
    end = 0.5 * 1025.0 * (2.0 / 3.0) * math.pi
    period = 2.0 * math.pi * math.sqrt((mass + end) / (1025.0 * 9.81 * area))
    rows = channels(found, tmp_path, 16.0)
    assert rows[0, 1:] == pytest.approx([4, -29.6, 4, 10.4])
    expected = -30.0 + 0.4 * np.cos(2.0 * math.pi * rows[:, 0] / period)
    np.testing.assert_allclose(rows[:, 2], expected, atol=2e-3)


@pytest.mark.parametrize("ends", ["0 0 -20 0 0 20", "3 1 -15 6 2 18"])
def test_a_body_without_mass_moves_as_the_rod_that_it_carries(ends, tmp_path):
    """The same rod, free and on a body that adds nothing: aslant beside the body's origin, with drag."""
    a = [float(word) for word in ends.split()]
    moved = " ".join(str(x + off) for x, off in zip(a, (4, 0, -5, 4, 0, -5), strict=True))
    alone = read(moved, rod=2000, drag=0.8, on="Free", mass=1.0, inertia=1.0, held="Fixed")
    carried = read(ends, z=-5, rod=2000, drag=0.8)
    assert (alone.system.bodies.keys(), carried.system.bodies.keys()) == ({"rod1"}, {"body1"})
    one, two = (channels(found, tmp_path, 6.0) for found in (alone, carried))
    assert np.abs(one - one[0])[:, 1:].max() > 0.2
    np.testing.assert_allclose(two, one, atol=1e-5)


def test_a_body_on_a_pin_swings_with_the_rod_that_it_carries(tmp_path):
    """A physical pendulum in air: T = 2π sqrt(J/(m g l)), J = m (l² + L²/12 + d²/16) about the pin."""
    length, arm = 10.0, 9.0
    tilt = math.radians(3.0)
    found = read("0 0 -4 0 0 -14", held="CoupledPinned", angles="0 3 0", rod=500, rho=0)
    period = 2.0 * math.pi * math.sqrt((arm**2 + length**2 / 12.0 + 4.0 / 16.0) / (9.81 * arm))
    rows = channels(found, tmp_path, 8.0)
    swing = np.arcsin((4.0 - rows[:, 3]) / 14.0)
    expected = tilt * np.cos(2.0 * math.pi * rows[:, 0] / (period * (1.0 + tilt**2 / 16.0)))
    np.testing.assert_allclose(swing, expected, atol=2e-3 * tilt)


def test_points_on_a_body_add_what_they_weigh_and_displace():
    points = (
        "--- POINTS ---\nID Attachment X Y Z M V CdA CA\n(-)\n1 Body1 0 6 0 200 0.5 0 0\n2 Body1 0 -2 0 0 0 0 0\n"
        "--- OPTIONS ---"
    )
    text = HEAD.format(**PLAIN | {"ends": "0 0 -2 0 0 2", "mass": 400, "inertia": "50|60|70", "z": -10})
    body = from_text(text.replace("--- OPTIONS ---", points), "x.txt").system.bodies["body1"]
    assert body.mass == pytest.approx(600)
    assert body.position == pytest.approx([4, 2, -10])
    more = 400 * 2.0**2 + 200 * 4.0**2
    assert body.inertia == pytest.approx([50 + more, 60, 70 + more])
    assert (body.volume, body.centre_of_buoyancy) == (0.5, pytest.approx([0, 4, 0]))
    assert np.asarray(body.members["rod1"].ends) == pytest.approx(np.array([[0, -2, -2], [0, -2, 2]]))


def test_a_body_without_mass_anywhere_is_refused():
    with pytest.raises(ModelError, match=r"x\.txt:9: body 1 is free, and neither it nor what is fixed to it has mass"):
        read("0 0 -2 0 0 2")


def test_members_go_out_as_rods_and_come_in_again():
    first = read("1 0 -20 3 0 20", z=-9, angles="10 0 0", mass=9e4, inertia="2e7|2e7|5e4", drag=0.8).system
    text = write_moordyn(first)[""]
    (row,) = (row.split() for row in text.splitlines() if row.split()[1:3] == ["rod1", "Body1"])
    assert [float(x) for x in row[3:10]] == pytest.approx([1, 0, -20, 3, 0, 20, 8])
    second = from_text(text, "y.txt").system
    for key in ("mass", "inertia", "position", "orientation_deg"):
        one, two = getattr(first.bodies["body1"], key), getattr(second.bodies["body1"], key)
        assert two == pytest.approx(one, abs=1e-9)
    assert second.bodies["body1"].members == first.bodies["body1"].members
