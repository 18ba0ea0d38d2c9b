"""What is wrong with coefficients: relations that all linear theory keeps, and the slips that break them.

Every finding names what is off, by how much, the likely cause and the cure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from fairlead.words import number

from .coefficients import DOFS, Coefficients
from .kernels import infinite_added_mass
from .shifting import wave_numbers

ROUND = 12
"""Headings round the body from which on the power it radiates is known."""
CLOSE = 0.05
"""By how much that power may change with half or a third of the headings where they are close enough."""
LOW = 0.5
"""Part of the damping, from the lowest frequency on, by which it is judged: short waves see the mesh."""
WITHIN, BETWEEN = 0.1, 0.3
"""By how much what should be symmetric may differ, within a body and between two; their mean is off by half of it."""
ROUNDED = 0.06
"""By how much a heading in degrees may differ from a whole number where it was written in radians with three digits."""
DEEP = 0.1
"""Part of its lift that a deep hull may lack in a wave that is long."""
ALIKE = 0.3
"""Part of their common error by which motions may differ where one wrong scale explains it."""
LONG = 0.06
"""Wave number times √(waterplane) below which a wave is long."""


@dataclass(frozen=True)
class Finding:
    """Something a check found: `error` where it cannot be used so, `warning`, or `note`."""

    level: Literal["error", "warning", "note"]
    check: str
    text: str
    cure: str = ""

    def __str__(self) -> str:
        return f"{self.text}; {self.cure}" if self.cure else self.text


def findings(coefficients: Coefficients, band: float | None = None) -> list[Finding]:
    """All that is wrong or worth knowing, errors first; added mass and damping above `band` [rad/s] do not count."""
    found = [
        *limits(coefficients), *symmetry(coefficients, band), *positive_damping(coefficients, band),
        *infinite_frequency(coefficients, band), *heading_units(coefficients), *haskind(coefficients),
        *long_waves(coefficients),
    ]  # fmt: skip
    return sorted(found, key=lambda one: ("error", "warning", "note").index(one.level))


def _name(i: int, j: int, symbol: str) -> str:
    return f"{symbol}{i + 1}{j + 1}" if max(i, j) < 9 else f"{symbol}{i + 1},{j + 1}"


def limits(data: Coefficients) -> Iterator[Finding]:
    """The row of the zero frequency is near the lowest ones, that of the infinite near the highest."""
    zero, infinite = data.added_mass_zero, data.added_mass_infinite
    if zero is None or infinite is None:
        return
    diagonal = [i for i in range(len(zero)) if abs(zero[i, i] - infinite[i, i]) > 0.01 * abs(zero[i, i])]

    def nearer(n: int, i: int, one: np.ndarray, other: np.ndarray) -> bool:
        return bool(abs(data.added_mass[n, i, i] - one[i, i]) < 0.5 * abs(data.added_mass[n, i, i] - other[i, i]))

    turned = [i for i in diagonal if nearer(0, i, infinite, zero) and not nearer(-1, i, infinite, zero)]
    if diagonal and 2 * len(turned) > len(diagonal):
        i = turned[0]
        text = (
            f"{_name(i, i, 'A')} at {data.omega[0]:.3g} rad/s is {data.added_mass[0, i, i]:.4g}, nearer to the limit "
            f"of the infinite frequency ({infinite[i, i]:.4g}) than to that of zero ({zero[i, i]:.4g})"
        )
        cure = "set 'first_column' right: 0 is infinite among periods, and zero among frequencies and wave numbers"
        yield Finding("error", "limits", text, cure)


def symmetry(data: Coefficients, band: float | None = None) -> Iterator[Finding]:
    """Added mass and damping are symmetric. What two bodies do to each other counts beside the larger of the two."""
    data = data.within(band)
    motion = np.arange(data.added_mass.shape[-1])
    apart_and_alike = (motion[:, None] // 6 != motion // 6) & (motion[:, None] % 6 // 3 == motion % 6 // 3)
    for symbol, table in (("A", data.added_mass), ("B", data.damping)):
        peak = np.sqrt(np.abs(np.einsum("wii->wi", table)).max(axis=0))
        scale = np.where(apart_and_alike, np.maximum.outer(peak, peak) ** 2, np.outer(peak, peak))
        alive = np.outer(peak > 1e-4 * peak.max(), peak > 1e-4 * peak.max())
        apart = np.abs(table - table.swapaxes(1, 2)) / np.where(alive & (scale > 0.0), scale, np.inf)
        n, i, j = np.unravel_index(int(apart.argmax()), apart.shape)
        worst = float(apart[n, i, j])
        if worst > 0.02:
            text = (
                f"{_name(int(i), int(j), symbol)} and {_name(int(j), int(i), symbol)} differ by {worst:.1%} at "
                f"{data.omega[n]:.4g} rad/s, and should be the same"
            )
            cure = (
                "a finer mesh, or no irregular frequency there; both are replaced by their mean. Or set "
                "'radiation.band' below it, or 'coefficients.motions' to those that matter"
            )
            most = BETWEEN if i // 6 != j // 6 else WITHIN
            yield Finding("error" if worst > most else "warning", "symmetry", text, cure)


def positive_damping(data: Coefficients, band: float | None = None) -> Iterator[Finding]:
    """No motion may be driven by the waves it makes."""
    within = data.omega <= (math.inf if band is None else band)
    for i in range(data.damping.shape[-1]):
        column = data.damping[within, i, i]
        peak = float(column.max(initial=0.0))
        everywhere = np.abs(np.einsum("wii->wi", data.damping)).max(axis=0)
        same = everywhere[np.arange(len(everywhere)) % 6 // 3 == i % 6 // 3].max()
        if peak <= 1e-6 * same or not (column < -1e-3 * peak).any():
            continue
        low = np.flatnonzero(column < -1e-2 * peak)
        n = int(column.argmin())
        single = len(low) > 0 and all(np.diff(low) > 1) and len(low) <= 2
        w = f"{data.omega[within][n]:.4g} rad/s"
        text = f"{_name(i, i, 'B')} is negative at {w} ({column[n] / peak:.1%} of its peak): an irregular frequency"
        cure = f"remove it (a lid on the mesh), or set 'radiation.band' below {w}"
        yield Finding("error" if len(low) and not single else "warning", "positive damping", text, cure)


def infinite_frequency(data: Coefficients, band: float | None = None) -> Iterator[Finding]:
    """A(∞) is there, or can be made by Ogilvie's relation; where it is there, it agrees with it."""
    data = data.within(band)
    diagonal = np.abs(np.einsum("wii->wi", data.damping))
    rest = diagonal[-1] / np.maximum(diagonal.max(axis=0), 1e-300)
    counts = [i for i in range(diagonal.shape[1]) if diagonal[:, i].max() > 0.0 and i % 6 < 3]
    unfinished = [i for i in counts if rest[i] > 0.1 and diagonal[:, i].max() > 1e-3 * diagonal[:, counts].max()]
    if data.added_mass_infinite is None:
        if unfinished and band is None:
            i = unfinished[0]
            text = (
                f"added mass at infinite frequency is missing and cannot be made from frequencies to "
                f"{data.omega[-1]:.3g} rad/s, where {_name(i, i, 'B')} is still {rest[i]:.0%} of its peak"
            )
            cure = (
                "run T = 0 (WAMIT) or omega = inf (Capytaine), give 'radiation.added_mass_infinite', or set "
                "'radiation.band' to make it from the frequencies below"
            )
            yield Finding("error", "infinite frequency", text, cure)
            return
        spread = infinite_added_mass(data).spread
        below = "" if band is None else f" to {band:g} rad/s"
        text = f"added mass at infinite frequency is made from the others{below} (Ogilvie), within {spread:.1%}"
        yield Finding("warning" if spread > 0.05 else "note", "infinite frequency", text)
        return
    if unfinished or len(data.omega) < 20:
        return
    made, given = infinite_added_mass(data).value, data.added_mass_infinite
    for i in counts:
        apart = abs(made[i, i] / given[i, i] - 1.0) if given[i, i] else 0.0
        if apart > 0.05 and diagonal[:, i].max() > 1e-2 * diagonal[:, counts].max():
            text = (
                f"{_name(i, i, 'A')}(∞) of the file is {given[i, i]:.4g}, and {made[i, i]:.4g} follows from the "
                "damping (Ogilvie)"
            )
            cure = "added mass and damping do not belong together: a wrong first column, or too few frequencies"
            yield Finding("error" if apart > 0.2 else "warning", "Ogilvie", text, cure)
            return


