"""Running extremes of two cables and three points over a bed that slopes, against those of all that was ever noted."""

from __future__ import annotations

import math

import numpy as np
import pytest
from kernels.plain import plain

from fairlead.loads import extremes as kept
from fairlead.results.extremes import (
    CABLE_CLEARANCE_MIN,
    CABLE_CURVATURE_MAX,
    CABLE_EXTREMES,
    CABLE_TENSION_MAX,
    CABLE_TENSION_MIN,
    END_EXTREMES,
    NODE_EXTREMES,
    POINT_EXTREMES,
    Extremes,
)  # fmt: skip
from fairlead.results.observation import TENSION_MAX, TOTALS
from fairlead.sea import water

NODES, POINTS, STEPS, STEP = (3, 4), 3, 40, 0.05
SLOPE, DEPTH = (0.3, -0.2), 20.0
TOTALS_AT = 5
EXTREMES = Extremes(TOTALS_AT + len(TOTALS), TOTALS_AT, sum(NODES), len(NODES), POINTS)

note_node, note_cable, note_end, note_point, time_since, report, begin, bed_clearance = map(
    plain,
    (
        kept.note_node, kept.note_cable, kept.note_end, kept.note_point, kept.time_since, kept.report_extremes,
        kept.begin_extremes, water.bed_clearance,
    ),
)  # fmt: skip


def sloping_sea() -> np.ndarray:
    """A bed at z = −20 + 0.3 x − 0.2 y as the kernels read it: height at the origin, slopes, unit normal."""
    sea = np.zeros(water.CURRENT_FIRST)
    normal = np.array([-SLOPE[0], -SLOPE[1], 1.0])
    sea[water.BED_X : water.BED_X + 3] = normal / np.linalg.norm(normal)
    sea[water.BED_HEIGHT], sea[water.BED_SLOPE_X], sea[water.BED_SLOPE_Y] = -DEPTH, *SLOPE
    return sea


def over_bed(place: np.ndarray) -> np.ndarray:
    """Heights of places (..., 3) above the bed, straight up [m]."""
    return np.asarray(place[..., 2] - (SLOPE[0] * place[..., 0] + SLOPE[1] * place[..., 1] - DEPTH))


class Noted:
    """What is noted in `STEPS` steps, drawn at random, and the row that comes of it."""

    def __init__(self, seed: int):
        random = np.random.default_rng(seed)
        self.tension = random.normal(0.0, 1e3, (STEPS, sum(NODES)))
        self.curvature = random.uniform(0.0, 0.3, (STEPS, sum(NODES)))
        self.places = random.uniform(-10.0, 10.0, (STEPS, sum(NODES), 3))
        self.forces = random.normal(0.0, 1e3, (STEPS, 2 * len(NODES), 3))
        self.points = random.uniform(-10.0, 10.0, (STEPS, POINTS, 3))
        self.velocity = random.normal(0.0, 1.0, (STEPS, POINTS, 3))
        self.times = 7.0 + STEP * np.arange(STEPS)
        self.ints = np.concatenate(([3, 1], EXTREMES.counts))
        self.y = np.concatenate(([1.0, 2.0], EXTREMES.fresh))

    def fold(self, steps) -> None:
        """Note these steps, as a formulation does."""
        sea = sloping_sea()
        for i in steps:
            first = 0
            for c, count in enumerate(NODES):
                found = kept.NOTHING
                at = len(self.y) - EXTREMES.kept + NODE_EXTREMES * first
                for node in range(count):
                    k = first + node
                    distance = bed_clearance(tuple(self.places[i, k]), sea)
                    bend = self.curvature[i, k] ** 2
                    found = note_node(self.y, at, node, self.tension[i, k], bend, distance, found)
                note_cable(self.times[i], c, found, self.ints, self.y)
                for side in range(2):
                    note_end(self.times[i], c, side, tuple(self.forces[i, 2 * c + side]), self.ints, self.y)
                first += count
            since = time_since(self.times[i], self.ints, self.y)
            for k in range(POINTS):
                point = tuple(self.points[i, k]), tuple(self.velocity[i, k])
                note_point(self.times[i], since, k, *point, sea, self.ints, self.y)

    def row(self, most: float = -math.inf) -> np.ndarray:
        """The row of a sample now; `most` is the largest tension of the sample itself."""
        out = np.full(EXTREMES.stop, np.nan)
        out[TOTALS_AT + TENSION_MAX] = most
        report(self.ints, self.y, out)
        return out


