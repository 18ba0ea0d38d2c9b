"""Values of a system changed by their paths: `environment.seabed.friction`, `points.A.position[0]`.

A path is written as in the messages of the model: names joined by dots, entries of a list by number in brackets, a name
with dots in quotes, `inputs."B.position".constant`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fairlead.model.problems import ModelError, Problem, suggestion

_NAME = r"[\w-]+|\"[^\"]+\"|'[^']+'"
_PATH = re.compile(rf"(?:{_NAME})(?:\.(?:{_NAME})|\[\d+\])*")
_STEPS = re.compile(rf"\.?({_NAME})|\[(\d+)\]")
_NAMED = ("types", "points", "bodies", "joints", "cables")
"""Sections whose entries the file names: a value inside an entry that is not there is a slip of the pen."""


def is_path(text: str) -> bool:
    """True when a text is written as a path."""
    return _PATH.fullmatch(text) is not None


def place_values(data: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Put values into the plain data of a system at their paths; `ModelError` names every path that leads nowhere."""
    problems: list[Problem] = []
    for path, value in values.items():
        try:
            _place(data, path, value)
        except ModelError as error:
            problems += error.problems
    if problems:
        raise ModelError(problems)


def _place(data: dict[str, Any], path: str, value: Any) -> None:
    if not isinstance(path, str) or not is_path(path):
        raise ModelError([Problem("", f"{path!r} is not a path to a value", "write it as simulation.step")])
    steps = [int(index) if index else name.strip("\"'") for name, index in _STEPS.findall(path)]
    inner: Any = data
    for i, step in enumerate(steps):
        here, last = _written(steps[:i]), i == len(steps) - 1
        if isinstance(step, int):
            if not isinstance(inner, list):
                raise _nothing(path, f"'{here}' {_is_no_list(inner)}", f"set it as a whole: {here}")
            if step >= len(inner):
                entries = f"holds {len(inner)} entries, [0] to [{len(inner) - 1}]" if inner else "is an empty list"
                raise _nothing(path, f"'{here}' {entries}", "")
        elif not isinstance(inner, dict):
            cure = "its entries are set by number, as [0]" if isinstance(inner, list) else f"set it as a whole: {here}"
            raise _nothing(path, f"'{here}' holds nothing by name", cure)
        elif here in _NAMED and not last and step not in inner:
            raise _nothing(path, f"'{here}' has no '{step}'", suggestion(step, inner))
        if last:
            inner[step] = value
        else:
            is_open = isinstance(step, str) and not isinstance(inner.get(step), dict | list)
            if is_open and isinstance(steps[i + 1], str):
                inner[step] = {}
            inner = inner.get(step) if isinstance(step, str) else inner[step]


def _nothing(path: str, why: str, hint: str) -> ModelError:
    return ModelError([Problem(path, f"there is nothing at '{path}' to set: {why}", hint)])


def _is_no_list(value: Any) -> str:
    return "is not given in the file" if value is None else "is not a list"


def _written(steps: list[Any]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
