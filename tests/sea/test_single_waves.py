"""Sums over waves as a GPU takes them, uncompiled, beside those of a core in double precision."""

from types import FunctionType

import numpy as np
import pytest

from fairlead.model import Environment
from fairlead.sea import single_waves
from fairlead.sea.single_waves import single_elevation, single_flow, single_flows, single_rows, single_surface
from fairlead.sea.waves import ECHO, KX, KY, NUMBER, OMEGA, PHASE, SINE, SPEED, wave_columns


def uncompiled(kernel):
    """A kernel as Python runs it, with all that it calls."""
    known = {name: getattr(value, "py_func", value) for name, value in vars(single_waves).items()}
    for name, value in list(known.items()):
        if isinstance(value, FunctionType) and value.__module__ == single_waves.__name__:
            known[name] = FunctionType(value.__code__, known)
    return known[kernel.py_func.__name__]


def sea_of(depth):
    waves = {"kind": "jonswap", "significant_height": 3, "peak_period": 9, "components": 100, "spreading": 4}
    given = {"waves": waves} if depth is None else {"waves": waves, "seabed": {"depth": depth}}
    return wave_columns(Environment.model_validate(given))


def exactly(t, p, z, columns):
    """Surface, rate, slopes; velocity, acceleration at the level z, by sums over all waves in 80 bits."""
    a, kx, ky, omega, phase = columns[: PHASE + 1].astype(np.longdouble)
    k, echo, speed = (columns[n].astype(np.longdouble) for n in (NUMBER, ECHO, SPEED))
    ahead = columns[SINE - 1 : SINE + 1].astype(np.longdouble)
    theta = kx * p[0] + ky * p[1] - omega * t + phase
    s, c, e = np.sin(theta), np.cos(theta), np.exp(k * z)
    wide, high = speed * (e + echo / e), speed * (e - echo / e)
    surface = [np.sum(x) for x in (a * c, a * omega * s, -a * kx * s, -a * ky * s)]
    flow = [*(ahead @ (wide * c)), np.sum(high * s)]
    push = [*(ahead @ (omega * wide * s)), -np.sum(omega * high * c)]
    return [np.array(part, dtype=float) for part in (surface, flow, push)]


@pytest.mark.parametrize("depth", [None, 20.0, 60.0, 300.0])
def test_they_are_those_of_double_precision_to_a_millionth(depth):
    """Of Σa, Σaω, Σak and Σaω², which the sums are at most, over 40 km and up to a day after the sea began. The sines
    and powers of a GPU itself add 7e-7 and 3e-7 at most to what is seen here."""
    columns = sea_of(depth)
    rows, count = single_rows(columns), columns.shape[1]
    amplitude, omega, k = columns[0], columns[OMEGA], columns[NUMBER]
    sizes = np.array([amplitude.sum(), (amplitude * omega).sum(), *[(amplitude * k).sum()] * 2])
    speed = (amplitude * omega * (1 + columns[ECHO]) / (1 - columns[ECHO])).sum()
    faster = (amplitude * omega**2 * (1 + columns[ECHO]) / (1 - columns[ECHO])).sum()
    random = np.random.default_rng(3)
    for t in (3.0, 1e4, 86400.0):
        p, q = (np.array([*random.uniform(-2e4, 2e4, 2), 0.0]) for _ in range(2))
        z1, z2 = -random.uniform(0.0, 15.0, 2)
        surface, flow, push = exactly(t, p, z1, columns)
        found = uncompiled(single_surface)(t, p[0], p[1], 0, count, rows)
        assert np.abs((found - surface) / sizes).max() < 1e-7
        assert uncompiled(single_elevation)(t, p[0], p[1], 0, count, rows) == found[0]
        both = uncompiled(single_flows)(t, p, z1, q, z2, 0, count, rows)
        for (velocity, acceleration), (_, flow, push) in zip(
            both, (exactly(t, p, z1, columns), exactly(t, q, z2, columns)), strict=True
        ):
            assert np.abs(velocity - flow).max() < 2e-7 * speed
            assert np.abs(acceleration - push).max() < 2e-7 * faster
        assert uncompiled(single_flow)(t, q[0], q[1], z2, 0, count, rows) == both[1]


def test_deep_down_only_waves_that_are_felt_are_summed():
    """By two places those that the higher one feels; what is left out is e^-12 of a wave."""
    columns = sea_of(300.0)
    rows, count = single_rows(columns), columns.shape[1]
    broken = columns.copy()
    unfelt = broken[NUMBER] * -150.0 < -12.0
    first = 8 * -(-int(np.flatnonzero(unfelt)[0]) // 8)  # eights of which none is felt
    broken[SPEED, first:] = np.nan
    p, q = np.array([5.0, 7.0, 0.0]), np.array([6.0, 8.0, 0.0])
    known = uncompiled(single_flows)(50.0, p, -250.0, q, -150.0, 0, count, rows)
    assert uncompiled(single_flows)(50.0, p, -250.0, q, -150.0, 0, count, single_rows(broken)) == known
    speed = (columns[0] * columns[OMEGA]).sum()
    _, flow, _ = exactly(50.0, q, -150.0, columns)
    assert np.abs(np.array(known[1][0]) - flow).max() < 1e-6 * speed


def test_rows_of_many_seas_are_those_of_each():
    columns = sea_of(60.0)
    other = columns.copy()
    other[[KX, KY]] *= -1.0
    both = single_rows(np.stack([columns, other], axis=-1))
    assert np.array_equal(both[:, 0].view(np.int64), single_rows(columns).view(np.int64))
    assert np.array_equal(both[:, 1].view(np.int64), single_rows(other).view(np.int64))
