"""Moorings put together in a script by MoorDyn's `Generator`."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead.compat.moordyn as moordyn
from fairlead.compat.moordyn import Generator
from fairlead.compat.moordyn.constants import MoorDynError
from fairlead.exchange.moordyn.opening import from_text


def spread() -> tuple[Generator.Mooring, list[Generator.Line]]:
    """Three chains from the bed to points that a host moves."""
    mooring = Generator.Mooring()
    chain = Generator.LineMaterial("chain", 0.09, 77.7066, 384.243e6, -0.8, 0, 1.6, 1.0, 0.1, 0.0)
    mooring.AddLineMaterial(chain)
    ways = [(math.cos(turn), math.sin(turn)) for turn in (0.0, 2.0 * math.pi / 3.0, 4.0 * math.pi / 3.0)]
    anchors = [Generator.Point("Fixed", [853.87 * x, 853.87 * y, -320.0], 0, 0, 0, 0) for x, y in ways]
    ends = [Generator.Point("Coupled", [5.2 * x, 5.2 * y, -70.0], 0, 0, 0, 0) for x, y in ways]
    for point in (*anchors, *ends):
        mooring.AddPoint(point)
    at = Generator.LinePoint
    lines = [Generator.Line(chain, at(a), at(b), 902.2, 20) for a, b in zip(anchors, ends, strict=True)]
    for line in lines:
        mooring.AddLine(line)
    mooring.AddOption(Generator.Option("WtrDpth", 320))
    return mooring, lines


def test_a_mooring_of_parts_is_opened_started_and_stepped():
    mooring, _ = spread()
    system = mooring.Create()
    x = [value for i in (4, 5, 6) for value in moordyn.GetPointPos(moordyn.GetPoint(system, i))]
    v = [0.0] * 9
    assert moordyn.Init(system, x, v) == 0
    assert moordyn.NCoupledDOF(system) == 9
    assert moordyn.GetNumberLines(system) == 3
    forces = moordyn.Step(system, x, v, 0.0, 0.5)
    assert moordyn.Close(system) == 0
    assert forces[0] == pytest.approx(735.7e3, rel=2e-3), "as MoorDyn pulls at the anchor"
    assert sum(forces[0::3]) == pytest.approx(0.0, abs=1.0), "three chains alike pull evenly"


def test_numbers_of_numpy_are_written_as_numbers():
    mooring, _ = spread()
    mooring.AddPoint(Generator.Point("Free", np.array([1.0, 2.5, -3.0]), *np.array([4.0, 0.0, 0.0, 0.0])))
    places, count = np.float32(0.5), np.int64(3)
    mooring.AddBody(Generator.Body("Free", [places, count, -20], np.zeros(3), 1e5, count, np.float64(2e6), count, 10.0))
    assert "7 Free 1.0 2.5 -3.0 4.0 0.0 0.0 0.0" in mooring.text()
    assert "1 Free 0.5 3.0 -20.0 0.0 0.0 0.0 100000.0 3 2000000.0 10.0 3 0.0" in mooring.text()
    assert mooring.Create().deck.points["7"].position == (1.0, 2.5, -3.0)


def test_a_mistake_names_the_part_and_no_file():
    mooring, lines = spread()
    lines[0].point0.obj.type = "Fixt"
    with pytest.raises(MoorDynError, match=r"^Mooring.text\(\):9: point 1 has the attachment 'Fixt'"):
        mooring.Create()
    assert mooring.text().splitlines()[8].startswith("1 Fixt")


def test_bodies_rods_and_failures_are_rows_of_the_file():
    mooring, lines = spread()
    held = Generator.BodyPoint()
    held.coupled = True
    body = Generator.Body(held, [0, 0, -20], [0, 0, math.pi / 2], 1e5, [0, 0, -1], [1e6, 1e6, 2e6], 5.0, 10.0)
    mooring.AddBody(body)
    mooring.AddPoint(Generator.Point(body, [1, 0, 0], 0, 0, 0, 0))
    spar = Generator.RodMaterial("spar", 2.0, 1000.0, 0.8, 1.0, 0.6, 0.6)
    mooring.AddRodMaterial(spar)
    rod = Generator.Rod(spar, "Free", [0, 9, -9], [0, 9, 5], 7)
    mooring.AddRod(rod)
    chain = lines[0].material
    point = Generator.Point("Fixed", [0, 300, -320], 0, 0, 0, 0)
    mooring.AddPoint(point)
    mooring.AddLine(Generator.Line(chain, Generator.LinePoint(point), Generator.LinePoint(rod, "A"), 500, 10))
    mooring.AddFailure(Generator.Failure(lines[1].point1, [lines[1]], 3.0, 0))
    system = from_text(mooring.text(), "x.txt").system
    assert system.cables["line2"].end.release.time == 3.0
    assert system.cables["line4"].end.point == "rod1.A"
    assert system.bodies["rod1"].mass == pytest.approx(14_000)
    assert "1 Coupled 0 0 -20 0.0 0.0 90.0 100000.0 0|0|-1 1000000.0|1000000.0|2000000.0 10.0 5.0 0.0" in mooring.text()


@pytest.mark.parametrize(
    ("point", "word"),
    [
        (Generator.RodPoint(), "Fixed"),
        (Generator.RodPoint(pinned=True), "Pinned"),
        (Generator.RodPoint(fixed=False), "Free"),
        (Generator.RodPoint(coupled=True), "Coupled"),
        (Generator.RodPoint(coupled=True, pinned=True), "CoupledPinned"),
        (Generator.RodPoint(fixed=True, coupled=True), "Coupled"),
        (Generator.BodyPoint(fixed=True, coupled=True), "Coupled"),
        (Generator.BodyPoint(fixed=False), "Free"),
    ],
)
def test_how_a_rod_is_held_is_one_of_moordyns_words(point, word):
    assert str(point) == word


@pytest.mark.parametrize("point", [Generator.BodyPoint(), Generator.RodPoint()], ids=["body", "rod"])
def test_what_is_coupled_is_not_fixed_and_the_other_way_round(point):
    point.coupled = True
    assert (point.fixed, str(point)) == (False, "Coupled")
    point.fixed = True
    assert (point.coupled, str(point)) == (False, "Fixed")


def test_a_rod_on_a_body_is_not_coupled():
    body = Generator.Body("Free", [0, 0, 0], [0, 0, 0], 1.0, 0.0, 1.0, 0.0, 1.0)
    point = Generator.RodPoint(coupled=True)
    point.body = body
    assert (point.coupled, point.fixed, str(point)) == (False, True, "Body0")
