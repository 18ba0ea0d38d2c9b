"""Water and mechanism together: the implicit condition, reciprocity, hydrostatics, impulse."""

import numpy as np
import pytest

from fairlead.hydro import hulls
from fairlead.hydro.fastened import Fastening, WithCables
from fairlead.hydro.incident import still
from fairlead.hydro.mechanism import RigidBodies, RigidBody
from fairlead.hydro.subcycling import glide
from fairlead.hydro.surface import FreeSurface, absorbing
from fairlead.hydro.surface_mesh import rings_about
from fairlead.hydro.water import Water
from fairlead.studies.verification.checks.hydro_coupling import schur_error, two_spheres


def test_schur_complement_is_the_whole_system():
    """Twelve accelerations of two turning spheres in a wave, to 1e-10."""
    assert schur_error() < 1e-10


def test_added_mass_is_symmetric():
    """Reciprocity between two spheres of different size."""
    water, t, y = two_spheres()
    A = water.stage(t, y).added_mass
    some = np.ix_([0, 1, 2, 6, 7, 8], [0, 1, 2, 6, 7, 8])
    assert np.abs(A - A.T)[some].max() < 1e-3 * np.abs(A).max()
    assert np.all(np.linalg.eigvalsh(0.5 * (A + A.T)[some]) > 0.0)


def floating_cylinder(mass: float, linear: bool = False) -> Water:
    """A cylinder of 1 m radius and 2 m draft in still water 10 m deep, free in heave."""
    hull = hulls.cylinder(1.0, -2.0, 2.0, 16, 4)
    mesh = rings_about(hull.placed(np.zeros(3))[1], (0.0, 0.0), 16.0, 3.0).halved()
    surface = FreeSurface(mesh, absorbing(mesh.at(), 9.0, 16.0, 1.0), symmetric=True, linear=linear)
    body = RigidBody(mass, free=(False, False, True, False, False, False))
    return Water(surface, [hull.halved()], RigidBodies([body]), still(10.0), depth=10.0)


@pytest.mark.parametrize("linear", [True, False])
def test_archimedes(linear):
    """A cylinder as heavy as the water it displaces stays where it is."""
    water = floating_cylinder(1025.0 * np.pi * 2.0, linear)
    stage = water.stage(0.0, water.initial_state())
    assert stage.forces[0, 2] == pytest.approx(1025.0 * 9.81 * np.pi * 2.0, rel=1e-10)
    assert abs(stage.accelerations[0]) < 1e-9


def test_a_cylinder_pushed_down_comes_back():
    """Half a metre too deep it starts upwards at ρgSx/(m + A) and swings through its rest, body-exact."""
    mass = 1025.0 * np.pi * 2.0
    water = floating_cylinder(mass)
    y = water.initial_state()
    at = 2 * water.n_surface + 2
    y[at] = -0.5
    first = water.stage(0.0, y)
    lifted = 1025.0 * 9.81 * np.pi * 0.5
    assert first.accelerations[0] == pytest.approx(lifted / (mass + first.added_mass[2, 2]), rel=1e-6)
    levels = [y[at]]
    for i in range(40):
        y = water.step(0.1 * i, y, 0.1)
        levels.append(y[at])
    period = 2.0 * np.pi * np.sqrt((mass + 1.15 * first.added_mass[2, 2]) / (1025.0 * 9.81 * np.pi))
    top, bottom = int(np.argmax(levels)), 20 + int(np.argmin(levels[20:]))
    assert 0.1 * top == pytest.approx(0.5 * period, rel=0.1)
    assert 0.1 * bottom == pytest.approx(period, rel=0.1)
    assert -0.49 < levels[bottom] < -0.44


