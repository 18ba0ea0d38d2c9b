"""Rigid links: a pendulum, the exact static shape, energy, lengths, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fairlead as fl
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.results import energy_balance
from fairlead.studies.verification.checks.chain_singular_values import example


def hanging(elements=6, points=None, environment=None, **settings):
    """A chain of 6 m between two points; parts may be replaced."""
    return fl.System.model_validate(
        {
            "environment": {"water_density": 0.0} | (environment or {}),
            "types": {
                "links": {
                    "diameter": 0.03,
                    "mass_per_length": 5.0,
                    "axial_stiffness": 1e8,
                    "drag": {"normal": 1, "axial": 0},
                }
            },
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, -2]},
                "B": {"kind": "controlled", "position": [4, 1, -1.5], "cutoff": 1e3},
            }
            | (points or {}),
            "cables": {"chain": {"type": "links", "length": 6.0, "elements": elements, "start": "A", "end": "B"}},
            "simulation": {"start": "catenary", "formulation": "chain", "duration": 1.0, "step": 0.005} | settings,
        }
    )


SWING = {"harmonic": {"amplitude": [0.5, 0.4, 0.3], "period": 3.0, "ramp": 1.0}}
MOVED = {"B": {"kind": "controlled", "position": [4, 1, -1.5], "cutoff": 1e3, "motion": SWING}}


def test_one_link_swings_as_a_rod():
    """2 pi sqrt(2L/3g) for a uniform rod let go at 0.01 rad; half a period takes it to the other side."""
    angle = 0.01
    tip = {"B": {"kind": "free", "position": [6 * math.sin(angle), 0, -2 - 6 * math.cos(angle)]}}
    half = math.pi * math.sqrt(2 * 6.0 / 3 / 9.81)
    sim = fl.Simulation(hanging(1, tip))
    assert sim.step(half)["B.position"][0] == pytest.approx(-6 * math.sin(angle), rel=1e-4)


def test_the_static_shape_is_exact():
    """tan(slope) of link k = (V + w a (k - 1/2))/H, and the ends carry the weight."""
    out = fl.Simulation(hanging(8)).outputs()
    chords = np.diff(out["chain.position"], axis=0)
    slopes = chords[:, 2] / np.hypot(chords[:, 0], chords[:, 1])
    H = np.hypot(*np.asarray(out["chain.force_start"])[:2])
    assert np.diff(slopes) == pytest.approx(5.0 * 9.81 * 6.0 / 8 / H, rel=1e-9)
    assert -(out["chain.force_start"][2] + out["chain.force_end"][2]) == pytest.approx(5.0 * 9.81 * 6.0)


SEA = {"water_density": 1025.0, "current": [{"z": 0, "velocity": [0.4, 0.3, 0]}]}
WAVES = {"kind": "regular", "height": 1.0, "period": 4.0, "direction_deg": 40.0, "ramp": 2.0}


@pytest.mark.parametrize("environment", [{}, SEA, SEA | {"waves": WAVES}], ids=["air", "sea", "waves"])
def test_energy_balances_and_links_keep_their_lengths(environment):
    result = fl.Simulation(hanging(10, MOVED, environment, duration=5.0)).run()
    assert result.attrs["status"] == "complete"
    assert energy_balance(result).error < 1e-7
    lengths = np.linalg.norm(np.diff(result["position"].values[:, 0], axis=1), axis=-1)
    assert lengths == pytest.approx(0.6, abs=1e-12)


def test_a_fast_end_motion_of_two_sines():
    """The paper's fast case, 40 links after 2 s (independent solution)."""
    slow = example(40, duration=2.0)
    wave = {"amplitude": [3.0, 0.0, 0.0], "period": 2 * math.pi / 1.5, "phase_deg": 90.0, "ramp": 0.0}
    lift = {"amplitude": [0.0, 0.0, 2.0], "period": 2 * math.pi / 0.75, "phase_deg": 90.0, "ramp": 0.0}
    data = slow.model_dump(exclude_none=True)
    data["points"]["B"]["motion"] = {"harmonics": [wave, lift]}
    result = fl.Simulation(fl.System.model_validate(data)).run()
    places = result["position"].values[-1, 0][[10, 20, 30, 40]][:, [0, 2]]
    known = np.array([[10.7539, -4.4899], [21.6291, -1.7659], [28.0745, 8.0129], [34.0300, 18.1415]])
    assert places == pytest.approx(known, abs=3e-4)


def test_ends_pulled_apart_stop_the_run():
    """At 0.5 m/s the end is out of reach after 4 s."""
    away = {"table": [[0, 0, 0, 0], [10, 5, 0, 0]]}
    points = {"B": {"kind": "controlled", "position": [4, 1, -1.5], "motion": away}}
    result = fl.Simulation(hanging(6, points, duration=6.0)).run()
    assert "further apart than the chain is long" in result.attrs["status"]
    assert 3.0 < float(result.time[-1]) < 4.5
    assert np.isfinite(result["position"].values).all()


def test_a_chain_too_short_is_refused():
    with pytest.raises((UnsupportedSystem, fl.ModelError), match="long"):
        fl.Simulation(hanging(6, {"B": {"kind": "fixed", "position": [7, 0, -2]}}))


def test_bending_stiffness_is_refused():
    system = hanging(6).model_dump(exclude_none=True)
    system["types"]["links"]["bending_stiffness"] = 10.0
    with pytest.raises(UnsupportedSystem, match="bending stiffness"):
        fl.Simulation(fl.System.model_validate(system))