def heading_units(data: Coefficients) -> Iterator[Finding]:
    """Headings are in the unit of the format: degrees, of Capytaine radians."""
    beta = data.headings
    if len(beta) < 2:
        return
    degrees = np.degrees(beta)
    if data.format == "capytaine":
        if np.abs(beta).max() > 2.0 * math.pi + 0.1:
            text = f"headings to {np.abs(beta).max():.4g} are taken for radians, as Capytaine writes them"
            yield Finding("error", "headings", text, "they are degrees: divide 'wave_direction' by 57.2958")
        return
    within = np.abs(degrees).max() <= 2.0 * math.pi + 1e-2
    turned = np.degrees(degrees)  # what they are if the numbers of the file are radians
    whole, kept = np.abs(turned - np.round(turned)), np.abs(degrees - np.round(degrees))
    if within and whole.max() < ROUNDED and kept.max() > 0.05:
        listed = ", ".join(f"{value:.4g}" for value in degrees[:4])
        text = f"headings {listed}{', ...' if len(beta) > 4 else ''} are taken for degrees, and are even as radians"
        yield Finding("error", "headings", text, "write them in degrees: multiply the column of headings by 57.2958")


def radiated(data: Coefficients, depth: float, every: int = 1) -> np.ndarray:
    """Damping (nw, 6N) that the excitation of all directions implies: k/(8π ρ g c_g) ∫ |X|² dβ (Haskind).

    every: 2 for a sum over every second heading, 3 over every third.
    """
    k = wave_numbers(replace(data, depth=depth))
    kh = np.minimum(k * depth, 300.0) if math.isfinite(depth) else np.full_like(k, 300.0)
    group = 0.5 * data.omega / k * (1.0 + 2.0 * kh / np.sinh(np.minimum(2.0 * kh, 600.0)))
    beta = data.headings
    closed = np.append(beta, beta[0] + 2.0 * np.pi) if beta[-1] - beta[0] < 2.0 * np.pi - 1e-6 else beta
    power = np.abs(data.excitation) ** 2
    power = np.concatenate([power, power[:1]]) if len(closed) > len(beta) else power
    total = np.trapezoid(power[::every], closed[::every], axis=0)
    return np.asarray(total * (k / (8.0 * np.pi * data.density * data.gravity * group))[:, None])


