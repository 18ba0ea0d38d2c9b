"""A system as YAML: what the user would write, values left at their defaults left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fairlead.model.bodies import Derived
from fairlead.model.cable_types import DampingTime
from fairlead.model.cables import End
from fairlead.model.part import Part
from fairlead.model.reader import scalar
from fairlead.model.system import System
from fairlead.model.values import OnBed

_BARE = re.compile(r"[A-Za-z_][\w-]*(?:[ .][\w-]+)*", re.ASCII)


def plain(part: Part) -> dict[str, Any]:
    """A part as plain data, without the values that are at their defaults."""
    data: dict[str, Any] = {}
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        default = field.get_default(call_default_factory=True, validated_data=part.__dict__)
        if field.is_required() or name == "kind" or (value != default and not isinstance(value, Derived)):
            data[name] = _plain_value(value)
    return data


def yaml_text(system: System) -> str:
    """The system as the text of a YAML file, with each point, type and cable in a line of its own."""
    return yaml_of(plain(system))


def yaml_of(data: Mapping[str, Any], comments: Mapping[tuple[str, ...], str] | None = None) -> str:
    """Plain data of a system as YAML; `comments` stand behind the lines of entries such as ("cables", "line")."""
    notes = comments or {}
    lines: list[str] = []
    for section, content in data.items():
        if isinstance(content, dict) and content:
            lines.append(f"{section}:" + _comment(notes.get((section,))))
            for name, entry in content.items():
                lines.append(f"  {_text(name)}: {_flow(entry)}" + _comment(notes.get((section, name))))
        elif isinstance(content, list) and content:
            lines.append(f"{section}:")
            lines += [f"  - {_flow(entry)}" for entry in content]
        else:
            lines.append(f"{section}: {_flow(content)}" + _comment(notes.get((section,))))
    return "\n".join(lines) + "\n"


def _comment(text: str | None) -> str:
    return f"  # {text}" if text else ""


def _plain_value(value: Any) -> Any:
    if isinstance(value, End) and value == End(point=value.point):
        return value.point
    if isinstance(value, DampingTime) and value.axial == value.bending == value.torsion:
        return value.axial
    if isinstance(value, Part):
        return plain(value)
    if isinstance(value, dict):
        return {name: _plain_value(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_plain_value(item) for item in value]
    return "bed" if isinstance(value, OnBed) else value


def _flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(name)}: {_flow(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e6 else repr(value)
    return _text(value) if isinstance(value, str) else str(value)


def _text(text: str) -> str:
    """Text, in quotes unless YAML reads it as the same text without."""
    if _BARE.fullmatch(text) and isinstance(scalar(text), str):
        return text
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else f"\\U{ord(character):08x}"
