"""What can go wrong while an FMU is made."""

from __future__ import annotations


class FmuError(ValueError):
    """The FMU cannot be made; the text says why and what to do."""
