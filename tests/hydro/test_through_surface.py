"""A payload through the surface: carried by Morison's law and slamming, then as a solved hull, momentum kept."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from test_model_hydro import changed

import fairlead as fl
from fairlead.hydro import hulls
from fairlead.hydro.compiled_hydro import CompiledHydro
from fairlead.hydro.mesh_checks import check_closed
from fairlead.hydro.passage import RELEASE, added_mass_under, centre_of
from fairlead.hydro.setup import closed_hull
from fairlead.model import ModelError
from fairlead.model.hydro import HullShape, passes_surface

RADIUS, RHO, G = 0.6, 1025.0, 9.81
VOLUME = 4.0 / 3.0 * np.pi * RADIUS**3
MASS, CLEAR = 1500.0, 0.25 * 2 * RADIUS
BALL: dict[str, Any] = {
    "environment": {"seabed": {"depth": 20}},
    "types": {
        "rope": {"diameter": 0.02, "mass_per_length": 3, "axial_stiffness": 6e5, "damping_time": 0.01, "drag": "none"}
    },
    "points": {"tip": {"kind": "fixed", "position": [0, 0, 8.2]}},
    "bodies": {
        "ball": {"kind": "free", "position": [0, 0, -0.75], "mass": MASS, "inertia": [150, 150, 150],
                 "attachments": {"eye": [0, 0, 0.6]}},
    },
    "cables": {
        "rope": {"type": "rope", "length": 8.2, "elements": 1, "start": "tip", "end": "ball.eye", "allow_stretch": True,
                 "winch": {"end": "start", "table": [[0, 0], [0.4, 0.5], [8, 0.5]]}},
    },
    "hydro": {
        "hulls": {"ball": {"sphere": {"diameter": 2 * RADIUS}, "panel_size": 0.45, "through_surface": True}},
        "surface": {"radius": 10, "columns": 16, "inner": 0.8, "outer": 2.5},
        "matrices": "freeze",
        "substeps": 14,
    },
    "simulation": {"formulation": "multibody", "start": "statics", "duration": 1.0, "step": 0.05, "output_every": 0.05},
}  # fmt: skip


def simulation(data: dict[str, Any]) -> fl.Simulation:
    return fl.Simulation(fl.System(**data))


def compiled(sim: fl.Simulation) -> CompiledHydro:
    assert isinstance(sim.compiled, CompiledHydro)
    return sim.compiled


def solved(sim: fl.Simulation) -> bool:
    """Whether the ball is solved for now."""
    return bool(sim.state[sim.compiled.layout["solved_for"]][0])


@pytest.fixture(scope="module")
def lowered() -> tuple[fl.Simulation, xr.Dataset]:
    """A ball in the surface, lowered under it at half a metre a second."""
    sim = simulation(BALL)
    return sim, sim.run()


def test_added_mass_under_the_surface_is_that_of_the_sphere_and_its_image() -> None:
    """½ρV in the deep; near a surface p = 0 less by 3/8 (r/h)³ in heave and 3/16 (r/h)³ in surge (two dipoles)."""
    panels = hulls.sphere(1.0, 16).rigid
    deep, near = (np.diag(added_mass_under(panels, c, 1.0)) / (4.0 / 3.0 * np.pi) for c in (200.0, 2.0))
    top = panels.vertices[:, 2].max()
    ratio = 1.0 / (2.0 + top) ** 3
    assert deep[:3] == pytest.approx([0.5] * 3, rel=0.05)
    assert near[2] / deep[2] == pytest.approx(1.0 - 0.375 * ratio, abs=0.002)
    assert near[0] / deep[0] == pytest.approx(1.0 - 0.1875 * ratio, abs=0.002)


def test_centre_of_a_shifted_sphere() -> None:
    shift = np.array([0.3, -0.2, 0.7])
    assert centre_of(hulls.sphere(1.0, 8).shifted(shift).rigid) == pytest.approx(shift, abs=1e-12)


def test_the_ball_is_taken_over_once_it_is_under(lowered: tuple[fl.Simulation, xr.Dataset]) -> None:
    sim, result = lowered
    c = compiled(sim)
    assert c.initial_state()[c.layout["solved_for"]] == [0.0]
    assert solved(sim)
    force = result["ball.water_force_z"].values
    assert np.abs(np.diff(force)).max() < 0.05 * RHO * G * VOLUME
    assert force == pytest.approx(np.full(len(force), RHO * G * VOLUME), rel=0.2)
    assert result.attrs["status"] == "complete"


def test_the_pull_is_that_of_morisons_law_and_smooth(lowered: tuple[fl.Simulation, xr.Dataset]) -> None:
    """The same ball with the added mass and the slamming of the passage, by Morison's law alone, all the way.

    Until the ball is taken over the pull is the same; what is solved for then changes it by no more than 5 %, and at
    the step itself by less than 0.5 %.
    """
    sim, result = lowered
    (ball,) = compiled(sim).passing
    data = copy.deepcopy(BALL)
    data.pop("hydro")
    data["bodies"]["ball"] |= {
        "shape": {"sphere": {"diameter": 2 * RADIUS}}, "added_mass": list(ball.added[:3]),
        "added_inertia": list(ball.added[3:]), "slamming": {"area": 1.0},
    }  # fmt: skip
    data["simulation"] |= {"step": 0.005, "integrator": "rk4"}
    alone = simulation(data).run()
    z = result["point_position"].sel(point="ball", axis="z").values
    at = int(np.argmax(z < -CLEAR - float(ball.hull.rigid.vertices[:, 2].max())))
    assert 8 < at < len(z) - 4
    pulls = [run["tension_effective"].values[:, 0, -1] for run in (result, alone)]
    off = (pulls[0] - pulls[1]) / pulls[1]
    assert np.abs(off[:at]).max() < 0.002
    assert np.abs(off).max() < 0.05
    assert np.abs(np.diff(off))[at - 2 : at + 3].max() < 0.005


def test_momentum_is_the_same_before_and_after() -> None:
    """Of tree and water together, for a ball that is taken over and given back while it moves any way."""
    sim = simulation(
        changed(BALL, bodies__ball__position=[0, 0, -1.2], cables__rope__length=8.7, hydro__symmetry=False)
    )
    c = compiled(sim)
    y = sim.state
    own = c._own
    tree = np.ascontiguousarray(y[own])
    c.mechanism.speeds_in(tree)[:] = np.random.default_rng(3).normal(size=len(c.mechanism.speeds_in(tree)))
    y[own] = tree

    def momentum() -> np.ndarray:
        """Sᵀ(Hv) of the tree and Jᵀ L of the water, with what is solved for now."""
        tree = np.ascontiguousarray(y[own])
        c.mechanism.forget()
        H, _, _, _ = c.mechanism._solved(0.0, tree)
        total = H @ c.mechanism.speeds_in(tree)
        if c.crossing.solved[0]:
            total = total + c.mechanism.full_jacobians[0].T @ c.water.momentum(0.0, y[c._moving])[0]
        return np.asarray(total)

    for flags in ([True], [False], [True]):
        c.crossing.solve_for([not flags[0]])
        before, speeds = momentum(), c.mechanism.speeds_in(np.ascontiguousarray(y[own])).copy()
        view = y[c._moving]
        c.crossing._take_over(0.0, view, own, [not flags[0]], flags)
        np.testing.assert_allclose(momentum(), before, rtol=1e-9, atol=1e-9 * np.abs(before).max())
        assert np.abs(c.mechanism.speeds_in(np.ascontiguousarray(y[own])) - speeds).max() > 1e-6


def test_energy_is_accounted_for(lowered: tuple[fl.Simulation, xr.Dataset]) -> None:
    """The water's share at the take-over is booked: 1 % of what goes to and fro."""
    _, result = lowered
    energy = sum(result[f"energy_{name}"].values for name in ("kinetic", "gravity", "elastic"))
    work = sum(result[f"work_{name}"].values for name in ("drag", "damping", "friction", "drives"))
    change = energy - energy[0] - work + work[0]
    assert np.abs(change).max() < 0.01 * np.ptp(result["energy_gravity"].values)


