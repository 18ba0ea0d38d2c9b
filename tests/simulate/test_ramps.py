"""Inputs go from the last values to the new ones within a step: a tow point commanded once a second."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import InputError, Simulation

SPEED = 2.2
TOW = """
types: {cable: {diameter: 20 mm, density: 2500, youngs_modulus: 50 GPa, drag: {normal: 1.2, axial: 0.02}}}
points:
  stern: {kind: controlled, position: [0, 0, 0], velocity: [2.2, 0, 0]}
  tail: {kind: free, position: [0, 0, -200]}
cables: {tow: {type: cable, length: 200, elements: 8, start: stern, end: tail}}
simulation: {start: statics, duration: 60, step: 0.1}
"""


@pytest.fixture(scope="module")
def tow() -> Simulation:
    return Simulation(load_text(TOW))


def commanded(sim: Simulation, seconds: int, **how) -> np.ndarray:
    """Pull at the stern [N] after each second of a steady tow that is commanded once a second."""
    pulls = []
    for k in range(1, seconds + 1):
        seen = sim.step(1.0, {"stern.position": (SPEED * k, 0.0, 0.0)}, **how)
        pulls.append(float(np.linalg.norm(seen["tow.force_start"])))
    return np.array(pulls)


def test_a_tow_point_commanded_once_a_second_pulls_as_in_the_steady_tow_and_a_stair_does_not(tow):
    steady = float(np.linalg.norm(tow.outputs()["tow.force_start"]))
    start = tow.state
    ramped = commanded(tow, 30)[-10:]
    tow.set_state(0.0, start, {"stern.position": None})
    stair = commanded(tow, 10, hold=True)[-5:]
    tow.set_state(0.0, start, {"stern.position": None})
    assert ramped == pytest.approx(steady, rel=2e-3)
    assert stair.max() < 0.5 * steady


def test_held_commands_jerk_a_tow_that_its_file_moves_evenly_and_ramped_ones_do_not(tow):
    """The same tow, moved by its file (known motion) and by commands once a second, looked at ten times a second."""
    start, pulls = tow.state, {}

    def pull(seen) -> float:
        return float(np.linalg.norm(seen["tow.force_start"]))

    pulls["file"] = [pull(tow.step(0.1)) for _ in range(60)]
    for how, hold in (("ramped", False), ("held", True)):
        tow.set_state(0.0, start, {"stern.position": None})
        seen = []
        for k in range(60):
            along = k // 10 + 1.0 if hold else 0.1 * (k + 1)  # as one command a second is: at once, or on the way
            seen.append(pull(tow.step(0.1, {"stern.position": (SPEED * along, 0.0, 0.0)}, hold=hold)))
        pulls[how] = seen
    tow.set_state(0.0, start, {"stern.position": None})
    file, ramped, held = (np.array(pulls[how]) for how in ("file", "ramped", "held"))
    assert np.ptp(file) < 1e-3 * file.mean()
    assert ramped[20:] == pytest.approx(file[20:], rel=0.01)
    assert held[20:].max() > 2.0 * file.mean()
    assert held[29::10].max() < 0.5 * file.mean(), "what was read once a second, before the next command"


def test_the_way_is_a_cubic_where_speeds_are_given_and_keeps_to_them(tow):
    """Along x = 2.2 t + 0.05 t², whose speeds are known, the cubic is that very curve, and so is the pull."""
    start, along = tow.state, {}
    for dt in (2.0, 0.1):
        for k in range(1, round(4.0 / dt) + 1):
            t = k * dt
            speeds = {"stern.position": ((SPEED + 0.1 * (t - dt), 0, 0), (SPEED + 0.1 * t, 0, 0))}
            seen = tow.step(dt, {"stern.position": (SPEED * t + 0.05 * t * t, 0.0, 0.0)}, speeds=speeds)
        along[dt] = (*seen["stern.position"], *seen["stern.velocity"], *seen["tow.force_start"])
        tow.set_state(0.0, start, {"stern.position": None})
    assert along[2.0] == pytest.approx(along[0.1], rel=1e-9, abs=1e-9)


def test_speeds_are_two_for_every_number(tow):
    before = tow.state
    with pytest.raises(InputError, match="at the beginning and at the end"):
        tow.step(1.0, {"stern.position": (0, 0, 0)}, speeds={"stern.position": (1, 2, 3)})
    assert np.array_equal(tow.state, before)
    assert tow.inputs["stern.position"] is None
