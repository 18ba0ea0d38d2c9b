"""What a run tells its user: slack with too coarse a step, the damped form in use, places and causes of faults."""

import re

import pytest

import fairlead as fl
from fairlead.rigging.string_note import string_note
from fairlead.studies.verification.checks.axial_step import pulled_cable


def bouncing_cable(step, theta=1.0):
    """A cable pulled with 10 kN, let go for 0.1 s, in which it springs back and loses its tension, and pulled again."""
    system = pulled_cable(step, theta).system.to_dict()
    system["loads"][0]["table"] = [[0.0, 1.0], [0.3, 1.0], [0.31, 0.0], [0.41, 0.0], [0.42, 1.0]]
    system["simulation"]["output_every"] = 0.1
    system["simulation"]["bars"] = {"scheme": "first_order", "theta": theta, "compression": "none"}
    return fl.simulate(fl.System.model_validate(system))


def test_slack_with_a_coarse_step_is_warned_of():
    """Its axial period is 0.26 s; the springs of its elements are much faster."""
    note = r"cables\.wire: lost its tension first at t = 0.* is ([\d.]+) kN with a tenth of the step, and so (\d+)"
    found = re.search(rf"{note} % too low; use bars: {{theta: 0\.55}}", bouncing_cable(0.01).attrs["warnings"])
    assert found
    assert 10 < int(found[2]) < 40
    fine = bouncing_cable(0.001)["tension_effective_max"].max()
    assert float(found[1]) == pytest.approx(float(fine) / 1e3, rel=5e-3)


def test_a_cable_that_stays_taut_is_not_called_slack():
    system = pulled_cable(0.01, damping_time=0.05).system
    assert "lost its tension" not in fl.simulate(system, duration=0.1).attrs["warnings"]


def hanging_line(step, **bars):
    """A line of 100 m in ten elements under 50 kN: its elements turn with up to 34 rad/s."""
    return fl.simulate(
        fl.System.model_validate(
            {
                "types": {"line": {"diameter": 0.05, "mass_per_length": 5.0, "axial_stiffness": 1e7}},
                "points": {
                    "A": {"kind": "fixed", "position": [0, 0, -10]},
                    "B": {"kind": "free", "position": [99, 0, -20]},
                },
                "cables": {"line": {"type": "line", "length": 100.0, "elements": 10, "start": "A", "end": "B"}},
                "loads": [{"point": "B", "force": [5e4, 0, 0]}],
                "simulation": {"start": "catenary", "duration": 2.0, "step": step, "output_every": 0.5, "bars": bars},
            }
        )
    )


def test_the_damped_form_is_reported_when_it_was_used():
    """Automatic form of the first-order step: undamped while h < 2/ω, damped beyond, and then said so."""
    said = "transverse motion of taut elements was damped"
    assert said in hanging_line(0.1, scheme="first_order").attrs["warnings"]
    assert said not in hanging_line(0.002, scheme="first_order").attrs["warnings"]
    assert said not in hanging_line(0.1, geometric_stiffness="damped").attrs["warnings"]
    assert said not in hanging_line(0.1).attrs["warnings"]


def test_damping_in_a_blow_alone_is_told_and_not_warned_of():
    (seldom,), (often,) = string_note(0.01, 19, 100_000), string_note(0.1, 2_000, 100_000)
    assert seldom == (
        "note: simulation.step: with 0.01 s transverse motion of taut elements was damped in 0.019 % of element steps, "
        "there by 0.63 % of critical at 0.2 Hz, 3.1 % at 1 Hz; a step of 0.006 s keeps that at 1 Hz to 2 %"
    )
    assert often.startswith("simulation.step: with 0.1 s"), "6 % of critical in waves of 5 s is felt"
    assert string_note(0.01, 0, 100_000) == ()


def test_a_fault_names_time_cable_element_cause_and_cure():
    """Explicit Euler in air gains energy until it leaves the physical range."""
    system = fl.System.model_validate(
        {
            "environment": {"water_density": 0.0},
            "types": {"line": {"diameter": 0.05, "mass_per_length": 5.0, "axial_stiffness": 1e7}},
            "points": {"A": {"kind": "fixed", "position": [0, 0, 0]}, "B": {"kind": "free", "position": [9, 0, -2]}},
            "cables": {"line": {"type": "line", "length": 10.0, "elements": 10, "start": "B", "end": "A"}},
            "simulation": {
                "start": "catenary",
                "duration": 60.0,
                "step": 0.02,
                "output_every": 1.0,
                "integrator": "explicit_euler",
                "bars": {"compression": "carried"},
            },
        }
    )
    with pytest.warns(RuntimeWarning):
        result = fl.simulate(system)
    status = result.attrs["status"]
    assert re.match(r"stopped: t = [\d.]+ s, cable 'line', element \d+ of 10: speed beyond 1000 m/s", status), status
    assert "explicit Euler" in status
    assert "semi_implicit" in status
    stopped = float(re.search(r"t = ([\d.]+) s", status).group(1))
    assert stopped - 1.0 <= result["time"].values[-1] <= stopped
