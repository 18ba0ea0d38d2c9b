"""Property: any tree or net of cables that a file can describe builds, solves and stays finite."""

import math
from collections import defaultdict

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairlead as fl

numbers = st.floats


@st.composite
def cable_types(draw):
    """A cable between a thread and a pipe; with or without bending and torsion, damping and drag."""
    diameter = draw(numbers(0.01, 0.2))
    return {
        "diameter": diameter,
        "density": draw(numbers(900.0, 8000.0)),
        "youngs_modulus": 10.0 ** draw(numbers(7.0, 11.3)),
        "bending_stiffness": draw(st.sampled_from([0.0, 1.0, 1e3])),
        "torsional_stiffness": draw(st.sampled_from([0.0, 1.0, 1e3])),
        "damping_time": draw(st.sampled_from([0.0, 0.01])),
        "drag": draw(st.sampled_from(["reynolds", {"normal": 1.2, "axial": 0.05}])),
    }


@st.composite
def points(draw, count):
    """Points at least some metres apart, the first one held, the others held, driven or free."""
    places = draw(
        st.lists(
            st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-5, 0)),
            min_size=count,
            max_size=count,
            unique=True,
        )
    )
    found = {}
    for k, place in enumerate(places):
        kind = "fixed" if k == 0 else draw(st.sampled_from(["fixed", "controlled", "free", "free"]))
        point = {"kind": kind, "position": [7.0 * x for x in place]}
        if kind == "controlled":
            amplitude = [draw(numbers(-0.5, 0.5)) for _ in range(3)]
            point["motion"] = {"harmonic": {"amplitude": amplitude, "period": draw(numbers(2.0, 10.0)), "ramp": 1.0}}
        if kind == "free" and draw(st.booleans()):
            mass = draw(numbers(1.0, 500.0))
            volume = mass * draw(numbers(0.0, 0.004))  # down to a quarter of the density of water
            point |= {"mass": mass, "volume": volume, "added_mass": 500.0 * volume, "drag_area": 0.3, "inertia": 1.0}
        found[f"P{k}"] = point
    return found


@st.composite
def systems(draw):
    """A connected net: a random tree over all points, then some more cables between any two of them."""
    held = draw(points(draw(st.integers(2, 6))))
    names = list(held)
    pairs = [(names[k], names[draw(st.integers(0, k - 1))]) for k in range(1, len(names))]
    pairs += draw(st.lists(st.sampled_from([(a, b) for a in names for b in names if a != b]), max_size=4))
    cables = {}
    for k, (a, b) in enumerate(pairs):
        start, end = (a, b) if draw(st.booleans()) else (b, a)
        chord = math.dist(held[a]["position"], held[b]["position"])
        elements = draw(st.integers(1, 8))
        slack = 1.0 if elements == 1 else draw(numbers(1.0, 1.5))
        cable = {"type": draw(st.sampled_from(["thin", "thick"])), "length": chord * slack, "elements": elements}
        for end_name, point in (("start", start), ("end", end)):
            cable[end_name] = {"point": point, "joint": draw(st.sampled_from(["ball", "clamp"]))}
        cables[f"C{k}"] = cable
    sea = {}
    if draw(st.booleans()):
        sea["seabed"] = {"depth": draw(numbers(36.0, 45.0)), "friction": draw(numbers(0.0, 1.0))}
    if draw(st.booleans()):
        sea["current"] = [{"z": 0, "velocity": [draw(numbers(-1, 1)), draw(numbers(-1, 1)), 0]}, {"z": -40, "speed": 0,
                           "direction_deg": 0}]  # fmt: skip
    return fl.System.model_validate(
        {
            "environment": sea,
            "types": {"thin": draw(cable_types()), "thick": draw(cable_types())},
            "points": held,
            "cables": cables,
            "simulation": {
                "start": "catenary",
                "duration": 1.0,
                "step": draw(st.sampled_from([0.005, 0.02])),
                "output_every": 0.1,
            },
        }
    )


def unbalanced(system, result):
    """Sum of the cables' forces on each free point without a body, over the largest of them, (sample,) by point."""
    pulls = defaultdict(list)
    for name, cable in system.cables.items():
        for which in ("start", "end"):
            pulls[getattr(cable, which).point].append(result["force_end"].sel(cable=name, end=which).values)
    found = {}
    for name, point in system.points.items():
        if point.kind == "free" and point.mass == 0.0:
            forces = np.array(pulls[name])
            largest = np.linalg.norm(forces, axis=2).max(axis=0)
            found[name] = np.linalg.norm(forces.sum(axis=0), axis=1) / (1.0 + largest)
    return found


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(systems())
def test_random_trees_and_loops_build_solve_and_stay_finite(system):
    """One second of any net: the run completes, every number is finite, no node is faster than 100 m/s, the cables
    stay joined, and the forces on every massless junction cancel to 1e-6 of the largest."""
    result = fl.simulate(system)
    assert result.attrs["status"] == "complete"
    for k, (name, cable) in enumerate(system.cables.items()):
        nodes = slice(0, cable.element_count + 1)
        for variable in ("position", "velocity", "tension_effective", "shear", "bending_moment", "torsion"):
            assert np.isfinite(result[variable].values[:, k, nodes]).all(), (name, variable)
        assert np.abs(result["velocity"].values[:, k, nodes]).max() < 100.0
        for node, end in ((0, cable.start), (cable.element_count, cable.end)):
            place = result["point_position"].sel(point=end.point).values
            assert np.abs(result["position"].values[:, k, node] - place).max() < 1e-9
    for name in ("energy_kinetic", "energy_gravity", "energy_elastic", "work_drag", "work_drives"):
        assert np.isfinite(result[name].values).all()
    for name, rest in unbalanced(system, result).items():
        assert rest.max() < 1e-6, name
