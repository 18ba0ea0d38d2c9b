"""Cables on a few shapes of their motion and of their tension: large steps at a cost that their mesh does not touch."""

from .assembly import Assembly
from .compiled_reduced import CompiledReduced, compile_system
from .model_file import ReducedModel, identity, open_model

SUPPORTS = CompiledReduced.supports

__all__ = ["SUPPORTS", "Assembly", "CompiledReduced", "ReducedModel", "compile_system", "identity", "open_model"]
