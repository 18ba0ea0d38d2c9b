"""Energy of a cable that is twisted, against closed forms: the ledger closes by construction and proves nothing."""

import numpy as np
import pytest

from fairlead.model import System
from fairlead.simulate import Simulation

GJ, TORQUE, INERTIA = 30.0, 3.0, 2.0
LENGTH = 7.5
"""m from the clamp to the middle of the last link, which is clamped to the end body."""
LINE_INERTIA = 3.5 * 0.05**2 / 8.0
"""kg m²/m of the line about its own axis."""


def straight(**parts):
    """Eight metres straight down in empty space, a body at the end that turns with the last link."""
    damping = {"axial": 0.01, "bending": 0.02} | parts.pop("damping_time", {})
    settings = {"report_angles": True} | parts.pop("links", {})
    data = {
        "environment": {"water_density": 0.0, "gravity": 0.0},
        "types": {
            "rope": {"diameter": 0.05, "mass_per_length": 3.5, "axial_stiffness": 1e6, "bending_stiffness": 40.0,
                     "torsional_stiffness": GJ, "drag": "none", "damping_time": damping},
        },
        "points": {
            "A": {"kind": "fixed", "position": [0, 0, -5]},
            "B": {"kind": "free", "position": [0, 0, -13], "mass": 12.0, "inertia": INERTIA},
        },
        "cables": {
            "rope": {"type": "rope", "length": 8, "elements": 8, "start": {"point": "A", "joint": "clamp"},
                     "end": {"point": "B", "joint": "clamp"}},
        },
        "simulation": {"formulation": "links", "start": "catenary", "duration": 100.0, "step": 0.01, "links": settings},
    }  # fmt: skip
    return Simulation(System.model_validate(data | parts))


def test_a_torque_at_the_end_stores_half_of_its_work_and_the_other_half_is_damped():
    """θ = ML/GJ; stored ½GJθ²/L, given Mθ, damped the rest, once the end that was let go has come to rest."""
    simulation = straight(loads=[{"point": "B", "torque": [0, 0, -TORQUE]}], damping_time={"torsion": 0.5})
    out = simulation.step(60.0)
    angle = TORQUE * LENGTH / GJ
    stored = 0.5 * GJ * angle**2 / LENGTH
    assert float(out["twist_8"]) == pytest.approx(angle, rel=1e-6)
    assert float(out["energy_elastic"]) == pytest.approx(stored, rel=1e-6)
    assert float(out["work_drives"]) == pytest.approx(TORQUE * angle, rel=1e-6)
    assert float(out["work_damping"]) == pytest.approx(stored - TORQUE * angle, rel=1e-6)
    assert float(out["energy_kinetic"]) == pytest.approx(0.0, abs=1e-9)


def test_an_end_let_go_trades_its_twist_for_speed_and_back():
    """½GJθ²/L goes to and fro as cos² and sin² of ωt, ω² = GJ/(L I), a third of the line's inertia with the end's."""
    start = 20.0 * (np.arange(8) + 0.5) / LENGTH
    simulation = straight(links={"start_twist_deg": start.tolist()})
    stored = 0.5 * GJ * np.radians(20.0) ** 2 / LENGTH
    assert float(simulation.outputs()["energy_elastic"]) == pytest.approx(stored, rel=1e-9)
    half_link = 0.5 * LINE_INERTIA
    inertia = INERTIA + LINE_INERTIA * LENGTH / 3.0 + half_link
    period = 2.0 * np.pi * np.sqrt(inertia * LENGTH / GJ)
    for part in (1 / 8, 1 / 4, 1 / 2, 7 / 8):
        out = simulation.step(part * period - simulation.time)
        elastic, kinetic = float(out["energy_elastic"]), float(out["energy_kinetic"])
        assert elastic + kinetic == pytest.approx(stored, rel=1e-9)
        assert elastic / stored == pytest.approx(np.cos(2.0 * np.pi * part) ** 2, abs=1e-3)
        assert float(out["twist_8"]) == pytest.approx(np.radians(20.0) * np.cos(2.0 * np.pi * part), abs=1e-3)
    assert float(out["work_damping"]) == pytest.approx(0.0, abs=1e-9)


