"""Nodes held at their distances by controlled links (a behavioural tether), with the sea around them."""

from .compiled_tether import CompiledTether, suggested_gains
from .gains import Gains

SUPPORTS = CompiledTether.supports
compile_system = CompiledTether

__all__ = ["SUPPORTS", "CompiledTether", "Gains", "compile_system", "suggested_gains"]
