"""A run that starts from statics stays there, for every formulation and every kind of load it carries.

The static values are also those of a closed form, with their sign in space: a force that acts one way in the statics
and another way in the step, or the wrong way in both, fails.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from fairlead.results.observation import (
    NODE_BENDING_MOMENT,
    NODE_COLUMNS,
    NODE_POSITION,
    NODE_TENSION,
    NODE_TORSION,
    NODE_VELOCITY,
)
from fairlead.simulate import Outputs, Simulation
from statics.systems import AIR, cable, current, fixed, free, system, wire

G = 9.81
STEP, STEPS = 0.002, 100
DRAG = {"normal": 1.2, "axial": 0.0}
ROD = {"diameter": 0.05, "density": 2500.0, "axial_stiffness": 1e7, "bending_stiffness": 2e3, "drag": DRAG}  # fmt: skip
ELEMENTS, LENGTH = 4, 2.0
DOWN = [0, 0, -1]
ALONG, ACROSS = (0.0, 0.0, -3.0), (0.0, 30.0, 0.0)


def started(formulation, settings=None, **parts):
    """The system as a run with this formulation starts it: from statics."""
    simulation = {"formulation": formulation, "duration": STEP * STEPS, "step": STEP, "start": "statics"}
    return Simulation(system(**parts, simulation={**simulation, **(settings or {})}))


def cantilever(formulation):
    """A stiff rod clamped level at its start, a weight of 5 kg at its free end."""
    line = cable("rod", LENGTH, ELEMENTS, {"point": "A", "joint": "clamp", "direction": [1, 0, 0]}, "B")
    points = {"A": fixed(0, 0, 0), "B": free(2, 0, 0, mass=5.0)}
    return started(formulation, environment=AIR, types={"rod": ROD}, points=points, cables={"line": line})


def clamped_at_both_ends(formulation):
    """A rod whose clamps point off the straight way between them, up and aside, the current across it."""
    line = cable(
        "rod",
        4.6,
        4,
        {"point": "A", "joint": "clamp", "direction": [1, 0, -0.2]},
        {"point": "B", "joint": "clamp", "direction": [1, 0.2, -0.2]},
    )
    points = {"A": fixed(0, 0, -5), "B": fixed(4, 0, -7)}
    return started(
        formulation, environment=current(0, 0.8, 0), types={"rod": ROD}, points=points, cables={"line": line}
    )


def hanging_rod(formulation, torque):
    """A rod that hangs from a clamp; at its end a body of 5 kg, clamped to it, on which a torque acts."""
    clamped = [{"point": name, "joint": "clamp", "direction": DOWN} for name in "AB"]
    return started(
        formulation,
        {"links": {"report_angles": True}} if formulation == "links" else None,
        environment=AIR,
        types={"rod": {**ROD, "torsional_stiffness": 500.0}},
        points={"A": fixed(0, 0, 0), "B": free(0, 0, -LENGTH, mass=5.0, inertia=0.1)},
        cables={"line": cable("rod", LENGTH, ELEMENTS, *clamped)},
        loads=[{"point": "B", "torque": list(torque)}],
    )


def twisted_rod(formulation):
    """A taut rod, its end turned by 30 degrees about its axis."""
    clamped = [{"point": name, "joint": "clamp", "direction": DOWN} for name in "AB"]
    return started(
        formulation,
        {"spline": {"twists": {"line": {"angle_deg": 30.0}}}},
        environment=AIR,
        types={"rod": {**ROD, "torsional_stiffness": 500.0}},
        points={"A": fixed(0, 0, 0), "B": fixed(0, 0, -2.001)},
        cables={"line": cable("rod", LENGTH, ELEMENTS, *clamped, allow_stretch=True)},
    )


def hanging_body(formulation):
    """A body of 20 kg that hangs by an eye half a metre above its centre of mass, and a torque on it."""
    body = {
        "kind": "free",
        "position": [0, 0, -4.5],
        "mass": 20.0,
        "inertia": [1, 1, 1],
        "attachments": {"eye": [0, 0, 0.5]},
    }
    return started(
        formulation,
        environment=AIR,
        types={"wire": wire()},
        points={"A": fixed(0, 0, 0)},
        bodies={"load": body},
        cables={"line": cable("wire", 4.0, 4, "A", "load.eye")},
        loads=[{"point": "load", "torque": list(ACROSS)}],
    )


CLUMP = {"at": 4.0, "mass": 30.0, "volume": 0.01}


def carried(formulation):
    """A clump weight of 30 kg where there is no node, for formulations that carry one."""
    return {} if formulation in ("spline", "chain") else {"attachments": [CLUMP]}


def hung_wire(formulation):
    """A wire between two points under its weight and a clump's; trees (`multibody`) hang from one point."""
    far = free(8, 0, -10, mass=20.0) if formulation == "multibody" else fixed(10, 0, -5)
    line = cable("wire", 10.5, 5, "A", "B", **carried(formulation))
    points = {"A": fixed(0, 0, -5), "B": far}
    return started(formulation, types={"wire": wire()}, points=points, cables={"line": line})


