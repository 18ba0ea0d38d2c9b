"""Values of a model changed on the command line: `--set environment.seabed.friction=0.3`."""

from __future__ import annotations

from typing import Any

import click


class Setting(click.ParamType):  # type: ignore[type-arg]
    """`path.to.value=VALUE`; the value is read as YAML: `0.3`, `5 kN`, `[0, 0, -5]`, `true`, `null`.

    An entry of a list is `points.A.position[0]`; a name with dots is in quotes, `inputs."B.position".constant`.
    """

    name = "path=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Any]:
        from fairlead.model.changes import is_path

        if isinstance(value, tuple):
            return value
        path, sign, text = str(value).partition("=")
        path = path.strip()
        if not sign or not is_path(path):
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