def test_a_run_that_is_taken_up_again_is_the_same_to_the_last_bit(
    lowered: tuple[fl.Simulation, xr.Dataset], tmp_path: Path
) -> None:
    """Stopped after the take-over, and resumed with what is solved for in the state."""
    path, count = tmp_path / "run.nc", iter(range(100))
    assert simulation(BALL).run(output=path, stop=lambda: next(count) >= 16).attrs["status"].startswith("stopped")
    resumed = simulation(BALL).run(output=path, resume=True)
    for name in ("point_position", "tension_effective", "surface_perturbation"):
        np.testing.assert_array_equal(resumed[name].values, lowered[1][name].values)


def test_a_hull_that_comes_up_again_is_given_back() -> None:
    data = changed(BALL, bodies__ball__position=[0, 0, -1.02], cables__rope__length=8.5)
    data["cables"]["rope"]["winch"] |= {"table": [[0, 0], [0.3, -0.6], [1, -0.6]], "length_min": 7.0}
    sim = simulation(data)
    assert solved(sim)
    z = sim.run()["point_position"].sel(point="ball", axis="z").values
    assert z[-1] + RADIUS > -RELEASE * CLEAR
    assert not solved(sim)


def test_nodes_on_the_drum_move_nothing_although_a_trial_had_paid_them_out() -> None:
    """A step of the water tries the cables several times from the same state: a split in one is no part of the next."""
    mechanism = compiled(simulation(BALL)).mechanism
    (active, count, speeds) = mechanism.carrier._drums[0]
    y = mechanism.initial_state()
    ahead = y.copy()
    ahead[active] += 1.0
    mechanism.motions(0.0, ahead)
    mechanism.motions(0.0, y)
    idle = speeds[: 3 * (count - int(y[active]))]
    assert len(idle) >= 3
    assert not np.any(mechanism.full_jacobians[0][:, idle])
    assert np.any(mechanism.full_jacobians[0][:, speeds[len(idle) :]])


