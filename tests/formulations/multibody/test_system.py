"""Systems as trees: what is refused, what the mass matrix is, where energy goes, that a resumed run is the same."""

from types import SimpleNamespace

import numpy as np
import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.multibody.build import first_axis
from fairlead.formulations.multibody.equations import rhs
from fairlead.simulate import simulate

from .systems import WIRE, compiled, system

BODY = {"kind": "free", "position": [0, 0, 0], "mass": 200.0, "inertia": [20, 25, 30]}


def test_closed_loop_is_refused():
    points = {"top": {"kind": "fixed", "position": [0, 0, 20]}, "tip": {"kind": "fixed", "position": [3, 2, 16]}}
    with pytest.raises(UnsupportedSystem, match=r"cables\.wire.*closes a loop.*bars or lumped"):
        compiled(points=points)


def test_two_cables_to_one_free_point_close_a_loop():
    points = {
        "top": {"kind": "fixed", "position": [0, 0, 20]},
        "side": {"kind": "fixed", "position": [6, 0, 20]},
        "tip": {"kind": "free", "position": [3, 0, 16]},
    }
    line = {"type": "wire", "length": 6, "elements": 3, "end": "tip"}
    with pytest.raises(UnsupportedSystem, match=r"cables\.two.*'tip' hangs from something else"):
        compiled(points=points, cables={"one": {**line, "start": "top"}, "two": {**line, "start": "side"}})


def test_a_massless_point_that_nothing_holds_is_refused_over_a_seabed():
    """A tree grows from it, and the bed is under what grows: it would fall through. With mass it stands by itself."""
    sea = {"seabed": {"depth": 50, "stiffness": 1e4}}
    loose = {name: {"kind": "free", "position": place} for name, place in (("top", [0, 0, -20]), ("tip", [3, 2, -16]))}
    with pytest.raises(UnsupportedSystem, match=r"points\.top.*give it a mass.*bars or lumped"):
        compiled(points=loose, environment=sea)
    compiled(points={**loose, "tip": {**loose["tip"], "mass": 5.0}}, environment=sea)


@pytest.mark.parametrize(
    "flow",
    [
        {"current": [{"z": 0, "velocity": [0.0, 0.5, 0.0]}]},
        {"current_field": {"t": [0, 9], "velocity": [[0.0, 0.5, 0.0], [0.0, 0.1, 0.0]]}},
    ],
)
def test_a_wire_that_hangs_straight_down_turns_first_across_the_water_that_flows(flow):
    """Which flows along y here: the first axis is x."""
    link = SimpleNamespace(near=SimpleNamespace(owner=None))
    nodes = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, -5.0]])
    axis = first_axis(system(environment=flow), nodes, link)
    np.testing.assert_allclose(np.abs(axis), [1.0, 0.0, 0.0])


def test_winch_at_the_loose_end_is_refused():
    wire = {"type": "wire", "length": 6, "elements": 4, "start": "top", "end": "tip"}
    with pytest.raises(UnsupportedSystem, match=r"cables\.wire\.winch\.end.*start"):
        compiled(cables={"wire": {**wire, "winch": {"end": "end", "rate": 0.1}}})


def payload(**sea):
    """A payload hung by a corner from a wire, in water with a current unless said otherwise."""
    water = {"water_density": 1025.0, "current": [{"z": 0, "velocity": [0.6, 0.2, 0]}]}
    box = {
        **BODY, "position": [0, 0.3, -16.4], "volume": 0.05, "drag_area": [0.5, 0.6, 0.4], "added_mass": [60, 80, 90],
        "added_inertia": [5, 6, 7], "drag_moment": [3, 3, 3], "attachments": {"eye": [0, -0.3, 0.4]},
    }  # fmt: skip
    return {
        "environment": {**water, **sea},
        "points": {"top": {"kind": "controlled", "position": [0, 0, -10],
                           "motion": {"harmonic": {"amplitude": [0.5, 0, 0.3], "period": 4, "ramp": 2}}}},
        "bodies": {"box": box},
        "cables": {"wire": {"type": "wire", "length": 6, "elements": 4, "start": "top", "end": "box.eye"}},
    }  # fmt: skip


