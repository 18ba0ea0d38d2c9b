"""Energy closes whatever takes it: the sum of all works equals the change of what is stored.

Each case isolates one way of taking or giving energy that a simple swing in vacuum does not show. The bound is a part
of the energy exchanged; what remains is the first order of the time step, which halves with it.
"""

from __future__ import annotations

from typing import Any

import pytest

import fairlead as fl
from fairlead.results import energy_balance

ROPE = {"diameter": 0.05, "density": 3000, "axial_stiffness": 1e6, "drag": "none"}


def system(rope: dict[str, Any], **parts: Any) -> fl.System:
    """A 20 m rope hung from A and let go from a slant, unless `parts` say otherwise."""
    return fl.System.model_validate(
        {
            "environment": {"water_density": 1025},
            "types": {"rope": {**ROPE, **rope}},
            "points": {"A": {"kind": "fixed", "position": [0, 0, -5]}, "E": {"kind": "free", "position": [16, 0, -17]}},
            "cables": {"rope": {"type": "rope", "length": 20, "elements": 10, "start": "A", "end": "E"}},
            "simulation": {"start": "catenary", "duration": 6, "step": 0.002, "output_every": 0.1},
        }
        | parts
    )


CASES = {
    "added mass unequal along and across": (system({}), 0.01),
    "internal damping": (
        system(
            {"damping_time": 0.2, "axial_stiffness": 2e5},
            points={
                "A": {"kind": "fixed", "position": [0, 0, -5]},
                "E": {"kind": "free", "position": [0, 0, -25], "mass": 500},
            },
        ),
        0.01,
    ),
    "a damped seabed": (
        system(
            {},
            environment={"seabed": {"depth": 12, "stiffness": 1e5, "damping": 2e4}},
            points={"A": {"kind": "free", "position": [0, 0, -10]}, "E": {"kind": "free", "position": [20, 0, -10]}},
        ),
        0.03,
    ),
    "a line that floats on the surface": (
        system(
            {"density": 500, "diameter": 0.2},
            points={"A": {"kind": "fixed", "position": [0, 0, 0]}, "E": {"kind": "free", "position": [17, 0, -1]}},
        ),
        0.03,
    ),
    "friction": (
        system(
            {},
            environment={"seabed": {"depth": 10, "stiffness": 1e5, "friction": 0.5}},
            points={
                "A": {
                    "kind": "controlled",
                    "position": [0, 0, -9.97],
                    "motion": {"harmonic": {"amplitude": [1.5, 1, 0], "period": 8, "ramp": 4}},
                },
                "E": {"kind": "free", "position": [20, 0, -9.97]},
            },
        ),
        0.03,
    ),
    "let go from a moving fairlead": (
        system(
            {"damping_time": 0.02, "drag": {"normal": 1.2, "axial": 0.01}},
            points={
                "A": {"kind": "fixed", "position": [0, 0, -15]},
                "E": {
                    "kind": "controlled",
                    "position": [16, 0, -8],
                    "motion": {"harmonic": {"amplitude": [0.5, 0, 1.5], "period": 4}},
                },
            },
            cables={
                "rope": {
                    "type": "rope",
                    "length": 20,
                    "elements": 10,
                    "start": "A",
                    "end": {"point": "E", "release": {"time": 2.5}},
                }
            },
        ),
        0.01,
    ),
}


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
@pytest.mark.parametrize("name", CASES)
def test_energy_closes(name: str, formulation: str) -> None:
    """Elements are rods here: what a slack one loses when it is caught goes into waves that no step resolves."""
    case, bound = CASES[name]
    rods = {"compression": "carried"}
    result = fl.simulate(case, formulation=formulation, bars=rods, lumped=rods)
    assert result.attrs["status"] == "complete"
    assert energy_balance(result).error < bound


@pytest.mark.parametrize("tuning", ["common_beta", "literal"])
def test_energy_closes_under_the_published_tunings(tuning: str) -> None:
    case = system({"bending_stiffness": 100}).with_settings(
        bars={"tuning": tuning, "alpha": 20.0, "epsilon": 1e-6}, duration=3.0, step=0.0005
    )
    assert energy_balance(fl.simulate(case)).error < 0.02


def test_a_floating_line_comes_to_rest() -> None:
    """100 m of line half as dense as water lies still on still water: no force of its own keeps it shaking."""
    line = {"diameter": 0.1, "density": 500, "axial_stiffness": 1e6}
    case = fl.System.model_validate(
        {
            "types": {"line": line},
            "points": {"A": {"kind": "fixed", "position": [0, 0, 0]}, "E": {"kind": "free", "position": [99, 0, 0]}},
            "cables": {"line": {"type": "line", "length": 100, "elements": 20, "start": "A", "end": "E"}},
            "simulation": {"start": "catenary", "duration": 60, "step": 0.05, "output_every": 1},
        }
    )
    late = fl.simulate(case).isel(time=slice(40, None))
    assert float(abs(late.velocity).max()) < 0.02
    assert float(abs(late.tension_effective).max()) < 5.0


def test_attachments_keep_their_own_places() -> None:
    """A rod with a weight near its fixed end and a float near its free end stands up: each acts where it sits."""
    case = fl.System.model_validate(
        {
            "types": {"rope": {**ROPE, "density": 1025}},
            "points": {"A": {"kind": "fixed", "position": [0, 0, -20]}, "E": {"kind": "free", "position": [9, 0, -16]}},
            "cables": {
                "rope": {
                    "type": "rope",
                    "length": 10,
                    "elements": 1,
                    "start": "A",
                    "end": "E",
                    "allow_stretch": True,
                    "attachments": [
                        {"at": 2.5, "mass": 60, "drag_area": 1},
                        {"at": 7.5, "volume": 0.05, "drag_area": 1},
                    ],
                }
            },
            "simulation": {
                "duration": 60, "step": 0.05, "output_every": 1, "start": "statics", "bars": {"compression": "carried"},
            },
        }
    )  # fmt: skip
    result = fl.simulate(case)
    assert float(result.point_position.sel(point="E", axis="z")[-1]) == pytest.approx(-10.0, abs=0.01)