def test_too_few_small_steps_are_told_of() -> None:
    told = [note for note in simulation(changed(BALL, hydro__substeps=2)).warnings if "hydro.substeps" in note]
    assert len(told) == 1
    assert "above the bound of the cables' stretching" in told[0]
    assert not any("hydro.substeps" in note for note in simulation(BALL).warnings)


SHAPES = {
    "box": {"box": {"length": 1.2, "width": 1.0, "height": 0.8}, "panel_size": 0.5},
    "cylinder": {"cylinder": {"diameter": 1.2, "height": 0.8}, "panel_size": 0.5},
    "profile": {"profile": [[0.5, -0.4], [0.7, 0.0], [0.3, 0.4]], "panel_size": 0.5},
}


@pytest.mark.parametrize(
    ("kind", "volume"),
    [("box", 0.96), ("cylinder", np.pi * 0.36 * 0.8), ("profile", np.pi * 0.4 / 3.0 * (1.09 + 0.79))],
)
def test_closed_hulls_have_the_volume_of_their_shapes(kind: str, volume: float) -> None:
    """The frusta of a profile: πh/3 (r² + rR + R²)."""
    panels = closed_hull(HullShape(**SHAPES[kind]), "one", Path()).rigid
    assert panels.volume == pytest.approx(volume, rel=1e-9)
    check_closed(panels, kind)


def test_added_mass_of_a_cube_is_the_known_one() -> None:
    """0.68 ρV of a square prism as long as it is wide, along its axis (DNV-RP-C205); finer panels give less, 0.64."""
    cube = HullShape(box={"length": 1, "width": 1, "height": 1}, panel_size=0.25)
    added = np.diag(added_mass_under(closed_hull(cube, "one", Path()).rigid, 50.0, 1.0))[:3]
    assert added == pytest.approx([0.68] * 3, rel=0.08)
    assert np.ptp(added) < 1e-5


@pytest.mark.parametrize("kind", ["box", "cylinder"])
def test_boxes_and_cylinders_go_through_the_surface_too(kind: str) -> None:
    """Taken over once under; the force of the water neither jumps nor leaves their buoyancy."""
    data = changed(BALL, simulation__duration=0.6, bodies__ball__position=[0, 0, -0.55], cables__rope__length=8.15,
                   hydro__hulls__ball={**SHAPES[kind], "through_surface": True})  # fmt: skip
    sim = simulation(data)
    assert not solved(sim)
    result = sim.run()
    assert result.attrs["status"] == "complete"
    assert solved(sim)
    buoyancy = RHO * G * compiled(sim).passing[0].hull.rigid.volume
    force = result["ball.water_force_z"].values
    assert np.abs(np.diff(force)).max() < 0.05 * buoyancy
    assert force == pytest.approx(np.full(len(force), buoyancy), rel=0.25)


def test_any_shape_that_starts_in_air_passes_by_itself() -> None:
    for shape in SHAPES.values():
        for height, passes in ((0.5, True), (0.3, False)):
            system = fl.System(**changed(BALL, hydro__hulls__ball=shape, bodies__ball__position=[0, 0, height],
                                         cables__rope__length=7.6))  # fmt: skip
            assert system.hydro is not None
            assert passes_surface(system.hydro.hulls["ball"], system.bodies["ball"]) is passes


def test_a_sphere_that_starts_in_air_passes_by_itself() -> None:
    data = copy.deepcopy(BALL)
    data["hydro"]["hulls"]["ball"].pop("through_surface")
    data["bodies"]["ball"]["position"] = [0, 0, 0.8]
    data["cables"]["rope"]["length"] = 6.7
    assert [one.name for one in compiled(simulation(data)).passing] == ["ball"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hydro__mode": "linear"}, "use 'mode: weak_scatterer'"),
        ({"hydro__hulls__ball__locked": ["yaw"]}, "goes through the surface cannot be held"),
        ({"simulation__formulation": "lumped"}, "needs hulls and cables in one tree"),
        ({"bodies__ball__volume": 1.0}, "'volume' would count twice"),
    ],
)  # fmt: skip
def test_what_cannot_pass_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        fl.System(**changed(BALL, **changes))
