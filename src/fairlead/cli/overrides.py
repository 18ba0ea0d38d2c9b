"""Values of a model changed on the command line: `--set environment.seabed.friction=0.3`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fairlead.model import System

_STEPS = re.compile(r"\.?([\w-]+)|\[(\d+)\]")


class Setting(click.ParamType):  # type: ignore[type-arg]
    """`path.to.value=VALUE`; the value is read as YAML: `0.3`, `5 kN`, `[0, 0, -5]`, `true`, `null`."""

    name = "path=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        if isinstance(value, tuple):
            return value
        path, sign, text = str(value).partition("=")
        path = path.strip()
        if not sign or not path or not re.fullmatch(r"[\w-]+(\.[\w-]+|\[\d+\])*", path):
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
    data = system.model_dump(exclude_unset=True)
    for path, value in changes.items():
        _place(data, path, value)
    return System.model_validate(data, context={"source": system.source})


def _place(data: dict[str, Any], path: str, value: Any) -> None:
    from fairlead.model import ModelError, Problem

    steps = [int(index) if index else name for name, index in _STEPS.findall(path)]
    inner: Any = data
    for i, step in enumerate(steps):
        if isinstance(step, int):
            inner_is_right = isinstance(inner, list) and step < len(inner)
        else:
            inner_is_right = isinstance(inner, dict)
        if not inner_is_right:
            raise ModelError(
                [Problem(path, f"there is nothing at '{path}' to set", "see `fairlead schema` for what there is")]
            )
        if i == len(steps) - 1:
            inner[step] = value
        else:
            if isinstance(step, str) and not isinstance(inner.get(step), dict | list):
                inner[step] = {}
            inner = inner[step]
