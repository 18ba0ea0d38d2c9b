"""Chains of rigid links: index-1 multipliers, and lengths put right after every step."""

from .compiled_chain import CompiledChain, compile_system

SUPPORTS = CompiledChain.supports

__all__ = ["SUPPORTS", "CompiledChain", "compile_system"]
