"""The colour of a limit of a mooring line whose fairlead sways and whose fixes are lost now and then."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import load_text
from fairlead.simulate import Simulation
from fairlead.twin import Twin, read_twin
from fairlead.twin.driving import lags
from fairlead.twin.watching import LEVELS

SYSTEM = """
environment: {seabed: {depth: 80, stiffness: 300 kN/m^3, friction: 0.7}}
types:
  chain:
    {diameter: 0.143, mass_per_length: 126, axial_stiffness: 490 MN, added_mass: {normal: 1.0, axial: 0.1},
     drag: {normal: 1.3, axial: 0.6, axial_area: projected}}
points:
  anchor: {kind: fixed, position: [0, 0, -79.92]}
  fairlead: {kind: controlled, position: [365, 0, -10], cutoff: 20}
cables: {chain: {type: chain, length: 385, elements: 16, start: anchor, end: fairlead}}
simulation: {start: statics, duration: 60, step: 0.05}
"""
TWIN = """
system: mooring.yaml
clock: {rate: 2 Hz}
drive: {fairlead.position: {from: motions}}
sensors: {pull: {measures: chain.force_end, noise: 3 %, bias: 1 %}}
estimate: {members: 8, every: 10 s, predict: 0.5 s, parameters: {anchor: {of: anchor, towards: fairlead, sd: 1 m}}}
look_ahead: {horizon: 60 s, every: 30 s}
limits:
  - {tension: chain, above: LIMIT N}
"""
BEHIND = 2.0


def fairlead(t: float) -> np.ndarray:
    grown = min(t / 20.0, 1.0)
    surge = 1.2 * np.sin(2 * np.pi * t / 9.0) + 0.8 * np.sin(2 * np.pi * t / 12.5 + 1.0)
    return np.array([365.0 + grown * surge, 0.0, -10.0 + grown * 0.5 * np.cos(2 * np.pi * t / 9.0)])


@pytest.fixture(scope="module")
def truth() -> list[tuple[float, float]]:
    """Times and pulls of an anchor that is half a metre nearer."""
    system = load_text(SYSTEM, "mooring.yaml").with_values({"points.anchor.position": [0.5, 0.0, -79.92]})
    sim, found, lag = Simulation(system), [], lags(system)["fairlead.position"]
    for k in range(1, 181):
        t = 0.5 * k
        speeds = [(fairlead(x + 0.01) - fairlead(x - 0.01)) / 0.02 for x in (t - 0.5, t)]
        seen = sim.step(0.5, {"fairlead.position": fairlead(t) + lag * speeds[1]}, speeds={"fairlead.position": speeds})
        found.append((t, float(np.linalg.norm(seen["chain.force_end"]))))
    return found


@pytest.mark.parametrize(("share", "colours"), [(1.2, {"clear"}), (0.95, {"clear", "amber", "red"})])
def test_a_limit_that_is_not_reached_stays_clear_and_one_that_is_becomes_red(truth, share, colours):
    highest = max(pull for _, pull in truth)
    system = load_text(SYSTEM, "mooring.yaml")
    twin = Twin(read_twin(TWIN.replace("LIMIT", f"{share * highest:.0f}"), "twin.yaml"), system)
    rng, seen, off = np.random.default_rng(1), set(), []
    pulls = dict(truth)
    for t, pull in truth:
        if rng.uniform() > 0.1:
            twin.put("fairlead.position", fairlead(t), t)
        if rng.uniform() > 0.1:
            twin.put("pull", pull * (1.0 + 0.03 * rng.normal()), t)
        if t > BEHIND:
            now = twin.advance(t - BEHIND)
            seen.add(twin.alarms[0].level)
            if now.time > 30.0:
                off.append(float(np.linalg.norm(now.mean["chain.force_end"])) / pulls[now.time] - 1.0)
    assert seen <= colours
    assert (LEVELS[2] in seen) == (share < 1.0)
    assert np.sqrt(np.mean(np.square(off))) < 0.03


def test_fixes_too_noisy_to_tell_an_anchor_are_told_of_beside_it():
    for noise, words in ((0.0, ""), (0.05, "fixes are noisy")):
        twin = Twin(read_twin(TWIN.replace("LIMIT", "1e9"), "twin.yaml"), load_text(SYSTEM, "mooring.yaml"))
        rng = np.random.default_rng(2)
        for k in range(1, 121):
            twin.put("fairlead.position", fairlead(0.5 * k) + noise * rng.standard_normal(3), 0.5 * k)
        anchor = twin.advance(2.0).parameters["anchor"]
        assert words in anchor.words
        assert bool(anchor.noisy) == bool(words)
