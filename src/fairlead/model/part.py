"""What every part of the model is: immutable, strict about its keys, and able to name all its mistakes at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.annotated_handlers import GetJsonSchemaHandler
from pydantic.functional_validators import ModelWrapValidatorHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails, InitErrorDetails

from fairlead.model.problems import (
    Location,
    Mistake,
    ModelError,
    Problem,
    listed,
    nearest,
    path_text,
    shown,
    suggestion,
    wrong,
)

TAG = "\x00"
"""Starts the tag that pydantic puts into the location of a member of a union, to take it out again."""

_BUILDING = threading.RLock()
"""Held by the thread that builds a part, at its first use. pydantic 2.14 has such a lock; older ones have none."""

MOST_UNKNOWN = 100
"""Unknown keys of one part that are explained one by one."""


class Part(BaseModel):
    """A piece of the model: immutable, knows its keys, and reports all that is wrong with it in one go."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    noun: ClassVar[str] = "a mapping"

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise model_error(error) from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Parts do not change: a run, its file and its result would no longer be of the same system."""
        if not name.startswith("_"):
            raise AttributeError(
                f"{name!r} of a {type(self).__name__} cannot be set: a system does not change once it is checked; "
                'make a changed copy, system.with_values({"simulation.step": 0.1})'
            )
        super().__setattr__(name, value)

    # Tells pydantic that this constructor only translates errors, so that nested parts are still validated in place
    # (and all mistakes of a whole system end up in one list).
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def model_rebuild(cls, *, _parent_namespace_depth: int = 2, **options: Any) -> bool | None:
        """As in pydantic, which calls it at the first use of a part, but by one thread at a time."""
        with _BUILDING:
            return super().model_rebuild(_parent_namespace_depth=_parent_namespace_depth + 1, **options)

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """As in pydantic, but raises `ModelError`."""
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise model_error(error) from None

    @classmethod
    def unsaid(cls, **values: Any) -> Self:
        """The part as it is where a file says nothing of it, for defaults: what is not given has its default, and
        nothing is checked. So importing the model builds no validator of a part; reading a file builds one for all."""
        return cls.model_construct(**values)

    @classmethod
    def expanded(cls, data: object) -> object:
        """The full form of a shorthand the part may be written in; by default there is none."""
        return data

    @classmethod
    def choices(cls, given: frozenset[str]) -> Iterator[Mistake]:
        """Mistakes in which keys are given together; runs even when their values are wrong."""
        yield from ()

    def relations(self) -> Iterator[Mistake]:
        """Mistakes between values that are right one by one."""
        yield from ()

    @model_validator(mode="wrap")
    @classmethod
    def _all_mistakes(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if isinstance(data, cls):
            return data
        data = cls.expanded(data)
        if not isinstance(data, Mapping):
            raise wrong(f"must be {cls.noun}, not {shown(data)}", f"its keys are {listed_keys(cls)}")
        data = {key: _without_arrays(value) for key, value in data.items()}
        # A key that is only misspelt counts as given: one slip of the pen makes one mistake.
        unknown = [key for key in data if key not in cls.model_fields]
        if len(unknown) > MOST_UNKNOWN:
            told = [Mistake((str(key),), "unknown key", about_key=True) for key in unknown[:MOST_UNKNOWN]]
            rest = Mistake((), f"has {len(unknown)} unknown keys in all", f"its keys are {listed_keys(cls)}")
            raise all_of(cls.__name__, [*told, rest])
        misspelt = {nearest(key, cls.model_fields) or "" for key in unknown}
        # A value that is the default says nothing: results keep all values of a system, and are read again.
        given = {key for key, value in data.items() if value is not None and not _is_default(cls, key, value)}
        mistakes = list(cls.choices(frozenset(given | misspelt)))
        try:
            part = handler(data)
        except ValidationError as error:
            for detail in error.errors(include_url=False):
                follows = detail["type"] == "missing" and detail["loc"][-1] in misspelt
                if not follows and detail["type"] != "default_factory_not_called":
                    mistakes.append(_explained(cls, detail))
            raise all_of(cls.__name__, mistakes) from None
        mistakes += part.relations()
        if mistakes:
            raise all_of(cls.__name__, mistakes)
        return part


def exactly_one(given: frozenset[str], *names: str) -> Iterator[Mistake]:
    """Mistakes unless exactly one of the keys is given."""
    present = [name for name in names if name in given]
    quoted = [f"'{name}'" for name in names]
    if not present:
        yield Mistake((), f"needs one of {' and '.join(quoted)}", f"add {' or '.join(quoted)}", about_key=True)
    for name in present[1:]:
        yield Mistake((name,), f"cannot stand beside '{present[0]}'", f"keep one of {' and '.join(quoted)}", True)


def none_beside(given: frozenset[str], whole: str, *names: str) -> Iterator[Mistake]:
    """Mistakes for the keys that are given beside `whole`, which says it all."""
    for name in names:
        if {whole, name} <= given:
            yield Mistake((name,), f"cannot stand beside '{whole}'", "keep one of them", True)


def one_or_parts(shorthand: dict[str, Any]) -> Any:
    """JSON Schema of a part that has a shorthand: `shorthand` or the full mapping."""

    @classmethod  # type: ignore[misc]
    def schema(cls: type[Part], core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        reference = handler(core)
        full = handler.resolve_ref_schema(reference)
        mapping = dict(full)
        full.clear()
        full.update({"anyOf": [shorthand, mapping]})
        return reference

    return schema


def listed_keys(cls: type[BaseModel]) -> str:
    return ", ".join(cls.model_fields)


def model_error(error: ValidationError) -> ModelError:
    """A pydantic error of a part built from Python as the error users know."""
    mistakes = mistakes_of(error)
    return ModelError(Problem(path_text(mistake.location), mistake.message, mistake.hint) for mistake in mistakes)


def mistakes_of(error: ValidationError) -> list[Mistake]:
    """All mistakes in an error that came out of `Part._all_mistakes`."""
    found: list[Mistake] = []
    for detail in error.errors(include_url=False):
        context = detail.get("ctx", {})
        message = context.get("message", detail["msg"])
        location = _location(detail)
        found.append(Mistake(location, message, context.get("hint", ""), context.get("about_key", False)))
    return found


def _without_arrays(value: object) -> object:
    """Arrays as lists."""
    return value.tolist() if hasattr(value, "tolist") else value


def all_of(title: str, mistakes: list[Mistake]) -> ValidationError:
    """Several mistakes as the one error a validator may raise."""
    details = [InitErrorDetails(type=mistake.as_error(), loc=mistake.location, input=None) for mistake in mistakes]
    return ValidationError.from_exception_data(title, details)


def _location(detail: ErrorDetails) -> Location:
    """The way down to the value, without the tags pydantic adds for unions and dictionary keys."""
    return tuple(part for part in detail["loc"] if not (isinstance(part, str) and part.startswith((TAG, "[key]"))))


def _explained(cls: type[Part], detail: ErrorDetails) -> Mistake:
    """A pydantic error in our words."""
    location, kind, value = _location(detail), detail["type"], detail["input"]
    context: dict[str, Any] = detail.get("ctx", {})
    if kind == "mistake":
        return Mistake(location, context["message"], context["hint"], context["about_key"])
    if kind == "extra_forbidden":
        return Mistake(location, "unknown key", suggestion(detail["loc"][-1], cls.model_fields), about_key=True)
    if kind == "missing":
        field = cls.model_fields[str(location[-1])]
        return Mistake(location[:-1], f"'{location[-1]}' is missing", f"add it: {field.description}", about_key=True)
    if kind == "literal_error":
        allowed = [str(choice) for choice in _literal_choices(cls.model_fields[str(location[0])].annotation)]
        return Mistake(location, f"must be {listed(allowed)}, not {shown(value)}", _did_you_mean(value, allowed))
    wanted = {
        "string_type": "text",
        "bool_type": "true or false",
        "dict_type": "a mapping of names to their descriptions",
        "list_type": "a list",
        "tuple_type": "a list",
    }.get(kind)
    if wanted is not None:
        hint = "put it in quotes" if kind == "string_type" and isinstance(value, (int, float)) else ""
        return Mistake(location, f"must be {wanted}, not {shown(value)}", hint)
    return Mistake(location, detail["msg"])


def _is_default(cls: type[Part], key: str, value: object) -> bool:
    field = cls.model_fields.get(key)
    if field is None or field.default is None or field.is_required():
        return False
    return bool(field.default == (tuple(value) if isinstance(value, list) else value))


def _did_you_mean(value: object, allowed: list[str]) -> str:
    near = nearest(value, allowed)
    return f"did you mean '{near}'?" if near else ""


def _literal_choices(annotation: Any) -> list[Any]:
    """All literals named anywhere inside an annotation."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [choice for inner in get_args(annotation) for choice in _literal_choices(inner)]