def is_round(data: Coefficients) -> bool:
    """Whether there are headings all round."""
    beta = data.headings
    if len(beta) < ROUND:
        return False
    return bool(beta[-1] - beta[0] > 2.0 * np.pi - 1.5 * np.diff(beta).max())


def close_enough(data: Coefficients) -> np.ndarray:
    """Where the headings are close enough for the power to be summed round, (nw, 3) of surge, sway and heave.

    The shorter the waves beside the body, the more the excitation varies from heading to heading. A half of the
    headings alone would not tell of a body that looks alike from ahead and astern.
    """
    full = radiated(data, data.depth)[:, :3]
    steps = len(data.headings) - (data.headings[-1] - data.headings[0] > 2.0 * np.pi - 1e-6)
    close = np.ones(full.shape, bool)
    for every in (2, 3):
        if steps % every == 0:
            close &= np.abs(radiated(data, data.depth, every)[:, :3] - full) <= CLOSE * full
    return close


def haskind_ratio(data: Coefficients, depth: float | None = None) -> np.ndarray:
    """Damping by Haskind over that of the file, (3,) of surge, sway and heave: the worst that is no spike, or NaN.

    Of the frequencies for which the headings are close enough.
    """
    made = radiated(data, data.depth if depth is None else depth)[:, :3]
    close = close_enough(data)
    given = np.einsum("wii->wi", data.damping)[:, :3]
    found = np.full(3, np.nan)
    for i in range(3):
        peak = given[:, i].max(initial=0.0)
        energy = np.cumsum(np.maximum(given[:, i], 0.0))
        counts = (given[:, i] > 0.05 * peak) & (energy <= LOW * energy[-1]) & close[:, i]
        if peak > 0.0 and peak > 1e-3 * given.max() and counts.sum() >= 3:
            ratio = made[counts, i] / given[counts, i]
            # the worst that is no single spike
            smooth = np.median(np.stack([ratio[:-2], ratio[1:-1], ratio[2:]]), axis=0)
            found[i] = smooth[np.abs(smooth - 1.0).argmax()]
    return found


def haskind(data: Coefficients) -> Iterator[Finding]:
    """Excitation and damping belong together."""
    if not data.has_excitation:
        return
    if not is_round(data):
        count = len(data.headings)
        text = f"{count} heading{'s' if count > 1 else ''}: too few to see whether excitation and damping fit"
        yield Finding("note", "Haskind", text)
        return
    ratio = haskind_ratio(data)
    if not np.isfinite(ratio).any():
        if not close_enough(data).all():
            apart = math.degrees(np.diff(data.headings).max())
            text = f"headings {number(apart)} deg apart are too far to see whether excitation and damping fit"
            yield Finding("note", "Haskind", text)
        return
    worst = float(np.nanmax(np.abs(ratio - 1.0)))
    if worst <= 0.03:
        return
    i = int(np.nanargmax(np.abs(ratio - 1.0)))
    text = (
        f"excitation and damping do not belong together: of {DOFS[i]} the damping that follows from the excitation is "
        f"{ratio[i]:.3g} of that in the file"
    )
    yield Finding("error" if worst > 0.1 else "warning", "Haskind", text, _likely(data, ratio))