class Springy:
    """A stiff spring with a mass at its lower end, as a cable of one element, in steps of its own."""

    n_states, looks_ahead = 6, False
    stiffness, mass, length, steps = 4e6, 400.0, 5.0, 20

    def __init__(self, top: np.ndarray) -> None:
        self.top = top

    def initial_state(self) -> np.ndarray:
        """Hanging below `top`, unstretched, at rest."""
        return np.concatenate([self.top - [0.0, 0.0, self.length], np.zeros(3)])

    def prescribe(self, t, h, x, v, a) -> None:
        """A parabola."""
        self.path = x, v, a, np.zeros_like(a)

    def lead(self, t, h, x, v, x1, v1) -> None:
        """A cubic."""
        mean = (x1 - x) / h
        self.path = x, v, (6 * mean - 4 * v - 2 * v1) / h, 6 * (v + v1 - 2 * mean) / h**2

    def advance(self, t: float, y: np.ndarray, dt: float) -> np.ndarray:
        """Semi-implicit Euler; the impulse on the support is minus that of the spring on the mass."""
        x, v, impulse = y[:3].copy(), y[3:].copy(), np.zeros(3)
        h = dt / self.steps
        for k in range(self.steps):
            s = (k + 0.5) * h
            away = x - sum(part[0] * s**n / (1, 1, 2, 6)[n] for n, part in enumerate(self.path))
            size = np.linalg.norm(away)
            pull = -self.stiffness * (size - self.length) * away / size
            v += h * (pull / self.mass - [0.0, 0.0, 9.81])
            x += h * v
            impulse -= h * pull
        y[:3], y[3:] = x, v
        return impulse[None] / dt

    def pull(self, t: float, y: np.ndarray, dt: float) -> np.ndarray:
        """On a copy."""
        return self.advance(t, y.copy(), dt)

    def impedance(self, t, y, dt, x, v, a) -> tuple[np.ndarray, np.ndarray]:
        """The end has no mass of its own; a sixth of k dt² is what its displacement costs in the mean."""
        self.prescribe(t, dt, x, v, a)
        return np.eye(3)[None] * self.stiffness * dt**2 / 6.0, self.pull(t, y, dt)


def test_impulse_of_a_stiff_cable_is_conserved():
    """Body and cable under a given force of the water: momentum changes by that force and by weight alone.

    The spring's period is 0.06 s, the step of the water 0.5 s. Momentum of the water pushed along is in the body's.
    """
    buoyancy, pushed, heavy = 30_000.0, 2000.0, 2600.0
    body = RigidBody(heavy, free=(True, False, True, False, False, False))
    cable = Springy(np.array([0.0, 0.0, -1.0]))
    mechanism = WithCables(RigidBodies([body]), cable, [Fastening(0, np.array([0.0, 0.0, -1.0]))], 0.005)
    y = mechanism.initial_state()
    y[13:16] += [0.5, 0.0, -0.1]
    y[16:19] = [0.3, 0.0, -0.2]
    A = np.zeros((6, 6))
    A[0, 0] = A[2, 2] = pushed
    f0 = np.array([0.0, 0.0, buoyancy, 0.0, 0.0, 0.0])

    def momentum(y: np.ndarray) -> np.ndarray:
        return (heavy + pushed) * y[7:10] + cable.mass * y[16:19] + mechanism.kept(y)[2][0]

    before = momentum(y)
    for i in range(8):
        y = glide(mechanism, 0.5 * i, y, 0.5, 100, lambda t: (f0, A))
    given = 4.0 * np.array([0.0, 0.0, buoyancy - (heavy + cable.mass) * 9.81])
    np.testing.assert_allclose(momentum(y) - before, given, rtol=1e-12, atol=1e-8)
    assert np.linalg.norm(y[19:22]) > 1000.0
    assert np.linalg.norm(y[13:16] - y[:3] - [0.0, 0.0, -1.0]) == pytest.approx(cable.length, abs=0.05)


def test_subcycles_change_little_where_none_are_needed():
    """A smooth case in steps together with the water, and in ten steps of its own for each."""
    ways = []
    for substeps in (0, 10):
        water = floating_cylinder(1.1 * 1025.0 * np.pi * 2.0, linear=True)
        water.substeps = substeps
        y = water.initial_state()
        for i in range(20):
            y = water.step(0.1 * i, y, 0.1)
        ways.append(y[2 * water.n_surface + 2])
    assert ways[1] == pytest.approx(ways[0], rel=2e-4)
