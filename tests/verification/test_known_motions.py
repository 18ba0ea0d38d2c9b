"""Motions known in advance are followed exactly, in every formulation; live inputs take over without a jump."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

import fairlead as fl
from fairlead.formulations import NAMES
from fairlead.reduction import compiled, reduce

WIRE = {"diameter": "20 mm", "density": 7850, "youngs_modulus": "20 GPa", "drag": {"normal": 1.2, "axial": 0.05}}
AMPLITUDE, PERIOD, PHASE = np.array([0.3, -0.2, 0.15]), 2.0, 0.7
SINE = {"harmonic": {"amplitude": AMPLITUDE.tolist(), "period": PERIOD, "phase_deg": math.degrees(PHASE)}}
ROWS = [[0.1, 0, 0, 0], [0.5, 0.2, 0, 0.1], [0.6, 0.3, -0.1, 0.1], [1.1, 0.1, 0.1, 0.3], [1.3, 0.2, 0.1, 0.2]]
SPEED = np.array([0.1, 0.05, -0.02])


def system(formulation: str, motion: dict | None = None, **of_point: object) -> fl.System:
    """A slack wire whose second end is moved; `multibody` runs trees, so that its first is a load."""
    other: dict = {"kind": "fixed", "position": [0, 0, -5]}
    if formulation == "multibody":
        other = {"kind": "free", "position": [8, 0, -15], "mass": 20.0, "volume": 0.002}
    point = {"kind": "controlled", "position": [8, 0, -5], **of_point} | ({"motion": motion} if motion else {})
    return fl.System.model_validate(
        {
            "title": f"A wire by {formulation}",
            "types": {"wire": WIRE | ({"bending_stiffness": 20.0} if formulation == "spline" else {})},
            "points": {"A": other, "B": point},
            "cables": {"wire": {"type": "wire", "length": 10, "elements": 8, "start": "A", "end": "B"}},
            "simulation": {"formulation": formulation, "duration": 1.6, "step": 0.01, "output_every": 0.2},
        }
    )


def simulation(formulation: str, motion: dict | None = None, **of_point: object) -> fl.Simulation:
    if formulation != "reduced":
        return fl.Simulation(system(formulation, motion, **of_point))
    model = reduce(fl.simulate(system("spline", SINE)), modes=4, tension_modes=2)
    return fl.Simulation.of(compiled(system("spline", motion, **of_point), model))


def sine(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Offset and velocity: s³(10 − 15s + 6s²) a sin(ωt + φ), s = t/T up to one period."""
    omega = 2 * math.pi / PERIOD
    s = np.minimum(t / PERIOD, 1.0)
    ramp, growth = s**3 * (10 - 15 * s + 6 * s * s), 30 * (s * (1 - s)) ** 2 / PERIOD
    f = ramp * np.sin(omega * t + PHASE)
    df = growth * np.sin(omega * t + PHASE) + ramp * omega * np.cos(omega * t + PHASE)
    return f[:, None] * AMPLITUDE, df[:, None] * AMPLITUDE


def in_plane(rows: np.ndarray) -> np.ndarray:
    """Slopes (n, 2) of x and y together: g (w₁ + w₂) q/|q|², q = w₁ d/|d|² + w₂ e/|e|², g = c (2 − c), c ≥ 0."""
    slopes = np.zeros((len(rows), 2))
    h = np.diff(rows[:, 0])
    chords = np.diff(rows[:, 1:3], axis=0) / h[:, None]
    for i in range(1, len(rows) - 1):
        d, e = chords[i - 1], chords[i]
        one, two = 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
        c = d @ e / math.sqrt((d @ d) * (e @ e))
        if c > 0:
            q = one * d / (d @ d) + two * e / (e @ e)
            slopes[i] = c * (2 - c) * (one + two) * q / (q @ q)
    return slopes


