"""Trees at rest: equilibria and natural modes against closed forms and against other formulations."""

import numpy as np
import pytest

import fairlead as fl
from fairlead.formulations import compile_system
from fairlead.shape.layout import first_geometry
from fairlead.statics import natural_modes, settle

from .systems import WIRE, system
from .test_mass_matrix import crane

G = 9.81


def settled(whole):
    tree = compile_system(whole, first_geometry(whole))
    y, report = settle(tree, tree.initial_state())
    return tree, y, report


def nodes(tree, y, name):
    row = tree.shape.empty_row()
    tree.observe(0.0, y, tree.initial_inputs(), 0.01, row)
    return tree.shape.node_table(row, name)


def test_hanging_wire_stretches_under_what_is_below():
    """From an oblique start to the plumb line; elements as long as L (1 + T/EA), T the weight below: 1e-9 m."""
    tree, y, report = settled(system())
    found = nodes(tree, y, "wire")[:, :3]
    below = 4.0 * G + 3.0 * G * 1.5 * (np.arange(4)[::-1] + 0.5)
    assert found[:, :2] == pytest.approx(0.0, abs=1e-6)
    assert -np.diff(found[:, 2]) == pytest.approx(1.5 * (1 + below / 2e5), abs=1e-9)
    assert report.stable


def test_wire_in_a_current_lies_as_point_masses_do():
    """The same shape as `lumped`: 1e-6 m."""
    current = {"environment": {"water_density": 1025.0, "current": [{"z": 0, "velocity": [0.8, 0.3, 0]}]},
               "points": {"top": {"kind": "fixed", "position": [0, 0, -1]},
                          "tip": {"kind": "free", "position": [0, 0, -6.99], "mass": 4.0}}}  # fmt: skip
    places = []
    for name in ("multibody", "lumped"):
        tree, y, _ = settled(system(**current, simulation={"formulation": name}))
        places.append(nodes(tree, y, "wire")[:, :3])
    assert np.ptp(places[0][:, 0]) > 0.3
    assert np.abs(places[0] - places[1]).max() < 1e-6


def test_run_from_statics_stays_at_rest():
    """A floating crane with a load starts in equilibrium and stays there: 1e-6 m in 2 s."""
    whole = fl.System.model_validate(
        {**crane().system.to_dict(), "simulation": {"formulation": "multibody", "duration": 2, "step": 0.005,
                                                    "output_every": 0.1, "start": "statics"}}
    )  # fmt: skip
    result = fl.simulate(whole)
    place = result["point_position"].values
    assert np.abs(place - place[0]).max() < 1e-5
    hull = place[0, list(result["point"].values).index("hull")]
    assert abs(hull[2] - 0.3) > 0.01


def test_pendulum_and_bounce_of_a_load_on_a_wire():
    """Modes of a heavy load on a light wire: sqrt(g/l) twice, sqrt(EA/lm), 1e-3."""
    light = {**WIRE, "mass_per_length": 1e-3}
    points = {"top": {"kind": "fixed", "position": [0, 0, 20]},
              "tip": {"kind": "free", "position": [0, 0, 14.0], "mass": 40.0}}  # fmt: skip
    cable = {"wire": {"type": "wire", "length": 6, "elements": 1, "start": "top", "end": "tip"}}
    tree, y, _ = settled(system(types={"wire": light}, points=points, cables=cable))
    modes = natural_modes(tree, y, 3)
    length = 6 * (1 + 40 * G / 2e5)
    assert modes.omega[:2] == pytest.approx(np.sqrt(G / length), rel=1e-3)
    assert modes.omega[2] == pytest.approx(np.sqrt(2e5 / 6 / 40.0), rel=1e-3)
    assert modes.effective_mass.sum(axis=0) == pytest.approx([1.0, 1.0, 1.0], rel=1e-6)


def test_modes_of_a_hanging_chain_are_those_of_point_masses():
    """The ten slowest modes of a chain with a load, branched: 1e-6 of those of `lumped`."""
    omegas = []
    for name in ("multibody", "lumped"):
        tree, y, _ = settled(system(simulation={"formulation": name}))
        omegas.append(natural_modes(tree, y, 10).omega)
    assert omegas[0] == pytest.approx(omegas[1], rel=1e-6)


def test_joint_modes_of_a_spring_hinge():
    """A rod on a hinge with a spring, hanging: omega^2 = (k + m g c)/(J + m c^2)."""
    whole = {
        "points": {"plumb": {"kind": "free", "position": [5, 0, -1.0], "mass": 1.0}},
        "bodies": {
            "frame": {"kind": "prescribed", "position": [0, 0, 0], "attachments": {"aside": [5, 0, 0]}},
            "arm": {"kind": "free", "position": [0, 0, -0.7], "mass": 4.0, "inertia": [0.5, 0.5, 0.5],
                    "attachments": {"heel": [0, 0, 0.7]}},
        },
        "joints": {"hinge": {"kind": "revolute", "axis": [0, 1, 0], "parent": "frame", "child": "arm.heel",
                             "stiffness": 8.0}},
        "cables": {"line": {"type": "wire", "length": 1.0, "elements": 1, "start": "frame.aside", "end": "plumb"}},
    }  # fmt: skip
    tree, y, _ = settled(system(**whole))
    asked = np.sqrt((8.0 + 4.0 * G * 0.7) / (0.5 + 4.0 * 0.49))
    assert np.abs(natural_modes(tree, y, 4).omega / asked - 1).min() < 1e-6
