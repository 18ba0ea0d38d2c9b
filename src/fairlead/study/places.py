"""Values of a system by their paths: what may stand there, and whether a value may."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError

from fairlead.model import System
from fairlead.model.candidates import quantity_of
from fairlead.model.part import Part
from fairlead.model.problems import ModelError
from fairlead.model.values import Quantity

_STEPS = re.compile(r"\.?([\w-]+|\"[^\"]+\"|'[^']+')|\[(\d+)\]")


@dataclass(frozen=True)
class Place:
    """A value of the system that is there, so that others can be held against its rule without making a system."""

    rule: TypeAdapter[Any]
    quantity: Quantity | None
    """Of a number, or of every number of a row."""

    @property
    def unit(self) -> str:
        return "" if self.quantity is None or self.quantity.unit == "1" else self.quantity.unit

    def refusal(self, value: Any) -> str | None:
        """Why a value may not stand there, in a clause; None when it may."""
        try:
            self.rule.validate_python(value)
        except ValidationError as error:
            context = error.errors()[0].get("ctx", {})
            return "; ".join(filter(None, (context.get("message"), context.get("hint")))) or str(error)
        except ModelError as error:
            return str(error)
        return None


def place_at(system: System, path: str) -> Place | None:
    """The place of a path; None where the way there leads through what the file leaves out."""
    steps = [int(index) if index else name.strip("\"'") for name, index in _STEPS.findall(path)]
    inner: Any = system
    annotation: Any = None
    for step in steps:
        if isinstance(inner, Part) and isinstance(step, str) and step in type(inner).model_fields:
            field = type(inner).model_fields[step]
            annotation = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
            inner = getattr(inner, step)
        elif isinstance(inner, dict) and step in inner:
            inner, annotation = inner[step], None
        elif isinstance(inner, tuple) and isinstance(step, int) and step < len(inner):
            inner = inner[step]
            quantity = None if annotation is None else quantity_of(annotation)
            annotation = None if quantity is None or isinstance(inner, Part) else Annotated[float, quantity]
        else:
            return None
    if annotation is None:
        return None
    return Place(TypeAdapter(annotation), quantity_of(annotation))
