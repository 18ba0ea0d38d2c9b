"""What a run reports of a state, against the oracle: places, forces in the file's directions, contact and energies."""

import numpy as np
import pytest
from oracle.loads import point_submergence, point_terms, submergence
from oracle.parts import Bar, FreePoint
from oracle.quaternions import conjugate, matrix, product, skew

from fairlead.results.observation import TOTALS
from fairlead.simulate import Outputs
from formulations.bars.random_systems import Choice
from formulations.bars.test_against_dense_oracle import twin_of

SEEDS = range(700, 712)
LONG = Choice(elements=24, fewest=12, attachments=False)
"""Cables of which eight bars are taken side by side, of sections with and without dampers."""


@pytest.fixture(params=[*((seed, None) for seed in SEEDS), *((seed, LONG) for seed in range(720, 723))])
def seen(request):
    """A twin, the oracle's solution of the step from its state, and the observation of that state."""
    twin = twin_of(*request.param, step=0.01)
    state = twin.oracle_state()
    middle, drives = twin.half_way(0.0, state) if twin.second else (state, twin.drives(0.0, state))
    solution = twin.oracle.solve(middle, **drives)
    row = twin.compiled.shape.empty_row()
    twin.compiled.observe(0.0, twin.y, twin.compiled.initial_inputs(), twin.h, row)
    return twin, state, solution, Outputs(0.0, row, twin.compiled.shape)


def bars_of(twin):
    """Oracle numbers of the bars of each cable, by name."""
    first, numbers = 0, {}
    for name, cable in twin.system.cables.items():
        numbers[name] = range(first, first + cable.element_count)
        first += cable.element_count
    return numbers


def ends(twin, state, body):
    """Start and end (2, 3) of a bar, and their velocities."""
    R, half = matrix(state.q[body]), 0.5 * twin.bodies[body].length
    arms = [R @ [0, 0, o] for o in (-half, half)]
    swings = [R @ np.cross(state.w[body], [0, 0, o]) for o in (-half, half)]
    return state.p[body] + np.array(arms), state.v[body] + np.array(swings)


def force_at(twin, solution, number, joint):
    """Pull (3,) at a joint of a cable, towards the cable's end."""
    positions = [part for part in twin.cable_parts if part[0] == "position"]
    return solution.position[positions.index(("position", number, joint))]


def test_nodes_lie_between_the_bars_and_on_the_points(seen):
    twin, state, _, out = seen
    for name, bars in bars_of(twin).items():
        cable = twin.system.cables[name]
        tips = [ends(twin, state, body) for body in bars]
        inner = [0.5 * (tips[i][0][1] + tips[i + 1][0][0]) for i in range(len(tips) - 1)]
        start, end = (state.p[twin.point_body[e.point]] for e in (cable.start, cable.end))
        assert out[f"{name}.position"] == pytest.approx(np.array([start, *inner, end]), abs=1e-12)
        inner = [0.5 * (tips[i][1][1] + tips[i + 1][1][0]) for i in range(len(tips) - 1)]
        start, end = (state.v[twin.point_body[e.point]] for e in (cable.start, cable.end))
        assert out[f"{name}.velocity"] == pytest.approx(np.array([start, *inner, end]), abs=1e-12)
    for name, body in twin.point_body.items():
        assert out[f"{name}.position"] == pytest.approx(state.p[body], abs=1e-12)
        assert out[f"{name}.velocity"] == pytest.approx(state.v[body], abs=1e-12)


def test_forces_act_on_the_supports_and_split_into_tension_and_shear(seen):
    """force_start pulls the start's point towards the cable, force_end the end's; tension is along the mean axis."""
    twin, state, solution, out = seen
    for number, (name, bars) in enumerate(bars_of(twin).items()):
        count = len(bars)
        pulls = [force_at(twin, solution, number, joint) for joint in range(count + 1)]
        scale = np.abs(pulls).max()
        assert out[f"{name}.force_start"] == pytest.approx(pulls[0], abs=1e-9 * scale)
        assert out[f"{name}.force_end"] == pytest.approx(-pulls[-1], abs=1e-9 * scale)
        axes = [matrix(state.q[body])[:, 2] for body in bars]
        sums = np.array([axes[0], *(axes[i] + axes[i + 1] for i in range(count - 1)), axes[-1]])
        directions = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        tension = np.sum(pulls * directions, axis=1)
        shear = np.linalg.norm(pulls - tension[:, None] * directions, axis=1)
        assert out[f"{name}.tension_effective"] == pytest.approx(tension, abs=1e-9 * scale)
        assert out[f"{name}.shear"] == pytest.approx(shear, abs=1e-8 * scale)


