"""The force a live simulation shows is that of the motion its inputs describe, however they are cut into steps."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.model import load_text

MOORING = """
environment: {seabed: {depth: 40, friction: 0.5}}
types: {chain: {diameter: 0.05, density: 6000, axial_stiffness: 5e7, damping_time: 0.01}}
points:
  ship: {kind: controlled, position: [0, 0, 0]}
  anchor: {kind: fixed, position: [60, 0, -39.97]}
cables: {line: {type: chain, length: 82, elements: 20, start: ship, end: anchor}}
simulation: {duration: 20, step: 0.02}
"""


STEP = 0.04
MOTION = (
    "motion: {harmonics: [{amplitude: [1.5, 0, 0], period: 8, ramp: 4}, {amplitude: [0, 0, 0.5], period: 5, ramp: 4}]}"
)


def live_force(formulation):
    """Force on the ship each 0.2 s, its place given anew at every step (time,)."""
    simulation = fl.Simulation(load_text(MOORING), formulation, step=STEP)
    seen = [np.linalg.norm(simulation.outputs()["line.force_start"])]
    for k in range(400):
        t = (k + 1) * STEP
        fade = min(1.0, t / 4.0) ** 2 * (3.0 - 2.0 * min(1.0, t / 4.0))
        place = (1.5 * fade * np.sin(2 * np.pi * t / 8.0), 0.0, 0.5 * fade * np.sin(2 * np.pi * t / 5.0))
        out = simulation.step(STEP, inputs={"ship.position": place})
        if (k + 1) % 5 == 0:
            seen.append(np.linalg.norm(out["line.force_start"]))
    return np.array(seen)


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_the_force_is_that_of_the_same_motion_in_the_file(formulation):
    """Both move the ship alike, with a taut mooring and a step of 0.04 s.

    An input that is held over a step brakes its point in the next one; shown as a force, that would be 10 % of it. What
    is shown is the force under the acceleration that the filter has at the moment.
    """
    ship = "kind: controlled, position: [0, 0, 0]"
    text = MOORING.replace(ship, f"{ship}, follow: filtered, {MOTION}")
    settings = {"step": STEP, "duration": 16.0, "output_every": 0.2}
    result = fl.Simulation(load_text(text), formulation, **settings).run()
    force = np.linalg.norm(result["force_end"].sel(cable="line", end="start").values, axis=-1)
    live = live_force(formulation)
    assert np.sqrt(np.mean((live - force)[20:] ** 2)) < 0.01 * force.mean()