def wire_in_a_current(formulation):
    """A wire that hangs in a current, 20 kg at its end; drag across it alone, so that it is known from its shape."""
    line = cable("wire", 10.0, 5, "A", "B", **carried(formulation))
    kind = wire(drag=DRAG)
    points = {"A": fixed(0, 0, -5), "B": free(3, 0, -14, mass=20.0)}
    return started(
        formulation, environment=current(0, 0.8, 0), types={"wire": kind}, points=points, cables={"line": line}
    )


CASES = {
    "clamp": (cantilever, ("bars", "lumped", "links", "spline")),
    "two clamps": (clamped_at_both_ends, ("bars", "lumped", "links", "spline")),
    "torque along": (partial(hanging_rod, torque=ALONG), ("bars", "links")),
    "torque across": (partial(hanging_rod, torque=ACROSS), ("bars", "links")),
    "turned end": (twisted_rod, ("spline",)),
    "torque on a body": (hanging_body, ("bars", "lumped", "multibody")),
    "weight": (hung_wire, ("bars", "lumped", "links", "multibody", "spline", "chain")),
    "current": (wire_in_a_current, ("bars", "lumped", "links", "multibody", "spline", "chain")),
}


@dataclass(frozen=True)
class Rest:
    load: str
    formulation: str
    before: Outputs
    after: Outputs
    simulation: Simulation

    def nodes(self, outputs, column, count):
        table = outputs.row[self.simulation.compiled.shape.node_block].reshape(-1, NODE_COLUMNS)
        return table[:, column : column + count]


@pytest.fixture(scope="module", params=[(load, one) for load, (_, those) in CASES.items() for one in those], ids=str)
def rest(request):
    load, formulation = request.param
    simulation = CASES[load][0](formulation)
    before = simulation.outputs()
    after = simulation.step(STEP * STEPS)
    return Rest(load, formulation, before, after, simulation)


def test_a_run_stays_where_statics_put_it(rest):
    """Places, tensions, moments, torsion and end forces to 1e-6 of the largest of their kind; 1e-6 m/s."""
    for column, count in (
        (NODE_POSITION, 3),
        (NODE_TENSION, 1),
        (NODE_BENDING_MOMENT, 1),
        (NODE_TORSION, 1),
    ):
        then, now = (rest.nodes(outputs, column, count) for outputs in (rest.before, rest.after))
        assert np.abs(now - then).max() <= 1e-6 * np.abs(then).max() + 1e-9, column
    for block in ("end_block", "extra_block"):
        part = getattr(rest.simulation.compiled.shape, block)
        then, now = rest.before.row[part], rest.after.row[part]
        if len(then):
            assert np.abs(now - then).max() <= 1e-6 * np.abs(then).max(), block
    assert np.abs(rest.nodes(rest.after, NODE_VELOCITY, 3)).max() < 1e-6
    points = rest.simulation.compiled.shape.point_block
    assert rest.after.row[points] == pytest.approx(rest.before.row[points], abs=1e-6)


def from_outside(rest):
    """Weight, buoyancy and drag ½ rho d C |u| u of the cable and its clump in the shape of the start, (3,) [N].

    Drag has u, the current across each element, alone; all is under water, or all in air.
    """
    described = rest.simulation.system
    sea, line = described.environment, described.cables["line"]
    kind = described.types[line.type]
    chords = np.diff(np.asarray(rest.before["line.position"]), axis=0)
    axes = chords / np.linalg.norm(chords, axis=1)[:, None]
    flow = np.array(sea.current_table[0][1]) if sea.current_table else np.zeros(3)
    across = flow - (axes @ flow)[:, None] * axes
    each = line.total_length / len(axes)
    drag = 0.5 * sea.water_density * kind.diameter * 1.2 * each * np.linalg.norm(across, axis=1)[:, None] * across
    mass = (kind.mass_per_metre - sea.water_density * kind.area) * line.total_length
    mass += sum(item.mass - sea.water_density * item.volume for item in line.attachments)
    return drag.sum(axis=0) + mass * np.array([0.0, 0.0, -G])


