"""Chains of rigid links: index-1 multipliers, and lengths put right after every step."""

from .compiled_chain import CompiledChain

SUPPORTS = CompiledChain.supports
compile_system = CompiledChain

__all__ = ["SUPPORTS", "CompiledChain", "compile_system"]
