"""A rigid body in the water: forces are the gradient of the potential, powers are the change of energy."""

from math import pi

import numpy as np
import pytest
from oracle.quaternions import exponential, matrix, product, random_frames

from fairlead.algebra.compiled import entry
from fairlead.loads import rigid_body
from fairlead.model import Environment
from fairlead.sea import water

WATER, GRAVITY, CURRENT = 1000.0, 9.81, (0.4, -0.2, 0.1)
INERTIA, ADDED = np.array([2.0, 3.0, 4.0]), np.array([30.0, 80.0, 10.0])


@entry
def loads(p, R, v, w, reals, body, t=0.0):
    return rigid_body.rigid_body_loads(t, p, R, v, w, reals, body)


@entry
def energies(p, R, v, w, reals, body, t=0.0):
    return rigid_body.rigid_body_energies(t, p, R, v, w, reals, body)


@entry
def flow_at(t, p, sea):
    return water.fluid(t, p[0], p[1], p[2], sea)


WAVES = {"kind": "regular", "height": 2.0, "period": 8.0, "direction_deg": 30.0, "ramp": 0.0}


BOX_SIDES = 0.8, 0.5
LINEAR, QUADRATIC = np.array([3.0, 5.0, 7.0, 0.2, 0.3, 0.4]), np.array([11.0, 13.0, 17.0, 1.2, 1.3, 1.4])


def record(
    shape=rigid_body.EVEN, volume=0.2, height=0.7, mass=150.0, current=CURRENT, centre=(0.0, 0.0, 0.0), drag=1.0,
    added=1.0, waves=None, slam=0.0,
):  # fmt: skip
    """The sea and a body behind it, and where the body begins."""
    flow = [{"z": 0.0, "velocity": current}]
    sea = {"water_density": WATER, "gravity": GRAVITY, "current": flow}
    if waves is not None:
        sea["waves"] = waves
    sea = water.pack(Environment.model_validate(sea))
    body = np.zeros(rigid_body.BODY_COLUMNS)
    body[rigid_body.BODY_MASS], body[rigid_body.BODY_DISPLACED] = mass, WATER * volume
    body[rigid_body.BODY_HEIGHT], body[rigid_body.BODY_SHAPE] = height, shape
    body[rigid_body.BODY_LENGTH], body[rigid_body.BODY_WIDTH] = BOX_SIDES
    body[rigid_body.BODY_SLAM] = slam
    for column, values in (
        (rigid_body.BODY_CENTRE, centre), (rigid_body.BODY_INERTIA, INERTIA), (rigid_body.BODY_ADDED, added * ADDED),
        (rigid_body.BODY_DRAG, drag * np.array([50.0, 200.0, 80.0])),
        (rigid_body.BODY_DRAG_MOMENT, drag * np.array([5.0, 6.0, 7.0])),
    ):  # fmt: skip
        body[column : column + 3] = values
    return np.concatenate([sea, body]), len(sea)


def call(function, p, q, v, w, parts, t=0.0):
    return function(tuple(map(float, p)), tuple(matrix(q).ravel()), tuple(v), tuple(w), *parts, t)


def still(function, p, q, parts):
    return call(function, p, q, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), parts)


IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
SHAPES = rigid_body.EVEN, rigid_body.SPHERE, rigid_body.BOX, rigid_body.CYLINDER


@pytest.mark.parametrize("draft", [0.1, 0.25, 0.5, 0.9, 1.0])
def test_a_sphere_displaces_the_volume_of_its_cap(draft):
    """π h² (3R − h)/3 for a diameter of 1 m."""
    parts = record(rigid_body.SPHERE, volume=pi / 6, height=1.0, mass=0.0, current=(0.0, 0.0, 0.0))
    force = still(loads, (0.0, 0.0, 0.5 - draft), IDENTITY, parts)[4]
    assert force[2] == pytest.approx(WATER * GRAVITY * pi * draft**2 * (1.5 - draft) / 3, rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("z", [-2.0, -0.33, -0.1, 0.05, 0.3, 2.0])
def test_weight_and_buoyancy_are_the_gradient_of_the_potential(z, shape):
    parts, e = record(shape, current=(0.0, 0.0, 0.0)), 1e-5
    low, high = (still(energies, (0.0, 0.0, z + d), IDENTITY, parts)[1] for d in (-e, e))
    assert -(high - low) / (2 * e) == pytest.approx(still(loads, (0.0, 0.0, z), IDENTITY, parts)[4][2], abs=1e-3)


@pytest.mark.parametrize("z", [-2.0, -0.1])
@pytest.mark.parametrize("shape", SHAPES)
def test_buoyancy_off_the_centre_of_mass_rights_the_body(z, shape):
    """The torque is the potential's change with the turn, about each axis."""
    parts = record(shape, centre=(0.1, -0.05, 0.2), current=(0.0, 0.0, 0.0))
    q, e = random_frames(np.random.default_rng(1), 1)[0], 1e-5
    torque = still(loads, (0.0, 0.0, z), q, parts)[5]
    for k in range(3):
        turn = np.eye(3)[k] * e
        low, high = (still(energies, (0, 0, z), product(q, exponential(s * turn)), parts)[1] for s in (-1, 1))
        assert -(high - low) / (2 * e) == pytest.approx(torque[k], abs=1e-3)


def test_drag_acts_along_each_axis_with_the_whole_speed():
    """−½ρ C_d A_i |u| u_i in the body's axes, towards where the water goes."""
    parts, q = record(), random_frames(np.random.default_rng(2), 1)[0]
    _, secant, _, _, force, _, _ = call(loads, (0, 0, -5), q, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), parts)
    u = matrix(q).T @ -np.array(CURRENT)
    exact = matrix(q) @ (-np.array([50.0, 200.0, 80.0]) * np.linalg.norm(u) * u)
    exact[2] += (WATER * 0.2 - 150.0) * GRAVITY
    assert force == pytest.approx(exact, rel=1e-12)
    assert secant == pytest.approx(np.array([50.0, 200.0, 80.0]) * np.linalg.norm(u))
    assert np.dot(exact[:2], CURRENT[:2]) > 0.0