def test_moments_are_those_of_the_rotation_joints(seen):
    """√(bending² + torsion²) is the size of the torque the joint exerts; a ball joint exerts none."""
    twin, state, solution, out = seen
    state = twin.half_way(0.0, state)[0] if twin.second else state
    torque = {}
    for part, joint, moment in zip(
        [part for part in twin.cable_parts if part[0] == "rotation"],
        twin.oracle.rotation_joints,
        solution.rotation,
        strict=True,
    ):
        first = product(state.q[joint.body_1], joint.rest)
        relative = product(conjugate(first), state.q[joint.body_2])
        relative *= np.sign(relative[0])
        lever = (relative[0] * np.eye(3) - skew(relative[1:])).T
        if joint.gains.K[2] == 0.0:  # the swing alone
            lever = np.hypot(relative[0], relative[3]) * np.eye(3)
        torque[part[1:]] = np.linalg.norm(lever @ moment)
    for number, name in enumerate(twin.system.cables):
        found = np.hypot(out[f"{name}.bending_moment"], out[f"{name}.torsion"])
        expected = [torque.get((number, joint), 0.0) for joint in range(len(found))]
        assert found == pytest.approx(expected, abs=1e-9 * max(1.0, max(expected)))


def test_contact_forces_push_the_nodes(seen):
    twin, _, solution, out = seen
    n = twin.sea.bed_normal
    pushes = solution.friction - solution.contact[:, None] * n
    for name, bars in bars_of(twin).items():
        nodes = np.zeros((len(bars) + 1, 3))
        for i, body in enumerate(bars):
            nodes[i] += pushes[2 * body]
            nodes[i + 1] += pushes[2 * body + 1]
        assert out[f"{name}.contact_force"] == pytest.approx(nodes, abs=1e-9 * max(1.0, np.abs(nodes).max()))


def test_kinetic_energy_counts_bars_lumps_points_and_the_water_they_carry(seen):
    """½ u·M u with the oracle's own mass matrices, the drag of the step left out."""
    twin, state, _, out = seen
    still = twin.oracle.sea
    total = 0.0
    for i, body in enumerate(twin.bodies):
        if isinstance(body, Bar):
            R = matrix(state.q[i])
            added = submergence(body, state.p[i, 2], R) * still.water_density * body.volume
            u = R.T @ state.v[i]
            mass = body.mass + added * np.array([body.added_normal, body.added_normal, body.added_axial])
            inertia = body.inertia.diagonal() + added * body.added_normal * body.length**2 / 12 * np.array([1, 1, 0])
            total += 0.5 * (u @ (mass * u) + state.w[i] @ (inertia * state.w[i]))
            for offset, lump in body.lumps:
                arm = R @ [0, 0, offset]
                v = state.v[i] + R @ np.cross(state.w[i], [0, 0, offset])
                total += 0.5 * heavy(lump, (state.p[i] + arm)[2], still) * v @ v
        elif isinstance(body, FreePoint):
            mass = heavy(body, state.p[i, 2], still)
            total += 0.5 * (mass * state.v[i] @ state.v[i] + body.inertia * state.w[i] @ state.w[i])
    assert out.energy_kinetic == pytest.approx(total, rel=1e-10)


def heavy(point, z, sea):
    """Mass of a small body with the water it carries, kg."""
    return point_terms(point, np.array([0.0, 0.0, z]), np.zeros(3), sea, 0.0)[0][0, 0]


def test_gravity_energy_is_the_potential_of_weight_and_buoyancy():
    """Its change under a small shift of everything is minus the oracle's force of weight and buoyancy, wet or dry."""
    twin = twin_of(705, step=0.01)
    u, row = twin.compiled.initial_inputs(), twin.compiled.shape.empty_row()
    column = twin.compiled.shape.total_block.start + TOTALS.index("energy_gravity")

    def potential(shift):
        y = twin.y.copy()
        for block in ("bar_state", "hub_state"):
            y[twin.compiled.layout[block]].reshape(-1, 13)[:, 2] += shift
        twin.compiled.observe(0.0, y, u, twin.h, row)
        return row[column]

    state = twin.oracle_state()
    force = 0.0
    for i, body in enumerate(twin.bodies):
        if isinstance(body, Bar):
            wet = submergence(body, state.p[i, 2], matrix(state.q[i]))
            force += (wet * twin.sea.water_density * body.volume - body.mass) * twin.sea.gravity
            parts = [(lump, (state.p[i] + matrix(state.q[i]) @ [0, 0, o])[2]) for o, lump in body.lumps]
        else:
            parts = [(body, state.p[i, 2])] if isinstance(body, FreePoint) else []
        force += sum(float_force(point, z, twin.sea) for point, z in parts)
    assert (potential(1e-5) - potential(-1e-5)) / 2e-5 == pytest.approx(-force, rel=1e-6)


def float_force(point, z, sea):
    """Buoyancy less weight of a small body, N."""
    return (point_submergence(point, z) * sea.water_density * point.volume - point.mass) * sea.gravity
