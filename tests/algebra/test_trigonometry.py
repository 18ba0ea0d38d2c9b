"""Sines, cosines and powers of eight numbers at once are those of the C library to 1e-12, compiled or not."""

import math

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.algebra.compiled import entry
from fairlead.algebra.lanes import WIDTH, alike, lanes, total
from fairlead.algebra.trigonometry import (
    SMALL,
    powers_of_e,
    rough_power_of_e,
    rough_sines_cosines,
    sines_cosines,
    small_cosh_sinh,
    small_sines_cosines,
)


@entry
def weighed(x, weight):
    """Σ of sin x, cos x, eˣ and e⁻ˣ of eight numbers, each times a weight."""
    s, c = sines_cosines(lanes(x, 0))
    e, back = powers_of_e(lanes(x, 0))
    w = lanes(weight, 0)
    return total(s * w), total(c * w), total(e * w), total(back * w)


@entry
def weighed_roughly(x, small, weight):
    """The same of the shorter polynomials: sin x, cos x, eˣ, and sine, cosine, cosh and sinh of small numbers."""
    s, c = rough_sines_cosines(lanes(x, 0))
    small_s, small_c = small_sines_cosines(lanes(small, 0))
    wide, steep = small_cosh_sinh(lanes(small, 0))
    w, e = lanes(weight, 0), rough_power_of_e(lanes(x, 0))
    return (
        total(s * w),
        total(c * w),
        total(e * w),
        total(small_s * w),
        total(small_c * w),
        total(wide * w),
        total(steep * w),
    )


@entry
def sums(x, at, number):
    """a·b + number − a/b of eight numbers and the eight behind them, and the sum of a number eight times."""
    a, b = lanes(x, at), lanes(x, at + WIDTH)
    found = a * b + number
    found -= a / b
    return total(found), total(alike(number))


def one_by_one(x):
    """sin, cos and the two powers of e of each number by `weighed`, with its neighbours weighed by nothing."""
    padded = np.pad(x, (0, -len(x) % WIDTH))
    picked = np.eye(WIDTH)
    rows = [[weighed(padded[i : i + WIDTH], pick) for pick in picked] for i in range(0, len(x), WIDTH)]
    return np.reshape(rows, (-1, 4))[: len(x)]


def test_they_agree_with_the_library_over_eight_decades_and_in_every_quadrant():
    random = np.random.default_rng(2)
    angles = np.concatenate(
        [random.uniform(-1, 1, 4000) * 10.0 ** random.uniform(-8, 7, 4000), np.arange(-40, 40) * math.pi / 4]
    )
    found = one_by_one(angles)
    assert np.abs(found[:, 0] - np.sin(angles)).max() < 1e-12
    assert np.abs(found[:, 1] - np.cos(angles)).max() < 1e-12
    few = np.concatenate([angles[:160], random.uniform(-1e7, 1e7, 80), angles[-80:]]).reshape(-1, WIDTH)
    assert np.array([plain(sines_cosines)(x) for x in few]) == pytest.approx(
        np.stack([np.sin(few), np.cos(few)], axis=1), abs=1e-12
    )


def test_powers_of_e():
    x = np.concatenate([np.random.default_rng(3).uniform(-600, 600, 400), [0.0, -1e-300, 1e-9, -0.3465735902799726]])
    assert np.abs(one_by_one(x)[:, 2] / np.exp(x) - 1.0).max() < 1e-12
    assert np.abs(one_by_one(x)[:, 3] / np.exp(-x) - 1.0).max() < 1e-12
    assert one_by_one(np.array([-1e5, -800.0, -700.0, 0.0]))[:3, 2] == pytest.approx(np.exp(-700.0), rel=1e-12)
    for found, power in zip(plain(powers_of_e)(x[-4:]), (x[-4:], -x[-4:]), strict=True):
        assert found == pytest.approx(np.exp(power), rel=1e-12)
    assert np.isnan(weighed(np.full(WIDTH, math.nan), np.ones(WIDTH))).all()


def test_shorter_polynomials_are_as_good_as_waves_need():
    """Compiled or not: to 3e-10, those of small numbers to 1e-10, powers of e to 1e-10 of their size."""
    random = np.random.default_rng(5)
    angles = [*random.uniform(-600.0, 600.0, 400), *(np.arange(-40, 40) * math.pi / 4)]
    for x, small in zip(np.reshape(angles, (-1, WIDTH)), random.uniform(-SMALL, SMALL, (60, WIDTH)), strict=True):
        compiled = np.array([weighed_roughly(x, small, pick) for pick in np.eye(WIDTH)]).T
        python = np.array([
            *plain(rough_sines_cosines)(x), plain(rough_power_of_e)(x), *plain(small_sines_cosines)(small),
            *plain(small_cosh_sinh)(small),
        ])  # fmt: skip
        for found in (compiled, python):
            assert np.abs(found[:2] - [np.sin(x), np.cos(x)]).max() < 3e-10
            assert np.abs(found[2] / np.exp(x) - 1.0).max() < 1e-10
            exact = [np.sin(small), np.cos(small), np.cosh(small), np.sinh(small)]
            assert np.abs(found[3:] - exact).max() < 1e-10


def test_sums_of_eight_are_those_of_the_numbers():
    x = np.random.default_rng(4).normal(size=19)
    a, b = x[2:10], x[10:18]
    assert sums(x, 2, 1.5) == pytest.approx((np.sum(a * b + 1.5 - a / b), 12.0), rel=1e-14)
