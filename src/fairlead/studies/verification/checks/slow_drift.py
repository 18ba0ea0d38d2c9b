"""Slow drift in an irregular sea: its mean and how it varies, by mean forces, Newman's approximation, whole matrix.

What Newman's approximation leaves out is shown, not hidden: with a transfer function that grows with the difference of
the frequencies, as over a finite depth, it is far too low.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.floaters.drift import Drift
from fairlead.floaters.frequency import spectrum
from fairlead.model import Environment
from fairlead.rigging.floater_sea import drift_terms
from fairlead.sea.waves import AMPLITUDE, OMEGA, PHASE, wave_columns
from fairlead.studies.verification.record import Record

HEIGHT, PERIOD, WAVES = 6.0, 12.0, 200
DIAGONAL = "Σ a² T(ω, ω) over the waves of the sea"
INTEGRAL = "2 ∫ S T(ω, ω) dω"
PAIRS = "√Σ |a_i a_j T_ij|² over all pairs"
GROWTH = 4.0
"""How much larger the transfer function is at a difference of 0.25 rad/s than on its diagonal."""


def transfer() -> Drift:
    """T of surge, N/m²: grows with the mean frequency as drift does, and with the difference."""
    omega = np.linspace(0.15, 3.0, 58)
    one, two = np.meshgrid(omega, omega, indexing="ij")
    mean, apart = 0.5 * (one + two), one - two
    matrix = np.zeros((1, len(omega), len(omega), 6), complex)
    matrix[0, :, :, 0] = 1e4 * mean**2 * (1.0 + 1j * GROWTH * apart / 0.25) / (1.0 + apart**2)
    return Drift(omega, np.zeros(1), np.einsum("hiij->hij", matrix).real, matrix)


def check() -> Iterator[Record]:
    drift = transfer()
    waves = {"kind": "jonswap", "significant_height": HEIGHT, "peak_period": PERIOD, "components": WAVES}
    sea = wave_columns(Environment.model_validate({"waves": waves}))
    a, omega = sea[AMPLITUDE], sea[OMEGA]
    diagonal = np.interp(omega, drift.omega, drift.mean[0, :, 0])
    expected = float(a**2 @ diagonal)
    seas = [waves | {"components": 1000, "seed": seed} for seed in range(8)]
    many = [wave_columns(Environment.model_validate({"waves": one})) for one in seas]
    peak = 2.0 * np.pi / PERIOD
    fine = peak * np.linspace(0.4, 5.0, 4000)  # the band of frequencies that a sea has
    density = spectrum(fine, HEIGHT, PERIOD)
    density *= HEIGHT**2 / 16.0 / np.trapezoid(density, fine)
    integral = float(2.0 * np.trapezoid(density * np.interp(fine, drift.omega, drift.mean[0, :, 0]), fine))
    found = float(np.mean([drift_terms(drift, "mean", one, 0.0)[0][0] for one in many]))
    yield Record.relative("slow drift in eight seas of 1000 waves, mean, N", INTEGRAL, found, integral, 0.002)
    times = np.arange(0.0, 40000.0, 2.0)
    turning = np.exp(-1j * (sea[PHASE][:, None] - omega[:, None] * times))
    deviation = {}
    for method in ("mean", "newman", "qtf"):
        mean, terms = drift_terms(drift, method, sea, 0.0)
        total = float(mean[0]) + sum(weight * float(np.sum(columns**2)) for _, weight, columns in terms)
        yield Record.relative(f"slow drift, {method}, mean, N", DIAGONAL, total, expected, 0.002)
        series = sum(weight * np.abs((re + 1j * im) @ turning) ** 2 for _, weight, (re, im) in terms)
        deviation[method] = float(np.std(series)) if len(terms) else 0.0
    T = np.sqrt(np.outer(diagonal, diagonal))
    one, two = np.meshgrid(omega, omega, indexing="ij")
    whole = 1e4 * (0.5 * (one + two)) ** 2 * (1.0 + 1j * GROWTH * (one - two) / 0.25) / (1.0 + (one - two) ** 2)
    for method, table in (("newman", T), ("qtf", whole)):
        pairs = np.abs(np.outer(a, a) * table) ** 2
        known = float(np.sqrt(pairs.sum() - np.trace(pairs)))
        name = f"slow drift, {method}, standard deviation, N"
        yield Record.relative(name, PAIRS, deviation[method], known, 0.03)
    ratio = deviation["newman"] / deviation["qtf"]
    known = float(np.sqrt((np.outer(a, a) * T**2).sum() / (np.outer(a, a) * np.abs(whole) ** 2).sum()))
    name = "Newman's approximation over the whole matrix, standard deviation (what it leaves out)"
    yield Record.relative(name, PAIRS, ratio, known, 0.05)
