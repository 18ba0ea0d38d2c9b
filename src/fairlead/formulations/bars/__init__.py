"""Rigid bars with compliant joints (elastic Baumgarte stabilisation), solved in O(n)."""

from .compiled_bars import CompiledBars

SUPPORTS = CompiledBars.supports
compile_system = CompiledBars

__all__ = ["SUPPORTS", "CompiledBars", "compile_system"]
