"""The setting `scheme` of formulations that have a second-order and a first-order semi-implicit step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.problems import Mistake

Scheme = Literal["second_order", "first_order"]


def scheme_field() -> Any:
    """The field for a settings class."""
    return Field(
        default=None,
        description="the semi-implicit step: `second_order` damps only vibrations that the step cannot resolve; "
        "`first_order` is the linearly implicit step of earlier versions, tuned by `theta` and `geometric_stiffness`; "
        "when left out, `second_order`, or `first_order` where one of these two is not at its default",
    )


class SteppedSettings(Part):
    """Settings of a formulation with both steps; `theta` and `geometric_stiffness` belong to the first-order one."""

    scheme: Scheme | None = scheme_field()

    @property
    def is_second_order(self) -> bool:
        """Whether the semi-implicit step is the second-order one."""
        return self.scheme == "second_order" or (self.scheme is None and not self.first_order_keys())

    def first_order_keys(self) -> list[str]:
        """Keys of the first-order step that are not at their defaults."""
        fields = type(self).model_fields
        return [key for key in ("theta", "geometric_stiffness") if getattr(self, key) != fields[key].default]

    def relations(self) -> Iterator[Mistake]:
        """`second_order` has none of the other step's keys."""
        if self.scheme == "second_order":
            for key in self.first_order_keys():
                message = "belongs to the first-order step, and the scheme is second_order"
                yield Mistake((key,), message, f"remove {key}, or use scheme: first_order")
