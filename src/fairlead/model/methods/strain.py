"""What the tension of an element follows, in the formulations that have it to choose."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

Strain = Literal["engineering", "green"]
"""By the names of `rigging.axial`."""


def strain_field() -> Any:
    """The setting `strain`."""
    return Field(
        default="engineering",
        description="what the tension follows: `engineering` EA (l/L - 1), or `green` EA/2 (l²/L² - 1) l/L, whose "
        "strain is quadratic in the positions",
    )
