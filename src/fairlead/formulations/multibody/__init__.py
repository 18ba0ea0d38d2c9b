"""Trees of bodies in relative coordinates, cables as chains of turning and sliding joints."""

from .compiled_multibody import CompiledMultibody
from .growth import refusal

SUPPORTS = CompiledMultibody.supports
compile_system = CompiledMultibody

__all__ = ["SUPPORTS", "CompiledMultibody", "compile_system", "refusal"]
