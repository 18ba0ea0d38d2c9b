"""What can go wrong when a result is handed on."""

from __future__ import annotations


class ExportError(ValueError):
    """A result cannot be written as it was asked for; the text says what is wrong and what would be right."""
