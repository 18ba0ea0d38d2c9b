"""Settings that belong to one formulation each, one file a formulation."""

from fairlead.model.methods.bars import BarsSettings

__all__ = ["BarsSettings"]
