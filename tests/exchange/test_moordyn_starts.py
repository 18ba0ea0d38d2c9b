"""MoorDyn files that begin out of balance, lack a depth or have no lines: what they mean, and what is made of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.exchange.moordyn.opening import from_text, read_moordyn
from fairlead.model.physical import warnings
from fairlead.simulate import Simulation
from fairlead.statics import solve

PENDULUM = """A mass on a line
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-)  (m)  (kg/m) (N) (-) (-) (-) (-) (-) (-)
thread 0.001 0.001 {ea} -1 0 0 0 0 0
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
--- POINTS ---
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 0 0 -5 0 0 0 0
2 Free {x} 0 -15 {mass} 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 thread 1 2 {length} 2 -
--- OPTIONS ---
0 rho
{depth}
{settling} TmaxIC
---
"""
USUAL = {"ea": 1e7, "x": 0.5, "mass": 1000, "length": math.hypot(0.5, 10.0), "depth": "100 WtrDpth", "settling": 0}


def deck(**values):
    return from_text(PENDULUM.format(**USUAL | values), "x.txt")


def said(found, kind):
    return "\n".join(note.sentence() for note in found.notes if note.kind == kind)


@pytest.mark.parametrize("settling", [0, 1e-3])
def test_a_mass_is_let_go_where_the_file_puts_it(settling):
    """A pendulum of 10 m: T = 2π sqrt(l/g) (1 + θ²/16), from its first place; at rest statics has it below its pin."""
    found = deck(settling=settling)
    assert found.system.simulation.start == "catenary"
    length = USUAL["length"]
    swing = math.asin(0.5 / length)
    period = 2.0 * math.pi * math.sqrt(length / 9.81) * (1.0 + swing**2 / 16.0)
    run = Simulation(found.system, duration=8.0, output_every=0.1).run()
    x = run.point_position.sel(point="point2").values[:, 0]
    np.testing.assert_allclose(x, 0.5 * np.cos(2.0 * math.pi * run.time.values / period), atol=0.01)
    assert solve(found.system).summary()["points"]["point2"][0] == pytest.approx(0.0, abs=1e-6)


def test_a_mass_between_lines_keeps_its_place_where_it_is_let_go():
    """A guess that lines could not bear is left out, as is that of a point without mass, and a run begins at rest."""
    more = "2 thread 2 1 {length} 2 -\n--- OPTIONS ---"
    text = PENDULUM.replace("--- OPTIONS ---", more)
    mass, light, taut = (
        from_text(text.format(**USUAL | change), "x.txt").system
        for change in ({}, {"mass": 0}, {"length": 9.0, "ea": 1e9})
    )
    assert (mass.points["point2"].position, mass.simulation.start) == ((0.5, 0, -15), "catenary")
    assert (light.points["point2"].position, light.simulation.start) == (None, "auto")
    assert (taut.points["point2"].position, taut.simulation.start) == (None, "auto")


def test_soft_springs_may_be_stretched_where_they_are_let_go():
    assert deck(length=8.0, ea=500.0).system.simulation.start == "catenary"


def test_without_a_depth_an_anchor_says_where_the_seabed_is():
    anchored = deck(depth="", x=0.0).system
    assert anchored.environment.seabed is None  # its lowest point hangs
    text = PENDULUM.format(**USUAL | {"depth": ""}).replace("2 Free", "2 Fixed").replace("0 TmaxIC", "10 TmaxIC")
    found = from_text(text, "x.txt")
    assert found.system.environment.seabed.depth == pytest.approx(15.0, abs=1e-3)
    assert "no anchor says where the seabed is" in said(deck(depth=""), "doubtful")


def test_an_end_lets_go_at_a_time_or_a_tension_whichever_comes_first():
    """Pulled with 9.81 kN it goes at 1 s, or at once where it bears less than that."""
    for tension, gone in ((2e4, 1.0), (5e3, 0.0)):
        rows = f"--- FAILURE ---\nID Point Line(s) FailTime FailTen\n(-)\n1 1 1 1.0 {tension}\n--- OPTIONS ---"
        text = PENDULUM.replace("--- OPTIONS ---", rows).format(**USUAL | {"x": 0.0, "length": 10.0, "settling": 9})
        found = from_text(text, "x.txt")
        assert not said(found, "missing")
        release = found.system.cables["line1"].start.release
        assert (release.time, release.tension) == (1.0, tension)
        run = Simulation(found.system, duration=2.0, output_every=0.04).run()
        fallen = -15.0 - run.point_position.sel(point="point2").values[-1, 2]
        assert fallen == pytest.approx(0.5 * 9.81 * (2.0 - gone) ** 2, rel=0.03)


COUPLED = """A coupled body with points and nothing else
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 {held} 0 10 -20 0 0 0 0 0|-10|0 0 0 0 0
--- POINTS ---
ID Attachment X Y Z M V CdA CA
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Body1 0 -10 0 40 0 0 0
--- OPTIONS ---
70 WtrDpth
0 TmaxIC
---
"""


def test_a_file_without_lines_is_a_body_that_is_moved_with_its_points():
    system = from_text(COUPLED.format(held="Coupled"), "x.txt").system
    assert system.bodies["body1"].kind == "prescribed"
    assert system.bodies["body1"].attachments == {"point1": (0, -10, 0)}
    assert solve(system).report.holds
    run = Simulation(system, duration=1.0).run()
    assert run.point_position.sel(point="body1").values[-1] == pytest.approx([0, 10, -20])


def test_a_body_whose_only_mass_is_a_point_falls_as_one():
    found = from_text(COUPLED.format(held="Free"), "x.txt")
    assert "is a point mass, which nothing turns" in said(found, "changed")
    run = Simulation(found.system, duration=1.0).run()
    assert run.point_position.sel(point="body1").values[-1] == pytest.approx([0, 0, -20 - 0.5 * 9.81], rel=1e-3)


WATER = """Waves and currents
...notes...
--- WAVES ---
{waves}            WaveKinMod  - type of wave input
"surface.txt"      WaveKinFile - elevation at 0,0,0
0.5                dtWave      - time step
90                 WaveDir     - wave heading (deg)
2                              - X wave input type
-24, 150, 100                  - X wave grid point data
--- CURRENT ---
{current}          CurrentMod  - type of current input
z-depth     x-current      y-current
(m)           (m/s)         (m/s)
-50.0 0.1 0
0.0   0.4 -0.2
--- need this line ---
"""


def test_water_kinematics_of_the_fortran_version_are_read(tmp_path):
    path = tmp_path / "deck.txt"
    text = PENDULUM.format(**USUAL | {"settling": "water.dat WaterKin\n10"}).replace("0 rho", "1025 rho")
    path.write_text(text)
    found = read_moordyn(path)
    assert "there is no file water.dat beside this one" in said(found, "missing")
    (tmp_path / "water.dat").write_text(WATER.format(waves=0, current=1))
    found = read_moordyn(path)
    assert not said(found, "missing")
    assert found.system.environment.current_table == [(-50.0, (0.1, 0, 0)), (0.0, (0.4, -0.2, 0))]
    assert found.system.environment.waves is None
    (tmp_path / "water.dat").write_text(WATER.format(waves=3, current=0))
    assert "there is no file surface.txt" in said(read_moordyn(path), "missing")
    rows = [f"{0.5 * k} {0.7 * math.cos(0.1 * math.pi * k):.9f}" for k in range(200)]
    (tmp_path / "surface.txt").write_text("\n".join(["Time Elevation", "(s) (m)", *rows]))
    waves = read_moordyn(path).system.environment.waves
    assert (waves.kind, waves.direction_deg) == ("record", 90)
    assert waves.main_period == pytest.approx(10.0)
    (tmp_path / "water.dat").write_text(WATER.format(waves=2, current=2))
    assert "OpenFAST's module SeaState" in said(read_moordyn(path), "missing")


def test_a_record_of_waves_too_steep_to_be_is_warned_of_and_rests(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_text(PENDULUM.format(**USUAL | {"settling": "3 WaveKin\n10"}).replace("0 rho", "1025 rho"))
    rows = [f"{0.1 * k} {2.0 * math.cos(0.2 * math.pi * 0.1 * k * 5):.9f}" for k in range(400)]  # 2 m high, 2 s long
    (tmp_path / "wave_elevation.txt").write_text("\n".join(rows))
    system = read_moordyn(path).system
    (problem,) = (problem for problem in warnings(system) if "steeper than waves can be" in str(problem))
    assert problem.path == "environment.waves"
    assert solve(system).summary()["points"]["point2"][0] == pytest.approx(0.0, abs=1e-6)