def curve(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The monotone cubic of scipy in z and its like in the plane inside, at rest at both ends and beyond them."""
    rows = np.array(ROWS)
    slopes = PchipInterpolator(rows[:, 0], rows[:, 1:]).derivative()(rows[:, 0])
    slopes[:, :2] = in_plane(rows)
    slopes[0] = slopes[-1] = 0.0
    smooth = CubicHermiteSpline(rows[:, 0], rows[:, 1:], slopes)
    inside = np.clip(t, rows[0, 0], rows[-1, 0])
    return smooth(inside), np.where((t == inside)[:, None], smooth(inside, 1), 0.0)


def lines(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Straight from row to row."""
    rows = np.array(ROWS)
    offset = np.stack([np.interp(t, rows[:, 0], rows[:, k]) for k in (1, 2, 3)], axis=1)
    slopes = np.vstack([np.zeros(3), np.diff(rows[:, 1:], axis=0) / np.diff(rows[:, 0])[:, None], np.zeros(3)])
    return offset, slopes[np.searchsorted(rows[:, 0], t, side="right")]


def hardest(expected, step: float) -> float:
    """Largest change of the velocity in a step, as an acceleration."""
    t = np.linspace(0.0, 1.6, round(1.6 / step) + 1)
    return float(np.linalg.norm(np.diff(expected(t)[1], axis=0), axis=1).max()) / step


MOTIONS = {
    "sine": (SINE, sine),
    "table": ({"table": ROWS}, curve),
    "straight table": ({"table": ROWS, "interpolation": "linear"}, lines),
}


@pytest.mark.parametrize("formulation", NAMES)
@pytest.mark.parametrize("kind", MOTIONS)
def test_a_known_motion_is_followed_exactly(formulation: str, kind: str) -> None:
    motion, expected = MOTIONS[kind]
    found = simulation(formulation, motion, velocity=SPEED.tolist()).run()
    t = found["time"].values
    offset, velocity = expected(t)
    place = np.array([8, 0, -5]) + SPEED * t[:, None] + offset
    points = found.sel(point="B")
    np.testing.assert_allclose(points["point_position"].values, place, rtol=0, atol=2e-13)
    np.testing.assert_allclose(points["point_velocity"].values[1:], (SPEED + velocity)[1:], rtol=0, atol=2e-12)
    if kind != "straight table":  # whose speed jumps
        felt = float(points["acceleration_max"].max())
        least = 0.89 if formulation in ("multibody", "bars") else 0.999  # between the middles of two steps
        assert least * hardest(expected, 0.01) < felt < 1.001 * hardest(expected, 1e-4)


@pytest.mark.parametrize("formulation", NAMES)
def test_a_live_input_takes_over_and_hands_back_without_a_jump(formulation: str) -> None:
    """Place and speed go on; the acceleration is at most that of the filter, ω²|z| + √2 ω|ż|."""
    running, h, cutoff, live = simulation(formulation, SINE), 0.01, 10.0, slice(60, 130)
    places, speeds, goal = [], [], np.array([8.3, 0.1, -4.8])
    for k in range(300):
        out = running.step(h, inputs={"B.position": goal if live.start <= k < live.stop else None})
        places.append(np.array(out["B.position"]))
        speeds.append(np.array(out["B.velocity"]))
    x, v, t = np.array(places), np.array(speeds), h * np.arange(1, 301)
    file, file_speed = sine(t)
    file += (8, 0, -5)
    bound = 0.0
    for switch, (place, speed) in ((live.start, (goal, 0.0)), (live.stop, (file[live.stop], file_speed[live.stop]))):
        away, late = np.abs(x[switch - 1] - place).max(), np.abs(v[switch - 1] - speed).max()
        bound = max(bound, 1.1 * (cutoff**2 * away + math.sqrt(2) * cutoff * late) + 5.0)
    assert np.abs(np.diff(v, axis=0)).max() < h * bound
    assert np.abs(np.diff(x, axis=0) - h * 0.5 * (v[1:] + v[:-1])).max() < 0.5 * h * h * bound
    assert np.abs(x[live.stop - 1] - goal).max() < 0.02
    np.testing.assert_allclose(x[: live.start], file[: live.start], rtol=0, atol=2e-13)
    assert np.abs(x[-1] - file[-1]).max() < 1e-4, "back on the file's motion"


def test_what_asks_for_the_filter_lags_by_it() -> None:
    """1/(1 − s² + √2 i s) at s = ω/ω_c: what the papers' cases have."""
    cutoff, omega = 10.0, 2 * math.pi / PERIOD
    found = fl.simulate(system("lumped", SINE, cutoff=cutoff, follow="filtered").with_settings(duration=8.0))
    t = found["time"].values
    s = omega / cutoff
    passed = 1 / (1 - s * s + 1j * math.sqrt(2) * s)
    late = np.imag(passed * np.exp(1j * (omega * t + PHASE)))[:, None] * AMPLITUDE + (8, 0, -5)
    steady = t > 6.0
    assert np.abs(found["point_position"].sel(point="B").values - late)[steady].max() < 5e-3
    assert np.abs(late - sine(t)[0] - (8, 0, -5))[steady].max() > 0.1


@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_a_light_taut_wire_pulls_as_its_end_moves(formulation: str) -> None:
    """T = EA (x − L)/L: all of the swing and never late (by the filter it would be by 0.14 s).

    Tensions are those of the step that begins, taken implicitly at its end: up to one and a half steps ahead.
    """
    length, stretch, amplitude, stiffness, period, h = 10.0, 0.02, 0.01, 1e5, 3.0, 0.005
    wire = {
        "diameter": 0.01, "density": 1.0, "axial_stiffness": stiffness, "drag": {"normal": 0, "axial": 0},
        "bending_stiffness": 1e-3,
    }  # fmt: skip
    motion = {"harmonic": {"amplitude": [amplitude, 0, 0], "period": period}}
    points = {
        "A": {"kind": "fixed", "position": [0, 0, 50]},
        "B": {"kind": "controlled", "position": [length + stretch, 0, 50], "motion": motion},
    }
    cable = {"type": "wire", "length": length, "elements": 2, "start": "A", "end": "B", "allow_stretch": True}
    found = fl.simulate(
        fl.System.model_validate(
            {
                "environment": {"gravity": 1e-6},
                "types": {"wire": wire},
                "points": points,
                "cables": {"wire": cable},
                "simulation": {"formulation": formulation, "duration": 6.0, "step": h, "output_every": 0.1},
            }
        )
    )
    full = slice(30, 60)
    angle = 2 * math.pi * found["time"].values[full] / period
    stretched = found["tension_effective"].values[full, 0, -1] / stiffness * length
    fit, *_ = np.linalg.lstsq(np.stack([np.sin(angle), np.cos(angle), np.ones(30)], axis=1), stretched, rcond=None)
    assert fit[2] == pytest.approx(stretch, rel=1e-4)
    assert math.hypot(fit[0], fit[1]) == pytest.approx(amplitude, rel=1e-4)
    assert 0.0 <= math.atan2(fit[1], fit[0]) * period / (2 * math.pi) < 1.51 * h


@pytest.mark.parametrize(
    ("formulation", "method"),
    [
        ("bars", {"scheme": "first_order"}),
        ("bars", {"scheme": "second_order"}),
        ("lumped", {"scheme": "first_order"}),
        ("lumped", {"scheme": "second_order"}),
        ("links", {}),
    ],
)
def test_a_straight_table_that_ends_with_the_run_is_not_seen_to_stop(formulation: str, method: dict) -> None:
    """A load and its wire are hoisted at a constant speed, so that the pull is their weight, to the last sample: the
    stop after the table (half an element, 250 kg, from 0.5 m/s in a step of 0.02 s: 6 kN) is beyond the run."""
    mass, length, load, duration = 50.0, 100.0, 1000.0, 5.0
    wire = {
        "diameter": 0.01, "mass_per_length": mass, "axial_stiffness": 5e7, "damping_time": 0.05,
        "drag": {"normal": 0, "axial": 0},
    }  # fmt: skip
    table = {"table": [[0, 0, 0, 0], [duration, 0, 0, 0.5 * duration]], "interpolation": "linear"}
    points = {
        "load": {"kind": "free", "position": [0, 0, 10], "mass": load},
        "hook": {"kind": "controlled", "position": [0, 0, 10 + length], "motion": table},
    }
    settings = {"formulation": formulation, "duration": duration, "step": 0.02, "output_every": 0.1}
    found = fl.simulate(
        fl.System.model_validate(
            {
                "types": {"wire": wire},
                "points": points,
                "cables": {"wire": {"type": "wire", "length": length, "elements": 10, "start": "load", "end": "hook"}},
                "simulation": settings | ({formulation: method} if method else {}),
            }
        )
    )
    pull = -found["force_end"].sel(end="end").values[-3:, 0, 2]
    assert pull == pytest.approx([(load + mass * length) * 9.81] * 3, rel=1e-4)
