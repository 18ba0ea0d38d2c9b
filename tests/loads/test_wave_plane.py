"""Waves over the length of a body with a shape: the pressure of the undisturbed wave, integrated over its sides."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.algebra.compiled import entry
from fairlead.loads import rigid_body
from fairlead.model import Environment
from fairlead.sea import water

RHO, G = 1025.0, 9.81
LENGTH, WIDTH, HEIGHT, DRAFT = 60.0, 20.0, 6.0, 2.0
AMPLITUDE = 0.01
LEVEL = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@entry
def loads(t, p, R, v, w, reals, body):
    return rigid_body.rigid_body_loads(t, p, R, v, w, reals, body)


def floating(wavelength, direction, shape=rigid_body.BOX, length=LENGTH, width=WIDTH):
    """The sea with a box or a cylinder behind it that is held level at its draft, and where the body begins."""
    period = 2 * math.pi / math.sqrt(G * 2 * math.pi / wavelength)
    waves = {"kind": "regular", "height": 2 * AMPLITUDE, "period": period, "direction_deg": direction, "ramp": 0.0}
    sea = water.pack(Environment.model_validate({"water_density": RHO, "gravity": G, "waves": waves}))
    area = length * width if shape == rigid_body.BOX else math.pi / 4 * length**2
    body = np.zeros(rigid_body.BODY_COLUMNS)
    body[rigid_body.BODY_MASS] = RHO * area * DRAFT
    body[rigid_body.BODY_DISPLACED], body[rigid_body.BODY_HEIGHT] = RHO * area * HEIGHT, HEIGHT
    body[rigid_body.BODY_SHAPE] = shape
    body[rigid_body.BODY_LENGTH], body[rigid_body.BODY_WIDTH] = length, width
    return np.concatenate([sea, body]), len(sea), period


def complex_loads(wavelength, direction, **how):
    """Force (3) and torque (3) about the middle of the box per metre of wave, as complex amplitudes of e^(−iωt)."""
    reals, at, period = floating(wavelength, direction, **how)
    still, place = np.zeros(3), np.array([0.0, 0.0, 0.5 * HEIGHT - DRAFT])
    found = []
    for share in (1.0, 1.25):  # the waves begin after t = 0
        *_, force, torque, _ = loads(share * period, place, np.array(LEVEL), still, still, reals, at)
        found.append(np.array([*force, *torque]))
    return (found[0] + 1j * found[1]) / AMPLITUDE  # η = a cos(k·x − ωt): Re after a period, Im a quarter later


def pressed(wavelength, direction, nodes=40):
    """The same by pressure ρ g e^(kz + ik·x) on five faces and what the surface adds to the sides, for a = 1 m."""
    k = 2 * math.pi / wavelength
    kx, ky = k * math.cos(math.radians(direction)), k * math.sin(math.radians(direction))
    place, weight = np.polynomial.legendre.leggauss(nodes)
    x, y, z = 0.5 * LENGTH * place, 0.5 * WIDTH * place, 0.5 * DRAFT * (place - 1.0)
    wx, wy, wz = 0.5 * LENGTH * weight, 0.5 * WIDTH * weight, 0.5 * DRAFT * weight
    middle = 0.5 * HEIGHT - DRAFT
    total = np.zeros(6, complex)

    def add(X, Y, Z, W, normal):
        p = RHO * G * np.exp(k * Z + 1j * (kx * X + ky * Y)) * W
        arm = np.stack([X, Y, Z - middle])
        total[:3] += -np.array(normal) * p.sum()
        total[3:] += (np.cross(arm.reshape(3, -1).T, -np.array(normal)) * p.reshape(-1, 1)).sum(axis=0)

    X, Y = np.meshgrid(x, y, indexing="ij")
    add(X, Y, np.full_like(X, -DRAFT), np.outer(wx, wy), (0.0, 0.0, -1.0))
    for side in (-1.0, 1.0):
        Y, Z = np.meshgrid(y, z, indexing="ij")
        add(np.full_like(Y, side * 0.5 * LENGTH), Y, Z, np.outer(wy, wz), (side, 0.0, 0.0))
        X, Z = np.meshgrid(x, z, indexing="ij")
        add(X, np.full_like(X, side * 0.5 * WIDTH), Z, np.outer(wx, wz), (0.0, side, 0.0))
    return total


@pytest.mark.parametrize("direction", [0.0, 30.0, 90.0])
@pytest.mark.parametrize("wavelength", [1200.0, 300.0, 150.0, 80.0])
def test_force_and_moment_are_those_of_the_pressure_of_the_wave(wavelength, direction):
    """To what e^(kz) differs from a line over the draft, (kT)²/6, and the rule from the integral: 1 %."""
    found, expected = complex_loads(wavelength, direction), pressed(wavelength, direction)
    scale = RHO * G * LENGTH * WIDTH
    bound = 0.01 + (2 * math.pi / wavelength * DRAFT) ** 2 / 6
    assert np.abs(found[:3] - expected[:3]).max() < bound * scale
    lever = LENGTH / 6 * min(2 * math.pi / wavelength * LENGTH, 1.0)
    assert np.abs(found[3:] - expected[3:]).max() < 2.5 * bound * scale * lever


def test_a_long_wave_lifts_and_tilts_by_the_hydrostatics_of_its_slope():
    """ρ g A per metre, and the moment ρ g I of the waterplane times the slope k; B is below the middle of the box."""
    wavelength = 20_000.0
    k = 2 * math.pi / wavelength
    found = complex_loads(wavelength, 0.0)
    area, second = LENGTH * WIDTH, WIDTH * LENGTH**3 / 12
    assert found[2] == pytest.approx(RHO * G * area, rel=2e-3)
    below = 0.5 * (HEIGHT - DRAFT)
    assert found[4].imag == pytest.approx(-RHO * G * (second - area * DRAFT * below) * k, rel=5e-3)


def test_a_round_body_is_averaged_over_its_circle():
    """Heave of a disc: 2 J₁(kR)/(kR) of that of a point, here to 0.3 % at a radius of a tenth of the wave."""
    from scipy.special import j1

    wavelength, R = 100.0, 10.0
    k = 2 * math.pi / wavelength
    found = complex_loads(wavelength, 20.0, shape=rigid_body.CYLINDER, length=2 * R, width=2 * R)
    expected = RHO * G * math.pi * R**2 * 2 * j1(k * R) / (k * R) * math.exp(-k * DRAFT)
    assert found[2].real == pytest.approx(expected, rel=5e-3)