def test_torsion_goes_through_a_point_between_two_cables_of_one_chain():
    """The torque at the end is that of every joint before it, whichever cable tells of it."""
    clamp = {"joint": "clamp"}
    line = {"type": "rope", "length": 4, "elements": 4}
    out = straight(
        points={
            "A": {"kind": "fixed", "position": [0, 0, -5]},
            "M": {"kind": "free", "position": [0, 0, -9]},
            "B": {"kind": "free", "position": [0, 0, -13], "mass": 12.0, "inertia": INERTIA},
        },
        cables={
            "upper": line | {"start": {"point": "A", **clamp}, "end": {"point": "M", **clamp}},
            "lower": line | {"start": {"point": "M", **clamp}, "end": {"point": "B", **clamp}},
        },
        loads=[{"point": "B", "torque": [0, 0, -TORQUE]}],
        damping_time={"torsion": 0.5},
    ).step(60.0)
    assert np.asarray(out["upper.torsion"]) == pytest.approx(np.full(5, TORQUE), rel=1e-6)
    assert np.asarray(out["lower.torsion"]) == pytest.approx(np.full(5, TORQUE), rel=1e-6)


def test_a_torque_along_the_end_twists_a_line_in_any_direction():
    """θ = ML/GJ of a line that runs obliquely, under a torque along it."""
    axis = np.array([1.0, 2.0, -2.0]) / 3.0
    place = np.array([0.0, 0.0, -5.0]) + 8.0 * axis
    simulation = straight(
        points={
            "A": {"kind": "fixed", "position": [0, 0, -5]},
            "B": {"kind": "free", "position": place.tolist(), "mass": 12.0, "inertia": INERTIA},
        },
        loads=[{"point": "B", "torque": (TORQUE * axis).tolist()}],
        damping_time={"torsion": 0.5},
    )
    out = simulation.step(60.0)
    assert float(out["twist_8"]) == pytest.approx(TORQUE * LENGTH / GJ, rel=1e-6)


@pytest.mark.parametrize(("integrator", "step"), [("auto", 0.01), ("rk4", 0.002)])
def test_twist_decays_by_its_damping_time(integrator, step):
    """θ₀ e^(−τω²t/2) cos ωt of the end let go, ω² = GJ/(L I); what is lost is what damping took."""
    time, end, first = 0.01, 0.2, np.radians(20.0)
    start = 20.0 * (np.arange(8) + 0.5) / LENGTH
    simulation = straight(
        points={
            "A": {"kind": "fixed", "position": [0, 0, -5]},
            "B": {"kind": "free", "position": [0, 0, -13], "mass": 12.0, "inertia": end},
        },
        damping_time={"torsion": time},
        simulation={
            "formulation": "links",
            "start": "catenary",
            "duration": 100.0,
            "step": step,
            "integrator": integrator,
            "links": {"report_angles": True, "start_twist_deg": start.tolist()},
        },
    )
    omega = np.sqrt(GJ / LENGTH / (end + LINE_INERTIA * LENGTH / 3.0 + 0.5 * LINE_INERTIA))
    rate = 0.5 * time * omega**2
    turning = np.sqrt(omega**2 - rate**2)
    for part in (0.5, 1.0, 2.0):
        out = simulation.step(part * 2.0 * np.pi / turning - simulation.time)
        left = np.exp(-rate * simulation.time)
        assert float(out["twist_8"]) / first == pytest.approx(np.cos(2.0 * np.pi * part) * left, abs=2e-3)
        stored = 0.5 * GJ * first**2 / LENGTH
        assert float(out["work_damping"]) == pytest.approx(stored * (left**2 - 1.0), rel=1e-2)
