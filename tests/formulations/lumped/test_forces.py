"""Springs, bending, loads: what they do to each other and to the whole."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.lumped import quadratic_strain
from fairlead.model import System
from fairlead.simulate import Simulation, simulate
from fairlead.statics import natural_modes, solve

from .systems import compiled, stirred, web


def rod(**changes):
    """A file of one straight level cable in air without weight."""
    return {
        "environment": {"water_density": 0.0, "gravity": 0.0},
        "types": {"rod": {"diameter": 0.02, "density": 7850, "axial_stiffness": 1e6, **changes.pop("type", {})}},
        "points": {"a": {"kind": "fixed", "position": [0, 0, 0]}, "b": {"kind": "free", "position": [4, 0, 0]}},
        "cables": {"c": {"type": "rod", "length": 4, "elements": 4, "start": "a", "end": "b"}},
        "simulation": {"start": "catenary", "formulation": "lumped", "duration": 1, "step": 0.001},
        **changes,
    }


@pytest.mark.parametrize("strain", ["engineering", "green"])
def test_the_tangent_is_the_derivative_of_the_residual(strain):
    system = compiled(web(strain=strain))
    rest = system.linearised()
    y = rest.settled(rest.placed(stirred(system)))
    tangent = rest.tangent(y).toarray()
    for i in np.random.default_rng(0).choice(rest.size, 12, replace=False):
        dx = np.zeros(rest.size)
        dx[i] = 1e-6
        ahead, behind = (rest.residual(rest.displaced(y, sign * dx)) for sign in (1, -1))
        slope = -(ahead - behind) / 2e-6
        assert np.abs(slope - tangent[:, i]).max() <= 1e-5 * np.abs(tangent[:, i]).max() + 1e-2


def test_green_strain_is_the_quadratic_form_and_gives_the_kernel_its_forces():
    settings = {"strain": "green", "compression": "carried"}
    file = rod(simulation={"formulation": "lumped", "duration": 1, "step": 0.001, "lumped": settings})
    system = System.model_validate(file)
    built = compiled(system)
    forms = quadratic_strain(system, "c")
    y = built.initial_state()
    nodes = built.tables(y).node.position
    nodes += np.random.default_rng(3).normal(scale=0.02, size=nodes.shape)
    nodes[0] = 0.0
    built.tables(y).hub_state.position[0] = nodes[-1]
    force = forms.force(nodes)
    step = 1e-6
    for i, k in ((1, 0), (2, 1), (4, 2)):
        moved = [nodes.copy(), nodes.copy()]
        moved[0][i, k] += step
        moved[1][i, k] -= step
        assert -(forms.energy(moved[0]) - forms.energy(moved[1])) / (2 * step) == pytest.approx(force[i, k], rel=1e-5)
    rate = np.zeros_like(y)
    assert built.rhs(0.0, y, built.initial_inputs(), built.ints, built.reals, built.work, rate) == 0
    mass = 7850 * np.pi * 1e-4
    accelerations = built.tables(rate).node.velocity[1:4]
    assert accelerations * mass == pytest.approx(force[1:4], rel=1e-9, abs=1e-6)


def test_a_green_spring_is_stiffer_in_tension_than_an_engineering_one():
    """l = L(1 + s) under a pull F: EA s or EA (s + 1.5 s² + 0.5 s³)."""
    found = {}
    for strain in ("engineering", "green"):
        file = rod(loads=[{"point": "b", "force": [1e5, 0, 0]}])
        file["simulation"] = {**file["simulation"], "lumped": {"strain": strain}}
        rest = solve(System.model_validate(file))
        found[strain] = rest.compiled.tables(rest.y).hub_state.position[0, 0] / 4 - 1
    assert found["engineering"] == pytest.approx(0.1, rel=1e-9)
    s = found["green"]
    assert s + 1.5 * s**2 + 0.5 * s**3 == pytest.approx(0.1, rel=1e-9)


def test_a_cantilever_vibrates_as_a_beam():
    """First frequency 3.5160 √(EI/m L⁴); clamped at its start."""
    file = rod(type={"bending_stiffness": 100.0})
    file["cables"]["c"] |= {"elements": 40, "start": {"point": "a", "joint": "clamp", "direction": [1, 0, 0]}}
    rest = solve(System.model_validate(file))
    found = natural_modes(rest.compiled, rest.y, 2).omega[0]
    mass = 7850 * np.pi * 1e-4
    assert found == pytest.approx(3.5160 * np.sqrt(100.0 / mass) / 16.0, rel=2e-3)


def test_a_bent_rod_is_pushed_straight_without_net_force_or_torque():
    file = rod(type={"bending_stiffness": 50.0})
    file["points"]["a"] = {"kind": "free", "position": [0, 0, 0]}
    built = compiled(System.model_validate(file))
    y = built.initial_state()
    state = built.tables(y)
    state.node.position[:, 1] = 0.1 * np.linspace(-1, 1, 5) ** 2
    state.hub_state.position[:, 1] = 0.1
    rate = np.zeros_like(y)
    built.rhs(0.0, y, built.initial_inputs(), built.ints, built.reals, built.work, rate)
    mass = 7850 * np.pi * 1e-4 * np.array([0.5, 1, 1, 1, 0.5])
    force = mass[:, None] * built.tables(rate).node.velocity
    assert np.abs(force.sum(axis=0)).max() < 1e-9 * np.abs(force).max()
    assert np.abs(np.cross(state.node.position, force).sum(axis=0)).max() < 1e-9 * np.abs(force).max()
    assert force[0, 1] < 0 < force[2, 1]


def test_without_compression_a_slack_cable_pushes_nothing():
    file = rod(simulation={"formulation": "lumped", "duration": 1, "step": 0.001, "lumped": {"compression": "none"}})
    built = compiled(System.model_validate(file))
    y = built.initial_state()
    state = built.tables(y)
    state.node.position[:, 0] *= 0.9
    state.hub_state.position[:, 0] *= 0.9
    rate = np.zeros_like(y)
    built.rhs(0.0, y, built.initial_inputs(), built.ints, built.reals, built.work, rate)
    assert not built.tables(rate).node.velocity.any()


def test_a_floating_cable_lies_half_submerged():
    """Half as dense as the water: it floats with its axis at the surface."""
    file = rod(environment={"water_density": 1000.0})
    file["types"]["rod"] = {"diameter": 0.2, "density": 500, "axial_stiffness": 1e6, "drag": {"normal": 1, "axial": 0}}
    file["points"]["a"] = {"kind": "free", "position": [0, 0, 0.05]}
    file["points"]["b"]["position"] = [4, 0, 0.05]
    file["simulation"] |= {"duration": 60, "step": 0.01}
    heights = simulate(System.model_validate(file))["position"].values[-1, 0, :, 2]
    assert np.abs(heights).max() < 4e-3


def test_torsion_is_refused_with_the_name_of_what_can():
    file = rod(type={"torsional_stiffness": 1.0})
    with pytest.raises(UnsupportedSystem, match=r"torsional_stiffness.*use formulation: .*bars"):
        Simulation(System.model_validate(file))


def test_a_clamp_on_a_free_point_is_refused():
    file = rod(type={"bending_stiffness": 1.0})
    file["cables"]["c"]["end"] = {"point": "b", "joint": "clamp"}
    with pytest.raises(UnsupportedSystem, match=r"cables\.c\.end"):
        Simulation(System.model_validate(file))


def test_runge_kutta_is_told_its_step_bound_and_the_bound_holds():
    file = rod(type={"damping_time": {"axial": 1e-4}})
    file["simulation"] |= {"integrator": "rk4"}
    built = compiled(System.model_validate(file))
    bound = built.step_bound()
    assert any("stability bound" in note for note in built.start_notes(0.001))
    exact = 2 * np.sqrt(1e6 / (7850 * np.pi * 1e-4))
    assert bound == pytest.approx(2.8 / exact, rel=0.01)
