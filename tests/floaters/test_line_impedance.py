"""Lines as force over motion: a closed form, runs in which the lines are moved, and a floater in waves."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.statics import solve
from fairlead.statics.impedance import REGULAR, LineImpedance
from fairlead.studies.floater import of_system
from fairlead.studies.verification.checks import floater_on_lines as chains
from fairlead.studies.verification.platforms import SEMI, amplitude, body

ALIVE = np.ix_([0, 2, 4], [0, 2, 4])
HELD = {"kind": "prescribed", "position": [0, 0, 0]}


def lines(system: fl.System) -> LineImpedance:
    return LineImpedance(solve(system), "p")


def test_a_taut_line_has_the_axial_dynamic_stiffness_of_the_closed_form():
    """EA κ cot κL, κ = ω √(m/EA), of a line in air straight down from the body."""
    length, stiffness, mass = 100.0, 1e6, 10.0
    system = fl.System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"wire": {"diameter": 0.05, "mass_per_length": mass, "axial_stiffness": stiffness}},
            "points": {"low": {"kind": "fixed", "position": [0, 0, -1.05 * length]}},
            "bodies": {"p": {**HELD, "attachments": {"low_side": [0, 0, 0]}}},
            "cables": {"line": {"type": "wire", "length": length, "elements": 50, "start": "low", "end": "p.low_side",
                                "allow_stretch": True}},
            "simulation": {"formulation": "lumped", "duration": 1, "step": 0.01},
        }
    )  # fmt: skip
    found = lines(system)
    for angle in (0.3, 1.0, 2.0, 2.8):
        omega = angle / length * math.sqrt(stiffness / mass)
        exact = stiffness / length * angle / math.tan(angle)
        assert found.at(omega)[0][2, 2].real == pytest.approx(exact, rel=0.002)


def test_chains_are_to_a_floater_what_runs_measure_that_move_them():
    """At 8 s their stiffness in surge is negative: at rest it is 71 kN/m."""
    omega = 0.78
    known = chains.impedance(omega)[ALIVE]
    found = lines(chains.on_chains(HELD, 0.1, 1.0)).at(omega)[0][ALIVE]
    size = np.sqrt(np.abs(np.diag(known)))
    assert np.abs((found - known).real / np.outer(size, size)).max() < 0.005
    assert found[0, 0].real < -9e4


@pytest.mark.slow
def test_drag_is_linearised_to_the_work_it_does_in_a_run(monkeypatch):
    """Heave of 1 m at 10 s: what is out of phase with the motion, against a run."""
    omega, moved = 2.0 * np.pi / 10.0, 1.0
    monkeypatch.setattr(chains, "MOTIONS", {"heave": 2})
    monkeypatch.setattr(chains, "MOVED", (1.0, 1.0, moved, 1e-3, 1e-3, 1e-3))
    known = chains.impedance.__wrapped__(omega)[2, 2]
    line = lines(chains.on_chains(HELD, 0.1, 1.0))
    speeds = tuple(np.full(len(line.strips.normal), 0.3) for _ in range(2))
    for _ in range(30):
        _, shape = line.at(omega, speeds)
        new = (REGULAR * omega * moved * part for part in line.moves(shape[:, 2]))
        speeds = tuple(0.5 * (old + now) for old, now in zip(speeds, new, strict=True))
    found = line.at(omega, speeds)[0][2, 2]
    assert found.imag == pytest.approx(known.imag, rel=0.15)
    assert found.real == pytest.approx(known.real, rel=0.05)


@pytest.mark.slow
def test_responses_on_lines_are_those_of_the_run():
    """A semi-submersible on chains in waves of 8 s: with the chains' stiffness at rest alone, pitch was 2 % off."""
    omega = 0.78
    period = 2.0 * np.pi / omega
    step = period / round(period / 0.1)
    waves = {"kind": "regular", "height": chains.HEIGHT, "period": period, "ramp": 30 * period}
    system = chains.on_chains(body([SEMI], 0, chains.LIFT, moored=False), step, 80 * period, waves=waves)
    result = fl.simulate(system)
    (report,), (still,) = of_system(system), of_system(system, dynamic_lines=False)
    off, off_still = [], []
    for motion, i in chains.MOTIONS.items():
        found = abs(amplitude(result[f"p.{motion}"].values, result["time"].values, omega, 20)) / (0.5 * chains.HEIGHT)
        for table, errors in ((report.moored, off), (still.moored, off_still)):
            at = np.interp(omega, report.omega, np.abs(table[:, i]))
            errors.append(abs(at / found - 1.0))
    assert max(off) < 0.006
    assert max(off_still) > 0.015
