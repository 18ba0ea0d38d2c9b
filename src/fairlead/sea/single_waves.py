"""Sums over waves as a GPU takes them: phases in double precision, sine, cosine and powers of e in single.

A GPU has twice as many units for single precision as for double, and others that give a sine or a power of two at once,
to 7e-7 and 3e-7. Only the phase needs more, since it grows for hours. It is counted in turns, to a number so large that
a double has just 32 bits left behind the point: they are the part of a turn, to 1.5e-9 rad, whatever the whole turns.

Each wave has a row of ten numbers, as many as it has columns in `waves`: kx, ky, −ω in turns, the phase with what is
added to it, and twelve of single precision, two in the place of one double.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fairlead.algebra.compiled import inlined, kernel
from fairlead.algebra.lanes import WIDTH

from .along import water_along, water_by_places
from .waves import FADED, wave_elevation, wave_flow, wave_flows, wave_surface

NUMBERS = 10
"""Numbers of a row."""
TURNS = 2.0**19
"""Whole turns, forwards and backwards, that a phase may count."""
_LARGE = 3.0 * TURNS  # from here to 2 TURNS and 4 TURNS doubles lie equally close
_TURN, _PER_LN2 = 2.0 * math.pi, 1.0 / math.log(2.0)
RADIANS = np.float32(_TURN / 2.0**32)
"""In the last of the bits in which a phase is counted."""
_NONE, _FADED = np.float32(0.0), np.float32(-FADED * _PER_LN2)


def single_rows(columns: np.ndarray) -> np.ndarray:
    """Rows of waves from their columns (10, n, ...), one behind the other (10 n, ...)."""
    a, kx, ky, omega, phase, k, echo, speed, ahead_x, ahead_y = columns
    part = phase / _TURN
    doubles = np.stack([kx / _TURN, ky / _TURN, -omega / _TURN, part - np.round(part) + _LARGE])
    with np.errstate(divide="ignore"):
        fall, back = k * _PER_LN2, np.log2(echo)
    along_x, along_y = speed * ahead_x, speed * ahead_y
    forms = [a, a * omega, -a * kx, -a * ky, fall, back, along_x, along_y]
    forms += [speed, omega * along_x, omega * along_y, -omega * speed]
    singles = np.stack(forms).astype(np.float32)
    pairs = np.ascontiguousarray(np.stack([singles[0::2], singles[1::2]], axis=-1)).view(np.float64)[..., 0]
    return np.concatenate([doubles, pairs]).swapaxes(0, 1).reshape(-1, *columns.shape[2:])


# --- what compiled code has as one or two instructions ----------------------------------------------------------------


def phase_row(sea: np.ndarray, k: int) -> tuple[Any, ...]:
    """kx, ky, −ω and the phase of wave k, in turns."""
    return tuple(sea[NUMBERS * k : NUMBERS * k + 4])


def surface_row(sea: np.ndarray, k: int) -> tuple[Any, ...]:
    """What the surface takes of wave k: a, aω, −a kx, −a ky."""
    return tuple(sea[NUMBERS * k + 4 : NUMBERS * k + 6].view(np.float32))


def flow_row(sea: np.ndarray, k: int) -> tuple[Any, ...]:
    """What the flow takes of wave k: k and −2kh for powers of two, and with its orbital speed U its horizontal parts
    Ux, Uy, U, then ωUx, ωUy, −ωU."""
    return tuple(sea[NUMBERS * k + 6 : NUMBERS * k + 10].view(np.float32))


def sine_cosine(turns: float) -> tuple[Any, Any]:
    """Of a phase that was counted from a large number on."""
    part = np.array(turns).view(np.int64).astype(np.int32).astype(np.float32) * RADIANS
    return np.sin(part), np.cos(part)


def power_of_two(x: np.float32) -> np.float32:
    """2ˣ."""
    return np.float32(np.exp2(x))


# --- the sums ---------------------------------------------------------------------------------------------------------


@kernel
def single_elevation(t, x, y, first, count, sea):
    """`wave_elevation`."""
    surface, k = _NONE, 0
    while k < count:
        kx, ky, omega, phase = phase_row(sea, k)
        _, c = sine_cosine(phase + omega * t + kx * x + ky * y)
        surface += surface_row(sea, k)[0] * c
        k += 1
    return np.float64(surface)


@kernel
def single_surface(t, x, y, first, count, sea):
    """`wave_surface`."""
    surface, rate, slope_x, slope_y, k = _NONE, _NONE, _NONE, _NONE, 0
    while k < count:
        kx, ky, omega, phase = phase_row(sea, k)
        s, c = sine_cosine(phase + omega * t + kx * x + ky * y)
        a, faster, by_x, by_y = surface_row(sea, k)
        surface += a * c
        rate += faster * s
        slope_x += by_x * s
        slope_y += by_y * s
        k += 1
    return np.float64(surface), np.float64(rate), np.float64(slope_x), np.float64(slope_y)


@inlined
def with_wave(turns, z, row, sums):
    """Sums of velocity and acceleration with one more wave, of which `turns` is the phase and z the level."""
    fall, back, along_x, along_y, up, faster_x, faster_y, faster_up = row
    s, c = sine_cosine(turns)
    depth = fall * z
    e, echo = power_of_two(depth), power_of_two(back - depth)
    wide, high = e + echo, e - echo
    wide_c, wide_s, high_s, high_c = wide * c, wide * s, high * s, high * c
    u, v, w, du, dv, dw = sums
    return (
        u + along_x * wide_c, v + along_y * wide_c, w + up * high_s,
        du + faster_x * wide_s, dv + faster_y * wide_s, dw + faster_up * high_c,
    )  # fmt: skip


@inlined
def doubled(sums):
    """Velocity and acceleration in double precision."""
    u, v, w, du, dv, dw = sums
    return (np.float64(u), np.float64(v), np.float64(w)), (np.float64(du), np.float64(dv), np.float64(dw))


@kernel
def single_flow(t, x, y, z, first, count, sea):
    """`wave_flow`."""
    sums, level, k = (_NONE, _NONE, _NONE, _NONE, _NONE, _NONE), np.float32(z), 0
    while k < count and not flow_row(sea, k - k % WIDTH)[0] * level < _FADED:
        kx, ky, omega, phase = phase_row(sea, k)
        sums = with_wave(phase + omega * t + kx * x + ky * y, level, flow_row(sea, k), sums)
        k += 1
    return doubled(sums)


@inlined
def with_wave_at_both(t, p, z1, q, z2, k, one, two, sea):
    """`with_wave` k at two places."""
    kx, ky, omega, phase = phase_row(sea, k)
    row, now = flow_row(sea, k), phase + omega * t
    one = with_wave(now + kx * p[0] + ky * p[1], z1, row, one)
    return one, with_wave(now + kx * q[0] + ky * q[1], z2, row, two)


@kernel
def single_flows(t, p, level1, q, level2, first, count, sea):
    """`wave_flows`: a wave is read once for both places, and passed over where neither feels it."""
    none = (_NONE, _NONE, _NONE, _NONE, _NONE, _NONE)
    one, two, z1, z2, k = none, none, np.float32(level1), np.float32(level2), 0
    higher = max(z1, z2)
    while k < count and not flow_row(sea, k - k % WIDTH)[0] * higher < _FADED:
        one, two = with_wave_at_both(t, p, z1, q, z2, k, one, two, sea)  # four waves a turn: less is spent on turning
        one, two = with_wave_at_both(t, p, z1, q, z2, k + 1, one, two, sea)
        one, two = with_wave_at_both(t, p, z1, q, z2, k + 2, one, two, sea)
        one, two = with_wave_at_both(t, p, z1, q, z2, k + 3, one, two, sea)
        k += 4
    return doubled(one), doubled(two)


ON_A_GPU = {
    wave_elevation: single_elevation,
    wave_surface: single_surface,
    wave_flow: single_flow,
    wave_flows: single_flows,
    water_along: water_by_places,
}
"""What a GPU computes in place of sums in double precision."""
