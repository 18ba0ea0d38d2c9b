"""Systems without winches, ropes, vortices, floaters, joints and rods have kernels of their own, which leave these out:
they compute what the kernels of all others do."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.formulations.lumped import run as entries
from fairlead.formulations.lumped import settling
from fairlead.formulations.lumped.schema import is_plain
from fairlead.model import load_text
from fairlead.statics import solve

from .systems import compiled, stirred, web

LINE = """
types: {rope: {diameter: 0.1, density: 2000, axial_stiffness: 1 MN%s}}
points: {A: {kind: fixed, position: [0, 0, -1]}, B: {kind: fixed, position: [1.5, 0, -1]}}
cables: {line: {type: rope, length: 2, elements: 2, start: A, end: B%s}}
simulation: {formulation: lumped, duration: 1, step: 0.01}
"""


@pytest.mark.parametrize(
    ("parts", "plain"),
    [
        (("", ""), True),
        ((", bending_stiffness: 100", ""), True),
        ((", vortices: {lift: 1}", ""), False),
        (("", ", winch: {end: start, rate: 0.1}"), False),
    ],
)
def test_what_a_system_has_decides(parts, plain):
    system = compiled(load_text(LINE % parts, "line.yaml"))
    assert is_plain(system.tables(system.initial_state())) == plain
    assert system.entry is (entries.run if plain else entries.run_rigged)


def test_steps_and_what_is_seen_are_the_same():
    states, rows = [], []
    for entry in (entries.run, entries.run_rigged):
        system = compiled(web())
        assert system.entry is entries.run
        system.entry = entry
        y, out = stirred(system), np.zeros(system.shape.size)
        assert system.advance(0.0, y, 200, 0.01, system.initial_inputs(), system.scheme) is None
        system.observe(2.0, y, system.initial_inputs(), 0.01, out)
        states.append(y)
        rows.append(out)
    for one, other in (states, rows):
        assert np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True)
    assert np.abs(states[0] - stirred(compiled(web()))).max() > 0.1


def test_an_equilibrium_is_the_same(monkeypatch):
    found = [solve(web())]
    monkeypatch.setattr(settling, "find_rest", settling.find_rest_rigged)
    found.append(solve(web()))
    one, other = (rest.dataset() for rest in found)
    for name in ("position", "tension_effective"):
        assert np.allclose(one[name], other[name], rtol=1e-9, atol=1e-9, equal_nan=True)
