"""What an FMU shows: its inputs, outputs and parameters, their names, units, descriptions and places in the arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from fairlead.formulations.contract import Compiled
from fairlead.model.problems import suggestion
from fairlead.results.variables import AXES, NODE_FIELDS, NODE_PEAKS, TOTAL_ATTRS
from fairlead.simulate import Outputs

from .errors import FmuError

INPUT_LIMIT = 1.0e7
"""Inputs beyond ± this (SI) are refused: no position in the sea is so far away."""
REACHED = "_reached"
"""Ending of an output whose name is that of an input: where a commanded point has got to."""
FIELDS = {field.name: (field.units, field.long_name) for field in (*NODE_FIELDS, *NODE_PEAKS)}


INPUT_KINDS = {
    "position": ("m", "commanded position"), "velocity": ("m/s", "commanded velocity"),
    "rate": ("m/s", "speed at which line is paid out (in: negative)"), "length": ("m", "commanded length"),
    "force": ("N", "force on"), "torque": ("N.m", "torque on"), "tension": ("N", "commanded tension"),
}  # fmt: skip
"""Last word of an input's name → unit and meaning."""


@dataclass(frozen=True)
class Variable:
    """One variable of an FMU: a number, or an array of them."""

    name: str
    causality: str
    """"input", "output" or "parameter"."""
    unit: str
    description: str
    shape: tuple[int, ...]
    """() for a single number."""
    columns: tuple[int, ...]
    """Place of each number in the input vector, in the observation row (outputs) or among the parameters."""
    start: tuple[float, ...] = ()
    """Of an input or a parameter: what it is before it is set."""
    low: float = -INPUT_LIMIT
    high: float = INPUT_LIMIT
    """Bounds of an input or a parameter."""

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


def inputs_of(compiled: Compiled, first_row: np.ndarray, names: Iterable[str] | None = None) -> tuple[Variable, ...]:
    """Inputs of the system by name (all by default); each starts where the file has it, seen in the row `first_row`."""
    seen = Outputs(0.0, first_row, compiled.shape)
    chosen = list(compiled.inputs) if names is None else list(dict.fromkeys(names))
    for name in chosen:
        if name not in compiled.inputs:
            none = "this system has none; make a point 'controlled' to move it"
            raise FmuError(f"there is no input '{name}'; {suggestion(name, compiled.inputs, none)}")
    return tuple(_input(name, compiled.inputs[name], seen) for name in chosen)


def _input(name: str, place: slice, seen: Outputs) -> Variable:
    count = place.stop - place.start
    start = np.atleast_1d(seen[name]) if name in seen.names else np.zeros(count)
    owner, _, quantity = name.partition(".")
    unit, what = INPUT_KINDS.get(quantity.rpartition(".")[2], ("", quantity or name))
    return Variable(
        name=name,
        causality="input",
        unit=unit,
        description=f"{what} of '{owner}'; what the file says until it is set",
        shape=(count,) if count > 1 else (),
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
    further: tuple[Any, ...] = (*compiled.shape.extras, *compiled.shape.fields)
    alone = {**TOTAL_ATTRS, **{one.name: (one.units, one.long_name) for one in further}}
    if name in alone:
        units, text = alone[name]
    elif quantity in ("force_start", "force_end"):
        units, text = "N", f"force of cable '{owner}' on its support at its {quantity.removeprefix('force_')}"
    elif owner in compiled.shape.points and quantity in ("position", "velocity"):
        units, text = FIELDS[quantity][0], f"{quantity} of point '{owner}' in the global frame"
    else:
        units, text = FIELDS[quantity][0], f"{FIELDS[quantity][1]}, along cable '{owner}' from node 0 at its start"
    return fmi_unit(units), text


def fmi_unit(unit: str) -> str:
    """A unit of the model file (`kg/m^3`, `N*m^2`) or of a result (`m s-1`) as FMI has it: `kg/m3`, `N.m2`, `m/s`."""
    if unit == "1":
        return ""
    if " " not in unit:
        return unit.replace("^", "").replace("*", ".")
    above = [part for part in unit.split() if "-" not in part]
    below = [part.replace("-1", "").replace("-", "") for part in unit.split() if "-" in part]
    return "/".join([".".join(above) or "1", *below])
