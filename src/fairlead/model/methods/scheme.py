"""The setting `scheme` of formulations that have a second-order and a first-order semi-implicit step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from fairlead.model.part import Part
from fairlead.model.problems import Mistake

FIRST_ORDER_KEYS = ("theta", "geometric_stiffness")
"""Keys that belong to the first-order step."""


class SteppedSettings(Part):
    """Settings of a formulation with both steps."""

    scheme: Literal["second_order", "first_order"] | None = Field(
        default=None,
        description="the semi-implicit step: `second_order` damps only vibrations that the step cannot resolve; "
        "`first_order` is the linearly implicit step of earlier versions, tuned by `theta` and `geometric_stiffness`; "
        "when left out, `first_order` where one of these two is not at its default, and in `bars` where rings slide on "
        "cables, else `second_order`",
    )

    @property
    def is_second_order(self) -> bool:
        """Whether the semi-implicit step is the second-order one."""
        return self.scheme == "second_order" or (self.scheme is None and not self._tunes_first_order())

    def _tunes_first_order(self) -> bool:
        """Whether a key of the first-order step has another value than its default."""
        return any(getattr(self, key) != type(self).model_fields[key].default for key in FIRST_ORDER_KEYS)

    def relations(self) -> Iterator[Mistake]:
        """Mistakes between the scheme and the keys of the first-order step."""
        if self.scheme == "second_order":
            for key in FIRST_ORDER_KEYS:
                if getattr(self, key) != type(self).model_fields[key].default:
                    message = "belongs to the first-order step, and 'scheme' is second_order"
                    yield Mistake((key,), message, "remove it, or use 'scheme: first_order'", True)
