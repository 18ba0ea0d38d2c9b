"""Still water: volume, centre of buoyancy, waterplane and stiffness against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.hydrostatics import hydrostatics, static_load

RHO, G = 1025.0, 9.81


def test_box_is_exact() -> None:
    found = hydrostatics(hulls.box(4.0, 2.0, -1.2, 1.0, 0.5).wetted(np.array([0.5, 0.0, 0.2])))
    assert found.volume == pytest.approx(8.0, rel=1e-12)
    np.testing.assert_allclose(found.centre_of_buoyancy, [0.5, 0.0, -0.5], atol=1e-12)
    assert found.waterplane_area == pytest.approx(8.0, rel=1e-12)
    C = found.stiffness(np.array([0.5, 0.0, 0.0]), RHO * 8.0, np.array([0.5, 0.0, 0.1]), RHO, G)
    assert C[2, 2] == pytest.approx(RHO * G * 8.0)
    assert C[3, 3] == pytest.approx(RHO * G * (4.0 * 2.0**3 / 12.0 - 8.0 * 0.6))  # ρg(I − V·BG)
    assert C[4, 4] == pytest.approx(RHO * G * (2.0 * 4.0**3 / 12.0 - 8.0 * 0.6))
    np.testing.assert_allclose(C[[2, 2, 3], [3, 4, 4]], 0.0, atol=1e-6)


def test_submerged_sphere() -> None:
    hull = hulls.sphere(3.5, 40)
    for half in (False, True):
        panels = (hull.halved() if half else hull).wetted(np.array([0.0, 0.0, -7.0]))
        found = hydrostatics(panels, half)
        assert found.volume == pytest.approx(4.0 / 3.0 * math.pi * 3.5**3, rel=1e-9)
        np.testing.assert_allclose(found.centre_of_buoyancy, [0.0, 0.0, -7.0], atol=1e-9)
        assert found.waterplane_area == pytest.approx(0.0, abs=1e-9)


def test_upright_cylinder() -> None:
    found = hydrostatics(hulls.cylinder(0.2, -0.5, 0.5, 32, 8).wetted(np.zeros(3)))
    assert found.volume == pytest.approx(math.pi * 0.04 * 0.5, rel=1e-9)
    assert found.waterplane_area == pytest.approx(math.pi * 0.04, rel=1e-9)
    np.testing.assert_allclose(found.centre_of_buoyancy, [0.0, 0.0, -0.25], atol=1e-9)
    np.testing.assert_allclose(found.waterplane_second_moments[[0, 2]], math.pi * 0.2**4 / 4.0, rtol=5e-3)


def test_stiffness_is_how_the_buoyancy_changes_when_a_spar_moves() -> None:
    """C against finite differences of the hydrostatic force ∫ −ρgz n dS and moment of the moved hull."""
    hull, place = hulls.revolution(np.array([(1.0, -3.0), (2.0, -1.5), (2.0, 1.5)]), 64, 30), np.array([0.0, 0.0, 0.1])

    def load(move: np.ndarray) -> np.ndarray:
        x, y, z = move[3:]
        turn = np.eye(3) + np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        panels = hull.wetted(place + move[:3], turn)
        push = -RHO * G * panels.centres[:, 2:] * panels.area_vectors
        return np.concatenate([push.sum(axis=0), np.cross(panels.centres - place - move[:3], push).sum(axis=0)])

    C = hydrostatics(hull.wetted(place)).stiffness(place, 0.0, place, RHO, G)
    e = 1e-4
    for k in (2, 3, 4):
        step = np.zeros(6)
        step[k] = e
        found = -(load(step) - load(-step)) / (2 * e)
        np.testing.assert_allclose(found[2:5], C[2:5, k], rtol=0.02, atol=2e-3 * abs(C[k, k]))


def test_stiffness_about_a_point_beside_the_hull_knows_yaw_and_weight() -> None:
    """A box and its weight, moved with a point outside its middle: all six moves, those of yaw by turning levers."""
    hull, place, about = hulls.box(4.0, 2.0, -1.2, 1.0, 0.25), np.array([0.0, 0.0, 0.2]), np.array([0.5, 0.3, -0.4])
    mass, centre = 5000.0, np.array([-0.7, 0.2, 0.1])

    def load(move: np.ndarray) -> np.ndarray:
        x, y, z = move[3:]
        turn = np.eye(3) + np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        held = about + move[:3]
        push = static_load(hull.wetted(held + turn @ (place - about), turn), held, RHO, G)
        weight = np.array([0.0, 0.0, -mass * G])
        return push + np.concatenate([weight, np.cross(turn @ (centre - about), weight)])

    C = hydrostatics(hull.wetted(place)).stiffness(about, mass, centre, RHO, G)
    e = 1e-5
    found = np.stack([-(load(step) - load(-step)) / (2 * e) for step in e * np.eye(6)], axis=1)
    assert abs(C[3, 5]) > 1e4
    assert abs(C[4, 5]) > 1e4
    np.testing.assert_allclose(found[2:5, 2:], C[2:5, 2:], rtol=1e-3, atol=1e-3 * C[2, 2])
