"""Every equilibrium is verified: all forces are evaluated again, by a fresh system, in the state that is reported."""

from pathlib import Path

import numpy as np
import pytest

from fairlead.exchange.opening import open_model
from fairlead.formulations import compile_system
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.simulate.outputs import Outputs
from fairlead.statics import Report, StaticsError, equilibrium, solve
from fairlead.statics.ladder import Ladder
from fairlead.statics.relaxation import Relaxation
from statics import systems

SEMI = Path(__file__).parents[2] / "examples" / "floating_semi" / "semi.yaml"


def fresh_residual(rest):
    """The largest force left over in an equilibrium, torques as forces on their levers [N]."""
    system = rest.compiled.linearised(0.0, rest.u)
    return float(np.abs(system.residual(rest.y) / system.levers).max())


def semi(position=(0.0, 0.0, 0.0), yaw=0.0):
    """The semi-submersible of the examples after the loss of chain_1."""
    whole = open_model(SEMI)[0]
    data = whole.model_dump(mode="json", exclude_unset=True)
    del data["cables"]["chain_1"], data["points"]["anchor_1"]
    data["bodies"]["platform"] |= {"position": list(position), "orientation_deg": [0.0, 0.0, yaw]}
    return System.model_validate(data, context={"source": whole.source})


def test_a_floater_that_relaxes_forgets_the_waves_it_made():
    """From its place before the loss the platform drifts to rest, from nearby Newton's method finds it: one place.

    A memory of the water's motion that is kept through relaxation pushes the platform 8 m aside.
    """
    far, near = solve(semi()), solve(semi((-20.0, -139.0, 0.0)))
    assert far.report.rung == "relaxation"
    assert near.report.rung == "newton"
    for rest in (far, near):
        assert fresh_residual(rest) == pytest.approx(rest.report.residual)
        assert rest.report.relative < 1e-9
    assert far.outputs["platform.position"] == pytest.approx(near.outputs["platform.position"], abs=1e-5)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_relaxed_state_has_no_memory_of_its_motion(formulation):
    """The forces that a step takes in a state found after relaxation are those of its shape, however short the step."""
    system = systems.standing_chain()
    data = system.model_dump(mode="json", exclude_unset=True)
    data["simulation"]["formulation"] = formulation
    system = System.model_validate(data)
    rest = solve(system)
    assert rest.report.rung == "relaxation"
    seen = []
    for step in (1e-5, 1e-2):
        row = rest.compiled.shape.empty_row()
        rest.compiled.look(0.0, rest.y, rest.u, step, row)
        seen.append(np.array(Outputs(0.0, row, rest.compiled.shape)["line.tension_effective"]))
    assert seen[0] == pytest.approx(seen[1], rel=1e-6, abs=1e-6 * seen[1].max())


def test_what_does_not_balance_is_not_reported(monkeypatch):
    """A search that takes any state for an equilibrium is found out, and the error says where and how much is left."""
    wrong = Report("newton", 1, 0, 0.0, 1e4, "nowhere", True)
    monkeypatch.setattr(equilibrium, "_searched", lambda system, y: (y, wrong))
    with pytest.raises(StaticsError, match="did not converge"):
        solve(systems.mooring())


def test_a_search_that_ends_early_goes_on(monkeypatch):
    """Where the forces found afresh do not balance, the search goes on from there."""
    whole, calls = equilibrium._searched, []

    def hasty(system, y):
        calls.append(1)
        return (y, Report("newton", 1, 0, 0.0, 1e4, "nowhere", True)) if len(calls) == 1 else whole(system, y)

    monkeypatch.setattr(equilibrium, "_searched", hasty)
    rest = solve(systems.mooring())
    assert len(calls) == 2
    assert fresh_residual(rest) < 1e-7 * rest.report.weight


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_thrust_is_no_equilibrium(formulation):
    """A chain that stands on end balances, but buckles at a touch: without time to fall over it is refused."""
    data = systems.standing_chain().model_dump(mode="json", exclude_unset=True)
    data["simulation"]["formulation"] = formulation
    data["types"]["wire"]["bending_stiffness"] = 1.0  # pushes, and is 2000 times too weak to stand
    system = System.model_validate(data)
    compiled = compile_system(system, first_geometry(system))
    still = compiled.linearised(0.0)
    with pytest.raises(StaticsError, match=r"in thrust of .* buckles"):
        Ladder(still, still.placed(compiled.initial_state()), 0).climb()


def test_relaxation_passes_an_unstable_balance_by(monkeypatch):
    """Newton's method after relaxation may end in a fold; the motion goes on until the balance is stable."""
    system = systems.standing_chain()
    compiled = compile_system(system, first_geometry(system))
    still = compiled.linearised(0.0)
    upright = still.placed(compiled.initial_state())
    whole, rounds = Relaxation.run, []

    def idle_once(self, steps):
        rounds.append(steps)
        if len(rounds) == 1:
            push = np.random.default_rng(1).normal(size=still.size)
            self.nudged = still.displaced(self.y, 1e-3 * push / still.levers)
            return True
        self.y = self.nudged if len(rounds) == 2 else self.y
        return whole(self, steps)

    monkeypatch.setattr(Relaxation, "run", idle_once)
    ladder = Ladder(still, upright, None)
    found = ladder._relaxed(upright)
    assert len(rounds) > 1
    assert ladder._stable
    assert np.isfinite(found).all()
