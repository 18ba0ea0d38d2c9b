"""Point masses joined by springs: the lumped-mass cable, solved in O(n)."""

from .compiled_lumped import CompiledLumped
from .quadratic import QuadraticStrain, quadratic_strain

SUPPORTS = CompiledLumped.supports
compile_system = CompiledLumped

__all__ = ["SUPPORTS", "CompiledLumped", "QuadraticStrain", "compile_system", "quadratic_strain"]
