"""Values of a model changed on the command line: `--set environment.seabed.friction=0.3`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fairlead.model import System

_NAME = r"[\w-]+|\"[^\"]+\"|'[^']+'"
_PATH = re.compile(rf"(?:{_NAME})(?:\.(?:{_NAME})|\[\d+\])*")
_STEPS = re.compile(rf"\.?({_NAME})|\[(\d+)\]")


class Setting(click.ParamType):  # type: ignore[type-arg]
    """`path.to.value=VALUE`; the value is read as YAML: `0.3`, `5 kN`, `[0, 0, -5]`, `true`, `null`.

    An entry of a list is `points.A.position[0]`; a name with dots is in quotes, `inputs."B.position".constant`.
    """

    name = "path=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        path, sign, text = str(value).partition("=")
        path = path.strip()
        if not sign or not _PATH.fullmatch(path):
            self.fail(f"'{value}' is not of the form path.to.value=VALUE, such as simulation.step=0.1", param, ctx)
        return path, read_value(text)


def read_value(text: str) -> Any:
    """Text from the command line as the value YAML makes of it."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except YAMLError:
        return text


def overridden(system: System, changes: dict[str, Any]) -> System:
    """The system with the values at the given paths replaced, validated again as a whole."""
    from fairlead.model import System

    if not changes:
        return system
    data = system.model_dump(mode="json", exclude_unset=True)
    for path, value in changes.items():
        _place(data, path, value)
    return System.model_validate(data, context={"source": system.source})


def _place(data: dict[str, Any], path: str, value: Any) -> None:
    steps = [int(index) if index else name.strip("\"'") for name, index in _STEPS.findall(path)]
    inner: Any = data
    for i, step in enumerate(steps):
        here = _written(steps[:i])
        if isinstance(step, int):
            if not isinstance(inner, list):
                raise _nothing(path, f"'{here}' {_is_no_list(inner)}", f"set it as a whole: {here}=VALUE")
            if step >= len(inner):
                entries = f"holds {len(inner)} entries, [0] to [{len(inner) - 1}]" if inner else "is an empty list"
                raise _nothing(path, f"'{here}' {entries}", "")
        elif not isinstance(inner, dict):
            number = "its entries are set by number, as [0]" if isinstance(inner, list) else f"set it as {here}=VALUE"
            raise _nothing(path, f"'{here}' holds nothing by name", number)
        if i == len(steps) - 1:
            inner[step] = value
        else:
            is_open = isinstance(step, str) and not isinstance(inner.get(step), dict | list)
            if is_open and isinstance(steps[i + 1], str):
                inner[step] = {}
            inner = inner.get(step) if isinstance(step, str) else inner[step]


def _nothing(path: str, why: str, hint: str) -> Exception:
    from fairlead.model import ModelError, Problem

    return ModelError([Problem(path, f"there is nothing at '{path}' to set: {why}", hint)])


def _is_no_list(value: Any) -> str:
    return "is not given in the file" if value is None else "is not a list"


def _written(steps: list[Any]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
