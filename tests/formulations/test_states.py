"""States that are damaged or made up are refused before a kernel takes a count or an index from them."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.results import ResultError
from fairlead.rigging.states import Bound, StateRules, UnitVector
from fairlead.simulate import Simulation

LOWERING = """
environment: {{water_density: 0}}
types: {{wire: {{diameter: 0.03, mass_per_length: 4, axial_stiffness: 2e6}}}}
points:
  crane: {{kind: fixed, position: [0, 0, 5]}}
  load: {{kind: free, position: [0, 0, -5], mass: 500}}
{ring}cables:
  wire: {{type: wire, length: 10, elements: 4, start: crane, end: load, winch: {{end: {drum}, length_max: 20}}}}
{tail}simulation: {{formulation: {formulation}, start: catenary, duration: 1, step: 0.01, output_every: 0.1}}
"""
WINCHES = ["bars", "lumped", "multibody"]


def lowering(formulation: str, drum: str = "start", ring: str = "", tail: str = "") -> Simulation:
    return Simulation(load_text(LOWERING.format(formulation=formulation, drum=drum, ring=ring, tail=tail)))


@pytest.fixture(scope="module")
def simulations():
    found = {name: lowering(name) for name in WINCHES}
    for simulation in found.values():
        simulation.step(0.05, {"wire.winch.rate": 1.0})
    return found


@pytest.mark.parametrize("formulation", WINCHES)
def test_a_state_that_was_reached_is_one_and_a_wrong_count_is_none(simulations, formulation):
    sim = simulations[formulation]
    compiled, y = sim.compiled, sim.state
    assert compiled.check_state(y) is None
    count = next(b.place for b in compiled.state_rules().bounds if "elements of cable 'wire' off its winch" in b.what)
    assert y[count] == 4
    for wrong in (0.0, -1.0, 99.0, 4.5, 1e300):
        bad = y.copy()
        bad[count] = wrong
        assert "the number of elements of cable 'wire' off its winch is" in compiled.check_state(bad)
        with pytest.raises(ValueError, match="this is no state of the system"):
            sim.state = bad
    assert np.array_equal(sim.state, y)


@pytest.mark.parametrize("formulation", WINCHES)
def test_every_number_that_bounds_memory_is_named(simulations, formulation):
    """A number that is none is refused anywhere; a huge one wherever a count, an index, a flag or a length stands."""
    compiled, y = simulations[formulation].compiled, simulations[formulation].state
    rules = compiled.state_rules()
    bounded = {b.place for b in rules.bounds} | {u.place + i for u in rules.units for i in range(u.width)}
    for place in range(len(y)):
        bad = y.copy()
        bad[place] = np.nan
        assert "is not finite" in compiled.check_state(bad)
        bad[place] = 1e12
        assert (compiled.check_state(bad) is not None) == (place in bounded)


@pytest.mark.parametrize(("drum", "at"), [("start", 8), ("end", 2)])
def test_a_ring_sits_on_line_that_is_out(drum, at):
    """Four elements of it, whichever end the drum is at; more as it is paid out."""
    points = f"  ring: {{kind: sliding, cable: wire, at: {at}, mass: 5}}\n"
    points += "  side: {kind: fixed, position: [3, 0, 0]}\n"
    tail = "  tail: {type: wire, length: 4, elements: 1, start: ring, end: side}\n"
    compiled = lowering("bars", drum, points, tail).compiled
    rule = next(b for b in compiled.state_rules().bounds if "that a ring is on" in b.what)
    y = compiled.initial_state()
    assert compiled.check_state(y) is None

    def allowed() -> list[int]:
        found = []
        for bar in range(-2, 30):
            y[rule.place] = bar
            found += [bar] if compiled.check_state(y) is None else []
        return found

    four = allowed()
    assert len(four) == 4
    y[rule.count] = 5
    assert set(allowed()) == set(four) | {four[0] - 1 if drum == "start" else four[-1] + 1}


@pytest.mark.parametrize("formulation", ["links", "tether"])
def test_first_states_obey_their_own_rules(formulation):
    text = LOWERING.format(formulation=formulation, drum="start", ring="", tail="")
    text = text.replace(", winch: {end: start, length_max: 20}", "")
    text = text.replace("kind: free, position: [0, 0, -5], mass: 500", "kind: fixed, position: [3, 0, -4]")
    compiled = Simulation(load_text(text)).compiled
    y = compiled.initial_state()
    assert compiled.check_state(y) is None
    assert "has shape" in compiled.check_state(y[:-1])


def test_rules_move_with_a_state_inside_another():
    rules = StateRules((Bound(1, "the count", 1, 3), Bound(0, "the index", 0, -1, count=1, high_slope=1.0)),
                       (UnitVector(2, 3, "the direction"),))  # fmt: skip
    y = np.array([0.0, 2.0, 0.6, 0.8, 0.0])
    larger = np.concatenate([[9.0, 9.0], y])
    assert rules.fault(y) is None
    assert rules.moved(2).fault(larger) is None
    larger[2] = 2.0
    assert rules.moved(2).fault(larger) == "the index is 2, and must be a whole number from 0 to 1"
    larger[2:5] = 1.0, 2.0, 0.5
    assert rules.moved(2).fault(larger) == "the direction has the length 0.943398, and must have 1"


def test_a_damaged_count_in_a_result_is_refused_when_the_run_is_resumed(tmp_path, monkeypatch):
    """Written by someone who knows how to hash it, too."""
    output = tmp_path / "run.nc"
    sim = lowering("lumped")
    count = next(b.place for b in sim.compiled.state_rules().bounds if "off its winch" in b.what)

    with monkeypatch.context() as patch:
        damaged = property(lambda self: np.where(np.arange(len(self._y)) == count, 1e6, self._y))
        patch.setattr(Simulation, "state", damaged)
        sim.run(duration=0.2, output=output)
    with pytest.raises(ResultError, match=r"run.nc: cannot resume, this is no state .* off its winch is 1e\+06"):
        lowering("lumped").run(duration=0.4, output=output, resume=True)
