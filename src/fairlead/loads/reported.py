"""What every formulation reports in the same way: tension at a node, points that are not nodes, the totals."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.results.observation import (
    ENERGY_ELASTIC,
    ENERGY_GRAVITY,
    ENERGY_KINETIC,
    POINT_POSITION,
    POINT_VELOCITY,
    TENSION_MAX,
    WORK_DRAG,
)

LEDGER = 4
"""Works in a ledger: of drag, damping, friction and drives."""


@kernel
def node_line(i, count, h0, h1, t0, t1):
    """A number at node i of `count` elements, on the line through the middles of the two elements nearest to it.

    These have the lengths h0 and h1 and the numbers t0 and t1: the two beside the node; at an end the last two there.
    """
    if count == 1:
        return t0
    away = -0.5 * h0 if i == 0 else (0.5 * h0 if i < count else 0.5 * h0 + h1)
    return t0 + (t1 - t0) * away / (0.5 * (h0 + h1))


@kernel
def place_of_point(control, k, controls, size, places, reals, y):
    """Position and velocity of point k, as `report_point` finds them."""
    if control >= 0:
        at = controls + size * control
        return (y[at], y[at + 1], y[at + 2]), (y[at + 3], y[at + 4], y[at + 5])
    at = places + 3 * k
    return (reals[at], reals[at + 1], reals[at + 2]), (0.0, 0.0, 0.0)


@kernel
def report_point(control, k, controls, size, places, reals, y, out, at):
    """Position and velocity of point k, which no node is: of a controlled one from its control (`size` numbers each, in
    y from `controls`), of a fixed one from `places` in reals."""
    place, velocity = place_of_point(control, k, controls, size, places, reals, y)
    for i in range(3):
        out[at + POINT_POSITION + i] = place[i]
        out[at + POINT_VELOCITY + i] = velocity[i]


@kernel
def report_totals(kinetic, gravity, elastic, most, ledger, y, out, at):
    """Energies, the works in the ledger (in y from `ledger`) and the largest tension."""
    out[at + ENERGY_KINETIC] = kinetic
    out[at + ENERGY_GRAVITY] = gravity
    out[at + ENERGY_ELASTIC] = elastic
    for i in range(LEDGER):
        out[at + WORK_DRAG + i] = y[ledger + i]
    out[at + TENSION_MAX] = most