def ends_carry_what_acts_from_outside(rest):
    """The two ends pull their points by all the weight and drag of the cable, each component with its sign."""
    carried = np.asarray(rest.before["line.force_start"]) + rest.before["line.force_end"]
    asked = from_outside(rest)
    bound = 1e-2 if rest.formulation == "spline" else 1e-4  # its elements are curved, the law above is of chords
    assert carried == pytest.approx(asked, abs=bound * np.linalg.norm(asked))
    if rest.load in ("current", "two clamps"):
        assert carried[1] > 50.0


def weight_about_the_start(rest):
    """Moment of the weight of the rod and of 5 kg at its end about the start, by its lever along x [N m]."""
    kind = rest.simulation.system.types["rod"]
    x = np.asarray(rest.before["line.position"])[:, 0]
    return 5.0 * G * x[-1] + kind.mass_per_metre * G * LENGTH * (0.5 * (x[1:] + x[:-1])).mean()


def clamp_carries_weight_times_lever(rest):
    ends_carry_what_acts_from_outside(rest)
    moment = np.asarray(rest.before["line.bending_moment"])
    asked = weight_about_the_start(rest)
    assert asked > 180.0
    assert moment[0] == pytest.approx(asked, rel=1e-2 if rest.formulation == "spline" else 1e-6)
    assert moment[-1] == pytest.approx(0.0, abs=1e-9)
    x, y, z = np.asarray(rest.before["line.position"])[-1]
    deflection = -(5.0 * G / 3 + ROD["density"] * np.pi / 4 * 0.05**2 * G * LENGTH / 8) * LENGTH**3 / 2e3
    assert z == pytest.approx(deflection, rel=0.1)  # four elements; bent by a twentieth of its length
    assert (x, y) == (pytest.approx(LENGTH, rel=5e-3), pytest.approx(0.0, abs=1e-9))


def clamps_bend_both_ends(rest):
    ends_carry_what_acts_from_outside(rest)
    moment = np.asarray(rest.before["line.bending_moment"])
    assert moment[[0, -1]].min() > 200.0
    assert moment[0] != pytest.approx(moment[-1], rel=0.1)


def twist_by_the_torque(rest):
    """A torque of -3 N m about z is one of 3 N m about the axis of a cable that runs down."""
    torsion = np.asarray(rest.before["line.torsion"])
    assert torsion[:ELEMENTS] == pytest.approx(3.0, rel=1e-9)
    assert np.asarray(rest.before["line.position"])[:, :2] == pytest.approx(0.0, abs=1e-9)
    if rest.formulation == "links":  # the last half link does not twist
        assert rest.before["twist_4"] == pytest.approx(3.0 * (LENGTH - 0.25) / 500.0, rel=1e-9)


def bend_by_the_torque(rest):
    """About +y the end of a rod that hangs swings to -x; there the weight takes part of the torque from the clamp."""
    moment = np.asarray(rest.before["line.bending_moment"])
    place = np.asarray(rest.before["line.position"])
    weight = weight_about_the_start(rest)
    assert weight < -2.0
    assert moment[0] == pytest.approx(30.0 + weight, rel=1e-6)
    assert (np.diff(moment[:ELEMENTS]) > 0.0).all()
    assert place[-1, 0] < -0.02
    assert place[:, 1] == pytest.approx(0.0, abs=1e-9)


def twist_by_the_turn(rest):
    assert np.asarray(rest.before["line.torsion"]) == pytest.approx(500.0 * np.radians(30.0) / LENGTH, rel=1e-6)


def body_hangs_askew(rest):
    """sin(angle) = torque / (weight times the eye's height); about +y what hangs swings to -x."""
    eye = np.asarray(rest.before["line.position"])[-1]
    sine = 30.0 / (20.0 * G * 0.5)
    asked = eye - 0.5 * np.array([sine, 0.0, np.sqrt(1 - sine**2)])
    assert np.asarray(rest.before["load.position"]) == pytest.approx(asked, abs=1e-6)
    assert eye[:2] == pytest.approx(0.0, abs=1e-9)


CHECKS = {
    "clamp": clamp_carries_weight_times_lever,
    "two clamps": clamps_bend_both_ends,
    "torque along": twist_by_the_torque,
    "torque across": bend_by_the_torque,
    "turned end": twist_by_the_turn,
    "torque on a body": body_hangs_askew,
    "weight": ends_carry_what_acts_from_outside,
    "current": ends_carry_what_acts_from_outside,
}


def test_static_values_are_those_of_the_load(rest):
    CHECKS[rest.load](rest)
