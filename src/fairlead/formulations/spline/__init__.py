"""Twisted cubic splines with bending and torsion: one axial strain an element, curvatures from the nodes' positions."""

from .compiled_spline import CompiledSpline

SUPPORTS = CompiledSpline.supports
compile_system = CompiledSpline

__all__ = ["SUPPORTS", "CompiledSpline", "compile_system"]
