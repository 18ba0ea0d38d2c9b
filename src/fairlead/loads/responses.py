"""How a body that answers waves moves: the sines of its six motions in the sea of its system."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from fairlead.model import Environment, PrescribedBody, Response, System
from fairlead.model.problems import Problem
from fairlead.model.responses import MOTIONS
from fairlead.sea.waves import wave_components

NEAR_HEADING = 22.5
"""Degrees from a heading of the table within which its operators may stand for the waves."""
COUNTS = 0.01
"""Share of the energy of waves or motions outside a table that is worth a warning."""

_ASYMMETRIC = np.array([1, -1, 1, -1, 1, -1])
"""What becomes of surge, sway, heave, roll, pitch and yaw when a ship is looked at in a mirror."""


def answer_sines(body: PrescribedBody, environment: Environment) -> tuple[np.ndarray, np.ndarray]:
    """Sines of the offset [m] and of the turn [rad] of a body with response operators, (2n, 7) each.

    A wave a cos(k·x − ωt + ε) of heading χ gives motion j the offset a |R_j| cos(ω_e t − k·x₀ − ε + arg R_j); surge and
    sway are along the ship, the turns are roll, pitch and yaw. A ship with a steady velocity V meets the wave with
    ω_e = ω − k·V; its operators are those of that speed. Each wave is two sines, of its cosine and its sine part.
    """
    assert body.motion is not None
    assert body.motion.raos is not None
    assert environment.waves is not None
    yaw, ramp = math.radians(body.orientation_deg[2]), environment.waves.ramp
    ahead, aside = np.array([math.cos(yaw), math.sin(yaw), 0.0]), np.array([-math.sin(yaw), math.cos(yaw), 0.0])
    offset: list[list[float]] = []
    turn: list[list[float]] = []
    for amplitude, kx, ky, omega, phase in wave_components(environment):
        heading = math.atan2(ky, kx) - yaw
        crest = kx * body.position[0] + ky * body.position[1] + phase
        response = amplitude * response_at(body.motion.raos, heading, omega) * np.exp(-1j * crest)
        met = omega - kx * body.velocity[0] - ky * body.velocity[1]
        moved = response[0] * ahead + response[1] * aside + response[2] * np.array([0.0, 0.0, 1.0])
        for found, vector in ((offset, moved), (turn, math.pi / 180.0 * response[3:])):
            found.append([*vector.real, met, math.pi / 2, ramp, 0.0])
            found.append([*-vector.imag, met, 0.0, ramp, 0.0])
    return np.array(offset), np.array(turn)


def response_warnings(system: System) -> Iterator[Problem]:
    """Waves of a sea that the response operators of a body do not cover, where they carry energy that counts."""
    for name, body in system.bodies.items():
        if isinstance(body, PrescribedBody) and body.motion is not None and body.motion.raos is not None:
            for message, hint in _uncovered(body, body.motion.raos, wave_components(system.environment)):
                yield system.problem(f"bodies.{name}.motion.raos", message, hint)


def _uncovered(body: PrescribedBody, raos: Sequence[Response], waves: np.ndarray) -> Iterator[tuple[str, str]]:
    """What is wrong and how to cure it, for headings and for periods."""
    energy = waves[:, 0] ** 2 / max(float(np.sum(waves[:, 0] ** 2)), 1e-300)
    towards = (np.degrees(np.arctan2(waves[:, 2], waves[:, 1])) - body.orientation_deg[2] + 180.0) % 360.0 - 180.0
    given = np.array([response.heading_deg for response in raos])
    mirrored = np.concatenate([given, -given]) if given.min() >= 0 else given
    apart = np.abs((towards[:, None] - mirrored + 180.0) % 360.0 - 180.0)
    off = apart.min(axis=1) > NEAR_HEADING + 1e-6
    if energy[off].sum() > COUNTS:
        worst = int(np.argmax(np.where(off, energy, -1.0)))
        known = ", ".join(f"{heading:g}" for heading in np.sort(given))
        yield (
            f"{_percent(energy[off].sum())} of the wave energy runs towards headings more than {NEAR_HEADING:g} deg "
            f"from those of the table ({known} deg): waves towards {towards[worst]:.4g} deg in the body's axes move it "
            "as waves of another heading would, and roll, pitch and sway may be missing or wrong",
            f"add the operators of heading {towards[worst]:.4g} deg, or turn the body or the waves",
        )
    period = 2 * math.pi / waves[:, 3]
    longest = min(max(row.period for row in response.table) for response in raos)
    long = period > longest * (1 + 1e-9)
    if energy[long].sum() > COUNTS:
        yield (
            f"{_percent(energy[long].sum())} of the wave energy has periods longer than the table's {longest:g} s, up "
            f"to {period.max():.3g} s: the body answers these waves as those of {longest:g} s, where a floating body "
            "would follow the surface",
            f"add rows to the table, at least to {period.max():.3g} s",
        )
    shortest = max(min(row.period for row in response.table) for response in raos)
    short = period < shortest * (1 - 1e-9)
    found = [response_at(raos, math.radians(angle), 2 * math.pi / T) for angle, T in zip(towards, period, strict=True)]
    moved = energy[:, None] * np.abs(np.array(found).reshape(-1, 6)) ** 2  # of short waves ships answer little
    share = float(np.max(moved[short].sum(axis=0) / np.maximum(moved.sum(axis=0), 1e-300), initial=0.0))
    if share > COUNTS:
        yield (
            f"{_percent(share)} of the energy of its motion comes from waves shorter than the table's {shortest:g} s, "
            f"down to {period.min():.3g} s: the body answers these as those of {shortest:g} s, mostly too much",
            f"add rows to the table, at least to {period.min():.3g} s",
        )


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f} %"


def response_at(responses: Sequence[Response], heading: float, omega: float) -> np.ndarray:
    """Complex answers (6,) [m/m, deg/m] to waves of a heading [rad] and ω: linear between what is given.

    A ship given for headings from 0 to 180 degrees alone is the same on both sides.
    """
    angle = (math.degrees(heading) + 180.0) % 360.0 - 180.0
    given = sorted(responses, key=lambda response: response.heading_deg)
    sign = np.ones(6)
    if all(response.heading_deg >= 0 for response in given):
        sign, angle = (_ASYMMETRIC if angle < 0 else sign), abs(angle)
        before = [response for response in given if response.heading_deg <= angle] or given[:1]
        after = [response for response in given if response.heading_deg >= angle] or given[-1:]
        low, high = before[-1], after[0]
        gap, part = high.heading_deg - low.heading_deg, angle - low.heading_deg
    else:
        after = [response for response in given if response.heading_deg >= angle] or given[:1]
        high = after[0]
        low = given[given.index(high) - 1] if high.heading_deg != angle else high
        gap, part = (high.heading_deg - low.heading_deg) % 360.0, (angle - low.heading_deg) % 360.0
    first = _over_periods(low, omega)
    if low is high or gap == 0:
        return np.asarray(sign * first)
    return np.asarray(sign * (first + part / gap * (_over_periods(high, omega) - first)))


def _over_periods(response: Response, omega: float) -> np.ndarray:
    rows = sorted(response.table, key=lambda row: -row.period)
    frequencies = np.array([2 * math.pi / row.period for row in rows])
    pairs = np.array([[getattr(row, motion) for motion in MOTIONS] for row in rows])
    values = pairs[:, :, 0] * np.exp(1j * np.radians(pairs[:, :, 1]))
    return np.array([np.interp(omega, frequencies, column) for column in values.T])
