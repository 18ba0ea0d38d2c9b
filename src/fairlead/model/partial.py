"""What can be understood of a model that has mistakes, so that the checks between its parts can still run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from fairlead.model.part import Part
from fairlead.model.problems import ModelError

PartT = TypeVar("PartT", bound=Part)


def understood(cls: type[PartT], data: object) -> PartT:
    """The part as far as its values are right; a field that is wrong or missing is None, a wrong entry is left out."""
    if isinstance(data, cls):
        return data
    mapping = data
    if not isinstance(data, Mapping):
        try:
            mapping = cls.expanded(data)
        except ValueError:
            mapping = {}
    values: dict[str, Any] = {}
    for name, field in cls.model_fields.items():
        if isinstance(mapping, Mapping) and mapping.get(name) is not None:
            values[name] = _field_value(cls, name, field, mapping[name])
        else:
            values[name] = None if field.is_required() or field.default_factory is not None else field.default
    return cls.model_construct(**values)


def _field_value(cls: type[Part], name: str, field: FieldInfo, value: Any) -> Any:
    """The value of one field, or as much of it as is right."""
    try:
        return _adapter(cls, name).validate_python(value)
    except (ValidationError, ModelError):
        pass
    inner = _bare(field.annotation)
    origin, arguments = get_origin(inner), get_args(inner)
    if isinstance(inner, type) and issubclass(inner, Part):
        return understood(inner, value)
    if origin is dict and isinstance(value, Mapping):
        entry = _bare(arguments[1])
        return {key: _entry(entry, item) for key, item in value.items() if isinstance(key, str)}
    if origin is tuple and arguments[1:] == (Ellipsis,) and isinstance(value, (list, tuple)):
        entry = _bare(arguments[0])
        if isinstance(entry, type) and issubclass(entry, Part):
            return tuple(understood(entry, item) for item in value)
    return _entry(inner, value) if origin in (Union, UnionType) and isinstance(value, Mapping) else None


def _entry(annotation: Any, value: Any) -> Any:
    """One entry of a dictionary; the kind of a point or body decides its class, an unknown one gives None."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return understood(annotation, value)
    kind = value.get("kind") if isinstance(value, Mapping) else None
    members = [member for member in map(_bare, get_args(annotation)) if isinstance(member, type)]
    parts = [member for member in members if issubclass(member, Part)]
    for part in parts:
        if isinstance(kind, str) and "kind" in part.model_fields and part.model_fields["kind"].default == kind:
            return understood(part, value)
    if parts:
        return value if isinstance(value, Part) else None
    try:
        return TypeAdapter(annotation).validate_python(value)
    except (ValidationError, ModelError):
        return None


@lru_cache(maxsize=256)
def _adapter(cls: type[Part], name: str) -> TypeAdapter[Any]:
    field = cls.model_fields[name]
    annotation: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
    return TypeAdapter(annotation)


def _bare(annotation: Any) -> Any:
    """An annotation without `Annotated` and without `| None`."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        if len(members) == 1:
            return _bare(members[0])
    return annotation
