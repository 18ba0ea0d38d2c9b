"""A look at what a formulation returned, so that a number that is none is found within one output interval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairlead.formulations.contract import Compiled, Failure
from fairlead.results import NODE_COLUMNS, TOTALS, ObservationShape
from fairlead.words import force

from .outputs import Outputs

if TYPE_CHECKING:
    from fairlead.model import System

SOFT = 1.0
"""Strain of a cable under its own weight beyond which it is the cause of a failure."""
_all = np.logical_and.reduce
CAUSE = "the motion grew without bound: the step is too large for the stiffness and tension of the cable there"
CURE = "halve simulation.step, or look at the type, the length and the loads named above"


def unhealthy(seen: Outputs, y: np.ndarray, compiled: Compiled) -> Failure | None:
    """The failure in a state and its observation; None when all is finite. Nodes that are all NaN are inactive."""
    shape = compiled.shape
    row = seen.row[: shape.extremes.start]  # extremes are NaN where there is nothing
    # Number by number, although a product of the row with itself would be as good: that is a matter for the BLAS, whose
    # threads take milliseconds to wake on a busy machine.
    if _all(np.isfinite(row)) and _all(np.isfinite(y)):
        return None
    nodes = row[shape.node_block].reshape(-1, NODE_COLUMNS)
    bad = ~np.isfinite(nodes)
    bad[np.isnan(nodes).all(axis=1)] = False
    if bad.any():
        return _failure(seen.time, _node(shape, int(np.argwhere(bad)[0, 0]), np.isnan(nodes).all(axis=1)))
    rest = np.flatnonzero(~np.isfinite(row[shape.end_block.start :]))
    if len(rest):
        return _failure(seen.time, _column(shape, int(rest[0]) + shape.end_block.start))
    wrong = np.flatnonzero(~np.isfinite(y))
    if len(wrong):
        block = next(b for b in compiled.layout.blocks if b.start <= wrong[0] < b.stop)
        number = int(wrong[0]) - block.start
        return _failure(seen.time, f"state '{block.name}', number {number} of {block.stop - block.start}")
    return None


def _failure(time: float, place: str) -> Failure:
    return Failure(time, place, "a number is no longer finite", CAUSE, CURE)


def explained(failure: Failure, system: System) -> Failure:
    """A failure with the cause that a soft cable is, where there is one: no step carries a cable of EA = 490 N.

    Such is a cable that its own weight in water, with all of it hanging, would stretch by more than `SOFT`.
    """
    for name, cable in system.cables.items():
        for kind in (system.types[type_name] for type_name in cable.type_names):
            weight = abs(kind.weight_in_water(system.environment)) * cable.total_length
            if kind.ea > 0.0 and weight > SOFT * kind.ea:
                cause = (
                    f"cable '{name}' is too soft: EA = {force(kind.ea)}, and its own weight in water is {force(weight)}"
                )
                return replace(failure, cause=cause, cure="check axial_stiffness and its unit (N, kN or MN)")
    return failure


def _node(shape: ObservationShape, node: int, idle: np.ndarray) -> str:
    """Cable and node in words; nodes that are `idle`, on a drum, do not count."""
    cable = int(np.searchsorted(shape.first_node, node, side="right")) - 1
    first, stop = shape.first_node[cable], shape.first_node[cable + 1]
    out = ~idle[first:stop]
    return f"cable '{shape.cables[cable]}', node {int(out[: node - first].sum())} of {int(out.sum()) - 1}"


def _column(shape: ObservationShape, column: int) -> str:
    for name in shape.cables:
        ends = shape.cable_ends(name)
        if ends.start <= column < ends.stop:
            return f"cable '{name}', force at its {'start' if column < ends.start + 3 else 'end'}"
    for name in shape.points:
        if shape.point(name).start <= column < shape.point(name).stop:
            return f"point '{name}'"
    names = (*TOTALS, *(extra.name for extra in shape.extras))
    if column < shape.field_block.start:
        return f"total '{names[column - shape.total_block.start]}'"
    field = next(field for field in shape.fields if column < shape.field(field.name).stop)
    return f"'{field.name}', number {column - shape.field(field.name).start} of {field.size}"
