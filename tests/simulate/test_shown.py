"""Systems, simulations, equilibria and modes show themselves: as text, and as HTML in a notebook."""

from __future__ import annotations

import pytest

import fairlead as fl

HANGING = """
title: A rope <between> two posts
types: {rope: {diameter: 0.05, mass_per_length: 5, axial_stiffness: 0.5 MN}}
points:
  A: {kind: fixed, position: [0, 0, -20]}
  B: {kind: fixed, position: [55, 0, -10]}
cables: {line: {type: rope, length: 60, elements: 6, start: A, end: B}}
simulation: {formulation: lumped, duration: 0.2, step: 0.01}
"""


@pytest.fixture(scope="module")
def system() -> fl.System:
    return fl.load_text(HANGING)


def test_a_system_shows_its_cables_and_what_looks_wrong(system):
    lines = repr(system).splitlines()
    assert lines[:2] == ["A rope <between> two posts", "formulation lumped, 0.2 s in steps of 0.01 s, 2 points"]
    assert lines[4].split() == ["line", "rope", "60", "m", "6", "A", "B"]
    assert len(lines) == 5 + len(fl.warnings(system))
    light = system.with_values({"types.rope.mass_per_length": 1})
    assert "warning: " in repr(light)
    page = system._repr_html_()
    assert "<b>A rope &lt;between&gt; two posts</b>" in page
    assert "<td" in page


def test_what_is_at_rest_shows_its_pulls_and_what_moves_its_tensions(system):
    rest = fl.statics(system)
    line = repr(rest).splitlines()[4].split()
    assert (line[0], line[3], line[8]) == ("line", "A", "B")
    sim = fl.Simulation(system)
    assert repr(sim).splitlines()[1].startswith("t = 0 s of a simulation by lumped, ")
    shown = fl.modes(rest, 2)
    assert len(repr(shown).splitlines()) == 6
    for thing in (rest, sim, shown):
        assert thing._repr_html_().startswith("<div>")


def test_a_long_table_says_how_much_is_left_out(system):
    many = {f"line_{i}": system.cables["line"] for i in range(20)}
    assert "... and 8 more" in repr(fl.System(**{**dict(system), "cables": many}))
