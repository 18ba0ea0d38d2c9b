"""Which values of a file may be parameters, of an FMU or of a simulation that runs: where they stand, what they mean,
their bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from fairlead.model.cable_types import DragCoefficients
from fairlead.model.part import Part
from fairlead.model.system import System
from fairlead.model.values import LARGEST, SMALLEST, Quantity, Row

STRUCTURAL = frozenset({"diameter", "contact_diameter", "z", "speed", "direction_deg", "slope", "gusts"})
"""What shapes the compiled system itself, beside lengths and numbers of elements."""
CATALOGUED = frozenset({"nominal_diameter", "corrosion", "mean_load", "bathymetry", "current_field"})
"""What only says where other values come from, and what is a table of many numbers."""
_STEPS = re.compile(r"\.?([\w-]+)|\[(\d+)\]")


@dataclass(frozen=True)
class Candidate:
    """A number of the file, or a vector of them."""

    path: str
    """As `--set` takes it: `types.rope.axial_stiffness`, `environment.current[0].velocity`."""
    unit: str
    description: str
    values: tuple[float, ...]
    low: float
    high: float = LARGEST

    @property
    def shape(self) -> tuple[int, ...]:
        return () if len(self.values) == 1 else (len(self.values),)


def candidates(system: System, structural: bool = False) -> tuple[Candidate, ...]:
    """Every value of the environment and of the cable types that is a quantity, in the order of the file.

    structural: those too that shape the compiled system
    """
    left_out = CATALOGUED if structural else STRUCTURAL | CATALOGUED
    found = list(_of_part(system.environment, "environment", "the environment", left_out))
    for name, kind in system.types.items():
        found += _of_part(kind, f"types.{name}", f"cable type '{name}'", left_out)
    return tuple(found)


def _of_part(part: Part, path: str, owner: str, left_out: frozenset[str]) -> Iterator[Candidate]:
    for name, field in type(part).model_fields.items():
        value, place = getattr(part, name), f"{path}.{name}"
        # what follows another value when it is left out goes on following it
        follows = field.default_factory is not None and name not in part.model_fields_set
        if name in left_out or value is None or follows:
            continue
        if isinstance(value, Part):
            inner = "drag coefficients" if isinstance(value, DragCoefficients) else name.replace("_", " ")
            yield from _of_part(value, place, f"{inner} of {owner}", left_out)
        elif isinstance(value, tuple) and value and isinstance(value[0], Part):
            if name == "trains":
                continue
            for index, item in enumerate(value):
                yield from _of_part(item, f"{place}[{index}]", f"sample {index} of the {name} in {owner}", left_out)
        else:
            annotation = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
            quantity = quantity_of(annotation)
            if quantity is None or (isinstance(value, tuple) and (not value or isinstance(value[0], tuple))):
                continue
            text = f"{owner}: {field.description}"
            numbers = tuple(map(float, value)) if isinstance(value, tuple) else (float(value),)
            low = -quantity.largest if quantity.at_least is None else quantity.at_least
            if quantity.above is not None:
                low = max(quantity.above, SMALLEST)
            yield Candidate(place, quantity.unit, text, numbers, low, quantity.largest)


def quantity_of(annotation: Any) -> Quantity | None:
    """The quantity an annotation stands for: of a number, or of every number of a row."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is not Annotated:
        inner = [found for argument in arguments if (found := quantity_of(argument)) is not None]
        return inner[0] if inner else None
    marks = [mark for mark in arguments[1:] if isinstance(mark, Quantity)]
    if marks:
        return marks[0]
    rows = any(isinstance(mark, Row) for mark in arguments[1:])
    return quantity_of(arguments[0]) if rows or get_origin(arguments[0]) else None


def changed(system: System, values: Mapping[str, Any]) -> System:
    """The system with other values at some paths, validated again."""
    data = system.model_dump(exclude_unset=True)
    for path, value in values.items():
        inner: Any = data
        *steps, last = [int(index) if index else name for name, index in _STEPS.findall(path)]
        for step in steps:
            if isinstance(step, int):
                inner[step] = dict(inner[step])
            elif not isinstance(inner.get(step), dict | list):
                inner[step] = list(inner[step]) if isinstance(inner.get(step), tuple) else {}
            inner = inner[step]
        inner[last] = value
    return System.model_validate(data)


def with_numbers(system: System, values: Mapping[str, Any]) -> System:
    """A copy with other numbers (or rows of them) at the paths of candidates, as they are: nothing is checked anew."""
    for path, value in values.items():
        steps = [int(index) if index else name for name, index in _STEPS.findall(path)]
        system = _with(system, steps, value)
    return system


def _with(part: Any, steps: list[str | int], value: Any) -> Any:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if isinstance(part, dict):
        return {**part, step: _with(part[step], rest, value)}
    if isinstance(step, int):
        return (*part[:step], _with(part[step], rest, value), *part[step + 1 :])
    update = {step: _with(getattr(part, step), rest, value)}
    known = {name: update.get(name, getattr(part, name)) for name in type(part).model_fields}
    for name, field in type(part).model_fields.items():
        # what follows another value when it is left out goes on following it
        if field.default_factory is not None and name not in part.model_fields_set:
            update[name] = field.default_factory(known)
    copied = part.model_copy(update=update)
    copied.model_fields_set.intersection_update({*part.model_fields_set, step})
    return copied
