"""The least distance between cables: closed forms of crossing and parallel lines."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl
from fairlead.shape.line_distance import LineDistances, segment_distances

WIRE = {"diameter": 0.1, "density": 7850, "axial_stiffness": 1e8}


def system(points, cables, **more):
    return fl.System.model_validate(
        {
            "simulation": {"duration": 1, "step": 0.01},
            "types": {"wire": WIRE},
            "points": points,
            "cables": {name: {"type": "wire", "allow_stretch": True, **cable} for name, cable in cables.items()},
            **more,
        }
    )


def fixed(*position):
    return {"kind": "fixed", "position": list(position)}


def straight(one, two, elements):
    return np.linspace(one, two, elements + 1)


def watched(found, lines):
    """The least distance of straight lines given as (start, end, elements)."""
    nodes = [straight(*line) for line in lines]
    arcs = {
        name: np.linspace(0.0, float(np.linalg.norm(np.subtract(line[1], line[0]))), line[2] + 1)
        for name, line in zip(found.cables, lines, strict=True)
    }
    distances = LineDistances(found, arcs)
    distances.take(3.0, np.concatenate(nodes))
    return distances.nearest


def test_two_lines_that_cross_askew():
    """One along x at z = −10, one along y at z = −9.93, crossing at x = 40, y = 10."""
    a, b = ((0, 10, -10), (100, 10, -10), 33), ((40, -20, -9.93), (40, 30, -9.93), 21)
    found = system(
        {"a0": fixed(*a[0]), "a1": fixed(*a[1]), "b0": fixed(*b[0]), "b1": fixed(*b[1])},
        {"a": {"length": 100, "elements": 33, "start": "a0", "end": "a1"},
         "b": {"length": 50, "elements": 21, "start": "b0", "end": "b1"}},
    )  # fmt: skip
    nearest = watched(found, (a, b))
    assert nearest.distance == pytest.approx(0.07)
    assert nearest.along == pytest.approx((40.0, 30.0))
    assert nearest.touching
    assert nearest.time == 3.0
    assert "cables.a: 70 mm from 'b' at t = 3 s" in nearest.warning()


def test_lines_that_fan_out_from_a_point_are_near_each_other_only_beyond_it():
    """At 30 degrees from one point: nearest where a tenth of their length begins, sin 30 of it apart."""
    end = (100 * np.cos(np.pi / 6), 50.0, 0.0)
    lines = ((0, 0, 0), (100, 0, 0), 50), ((0, 0, 0), end, 50)
    found = system(
        {"o": fixed(0, 0, 0), "a1": fixed(*lines[0][1]), "b1": fixed(*end)},
        {"a": {"length": 100, "elements": 50, "start": "o", "end": "a1"},
         "b": {"length": 100, "elements": 50, "start": "o", "end": "b1"}},
    )  # fmt: skip
    nearest = watched(found, lines)
    assert nearest.distance == pytest.approx(5.0, rel=0.1)
    assert not nearest.touching


def test_many_lines_give_what_all_their_elements_give():
    random = np.random.default_rng(4)
    points, cables, lines = {}, {}, []
    for k in range(7):
        ends = random.uniform(-50, 50, (2, 3))
        points |= {f"a{k}": fixed(*ends[0]), f"b{k}": fixed(*ends[1])}
        length = float(np.linalg.norm(ends[1] - ends[0]))
        cables[f"c{k}"] = {"length": length, "elements": 5 + 7 * k, "start": f"a{k}", "end": f"b{k}"}
        lines.append((ends[0], ends[1], 5 + 7 * k))
    nearest = watched(system(points, cables), lines)
    least = min(
        segment_distances(*(np.array([p]) for p in (*one[:2], *two[:2])))[0][0]
        for k, one in enumerate(lines)
        for two in lines[k + 1 :]
    )
    assert nearest.distance == pytest.approx(least)


def test_segments_that_end_before_they_cross_and_parallel_ones():
    p, q = np.array([[0.0, 0.0, 0.0]] * 3), np.array([[2.0, 0.0, 0.0]] * 3)
    r = np.array([[3.0, -1.0, 0.0], [0.5, 1.0, 0.0], [1.0, 0.0, 1.0]])
    w = np.array([[3.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 0.0, 4.0]])
    assert segment_distances(p, q, r, w)[0] == pytest.approx([1.0, 1.0, 1.0])
