"""Pressure and moments on hulls against closed forms: a sphere in steady flow, a hull that spins."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.incident import still
from fairlead.hydro.mechanism import Moved, RigidBodies, RigidBody
from fairlead.hydro.stage import Stage
from fairlead.hydro.surface import FreeSurface
from fairlead.hydro.surface_mesh import disc
from fairlead.hydro.water import Water

RHO, SPEED, DEEP = 1025.0, 2.0, 30.0


def far_surface() -> FreeSurface:
    mesh = disc((0.0, 0.0), 60.0, 8, 15.0, 20.0)
    return FreeSurface(mesh, np.zeros(len(mesh.at())), gravity=9.81)


def steady_flow(direction: np.ndarray) -> Stage:
    """A sphere of 1 m radius 30 m down that goes its way at 2 m/s."""
    velocity = SPEED * direction
    path = Moved(lambda t: (np.array([0.0, 0.0, -DEEP]) + t * velocity, velocity, np.zeros(3)))
    water = Water(far_surface(), [hulls.sphere(1.0, 32)], path, still(1000.0), density=RHO)
    return water.stage(0.0, water.initial_state())


@pytest.mark.parametrize("direction", [np.array([1.0, 0.0, 0.0]), np.array([0.6, 0.0, -0.8])], ids=["along", "down"])
def test_pressure_on_a_sphere_in_steady_flow(direction: np.ndarray) -> None:
    """½ρU²(1 − 9/4 sin²θ) about the static pressure, θ from the way it goes; no force (d'Alembert)."""
    stage = steady_flow(direction)
    (panels,), (pressure,) = stage.hulls, stage.pressure
    away = panels.centres - [0.0, 0.0, -DEEP]
    cosine = away @ direction / np.linalg.norm(away, axis=1)
    head = (pressure + RHO * 9.81 * panels.centres[:, 2]) / (0.5 * RHO * SPEED**2)
    exact = 1.0 - 2.25 * (1.0 - cosine**2)
    assert np.sqrt(np.mean((head - exact) ** 2)) < 0.04
    assert head[np.abs(cosine) > 0.95].mean() == pytest.approx(exact[np.abs(cosine) > 0.95].mean(), abs=0.06)
    assert head[np.abs(cosine) < 0.2].mean() == pytest.approx(exact[np.abs(cosine) < 0.2].mean(), abs=0.06)
    buoyancy = RHO * 9.81 * panels.volume
    assert stage.forces[0, :3] - [0.0, 0.0, buoyancy] == pytest.approx(
        np.zeros(3), abs=0.01 * 0.5 * RHO * SPEED**2 * np.pi
    )


def test_a_hull_that_spins_turns_as_euler_says() -> None:
    """ω̇ = −I⁻¹ ω × Iω: the water about a sphere has no part in its turning."""
    inertia, spin = np.diag([2000.0, 3000.0, 4500.0]), np.array([0.3, -0.7, 1.1])
    body = RigidBody(RHO * 4.0 / 3.0 * np.pi, inertia, place=np.array([0.0, 0.0, -DEEP]))
    water = Water(far_surface(), [hulls.sphere(1.0, 8)], RigidBodies([body]), still(1000.0), density=RHO)
    y = water.initial_state()
    y[-3:] = spin
    stage = water.stage(0.0, y)
    exact = -np.linalg.solve(inertia, np.cross(spin, inertia @ spin))
    assert stage.accelerations[3:] == pytest.approx(exact, rel=0.02, abs=0.005)
    assert stage.accelerations[3:] @ inertia @ spin == pytest.approx(0.0, abs=5.0)


def test_a_hull_that_goes_round_is_pushed_outwards() -> None:
    """½ρV ω² R on a sphere at the end of an arm R that turns evenly: its added mass against −ω² R."""
    radius, spin = 3.0, 0.8
    body = RigidBody(RHO * 4.0 / 3.0 * np.pi, np.eye(3), place=np.array([0.0, 0.0, -DEEP]))
    arm = radius * np.array([0.6, 0.8, 0.0])
    hull = hulls.sphere(1.0, 16).shifted(arm)
    water = Water(far_surface(), [hull], RigidBodies([body]), still(1000.0), density=RHO)
    y = water.initial_state()
    y[-1] = spin
    force = water.stage(0.0, y).still_forces[:3] - [0.0, 0.0, RHO * 9.81 * hull.rigid.volume]
    outwards = 0.5 * RHO * hull.rigid.volume * spin**2 * arm
    assert force == pytest.approx(outwards, abs=0.05 * float(np.linalg.norm(outwards)))


def test_a_slender_hull_that_goes_aslant_is_turned_broadside() -> None:
    """By the moment of Munk, −U × (A U): (A_zz − A_xx) U_x U_z about y."""
    stretched = hulls.sphere(1.0, 16).rigid
    panels = type(stretched)(stretched.vertices * [2.5, 1.0, 1.0], stretched.quads)
    velocity = np.array([1.5, 0.0, 1.0])
    path = Moved(lambda t: (np.array([0.0, 0.0, -DEEP]) + t * velocity, velocity, np.zeros(3)))
    water = Water(far_surface(), [hulls.Hull(panels)], path, still(1000.0), density=RHO)
    stage = water.stage(0.0, water.initial_state())
    body = RigidBody(RHO * panels.volume, np.eye(3), place=np.array([0.0, 0.0, -DEEP]))
    free = Water(far_surface(), [hulls.Hull(panels)], RigidBodies([body]), still(1000.0), density=RHO)
    A = free.stage(0.0, free.initial_state()).added_mass
    munk = (A[2, 2] - A[0, 0]) * velocity[0] * velocity[2]
    assert munk > 1000.0
    assert stage.forces[0, 4] == pytest.approx(munk, rel=0.05)
