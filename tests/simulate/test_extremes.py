"""Extremes are those of every step: they do not depend on how often a run is sampled."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.results import summarise

STEP = 0.05
TEXT = """
environment: {{seabed: {{depth: 80, friction: 0.7}}}}
types:
  chain: {{diameter: 0.143, mass_per_length: 126, axial_stiffness: 490 MN}}
points:
  anchor:   {{kind: fixed,      position: [0, 0, -79.92]}}
  fairlead: {{kind: controlled, position: [365, 0, -10], motion: {{harmonic: {{amplitude: [2, 0, 1], period: 10}}}}}}
cables:
  line: {{type: chain, length: 385, elements: 12, start: anchor, end: fairlead}}
simulation: {{formulation: {formulation}, start: {start}, duration: 6, step: 0.05, output_every: {every}}}
"""
BESIDE_A_BED = ("bars", "lumped")
HANGING = """
types:
  rope: {{diameter: 0.05, mass_per_length: 5, axial_stiffness: 0.5 MN, damping_time: 0.05}}
points:
  A: {{kind: fixed,      position: [0, 0, -20]}}
  B: {{kind: controlled, position: [55, 0, -10], motion: {{harmonic: {{amplitude: [1, 0, 0.5], period: 3, ramp: 1}}}}}}
cables:
  line: {{type: rope, length: 60, elements: 6, start: A, end: B}}
