"""A hemisphere floating by its coefficients: heave in waves, let go, and its energy, in the hub of lumped."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import xarray as xr

from fairlead.floaters.hemisphere import hemisphere, response
from fairlead.floaters.writing import write_wamit
from fairlead.model import System
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

RADIUS, DENSITY, GRAVITY = 5.0, 1025.0, 9.80665
MASS, AREA = 2.0 / 3.0 * np.pi * DENSITY * RADIUS**3, np.pi * RADIUS**2
HEAVE = "closed solution of a heaving hemisphere (multipoles): |X|/|C - ω²(M + A) + iωB|"
DECAY = "Fourier integral of the closed solution: (2/π) ∫ Re[(iω(M + A) + B)/(C − ω²(M + A) + iωB)] cos ωt dω"
BALANCE = "work of the waves = radiated + stored"
STEPS = "free decay at steps of 0.05 s"


@cache
def _files() -> tempfile.TemporaryDirectory[str]:
    """Coefficients as WAMIT would write them."""
    folder = tempfile.TemporaryDirectory()
    data = hemisphere(RADIUS, np.linspace(0.15, 6.0, 60), np.radians([-90.0, 0.0, 90.0, 180.0]), DENSITY, GRAVITY)
    write_wamit(Path(folder.name) / "ball", data)
    return folder


def ball(formulation: str, step: float, duration: float, waves: dict[str, object] | None = None, up: float = 0.0,
         **body: object) -> System:  # fmt: skip
    """The hemisphere, let go `up` metres above rest, with a thread that does next to nothing."""
    return System.model_validate(
        {
            "environment": {"water_density": DENSITY, "gravity": GRAVITY, **({"waves": waves} if waves else {})},
            "types": {"thread": {"diameter": 1e-3, "density": DENSITY, "youngs_modulus": 1e6, "drag": "none"}},
            "points": {"A": {"kind": "fixed", "position": [60.0, 0.0, 0.0]}},
            "bodies": {
                "ball": {
                    "kind": "floating", "position": [0, 0, 0], "displaced": [0, 0, up, 0, 0, 0], "mass": MASS,
                    "centre_of_mass": [0, 0, -2.0], "inertia": [4e6, 4e6, 4e6], "volume": MASS / DENSITY,
                    "coefficients": {"file": f"{_files().name}/ball", "depth": "infinite"},
                    "radiation": {"tolerance": 0.002}, "excitation": {"phase_at": "rest"},
                    "mooring": {"matrix": [2e4, 2e4, 0, 0, 0, 1e5]}, "attachments": {"side": [1, 0, 0]}, **body,
                }
            },
            "cables": {"thread": {"type": "thread", "length": 62, "elements": 2, "start": "A", "end": "ball.side"}},
            "simulation": {"formulation": formulation, "duration": duration, "step": step, "start": "catenary",
                           "output_every": step},
        }
    )  # fmt: skip


def response_amplitude(result: xr.Dataset, omega: float, last: float) -> float:
    """Amplitude of heave at ω in the last seconds of a run, m."""
    t = result["time"].values
    kept = t > t[-1] - last + 1e-9
    return float(abs(2.0 * np.mean(result["ball.heave"].values[kept] * np.exp(-1j * omega * t[kept]))))


def peaks(heave: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and heights of the upper peaks of a decay, by parabolas."""
    i = np.flatnonzero((heave[1:-1] > heave[:-2]) & (heave[1:-1] >= heave[2:])) + 1
    a, b, c = heave[i - 1], heave[i], heave[i + 1]
    shift = 0.5 * (a - c) / (a - 2 * b + c)
    return step * (i + shift), b - 0.25 * (a - c) * shift


def closed_decay(times: np.ndarray) -> np.ndarray:
    """Free heave over its start: (2/π) ∫ Re[(iω(M + A) + B)/(C − ω²(M + A) + iωB)] cos ωt dω."""
    omega = np.linspace(0.02, 8.0, 400)
    water = np.array([response(w**2 * RADIUS / GRAVITY)[0] for w in omega.tolist()])
    mass = MASS + 2.0 / 3.0 * np.pi * DENSITY * RADIUS**3 * water
    answer = (1j * omega * mass / (DENSITY * GRAVITY * AREA - omega**2 * mass)).real
    whole, at = np.concatenate([[0.0], answer]), np.concatenate([[0.0], omega])
    return np.asarray(2.0 / np.pi * np.trapezoid(whole * np.cos(np.outer(times, at)), at, axis=1))


def check() -> Iterator[Record]:
    C = DENSITY * GRAVITY * AREA
    for formulation, numbers in (("lumped", (0.5, 1.0, 1.4)),):
        for Ka in numbers:
            omega = np.sqrt(Ka * GRAVITY / RADIUS)
            period = 2.0 * np.pi / omega
            step = period / 100
            waves = {"kind": "regular", "height": 0.02, "period": period, "ramp": 3 * period}
            result = simulate(ball(formulation, step, 40 * period, waves))
            answer, force = response(Ka)
            mass = 2.0 / 3.0 * np.pi * DENSITY * RADIUS**3 * answer
            known = abs(force) * DENSITY * GRAVITY * AREA / abs(C - omega**2 * (MASS + mass))
            found = response_amplitude(result, omega, 20 * period) / 0.01
            yield Record.relative(f"hemisphere, heave in waves, Ka {Ka:g}, {formulation}", HEAVE, found, known, 0.005)
            if formulation == "lumped" and Ka == 1.0:
                work, made = (float(result[f"ball.work_{kind}"][-1]) for kind in ("waves", "radiation"))
                stored = sum(
                    float(result[f"energy_{kind}"][-1] - result[f"energy_{kind}"][0])
                    for kind in ("kinetic", "gravity", "elastic")
                )
                yield Record.relative("hemisphere, energy of 40 periods in waves", BALANCE, stored - made, work, 0.01)
    known = peaks(closed_decay(np.arange(0.0, 16.0, 0.05)), 0.05)
    first: np.ndarray | None = None
    for formulation in ("lumped",):
        for step in (0.05, 0.1, 0.25):
            heave = simulate(ball(formulation, step, 20.0, up=0.05))["ball.heave"].values
            times, heights = peaks(heave, step)
            if step == 0.05:
                name = f"hemisphere, period of free heave, {formulation}"
                yield Record.relative(name, DECAY, float(times[1] - times[0]), float(known[0][1] - known[0][0]), 0.003)
                name = f"hemisphere, second peak of free heave over the first, {formulation}"
                yield Record.absolute(name, DECAY, heights[1] / heights[0], known[1][1] / known[1][0], 0.005)
            if first is None:
                first = heights
            name = f"hemisphere, second peak over the first, {formulation}, step {step:g} s"
            yield Record.absolute(name, STEPS, heights[1] / heights[0], first[1] / first[0], 0.005)
