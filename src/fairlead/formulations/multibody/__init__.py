"""Trees of bodies in relative coordinates, cables as chains of turning and sliding joints."""

from .compiled_multibody import CompiledMultibody, compile_system
from .growth import refusal

SUPPORTS = CompiledMultibody.supports

__all__ = ["SUPPORTS", "CompiledMultibody", "compile_system", "refusal"]