simulation: {{formulation: {formulation}, start: {start}, duration: 2.4, step: 0.01, output_every: {every}}}
"""


def extremes(result) -> dict[str, float]:
    """Numbers of a run that its sampling must not change."""
    numbers = summarise(result)
    line = numbers["cables"]["line"]
    out = {f"{end} {word}": line[f"force_{end}"][word] for end in ("start", "end") for word in ("min", "max")}
    for key in ("tension_max", "tension_min", "curvature_max"):
        for word in ("value", "time", "arc_length") if line[key] else ():
            out[f"{key} {word}"] = line[key][word]
    for name, point in numbers["points"].items():
        out[f"{name} acceleration"] = point["acceleration_max"]["value"]
    return out


RODS = {"compression": "carried"}
"""Elements that only pull are slack in many places at once: the least tension has no place of its own."""


def run(text: str, formulation: str, every: float, start: str = "statics", **settings):
    system = fl.load_text(text.format(formulation=formulation, every=every, start=start))
    result = fl.simulate(system, **settings)
    assert result.attrs["status"] == "complete"
    return result


@pytest.mark.parametrize(
    ("text", "formulation", "intervals", "settings"),
    [
        (TEXT, "bars", (STEP, 0.6, 3.0), {}),
        (TEXT, "lumped", (STEP, 0.6, 3.0), {}),
        (HANGING, "links", (0.01, 0.3, 1.2), {}),
        (HANGING, "tether", (0.01, 0.3, 1.2), {"start": "catenary"}),
        (HANGING, "spline", (0.01, 0.3, 1.2), {}),
        (HANGING, "lumped", (0.01, 0.3, 1.2), {"integrator": "rk4", "step": 0.002, "lumped": RODS}),
    ],
)
def test_sampling_does_not_change_extremes(text, formulation, intervals, settings):
    runs = [run(text, formulation, every, **settings) for every in intervals]
    first, *others = map(extremes, runs)
    if first["tension_min value"] == 0.0:  # slack line has no tension in many places, of which none is the first
        for found in (first, *others):
            del found["tension_min time"], found["tension_min arc_length"]
    assert first["tension_max value"] >= float(runs[0].tension_effective.max()) * (1 - 1e-4)
    for other in others:
        assert other == pytest.approx(first, rel=1e-9, abs=1e-9)
    coarse = float(runs[-1].tension_effective.max())
    assert first["tension_max value"] > 1.01 * coarse, "the case must have a peak between the samples"


def test_a_sample_of_bars_is_the_mean_of_the_steps_before_and_after_it():
    """Extremes of a second-order step are the forces of its middle, and have that time."""
    fine = run(TEXT, "bars", STEP)
    tension, each = fine["tension_effective"].values[:, 0], fine["tension_effective_max"].values[1:, 0]
    assert tension[1:-1] == pytest.approx(0.5 * (each[:-1] + each[1:]), rel=1e-4)
    step = each.max(axis=1).argmax()
    most = summarise(fine)["tension_max"]
    assert (most["value"], most["time"]) == pytest.approx((each.max(), STEP * (step + 0.5)), rel=1e-12)


def test_the_extremes_of_first_order_bars_are_those_of_samples_at_every_step():
    fine = run(TEXT, "bars", STEP, bars={"scheme": "first_order"})
    tension = fine["tension_effective"].values[:, 0]
    each = fine["tension_effective_max"].values[1:, 0]
    assert each == pytest.approx(tension[:-1], rel=1e-12), "the step from a sample has the forces of that sample"
    sample, node = np.unravel_index(tension.argmax(), tension.shape)
    most = summarise(fine)["tension_max"]
    assert (most["value"], most["time"]) == pytest.approx((tension.max(), STEP * sample), rel=1e-12)
    assert most["arc_length"] == fine["arc_length"].values[0, node]
    forces = np.linalg.norm(fine["force_end"].values[:-1, 0], axis=-1)
    most = fine["force_end_max"].values[1:, 0]
    assert most[:, 1] == pytest.approx(forces[:, 1], rel=1e-12)
    assert most[:, 0] == pytest.approx(forces[:, 0], rel=0.02), "an anchor's is the tension there"
    velocity = fine["point_velocity"].sel(point="fairlead").values
    speeding = np.linalg.norm(np.diff(velocity, axis=0), axis=-1) / STEP
    felt = fine["acceleration_max"].sel(point="fairlead").values[2:]
    assert felt == pytest.approx(speeding[:-1], rel=1e-9, abs=1e-9)
    height = 80.0 + fine["position"].values[:-1, 0, :, 2].min(axis=1)
    assert fine["clearance_min"].values[1:, 0] == pytest.approx(height, abs=1e-9)


def test_each_sample_carries_the_steps_since_the_one_before():
    fine, coarse = run(TEXT, "bars", STEP), run(TEXT, "bars", 0.6)
    per_step = fine["tension_effective_max"].values[1:, 0].reshape(-1, 12, 13)
    assert coarse["tension_effective_max"].values[1:, 0] == pytest.approx(per_step.max(axis=1), rel=1e-9)
    lows = fine["tension_effective_min"].values[1:, 0].reshape(-1, 12, 13)
    assert coarse["tension_effective_min"].values[1:, 0] == pytest.approx(lows.min(axis=1), rel=1e-9)
    assert np.isnan(coarse["tension_effective_max"].values[0]).all(), "no step leads to the first sample"


def test_what_came_before_does_not_count():
    whole = run(TEXT, "bars", 0.6)
    later = summarise(whole, after=3.0)
    assert later["time_start"] == pytest.approx(3.0)
    assert later["tension_max"]["time"] >= 3.0
    fine = run(TEXT, "bars", STEP)
    kept = fine.sel(time=slice(2.999, None))["tension_effective"].values
    assert later["tension_max"]["value"] == pytest.approx(kept.max(), rel=1e-9)
    assert later["tension_max"]["value"] < summarise(whole)["tension_max"]["value"]


def test_a_resumed_run_has_the_same_extremes(tmp_path):
    text = TEXT.format(formulation="bars", every=0.6, start="catenary")
    whole = fl.Simulation(fl.load_text(text)).run()
    first = fl.Simulation(fl.load_text(text))
    first.run(duration=2.4, output=tmp_path / "part.nc")
    resumed = fl.Simulation(fl.load_text(text)).run(output=tmp_path / "part.nc", resume=True)
    for name in ("tension_effective_max", "tension_max_time", "force_end_max", "acceleration_max", "curvature_max"):
        assert np.array_equal(whole[name].values, resumed[name].values, equal_nan=True), name


def test_live_steps_tell_their_extremes():
    sim = fl.Simulation(fl.load_text(TEXT.format(formulation="bars", every=0.6, start="catenary")))
    out = sim.step(0.6)
    peaks = out["line.tension_effective_max"]
    assert peaks.shape == (13,)
    assert out.tension_max == pytest.approx(max(peaks.max(), out["line.tension_effective"].max()))
    assert np.array_equal(sim.outputs()["line.tension_effective_max"], peaks), "they stay until the next step"
