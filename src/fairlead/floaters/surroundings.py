"""Whether coefficients fit the sea they are used in: its depth, its periods, its directions, the time step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.model.waves import wavenumber
from fairlead.sea.waves import wave_components
from fairlead.words import number

from .checks import Finding
from .coefficients import Coefficients
from .interpolation import MissingHeading, at_headings

if TYPE_CHECKING:
    from fairlead.model import Environment

SHALLOW = 3.0
"""k h below which a wave feels the bottom."""
TOO_SHALLOW = 0.1
"""Part by which waves may push less or more for the depth that coefficients are for."""
LOST = 0.005
"""Part of a sea's energy that may lie outside the data."""
FINELY = 1000
"""Waves by which an irregular sea is judged: a spectrum has its energy whatever few waves a seed has drawn of it."""
STEPS = 20


def plain_waves(environment: Environment) -> np.ndarray:
    """`wave_components` without their record: coefficients are judged in the sea of the file."""
    return wave_components(environment).astype(float)


def judged_waves(environment: Environment) -> np.ndarray:
    """The same with as many waves in each irregular train as tell its spectrum."""
    from fairlead.model import JonswapWaves
    from fairlead.model.seas import SpectrumWaves
    from fairlead.model.waves import SeveralWaves

    def finely(train: Any) -> Any:
        return train.model_copy(update={"components": FINELY}) if isinstance(train, irregular) else train

    irregular, waves = (JonswapWaves, SpectrumWaves), environment.waves
    if isinstance(waves, SeveralWaves):
        waves = waves.model_copy(update={"trains": tuple(finely(train) for train in waves.trains)})
    return plain_waves(environment.model_copy(update={"waves": finely(waves)}))


def depth_findings(data: Coefficients, environment: Environment) -> Iterator[Finding]:
    """Waves that feel the bottom must have been computed over the same one, or hardly differ over it.

    A wave of one period and height moves the water at the surface along with ωa/tanh kh: by so much the pushes differ.
    """
    waves, depth = judged_waves(environment), float(environment.depth)
    if not len(waves) or depth == data.depth or abs(depth - data.depth) <= 0.05 * min(depth, data.depth):
        return
    k, energy = np.hypot(waves[:, 1], waves[:, 2]), waves[:, 0] ** 2
    felt = float(energy[k * min(depth, data.depth) < SHALLOW].sum() / energy.sum())
    if felt <= LOST:
        return
    there = wave_numbers_of(waves[:, 3], data.depth, float(environment.gravity))
    push = np.tanh(np.minimum(k * depth, 50.0)) / np.tanh(np.minimum(there * data.depth, 50.0))
    off = math.sqrt(float((energy * (push - 1.0) ** 2).sum() / energy.sum()))
    length = math.sqrt(float((energy * (there / k - 1.0) ** 2).sum() / energy.sum()))
    text = (
        f"coefficients are for {_depth(data.depth)}, and the sea has {_depth(depth)}, which its waves feel: they push "
        f"{off:.1%} {'less' if data.depth > depth else 'more'} here than they would, and are {length:.1%} "
        f"{'longer' if data.depth > depth else 'shorter'} (rms)"
    )
    cure = "compute them for this depth, or set 'coefficients.depth' where the file does not tell"
    yield Finding("error" if off > TOO_SHALLOW else "warning", "depth", text, cure)


def wave_numbers_of(omega: np.ndarray, depth: float, gravity: float) -> np.ndarray:
    """k [1/m] of frequencies over a depth."""
    return np.array([wavenumber(float(w), depth, gravity) for w in omega])


def _depth(depth: float) -> str:
    return "infinite depth" if math.isinf(depth) else f"{depth:g} m of water"


def sea_findings(data: Coefficients, environment: Environment, yaw: float, name: str) -> Iterator[Finding]:
    """Waves that the data do not reach: by their frequency, by their direction, or for want of any excitation."""
    waves = plain_waves(environment)
    if not len(waves):
        return
    if not data.has_excitation:
        text = f"{data.source}.3 is not there: without it no wave moves '{name}'"
        yield Finding("error", "excitation", text, "compute it, or write 'excitation: none'")
        return
    energy, omega = judged_waves(environment)[:, [0, 3]].T
    energy = energy**2
    above = float(energy[omega > data.omega[-1]].sum() / energy.sum())
    if above > LOST:
        text = f"{above:.1%} of the sea's energy lies above {data.omega[-1]:.3g} rad/s, where there are no coefficients"
        yield Finding("warning", "sea", text, "compute shorter waves too; these do nothing to it")
    below = float(energy[omega < data.omega[0]].sum() / energy.sum())
    if below > LOST:
        text = f"{below:.1%} of the sea's energy lies below {data.omega[0]:.3g} rad/s; the lowest coefficients are held"
        yield Finding("warning", "sea", text, "compute longer waves too")
    beta = np.arctan2(waves[:, 2], waves[:, 1]) - yaw
    beta = (beta + np.pi) % (2.0 * np.pi) - np.pi
    try:
        at_headings(data.headings, np.zeros((len(data.headings), len(beta), 1)), beta)
    except MissingHeading as reason:
        text, _, cure = str(reason).partition("; ")
        yield Finding("error", "heading", text, cure)


def step_findings(step: float, periods: Sequence[float], sea: float | None) -> Iterator[Finding]:
    """The step must resolve the floater's own periods and those of the sea."""
    shortest = min([*periods, *([sea] if sea is not None else [])], default=math.inf)
    if step > shortest / STEPS:
        of = "the sea's peak" if sea is not None and shortest == sea else "the floater's shortest natural period"
        text = f"a step of {step:g} s is more than a twentieth of {of}, {number(shortest, 4)} s"
        yield Finding("error", "step", text, f"use {number(shortest / STEPS, 2)} s or less")