def test_gyroscopic_torque_does_no_work_and_turns_w_as_euler_says():
    parts = record(volume=0.0, drag=0.0, added=0.0, current=(0.0, 0.0, 0.0))
    w = np.array([0.3, -0.7, 1.1])
    torque = np.array(call(loads, (0, 0, 5), IDENTITY, (0.0, 0.0, 0.0), w, parts)[5])
    assert torque @ w == pytest.approx(0.0, abs=1e-12)
    assert torque == pytest.approx([(INERTIA[1] - INERTIA[2]) * w[1] * w[2], (INERTIA[2] - INERTIA[0]) * w[2] * w[0],
                                    (INERTIA[0] - INERTIA[1]) * w[0] * w[1]])  # fmt: skip


def changes(parts, p, q, v, w, t):
    """Power of the water, and the change of energy over a short move with the accelerations of the loads."""
    short = 1e-6
    mass, _, inertia, _, force, torque, power = call(loads, p, q, v, w, parts, t)
    R = matrix(q)
    a, alpha = R @ ((R.T @ np.array(force)) / np.array(mass)), np.array(torque) / np.array(inertia)

    def energy(s):
        moved = product(q, exponential(s * w + 0.5 * s * s * alpha))
        return sum(call(energies, p + s * v + 0.5 * s * s * a, moved, v + s * a, w + s * alpha, parts, t + s))

    return power, (energy(short) - energy(-short)) / (2 * short)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("z", [-3.0, -0.1, 0.05])
@pytest.mark.parametrize("waves", [None, WAVES])
@pytest.mark.parametrize("shape", SHAPES)
def test_power_of_the_water_is_the_change_of_energy(seed, z, waves, shape):
    """Kinetic energy with added mass and the potential: under water, going through the surface, and in waves."""
    rng = np.random.default_rng(seed)
    parts = record(shape, centre=(0.1, 0.0, 0.1), waves=waves, slam=300.0)
    t, p = 1.3, np.array([4.0, -2.0, z])
    if waves is not None:
        p[2] += flow_at(t, tuple(p), parts[0])[2]
    power, change = changes(parts, p, random_frames(rng, 1)[0], rng.normal(size=3), rng.normal(size=3), t)
    assert change == pytest.approx(power, rel=1e-4, abs=0.05)


def test_a_neutrally_buoyant_body_goes_with_the_water_that_accelerates():
    """(ρV + A) a = (m + A) a with m = ρV: along each of its axes, whatever its added mass there."""
    parts = record(volume=0.2, mass=WATER * 0.2, current=(0.0, 0.0, 0.0), drag=0.0, waves=WAVES)
    q, p, t = random_frames(np.random.default_rng(4), 1)[0], np.array([3.0, 1.0, -4.0]), 0.7
    flow, acceleration, _, _ = flow_at(t, tuple(p), parts[0])
    mass, _, _, _, force, torque, _ = call(loads, p, q, flow, (0.0, 0.0, 0.0), parts, t)
    R = matrix(q)
    assert np.linalg.norm(acceleration) > 0.3
    assert R @ ((R.T @ np.array(force)) / np.array(mass)) == pytest.approx(np.array(acceleration), rel=1e-12)
    assert torque == pytest.approx(np.zeros(3), abs=1e-9)


