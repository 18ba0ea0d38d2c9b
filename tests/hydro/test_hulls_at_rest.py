"""Hulls that start from equilibrium: Table 2 of Guillaume et al., a barge that trims, what is held stays held."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_model_hydro import changed

import fairlead as fl
from fairlead import statics
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.statics.modes import natural_modes

EXAMPLE = Path(__file__).parents[2] / "examples" / "floater_cable_payload.yaml"
LENGTH, WIDTH, HEIGHT, DRAUGHT = 12.0, 6.0, 3.0, 1.5
WEIGHT = 1025.0 * 9.81 * LENGTH * WIDTH * DRAUGHT
BARGE: dict[str, Any] = {
    "environment": {"seabed": {"depth": 30}},
    "types": {},
    "points": {},
    "bodies": {"barge": {"kind": "free", "position": [0, 0, 0], "mass": WEIGHT / 9.81, "inertia": [4e5, 1.4e6, 1.6e6]}},
    "cables": {},
    "hydro": {
        "hulls": {"barge": {"box": {"length": LENGTH, "width": WIDTH, "height": HEIGHT}, "panel_size": 3}},
        "surface": {"radius": 60, "outer": 12},
    },
    "loads": [{"point": "barge", "force": [0, 0, -2e4], "torque": [0, 1e6, 0]}],
    "simulation": {"formulation": "multibody", "start": "statics", "duration": 0.2, "step": 0.1},
}


def floater(**changes: Any) -> dict[str, Any]:
    """The floater, cable and payload of section 6.2, in still water and coarse."""
    data = fl.load(EXAMPLE).to_dict()
    data["environment"].pop("waves")
    data["hydro"] |= {"mode": "linear", "surface": {"radius": 4, "outer": 1.5}}
    data["hydro"]["hulls"]["floater"]["panel_size"] = 0.15
    step = data["simulation"]["step"]
    data["simulation"] |= {"start": "statics", "duration": 4 * step}
    return changed(data, **changes)


def test_the_cable_of_section_6_2_starts_with_the_tensions_of_its_table() -> None:
    """9.81 (5 + 2 k) N below k elements of 2 kg each at both of their nodes, and nothing rings."""
    sim = fl.Simulation(fl.System(**floater()))
    result = sim.run()
    tension = result["tension_effective"].values[:, 0]
    assert tension[0] == pytest.approx([107.91, 88.29, 68.67, 49.05], rel=1e-6)
    assert np.ptp(tension, axis=0).max() < 1e-6 * 49.05
    place = result["point_position"].sel(point="floater").values
    assert np.abs(place).max() < 1e-9


@pytest.mark.parametrize("mode", ["linear", "weak_scatterer"])
def test_a_barge_sinks_and_trims_under_its_load(mode: str) -> None:
    """ρgA dz = F and W(GM + ½BM tan²θ) sin θ = M, wall-sided; in linear mode W GM sin θ = M."""
    held = ["surge", "sway", "roll", "yaw"]
    rest = statics.solve(fl.System(**changed(BARGE, hydro__mode=mode, hydro__hulls__barge__locked=held)))
    force, moment = 2e4, 1e6
    sunk = force / (1025.0 * 9.81 * LENGTH * WIDTH)
    deep = DRAUGHT + sunk
    BM = LENGTH**2 / (12.0 * deep)
    if mode == "linear":
        GM = LENGTH**2 / (12.0 * DRAUGHT) - 0.5 * DRAUGHT
        angle = math.asin(moment / (WEIGHT * GM))
        level = -sunk
    else:
        GM, total = BM + 0.5 * deep - 0.5 * HEIGHT, WEIGHT + force
        angle = moment / (total * GM)
        for _ in range(50):
            angle = math.asin(moment / (total * (GM + 0.5 * BM * math.tan(angle) ** 2)))
        level = -sunk * math.cos(angle)
    assert float(rest.outputs["barge.pitch"]) == pytest.approx(angle, rel=2e-3)
    assert float(rest.outputs["barge.position"][2]) == pytest.approx(level, rel=0.01)
    assert rest.report.stable
    assert np.abs(rest.outputs["barge.position"][:2]).max() < 1e-9
    assert any("the hulls float at rest; from where they start 'barge' by -0.02" in n for n in rest.notes)


def test_hulls_are_held_where_they_start_when_asked() -> None:
    rest = statics.solve(fl.System(**changed(BARGE, hydro__at_rest="hold")))
    assert np.abs(rest.outputs["barge.position"]).max() < 1e-12
    assert any("held where they start; on 'barge' -20,000 N in heave" in note for note in rest.notes)


def test_hulls_have_no_modes_and_it_is_said_why() -> None:
    rest = statics.solve(fl.System(**BARGE))
    with pytest.raises(UnsupportedSystem, match="weighs more or less with the frequency"):
        natural_modes(rest.compiled, rest.y)


def test_an_error_of_ours_is_not_told_as_physics(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that breaks by a mistake in the program says so, instead of blaming the free surface."""
    sim = fl.Simulation(fl.System(**changed(BARGE, simulation__start="catenary", loads=[])))

    def broken(*_: object) -> np.ndarray:
        raise ValueError("operands could not be broadcast together")

    monkeypatch.setattr(sim.compiled, "_stepped", broken)
    with pytest.raises(ValueError, match="could not be broadcast"):
        sim.step(0.1)
