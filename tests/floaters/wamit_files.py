"""Coefficients written as WAMIT and HAMS write them, for tests to read back."""

from __future__ import annotations

from fairlead.floaters.writing import write_wamit as write

__all__ = ["write"]