def test_water_that_accelerates_turns_a_body_as_gravity_that_leans_would():
    """ρV a acts at the centre of buoyancy: the torque is centre × Rᵀ ρV(a − g)."""
    centre = np.array([0.1, -0.05, 0.2])
    parts = record(current=(0.0, 0.0, 0.0), drag=0.0, waves=WAVES, centre=centre)
    q, t = random_frames(np.random.default_rng(5), 1)[0], 2.1
    R, p = matrix(q), np.array([3.0, 1.0, -4.0])
    acceleration = flow_at(t, tuple(p + R @ centre), parts[0])[1]
    torque = call(loads, p, q, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), parts, t)[5]
    exact = np.cross(centre, R.T @ (WATER * 0.2 * np.add(acceleration, (0.0, 0.0, GRAVITY))))
    assert torque == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_slamming_gives_the_water_its_momentum(shape):
    """Entering at constant speed v the impulse is ½ρ C_s A v H; with ½ρ C_s A = A_z/H that is A_z v, the water's."""
    height, speed = 0.7, 1.7
    slam = ADDED[2] / height
    parts = record(shape, height=height, current=(0.0, 0.0, 0.0), drag=0.0, slam=slam)
    without = record(shape, height=height, current=(0.0, 0.0, 0.0), drag=0.0)
    times = (np.arange(2000) + 0.5) / 2000 * height / speed
    impulse = sum(
        call(loads, (0, 0, 0.5 * height - speed * s), IDENTITY, (0.0, 0.0, -speed), (0.0, 0.0, 0.0), parts)[4][2]
        - call(loads, (0, 0, 0.5 * height - speed * s), IDENTITY, (0.0, 0.0, -speed), (0.0, 0.0, 0.0), without)[4][2]
        for s in times
    ) * (times[1] - times[0])  # fmt: skip
    assert impulse == pytest.approx(ADDED[2] * speed, rel=1e-6)


@pytest.mark.parametrize(("z", "speed"), [(0.1, 1.0), (0.1, 0.0), (-1.0, -1.0), (1.0, -1.0)])
def test_slamming_acts_on_entry_alone(z, speed):
    """Not on the way out, not at rest, not below and not above the surface."""
    place, v = (0.0, 0.0, z), (0.3, 0.0, speed)
    struck, free = (
        call(loads, place, IDENTITY, v, (0.0, 0.0, 0.0), record(current=(0.0, 0.0, 0.0), slam=s)) for s in (500.0, 0.0)
    )
    assert struck[4] == pytest.approx(free[4], rel=1e-12)


def test_slamming_counts_the_speed_relative_to_the_surface_of_waves():
    """A body at rest in a rising surface is struck as hard as one that goes down with the same speed."""
    parts, t, p = record(current=(0.0, 0.0, 0.0), drag=0.0, waves=WAVES, slam=500.0), 7.0, np.zeros(3)
    without = record(current=(0.0, 0.0, 0.0), drag=0.0, waves=WAVES)
    p[2], e = flow_at(t, (0.0, 0.0, 0.0), parts[0])[2], 1e-4
    rate = (flow_at(t + e, tuple(p), parts[0])[2] - flow_at(t - e, tuple(p), parts[0])[2]) / (2 * e)
    blow = (
        call(loads, p, IDENTITY, np.zeros(3), np.zeros(3), parts, t)[4][2]
        - call(loads, p, IDENTITY, np.zeros(3), np.zeros(3), without, t)[4][2]
    )
    assert rate > 0.4
    assert blow == pytest.approx(500.0 * rate**2, rel=1e-3)


def test_damping_of_its_own_motion_acts_against_each_axis_and_takes_its_power():
    """−(b + q|v|) v along and about the body's axes, whatever the water does, and its secants for implicit steps."""
    reals, body = record()
    damped = reals.copy()
    damped[body + rigid_body.BODY_DAMPED] = 1.0
    damped[body + rigid_body.BODY_LINEAR : body + rigid_body.BODY_LINEAR + 6] = LINEAR
    damped[body + rigid_body.BODY_QUADRATIC : body + rigid_body.BODY_QUADRATIC + 6] = QUADRATIC
    q = random_frames(np.random.default_rng(4), 1)[0]
    R, v, w = matrix(q), np.array([0.7, -1.3, 0.4]), np.array([0.2, -0.5, 0.9])
    plain, slowed = (call(loads, (0, 0, -5), q, v, w, (numbers, body)) for numbers in (reals, damped))
    own = R.T @ v
    secants = LINEAR + QUADRATIC * np.abs(np.concatenate([own, w]))
    np.testing.assert_allclose(np.subtract(slowed[1], plain[1]), secants[:3])
    np.testing.assert_allclose(np.subtract(slowed[3], plain[3]), secants[3:])
    np.testing.assert_allclose(np.subtract(slowed[4], plain[4]), -R @ (secants[:3] * own), atol=1e-10)
    np.testing.assert_allclose(np.subtract(slowed[5], plain[5]), -secants[3:] * w, atol=1e-10)
    assert slowed[6] - plain[6] == pytest.approx(-(secants[:3] @ own**2) - secants[3:] @ w**2)


def test_a_body_that_is_always_wet_keeps_its_buoyancy_in_the_air():
    """Force and potential far above the surface are those far below it, with the same slope."""
    parts = record(shape=rigid_body.ALWAYS, current=(0.0, 0.0, 0.0))
    lift = [still(loads, (0.0, 0.0, z), IDENTITY, parts)[4][2] for z in (-30.0, 0.0, 30.0)]
    assert lift == pytest.approx([(WATER * 0.2 - 150.0) * GRAVITY] * 3)
    low, high = (still(energies, (0.0, 0.0, z), IDENTITY, parts)[1] for z in (-30.0, 30.0))
    assert (low - high) / 60.0 == pytest.approx(lift[0])
