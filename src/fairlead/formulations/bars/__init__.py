"""Rigid bars with compliant joints (elastic Baumgarte stabilisation), solved in O(n)."""

from .compiled_bars import CompiledBars, compile_system

SUPPORTS = CompiledBars.supports

__all__ = ["SUPPORTS", "CompiledBars", "compile_system"]
