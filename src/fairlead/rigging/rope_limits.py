"""What ropes ask of the formulations that have them."""

from __future__ import annotations

from fairlead.model import System
from fairlead.model.needs import UnsupportedSystem


def require_ropes(system: System, step: str) -> None:
    """Refuse what ropes cannot be stepped with: any method but the formulation's own `step`, and winches."""
    ropes = [name for name, kind in system.types.items() if kind.axial is not None]
    if not ropes:
        return
    if system.simulation.integrator not in ("auto", step):
        chosen = system.simulation.integrator
        raise UnsupportedSystem(f"types.{ropes[0]}.axial: '{chosen}' cannot step ropes; use integrator: {step}")
    for name, cable in system.cables.items():
        if cable.winch is not None and any(part.type in ropes for part in cable.stretches):
            raise UnsupportedSystem(
                f"cables.{name}.winch: a winch cannot haul a rope whose stiffness is in 'axial'; give it a constant "
                "axial_stiffness, or leave the winch out"
            )