def test_mass_matrix_and_bias_give_the_accelerations_of_the_sweep():
    """H q̈ + C = τ with q̈ from the O(n) sweep, of a loaded system in motion: 1e-10."""
    tree = compiled(**payload())
    u, y = tree.initial_inputs(), tree.initial_state()
    assert tree.advance(0.0, y, 1500, 0.001, u, "semi_implicit") is None
    dy = np.zeros_like(y)
    assert rhs(1.5, y, u, tree.ints, tree.reals, tree.work, dy) == 0
    rates = tree.tables(dy).speed.value
    H, C, torques = tree.mass_and_bias(1.5, y, u)
    assert np.abs(H - H.T).max() == 0.0
    assert np.linalg.eigvalsh(H).min() > 0.0
    assert np.abs(H @ rates + C - torques).max() < 1e-10 * (np.abs(H) @ np.abs(rates) + np.abs(C)).max()


@pytest.mark.parametrize(("integrator", "bound"), [("rk4", 1e-3), ("semi_implicit", 2e-2)])
def test_energy_balance_of_a_driven_payload(integrator, bound):
    """Energy gained = work of drag, damping and drives, in parts of the work of the drives' size."""
    settings = {"integrator": integrator, "duration": 6, "step": 0.001, "output_every": 0.5}
    result = simulate(system(**payload(), simulation=settings))
    energy = sum(result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic"))
    work = sum(result[f"work_{kind}"].values for kind in ("drag", "damping", "friction", "drives"))
    size = np.abs(result["work_drives"].values).max() + np.abs(result["work_drag"].values).max()
    assert np.abs(energy - energy[0] - work).max() < bound * size


def test_payload_comes_to_rest_under_its_eye():
    """At rest in still water the eye is above the centre of mass and the wire carries the weight in water."""
    parts = payload(current=[])
    parts["points"] = {"top": {"kind": "fixed", "position": [0, 0, -10]}}
    parts["bodies"]["box"] |= {"drag_moment": [2e3, 2e3, 2e3], "drag_area": [40, 40, 40]}
    result = simulate(system(**parts, simulation={"duration": 150, "step": 0.01, "output_every": 10}))
    weight = (200.0 - 1025.0 * 0.05) * 9.81 + 6.0 * (3.0 - 1025.0 * np.pi / 4 * 0.03**2) * 9.81
    assert abs(result["force_end"].values[-1, 0, 0, 2]) == pytest.approx(weight, rel=1e-3)
    names = list(result["point"].values)
    centre = result["point_position"].values[-1, names.index("box")]
    assert centre[:2] == pytest.approx([0.0, 0.0], abs=0.02)


def test_bed_carries_what_lies_on_it():
    """A wire let down onto the bed comes to rest there: bed and top carry its weight in water between them."""
    sea = {"seabed": {"depth": 20.0, "stiffness": 1e5, "damping": 1e4, "friction": 0.3}}
    points = {"top": {"kind": "fixed", "position": [0, 0, -15]}, "tip": {"kind": "free", "position": [6, 0, -19.9]}}
    wire = {"type": "wire", "length": 10, "elements": 10, "start": "top", "end": "tip"}
    settings = {"duration": 40, "step": 0.01, "output_every": 10}
    result = simulate(system(environment=sea, points=points, cables={"wire": wire}, simulation=settings))
    last = result.isel(time=-1)
    weight = 10.0 * (3.0 - 1025.0 * np.pi / 4 * 0.03**2) * 9.81
    bed, top = last["contact_force"].values[0, :, 2].sum(), -last["force_end"].values[0, 0, 2]
    assert bed > 0.3 * weight
    assert bed + top == pytest.approx(weight, rel=2e-3)
    assert np.abs(last["velocity"].values).max() < 1e-3


def test_clump_weight_hangs_on_the_wire():
    """10 kg a third of the way down: above it the wire carries it, below it does not."""
    wire = {"type": "wire", "length": 6, "elements": 6, "start": "top", "end": "tip"}
    points = {"top": {"kind": "fixed", "position": [0, 0, 20]}, "tip": {"kind": "free", "position": [0, 0, 14]}}
    cables = {"wire": {**wire, "attachments": [{"at": 2.0, "mass": 10.0}]}}
    parts = {"types": {"wire": {**WIRE, "damping_time": 0.05}}, "points": points, "cables": cables}
    last = simulate(system(**parts, simulation={"duration": 10, "step": 0.01, "output_every": 5})).isel(time=-1)
    tension = last["tension_effective"].values[0]
    assert tension[1] == pytest.approx(9.81 * (10.0 + 15.0), rel=1e-3)
    assert tension[3] == pytest.approx(9.81 * 9.0, rel=1e-3)


def test_floating_tree_falls_as_a_whole():
    """A body with two hanging wires and nothing held: its centre of mass falls with g, nothing else happens to it."""
    body = {**BODY, "attachments": {"one": [0.5, 0, 0], "two": [-0.5, 0.2, 0]}}
    points = {name: {"kind": "free", "position": [x, 0.1, -2.0]} for name, x in (("a", 0.6), ("b", -0.6))}
    line = {"type": "wire", "length": 2.2, "elements": 3}
    cables = {"one": {**line, "start": "body.one", "end": "a"}, "two": {**line, "start": "body.two", "end": "b"}}
    settings = {"integrator": "rk4", "duration": 1, "step": 0.0005, "output_every": 0.5}
    result = simulate(system(bodies={"body": body}, points=points, cables=cables, simulation=settings))
    half = np.array([0.5, 1.0, 1.0, 0.5]) * 2.2 / 3 * 3.0
    middle = np.einsum("n,tcnx->tx", half, result["position"].values)
    place = result["point_position"].values[:, list(result["point"].values).index("body")]
    centre = (middle + 200.0 * place) / (200.0 + 2 * 6.6)
    fallen = centre - centre[0]
    assert fallen[:, :2] == pytest.approx(0.0, abs=1e-9)
    assert fallen[:, 2] == pytest.approx(-0.5 * 9.81 * result["time"].values ** 2, abs=1e-8)


def test_two_runs_are_one_run():
    """All that the next step reads is in the state: gone on with in a fresh system, it is the same bit by bit."""
    tree, fresh = compiled(**payload()), compiled(**payload())
    u, y = tree.initial_inputs(), tree.initial_state()
    assert tree.advance(0.0, y, 120, 0.001, u, "semi_implicit") is None
    resumed = y.copy()
    assert tree.advance(0.12, y, 180, 0.001, u, "semi_implicit") is None
    assert fresh.advance(0.12, resumed, 180, 0.001, u, "semi_implicit") is None
    assert np.array_equal(y, resumed)


def test_a_wire_that_only_pulls_shows_no_compression_where_its_load_stands_on_the_bed():
    """The slack element's half of the weight rests on the hook: it is in `force_end`, and no tension (it was shown as
    -45 N)."""
    load = {"kind": "free", "position": [0, 0, -24], "mass": 400, "inertia": [60, 60, 60], "volume": 0.1, "height": 1.5,
            "footprint": 1.5, "attachments": {"hook": [0, 0, 0.75]}}  # fmt: skip
    wire = {"type": "wire", "length": 8, "elements": 2, "start": "top", "end": "load.hook"}
    landed = system(
        environment={"seabed": {"depth": 25, "stiffness": 2e5, "damping": 4e4}},
        points={"top": {"kind": "fixed", "position": [0, 0, -16]}},
        bodies={"load": load},
        cables={"wire": wire},
        simulation={"duration": 4, "step": 0.005, "start": "catenary"},
    )
    result = simulate(landed)
    volume = np.pi / 4 * WIRE["diameter"] ** 2
    half = 0.25 * 8 * (WIRE["mass_per_length"] - 1025 * volume) * 9.80665
    assert result["force_end"].values[-1, 0, 1, 2] == pytest.approx(-half, rel=0.01)
    assert result["tension_effective"].values[-1, 0, -1] == 0.0
    assert np.nanmin(result["tension_effective_min"].values) == 0.0
