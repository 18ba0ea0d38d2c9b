"""From one equilibrium to the next in compiled code: the same as the search that knows nothing of the place before."""

import numpy as np
import pytest

from fairlead.formulations import compile_system, held_still
from fairlead.model import load_text
from fairlead.shape.layout import first_geometry
from fairlead.simulate.outputs import Outputs
from fairlead.statics import settle, solve
from fairlead.statics.stiffness import held
from statics import systems
from statics.test_stiffness import FORMULATIONS, moored

NET = """
environment: {seabed: {depth: 40}, current: [{z: 0, velocity: [0.3, 0.2, 0]}]}
types: {rope: {diameter: 0.04, density: 1500, axial_stiffness: 1e6, bending_stiffness: 50}}
points:
  A: {kind: anchor, position: [40, 0]}
  B: {kind: anchor, position: [-40, 10]}
  ship: {kind: controlled, position: [0, 30, 0]}
  knot: {kind: free, position: [0, 0, -12], mass: 20, volume: 0.1}
bodies:
  float: {kind: free, position: [5, 8, -6], mass: 200, inertia: [40, 40, 40], volume: 0.6,
    centre_of_buoyancy: [0, 0, 0.3], attachments: {left: [-1, 0, 0], right: [1, 0, 0]}}
cables:
  a: {type: rope, length: 55, elements: 6, start: A, end: knot}
  b: {type: rope, length: 55, elements: 6, start: knot, end: B}
  c: {type: rope, length: 14, elements: 4, start: knot, end: float.left}
  d: {type: rope, length: 28, elements: 5, start: float.right, end: ship}
simulation: {duration: 10, step: 0.05, formulation: %s}
"""


def nodes(compiled, y, u):
    """Where all nodes are in a state."""
    row = compiled.shape.empty_row()
    compiled.look(0.0, y, u, 0.05, row)
    outputs = Outputs(0.0, row, compiled.shape)
    return np.vstack([np.array(outputs[f"{name}.position"]) for name in compiled.shape.cables])


def shape(rest):
    return nodes(rest.compiled, rest.y, rest.u)


@pytest.fixture(scope="module", params=FORMULATIONS)
def formulation(request):
    return request.param


@pytest.fixture(scope="module")
def clamped(formulation):
    """Chains that bend, clamped to a body, on the bed and in a current."""
    return solve(moored(formulation, ei=2e5, joint="clamp"))


@pytest.fixture(scope="module")
def net(formulation):
    """A free point and a free body between cables, of which one pulls from elsewhere."""
    return solve(load_text(NET % formulation))


@pytest.mark.parametrize("place", [(0.8, 0.6, -1), (-3.0, 4.0, 0.0), (4.0, 0, -1, 0.05, -0.1, 0.2)])
def test_a_moved_body(clamped, place):
    away = clamped.at({"hull": place})
    y, _ = settle(clamped.compiled, clamped.y, away.u)
    assert away.report.stable
    assert away.report.relative < 1e-9
    assert away.report.rung == "newton"
    assert shape(away) == pytest.approx(nodes(clamped.compiled, y, away.u), abs=1e-7)


def test_a_net_with_a_free_body_follows(net):
    away = net.at({"ship": (3.0, 32.0, 0.0)})
    y, _ = settle(net.compiled, net.y, away.u)
    assert shape(away) == pytest.approx(nodes(net.compiled, y, away.u), abs=1e-7)
    assert shape(away) != pytest.approx(shape(net), abs=0.1)


def test_there_and_back_is_where_it_was(net):
    """Equilibria that share one search do not disturb one another."""
    away = net.at({"ship": (3.0, 32.0, 0.0)})
    further = away.at({"ship": (4.0, 33.0, 1.0)})
    assert shape(away.at({"ship": (0.0, 30.0, 0.0)})) == pytest.approx(shape(net), abs=1e-7)
    assert shape(net.at({"ship": (3.0, 32.0, 0.0)})) == pytest.approx(shape(away), abs=1e-7)
    assert shape(net.at({})) == pytest.approx(shape(net), abs=1e-7)
    assert further.stiffness("ship") != pytest.approx(away.stiffness("ship"), rel=1e-3)


@pytest.mark.parametrize("place", ["hull", "hull.b"])
def test_stiffness_in_compiled_code_is_that_of_the_whole_matrix(clamped, place):
    away = clamped.at({"hull": (0.5, 0.0, -1.0)})
    expected = away.held(place).stiffness
    assert away.stiffness(place) == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())


@pytest.mark.parametrize("place", ["ship", "knot", "float"])
def test_and_so_is_that_of_free_places(net, place):
    away = net.at({"ship": (0.5, 30.0, 0.0)})
    expected = away.held(place).stiffness
    assert away.stiffness(place) == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["taut_line", "mooring", "ring_net", "moored_buoy"])
def test_a_first_shape_settles_in_compiled_code_too(formulation, name, monkeypatch):
    """The same steps from the same start as the search in Python, which systems of many points are left to: the same
    number of them, the same shape."""
    system = systems.EVERYDAY[name]().with_settings(formulation=formulation)
    compiled = compile_system(system, first_geometry(system))
    still = compiled.linearised()
    found = still.search(still.placed(compiled.initial_state()))
    monkeypatch.setattr(held_still, "LARGEST_BORDER", 0)
    assert compiled.linearised().search(still.placed(compiled.initial_state())) is None
    y, report = settle(compiled, compiled.initial_state())
    assert found is not None
    assert abs(found.iterations - report.iterations) <= 1
    u = compiled.initial_inputs()
    assert nodes(compiled, still.settled(found.y), u) == pytest.approx(nodes(compiled, y, u), abs=1e-6)


@pytest.mark.parametrize("matrix", ["tangent", "bordered_tangent", "mass"])
def test_matrices_of_many_points_are_those_of_few(net, matrix, monkeypatch):
    """Where hubs are very many, only what each feels of itself is kept room for."""
    few = getattr(net.compiled.linearised(0.0, net.u), matrix)(net.y).toarray()
    monkeypatch.setattr(held_still, "LARGEST_BORDER", 0)
    many = net.compiled.linearised(0.0, net.u)
    assert getattr(many, matrix)(net.y).toarray() == pytest.approx(few, rel=1e-12, abs=1e-12 * np.abs(few).max())
    assert many._rest._matrix.border.shape[1] == many._block
    assert many._rest._matrix.reduced.size == 0


def test_what_is_unstable_is_not_taken(formulation):
    """A chain upright on its support balances; the compiled search does not call that an equilibrium."""
    system = systems.standing_chain().with_settings(formulation=formulation)
    compiled = compile_system(system, first_geometry(system))
    still = compiled.linearised()
    assert still.search(still.placed(compiled.initial_state())) is None


def test_held_of_a_moved_system(net):
    still = net.compiled.linearised(0.0, net.u)
    assert held(net.system, still, net.y, "ship").mass is None
    assert held(net.system, still, net.y, "knot").mass.shape == (3, 3)