def _likely(data: Coefficients, ratio: np.ndarray) -> str:
    """What would explain it."""
    if ratio[0] > 1.7 and (ratio[1] < 0.3 or math.isnan(ratio[1])):
        return "the excitation is in axes turned with the wave: turn it back by the heading"
    for depth in (math.inf, 20.0, 30.0, 50.0, 70.0, 100.0, 150.0, 200.0, 300.0):
        if depth != data.depth and np.nanmax(np.abs(haskind_ratio(data, depth) - 1.0)) < 0.02:
            named = "infinite" if math.isinf(depth) else f"{depth:g}"
            return f"the depth is not {data.depth:g} m: set 'coefficients.depth: {named}', which fits"
    if data.format == "mesh":
        return "a finer mesh brings them together"
    finite = ratio[np.isfinite(ratio)]
    offset = float(finite.mean()) - 1.0
    if len(finite) > 1 and float(np.abs(finite - finite.mean()).max()) < ALIKE * abs(offset):
        return _off_alike(data, 1.0 / float(finite.mean()))
    if float(np.abs(finite - 1.0).max()) < 0.2 and abs(offset) < 2.0 * float(np.abs(finite - finite.mean()).max()):
        listed = ", ".join(f"{value:.3g}" for value in finite)
        return (
            f"the motions differ from one another ({listed}), so no unit or scale explains it: the mesh is too coarse, "
            "or excitation and damping come from different runs"
        )
    return "a wrong first_column, depth or length, or frames that differ"


def _off_alike(data: Coefficients, factor: float) -> str:
    """Which of the numbers that make a file dimensional is wrong by that factor, where all motions are off alike.

    By Haskind B = k |X|²/(8π ρ g c_g): the ratio goes with L g in WAMIT's units, with 1/ρ where forces are in newtons.
    """
    alike = f"all motions are off alike, by a factor of {1.0 / factor:.3g}"
    if data.format in ("wamit", "hams"):
        return f"{alike}: 'length' is wrong (WAMIT's ULEN), {factor:.3g} times as long fits; the density cancels out"
    if data.format == "bemio":
        return f"{alike}: the file's gravity is wrong, or whether its numbers are scaled ('scaled')"
    fits = f"{data.density / factor:.4g} fits"
    return f"{alike}: the density of the water in the file ({data.density:g} kg/m^3) is wrong, {fits}"


def long_waves(data: Coefficients) -> Iterator[Finding]:
    """Waves far longer than the body lift it by its waterplane, and push it a quarter period before their crest."""
    if not data.has_excitation:
        return
    k = float(wave_numbers(data)[0])
    for body in range(data.bodies):
        C = float(data.stiffness[6 * body + 2, 6 * body + 2])
        if not C > 0.0 or k * math.sqrt(C / (data.density * data.gravity)) > LONG:
            continue
        # how much less it is lifted for its depth, to first order in k; the mass of water it displaces is about A11
        own = float(data.added_mass[0, 6 * body, 6 * body] + data.added_mass[0, 6 * body + 2, 6 * body + 2])
        if float(data.omega[0]) ** 2 * own > DEEP * C:
            continue
        lift = data.excitation[:, 0, 6 * body + 2]
        apart = float(np.abs(np.abs(lift) / C - 1.0).min())
        if apart > 0.15:
            text = (
                f"a long wave ({data.omega[0]:.3g} rad/s) lifts with {number(np.abs(lift).mean())} N/m, and the "
                f"waterplane with {number(C)} N/m"
            )
            cure = "'water_density' or 'length' is wrong, or the stiffness: X3 -> ρ g A_wp as the wave grows long"
            yield Finding("error", "long waves", text, cure)
        for h, beta in enumerate(data.headings.tolist()):
            push = data.excitation[h, 0, 6 * body]
            along = math.cos(beta)
            if abs(along) < 0.99 or abs(push) < 1e-6 * C:
                continue
            phase = math.degrees(float(np.angle(push * math.copysign(1.0, along))))
            if abs(phase - 90.0) > 5.0:
                text = (
                    f"a long wave ({data.omega[0]:.3g} rad/s) towards {math.degrees(beta):.4g} deg pushes in surge "
                    f"with a phase of {phase:.1f} deg, where 90 belongs"
                )
                if abs(phase + 90.0) <= 5.0:
                    cure = "phases are those of e^{-iωt}: say which 'format' wrote them, or take their conjugate"
                else:
                    cure = "its phase is taken elsewhere: give 'coefficients.reference'"
                yield Finding("error", "long waves", text, cure)
                return
