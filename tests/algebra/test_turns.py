"""Turns of many bodies at once, against scipy's rotations and the definition of the cross product."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from fairlead.algebra.turns import multiply, of_angles, rotations, skew, turned
from fairlead.model.bodies import rotation_matrix

rng = np.random.default_rng(7)


def of_scipy(rotation: Rotation) -> np.ndarray:
    return np.roll(rotation.as_quat(), 1, axis=-1)


def test_products_and_matrices_are_those_of_scipy() -> None:
    one, other = Rotation.from_quat(rng.normal(size=(20, 4))), Rotation.from_quat(rng.normal(size=(20, 4)))
    np.testing.assert_allclose(rotations(of_scipy(one)), one.as_matrix(), atol=1e-14)
    product = multiply(of_scipy(one), of_scipy(other))
    np.testing.assert_allclose(rotations(product), (one * other).as_matrix(), atol=1e-14)


def test_angles_are_roll_then_pitch_then_yaw_as_in_a_file() -> None:
    angles = np.array([0.3, -0.7, 1.9])
    R = rotations(of_angles(angles))[0]
    np.testing.assert_allclose(R, Rotation.from_euler("xyz", angles).as_matrix(), atol=1e-14)
    np.testing.assert_allclose(R, rotation_matrix(tuple(np.degrees(angles))), atol=1e-14)


def test_bodies_turn_about_their_own_axes_and_stay_unit() -> None:
    start, turn = Rotation.from_quat(rng.normal(size=(20, 4))), rng.normal(size=(20, 3))
    turn[0] = 0.0
    after = turned(1.001 * of_scipy(start), turn)
    np.testing.assert_allclose(rotations(after), (start * Rotation.from_rotvec(turn)).as_matrix(), atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(after, axis=1), 1.0, atol=1e-15)


def test_skew_is_the_cross_product() -> None:
    v, w = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    np.testing.assert_allclose(np.einsum("nij,nj->ni", skew(v), w), np.cross(v, w), atol=1e-15)
    np.testing.assert_allclose(skew(v[0]) @ w[0], np.cross(v[0], w[0]), atol=1e-15)
