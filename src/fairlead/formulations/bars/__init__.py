"""Rigid bars with compliant joints (elastic Baumgarte stabilisation), solved in O(n)."""

from .compiled_bars import CompiledBars, compile_system

__all__ = ["CompiledBars", "compile_system"]
