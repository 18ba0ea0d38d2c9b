"""Hulls whose water is solved for, by boundary elements, together with what they carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairlead.formulations import compile_system

if TYPE_CHECKING:
    from fairlead.formulations.contract import Compiled
    from fairlead.model import System
    from fairlead.shape.layout import Geometry

    from .compiled_hydro import CompiledHydro


def compile_in_water(system: System, geometry: Geometry) -> Compiled:
    """Compile any system, as laid out, by its formulation, and in its own water where it has hulls."""
    return compile_system(system, geometry) if system.hydro is None else compile_hulls(system, geometry)


def compile_hulls(system: System, geometry: Geometry) -> CompiledHydro:
    """Compile a system with a `hydro` section: one tree of bodies and cables, or hulls that carry cables.

    `multibody` solves hulls, joints and cables as one; cables of another formulation are led by the hulls.
    """
    from .compiled_hydro import CompiledHydro
    from .compiled_moored import CompiledMoored

    one_tree = system.simulation.formulation == "multibody" or not system.cables
    return (CompiledHydro if one_tree else CompiledMoored)(system, geometry)
