"""One cable on a few shapes of its motion and of its tension: large steps at a cost that its mesh does not touch."""

from .compiled_reduced import CompiledReduced, compile_system
from .model_file import ReducedModel, identity, open_model
from .operators import Operators

SUPPORTS = CompiledReduced.supports

__all__ = ["SUPPORTS", "CompiledReduced", "Operators", "ReducedModel", "compile_system", "identity", "open_model"]
