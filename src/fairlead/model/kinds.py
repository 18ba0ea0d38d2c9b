"""Parts of several kinds under one name: which class a `kind` stands for, and what to say when there is none."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ConfigDict

from fairlead.model.part import TAG, Part, all_of
from fairlead.model.problems import Mistake, listed, shown, suggestion, wrong


def _kind_required(schema: dict[str, Any]) -> None:
    schema["required"] = ["kind", *schema.get("required", [])]


class OfKind(Part):
    """A part whose `kind` tells its class."""

    # In Python the class tells the kind; a file has to.
    model_config = ConfigDict(json_schema_extra=_kind_required)
    kind: str

    def model_post_init(self, context: Any) -> None:
        # A part made in Python need not give its kind, but written down it always shows it.
        self.model_fields_set.add("kind")


def tag_of(kinds: Mapping[str, type[Part]]) -> Callable[[Any], str | None]:
    """The discriminator of a union: the tag of the kind a value gives."""

    def tag(value: Any) -> str | None:
        kind = value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", None)
        return TAG + kind if isinstance(kind, str) and kind in kinds else None

    return tag


def known_kind(noun: str, form: str, kinds: Mapping[str, type[Part]]) -> Callable[[Any], Any]:
    """A validator that explains a missing or unknown kind; `noun` is what the part is, `form` how it is written."""

    def check(value: Any) -> Any:
        if not isinstance(value, (Mapping, Part)):
            raise wrong(f"must be {form}, not {shown(value)}")
        kind = value.get("kind") if isinstance(value, Mapping) else getattr(value, "kind", None)
        if isinstance(kind, str) and kind in kinds:
            return value
        if isinstance(value, Part):
            raise wrong(f"must be {form}, not {shown(value)}")
        if kind is None:
            mistake = Mistake((), "'kind' is missing", f"add 'kind: {listed(kinds)}'", True)
        else:
            mistake = Mistake(("kind",), f"{shown(kind)} is no kind of {noun}", suggestion(kind, kinds))
        raise all_of(noun, [mistake])

    return check