def parts(row):
    """Extremes of nodes, cables, ends and points in a row, each a table."""
    cuts = EXTREMES.start, EXTREMES.cable_start, EXTREMES.end_start, EXTREMES.point_start, EXTREMES.stop
    widths = NODE_EXTREMES, CABLE_EXTREMES, END_EXTREMES, POINT_EXTREMES
    return [
        row[one:two].reshape(-1, width) for one, two, width in zip(cuts[:-1], cuts[1:], widths, strict=True)
    ]  # fmt: skip


def check(noted: Noted, steps: range) -> None:
    """The row has the extremes of these steps and of no others."""
    nodes, cables, ends, points = parts(noted.row())
    tension, curvature, times = noted.tension[steps], noted.curvature[steps], noted.times[steps]
    assert nodes == pytest.approx(np.column_stack([tension.min(0), tension.max(0), curvature.max(0)]), rel=1e-12)
    first = 0
    for c, count in enumerate(NODES):
        own = slice(first, first + count)
        heights = over_bed(noted.places[steps, own])
        for column, table, sign in (
            (CABLE_TENSION_MIN, tension[:, own], 1),
            (CABLE_TENSION_MAX, tension[:, own], -1),
            (CABLE_CURVATURE_MAX, curvature[:, own], -1),
            (CABLE_CLEARANCE_MIN + 1, heights, 1),
        ):
            step, node = np.unravel_index(np.argmin(sign * table), table.shape)
            assert tuple(cables[c, column : column + 2]) == (times[step], node)
        assert cables[c, CABLE_CLEARANCE_MIN] == pytest.approx(heights.min(), rel=1e-9)
        first += count
    forces = np.linalg.norm(noted.forces[steps], axis=-1)
    assert ends == pytest.approx(np.column_stack([forces.min(0), forces.max(0), times[forces.argmax(0)]]), rel=1e-12)
    begun = range(max(steps.start, 1), steps.stop)
    speeding = np.linalg.norm(noted.velocity[begun] - noted.velocity[np.array(begun) - 1], axis=-1) / STEP
    height = over_bed(noted.points[steps])
    assert points[:, :2] == pytest.approx(
        np.column_stack([speeding.max(0), noted.times[begun][speeding.argmax(0)]]), rel=1e-9
    )
    assert points[:, 2:] == pytest.approx(np.column_stack([height.min(0), times[height.argmin(0)]]), rel=1e-9)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_row_has_the_extremes_of_all_steps_with_their_times_and_places(seed):
    noted = Noted(seed)
    noted.fold(range(STEPS))
    check(noted, range(STEPS))
    assert (noted.ints[:2] == (3, 1)).all()
    assert (noted.y[:2] == (1.0, 2.0)).all(), "what stands before them is not touched"


def test_after_a_sample_they_begin_anew_and_accelerations_go_on():
    """The change of velocity from the last step before the sample to the first after it counts."""
    noted = Noted(4)
    noted.fold(range(STEPS // 2))
    begin(1, np.zeros(1), noted.ints, noted.y)
    noted.fold(range(STEPS // 2, STEPS))
    check(noted, range(STEPS // 2, STEPS))
    fresh = np.concatenate(([1.0, 2.0], EXTREMES.fresh))
    begin(1, np.zeros(1), noted.ints, noted.y)
    values = np.abs(fresh[2 : 2 + EXTREMES.reset_part]) > 1.0
    assert (noted.y[2 : 2 + EXTREMES.reset_part][values] == fresh[2 : 2 + EXTREMES.reset_part][values]).all()


def test_nothing_begins_anew_where_no_step_is_taken_or_no_row_is_asked_for():
    noted = Noted(5)
    noted.fold(range(STEPS))
    begin(0, np.zeros(1), noted.ints, noted.y)
    begin(3, np.zeros(0), noted.ints, noted.y)
    check(noted, range(STEPS))


def test_what_no_step_has_seen_is_not_a_number():
    assert all(np.isnan(part).all() for part in parts(Noted(6).row()))


def test_the_largest_tension_of_all_is_that_of_the_steps_or_of_the_sample():
    noted = Noted(7)
    noted.fold(range(STEPS))
    largest = noted.tension.max()
    assert noted.row(0.5 * largest)[TOTALS_AT + TENSION_MAX] == largest
    assert noted.row(2.0 * largest)[TOTALS_AT + TENSION_MAX] == 2.0 * largest
