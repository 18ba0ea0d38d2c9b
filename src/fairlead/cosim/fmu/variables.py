"""What an FMU shows: its inputs and outputs, their names, units, descriptions and places in the arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from fairlead.formulations.contract import Compiled
from fairlead.results.variables import AXES, NODE_FIELDS, TOTAL_ATTRS
from fairlead.simulate import Outputs

from .errors import FmuError

INPUT_LIMIT = 1.0e7
"""Inputs beyond ± this (SI) are refused: no position in the sea is so far away."""
REACHED = "_reached"
"""Ending of an output whose name is that of an input: where a commanded point has got to."""
FIELDS = {field.name: (field.units, field.long_name) for field in NODE_FIELDS}
UNITS = {"m": "m", "m s-1": "m/s", "N": "N", "N m": "N.m", "J": "J", "1": ""}
"""Units as results write them → as FMI does."""


@dataclass(frozen=True)
class Variable:
    """One variable of an FMU: a number, or an array of them."""

    name: str
    causality: str
    """"input" or "output"."""
    unit: str
    description: str
    shape: tuple[int, ...]
    """() for a single number."""
    columns: tuple[int, ...]
    """Place of each number in the input vector (inputs) or in the observation row (outputs)."""
    start: tuple[float, ...] = ()
    """Of an input: what it is before it is set."""

    @property
    def scalars(self) -> tuple[Variable, ...]:
        """The numbers one by one, as FMI 2 needs them: `B.position.x`, `left.position[7].z`, `left.shear[7]`."""
        if not self.shape:
            return (self,)
        names = [f"{self.name}{_subscript(self.shape, index)}" for index in product(*map(range, self.shape))]
        starts = self.start or (None,) * len(names)
        return tuple(
            replace(self, name=name, shape=(), columns=(column,), start=() if start is None else (start,))
            for name, column, start in zip(names, self.columns, starts, strict=True)
        )


def _subscript(shape: tuple[int, ...], index: tuple[int, ...]) -> str:
    """The last of several dimensions, or the only one when it has three numbers, is the axis; the first is the node."""
    if shape == (3,) or len(shape) == 2:
        return "".join(f"[{k}]" for k in index[:-1]) + f".{AXES[index[-1]]}"
    return f"[{index[0]}]"


def inputs_of(compiled: Compiled, first_row: np.ndarray) -> tuple[Variable, ...]:
    """Every input of the system; it starts where the file has it at t = 0, seen in the observation `first_row`."""
    seen = Outputs(0.0, first_row, compiled.shape)
    return tuple(_input(name, place, seen) for name, place in compiled.inputs.items())


def _input(name: str, place: slice, seen: Outputs) -> Variable:
    count = place.stop - place.start
    start = np.atleast_1d(seen[name]) if name in seen.names else np.zeros(count)
    owner, _, quantity = name.partition(".")
    if quantity != "position":
        raise FmuError(f"the input '{name}' cannot be part of an FMU yet: only positions can")
    return Variable(
        name=name,
        causality="input",
        unit="m",
        description=f"commanded position of point '{owner}'; the motion of the file until it is set",
        shape=(count,),
        columns=tuple(range(place.start, place.stop)),
        start=tuple(float(x) for x in start),
    )


def outputs_of(compiled: Compiled, names: Iterable[str]) -> tuple[Variable, ...]:
    """Outputs by the names `Simulation.step` has for them: `left.force_end`, `M.position`, `tension_max`."""
    shape = compiled.shape
    # an observation in which every number is its own column tells where an output is
    places = Outputs(0.0, np.arange(shape.size, dtype=np.float64), shape)
    chosen = []
    for name in dict.fromkeys(names):
        try:
            columns = np.asarray(places[name])
        except KeyError as mistake:
            raise FmuError(str(mistake.args[0])) from None
        unit, description = _meaning(name, compiled)
        chosen.append(
            Variable(
                name=name + REACHED if name in compiled.inputs else name,
                causality="output",
                unit=unit,
                description=description,
                shape=columns.shape,
                columns=tuple(int(c) for c in columns.ravel()),
            )
        )
    return tuple(chosen)


def _meaning(name: str, compiled: Compiled) -> tuple[str, str]:
    """Unit and description of an output."""
    owner, _, quantity = name.rpartition(".")
    if not owner:
        extras = {extra.name: (extra.units, extra.long_name) for extra in compiled.shape.extras}
        units, text = {**TOTAL_ATTRS, **extras}[name]
    elif quantity in ("force_start", "force_end"):
        units, text = "N", f"force of cable '{owner}' on its support at its {quantity.removeprefix('force_')}"
    elif owner in compiled.shape.points and quantity in ("position", "velocity"):
        units, text = FIELDS[quantity][0], f"{quantity} of point '{owner}' in the global frame"
    else:
        units, text = FIELDS[quantity][0], f"{FIELDS[quantity][1]}, along cable '{owner}' from node 0 at its start"
    return UNITS[units], text
