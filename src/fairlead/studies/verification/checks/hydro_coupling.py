"""Water and mechanism as one: the Schur complement against the whole system, and a tree against a single body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import block_diag

from fairlead.hydro import compile_hulls, hulls
from fairlead.hydro.hull_conditions import directions, known_without_acceleration, motion_field, seen_from_another
from fairlead.hydro.incident import regular
from fairlead.hydro.mechanism import Motion, RigidBodies, RigidBody
from fairlead.hydro.panels import Floats
from fairlead.hydro.solver import Influences
from fairlead.hydro.surface import FreeSurface, absorbing
from fairlead.hydro.surface_mesh import disc
from fairlead.hydro.water import Water
from fairlead.model import System
from fairlead.shape.layout import first_geometry
from fairlead.studies.verification.record import Record

BUOY, BUOY_MASS, BUOY_INERTIA = (0.0, 0.0, -7.0), 184084.24, (902e3, 902e3, 902e3)
WHOLE = "all equations of fluid and bodies as one dense system"


def two_spheres() -> tuple[Water, float, Floats]:
    """Two free spheres of different size and weight beside each other, out of the plane of symmetry, and a state."""
    mesh = disc((0.0, 0.0), 24.0, 16, 2.0, 5.0)
    surface = FreeSurface(mesh, absorbing(mesh.at(), 14.0, 24.0, 1.0))
    bodies = [
        RigidBody(900.0, np.diag([150.0, 170.0, 160.0]), np.array([-1.6, 0.4, -2.5]), np.array([0.2, -0.1, 0.15])),
        RigidBody(3000.0, np.diag([900.0, 800.0, 950.0]), np.array([1.5, -0.5, -3.0]), np.array([-0.1, 0.2, 0.1])),
    ]
    wave = regular("stokes2", 0.8, 5.0, 12.0)
    shapes = [hulls.sphere(0.6, 16), hulls.sphere(0.9, 16)]
    water = Water(surface, shapes, RigidBodies(bodies), wave, depth=12.0)
    y = water.initial_state()
    n = water.n_surface
    x, z, _ = surface.rest.centres.T
    y[:n], y[n : 2 * n] = 0.1 * np.cos(0.5 * x + 0.2 * z), 0.2 * np.sin(0.4 * x - 0.3 * z)
    for k, spin in enumerate(([0.3, -0.2, 0.1], [-0.1, 0.25, 0.2])):
        y[2 * n + 13 * k + 10 : 2 * n + 13 * k + 13] = spin
    return water, 1.3, y


def whole_system(water: Water, t: float, y: Floats) -> Floats:
    """Accelerations of the mechanism, all unknowns solved for at once (no symmetry, no walls, body-exact).

    For each hull b: ψ_n on the surface and ψ on all hulls, ψ = p_t + U_b·∇p; then the accelerations x. After
    Guillaume et al., Eq. 24 and the system that follows it, with signs and indices put right.
    """
    stage = water.stage(t, y)
    eta, f, own = water.split(y)
    motions, hull_panels, n = stage.motions, stage.hulls, water.n_surface
    influences = Influences.of(stage.surface, hull_panels[0].joined(*hull_panels[1:]), water.depth, False)
    change = water.surface.change(t, water.wave, stage.surface, eta, f, stage.surface_normal, None)
    along = water.boundary(t, y).along
    known = [
        known_without_acceleration(
            panels, motion, water.wave.flow(t, *panels.centres.T), p, p_n, one, water.density, water.gravity
        )
        for panels, motion, p, p_n, one in zip(
            hull_panels, motions, stage.hull_potential, stage.hull_normal, along, strict=True
        )
    ]
    ways = block_diag(*(directions(panels, m.place, False) for panels, m in zip(hull_panels, motions, strict=True)))
    J = np.concatenate([m.jacobian for m in motions])
    drift = np.concatenate([m.drift for m in motions])
    H, force = water.mechanism.equations(t, own)
    size, dofs = len(influences.S), len(force)
    hulls_at = np.cumsum([n, *(len(panels) for panels in hull_panels)])
    A, right = np.zeros((len(motions) * size + dofs,) * 2), np.zeros(len(motions) * size + dofs)
    last = slice(len(motions) * size, None)
    A[last, last], right[last] = H, force
    for b, (panels, motion) in enumerate(zip(hull_panels, motions, strict=True)):
        rows = slice(b * size, (b + 1) * size)
        normal = np.concatenate(
            [
                known[k].normal if k == b else seen_from_another(other, motions[k], known[k], motion, along[k])
                for k, other in enumerate(hull_panels)
            ]
        )
        level = change.potential_t + np.sum(motion_field(motion, stage.surface.centres) * change.gradient, axis=1)
        A[rows, rows] = influences.matrix
        A[rows, last] = influences.S[:, n:] @ ways @ J
        right[rows] = influences.right_side(level, normal + ways @ drift)
        weighed = directions(panels, motion.place, False).T * panels.areas
        A[last, b * size + hulls_at[b] : b * size + hulls_at[b + 1]] = water.density * motion.jacobian.T @ weighed
        right[last] += motion.jacobian.T @ weighed @ (known[b].pressure + water.density * known[b].carried)
    return np.asarray(np.linalg.solve(A, right)[last])


def schur_error() -> float:
    """Largest difference of an acceleration, of the largest one."""
    water, t, y = two_spheres()
    split, whole = water.stage(t, y).accelerations, whole_system(water, t, y)
    return float(np.abs(split - whole).max() / np.abs(whole).max())


def buoy_as_tree(locked: tuple[str, ...] = ("sway", "roll", "yaw")) -> Water:
    """A buoy held by two springs, as a system of bodies and joints."""
    system = System.model_validate(
        {
            "environment": {
                "seabed": {"depth": 20}, "waves": {"kind": "regular", "height": 2.0, "period": 6.0, "ramp": 3.0},
            },
            "types": {}, "points": {}, "cables": {},
            "bodies": {
                "buoy": {"kind": "free", "position": list(BUOY), "mass": BUOY_MASS, "inertia": list(BUOY_INERTIA)}
            },
            "hydro": {
                "theory": "stokes5", "filter": 0.1,
                "hulls": {"buoy": {"sphere": {"diameter": 7}, "panel_size": 2.4, "locked": list(locked)}},
                "surface": {"columns": 16, "outer": 12.0},
                "springs": [
                    {"body": "buoy", "dof": dof, "stiffness": 3e5, "damping": 5e4} for dof in ("surge", "heave")
                ],
            },
            "simulation": {"start": "catenary", "formulation": "multibody", "duration": 6, "step": 0.15},
        }
    )  # fmt: skip
    return compile_hulls(system, first_geometry(system)).water


def buoy_alone(like: Water) -> Water:
    """The same water with a single rigid body in it."""

    def springs(_: float, motion: Motion) -> Floats:
        pull = -3e5 * (motion.place - BUOY) - 5e4 * motion.velocity
        return np.array([pull[0], 0.0, pull[2], 0.0, 0.0, 0.0])

    free = (True, False, True, False, True, False)
    body = RigidBody(BUOY_MASS, np.diag(BUOY_INERTIA), np.array(BUOY), free=free, load=springs)
    return Water(
        like.surface, like.hulls, RigidBodies([body]), like.wave, density=like.density, depth=like.depth,
        smoothing=like.smoothing,
    )  # fmt: skip


def tree_beside_body(steps: int = 40, dt: float = 0.15) -> tuple[Floats, Floats]:
    """Places (steps, 3) of the buoy as a tree and as a single body, m."""
    tree = buoy_as_tree()
    waters = tree, buoy_alone(tree)
    states = [water.initial_state() for water in waters]
    places: list[list[Floats]] = [[], []]
    for i in range(steps):
        for k, water in enumerate(waters):
            states[k] = water.step(i * dt, states[k], dt)
            own = water.split(states[k])[2]
            places[k].append(water.mechanism.motions((i + 1) * dt, own)[0].place)
    return np.array(places[0]), np.array(places[1])


def check() -> Iterator[Record]:
    """Twelve accelerations of two spheres; A is symmetric, as potential flow has it."""
    yield Record.absolute("hydro, two free spheres, Schur complement", WHOLE, schur_error(), 0.0, 1e-10)
    tree, alone = tree_beside_body()
    apart = float(np.abs(tree - alone).max() / np.ptp(alone[:, 2]))
    source = "the same hull on a single rigid body (Guillaume et al., Fig. 8)"
    yield Record.absolute("hydro, buoy in a wave of 1 m as a multibody system, way for 6 s", source, apart, 0.0, 1e-8)
    water, t, y = two_spheres()
    A = water.stage(t, y).added_mass
    linear = np.ix_([0, 1, 2, 6, 7, 8], [0, 1, 2, 6, 7, 8])
    lopsided = float(np.abs(A - A.T)[linear].max() / np.abs(A).max())
    yield Record.absolute("hydro, two free spheres, asymmetry of the added mass", "reciprocity", lopsided, 0.0, 0.01)
